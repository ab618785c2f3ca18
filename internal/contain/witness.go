// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// MaxWitness bounds the JSON text of a witness, in bytes: it is shown to
// people, in a condition and in a pull request.
const MaxWitness = 512

// Budgets of the search. They count values and the work of the validators.
const (
	// maxLeaves bounds the values that are tried at one gap, and maxConfirmed
	// the instances of one question.
	maxLeaves    = 48
	maxConfirmed = 2_000
	// maxConfirming bounds the work of confirming for one question, in
	// applications of a schema node to a value, about a microsecond each. Real
	// pairs take some tens of thousands.
	maxConfirming = 1_000_000
	// maxExploredAtGap and maxExplored bound the values that are drawn by chance,
	// at one gap, of which the first ones count, and for the whole schemas.
	maxExploredAtGap = 150
	maxExploredGaps  = 8
	maxExplored      = 4_000
	// maxAttacked is what is left for chance when a proof is attacked. The edges
	// find nearly all that an enumerator finds, and what chance adds to them it
	// adds in the first dozens.
	maxAttacked = 60
	// judgedAtGap is what the search may spend on single values at each gap.
	judgedAtGap = 20_000
)

// court confirms witnesses: only the validators of both schemas can.
type court struct {
	a, b *schema.Validator
	left int // instances
	work int // applications
	// trims and trimming are the same for instances smaller than a witness.
	trims, trimming int
}

func newCourt(a, b *schema.Validator) *court {
	return &court{a: a, b: b, left: maxConfirmed, work: maxConfirming, trims: maxTrimmed, trimming: maxTrimming}
}

// accepts asks one validator, as long as there is budget. One that cannot
// decide accepts nothing and refuses nothing.
func (c *court) accepts(v *schema.Validator, instance *schema.Value) (accepted, decided bool) {
	if c.work -= v.Cost(instance); c.work < 0 {
		return false, false
	}
	accepted, err := v.Accepts(instance)
	return accepted, err == nil
}

// confirm reports whether a accepts an instance that b rejects.
func (c *court) confirm(v *schema.Value) bool {
	_, witness := c.try(v)
	return witness
}

// try reports whether a accepts an instance, and whether b rejects it then.
func (c *court) try(v *schema.Value) (inA, witness bool) {
	if c.left--; c.left < 0 {
		return false, false
	}
	accepted, decided := c.accepts(c.a, v)
	if !accepted || !decided {
		return false, false
	}
	accepted, decided = c.accepts(c.b, v)
	return true, decided && !accepted
}

// refute looks for the smallest instance that shows a gap to be real: first
// among the values that the failed rule points at, then around every edge of
// the two nodes.
func (p *prover) refute(g gap, c *court) *schema.Value {
	p.budget = max(p.budget, judgedAtGap)
	for _, way := range append([]gap{g}, g.same...) {
		if w := p.refuteOne(way, c); w != nil {
			return c.shrink(w, false)
		}
	}
	return nil
}

func (p *prover) refuteOne(g gap, c *court) *schema.Value {
	var other *schema.Value
	if g.leaves != nil {
		best, shows := p.smallest(g, g.leaves(), c)
		if shows {
			return best
		}
		other = best
	}
	leaves := p.boundary(g.a, g.b, 0)
	if g.b != nil {
		leaves = slices.DeleteFunc(slices.Clone(leaves), func(v *schema.Value) bool { return p.admits(g.b, v) == yes })
	}
	best, shows := p.smallest(g, leaves, c)
	if other == nil || shows {
		return best
	}
	return other
}

// leafKeywords are keywords that the validator names when they refuse a value.
// A witness of a gap should break the one that the gap is about.
var leafKeywords = map[string]bool{
	"type": true, "enum": true, "const": true, "minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true,
	"multipleOf": true, "minLength": true, "maxLength": true, "pattern": true, "format": true, "minItems": true, "maxItems": true,
	"uniqueItems": true, "minProperties": true, "maxProperties": true, "required": true, "dependentRequired": true,
}

// breaks reports whether a witness shows what a gap is about.
func (c *court) breaks(g gap, v *schema.Value) bool {
	if !leafKeywords[g.keyword] || len(g.path) > 0 && g.onlyIn != "" {
		return true
	}
	for o := range c.objections(v) {
		if o.keyword == g.keyword {
			return true
		}
	}
	return false
}

// smallest confirms instances built around the first leaves and returns the
// shortest one that shows what the gap is about, or else the shortest.
func (p *prover) smallest(g gap, leaves []*schema.Value, c *court) (best *schema.Value, shows bool) {
	for _, leaf := range head(leaves, maxLeaves) {
		if p.admits(g.a, leaf) == no {
			continue
		}
		v, ok := p.wrap(g.path, leaf)
		if !ok || (shows && len(v.JSON()) >= len(best.JSON())) || !c.confirm(v) {
			continue
		}
		switch breaks := c.breaks(g, v); {
		case breaks, best == nil, !shows && len(v.JSON()) < len(best.JSON()):
			best, shows = v, breaks
		}
	}
	return best, shows
}

// exploreGap draws values for the place of a gap by chance.
func (p *prover) exploreGap(g gap, c *court) *schema.Value {
	if g.a == nil {
		return nil
	}
	e := newExplorer(&p.sampler, g.a, g.b.orEverything())
	for range maxExploredAtGap {
		leaf := e.next(g.a, g.b)
		if p.admits(g.a, leaf) == no {
			continue
		}
		e.keep(leaf)
		if g.b != nil && p.admits(g.b, leaf) == yes {
			continue
		}
		if v, ok := p.wrap(g.path, leaf); ok && c.confirm(v) {
			return v
		}
	}
	return nil
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

// attack looks for an instance that a accepts and b rejects, anywhere in two
// schemas. After a proof there is none unless a rule is wrong, so it asks the
// validators rather than what the proof rests on.
func (p *prover) attack(a, b *node, c *court) *schema.Value {
	if p.alike(a, b) {
		return nil // equal but for annotations: nothing was proved
	}
	return p.everywhere(a, b, c, maxAttacked, false)
}

// searchAll looks for a witness of a containment that has no proof.
func (p *prover) searchAll(a, b *node, c *court) *schema.Value {
	p.budget = max(p.budget, maxJudged)
	for _, g := range head(p.gaps, maxExploredGaps) {
		if w := p.exploreGap(g, c); w != nil {
			return c.shrink(w, true)
		}
	}
	if w := p.everywhere(a, b, c, maxExplored, true); w != nil {
		return c.shrink(w, true)
	}
	return nil
}

// everywhere tries the edges of two nodes and then draws values by chance.
// With judge, values that the canonical form can decide are not put before
// the validators.
func (p *prover) everywhere(a, b *node, c *court, drawn int, judge bool) *schema.Value {
	e := newExplorer(&p.sampler, a, b)
	for _, v := range newValueSet(slices.Concat(p.boundary(a, b, 0), p.boundary(b, a, 0))).list {
		inA, witness := c.try(v)
		if witness {
			return v
		}
		if inA {
			e.keep(v)
		}
	}
	for range drawn {
		v := e.next(a, b)
		if judge && p.admits(a, v) == no {
			continue
		}
		if judge && p.admits(b, v) == yes {
			e.keep(v)
			continue
		}
		inA, witness := c.try(v)
		if witness {
			return v
		}
		if inA {
			e.keep(v)
		}
		if c.left < 0 || c.work < 0 {
			break
		}
	}
	return nil
}
