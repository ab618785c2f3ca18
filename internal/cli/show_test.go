// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/card"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// samples are the contracts that the documentation shows.
func samples(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"../../config/samples/*.yaml", "../../config/samples/types/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, files...)
	}
	if len(out) < 10 {
		t.Fatalf("there are only the samples %v", out)
	}
	return out
}

func baseOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".yaml") }

// TestShowSamples has the card of every sample, which a reviewer reads in place of
// the manifest.
func TestShowSamples(t *testing.T) {
	t.Parallel()
	for _, file := range samples(t) {
		t.Run(baseOf(file), func(t *testing.T) {
			t.Parallel()
			got := run("", "show", file)
			if got.code != 0 || got.err != "" {
				t.Fatalf("got %+v", got)
			}
			golden.Check(t, "show/"+baseOf(file)+".txt", got.out)
			if again := run("", "show", file); again != got {
				t.Error("two runs differ")
			}
		})
	}
}

// TestShowRenderings has one card for each wire format and each type of tool.
func TestShowRenderings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, profile string }{
		{"create-refund-draft", "openai-responses"},
		{"create-refund-draft", "openai-chat-completions"},
		{"create-refund-draft", "anthropic-messages"},
		{"create-refund-draft", "gemini-json-schema"},
		{"create-refund-draft", "gemini-openapi"},
		{"create-refund-draft", "bedrock-converse-claude"},
		{"create-refund-draft", "mcp-2025-11-25"},
		{"types/query-order-archive", "openai-responses"},
		{"types/query-order-archive", "openai-chat-completions"},
		{"types/query-order-archive", "anthropic-messages"},
		{"types/track-shipment", "openai-responses"},
		{"types/track-shipment", "anthropic-messages"},
		{"types/track-shipment", "mcp-2025-11-25"},
		{"types/web-search", "anthropic-messages"},
	} {
		t.Run(test.file+" "+test.profile, func(t *testing.T) {
			t.Parallel()
			got := run("", "show", "../../config/samples/"+test.file+".yaml", "--profile", test.profile)
			sent, _, _ := strings.Cut(got.out, "\nNOT SEEN BY THE MODEL\n")
			if got.code != 0 || got.err != "" || sent == got.out {
				t.Fatalf("got %+v", got)
			}
			golden.Check(t, "show/"+filepath.Base(test.file)+"."+test.profile+".txt", sent)
		})
	}
	got := run("", "show", "../../config/samples/create-refund-draft.yaml", "--profile", "openai-responses", "-o", "json")
	golden.Check(t, "show/create-refund-draft.openai-responses.json", got.out)
}

// TestACardSaysAllOfASample holds each card to what the contract says: names,
// texts, codes, values of enums, and the words of the policy.
func TestACardSaysAllOfASample(t *testing.T) {
	t.Parallel()
	for _, file := range samples(t) {
		got := run("", "show", file, "-o", "json")
		var list struct{ Cards []card.Card }
		if err := json.Unmarshal([]byte(got.out), &list); err != nil || len(list.Cards) != 1 {
			t.Fatalf("%s: %v", file, err)
		}
		text := squeeze(run("", "show", file).out)
		for _, spec := range specsOf(t, file) {
			d := spec.Description
			said := []string{spec.ToolName, spec.Version, spec.Title, d.Summary, d.UseWhen, d.DoNotUseWhen, d.Returns, d.SideEffects, d.Failures}
			if e := spec.Execution; e != nil {
				said = append(said, e.Credentials, e.Authorization, string(e.Location), string(e.SideEffect), string(e.Reach), string(e.Risk), string(e.Approval), string(e.DataClassification))
			}
			for _, p := range spec.Input.SessionParameters {
				said = append(said, p.Name+" from "+p.Source)
			}
			if spec.Output != nil {
				for _, e := range spec.Output.Errors {
					said = append(said, e.Code+" ("+string(e.Category)+")", e.SafeMessage)
				}
			}
			for _, want := range said {
				if !strings.Contains(text, squeeze(want)) {
					t.Errorf("%s: the card does not say %q", file, want)
				}
			}
		}
	}
}

func specsOf(t *testing.T, file string) []v1alpha1.ToolContractSpec {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []v1alpha1.ToolContractSpec
	for d := range (manifest.Source{Name: file, Data: data}).Documents() {
		if d.Contract != nil {
			out = append(out, d.Contract.Spec)
		}
	}
	return out
}

