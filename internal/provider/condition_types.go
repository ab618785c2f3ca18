// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// Expression is an RE2 expression in a profile file.
type Expression struct{ compiled *regexp.Regexp }

// UnmarshalJSON reads an expression and refuses one that is none.
func (e *Expression) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return fmt.Errorf("reading expression: %w", err)
	}
	if why := unfitExpression(text); why != "" {
		return fmt.Errorf("reading expression: %s", why)
	}
	compiled, err := regexp.Compile(text)
	if err != nil {
		return fmt.Errorf("reading expression: %w", err)
	}
	e.compiled = compiled
	return nil
}

// MarshalJSON writes the expression.
func (e Expression) MarshalJSON() ([]byte, error) {
	if e.compiled == nil {
		return []byte(`""`), nil
	}
	return schema.AppendString(nil, e.compiled.String()), nil
}

// typeHas reports whether the type of the node names one of these.
func (p *place) typeHas(names []string) bool {
	return p.hasType(func(name string) bool { return slices.Contains(names, name) })
}

// typeOtherThan reports whether the node may be of a type that is none of these.
func (p *place) typeOtherThan(names []string) bool {
	return !p.at().Value.Has("type") || p.hasType(func(name string) bool { return !slices.Contains(names, name) })
}

// hasType reports whether the type of the node names one that is so.
func (p *place) hasType(is func(name string) bool) bool {
	t := p.at().Value.Get("type")
	switch {
	case t == nil:
		return false
	case t.Kind() == schema.Array:
		return slices.ContainsFunc(t.Items(), func(item *schema.Value) bool { return is(item.Text()) })
	default:
		return is(t.Text())
	}
}

// reachedOtherThan reports whether the way from the root to the node takes a
// keyword that is none of these.
func (p *place) reachedOtherThan(keywords []string) bool {
	nodes := p.schema.Nodes()
	for i := p.node; nodes[i].Parent >= 0; i = nodes[i].Parent {
		if !slices.Contains(keywords, nodes[i].In) {
			return true
		}
	}
	return false
}

// valueMatches judges the text of a string, or of a number as it is written.
func (p *place) valueMatches(e *Expression) bool {
	if p.value == nil || p.value.Kind() != schema.String && p.value.Kind() != schema.Number {
		return false
	}
	return e.compiled.MatchString(p.value.Text())
}

// valueRepeated reports whether the keyword has the same text elsewhere.
func (p *place) valueRepeated() bool {
	if p.value == nil || p.value.Kind() != schema.String {
		return false
	}
	own := 0
	if v := p.schema.Nodes()[p.node].Value.Get(p.keyword); v != nil && v.Kind() == schema.String && folded(v.Text()) == folded(p.value.Text()) {
		own = 1
	}
	return repetitions(p.schema, p.keyword, p.value.Text()) > own
}

// typeExcludesMember reports whether the type beside an enum or const leaves one
// of their members out. An engine that reads the members alone then admits more.
func (p *place) typeExcludesMember() bool {
	v := p.at().Value
	excluded := func(member *schema.Value) bool {
		return !p.hasType(func(name string) bool {
			return name == member.Kind().String() || name == "integer" && member.IsInteger()
		})
	}
	if c := v.Get("const"); c != nil {
		return excluded(c)
	}
	enum := v.Get("enum")
	return enum != nil && slices.ContainsFunc(enum.Items(), excluded)
}
