// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// Budgets count steps, never time, so that the same pair has the same answer
// on a busy machine. They are part of [Version].
const (
	// maxSteps bounds the pairs of nodes that one question looks at. Real tools
	// take tens to a few hundred.
	maxSteps = 50_000
	// maxJudged bounds the applications of a node to a single value.
	maxJudged = 200_000
)

// prover decides whether everything that a admits is admitted by b. It says
// yes only for reasons that hold for every value; for each place where it has
// no reason it leaves a gap.
//
// The shape of every rule is the same: b is a list of demands, and each demand
// needs a proof from a. Whatever a says beyond that only narrows a and may be
// passed over; nothing that b says may be.
type prover struct {
	judge
	steps int
	memo  map[pair]state
	// trail is every pair taken for proven, in order. A pair on the stack is
	// taken for proven while it is being judged (coinduction: between a pair and
	// its return lies a member or an item, since admission refuses references
	// that come back to the same place of the instance; a smallest
	// counter-example would therefore contain a smaller one). When it fails,
	// everything since then may have used it and is forgotten.
	trail []pair

	compared  map[patternPair]patternResult
	comparing int // what is left of maxCompared

	quiet  int // above zero: only the answer counts, no gaps
	gaps   []gap
	noted  int  // calls of gap that counted, also for gaps known before
	more   bool // there are gaps beyond those kept
	path   []step
	labels []label
	sampler
}

type pair struct{ a, b *node }

type state uint8

const (
	unseen   state = iota
	assumed        // proven, or being judged
	failed         // not proven
	reported       // not proven, and its gaps are known
)

func newProver() *prover {
	p := &prover{judge: judge{budget: maxJudged}, steps: maxSteps, memo: map[pair]state{}, compared: map[patternPair]patternResult{}, comparing: maxCompared}
	p.sampler = newSampler(&p.judge)
	return p
}

// contained proves that b admits everything that a admits.
func (p *prover) contained(a, b *node) bool {
	if b.always() || a.never() {
		return true
	}
	a, b = a.orEverything(), b.orEverything()
	key := pair{a, b}
	switch p.memo[key] {
	case assumed:
		return true
	case reported:
		p.again(a, b)
		return false
	case failed:
		if p.quiet > 0 {
			return false
		}
	case unseen:
	}
	if !p.spend() {
		p.gap(gap{a: a, pointer: b.pointer, detail: "the schemas are too large to compare"})
		return false
	}
	p.memo[key] = assumed
	mark, noted := len(p.trail), p.noted
	p.trail = append(p.trail, key)
	if p.decide(a, b) {
		return true
	}
	for _, used := range p.trail[mark:] {
		delete(p.memo, used)
	}
	p.trail = p.trail[:mark]
	p.memo[key] = failed
	if p.quiet == 0 {
		p.memo[key] = reported
		if p.noted == noted {
			// Whoever acknowledges every gap must have seen every place.
			p.gap(gap{a: a, b: b, pointer: b.pointer})
		}
	}
	return false
}

// again notes a pair whose gaps are known: they are not looked for twice, but
// below a label they have another name.
func (p *prover) again(a, b *node) {
	switch {
	case p.quiet > 0:
	case len(p.labels) > 0:
		p.gap(gap{a: a, b: b, pointer: b.pointer})
	default:
		p.noted++
	}
}

func (p *prover) spend() bool {
	p.steps--
	return p.steps >= 0
}

// try runs a proof without leaving gaps.
func (p *prover) try(proof func() bool) bool {
	p.quiet++
	defer func() { p.quiet-- }()
	return proof()
}

// all runs rules that must all hold. Where gaps count it runs every one.
func (p *prover) all(a, b *node, rules ...func(a, b *node) bool) bool {
	ok := true
	for _, rule := range rules {
		if rule(a, b) {
			continue
		}
		if p.quiet > 0 {
			return false
		}
		ok = false
	}
	return ok
}

func (p *prover) decide(a, b *node) bool {
	if b.opaque != "" {
		return p.literally(a, b)
	}
	if p.listed(a, b) {
		return true
	}
	return p.all(a, b, p.own, p.conjuncts, p.alternatives, p.exclusives, p.negations, p.conditionals, p.dependentSchemas)
}

// listed proves a finite left side by trying every value of it.
func (p *prover) listed(a, b *node) bool {
	values, finite := a.finite()
	if !finite {
		return false
	}
	for _, v := range values {
		if p.admits(a, v) != no && p.admits(b, v) != yes {
			return false
		}
	}
	return true
}

// own proves the demands that the parts of b make. The parts of a may prove
// them, or any of the schemas that apply to the same instance.
func (p *prover) own(a, b *node) bool {
	if !p.spend() {
		p.gap(gap{a: a, pointer: b.pointer, detail: "the schemas are too large to compare"})
		return false
	}
	lists := a.unions()
	if len(lists)+len(a.all) == 0 {
		return p.parts(a, b)
	}
	if p.try(func() bool { return p.parts(a, b) || p.ownFromApplicators(a, b, lists) }) {
		return true
	}
	if p.quiet > 0 {
		return false
	}
	if len(lists) == 1 && a.unconstrained() {
		// Everything a says is in the list: the gaps are in its branches.
		for _, branch := range lists[0] {
			p.inBranch(a, b, func() { p.own(branch, b) })
		}
		return false
	}
	return p.parts(a, b)
}

func (p *prover) ownFromApplicators(a, b *node, lists [][]*node) bool {
	for _, c := range a.all {
		if p.own(c, b) {
			return true
		}
	}
	for _, branches := range lists {
		if p.every(branches, func(branch *node) bool { return p.own(branch, b) }) {
			return true
		}
	}
	return false
}

func (p *prover) every(branches []*node, proof func(*node) bool) bool {
	for _, b := range branches {
		if !proof(b) {
			return false
		}
	}
	return true
}

// unions are the lists of which every admitted value satisfies a member.
func (n *node) unions() [][]*node {
	if len(n.any) == 0 {
		return n.one
	}
	return slices.Concat(n.any, n.one)
}

// finite lists every value that the node can admit, if they can be listed.
func (n *node) finite() (values []*schema.Value, ok bool) {
	for _, part := range []struct {
		kind kinds
		list func() *valueSet
	}{
		{kindNumber, n.number.few},
		{kindString, func() *valueSet { return n.text.values }},
		{kindArray, func() *valueSet { return n.array.values }},
		{kindObject, func() *valueSet { return n.object.values }},
	} {
		if n.kinds&part.kind == 0 {
			continue
		}
		list := part.list()
		if list == nil {
			return nil, false
		}
		values = append(values, list.list...)
	}
	return append(values, n.singles()...), true
}

// singles are the values that are kinds of their own.
func (n *node) singles() []*schema.Value {
	var out []*schema.Value
	for _, v := range []*schema.Value{schema.NewBool(true), schema.NewBool(false), schema.NewNull()} {
		if n.kinds&kindOf(v) != 0 {
			out = append(out, v)
		}
	}
	return out
}