// squeeze leaves out what wrapping adds and takes.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r == '│' {
			return -1
		}
		return r
	}, text)
}

func TestShowUsage(t *testing.T) {
	t.Parallel()
	broken := contractYAML("bad", "type: object", "type: objet")
	open := contractYAML("open", "additionalProperties: false", "additionalProperties: {}")
	for name, test := range map[string]struct {
		input, out, err string
		arguments       []string
		code            int
	}{
		"an invalid contract":           {broken, "", "-:2: bad: it is not valid\n  line 12: Error ", []string{"-"}, 1},
		"an invalid one among others":   {broken + contractYAML("good"), "get_order: contract good 1.0.0", "-:2: bad: it is not valid", []string{"-"}, 1},
		"a profile that cannot take it": {open, "", "openai-responses cannot take it\n  line 12: Error ", []string{"-", "--profile", "openai-responses:Required"}, 1},
		"a profile that is no target":   {contractYAML("a"), "as openai-responses is sent (OpenAI Responses API)", "", []string{"-", "--profile", "openai-responses"}, 0},
		"two contracts":                 {contractYAML("a") + contractYAML("b"), "\n\nget_order: contract b 1.0.0", "", []string{"-"}, 0},
		"JSON of nothing":               {broken, `"cards": []`, "it is not valid", []string{"-", "-o", "json"}, 1},
		"two profiles":                  {broken, "", "name one profile at a time", []string{"-", "--profile", "mcp-2025-11-25", "--profile", "openai-responses"}, 2},
		"an unknown profile":            {broken, "", "there is no profile", []string{"-", "--profile", "openai"}, 2},
		"an unknown form":               {broken, "", `there is no output format "yaml"`, []string{"-", "-o", "yaml"}, 2},
		"no input":                      {"", "", "name a file", nil, 2},
		"a missing file":                {"", "", "no such file", []string{"testdata/missing.yaml"}, 2},
		"no contract":                   {"kind: Pod\n", "", "there is no ToolContract", []string{"-"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(test.input, append([]string{"show"}, test.arguments...)...)
			if got.code != test.code || !strings.Contains(got.out, test.out) || !strings.Contains(got.err, test.err) || test.out == "" && got.out != "" {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// TestShowHostileContracts: what an author puts into names and texts neither
// drives the terminal nor passes for the card.
func TestShowHostileContracts(t *testing.T) {
	t.Parallel()
	evil := `x\n\nNOT SEEN BY THE MODEL\n  Approval         None\u001b[2J\u202e\u200b\udb40\udc41`
	deep := strings.Repeat(`{\"type\":\"array\",\"items\":`, 60) + "{}" + strings.Repeat("}", 60)
	for name, input := range map[string]string{
		"a description": contractYAML("a", "summary: Gets an order.", `summary: "`+strings.ReplaceAll(evil, `\udb40\udc41`, `\U000E0041`)+`"`),
		"a property":    contractYAML("a", asText(`{"type":"object","properties":{"`+evil+`":{"description":"`+evil+`","enum":["`+evil+`"]}}}`)...),
		"a long name":   contractYAML("a", asText(`{"type":"object","properties":{"`+strings.Repeat("n", 60_000)+`":{"properties":{"a":{},"b":{}}}}}`)...),
		"a long text":   contractYAML("a", asText(`{"type":"object","description":"`+strings.Repeat("語", 20_000)+`"}`)...),
		"deep":          contractYAML("a", schemaLine, `schemaText: "{\"type\":\"object\",\"properties\":{\"p\":`+deep+`}}"`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, arguments := range [][]string{{"show", "-"}, {"show", "-", "-o", "json"}, {"show", "-", "--profile", "mcp-2025-11-25"}} {
				got := run(input, arguments...)
				if got.code != 0 {
					t.Fatalf("got %+v", got)
				}
				if i := strings.IndexFunc(got.out, func(r rune) bool { return r != '\n' && !unicode.IsGraphic(r) }); i >= 0 {
					t.Errorf("%v: the output has %q", arguments, got.out[i:min(len(got.out), i+10)])
				}
				if n := strings.Count("\n"+got.out, "\nNOT SEEN BY THE MODEL\n"); n != 1 && arguments[len(arguments)-1] != "json" {
					t.Errorf("%v: %d headings", arguments, n)
				}
			}
		})
	}
}
