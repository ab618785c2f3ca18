// SPDX-License-Identifier: Apache-2.0

package schema

// Fields builds an object member by member, in writing order. Names must be
// distinct.
type Fields []Member

// Add appends a member.
func (f *Fields) Add(name string, v *Value) { *f = append(*f, Member{Name: name, Value: v}) }

// Text appends a string, unless it is empty.
func (f *Fields) Text(name, s string) {
	if s != "" {
		f.Add(name, NewString(s))
	}
}

// Int appends a number, unless it is nil.
func (f *Fields) Int(name string, n *int32) {
	if n != nil {
		f.Add(name, NewInt(int64(*n)))
	}
}

// NonEmpty appends an object or array, unless it has no elements.
func (f *Fields) NonEmpty(name string, v *Value) {
	if v.Len() > 0 {
		f.Add(name, v)
	}
}

// Object returns what was built.
func (f *Fields) Object() *Value { return NewObject(*f...) }
