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
		case k.Shape == One && m.Value.IsSchema():
			out = append(out, Child{Keyword: k, Value: m.Value})
		case k.Shape == List && m.Value.kind == Array:
			for i, item := range m.Value.items {
				if item.IsSchema() {
					out = append(out, Child{k, strconv.Itoa(i), item})
				}
			}
		case k.Shape == Map && m.Value.kind == Object:
			for _, p := range m.Value.members {
				if p.Value.IsSchema() {
					out = append(out, Child{k, p.Name, p.Value})
				}
			}
		}
	}
	return out
}

// IsSchema reports whether v has a JSON type that a schema can have.
func (v *Value) IsSchema() bool { return v.kind == Object || v.kind == Bool }

// MapChildren rewrites through f the subschemas that a member of a schema node
// holds. What does not change is shared with the original.
func MapChildren(m Member, f func(Child) *Value) Member {
	k, _ := LookupKeyword(m.Name)
	switch {
	case k.Shape == One && m.Value.IsSchema():
		m.Value = f(Child{Keyword: k, Value: m.Value})
	case k.Shape == List && m.Value.kind == Array:
		items := copyOnWrite[*Value]{original: m.Value.items}
		for i, item := range m.Value.items {
			if !item.IsSchema() {
				continue
			}
			if mapped := f(Child{k, strconv.Itoa(i), item}); mapped != item {
				items.set(i, mapped)
			}
		}
		if items.copied != nil {
			m.Value = NewArray(items.copied...)
		}
	case k.Shape == Map && m.Value.kind == Object:
		entries := copyOnWrite[Member]{original: m.Value.members}
		for i, e := range m.Value.members {
			if !e.Value.IsSchema() {
				continue
			}
			if mapped := f(Child{k, e.Name, e.Value}); mapped != e.Value {
				entries.set(i, Member{e.Name, mapped})
			}
		}
		if entries.copied != nil {
			m.Value = NewObject(entries.copied...)
		}
	}
	return m
}

// mapSubschemas rebuilds a schema bottom-up through f, which sees every
// schema node after its subschemas were mapped.
func mapSubschemas(node *Value, f func(*Value) *Value) *Value {
	members := copyOnWrite[Member]{original: node.members}
	for i, m := range node.members {
		if mapped := MapChildren(m, func(c Child) *Value { return mapSubschemas(c.Value, f) }); mapped != m {
			members.set(i, mapped)
		}
	}
	if members.copied == nil {
		return f(node)
	}
	return f(NewObject(members.copied...))
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
