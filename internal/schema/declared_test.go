// SPDX-License-Identifier: Apache-2.0

package schema_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// declaredCases are documents with their closed and opened forms; empty is the
// document itself.
var declaredCases = map[string]struct{ in, closed, opened string }{
	"an open object": {
		in:     `{"type":"object","properties":{"a":{"type":"string"}}}`,
		closed: `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
	},
	"a closed object": {
		in:     `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
		opened: `{"type":"object","properties":{"a":{"type":"string"}}}`,
	},
	"objects inside objects, items and maps": {
		in: `{"properties":{"a":{"properties":{"b":{}}},"l":{"items":{"properties":{"c":{}}}},"m":{"type":"object","additionalProperties":{"properties":{"d":{}}}}}}`,
		closed: `{"properties":{"a":{"properties":{"b":{}},"additionalProperties":false},"l":{"items":{"properties":{"c":{}},"additionalProperties":false}},` +
			`"m":{"type":"object","additionalProperties":{"properties":{"d":{}},"additionalProperties":false}}},"additionalProperties":false}`,
	},
	"a free-form object":                    {in: `{"type":"object"}`},
	"a free-form object that lists nothing": {in: `{"type":"object","properties":{}}`},
	"a free-form object inside": {
		in:     `{"properties":{"a":{"type":"object"}}}`,
		closed: `{"properties":{"a":{"type":"object"}},"additionalProperties":false}`,
	},
	"an object that says what else it takes":  {in: `{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`},
	"an object that says that it takes more":  {in: `{"properties":{"a":{}},"additionalProperties":true}`},
	"an object that says what is unevaluated": {in: `{"properties":{"a":{}},"unevaluatedProperties":true}`},
	"patterns declare": {
		in:     `{"patternProperties":{"^x-":{}}}`,
		closed: `{"patternProperties":{"^x-":{}},"additionalProperties":false}`,
	},
	"alternatives beside properties": {
		in:     `{"properties":{"a":{}},"anyOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}]}`,
		closed: `{"properties":{"a":{}},"unevaluatedProperties":false,"anyOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}]}`,
	},
	"alternatives only": {
		in:     `{"anyOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}]}`,
		closed: `{"unevaluatedProperties":false,"anyOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}]}`,
	},
	"what must not hold declares nothing": {
		in:     `{"properties":{"a":{}},"not":{"properties":{"b":{"const":1}},"required":["b"]}}`,
		closed: `{"properties":{"a":{}},"additionalProperties":false,"not":{"properties":{"b":{"const":1}},"required":["b"]}}`,
	},
	"a condition declares": {
		in:     `{"properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}}}}`,
		closed: `{"properties":{"a":{}},"unevaluatedProperties":false,"if":{"required":["a"]},"then":{"properties":{"b":{}}}}`,
	},
	"an object or null": {
		in:     `{"properties":{"a":{"anyOf":[{"type":"object","properties":{"b":{}}},{"type":"null"}]}}}`,
		closed: `{"properties":{"a":{"anyOf":[{"type":"object","properties":{"b":{}},"additionalProperties":false},{"type":"null"}]}},"additionalProperties":false}`,
	},
	"a closed object or null": {
		in:     `{"properties":{"a":{"oneOf":[{"type":"object","properties":{"b":{}},"additionalProperties":false},{"type":"null"}]}},"additionalProperties":true}`,
		opened: `{"properties":{"a":{"oneOf":[{"type":"object","properties":{"b":{}}},{"type":"null"}]}},"additionalProperties":true}`,
	},
	"a definition that only members use": {
		in:     `{"properties":{"a":{"$ref":"#/$defs/d","description":"x"},"b":{"$ref":"#/$defs/d"}},"$defs":{"d":{"properties":{"c":{}}}}}`,
		closed: `{"properties":{"a":{"$ref":"#/$defs/d","description":"x"},"b":{"$ref":"#/$defs/d"}},"additionalProperties":false,"$defs":{"d":{"properties":{"c":{}},"additionalProperties":false}}}`,
	},
	"a definition that is used in place and as a member": {
		in:     `{"properties":{"a":{"$ref":"#/$defs/d"}},"allOf":[{"$ref":"#/$defs/d"},{"properties":{"e":{}}}],"$defs":{"d":{"properties":{"c":{}}}}}`,
		closed: `{"properties":{"a":{"$ref":"#/$defs/d","unevaluatedProperties":false}},"unevaluatedProperties":false,"allOf":[{"$ref":"#/$defs/d"},{"properties":{"e":{}}}],"$defs":{"d":{"properties":{"c":{}}}}}`,
	},
	"recursion": {
		in:     `{"properties":{"next":{"$ref":"#"},"v":{}}}`,
		closed: `{"properties":{"next":{"$ref":"#"},"v":{}},"additionalProperties":false}`,
	},
	"recursion that adds members": {
		in: `{"$id":"https://example.com/s","properties":{"v":{"properties":{"w":{}}},"next":{"allOf":[{"$ref":"#"},{"properties":{"u":{}}}]}},"required":["v"]}`,
		closed: `{"$id":"https://example.com/s","properties":{"v":{"properties":{"w":{}},"additionalProperties":false},` +
			`"next":{"unevaluatedProperties":false,"allOf":[{"$ref":"#/$defs/declared-1"},{"properties":{"u":{}}}]}},"required":["v"],"additionalProperties":false,` +
			`"$defs":{"declared-1":{"properties":{"v":{"$ref":"#/properties/v"},"next":{"$ref":"#/properties/next"}},"required":["v"]}}}`,
	},
	"recursion through what must not hold": {
		in: `{"properties":{"a":{"properties":{"b":{}}}},"not":{"properties":{"c":{"$ref":"#"}},"required":["c"]}}`,
		closed: `{"properties":{"a":{"properties":{"b":{}}}},"additionalProperties":false,"not":{"properties":{"c":{"$ref":"#/$defs/declared-1"}},"required":["c"]},` +
			`"$defs":{"declared-1":{"properties":{"a":{"$ref":"#/properties/a"}},"not":{"$ref":"#/not"}}}}`,
	},
	"a member that two branches describe": {
		in:     `{"allOf":[{"properties":{"a":{"properties":{"b":{}}}}},{"properties":{"a":{"properties":{"c":{}}}}}]}`,
		closed: `{"unevaluatedProperties":false,"allOf":[{"properties":{"a":{"properties":{"b":{}}}}},{"properties":{"a":{"properties":{"c":{}}}}}]}`,
	},
	"a member that another branch only types": {
		in:     `{"allOf":[{"properties":{"a":{"properties":{"b":{}}}}},{"properties":{"a":{"type":"object","description":"x"}}}]}`,
		closed: `{"unevaluatedProperties":false,"allOf":[{"properties":{"a":{"properties":{"b":{}},"additionalProperties":false}}},{"properties":{"a":{"type":"object","description":"x"}}}]}`,
	},
	"below alternatives that may overlap": {
		in:     `{"oneOf":[{"properties":{"a":{"properties":{"b":{}}}}},{"properties":{"a":{"properties":{"c":{}}}}}]}`,
		closed: `{"unevaluatedProperties":false,"oneOf":[{"properties":{"a":{"properties":{"b":{}}}}},{"properties":{"a":{"properties":{"c":{}}}}}]}`,
	},
	"minProperties keeps an object closed": {in: `{"properties":{"a":{}},"minProperties":1,"additionalProperties":false}`},
	"a mentioned name keeps an object closed": {
		in: `{"properties":{"a":{}},"anyOf":[{"properties":{"b":{"type":"string"}}},{"required":["a"]}],"additionalProperties":false}`,
	},
	"closed over all branches": {
		in:     `{"allOf":[{"properties":{"a":{}}},{"$ref":"#/$defs/d"}],"unevaluatedProperties":false,"$defs":{"d":{"properties":{"b":{}}}}}`,
		opened: `{"allOf":[{"properties":{"a":{}}},{"$ref":"#/$defs/d"}],"$defs":{"d":{"properties":{"b":{}}}}}`,
	},
	"closed items that must be unique stay closed": {
		in: `{"items":{"properties":{"a":{}},"additionalProperties":false},"uniqueItems":true}`,
	},
}

