// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"encoding/binary"
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// literal demands that a node admits an instance, or that it refuses it. A nil
// node admits everything.
type literal struct {
	node   *node
	refuse bool
}

func admitting(n *node) literal { return literal{node: n} }
func refusing(n *node) literal  { return literal{node: n, refuse: true} }

const (
	// maxCubes bounds the cubes that one question looks at.
	maxCubes = 8_000
	// maxGoalDepth is how deep members and items are looked into.
	maxGoalDepth = 48
	// lemmaSteps is what the structural rules may spend on lemmas, and maxLemmas
	// how often they are asked.
	lemmaSteps = 10_000
	maxLemmas  = 20_000
)

// refuter proves that no instance fulfils a list of literals. That a lies
// inside b is the list "a admits, b refuses". It runs where the rules for pairs
// of nodes have no proof: those take the demands of b one by one, while here
// everything that applies to one instance acts together.
//
// Literals are taken apart into cubes. A cube speaks of one kind of value and
// is a conjunction; what is a choice becomes several cubes. A list has no
// instance if each of its cubes is contradictory. Whatever cannot be expressed
// is left out of a cube, which only makes it larger: it may then not be shown to
// be empty, but never wrongly.
type refuter struct {
	*prover
	left   int
	lemmas int
	depth  int
	ids    map[*node]int
	known  map[string]outcome
	// trail is every list taken for empty, in order. A list that is being looked
	// at is taken for empty when a member or an item leads back to it: a smallest
	// instance would contain a smaller one. When that turns out wrong, everything
	// found since then may have used it and is forgotten.
	trail []string
	// joined are nodes that exist only here, and disjointed what is known of pairs.
	joined     map[string]*node
	disjointed map[pair]bool
}

// outcome says whether there is no instance. If there may be one, model is an
// instance to try, if one could be built.
type outcome struct {
	empty bool
	model *schema.Value
}

var (
	isEmpty   = outcome{empty: true}
	maybeSome = outcome{}
)

func (p *prover) refuter() *refuter {
	p.steps = max(p.steps, 0) + lemmaSteps
	return &refuter{prover: p, left: maxCubes, lemmas: maxLemmas, ids: map[*node]int{}, known: map[string]outcome{}, joined: map[string]*node{}, disjointed: map[pair]bool{}}
}

// contains looks for a value that a admits and b refuses.
func (r *refuter) contains(a, b *node) outcome {
	r.quiet++
	defer func() { r.quiet-- }()
	return r.none([]literal{admitting(a), refusing(b)})
}

// around looks for an instance of the whole left side that has, at the place of
// a gap, a value that the right side refuses there.
func (r *refuter) around(g gap) outcome {
	r.quiet++
	defer func() { r.quiet-- }()
	at := newNode(nil, -1, "", noSource)
	at.all, at.not = []*node{g.a.orEverything()}, []*node{g.b.orEverything()}
	whole := g.a
	for _, s := range slices.Backward(g.path) {
		whole = s.a
		below := at
		switch s.part {
		case memberOf:
			if s.name == "" {
				return maybeSome
			}
			at = newNode(nil, -1, "", noSource)
			at.kinds = kindObject
			at.object.required = []string{s.name}
			at.object.properties = []property{{name: s.name, node: &below}}
		case itemOf:
			at = newNode(nil, -1, "", noSource)
			at.kinds = kindArray
			at.array.min = int64(s.index) + 1
			at.array.prefix = append(make([]*node, s.index), &below)
		case sameInstance:
		}
	}
	return r.none([]literal{admitting(whole), admitting(&at)})
}

func (r *refuter) spendCube() bool {
	r.left--
	return r.left >= 0
}

// none decides whether no value fulfils all literals.
func (r *refuter) none(list []literal) outcome {
	list, contradiction := r.tidy(list)
	if contradiction {
		return isEmpty
	}
	if len(list) == 0 {
		return outcome{model: schema.NewString("x")}
	}
	key := r.key(list)
	if known, ok := r.known[key]; ok {
		return known
	}
	if r.depth >= maxGoalDepth || !r.spendCube() {
		return maybeSome
	}
	r.depth++
	defer func() { r.depth-- }()
	r.known[key] = isEmpty
	mark := len(r.trail)
	r.trail = append(r.trail, key)
	found := r.anyKind(list)
	if !found.empty {
		for _, used := range r.trail[mark:] {
			delete(r.known, used)
		}
		r.trail = r.trail[:mark]
		r.known[key] = found
	}
	return found
}

// tidy sorts literals, drops what demands nothing, and finds what contradicts
// itself at first sight.
func (r *refuter) tidy(list []literal) (tidied []literal, contradiction bool) {
	for _, l := range list {
		switch {
		case l.refuse && l.node.always(), !l.refuse && l.node.never():
			return nil, true
		case l.refuse && l.node.never(), !l.refuse && l.node.always():
		default:
			tidied = append(tidied, l)
		}
	}
	slices.SortFunc(tidied, func(x, y literal) int { return r.id(x) - r.id(y) })
	tidied = slices.Compact(tidied)
	for i := 1; i < len(tidied); i++ {
		if tidied[i-1].node == tidied[i].node {
			return nil, true // both signs
		}
	}
	return tidied, false
}

