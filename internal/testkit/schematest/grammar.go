// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// Grammar writes random schemas over every keyword that decides about
// instances, and instances beside them, over a small world: few names, numbers
// and texts, so that schemas often touch and instances often tell them apart.
// Unlike [Random] it writes what no author would. The same seed writes the same.
type Grammar struct{ *rand.Rand }

// NewGrammar returns a grammar for a seed.
func NewGrammar(seed uint64) Grammar {
	return Grammar{rand.New(rand.NewPCG(seed, 7))} //nolint:gosec // repeatable on purpose
}

// Pick returns one of the texts.
func (g Grammar) Pick(list ...string) string { return list[g.IntN(len(list))] }

func (g Grammar) name() string {
	return g.Pick("a", "a", "a", "b", "b", "c", "x-a", "é", "10", "")
}

// DependentRequired writes up to three entries, so that chains and fans come up.
func (g Grammar) DependentRequired(name func() string) string {
	members := map[string]string{}
	for range 1 + g.IntN(3) {
		members[name()] = fmt.Sprintf("[%q]", name())
	}
	return Object(members)
}

func (g Grammar) number() string {
	return g.Pick("-1", "0", "0.5", "1", "2", "3", "4", "6", "0.3", "1.0", "-0.5", "1e3", "9007199254740993", "1e20", "0.001")
}

func (g Grammar) step() string { return g.Pick("0.5", "1", "2", "3", "0.1", "0.01", "0.3", "6", "1e3") }

// Length writes a small count, for bounds of lengths, items and members.
func (g Grammar) Length() string { return g.Pick("0", "1", "1", "2", "3") }

func (g Grammar) pattern() string {
	return g.Pick("^a", "b$", "^x-", "[0-9]", "^[ab]*$", "(?=a)", "^.$", `^\d+$`, "^(a|b)c?$", `^\p{L}+$`, "é", "^[^a]*$", "^a{2,3}$", "^$", `^\w+$`)
}

func (g Grammar) text() string {
	return g.Pick("", "a", "b", "c", "ab", "bc", "abc", "aa", "a1", "x-a", "é", "𝒳", "10", "a b",
		"2026-01-02", "2026-01-02T03:04:05Z", "me@example.com", "192.0.2.1", "0b0f7d7e-8f0e-4c52-9d2f-8a8f7e0f7a11")
}

// definitions are the names that [Grammar.Definitions] writes.
var definitions = []string{"d", "f", "e", "t", "n"}

// Schema writes one schema; depth bounds its nesting. It may refer to what
// [Grammar.Definitions] writes.
func (g Grammar) Schema(depth int) string {
	switch g.IntN(24) {
	case 0:
		return g.Pick("true", "false", "{}")
	case 1, 2:
		return fmt.Sprintf(`{"$ref":"#/$defs/%s"}`, g.Pick(definitions...))
	case 3:
		return fmt.Sprintf(`{"$ref":%q}`, g.Pick("#/$defs/e/properties/b", "#/$defs/t/items", "#/$defs/e", "#"))
	}
	members := map[string]string{}
	for range 1 + g.IntN(4) {
		name, value := g.keyword(depth)
		members[name] = value
	}
	if g.IntN(3) > 0 {
		members["type"] = g.types()
	}
	return Object(members)
}

func (g Grammar) types() string {
	if g.IntN(4) == 0 {
		return g.Pick(`["string","null"]`, `["integer","string"]`, `["object","array"]`, `["number","boolean"]`, `["object","null"]`, `["integer","null","array"]`)
	}
	return fmt.Sprintf("%q", g.Pick("object", "object", "object", "object", "array", "array", "string", "string", "integer", "number", "boolean", "null"))
}

// keyword writes one keyword that needs no subschema, or one that does.
func (g Grammar) keyword(depth int) (name, value string) {
	if depth > 0 && g.IntN(3) > 0 {
		return g.applicator(depth - 1)
	}
	switch g.IntN(24) {
	case 0, 1:
		return "enum", "[" + g.instance(1) + "," + g.instance(1) + "," + g.instance(0) + "]"
	case 2:
		return "const", g.instance(1)
	case 3, 4, 5:
		return g.Pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), g.number()
	case 6, 7:
		return "multipleOf", g.step()
	case 8, 9:
		return g.Pick("minLength", "maxLength"), g.Length()
	case 10, 11:
		return "pattern", fmt.Sprintf("%q", g.pattern())
	case 12:
		return "format", fmt.Sprintf("%q", g.Pick("date", "date-time", "email", "ipv4", "uuid"))
	case 13:
		return g.Pick("minItems", "maxItems"), g.Length()
	case 14:
		return "uniqueItems", "true"
	case 15:
		return g.Pick("minProperties", "maxProperties"), g.Length()
	case 16, 17, 18:
		return "required", fmt.Sprintf("[%q]", g.name())
	case 19:
		return "dependentRequired", g.DependentRequired(g.name)
	case 20:
		return g.Pick("minContains", "maxContains"), g.Length()
	case 21:
		return g.Pick("title", "x-note", "contentEncoding"), `"t"`
	default:
		return "additionalProperties", "false"
	}
}

