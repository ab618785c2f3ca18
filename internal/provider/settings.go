// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// Setting is one field of a tool of the API, for people to read.
type Setting struct {
	Name string
	// Form says what may stand there: integer, low or medium or high.
	Form     string
	Required bool
}

// Fields are the settings of the tool, by name.
func (b BuiltInFacts) Fields() []Setting {
	if b.Settings.value == nil {
		return nil
	}
	required := b.Settings.value.Get("required").Strings()
	var out []Setting
	for _, m := range b.Settings.value.Get("properties").Members() {
		out = append(out, Setting{Name: m.Name, Form: formOf(b.Settings.value, m.Value, maxFormDepth), Required: slices.Contains(required, m.Name)})
	}
	return out
}

// maxFormDepth is how deep a form is said.
const maxFormDepth = 4

// formOf says a schema of the facts in a few words.
func formOf(root, s *schema.Value, depth int) string {
	if depth == 0 || s == nil || s.Kind() != schema.Object {
		return "any"
	}
	forms := func(list []*schema.Value) string {
		out := make([]string, len(list))
		for i, branch := range list {
			out[i] = formOf(root, branch, depth-1)
		}
		return strings.Join(slices.Compact(out), " or ")
	}
	if name, ok := strings.CutPrefix(s.Get("$ref").Text(), "#/$defs/"); ok {
		return formOf(root, root.Get("$defs").Get(name), depth-1)
	}
	if list := s.Get("anyOf"); list != nil {
		return forms(list.Items())
	}
	if list := s.Get("enum"); list != nil {
		return words(list.Items())
	}
	if value := s.Get("const"); value != nil {
		return words([]*schema.Value{value})
	}
	switch kind := s.Get("type"); {
	case kind != nil && kind.Kind() == schema.Array:
		return words(kind.Items())
	case kind.Text() == "array" && s.Has("items"):
		return "list of " + formOf(root, s.Get("items"), depth-1)
	case kind.Text() == "object" && s.Get("properties").Len() > 0:
		names := make([]string, 0, s.Get("properties").Len())
		for _, m := range s.Get("properties").Members() {
			names = append(names, m.Name)
		}
		return "object with " + strings.Join(names, ", ")
	case kind != nil:
		return kind.Text()
	}
	return "any"
}

func words(list []*schema.Value) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = v.Text()
		if v.Kind() != schema.String {
			out[i] = v.JSON()
		}
	}
	return strings.Join(out, " or ")
}
