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
type place struct {
	old, new []int
	// start are the locations that the rest was reached from.
	start starts
}

type starts struct{ old, new []int }

// maxPlaces bounds the walk, in locations looked at. Recursive schemas end by
// themselves, since a place is visited once; twice what admission lets a schema
// expand to is more than any other can need.
const maxPlaces = 4 * schema.MaxExpansion

// walker visits every place of the two schemas, but for what is below a property
// that only one of them declares.
type walker struct {
	old, new *applied
	seen     map[string]bool
	left     int
}

func newWalker(old, next *schema.Schema) *walker {
	return &walker{old: newApplied(old), new: newApplied(next), seen: map[string]bool{}, left: maxPlaces}
}

// walk calls visit for each place in a fixed order. It reports whether every
// place was visited.
func (w *walker) walk(visit func(p place)) bool {
	// What waits are the locations that a place starts from: with everything that
	// applies there as well, a small recursive schema would fill the memory.
	todo := []starts{{[]int{0}, []int{0}}}
	for len(todo) > 0 {
		start := todo[0]
		todo = todo[1:]
		key := fmt.Sprint(start.old, start.new)
		if w.seen[key] {
			continue
		}
		w.seen[key] = true
		p := place{w.old.closure(start.old), w.new.closure(start.new), start}
		if w.left -= len(p.old) + len(p.new); w.left < 0 {
			return false
		}
		visit(p)
		todo = append(todo, w.below(p)...)
	}
	return true
}

// below are the starts of the places one step down. A property that only one
// schema declares came or is gone; that says everything below.
func (w *walker) below(p place) []starts {
	steps, old := w.old.steps(p.old)
	later, next := w.new.steps(p.new)
	out := make([]starts, 0, len(steps))
	for _, s := range steps {
		if s.in != "properties" || len(next[s]) > 0 {
			out = append(out, starts{old[s], next[s]})
		}
	}
	for _, s := range later {
		if s.in != "properties" && len(old[s]) == 0 {
			out = append(out, starts{nil, next[s]})
		}
	}
	return out
}

// lost are the properties of a place that only the old schema declares, gained
// those that only the new one does. A property that can never be present is none.
func (w *walker) lost(p place) []named   { return onlyIn(w.old, p.old, w.new, p.new) }
func (w *walker) gained(p place) []named { return onlyIn(w.new, p.new, w.old, p.old) }

func onlyIn(here *applied, at []int, there *applied, other []int) []named {
	steps, to := here.steps(at)
	_, others := there.steps(other)
	var out []named
	for _, s := range steps {
		if s.in != "properties" || len(others[s]) > 0 || here.refuses(to[s]) {
			continue
		}
		n := here.schema.Nodes()[to[s][0]]
		out = append(out, named{name: s.token, pointer: n.Pointer, body: withoutTexts(n.Value).JSON()})
	}
	return out
}

// withoutTexts is a schema without what is only read.
func withoutTexts(v *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	return v.Without("title", "description", "examples", "$comment")
}

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
			if inPlace(a.schema.Nodes()[child].In) {
				visit(child)
			}
		}
	}
	for _, i := range start {
		visit(i)
	}
	return out
}

// inPlace reports whether a keyword's subschemas describe the same part of an
// instance.
func inPlace(keyword string) bool {
	k, _ := schema.LookupKeyword(keyword)
	return k.InPlace && keyword != "not"
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
	known := func(v *schema.Value) bool { return slices.ContainsFunc(c.values, v.Equal) }
	if len(locations) > manyLocations {
		seen := map[string]bool{}
		known = func(v *schema.Value) bool {
			text := v.JSON()
			defer func() { seen[text] = true }()
			return seen[text]
		}
	}
	for _, i := range locations {
		n := a.schema.Nodes()[i]
		v := n.Value.Get(keyword)
		if v == nil || known(v) {
			continue
		}
		if len(c.values) == 0 {
			c.pointer = n.Pointer
		}
		c.values = append(c.values, v)
	}
	return c
}

// manyLocations is the number of locations from which values are told apart by
// their text: comparing each with all would make hostile schemas quadratic.
const manyLocations = 64

// keywords are the names of all members of a place in both schemas, sorted.
func (w *walker) keywords(p place) []string {
	names := append(w.old.keywords(p.old), w.new.keywords(p.new)...)
	slices.Sort(names)
	return slices.Compact(names)
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

// has reports whether one of the values has a member.
func (c carried) has(name string) bool {
	return slices.ContainsFunc(c.values, func(v *schema.Value) bool { return v.Has(name) })
}

func (c carried) empty() bool { return len(c.values) == 0 }

// text is the change of a value as a message shows it: the first that differs.
func (c carried) text(next carried) string {
	i := 0
	for i+1 < min(len(c.values), len(next.values)) && c.values[i].Equal(next.values[i]) {
		i++
	}
	return shownAt(c.values, i) + " → " + shownAt(next.values, i)
}

func shownAt(values []*schema.Value, i int) string {
	if len(values) == 0 {
		return "none"
	}
	return finding.Clip(values[min(i, len(values)-1)].JSON(), maxShown)
}
