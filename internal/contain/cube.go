// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// cube is a conjunction about values of one kind: what was taken apart already,
// literals that were not, and choices of which one way must be taken.
type cube struct {
	kind    kinds
	todo    []scoped
	choices [][]way

	// held and refused are the nodes that admit or refuse the value as a whole.
	held, refused []*node
	// values are all values that are left, if they are listed.
	values *valueSet

	number cubeNumbers
	text   cubeTexts
	array  cubeArrays
	object cubeObjects
	scopes []scope
}

// scoped is a literal whose schemas count as evaluated in some scopes.
type scoped struct {
	literal
	scopes []int
	// base leaves out what the node's unevaluated keyword says.
	base bool
}

// way is one way to take a choice: literals, and demands on the cube.
type way struct {
	literals []scoped
	demand   func(*cube)
}

func newCube(k kinds) *cube {
	return &cube{
		kind:   k,
		text:   cubeTexts{texts: texts{max: unlimited}},
		array:  cubeArrays{max: unlimited},
		object: cubeObjects{max: unlimited},
	}
}

// clone copies a cube. Slices are shared until something is appended.
func (c *cube) clone() *cube {
	d := *c
	d.todo = slices.Clip(d.todo)
	d.choices = slices.Clip(d.choices)
	d.held, d.refused = slices.Clip(d.held), slices.Clip(d.refused)
	d.number.clip()
	d.text.clip()
	d.array.clip()
	d.object.clip()
	d.scopes = slices.Clone(d.scopes)
	for i := range d.scopes {
		d.scopes[i].clip()
	}
	return &d
}

func (c *cube) push(l literal) { c.todo = append(c.todo, scoped{literal: l}) }

func (c *cube) take(w way) {
	c.todo = append(c.todo, w.literals...)
	if w.demand != nil {
		w.demand(c)
	}
}

// narrowest is the choice with the fewest ways.
func (c *cube) narrowest() int {
	best := 0
	for i, ways := range c.choices {
		if len(ways) < len(c.choices[best]) {
			best = i
		}
	}
	return best
}

// settle takes all literals apart. It reports false for a contradiction.
func (r *refuter) settle(c *cube) bool {
	for len(c.todo) > 0 {
		l := c.next()
		if l.refuse && !r.refuseNode(c, l.node) {
			return false
		}
		if !l.refuse && !r.admitNode(c, l) {
			return false
		}
		for len(c.choices) > 0 && len(c.todo) == 0 {
			i := c.narrowest()
			if len(c.choices[i]) > 1 {
				break
			}
			ways := c.choices[i]
			if len(ways) == 0 {
				return false
			}
			c.choices = slices.Delete(slices.Clone(c.choices), i, i+1)
			c.take(ways[0])
		}
	}
	return true
}

// next takes a literal out: those that admit first, since what is admitted can
// show that a refusal says nothing.
func (c *cube) next() scoped {
	i := len(c.todo) - 1
	for j := i; j >= 0; j-- {
		if !c.todo[j].refuse {
			i = j
			break
		}
	}
	l := c.todo[i]
	c.todo = slices.Delete(slices.Clone(c.todo), i, i+1)
	return l
}

// admitNode adds what a node demands.
func (r *refuter) admitNode(c *cube, l scoped) bool {
	n := l.node
	if n == nil {
		return true
	}
	if n.kinds&c.kind == 0 {
		return false
	}
	if !l.base {
		if !r.hold(c, n) {
			return false
		}
		l.scopes = c.openScope(n, l.scopes)
	}
	c.evaluate(n, l.scopes)
	c.admitParts(n)
	c.admitInPlace(n, l.scopes)
	return true
}

// hold notes that a node admits the value. It reports false if a node that does
// is known to lie inside one that refuses it.
func (r *refuter) hold(c *cube, n *node) bool {
	if slices.Contains(c.held, n) {
		return true
	}
	for _, no := range c.refused {
		if n == no || r.inside(n, no) {
			return false
		}
	}
	c.held = append(c.held, n)
	return true
}

// admitParts adds what the parts of a node demand.
func (c *cube) admitParts(n *node) {
	var listed *valueSet
	switch c.kind {
	case kindNumber:
		c.number.intersect(&n.number)
		listed = n.number.values
	case kindString:
		c.text.intersect(&n.text)
		listed = n.text.values
	case kindArray:
		c.array.admit(&n.array)
		listed = n.array.values
	case kindObject:
		c.object.admit(&n.object)
		listed = n.object.values
	default: // null, true and false have no parts
	}
	if listed != nil {
		c.values = c.values.intersect(listed)
	}
}

