// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// intersection writes one schema for several that apply to the same value. It
// is exact: what comes out admits what all of them admit, no more and no less.
// What no single node can say makes it give up.
type intersection struct {
	schema *schema.Schema
	// origin is where what it writes comes from: the pointer of a node or of a
	// keyword of the author's schema.
	origin map[*schema.Value]string
	// targets are the nodes that references lead to, by their text.
	targets map[string]int
	// open are the targets being written out, so that recursion is noticed.
	open map[int]bool
	// recursive tells the targets that are never written out.
	recursive func(target int) bool
	left      int
	comparing int // work left on patterns
}

// maxIntersected bounds the pairs of nodes that are intersected for one node.
const maxIntersected = 4_000

func newIntersection(s *schema.Schema) *intersection {
	return &intersection{schema: s, origin: map[*schema.Value]string{}, open: map[int]bool{}, left: maxIntersected, comparing: pattern.MaxWithin}
}

// nothing is the schema that admits nothing.
var nothing = schema.NewBool(false)

// isAnything reports whether a schema admits everything and says nothing; no
// schema at all does so too.
func isAnything(v *schema.Value) bool {
	return v == nil || v.IsTrue() || (v.Kind() == schema.Object && v.Len() == 0)
}

// single writes a schema without $ref and allOf, and without unevaluated
// keywords. A schema that has none of them is returned as it is.
func (x *intersection) single(v *schema.Value) (*schema.Value, bool) {
	if v.Kind() != schema.Object {
		return v, true
	}
	inPlace := slices.DeleteFunc([]string{"$ref", "allOf"}, func(name string) bool { return !v.Has(name) })
	for _, name := range []string{"anyOf", "oneOf"} {
		if v.Get(name).Len() == 1 {
			inPlace = append(inPlace, name)
		}
	}
	unevaluated := hasUnevaluated(v)
	if len(inPlace) == 0 && !unevaluated {
		return v, true
	}
	x.trace(v)
	out := v.Without(append(inPlace, "unevaluatedProperties", "unevaluatedItems")...)
	x.origin[out] = x.origin[v]
	for _, name := range inPlace {
		held := v.Get(name)
		branches := held.Items()
		if name != "$ref" && held.Kind() != schema.Array {
			return nil, false // no schema; the meta-schema says so
		}
		if name == "$ref" {
			target, ok := x.target(held.Text())
			if !ok {
				return nil, false
			}
			defer delete(x.open, target)
			branches = []*schema.Value{x.schema.Nodes()[target].Value}
		}
		for _, branch := range branches {
			one, ok := x.single(branch)
			if !ok {
				return nil, false
			}
			if out, ok = x.both(out, withoutIdentity(one)); !ok {
				return nil, false
			}
		}
	}
	return x.evaluated(v, out)
}

// target follows a reference, unless it is being followed already.
func (x *intersection) target(ref string) (int, bool) {
	if x.targets == nil {
		x.targets = referenceTargets(x.schema)
	}
	target, ok := x.targets[ref]
	if !ok || x.open[target] || (x.recursive != nil && x.recursive(target)) {
		return 0, false
	}
	x.open[target] = true
	return target, true
}

// trace notes where a node of the author's schema and its keywords stand.
func (x *intersection) trace(v *schema.Value) {
	i := x.schema.Index(v)
	if n := &x.schema.Nodes()[i]; n.Value == v {
		x.origin[v] = n.Pointer
		for _, m := range v.Members() {
			x.origin[m.Value] = finding.Pointer(n.Pointer, m.Name)
		}
	}
}

// withoutIdentity drops what belongs to a place and not to what it says.
func withoutIdentity(v *schema.Value) *schema.Value {
	if !slices.ContainsFunc(identity, v.Has) {
		return v
	}
	return v.Without(identity...)
}

var identity = []string{"$schema", "$id", "$anchor", "$comment", "$defs", "definitions"}

// evaluated replaces the unevaluated keywords of v by keywords of its merged
// form, where every other schema at the same place is part of it.
func (x *intersection) evaluated(v, merged *schema.Value) (*schema.Value, bool) {
	for _, pair := range []struct{ unevaluated, rest, other string }{
		{"unevaluatedProperties", "additionalProperties", ""},
		{"unevaluatedItems", "items", "contains"},
	} {
		value := v.Get(pair.unevaluated)
		switch {
		case value == nil || merged.IsFalse():
		case merged.Kind() != schema.Object, hasInPlace(merged), pair.other != "" && merged.Has(pair.other):
			return nil, false
		case merged.Has(pair.rest): // which evaluates everything
		default:
			merged = x.with(merged, pair.rest, value)
		}
	}
	return merged, true
}

