// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"math/big"
	"slices"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// typesMeet finds the types that are left; it reports false if there are none.
func (m *meeting) typesMeet() bool {
	a, b := schema.Types(m.a), schema.Types(m.b)
	switch {
	case a == nil:
		m.types = b
	case b == nil:
		m.types = a
	default:
		m.types = meetTypes(a, b)
	}
	return m.types == nil || len(m.types) > 0
}

// meetTypes returns the types that are in both lists, in the order of the
// first; an integer is a number.
func meetTypes(a, b []string) []string {
	out := make([]string, 0, len(a))
	for _, t := range a {
		switch {
		case slices.Contains(b, t) || (t == "integer" && slices.Contains(b, "number")):
		case t == "number" && slices.Contains(b, "integer"):
			t = "integer"
		default:
			continue
		}
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func (m *meeting) addTypes() {
	for _, side := range []*schema.Value{m.a, m.b} {
		if t := side.Get("type"); t != nil && slices.Equal(schema.Types(side), m.types) {
			m.add("type", t)
			return
		}
	}
	m.add("type", typeValue(m.types))
}

// typeValue writes types: one as a word, more as a list.
func typeValue(types []string) *schema.Value {
	if len(types) == 1 {
		return schema.NewString(types[0])
	}
	words := make([]*schema.Value, len(types))
	for i, t := range types {
		words[i] = schema.NewString(t)
	}
	return schema.NewArray(words...)
}

// values intersects listed values, and leaves out those of other types. It
// reports whether any is left.
func (m *meeting) values() bool {
	m.done["enum"], m.done["const"] = true, true
	var left []*schema.Value
	first := true
	for _, list := range []*schema.Value{
		m.a.Get("enum"), constList(m.a.Get("const")), m.b.Get("enum"), constList(m.b.Get("const")),
	} {
		switch {
		case list == nil:
		case first:
			left, first = slices.Clone(list.Items()), false
		default:
			left = slices.DeleteFunc(left, func(v *schema.Value) bool { return !slices.ContainsFunc(list.Items(), v.Equal) })
		}
	}
	left = slices.DeleteFunc(left, func(v *schema.Value) bool { return m.types != nil && !isOfTypes(m.types, v) })
	if len(left) == 0 {
		return false
	}
	for _, side := range []*schema.Value{m.a, m.b} {
		if c := side.Get("const"); c != nil && len(left) == 1 {
			m.add("const", c)
			return true
		}
		if enum := side.Get("enum"); enum != nil && slices.Equal(enum.Items(), left) {
			m.add("enum", enum)
			return true
		}
	}
	m.add("enum", schema.NewArray(left...))
	return true
}

func constList(v *schema.Value) *schema.Value {
	if v == nil {
		return nil
	}
	return schema.NewArray(v)
}

func isOfTypes(types []string, v *schema.Value) bool {
	return slices.ContainsFunc(types, func(t string) bool { return isOfType(t, v) })
}

// one intersects two different values of a keyword that is read by itself.
func (m *meeting) one(name string, a, b *schema.Value) (*schema.Value, bool) {
	switch name {
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return greater(a, b), true
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		if greater(a, b) == a {
			return b, true
		}
		return a, true
	case "multipleOf":
		return commonMultiple(a, b)
	case "pattern":
		return m.patterns(a, b)
	case "uniqueItems":
		return schema.NewBool(a.IsTrue() || b.IsTrue()), true
	case "required":
		return union(a, b), true
	case "dependentRequired":
		return m.byName(a, b, func(x, y *schema.Value) (*schema.Value, bool) { return union(x, y), true })
	case "dependentSchemas":
		return m.byName(a, b, m.of)
	case "propertyNames":
		return m.of(a, b)
	case "not":
		return schema.NewObject(schema.Member{Name: "anyOf", Value: schema.NewArray(a, b)}), true
	}
	return nil, false
}

func greater(a, b *schema.Value) *schema.Value {
	if x, y := a.Rat(), b.Rat(); x != nil && y != nil && x.Cmp(y) < 0 {
		return b
	}
	return a
}

// commonMultiple is the least common multiple of two steps.
func commonMultiple(a, b *schema.Value) (*schema.Value, bool) {
	x, y := a.Rat(), b.Rat()
	if x == nil || y == nil || x.Sign() <= 0 || y.Sign() <= 0 {
		return nil, false
	}
	ad, cb := new(big.Int).Mul(x.Num(), y.Denom()), new(big.Int).Mul(y.Num(), x.Denom())
	gcd := new(big.Int).GCD(nil, nil, ad, cb)
	lcm := new(big.Int).Mul(new(big.Int).Quo(ad, gcd), cb)
	v, err := schema.NewRat(new(big.Rat).SetFrac(lcm, new(big.Int).Mul(x.Denom(), y.Denom())))
	return v, err == nil
}

// patterns keeps the one whose texts the other matches all.
func (m *meeting) patterns(a, b *schema.Value) (*schema.Value, bool) {
	p, q := m.schema.Pattern(a.Text()), m.schema.Pattern(b.Text())
	if p == nil || q == nil {
		return nil, false
	}
	if within, _ := pattern.Within(p, q, &m.comparing); within == pattern.Yes {
		return a, true
	}
	within, _ := pattern.Within(q, p, &m.comparing)
	return b, within == pattern.Yes
}

// union lists the members of a and then those of b that are not among them.
func union(a, b *schema.Value) *schema.Value {
	items := slices.Clone(a.Items())
	for _, v := range b.Items() {
		if !slices.ContainsFunc(items, v.Equal) {
			items = append(items, v)
		}
	}
	return schema.NewArray(items...)
}

// byName combines two objects name by name.
func (m *meeting) byName(a, b *schema.Value, combine func(x, y *schema.Value) (*schema.Value, bool)) (*schema.Value, bool) {
	members := slices.Clone(a.Members())
	for i, x := range members {
		if y := b.Get(x.Name); y != nil {
			combined, ok := combine(x.Value, y)
			if !ok {
				return nil, false
			}
			members[i].Value = combined
		}
	}
	for _, y := range b.Members() {
		if !a.Has(y.Name) {
			members = append(members, y)
		}
	}
	return schema.NewObject(members...), true
}
