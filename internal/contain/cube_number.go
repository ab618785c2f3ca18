// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/big"
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// cubeNumbers is a conjunction about numbers. Listed values are those of the cube.
type cubeNumbers struct {
	numbers
	offSteps []*big.Rat  // it is no multiple of any of them
	except   []*valueSet // it is in none of them
}

func (n *cubeNumbers) clip() {
	n.offSteps, n.except = slices.Clip(n.offSteps), slices.Clip(n.except)
}

// refuseNumbers are the ways in which the part refuses a number.
func refuseNumbers(n *numbers) []way {
	var ways []way
	add := func(demand func(*cubeNumbers)) { ways = append(ways, way{demand: func(c *cube) { demand(&c.number) }}) }
	if low := n.low; low.at != nil {
		add(func(c *cubeNumbers) { c.lowerHigh(bound{low.at, !low.open}) })
	}
	if high := n.high; high.at != nil {
		add(func(c *cubeNumbers) { c.raiseLow(bound{high.at, !high.open}) })
	}
	if n.step != nil {
		add(func(c *cubeNumbers) { c.offSteps = append(c.offSteps, n.step) })
	}
	if n.values != nil {
		add(func(c *cubeNumbers) { c.except = append(c.except, n.values) })
	}
	return ways
}

func (n *cubeNumbers) admits(v *schema.Value) bool {
	plain := numbers{low: n.low, high: n.high, step: n.step}
	return plain.admits(v) && !n.excludes(v.Rat(), v)
}

func (n *cubeNumbers) excludes(at *big.Rat, v *schema.Value) bool {
	return slices.ContainsFunc(n.offSteps, func(step *big.Rat) bool { return new(big.Rat).Quo(at, step).IsInt() }) ||
		slices.ContainsFunc(n.except, func(s *valueSet) bool { return s.has(v) })
}

// maxCounted bounds the numbers of a range that are tried one by one.
const maxCounted = 2_048

// decide looks for a number. Without a step an interval that is no single
// point has infinitely many that are multiples of nothing and listed nowhere.
func (n *cubeNumbers) decide() outcome {
	plain := numbers{low: n.low, high: n.high, step: n.step}
	if n.values != nil {
		for _, v := range n.values.list {
			if n.admits(v) {
				return outcome{model: v}
			}
		}
		return isEmpty
	}
	if !plain.normalize() {
		return isEmpty
	}
	if plain.step == nil {
		if plain.low.at == nil || plain.high.at == nil || plain.low.at.Cmp(plain.high.at) < 0 {
			return outcome{model: n.between(&plain)}
		}
		return n.firstOf([]*big.Rat{plain.low.at})
	}
	if slices.ContainsFunc(n.offSteps, func(off *big.Rat) bool { return new(big.Rat).Quo(plain.step, off).IsInt() }) {
		return isEmpty // every multiple of the step is one of the other
	}
	return n.onGrid(&plain)
}

// onGrid looks for a multiple of the step. The step itself is off every other
// step, and so is each number that lies a common multiple further: an open
// range has infinitely many.
func (n *cubeNumbers) onGrid(plain *numbers) outcome {
	at, by := plain.low.at, new(big.Rat).Set(plain.step)
	switch {
	case at == nil && plain.high.at == nil:
		at = new(big.Rat)
	case at == nil:
		at = plain.high.at
		by.Neg(by)
	}
	bounded := plain.low.at != nil && plain.high.at != nil
	at = new(big.Rat).Set(at)
	for range maxCounted {
		if !plain.admitsRat(at) {
			if bounded {
				return isEmpty
			}
			break
		}
		if v, err := schema.NewRat(at); err == nil {
			if !n.excludes(at, v) {
				return outcome{model: v}
			}
		} else if bounded {
			return maybeSome // too long to write down
		}
		at.Add(at, by)
	}
	return maybeSome
}

// between is some number of an interval, or nil.
func (n *cubeNumbers) between(plain *numbers) *schema.Value {
	var tries []*big.Rat
	for _, near := range []*big.Rat{new(big.Rat), unit, big.NewRat(1, 2)} {
		if at := plain.nearest(near); at != nil {
			tries = append(tries, at)
		}
	}
	low, high := plain.low.at, plain.high.at
	switch {
	case low != nil && high != nil:
	case low != nil:
		high = new(big.Rat).Add(low, unit)
	case high != nil:
		low = new(big.Rat).Sub(high, unit)
	default:
		low, high = new(big.Rat), unit
	}
	width := new(big.Rat).Sub(high, low)
	for _, part := range []*big.Rat{new(big.Rat), unit, big.NewRat(1, 2), big.NewRat(1, 4), big.NewRat(3, 8), big.NewRat(1, 10), big.NewRat(9, 1000), big.NewRat(77, 100_000)} {
		tries = append(tries, new(big.Rat).Add(low, new(big.Rat).Mul(width, part)))
	}
	tries = slices.DeleteFunc(tries, func(at *big.Rat) bool { return !plain.admitsRat(at) })
	return n.firstOf(tries).model
}

// firstOf is the first of some numbers that is excluded nowhere.
func (n *cubeNumbers) firstOf(list []*big.Rat) outcome {
	for _, at := range list {
		v, err := schema.NewRat(at)
		if err != nil {
			return maybeSome
		}
		if !n.excludes(at, v) {
			return outcome{model: v}
		}
	}
	return isEmpty
}