// with is [schema.Value.With], and what is written keeps its origin.
func (x *intersection) with(v *schema.Value, name string, value *schema.Value) *schema.Value {
	out := v.With(name, value)
	x.origin[out] = x.origin[v]
	return out
}

// hasInPlace reports whether schemas stand in a node that look at the same
// value.
func hasInPlace(v *schema.Value) bool {
	return slices.ContainsFunc(v.Members(), func(m schema.Member) bool {
		k, _ := schema.LookupKeyword(m.Name)
		return k.InPlace
	})
}

// of intersects two schemas; nil stands for one that admits everything.
func (x *intersection) of(a, b *schema.Value) (*schema.Value, bool) {
	switch {
	case (a != nil && !a.IsSchema()) || (b != nil && !b.IsSchema()):
		return nil, false
	case isAnything(b):
		if a == nil {
			a = b
		}
		return a, true
	case isAnything(a), a.Equal(b):
		return b, true
	case a.IsFalse(), b.IsFalse():
		return nothing, true
	case !slices.ContainsFunc(b.Members(), asserts):
		return x.annotated(a, b), true
	}
	open := x.open
	x.open = map[int]bool{}
	for target := range open {
		x.open[target] = true
	}
	defer func() { x.open = open }()
	one, ok := x.single(a)
	if !ok {
		return nil, false
	}
	other, ok := x.single(b)
	if !ok {
		return nil, false
	}
	return x.both(one, withoutIdentity(other))
}

func asserts(m schema.Member) bool { return constrains(m.Name) }

// annotated adds annotations that a schema lacks.
func (x *intersection) annotated(a, b *schema.Value) *schema.Value {
	if a.Kind() != schema.Object {
		return a
	}
	x.trace(a)
	x.trace(b)
	for _, m := range withoutIdentity(b).Members() {
		if !a.Has(m.Name) {
			a = x.with(a, m.Name, m.Value)
		}
	}
	return a
}

// both intersects two schemas without $ref, allOf and unevaluated keywords.
func (x *intersection) both(a, b *schema.Value) (*schema.Value, bool) {
	if x.left--; x.left < 0 {
		return nil, false
	}
	switch {
	case isAnything(b):
		return a, true
	case isAnything(a):
		return b, true
	case a.IsFalse(), b.IsFalse():
		return nothing, true
	}
	x.trace(a)
	x.trace(b)
	m := meeting{intersection: x, a: a, b: b}
	return m.write()
}

// meeting is one pair of nodes.
type meeting struct {
	*intersection
	a, b *schema.Value
	out  schema.Fields
	done map[string]bool
	// types are those that are left; nil for any.
	types []string
}

// write goes through the keywords of both, those of a first.
func (m *meeting) write() (*schema.Value, bool) {
	m.done = map[string]bool{}
	if !m.typesMeet() {
		return nothing, true
	}
	for _, member := range slices.Concat(m.a.Members(), m.b.Members()) {
		if m.done[member.Name] {
			continue
		}
		m.done[member.Name] = true
		possible, ok := m.keyword(member.Name)
		if !ok {
			return nil, false
		}
		if !possible {
			return nothing, true
		}
	}
	out := m.relevant()
	if m.isImpossible(out) {
		return nothing, true
	}
	if slices.Equal(out.Members(), m.a.Members()) {
		return m.a, true
	}
	if m.origin[out] = m.origin[m.a]; m.origin[m.a] == "" {
		m.origin[out] = m.origin[m.b]
	}
	return out, true
}

// isImpossible reports whether only an object is admitted, and one that has a
// member which is never valid.
func (m *meeting) isImpossible(out *schema.Value) bool {
	if len(m.types) != 1 || m.types[0] != "object" {
		return false
	}
	members := m.membership(out)
	for _, name := range out.Get("required").Strings() {
		if v, ok := members.at(name); ok && v != nil && v.IsFalse() {
			return true
		}
	}
	return false
}

