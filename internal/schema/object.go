// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/finding"
)

// FromObject reads the object form of embedded JSON as an API server stores
// it. Key order is lost there, so whatever order the members come in, the
// properties of a schema are put in the order of required and then by name, and
// all other members by name. Null-valued members are refused: a client-side
// kubectl apply removes them before the server sees them, so one manifest
// would have two contents.
func FromObject(raw []byte) (*Value, *finding.Finding) {
	v, failed := Parse(raw)
	if failed != nil {
		return nil, failed
	}
	if path, found := nullMember(v); found {
		slices.Reverse(path)
		return nil, failure(RuleNullInObject, finding.Pointer("", path...),
			"the member is null; kubectl apply removes null members of an object before the server sees them",
			"write the schema as JSON text in schemaText (or the example in valueText), where nulls are kept")
	}
	return orderBySchema(orderByName(v)), nil
}

// nullMember finds a null-valued member; nulls inside arrays survive every
// client and are allowed. The path is in reverse: it is made only when there
// is something to say.
func nullMember(v *Value) (path []string, found bool) {
	for _, m := range v.sortedMembers() {
		if m.Value.kind == Null {
			return []string{m.Name}, true
		}
		if path, found := nullMember(m.Value); found {
			return append(path, m.Name), true
		}
	}
	for i, item := range v.items {
		if path, found := nullMember(item); found {
			return append(path, formatInt(int64(i))), true
		}
	}
	return nil, false
}

// orderByName orders the members of every object by name.
func orderByName(v *Value) *Value {
	switch v.kind {
	case Array:
		items := make([]*Value, len(v.items))
		for i, item := range v.items {
			items[i] = orderByName(item)
		}
		return NewArray(items...)
	case Object:
		members := v.sortedMembers()
		for i, m := range members {
			members[i].Value = orderByName(m.Value)
		}
		return NewObject(members...)
	default:
		return v
	}
}

// orderBySchema restores an order for the properties of every object schema:
// first those in required, in its order, then the others as they come.
func orderBySchema(v *Value) *Value {
	return mapSubschemas(v, func(node *Value) *Value {
		properties := node.Get("properties")
		if properties == nil || properties.kind != Object {
			return node
		}
		position := map[string]int{}
		for i, name := range node.Get("required").Strings() {
			if _, seen := position[name]; !seen {
				position[name] = i
			}
		}
		members := slices.Clone(properties.members) // by name already
		slices.SortStableFunc(members, func(a, b Member) int {
			i, iRequired := position[a.Name]
			j, jRequired := position[b.Name]
			switch {
			case iRequired && jRequired:
				return i - j
			case iRequired:
				return -1
			case jRequired:
				return 1
			default:
				return 0
			}
		})
		return node.With("properties", NewObject(members...))
	})
}

// CheckYAMLNames finds properties named "true" or "false". In object form,
// where the manifest was probably YAML, that is nearly always an unquoted y,
// on, n or off: a tool with a coordinate y would silently get another parameter.
func (s *Schema) CheckYAMLNames() []finding.Finding {
	var out []finding.Finding
	for _, n := range s.nodes {
		if n.In != "properties" || (n.Token != "true" && n.Token != "false") {
			continue
		}
		out = append(out, finding.Finding{
			Rule: RuleYAMLBoolean, Severity: finding.Error, Pointer: n.Pointer, Keyword: "properties",
			Message: fmt.Sprintf("a property is named %q, which YAML makes of an unquoted y, yes, on, n, no or off", n.Token),
			Fix:     "quote the name in YAML; a property that is really called so can be written in schemaText",
		})
	}
	return out
}
