// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

var testOptions = Options{
	Version: "1.0.0",
	Targets: []v1alpha1.Target{{Profile: "openai-responses", OnIncompatible: v1alpha1.IncompatibleExclude}, {Profile: "mcp-2025-11-25"}},
}

func TestImport(t *testing.T) {
	t.Parallel()
	tests := []struct {
		input   string
		options func(*Options)
		skipped int
	}{
		{input: "one-tool.json"},
		{input: "tools-list.json", options: func(o *Options) { o.Namespace = "shop" }, skipped: 6},
		{input: "lines.jsonl", skipped: 3},
		{input: "dialects.json"},
		{input: "forms.json", options: func(o *Options) {
			o.Profiles = provider.Builtin()
			o.Targets = slices.Concat(o.Targets, []v1alpha1.Target{
				{Profile: "openai-chat-completions"}, {Profile: "anthropic-messages", Strict: v1alpha1.StrictPreferred}, {Profile: "gemini-json-schema"},
			})
		}, skipped: 12},
		{input: "requests.jsonl", options: func(o *Options) {
			o.Profiles = provider.Builtin()
			o.Targets = []v1alpha1.Target{{Profile: "gemini-json-schema"}}
		}, skipped: 1},
		{input: "close.json", options: func(o *Options) { o.CloseObjects = true }},
	}
	for _, test := range tests {
		t.Run(test.input, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("testdata", test.input))
			if err != nil {
				t.Fatal(err)
			}
			o := testOptions
			if test.options != nil {
				test.options(&o)
			}
			contracts, report, found := Import(data, o)
			if !found {
				t.Error("no tools were found")
			}
			var yaml []byte
			for _, c := range contracts {
				yaml = AppendYAML(yaml, c)
			}
			checkRoundTrip(t, contracts, yaml)
			golden.Check(t, test.input+".yaml", yaml)
			golden.Check(t, test.input+".report", strings.Join(report.Lines(), "\n")+"\n")
			if report.Skipped() != test.skipped {
				t.Errorf("skipped %d, want %d", report.Skipped(), test.skipped)
			}
		})
	}
}

// checkRoundTrip reads the YAML as kubectl would and compares what came out.
func checkRoundTrip(t *testing.T, contracts []*v1alpha1.ToolContract, yaml []byte) {
	t.Helper()
	i := 0
	for d := range (manifest.Source{Name: "imported", Data: yaml}).Documents() {
		if i == len(contracts) {
			t.Fatal("the YAML has more documents than there are contracts")
		}
		if finding.HasErrors(d.Findings) {
			t.Errorf("%s cannot be read back: %v", contracts[i].Name, d.Findings)
		}
		if diff := cmp.Diff(contracts[i], d.Contract); diff != "" {
			t.Error(diff)
		}
		i++
	}
	if i != len(contracts) {
		t.Errorf("the YAML has %d documents of %d contracts", i, len(contracts))
	}
}

func TestImportOfNothing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text     string
		found          bool
		skipped, lines int
	}{
		{"an empty input has no tools", "", false, 0, 0},
		{"white space has no tools", " \n\t", false, 0, 0},
		{"an empty list is a list", "[]", true, 0, 0},
		{"an empty tools/list result is a list", `{"tools":[]}`, true, 0, 0},
		{"text is not JSON", "hello", false, 1, 1},
		{"binary garbage is not JSON", "\x7fELF\x00\x01\xff", false, 1, 1},
		{"invalid UTF-8 is not JSON", "{\"name\":\"\xff\"}", false, 1, 1},
		{"an unfinished text is not JSON", `{"name":"a"`, false, 1, 1},
		{"a number is no tool", "7", false, 1, 1},
		{"JSON nested 10,001 deep is not read", strings.Repeat("[", 10_001), false, 1, 1},
		{"a schema nested 10,000 deep is refused", `{"name":"a","inputSchema":` + strings.Repeat(`{"not":`, 9_990) + "{}" + strings.Repeat("}", 9_990) + "}", true, 1, 1},
		{"a schema over the limit is refused", `{"name":"a","inputSchema":{"description":"` + strings.Repeat("x", 100_000) + `"}}`, true, 1, 1},
		{"a description over the limit is refused", `{"name":"a","description":"` + strings.Repeat("x", 16_385) + `","inputSchema":{"type":"object"}}`, true, 1, 1},
		{"a huge number is refused", `{"name":"a","inputSchema":{"type":"object","maximum":1e1000000000}}`, true, 1, 1},
		{"lists are not followed without end", strings.Repeat(`{"tools":[{"type":"namespace","tools":[`, 40) + strings.Repeat("]}]}", 40), true, 1, 2},
		{"a tool name over the limit is refused", `{"name":"` + strings.Repeat("x", 129) + `","description":"d","inputSchema":{"type":"object"}}`, true, 1, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			contracts, report, found := Import([]byte(test.text), testOptions)
			if len(contracts) != 0 || found != test.found || report.Skipped() != test.skipped || len(report.Lines()) != test.lines {
				t.Errorf("got %d contracts, found %v, skipped %d, lines %q", len(contracts), found, report.Skipped(), report.Lines())
			}
			for _, line := range report.Lines() {
				if len(line) > 500 {
					t.Errorf("a line has %d bytes: %.200s", len(line), line)
				}
			}
		})
	}
}