// add writes a keyword. What it is made of counts as its origin.
func (m *meeting) add(name string, value *schema.Value) {
	if _, known := m.origin[value]; !known {
		for _, side := range []*schema.Value{m.a, m.b} {
			if v := side.Get(name); v != nil && m.origin[v] != "" {
				m.origin[value] = m.origin[v]
				break
			}
		}
	}
	m.out.Add(name, value)
}

// relevant leaves out what is about types that are not admitted.
func (m *meeting) relevant() *schema.Value {
	if m.types == nil {
		return m.out.Object()
	}
	return schema.NewObject(slices.DeleteFunc(m.out, func(f schema.Member) bool {
		about := typesOf(f.Name)
		return about != nil && !slices.ContainsFunc(about, func(t string) bool { return slices.Contains(m.types, t) })
	})...)
}

// typesOf are the types that a keyword is about; nil for all. A format is about
// strings, and says something about numbers that no validator asserts.
func typesOf(keyword string) []string {
	switch keyword {
	case "minLength", "maxLength", "pattern", "contentEncoding", "contentMediaType", "contentSchema":
		return stringTypes
	case "format":
		return formatTypes
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf":
		return numberTypes
	case "prefixItems", "items", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "unevaluatedItems":
		return arrayTypes
	case "properties", "patternProperties", "propertyNames", "required", "dependentRequired", "dependentSchemas", "minProperties",
		"maxProperties", "additionalProperties", "unevaluatedProperties":
		return objectTypes
	}
	return nil
}

var (
	stringTypes = []string{"string"}
	formatTypes = []string{"string", "number", "integer"}
	numberTypes = []string{"number", "integer"}
	arrayTypes  = []string{"array"}
	objectTypes = []string{"object"}
)

// keyword intersects what both say by one keyword, together with those that it
// is read with. It reports whether any value is left, and whether it could.
func (m *meeting) keyword(name string) (possible, ok bool) {
	switch name {
	case "type":
		m.addTypes()
		return true, true
	case "enum", "const":
		return m.values(), true
	case "properties", "patternProperties", "additionalProperties":
		return true, m.members()
	case "prefixItems", "items":
		return true, m.items()
	case "contains", "minContains", "maxContains":
		return true, m.together("contains", "minContains", "maxContains")
	case "if", "then", "else":
		return true, m.together("if", "then", "else")
	case "anyOf":
		return m.alternatives()
	}
	a, b := m.a.Get(name), m.b.Get(name)
	switch {
	case b == nil || !constrains(name):
		if a == nil {
			a = b
		}
		m.add(name, a)
		return true, true
	case a == nil:
		m.add(name, b)
		return true, true
	case a.Equal(b):
		m.add(name, a)
		return true, true
	}
	value, ok := m.one(name, a, b)
	if ok {
		m.add(name, value)
	}
	return true, ok
}

// together takes keywords that mean something together from the only side that
// has any of them.
func (m *meeting) together(names ...string) bool {
	has := func(v *schema.Value) bool { return slices.ContainsFunc(names, v.Has) }
	side := m.a
	if has(m.a) && has(m.b) {
		for _, name := range names {
			if !m.a.Get(name).Equal(m.b.Get(name)) {
				return false
			}
		}
	} else if has(m.b) {
		side = m.b
	}
	for _, name := range names {
		m.done[name] = true
		if v := side.Get(name); v != nil {
			m.add(name, v)
		}
	}
	return true
}

// maxCombinations bounds the alternatives that two lists of them make.
const maxCombinations = 16

// alternatives combines every branch of one side with every branch of the
// other, where both have some.
func (m *meeting) alternatives() (possible, ok bool) {
	a, b := m.a.Get("anyOf"), m.b.Get("anyOf")
	switch {
	case a == nil:
		m.add("anyOf", b)
		return true, true
	case b == nil || a.Equal(b):
		m.add("anyOf", a)
		return true, true
	case a.Len()*b.Len() > maxCombinations:
		return false, false
	}
	var branches []*schema.Value
	for _, x := range a.Items() {
		for _, y := range b.Items() {
			branch, ok := m.of(x, y)
			if !ok {
				return false, false
			}
			if !branch.IsFalse() && !slices.ContainsFunc(branches, branch.Equal) {
				branches = append(branches, branch)
			}
		}
	}
	if len(branches) == 0 {
		return false, true
	}
	m.add("anyOf", schema.NewArray(branches...))
	return true, true
}
