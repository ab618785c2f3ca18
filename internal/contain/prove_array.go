// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"strconv"

	"github.com/toolcontract/operator/internal/schema"
)

func (p *prover) arrays(a, b *node) bool {
	if done, ok := p.listedParts(a, b, a.array.values, b.array.values, func(v *schema.Value) answer { return p.admitsArray(&b.array, v) }); done {
		return ok
	}
	return p.all(a, b, p.fewestItems, p.mostItems, p.items, p.unique, p.contains)
}

func (p *prover) fewestItems(a, b *node) bool {
	return p.least(a, b, "minItems", a.array.min, b.array.min)
}

func (p *prover) mostItems(a, b *node) bool {
	return p.most(a, b, "maxItems", a.array.longest(), b.array.max, nil)
}

// items demands position by position, as far as either side tells positions
// apart, and once for all positions behind.
func (p *prover) items(a, b *node) bool {
	ok := true
	positions := max(len(a.array.prefix), len(b.array.prefix))
	longest := a.array.longest()
	for i := 0; i <= positions; i++ {
		if longest >= 0 && int64(i) >= longest {
			break
		}
		if p.item(a, b, i) {
			continue
		}
		if p.quiet > 0 {
			return false
		}
		ok = false
	}
	return ok
}

func (p *prover) item(a, b *node, i int) bool {
	mine, demanded := a.array.item(i), b.array.item(i)
	defer p.enter(step{a: a, b: b, index: i, part: itemOf})()
	if i >= len(b.array.prefix) && i < len(a.array.prefix) && demanded.never() {
		defer p.name(label{pointer: b.pointer, keyword: b.keyword("items", "unevaluatedItems"), name: strconv.Itoa(i)})()
	}
	return p.contained(mine, demanded)
}

func (p *prover) unique(a, b *node) bool {
	if !b.array.unique || a.array.unique || within(a.array.longest(), 1) {
		return true
	}
	p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: "uniqueItems", inA: a.spelled("uniqueItems", ""), inB: "true"})
	return false
}

// contains demands each count of matching items.
func (p *prover) contains(a, b *node) bool {
	ok := true
	for _, demanded := range b.array.contains {
		if p.try(func() bool { return p.enoughMatches(a, demanded) && p.fewMatches(a, demanded) }) {
			continue
		}
		p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: "contains", detail: "the counts of matching items are not comparable"})
		ok = false
	}
	return ok
}

func (p *prover) enoughMatches(a *node, demanded containment) bool {
	if demanded.min == 0 {
		return true
	}
	for _, own := range a.array.contains {
		if own.min >= demanded.min && p.contained(own.node, demanded.node) {
			return true
		}
	}
	return p.guaranteed(a, demanded.node) >= demanded.min
}

// guaranteed counts the items that every array of a has and that match.
func (p *prover) guaranteed(a, matching *node) int64 {
	positions := int64(len(a.array.prefix))
	found := int64(0)
	for i := range min(positions, a.array.min) {
		if p.contained(a.array.item(int(i)), matching) {
			found++
		}
	}
	if behind := a.array.min - positions; behind > 0 && p.contained(a.array.rest, matching) {
		found += behind
	}
	return found
}

func (p *prover) fewMatches(a *node, demanded containment) bool {
	if within(a.array.longest(), demanded.max) {
		return true
	}
	for _, own := range a.array.contains {
		if within(own.max, demanded.max) && p.contained(demanded.node, own.node) {
			return true
		}
	}
	return false
}