// id numbers literals in the order in which they are met.
func (r *refuter) id(l literal) int {
	id, ok := r.ids[l.node]
	if !ok {
		id = len(r.ids)
		r.ids[l.node] = id
	}
	if l.refuse {
		return 2*id + 1
	}
	return 2 * id
}

func (r *refuter) key(list []literal) string {
	key := make([]byte, 0, 4*len(list))
	for _, l := range list {
		key = binary.LittleEndian.AppendUint32(key, uint32(r.id(l))) //nolint:gosec // an index
	}
	return string(key)
}

// allKinds are the kinds one by one, those first that need no search.
var allKinds = []kinds{kindNull, kindTrue, kindFalse, kindNumber, kindString, kindArray, kindObject}

// anyKind looks at every kind of value apart.
func (r *refuter) anyKind(list []literal) outcome {
	possible := everyKind
	for _, l := range list {
		if !l.refuse {
			possible &= l.node.kinds
		}
	}
	if possible == 0 || r.byRules(list) {
		return isEmpty
	}
	found := isEmpty
	for _, k := range allKinds {
		if possible&k == 0 {
			continue
		}
		of := r.ofKind(list, k)
		if of.model != nil {
			return of
		}
		if !of.empty {
			found = maybeSome
		}
	}
	return found
}

// byRules asks the rules for pairs of nodes for a contradiction.
func (r *refuter) byRules(list []literal) bool {
	for _, no := range list {
		if !no.refuse {
			continue
		}
		if !slices.ContainsFunc(list, func(l literal) bool { return !l.refuse }) && r.inside(nil, no.node) {
			return true
		}
		for _, yes := range list {
			if !yes.refuse && r.inside(yes.node, no.node) {
				return true
			}
		}
	}
	return false
}

// inside asks the rules for pairs of nodes.
func (r *refuter) inside(a, b *node) bool {
	r.lemmas--
	return r.lemmas >= 0 && r.contained(a, b)
}

// ofKind looks for a value of one kind.
func (r *refuter) ofKind(list []literal, k kinds) outcome {
	c := newCube(k)
	for _, l := range list {
		c.push(l)
	}
	return r.explore(c)
}

// explore decides a cube: what it says so far, and then every way to take its
// first open choice.
func (r *refuter) explore(c *cube) outcome {
	if !r.spendCube() {
		return maybeSome
	}
	if !r.settle(c) {
		return isEmpty
	}
	if c.values != nil {
		if found, decided := r.listedValues(c); decided {
			return found
		}
	}
	found := r.leaf(c)
	if found.empty || len(c.choices) == 0 {
		return found
	}
	at := c.narrowest()
	found = isEmpty
	for _, way := range c.choices[at] {
		next := c.clone()
		next.choices = slices.Delete(slices.Clone(c.choices), at, at+1)
		next.take(way)
		switch of := r.explore(next); {
		case of.model != nil:
			return of
		case !of.empty:
			found = maybeSome
		}
		if r.left < 0 {
			return maybeSome
		}
	}
	return found
}

// leaf decides what a cube says of its kind. Open choices are left out.
func (r *refuter) leaf(c *cube) outcome {
	switch c.kind {
	case kindNumber:
		return c.number.decide()
	case kindString:
		return r.texts(c)
	case kindArray:
		return r.arrays(c)
	case kindObject:
		return r.objects(c)
	default:
		return outcome{model: singleOf(c.kind)}
	}
}

func singleOf(k kinds) *schema.Value {
	if k == kindNull {
		return schema.NewNull()
	}
	return schema.NewBool(k == kindTrue)
}

// either returns one node that admits what any of some nodes admits.
func (r *refuter) either(list []*node) *node {
	if slices.ContainsFunc(list, func(n *node) bool { return n == nil }) {
		return nil
	}
	if len(list) == 1 {
		return list[0]
	}
	literals := make([]literal, len(list))
	for i, n := range list {
		literals[i] = admitting(n)
	}
	key := r.key(literals)
	n, ok := r.joined[key]
	if !ok {
		made := newNode(nil, -1, list[0].pointer, noSource)
		made.any = [][]*node{list}
		n = &made
		r.joined[key] = n
	}
	return n
}

// exactly returns a node that admits one value.
func (r *refuter) exactly(v *schema.Value) *node {
	key := "=" + keyOf(v)
	n, ok := r.joined[key]
	if !ok {
		made := newNode(nil, -1, "", noSource)
		made.restrict(newValueSet([]*schema.Value{v}))
		n = &made
		r.joined[key] = n
	}
	return n
}
