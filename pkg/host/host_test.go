// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/pkg/host"
)

// tagOrder has an optional property and a map, which strict OpenAI takes in
// another form only.
const tagOrder = `
version: 1.2.0
toolName: tag_order
description: {summary: Puts labels on an order.}
input:
  schemaText: |
    {"type":"object","properties":{"order_ref":{"type":"string","minLength":1},"note":{"type":"string"},
     "labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["order_ref","labels"],"additionalProperties":false}
output:
  schemaText: |
    {"type":"object","properties":{"tagged":{"type":"integer"}},"required":["tagged"]}
targets:
- {profile: openai-responses, strict: Required, adaptation: Reshape}
- {profile: mcp-2025-11-25}
`

// published returns what the operator publishes for a contract.
func published(t testing.TB, spec string) map[string]string {
	t.Helper()
	var parsed v1alpha1.ToolContractSpec
	if err := yaml.UnmarshalStrict([]byte(spec), &parsed); err != nil {
		t.Fatal(err)
	}
	e := evaluate.Contract("tag-order", &parsed, evaluate.History{}, provider.Builtin())
	if e.Bundle == nil || !e.Publishable() {
		t.Fatalf("it is not published: %v %v", e.Findings, e.Blocking())
	}
	return e.Bundle.Files
}

func folder(files map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return out
}

func load(t testing.TB, files map[string]string) *host.Tool {
	t.Helper()
	tool, err := host.Load(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	return tool
}

// reindexed returns files with an index that fits them, as if they had been
// published so.
func reindexed(files map[string]string, change func(map[string]string)) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		if name != "index.json" {
			out[name] = text
		}
	}
	change(out)
	var entries []schema.Member
	for name, text := range out {
		entries = append(entries, schema.Member{Name: name, Value: schema.NewString(schema.DigestBytes([]byte(text)))})
	}
	out["index.json"] = schema.NewObject(schema.Member{Name: "files", Value: schema.NewObject(entries...)}).JSON()
	return out
}

