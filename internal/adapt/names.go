// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// RuleListNames says: a map whose names are listed declares them.
const RuleListNames = "declare-listed-names"

// maxNames bounds the names that are declared.
const maxNames = 64

// listNames declares the names that propertyNames lists, where the profile does
// not take the keyword. No other name is admitted, so the object is closed.
func listNames(r *rewriter, i int) *structure {
	v := r.schema.Nodes()[i].Value
	names := v.Get("propertyNames")
	if names == nil || v.Has("patternProperties") || v.Has("unevaluatedProperties") || r.unevaluated || !r.loses(i, "propertyNames") {
		return nil
	}
	at := r.child(i, "propertyNames")
	if target, ok := r.targetOf(refOf(names)); ok && onlyReference(names) {
		at = target
		names = r.schema.Nodes()[target].Value
	}
	listed := elementsOf(names.Get("enum"))
	if c := names.Get("const"); c != nil {
		listed = []*schema.Value{c}
	}
	// Everything else that is said of names must be decided by a validator.
	s := r.standalone(at, withoutIdentity(names))
	if s == nil || len(listed) == 0 || len(listed) > maxNames {
		return nil
	}
	validator, _ := s.Compile()
	if validator == nil {
		return nil
	}
	additional := v.Get("additionalProperties")
	x := r.restructured(i)
	var members []schema.Member
	allowed := func(name *schema.Value) (bool, bool) {
		accepted, err := validator.Accepts(name)
		return accepted && name.Kind() == schema.String, err == nil
	}
	for _, p := range membersOf(v.Get("properties")) {
		ok, decided := allowed(schema.NewString(p.Name))
		if !decided {
			return nil
		}
		if ok {
			members = append(members, p)
		}
	}
	for _, name := range listed {
		ok, decided := allowed(name)
		if !decided {
			return nil
		}
		declared := slices.ContainsFunc(members, func(m schema.Member) bool { return m.Name == name.Text() })
		if !ok || declared || (additional != nil && additional.IsFalse()) {
			continue
		}
		value := additional
		if value == nil {
			value = schema.NewObject()
		}
		members = append(members, schema.Member{Name: name.Text(), Value: value})
	}
	out := v.Without("propertyNames", "additionalProperties").With("properties", schema.NewObject(members...)).With("additionalProperties", nothing)
	if !possible(out) {
		return nil
	}
	x.origin[out.Get("properties")] = x.origin[v.Get("propertyNames")]
	return x.becomes(r, i, out, RuleListNames, "propertyNames", "the names that propertyNames lists are declared, and no others are admitted")
}

func refOf(v *schema.Value) string {
	if ref := v.Get("$ref"); ref != nil {
		return ref.Text()
	}
	return ""
}

// onlyReference reports whether a schema is a reference and nothing else.
func onlyReference(v *schema.Value) bool {
	return v.Has("$ref") && !slices.ContainsFunc(v.Members(), func(m schema.Member) bool { return m.Name != "$ref" && constrains(m.Name) })
}

// possible reports whether a closed object declares what it requires.
func possible(v *schema.Value) bool {
	return !slices.ContainsFunc(v.Get("required").Strings(), func(name string) bool { return !v.Get("properties").Has(name) })
}