func TestClosedAndOpened(t *testing.T) {
	t.Parallel()
	for name, c := range declaredCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, c.in)
			for form, check := range map[string]struct {
				got  *schema.Schema
				want string
			}{"closed": {s.Closed(), c.closed}, "opened": {s.Opened(), c.opened}} {
				want := s
				if check.want != "" {
					want = schematest.Schema(t, check.want)
				}
				if diff := cmp.Diff(want.Root().JSON(), check.got.Root().JSON()); diff != "" {
					t.Errorf("%s (-want +got):\n%s", form, diff)
				}
				if _, invalid := check.got.Compile(); len(invalid) > 0 {
					t.Errorf("%s: %v", form, invalid)
				}
			}
			if closed, opened := s.Closed(), s.Opened(); closed != s.Closed() || opened != s.Opened() {
				t.Error("the forms are made more than once")
			}
		})
	}
}

// A document may already have the names that copies get.
func TestCopiesTakeNoNameThatIsThere(t *testing.T) {
	t.Parallel()
	s := schematest.Schema(t, `{"properties":{"next":{"allOf":[{"$ref":"#"},{"properties":{"u":{}}}]}},"$defs":{"declared-1":{"type":"string"}}}`)
	closed := s.Closed().Root()
	if got := closed.Get("$defs").Get("declared-1").JSON(); got != `{"type":"string"}` {
		t.Errorf("the definition became %s", got)
	}
	if closed.Get("$defs").Get("declared-2") == nil {
		t.Errorf("there is no copy in %s", closed.JSON())
	}
}

