// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/schema"
)

// Encode gives a value of the author's schema the form that the adapted schema
// asks for: absent members become null, maps become pairs. Decoded, it is the
// value again; ok is false if it has no such form. Whether the adapted schema
// admits it is for its validator to say, since it may admit fewer values.
func (r Result) Encode(v *schema.Value) (written *schema.Value, ok bool) {
	if r.encoder == nil {
		return v, true
	}
	written = r.encoder.encode(0, v)
	back, err := r.Decode.Apply(written)
	if err != nil || !back.Equal(v) {
		return nil, false
	}
	return written, true
}

// encoder carries a plan out on values.
type encoder struct {
	*plan
	left int
}

// maxEncode bounds how many schemas are compared with parts of a value to find
// the alternative that it was written for.
const maxEncode = 100_000

func (e *encoder) encode(i int, v *schema.Value) *schema.Value {
	work := encoder{plan: e.plan, left: maxEncode}
	return work.value(i, v)
}

// value writes a value for node i. Among alternatives it takes the first that
// the value fits.
func (e *encoder) value(i int, v *schema.Value) *schema.Value {
	if !e.graph.changes[i] || !isContainer(v) {
		return v
	}
	leaf, ok := e.leafFor(i, v)
	switch {
	case !ok:
		return v
	case e.pairs[leaf] && v.Kind() == schema.Object:
		return e.entries(leaf, v)
	case v.Kind() == schema.Object:
		return e.object(leaf, v)
	case v.Kind() == schema.Array:
		return e.items(leaf, v)
	default:
		return v
	}
}

// leafFor finds the schema without alternatives that a value was written for.
func (e *encoder) leafFor(i int, v *schema.Value) (leaf int, ok bool) {
	if e.node(i).Value.Kind() != schema.Object {
		return 0, false
	}
	alternatives := e.schema.AppliesInPlace(i)
	if len(alternatives) == 0 || !e.isPlain(i) {
		return i, e.fits(i, v)
	}
	for _, next := range alternatives {
		if leaf, ok := e.leafFor(next, v); ok {
			return leaf, true
		}
	}
	return 0, false
}

func (e *encoder) entries(i int, v *schema.Value) *schema.Value {
	at := e.graph.mapValue(i)
	pairs := make([]*schema.Value, 0, v.Len())
	for _, m := range v.Members() {
		pairs = append(pairs, schema.NewObject(
			schema.Member{Name: decode.PairKey, Value: schema.NewString(m.Name)},
			schema.Member{Name: decode.PairValue, Value: e.value(at, m.Value)},
		))
	}
	return schema.NewArray(pairs...)
}

func (e *encoder) object(i int, v *schema.Value) *schema.Value {
	members := slices.Clone(v.Members())
	for j, m := range members {
		if at, _ := e.graph.memberOf(i, m.Name); at >= 0 {
			members[j].Value = e.value(at, m.Value)
		}
	}
	for _, p := range membersOf(e.node(i).Value.Get("properties")) {
		if e.drop[property{i, p.Name}] && !v.Has(p.Name) {
			members = append(members, schema.Member{Name: p.Name, Value: schema.NewNull()})
		}
	}
	return schema.NewObject(members...)
}

func (e *encoder) items(i int, v *schema.Value) *schema.Value {
	at, _ := e.graph.itemsOf(i)
	if at < 0 {
		return v
	}
	items := make([]*schema.Value, v.Len())
	for j, item := range v.Items() {
		items[j] = e.value(at, item)
	}
	return schema.NewArray(items...)
}

// fits reports whether a value may be one of a schema, by the keywords that
// tell alternatives apart. It errs on the side of yes.
func (e *encoder) fits(i int, v *schema.Value) bool {
	s := e.node(i).Value
	if e.left--; e.left < 0 || s.Kind() != schema.Object {
		return !s.IsFalse()
	}
	if types := schema.Types(s); types != nil && !slices.ContainsFunc(types, func(t string) bool { return isOfType(t, v) }) {
		return false
	}
	if values := constants(s); values != nil && !slices.ContainsFunc(values, v.Equal) {
		return false
	}
	switch v.Kind() {
	case schema.Object:
		if !e.objectFits(i, s, v) {
			return false
		}
	case schema.Array:
		if at, _ := e.graph.itemsOf(i); at >= 0 && slices.ContainsFunc(v.Items(), func(item *schema.Value) bool { return !e.fits(at, item) }) {
			return false
		}
	default:
	}
	if ref := e.node(i).Ref; ref >= 0 && !e.fits(ref, v) {
		return false
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if s.Has(keyword) && !slices.ContainsFunc(e.under(i, keyword), func(b int) bool { return e.fits(b, v) }) {
			return false
		}
	}
	return !slices.ContainsFunc(e.under(i, "allOf"), func(b int) bool { return !e.fits(b, v) })
}

func (e *encoder) objectFits(i int, s, v *schema.Value) bool {
	if slices.ContainsFunc(s.Get("required").Strings(), func(name string) bool { return !v.Has(name) }) {
		return false
	}
	for _, m := range v.Members() {
		if at, _ := e.graph.memberOf(i, m.Name); at >= 0 && !e.fits(at, m.Value) {
			return false
		}
	}
	return true
}

func isOfType(t string, v *schema.Value) bool {
	return t == v.Kind().String() || (t == "integer" && v.IsInteger())
}
