// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// valueSet is a finite set of JSON values in the author's order. A nil set
// means that the values are not listed one by one.
type valueSet struct {
	list  []*schema.Value
	index map[string]struct{}
}

func newValueSet(list []*schema.Value) *valueSet {
	s := &valueSet{index: make(map[string]struct{}, len(list))}
	for _, v := range list {
		s.add(v)
	}
	return s
}

func (s *valueSet) add(v *schema.Value) {
	key := keyOf(v)
	if _, known := s.index[key]; known {
		return
	}
	s.index[key] = struct{}{}
	s.list = append(s.list, v)
}

func (s *valueSet) has(v *schema.Value) bool {
	_, ok := s.index[keyOf(v)]
	return ok
}

// head returns the first members, at most n.
func (s *valueSet) head(n int) []*schema.Value { return head(s.list, n) }

// head returns the first elements of a list, at most n.
func head[T any](list []T, n int) []T { return list[:min(len(list), n)] }

// differing returns the first values of a list that differ, at most n.
func differing(list []*schema.Value, n int) []*schema.Value {
	s := newValueSet(nil)
	for _, v := range list {
		if s.add(v); len(s.list) == n {
			break
		}
	}
	return s.list
}

// filter returns the members that keep satisfies.
func (s *valueSet) filter(keep func(*schema.Value) bool) *valueSet {
	out := &valueSet{index: make(map[string]struct{}, len(s.list))}
	for _, v := range s.list {
		if keep(v) {
			out.add(v)
		}
	}
	return out
}

// intersect returns the members of both sets; a nil set holds every value.
func (s *valueSet) intersect(t *valueSet) *valueSet {
	switch {
	case s == nil:
		return t
	case t == nil:
		return s
	}
	return s.filter(t.has)
}

// keyOf is a text that two values share exactly if they are equal in the
// sense of JSON Schema: numbers have one spelling already, members are sorted.
func keyOf(v *schema.Value) string {
	switch v.Kind() {
	case schema.Array, schema.Object:
		return string(appendKey(nil, v))
	default:
		return v.JSON()
	}
}

func appendKey(dst []byte, v *schema.Value) []byte {
	switch v.Kind() {
	case schema.Array:
		dst = append(dst, '[')
		for _, item := range v.Items() {
			dst = append(appendKey(dst, item), ',')
		}
		return append(dst, ']')
	case schema.Object:
		members := v.Members()
		if byName := func(a, b schema.Member) int { return strings.Compare(a.Name, b.Name) }; !slices.IsSortedFunc(members, byName) {
			members = slices.Clone(members)
			slices.SortFunc(members, byName)
		}
		dst = append(dst, '{')
		for _, m := range members {
			dst = append(schema.AppendString(dst, m.Name), ':')
			dst = append(appendKey(dst, m.Value), ',')
		}
		return append(dst, '}')
	default:
		return v.AppendJSON(dst)
	}
}
