// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"encoding/binary"
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// graph is what a decode rule walks through: for every place of a value, all
// schemas that the value may have been written for. Alternatives at one place
// share one rule there, so where they disagree about what is to be undone the
// plan gives way.
type graph struct {
	*plan
	states []*state
	index  map[string]int
	// changes are the nodes at or below which the plan changes a form.
	changes []bool
	// left bounds the work; the alternatives at one place can be many.
	left int
}

// maxGraph is the most steps taken to look at a document, and maxStates the most
// places for each node of it. Real schemas take a few steps for each node and
// have fewer places than nodes; alternatives that come back to themselves in two
// ways can have more places than could ever be written down.
const (
	maxGraph  = 200_000
	maxStates = 2
)

// state is one place, or several that look the same.
type state struct {
	// leaves are the schemas without those that only list alternatives; sorted.
	leaves []int
	// anything: some alternative says nothing of the value.
	anything bool

	// drop are the members to leave out when null; pairs says that an array here
	// is a map.
	drop  []string
	pairs bool
	// The states below, -1 where there is nothing to undo.
	members              []member
	values, items, entry int
}

type member struct {
	name  string
	state int
}

const noState = -1

func newGraph(p *plan) *graph {
	g := &graph{plan: p, index: map[string]int{}, left: maxGraph}
	g.findChanges()
	if len(g.drop)+len(g.pairs) == 0 {
		return g
	}
	g.enter([]int{0}, false)
	// The list grows while it is walked.
	for i := 0; i < len(g.states) && g.left > 0; i++ {
		if len(g.states) > maxStates*len(g.schema.Nodes()) {
			g.left = -1
		}
		g.follow(g.states[i])
	}
	return g
}

// findChanges marks the planned nodes and everything that leads to them.
func (g *graph) findChanges() {
	nodes := g.schema.Nodes()
	g.changes = make([]bool, len(nodes))
	users := make([][]int, len(nodes))
	for i := range nodes {
		for _, next := range g.schema.Applies(i) {
			users[next] = append(users[next], i)
		}
	}
	var mark func(i int)
	mark = func(i int) {
		if g.changes[i] {
			return
		}
		g.changes[i] = true
		for _, user := range users[i] {
			mark(user)
		}
	}
	for i := range g.pairs {
		mark(i)
	}
	for at := range g.drop {
		mark(at.node)
	}
}

// enter returns the state for these schemas at one place, noState if there is
// nothing to undo for any of them.
func (g *graph) enter(nodes []int, anything bool) int {
	s := &state{anything: anything, values: noState, items: noState, entry: noState}
	seen := map[int]bool{}
	var expand func(i int)
	expand = func(i int) {
		if g.left--; seen[i] || g.left < 0 {
			return
		}
		seen[i] = true
		if v := g.node(i).Value; v.Kind() == schema.Bool {
			s.anything = s.anything || v.IsTrue()
			return
		}
		alternatives := g.schema.AppliesInPlace(i)
		if len(alternatives) == 0 || !g.isPlain(i) {
			s.leaves = append(s.leaves, i)
			return
		}
		for _, next := range alternatives {
			expand(next)
		}
	}
	for _, i := range nodes {
		expand(i)
	}
	if !slices.ContainsFunc(s.leaves, func(i int) bool { return g.changes[i] }) {
		return noState
	}
	slices.Sort(s.leaves)
	key := s.key()
	if known, ok := g.index[key]; ok {
		return known
	}
	g.index[key] = len(g.states)
	g.states = append(g.states, s)
	return len(g.states) - 1
}

func (s *state) key() string {
	key := make([]byte, 0, 4*len(s.leaves)+1)
	if s.anything {
		key = append(key, '*')
	}
	for _, i := range s.leaves {
		key = binary.AppendUvarint(key, uint64(i)) //nolint:gosec // an index is not negative
	}
	return string(key)
}

