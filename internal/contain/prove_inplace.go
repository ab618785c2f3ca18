// SPDX-License-Identifier: Apache-2.0

package contain

import "slices"

// conjuncts demands each schema of b that could not be folded.
func (p *prover) conjuncts(a, b *node) bool {
	ok := true
	for _, c := range b.all {
		ok = p.contained(a, c) && ok
	}
	return ok
}

// alternatives demands some branch of each anyOf of b.
func (p *prover) alternatives(a, b *node) bool {
	ok := true
	for _, branches := range b.any {
		if !p.try(func() bool { return p.covered(a, branches) }) {
			ok = false
			p.branchGaps(a, b, branches, "anyOf", p.covered)
		}
	}
	return ok
}

// covered proves that a lies inside one branch, or each of a's own
// alternatives does.
func (p *prover) covered(a *node, branches []*node) bool {
	if !p.spend() {
		return false
	}
	if slices.ContainsFunc(branches, func(b *node) bool { return p.contained(a, b) }) {
		return true
	}
	for _, own := range a.unions() {
		if p.every(own, func(branch *node) bool { return p.covered(branch, branches) }) {
			return true
		}
	}
	return slices.ContainsFunc(a.all, func(c *node) bool { return p.covered(c, branches) })
}

// exclusives demands exactly one branch of each oneOf of b.
func (p *prover) exclusives(a, b *node) bool {
	ok := true
	for _, branches := range b.one {
		if !p.try(func() bool { return p.coveredOnce(a, branches) }) {
			ok = false
			p.branchGaps(a, b, branches, "oneOf", p.coveredOnce)
		}
	}
	return ok
}

// coveredOnce proves that a lies inside one branch and outside the others, or
// each of a's own alternatives does, or a has the same oneOf.
func (p *prover) coveredOnce(a *node, branches []*node) bool {
	if !p.spend() {
		return false
	}
	for i, b := range branches {
		if p.contained(a, b) && p.outsideOthers(a, branches, i) {
			return true
		}
	}
	if slices.ContainsFunc(a.one, func(own []*node) bool { return p.sameBranches(own, branches) }) {
		return true
	}
	for _, own := range a.unions() {
		if p.every(own, func(branch *node) bool { return p.coveredOnce(branch, branches) }) {
			return true
		}
	}
	return slices.ContainsFunc(a.all, func(c *node) bool { return p.coveredOnce(c, branches) })
}

func (p *prover) outsideOthers(a *node, branches []*node, inside int) bool {
	for i, b := range branches {
		if i != inside && !p.disjoint(a, b, maxEmptyDepth) {
			return false
		}
	}
	return true
}

// sameBranches proves two lists equal, branch by branch in any order.
func (p *prover) sameBranches(a, b []*node) bool {
	if len(a) != len(b) {
		return false
	}
	left := slices.Clone(b)
	for _, x := range a {
		i := slices.IndexFunc(left, func(y *node) bool { return p.equal(x, y) })
		if i < 0 {
			return false
		}
		left = slices.Delete(left, i, i+1)
	}
	return true
}

func (p *prover) equal(a, b *node) bool { return p.contained(a, b) && p.contained(b, a) }

// branchGaps says which alternative is not covered. If both sides have a list
// of the same kind, the gaps of a branch are those against its counterpart.
func (p *prover) branchGaps(a, b *node, branches []*node, keyword string, covered func(*node, []*node) bool) {
	if p.quiet > 0 {
		return
	}
	own := a.any
	if keyword == "oneOf" {
		own = a.one
	}
	whole := gap{a: a, b: b, pointer: b.pointer, keyword: keyword, detail: "no single alternative covers it"}
	if len(own) != 1 {
		p.gap(whole)
		return
	}
	for i, branch := range own[0] {
		if p.try(func() bool { return covered(branch, branches) }) {
			continue
		}
		contained := true
		if i < len(branches) {
			p.inBranch(a, b, func() { contained = p.contained(branch, branches[i]) })
		}
		if contained { // what fails is between this branch and the others
			p.gap(whole)
		}
	}
}

// negations demands that a lies outside each not of b: what b excludes, a
// excludes as well, or cannot contain.
func (p *prover) negations(a, b *node) bool {
	ok := true
	for _, excluded := range b.not {
		if p.try(func() bool { return p.excludes(a, excluded) }) {
			continue
		}
		ok = false
		p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: "not"})
	}
	return ok
}

func (p *prover) excludes(a, excluded *node) bool {
	if !p.spend() {
		return false
	}
	return p.disjoint(a, excluded, maxEmptyDepth) ||
		slices.ContainsFunc(a.not, func(own *node) bool { return p.contained(excluded, own) }) ||
		slices.ContainsFunc(a.all, func(c *node) bool { return p.excludes(c, excluded) })
}

// conditionals demands the same test with branches that contain those of a,
// or branches that contain a altogether.
func (p *prover) conditionals(a, b *node) bool {
	ok := true
	for _, demanded := range b.when {
		if p.try(func() bool { return p.follows(a, demanded) }) {
			continue
		}
		ok = false
		p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: "if"})
	}
	return ok
}

func (p *prover) follows(a *node, demanded conditional) bool {
	if !p.spend() {
		return false
	}
	for _, own := range a.when {
		if p.equal(own.test, demanded.test) && p.contained(own.then, demanded.then) && p.contained(own.otherwise, demanded.otherwise) {
			return true
		}
	}
	if p.contained(a, demanded.then) && p.contained(a, demanded.otherwise) {
		return true
	}
	return slices.ContainsFunc(a.all, func(c *node) bool { return p.follows(c, demanded) })
}

// dependentSchemas demands each schema under its condition.
func (p *prover) dependentSchemas(a, b *node) bool {
	ok := true
	for _, demanded := range b.dependent {
		if p.try(func() bool { return p.dependsAlike(a, demanded) }) {
			continue
		}
		ok = false
		p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: "dependentSchemas", name: demanded.name})
	}
	return ok
}

func (p *prover) dependsAlike(a *node, demanded dependentSchema) bool {
	if !p.spend() {
		return false
	}
	for _, own := range a.dependent {
		if own.name == demanded.name && p.contained(own.node, demanded.node) {
			return true
		}
	}
	mine := a.object.surelyAt(demanded.name)
	if a.kinds == kindObject && slices.ContainsFunc(mine, (*node).never) {
		return true
	}
	return p.contained(a, demanded.node) ||
		slices.ContainsFunc(a.all, func(c *node) bool { return p.dependsAlike(c, demanded) })
}
