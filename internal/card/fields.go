// SPDX-License-Identifier: Apache-2.0

package card

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Field is one place of a schema: the value itself, a property, an entry of a
// list, or one of several forms.
type Field struct {
	// Path leads to the place: order.items[].sku, (the value), #/$defs/node. In
	// order.(anyOf 1) stands what the first form of an anyOf says.
	Path string `json:"path"`
	// Type is the type in words.
	Type string `json:"type"`
	// Presence is required or optional for a property, else empty.
	Presence string `json:"presence,omitempty"`
	// Values are the only ones that the place can have.
	Values []json.RawMessage `json:"values,omitempty"`
	// Bounds say in words what else holds.
	Bounds      []string          `json:"bounds,omitempty"`
	Title       string            `json:"title,omitempty"`
	Description string            `json:"description,omitempty"`
	Default     json.RawMessage   `json:"default,omitempty"`
	Examples    []json.RawMessage `json:"examples,omitempty"`
	// Keywords are all others, as they are written.
	Keywords []Member `json:"keywords,omitempty"`
}

// Member is a member of an object as it is written.
type Member struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// theValue is the path of the root.
const theValue = "(the value)"

// fieldsOf lists the places of a schema, each before those below it.
func fieldsOf(root *schema.Value) []Field {
	var w walker
	w.node(theValue, "", root)
	return w.fields
}

// walker collects fields.
type walker struct{ fields []Field }

func (w *walker) node(path, presence string, v *schema.Value) {
	f := Field{Path: path, Presence: presence}
	if v.Kind() != schema.Object {
		f.Type = "anything"
		if v.IsFalse() {
			f.Type = "nothing: no value is allowed"
		}
		w.fields = append(w.fields, f)
		return
	}
	f.Type = typeOf(v)
	for _, m := range v.Members() {
		if !f.annotation(m) && !f.bound(m, v) && !isStructure(m) {
			f.Keywords = append(f.Keywords, Member{m.Name, raw(m.Value)})
		}
	}
	f.openness(v)
	w.fields = append(w.fields, f)
	for _, m := range v.Members() {
		if isStructure(m) {
			w.below(path, v, m)
		}
	}
}

// annotation takes a keyword that restricts nothing, and the values.
func (f *Field) annotation(m schema.Member) bool {
	isText, isList := m.Value.Kind() == schema.String, m.Value.Kind() == schema.Array
	switch {
	case m.Name == "type":
	case m.Name == "title" && isText:
		f.Title = m.Value.Text()
	case m.Name == "description" && isText:
		f.Description = m.Value.Text()
	case m.Name == "default":
		f.Default = raw(m.Value)
	case m.Name == "examples" && isList:
		f.Examples = raws(m.Value.Items())
	case m.Name == "enum" && isList:
		f.Values = raws(m.Value.Items())
	case m.Name == "const":
		f.Values = append(f.Values, raw(m.Value))
	default:
		return false
	}
	return true
}

// bound says a keyword in words. Two that bound the same are said at the first.
func (f *Field) bound(m schema.Member, node *schema.Value) bool {
	for _, r := range ranges {
		if m.Name != r.least && m.Name != r.most {
			continue
		}
		least, most := node.Get(r.least), node.Get(r.most)
		switch {
		case !isNumber(least) && least != nil || !isNumber(most) && most != nil:
			return false
		case least == nil:
			f.Bounds = append(f.Bounds, "at most "+counted(most.JSON(), r.unit))
		case most == nil:
			f.Bounds = append(f.Bounds, "at least "+counted(least.JSON(), r.unit))
		case m.Name == r.most: // said with the other
		case least.Equal(most):
			f.Bounds = append(f.Bounds, "exactly "+counted(most.JSON(), r.unit))
		default:
			f.Bounds = append(f.Bounds, least.JSON()+" to "+counted(most.JSON(), r.unit))
		}
		return true
	}
	words, known := simple[m.Name]
	switch {
	case known && (isNumber(m.Value) || m.Value.Kind() == schema.String):
		f.Bounds = append(f.Bounds, words+textOrJSON(m.Value))
	case m.Name == "uniqueItems" && m.Value.IsTrue():
		f.Bounds = append(f.Bounds, "no entry twice")
	case m.Name == "deprecated" && m.Value.IsTrue():
		f.Bounds = append(f.Bounds, "deprecated")
	case m.Name == "$ref" && m.Value.Kind() == schema.String:
		f.Bounds = append(f.Bounds, "as "+m.Value.Text())
	case m.Name == "required" && m.Value.Kind() == schema.Array:
		if also := undeclared(node); len(also) > 0 {
			f.Bounds = append(f.Bounds, "must also have "+strings.Join(also, ", "))
		}
	default:
		return f.forms(m)
	}
	return true
}

