// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// cubeObjects is a conjunction about objects.
type cubeObjects struct {
	min, max         int64 // max is unlimited if negative
	shapes           []*objects
	required, absent []string
	members          []memberDemand
	dependent        []dependentNames
	names            []literal // about every name
	beyond           []beyondDemand
	some             []someMember
	placed           []placedMember
	partial          bool // there is more to come: no instance is wanted yet
}

// memberDemand is about one member, if there is one.
type memberDemand struct {
	name     string
	literals []literal
}

// beyondDemand is about every member that none of some parts declares.
type beyondDemand struct {
	declared []*objects
	literal  literal
}

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

func (o *cubeObjects) clip() {
	o.shapes, o.required, o.absent = slices.Clip(o.shapes), slices.Clip(o.required), slices.Clip(o.absent)
	o.members, o.dependent, o.names = slices.Clip(o.members), slices.Clip(o.dependent), slices.Clip(o.names)
	o.beyond, o.some, o.placed = slices.Clip(o.beyond), slices.Clip(o.some), slices.Clip(o.placed)
}

func (o *cubeObjects) admit(n *objects) {
	o.min, o.max = max(o.min, n.min), atMost(o.max, n.max)
	if n.shapesMembers() {
		o.shapes = append(o.shapes, n)
	}
	o.required = append(o.required, n.required...)
	o.dependent = append(o.dependent, n.dependent...)
	for _, name := range n.names {
		o.names = append(o.names, admitting(name))
	}
}

// have demands a member.
func (o *cubeObjects) have(name string, literals ...literal) {
	o.required = append(o.required, name)
	if len(literals) > 0 {
		o.members = append(o.members, memberDemand{name, literals})
	}
}

// spell admits one object only.
func (o *cubeObjects) spell(r *refuter, v *schema.Value) {
	o.max = atMost(o.max, int64(v.Len()))
	for _, m := range v.Members() {
		o.have(m.Name, admitting(r.exactly(m.Value)))
	}
}

// refuseObjects are the ways in which the part refuses an object.
func (r *refuter) refuseObjects(n *objects) []way {
	var ways []way
	add := func(demand func(*cubeObjects)) { ways = append(ways, way{demand: func(c *cube) { demand(&c.object) }}) }
	for _, name := range n.required {
		add(func(o *cubeObjects) { o.absent = append(o.absent, name) })
	}
	for _, p := range n.properties {
		if !p.node.always() {
			add(func(o *cubeObjects) { o.have(p.name, refusing(p.node)) })
		}
	}
	for _, p := range n.patterns {
		if !p.node.always() {
			add(func(o *cubeObjects) {
				o.some = append(o.some, someMember{matching: []*pattern.Pattern{p.pattern}, values: []literal{refusing(p.node)}})
			})
		}
	}
	if !n.additional.always() {
		add(func(o *cubeObjects) {
			o.some = append(o.some, someMember{declared: []*objects{n}, values: []literal{refusing(n.additional)}})
		})
	}
	for _, names := range n.names {
		if !names.admitsEveryString() {
			add(func(o *cubeObjects) { o.some = append(o.some, someMember{names: []literal{refusing(names)}}) })
		}
	}
	for _, d := range n.dependent {
		for _, need := range d.needs {
			add(func(o *cubeObjects) {
				o.have(d.name)
				o.absent = append(o.absent, need)
			})
		}
	}
	if n.min > 0 {
		add(func(o *cubeObjects) { o.max = atMost(o.max, n.min-1) })
	}
	if n.max >= 0 {
		add(func(o *cubeObjects) { o.min = max(o.min, n.max+1) })
	}
	if n.values != nil {
		ways = append(ways, r.differ(n.values, r.otherObjects))
	}
	return ways
}

