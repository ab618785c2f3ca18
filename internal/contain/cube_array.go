// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// cubeArrays is a conjunction about arrays.
type cubeArrays struct {
	min, max int64 // max is unlimited if negative
	shapes   []*arrays
	exact    []itemDemand // about the item at a position, which there is
	from     []itemDemand // about every item at a position or behind it
	some     []itemDemand // about some item at a position or behind it
	counts   []containment
	unique   bool
	repeated bool // two items are equal
	partial  bool // there is more to come: no instance is wanted yet
}

// itemDemand is what an item must fulfil.
type itemDemand struct {
	at       int64
	literals []literal
}

func (a *cubeArrays) clip() {
	a.shapes, a.exact, a.from = slices.Clip(a.shapes), slices.Clip(a.exact), slices.Clip(a.from)
	a.some, a.counts = slices.Clip(a.some), slices.Clip(a.counts)
}

func (a *cubeArrays) admit(n *arrays) {
	a.min, a.max = max(a.min, n.min), atMost(a.max, n.max)
	if len(n.prefix) > 0 || n.rest != nil {
		a.shapes = append(a.shapes, n)
	}
	a.unique = a.unique || n.unique
	for _, c := range n.contains {
		a.count(c)
	}
}

// count demands a number of matching items. None at all is a demand on each.
func (a *cubeArrays) count(c containment) {
	switch {
	case c.max >= 0 && c.min > c.max:
		a.max, a.min = 0, 1
	case c.max == 0:
		a.from = append(a.from, itemDemand{0, []literal{refusing(c.node)}})
	case c.min > 0 || c.max > 0:
		a.counts = append(a.counts, c)
		a.min = max(a.min, c.min)
	}
}

// place demands something of an item that there is.
func (a *cubeArrays) place(at int64, literals ...literal) {
	a.exact = append(a.exact, itemDemand{at, literals})
	a.min = max(a.min, at+1)
}

// spell admits one array only.
func (a *cubeArrays) spell(r *refuter, v *schema.Value) {
	length := int64(v.Len())
	a.min, a.max = max(a.min, length), atMost(a.max, length)
	for i, item := range v.Items() {
		a.exact = append(a.exact, itemDemand{int64(i), []literal{admitting(r.exactly(item))}})
	}
}

// refuseArrays are the ways in which the part refuses an array.
func (r *refuter) refuseArrays(n *arrays) []way {
	var ways []way
	add := func(demand func(*cubeArrays)) { ways = append(ways, way{demand: func(c *cube) { demand(&c.array) }}) }
	for i, item := range n.prefix {
		if !item.always() {
			add(func(a *cubeArrays) { a.place(int64(i), refusing(item)) })
		}
	}
	if !n.rest.always() {
		add(func(a *cubeArrays) {
			a.some = append(a.some, itemDemand{int64(len(n.prefix)), []literal{refusing(n.rest)}})
		})
	}
	if n.min > 0 {
		add(func(a *cubeArrays) { a.max = atMost(a.max, n.min-1) })
	}
	if n.max >= 0 {
		add(func(a *cubeArrays) { a.min = max(a.min, n.max+1) })
	}
	for _, c := range n.contains {
		if c.min > 0 {
			add(func(a *cubeArrays) { a.count(containment{node: c.node, max: c.min - 1}) })
		}
		if c.max >= 0 {
			add(func(a *cubeArrays) { a.count(containment{node: c.node, min: c.max + 1, max: unlimited}) })
		}
	}
	if n.unique {
		add(func(a *cubeArrays) { a.repeated = true })
	}
	if n.values != nil {
		ways = append(ways, r.differ(n.values, r.otherArrays))
	}
	return ways
}

// otherArrays are the ways to be another array.
func (r *refuter) otherArrays(v *schema.Value) []way {
	length := int64(v.Len())
	ways := []way{
		{demand: func(c *cube) { c.array.min = max(c.array.min, length+1) }},
	}
	if length > 0 {
		ways = append(ways, way{demand: func(c *cube) { c.array.max = atMost(c.array.max, length-1) }})
	}
	for i, item := range v.Items() {
		ways = append(ways, way{demand: func(c *cube) { c.array.place(int64(i), refusing(r.exactly(item))) }})
	}
	return ways
}

const (
	// maxPositions bounds the positions that are told apart.
	maxPositions = 128
	// maxShort is the length up to which arrays are looked at item by item.
	maxShort = 5
	// maxRounds bounds how often one demand may sharpen the others.
	maxRounds = 4
)

// arrays looks for an array.
func (r *refuter) arrays(c *cube) outcome {
	a := c.array
	a.clip()
	if a.partial = len(c.choices) > 0; !a.partial {
		c.resolveItems(r, &a)
	}
	return r.arraysOf(a)
}