func TestAToolIsWhatWasPublished(t *testing.T) {
	t.Parallel()
	files := published(t, tagOrder)
	tool := load(t, files)
	if tool.Name() != "tag_order" || tool.Contract() != "tag-order" || tool.Version() != "1.2.0" {
		t.Errorf("got %s %s %s", tool.Name(), tool.Contract(), tool.Version())
	}
	if diff := cmp.Diff([]string{"mcp-2025-11-25", "openai-responses"}, tool.Profiles()); diff != "" {
		t.Error(diff)
	}
	for _, profile := range tool.Profiles() {
		got, err := tool.Bytes(profile)
		if err != nil || string(got) != files[profile+".json"] {
			t.Errorf("%s: got %s, %v", profile, got, err)
		}
	}
	if !tool.Strict("openai-responses") || tool.Strict("mcp-2025-11-25") || tool.Strict("none") {
		t.Error("strictness is not what was published")
	}
	if tool.Digest() != schema.DigestBytes([]byte(files["index.json"])) || string(tool.View()) != files["contract.json"] {
		t.Error("the digest or the view is another")
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, tagOrder))
	cases := map[string]struct{ profile, in, want string }{
		"strict arguments come back in the author's form": {
			"openai-responses", `{"order_ref":"ord_1","labels":[{"key":"a","value":"x"}],"note":null}`, `{"order_ref":"ord_1","labels":{"a":"x"}}`,
		},
		"a value that is given stays": {
			"openai-responses", `{"order_ref":"ord_1","labels":[],"note":"n"}`, `{"order_ref":"ord_1","labels":{},"note":"n"}`,
		},
		"what needs no decoding comes back byte for byte": {
			"mcp-2025-11-25", ` {"order_ref": "ord_1", "labels": {"a": "x"}, "n": 1.0} `, ` {"order_ref": "ord_1", "labels": {"a": "x"}, "n": 1.0} `,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tool.Decode(c.profile, []byte(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatIsWrongWithACallIsSaid(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, tagOrder))
	decode := func(text string) error {
		_, err := tool.Decode("openai-responses", []byte(text))
		return err
	}
	call := func(text string) error { return tool.ValidateCall([]byte(text)) }
	answer := func(text string) error { return tool.ValidateResult([]byte(text)) }
	cases := map[string]struct {
		check         func(string) error
		in            string
		pointer, want string
	}{
		"arguments that are no JSON":     {decode, `{`, "", "the arguments are not valid: (root): the text is not JSON"},
		"a member that comes twice":      {decode, `{"a":1,"a":2}`, "/a", "the key appears twice"},
		"arguments that nest too deep":   {decode, strings.Repeat("[", 200) + strings.Repeat("]", 200), strings.Repeat("/0", 128), "nests deeper than 128"},
		"arguments that are too large":   {decode, `"` + strings.Repeat("a", host.MaxCall) + `"`, "", "more than the limit"},
		"a key that comes twice":         {decode, `{"labels":[{"key":"a","value":"x"},{"key":"a","value":"y"}]}`, "/labels/1/key", "give each key once"},
		"what is no pair":                {decode, `{"labels":[{"name":"a"}]}`, "/labels/0", `"key"`},
		"a required member that lacks":   {call, `{"order_ref":"a"}`, "", `the required property "labels" is missing`},
		"a member of another type":       {call, `{"order_ref":1,"labels":{}}`, "/order_ref", "it is a number, not string"},
		"what a schema does not declare": {call, `{"order_ref":"a","labels":{},"x":1}`, "", `"x" is not allowed`},
		"what the rendering left to us":  {call, `{"order_ref":"","labels":{}}`, "/order_ref", "minLength"},
		"an answer that is not valid":    {answer, `{"tagged":"1"}`, "/tagged", "the result is not valid: /tagged: it is a string, not integer"},
		"an answer that is no JSON":      {answer, ``, "", "ends too early"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := c.check(c.in)
			var invalid *host.InvalidError
			if !errors.As(err, &invalid) || len(invalid.Problems) == 0 {
				t.Fatalf("got %v", err)
			}
			if invalid.Problems[0].Pointer != c.pointer || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q: %s", invalid.Problems[0].Pointer, err)
			}
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 4_000 {
				t.Errorf("the message is not one bounded line: %s", err)
			}
		})
	}
	for name, err := range map[string]error{
		"a valid call":   call(`{"order_ref":"a","labels":{"b":"c"}}`),
		"a valid answer": answer(`{"tagged":1,"more":true}`),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestHostileNamesDoNotReachATerminal(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, tagOrder))
	err := tool.ValidateCall([]byte(`{"order_ref":"a","labels":{"\u001b[2J\n` + strings.Repeat("x", 5_000) + `":1}}`))
	if err == nil || strings.ContainsAny(err.Error(), "\x1b\n") || len(err.Error()) > 2_000 {
		t.Errorf("got %q", err)
	}
}

func TestAProfileThatIsNotPublished(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, tagOrder))
	_, bytesErr := tool.Bytes("anthropic-messages")
	_, decodeErr := tool.Decode("anthropic-messages", []byte(`{}`))
	for _, err := range []error{bytesErr, decodeErr} {
		if !errors.Is(err, host.ErrUnknownProfile) || !strings.Contains(err.Error(), "it is published for mcp-2025-11-25, openai-responses") {
			t.Errorf("got %v", err)
		}
	}
}

func TestFilesThatDoNotBelongTogether(t *testing.T) {
	t.Parallel()
	other := published(t, strings.ReplaceAll(tagOrder, "1.2.0", "1.3.0"))
	cases := map[string]func(files map[string]string){
		"one file of another version": func(f map[string]string) { f["contract.json"] = other["contract.json"] },
		"an index of another version": func(f map[string]string) { f["index.json"] = other["index.json"] },
		"a file that is cut":          func(f map[string]string) { f["openai-responses.json"] = f["openai-responses.json"][:10] },
		"a file that is missing":      func(f map[string]string) { delete(f, "openai-responses.json") },
	}
	for name, change := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := published(t, tagOrder)
			change(files)
			if tool, err := host.Load(folder(files)); tool != nil || !errors.Is(err, host.ErrTorn) {
				t.Errorf("got %v, %v", tool, err)
			}
		})
	}
}

