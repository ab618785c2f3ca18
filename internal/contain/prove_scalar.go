// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/big"

	"github.com/toolcontract/operator/internal/schema"
)

// parts proves the demands of b kind by kind.
func (p *prover) parts(a, b *node) bool {
	possible := p.possible(a, maxEmptyDepth)
	rules := []func(a, b *node) bool{func(a, b *node) bool { return p.types(a, b, possible) }}
	for _, part := range []struct {
		kind kinds
		rule func(a, b *node) bool
	}{
		{kindNumber, p.numbers}, {kindString, p.texts}, {kindArray, p.arrays}, {kindObject, p.objects},
	} {
		if possible&b.kinds&part.kind != 0 {
			rules = append(rules, part.rule)
		}
	}
	return p.all(a, b, rules...)
}

// types demands that b admits every kind of value that a admits.
func (p *prover) types(a, b *node, possible kinds) bool {
	missing := possible &^ b.kinds
	if missing == 0 {
		return true
	}
	keyword, inA, inB := b.keyword("type", "const", "enum"), typeText(a), typeText(b)
	if keyword == "const" || keyword == "enum" {
		inA, inB = "", aList // the kinds are those of the listed values
	}
	p.gap(gap{
		a: a, b: b, pointer: b.pointer, keyword: keyword, inA: inA, inB: inB,
		leaves: func() []*schema.Value {
			only := *a
			only.kinds = missing
			return p.minimal(&only, nil)
		},
	})
	return false
}

func (p *prover) numbers(a, b *node) bool {
	an, bn := &a.number, &b.number
	if !p.lists(a, b, an.values, bn.values) {
		return false
	}
	if an.values != nil {
		return p.values(a, b, an.values, func(v *schema.Value) answer { return answerOf(bn.admits(v)) },
			func(v *schema.Value) string { return b.failedNumberKeyword(v.Rat()) })
	}
	return p.all(a, b, p.lowEnd, p.highEnd, p.step)
}

func (p *prover) lowEnd(a, b *node) bool {
	if !b.number.low.tighter(a.number.low, upward) {
		return true
	}
	p.boundGap(a, b, b.number.low.at, -1, "minimum", "exclusiveMinimum", a.number.low, b.number.low)
	return false
}

func (p *prover) highEnd(a, b *node) bool {
	if !b.number.high.tighter(a.number.high, downward) {
		return true
	}
	p.boundGap(a, b, b.number.high.at, 1, "maximum", "exclusiveMaximum", a.number.high, b.number.high)
	return false
}

// boundGap looks for numbers of a just outside an end of b, in a direction.
func (p *prover) boundGap(a, b *node, end *big.Rat, direction int, keyword, other string, inA, inB bound) {
	keyword = b.keyword(keyword, other)
	p.gap(gap{
		a: a, b: b, pointer: b.pointer, keyword: keyword,
		inA: a.spelled(keyword, boundText(inA)), inB: b.spelled(keyword, boundText(inB)),
		leaves: func() []*schema.Value {
			step := unit
			if a.number.step != nil {
				step = a.number.step
			}
			outside := new(big.Rat).Add(end, new(big.Rat).Mul(step, big.NewRat(int64(direction), 1)))
			half := new(big.Rat).Add(end, big.NewRat(int64(direction), 2))
			var out []*schema.Value
			for _, r := range []*big.Rat{outside, half, end} {
				out = appendNumber(out, a.number.nearest(r))
			}
			return out
		},
	})
}

// step demands that every number of a is a multiple of b's step.
func (p *prover) step(a, b *node) bool {
	step := b.number.step
	if step == nil || (a.number.step != nil && new(big.Rat).Quo(a.number.step, step).IsInt()) {
		return true
	}
	keyword := b.keyword("multipleOf", "type")
	inA, inB := a.spelled(keyword, ""), b.spelled(keyword, ratText(step))
	if keyword == "type" {
		inA, inB = typeText(a), typeText(b)
	}
	p.gap(gap{
		a: a, b: b, pointer: b.pointer, keyword: keyword, inA: inA, inB: inB,
		leaves: func() []*schema.Value { return numbersOffStep(&a.number, step) },
	})
	return false
}

