// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// pairwiseDisjoint reports whether no value can match two of the schemas. It
// says yes only where the schemas themselves show it: by type, by their
// constants, or by the constant of a property that both require.
func pairwiseDisjoint(branches []*schema.Value) bool {
	for i, a := range branches {
		for _, b := range branches[i+1:] {
			if !disjoint(a, b) {
				return false
			}
		}
	}
	return true
}

func disjoint(a, b *schema.Value) bool {
	return disjointTypes(a, b) || disjointConstants(a, b) || disjointTags(a, b)
}

func disjointTypes(a, b *schema.Value) bool {
	s, t := schema.Types(a), schema.Types(b)
	if s == nil || t == nil {
		return false
	}
	for _, x := range s {
		for _, y := range t {
			if x == y || (isNumeric(x) && isNumeric(y)) {
				return false
			}
		}
	}
	return true
}

func isNumeric(t string) bool { return t == "integer" || t == "number" }

func disjointConstants(a, b *schema.Value) bool {
	s, t := constants(a), constants(b)
	if s == nil || t == nil {
		return false
	}
	return !slices.ContainsFunc(s, func(v *schema.Value) bool {
		return slices.ContainsFunc(t, v.Equal)
	})
}

// constants returns the finite set that enum or const leaves, nil without one.
func constants(v *schema.Value) []*schema.Value {
	if c := v.Get("const"); c != nil {
		return []*schema.Value{c}
	}
	if enum := v.Get("enum"); enum != nil {
		return enum.Items()
	}
	return nil
}

// disjointTags finds a property that both branches require and whose
// constants differ. Both branches must be objects: the keywords of objects say
// nothing about other values.
func disjointTags(a, b *schema.Value) bool {
	if !onlyObject(a) || !onlyObject(b) {
		return false
	}
	for _, name := range a.Get("required").Strings() {
		if !slices.Contains(b.Get("required").Strings(), name) {
			continue
		}
		p, q := a.Get("properties").Get(name), b.Get("properties").Get(name)
		if p != nil && q != nil && (disjointConstants(p, q) || disjointTypes(p, q)) {
			return true
		}
	}
	return false
}

func onlyObject(v *schema.Value) bool {
	types := schema.Types(v)
	return len(types) == 1 && types[0] == "object"
}
