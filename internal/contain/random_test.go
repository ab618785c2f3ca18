// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// grammar writes random schemas and instances over a small world, so that
// schemas often touch and instances often tell them apart.
type grammar struct{ *rand.Rand }

func newGrammar(seed uint64) grammar { return grammar{rand.New(rand.NewPCG(seed, 7))} }

func (g grammar) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g grammar) name() string    { return g.pick("a", "b", "c", "x-a") }
func (g grammar) number() string  { return g.pick("-1", "0", "0.5", "1", "2", "3", "4", "6") }
func (g grammar) length() string  { return g.pick("0", "1", "2", "3") }
func (g grammar) pattern() string { return g.pick("^a", "b$", "^x-", "[0-9]", "^[ab]*$", "(?=a)") }

// dependentRequired has up to three entries, so that chains and fans come up.
func (g grammar) dependentRequired(name func() string) string {
	members := map[string]string{}
	for range 1 + g.IntN(3) {
		members[name()] = fmt.Sprintf("[%q]", name())
	}
	return object(members)
}

// schema writes one schema; depth bounds its nesting. Definitions are d and e.
func (g grammar) schema(depth int) string {
	switch g.IntN(20) {
	case 0:
		return g.pick("true", "false")
	case 1:
		return `{"$ref":"#/$defs/` + g.pick("d", "e") + `"}`
	}
	members := map[string]string{}
	for range 1 + g.IntN(4) {
		name, value := g.keyword(depth)
		members[name] = value
	}
	if g.IntN(3) > 0 {
		members["type"] = g.types()
	}
	return object(members)
}

func object(members map[string]string) string {
	list := make([]string, 0, len(members))
	for name, value := range members {
		list = append(list, fmt.Sprintf("%q:%s", name, value))
	}
	slices.Sort(list)
	return "{" + strings.Join(list, ",") + "}"
}

func (g grammar) types() string {
	if g.IntN(4) == 0 {
		return g.pick(`["string","null"]`, `["integer","string"]`, `["object","array"]`, `["number","boolean"]`)
	}
	return fmt.Sprintf("%q", g.pick("object", "object", "object", "array", "string", "integer", "number", "boolean", "null"))
}

// keyword writes one keyword that needs no subschema, or one that does.
func (g grammar) keyword(depth int) (name, value string) {
	if depth > 0 && g.IntN(3) > 0 {
		return g.applicator(depth - 1)
	}
	switch g.IntN(20) {
	case 0:
		return "enum", "[" + g.instance(1) + "," + g.instance(1) + "," + g.instance(0) + "]"
	case 1:
		return "const", g.instance(1)
	case 2, 3:
		return g.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), g.number()
	case 4:
		return "multipleOf", g.pick("0.5", "1", "2", "3")
	case 5, 6:
		return g.pick("minLength", "maxLength"), g.length()
	case 7:
		return "pattern", fmt.Sprintf("%q", g.pattern())
	case 8:
		return "format", g.pick(`"date"`, `"email"`)
	case 9, 10:
		return g.pick("minItems", "maxItems"), g.length()
	case 11:
		return "uniqueItems", "true"
	case 12:
		return g.pick("minProperties", "maxProperties"), g.length()
	case 13, 14, 15:
		return "required", fmt.Sprintf("[%q]", g.name())
	case 16:
		return "dependentRequired", g.dependentRequired(g.name)
	case 17:
		return g.pick("minContains", "maxContains"), g.length()
	case 18:
		return g.pick("title", "x-note"), `"t"`
	default:
		return "additionalProperties", "false"
	}
}