func (r *refuter) arraysOf(a cubeArrays) outcome {
	for range maxRounds {
		changed, empty := r.sharpen(&a)
		if empty {
			return isEmpty
		}
		if !changed {
			break
		}
	}
	undecided := len(a.some)+len(a.counts) > 0 || a.repeated
	switch {
	case !undecided || a.min > maxShort || !r.spendCube():
		return outcome{model: r.arrayModel(a)}
	case a.max >= 0 && a.max <= maxShort:
		return r.shortArrays(a)
	case a.partial:
		return maybeSome
	}
	// A short one is enough to show that there is one.
	short := a
	short.max = min(maxShort, a.min+2)
	if of := r.shortArrays(short); of.model != nil {
		return of
	}
	return outcome{model: r.arrayModel(a)}
}

// shortArrays looks at every length and every place of what must be somewhere.
func (r *refuter) shortArrays(a cubeArrays) outcome {
	if a.min < a.max {
		return firstModel(a.max-a.min+1, func(i int64) outcome {
			next := a
			next.clip()
			next.min, next.max = a.min+i, a.min+i
			return r.arraysOf(next)
		})
	}
	if len(a.some) > 0 {
		d := a.some[0]
		return firstModel(a.max-d.at, func(i int64) outcome {
			next := a
			next.clip()
			next.some = slices.Clone(a.some[1:])
			next.place(d.at+i, d.literals...)
			return r.arraysOf(next)
		})
	}
	for _, c := range a.counts {
		for at := range a.max {
			if !r.canBe(&a, at, admitting(c.node)) || !r.canBe(&a, at, refusing(c.node)) {
				continue
			}
			return firstModel(2, func(i int64) outcome {
				next := a
				next.clip()
				next.place(at, literal{c.node, i == 1})
				return r.arraysOf(next)
			})
		}
	}
	return outcome{model: r.arrayModel(a)}
}

// firstModel tries some ways and stops at the first instance.
func firstModel(n int64, try func(i int64) outcome) outcome {
	found := isEmpty
	for i := range n {
		switch of := try(i); {
		case of.model != nil:
			return of
		case !of.empty:
			found = maybeSome
		}
	}
	return found
}

// arrayModel builds an array, or returns nil. It may be wrong: the validators
// judge it.
func (r *refuter) arrayModel(a cubeArrays) *schema.Value {
	if a.partial {
		return nil
	}
	a.clip()
	positions := a.positions()
	for _, d := range a.some {
		placed := false
		a.open(d.at, positions, func(at int64) {
			if !placed && r.canBe(&a, at, d.literals...) {
				a.place(at, d.literals...)
				placed = true
			}
		})
	}
	for _, c := range a.counts {
		left := c.min
		for at := int64(0); left > 0 && at < maxPadding && (a.max < 0 || at < a.max); at++ {
			if r.canBe(&a, at, admitting(c.node)) {
				a.place(at, admitting(c.node))
				left--
			}
		}
	}
	if a.min > maxPadding {
		return nil
	}
	if a.repeated {
		r.placeEqual(&a)
	}
	items := make([]*schema.Value, a.min)
	used := newValueSet(nil)
	for _, at := range r.tightestFirst(&a) {
		list := a.literals(at)
		item := r.none(list).model
		for try := 0; a.unique && item != nil && used.has(item) && try < 8; try++ {
			list = append(list, refusing(r.exactly(item)))
			item = r.none(list).model
		}
		if item == nil {
			return nil
		}
		used.add(item)
		items[at] = item
	}
	return schema.NewArray(items...)
}

// tightestFirst orders the positions of an array; where items must differ,
// those come first that have the fewest values to choose from.
func (r *refuter) tightestFirst(a *cubeArrays) []int64 {
	order := make([]int64, a.min)
	for i := range order {
		order[i] = int64(i)
	}
	if !a.unique {
		return order
	}
	size := func(at int64) int {
		values, finite := r.pool(a.literals(at))
		if !finite {
			return maxPadding
		}
		return len(values)
	}
	sizes := make([]int, a.min)
	for i := range sizes {
		sizes[i] = size(int64(i))
	}
	slices.SortStableFunc(order, func(x, y int64) int { return sizes[x] - sizes[y] })
	return order
}

// placeEqual demands the same value at two positions.
func (r *refuter) placeEqual(a *cubeArrays) {
	for i := range a.positions() + 2 {
		for j := i + 1; j < a.positions()+2 && (a.max < 0 || j < a.max); j++ {
			if v := r.none(a.literals(i, a.literals(j)...)).model; v != nil {
				a.place(i, admitting(r.exactly(v)))
				a.place(j, admitting(r.exactly(v)))
				return
			}
		}
	}
}
