// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// rewriter builds the adapted schema from the author's, top-down. It reads
// nodes of the author's schema and writes new values; origin remembers where
// each written place came from.
type rewriter struct {
	schema  *schema.Schema
	profile *provider.Profile
	mode    provider.Mode
	most    Effect

	index    map[*schema.Value]int // author's node by value
	closable []bool
	inlining map[int]bool // references being written out right now
	moveDefs bool         // definitions become $defs
	// unevaluatedItems: the document uses it, so that items is never neutral.
	unevaluatedItems bool
	origin           map[string]string
	rewrites         []Rewrite
	expansion        int
}

func newRewriter(s *schema.Schema, p *provider.Profile, mode provider.Mode, most Effect) *rewriter {
	r := &rewriter{
		schema: s, profile: p, mode: mode, most: most,
		index:    make(map[*schema.Value]int, len(s.Nodes())),
		closable: closableNodes(s),
		inlining: map[int]bool{},
		origin:   map[string]string{},
	}
	for i, n := range s.Nodes() {
		r.index[n.Value] = i
		r.unevaluatedItems = r.unevaluatedItems || n.Value.Has("unevaluatedItems")
	}
	r.moveDefs = r.movesDefinitions()
	return r
}

func (r *rewriter) record(rule string, effect Effect, pointer, message string) {
	r.rewrites = append(r.rewrites, Rewrite{rule, effect, pointer, message})
}

// refuses reports whether the profile does not take a keyword at a node as it
// stands. Unknown counts as refused where it would fail closed.
func (r *rewriter) refuses(node int, keyword string) bool {
	switch r.profile.Judge(r.schema, node, keyword, r.mode).Verdict {
	case provider.Rejected:
		return true
	case provider.Unknown:
		return r.mode == provider.Strict
	default:
		return false
	}
}

// loses reports whether the profile refuses a keyword or drops it unseen.
func (r *rewriter) loses(node int, keyword string) bool {
	return r.refuses(node, keyword) || r.profile.Judge(r.schema, node, keyword, r.mode).Verdict == provider.Dropped
}

// holdsBetter reports whether the profile does more with one keyword than with
// another: takes it where the other is lost, or enforces it where the other is
// only accepted.
func (r *rewriter) holdsBetter(node int, keyword, other string) bool {
	if r.loses(node, keyword) {
		return false
	}
	enforced := func(k string) bool {
		return r.profile.Judge(r.schema, node, k, r.mode).Verdict == provider.Enforced
	}
	return r.loses(node, other) || (enforced(keyword) && !enforced(other))
}

// node writes author's node i to the place out.
func (r *rewriter) node(i int, out string) *schema.Value {
	n := &r.schema.Nodes()[i]
	r.origin[out] = n.Pointer
	if n.Value.Kind() != schema.Object {
		return n.Value
	}
	if r.expansion++; r.expansion > schema.MaxExpansion {
		return n.Value // what is written now is too large anyway; Admit says so
	}
	if v, done := r.reference(i, out); done {
		return v
	}
	if v, done := r.singleAllOf(i, out); done {
		return v
	}
	var f schema.Fields
	for _, m := range n.Value.Members() {
		r.member(&f, i, out, m)
	}
	v := f.Object()
	for _, rule := range nodeRules {
		v = rule(r, i, v)
	}
	return v
}

// member writes one keyword with the subschemas below it.
func (r *rewriter) member(f *schema.Fields, i int, out string, m schema.Member) {
	k, known := schema.LookupKeyword(m.Name)
	pointer := r.schema.Nodes()[i].Pointer
	if known && isDroppable(k) && r.loses(i, m.Name) {
		r.record(RuleDropAnnotation, Keep, finding.Pointer(pointer, m.Name),
			m.Name+" only annotates and this API does not take it; left out")
		return
	}
	name := m.Name
	if name == "definitions" && r.moveDefs {
		name = "$defs"
		r.record(RuleRenameDefinitions, Keep, finding.Pointer(pointer, "definitions"), "definitions is written as $defs")
	}
	at := finding.Pointer(out, name)
	r.origin[at] = finding.Pointer(pointer, m.Name)
	switch {
	case k.Shape == schema.One && isSchema(m.Value):
		f.Add(name, r.node(r.index[m.Value], at))
	case k.Shape == schema.List && m.Value.Kind() == schema.Array:
		items := slices.Clone(m.Value.Items())
		for j, item := range items {
			if isSchema(item) {
				items[j] = r.node(r.index[item], finding.Pointer(at, strconv.Itoa(j)))
			}
		}
		f.Add(name, schema.NewArray(items...))
	case k.Shape == schema.Map && m.Value.Kind() == schema.Object:
		entries := slices.Clone(m.Value.Members())
		for j, e := range entries {
			if isSchema(e.Value) {
				entries[j].Value = r.node(r.index[e.Value], finding.Pointer(at, e.Name))
			}
		}
		f.Add(name, schema.NewObject(entries...))
	case name == "$ref":
		f.Add(name, schema.NewString(r.refText(i, m.Value.Text())))
	default:
		f.Add(name, m.Value)
	}
}

// isDroppable lists the keywords that change nothing when they are left out:
// annotations, and the document's own identity, which no local reference uses.
// Descriptions, titles and definitions are never dropped.
func isDroppable(k schema.Keyword) bool {
	switch k.Name {
	case "title", "description", "$defs", "definitions":
		return false
	case "$id":
		return true
	}
	return k.Annotation
}

func isSchema(v *schema.Value) bool { return v.Kind() == schema.Object || v.Kind() == schema.Bool }