func (g grammar) applicator(depth int) (name, value string) {
	one := func() string { return g.schema(depth) }
	list := func() string {
		parts := make([]string, 1+g.IntN(3))
		for i := range parts {
			parts[i] = one()
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	byName := func(names func() string) string {
		members := map[string]string{}
		for range 1 + g.IntN(3) {
			members[names()] = one()
		}
		return object(members)
	}
	switch g.IntN(22) {
	case 0, 1, 2, 3, 4:
		return "properties", byName(g.name)
	case 5:
		return "patternProperties", byName(g.pattern)
	case 6, 7:
		return "additionalProperties", one()
	case 8:
		return "propertyNames", one()
	case 9, 10:
		return "items", one()
	case 11:
		return "prefixItems", list()
	case 12:
		return "contains", one()
	case 13:
		return "allOf", list()
	case 14, 15:
		return "anyOf", list()
	case 16, 17:
		return "oneOf", list()
	case 18:
		return "not", one()
	case 19:
		return g.pick("if", "then", "else"), one()
	case 20:
		return "dependentSchemas", byName(g.name)
	default:
		return g.pick("unevaluatedProperties", "unevaluatedItems"), one()
	}
}

// document writes a schema with its definitions; e may refer to itself.
func (g grammar) document(depth int) string {
	defs := object(map[string]string{
		"d": g.pick(`{"type":"string"}`, `{"type":"integer","minimum":1}`, `{"enum":["a","b",null]}`),
		"e": g.pick(`{"type":"object","properties":{"a":{"$ref":"#/$defs/e"},"b":{"type":"integer"}}}`, `{"type":"array","items":{"$ref":"#/$defs/d"}}`),
	})
	body := g.schema(depth)
	switch body {
	case "true", "false":
		return body
	case "{}":
		return `{"$defs":` + defs + "}"
	}
	return body[:len(body)-1] + `,"$defs":` + defs + "}"
}

// instance writes one value.
func (g grammar) instance(depth int) string {
	kind := g.IntN(10)
	if depth == 0 {
		kind = g.IntN(6)
	}
	switch kind {
	case 0:
		return g.pick("null", "true", "false")
	case 1, 2:
		return g.number()
	case 3, 4, 5:
		return g.pick(`""`, `"a"`, `"b"`, `"ab"`, `"abc"`, `"a1"`, `"x-a"`, `"2026-01-02"`)
	case 6:
		items := make([]string, g.IntN(4))
		for i := range items {
			items[i] = g.instance(depth - 1)
		}
		return "[" + strings.Join(items, ",") + "]"
	default:
		members := map[string]string{}
		for range g.IntN(4) {
			members[g.name()] = g.instance(depth - 1)
		}
		return object(members)
	}
}

// mutate replaces one value, keyword or member of a document.
func (g grammar) mutate(document string) string {
	v, failed := schema.Parse([]byte(document))
	if failed != nil || v.Kind() != schema.Object {
		return document
	}
	return g.mutateNode(v, 3).JSON()
}

func (g grammar) mutateNode(node *schema.Value, depth int) *schema.Value {
	children := slices.DeleteFunc(schema.Children(node), func(c schema.Child) bool { return c.Value.Kind() != schema.Object })
	if len(children) > 0 && g.IntN(3) > 0 {
		c := children[g.IntN(len(children))]
		return replaceChild(node, c, g.mutateNode(c.Value, depth-1))
	}
	switch g.IntN(4) {
	case 0: // a keyword less
		if node.Len() > 0 {
			name := node.Members()[g.IntN(node.Len())].Name
			if name != "$defs" {
				return node.Without(name)
			}
		}
	case 1: // a member of a keyword less
		if node.Len() > 0 {
			m := node.Members()[g.IntN(node.Len())]
			if m.Value.Kind() == schema.Object && m.Value.Len() > 1 && m.Name != "$defs" {
				return node.With(m.Name, m.Value.Without(m.Value.Members()[0].Name))
			}
			if m.Value.Kind() == schema.Array && m.Value.Len() > 1 {
				return node.With(m.Name, schema.NewArray(m.Value.Items()[1:]...))
			}
		}
	}
	name, value := g.keyword(max(depth, 0))
	parsed, failed := schema.Parse([]byte(value))
	if failed != nil {
		return node
	}
	return node.With(name, parsed)
}

func replaceChild(node *schema.Value, c schema.Child, with *schema.Value) *schema.Value {
	held := node.Get(c.Keyword.Name)
	switch c.Keyword.Shape {
	case schema.Map:
		return node.With(c.Keyword.Name, held.With(c.Token, with))
	case schema.List:
		items := slices.Clone(held.Items())
		for i, item := range items {
			if item == c.Value {
				items[i] = with
			}
		}
		return node.With(c.Keyword.Name, schema.NewArray(items...))
	default:
		return node.With(c.Keyword.Name, with)
	}
}
