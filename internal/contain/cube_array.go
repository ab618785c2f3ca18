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

// positions is how many positions are told apart; those behind are alike.
func (a *cubeArrays) positions() int64 {
	var n int64
	for _, s := range a.shapes {
		n = max(n, int64(len(s.prefix)))
	}
	for _, d := range a.exact {
		n = max(n, d.at+1)
	}
	for _, list := range [][]itemDemand{a.from, a.some} {
		for _, d := range list {
			n = max(n, d.at)
		}
	}
	return n
}

// literals is everything that is demanded of the item at a position.
func (a *cubeArrays) literals(at int64, more ...literal) []literal {
	list := slices.Clone(more)
	for _, s := range a.shapes {
		list = append(list, admitting(s.item(int(at))))
	}
	for _, d := range a.exact {
		if d.at == at {
			list = append(list, d.literals...)
		}
	}
	for _, d := range a.from {
		if d.at <= at {
			list = append(list, d.literals...)
		}
	}
	return list
}

// canBe reports whether an item at a position may fulfil more.
func (r *refuter) canBe(a *cubeArrays, at int64, more ...literal) bool {
	return !r.none(a.literals(at, more...)).empty
}

// sharpen draws conclusions: positions that nothing can have end the array,
// and what only one position can fulfil it must.
func (r *refuter) sharpen(a *cubeArrays) (changed, empty bool) {
	positions := a.positions()
	if positions > maxPositions {
		return false, a.max >= 0 && a.min > a.max
	}
	for _, d := range a.exact { // what was demanded last contradicts most
		if !r.canBe(a, d.at) {
			return false, true
		}
	}
	for at := range positions + 1 {
		if a.max >= 0 && at >= a.max {
			break
		}
		if !r.canBe(a, at) {
			a.max = at
			break
		}
	}
	if r.uniquePool(a) {
		return false, true
	}
	if a.max >= 0 && a.min > a.max {
		return false, true
	}
	if a.repeated && (a.unique || !r.canRepeat(a, positions)) {
		return false, true
	}
	if a.repeated {
		a.min = max(a.min, 2)
	}
	if changed, empty = r.sharpenSome(a, positions); empty {
		return false, true
	}
	more, empty := r.sharpenCounts(a, positions)
	return changed || more, empty
}

// open calls f for each position that is told apart and may exist; the last
// one stands for all behind.
func (a *cubeArrays) open(from, positions int64, f func(at int64)) {
	for at := from; at <= max(positions, from); at++ {
		if a.max >= 0 && at >= a.max {
			return
		}
		f(at)
	}
}

// single reports whether a position that stands for all behind is just one.
func (a *cubeArrays) single(at, positions int64) bool {
	return at < positions || a.max == at+1
}

func (r *refuter) sharpenSome(a *cubeArrays, positions int64) (changed, empty bool) {
	for i := 0; i < len(a.some); i++ {
		d := a.some[i]
		var can []int64
		a.open(d.at, positions, func(at int64) {
			if r.canBe(a, at, d.literals...) {
				can = append(can, at)
			}
		})
		switch {
		case len(can) == 0:
			return false, true
		case len(can) == 1 && a.single(can[0], positions):
			a.some = slices.Delete(slices.Clone(a.some), i, i+1)
			a.place(can[0], d.literals...)
			return true, false
		}
		if a.min < can[0]+1 {
			a.min, changed = can[0]+1, true
		}
	}
	return changed, a.max >= 0 && a.min > a.max
}

func (r *refuter) sharpenCounts(a *cubeArrays, positions int64) (changed, empty bool) {
	for i, c := range a.counts {
		for _, other := range a.counts[i+1:] {
			if r.countsClash(a, c, other, positions) || r.countsClash(a, other, c, positions) {
				return false, true
			}
		}
		if c.min > 0 {
			more, none := r.enough(a, c, positions)
			if none {
				return false, true
			}
			changed = changed || more
		}
		if c.max >= 0 {
			more, none := r.tooMany(a, c, positions)
			if none {
				return false, true
			}
			changed = changed || more
		}
	}
	return changed, false
}

// countsClash reports whether more items must match one schema than may match
// a wider one.
func (r *refuter) countsClash(a *cubeArrays, many, few containment, positions int64) bool {
	if few.max < 0 || many.min <= few.max {
		return false
	}
	list := []literal{admitting(many.node), refusing(few.node)}
	if positions == 0 {
		list = a.literals(0, list...)
	}
	return r.none(list).empty
}

