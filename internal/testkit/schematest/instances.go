// SPDX-License-Identifier: Apache-2.0

package schematest

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// Instances proposes values for a schema, most of which it admits. It knows
// nothing but the schema: which proposals are valid is for its validator to
// say. The same seed gives the same values.
type Instances struct {
	*rand.Rand
	schema   *schema.Schema
	children map[childKey][]int
	left     int // what is left of maxNodes for one value
}

type childKey struct {
	parent  int
	keyword string
}

// NewInstances returns a source of values for a schema.
func NewInstances(s *schema.Schema, seed uint64) *Instances {
	g := &Instances{Rand: rand.New(rand.NewPCG(seed, 11)), schema: s, children: map[childKey][]int{}} //nolint:gosec // repeatable on purpose
	for i := range s.Nodes() {
		n := &s.Nodes()[i]
		key := childKey{n.Parent, n.In}
		g.children[key] = append(g.children[key], i)
	}
	return g
}

// maxDepth is the depth from which on values are kept as small as they can be,
// and hardDepth the one below which there are only scalars, whatever is
// required. maxNodes bounds the schemas looked at and the values made for one
// proposal, so that what is required and refers to itself comes to an end.
const (
	maxDepth  = 6
	hardDepth = 24
	maxNodes  = 1000
)

// Next proposes a value.
func (g *Instances) Next() *schema.Value {
	g.left = maxNodes
	return g.value(0, 0)
}

// Valid returns distinct proposals that the schema's own validator accepts, at
// most n of so many tries; none if the schema is not valid.
func (g *Instances) Valid(n, tries int) []*schema.Value {
	validator, findings := g.schema.Compile()
	if len(findings) > 0 {
		return nil
	}
	var out []*schema.Value
	seen := map[string]bool{}
	for range tries {
		v := g.Next()
		text := v.JSON()
		if seen[text] {
			continue
		}
		seen[text] = true
		if ok, err := validator.Accepts(v); ok && err == nil {
			out = append(out, v)
		}
		if len(out) == n {
			break
		}
	}
	return out
}

func (g *Instances) node(i int) *schema.Value { return g.schema.Nodes()[i].Value }

// value proposes a value for a node: one of its listed values, or one of its
// types, joined with what the schemas in place ask for.
func (g *Instances) value(i, depth int) *schema.Value {
	v := g.node(i)
	if g.left--; g.left <= 0 || depth >= hardDepth || v.Kind() != schema.Object || g.IntN(60) == 0 {
		return g.anything(depth)
	}
	if list := listed(v); len(list) > 0 {
		if chosen := list[g.IntN(len(list))]; g.affords(chosen) {
			return chosen
		}
		return schema.NewNull()
	}
	var parts []*schema.Value
	if ref := g.schema.Nodes()[i].Ref; ref >= 0 {
		parts = append(parts, g.value(ref, depth))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches := g.children[childKey{i, keyword}]; len(branches) > 0 {
			parts = append(parts, g.value(branches[g.IntN(len(branches))], depth))
		}
	}
	for _, branch := range g.children[childKey{i, "allOf"}] {
		if g.left <= 0 {
			break
		}
		parts = append(parts, g.value(branch, depth))
	}
	own := g.typed(i, depth, parts)
	for _, part := range parts {
		own = join(own, part)
	}
	return own
}

// affords takes the nodes of a value that is there already from what is left. It
// reports whether they were left.
func (g *Instances) affords(v *schema.Value) bool {
	left := countDown(v, g.left)
	if left < 0 {
		return false
	}
	g.left = left
	return true
}

// countDown counts the nodes of a value down from a number, and stops below 0.
func countDown(v *schema.Value, left int) int {
	left--
	for _, item := range v.Items() {
		if left < 0 {
			break
		}
		left = countDown(item, left)
	}
	for _, m := range v.Members() {
		if left < 0 {
			break
		}
		left = countDown(m.Value, left)
	}
	return left
}

