// SPDX-License-Identifier: Apache-2.0

// Package naive is a second validator for JSON Schema 2020-12, for tests only.
// It evaluates a schema keyword by keyword, as the specification tells it, over
// exact rationals. It shares no code with the validator that hosts run: neither
// its library nor its pattern engine. It is slow, has no messages, and where it
// does not know (a format outside its small table, a text that two regular
// expression dialects read differently) it says so instead of guessing.
package naive

import (
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/toolcontract/operator/internal/schema"
)

// maxSteps bounds the schemas applied for one instance.
const maxSteps = 500_000

// Judge evaluates instances against one schema. It is not safe for concurrent use.
type Judge struct {
	root     *schema.Value
	targets  map[string]*schema.Value
	patterns map[string]matcher
	steps    int
	doubt    string // why the evaluation cannot be decided; the first reason
}

// New returns a judge for an admitted schema.
func New(s *schema.Schema) *Judge {
	return &Judge{root: s.Root(), targets: map[string]*schema.Value{}, patterns: map[string]matcher{}}
}

// Accepts reports whether the instance is valid; a doubt says why that is not
// known, and then the answer means nothing.
func (j *Judge) Accepts(v *schema.Value) (valid bool, doubt string) {
	j.steps, j.doubt = maxSteps, ""
	valid, _ = j.apply(j.root, v)
	return valid && j.doubt == "", j.doubt
}

// doubts ends the evaluation: what is returned from here on means nothing.
func (j *Judge) doubts(why string) bool {
	if j.doubt == "" {
		j.doubt = why
	}
	return false
}

// marks says which members or items of the instance were evaluated, by index.
type marks []bool

func (m *marks) set(v *schema.Value, i int) {
	if *m == nil {
		*m = make(marks, v.Len())
	}
	(*m)[i] = true
}

func (m *marks) add(v *schema.Value, more marks) {
	for i, marked := range more {
		if marked {
			m.set(v, i)
		}
	}
}

func (m marks) has(i int) bool { return i < len(m) && m[i] }

// apply evaluates one schema. The marks of a schema that fails do not count.
func (j *Judge) apply(s, v *schema.Value) (bool, marks) {
	if j.steps--; j.steps < 0 {
		j.doubts("too much work")
	}
	if j.doubt != "" {
		return false, nil
	}
	if s.Kind() == schema.Bool {
		return s.IsTrue(), nil
	}
	var seen marks
	if !plain(s, v) || !j.text(s, v) || !j.inPlace(s, v, &seen) {
		return false, nil
	}
	switch v.Kind() {
	case schema.Object:
		if !j.object(s, v, &seen) {
			return false, nil
		}
	case schema.Array:
		if !j.array(s, v, &seen) {
			return false, nil
		}
	default:
	}
	return true, seen
}

// inPlace applies the schemas that look at the same instance.
func (j *Judge) inPlace(s, v *schema.Value, seen *marks) bool {
	try := func(sub *schema.Value) bool {
		ok, more := j.apply(sub, v)
		if ok {
			seen.add(v, more)
		}
		return ok
	}
	if ref := s.Get("$ref"); ref != nil && !try(j.target(ref.Text())) {
		return false
	}
	return alternatives(s, try) && j.conditional(s, v, try)
}

