// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// TestConditionsOnTypesAndPlaces shows each word true of one schema and false of
// a neighbour. The keyword is that of the node with the given pointer.
func TestConditionsOnTypesAndPlaces(t *testing.T) {
	t.Parallel()
	cases := []struct{ when, pointer, keyword, holds, fails string }{
		{`{typeHas: [string]}`, "", "minLength", `{"type":"string","minLength":1}`, `{"type":"integer","minLength":1}`},
		{`{typeHas: [string]}`, "", "minLength", `{"type":["null","string"],"minLength":1}`, `{"minLength":1}`},
		{`{typeHas: [integer, number]}`, "", "minimum", `{"type":"integer","minimum":1}`, `{"type":"string","minimum":1}`},
		{`{typeOtherThan: [string, "null"]}`, "", "enum", `{"type":["string","integer"],"enum":[1]}`, `{"type":["string","null"],"enum":["a"]}`},
		{`{typeOtherThan: [string]}`, "", "enum", `{"enum":["a"]}`, `{"type":"string","enum":["a"]}`},
		{`{reachedOtherThan: [properties]}`, "/properties/a/items", "x-k", `{"properties":{"a":{"items":{"x-k":"K"}}}}`, ``},
		{`{reachedOtherThan: [properties]}`, "/properties/a/properties/b", "x-k", ``, `{"properties":{"a":{"properties":{"b":{"x-k":"K"}}}}}`},
		{`{reachedOtherThan: [properties]}`, "", "x-k", ``, `{"x-k":"K"}`},
		{`{valueMatches: '^#/[^~]*$'}`, "", "x-k", `{"x-k":"#/a"}`, `{"x-k":"#/a~1b"}`},
		{`{valueMatches: '[.]'}`, "", "minimum", `{"minimum":1.5}`, `{"minimum":15}`},
		{`{valueMatches: ''}`, "", "const", `{"const":""}`, `{"const":[]}`},
		{`{valueRepeated: true}`, "/properties/a", "x-k", `{"properties":{"a":{"x-k":"Region"},"b":{"x-k":"REGION"}}}`, `{"properties":{"a":{"x-k":"Region"},"b":{"x-k":"Zone"}}}`},
		{`{valueRepeated: true}`, "/properties/a", "x-k", `{"properties":{"a":{"x-k":"k"},"b":{"items":{"x-k":"K"}}}}`, `{"properties":{"a":{"x-k":"k"},"x-k":{"title":"k"}}}`},
		{`{typeExcludesMember: true}`, "", "type", `{"type":"string","enum":["a",null]}`, `{"type":["string","null"],"enum":["a",null]}`},
		{`{typeExcludesMember: true}`, "", "type", `{"type":"integer","enum":[1.5]}`, `{"type":"integer","enum":[1,2.0]}`},
		{`{typeExcludesMember: true}`, "", "type", `{"type":"string","const":1}`, `{"type":"number","const":1}`},
		{`{typeExcludesMember: false}`, "", "type", `{"type":"string"}`, `{"type":"boolean","enum":[0]}`},
	}
	for _, c := range cases {
		t.Run(c.when+" "+c.holds+c.fails, func(t *testing.T) {
			t.Parallel()
			var w When
			if err := yaml.UnmarshalStrict([]byte(c.when), &w); err != nil {
				t.Fatal(err)
			}
			for text, want := range map[string]bool{c.holds: true, c.fails: false} {
				if text == "" {
					continue
				}
				s := schematest.Schema(t, text)
				at := place{schema: s, node: -1, keyword: c.keyword}
				for i := range s.Nodes() {
					if s.Nodes()[i].Pointer == c.pointer {
						at.node, at.value = i, s.Nodes()[i].Value.Get(c.keyword)
					}
				}
				if at.node < 0 {
					t.Fatalf("%s has no node %q", text, c.pointer)
				}
				if got := w.holds(&at); got != want {
					t.Errorf("%s of %s: %t, want %t", c.when, text, got, want)
				}
			}
		})
	}
}

func TestExpressionsThatAreNone(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{valueMatches: "("}`:     "reading expression",
		`{valueMatches: [a]}`:     "reading expression",
		`{typeHas: [text], x: 1}`: "unknown field",
	} {
		var w When
		if err := yaml.UnmarshalStrict([]byte(text), &w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
