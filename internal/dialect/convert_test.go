// SPDX-License-Identifier: Apache-2.0

package dialect_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/dialect"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

const (
	four  = "draft-04"
	six   = "draft-06"
	seven = "draft-07"
	nine  = "2019-09"
)

func TestConvert(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, dialect, schema, want string }{
		{"$schema decides where no dialect is named", "", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}]}`, `{"prefixItems":[{}]}`},
		{"another spelling of $schema", "", `{"$schema":"https://json-schema.org/draft-07/schema","type":"object"}`, `{"type":"object"}`},
		{"a named dialect wins", four, `{"$schema":"http://json-schema.org/draft-07/schema#","const":1}`, `{}`},
		{"a dialect by its URI", "https://json-schema.org/draft/2019-09/schema", `{"items":[{}]}`, `{"prefixItems":[{}]}`},
		{"without both it is 2020-12", "", `{"items":[{}],"dependencies":{}}`, `{"items":[{}],"dependencies":{}}`},
		{"2020-12 in another spelling", "", `{"$schema":"http://json-schema.org/draft/2020-12/schema","type":"object"}`, `{"type":"object"}`},
		{"a boolean", seven, `false`, `false`},

		{"definitions become $defs", seven, `{"$ref":"#/definitions/a","definitions":{"a":{}}}`, `{"$ref":"#/$defs/a","$defs":{"a":{}}}`},
		{
			"definitions beside $defs stay", seven, `{"allOf":[{"$ref":"#/definitions/a"},{"$ref":"#/$defs/a"}],"definitions":{"a":{}},"$defs":{"a":{"items":[{}]}}}`,
			`{"allOf":[{"$ref":"#/definitions/a"},{"$ref":"#/$defs/a"}],"definitions":{"a":{}},"$defs":{"a":{"prefixItems":[{}]}}}`,
		},
		{"siblings of $ref are dropped unless they are annotations", seven, `{"properties":{"a":{"$ref":"#","description":"d","minLength":1}}}`, `{"properties":{"a":{"$ref":"#","description":"d"}}}`},
		{"siblings of $ref count in 2019-09", nine, `{"properties":{"a":{"$ref":"#","minLength":1}}}`, `{"properties":{"a":{"$ref":"#","minLength":1}}}`},
		{"a tuple becomes prefixItems", seven, `{"items":[{"type":"string"}],"additionalItems":{"type":"number"}}`, `{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`},
		{"an empty tuple", seven, `{"items":[],"additionalItems":{"type":"number"}}`, `{"items":{"type":"number"}}`},
		{"additionalItems without a tuple means nothing", seven, `{"items":{"type":"string"},"additionalItems":false}`, `{"items":{"type":"string"}}`},
		{"dependencies are split", seven, `{"dependencies":{"a":["b"],"c":{"required":["d"]},"e":false}}`, `{"dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]},"e":false}}`},
		{"newer keywords are dropped", seven, `{"unevaluatedProperties":false,"dependentRequired":{"a":["b"]},"minContains":2,"contains":{}}`, `{"contains":{}}`},
		{"draft-06 knows no if", six, `{"if":{},"then":false,"const":1}`, `{"const":1}`},
		{"draft-04 knows no const, no $id and no propertyNames", four, `{"const":1,"propertyNames":{},"$id":"x","id":"http://example.com/s#"}`, `{"$id":"http://example.com/s"}`},
		{
			"properties with names of keywords stay", seven, `{"properties":{"dependencies":{"type":"string"},"$ref":{"type":"string"},"definitions":{},"unevaluatedProperties":{}}}`,
			`{"properties":{"dependencies":{"type":"string"},"$ref":{"type":"string"},"definitions":{},"unevaluatedProperties":{}}}`,
		},
		{
			"data is not rewritten", seven, `{"default":{"items":[1],"$schema":"x"},"enum":[{"additionalItems":1}],"const":{"$ref":"#","a":1},"examples":[{"definitions":{}}]}`,
			`{"default":{"items":[1],"$schema":"x"},"enum":[{"additionalItems":1}],"const":{"$ref":"#","a":1},"examples":[{"definitions":{}}]}`,
		},
		{"what is below an unknown keyword is not rewritten", seven, `{"x-a":{"items":[{}]},"prefixItems":[{"items":[]}]}`, `{"x-a":{"items":[{}]}}`},
		{"formats stay", four, `{"format":"uuid"}`, `{"format":"uuid"}`},
		{"a boolean bound of draft-07 stays, for the meta-schema to refuse", seven, `{"minimum":1,"exclusiveMinimum":true}`, `{"minimum":1,"exclusiveMinimum":true}`},
		{"boolean bounds become bounds", four, `{"minimum":1,"exclusiveMinimum":true,"maximum":2,"exclusiveMaximum":false}`, `{"exclusiveMinimum":1,"maximum":2}`},
		{"booleans where draft-04 has them", four, `{"additionalProperties":false,"items":[{}],"additionalItems":false}`, `{"additionalProperties":false,"prefixItems":[{}],"items":false}`},

		{
			"references follow what moved", seven, `{"properties":{"a":{"items":[{"items":[{}]}],"additionalItems":{}},"b":{"$ref":"#/properties/a/items/0/items/0"},"c":{"$ref":"#/properties/a/additionalItems"}}}`,
			`{"properties":{"a":{"prefixItems":[{"prefixItems":[{}]}],"items":{}},"b":{"$ref":"#/properties/a/prefixItems/0/prefixItems/0"},"c":{"$ref":"#/properties/a/items"}}}`,
		},
		{
			"references into dependencies", seven, `{"dependencies":{"a":{"type":"object"}},"properties":{"b":{"$ref":"#/dependencies/a"}}}`,
			`{"dependentSchemas":{"a":{"type":"object"}},"properties":{"b":{"$ref":"#/dependentSchemas/a"}}}`,
		},
		{
			"references with escapes follow too", seven, `{"definitions":{"a b/c~%":{"items":[{}]}},"properties":{"d":{"$ref":"#/definitions/a%20b~1c~0%25/items/0"}}}`,
			`{"$defs":{"a b/c~%":{"prefixItems":[{}]}},"properties":{"d":{"$ref":"#/$defs/a%20b~1c~0%25/prefixItems/0"}}}`,
		},
		{"the text of a reference stays where it can", seven, `{"properties":{"é":{"not":{"$ref":"#/properties/%C3%A9"}}}}`, `{"properties":{"é":{"not":{"$ref":"#/properties/%C3%A9"}}}}`},
		{
			"a reference by the URI of the document", seven, `{"$id":"http://example.com/a/s.json","definitions":{"x":{}},"properties":{"a":{"$ref":"s.json#/definitions/x"},"b":{"$ref":"http://example.com/a/s.json"}}}`,
			`{"$id":"http://example.com/a/s.json","$defs":{"x":{}},"properties":{"a":{"$ref":"#/$defs/x"},"b":{"$ref":"#"}}}`,
		},
		{
			"an identifier that is a fragment is an anchor", seven, `{"definitions":{"a":{"$id":"#a"}},"$id":"http://example.com/s","properties":{"x":{"$ref":"#a"},"y":{"$ref":"s#a"}}}`,
			`{"$defs":{"a":{"$anchor":"a"}},"$id":"http://example.com/s","properties":{"x":{"$ref":"#a"},"y":{"$ref":"#/$defs/a"}}}`,
		},
		{
			"an identifier that is a pointer says nothing", seven, `{"$id":"http://example.com/s","properties":{"a":{"$id":"#/properties/a","type":"string"}}}`,
			`{"$id":"http://example.com/s","properties":{"a":{"type":"string"}}}`,
		},
		{
			"an embedded document becomes a part of the whole", seven, `{"$id":"http://example.com/root.json","definitions":{"A":{"$id":"nested.json","definitions":{"B":{"$id":"#foo","type":"integer"}}}},"allOf":[{"$ref":"nested.json#foo"},{"$ref":"nested.json#/definitions/B"}]}`,
			`{"$id":"http://example.com/root.json","$defs":{"A":{"$defs":{"B":{"type":"integer"}}}},"allOf":[{"$ref":"#/$defs/A/$defs/B"},{"$ref":"#/$defs/A/$defs/B"}]}`,
		},
		{
			"references inside of an embedded document are its own", six, `{"definitions":{"A":{"$id":"http://example.com/n","definitions":{"B":{}},"properties":{"x":{"$ref":"#/definitions/B"},"y":{"$ref":"#"}}}}}`,
			`{"$defs":{"A":{"$defs":{"B":{}},"properties":{"x":{"$ref":"#/$defs/A/$defs/B"},"y":{"$ref":"#/$defs/A"}}}}}`,
		},
		{"an anchor with a colon", nine, `{"$defs":{"a":{"$anchor":"a:b"}},"$ref":"#a:b"}`, `{"$defs":{"a":{}},"$ref":"#/$defs/a"}`},
		{"$recursiveRef without an anchor is $ref", nine, `{"properties":{"a":{"$recursiveRef":"#"}}}`, `{"properties":{"a":{"$ref":"#"}}}`},
		{"$recursiveRef with the anchor of the document", nine, `{"$recursiveAnchor":true,"properties":{"a":{"$recursiveRef":"#"}}}`, `{"properties":{"a":{"$ref":"#"}}}`},
		{"$recursiveRef of draft-07 means nothing", seven, `{"properties":{"a":{"$recursiveRef":"#"}}}`, `{"properties":{"a":{}}}`},
		{"contains alone", nine, `{"contains":{"type":"string"},"minContains":2,"unevaluatedItems":true}`, `{"contains":{"type":"string"},"minContains":2,"unevaluatedItems":true}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			v := schematest.Value(t, test.schema)
			got, findings := dialect.Convert(v, test.dialect)
			if got == nil {
				t.Fatalf("it is refused: %v", findings)
			}
			if diff := cmp.Diff(test.want, got.JSON()); diff != "" {
				t.Error(diff)
			}
			again, _ := dialect.Convert(got, "")
			if again == nil || again.JSON() != got.JSON() {
				t.Errorf("a second conversion gives %v", again)
			}
		})
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, dialect, schema, pointer, message string }{
		{"an unknown dialect", "", `{"$schema":"https://example.com/s"}`, "/$schema", "is unknown"},
		{"another dialect inside", seven, `{"not":{"$schema":"http://json-schema.org/draft-04/schema#"}}`, "/not/$schema", "begins inside of a document of draft-07"},
		{"a reference into an unknown keyword", seven, `{"components":{"a":{}},"properties":{"b":{"$ref":"#/components/a"}}}`, "/properties/b/$ref", "no schema in draft-07"},
		{"a reference into what the dialect does not know", seven, `{"dependentSchemas":{"a":{}},"not":{"$ref":"#/dependentSchemas/a"}}`, "/not/$ref", "no schema in draft-07"},
		{"a reference into what stands beside $ref", seven, `{"$ref":"#/properties/a","properties":{"a":{}}}`, "/$ref", "no schema in draft-07"},
		{"a reference into data", seven, `{"const":{"a":{}},"not":{"$ref":"#/const/a"}}`, "/not/$ref", "no schema in draft-07"},
		{"a reference that leads nowhere", seven, `{"not":{"$ref":"#/definitions/a"}}`, "/not/$ref", "leads nowhere"},
		{"a reference to a name that nobody has", seven, `{"not":{"$ref":"#a"}}`, "/not/$ref", "a name that no schema has"},
		{"a reference with a bad escape", seven, `{"definitions":{"a~":{}},"not":{"$ref":"#/definitions/a~"}}`, "/not/$ref", "neither ~0 nor ~1"},
		{"a reference that is no URI", seven, `{"not":{"$ref":"#/%zz"}}`, "/not/$ref", "not a URI reference"},
		{"a reference that leaves the document", seven, `{"not":{"$ref":"http://example.com/s"}}`, "/not/$ref", "leaves the document"},
		{"a reference with two meanings", seven, `{"definitions":{"a":{"$id":"#x"},"b":{"$id":"#x"}},"not":{"$ref":"#x"}}`, "/not/$ref", "several places"},
		{"a pointer that another place claims", seven, `{"definitions":{"a":{},"b":{"$id":"#/definitions/a"}},"not":{"$ref":"#/definitions/a"}}`, "/not/$ref", "several places"},
		{"an identifier that is no URI", seven, `{"$id":"http://[::1"}`, "/$id", "not a URI reference"},
		{"a dependency that is neither", seven, `{"dependencies":{"a":"b"}}`, "/dependencies/a", "a list of names or a schema"},
		{"dependencies in 2019-09", nine, `{"dependencies":{"a":["b"]}}`, "/dependencies", "no dependencies any more"},
		{"a fragment in an identifier of 2019-09", nine, `{"$defs":{"a":{"$id":"x#a"}}}`, "/$defs/a/$id", "2019-09 forbids"},
		{"contains counts for unevaluatedItems now", nine, `{"allOf":[{"contains":{"type":"string"}}],"unevaluatedItems":false}`, "/unevaluatedItems", "(contains at /allOf/0)"},
		{"$recursiveRef that depends on the way", nine, `{"$defs":{"a":{"$id":"a","$recursiveAnchor":true}},"properties":{"b":{"$recursiveRef":"#"}}}`, "/$defs/a/$recursiveAnchor", "depends on how"},
		{"$recursiveRef to something else", nine, `{"not":{"$recursiveRef":"#/a"}}`, "/not/$recursiveRef", "always #"},
		{"$recursiveRef beside $ref", nine, `{"properties":{"a":{"$recursiveRef":"#","$ref":"#"}}}`, "/properties/a/$recursiveRef", "beside $ref"},
		{"a boolean schema in draft-04", four, `{"properties":{"additionalProperties":true}}`, "/properties/additionalProperties", "no boolean schemas"},
		{"a boolean document in draft-04", four, `true`, "", "no boolean schemas"},
		{"a number where draft-04 has a boolean", four, `{"exclusiveMinimum":1}`, "/exclusiveMinimum", "a boolean in draft-04"},
		{"a boolean bound without its bound", four, `{"exclusiveMaximum":true}`, "/exclusiveMaximum", "says nothing without maximum"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, findings := dialect.Convert(schematest.Value(t, test.schema), test.dialect)
			if got != nil || len(findings) == 0 {
				t.Fatalf("it became %v", got)
			}
			f := findings[0]
			if f.Severity != finding.Error || f.Pointer != test.pointer || !strings.Contains(f.Message, test.message) || f.Fix == "" {
				t.Errorf("got %v with pointer %q", f, f.Pointer)
			}
		})
	}
}

// TestIntegers says what becomes of the only difference that a JSON value
// cannot show.
func TestIntegers(t *testing.T) {
	t.Parallel()
	v := schematest.Value(t, `{"properties":{"a":{"type":["integer","null"]}}}`)
	says := func(name string) bool {
		got, findings := dialect.Convert(v, name)
		if got == nil || finding.HasErrors(findings) {
			t.Fatalf("%s: %v", name, findings)
		}
		return slices.ContainsFunc(findings, func(f finding.Finding) bool {
			return f.Rule == dialect.RuleInteger && f.Severity == finding.Info && f.Pointer == "/properties/a"
		})
	}
	if !says(four) {
		t.Error("draft-04 says nothing of integers")
	}
	if says(six) {
		t.Error("draft-06 says something of integers, and means the same")
	}
}

// TestHostileDocuments are refused within bounds.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 40_000)
	v := schematest.Value(t, `{"properties":{"`+long+`":{"properties":{"a":{}}}}}`)
	if got, findings := dialect.Convert(v, seven); got == nil {
		t.Errorf("a long name is refused: %v", findings)
	}
	var inner schema.Fields
	for i := range 2_000 {
		inner.Add(strings.Repeat("y", i%7)+string(rune('a'+i%26))+strings.Repeat("z", i/182), schema.NewObject())
	}
	v = schema.NewObject(schema.Member{Name: "properties", Value: schema.NewObject(schema.Member{
		Name: long, Value: schema.NewObject(schema.Member{Name: "properties", Value: inner.Object()}),
	})})
	got, findings := dialect.Convert(v, seven)
	if got != nil || len(findings) != 1 || !strings.Contains(findings[0].Message, "pointers to all subschemas") {
		t.Errorf("a long name above many others gives %d findings", len(findings))
	}
}
