// SPDX-License-Identifier: Apache-2.0

package card

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
)

func parse(t testing.TB, text string) *schema.Value {
	t.Helper()
	v, failed := schema.Parse([]byte(text))
	if failed != nil {
		t.Fatalf("%s: %v", text, failed)
	}
	return v
}

// lines is a schema as the card writes it.
func lines(fields []Field) []string {
	var out []string
	for _, f := range fields {
		line := f.Path + ": " + f.summary()
		for _, k := range f.Keywords {
			line += fmt.Sprintf(" {%s %s}", k.Name, k.Value)
		}
		out = append(out, line)
	}
	return out
}

func TestFields(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		schema string
		want   []string
	}{
		"true":  {`true`, []string{"(the value): anything"}},
		"false": {`false`, []string{"(the value): nothing: no value is allowed"}},
		"empty": {`{}`, []string{"(the value): anything"}},
		"properties in their order": {
			`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":["integer","null"]}},"required":["b"],"additionalProperties":false}`,
			[]string{"(the value): object; no other members", "b: string; required", "a: integer or null; optional"},
		},
		"open objects": {
			`{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"number"}}}}`,
			[]string{"(the value): object; other members are allowed", "a: object; optional", "a.(any other name): number"},
		},
		"required without a property": {
			`{"type":"object","required":["x"],"additionalProperties":false,"properties":{}}`,
			[]string{`(the value): object; must also have "x"; no other members`},
		},
		"texts": {
			`{"type":"string","minLength":1,"maxLength":64,"pattern":"^a","format":"uri","enum":["a","b"],"default":"a"}`,
			[]string{`(the value): string; one of "a", "b"; 1 to 64 characters; matching ^a; format uri; "a" if left out`},
		},
		"numbers": {
			`{"type":"number","minimum":0.5,"exclusiveMaximum":10,"multipleOf":0.5}`,
			[]string{"(the value): number; at least 0.5; less than 10; a multiple of 0.5"},
		},
		"one of a kind": {`{"const":{"a":1}}`, []string{`(the value): always {"a":1}`}},
		"lists": {
			`{"type":"array","minItems":2,"maxItems":2,"uniqueItems":true,"items":{"type":"array","maxItems":1,"items":{"type":"object","properties":{"sku":{"type":"string"}},"additionalProperties":false}}}`,
			[]string{
				"(the value): array of array of object; exactly 2 entries; no entry twice", "(the value)[]: array of object; at most 1 entry",
				"(the value)[][]: object; no other members", "(the value)[][].sku: string; optional",
			},
		},
		"lists of what is defined elsewhere": {
			`{"type":"array","items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":["array","null"],"items":{"enum":[1]}}}}`,
			[]string{
				"(the value): array of #/$defs/n", "(the value)[]: as #/$defs/n", "#/$defs/n: array of the entries below or null", "#/$defs/n[]: always 1",
			},
		},
		"tuples": {`{"prefixItems":[{"type":"string"},true],"items":false}`, []string{
			"(the value): anything", "(the value)[0]: string", "(the value)[1]: anything", "(the value)[]: nothing: no value is allowed",
		}},
		"forms": {
			`{"oneOf":[{"type":"string"},{"$ref":"#/$defs/n"}],"$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},"additionalProperties":false}}}`,
			[]string{
				"(the value): exactly one of the 2 forms below", "(oneOf 1): string", "(oneOf 2): as #/$defs/n",
				"#/$defs/n: object; no other members", "#/$defs/n.next: optional; as #/$defs/n",
			},
		},
		"what has no words stays as it is": {
			`{"type":"string","x-unit":"s","contentEncoding":"base64","$comment":"why","readOnly":true,"minLength":"1"}`,
			[]string{`(the value): string {x-unit "s"} {contentEncoding "base64"} {$comment "why"} {readOnly true} {minLength "1"}`},
		},
		"all other applicators": {
			`{"if":{"const":1},"then":{"minimum":2},"else":false,"not":{"type":"null"},"propertyNames":{"pattern":"^x"},"patternProperties":{"^y":{"type":"null"}},"dependentSchemas":{"a":true},"contains":{"const":3},"dependentRequired":{"a":["b"]}}`,
			[]string{
				`(the value): anything {dependentRequired {"a":["b"]}}`, "(if): always 1", "(then): anything; at least 2", "(else): nothing: no value is allowed",
				"(not): null", "(propertyNames): anything; matching ^x", `(patternProperties "^y"): null`, `(dependentSchemas "a"): anything`, "(contains): always 3",
			},
		},
		"names that could be read as something else": {
			`{"properties":{"a.b":{"type":"string"},"(the value)":{"type":"string"},"编号":{"type":"string"},"":{"type":"string"}},"additionalProperties":false}`,
			[]string{"(the value): anything; no other members", `"a.b": string; optional`, `"(the value)": string; optional`, "编号: string; optional", `"": string; optional`},
		},
		"the spelling of another API": {
			`{"type":"OBJECT","properties":{"a":{"type":"STRING","nullable":true}},"propertyOrdering":["a"]}`,
			[]string{`(the value): OBJECT {propertyOrdering ["a"]}`, "a: STRING; optional {nullable true}"},
		},
		"not what the keywords mean": {
			`{"type":5,"properties":[1],"required":"a","items":3,"enum":"x","anyOf":[],"pattern":{},"uniqueItems":1,"$ref":2}`,
			[]string{`(the value): 5 {properties [1]} {required "a"} {items 3} {enum "x"} {anyOf []} {pattern {}} {uniqueItems 1} {$ref 2}`},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, lines(fieldsOf(parse(t, test.schema)))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoKeywordIsLeftOut gives every keyword of the dialect, and one that is
// none, a value that it can have.
func TestNoKeywordIsLeftOut(t *testing.T) {
	t.Parallel()
	values := map[schema.Shape]string{
		schema.Plain: `"mark"`, schema.Instance: `"mark"`, schema.InstanceList: `["mark"]`, schema.One: `{"title":"mark"}`,
		schema.List: `[{"title":"mark"}]`, schema.Map: `{"p":{"title":"mark"}}`,
	}
	numbers := "minLength maxLength minimum exclusiveMinimum maximum exclusiveMaximum multipleOf minProperties maxProperties minContains maxContains minItems maxItems"
	for _, k := range append(schema.Keywords(), schema.Keyword{Name: "x-own"}) {
		value, want := values[k.Shape], "mark"
		switch {
		case strings.Contains(numbers, k.Name):
			value, want = "4711", "4711"
		case k.Name == "uniqueItems" || k.Name == "deprecated":
			value, want = "true", map[string]string{"uniqueItems": "no entry twice", "deprecated": "deprecated"}[k.Name]
		case k.Name == "required":
			value = `["mark"]`
		}
		var p page
		p.schema("Value", fieldsOf(parse(t, fmt.Sprintf(`{%q:%s}`, k.Name, value))))
		if !strings.Contains(p.String(), want) {
			t.Errorf("%s is not on the card: %s", k.Name, p.String())
		}
	}
}

// TestALongNameIsWrittenOnce bounds what a hostile schema costs.
func TestALongNameIsWrittenOnce(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("n", 50_000)
	var properties strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&properties, `"p%d":{},`, i)
	}
	fields := fieldsOf(parse(t, fmt.Sprintf(`{"properties":{%q:{"properties":{%s"last":{}}}}}`, name, properties.String())))
	total := 0
	for _, f := range fields {
		total += len(f.Path)
	}
	if total > len(name)+len(fields)*(maxTail+20) {
		t.Errorf("the paths have %d bytes", total)
	}
	if fields[1].Path != name || !strings.HasSuffix(fields[2].Path, "n.p0") {
		t.Error("the name is not there in full, or the places below do not end in theirs")
	}
}

func TestDeepSchemas(t *testing.T) {
	t.Parallel()
	const depth = schema.MaxDepth - 2
	for _, open := range []string{`{"items":`, `{"not":`, `{"type":"array","items":`} {
		fields := fieldsOf(parse(t, strings.Repeat(open, depth)+"{}"+strings.Repeat("}", depth)))
		if len(fields) != depth+1 {
			t.Errorf("%s: got %d fields", open, len(fields))
		}
	}
}
