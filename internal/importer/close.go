// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// closeObjects forbids undeclared members of objects that declare properties
// and do not say whether there may be others, and reports how many it closed.
func (t *tool) closeObjects(member string, root *schema.Value) *schema.Value {
	admitted, _ := schema.Admit(root)
	if admitted == nil {
		t.note("%s: no object was closed; check says what is wrong with the schema", member)
		return root
	}
	c := closer{composed: composedNodes(admitted)}
	out := c.node(root, "")
	if c.closed > 0 {
		t.note("%s: object schemas closed: %d", member, c.closed)
	}
	if c.left > 0 {
		t.note("%s: object schemas left open: %d; closing them would change what stands around them", member, c.left)
	}
	if c.closed == 0 {
		return root
	}
	return out
}

type closer struct {
	composed     map[string]bool
	closed, left int
}

func (c *closer) node(n *schema.Value, at string) *schema.Value {
	if n.Kind() != schema.Object {
		return n
	}
	var out schema.Fields
	for _, m := range n.Members() {
		out.Add(m.Name, mapChildren(m, func(child *schema.Value, below string) *schema.Value {
			return c.node(child, at+below)
		}))
	}
	switch {
	case !isSilent(n, at == ""):
	case c.composed[at]:
		c.left++
	default:
		c.closed++
		out.Add("additionalProperties", schema.NewBool(false))
	}
	return out.Object()
}

// isSilent reports whether an object schema declares properties and says
// nothing about others. An object without any is a map, except as the root:
// there it is a tool without arguments.
func isSilent(n *schema.Value, isRoot bool) bool {
	if slices.ContainsFunc([]string{"additionalProperties", "unevaluatedProperties", "patternProperties"}, n.Has) {
		return false
	}
	properties := n.Get("properties")
	return properties != nil && properties.Kind() == schema.Object && (properties.Len() > 0 || isRoot)
}

// composedNodes are the places where closing an object changes more than the
// object: below not, if, oneOf and contains fewer values can mean more, the
// branches of allOf would forbid each other's properties, and so would an
// object and the alternatives or the reference beside its properties.
func composedNodes(s *schema.Schema) map[string]bool {
	composed := map[string]bool{}
	var mark func(i int)
	mark = func(i int) {
		pointer := s.Nodes()[i].Pointer
		if composed[pointer] {
			return
		}
		composed[pointer] = true
		for _, next := range s.Applies(i) {
			mark(next)
		}
	}
	for i, n := range s.Nodes() {
		switch n.In {
		case "allOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "contains", "propertyNames":
			mark(i)
		}
		if inPlace := s.AppliesInPlace(i); len(inPlace) > 0 && n.Value.Has("properties") {
			composed[n.Pointer] = true
			for _, next := range inPlace {
				mark(next)
			}
		}
	}
	return composed
}
