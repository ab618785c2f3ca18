// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
)

// A mutation edits one keyword of one node in a known direction: the schema
// admits at least what it admitted, or at most.
type mutation struct {
	name  string
	wider bool
	// edit returns the node after the edit; ok is false where there is nothing to
	// edit.
	edit func(g grammar, n *schema.Value) (*schema.Value, bool)
}

// assertions are the keywords that only forbid, whatever stands beside them.
// Those that others look at (properties, contains, minContains) are not.
var assertions = []string{
	"type", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum",
	"multipleOf", "propertyNames", "required", "dependentRequired", "dependentSchemas", "minProperties", "maxProperties",
	"minItems", "maxItems", "uniqueItems", "allOf", "anyOf", "oneOf", "not", "maxContains", "additionalProperties",
}

var mutations = []mutation{
	{"a keyword taken away", true, func(g grammar, n *schema.Value) (*schema.Value, bool) {
		held := slices.DeleteFunc(slices.Clone(assertions), func(k string) bool { return !n.Has(k) })
		if len(held) == 0 {
			return nil, false
		}
		return n.Without(held[g.IntN(len(held))]), true
	}},
	{"a keyword added", false, func(g grammar, n *schema.Value) (*schema.Value, bool) {
		for _, m := range g.Document(3).Members() {
			if slices.Contains(assertions, m.Name) && !n.Has(m.Name) && !refersToRoot(object(m)) {
				return n.With(m.Name, m.Value), true
			}
		}
		return nil, false
	}},
	{"a lower bound lowered", true, shift(-1, "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")},
	{"an upper bound lowered", false, shift(-1, "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")},
	{"an upper bound raised", true, shift(1, "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties", "maxContains")},
	{"a lower bound raised", false, shift(1, "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")},
	{"a multiple made finer", true, func(_ grammar, n *schema.Value) (*schema.Value, bool) { return scale(n, big.NewRat(1, 2)) }},
	{"a multiple made coarser", false, func(_ grammar, n *schema.Value) (*schema.Value, bool) { return scale(n, big.NewRat(3, 1)) }},
	{"a listed value added", true, func(g grammar, n *schema.Value) (*schema.Value, bool) { return grow(n, "enum", g.Instance()) }},
	{"a listed value taken away", false, func(_ grammar, n *schema.Value) (*schema.Value, bool) { return cut(n, "enum") }},
	{"an alternative added", true, func(g grammar, n *schema.Value) (*schema.Value, bool) { return grow(n, "anyOf", g.member()) }},
	{"an alternative taken away", false, func(_ grammar, n *schema.Value) (*schema.Value, bool) { return cut(n, "anyOf") }},
	{"a part of allOf added", false, func(g grammar, n *schema.Value) (*schema.Value, bool) { return grow(n, "allOf", g.member()) }},
	{"a part of allOf taken away", true, func(_ grammar, n *schema.Value) (*schema.Value, bool) { return cut(n, "allOf") }},
	{"a name required", false, func(_ grammar, n *schema.Value) (*schema.Value, bool) {
		return grow(n, "required", schema.NewString("a"))
	}},
	{"a name no longer required", true, func(_ grammar, n *schema.Value) (*schema.Value, bool) { return cut(n, "required") }},
	{"undeclared names closed", false, func(_ grammar, n *schema.Value) (*schema.Value, bool) {
		return n.With("additionalProperties", schema.NewBool(false)), n.Has("properties")
	}},
	{"a type added", true, func(_ grammar, n *schema.Value) (*schema.Value, bool) {
		t := n.Get("type")
		if t == nil || t.Kind() != schema.String || t.Text() == "null" {
			return nil, false
		}
		return n.With("type", schema.NewArray(t, schema.NewString("null"))), true
	}},
	{"integer made number", true, func(_ grammar, n *schema.Value) (*schema.Value, bool) {
		t := n.Get("type")
		return n.With("type", schema.NewString("number")), t != nil && t.Kind() == schema.String && t.Text() == "integer"
	}},
	{"number made integer", false, func(_ grammar, n *schema.Value) (*schema.Value, bool) {
		t := n.Get("type")
		return n.With("type", schema.NewString("integer")), t != nil && t.Kind() == schema.String && t.Text() == "number"
	}},
}

// member draws a schema to stand among others; it refers to nothing.
func (g grammar) member() *schema.Value {
	for {
		if v := g.Document(3); v.Kind() == schema.Object && !uses(v.Without("$defs"), "$ref", "unevaluatedProperties", "unevaluatedItems") {
			return v.Without("$defs")
		}
	}
}