// follow finds what is to be undone at a place, and the places below.
func (g *graph) follow(s *state) {
	var objects, arrays, entries []int
	for _, i := range s.leaves {
		switch {
		case g.pairs[i]:
			s.pairs = true
			entries = append(entries, g.mapValue(i))
		default:
			if g.admitsKind(i, schema.Object) {
				objects = append(objects, i)
			}
			if g.admitsKind(i, schema.Array) {
				arrays = append(arrays, i)
			}
		}
	}
	if s.pairs {
		s.entry = g.enter(entries, s.anything)
	}
	s.items = g.enterAll(arrays, s.anything, g.itemsOf)
	s.values = g.enterAll(objects, s.anything, g.valuesOf)
	seen := map[string]bool{}
	for _, i := range objects {
		for _, p := range membersOf(g.node(i).Value.Get("properties")) {
			if g.left--; seen[p.Name] || g.left < 0 {
				continue
			}
			seen[p.Name] = true
			below := g.enterAll(objects, s.anything, func(j int) (int, bool) { return g.memberOf(j, p.Name) })
			if below != noState || s.values != noState {
				s.members = append(s.members, member{p.Name, below})
			}
			if slices.ContainsFunc(objects, func(j int) bool { return g.drop[property{j, p.Name}] }) {
				s.drop = append(s.drop, p.Name)
			}
		}
	}
	slices.Sort(s.drop)
}

// enterAll enters what each of several schemas says of one part of a value.
// The function returns a node, or -1 and whether the part may be anything.
func (g *graph) enterAll(schemas []int, anything bool, part func(i int) (node int, isOpen bool)) int {
	var nodes []int
	for _, i := range schemas {
		g.left--
		node, isOpen := part(i)
		if node >= 0 {
			nodes = append(nodes, node)
		}
		anything = anything || isOpen
	}
	return g.enter(nodes, anything)
}

// admitsKind reports whether a leaf may admit a value of a kind, as far as its
// own keywords say.
func (g *graph) admitsKind(i int, kind schema.Kind) bool {
	v := g.node(i).Value
	if types := schema.Types(v); types != nil && !slices.Contains(types, kind.String()) {
		return false
	}
	values := constants(v)
	return values == nil || slices.ContainsFunc(values, func(c *schema.Value) bool { return c.Kind() == kind })
}

func (g *graph) mapValue(i int) int { return g.valueOf(i, readMap(g.node(i).Value)) }

func (g *graph) itemsOf(i int) (node int, isOpen bool) {
	if g.node(i).Value.Has("prefixItems") {
		return -1, true
	}
	return g.held(i, "items")
}

func (g *graph) valuesOf(i int) (node int, isOpen bool) {
	if g.node(i).Value.Has("patternProperties") {
		return -1, true
	}
	return g.held(i, "additionalProperties")
}

// held returns the one subschema of a keyword; without it the part may be
// anything.
func (g *graph) held(i int, keyword string) (node int, isOpen bool) {
	if at, ok := g.at(i, keyword, ""); ok {
		return at, false
	}
	return -1, true
}

func (g *graph) memberOf(i int, name string) (node int, isOpen bool) {
	if at, ok := g.at(i, "properties", name); ok {
		return at, false // a pattern can only ask for more
	}
	return g.valuesOf(i)
}

// settleConflicts takes out of the plan what the alternatives at a place do
// not agree on.
func (g *graph) settleConflicts() {
	for _, s := range g.states {
		if s.pairs && g.arraysDisagree(s) {
			for _, i := range s.leaves {
				delete(g.pairs, i)
			}
		}
		for _, name := range s.drop {
			if g.nullDisagrees(s, name) {
				for _, i := range s.leaves {
					delete(g.drop, property{i, name})
				}
			}
		}
	}
	if g.left < 0 {
		g.forget()
	}
}

// arraysDisagree reports whether an array here may be no map.
func (g *graph) arraysDisagree(s *state) bool {
	return s.anything || slices.ContainsFunc(s.leaves, func(i int) bool {
		g.left--
		return !g.pairs[i] && g.admitsKind(i, schema.Array)
	})
}

// nullDisagrees reports whether a member that is null may mean more here than
// that it is absent.
func (g *graph) nullDisagrees(s *state, name string) bool {
	return s.anything || slices.ContainsFunc(s.leaves, func(i int) bool {
		g.left--
		if g.drop[property{i, name}] || g.pairs[i] || !g.admitsKind(i, schema.Object) {
			return false
		}
		node, isOpen := g.memberOf(i, name)
		return isOpen || (node >= 0 && g.nulls.admits(node) != isFalse)
	})
}
