// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// literally proves a pair whose right side has a keyword that the canonical
// form cannot express: only the same keywords, apart from annotations and the
// way of referring, mean the same.
func (p *prover) literally(a, b *node) bool {
	if a.slot >= 0 && b.slot >= 0 && p.spend() && p.alike(a, b) {
		return true
	}
	for _, c := range a.all {
		if p.try(func() bool { return p.contained(c, b) }) {
			return true
		}
	}
	p.gap(gap{
		a: a, b: b, pointer: b.pointer, keyword: b.opaque,
		detail: "what " + b.opaque + " allows depends on what its neighbours accept",
	})
	return false
}

// alike compares two locations of the documents, keyword by keyword.
func (p *prover) alike(a, b *node) bool {
	same := likeness{a: a.graph, b: b.graph, known: map[[2]int]bool{}}
	return same.nodes(a.slot, b.slot)
}

// likeness compares two documents location by location.
type likeness struct {
	a, b  *graph
	known map[[2]int]bool // compared before, or being compared
}

func (l *likeness) nodes(i, j int) bool {
	key := [2]int{i, j}
	if l.known[key] {
		return true
	}
	l.known[key] = true
	x, y := l.a.schema.Nodes()[i], l.b.schema.Nodes()[j]
	if x.Value.Kind() != schema.Object || y.Value.Kind() != schema.Object {
		return x.Value.Equal(y.Value)
	}
	switch {
	case (x.Ref < 0) != (y.Ref < 0), x.Ref >= 0 && !l.nodes(x.Ref, y.Ref):
		return false
	}
	return l.plain(x.Value, y.Value) && l.plain(y.Value, x.Value) && l.subschemas(i, j)
}

// plain compares the keywords of x that hold no subschemas with those of y.
func (l *likeness) plain(x, y *schema.Value) bool {
	return !slices.ContainsFunc(x.Members(), func(m schema.Member) bool {
		return m.Name != "$ref" && asserts(m.Name) && !holdsSubschemas(m.Name) && !sameKeyword(m.Name, m.Value, y.Get(m.Name))
	}) && sameCounts(x, y)
}

// sameCounts compares the keywords that only mean something beside contains.
func sameCounts(x, y *schema.Value) bool {
	for _, name := range []string{"minContains", "maxContains"} {
		if v := x.Get(name); v != nil && !v.Equal(y.Get(name)) {
			return false
		}
	}
	return true
}

func sameKeyword(name string, x, y *schema.Value) bool {
	switch {
	case y == nil:
		return false
	case name != "const" && x.Kind() == schema.Array && y.Kind() == schema.Array:
		// required, type and enum are sets.
		s, t := newValueSet(x.Items()), newValueSet(y.Items())
		return len(s.list) == len(t.list) && len(s.intersect(t).list) == len(s.list)
	}
	return x.Equal(y)
}

// subschemas compares what each keyword holds under the same name or index.
func (l *likeness) subschemas(i, j int) bool {
	type place struct{ in, token string }
	places := map[place]int{}
	for _, child := range l.b.children[j] {
		if n := l.b.schema.Nodes()[child]; asserts(n.In) {
			places[place{n.In, n.Token}] = child
		}
	}
	found := 0
	for _, child := range l.a.children[i] {
		n := l.a.schema.Nodes()[child]
		if !asserts(n.In) {
			continue
		}
		other, ok := places[place{n.In, n.Token}]
		if !ok || !l.nodes(child, other) {
			return false
		}
		found++
	}
	return found == len(places)
}
