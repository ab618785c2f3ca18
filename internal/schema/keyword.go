// SPDX-License-Identifier: Apache-2.0

package schema

import "slices"

// Shape says what the value of a keyword holds, which decides where
// subschemas are and, so that a property named like a keyword is never taken
// for one, where they are not.
type Shape uint8

const (
	// Plain values hold no schema: strings, numbers, lists of names.
	Plain Shape = iota
	// Instance values are data of the tool, never schemas: const, default.
	Instance
	// InstanceList values are lists of data: enum, examples.
	InstanceList
	// One is a single subschema.
	One
	// List is an array of subschemas.
	List
	// Map is an object whose values are subschemas.
	Map
)

// Keyword describes one keyword of JSON Schema 2020-12.
type Keyword struct {
	Name  string
	Shape Shape
	// InPlace applicators apply their subschemas to the same instance; a cycle
	// through them alone never ends.
	InPlace bool
	// Annotation keywords never change which instances are valid.
	Annotation bool
}

// keywords is every keyword of the 2020-12 dialect, in the canonical order in
// which schema nodes are written: what a reader wants first comes first.
// Source: https://json-schema.org/draft/2020-12 (core and validation).
var keywords = []Keyword{
	{Name: "$schema", Annotation: true},
	{Name: "$id"},
	{Name: "$anchor"},
	{Name: "$dynamicAnchor"},
	{Name: "$vocabulary"},
	{Name: "$comment", Annotation: true},
	{Name: "$ref", InPlace: true},
	{Name: "$dynamicRef", InPlace: true},
	{Name: "type"},
	{Name: "title", Annotation: true},
	{Name: "description", Annotation: true},
	{Name: "enum", Shape: InstanceList},
	{Name: "const", Shape: Instance},
	{Name: "format"},
	{Name: "pattern"},
	{Name: "minLength"},
	{Name: "maxLength"},
	{Name: "minimum"},
	{Name: "exclusiveMinimum"},
	{Name: "maximum"},
	{Name: "exclusiveMaximum"},
	{Name: "multipleOf"},
	{Name: "properties", Shape: Map},
	{Name: "patternProperties", Shape: Map},
	{Name: "propertyNames", Shape: One},
	{Name: "required"},
	{Name: "dependentRequired"},
	{Name: "dependentSchemas", Shape: Map, InPlace: true},
	{Name: "minProperties"},
	{Name: "maxProperties"},
	{Name: "additionalProperties", Shape: One},
	{Name: "unevaluatedProperties", Shape: One},
	{Name: "prefixItems", Shape: List},
	{Name: "items", Shape: One},
	{Name: "contains", Shape: One},
	{Name: "minContains"},
	{Name: "maxContains"},
	{Name: "minItems"},
	{Name: "maxItems"},
	{Name: "uniqueItems"},
	{Name: "unevaluatedItems", Shape: One},
	{Name: "allOf", Shape: List, InPlace: true},
	{Name: "anyOf", Shape: List, InPlace: true},
	{Name: "oneOf", Shape: List, InPlace: true},
	{Name: "not", Shape: One, InPlace: true},
	{Name: "if", Shape: One, InPlace: true},
	{Name: "then", Shape: One, InPlace: true},
	{Name: "else", Shape: One, InPlace: true},
	{Name: "contentEncoding", Annotation: true},
	{Name: "contentMediaType", Annotation: true},
	{Name: "contentSchema", Shape: One, Annotation: true},
	{Name: "default", Shape: Instance, Annotation: true},
	{Name: "examples", Shape: InstanceList, Annotation: true},
	{Name: "deprecated", Annotation: true},
	{Name: "readOnly", Annotation: true},
	{Name: "writeOnly", Annotation: true},
	{Name: "$defs", Shape: Map, Annotation: true},
	// Not in 2020-12 any more, but its meta-schema still knows it and real
	// tools still refer into it.
	{Name: "definitions", Shape: Map, Annotation: true},
}

var keywordIndex = func() map[string]int {
	index := make(map[string]int, len(keywords))
	for i, k := range keywords {
		index[k.Name] = i
	}
	return index
}()

// Keywords returns every keyword of the dialect in canonical order.
func Keywords() []Keyword { return slices.Clone(keywords) }

// LookupKeyword describes a keyword by name; ok is false for a name that
// 2020-12 does not know.
func LookupKeyword(name string) (k Keyword, ok bool) {
	i, ok := keywordIndex[name]
	if !ok {
		return Keyword{Name: name}, false
	}
	return keywords[i], true
}

// compareKeywords orders member names of a schema node: known keywords in
// canonical order, then unknown ones by name.
func compareKeywords(a, b string) int {
	i, aKnown := keywordIndex[a]
	j, bKnown := keywordIndex[b]
	switch {
	case aKnown && bKnown:
		return i - j
	case aKnown:
		return -1
	case bKnown:
		return 1
	case a < b:
		return -1
	default:
		return 1
	}
}
