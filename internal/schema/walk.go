// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
)

// Child is one subschema of a node.
type Child struct {
	// Keyword is the keyword that holds it; Token is the property name or list
	// index below it, and empty for keywords with a single subschema.
	Keyword Keyword
	Token   string
	Value   *Value
}

// Pointer returns the child's pointer, given that of its parent.
func (c Child) Pointer(parent string) string {
	if c.Keyword.Shape == One {
		return finding.Pointer(parent, c.Keyword.Name)
	}
	return finding.Pointer(parent, c.Keyword.Name, c.Token)
}

// Children returns the direct subschemas of a schema node in document order.
// Values of the wrong JSON type are passed over: the meta-schema reports them.
func Children(node *Value) []Child {
	var out []Child
	for _, m := range node.members {
		k, known := LookupKeyword(m.Name)
		if !known {
			continue
		}
		switch {
		case k.Shape == One && isSchema(m.Value):
			out = append(out, Child{Keyword: k, Value: m.Value})
		case k.Shape == List && m.Value.kind == Array:
			for i, item := range m.Value.items {
				if isSchema(item) {
					out = append(out, Child{k, strconv.Itoa(i), item})
				}
			}
		case k.Shape == Map && m.Value.kind == Object:
			for _, p := range m.Value.members {
				if isSchema(p.Value) {
					out = append(out, Child{k, p.Name, p.Value})
				}
			}
		}
	}
	return out
}

func isSchema(v *Value) bool { return v.kind == Object || v.kind == Bool }

// mapSubschemas rebuilds a schema bottom-up through f, which sees every
// schema node after its subschemas were mapped.
func mapSubschemas(node *Value, f func(*Value) *Value) *Value {
	if node.kind != Object {
		return f(node)
	}
	members := slices.Clone(node.members)
	for i, m := range members {
		k, _ := LookupKeyword(m.Name)
		switch {
		case k.Shape == One && isSchema(m.Value):
			members[i].Value = mapSubschemas(m.Value, f)
		case k.Shape == List && m.Value.kind == Array:
			items := slices.Clone(m.Value.items)
			for j, item := range items {
				if isSchema(item) {
					items[j] = mapSubschemas(item, f)
				}
			}
			members[i].Value = NewArray(items...)
		case k.Shape == Map && m.Value.kind == Object:
			entries := slices.Clone(m.Value.members)
			for j, e := range entries {
				if isSchema(e.Value) {
					entries[j].Value = mapSubschemas(e.Value, f)
				}
			}
			members[i].Value = NewObject(entries...)
		}
	}
	return f(NewObject(members...))
}

// Canonical returns the schema with the keywords of every node in canonical
// order. The order of properties and of data is the author's and stays.
func Canonical(root *Value) *Value {
	return mapSubschemas(root, func(node *Value) *Value {
		if node.kind != Object {
			return node
		}
		inOrder := slices.IsSortedFunc(node.members, func(a, b Member) int { return compareKeywords(a.Name, b.Name) })
		if inOrder {
			return node
		}
		members := slices.Clone(node.members)
		slices.SortFunc(members, func(a, b Member) int { return compareKeywords(a.Name, b.Name) })
		return NewObject(members...)
	})
}
