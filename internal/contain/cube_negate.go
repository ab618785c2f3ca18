// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// refuseNode adds the choice of what a node may refuse. It reports false if
// the node refuses nothing of the cube's kind.
func (r *refuter) refuseNode(c *cube, n *node) bool {
	if n == nil {
		return false
	}
	if n.kinds&c.kind == 0 || slices.Contains(c.refused, n) {
		return true
	}
	for _, yes := range c.held {
		if yes == n || r.inside(yes, n) {
			return false
		}
	}
	for _, yes := range c.held {
		if r.apart(yes, n) {
			return true // what is admitted is refused already
		}
	}
	c.refused = append(c.refused, n)
	ways := append(r.refuseParts(c, n), c.refuseInPlace(n)...)
	if len(ways) == 0 {
		return false
	}
	c.choices = append(c.choices, ways)
	return true
}

// refuseParts are the ways in which the parts of a node refuse a value.
func (r *refuter) refuseParts(c *cube, n *node) []way {
	switch c.kind {
	case kindNumber:
		return refuseNumbers(&n.number)
	case kindString:
		return refuseTexts(&n.text)
	case kindArray:
		return r.refuseArrays(&n.array)
	case kindObject:
		return r.refuseObjects(&n.object)
	default:
		return nil
	}
}

// refuseInPlace are the ways in which the schemas refuse a value that look at
// the same place.
func (c *cube) refuseInPlace(n *node) []way {
	in := func(n *node) scoped { return scoped{literal: admitting(n)} }
	out := func(n *node) scoped { return scoped{literal: refusing(n)} }
	var ways []way
	for _, x := range n.all {
		ways = append(ways, way{literals: []scoped{out(x)}})
	}
	for _, x := range n.not {
		ways = append(ways, way{literals: []scoped{in(x)}})
	}
	for _, branches := range n.unions() {
		w := way{}
		for _, b := range branches {
			w.literals = append(w.literals, out(b))
		}
		ways = append(ways, w)
	}
	for _, branches := range n.one {
		for i, b := range branches {
			for _, other := range branches[i+1:] {
				ways = append(ways, way{literals: []scoped{in(b), in(other)}})
			}
		}
	}
	for _, x := range n.when {
		if !x.then.always() {
			ways = append(ways, way{literals: []scoped{in(x.test), out(x.then)}})
		}
		if !x.otherwise.always() {
			ways = append(ways, way{literals: []scoped{out(x.test), out(x.otherwise)}})
		}
	}
	if c.kind == kindObject {
		for _, d := range n.dependent {
			ways = append(ways, way{literals: []scoped{out(d.node)}, demand: func(c *cube) {
				c.object.required = append(c.object.required, d.name)
			}})
		}
	}
	return append(ways, c.refuseUnevaluated(n)...)
}

// apart remembers which nodes are proven to admit nothing in common.
func (r *refuter) apart(a, b *node) bool {
	known, ok := r.disjointed[pair{a, b}]
	if !ok && r.lemmas > 0 {
		r.lemmas--
		known = r.disjoint(a, b, maxEmptyDepth)
		r.disjointed[pair{a, b}] = known
	}
	return known
}

// maxDifferences bounds the listed arrays or objects of which each difference is
// looked at.
const maxDifferences = 8

// differ are the ways to be in none of some listed arrays or objects: from each
// of them there is some difference.
func (r *refuter) differ(values *valueSet, ways func(v *schema.Value) []way) way {
	if len(values.list) > maxDifferences {
		return way{} // those that are left are not judged
	}
	return way{demand: func(c *cube) {
		for _, v := range values.list {
			c.choices = append(c.choices, ways(v))
		}
	}}
}
