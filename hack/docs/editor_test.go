// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/manifest"
)

const crdBases = "../../config/crd/bases"

// TestTheEditorSchemasAreCurrent: what is in the repository is what the definitions say.
func TestTheEditorSchemasAreCurrent(t *testing.T) {
	t.Parallel()
	for _, kind := range editorKinds {
		want, err := editorSchema(crdBases, kind)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("../../docs/schemas", kind+".schema.json"))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s.schema.json is not current; run `make generate`: %v", kind, err)
		}
	}
}

// compiled are the schemas by the kind in objects.
func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for _, kind := range editorKinds {
		text, err := editorSchema(crdBases, kind)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		c.UseLoader(jsonschema.SchemeURLLoader{}) // they refer to nothing
		if err := c.AddResource("editor.json", v); err != nil {
			t.Fatal(err)
		}
		s, err := c.Compile("editor.json")
		if err != nil {
			t.Fatal(err)
		}
		out[v.(map[string]any)["title"].(string)] = s
	}
	return out
}

func validate(t *testing.T, schemas map[string]*jsonschema.Schema, text string) error {
	t.Helper()
	object, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(object))
	if err != nil {
		t.Fatal(err)
	}
	kind, _ := v.(map[string]any)["kind"].(string)
	return schemas[kind].Validate(v)
}

// TestTheEditorSchemasTakeWhatTheServerTakes goes over all samples: the schema of the
// editor refuses nothing that check takes.
func TestTheEditorSchemasTakeWhatTheServerTakes(t *testing.T) {
	t.Parallel()
	schemas, n := compiled(t), 0
	for source, err := range manifest.Open([]string{"../../config/samples", "../../test/catalogue"}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		for d := range source.Documents() {
			text, _ := d.Text()
			if d.Skipped != "" && d.OtherKind != "ProviderProfile" || len(d.Findings) > 0 || d.At() != "" {
				continue
			}
			n++
			if err := validate(t, schemas, string(text)); err != nil {
				t.Errorf("%s: %v", source.Name, err)
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d objects", n)
	}
}

// TestTheEditorSchemasRefuse has one case per kind of mistake that a schema can see.
func TestTheEditorSchemasRefuse(t *testing.T) {
	t.Parallel()
	const valid = `apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: get-order}
spec:
  version: 1.0.0
  toolName: get_order
  description: {summary: Gets an order.}
  input:
    schema: {type: object, properties: {id: {type: string, maxLength: 9}}}
  targets:
    - profile: openai-responses
`
	schemas := compiled(t)
	if err := validate(t, schemas, valid); err != nil {
		t.Fatal(err)
	}
	for name, edit := range map[string][2]string{
		"an unknown field":                {"version: 1.0.0", "version: 1.0.0\n  colour: red"},
		"a missing field":                 {"  toolName: get_order\n", ""},
		"a word in another case":          {"profile: openai-responses", "profile: openai-responses\n      strict: required"},
		"a number that is no text":        {"version: 1.0.0", "version: 1.0"},
		"a name that is no label":         {"name: get-order", "name: Get_Order"},
		"a name that is missing":          {"{name: get-order}", "{}"},
		"another version of the API":      {"v1alpha1", "v1"},
		"two schemas":                     {"  input:\n", "  input:\n    schemaText: '{}'\n"},
		"no schema":                       {"    schema: {type: object, properties: {id: {type: string, maxLength: 9}}}\n", "    examples: []\n"},
		"a type without its field":        {"version: 1.0.0", "version: 1.0.0\n  type: FreeForm"},
		"a field of another type":         {"version: 1.0.0", "version: 1.0.0\n  freeForm: {syntax: Text}"},
		"no target":                       {"  targets:\n    - profile: openai-responses\n", "  targets: []\n"},
		"a reserved profile":              {"profile: openai-responses", "profile: contract"},
		"a type that JSON Schema has not": {"type: string", "type: text"},
		"a bound that is no number":       {"maxLength: 9", "maxLength: \"9\""},
		"a keyword that is refused":       {"type: object,", "type: object, $dynamicRef: \"#a\","},
		"a reference to somewhere else":   {"type: object,", "type: object, $ref: https://example.com/a.json,"},
		"another dialect":                 {"type: object,", "type: object, $schema: \"http://json-schema.org/draft-07/schema#\","},
		"properties that are a list":      {"properties: {id: {type: string, maxLength: 9}}", "properties: [id]"},
	} {
		text := strings.Replace(valid, edit[0], edit[1], 1)
		if text == valid {
			t.Errorf("%s: nothing was edited", name)
		}
		if validate(t, schemas, text) == nil {
			t.Errorf("%s is taken", name)
		}
	}
}

// TestEveryEditorRuleIsInADefinition: none is left over.
func TestEveryEditorRuleIsInADefinition(t *testing.T) {
	t.Parallel()
	var all []byte
	for _, kind := range editorKinds {
		text, err := os.ReadFile(filepath.Join(crdBases, "toolcontract.dev_"+kind+"s.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		object, err := yaml.YAMLToJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, object...)
	}
	for rule := range editorRules {
		quoted, err := json.Marshal(rule)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(all, bytes.Trim(quoted, `"`)) {
			t.Errorf("no definition has the rule %s", rule)
		}
	}
}