// forms says how many of the forms below the value must have.
func (f *Field) forms(m schema.Member) bool {
	words, known := map[string]string{
		"oneOf": "exactly one of the %d forms below", "anyOf": "at least one of the %d forms below", "allOf": "all of the %d forms below",
	}[m.Name]
	if !known || !isStructure(m) {
		return false
	}
	f.Bounds = append(f.Bounds, fmt.Sprintf(words, m.Value.Len()))
	return true
}

// ranges are pairs of keywords that bound the same from both sides.
var ranges = []struct{ least, most, unit string }{
	{"minLength", "maxLength", "character"},
	{"minimum", "maximum", ""},
	{"minItems", "maxItems", "entry"},
	{"minProperties", "maxProperties", "member"},
}

var simple = map[string]string{
	"exclusiveMinimum": "more than ", "exclusiveMaximum": "less than ", "multipleOf": "a multiple of ",
	"format": "format ", "pattern": "matching ",
}

func counted(n, unit string) string {
	switch {
	case unit == "":
		return n
	case n == "1":
		return n + " " + unit
	case strings.HasSuffix(unit, "y"):
		return n + " " + strings.TrimSuffix(unit, "y") + "ies"
	}
	return n + " " + unit + "s"
}

func isNumber(v *schema.Value) bool { return v != nil && v.Kind() == schema.Number }

func textOrJSON(v *schema.Value) string {
	if v.Kind() == schema.String {
		return v.Text()
	}
	return v.JSON()
}

// undeclared are required names that no property has, in quotes.
func undeclared(node *schema.Value) []string {
	var out []string
	for _, name := range node.Get("required").Strings() {
		if !node.Get("properties").Has(name) {
			out = append(out, string(schema.AppendString(nil, name)))
		}
	}
	return out
}

// openness says whether an object may have members that are not declared. The
// form of Gemini, whose types are in upper case, has no words for it.
func (f *Field) openness(node *schema.Value) {
	types := typesOf(node)
	isObject := len(types) == 0 && node.Has("properties") || slices.Contains(types, "object")
	additional, unevaluated := node.Get("additionalProperties"), node.Get("unevaluatedProperties")
	switch {
	case additional.IsFalse(), additional == nil && unevaluated.IsFalse():
		f.Bounds = append(f.Bounds, "no other members")
	case isObject && (additional == nil || additional.IsTrue()) && unevaluated == nil:
		f.Bounds = append(f.Bounds, "other members are allowed")
	}
}

// isStructure reports whether a member holds schemas, or nothing that a reader
// misses because [Field.openness] says it.
func isStructure(m schema.Member) bool {
	k, known := schema.LookupKeyword(m.Name)
	switch {
	case !known || k.Name == "contentSchema":
		return false
	case k.Shape == schema.One:
		return m.Value.IsSchema()
	case k.Shape == schema.List:
		return m.Value.Kind() == schema.Array && m.Value.Len() > 0 && !slices.ContainsFunc(m.Value.Items(), func(v *schema.Value) bool { return !v.IsSchema() })
	case k.Shape == schema.Map:
		return m.Value.Kind() == schema.Object && !slices.ContainsFunc(m.Value.Members(), func(e schema.Member) bool { return !e.Value.IsSchema() })
	}
	return false
}

