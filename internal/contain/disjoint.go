// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// maxEmptyDepth bounds how deep proofs of emptiness and disjointness look into
// members. Unlike containment they may not assume themselves: a recursive
// schema would prove that it is empty.
const maxEmptyDepth = 4

// possible are the kinds of which a may admit a value; the others are proven
// impossible by a required member or item that admits nothing.
func (p *prover) possible(a *node, depth int) kinds {
	k := a.kinds
	if depth == 0 {
		return k
	}
	if k&kindObject != 0 && a.object.values == nil && p.impossibleObject(&a.object, depth) {
		k &^= kindObject
	}
	if k&kindString != 0 && p.noText(&a.text) {
		k &^= kindString
	}
	if k&kindArray != 0 && a.array.values == nil && !within(a.array.min, a.array.longest()) {
		k &^= kindArray
	}
	return k
}

func (p *prover) impossibleObject(o *objects, depth int) bool {
	if most := o.most(); most >= 0 && o.fewest() > most {
		return true
	}
	for _, name := range o.required {
		for _, n := range o.surelyAt(name) {
			if n != nil && p.possible(n, depth-1) == 0 {
				return true
			}
		}
	}
	return false
}

// disjoint proves that no value is admitted by both nodes.
func (p *prover) disjoint(a, b *node, depth int) bool {
	a, b = a.orEverything(), b.orEverything()
	shared := p.possible(a, depth) & p.possible(b, depth)
	if shared == 0 {
		return true
	}
	if !p.spend() {
		return false
	}
	for _, c := range a.all {
		if p.disjoint(c, b, depth) {
			return true
		}
	}
	for _, c := range b.all {
		if p.disjoint(a, c, depth) {
			return true
		}
	}
	if shared&(kindNull|kindBool) != 0 {
		return false
	}
	return (shared&kindArray == 0 || apart(a.array.min, a.array.longest(), b.array.min, b.array.longest())) &&
		(shared&kindNumber == 0 || disjointNumbers(&a.number, &b.number)) &&
		(shared&kindString == 0 || p.disjointTexts(&a.text, &b.text)) &&
		(shared&kindObject == 0 || (depth > 0 && p.disjointObjects(&a.object, &b.object, depth)))
}

func disjointNumbers(a, b *numbers) bool {
	both := *a
	both.intersect(b)
	return !both.normalize()
}

func (p *prover) disjointTexts(a, b *texts) bool {
	both := *a
	both.intersect(b)
	return !both.normalize() || p.noText(&both)
}

// apart reports whether two ranges of counts have nothing in common.
func apart(minA, maxA, minB, maxB int64) bool {
	return (maxA >= 0 && maxA < minB) || (maxB >= 0 && maxB < minA)
}

// disjointObjects looks for a member that one side requires and whose schemas
// exclude each other: the tag of a tagged union.
func (p *prover) disjointObjects(a, b *objects, depth int) bool {
	if apart(a.fewest(), a.most(), b.fewest(), b.most()) {
		return true
	}
	for _, name := range slices.Concat(a.required, b.required) {
		// A nil stands for the unconstrained value, so that a name which one side
		// requires and the other forbids is found as well.
		for _, x := range append(a.surelyAt(name), nil) {
			for _, y := range append(b.surelyAt(name), nil) {
				if p.disjoint(x, y, depth-1) {
					return true
				}
			}
		}
	}
	return false
}

// Exclusive returns a function that proves of a node, given by its index, that
// no value is admitted by two of the branches that one of its keywords holds.
func Exclusive(s *schema.Schema) func(at int, keyword string) bool {
	if _, invalid := s.Compile(); len(invalid) > 0 {
		return func(int, string) bool { return false }
	}
	g, p := newGraph(s), newProver()
	return func(at int, keyword string) bool {
		var branches []*node
		for _, i := range g.children[at] {
			if s.Nodes()[i].In == keyword {
				branches = append(branches, &g.nodes[g.target(i)])
			}
		}
		for i, a := range branches {
			for _, b := range branches[i+1:] {
				if !p.disjoint(a, b, maxEmptyDepth) {
					return false
				}
			}
		}
		return true
	}
}
