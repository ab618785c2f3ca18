// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
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
