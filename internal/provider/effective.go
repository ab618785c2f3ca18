// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// Loss is a place where the schema that holds admits more than the one that was
// sent.
type Loss struct {
	// Pointer leads to the keyword in the schema that was sent.
	Pointer string
	Keyword string
	Message string
}

// EffectiveSchema returns the schema that really holds when one is sent in a
// mode: without the keywords that the API drops, with the objects closed that it
// closes, patterns anchored, alternatives and members read as it reads them. It
// is s.Root() itself where nothing differs, and always a schema that can be
// admitted again.
//
// What the API refuses stays, since nothing holds then, and so does what it
// accepts without enforcing it: the model still sees that. losses are the places
// where more is admitted than was sent, sorted: all of them are known. A value
// that the effective schema admits and the one that was sent does not is
// explained by them; other surprises are not.
//
// Members that match in any case are written as a pattern beside the enum.
func (p *Profile) EffectiveSchema(s *schema.Schema, mode Mode) (root *schema.Value, losses []Loss) {
	e := effector{schema: s, profile: p, table: p.table(mode), facts: p.Effective.Standard}
	if mode == Strict && p.Strict.Place != NoStrict {
		e.facts = p.Effective.Strict
	}
	if !e.changesAnything() {
		return s.Root(), nil
	}
	e.place()
	root = e.node(0)
	slices.SortFunc(e.losses, func(a, b Loss) int { return strings.Compare(a.Pointer, b.Pointer) })
	return root, e.losses
}

// effector writes the effective schema.
type effector struct {
	schema  *schema.Schema
	profile *Profile
	table   *table
	facts   Effective
	// pointers are those of the nodes in the effective schema; empty for the root
	// and for what is gone.
	pointers []string
	gone     []bool
	children [][]int // of each node, in document order
	losses   []Loss
}

// changesAnything reports whether there is something to do in any schema.
func (e *effector) changesAnything() bool {
	return e.table.drops || e.facts.OpenObjects != ObjectsKept || e.facts.Patterns == PatternsWhole ||
		e.facts.Enums != EnumsExact || e.facts.OneOf != OneOfExact
}

func (e *effector) lose(pointer, keyword, format string, args ...any) {
	e.losses = append(e.losses, Loss{pointer, keyword, "the " + e.profile.Title + " " + fmt.Sprintf(format, args...)})
}

// dropped reports whether the API removes a keyword of a node. Definitions and
// names of places stay: they hold nothing, and references may lead there.
func (e *effector) dropped(i int, m schema.Member) bool {
	switch m.Name {
	case "$defs", "definitions", "$id", "$anchor", "$dynamicAnchor":
		return false
	}
	found := e.table.entry(m.Name, i == 0)
	if !found.drops {
		return false
	}
	at := place{schema: e.schema, node: i, keyword: m.Name, value: m.Value}
	o := found.match(&at)
	return o != nil && o.Verdict == Dropped
}

// place finds out where every node will be, before anything is written, because
// references lead forward too.
func (e *effector) place() {
	nodes := e.schema.Nodes()
	e.pointers = make([]string, len(nodes))
	e.gone = make([]bool, len(nodes))
	e.children = make([][]int, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		if n.Parent < 0 {
			continue
		}
		e.children[n.Parent] = append(e.children[n.Parent], i)
		parent := &nodes[n.Parent]
		holder := schema.Member{Name: n.In, Value: parent.Value.Get(n.In)}
		e.gone[i] = e.gone[n.Parent] || e.dropped(n.Parent, holder)
		base, in := e.pointers[n.Parent], []string{n.In}
		if n.In == "oneOf" && e.facts.OneOf == OneOfAsAnyOf {
			in = e.alternatives(n.Parent)
		}
		if k, _ := schema.LookupKeyword(n.In); k.Shape != schema.One {
			in = append(in, n.Token)
		}
		e.pointers[i] = finding.Pointer(base, in...)
	}
}

// alternatives is where the branches of oneOf stand once they are those of
// anyOf: in the node, or in an allOf of it where anyOf is there already.
func (e *effector) alternatives(node int) []string {
	v := e.schema.Nodes()[node].Value
	if !v.Has("anyOf") {
		return []string{"anyOf"}
	}
	position := 0
	if all := v.Get("allOf"); all != nil && !e.dropped(node, schema.Member{Name: "allOf", Value: all}) {
		position = len(all.Items())
	}
	return []string{"allOf", strconv.Itoa(position), "anyOf"}
}

func (e *effector) node(i int) *schema.Value {
	n := &e.schema.Nodes()[i]
	if n.Value.Kind() != schema.Object {
		return n.Value
	}
	var out schema.Fields
	var unions []*schema.Value // alternatives that apply beside the rest, those of oneOf first
	changed := false
	for _, m := range n.Value.Members() {
		at := finding.Pointer(n.Pointer, m.Name)
		if e.dropped(i, m) {
			changed = true
			if constrains(m.Name) {
				e.lose(at, m.Name, "drops %s", inner(m.Name))
			}
			continue
		}
		written, union := e.member(i, m, at)
		if union != nil {
			changed = true
			if m.Name == "oneOf" {
				unions = slices.Insert(unions, 0, union)
			} else {
				unions = append(unions, union)
			}
			continue
		}
		if written.Value == nil {
			changed = true
			continue
		}
		changed = changed || written.Value != m.Value
		out = append(out, written)
	}
	if e.closes(n.Value) {
		changed = true
		out.Add("additionalProperties", schema.NewBool(false))
	}
	if !changed {
		return n.Value
	}
	return withUnions(out.Object(), n.Value, unions)
}