func listed(v *schema.Value) []*schema.Value {
	if c := v.Get("const"); c != nil {
		return []*schema.Value{c}
	}
	if enum := v.Get("enum"); enum != nil {
		return enum.Items()
	}
	return nil
}

// join puts the members of two objects together; of two other values the one
// with more to it stays.
func join(a, b *schema.Value) *schema.Value {
	if a == nil || a.Kind() != schema.Object || b.Kind() != schema.Object {
		return b
	}
	for _, m := range b.Members() {
		a = a.With(m.Name, m.Value)
	}
	return a
}

// typed proposes a value by the node's own keywords; nil where it leaves all to
// the schemas in place.
func (g *Instances) typed(i, depth int, parts []*schema.Value) *schema.Value {
	v := g.node(i)
	types := slices.Clone(schema.Types(v))
	if len(types) == 0 {
		switch {
		case v.Has("properties") || v.Has("required"):
			types = []string{"object"}
		case v.Has("items"):
			types = []string{"array"}
		case len(parts) > 0:
			return nil
		case v.Has("pattern") || v.Has("minLength") || v.Has("maxLength") || v.Has("format"):
			types = []string{"string"}
		default:
			return g.anything(depth)
		}
	}
	switch types[g.IntN(len(types))] {
	case "object":
		return g.object(i, depth)
	case "array":
		return g.array(i, depth)
	case "string":
		return schema.NewString(g.text(v))
	case "integer", "number":
		return g.number(v)
	case "boolean":
		return schema.NewBool(g.IntN(2) == 0)
	default:
		return schema.NewNull()
	}
}

func (g *Instances) object(i, depth int) *schema.Value {
	v := g.node(i)
	required := v.Get("required").Strings()
	isRequired := make(map[string]bool, len(required))
	for _, name := range required {
		isRequired[name] = true
	}
	var out schema.Fields
	has := map[string]bool{}
	add := func(name string, value *schema.Value) {
		out.Add(name, value)
		has[name] = true
	}
	for _, p := range g.children[childKey{i, "properties"}] {
		if g.left <= 0 {
			return out.Object()
		}
		name := g.schema.Nodes()[p].Token
		if isRequired[name] || (depth < maxDepth && g.IntN(2) == 0) {
			add(name, g.value(p, depth+1))
		}
	}
	for _, name := range required {
		if g.left <= 0 {
			return out.Object()
		}
		if !has[name] {
			add(name, g.anything(depth+1))
		}
	}
	if depth >= maxDepth {
		return out.Object()
	}
	least, _ := v.Get("minProperties").Int()
	for n := 0; g.left > 0 && n < 3 && (g.IntN(3) > 0 || int64(len(out)) < least); n++ {
		name := g.name(i)
		if has[name] {
			continue
		}
		switch additional := g.children[childKey{i, "additionalProperties"}]; {
		case len(g.children[childKey{i, "patternProperties"}]) > 0 && g.IntN(4) > 0:
			add(name, g.value(g.children[childKey{i, "patternProperties"}][0], depth+1))
		case len(additional) == 0:
			add(name, g.anything(depth+1))
		case !g.node(additional[0]).IsFalse():
			add(name, g.value(additional[0], depth+1))
		}
	}
	return out.Object()
}

// name proposes the name of an undeclared member.
func (g *Instances) name(i int) string {
	for _, p := range g.children[childKey{i, "patternProperties"}] {
		return g.matching(g.schema.Nodes()[p].Token)
	}
	for _, p := range g.children[childKey{i, "propertyNames"}] {
		if v := g.value(p, maxDepth); v.Kind() == schema.String {
			return v.Text()
		}
	}
	return texts[g.IntN(6)]
}

