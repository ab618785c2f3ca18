// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// The author's text in a message is bounded, in bytes.
const (
	maxValue   = 80
	maxName    = 80
	maxContext = 160
)

// placeholders are filled in error texts, fixes and warnings of profiles.
var placeholders = []string{
	"{keyword}",  // its name
	"{value}",    // its JSON value
	"{type}",     // the first type of the node
	"{context}",  // the path of the node as OpenAI writes it: ('properties', 'id')
	"{siblings}", // the keywords beside it as OpenAI writes them: {'description'}
	"{lengths}",  // minLength and maxLength of the node as a repetition: 1,20
	"{property}", // the name of the property that the shape is about
	"{nullable}", // how to write its schema so that it admits null
	"{count}",    // what was counted
	"{max}",      // the limit
}

// fill writes what stands for a placeholder. Texts are checked at load, so every
// placeholder is known.
func (s *subject) fill(placeholder string) string {
	switch placeholder {
	case "{keyword}":
		return inner(s.keyword)
	case "{value}":
		if s.value == nil {
			return ""
		}
		return finding.Clip(s.value.JSON(), maxValue)
	case "{type}":
		return s.typeName()
	case "{context}":
		return pythonTuple(finding.Tokens(s.at().Pointer))
	case "{siblings}":
		return s.siblings()
	case "{lengths}":
		return s.lengths()
	case "{property}":
		return inner(s.property)
	case "{nullable}":
		return nullable(s.propertySchema)
	case "{count}":
		return itoa(s.count)
	default: // {max}
		return itoa(s.max)
	}
}

func (s *subject) typeName() string {
	if names := schema.Types(s.at().Value); len(names) > 0 {
		return inner(names[0])
	}
	return "any"
}

func (s *subject) siblings() string {
	var names []string
	for _, m := range s.at().Value.Members() {
		if m.Name != s.keyword {
			names = append(names, "'"+inner(m.Name)+"'")
		}
	}
	return finding.Clip("{"+strings.Join(names, ", ")+"}", maxContext)
}

// lengths writes both length keywords of the node as one repetition, so that
// the same fix is right for each of them.
func (s *subject) lengths() string {
	least, most := "0", ""
	if v := s.at().Value.Get("minLength"); v != nil {
		least = finding.Clip(v.Text(), maxValue)
	}
	if v := s.at().Value.Get("maxLength"); v != nil {
		most = finding.Clip(v.Text(), maxValue)
	}
	return least + "," + most
}

// pythonTuple writes a path as OpenAI's error messages do.
func pythonTuple(tokens []string) string {
	if len(tokens) == 0 {
		return "()"
	}
	quoted := make([]string, len(tokens))
	for i, t := range tokens {
		quoted[i] = "'" + inner(t) + "'"
	}
	text := strings.Join(quoted, ", ")
	if len(tokens) == 1 {
		text += ","
	}
	return "(" + finding.Clip(text, maxContext) + ")"
}

// nullPlace is where null has to be admitted.
type nullPlace uint8

const (
	nullAdmitted nullPlace = iota // it is already
	nullInAnyOf                   // one more branch
	nullBeside                    // an anyOf of the schema and null
	nullInEnum                    // one more member
	nullInType                    // one more type, and member if there is an enum
)

// nullSpelling tells how a schema is best written so that it admits null.
func nullSpelling(v *schema.Value) nullPlace {
	switch {
	case v == nil || v.Kind() != schema.Object || v.Len() == 0 || admitsNull(v):
		return nullAdmitted
	case v.Has("const") || v.Has("enum") && !v.Has("type"):
		return nullBeside
	case v.Has("anyOf") && !v.Has("type") && !v.Has("enum"):
		return nullInAnyOf
	case !v.Has("type") || v.Has("anyOf"):
		return nullBeside
	case slices.Contains(schema.Types(v), "null"):
		return nullInEnum
	default:
		return nullInType
	}
}

// nullable says how to write a schema so that it admits null.
func nullable(v *schema.Value) string {
	switch nullSpelling(v) {
	case nullAdmitted:
		if v == nil || v.Kind() != schema.Object || v.Len() == 0 {
			return `let it be null`
		}
		return "keep its schema, which admits null already"
	case nullInAnyOf:
		return `add {"type": "null"} to its anyOf`
	case nullBeside:
		return `wrap its schema: "anyOf": [` + finding.Clip(v.JSON(), maxValue) + `, {"type": "null"}]`
	case nullInEnum:
		return "add null to its enum: its type admits it already"
	default: // nullInType
	}
	types := schema.Types(v)
	names := make([]string, 0, len(types)+1)
	for _, name := range append(types, "null") {
		names = append(names, strconv.Quote(finding.Clip(name, maxName)))
	}
	text := `let it be null: "type": [` + strings.Join(names, ", ") + "]"
	if v.Has("enum") {
		text += ", with null added to enum"
	}
	return text
}

// admitsNull reports whether null is plainly valid: by the type list, or by a
// branch of anyOf.
func admitsNull(v *schema.Value) bool {
	if c := v.Get("const"); c != nil && c.Kind() != schema.Null {
		return false
	}
	if slices.Contains(schema.Types(v), "null") {
		enum := v.Get("enum")
		return enum == nil || slices.ContainsFunc(enum.Items(), func(m *schema.Value) bool { return m.Kind() == schema.Null })
	}
	if v.Has("type") || v.Has("enum") {
		return false
	}
	anyOf := v.Get("anyOf")
	return anyOf != nil && slices.ContainsFunc(anyOf.Items(), func(b *schema.Value) bool { return b.Kind() == schema.Object && admitsNull(b) })
}

// inner quotes the author's text without the quotes: bounded, and with control
// characters escaped, so that it can stand inside other quotes.
func inner(s string) string {
	quoted := strconv.Quote(finding.Clip(s, maxName))
	return quoted[1 : len(quoted)-1]
}

func itoa(n int) string { return strconv.Itoa(n) }