// alternatives evaluates the lists of schemas.
func alternatives(s *schema.Value, try func(*schema.Value) bool) bool {
	for _, sub := range list(s, "allOf") {
		if !try(sub) {
			return false
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		valid := 0
		for _, sub := range list(s, keyword) {
			if try(sub) {
				valid++
			}
		}
		if s.Has(keyword) && (valid == 0 || keyword == "oneOf" && valid > 1) {
			return false
		}
	}
	return true
}

// conditional evaluates what applies on a condition.
func (j *Judge) conditional(s, v *schema.Value, try func(*schema.Value) bool) bool {
	if sub := s.Get("not"); sub != nil {
		if ok, _ := j.apply(sub, v); ok {
			return false
		}
	}
	if sub := s.Get("if"); sub != nil {
		branch := s.Get("else")
		if try(sub) {
			branch = s.Get("then")
		}
		if branch != nil && !try(branch) {
			return false
		}
	}
	if v.Kind() == schema.Object {
		for _, m := range members(s, "dependentSchemas") {
			if v.Has(m.Name) && !try(m.Value) {
				return false
			}
		}
	}
	return true
}

func (j *Judge) object(s, v *schema.Value, seen *marks) bool {
	if !counts(s, v.Len(), "minProperties", "maxProperties") {
		return false
	}
	for _, name := range s.Get("required").Strings() {
		if !v.Has(name) {
			return false
		}
	}
	for _, m := range members(s, "dependentRequired") {
		for _, name := range m.Value.Strings() {
			if v.Has(m.Name) && !v.Has(name) {
				return false
			}
		}
	}
	for i, m := range v.Members() {
		if !j.member(s, v, i, m, seen) {
			return false
		}
	}
	values := make([]*schema.Value, v.Len())
	for i, m := range v.Members() {
		values[i] = m.Value
	}
	return j.unevaluated(s.Get("unevaluatedProperties"), v, values, seen)
}

// unevaluated applies a schema to the members or items that no other was
// applied to.
func (j *Judge) unevaluated(rest, v *schema.Value, values []*schema.Value, seen *marks) bool {
	if rest == nil {
		return true
	}
	for i, value := range values {
		if seen.has(i) {
			continue
		}
		if ok, _ := j.apply(rest, value); !ok {
			return false
		}
		seen.set(v, i)
	}
	return true
}

// member applies what this very schema says of one member.
func (j *Judge) member(s, v *schema.Value, i int, m schema.Member, seen *marks) bool {
	if names := s.Get("propertyNames"); names != nil {
		if ok, _ := j.apply(names, schema.NewString(m.Name)); !ok {
			return false
		}
	}
	var applies []*schema.Value
	if own := s.Get("properties").Get(m.Name); own != nil {
		applies = append(applies, own)
	}
	for _, p := range members(s, "patternProperties") {
		if j.matches(p.Name, m.Name) {
			applies = append(applies, p.Value)
		}
	}
	if rest := s.Get("additionalProperties"); rest != nil && len(applies) == 0 {
		applies = append(applies, rest)
	}
	for _, sub := range applies {
		if ok, _ := j.apply(sub, m.Value); !ok {
			return false
		}
		seen.set(v, i)
	}
	return true
}

func (j *Judge) array(s, v *schema.Value, seen *marks) bool {
	if !counts(s, v.Len(), "minItems", "maxItems") {
		return false
	}
	if unique := s.Get("uniqueItems"); unique != nil && unique.IsTrue() && !distinct(v.Items()) {
		return false
	}
	prefix, found := list(s, "prefixItems"), 0
	contains := s.Get("contains")
	for i, item := range v.Items() {
		sub := s.Get("items")
		if i < len(prefix) {
			sub = prefix[i]
		}
		if sub != nil {
			if ok, _ := j.apply(sub, item); !ok {
				return false
			}
			seen.set(v, i)
		}
		if contains != nil {
			if ok, _ := j.apply(contains, item); ok {
				found++
				seen.set(v, i)
			}
		}
	}
	if contains != nil {
		if !s.Has("minContains") && found == 0 || !counts(s, found, "minContains", "maxContains") {
			return false
		}
	}
	return j.unevaluated(s.Get("unevaluatedItems"), v, v.Items(), seen)
}

func distinct(items []*schema.Value) bool {
	for i, a := range items {
		if slices.ContainsFunc(items[:i], a.Equal) {
			return false
		}
	}
	return true
}

func (j *Judge) text(s, v *schema.Value) bool {
	if v.Kind() != schema.String {
		return true
	}
	if !counts(s, utf8.RuneCountInString(v.Text()), "minLength", "maxLength") {
		return false
	}
	if p := s.Get("pattern"); p != nil && !j.matches(p.Text(), v.Text()) {
		return false
	}
	f := s.Get("format")
	return f == nil || j.formatted(f.Text(), v.Text())
}

// plain evaluates what needs no subschema.
func plain(s, v *schema.Value) bool {
	if t := s.Get("type"); t != nil && !typed(t, v) {
		return false
	}
	if c := s.Get("const"); c != nil && !c.Equal(v) {
		return false
	}
	if e := s.Get("enum"); e != nil {
		listed := false
		for _, item := range e.Items() {
			listed = listed || item.Equal(v)
		}
		if !listed {
			return false
		}
	}
	return v.Kind() != schema.Number || number(s, v)
}

func typed(t, v *schema.Value) bool {
	names := t.Strings()
	if t.Kind() == schema.String {
		names = []string{t.Text()}
	}
	for _, name := range names {
		if name == v.Kind().String() || name == "integer" && v.Kind() == schema.Number && v.Rat().IsInt() {
			return true
		}
	}
	return false
}

func number(s, v *schema.Value) bool {
	x := v.Rat()
	compare := func(keyword string, fits func(int) bool) bool {
		bound := s.Get(keyword)
		return bound == nil || fits(x.Cmp(bound.Rat()))
	}
	if m := s.Get("multipleOf"); m != nil && !x.Quo(x, m.Rat()).IsInt() {
		return false
	}
	x = v.Rat()
	return compare("minimum", func(c int) bool { return c >= 0 }) &&
		compare("maximum", func(c int) bool { return c <= 0 }) &&
		compare("exclusiveMinimum", func(c int) bool { return c > 0 }) &&
		compare("exclusiveMaximum", func(c int) bool { return c < 0 })
}

// counts compares a count with two keywords.
func counts(s *schema.Value, n int, least, most string) bool {
	count := schema.NewInt(int64(n)).Rat()
	if v := s.Get(least); v != nil && count.Cmp(v.Rat()) < 0 {
		return false
	}
	v := s.Get(most)
	return v == nil || count.Cmp(v.Rat()) <= 0
}

func list(s *schema.Value, keyword string) []*schema.Value {
	if v := s.Get(keyword); v != nil {
		return v.Items()
	}
	return nil
}

func members(s *schema.Value, keyword string) []schema.Member {
	if v := s.Get(keyword); v != nil {
		return v.Members()
	}
	return nil
}

// target is the schema that a local reference leads to.
func (j *Judge) target(ref string) *schema.Value {
	if known := j.targets[ref]; known != nil {
		return known
	}
	fragment, err := url.PathUnescape(strings.TrimPrefix(ref, "#"))
	if err != nil {
		j.doubts("the reference " + ref + " cannot be read")
	}
	found := j.root
	if strings.HasPrefix(fragment, "/") {
		tokens := strings.Split(fragment[1:], "/")
		for i, token := range tokens {
			tokens[i] = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		}
		found = j.root.At(tokens)
	} else if fragment != "" {
		found = anchored(j.root, fragment)
	}
	if found == nil {
		j.doubts("the reference " + ref + " leads nowhere")
		return schema.NewBool(false)
	}
	j.targets[ref] = found
	return found
}

// anchored finds a schema by its $anchor.
func anchored(s *schema.Value, name string) *schema.Value {
	if a := s.Get("$anchor"); a != nil && a.Text() == name {
		return s
	}
	for _, c := range schema.Children(s) {
		if found := anchored(c.Value, name); found != nil {
			return found
		}
	}
	return nil
}
