// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// openAPITypes are the names of the types in the enum of the Gemini API.
// Source: googleapis, generativelanguage v1beta content.proto, enum Type (2026-08-22).
var openAPITypes = map[string]string{
	"STRING": "string", "NUMBER": "number", "INTEGER": "integer", "BOOLEAN": "boolean",
	"ARRAY": "array", "OBJECT": "object", "NULL": "null",
}

// openAPINames are the spellings of members that proto JSON also takes, and
// those of Vertex AI for references.
var openAPINames = map[string]string{
	"any_of": "anyOf", "property_ordering": "propertyOrdering", "additional_properties": "additionalProperties",
	"max_items": "maxItems", "min_items": "minItems", "max_properties": "maxProperties", "min_properties": "minProperties",
	"max_length": "maxLength", "min_length": "minLength", "ref": "$ref", "defs": "$defs",
}

// openAPICounts are the members that proto JSON may write as text.
var openAPICounts = []string{"maxItems", "minItems", "maxProperties", "minProperties", "maxLength", "minLength"}

// inPlace are the members that can refuse null whatever the type says: with one
// of them, null is an alternative to the whole schema.
var inPlace = []string{"$ref", "ref", "oneOf", "allOf", "const", "not", "if", "$dynamicRef"}

// fromOpenAPI rewrites a schema from the OpenAPI spelling of the Gemini API
// into the JSON Schema that admits the same values. What it does not know stays.
type fromOpenAPI struct{ notes []string }

func (c *fromOpenAPI) note(at, text string) {
	if at == "" {
		at = "(root)"
	}
	c.notes = append(c.notes, finding.Clip(at, 160)+": "+text)
}

func (c *fromOpenAPI) node(n *schema.Value, at string) *schema.Value {
	if n.Kind() != schema.Object {
		return n
	}
	nullable := n.Get("nullable") != nil && n.Get("nullable").IsTrue()
	beside := nullable && slices.ContainsFunc(inPlace, n.Has)
	if beside && at == "" {
		c.note(at, "nullable was dropped; arguments are never null")
	}
	nullable = nullable && !beside
	var out schema.Fields
	for _, m := range n.Members() {
		if name, other := openAPINames[m.Name]; other {
			if n.Has(name) {
				c.note(at, m.Name+" stays as it is and says nothing, because "+name+" stands beside it")
			} else {
				m.Name = name
			}
		}
		c.member(&out, n, m, at, nullable)
	}
	rewritten := out.Object()
	if beside && at != "" {
		null := schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("null")})
		return schema.NewObject(schema.Member{Name: "anyOf", Value: schema.NewArray(rewritten, null)})
	}
	return rewritten
}

func (c *fromOpenAPI) member(out *schema.Fields, n *schema.Value, m schema.Member, at string, nullable bool) {
	value := m.Value
	switch {
	case m.Name == "nullable" && value.Kind() == schema.Bool:
	case m.Name == "nullable":
		c.note(at, "nullable stays as it is and says nothing, because it is neither true nor false")
		*out = append(*out, m)
	case m.Name == "type":
		c.types(out, value, at, nullable)
	case m.Name == "enum" && value.Kind() == schema.Array:
		out.Add("enum", c.enum(n, value, at, nullable))
	case m.Name == "format" && value.Text() == "enum" && n.Has("enum"): // says what enum says
	case m.Name == "propertyOrdering" && value.Kind() == schema.Array: // is in the order of properties
	case m.Name == "propertyOrdering":
		c.note(at, "propertyOrdering stays as it is and says nothing, because it is no list")
		*out = append(*out, m)
	case m.Name == "properties" && value.Kind() == schema.Object:
		out.Add("properties", c.properties(n, value, at))
	case m.Name == "anyOf" && value.Kind() == schema.Array:
		out.Add("anyOf", c.branches(value, at, nullable))
	case m.Name == "$ref" && value.Kind() == schema.String:
		out.Add("$ref", schema.NewString(strings.Replace(value.Text(), "#/defs/", "#/$defs/", 1)))
	case m.Name == "example" && n.Has("examples"):
		c.note(at, "example stays as it is and says nothing, because examples stands beside it")
		*out = append(*out, m)
	case m.Name == "example":
		out.Add("examples", schema.NewArray(value))
	case slices.Contains(openAPICounts, m.Name) && value.Kind() == schema.String:
		out.Add(m.Name, count(value))
	default:
		*out = append(*out, schema.MapChildren(m, func(child schema.Child) *schema.Value {
			return c.node(child.Value, child.Pointer(at))
		}))
	}
}

