// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

func TestCompileFindsWhatTheMetaSchemaForbids(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		schema           string
		pointer, keyword string
		message, fix     string // parts
	}{
		"a type of another language": {
			`{"properties":{"a":{"type":"int"}}}`, "/properties/a/type", "type", `"int" is not a JSON Schema type`, "integer",
		},
		"a type that is null": {`{"type":null}`, "/type", "type", "null is not a JSON Schema type", "integer"},
		"an unknown type in a list": {
			`{"type":["string","date"]}`, "/type", "type", `["string","date"] is not a JSON Schema type`, "without repetition",
		},
		"a type twice": {`{"type":["string","string"]}`, "/type", "type", "is not a JSON Schema type", "without repetition"},
		"no type":      {`{"type":[]}`, "/type", "type", "[] is not a JSON Schema type", "a list of them"},
		"an exclusive minimum of draft-04": {
			`{"items":{"minimum":1,"exclusiveMinimum":true}}`, "/items/exclusiveMinimum", "exclusiveMinimum",
			"exclusiveMinimum is a boolean, as in draft-04", "write the number in exclusiveMinimum",
		},
		"an exclusive maximum of draft-04": {
			`{"maximum":1,"exclusiveMaximum":false}`, "/exclusiveMaximum", "exclusiveMaximum",
			"exclusiveMaximum is a boolean, as in draft-04", "write the number in exclusiveMaximum",
		},
		"a tuple of draft-07": {
			`{"properties":{"a":{"items":[{"type":"string"},{"type":"integer"}]}}}`, "/properties/a/items", "items",
			"items is an array", "use prefixItems for a tuple",
		},
		"required at the property, as in draft-03": {
			`{"properties":{"a":{"type":"string","required":true}}}`, "/properties/a/required", "required",
			"required is a boolean, as in draft-03", "list the name in required of the enclosing object",
		},
		"required as a string":           {`{"required":"a"}`, "/required", "required", "it is a string, not array", "correct the schema"},
		"required twice":                 {`{"required":["a","a"]}`, "/required", "required", "equal", "correct"},
		"a required name that is none":   {`{"required":["a",1]}`, "/required/1", "required", "it is a number, not string", "correct"},
		"a negative length":              {`{"minLength":-1}`, "/minLength", "minLength", "-1 is less than the minimum 0", "correct"},
		"a fractional count":             {`{"maxItems":1.5}`, "/maxItems", "maxItems", "it is a number, not integer", "correct"},
		"a count that is a string":       {`{"maxItems":"5"}`, "/maxItems", "maxItems", "it is a string, not integer", "correct"},
		"a multiple of zero":             {`{"multipleOf":0}`, "/multipleOf", "multipleOf", "0 is not above the exclusive minimum 0", "correct"},
		"properties as a list":           {`{"properties":[]}`, "/properties", "properties", "it is an array, not object", "correct"},
		"a property that is no schema":   {`{"properties":{"a":"string"}}`, "/properties/a", "properties", "it is a string, not", "correct"},
		"a definition that is no schema": {`{"$defs":{"a":1}}`, "/$defs/a", "$defs", "it is a number, not", "correct"},
		"a property named like a keyword": {
			`{"properties":{"type":{"type":"strnig"}}}`, "/properties/type/type", "type", `"strnig" is not a JSON Schema type`, "string",
		},
		"an enum that is no list":      {`{"enum":"a"}`, "/enum", "enum", "it is a string, not array", "correct"},
		"an empty allOf":               {`{"allOf":[]}`, "/allOf", "allOf", "minItems", "correct"},
		"an allOf that is a schema":    {`{"allOf":{"type":"string"}}`, "/allOf", "allOf", "it is an object, not array", "correct"},
		"an alternative that is none":  {`{"anyOf":[{},"x"]}`, "/anyOf/1", "anyOf", "it is a string, not", "correct"},
		"a pattern that is no string":  {`{"pattern":5}`, "/pattern", "pattern", "it is a number, not string", "correct"},
		"a reference that is none":     {`{"$ref":5}`, "/$ref", "$ref", "it is a number, not string", "correct"},
		"an anchor with a space":       {`{"$anchor":"a b"}`, "/$anchor", "$anchor", `"a b" does not match the pattern`, "correct"},
		"an $id with a fragment":       {`{"$id":"https://example.com/#x"}`, "/$id", "$id", "does not match the pattern", "correct"},
		"an $id that is no string":     {`{"$id":5}`, "/$id", "$id", "it is a number, not string", "correct"},
		"a description that is none":   {`{"description":["a"]}`, "/description", "description", "it is an array, not string", "correct"},
		"unique items that are a word": {`{"uniqueItems":"yes"}`, "/uniqueItems", "uniqueItems", "it is a string, not boolean", "correct"},
		"a dependent name that is none": {
			`{"dependentRequired":{"a":[1]}}`, "/dependentRequired/a/0", "dependentRequired", "it is a number, not string", "correct",
		},
		"far inside, under $defs": {
			`{"$defs":{"a/b":{"anyOf":[{"not":{"if":{"minimum":"1"}}}]}}}`, "/$defs/a~1b/anyOf/0/not/if/minimum", "minimum",
			"it is a string, not number", "correct",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validator, findings := admitted(t, test.schema).Compile()
			if validator != nil {
				t.Error("it compiles")
			}
			if diff := cmp.Diff([]place{{RuleInvalidSchema, test.pointer, test.keyword}}, places(findings)); diff != "" {
				t.Fatalf("%v\n%s", findings, diff)
			}
			f := findings[0]
			if f.Severity != finding.Error || !strings.Contains(f.Message, test.message) || !strings.Contains(f.Fix, test.fix) {
				t.Errorf("got %v, want %q and %q", f, test.message, test.fix)
			}
			checkTexts(t, findings)
		})
	}
}

func TestCompileLeavesDataAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"const":{"type":"int","required":true}}`, `{"enum":[{"items":[]},{"minLength":-1}]}`, `{"default":{"type":5}}`,
		`{"examples":[{"type":"int"}]}`, `{"x-a":{"type":"int"}}`, `{"properties":{"required":true,"items":false}}`,
		`{"dependencies":{"a":5},"additionalItems":7,"id":{},"nullable":"x"}`,
	} {
		if _, findings := admitted(t, text).Compile(); findings != nil {
			t.Errorf("%s: %v", text, findings)
		}
	}
}

func TestCompileReportsSeveralMistakesInOneOrder(t *testing.T) {
	t.Parallel()
	var properties, names []string
	for i := range 3 * maxExplained {
		properties = append(properties, fmt.Sprintf(`"p%02d":{"type":"int"}`, i))
		names = append(names, fmt.Sprintf("/properties/p%02d/type", i))
	}
	text := `{"properties":{` + strings.Join(properties, ",") + `}}`
	for range 200 {
		_, findings := admitted(t, text).Compile()
		var got []string
		for _, f := range findings {
			got = append(got, f.Pointer)
		}
		// Not just any of them: the library walks objects in map order.
		if diff := cmp.Diff(names[:maxExplained], got); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestCompileDoesTheWorkOnce(t *testing.T) {
	t.Parallel()
	s := admitted(t, `{"type":"object"}`)
	first, _ := s.Compile()
	second, _ := s.Compile()
	if first != second {
		t.Error("it is compiled twice")
	}
	invalid := admitted(t, `{"type":"int"}`)
	_, findings := invalid.Compile()
	_, again := invalid.Compile()
	if diff := cmp.Diff(findings, again); diff != "" || len(again) == 0 {
		t.Errorf("the second answer is another: %s", diff)
	}
}