// below lists what a keyword holds.
func (w *walker) below(path string, node *schema.Value, m schema.Member) {
	parent := path + "."
	if path == theValue {
		parent = ""
	}
	base := tail(path)
	switch k, _ := schema.LookupKeyword(m.Name); {
	case m.Name == "properties":
		required := node.Get("required").Strings()
		for _, p := range m.Value.Members() {
			presence := "optional"
			if slices.Contains(required, p.Name) {
				presence = "required"
			}
			w.node(tail(parent)+nameOf(p.Name), presence, p.Value)
		}
	case m.Name == "items":
		w.node(base+"[]", "", m.Value)
	case m.Name == "prefixItems":
		for i, item := range m.Value.Items() {
			w.node(fmt.Sprintf("%s[%d]", base, i), "", item)
		}
	case m.Name == "additionalProperties" || m.Name == "unevaluatedProperties":
		if m.Value.Kind() == schema.Object {
			w.node(tail(parent)+"(any other name)", "", m.Value)
		}
	case m.Name == "$defs" || m.Name == "definitions":
		for _, d := range m.Value.Members() {
			at := "#"
			if path != theValue {
				at = base + " "
			}
			w.node(finding.Pointer(at, m.Name, d.Name), "", d.Value)
		}
	case k.Shape == schema.List:
		for i, branch := range m.Value.Items() {
			w.node(fmt.Sprintf("%s(%s %d)", tail(parent), m.Name, i+1), "", branch)
		}
	case k.Shape == schema.Map:
		for _, e := range m.Value.Members() {
			w.node(fmt.Sprintf("%s(%s %s)", tail(parent), m.Name, schema.AppendString(nil, e.Name)), "", e.Value)
		}
	default:
		w.node(fmt.Sprintf("%s(%s)", tail(parent), m.Name), "", m.Value)
	}
}

// maxTail is how much of a path is repeated in those below it, in bytes.
const maxTail = 240

// tail is the end of a path. A long name is written out once, and not again for
// each place below it.
func tail(path string) string {
	if len(path) <= maxTail {
		return path
	}
	cut := len(path) - maxTail
	for cut < len(path) && path[cut]&0xC0 == 0x80 {
		cut++
	}
	return "…" + path[cut:]
}

// nameOf is a name in a path; in quotes if it could be read as anything else.
func nameOf(name string) string {
	plain := name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '$'
	})
	if plain {
		return name
	}
	return string(schema.AppendString(nil, name))
}

// typeOf is the type in words: "string", "list of string", "string or null".
func typeOf(v *schema.Value) string {
	if v.Kind() != schema.Object {
		return "anything"
	}
	names := typesOf(v)
	if len(names) == 0 {
		if slices.ContainsFunc([]string{"const", "enum", "$ref", "anyOf", "oneOf", "allOf"}, v.Has) {
			return "" // that keyword says it
		}
		return "anything"
	}
	for i, name := range names {
		if items := v.Get("items"); strings.EqualFold(name, "array") && items != nil {
			names[i] = name + " of " + cmp.Or(typeOf(items), items.Get("$ref").Text(), "the entries below")
		}
	}
	return strings.Join(names, " or ")
}

// typesOf are the types of a node as they are written: the API of Gemini has
// words of its own.
func typesOf(node *schema.Value) []string {
	switch t := node.Get("type"); {
	case t == nil:
		return nil
	case t.Kind() == schema.Array:
		return t.Strings()
	default:
		return []string{textOrJSON(t)}
	}
}

func raw(v *schema.Value) json.RawMessage { return json.RawMessage(v.AppendJSON(nil)) }

func raws(values []*schema.Value) []json.RawMessage {
	out := make([]json.RawMessage, len(values))
	for i, v := range values {
		out[i] = raw(v)
	}
	return out
}
