// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// someMember is about some member that none of some parts declares and whose
// name matches.
type someMember struct {
	declared []*objects
	matching []*pattern.Pattern
	names    []literal
	values   []literal
}

// and is one member for two demands.
func (s someMember) and(t someMember) someMember {
	return someMember{
		declared: slices.Concat(s.declared, t.declared),
		matching: slices.Concat(s.matching, t.matching),
		names:    slices.Concat(s.names, t.names),
		values:   slices.Concat(s.values, t.values),
	}
}

// placedMember is a member with a name that nothing speaks of.
type placedMember struct {
	name     *schema.Value // nil if none was found
	literals []literal
}

// declares reports whether some part declares a name.
func declares(parts []*objects, name string) answer {
	result := no
	for _, o := range parts {
		if _, ok := o.property(name); ok {
			return yes
		}
		for _, p := range o.patterns {
			switch matched, err := p.pattern.Match(name); {
			case err != nil:
				result = maybe
			case matched:
				return yes
			}
		}
	}
	return result
}

// canHaveMember reports whether there may be a member that fulfils more.
func (r *refuter) canHaveMember(o *cubeObjects, name string, more ...literal) bool {
	return r.mayBeNamed(o.names, name) && !r.none(o.literals(name, more...)).empty
}

func (r *refuter) mayBeNamed(list []literal, name string) bool {
	v := schema.NewString(name)
	return !slices.ContainsFunc(list, func(l literal) bool {
		answer := r.admits(l.node, v)
		return (l.refuse && answer == yes) || (!l.refuse && answer == no)
	})
}

