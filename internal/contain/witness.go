// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// MaxWitness bounds the JSON text of a witness, in bytes: it is shown to
// people, in a condition and in a pull request.
const MaxWitness = 512

const (
	// maxLeaves bounds the values that are tried at one gap, and maxConfirmed
	// those of one question.
	maxLeaves    = 48
	maxConfirmed = 2_000
)

// court confirms witnesses: only the validators of both schemas can.
type court struct {
	a, b *schema.Validator
	left int
}

// confirm reports whether a accepts an instance that b rejects. A validator
// that cannot decide confirms nothing.
func (c *court) confirm(v *schema.Value) bool {
	if c.left--; c.left < 0 {
		return false
	}
	if accepted, err := c.a.Accepts(v); err != nil || !accepted {
		return false
	}
	accepted, err := c.b.Accepts(v)
	return err == nil && !accepted
}

// refute looks for the smallest instance that shows a gap to be real: first
// among the values that the failed rule points at, then around every edge of
// the two nodes.
func (p *prover) refute(g gap, c *court) *schema.Value {
	for _, way := range append([]gap{g}, g.same...) {
		if w := p.refuteOne(way, c); w != nil {
			return w
		}
	}
	return nil
}

func (p *prover) refuteOne(g gap, c *court) *schema.Value {
	if g.leaves != nil {
		if w := p.smallest(g, g.leaves(), c); w != nil {
			return w
		}
	}
	leaves := p.boundary(g.a, g.b, 0)
	if g.b != nil {
		leaves = slices.DeleteFunc(leaves, func(v *schema.Value) bool { return p.admits(g.b, v) == yes })
	}
	return p.smallest(g, leaves, c)
}

// smallest confirms instances built around the first leaves and returns the
// shortest one.
func (p *prover) smallest(g gap, leaves []*schema.Value, c *court) *schema.Value {
	var best *schema.Value
	for _, leaf := range head(leaves, maxLeaves) {
		if p.admits(g.a, leaf) == no {
			continue
		}
		v, ok := p.wrap(g.path, leaf)
		if !ok || (best != nil && len(v.JSON()) >= len(best.JSON())) {
			continue
		}
		if c.confirm(v) {
			best = v
		}
	}
	return best
}

// wrap builds an instance of the root around a value at the end of a path.
func (p *prover) wrap(path []step, v *schema.Value) (*schema.Value, bool) {
	for _, s := range slices.Backward(path) {
		switch s.part {
		case memberOf:
			if s.name == "" {
				return nil, false
			}
			v = p.fill(s.a, s.b, schema.NewObject(schema.Member{Name: s.name, Value: v}))
			if short := s.a.object.min - int64(v.Len()); short > 0 {
				v = p.pad(s.a, s.b, v, min(short, maxPadding))
			}
		case itemOf:
			lists := p.arrayOf(s.a, s.b, max(s.a.array.min, int64(s.index+1)))
			if len(lists) == 0 {
				return nil, false
			}
			v = withItem(lists[0], s.index, v)
		case sameInstance:
			v = p.fill(s.a, s.b, v)
		}
	}
	return v, true
}

// attack looks for an instance that disproves a proof. There is none unless a
// rule is wrong.
func (p *prover) attack(a, b *node, c *court) *schema.Value {
	for _, v := range slices.Concat(p.boundary(a, b, 0), p.boundary(b, a, 0)) {
		if c.confirm(v) {
			return v
		}
	}
	return nil
}
