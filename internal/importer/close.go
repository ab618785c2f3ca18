// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/schema"
)

// closeObjects forbids undeclared members of objects that declare properties
// and do not say whether there may be others, and reports how many it closed.
func (t *tool) closeObjects(at string, root *schema.Value) *schema.Value {
	admitted, _ := schema.Admit(root)
	if admitted == nil {
		t.note("%s: no object was closed; check says what is wrong with the schema", at)
		return root
	}
	c := closer{schema: admitted, closable: adapt.Closable(admitted)}
	out := c.node(root, "")
	if c.closed > 0 {
		t.note("%s: object schemas closed: %d", at, c.closed)
	}
	if c.left > 0 {
		t.note("%s: object schemas left open: %d; closing them would change what stands around them", at, c.left)
	}
	if c.closed == 0 {
		return root
	}
	return out
}

type closer struct {
	schema       *schema.Schema
	closable     []bool // by node: where closing does not change what stands around it
	closed, left int
}

func (c *closer) node(n *schema.Value, at string) *schema.Value {
	if n.Kind() != schema.Object {
		return n
	}
	var out schema.Fields
	for _, m := range n.Members() {
		out = append(out, schema.MapChildren(m, func(child schema.Child) *schema.Value {
			return c.node(child.Value, child.Pointer(at))
		}))
	}
	switch {
	case !isSilent(n, at == ""):
	case !c.canClose(at):
		c.left++
	default:
		c.closed++
		out.Add("additionalProperties", schema.NewBool(false))
	}
	return out.Object()
}

// canClose reports whether the node at a pointer may be closed.
func (c *closer) canClose(at string) bool {
	n, ok := c.schema.Node(at)
	return ok && c.closable[c.schema.Index(n.Value)]
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
