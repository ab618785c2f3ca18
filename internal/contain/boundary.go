// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/big"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
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
	// maxPaired bounds the schemas at the same place that are taken two by two.
	maxPaired = 6
	// maxBranches bounds the schemas at the same place that are looked into.
	maxBranches = 16
	// maxEdges bounds the lists of one question that are kept for another use.
	maxEdges = 1_024
)

// boundary proposes values around every edge of both nodes: at the bounds and
// beside them, each member left out, each member varied, one member more, and
// every length near a limit. It serves the search for a witness and the attack
// on a proof. Both may be nil. The list is shared: items at several positions
// and names that nobody declares often ask for the same one.
func (s *sampler) boundary(a, b *node, depth int) []*schema.Value {
	a, b = a.orEverything(), b.orEverything()
	key := edgesKey{pair{a, b}, depth}
	known, ok := s.edges[key]
	if !ok {
		known = s.boundaryOf(a, b, depth)
		if len(s.edges) < maxEdges {
			s.edges[key] = known
		}
	}
	return known
}

// edgesKey is one call of boundary.
type edgesKey struct {
	pair
	depth int
}

func (s *sampler) boundaryOf(a, b *node, depth int) []*schema.Value {
	out := slices.Concat(s.minimal(a, b), s.minimal(b, a), s.minimal(nil, nil))
	out = append(out, boundaryNumbers(&a.number, &b.number)...)
	out = append(out, s.boundaryTexts(&a.text, &b.text)...)
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
	return differing(head(out, 4*maxBoundary>>depth), maxBoundary>>depth)
}

func boundaryNumbers(a, b *numbers) []*schema.Value {
	var out []*schema.Value
	add := func(list ...*big.Rat) {
		for _, r := range list {
			out = appendNumber(out, r)
		}
	}
	half := big.NewRat(1, 2)
	ends := slices.DeleteFunc([]*big.Rat{a.low.at, b.low.at, a.high.at, b.high.at}, func(r *big.Rat) bool { return r == nil })
	for _, end := range ends {
		for _, by := range []*big.Rat{new(big.Rat), unit, half} {
			add(new(big.Rat).Add(end, by), new(big.Rat).Sub(end, by))
		}
		if !end.IsInt() {
			add(nextMultiple(end, unit, upward), nextMultiple(end, unit, downward))
		}
	}
	for _, n := range []*numbers{a, b} {
		if n.values != nil {
			out = append(out, n.values.head(8)...)
		}
		if n.step == nil {
			continue
		}
		add(n.nearest(new(big.Rat)), n.step, new(big.Rat).Quo(n.step, big.NewRat(2, 1)), new(big.Rat).Add(n.step, n.step))
		for _, end := range ends {
			up, down := nextMultiple(end, n.step, upward), nextMultiple(end, n.step, downward)
			add(up, down, new(big.Rat).Add(up, n.step), new(big.Rat).Sub(down, n.step))
		}
	}
	if a.step != nil && b.step != nil {
		both := leastCommonMultiple(a.step, b.step)
		product := new(big.Rat).Mul(a.step, b.step)
		add(both, product.Quo(product, both), new(big.Rat).Add(both, a.step), new(big.Rat).Add(both, b.step))
	}
	return out
}

// boundaryTexts proposes strings beside the lengths, in one pattern and not in
// another, with and without each format, and beside the listed ones.
func (s *sampler) boundaryTexts(a, b *texts) []*schema.Value {
	var out []*schema.Value
	for _, t := range []*texts{a, b} {
		for _, length := range []int64{t.min - 1, t.min, t.max, t.max + 1} {
			if length >= 0 && length <= maxPadding {
				out = append(out, schema.NewString(strings.Repeat("x", int(length))))
				out = s.textsOfLength(out, a, length)
			}
		}
		// One character that is two UTF-16 units and four bytes.
		if t.max > 0 && t.max <= maxPadding {
			out = append(out, schema.NewString(strings.Repeat("😀", int(t.max))))
		}
		if t.values != nil {
			out = append(out, t.values.head(8)...)
			for _, v := range t.values.head(2) {
				out = append(out, schema.NewString(v.Text()+"x"), schema.NewString(strings.ToUpper(v.Text())))
			}
		}
		for _, name := range t.formats {
			for _, text := range slices.Concat(formats[name].has, formats[name].odd, formats[name].lacks) {
				out = append(out, schema.NewString(text))
			}
		}
	}
	out = append(out, s.stringsOf(a)...)
	out = append(out, s.stringsOf(b)...)
	return append(out, s.textsApart(a, b)...)
}

// textsOfLength adds a text of the patterns of t that has a length.
func (s *sampler) textsOfLength(out []*schema.Value, t *texts, length int64) []*schema.Value {
	if len(t.patterns) == 0 {
		return out
	}
	set := t.language()
	set.Least, set.Most = int(length), int(length)
	return s.appendText(out, set)
}

// maxApart bounds the patterns of one place that are told apart.
const maxApart = 4

// textsApart proposes a text of one side for each pattern of the other that it
// fails, and for each that it matches.
func (s *sampler) textsApart(a, b *texts) []*schema.Value {
	var out []*schema.Value
	for _, sides := range [][2]*texts{{a, b}, {b, a}} {
		for _, p := range head(sides[1].patterns, maxApart) {
			set := sides[0].language()
			if slices.ContainsFunc(set.All, func(q *pattern.Pattern) bool { return samePattern(p, q) }) {
				continue
			}
			set.None = []*pattern.Pattern{p}
			out = s.appendText(out, set)
			set.None, set.All = nil, append(set.All, p)
			out = s.appendText(out, set)
		}
	}
	return out
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
	if base := s.arrayOf(a, b, max(a.array.min, 2)); len(base) > 0 {
		items := base[0].Items()
		out = append(out, schema.NewArray(slices.Repeat(items[:1], len(items))...), s.distinctItems(a, b, len(items)))
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
	for i, x := range head(branches, maxPaired) {
		for _, y := range head(branches, maxPaired)[i+1:] {
			// What two alternatives share is what oneOf refuses.
			for _, v := range head(s.minimal(x, y), 2) {
				out = append(out, s.fill(a, b, s.fill(x.orEverything(), y.orEverything(), v)))
			}
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

// distinctItems proposes an array whose items all differ.
func (s *sampler) distinctItems(a, b *node, length int) *schema.Value {
	apart := *a
	apart.array.unique = true
	var items []*schema.Value
	used := newValueSet(nil)
	for i := range min(length, maxBoundary) {
		if item := s.item(&apart, b, i, used); item != nil {
			used.add(item)
			items = append(items, item)
		}
	}
	return schema.NewArray(items...)
}
