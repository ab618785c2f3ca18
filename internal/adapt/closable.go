// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// Closable marks the nodes, by their index, where closing an object narrows the
// whole schema. Under not, if, oneOf and contains fewer values below can mean more
// above; the branches of an allOf would forbid what each other declares. A node
// that is reached from such a place, also by reference, is left as it is. So is
// an object that declares properties beside an anyOf or a $ref that may declare
// others: each would forbid what the other needs.
func Closable(s *schema.Schema) []bool {
	closable := make([]bool, len(s.Nodes()))
	for i := range closable {
		closable[i] = true
	}
	var exclude func(i int)
	exclude = func(i int) {
		if !closable[i] {
			return
		}
		closable[i] = false
		for _, next := range s.Applies(i) {
			exclude(next)
		}
	}
	for i, n := range s.Nodes() {
		switch n.In {
		case "allOf":
			if parent := s.Nodes()[n.Parent].Value; len(s.AppliesInPlace(n.Parent)) > 1 || constrainsObjects(parent) {
				exclude(i)
			}
		case "oneOf", "not", "if", "then", "else", "dependentSchemas", "contains", "propertyNames":
			exclude(i)
		}
		if n.Value.Has("unevaluatedProperties") {
			for _, next := range s.Applies(i) {
				exclude(next)
			}
		}
		if inPlace := s.AppliesInPlace(i); len(inPlace) > 0 && constrainsObjects(n.Value) {
			closable[i] = false
			for _, next := range inPlace {
				exclude(next)
			}
		}
	}
	return closable
}

func constrainsObjects(v *schema.Value) bool {
	return slices.ContainsFunc([]string{"properties", "patternProperties", "additionalProperties", "required"}, v.Has)
}
