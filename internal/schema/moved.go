// SPDX-License-Identifier: Apache-2.0

package schema

// MovedTo writes a document for another place in a larger one: its references
// lead there, and what says of it that it is a document is left out.
func (s *Schema) MovedTo(to string) *Value { return s.moved(0, s.root, to) }

func (s *Schema) moved(i int, v *Value, to string) *Value {
	if v.kind != Object {
		return v
	}
	n := &s.nodes[i]
	out := v.Without("$schema", "$id", "$anchor")
	for _, member := range out.members {
		written := MapChildren(member, func(c Child) *Value {
			child, _ := s.IndexAt(c.Pointer(n.Pointer))
			return s.moved(child, c.Value, to)
		})
		if written != member {
			out = out.With(written.Name, written.Value)
		}
	}
	if n.Ref >= 0 {
		out = out.With("$ref", NewString(RefTo(to+s.nodes[n.Ref].Pointer)))
	}
	return out
}

// Copy gives every place of a document a value of its own. What is assembled
// from parts may share what is below them, and an admitted document finds its
// places by their values.
func (v *Value) Copy() *Value {
	switch v.kind {
	case Bool:
		return NewBool(v.bool)
	case Array:
		items := make([]*Value, len(v.items))
		for i, item := range v.items {
			items[i] = item.Copy()
		}
		return NewArray(items...)
	case Object:
		members := make([]Member, len(v.members))
		for i, m := range v.members {
			members[i] = Member{Name: m.Name, Value: m.Value.Copy()}
		}
		return NewObject(members...)
	default:
		return v
	}
}
