// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/big"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// Bounds on the search. Each level below the first has half of the values and
// half of the members: what is deep is varied less, so that the work stays
// near linear in the size of the schema.
const (
	// maxBoundary bounds the values proposed for one place.
	maxBoundary = 64
	// maxBoundaryDepth is how deep members and items are varied.
	maxBoundaryDepth = 4
	// maxVaried bounds the members of one object that are varied.
	maxVaried = 48
	// maxBranches bounds the schemas at the same place that are looked into.
	maxBranches = 16
)

// boundary proposes values around every edge of both nodes: at the bounds and
// beside them, each member left out, each member varied, one member more, and
// every length near a limit. It serves the search for a witness and the attack
// on a proof. Both may be nil.
func (s *sampler) boundary(a, b *node, depth int) []*schema.Value {
	a, b = a.orEverything(), b.orEverything()
	out := slices.Concat(s.minimal(a, b), s.minimal(b, a), s.minimal(nil, nil))
	out = append(out, boundaryNumbers(&a.number, &b.number)...)
	out = append(out, boundaryTexts(&a.text, &b.text)...)
	if depth < maxBoundaryDepth {
		if a.kinds&kindObject != 0 {
			out = append(out, s.boundaryObjects(a, b, depth)...)
		}
		if a.kinds&kindArray != 0 {
			out = append(out, s.boundaryArrays(a, b, depth)...)
		}
		out = append(out, s.boundaryBranches(a, b, depth)...)
	}
	out = append(out, schema.NewNull(), schema.NewBool(true), schema.NewInt(0), schema.NewString("x"))
	return newValueSet(head(out, 4*maxBoundary>>depth)).head(maxBoundary >> depth)
}

func boundaryNumbers(a, b *numbers) []*schema.Value {
	var out []*schema.Value
	half := big.NewRat(1, 2)
	for _, end := range []*big.Rat{a.low.at, b.low.at, a.high.at, b.high.at} {
		if end == nil {
			continue
		}
		for _, by := range []*big.Rat{new(big.Rat), unit, half} {
			out = appendNumber(out, new(big.Rat).Add(end, by))
			out = appendNumber(out, new(big.Rat).Sub(end, by))
		}
	}
	for _, n := range []*numbers{a, b} {
		if n.step != nil {
			out = appendNumber(out, n.nearest(new(big.Rat)))
			out = appendNumber(out, n.step)
			out = appendNumber(out, new(big.Rat).Quo(n.step, big.NewRat(2, 1)))
		}
		if n.values != nil {
			out = append(out, n.values.head(8)...)
		}
	}
	return out
}

func boundaryTexts(a, b *texts) []*schema.Value {
	var out []*schema.Value
	for _, t := range []*texts{a, b} {
		for _, length := range []int64{t.min - 1, t.min, t.max, t.max + 1} {
			if length >= 0 && length <= maxPadding {
				out = append(out, schema.NewString(strings.Repeat("x", int(length))))
			}
		}
		if t.values != nil {
			out = append(out, t.values.head(8)...)
		}
	}
	out = append(out, stringsOf(a)...)
	return append(out, stringsOf(b)...)
}

func (s *sampler) boundaryObjects(a, b *node, depth int) []*schema.Value {
	base := s.fill(a, b, schema.NewObject())
	names := mentionedNames(&a.object, &b.object)
	names = head(names, maxVaried>>depth)
	full := s.extend(a, b, base, names, maxVaried)
	out := []*schema.Value{base, full, s.fill(a, everything, schema.NewObject())}
	for _, name := range names {
		out = append(out, base.Without(name), full.Without(name))
	}
	each := max(2, maxBoundary>>depth/(1+len(names))/2)
	for _, name := range names {
		varied := s.boundary(first(a.object.surelyAt(name)), first(b.object.surelyAt(name)), depth+1)
		for _, v := range head(varied, each) {
			out = append(out, base.With(name, v))
		}
	}
	for _, name := range s.otherNames(a, b, depth) {
		varied := s.boundary(first(a.object.surelyAt(name)), first(b.object.surelyAt(name)), depth+1)
		for _, v := range head(varied, 8) {
			out = append(out, base.With(name, v))
		}
	}
	return out
}

// mentionedNames are the names that either side speaks of.
func mentionedNames(a, b *objects) []string {
	names := declaredNames(a, b)
	for _, o := range []*objects{a, b} {
		names = append(names, o.required...)
		for _, d := range o.dependent {
			names = append(append(names, d.name), d.needs...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// otherNames are one undeclared name, one per pattern, and some around the
// edges of propertyNames.
func (s *sampler) otherNames(a, b *node, depth int) []string {
	names := []string{freshName(a, b)}
	for _, p := range slices.Concat(a.object.patterns, b.object.patterns) {
		names = append(names, nameMatching(p.pattern, a, b))
	}
	if len(a.object.names)+len(b.object.names) > 0 {
		edges := s.boundary(first(a.object.names), first(b.object.names), depth+1)
		for _, v := range head(edges, 16) {
			names = append(names, v.Text())
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func (s *sampler) boundaryArrays(a, b *node, depth int) []*schema.Value {
	var out []*schema.Value
	for _, length := range []int64{0, 1, 2, a.array.min, b.array.min - 1, b.array.max, b.array.max + 1, a.array.longest()} {
		if length >= 0 {
			out = append(out, s.arrayOf(a, b, length)...)
		}
	}
	positions := max(len(a.array.prefix), len(b.array.prefix), int(min(a.array.min, 2)))
	for i := range min(positions+1, 8) {
		lists := s.arrayOf(a, b, max(a.array.min, int64(i+1)))
		if len(lists) == 0 || lists[0].Len() <= i {
			continue
		}
		varied := s.boundary(a.array.item(i), b.array.item(i), depth+1)
		for _, v := range head(varied, 8) {
			out = append(out, withItem(lists[0], i, v))
		}
	}
	for _, item := range s.minimal(a.array.rest, b.array.rest) {
		out = append(out, schema.NewArray(item, item))
	}
	return out
}

func withItem(v *schema.Value, i int, item *schema.Value) *schema.Value {
	items := slices.Clone(v.Items())
	items[i] = item
	return schema.NewArray(items...)
}

func (s *sampler) boundaryBranches(a, b *node, depth int) []*schema.Value {
	var out []*schema.Value
	branches := slices.Concat(head(a.beside(), maxBranches>>depth), head(b.beside(), maxBranches>>depth))
	for _, branch := range branches {
		for _, v := range head(s.boundary(branch, nil, depth+1), 8) {
			out = append(out, s.fill(a, b, v))
		}
	}
	for _, d := range slices.Concat(a.dependent, b.dependent) {
		if member := s.member(a, b, d.name); member != nil {
			out = append(out, s.fill(a, b, schema.NewObject(schema.Member{Name: d.name, Value: member})))
		}
	}
	return out
}

// beside are the schemas that look at the same instance, wherever they count.
func (n *node) beside() []*node {
	list := slices.Concat(n.all, n.not)
	for _, branches := range n.unions() {
		list = append(list, branches...)
	}
	for _, c := range n.when {
		list = append(list, c.test, c.then, c.otherwise)
	}
	for _, d := range n.dependent {
		list = append(list, d.node)
	}
	return list
}
