// SPDX-License-Identifier: Apache-2.0

package dialect

import (
	"strconv"

	"github.com/toolcontract/operator/internal/schema"
)

// introduced is the dialect in which a keyword got its meaning. An older one
// passes over it, so the exact conversion drops it. Left out are keywords that
// are annotations everywhere, and those that 2020-12 does not know.
// Sources: the release notes of each dialect, https://json-schema.org/specification.
var introduced = map[string]draft{
	"$id": draft6, "const": draft6, "contains": draft6, "propertyNames": draft6,
	"if": draft7, "then": draft7, "else": draft7,
	"$anchor": draft2019, "$recursiveRef": draft2019, "$recursiveAnchor": draft2019, "$vocabulary": draft2019,
	"dependentRequired": draft2019, "dependentSchemas": draft2019,
	"unevaluatedItems": draft2019, "unevaluatedProperties": draft2019,
	"minContains": draft2019, "maxContains": draft2019, "contentSchema": draft2019,
	"prefixItems": draft2020, "$dynamicRef": draft2020, "$dynamicAnchor": draft2020,
}

// exclusiveBounds are the keywords that are booleans in draft-04, with the
// bound that they are about.
var exclusiveBounds = map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"}

// seat is a subschema of a node, with the tokens that lead to it in the old and
// in the new document.
type seat struct {
	old, new []string
	value    *schema.Value
}

// seats are the subschemas of a node in its own dialect, in document order.
func (c *conversion) seats(n *schema.Value) []seat {
	var out []seat
	add := func(value *schema.Value, keyword string, tokens ...string) {
		if value.IsSchema() {
			was := append([]string{keyword}, tokens...)
			out = append(out, seat{was, append([]string{c.renamed(n, keyword)}, tokens...), value})
		}
	}
	for _, m := range n.Members() {
		if c.isDropped(n, m.Name) {
			continue
		}
		switch shapeOf(m) {
		case schema.One:
			add(m.Value, m.Name)
		case schema.List:
			for i, item := range m.Value.Items() {
				add(item, m.Name, strconv.Itoa(i))
			}
		case schema.Map:
			for _, entry := range m.Value.Members() {
				add(entry.Value, m.Name, entry.Name)
			}
		case schema.Plain, schema.Instance, schema.InstanceList:
		}
	}
	return out
}

// shapeOf says what a keyword of an older dialect holds, judged by its value
// where it may hold several things.
func shapeOf(m schema.Member) schema.Shape {
	switch m.Name {
	case "items":
		if m.Value.Kind() == schema.Array {
			return schema.List
		}
	case "additionalItems":
		return schema.One
	case "dependencies":
		return schema.Map // of which the lists of names are no schemas
	}
	keyword, _ := schema.LookupKeyword(m.Name)
	return keyword.Shape
}

// renamed is the keyword of 2020-12 that takes over the subschemas of a keyword.
func (c *conversion) renamed(n *schema.Value, keyword string) string {
	switch {
	case keyword == "items" && isTuple(n):
		return "prefixItems"
	case keyword == "additionalItems":
		return "items"
	case keyword == "dependencies":
		return "dependentSchemas"
	case keyword == "definitions" && !n.Has("$defs"):
		return "$defs"
	}
	return keyword
}

// isDropped reports whether a member says nothing about instances in its
// dialect, so that it must not say anything afterwards.
func (c *conversion) isDropped(n *schema.Value, name string) bool {
	if c.isOverridden(n, name) {
		return true
	}
	switch name {
	case "additionalItems":
		return !isTuple(n)
	case "dependencies": // of 2019-09 it is refused
		return c.from > draft7
	}
	return introduced[name] > c.from
}

// isOverridden reports whether a member stands beside a $ref that makes a
// validator pass over it. Annotations and definitions do no harm there.
func (c *conversion) isOverridden(n *schema.Value, name string) bool {
	if c.from > draft7 || !n.Has("$ref") || name == "$ref" {
		return false
	}
	keyword, known := schema.LookupKeyword(name)
	return !known || !keyword.Annotation
}

func isTuple(n *schema.Value) bool {
	items := n.Get("items")
	return items != nil && items.Kind() == schema.Array
}
