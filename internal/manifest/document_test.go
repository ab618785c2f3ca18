// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

// outline is a document in a form that a table can hold: what it is, and one
// "Severity rule pointer" per finding.
func outline(d *Document) []string {
	first := fmt.Sprintf("line %d: %s/%s", d.Line, d.Namespace, d.Name)
	if d.Skipped != "" {
		first = fmt.Sprintf("line %d: skipped, %s", d.Line, d.Skipped)
	}
	out := []string{first}
	for _, f := range d.Findings {
		out = append(out, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Pointer))
	}
	return out
}

func outlines(text string) []string {
	var out []string
	for d := range (Source{Name: "test.yaml", Data: []byte(text)}).Documents() {
		out = append(out, outline(d)...)
	}
	return out
}

// contractText is a valid contract with some lines changed or added.
func contractText(name string, replace ...string) string {
	return strings.NewReplacer(append(replace, "NAME", name)...).Replace(`apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata:
  name: NAME
spec:
  version: 1.0.0
  toolName: get_order
  description:
    summary: Gets an order.
  input:
    schema: {type: object}
  targets:
  - profile: openai-responses
`)
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	valid := contractText("a")
	asJSON := `{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolContract","metadata":{"name":"j","namespace":"n"},
"spec":{"version":"1.0.0","toolName":"t","description":{"summary":"s"},"input":{"schemaText":"{}"},"targets":[{"profile":"p"}]}}`
	tests := []struct {
		name, text string
		want       []string
	}{
		{"an empty file holds nothing", "", nil},
		{"comments and separators hold nothing", "# a\n---\n# b\n---\n", nil},
		{"an explicit null holds nothing", "---\nnull\n", nil},
		{"documents are separated by hyphens", valid + "--- # next\n" + contractText("b"), []string{"line 1: /a", "line 15: /b"}},
		{"a byte order mark is passed over", "\ufeff" + valid, []string{"line 1: /a"}},
		{"carriage returns are white space", strings.ReplaceAll(valid+"---\n"+contractText("b"), "\n", "\r\n"), []string{"line 1: /a", "line 15: /b"}},
		{"JSON values follow each other", asJSON + "\n" + asJSON, []string{"line 1: n/j", "line 3: n/j"}},
		{"YAML follows JSON", asJSON + "\n---\n" + valid, []string{"line 1: n/j", "line 4: /a"}},
		{"a flow mapping is YAML although it starts with a brace", "{apiVersion: v1, kind: Secret}", []string{"line 1: skipped, a Secret"}},
		{"a JSON text with a trailing comma is YAML for kubectl", `{"kind":"Secret",}`, []string{"line 1: skipped, a Secret"}},
		{"other kinds are skipped", "apiVersion: apps/v1\nkind: Deployment\n---\na: b\n---\n" + valid, []string{
			"line 1: skipped, a Deployment", "line 4: skipped, no Kubernetes object: it has no kind", "line 6: /a",
		}},
		{"revisions are made by the operator and skipped", "apiVersion: toolcontract.dev/v1alpha1\nkind: ToolRevision\n", []string{"line 1: skipped, a ToolRevision"}},
		{"a misspelt kind of our group is an error", strings.Replace(valid, "kind: ToolContract", "kind: Toolcontract", 1), []string{"line 1: /a", "Error field-value /kind"}},
		{"another version of our group is an error", strings.Replace(valid, "v1alpha1", "v1", 1), []string{"line 1: /a", "Error field-value /apiVersion"}},
		{"our kind without its group is an error", strings.Replace(valid, "toolcontract.dev/v1alpha1", "v1", 1), []string{"line 1: /a", "Error field-value /apiVersion"}},
		{
			"a list is expanded, also inside of a list",
			`{"kind":"List","apiVersion":"v1","items":[` + asJSON + `,{"kind":"ToolContractList","items":[` + asJSON + `]},{"kind":"Pod","apiVersion":"v1"}]}`,
			[]string{"line 1: n/j", "line 2: n/j", "line 3: skipped, a Pod"},
		},
		{
			"a bad entry of a list hides no other one, and has the finding",
			"kind: List\nitems:\n- " + indent(valid) + "- " + indent(strings.Replace(valid, "version: 1.0.0", "version: 1.0.0\n  version: 1.0.1", 1)),
			[]string{"line 3: /a", "line 16: /a", "Error duplicate-key /spec/version"},
		},
		{"a broken document hides no other one", "a: [\n---\n" + valid + "---\n\tx\n---\n" + contractText("b"), []string{
			"line 1: /", "Error yaml-syntax ", "line 3: /a", "line 17: /", "Error yaml-syntax ", "line 19: /b",
		}},
		{"a broken JSON value hides no other one", `{"a":1 "b":2} ` + asJSON, []string{"line 1: /", "Error json-syntax ", "line 1: n/j"}},
		{"text after a separator is an error", valid + "--- x: y\n" + contractText("b"), []string{
			"line 1: /a", "line 14: /", "Error yaml-syntax ", "line 15: /b",
		}},
		{"text after an end marker would be lost", valid + "...\n" + contractText("b"), []string{"line 1: /", "Error yaml-syntax "}},
		{"a document that is no object is an error", "- a\n- b\n", []string{"line 1: /", "Error field-type "}},
		{"text in another encoding is an error", "a: \xff\xfe", []string{"line 1: /", "Error text-encoding "}},
		{"binary garbage is an error", "\x7fELF\x02\x01\x01\x00\x00", []string{"line 1: /", "Error yaml-syntax "}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, outlines(test.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func indent(text string) string {
	return strings.ReplaceAll(text, "\n", "\n  ")[:len(text)+2*strings.Count(text, "\n")-2]
}

// TestAPIServerRules has what an API server with our definition refuses.
func TestAPIServerRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		replace []string
		want    []string
	}{
		{"an unknown field", []string{"  version:", "  colour: red\n  version:"}, []string{"Error unknown-field /spec/colour"}},
		{"an unknown field of the root", []string{"spec:", "data: {}\nspec:"}, []string{"Error unknown-field /data"}},
		{"an unknown field of the metadata", []string{"metadata:", "metadata:\n  colour: x"}, []string{"Error unknown-field /metadata/colour"}},
		{"a missing field", []string{"  version: 1.0.0\n", ""}, []string{"Error field-missing /spec/version"}},
		{"a missing name", []string{"  name: NAME\n", "  labels: {}\n"}, []string{"Error field-missing /metadata/name"}},
		{"a generated name", []string{"  name: NAME\n", "  generateName: x\n"}, []string{"Error field-missing /metadata/name"}},
		{"no metadata", []string{"metadata:\n  name: NAME\n", ""}, []string{"Error field-missing /metadata/name"}},
		{"a name that is a subdomain only", []string{"NAME", "a.b"}, []string{"Error field-value /metadata/name"}},
		{"a name of 64 characters", []string{"NAME", strings.Repeat("a", 64)}, []string{"Error field-value /metadata/name"}},
		{"a namespace with upper case", []string{"metadata:", "metadata:\n  namespace: Shop"}, []string{"Error field-value /metadata/namespace"}},
		{"a label with a space", []string{"metadata:", "metadata:\n  labels: {a: b c}"}, []string{"Error field-value /metadata/labels"}},
		{"a label that is no text", []string{"metadata:", "metadata:\n  labels: {a: 1}"}, []string{"Error field-type /metadata"}},
		{"a null field is absent", []string{"toolName: get_order", "toolName: get_order\n  title: null\n  execution: {retry: ~}"}, nil},
		{"a required null field is missing", []string{"version: 1.0.0", "version: null"}, []string{"Error field-missing /spec/version"}},
		{"a null entry of a list is none", []string{"openai-responses", "p\n    models: [null]"}, []string{"Error field-type /spec/targets/0/models/0"}},
		{"a version that YAML reads as a number", []string{"1.0.0", "1.0"}, []string{"Error field-type /spec/version"}},
		{"a version with build metadata", []string{"1.0.0", "1.0.0+b"}, []string{"Error field-value /spec/version"}},
		{"a tool name with a space", []string{"get_order", "get order"}, []string{"Error field-value /spec/toolName"}},
		{"a word that is not in the list", []string{"  targets:", "  type: Agent\n  targets:"}, []string{"Error field-value /spec/type"}},
		{"an empty summary", []string{"Gets an order.", `""`}, []string{"Error field-value /spec/description/summary"}},
		{"a summary over the limit", []string{"Gets an order.", strings.Repeat("é", 16385)}, []string{"Error field-value /spec/description/summary"}},
		{"a summary at the limit", []string{"Gets an order.", strings.Repeat("é", 16384)}, nil},
		{"no target", []string{"  targets:\n  - profile: openai-responses\n", "  targets: []\n"}, []string{"Error field-value /spec/targets"}},
		{"17 targets", []string{"  - profile: openai-responses\n", strings.Repeat("  - profile: p\n", 17)}, []string{"Error field-value /spec/targets"}},
		{"a target twice", []string{"  - profile: openai-responses\n", "  - profile: p\n  - profile: p\n"}, []string{"Error list-duplicate /spec/targets/1"}},
		{"a model twice", []string{"openai-responses", "p\n    models: [a, b, a]"}, []string{"Error list-duplicate /spec/targets/0/models/2"}},
		{"a reserved profile name", []string{"openai-responses", "contract"}, []string{"Error field-conflict /spec/targets/0/profile"}},
		{"both forms of a schema", []string{"    schema: {type: object}", "    schema: {type: object}\n    schemaText: '{}'"}, []string{"Error field-conflict /spec/input"}},
		{"no form of a schema", []string{"    schema: {type: object}", "    examples: []"}, []string{"Error field-conflict /spec/input"}},
		{"a schema that is no object", []string{"schema: {type: object}", "schema: true"}, []string{"Error field-type /spec/input/schema"}},
		{"an example in both forms", []string{"schema: {type: object}", "schema: {}\n    examples: [{value: {}, valueText: '{}'}]"}, []string{"Error field-conflict /spec/input/examples/0"}},
		{"both forms of an output schema", []string{"  targets:", "  output: {schema: {}, schemaText: '{}'}\n  targets:"}, []string{"Error field-conflict /spec/output"}},
		{"a key parameter without the mode Key", []string{"  targets:", "  execution: {idempotency: {mode: None, keyParameter: k}}\n  targets:"}, []string{"Error field-conflict /spec/execution/idempotency"}},
		{"the mode Key without a key parameter", []string{"  targets:", "  execution: {idempotency: {mode: Key}}\n  targets:"}, []string{"Error field-conflict /spec/execution/idempotency"}},
		{"a number out of range", []string{"  targets:", "  execution: {timeoutSeconds: 0, retry: {maxAttempts: 11}}\n  targets:"}, []string{
			"Error field-value /spec/execution/retry/maxAttempts", "Error field-value /spec/execution/timeoutSeconds",
		}},
		{"a float without a fraction is an integer", []string{"  targets:", "  execution: {timeoutSeconds: 1e1}\n  targets:"}, nil},
		{"a float with a fraction is none", []string{"  targets:", "  execution: {timeoutSeconds: 1.5}\n  targets:"}, []string{"Error field-type /spec/execution/timeoutSeconds"}},
		{"a status is ignored as on creation", []string{"spec:", "status: {targetsReady: 7, conditions: [{type: x}]}\nspec:"}, nil},
		{"an unknown field of the status is not", []string{"spec:", "status: {anything: 1}\nspec:"}, []string{"Error unknown-field /status/anything"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := outlines(contractText("a", test.replace...))
			if diff := cmp.Diff(test.want, got[1:], cmpEmpty); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var cmpEmpty = cmp.Transformer("nil", func(s []string) []string { return append([]string{}, s...) })

func TestEveryFindingHasAWayOut(t *testing.T) {
	t.Parallel()
	text := contractText("A", "version: 1.0.0", "verson: 1", "toolName", "toolname", "profile: openai-responses", "strict: required")
	for d := range (Source{Data: []byte(text)}).Documents() {
		if len(d.Findings) < 6 {
			t.Errorf("got %d findings, want at least 6", len(d.Findings))
		}
		for _, f := range d.Findings {
			if f.Message == "" || f.Fix == "" || f.Severity != finding.Error || f.Side != finding.Contract {
				t.Errorf("incomplete finding: %s", f)
			}
		}
	}
}

func TestEmbeddedJSONIsStoredAsTheAPIServerStoresIt(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, schema, want string }{
		{"keys are sorted", "{b: 1, a: {z: 1, y1: 2}}", `{"a":{"y1":2,"z":1},"b":1}`},
		{"1.0 becomes 1 and 1e3 becomes 1000", "{a: 1.0, b: 1e3, c: 1.10}", `{"a":1,"b":1000,"c":1.1}`},
		{"integers stay exact up to 2^63", "{a: 9007199254740993, b: 9223372036854775807}", `{"a":9007199254740993,"b":9223372036854775807}`},
		{"larger ones become floats", "{a: 12345678901234567890123}", `{"a":1.2345678901234568e+22}`},
		{"nulls are kept, so that they can be refused", "{default: null, enum: [null]}", `{"default":null,"enum":[null]}`},
		{"y, n and yes are booleans", "{y: 1, n: yes}", `{"false":true,"true":1}`},
		{"a number out of range is text", "{a: 1e400}", `{"a":"1e400"}`},
		{"old octal numbers and underscores", "{a: 017, b: 1_000}", `{"a":15,"b":1000}`},
		{"dates are text", "{a: 2024-01-01}", `{"a":"2024-01-01"}`},
		{"aliases and merge keys are written out", "{a: &x {k: 1}, b: {<<: *x, l: 2}, c: *x}", `{"a":{"k":1},"b":{"k":1,"l":2},"c":{"k":1}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for d := range (Source{Data: []byte(contractText("a", "{type: object}", test.schema))}).Documents() {
				if d.Contract == nil {
					t.Fatalf("no contract: %v", d.Findings)
				}
				if diff := cmp.Diff(test.want, string(d.Contract.Spec.Input.Schema.Raw)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestTextFieldsAreKeptByteForByte(t *testing.T) {
	t.Parallel()
	want := "{\"b\": 1.0,\n   \"a\":\t\"\\u4e2d <&>\"}\n"
	text := contractText("a", "    schema: {type: object}", "    schemaText: |\n      {\"b\": 1.0,\n         \"a\":\t\"\\u4e2d <&>\"}")
	for d := range (Source{Data: []byte(text)}).Documents() {
		if diff := cmp.Diff(want, d.Contract.Spec.Input.SchemaText); diff != "" {
			t.Error(diff)
		}
	}
}

func TestABrokenObjectIsStillIdentified(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		targets    int
	}{
		{"a field of the wrong type", contractText("a", "version: 1.0.0", "version: 1.0"), 1},
		{"a value that JSON does not have", contractText("a", "{type: object}", "{maximum: .inf}"), 0},
		{"aliases without end", contractText("a", "{type: object}", "&x [*x]"), 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for d := range (Source{Data: []byte(test.text)}).Documents() {
				if d.Contract != nil || d.Name != "a" || d.ToolName != "get_order" || len(d.Targets) != test.targets {
					t.Errorf("got contract %v, name %q, tool %q, %d targets", d.Contract, d.Name, d.ToolName, len(d.Targets))
				}
			}
		})
	}
}
