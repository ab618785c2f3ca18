// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"slices"
	"unicode/utf8"

	"github.com/toolcontract/operator/internal/schema"
)

// Counts are the sizes of one tool's schema that limits are written against.
// Those of a request are the sums over its tools.
type Counts struct {
	// Properties is the number of declared properties, at every level.
	Properties int
	// OptionalProperties are those of them that are not required.
	OptionalProperties int
	// UnionParameters is the number of nodes with anyOf or a type list.
	UnionParameters int
	// Depth is the number of levels, the root being the first and every
	// subschema one more.
	Depth int
	// NameCharacters sums the lengths of property names, definition names, enum
	// members and const values, in characters.
	NameCharacters int
	// EnumValues is the number of enum members, over all enums.
	EnumValues int
	// LargeEnumCharacters is the length of all members of the largest string
	// enum that has more than 250, in characters; 0 without one.
	LargeEnumCharacters int
	// MaxItemsSum sums maxItems over all arrays.
	MaxItemsSum int
	// Tools and StrictTools are 1: what one tool adds to a request.
	Tools       int
	StrictTools int
}

// largeEnum is the number of members above which OpenAI counts characters.
// Source: the guide on Structured Outputs, section on limits.
const largeEnum = 250

// maxCountedItems keeps a sum of author-supplied numbers inside an int.
const maxCountedItems = 1 << 30

// measures names the counts in profile files, with what a message calls them.
var measures = [...]struct {
	name, words string
	of          func(*Counts) int
}{
	{"Properties", "properties", func(c *Counts) int { return c.Properties }},
	{"OptionalProperties", "optional properties", func(c *Counts) int { return c.OptionalProperties }},
	{"UnionParameters", "union-typed parameters", func(c *Counts) int { return c.UnionParameters }},
	{"Depth", "levels of nesting", func(c *Counts) int { return c.Depth }},
	{"NameCharacters", "characters in names, enum members and const values", func(c *Counts) int { return c.NameCharacters }},
	{"EnumValues", "enum members", func(c *Counts) int { return c.EnumValues }},
	{"LargeEnumCharacters", "characters in one large enum", func(c *Counts) int { return c.LargeEnumCharacters }},
	{"MaxItemsSum", "items, summed over maxItems", func(c *Counts) int { return c.MaxItemsSum }},
	{"Tools", "tools", func(c *Counts) int { return c.Tools }},
	{"StrictTools", "strict tools", func(c *Counts) int { return c.StrictTools }},
}

func measureIndex(name string) int {
	for i := range measures {
		if measures[i].name == name {
			return i
		}
	}
	return -1
}

// MeasureWords is what a message calls a measure: "union-typed parameters".
func MeasureWords(measure string) string {
	if i := measureIndex(measure); i >= 0 {
		return measures[i].words
	}
	return measure
}

// Of returns the count that a [Limit] is about; 0 for a measure that is none.
func (c *Counts) Of(measure string) int {
	if i := measureIndex(measure); i >= 0 {
		return measures[i].of(c)
	}
	return 0
}

// Measure counts an admitted schema. It does the work once for each.
func Measure(s *schema.Schema) Counts { return outlineOf(s).counts() }

// measure counts in one pass.
func measure(s *schema.Schema) Counts {
	c := Counts{Tools: 1, StrictTools: 1}
	nodes := s.Nodes()
	depths := make([]int, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		depths[i] = 1
		if n.Parent >= 0 {
			depths[i] = depths[n.Parent] + 1
		}
		c.Depth = max(c.Depth, depths[i])
		c.node(n.Value)
	}
	return c
}

func (c *Counts) node(v *schema.Value) {
	isUnion := false
	for _, m := range v.Members() {
		switch m.Name {
		case "properties":
			c.properties(m.Value, v.Get("required"))
		case "$defs", "definitions":
			for _, d := range m.Value.Members() {
				c.NameCharacters += utf8.RuneCountInString(d.Name)
			}
		case "enum":
			c.enum(m.Value.Items())
		case "const":
			c.NameCharacters += textLength(m.Value)
		case "anyOf":
			isUnion = true
		case "type":
			isUnion = isUnion || m.Value.Kind() == schema.Array
		case "maxItems":
			if n, ok := m.Value.Int(); ok && n > 0 {
				c.MaxItemsSum = min(c.MaxItemsSum+int(min(n, maxCountedItems)), maxCountedItems)
			}
		}
	}
	if isUnion {
		c.UnionParameters++
	}
}

func (c *Counts) properties(properties, required *schema.Value) {
	names := requiredNames(required)
	for _, p := range properties.Members() {
		c.Properties++
		c.NameCharacters += utf8.RuneCountInString(p.Name)
		if !names.has(p.Name) {
			c.OptionalProperties++
		}
	}
}

func (c *Counts) enum(members []*schema.Value) {
	c.EnumValues += len(members)
	characters, isText := 0, true
	for _, m := range members {
		characters += textLength(m)
		isText = isText && m.Kind() == schema.String
	}
	c.NameCharacters += characters
	if isText && len(members) > largeEnum {
		c.LargeEnumCharacters = max(c.LargeEnumCharacters, characters)
	}
}

// textLength is the length of a value in characters: of its text if it is a
// string or a number, otherwise of its JSON.
func textLength(v *schema.Value) int {
	switch v.Kind() {
	case schema.String, schema.Number:
		return utf8.RuneCountInString(v.Text())
	default:
		return len(v.JSON())
	}
}

// nameSet answers membership in required. Short lists, which are nearly all,
// are scanned; long ones would make wide objects quadratic.
type nameSet struct {
	items []*schema.Value
	index map[string]bool
}

const scannedNames = 16

func requiredNames(required *schema.Value) nameSet {
	if required == nil {
		return nameSet{}
	}
	set := nameSet{items: required.Items()}
	if len(set.items) > scannedNames {
		set.index = make(map[string]bool, len(set.items))
		for _, item := range set.items {
			set.index[item.Text()] = true
		}
	}
	return set
}

func (s nameSet) has(name string) bool {
	if s.index != nil {
		return s.index[name]
	}
	return slices.ContainsFunc(s.items, func(v *schema.Value) bool { return v.Kind() == schema.String && v.Text() == name })
}
