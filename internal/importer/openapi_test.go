// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// Null is admitted by the schema that comes out, or a note says why it is not.
func TestNullableIsKeptOrNoted(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in, want string // schemas of a property
		notes    []string
	}{
		"beside a type":               {in: `{"type":"STRING","nullable":true}`, want: `{"type":["string","null"]}`},
		"beside an enum":              {in: `{"type":"STRING","enum":["a"],"nullable":true}`, want: `{"type":["string","null"],"enum":["a",null]}`},
		"beside anyOf":                {in: `{"any_of":[{"type":"STRING"}],"nullable":true}`, want: `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		"beside a reference":          {in: `{"ref":"#/defs/d","nullable":true}`, want: `{"anyOf":[{"$ref":"#/$defs/d"},{"type":"null"}]}`},
		"beside a typed reference":    {in: `{"type":"STRING","$ref":"#/$defs/d","nullable":true}`, want: `{"anyOf":[{"type":"string","$ref":"#/$defs/d"},{"type":"null"}]}`},
		"beside oneOf":                {in: `{"oneOf":[{"type":"STRING"},{"type":"INTEGER"}],"nullable":true}`, want: `{"anyOf":[{"oneOf":[{"type":"string"},{"type":"integer"}]},{"type":"null"}]}`},
		"beside allOf and a type":     {in: `{"type":"STRING","allOf":[{"minLength":1}],"nullable":true}`, want: `{"anyOf":[{"type":"string","allOf":[{"minLength":1}]},{"type":"null"}]}`},
		"beside allOf of a type":      {in: `{"allOf":[{"type":"STRING"}],"nullable":true}`, want: `{"anyOf":[{"allOf":[{"type":"string"}]},{"type":"null"}]}`},
		"beside a constant":           {in: `{"type":"STRING","const":"a","nullable":true}`, want: `{"anyOf":[{"type":"string","const":"a"},{"type":"null"}]}`},
		"beside a negation":           {in: `{"not":{"type":"NULL"},"nullable":true}`, want: `{"anyOf":[{"not":{"type":"null"}},{"type":"null"}]}`},
		"beside a condition":          {in: `{"if":true,"then":{"type":"STRING"},"nullable":true}`, want: `{"anyOf":[{"if":true,"then":{"type":"string"}},{"type":"null"}]}`},
		"not asked for":               {in: `{"oneOf":[{"type":"STRING"}],"nullable":false}`, want: `{"oneOf":[{"type":"string"}]}`},
		"a property of that name":     {in: `{"type":"OBJECT","properties":{"nullable":{"type":"STRING"}}}`, want: `{"type":"object","properties":{"nullable":{"type":"string"}}}`},
		"a text":                      {in: `{"type":"STRING","nullable":"true"}`, want: `{"type":"string","nullable":"true"}`, notes: []string{"/properties/p: nullable stays as it is and says nothing, because it is neither true nor false"}},
		"a second list of branches":   {in: `{"anyOf":[{"type":"STRING"}],"any_of":[{"type":"NULL"}]}`, want: `{"anyOf":[{"type":"string"}],"any_of":[{"type":"NULL"}]}`, notes: []string{"/properties/p: any_of stays as it is and says nothing, because anyOf stands beside it"}},
		"a second length":             {in: `{"max_length":"1","maxLength":2}`, want: `{"max_length":"1","maxLength":2}`, notes: []string{"/properties/p: max_length stays as it is and says nothing, because maxLength stands beside it"}},
		"an example and examples":     {in: `{"example":1,"examples":[2]}`, want: `{"example":1,"examples":[2]}`, notes: []string{"/properties/p: example stays as it is and says nothing, because examples stands beside it"}},
		"an ordering that is no list": {in: `{"property_ordering":"a"}`, want: `{"propertyOrdering":"a"}`, notes: []string{"/properties/p: propertyOrdering stays as it is and says nothing, because it is no list"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := fromOpenAPI{}
			got := c.node(schematest.Value(t, `{"type":"OBJECT","properties":{"p":`+test.in+`}}`), "")
			if diff := cmp.Diff(`{"type":"object","properties":{"p":`+test.want+`}}`, got.JSON()); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.notes, c.notes); diff != "" {
				t.Errorf("notes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNullableAtTheRootIsNoted(t *testing.T) {
	t.Parallel()
	c := fromOpenAPI{}
	got := c.node(schematest.Value(t, `{"type":"OBJECT","oneOf":[{"required":["a"]}],"nullable":true}`), "")
	if diff := cmp.Diff(`{"type":"object","oneOf":[{"required":["a"]}]}`, got.JSON()); diff != "" {
		t.Errorf("schema (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"(root): nullable was dropped; arguments are never null"}, c.notes); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// A note is heard also where nothing of the schema changed.
func TestANoteOfAnUnchangedSchemaIsReported(t *testing.T) {
	t.Parallel()
	_, report, _ := Import([]byte(`{"model":"m","tools":[{"functionDeclarations":[{"name":"c","description":"d","parameters":`+
		`{"type":"object","properties":{"a":{"type":"string","nullable":"true"}}}}]}]}`), testOptions)
	want := "/properties/a: nullable stays as it is and says nothing, because it is neither true nor false"
	if lines := strings.Join(report.Lines(), "\n"); !strings.Contains(lines, want) || strings.Contains(lines, "OpenAPI spelling") {
		t.Errorf("the report says:\n%s", lines)
	}
}
