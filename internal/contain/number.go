// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/big"

	"github.com/toolcontract/operator/internal/schema"
)

// bound is one end of a range; without a number there is none.
type bound struct {
	at   *big.Rat
	open bool // the number itself is outside
}

// numbers is what a node says about numbers. Everything is an exact rational:
// 3 is a multiple of 0.3, and 2^53+1 is above 2^53.
type numbers struct {
	low, high bound
	step      *big.Rat // every number is a multiple of it; nil for any number
	values    *valueSet
}

// unit is the step of integers.
var unit = big.NewRat(1, 1)

// integers reports whether only integers are admitted.
func (n *numbers) integers() bool { return n.step != nil && n.step.IsInt() }

func (n *numbers) unconstrained() bool {
	return n.low.at == nil && n.high.at == nil && n.step == nil && n.values == nil
}

// raiseLow keeps the higher of two lower ends.
func (n *numbers) raiseLow(b bound) {
	if b.tighter(n.low, upward) {
		n.low = b
	}
}

// lowerHigh keeps the lower of two upper ends.
func (n *numbers) lowerHigh(b bound) {
	if b.tighter(n.high, downward) {
		n.high = b
	}
}

// The directions in which ends get tighter: lower ones upward, upper ones downward.
const (
	upward   = 1
	downward = -1
)

// tighter reports whether an end leaves out numbers that another one admits.
func (b bound) tighter(than bound, direction int) bool {
	switch {
	case b.at == nil:
		return false
	case than.at == nil:
		return true
	}
	c := direction * b.at.Cmp(than.at)
	return c > 0 || (c == 0 && b.open && !than.open)
}

// requireStep admits only multiples of step from now on.
func (n *numbers) requireStep(step *big.Rat) {
	if n.step == nil {
		n.step = step
		return
	}
	n.step = leastCommonMultiple(n.step, step)
}

// leastCommonMultiple of two positive rationals a/b and c/d: lcm(ad, cb)/bd.
func leastCommonMultiple(x, y *big.Rat) *big.Rat {
	ad := new(big.Int).Mul(x.Num(), y.Denom())
	cb := new(big.Int).Mul(y.Num(), x.Denom())
	gcd := new(big.Int).GCD(nil, nil, ad, cb)
	lcm := new(big.Int).Mul(new(big.Int).Quo(ad, gcd), cb)
	return new(big.Rat).SetFrac(lcm, new(big.Int).Mul(x.Denom(), y.Denom()))
}

func (n *numbers) intersect(m *numbers) {
	n.raiseLow(m.low)
	n.lowerHigh(m.high)
	if m.step != nil {
		n.requireStep(m.step)
	}
	n.values = n.values.intersect(m.values)
}

// normalize moves the ends to the outermost admitted multiples and applies
// everything to listed values. It reports whether any number is left.
func (n *numbers) normalize() bool {
	if n.values != nil {
		plain := numbers{low: n.low, high: n.high, step: n.step}
		*n = numbers{values: n.values.filter(plain.admits)}
		return len(n.values.list) > 0
	}
	if n.step != nil {
		n.low, n.high = inward(n.low, n.step, upward), inward(n.high, n.step, downward)
	}
	if n.low.at == nil || n.high.at == nil {
		return true
	}
	c := n.low.at.Cmp(n.high.at)
	return c < 0 || (c == 0 && !n.low.open && !n.high.open)
}

// inward moves an end to the next multiple of step.
func inward(b bound, step *big.Rat, direction int) bound {
	if b.at == nil {
		return b
	}
	at := nextMultiple(b.at, step, direction)
	if b.open && at.Cmp(b.at) == 0 {
		at.Add(at, new(big.Rat).Mul(step, big.NewRat(int64(direction), 1)))
	}
	return bound{at: at}
}

