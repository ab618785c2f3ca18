// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// mapChildren rebuilds the value of a member of a schema node, subschema by
// subschema; below is the pointer of the subschema, seen from the node.
func mapChildren(m schema.Member, f func(child *schema.Value, below string) *schema.Value) *schema.Value {
	at := finding.Pointer("", m.Name)
	switch keyword, _ := schema.LookupKeyword(m.Name); {
	case keyword.Shape == schema.One && isSchema(m.Value):
		return f(m.Value, at)
	case keyword.Shape == schema.List && m.Value.Kind() == schema.Array:
		items := slices.Clone(m.Value.Items())
		for i, item := range items {
			items[i] = f(item, finding.Pointer(at, strconv.Itoa(i)))
		}
		return schema.NewArray(items...)
	case keyword.Shape == schema.Map && m.Value.Kind() == schema.Object:
		entries := slices.Clone(m.Value.Members())
		for i, e := range entries {
			entries[i].Value = f(e.Value, finding.Pointer(at, e.Name))
		}
		return schema.NewObject(entries...)
	default:
		return m.Value
	}
}

func isSchema(v *schema.Value) bool { return v.Kind() == schema.Object || v.Kind() == schema.Bool }