func TestFoldersThatWereNotPublished(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		change func(files map[string]string)
		want   string
	}{
		"no index":                      {func(f map[string]string) { delete(f, "index.json") }, "index.json"},
		"an index that is no JSON":      {func(f map[string]string) { f["index.json"] = "{" }, "index.json: the text is not JSON"},
		"an index without files":        {func(f map[string]string) { f["index.json"] = "{}" }, "lists no files"},
		"an index that leads elsewhere": {func(f map[string]string) { f["index.json"] = `{"files":{"../secret.json":"x"}}` }, "no file of a ConfigMap"},
		"an index of numbers":           {func(f map[string]string) { f["index.json"] = `{"files":{"a.json":1}}` }, "no file of a ConfigMap"},
		"a file of any size":            {func(f map[string]string) { f["index.json"] += strings.Repeat(" ", 2<<20) }, "more than 1048576 bytes"},
		"no contract":                   {func(f map[string]string) { f["index.json"] = `{"files":{}}` }, "names no contract.json"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := published(t, tagOrder)
			c.change(files)
			if tool, err := host.Load(folder(files)); tool != nil || err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, host.ErrTorn) {
				t.Errorf("got %v, %v", tool, err)
			}
		})
	}
}

func TestContractsThatThisHostCannotRead(t *testing.T) {
	t.Parallel()
	replace := func(old, with string) func(map[string]string) {
		return func(f map[string]string) { f["contract.json"] = strings.ReplaceAll(f["contract.json"], old, with) }
	}
	cases := map[string]struct {
		change func(map[string]string)
		want   string
	}{
		"a newer form":              {replace("toolcontract.dev/contract/v1", "toolcontract.dev/contract/v2"), "update the host"},
		"no JSON":                   {replace("{", "["), "contract.json: the text is not JSON"},
		"a schema that is not one":  {replace(`"type":"integer"`, `"type":"whole"`), "the output schema in contract.json"},
		"a schema that leads away":  {replace(`"type":"integer"`, `"$ref":"https://example.com/a"`), "leaves the document"},
		"an input without a schema": {replace(`"input":{"schema"`, `"input":{"other"`), "no input schema"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := reindexed(published(t, tagOrder), c.change)
			if tool, err := host.Load(folder(files)); tool != nil || err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, %v", tool, err)
			}
		})
	}
}

// A rule that this host does not know must not be passed over: the arguments
// would reach the tool in the wrong form. Other profiles are not touched by it.
func TestARuleOfANewerVersionStopsItsProfileOnly(t *testing.T) {
	t.Parallel()
	files := reindexed(published(t, tagOrder), func(f map[string]string) {
		f["contract.json"] = strings.ReplaceAll(f["contract.json"], `"dropNull":`, `"rename":`)
	})
	tool := load(t, files)
	if _, err := tool.Decode("openai-responses", []byte(`{}`)); err == nil || !strings.Contains(err.Error(), "update the host") {
		t.Errorf("got %v", err)
	}
	if _, err := tool.Decode("mcp-2025-11-25", []byte(`{}`)); err != nil {
		t.Error(err)
	}
}

// A kubelet changes a mounted ConfigMap by turning one symbolic link.
func TestAMountedConfigMap(t *testing.T) {
	t.Parallel()
	mount := t.TempDir()
	write := func(version, spec string) {
		for name, text := range published(t, spec) {
			path := filepath.Join(mount, version, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
	}
	turn := func(version string) {
		next := filepath.Join(mount, "..data_tmp")
		if err := errors.Join(os.Symlink(version, next), os.Rename(next, filepath.Join(mount, "..data"))); err != nil {
			t.Fatal(err)
		}
	}
	write("..2026_1", tagOrder)
	write("..2026_2", strings.ReplaceAll(tagOrder, "1.2.0", "1.3.0"))
	turn("..2026_1")
	for name := range published(t, tagOrder) {
		if err := os.Symlink(filepath.Join("..data", name), filepath.Join(mount, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"1.2.0", "1.3.0"} {
		tool, err := host.LoadDir(mount)
		if err != nil || tool.Version() != want {
			t.Fatalf("want version %s, got %v, %v", want, tool, err)
		}
		turn("..2026_2")
	}
}

func TestAFolderThatIsNotThere(t *testing.T) {
	t.Parallel()
	if _, err := host.LoadDir(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// The folder of the example is what the operator publishes today.
func TestTheExampleFolder(t *testing.T) {
	t.Parallel()
	for name, text := range published(t, tagOrder) {
		golden.Check(t, "tag-order/"+name, text)
	}
}
