// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// place is one part of an instance, seen through both schemas at once: every
// schema location that applies to it, in the order in which they are reached.
// What an author declares there (a default, a unit, a property at all) can be
// compared although one schema says it inline and the other behind a $ref, in
// an allOf, or in an alternative.
type place struct{ old, new []int }

// maxPlaces bounds the walk, in locations looked at. Recursive schemas end by
// themselves, since a place is visited once; twice what admission lets a schema
// expand to is more than any other can need.
const maxPlaces = 4 * schema.MaxExpansion

// walker visits every place that both schemas have, and those of the old
// schema that the new one lost.
type walker struct {
	old, new *applied
	seen     map[string]bool
	left     int
}

// walk calls visit for each place in a fixed order. It reports whether every
// place was visited.
func walk(old, next *schema.Schema, visit func(w *walker, p place)) bool {
	w := &walker{old: newApplied(old), new: newApplied(next), seen: map[string]bool{}, left: maxPlaces}
	// What waits are the locations that a place starts from: with everything that
	// applies there as well, a small recursive schema would fill the memory.
	todo := []place{{[]int{0}, []int{0}}}
	for len(todo) > 0 {
		start := todo[0]
		todo = todo[1:]
		key := fmt.Sprint(start.old, start.new)
		if w.seen[key] {
			continue
		}
		w.seen[key] = true
		p := place{w.old.closure(start.old), w.new.closure(start.new)}
		if w.left -= len(p.old) + len(p.new); w.left < 0 {
			return false
		}
		visit(w, p)
		todo = append(todo, w.below(p)...)
	}
	return true
}

// below are the starts of the places one step down: everything that the old schema says
// something about. What only the new one has is judged by containment.
func (w *walker) below(p place) []place {
	steps, old := w.old.steps(p.old)
	_, next := w.new.steps(p.new)
	out := make([]place, 0, len(steps))
	for _, s := range steps {
		if s.in == "properties" && len(p.new) > 0 && len(next[s]) == 0 {
			continue // the property is gone; that says everything below
		}
		out = append(out, place{old[s], next[s]})
	}
	return out
}

// lostProperties are the properties of a place that only the old schema declares.
func (w *walker) lostProperties(p place) []lostProperty {
	steps, old := w.old.steps(p.old)
	_, next := w.new.steps(p.new)
	var out []lostProperty
	for _, s := range steps {
		if s.in != "properties" || len(next[s]) > 0 || w.old.refuses(old[s]) {
			continue
		}
		out = append(out, lostProperty{name: s.token, pointer: w.old.schema.Nodes()[old[s][0]].Pointer})
	}
	return out
}

type lostProperty struct{ name, pointer string }

// applied answers which schema locations apply where.
type applied struct {
	schema   *schema.Schema
	children [][]int
}

func newApplied(s *schema.Schema) *applied {
	a := &applied{schema: s, children: make([][]int, len(s.Nodes()))}
	for i, n := range s.Nodes() {
		if n.Parent >= 0 {
			a.children[n.Parent] = append(a.children[n.Parent], i)
		}
	}
	return a
}

// closure adds every location that applies to the same part of the instance.
// What is under not describes what is excluded, so it is a place of its own.
func (a *applied) closure(start []int) []int {
	var out []int
	seen := make(map[int]bool, len(start))
	var visit func(i int)
	visit = func(i int) {
		if seen[i] {
			return
		}
		seen[i] = true
		out = append(out, i)
		if ref := a.schema.Nodes()[i].Ref; ref >= 0 {
			visit(ref)
		}
		for _, child := range a.children[i] {
			n := a.schema.Nodes()[child]
			if k, _ := schema.LookupKeyword(n.In); k.InPlace && n.In != "not" {
				visit(child)
			}
		}
	}
	for _, i := range start {
		visit(i)
	}
	return out
}

// step names the way from one place to a part of it.
type step struct{ in, token string }

// steps are the ways down from some locations, in the order of the document,
// and the locations that each leads to.
func (a *applied) steps(from []int) ([]step, map[step][]int) {
	var order []step
	to := map[step][]int{}
	for _, i := range from {
		for _, child := range a.children[i] {
			n := a.schema.Nodes()[child]
			k, _ := schema.LookupKeyword(n.In)
			if k.Annotation || (k.InPlace && n.In != "not") {
				continue
			}
			s := step{n.In, n.Token}
			if to[s] == nil {
				order = append(order, s)
			}
			to[s] = append(to[s], child)
		}
	}
	return order, to
}

// refuses reports whether a declared member is one that can never be present.
func (a *applied) refuses(locations []int) bool {
	return slices.ContainsFunc(locations, func(i int) bool { return a.schema.Nodes()[i].Value.IsFalse() })
}

// carried is what the locations of a place say under one keyword: the distinct
// values in order, and where the first of them stands.
type carried struct {
	values  []*schema.Value
	pointer string
}

func (a *applied) carried(locations []int, keyword string) carried {
	c := carried{}
	for _, i := range locations {
		n := a.schema.Nodes()[i]
		v := n.Value.Get(keyword)
		if v == nil || slices.ContainsFunc(c.values, v.Equal) {
			continue
		}
		if len(c.values) == 0 {
			c.pointer = n.Pointer
		}
		c.values = append(c.values, v)
	}
	return c
}

// keywords are the names of all members of some locations, sorted.
func (a *applied) keywords(locations []int) []string {
	var names []string
	for _, i := range locations {
		for _, m := range a.schema.Nodes()[i].Value.Members() {
			names = append(names, m.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (c carried) equal(d carried) bool {
	return slices.EqualFunc(c.values, d.values, (*schema.Value).Equal)
}

func (c carried) empty() bool { return len(c.values) == 0 }

// text is the values as a message shows them.
func (c carried) text() string {
	if c.empty() {
		return "none"
	}
	return finding.Clip(c.values[0].JSON(), maxShown)
}