// enough counts the items that can match. If there are just as many as must
// match, they do.
func (r *refuter) enough(a *cubeArrays, c containment, positions int64) (changed, empty bool) {
	var can []int64
	a.open(0, positions, func(at int64) {
		if r.canBe(a, at, admitting(c.node)) {
			can = append(can, at)
		}
	})
	possible := int64(len(can))
	if possible > 0 && can[possible-1] == positions {
		if a.max < 0 {
			return false, false
		}
		possible += a.max - positions - 1
	}
	if possible < c.min {
		return false, true
	}
	if possible > c.min || possible != int64(len(can)) {
		return false, false
	}
	for _, at := range can {
		if !r.canBe(a, at, refusing(c.node)) && a.min > at {
			continue // it does already
		}
		a.place(at, admitting(c.node))
		changed = true
	}
	return changed, a.max >= 0 && a.min > a.max
}

// tooMany counts the items that must match. If there are as many as may match,
// no other one does.
func (r *refuter) tooMany(a *cubeArrays, c containment, positions int64) (changed, empty bool) {
	var free []int64
	forced := int64(0)
	behind := false // those behind all positions are forced
	a.open(0, positions, func(at int64) {
		switch {
		case r.canBe(a, at, refusing(c.node)):
			free = append(free, at)
		case at < positions && at < a.min:
			forced++
		case at < positions:
			free = append(free, at)
		default:
			forced += max(0, a.min-positions)
			behind = true
		}
	})
	if forced > c.max {
		return false, true
	}
	if forced < c.max {
		return false, false
	}
	for _, at := range free {
		if !r.canBe(a, at, admitting(c.node)) {
			continue
		}
		changed = true
		if at == positions {
			a.from = append(a.from, itemDemand{positions, []literal{refusing(c.node)}})
		} else if r.canBe(a, at, refusing(c.node)) {
			a.only(at, c.node)
		} else {
			a.max = atMost(a.max, at)
		}
	}
	if behind {
		before := a.max
		a.max = atMost(a.max, max(a.min, positions))
		changed = changed || a.max != before
	}
	return changed, a.max >= 0 && a.min > a.max
}

// only demands of the item at a position, if there is one, that a node refuses it.
func (a *cubeArrays) only(at int64, n *node) {
	prefix := make([]*node, at+1)
	made := newNode(nil, -1, "", noSource)
	made.not = []*node{n}
	prefix[at] = &made
	a.shapes = append(a.shapes, &arrays{prefix: prefix, max: unlimited})
}

// canRepeat reports whether two items can be equal.
func (r *refuter) canRepeat(a *cubeArrays, positions int64) bool {
	for i := range positions + 2 {
		for j := i + 1; j < positions+2; j++ {
			if a.max >= 0 && j >= a.max {
				break
			}
			if r.canBe(a, i, a.literals(j)...) {
				return true
			}
		}
	}
	return false
}

// uniquePool bounds arrays of distinct items by how many values there are for
// them. It reports whether there are too few.
func (r *refuter) uniquePool(a *cubeArrays) (tooFew bool) {
	if !a.unique {
		return false
	}
	for _, c := range a.counts {
		if values, finite := r.pool([]literal{admitting(c.node)}); finite && int64(len(values)) < c.min {
			return true
		}
	}
	positions := a.positions()
	pool := newValueSet(nil)
	for at := range positions + 1 {
		if a.max >= 0 && at >= a.max {
			return int64(len(pool.list)) < a.min
		}
		if at < positions && at >= a.min {
			return int64(len(pool.list)) < a.min
		}
		values, finite := r.pool(a.literals(at))
		if !finite {
			return false
		}
		for _, v := range values {
			pool.add(v)
		}
	}
	a.max = atMost(a.max, int64(len(pool.list)))
	for _, c := range a.counts {
		matching := int64(0)
		for _, v := range pool.list {
			if r.admits(c.node, v) != no {
				matching++
			}
		}
		if matching < c.min {
			return true
		}
	}
	return false
}

// pool lists every value that can fulfil some literals, if they can be listed.
func (r *refuter) pool(list []literal) (values []*schema.Value, finite bool) {
	for _, l := range list {
		if l.refuse || l.node == nil || finite {
			continue
		}
		values, finite = l.node.finite()
	}
	values = slices.DeleteFunc(slices.Clone(values), func(v *schema.Value) bool {
		return slices.ContainsFunc(list, func(l literal) bool {
			answer := r.admits(l.node, v)
			return (l.refuse && answer == yes) || (!l.refuse && answer == no)
		})
	})
	return values, finite
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
