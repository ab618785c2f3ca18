// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"slices"
	"strings"
)

// Kind is the JSON type of a [Value].
type Kind uint8

// The JSON types. Integer is not one of them: whether a number is an integer
// is a question about its value ([Value.IsInteger]), as in JSON Schema.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"null", "boolean", "number", "string", "array", "object"}

// String is the JSON Schema word for the kind.
func (k Kind) String() string { return kindNames[k] }

// Value is an immutable JSON value that keeps the order of members and the
// exact value of numbers. The zero Value is null. Values are shared freely
// between trees: rewriting makes new values and never edits one.
type Value struct {
	kind    Kind
	bool    bool
	text    string // String: its characters. Number: canonical spelling.
	items   []*Value
	members []Member
	index   map[string]int // only for wide objects
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value *Value
}

// wideObject is the number of members from which lookup uses a map: below it a
// scan is faster, above it a scan would make hostile objects quadratic.
const wideObject = 16

// NewNull returns the JSON null.
func NewNull() *Value { return &Value{} }

// NewBool returns a JSON boolean.
func NewBool(b bool) *Value { return &Value{kind: Bool, bool: b} }

// NewString returns a JSON string.
func NewString(s string) *Value { return &Value{kind: String, text: s} }

// NewInt returns a JSON number.
func NewInt(n int64) *Value { return &Value{kind: Number, text: formatInt(n)} }

// NewArray returns a JSON array. It keeps the slice.
func NewArray(items ...*Value) *Value { return &Value{kind: Array, items: items} }

// NewObject returns a JSON object with its members in this order. Names must
// be distinct; it keeps the slice.
func NewObject(members ...Member) *Value {
	v := &Value{kind: Object, members: members}
	if len(members) > wideObject {
		v.index = make(map[string]int, len(members))
		for i, m := range members {
			v.index[m.Name] = i
		}
	}
	return v
}

// Kind returns the JSON type.
func (v *Value) Kind() Kind { return v.kind }

// IsTrue reports whether v is the boolean true.
func (v *Value) IsTrue() bool { return v != nil && v.kind == Bool && v.bool }

// IsFalse reports whether v is the boolean false.
func (v *Value) IsFalse() bool { return v != nil && v.kind == Bool && !v.bool }

// Text returns the characters of a string and the canonical spelling of a
// number; for other kinds it is empty.
func (v *Value) Text() string {
	if v == nil {
		return ""
	}
	return v.text
}

// Items returns the elements of an array. The caller must not change them.
func (v *Value) Items() []*Value {
	if v == nil {
		return nil
	}
	return v.items
}

// Members returns the members of an object in order. The caller must not
// change them.
func (v *Value) Members() []Member {
	if v == nil {
		return nil
	}
	return v.members
}

// Len is the number of items or members. It is nil-safe, like Get.
func (v *Value) Len() int {
	if v == nil {
		return 0
	}
	return len(v.items) + len(v.members)
}

// Get returns the value of a member, or nil. It is nil-safe, so that lookups chain.
func (v *Value) Get(name string) *Value {
	if v == nil || v.kind != Object {
		return nil
	}
	if v.index != nil {
		if i, ok := v.index[name]; ok {
			return v.members[i].Value
		}
		return nil
	}
	for _, m := range v.members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Has reports whether an object has a member of this name.
func (v *Value) Has(name string) bool { return v.Get(name) != nil }

// Strings returns the string elements of an array.
func (v *Value) Strings() []string {
	if v == nil {
		return nil
	}
	out := make([]string, 0, len(v.items))
	for _, item := range v.items {
		if item.kind == String {
			out = append(out, item.text)
		}
	}
	return out
}

// With returns a copy of an object in which name has this value: replaced in
// place, or appended. A nil value is that of a member that is not there, as for
// [Value.Get]: the copy lacks the name.
func (v *Value) With(name string, value *Value) *Value {
	if value == nil {
		return v.Without(name)
	}
	members := slices.Clone(v.members)
	for i, m := range members {
		if m.Name == name {
			members[i].Value = value
			return NewObject(members...)
		}
	}
	return NewObject(append(members, Member{name, value})...)
}

// Without returns a copy of an object that lacks these names.
func (v *Value) Without(names ...string) *Value {
	members := make([]Member, 0, len(v.members))
	for _, m := range v.members {
		if !slices.Contains(names, m.Name) {
			members = append(members, m)
		}
	}
	return NewObject(members...)
}

// Equal is JSON Schema equality: numbers by value, objects regardless of
// member order, arrays in order.
func (v *Value) Equal(w *Value) bool {
	if v == w {
		return true
	}
	if v == nil || w == nil || v.kind != w.kind {
		return false
	}
	switch v.kind {
	case Null:
		return true
	case Bool:
		return v.bool == w.bool
	case Number, String:
		return v.text == w.text
	case Array:
		return slices.EqualFunc(v.items, w.items, (*Value).Equal)
	default:
		if len(v.members) != len(w.members) {
			return false
		}
		for _, m := range v.members {
			if !m.Value.Equal(w.Get(m.Name)) {
				return false
			}
		}
		return true
	}
}

// At returns the value that a JSON pointer's tokens lead to, or nil.
func (v *Value) At(tokens []string) *Value {
	for _, t := range tokens {
		switch {
		case v == nil:
			return nil
		case v.kind == Object:
			v = v.Get(t)
		case v.kind == Array:
			i, ok := arrayIndex(t, len(v.items))
			if !ok {
				return nil
			}
			v = v.items[i]
		default:
			return nil
		}
	}
	return v
}

// arrayIndex reads a pointer token as an index: digits without a leading zero.
func arrayIndex(token string, length int) (int, bool) {
	if token == "" || len(token) > 9 || (token[0] == '0' && len(token) > 1) {
		return 0, false
	}
	n := 0
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n < length
}

// sortedMembers returns the members ordered by name.
func (v *Value) sortedMembers() []Member {
	members := slices.Clone(v.members)
	slices.SortFunc(members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return members
}
