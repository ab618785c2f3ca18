// SPDX-License-Identifier: Apache-2.0

package render

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestOpenAPISpellsNullOrderAndTypes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ schema, want string }{
		"types are names of an enum": {
			`{"type":"object","properties":{"n":{"type":"integer"}}}`,
			`{"type":"OBJECT","properties":{"n":{"type":"INTEGER"}}}`,
		},
		"a list of one type and null is nullable": {
			`{"type":["string","null"],"minLength":1}`,
			`{"type":"STRING","minLength":1,"nullable":true}`,
		},
		"null leaves the enum": {
			`{"type":["string","null"],"enum":["a",null]}`,
			`{"type":"STRING","enum":["a"],"nullable":true}`,
		},
		"an enum without null admits none": {
			`{"type":["string","null"],"enum":["a"]}`,
			`{"type":"STRING","enum":["a"]}`,
		},
		"an object without properties has no map of them": {
			`{"type":"object","properties":{}}`,
			`{"type":"OBJECT"}`,
		},
		"nothing stands beside anyOf": {
			`{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`,
			`{"anyOf":[{"type":"STRING","nullable":true},{"type":"INTEGER","nullable":true}]}`,
		},
		"null alone stays a type": {
			`{"anyOf":[{"type":"null"}]}`,
			`{"anyOf":[{"type":"NULL"}]}`,
		},
		"the order of properties is said, at every level": {
			`{"type":"object","properties":{"b":{"type":"array","items":{"type":"object","properties":{"z":{},"y":{}}}},"a":{}}}`,
			`{"type":"OBJECT","properties":{"b":{"type":"ARRAY","items":{"type":"OBJECT","properties":{"z":{},"y":{}},` +
				`"propertyOrdering":["z","y"]}},"a":{}},"propertyOrdering":["b","a"]}`,
		},
		"properties that are named like keywords are properties": {
			`{"type":"object","properties":{"type":{"type":"string"},"enum":{"type":["number","null"]}}}`,
			`{"type":"OBJECT","properties":{"type":{"type":"STRING"},"enum":{"type":"NUMBER","nullable":true}},"propertyOrdering":["type","enum"]}`,
		},
		"values are not schemas": {
			`{"type":"string","enum":["string"],"default":{"type":"string"}}`,
			`{"type":"STRING","enum":["string"],"default":{"type":"string"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := openAPI(schematest.Value(t, test.schema)).JSON()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
