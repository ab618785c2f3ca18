// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

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
