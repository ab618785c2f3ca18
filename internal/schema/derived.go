// SPDX-License-Identifier: Apache-2.0

package schema

// Derived returns what a function makes of the document. It is made when it is
// first asked for and kept with the document, one value for each key, so that
// many readers of one document read it once. The function may run more than once
// at the same time; one of its results is kept. Keys are types of the caller's
// own.
func (s *Schema) Derived(key any, derive func(*Schema) any) any {
	if v, ok := s.derived.Load(key); ok {
		return v
	}
	v, _ := s.derived.LoadOrStore(key, derive(s))
	return v
}
