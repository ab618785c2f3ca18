// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestToLatest(t *testing.T) {
	t.Parallel()
	const (
		seven = `"$schema":"http://json-schema.org/draft-07/schema#"`
		four  = `"$schema":"http://json-schema.org/draft-04/schema#"`
		nine  = `"$schema":"https://json-schema.org/draft/2019-09/schema"`
	)
	tests := []struct{ name, schema, want string }{
		{"a dialect in another spelling is known", `{"$schema":"https://json-schema.org/draft-07/schema","type":"object"}`, `{"type":"object"}`},
		{"the latest dialect in another spelling", `{"$schema":"http://json-schema.org/draft/2020-12/schema","type":"object"}`, `{"type":"object"}`},
		{"definitions stay where references look for them", `{` + seven + `,"$ref":"#/definitions/a","definitions":{"a":{}}}`, `{"$ref":"#/definitions/a","definitions":{"a":{}}}`},
		{"siblings of $ref are dropped unless they are annotations", `{` + seven + `,"properties":{"a":{"$ref":"#","description":"d","minLength":1}}}`, `{"properties":{"a":{"$ref":"#","description":"d"}}}`},
		{"siblings of $ref count in 2019-09", `{` + nine + `,"properties":{"a":{"$ref":"#","minLength":1}}}`, `{"properties":{"a":{"$ref":"#","minLength":1}}}`},
		{"a tuple becomes prefixItems", `{` + seven + `,"items":[{"type":"string"}],"additionalItems":{"type":"number"}}`, `{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`},
		{"additionalItems without a tuple means nothing", `{` + seven + `,"items":{"type":"string"},"additionalItems":false}`, `{"items":{"type":"string"}}`},
		{"dependencies are split", `{` + seven + `,"dependencies":{"a":["b"],"c":{"required":["d"]}}}`, `{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}`},
		{"newer keywords are dropped", `{` + seven + `,"unevaluatedProperties":false,"dependentRequired":{"a":["b"]},"minContains":2,"contains":{}}`, `{"contains":{}}`},
		{"properties with names of keywords stay", `{` + seven + `,"properties":{"dependencies":{"type":"string"},"$ref":{"type":"string"},"unevaluatedProperties":{}}}`, `{"properties":{"dependencies":{"type":"string"},"$ref":{"type":"string"},"unevaluatedProperties":{}}}`},
		{"data is not rewritten", `{` + seven + `,"default":{"items":[1],"$schema":"x"},"enum":[{"additionalItems":1}],"const":{"$ref":"#","a":1}}`, `{"default":{"items":[1],"$schema":"x"},"enum":[{"additionalItems":1}],"const":{"$ref":"#","a":1}}`},
		{
			"references follow what moved", `{` + seven + `,"properties":{"a":{"items":[{"items":[{}]}],"additionalItems":{}},"b":{"$ref":"#/properties/a/items/0/items/0"},"c":{"$ref":"#/properties/a/additionalItems"}}}`,
			`{"properties":{"a":{"prefixItems":[{"prefixItems":[{}]}],"items":{}},"b":{"$ref":"#/properties/a/prefixItems/0/prefixItems/0"},"c":{"$ref":"#/properties/a/items"}}}`,
		},
		{
			"references with escapes follow too", `{` + seven + `,"properties":{"a b/c":{"items":[{}]},"d":{"$ref":"#/properties/a%20b~1c/items/0"}}}`,
			`{"properties":{"a b/c":{"prefixItems":[{}]},"d":{"$ref":"#/properties/a%20b~1c/prefixItems/0"}}}`,
		},
		{
			"other references stay as they are", `{` + seven + `,"properties":{"a":{"$ref":"#/nowhere"},"b":{"$ref":"http://example.com/s"},"c":{"$ref":"#/%zz"}}}`,
			`{"properties":{"a":{"$ref":"#/nowhere"},"b":{"$ref":"http://example.com/s"},"c":{"$ref":"#/%zz"}}}`,
		},
		{"an identifier that is a fragment is an anchor", `{` + seven + `,"definitions":{"a":{"$id":"#a"}},"$id":"http://example.com/s"}`, `{"definitions":{"a":{"$anchor":"a"}},"$id":"http://example.com/s"}`},
		{"boolean bounds become bounds", `{` + four + `,"minimum":1,"exclusiveMinimum":true,"maximum":2,"exclusiveMaximum":false}`, `{"exclusiveMinimum":1,"maximum":2}`},
		{"a boolean bound without its number stays", `{` + four + `,"exclusiveMaximum":true}`, `{"exclusiveMaximum":true}`},
		{"boolean bounds of a later draft stay, for check to refuse", `{` + seven + `,"minimum":1,"exclusiveMinimum":true}`, `{"minimum":1,"exclusiveMinimum":true}`},
		{"draft-04 knows no const and no if", `{` + four + `,"const":1,"if":{},"then":{},"id":"http://example.com/s"}`, `{"$id":"http://example.com/s"}`},
		{"an unknown dialect stays", `{"$schema":"https://example.com/s","items":[{}]}`, `{"$schema":"https://example.com/s","items":[{}]}`},
		{"a nested dialect stays if it is unknown", `{` + seven + `,"not":{"$schema":"https://example.com/s"}}`, `{"not":{"$schema":"https://example.com/s"}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := toLatest(schematest.Value(t, test.schema))
			if c == nil {
				t.Fatal("the schema counts as 2020-12")
			}
			if diff := cmp.Diff(test.want, c.root.JSON()); diff != "" {
				t.Error(diff)
			}
			if len(c.notes()) == 0 {
				t.Error("nothing is said about the rewriting")
			}
		})
	}
}

func TestTheLatestDialectIsNotRewritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{}`, `{"$schema":"https://json-schema.org/draft/2020-12/schema","items":[{}],"dependencies":{}}`, `{"$schema":7}`} {
		if c := toLatest(schematest.Value(t, text)); c != nil {
			t.Errorf("%s became %s", text, c.root.JSON())
		}
	}
}
