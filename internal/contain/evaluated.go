// SPDX-License-Identifier: Apache-2.0

package contain

import "slices"

// scope collects what the schemas at one place evaluate, for one unevaluated
// keyword. Which of them accept is decided by the choices of the cube, so what
// they evaluate is known when no choice is left.
type scope struct {
	body *node
	// somewhere demands an unevaluated member or item that body refuses, instead
	// of demanding body of all.
	somewhere bool

	all     bool // everything is evaluated
	blurred bool // not everything that is evaluated is known
	objects []*objects
	arrays  []*arrays
}

func (s *scope) clip() { s.objects, s.arrays = slices.Clip(s.objects), slices.Clip(s.arrays) }

// unevaluated is the keyword of a node for one kind of value, if it has one
// that could not be written in another way.
func (n *node) unevaluated(k kinds) (body *node, ok bool) {
	switch k {
	case kindObject:
		return n.restMembers, n.openMembers
	case kindArray:
		return n.restItems, n.openItems
	default:
		return nil, false
	}
}

// openScope begins the scope of a node's own unevaluated keyword. For those
// around it everything is evaluated then.
func (c *cube) openScope(n *node, scopes []int) []int {
	body, ok := n.unevaluated(c.kind)
	if !ok {
		return scopes
	}
	for _, i := range scopes {
		c.scopes[i].all = true
	}
	c.scopes = append(c.scopes, scope{body: body})
	return append(slices.Clip(scopes), len(c.scopes)-1)
}

// refuseUnevaluated is the way in which a node refuses a value that all its
// other keywords admit.
func (c *cube) refuseUnevaluated(n *node) []way {
	if n.opaque != "" && !n.openMembers && !n.openItems {
		return []way{{}} // a keyword that nothing here knows
	}
	body, ok := n.unevaluated(c.kind)
	if !ok || body.always() {
		return nil
	}
	return []way{{demand: func(c *cube) {
		c.scopes = append(c.scopes, scope{body: body, somewhere: true})
		c.todo = append(c.todo, scoped{literal: admitting(n), scopes: []int{len(c.scopes) - 1}, base: true})
	}}}
}

// evaluate notes what the parts of a node evaluate.
func (c *cube) evaluate(n *node, scopes []int) {
	for _, i := range scopes {
		s := &c.scopes[i]
		s.blurred = s.blurred || n.lost
		if c.kind == kindObject {
			s.all = s.all || n.allMembers
			s.objects = append(s.objects, &n.object)
		} else {
			s.all = s.all || n.allItems
			s.arrays = append(s.arrays, &n.array)
		}
	}
}

func (c *cube) blur(scopes []int) {
	for _, i := range scopes {
		c.scopes[i].blurred = true
	}
}

// mayEvaluate reports whether it can matter to an unevaluated keyword whether a
// node accepts.
func (n *node) mayEvaluate(k kinds) bool {
	if n == nil {
		return false
	}
	if k == kindObject && (n.allMembers || n.object.shapesMembers()) {
		return true
	}
	if k == kindArray && (n.allItems || len(n.array.prefix)+len(n.array.contains) > 0) {
		return true
	}
	_, own := n.unevaluated(k)
	return own || n.lost || !n.standsAlone()
}

// resolveMembers demands what unevaluatedProperties says.
func (c *cube) resolveMembers(o *cubeObjects) {
	for _, s := range c.scopes {
		switch {
		case s.blurred && !s.all:
		case s.all && s.somewhere:
			o.min, o.max = 1, 0 // nothing is left to refuse
		case s.all:
		case s.somewhere:
			o.some = append(o.some, someMember{declared: s.objects, values: []literal{refusing(s.body)}})
		default:
			o.beyond = append(o.beyond, beyondDemand{declared: s.objects, literal: admitting(s.body)})
		}
	}
}

// resolveItems demands what unevaluatedItems says. An item that contains
// matches is evaluated.
func (c *cube) resolveItems(r *refuter, a *cubeArrays) {
	for _, s := range c.scopes {
		var from int64
		bodies := []*node{s.body}
		for _, part := range s.arrays {
			from = max(from, int64(len(part.prefix)))
			for _, contains := range part.contains {
				bodies = append(bodies, contains.node)
			}
		}
		switch {
		case s.blurred && !s.all:
		case s.all && s.somewhere:
			a.min, a.max = 1, 0
		case s.all:
		case s.somewhere:
			var none []literal
			for _, body := range bodies {
				none = append(none, refusing(body))
			}
			a.some = append(a.some, itemDemand{from, none})
		default:
			a.from = append(a.from, itemDemand{from, []literal{admitting(r.either(bodies))}})
		}
	}
}