// spoken are the names that the cube speaks of, in order.
func (o *cubeObjects) spoken() []string {
	names := slices.Concat(o.required, o.absent)
	add := func(parts []*objects) {
		for _, s := range parts {
			for _, p := range s.properties {
				names = append(names, p.name)
			}
		}
	}
	add(o.shapes)
	for _, b := range o.beyond {
		add(b.declared)
	}
	for _, s := range o.some {
		add(s.declared)
	}
	for _, d := range o.members {
		names = append(names, d.name)
	}
	for _, d := range o.dependent {
		names = append(append(names, d.name), d.needs...)
	}
	for _, l := range o.names {
		if !l.refuse && l.node != nil && l.node.text.values != nil {
			for _, v := range l.node.text.values.head(maxFew) {
				names = append(names, v.Text())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// maxSome bounds the demands on some member that are placed.
const maxSome = 8

// placeSome finds a place for the first demand on some member: one of the names
// that are spoken of, or another one.
func (r *refuter) placeSome(o cubeObjects) outcome {
	if !r.spendCube() || len(o.some) > maxSome {
		return maybeSome
	}
	some := o.some[0]
	found := isEmpty
	try := func(change func(*cubeObjects)) bool {
		next := o
		next.clip()
		next.some = slices.Clone(o.some[1:])
		change(&next)
		of := r.objectsOf(next)
		if !of.empty {
			found = of
		}
		return !of.empty
	}
	for _, name := range o.spoken() {
		if slices.Contains(o.absent, name) || !r.fits(some, name) || !r.canHaveMember(&o, name, some.values...) {
			continue
		}
		if try(func(next *cubeObjects) { next.have(name, some.values...) }) {
			return found
		}
	}
	if o.max >= 0 && int64(len(o.required)+len(o.placed)) >= o.max {
		return found
	}
	r.otherNames(&o, some, nil, func(m placedMember) bool {
		return try(func(next *cubeObjects) { next.placed = append(next.placed, m) })
	})
	if !found.empty {
		return found
	}
	// One member may do for several demands.
	for i, other := range o.some[1:] {
		if try(func(next *cubeObjects) { next.some[i] = some.and(other) }) {
			return found
		}
	}
	return found
}

// fits reports whether a member of this name may be the one.
func (r *refuter) fits(some someMember, name string) bool {
	for _, p := range some.matching {
		if matched, err := p.Match(name); err == nil && !matched {
			return false
		}
	}
	return declares(some.declared, name) != yes && r.mayBeNamed(some.names, name)
}

// maxClassPatterns bounds the patterns by which names that nothing speaks of are told
// apart.
const maxClassPatterns = 6

// otherNames calls f for each class of names that nothing speaks of, told apart
// by the patterns they match, in which there may be a member as demanded; until
// f says that it is enough.
func (r *refuter) otherNames(o *cubeObjects, some someMember, except []*schema.Value, f func(placedMember) bool) {
	patterns := o.patternsWith(some)
	if len(patterns) > maxClassPatterns {
		f(placedMember{literals: some.values})
		return
	}
	for set := range 1 << len(patterns) {
		var match, fail []*pattern.Pattern
		for i, p := range patterns {
			if set&(1<<i) != 0 {
				match = append(match, p)
			} else {
				fail = append(fail, p)
			}
		}
		literals, fits := o.class(some, match)
		if !fits || r.none(literals).empty {
			continue
		}
		name := r.name(o, some, match, fail, except)
		if name.empty {
			continue
		}
		if f(placedMember{name: name.model, literals: literals}) {
			return
		}
	}
}

// patternsWith are all patterns that tell names apart.
func (o *cubeObjects) patternsWith(some someMember) []*pattern.Pattern {
	var list []*pattern.Pattern
	add := func(parts []*objects) {
		for _, s := range parts {
			for _, p := range s.patterns {
				list = append(list, p.pattern)
			}
		}
	}
	add(o.shapes)
	for _, b := range o.beyond {
		add(b.declared)
	}
	add(some.declared)
	list = append(list, some.matching...)
	slices.SortFunc(list, comparePatterns)
	return slices.CompactFunc(list, samePattern)
}

// class is what is demanded of members whose names nothing speaks of and that
// match these patterns and no others. They may not be what some demands.
func (o *cubeObjects) class(some someMember, match []*pattern.Pattern) (literals []literal, fits bool) {
	matches := func(p *pattern.Pattern) bool {
		return slices.ContainsFunc(match, func(q *pattern.Pattern) bool { return samePattern(p, q) })
	}
	declared := func(parts []*objects) bool {
		return slices.ContainsFunc(parts, func(s *objects) bool {
			return slices.ContainsFunc(s.patterns, func(p patternProperty) bool { return matches(p.pattern) })
		})
	}
	if declared(some.declared) || slices.ContainsFunc(some.matching, func(p *pattern.Pattern) bool { return !matches(p) }) {
		return nil, false
	}
	literals = slices.Clone(some.values)
	for _, s := range o.shapes {
		if !declared([]*objects{s}) {
			literals = append(literals, admitting(s.additional))
			continue
		}
		for _, p := range s.patterns {
			if matches(p.pattern) {
				literals = append(literals, admitting(p.node))
			}
		}
	}
	for _, b := range o.beyond {
		if !declared(b.declared) {
			literals = append(literals, b.literal)
		}
	}
	return literals, true
}

// name looks for a name that nothing speaks of.
func (r *refuter) name(o *cubeObjects, some someMember, match, fail []*pattern.Pattern, except []*schema.Value) outcome {
	spoken := newValueSet(except)
	for _, name := range o.spoken() {
		spoken.add(schema.NewString(name))
	}
	for _, m := range o.placed {
		if m.name != nil {
			spoken.add(m.name)
		}
	}
	if len(match)+len(fail)+len(o.names)+len(some.names) == 0 {
		return outcome{model: plainName(spoken)}
	}
	look := func(except []*valueSet) outcome {
		c := newCube(kindString)
		c.text.patterns, c.text.fails, c.text.except = match, fail, except
		for _, l := range slices.Concat(o.names, some.names) {
			c.push(l)
		}
		return r.explore(c)
	}
	found := look(nil)
	if found.empty || (found.model != nil && !spoken.has(found.model)) {
		return found
	}
	return look([]*valueSet{spoken})
}

func plainName(spoken *valueSet) *schema.Value {
	for _, name := range []string{"extra", "other", "x"} {
		if v := schema.NewString(name); !spoken.has(v) {
			return v
		}
	}
	for i := 1; ; i++ {
		if v := schema.NewString("extra" + strconv.Itoa(i)); !spoken.has(v) {
			return v
		}
	}
}

// optional collects members that there may be, as many as are missing; more
// says that there may be others.
func (r *refuter) optional(o *cubeObjects, missing int64) (list []placedMember, more bool) {
	for _, name := range o.spoken() {
		if slices.Contains(o.required, name) || o.lacks(name) || !r.canHaveMember(o, name) {
			continue
		}
		if int64(len(list)) == missing {
			return list, true
		}
		list = append(list, placedMember{name: schema.NewString(name), literals: o.literals(name)})
	}
	if int64(len(list)) == missing { // whether these are all counts, see objectsOf
		r.otherNames(o, someMember{}, nil, func(m placedMember) bool {
			more = true
			if len(o.dependent) > 0 && len(list) > 0 {
				list[0] = m // requires nothing, so the instance has better chances
			}
			return true
		})
		return list, more
	}
	unnamed := func() []placedMember {
		return slices.Concat(list, make([]placedMember, max(0, missing-int64(len(list)))))
	}
	if missing > maxPadding {
		return unnamed(), true // nobody would look at the instance
	}
	var except []*schema.Value
	for int64(len(list)) < missing {
		before := len(list)
		r.otherNames(o, someMember{}, except, func(m placedMember) bool {
			if m.name == nil { // there may be any number
				for int64(len(list)) < missing {
					list = append(list, m)
				}
				more = true
				return true
			}
			except = append(except, m.name)
			list = append(list, m)
			return int64(len(list)) == missing
		})
		if len(list) == before {
			return list, false
		}
		more = true
		if r.left < 0 || len(except) >= maxFew {
			return unnamed(), true
		}
	}
	return list, more
}

// lacks reports whether a member may not be there, or requires one that may not.
func (o *cubeObjects) lacks(name string) bool {
	return slices.Contains(o.absent, name) || slices.ContainsFunc(o.dependent, func(d dependentNames) bool {
		return d.name == name && slices.ContainsFunc(d.needs, func(need string) bool { return slices.Contains(o.absent, need) })
	})
}