// closes reports whether the API forbids the undeclared members of an object
// that admits them.
func (e *effector) closes(v *schema.Value) bool {
	switch e.facts.OpenObjects {
	case ObjectsClosed:
	case ObjectsClosedIfDeclared:
		if !v.Has("properties") {
			return false
		}
	default:
		return false
	}
	return typesOf(v).object && !v.Has("additionalProperties") && !v.Has("unevaluatedProperties")
}

// withUnions adds alternatives to a node: as its anyOf if it has none, else in
// allOf. The places are those of [effector.alternatives].
func withUnions(v, original *schema.Value, unions []*schema.Value) *schema.Value {
	for _, u := range unions {
		if !v.Has("anyOf") && !original.Has("anyOf") {
			v = v.With("anyOf", u)
			continue
		}
		var all []*schema.Value
		if have := v.Get("allOf"); have != nil {
			all = slices.Clone(have.Items())
		}
		v = v.With("allOf", schema.NewArray(append(all, schema.NewObject(schema.Member{Name: "anyOf", Value: u}))...))
	}
	return v
}

// member writes one keyword: as it is, in another form, as alternatives beside
// the rest of the node, or not at all.
func (e *effector) member(i int, m schema.Member, at string) (written schema.Member, union *schema.Value) {
	switch m.Name {
	case "$ref":
		return e.reference(i, m, at), nil
	case "pattern":
		return e.pattern(m), nil
	case "enum", "const":
		return m, e.anyCase(m, at)
	}
	// The same value may stand in two places, so that only its place tells what
	// it is.
	held := slices.DeleteFunc(slices.Clone(e.children[i]), func(c int) bool { return e.schema.Nodes()[c].In != m.Name })
	next := 0
	written = schema.MapChildren(m, func(schema.Child) *schema.Value {
		next++
		return e.node(held[next-1])
	})
	if m.Name == "oneOf" && e.facts.OneOf == OneOfAsAnyOf {
		if m.Value.Len() > 1 {
			e.lose(at, m.Name, "takes oneOf as anyOf: a value that matches two branches passes")
		}
		return written, written.Value
	}
	return written, nil
}

// reference repoints a reference whose target has moved. One whose target is
// gone is gone as well.
func (e *effector) reference(i int, m schema.Member, at string) schema.Member {
	n := &e.schema.Nodes()[i]
	if n.Ref < 0 {
		return m
	}
	if e.gone[n.Ref] {
		e.lose(at, m.Name, "drops what the reference leads to")
		return schema.Member{Name: m.Name}
	}
	if e.pointers[n.Ref] == e.schema.Nodes()[n.Ref].Pointer || !strings.HasPrefix(m.Value.Text(), "#/") {
		return m
	}
	var b strings.Builder
	b.WriteByte('#')
	for _, token := range finding.Tokens(e.pointers[n.Ref]) {
		b.WriteByte('/')
		b.WriteString(url.PathEscape(finding.Pointer("", token)[1:]))
	}
	return schema.Member{Name: m.Name, Value: schema.NewString(b.String())}
}

func (e *effector) pattern(m schema.Member) schema.Member {
	if e.facts.Patterns != PatternsWhole || m.Value.Kind() != schema.String {
		return m
	}
	compiled := e.schema.Pattern(m.Value.Text())
	if compiled == nil || compiled.Features().Anchored {
		return m
	}
	whole := "^(?:" + m.Value.Text() + ")$"
	if _, err := pattern.Compile(whole); err != nil { // too long by these characters; it stays wider
		return m
	}
	return schema.Member{Name: m.Name, Value: schema.NewString(whole)}
}

// maxCasePattern is about the length of a pattern of members, in bytes.
const maxCasePattern = 2000

// anyCase returns the alternatives that stand for an enum or const whose texts
// match in any case; nil where no member has two cases.
func (e *effector) anyCase(m schema.Member, at string) *schema.Value {
	if e.facts.Enums != EnumsAnyCase {
		return nil
	}
	members := []*schema.Value{m.Value}
	if m.Name == "enum" {
		members = m.Value.Items()
	}
	alternatives := []*schema.Value{schema.NewObject(m)}
	var texts []string
	length := 0
	flush := func() {
		if len(texts) == 0 {
			return
		}
		var f schema.Fields
		f.Text("type", "string")
		f.Text("pattern", "^(?:"+strings.Join(texts, "|")+")$")
		alternatives = append(alternatives, f.Object())
		texts, length = nil, 0
	}
	for _, v := range members {
		if v.Kind() != schema.String {
			continue
		}
		text, hasCase := caseless(v.Text())
		if !hasCase || len(text) > pattern.MaxPatternBytes-8 {
			continue
		}
		if length+len(text) > maxCasePattern {
			flush()
		}
		texts, length = append(texts, text), length+len(text)+1
	}
	flush()
	if len(alternatives) == 1 {
		return nil
	}
	e.lose(at, m.Name, "does not hold to upper and lower case of the members")
	return schema.NewArray(alternatives...)
}

// caseless writes a text as a pattern that matches it in any case.
func caseless(text string) (source string, hasCase bool) {
	var b strings.Builder
	for _, r := range text {
		if other := unicode.SimpleFold(r); other != r {
			hasCase = true
			b.WriteByte('[')
			b.WriteRune(r)
			for ; other != r; other = unicode.SimpleFold(other) {
				b.WriteRune(other)
			}
			b.WriteByte(']')
			continue
		}
		if strings.ContainsRune(`^$\.*+?()[]{}|/`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String(), hasCase
}