// nextMultiple is the multiple of step nearest to at that is not below it
// (upward) or not above it (downward).
func nextMultiple(at, step *big.Rat, direction int) *big.Rat {
	q := new(big.Rat).Quo(at, step)
	// Int.Div rounds down for the positive denominators that Rat keeps.
	var whole *big.Int
	if direction == upward {
		whole = new(big.Int).Neg(new(big.Int).Div(new(big.Int).Neg(q.Num()), q.Denom()))
	} else {
		whole = new(big.Int).Div(q.Num(), q.Denom())
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(whole), step)
}

// admits decides for any number; for other kinds it answers yes.
func (n *numbers) admits(v *schema.Value) bool {
	if v.Kind() != schema.Number {
		return true
	}
	return n.admitsRat(v.Rat()) && (n.values == nil || n.values.has(v))
}

func (n *numbers) admitsRat(r *big.Rat) bool {
	return n.aboveLow(r) && n.belowHigh(r) && n.onStep(r)
}

func (n *numbers) aboveLow(r *big.Rat) bool {
	if n.low.at == nil {
		return true
	}
	c := r.Cmp(n.low.at)
	return c > 0 || (c == 0 && !n.low.open)
}

func (n *numbers) belowHigh(r *big.Rat) bool {
	if n.high.at == nil {
		return true
	}
	c := r.Cmp(n.high.at)
	return c < 0 || (c == 0 && !n.high.open)
}

func (n *numbers) onStep(r *big.Rat) bool {
	return n.step == nil || new(big.Rat).Quo(r, n.step).IsInt()
}

// maxFew is the longest range of numbers that is listed one by one.
const maxFew = 64

// few lists the numbers of a short range, or those that are listed anyway; nil
// if there are too many.
func (n *numbers) few() *valueSet {
	if n.values != nil || n.low.at == nil || n.high.at == nil {
		return n.values
	}
	step := n.step
	switch {
	case n.low.at.Cmp(n.high.at) == 0:
		step = unit
	case step == nil, new(big.Rat).Sub(n.high.at, n.low.at).Cmp(new(big.Rat).Mul(step, big.NewRat(maxFew-1, 1))) > 0:
		return nil
	}
	var list []*schema.Value
	for at := n.low.at; at.Cmp(n.high.at) <= 0; at = new(big.Rat).Add(at, step) {
		v, err := schema.NewRat(at)
		if err != nil {
			return nil // too long to write down; a list without it would be wrong
		}
		list = append(list, v)
	}
	return newValueSet(list)
}

// nearest is the admitted number closest to r on the line of bounds and steps,
// or nil if there is none. Listed values are not looked at.
func (n *numbers) nearest(r *big.Rat) *big.Rat {
	at := new(big.Rat).Set(r)
	if n.step != nil {
		at = nextMultiple(at, n.step, upward)
	}
	if !n.aboveLow(at) {
		at = n.justInside(n.low, upward)
	}
	if !n.belowHigh(at) {
		at = n.justInside(n.high, downward)
	}
	if !n.admitsRat(at) {
		return nil
	}
	return at
}

// justInside is a number at an end, or a little inside an open one.
func (n *numbers) justInside(b bound, direction int) *big.Rat {
	if !b.open {
		return new(big.Rat).Set(b.at)
	}
	by := big.NewRat(int64(direction), 1)
	if n.step != nil {
		by.Mul(by, n.step)
	}
	at := new(big.Rat).Add(b.at, by)
	if n.step == nil && n.low.at != nil && n.high.at != nil && !n.admitsRat(at) {
		at.Add(n.low.at, n.high.at)
		at.Quo(at, big.NewRat(2, 1))
	}
	return at
}

// ratText writes a number for a message.
func ratText(r *big.Rat) string {
	if v, err := schema.NewRat(r); err == nil {
		return v.Text()
	}
	return r.RatString()
}

// boundText writes an end for a message; empty without one.
func boundText(b bound) string {
	if b.at == nil {
		return ""
	}
	return ratText(b.at)
}
