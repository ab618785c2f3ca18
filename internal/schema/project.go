// SPDX-License-Identifier: Apache-2.0

package schema

import "slices"

// Project leaves out of a value the members that no schema which applies at
// their place declares, as a reader that ignores what it does not know sees it.
// What s admits stays admitted, and what [Schema.Opened] admits becomes so.
//
// A name that a schema mentions in another way, as in required, stays too. So do
// all members of a place where leaving some out could decide otherwise: one that
// says additionalProperties or unevaluatedProperties and is not closed by it,
// that declares nothing, that has minProperties or a list of whole values; one
// that two schemas describe which do not know of each other, as two branches of
// allOf with the same property; and all that is below a condition (not, if, then,
// else, dependentSchemas, contains, and alternatives of which more than one may
// admit an object), or below uniqueItems.
//
// The work is in proportion to that of validating the value.
func (s *Schema) Project(v *Value) *Value { return s.layout().project(0, v) }

// mentioned are names and patterns, the latter by their nodes.
type mentioned struct {
	names    map[string]bool
	patterns []int
}

// mention collects the names that nodes have in some keywords, and the patterns
// of their properties.
func (p *layout) mention(nodes []int, keywords ...string) *mentioned {
	out := &mentioned{names: map[string]bool{}}
	for _, i := range nodes {
		for _, keyword := range keywords {
			v := p.nodes[i].Value.Get(keyword)
			for _, name := range v.Strings() {
				out.names[name] = true
			}
			if v == nil {
				continue
			}
			for _, m := range v.members {
				out.names[m.Name] = true
				for _, name := range m.Value.Strings() {
					out.names[name] = true
				}
			}
		}
		for _, below := range p.edges[i].members {
			if p.nodes[below].In == "patternProperties" {
				out.patterns = append(out.patterns, below)
			}
		}
	}
	return out
}

func (p *layout) has(m *mentioned, name string) bool {
	return m.names[name] || slices.ContainsFunc(m.patterns, func(pattern int) bool { return p.matches(pattern, name) })
}

// projections finds the nodes at which a member that nobody mentions can be left
// out without a schema there taking notice of it.
func (p *layout) projections() map[int]*mentioned {
	out := map[int]*mentioned{}
	for i := range p.nodes {
		if !p.decides(&p.dropping, i) || !p.declares(i) {
			continue
		}
		v := p.nodes[i].Value
		isOpen := func(keyword string) bool { return v.Has(keyword) && !v.Get(keyword).IsFalse() }
		if isOpen(additional) || isOpen(unevaluated) || v.Has("minProperties") || hasContainers(v) {
			continue
		}
		group := p.inPlace(i, func(int, int) bool { return true })
		if !slices.ContainsFunc(group[1:], p.counts) {
			out[i] = p.mention(group, "properties", "required", "dependentRequired", "dependentSchemas")
		}
	}
	return out
}

// counts reports whether a node may take notice of a member that it does not
// mention.
func (p *layout) counts(i int) bool {
	v := p.nodes[i].Value
	return hasContainers(v) || slices.ContainsFunc(
		[]string{"minProperties", "maxProperties", "propertyNames", additional, unevaluated}, v.Has)
}

// project is what stays of a value at a place.
func (p *layout) project(i int, v *Value) *Value {
	group := p.groups[p.headOf(i)]
	switch v.kind {
	case Object:
		return p.projectObject(group, v)
	case Array:
		items := copyOnWrite[*Value]{original: v.items}
		for at, item := range v.items {
			if below := p.itemAt(group, at); below >= 0 {
				if projected := p.project(below, item); projected != item {
					items.set(at, projected)
				}
			}
		}
		if items.copied != nil {
			return NewArray(items.copied...)
		}
	default: // nothing is below
	}
	return v
}

func (p *layout) projectObject(group []int, v *Value) *Value {
	var kept []Member // nil as long as v is unchanged
	change := func(at int) {
		if kept == nil {
			kept = slices.Clone(v.members[:at])
		}
	}
	for at, m := range v.members {
		if slices.ContainsFunc(group, func(n int) bool { return p.projecting[n] != nil && !p.has(p.projecting[n], m.Name) }) {
			change(at)
			continue
		}
		if below := p.memberAt(group, m.Name); below >= 0 {
			if projected := p.project(below, m.Value); projected != m.Value {
				change(at)
				m.Value = projected
			}
		}
		if kept != nil {
			kept = append(kept, m)
		}
	}
	if kept == nil {
		return v
	}
	return NewObject(kept...)
}

// memberAt returns the one place that describes a member, -1 if there is none or
// it is entangled.
func (p *layout) memberAt(group []int, name string) int {
	for _, n := range group {
		e := &p.edges[n]
		below, declared := e.properties[name]
		if declared && p.isFree(below) {
			return below
		}
		for _, i := range e.members {
			switch p.nodes[i].In {
			case "patternProperties":
				if p.matches(i, name) {
					declared = true
					if p.isFree(i) {
						return i
					}
				}
			case additional: // after properties and patterns, in canonical order
				if !declared && p.isFree(i) {
					return i
				}
			}
		}
	}
	return -1
}

// itemAt does the same for an item.
func (p *layout) itemAt(group []int, at int) int {
	for _, n := range group {
		e := &p.edges[n]
		if at < len(e.prefixItems) {
			if p.isFree(e.prefixItems[at]) {
				return e.prefixItems[at]
			}
			continue
		}
		for _, i := range e.items {
			if p.nodes[i].In == "items" && p.isFree(i) {
				return i
			}
		}
	}
	return -1
}

// isFree reports whether a place can be changed and says something of members
// or items.
func (p *layout) isFree(i int) bool {
	n := &p.nodes[i]
	return !p.dropping.entangled[i] && n.Value.kind == Object &&
		slices.ContainsFunc(n.Value.members, func(m Member) bool { return !indifferent(m) })
}