// otherObjects are the ways to be another object.
func (r *refuter) otherObjects(v *schema.Value) []way {
	var ways []way
	same := &objects{}
	for _, m := range v.Members() {
		same.properties = append(same.properties, property{name: m.Name})
		ways = append(ways,
			way{demand: func(c *cube) { c.object.absent = append(c.object.absent, m.Name) }},
			way{demand: func(c *cube) { c.object.have(m.Name, refusing(r.exactly(m.Value))) }},
		)
	}
	slices.SortFunc(same.properties, func(a, b property) int { return strings.Compare(a.name, b.name) })
	return append(ways, way{demand: func(c *cube) {
		c.object.some = append(c.object.some, someMember{declared: []*objects{same}})
	}})
}

// objects looks for an object.
func (r *refuter) objects(c *cube) outcome {
	o := c.object
	o.clip()
	if o.partial = len(c.choices) > 0; !o.partial {
		c.resolveMembers(&o)
	}
	return r.objectsOf(o)
}

func (r *refuter) objectsOf(o cubeObjects) outcome {
	o.clip()
	if o.closeRequired() {
		return isEmpty
	}
	r.left -= len(o.required) * (len(o.members) + len(o.shapes)) / membersPerCube
	for _, d := range o.members { // what was demanded last contradicts most
		if slices.Contains(o.required, d.name) && !r.canHaveMember(&o, d.name) {
			return isEmpty
		}
	}
	for _, name := range o.required {
		if !r.canHaveMember(&o, name) {
			return isEmpty
		}
	}
	if len(o.some) > 0 {
		return r.placeSome(o)
	}
	missing := o.min - int64(len(o.required)+len(o.placed))
	if missing <= 0 {
		return outcome{model: r.objectModel(&o, nil)}
	}
	optional, more := r.optional(&o, missing)
	switch {
	case int64(len(optional)) < missing:
		return isEmpty
	case int64(len(optional)) == missing && !more && len(o.dependent) > 0:
		for _, m := range optional {
			if m.name != nil {
				o.required = append(o.required, m.name.Text())
			}
		}
		if o.closeRequired() {
			return isEmpty
		}
	}
	return outcome{model: r.objectModel(&o, optional)}
}

// membersPerCube is how many looks at a member cost as much as a cube.
const membersPerCube = 1_024

// closeRequired adds what required members require. It reports whether that
// cannot be.
func (o *cubeObjects) closeRequired() (impossible bool) {
	o.required = slices.Clone(o.required) // other cubes share it
	slices.Sort(o.required)
	o.required = slices.Compact(o.required)
	for i := 0; i < len(o.required); i++ {
		for _, d := range o.dependent {
			if d.name != o.required[i] {
				continue
			}
			for _, need := range d.needs {
				if !slices.Contains(o.required, need) {
					o.required = append(o.required, need)
				}
			}
		}
	}
	for _, name := range o.absent {
		if slices.Contains(o.required, name) {
			return true
		}
	}
	slices.Sort(o.required)
	return o.max >= 0 && (o.min > o.max || int64(len(o.required)+len(o.placed)) > o.max)
}

// literals is everything that is demanded of a member.
func (o *cubeObjects) literals(name string, more ...literal) []literal {
	list := slices.Clone(more)
	for _, s := range o.shapes {
		for _, n := range s.surelyAt(name) {
			list = append(list, admitting(n))
		}
	}
	for _, d := range o.members {
		if d.name == name {
			list = append(list, d.literals...)
		}
	}
	for _, b := range o.beyond {
		if declares(b.declared, name) == no {
			list = append(list, b.literal)
		}
	}
	return list
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

// objectModel builds an object, or returns nil. It may be wrong: the validators
// judge it.
func (r *refuter) objectModel(o *cubeObjects, optional []placedMember) *schema.Value {
	if o.partial {
		return nil
	}
	var members []schema.Member
	present := map[string]bool{}
	add := func(name string, literals []literal) bool {
		if present[name] {
			return true
		}
		v := r.none(literals).model
		if v == nil {
			return false
		}
		present[name] = true
		members = append(members, schema.Member{Name: name, Value: v})
		return true
	}
	for _, name := range o.required {
		if !add(name, o.literals(name)) {
			return nil
		}
	}
	for _, m := range slices.Concat(o.placed, optional) {
		if m.name == nil || !add(m.name.Text(), m.literals) {
			return nil
		}
	}
	return schema.NewObject(members...)
}