func (g *Instances) array(i, depth int) *schema.Value {
	v := g.node(i)
	var items []*schema.Value
	least, _ := v.Get("minItems").Int()
	for _, p := range g.children[childKey{i, "prefixItems"}] {
		if g.left <= 0 {
			break
		}
		items = append(items, g.value(p, depth+1))
	}
	for g.left > 0 && len(items) < 40 && (int64(len(items)) < least || (depth < maxDepth && g.IntN(3) > 0)) {
		switch below := g.children[childKey{i, "items"}]; {
		case len(items) > 0 && depth < maxDepth && g.IntN(6) == 0: // repeated at every level, a value would double
			if again := items[g.IntN(len(items))]; g.affords(again) {
				items = append(items, again)
			} else {
				g.left = 0
			}
		case len(below) > 0:
			items = append(items, g.value(below[0], depth+1))
		default:
			items = append(items, g.anything(depth+1))
		}
	}
	return schema.NewArray(items...)
}

// texts are tried where a text has to match something. The first are short
// names that schemas of tests use as well.
var texts = []string{
	"a", "b", "c", "d", "x-a", "key", "", "abc", "A1", "0", "42", "1.5", "true", "a_b", "a-b", "a b", "a.b", "main", "prod-1",
	"2026-01-02", "2026-01-02T03:04:05Z", "03:04:05Z", "P1D", "me@example.com", "https://example.com/a", "example.com", "192.0.2.1", "2001:db8::1",
	"0b0f7d7e-8f0e-4c52-9d2f-8a8f7e0f7a11", "507f1f77bcf86cd799439011", "#a1b2c3", "/tmp/a", "owner/repo", "ABC-123", "v1.2.3", "en-US", "USD",
	"+15550100", "ffffffffffffffffffffffffffffffffffffffff",
}

var formats = map[string]string{
	"date": "2026-01-02", "date-time": "2026-01-02T03:04:05Z", "time": "03:04:05Z", "duration": "P1D", "email": "me@example.com",
	"uri": "https://example.com/a", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uuid": "0b0f7d7e-8f0e-4c52-9d2f-8a8f7e0f7a11",
}

func (g *Instances) text(v *schema.Value) string {
	text := texts[g.IntN(len(texts))]
	if p := v.Get("pattern"); p != nil {
		text = g.matching(p.Text())
	} else if f := v.Get("format"); f != nil && formats[f.Text()] != "" {
		text = formats[f.Text()]
	}
	if least, ok := v.Get("minLength").Int(); ok && int64(len(text)) < least && least < 200 {
		text += strings.Repeat("a", int(least)-len(text))
	}
	if most, ok := v.Get("maxLength").Int(); ok && int64(len(text)) > most && most >= 0 {
		text = text[:most]
	}
	return text
}

// matching proposes a text for a pattern, one that matches if it knows any.
func (g *Instances) matching(source string) string {
	p := g.schema.Pattern(source)
	start := g.IntN(len(texts))
	for n := range texts {
		text := texts[(start+n)%len(texts)]
		if p == nil {
			return text
		}
		if ok, err := p.Match(text); ok && err == nil {
			return text
		}
	}
	return texts[start]
}

func (g *Instances) number(v *schema.Value) *schema.Value {
	for _, keyword := range []string{"minimum", "maximum", "multipleOf"} {
		if bound := v.Get(keyword); bound.Rat() != nil && g.IntN(2) == 0 {
			return bound
		}
	}
	return schema.NewInt(int64(g.IntN(12)) - 2)
}

// anything proposes a value of any type.
func (g *Instances) anything(depth int) *schema.Value {
	if g.left--; g.left <= 0 {
		depth = maxDepth
	}
	switch n := g.IntN(9); {
	case n == 0:
		return schema.NewNull()
	case n == 1:
		return schema.NewBool(true)
	case n < 4 || depth >= maxDepth:
		return schema.NewString(texts[g.IntN(8)])
	case n < 6:
		return schema.NewInt(int64(n))
	case n == 6:
		return schema.NewArray(g.anything(depth + 1))
	default:
		out := schema.NewObject()
		for range g.IntN(3) {
			out = out.With(texts[g.IntN(4)], g.anything(depth+1))
		}
		return out
	}
}