// shift moves the first of some bounds that is there.
func shift(by int64, keywords ...string) func(grammar, *schema.Value) (*schema.Value, bool) {
	return func(_ grammar, n *schema.Value) (*schema.Value, bool) {
		for _, k := range keywords {
			bound := n.Get(k)
			if bound == nil {
				continue
			}
			moved, err := schema.NewRat(new(big.Rat).Add(bound.Rat(), big.NewRat(by, 1)))
			if err != nil || moved.Rat().Sign() < 0 && k[3] != 'i' && k[0] != 'e' && k != "maximum" { // a count
				return nil, false
			}
			return n.With(k, moved), true
		}
		return nil, false
	}
}

func scale(n *schema.Value, by *big.Rat) (*schema.Value, bool) {
	step := n.Get("multipleOf")
	if step == nil {
		return nil, false
	}
	scaled, err := schema.NewRat(new(big.Rat).Mul(step.Rat(), by))
	return n.With("multipleOf", scaled), err == nil
}

// grow adds an item to a list that is there.
func grow(n *schema.Value, keyword string, item *schema.Value) (*schema.Value, bool) {
	held := n.Get(keyword)
	if held == nil || slices.ContainsFunc(held.Items(), item.Equal) {
		return nil, false
	}
	return n.With(keyword, schema.NewArray(append(slices.Clone(held.Items()), item)...)), true
}

// cut takes the last of several items.
func cut(n *schema.Value, keyword string) (*schema.Value, bool) {
	held := n.Get(keyword)
	if held == nil || held.Len() < 2 {
		return nil, false
	}
	return n.With(keyword, schema.NewArray(held.Items()[:held.Len()-1]...)), true
}

// positive are the places that widen what is above them when they widen.
var positive = []string{"properties", "patternProperties", "additionalProperties", "items", "prefixItems", "allOf", "anyOf", "then", "else", "dependentSchemas"}

// mutate edits one node that is reached through positive places only; nil where
// the edit finds nothing to do.
func (g grammar) mutate(v *schema.Value, m mutation) *schema.Value {
	if v.Kind() != schema.Object {
		return nil
	}
	children := slices.DeleteFunc(schema.Children(v), func(c schema.Child) bool {
		return c.Value.Kind() != schema.Object || !slices.Contains(positive, c.Keyword.Name)
	})
	if len(children) > 0 && g.IntN(4) > 0 {
		chosen := children[g.IntN(len(children))]
		below := g.mutate(chosen.Value, m)
		if below != nil {
			var out schema.Fields
			for _, held := range v.Members() {
				out = append(out, schema.MapChildren(held, func(c schema.Child) *schema.Value {
					if c.Value == chosen.Value && c.Keyword.Name == chosen.Keyword.Name && c.Token == chosen.Token {
						return below
					}
					return c.Value
				}))
			}
			return out.Object()
		}
	}
	if edited, ok := m.edit(g, v); ok {
		return edited
	}
	return nil
}

// A mutation with a known sign is never answered with the opposite sign.
func TestMutationsKeepTheirSign(t *testing.T) {
	t.Parallel()
	var lock sync.Mutex
	asked, unknown := map[string]int{}, map[string]int{}
	each(lawFamilies()*10, func(seed int) {
		g := newGrammar(uint64(seed))
		v := g.document()
		// A reference may lead into the edited place from a negative one, and
		// what is evaluated depends on what is accepted.
		if refersToRoot(v) || uses(v, "unevaluatedProperties", "unevaluatedItems") {
			return
		}
		a, ok := admit(v)
		if !ok {
			return
		}
		for _, m := range mutations {
			edited := g.mutate(v, m)
			if edited == nil {
				continue
			}
			b, ok := admit(edited)
			if !ok || a.Digest() == b.Digest() {
				continue
			}
			narrow, wide := a, b
			if !m.wider {
				narrow, wide = b, a
			}
			r := contain.Contains(narrow, wide)
			lock.Lock()
			asked[m.name]++
			if r.Answer == contain.Unknown {
				unknown[m.name]++
			}
			lock.Unlock()
			if r.Answer == contain.Refuted || r.Defect {
				t.Errorf("seed %d, %s: %s %s\nA %s\nB %s", seed, m.name, r.Answer, r.Reason, narrow.Root().JSON(), wide.Root().JSON())
			}
		}
	})
	total, none := 0, 0
	for _, m := range mutations {
		total, none = total+asked[m.name], none+unknown[m.name]
		t.Logf("%5d %5d Unknown  %s", asked[m.name], unknown[m.name], m.name)
		if asked[m.name] == 0 {
			t.Errorf("%s never happens", m.name)
		}
	}
	t.Logf("%d mutations, %d Unknown (%.1f %%)", total, none, 100*float64(none)/float64(max(total, 1)))
}