func (g Grammar) applicator(depth int) (name, value string) {
	one := func() string { return g.Schema(depth) }
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
		return Object(members)
	}
	switch g.IntN(25) {
	case 0, 1, 2, 3, 4:
		return "properties", byName(g.name)
	case 5, 6:
		return "patternProperties", byName(g.pattern)
	case 7, 8:
		return "additionalProperties", one()
	case 9:
		return "propertyNames", one()
	case 10, 11:
		return "items", one()
	case 12:
		return "prefixItems", list()
	case 13, 14:
		return "contains", one()
	case 15:
		return "allOf", list()
	case 16, 17:
		return "anyOf", list()
	case 18, 19:
		return "oneOf", list()
	case 20:
		return "not", one()
	case 21:
		return g.Pick("then", "else", "if", "if"), one()
	case 22:
		return "dependentSchemas", byName(g.name)
	default:
		return g.Pick("unevaluatedProperties", "unevaluatedItems"), g.Pick("false", one())
	}
}

// Document writes a schema with its definitions; depth bounds its nesting. It may
// not be admitted: a reference may come back to its own place.
func (g Grammar) Document(depth int) *schema.Value {
	defs := g.Definitions()
	body := parse(g.Schema(depth))
	if body.Kind() == schema.Bool {
		return body
	}
	return body.With("$defs", parse(defs))
}

// Definitions writes the $defs that schemas may refer to; three of them refer to
// themselves below a property or an item.
func (g Grammar) Definitions() string {
	return Object(map[string]string{
		"d": g.Pick(`{"type":"string"}`, `{"type":"integer","minimum":1}`, `{"enum":["a","b",null]}`),
		"f": g.Schema(1),
		"e": g.Pick(`{"type":"object","properties":{"a":{"$ref":"#/$defs/e"},"b":{"type":"integer"}}}`,
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/e"},"b":{"type":"integer"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/e"},{"type":"null"}]},"b":{"$ref":"#/$defs/d"}},"required":["a"]}`),
		"t": g.Pick(`{"type":"array","items":{"$ref":"#/$defs/t"}}`, `{"type":["array","null"],"items":{"$ref":"#/$defs/t"},"maxItems":2}`, `{"type":"array","items":{"$ref":"#/$defs/d"}}`),
		"n": g.Pick(`{"type":"object","additionalProperties":{"$ref":"#/$defs/n"}}`, `{"anyOf":[{"type":"integer"},{"type":"array","items":{"$ref":"#/$defs/n"}}]}`),
	})
}

// parse reads what the grammar wrote itself.
func parse(text string) *schema.Value {
	v, failed := schema.Parse([]byte(text))
	if failed != nil {
		panic("the grammar wrote " + text + ": " + failed.Message) //nolint:forbidigo // a mistake of this file
	}
	return v
}

// Instance writes a value.
func (g Grammar) Instance() *schema.Value { return parse(g.instance(3)) }

func (g Grammar) instance(depth int) string {
	kind := g.IntN(10)
	if depth == 0 {
		kind = g.IntN(6)
	}
	switch kind {
	case 0:
		return g.Pick("null", "true", "false")
	case 1, 2:
		return g.number()
	case 3, 4, 5:
		return fmt.Sprintf("%q", g.text())
	case 6, 7:
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
		return Object(members)
	}
}

// Vary writes a value near another one: with a member or an item more or less,
// or with another scalar somewhere.
func (g Grammar) Vary(v *schema.Value) *schema.Value {
	switch v.Kind() {
	case schema.Object:
		if n := v.Len(); n > 0 && g.IntN(4) > 0 {
			m := v.Members()[g.IntN(n)]
			if g.IntN(3) == 0 {
				return v.Without(m.Name)
			}
			return v.With(m.Name, g.Vary(m.Value))
		}
		return v.With(g.name(), parse(g.instance(1)))
	case schema.Array:
		items := slices.Clone(v.Items())
		if n := len(items); n > 0 && g.IntN(4) > 0 {
			i := g.IntN(n)
			switch g.IntN(4) {
			case 0:
				return schema.NewArray(slices.Delete(items, i, i+1)...)
			case 1:
				return schema.NewArray(slices.Insert(items, i, items[i])...)
			default:
				items[i] = g.Vary(items[i])
				return schema.NewArray(items...)
			}
		}
		return schema.NewArray(append(items, parse(g.instance(1)))...)
	default:
		return parse(g.instance(1))
	}
}

// Mutate changes one keyword, or a member of one, somewhere in a schema.
func (g Grammar) Mutate(v *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	return g.mutate(v, 3)
}

func (g Grammar) mutate(node *schema.Value, depth int) *schema.Value {
	children := slices.DeleteFunc(schema.Children(node), func(c schema.Child) bool { return c.Value.Kind() != schema.Object })
	if len(children) > 0 && g.IntN(3) > 0 {
		chosen := children[g.IntN(len(children))]
		var out schema.Fields
		for _, m := range node.Members() {
			out = append(out, schema.MapChildren(m, func(c schema.Child) *schema.Value {
				if c.Value != chosen.Value {
					return c.Value
				}
				return g.mutate(c.Value, depth-1)
			}))
		}
		return out.Object()
	}
	if node.Len() > 0 {
		m := node.Members()[g.IntN(node.Len())]
		switch g.IntN(4) {
		case 0: // a keyword less
			if m.Name != "$defs" {
				return node.Without(m.Name)
			}
		case 1: // a member of a keyword less
			if m.Value.Kind() == schema.Object && m.Value.Len() > 1 && m.Name != "$defs" {
				return node.With(m.Name, m.Value.Without(m.Value.Members()[0].Name))
			}
			if m.Value.Kind() == schema.Array && m.Value.Len() > 1 {
				return node.With(m.Name, schema.NewArray(m.Value.Items()[1:]...))
			}
		}
	}
	name, value := g.keyword(max(depth, 0))
	return node.With(name, parse(value))
}