// numbersOffStep are numbers of n that are no multiples of step.
func numbersOffStep(n *numbers, step *big.Rat) []*schema.Value {
	by := new(big.Rat).Quo(step, big.NewRat(2, 1))
	if n.step != nil {
		by = n.step
	}
	at := n.nearest(new(big.Rat))
	var out []*schema.Value
	for range 4 {
		if at != nil && !new(big.Rat).Quo(at, step).IsInt() {
			out = appendNumber(out, at)
		}
		if at == nil {
			break
		}
		at = n.nearest(new(big.Rat).Add(at, by))
	}
	return out
}

// least demands that a count of a starts no lower than that of b.
func (p *prover) least(a, b *node, keyword string, inA, inB int64) bool {
	if inB <= inA {
		return true
	}
	g := gap{a: a, b: b, pointer: b.pointer, keyword: keyword, inA: atLeastText(inA), inB: atLeastText(inB)}
	p.gap(g.spelledAsPattern())
	return false
}

// most demands that a count of a ends no higher than that of b.
func (p *prover) most(a, b *node, keyword string, inA, inB int64, leaves func() []*schema.Value) bool {
	if within(inA, inB) {
		return true
	}
	g := gap{a: a, b: b, pointer: b.pointer, keyword: keyword, inA: atMostText(inA), inB: atMostText(inB), leaves: leaves}
	p.gap(g.spelledAsPattern())
	return false
}

// spelledAsPattern shows the pattern of a length that was written as one.
func (g gap) spelledAsPattern() gap {
	if g.keyword == "pattern" {
		g.inA, g.inB = g.a.spelled("pattern", g.inA), g.b.spelled("pattern", g.inB)
	}
	return g
}

// aList stands for listed values where a message names a keyword.
const aList = "a list"

// lists demands that what a lists is among what b lists, where b lists at all.
func (p *prover) lists(a, b *node, listed, allowed *valueSet) bool {
	switch {
	case allowed == nil:
		return true
	case listed == nil:
		p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: b.keyword("enum", "const"), inB: aList})
		return false
	}
	outside := listed.filter(func(v *schema.Value) bool { return !allowed.has(v) && p.admits(a, v) != no }).list
	if len(outside) == 0 {
		return true
	}
	p.gap(gap{
		a: a, b: b, pointer: b.pointer, keyword: b.keyword("enum", "const"),
		values: outside, leaves: func() []*schema.Value { return outside },
	})
	return false
}

// values demands that every value that a lists is admitted by the same part of
// b. failing names the keyword of b that refuses a value.
func (p *prover) values(a, b *node, listed *valueSet, admits func(*schema.Value) answer, failing func(*schema.Value) string) bool {
	refused := listed.filter(func(v *schema.Value) bool { return admits(v) != yes && p.admits(a, v) != no }).list
	if len(refused) == 0 {
		return true
	}
	keyword := failing(refused[0])
	p.gap(gap{
		a: a, b: b, pointer: b.pointer, keyword: keyword, values: refused, inB: b.spelled(keyword, ""),
		leaves: func() []*schema.Value { return refused },
	})
	return false
}

// listedParts settles a part of arrays or objects by its listed values, if
// that is enough; done is false if the other keywords still have to be judged.
func (p *prover) listedParts(a, b *node, listed, allowed *valueSet, admits func(*schema.Value) answer) (done, ok bool) {
	if !p.lists(a, b, listed, allowed) {
		return true, false
	}
	if listed == nil {
		return false, false
	}
	refused := listed.filter(func(v *schema.Value) bool { return admits(v) != yes && p.admits(a, v) != no })
	return len(refused.list) == 0, true
}

func (n *node) failedNumberKeyword(r *big.Rat) string {
	switch {
	case !n.number.aboveLow(r):
		return n.keyword("minimum", "exclusiveMinimum")
	case !n.number.belowHigh(r):
		return n.keyword("maximum", "exclusiveMaximum")
	default:
		return n.keyword("multipleOf", "type")
	}
}

func (t *texts) failedKeyword(s string) string {
	for _, test := range []struct {
		part    texts
		keyword string
	}{
		{texts{min: t.min, max: unlimited}, "minLength"},
		{texts{max: t.max}, "maxLength"},
		{texts{max: unlimited, patterns: t.patterns}, "pattern"},
	} {
		if test.part.admits(s) != yes {
			return test.keyword
		}
	}
	return "format"
}
