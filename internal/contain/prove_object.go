// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

func (p *prover) objects(a, b *node) bool {
	if done, ok := p.listedParts(a, b, a.object.values, b.object.values, func(v *schema.Value) answer { return p.admitsObject(&b.object, v) }); done {
		return ok
	}
	return p.all(a, b, p.required, p.declared, p.undeclared, p.fewestMembers, p.mostMembers, p.dependentRequired, p.propertyNames)
}

func (p *prover) fewestMembers(a, b *node) bool {
	return p.least(a, b, "minProperties", a.object.fewest(), b.object.min)
}

func (p *prover) mostMembers(a, b *node) bool {
	return p.most(a, b, "maxProperties", a.object.most(), b.object.max, func() []*schema.Value {
		base := p.fill(a, b, schema.NewObject())
		return []*schema.Value{p.pad(a, b, base, min(b.object.max+1-int64(base.Len()), maxPadding))}
	})
}

func (p *prover) required(a, b *node) bool {
	ok := true
	for _, name := range b.object.required {
		if a.object.requires(name) {
			continue
		}
		ok = false
		p.gap(gap{
			a: a, b: b, pointer: b.pointer, keyword: "required", name: name,
			leaves: func() []*schema.Value { return p.objectWithout(a, b, name) },
		})
	}
	return ok
}

// namesPerStep is how many names of a wide object cost as much as a pair.
const namesPerStep = 8

// declared demands member by member for every name that either side declares.
// What counts is not the declaration but every schema that applies to the name.
func (p *prover) declared(a, b *node) bool {
	ok := true
	names := declaredNames(&a.object, &b.object)
	p.steps -= len(names) / namesPerStep
	for _, name := range names {
		if !p.canHave(a, name) || p.member(a, b, name) {
			continue
		}
		if p.quiet > 0 {
			return false
		}
		ok = false
	}
	return ok
}

