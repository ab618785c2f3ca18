// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// graph is a document in canonical form. References are edges: a location that
// is nothing but a reference is its target, so inlining, factoring out and
// renaming definitions change nothing.
type graph struct {
	schema   *schema.Schema
	children [][]int
	nodes    []node
	built    []bool
	// unevaluated says that some keyword looks at what others evaluate.
	unevaluated bool
}

func newGraph(s *schema.Schema) *graph {
	locations := s.Nodes()
	g := &graph{
		schema:   s,
		children: make([][]int, len(locations)),
		nodes:    make([]node, len(locations)),
		built:    make([]bool, len(locations)),
	}
	for i, n := range locations {
		if n.Parent >= 0 {
			g.children[n.Parent] = append(g.children[n.Parent], i)
		}
		g.unevaluated = g.unevaluated || n.In == "unevaluatedProperties" || n.In == "unevaluatedItems"
	}
	for i := range locations {
		g.build(i)
	}
	return g
}

func (g *graph) root() *node { return &g.nodes[g.target(0)] }

// target follows references from locations that are nothing but a reference.
// Admission has refused cycles of them.
func (g *graph) target(i int) int {
	for {
		n := g.schema.Nodes()[i]
		if n.Ref < 0 || !onlyReference(n.Value) {
			return i
		}
		i = n.Ref
	}
}

func onlyReference(v *schema.Value) bool {
	for _, m := range v.Members() {
		if m.Name != "$ref" && asserts(m.Name) {
			return false
		}
	}
	return true
}

// asserts reports whether a keyword can change which instances are valid. One
// that 2020-12 does not know cannot; the validator never sees it.
func asserts(name string) bool {
	if name == "$id" || name == "$anchor" {
		return false
	}
	k, known := schema.LookupKeyword(name)
	return known && !k.Annotation
}

// below returns the node that applies to a part of the instance: nil if it
// admits everything, so that {} and true and an absent keyword are one.
func (g *graph) below(i int) *node {
	i = g.target(i)
	v := g.schema.Nodes()[i].Value
	if v.IsTrue() || (v.Kind() == schema.Object && !slices.ContainsFunc(v.Members(), func(m schema.Member) bool { return asserts(m.Name) })) {
		return nil
	}
	return &g.nodes[i]
}

// inPlace returns the finished node that applies to the same instance.
func (g *graph) inPlace(i int) *node {
	i = g.target(i)
	g.build(i)
	return &g.nodes[i]
}

// build brings one location into canonical form, after everything that
// applies to the same instance; admission has refused cycles there. Nodes
// below are only pointed to, they may be built later.
func (g *graph) build(i int) {
	if g.built[i] {
		return
	}
	g.built[i] = true
	location := g.schema.Nodes()[i]
	n := &g.nodes[i]
	*n = newNode(g, i, location.Pointer, location.Value)
	if location.Value.Kind() != schema.Object {
		if location.Value.IsFalse() {
			n.kinds = 0
		}
		return
	}
	r := reader{graph: g, node: n, at: i}
	r.keywords()
	r.subschemas()
	r.fold()
	r.unevaluated()
	n.finish()
}

// finish drops what cannot matter and makes implied facts explicit.
func (n *node) finish() {
	for _, c := range n.all {
		n.kinds &= c.kinds
	}
	for _, branches := range n.unions() {
		n.kinds &= kindsOfAny(branches)
	}
	if n.kinds&kindNumber == 0 || !n.number.normalize() {
		n.kinds &^= kindNumber
		n.number = numbers{}
	}
	if n.kinds&kindString == 0 || !n.text.normalize() {
		n.kinds &^= kindString
		n.text = texts{max: unlimited}
	}
	if n.kinds&kindArray == 0 || !n.array.normalize() {
		n.kinds &^= kindArray
		n.array = arrays{max: unlimited}
	}
	if n.kinds&kindObject == 0 || !n.object.normalize() {
		n.kinds &^= kindObject
		n.object = objects{max: unlimited}
	}
}

func kindsOfAny(branches []*node) kinds {
	var k kinds
	for _, b := range branches {
		k |= b.kinds
	}
	return k
}

// normalize takes patterns that say nothing but a length for what they are, and
// applies everything to listed strings. It reports whether any string is left,
// as far as lengths and lists can tell.
func (t *texts) normalize() bool {
	t.patterns = slices.DeleteFunc(slices.Clone(t.patterns), func(p *pattern.Pattern) bool {
		says := p.Lengths()
		if says.Exact {
			t.min, t.max = max(t.min, int64(says.Least)), atMost(t.max, int64(says.Most))
		}
		return says.Exact
	})
	slices.SortFunc(t.patterns, comparePatterns)
	t.patterns = slices.CompactFunc(t.patterns, samePattern)
	slices.Sort(t.formats)
	t.formats = slices.Compact(t.formats)
	if t.values == nil {
		return t.max < 0 || t.min <= t.max
	}
	undecided := false
	t.values = t.values.filter(func(v *schema.Value) bool {
		plain := texts{min: t.min, max: t.max, patterns: t.patterns, formats: t.formats}
		answer := plain.admits(v.Text())
		undecided = undecided || answer == maybe
		return answer != no
	})
	if !undecided {
		t.min, t.max, t.patterns, t.formats = 0, unlimited, nil, nil
	}
	return len(t.values.list) > 0
}

func (a *arrays) normalize() bool {
	if a.max >= 0 && a.max <= 1 {
		a.unique = false
	}
	return (a.max < 0 || a.min <= a.max) && (a.values == nil || len(a.values.list) > 0)
}

// normalize closes required over dependentRequired and sorts every list.
func (o *objects) normalize() bool {
	slices.SortFunc(o.properties, func(a, b property) int { return strings.Compare(a.name, b.name) })
	slices.SortStableFunc(o.patterns, func(a, b patternProperty) int { return comparePatterns(a.pattern, b.pattern) })
	slices.SortStableFunc(o.dependent, func(a, b dependentNames) int { return strings.Compare(a.name, b.name) })
	required := map[string]bool{}
	todo := slices.Clone(o.required)
	for len(todo) > 0 {
		name := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if required[name] {
			continue
		}
		required[name] = true
		for _, d := range o.dependent {
			if d.name == name {
				todo = append(todo, d.needs...)
			}
		}
	}
	o.required = o.required[:0:0]
	for name := range required {
		o.required = append(o.required, name)
	}
	slices.Sort(o.required)
	return (o.max < 0 || o.fewest() <= o.max) && (o.values == nil || len(o.values.list) > 0)
}