func TestProject(t *testing.T) {
	t.Parallel()
	const person = `{"type":"object","properties":{"name":{"type":"string"},"boss":{"$ref":"#"},"tags":{"type":"object"},
		"homes":{"type":"array","items":{"type":"object","properties":{"city":{}},"additionalProperties":false}}},"patternProperties":{"^x-":{}}}`
	cases := map[string]struct{ schema, in, want string }{
		"nothing to leave out":              {person, `{"name":"a","x-b":1}`, ``},
		"a member of the root":              {person, `{"b":1,"name":"a","c":2}`, `{"name":"a"}`},
		"members below":                     {person, `{"boss":{"b":1,"boss":{"name":"a","c":1}}}`, `{"boss":{"boss":{"name":"a"}}}`},
		"members of items":                  {person, `{"homes":[{"city":1},{"zip":1,"city":2},3]}`, `{"homes":[{"city":1},{"city":2},3]}`},
		"a free-form object keeps all":      {person, `{"tags":{"a":1}}`, ``},
		"what is no object":                 {person, `[{"a":1}]`, ``},
		"names that are only required stay": {`{"properties":{"a":{}},"required":["b"]}`, `{"a":1,"b":1,"c":1}`, `{"a":1,"b":1}`},
		"an object that is open says so":    {`{"properties":{"a":{}},"additionalProperties":true}`, `{"b":1}`, ``},
		"an object that counts":             {`{"properties":{"a":{}},"minProperties":2}`, `{"a":1,"b":1}`, ``},
		"alternatives keep what any declares": {
			`{"anyOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`, `{"a":1,"b":1,"c":1}`, `{"a":1,"b":1}`,
		},
		"the alternative that admits objects": {
			`{"anyOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false},{"type":"null"}]}`, `{"a":1,"b":1}`, `{"a":1}`,
		},
		"what two branches describe stays": {
			`{"allOf":[{"properties":{"a":{"properties":{"b":{}}}}},{"properties":{"a":{"properties":{"c":{}}}}}]}`, `{"a":{"b":1,"c":1,"d":1},"e":1}`, `{"a":{"b":1,"c":1,"d":1}}`,
		},
		"maps and tuples": {
			`{"additionalProperties":{"prefixItems":[{"properties":{"a":{}}}],"items":{"properties":{"b":{}}}}}`,
			`{"k":[{"a":1,"b":1},{"a":1,"b":1}]}`, `{"k":[{"a":1},{"b":1}]}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := schematest.Value(t, c.in)
			got := schematest.Schema(t, c.schema).Project(in)
			if c.want == "" && got != in {
				t.Errorf("it became %s", got.JSON())
			}
			if c.want != "" {
				if diff := cmp.Diff(c.want, got.JSON()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// Documents at the limits of admission still have their forms, in bounded work.
func TestTheLargestDocumentsHaveTheirForms(t *testing.T) {
	t.Parallel()
	many := func(n int, format string) string { return strings.TrimSuffix(strings.Repeat(format+",", n), ",") }
	for name, text := range map[string]string{
		"many places over one large group": `{"items":{"prefixItems":[` + many(1500, `{"$ref":"#/$defs/d","minProperties":1}`) + `]},"$defs":{"d":{"allOf":[` + many(5, `{"properties":{"a":{}}}`) + `]}}}`,
		"a deep document":                  strings.Repeat(`{"properties":{"a":`, 60) + `{}` + strings.Repeat(`}}`, 60),
		"a long chain":                     `{"properties":{"a":{"allOf":[` + many(200, `{"properties":{"a":{"$ref":"#"}}}`) + `]}}}`,
		"many patterns":                    `{"patternProperties":{` + numbered(400, `"^a%d":{"properties":{"b":{}}}`) + `},"properties":{` + numbered(400, `"a%d":{"properties":{"b":{}}}`) + `}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, text)
			if len(s.Closed().Nodes()) < len(s.Nodes()) {
				t.Error("the closed form has fewer nodes")
			}
			s.Opened()
			s.Project(schematest.Value(t, `{"a":{"b":1}}`))
		})
	}
}
