// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCanonicalPutsKeywordsInOneOrder(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, want string }{
		"at the root": {
			`{"required":["a"],"properties":{"a":{}},"description":"d","type":"object","$schema":"s"}`,
			`{"$schema":"s","type":"object","description":"d","properties":{"a":{}},"required":["a"]}`,
		},
		"in every subschema": {
			`{"properties":{"a":{"items":{"minimum":1,"type":"integer"},"type":"array"}},"anyOf":[{"const":1,"title":"t"}]}`,
			`{"properties":{"a":{"type":"array","items":{"type":"integer","minimum":1}}},"anyOf":[{"title":"t","const":1}]}`,
		},
		"unknown keywords come last, by name": {
			`{"x-b":1,"x-a":2,"nullable":true,"type":"string"}`,
			`{"type":"string","nullable":true,"x-a":2,"x-b":1}`,
		},
		"properties keep the author's order": {
			`{"properties":{"type":{},"$ref":{},"b":{},"a":{}}}`,
			`{"properties":{"type":{},"$ref":{},"b":{},"a":{}}}`,
		},
		"so do definitions, patterns and dependents": {
			`{"$defs":{"b":{},"a":{}},"patternProperties":{"b":{},"a":{}},"dependentRequired":{"b":[],"a":[]}}`,
			`{"patternProperties":{"b":{},"a":{}},"dependentRequired":{"b":[],"a":[]},"$defs":{"b":{},"a":{}}}`,
		},
		"data keeps the author's order": {
			`{"default":{"type":"b","$ref":"a"},"const":{"required":1,"properties":2},"enum":[{"title":1,"type":2}],"examples":[{"not":1,"if":2}]}`,
			`{"enum":[{"title":1,"type":2}],"const":{"required":1,"properties":2},"default":{"type":"b","$ref":"a"},"examples":[{"not":1,"if":2}]}`,
		},
		"the value of an unknown keyword is data": {
			`{"x-a":{"title":1,"$ref":2}}`,
			`{"x-a":{"title":1,"$ref":2}}`,
		},
		"items as an array is no schema": {
			`{"items":[{"title":"t","type":"string"}]}`,
			`{"items":[{"title":"t","type":"string"}]}`,
		},
		"a boolean schema":                   {`true`, `true`},
		"values of the wrong type stay":      {`{"properties":3,"allOf":{"b":1,"a":2},"not":"x"}`, `{"properties":3,"allOf":{"b":1,"a":2},"not":"x"}`},
		"a property named like a definition": {`{"properties":{"$defs":{"title":"t","type":"object"}}}`, `{"properties":{"$defs":{"type":"object","title":"t"}}}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			once := Canonical(parsed(t, test.schema))
			if diff := cmp.Diff(test.want, once.JSON()); diff != "" {
				t.Error(diff)
			}
			if twice := Canonical(once); twice.JSON() != once.JSON() {
				t.Errorf("a second time it becomes %s", twice.JSON())
			}
			if !once.Equal(parsed(t, test.schema)) {
				t.Error("it is another value")
			}
		})
	}
}

const wideSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","title":"T","description":"D",
	"properties":{"b":{"type":"string","minLength":1,"maxLength":9,"pattern":"^a"},"a":{"type":["integer","null"],"minimum":0,"default":{"z":1,"y":2}},
	"c":{"type":"array","items":{"anyOf":[{"const":1,"title":"one"},{"$ref":"#/$defs/d"}]},"minItems":1,"uniqueItems":true}},
	"required":["b"],"additionalProperties":false,"minProperties":1,"$defs":{"d":{"not":{"type":"null","title":"n"},"x-unknown":1}}}`

func TestTheDigestForgetsTheOrderOfKeywords(t *testing.T) {
	t.Parallel()
	original := parsed(t, wideSchema)
	want := admitted(t, wideSchema).Digest()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		text := shuffled(original, random, isSchemaPath).JSON()
		if got := admitted(t, text).Digest(); got != want {
			t.Fatalf("another order of keywords has another digest: %s", text)
		}
	}
}

// isSchemaPath reports whether a path in wideSchema leads to a schema node:
// their members are keywords.
func isSchemaPath(path []string) bool {
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case "properties", "$defs", "anyOf":
			if i++; i == len(path) {
				return false
			}
		case "items", "not":
		default:
			return false
		}
	}
	return true
}

func TestTheDigestKeepsWhatIsContent(t *testing.T) {
	t.Parallel()
	original := admitted(t, wideSchema)
	for _, pointer := range []string{"/properties", "/properties/a/default"} {
		tokens := map[string][]string{"/properties": {"properties"}, "/properties/a/default": {"properties", "a", "default"}}[pointer]
		reversed := withReversed(original.Root(), tokens)
		if other := admitted(t, reversed.JSON()); other.Digest() == original.Digest() {
			t.Errorf("the order of members at %s is lost", pointer)
		}
	}
}

func withReversed(v *Value, tokens []string) *Value {
	if len(tokens) == 0 {
		members := slices.Clone(v.members)
		slices.Reverse(members)
		return NewObject(members...)
	}
	return v.With(tokens[0], withReversed(v.Get(tokens[0]), tokens[1:]))
}

func TestChildrenAreTheSubschemasInDocumentOrder(t *testing.T) {
	t.Parallel()
	node := parsed(t, `{"not":{},"properties":{"b":true,"a/c":{},"wrong":1},"prefixItems":[{},7,false],"items":[{}],"enum":[{}],
		"const":{},"x-unknown":{},"contentSchema":{},"definitions":{"d":{}},"anyOf":{"e":{}},"dependentSchemas":{"f":{}}}`)
	var got []string
	for _, child := range Children(node) {
		got = append(got, child.Pointer("/root"))
	}
	want := []string{
		"/root/not", "/root/properties/b", "/root/properties/a~1c", "/root/prefixItems/0", "/root/prefixItems/2",
		"/root/contentSchema", "/root/definitions/d", "/root/dependentSchemas/f",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if children := Children(NewBool(true)); children != nil {
		t.Errorf("a boolean schema has the children %v", children)
	}
}

// The order of the table is the order of what is published, for good.
func TestKeywordsAreThoseOfTheDialect(t *testing.T) {
	t.Parallel()
	var names []string
	for _, k := range Keywords() {
		names = append(names, k.Name)
		if found, ok := LookupKeyword(k.Name); !ok || found != k {
			t.Errorf("%s is looked up as %v", k.Name, found)
		}
	}
	want := []string{
		"$schema", "$id", "$anchor", "$dynamicAnchor", "$vocabulary", "$comment", "$ref", "$dynamicRef", "type", "title", "description",
		"enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum",
		"multipleOf", "properties", "patternProperties", "propertyNames", "required", "dependentRequired", "dependentSchemas",
		"minProperties", "maxProperties", "additionalProperties", "unevaluatedProperties", "prefixItems", "items", "contains",
		"minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems", "allOf", "anyOf", "oneOf", "not",
		"if", "then", "else", "contentEncoding", "contentMediaType", "contentSchema", "default", "examples", "deprecated", "readOnly",
		"writeOnly", "$defs", "definitions",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"dependencies", "additionalItems", "id", "nullable", "", "Type", "x-order"} {
		if k, ok := LookupKeyword(name); ok || k.Name != name {
			t.Errorf("%q is a keyword: %v", name, k)
		}
	}
}
