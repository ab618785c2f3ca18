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
// schema node after its subschemas were mapped. What does not change is shared
// with the original.
func mapSubschemas(node *Value, f func(*Value) *Value) *Value {
	if node.kind != Object {
		return f(node)
	}
	mapped := copyOnWrite[Member]{original: node.members}
	for i, m := range node.members {
		k, _ := LookupKeyword(m.Name)
		value := m.Value
		switch {
		case k.Shape == One && isSchema(value):
			value = mapSubschemas(value, f)
		case k.Shape == List && value.kind == Array:
			value = mapItems(value, f)
		case k.Shape == Map && value.kind == Object:
			value = mapEntries(value, f)
		}
		if value != m.Value {
			mapped.set(i, Member{m.Name, value})
		}
	}
	if mapped.copied == nil {
		return f(node)
	}
	return f(NewObject(mapped.copied...))
}

func mapItems(v *Value, f func(*Value) *Value) *Value {
	mapped := copyOnWrite[*Value]{original: v.items}
	for i, item := range v.items {
		if !isSchema(item) {
			continue
		}
		if value := mapSubschemas(item, f); value != item {
			mapped.set(i, value)
		}
	}
	if mapped.copied == nil {
		return v
	}
	return NewArray(mapped.copied...)
}

func mapEntries(v *Value, f func(*Value) *Value) *Value {
	mapped := copyOnWrite[Member]{original: v.members}
	for i, e := range v.members {
		if !isSchema(e.Value) {
			continue
		}
		if value := mapSubschemas(e.Value, f); value != e.Value {
			mapped.set(i, Member{e.Name, value})
		}
	}
	if mapped.copied == nil {
		return v
	}
	return NewObject(mapped.copied...)
}

// copyOnWrite is a slice that is copied when its first element changes.
type copyOnWrite[T any] struct{ original, copied []T }

func (c *copyOnWrite[T]) set(i int, element T) {
	if c.copied == nil {
		c.copied = slices.Clone(c.original)
	}
	c.copied[i] = element
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
