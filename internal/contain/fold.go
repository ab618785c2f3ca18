// SPDX-License-Identifier: Apache-2.0

package contain

import "slices"

// fold brings allOf, $ref with siblings, anyOf and oneOf into the parts of the
// node where that is exactly the same; the rest stays as applicators.
func (r *reader) fold() {
	n := r.node
	for _, list := range r.any {
		r.alternatives(list, true)
	}
	for _, list := range r.one {
		r.alternatives(list, false)
	}
	for _, c := range r.conjuncts {
		if !n.conjoin(c) {
			n.all = append(n.all, c)
		}
	}
}

// alternatives folds one anyOf (or oneOf) by merging its branches.
func (r *reader) alternatives(list []*node, overlap bool) {
	n := r.node
	branches := slices.DeleteFunc(slices.Clone(list), (*node).never)
	if overlap && slices.ContainsFunc(branches, (*node).always) {
		n.evaluates = true // another branch may still evaluate something
		if r.graph.unevaluated {
			n.any = append(n.any, branches)
		}
		return
	}
	switch {
	case len(branches) == 0:
		n.kinds = 0
		return
	case len(branches) == 1 && n.conjoin(branches[0]):
		return
	}
	if merged := merge(r.graph, branches, overlap); merged != nil && n.conjoin(merged) {
		return
	}
	if overlap {
		n.any = append(n.any, branches)
	} else {
		n.one = append(n.one, branches)
	}
}

// merge returns the union of branches if one node can say it: no two branches
// share a kind of value, except as listed values. If an overlap counts
// against a value (oneOf), listed values must not be shared either.
func merge(g *graph, branches []*node, overlap bool) *node {
	merged := newNode(g, -1, branches[0].pointer, noSource)
	merged.kinds = 0
	for _, b := range branches {
		shared := merged.kinds & b.kinds
		if b.opaque != "" || !b.standsAlone() || !merged.addBranch(b, overlap) {
			return nil
		}
		merged.evaluateBranch(b, shared)
	}
	return &merged
}

// evaluateBranch adds what a branch evaluates. Of the kinds that only one branch
// admits it is that; of others it depends on which branch accepts.
func (n *node) evaluateBranch(b *node, shared kinds) {
	either := (shared&kindObject != 0 && (n.allMembers || b.allMembers)) || (shared&kindArray != 0 && (n.allItems || b.allItems))
	n.evaluates, n.lost = n.evaluates || b.evaluates || either, n.lost || b.lost || either
	n.allMembers = n.allMembers || (b.allMembers && b.kinds&kindObject != 0)
	n.allItems = n.allItems || (b.allItems && b.kinds&kindArray != 0)
}

func (n *node) addBranch(b *node, overlap bool) bool {
	shared := n.kinds & b.kinds
	if shared&(kindNull|kindBool) != 0 && !overlap {
		return false
	}
	for _, part := range []struct {
		kind  kinds
		into  **valueSet
		from  *valueSet
		plain bool // the branch says nothing but the listed values
		copy  func()
	}{
		{kindNumber, &n.number.values, b.number.values, b.number.values != nil, func() { n.number = b.number }},
		{kindString, &n.text.values, b.text.values, b.text.listed() && n.text.listed(), func() { n.text = b.text }},
		{kindArray, &n.array.values, b.array.values, b.array.listed() && n.array.listed(), func() { n.array = b.array }},
		{kindObject, &n.object.values, b.object.values, b.object.listed() && n.object.listed(), func() { n.object = b.object }},
	} {
		switch {
		case b.kinds&part.kind == 0:
		case n.kinds&part.kind == 0:
			part.copy()
		case !part.plain || *part.into == nil || !union(part.into, part.from, overlap):
			return false
		}
	}
	n.kinds |= b.kinds
	return true
}

// listed reports whether the part is exactly its listed values.
func (t *texts) listed() bool {
	rest := *t
	rest.values = nil
	return t.values != nil && rest.unconstrained()
}

func (a *arrays) listed() bool {
	rest := *a
	rest.values = nil
	return a.values != nil && rest.unconstrained()
}

func (o *objects) listed() bool {
	rest := *o
	rest.values = nil
	return o.values != nil && rest.unconstrained()
}

func union(into **valueSet, from *valueSet, overlap bool) bool {
	sum := newValueSet((*into).list)
	for _, v := range from.list {
		if !overlap && sum.has(v) {
			return false
		}
		sum.add(v)
	}
	*into = sum
	return true
}

// conjoin admits only what c admits as well, if the parts can say that
// exactly; otherwise nothing is changed.
func (n *node) conjoin(c *node) bool {
	if c.opaque != "" || !n.array.joins(&c.array) || !n.object.joins(&c.object) {
		return false
	}
	n.evaluates, n.allMembers, n.allItems = n.evaluates || c.evaluates, n.allMembers || c.allMembers, n.allItems || c.allItems
	n.lost = n.lost || c.lost
	n.kinds &= c.kinds
	n.number.intersect(&c.number)
	n.text.intersect(&c.text)
	n.array.intersect(&c.array)
	n.object.intersect(&c.object)
	n.all = append(n.all, c.all...)
	n.any = append(n.any, c.any...)
	n.one = append(n.one, c.one...)
	n.not = append(n.not, c.not...)
	n.when = append(n.when, c.when...)
	n.dependent = append(n.dependent, c.dependent...)
	return true
}

func (t *texts) intersect(u *texts) {
	t.min, t.max = max(t.min, u.min), atMost(t.max, u.max)
	t.patterns = append(slices.Clip(t.patterns), u.patterns...)
	t.formats = append(slices.Clip(t.formats), u.formats...)
	t.values = t.values.intersect(u.values)
}

// joins reports whether the item schemas of two parts can be written as one.
func (a *arrays) joins(b *arrays) bool {
	return (len(a.prefix) == 0 && a.rest == nil) || (len(b.prefix) == 0 && b.rest == nil)
}

func (a *arrays) intersect(b *arrays) {
	a.min, a.max = max(a.min, b.min), atMost(a.max, b.max)
	if len(a.prefix) == 0 && a.rest == nil {
		a.prefix, a.rest = b.prefix, b.rest
	}
	a.unique = a.unique || b.unique
	a.contains = append(slices.Clip(a.contains), b.contains...)
	a.values = a.values.intersect(b.values)
}

// joins reports whether the member schemas of two parts can be written as one:
// only one part has any, or both are open and declare different names.
func (o *objects) joins(p *objects) bool {
	if !o.shapesMembers() || !p.shapesMembers() {
		return true
	}
	if len(o.patterns)+len(p.patterns) > 0 || o.additional != nil || p.additional != nil {
		return false
	}
	return !slices.ContainsFunc(p.properties, func(other property) bool {
		return slices.ContainsFunc(o.properties, func(own property) bool {
			return own.name == other.name && own.node != other.node
		})
	})
}

func (o *objects) intersect(p *objects) {
	o.min, o.max = max(o.min, p.min), atMost(o.max, p.max)
	if !o.shapesMembers() {
		o.properties, o.patterns, o.additional = p.properties, p.patterns, p.additional
	} else {
		for _, other := range p.properties {
			if !slices.Contains(o.properties, other) {
				o.properties = append(slices.Clip(o.properties), other)
			}
		}
	}
	o.required = append(slices.Clip(o.required), p.required...)
	o.dependent = append(slices.Clip(o.dependent), p.dependent...)
	o.names = append(slices.Clip(o.names), p.names...)
	o.values = o.values.intersect(p.values)
}