// admitInPlace adds the schemas that look at the same value.
func (c *cube) admitInPlace(n *node, scopes []int) {
	in := func(n *node) scoped { return scoped{literal: admitting(n), scopes: scopes} }
	out := func(n *node) scoped { return scoped{literal: refusing(n)} }
	for _, x := range n.all {
		c.todo = append(c.todo, in(x))
	}
	for _, x := range n.not {
		c.todo = append(c.todo, out(x))
	}
	for _, branches := range n.any {
		c.choices = append(c.choices, c.someOf(branches, scopes))
	}
	for _, branches := range n.one {
		ways := make([]way, 0, len(branches))
		for i, chosen := range branches {
			w := way{literals: []scoped{in(chosen)}}
			for j, other := range branches {
				if i != j {
					w.literals = append(w.literals, out(other))
				}
			}
			ways = append(ways, w)
		}
		c.choices = append(c.choices, ways)
	}
	for _, x := range n.when {
		c.choices = append(c.choices, []way{
			{literals: []scoped{in(x.test), in(x.then)}},
			{literals: []scoped{out(x.test), in(x.otherwise)}},
		})
	}
	if c.kind != kindObject {
		return
	}
	for _, d := range n.dependent {
		c.choices = append(c.choices, []way{
			{demand: func(c *cube) { c.object.absent = append(c.object.absent, d.name) }},
			{literals: []scoped{in(d.node)}, demand: func(c *cube) { c.object.required = append(c.object.required, d.name) }},
		})
	}
}

// someOf are the ways in which a value can satisfy an anyOf. Where it matters
// which branches accept, because of what they evaluate, that is every set of
// them.
func (c *cube) someOf(branches []*node, scopes []int) []way {
	const maxSets = 4
	telling := slices.ContainsFunc(branches, func(b *node) bool { return b.mayEvaluate(c.kind) })
	if len(scopes) == 0 || !telling || len(branches) > maxSets {
		if len(scopes) > 0 && telling {
			c.blur(scopes)
		}
		ways := make([]way, len(branches))
		for i, b := range branches {
			ways[i] = way{literals: []scoped{{literal: admitting(b)}}}
		}
		return ways
	}
	var ways []way
	for set := 1; set < 1<<len(branches); set++ {
		w := way{}
		for i, b := range branches {
			if set&(1<<i) != 0 {
				w.literals = append(w.literals, scoped{literal: admitting(b), scopes: scopes})
			} else {
				w.literals = append(w.literals, scoped{literal: refusing(b)})
			}
		}
		ways = append(ways, w)
	}
	return ways
}

// listedValues decides a cube whose values are listed one by one, where the
// canonical form can judge them.
func (r *refuter) listedValues(c *cube) (found outcome, decided bool) {
	c.values = c.values.filter(func(v *schema.Value) bool {
		return kindOf(v) == c.kind && r.mayFulfil(c, v) != no
	})
	if len(c.values.list) == 0 {
		return isEmpty, true
	}
	for _, v := range c.values.list {
		if r.mayFulfil(c, v) == yes {
			if len(c.scopes) == 0 {
				return outcome{model: v}, true
			}
			break
		}
	}
	if len(c.values.list) > maxListed {
		return outcome{model: c.values.list[0]}, true
	}
	r.spellOut(c)
	return maybeSome, false
}

// maxListed bounds the listed values of which each becomes a cube.
const maxListed = 16

// spellOut replaces listed arrays and objects, which the canonical form could
// not judge, by a choice of their members and items. Scalars stay listed.
func (r *refuter) spellOut(c *cube) {
	if c.kind != kindArray && c.kind != kindObject {
		return
	}
	ways := make([]way, 0, len(c.values.list))
	for _, v := range c.values.list {
		ways = append(ways, way{demand: func(c *cube) {
			if c.kind == kindArray {
				c.array.spell(r, v)
			} else {
				c.object.spell(r, v)
			}
		}})
	}
	c.values = nil
	c.choices = append(c.choices, ways)
}

// mayFulfil judges one value by the nodes that admit or refuse it, of which all
// else in the cube was taken, and by what the cube demands of scalars.
func (r *refuter) mayFulfil(c *cube, v *schema.Value) answer {
	result := yes
	for _, n := range c.held {
		result = min(result, r.admits(n, v))
	}
	for _, n := range c.refused {
		result = min(result, yes-r.admits(n, v))
	}
	switch c.kind {
	case kindNumber:
		result = min(result, answerOf(c.number.admits(v)))
	case kindString:
		result = min(result, c.text.admits(v))
	default: // the nodes say it all
	}
	return result
}