func declaredNames(a, b *objects) []string {
	var names []string
	for _, o := range []*objects{a, b} {
		for _, p := range o.properties {
			names = append(names, p.name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// canHave reports whether some object of a may have this member.
func (p *prover) canHave(a *node, name string) bool {
	if a.object.max == 0 {
		return false
	}
	for _, n := range a.object.names {
		if p.admits(n, schema.NewString(name)) == no {
			return false
		}
	}
	return true
}

func (p *prover) member(a, b *node, name string) bool {
	defer p.enter(step{a: a, b: b, name: name, part: memberOf})()
	inA, ownA := a.object.property(name)
	inB, ownB := b.object.property(name)
	switch {
	case ownB && !ownA:
		defer p.name(label{pointer: inB.pointer, keyword: "properties", name: name, onlyIn: InB})()
	case ownA && !ownB:
		defer p.name(label{pointer: inA.pointer, keyword: b.keyword("additionalProperties", "patternProperties", "unevaluatedProperties"), name: name, onlyIn: InA})()
	}
	mine := a.object.surelyAt(name) // a schema too few only widens a
	demanded, known := b.object.at(name)
	if !known {
		p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: "patternProperties", detail: "a pattern cannot judge the name " + quote(name)})
		return false
	}
	ok := true
	for _, n := range demanded {
		ok = p.fromOne(mine, n) && ok
	}
	return ok
}

// fromOne proves a demand from one of several schemas that all apply.
func (p *prover) fromOne(mine []*node, demanded *node) bool {
	if len(mine) == 0 {
		return p.contained(nil, demanded)
	}
	if len(mine) > 1 {
		for _, n := range mine {
			if p.try(func() bool { return p.contained(n, demanded) }) {
				return true
			}
		}
	}
	return p.contained(mine[0], demanded)
}

// undeclared demands for the names that neither side declares. They fall into
// classes by the patterns of a that they match, and into those that match none.
func (p *prover) undeclared(a, b *node) bool {
	if a.object.max == 0 {
		return true
	}
	return p.all(a, b, p.matchedByB, p.additional)
}

// matchedByB demands the schema of each pattern of b for every name that may
// match it.
func (p *prover) matchedByB(a, b *node) bool {
	ok := true
	for _, demanded := range b.object.patterns {
		ok = p.matched(a, b, demanded) && ok
	}
	return ok
}

func (p *prover) matched(a, b *node, demanded patternProperty) bool {
	defer p.enter(step{a: a, b: b, name: nameMatching(demanded.pattern, a, b), part: memberOf})()
	if own, ok := a.object.sameKey(demanded.pattern); ok {
		return p.contained(own.node, demanded.node) // a constrains exactly these names
	}
	defer p.name(label{pointer: b.pointer, keyword: "patternProperties", name: demanded.pattern.String()})()
	ok := p.contained(a.object.additional, demanded.node)
	for _, q := range a.object.patterns {
		ok = p.contained(q.node, demanded.node) && ok
	}
	return ok
}

// sameKey finds the entry of patternProperties with the same pattern.
func (o *objects) sameKey(key *pattern.Pattern) (patternProperty, bool) {
	i := slices.IndexFunc(o.patterns, func(q patternProperty) bool { return samePattern(q.pattern, key) })
	if i < 0 {
		return patternProperty{}, false
	}
	return o.patterns[i], true
}

// additional demands b's additionalProperties for the names that no pattern of
// b matches.
func (p *prover) additional(a, b *node) bool {
	ok := true
	for _, q := range a.object.patterns {
		if _, both := b.object.sameKey(q.pattern); !both {
			ok = p.unmatched(a, b, q) && ok
		}
	}
	demanded := b.object.additional
	defer p.enter(step{a: a, b: b, name: freshName(a, b), part: memberOf})()
	if demanded.never() {
		defer p.name(label{pointer: b.pointer, keyword: b.keyword("additionalProperties", "unevaluatedProperties")})()
	}
	return p.contained(a.object.additional, demanded) && ok
}

// unmatched demands additionalProperties for names that only a has a pattern for.
func (p *prover) unmatched(a, b *node, own patternProperty) bool {
	defer p.enter(step{a: a, b: b, name: nameMatching(own.pattern, a, b), part: memberOf})()
	defer p.name(label{pointer: b.pointer, keyword: "patternProperties", name: own.pattern.String()})()
	return p.contained(own.node, b.object.additional)
}

func (p *prover) dependentRequired(a, b *node) bool {
	ok := true
	for _, demanded := range b.object.dependent {
		if mine := a.object.surelyAt(demanded.name); slices.ContainsFunc(mine, (*node).never) || !p.canHave(a, demanded.name) {
			continue
		}
		for _, name := range demanded.needs {
			if a.object.requires(name) || a.object.dependsOn(demanded.name, name) {
				continue
			}
			ok = false
			p.gap(gap{
				a: a, b: b, pointer: b.pointer, keyword: "dependentRequired", name: name,
				leaves: func() []*schema.Value { return p.objectsWith(a, b, demanded.name, name) },
			})
		}
	}
	return ok
}

// dependsOn reports whether the presence of one name requires another.
func (o *objects) dependsOn(name, needs string) bool {
	return slices.ContainsFunc(o.dependent, func(d dependentNames) bool {
		return d.name == name && slices.Contains(d.needs, needs)
	})
}

// propertyNames demands each schema for names, from a's own or, if a is
// closed, from the names that it declares.
func (p *prover) propertyNames(a, b *node) bool {
	ok := true
	for _, demanded := range b.object.names {
		if demanded.admitsEveryString() || p.try(func() bool { return p.namesFit(a, demanded) }) {
			continue
		}
		ok = false
		p.gap(gap{a: a, b: b, pointer: b.pointer, keyword: "propertyNames"})
	}
	return ok
}

// admitsEveryString reports whether the canonical form alone shows it. Names
// are strings.
func (n *node) admitsEveryString() bool {
	return n.kinds&kindString != 0 && n.text.unconstrained() && n.standsAlone() && n.opaque == ""
}

func (p *prover) namesFit(a, demanded *node) bool {
	for _, own := range a.object.names {
		if p.contained(own, demanded) {
			return true
		}
	}
	if !a.object.additional.never() || len(a.object.patterns) > 0 {
		return false
	}
	for _, declared := range a.object.properties {
		if !declared.node.never() && p.admits(demanded, schema.NewString(declared.name)) != yes {
			return false
		}
	}
	return true
}