// types spells a type, with null where it is admitted.
func (c *fromOpenAPI) types(out *schema.Fields, value *schema.Value, at string, nullable bool) {
	if value.Text() == "TYPE_UNSPECIFIED" {
		c.note(at, "the type TYPE_UNSPECIFIED was dropped; it says nothing")
		return
	}
	plain := func(v *schema.Value) *schema.Value {
		if name, known := openAPITypes[v.Text()]; known {
			return schema.NewString(name)
		}
		return v
	}
	if value.Kind() == schema.String {
		value = plain(value)
		if nullable && value.Text() != "null" {
			value = schema.NewArray(value, schema.NewString("null"))
		}
		out.Add("type", value)
		return
	}
	items := slices.Clone(value.Items())
	for i, item := range items {
		items[i] = plain(item)
	}
	hasNull := slices.ContainsFunc(items, func(v *schema.Value) bool { return v.Text() == "null" })
	if nullable && value.Kind() == schema.Array && !hasNull {
		items = append(items, schema.NewString("null"))
	}
	if value.Kind() == schema.Array {
		value = schema.NewArray(items...)
	}
	out.Add("type", value)
}

// enum spells the members: of a number as numbers, and with null where it is
// admitted.
func (c *fromOpenAPI) enum(n, value *schema.Value, at string, nullable bool) *schema.Value {
	items := slices.Clone(value.Items())
	if t := strings.ToLower(textOf(n.Get("type"))); t == "integer" || t == "number" {
		for i, item := range items {
			if number, failed := schema.Parse([]byte(item.Text())); item.Kind() == schema.String && failed == nil && number.Kind() == schema.Number {
				items[i] = number
				c.note(finding.Pointer(at, "enum", strconv.Itoa(i)), "the text became the number that the type asks for")
			}
		}
	}
	hasNull := slices.ContainsFunc(items, func(v *schema.Value) bool { return v.Kind() == schema.Null })
	if nullable && !hasNull {
		items = append(items, schema.NewNull())
	}
	return schema.NewArray(items...)
}

// properties rewrites the properties in the order that propertyOrdering gives.
func (c *fromOpenAPI) properties(n, value *schema.Value, at string) *schema.Value {
	ordering := n.Get("propertyOrdering")
	if ordering == nil {
		ordering = n.Get("property_ordering")
	}
	rank := map[string]int{}
	if ordering != nil {
		for i, item := range ordering.Items() {
			if _, known := rank[item.Text()]; !known {
				rank[item.Text()] = i
			}
		}
	}
	members := slices.Clone(value.Members())
	for i, m := range members {
		members[i].Value = c.node(m.Value, finding.Pointer(at, "properties", m.Name))
	}
	place := func(m schema.Member) int {
		if r, known := rank[m.Name]; known {
			return r
		}
		return len(rank)
	}
	slices.SortStableFunc(members, func(a, b schema.Member) int { return place(a) - place(b) })
	return schema.NewObject(members...)
}

// branches rewrites the branches, with one more for null where it is admitted.
func (c *fromOpenAPI) branches(value *schema.Value, at string, nullable bool) *schema.Value {
	items := slices.Clone(value.Items())
	for i, item := range items {
		items[i] = c.node(item, finding.Pointer(at, "anyOf", strconv.Itoa(i)))
	}
	if nullable {
		items = append(items, schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("null")}))
	}
	return schema.NewArray(items...)
}

func textOf(v *schema.Value) string {
	if v == nil {
		return ""
	}
	return v.Text()
}

// count is a number that was written as text; anything else stays.
func count(v *schema.Value) *schema.Value {
	if number, failed := schema.Parse([]byte(v.Text())); failed == nil && number.Kind() == schema.Number {
		return number
	}
	return v
}