func TestWhatIsNoToolIsToldApart(t *testing.T) {
	t.Parallel()
	tool := `{"name":"a","description":"d","inputSchema":{"type":"object"}}`
	tests := []struct {
		name, text string
		lines      []string
	}{
		{"each has a number", `[null, [], "x"]`, []string{"skipped: tool 1, tool 2, tool 3: it is not a JSON object"}},
		{"tools are counted with them", "[" + tool + `, 7, {"description":"x","inputSchema":{}}, 8]`, []string{
			"skipped: tool 2, tool 4: it is not a JSON object", "skipped: tool 3: /name: it has no name",
		}},
		{"over several values", tool + "\n7\n" + tool + "\n" + `{"jsonrpc":"2.0","id":1}` + "\n8", []string{
			"skipped: tool 2, tool 5: it is not a JSON object", "skipped: tool 4: the JSON-RPC message carries no tools",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, report, _ := Import([]byte(test.text), testOptions)
			expectLines(t, test.lines, report.Lines())
		})
	}
}

// expectLines demands lines with these beginnings and no others.
func expectLines(t *testing.T, want, got []string) {
	t.Helper()
	if !slices.EqualFunc(want, got, func(w, g string) bool { return strings.HasPrefix(g, w) }) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestExamplesThatAreNotValidAreLeftOut(t *testing.T) {
	t.Parallel()
	const examples = `"input_examples":[{"id":"1"},{"id":2},{"id":"3","more":true}]`
	tests := []struct {
		name, schema string
		closed       bool
		kept         int
		lines        []string
	}{
		{"against the schema", `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`, false, 2, []string{
			"note: a: /input_examples/1: it is not carried over, because it is not valid against the schema: /id: ",
		}},
		{"against the schema as it was closed", `{"type":"object","properties":{"id":{"type":"string"}}}`, true, 1, []string{
			"note: a: /input_schema: object schemas closed: 1", "note: a: /input_examples/1: it is not carried over", "note: a: /input_examples/2: it is not carried over",
		}},
		{"a schema that is wrong itself judges none", `{"type":"object","properties":{"id":{"type":"text"}}}`, false, 3, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := testOptions
			o.CloseObjects = test.closed
			contracts, report, _ := Import([]byte(`{"name":"a","description":"d","input_schema":`+test.schema+","+examples+"}"), o)
			if len(contracts) != 1 || len(contracts[0].Spec.Input.Examples) != test.kept {
				t.Fatalf("got %+v", contracts)
			}
			expectLines(t, test.lines, report.Lines())
			_, findings := evaluate.Read(&contracts[0].Spec.ToolContent)
			for _, f := range findings {
				if f.Rule == evaluate.RuleExampleInvalid {
					t.Errorf("check says %s", f)
				}
			}
		})
	}
}

func TestRepeatedWordsAreKeptOnce(t *testing.T) {
	t.Parallel()
	const text = `{"name":"a","description":"d","inputSchema":{"type":"object","properties":{"a":{"type":["string","string","null"]},"b":{"type":"array","items":{"required":["c","c","c"]}},` +
		`"required":{"type":"string"}},"required":["a","a","zz"],"dependentRequired":{"a":["b","b"],"b":["a"]}}}`
	contracts, report, _ := Import([]byte(text), testOptions)
	if len(contracts) != 1 {
		t.Fatalf("got %q", report.Lines())
	}
	expectLines(t, []string{
		`note: a: /inputSchema: /properties/a/type: "string" stood in it more than once and was kept once`,
		`note: a: /inputSchema: /properties/b/items/required: "c" stood in it more than once`,
		`note: a: /inputSchema: /required: "a" stood in it more than once`,
		`note: a: /inputSchema: /dependentRequired/a: "b" stood in it more than once`,
	}, report.Lines())
	got, _ := evaluate.Read(&contracts[0].Spec.ToolContent)
	if got == nil {
		t.Fatalf("the contract is not valid:\n%s", contracts[0].Spec.Input.SchemaText)
	}
	want := `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":"array","items":{"required":["c"]}},"required":{"type":"string"}},` +
		`"required":["a","zz"],"dependentRequired":{"a":["b"],"b":["a"]}}`
	if text := got.Input.Schema.Root().JSON(); text != want {
		t.Errorf("got %s", text)
	}
}

func TestObjectNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very_long_", 8)
	tests := []struct {
		name      string
		toolNames []string
		want      []string
	}{
		{"case and punctuation are folded", []string{"getUser", "repos/list.all:x"}, []string{"getuser", "repos-list-all-x"}},
		{"the ends are letters or digits", []string{"_a_", "-", "__"}, []string{"a", "tool", "tool-9911f4d2"}},
		{"the same name twice", []string{"ping", "ping", "ping"}, []string{"ping", "ping-758d61f2", "ping-e7a56f13"}},
		{"names that fold into one", []string{"get_x", "get-x", "GET_X"}, []string{"get-x", "get-x-e64bf837", "get-x-83bcd9ae"}},
		{"names that are cut alike", []string{long + "a", long + "b"}, []string{
			"very-long-very-long-very-long-very-long-very-long-very-836fed76", "very-long-very-long-very-long-very-long-very-long-very-bbc92288",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			n, again := namer{}, namer{}
			var got []string
			for _, toolName := range test.toolNames {
				name := n.name(toolName)
				if again := again.name(toolName); again != name {
					t.Errorf("%s: got %s and then %s", toolName, name, again)
				}
				got = append(got, name)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"name":"a","description":"x\n y\n\n","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}],"$ref":"#/items/0"}}`))
	f.Add([]byte(`[{"name":"b","description":"\u2028 \ud83d\ude00","annotations":{"readOnlyHint":true},"outputSchema":{}}]`))
	f.Add([]byte(`{"result":{"tools":[{"name":"yes","title":"on","description":"1.0.0","inputSchema":{"properties":{}}}]}}`))
	f.Add([]byte(`{"model":"m","tools":[{"functionDeclarations":[{"name":"c","parameters":{"type":"OBJECT","nullable":true,"any_of":[{"type":"STRING","enum":["1"]}],"propertyOrdering":["a"],"properties":{"a":{"ref":"#/defs/x","nullable":true}},"defs":{"x":{"type":"INTEGER","enum":["1"],"min_items":"2","example":1}}}}]}],"toolConfig":{"functionCallingConfig":{"mode":"ANY"},"tools":[{"toolSpec":{"name":"d","inputSchema":{"json":{}},"strict":true}}]}}`))
	f.Add([]byte(`[{"type":"function","function":{"name":"e","parameters":null,"strict":false}},{"name":"f","input_schema":{"type":"object"},"input_examples":[{"a":null}]},{"type":"namespace","name":"g","tools":[{"type":"custom","name":"h"}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o := testOptions
		o.CloseObjects, o.Profiles = len(data)%2 == 0, provider.Builtin()
		contracts, report, _ := Import(data, o)
		var yaml []byte
		for _, c := range contracts {
			yaml = AppendYAML(yaml, c)
		}
		checkRoundTrip(t, contracts, yaml)
		if again, second, _ := Import(data, o); len(again) != len(contracts) || !cmp.Equal(report.Lines(), second.Lines()) {
			t.Error("two imports of one input differ")
		}
	})
}

// FuzzAppendYAML writes arbitrary texts and reads them back.
func FuzzAppendYAML(f *testing.F) {
	for _, seed := range []string{"a", "yes", "1e3", "a: b", "a #b", " a\nb", "a\n \nb", "a\nb\n\n", "a\n\t", "\u0085", "\ufeff", "a\r\nb", "a\n  \n", "'", "\"\\", "…", "-a", "é:"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || text == "" || len(text) > 4096 {
			return
		}
		c := &v1alpha1.ToolContract{
			TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract"},
			ObjectMeta: metav1.ObjectMeta{Name: "a"},
			Spec: v1alpha1.ToolContractSpec{ToolContent: v1alpha1.ToolContent{
				Version: "1.0.0", ToolName: "a", Description: v1alpha1.Description{Summary: text},
				Input: v1alpha1.Input{SchemaText: "{}"},
			}, Targets: testOptions.Targets},
		}
		checkRoundTrip(t, []*v1alpha1.ToolContract{c}, AppendYAML(nil, c))
	})
}
