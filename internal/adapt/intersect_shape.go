// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// membership is what one side says about the members of an object. Which of
// them additionalProperties is about depends on the other two.
type membership struct {
	schema     *schema.Schema
	properties *schema.Value
	patterns   *schema.Value
	additional *schema.Value
}

func (m *meeting) membership(v *schema.Value) membership {
	return membership{m.schema, v.Get("properties"), v.Get("patternProperties"), v.Get("additionalProperties")}
}

func (s membership) isEmpty() bool {
	return s.properties == nil && s.patterns == nil && s.additional == nil
}

// at is the schema of a member, apart from patternProperties; nil for any value.
func (s membership) at(name string) (*schema.Value, bool) {
	if v := s.properties.Get(name); v != nil {
		return v, true
	}
	matched, ok := s.matches(name)
	if matched || !ok {
		return nil, ok
	}
	return s.additional, true
}

// matches reports whether a name matches one of the patterns, if they can tell.
func (s membership) matches(name string) (matched, ok bool) {
	for _, p := range membersOf(s.patterns) {
		compiled := s.compiled(p.Name)
		if compiled == nil {
			return false, false
		}
		matches, err := compiled.Match(name)
		if err != nil {
			return false, false
		}
		matched = matched || matches
	}
	return matched, true
}

func (s membership) compiled(source string) *pattern.Pattern { return s.schema.Pattern(source) }

// members intersects what both sides say about members.
func (m *meeting) members() bool {
	m.done["properties"], m.done["patternProperties"], m.done["additionalProperties"] = true, true, true
	a, b := m.membership(m.a), m.membership(m.b)
	if a.isEmpty() || b.isEmpty() {
		if a.isEmpty() {
			a = b
		}
		m.addMembers(a)
		return true
	}
	patterns, ok := m.patternMembers(a, b)
	if !ok {
		return false
	}
	additional, ok := m.of(a.additional, b.additional)
	if !ok {
		return false
	}
	properties, ok := m.declared(a, b, membership{schema: m.schema, patterns: patterns, additional: additional})
	if ok {
		m.addMembers(membership{m.schema, properties, patterns, additional})
	}
	return ok
}

func (m *meeting) addMembers(s membership) {
	for _, f := range []schema.Member{
		{Name: "properties", Value: s.properties}, {Name: "patternProperties", Value: s.patterns}, {Name: "additionalProperties", Value: s.additional},
	} {
		if f.Value != nil {
			m.add(f.Name, f.Value)
		}
	}
}

// declared intersects the schemas of every name that a side declares. rest is
// what holds for names that are not declared.
func (m *meeting) declared(a, b, rest membership) (*schema.Value, bool) {
	if a.properties == nil && b.properties == nil {
		return nil, true
	}
	names := make([]string, 0, a.properties.Len()+b.properties.Len())
	for _, p := range membersOf(a.properties) {
		names = append(names, p.Name)
	}
	for _, p := range membersOf(b.properties) {
		if !a.properties.Has(p.Name) {
			names = append(names, p.Name)
		}
	}
	members := make([]schema.Member, 0, len(names))
	for _, name := range names {
		inA, okA := a.at(name)
		inB, okB := b.at(name)
		if !okA || !okB {
			return nil, false
		}
		both, ok := m.of(inA, inB)
		if !ok {
			return nil, false
		}
		if both == nil {
			both = schema.NewObject()
		}
		if both.IsFalse() && rest.additional != nil && rest.additional.IsFalse() {
			if matched, ok := rest.matches(name); ok && !matched {
				continue // not declared, it is refused as well
			}
		}
		members = append(members, schema.Member{Name: name, Value: both})
	}
	return schema.NewObject(members...), true
}

// patternMembers intersects patternProperties. A pattern that one side has
// alone also takes over what the other says about undeclared members, if that
// side says it of all names that match.
func (m *meeting) patternMembers(a, b membership) (*schema.Value, bool) {
	if a.patterns.Len() == 0 && b.patterns.Len() == 0 {
		if a.patterns == nil {
			return b.patterns, true
		}
		return a.patterns, true
	}
	var members []schema.Member
	for _, pair := range [][2]membership{{a, b}, {b, a}} {
		own, other := pair[0], pair[1]
		for _, p := range membersOf(own.patterns) {
			if slices.ContainsFunc(members, func(known schema.Member) bool { return known.Name == p.Name }) {
				continue
			}
			also := other.patterns.Get(p.Name)
			if also == nil && !isAnything(other.additional) {
				if !other.leaves(own.compiled(p.Name)) {
					return nil, false
				}
				also = other.additional
			}
			both, ok := m.of(p.Value, also)
			if !ok {
				return nil, false
			}
			members = append(members, schema.Member{Name: p.Name, Value: both})
		}
	}
	return schema.NewObject(members...), true
}

// leaves reports whether all names that match a pattern are undeclared.
func (s membership) leaves(p *pattern.Pattern) bool {
	if p == nil || s.patterns.Len() > 0 {
		return false
	}
	for _, declared := range membersOf(s.properties) {
		if matched, err := p.Match(declared.Name); matched || err != nil {
			return false
		}
	}
	return true
}

// items intersects what both say about the items of an array, position by
// position.
func (m *meeting) items() bool {
	m.done["prefixItems"], m.done["items"] = true, true
	type list struct{ prefix, rest *schema.Value }
	a, b := list{m.a.Get("prefixItems"), m.a.Get("items")}, list{m.b.Get("prefixItems"), m.b.Get("items")}
	at := func(s list, i int) *schema.Value {
		if i < s.prefix.Len() {
			return s.prefix.Items()[i]
		}
		return s.rest
	}
	if n := max(a.prefix.Len(), b.prefix.Len()); n > 0 {
		positions := make([]*schema.Value, n)
		for i := range positions {
			both, ok := m.of(at(a, i), at(b, i))
			if !ok {
				return false
			}
			if both == nil {
				both = schema.NewObject()
			}
			positions[i] = both
		}
		m.add("prefixItems", schema.NewArray(positions...))
	}
	rest, ok := m.of(a.rest, b.rest)
	if ok && rest != nil {
		m.add("items", rest)
	}
	return ok
}
