// SPDX-License-Identifier: Apache-2.0

package render

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// geminiOpenAPIDeclaration is one entry of functionDeclarations with its schema
// in the field parameters, which is a message of its own and not JSON Schema:
// types are names of an enum, null is written as nullable, and the order of
// properties, which the message does not keep, as propertyOrdering.
//
// The schema comes as JSON Schema that the profile takes: of its type lists each
// holds one type and null, so that nothing here can change what is admitted.
// Source: googleapis, generativelanguage v1beta content.proto, message Schema
// (2026-08-22).
func geminiOpenAPIDeclaration(t Tool) *schema.Value {
	var m schema.Fields
	m.Text("name", t.Name)
	m.Text("description", t.Description)
	m.Add("parameters", openAPI(t.Input))
	return m.Object()
}

// openAPI spells one schema with everything below it.
func openAPI(v *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	var f schema.Fields
	nullable := false
	for _, m := range v.Members() {
		switch m.Name {
		case "type":
			name, hasNull := openAPIType(m.Value)
			nullable = nullable || hasNull
			f.Text("type", name)
		case "enum":
			f.Add("enum", withoutNull(m.Value))
		case "required":
			if m.Value.Len() > 0 { // a repeated field without elements is no field
				f = append(f, m)
			}
		case "anyOf":
			f.Add("anyOf", openAPIBranches(m.Value))
		case "properties":
			if m.Value.Len() == 0 { // refused as an empty map; leaving it out means the same
				continue
			}
			f.Add("properties", mapMembers(m.Value, openAPI))
			if m.Value.Len() > 1 && !v.Has("propertyOrdering") {
				f.Add("propertyOrdering", memberNames(m.Value))
			}
		default:
			f = append(f, schema.MapChildren(m, func(c schema.Child) *schema.Value { return openAPI(c.Value) }))
		}
	}
	if enum := v.Get("enum"); enum != nil && !slices.ContainsFunc(enum.Items(), isNullValue) {
		nullable = false // the enum has the last word
	}
	if nullable && !v.Has("nullable") {
		f.Add("nullable", schema.NewBool(true))
	}
	return f.Object()
}

// openAPIType names the type that is not null, and says whether null is one too.
func openAPIType(t *schema.Value) (name string, hasNull bool) {
	if t.Kind() == schema.String {
		return strings.ToUpper(t.Text()), false
	}
	for _, item := range t.Items() {
		if item.Text() == "null" {
			hasNull = true
			continue
		}
		name = strings.ToUpper(item.Text())
	}
	return name, hasNull
}

// openAPIBranches takes the branch that admits null alone out of an anyOf and
// makes the others nullable: nothing may stand beside anyOf, nullable included.
func openAPIBranches(branches *schema.Value) *schema.Value {
	var out []*schema.Value
	hasNull := false
	for _, branch := range branches.Items() {
		if isNull(branch) {
			hasNull = true
			continue
		}
		out = append(out, openAPI(branch))
	}
	switch {
	case len(branches.Items()) == 0: // not a valid schema, but nothing to fail at either
		return branches
	case len(out) == 0:
		return schema.NewArray(openAPI(branches.Items()[0]))
	}
	for i := range out {
		if hasNull && out[i].Kind() == schema.Object && !out[i].Has("nullable") {
			out[i] = out[i].With("nullable", schema.NewBool(true))
		}
	}
	return schema.NewArray(out...)
}

func isNull(v *schema.Value) bool {
	t := v.Get("type")
	return t != nil && t.Text() == "null" || v.Get("enum").Len() == 1 && isNullValue(v.Get("enum").Items()[0])
}

func isNullValue(v *schema.Value) bool { return v.Kind() == schema.Null }

func withoutNull(enum *schema.Value) *schema.Value {
	return schema.NewArray(slices.DeleteFunc(slices.Clone(enum.Items()), isNullValue)...)
}

func mapMembers(v *schema.Value, f func(*schema.Value) *schema.Value) *schema.Value {
	var out schema.Fields
	for _, m := range v.Members() {
		out.Add(m.Name, f(m.Value))
	}
	return out.Object()
}

func memberNames(v *schema.Value) *schema.Value {
	names := make([]*schema.Value, 0, v.Len())
	for _, m := range v.Members() {
		names = append(names, schema.NewString(m.Name))
	}
	return schema.NewArray(names...)
}
