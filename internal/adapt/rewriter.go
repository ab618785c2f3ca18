// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// rewriter builds the adapted schema from the author's, top-down. It reads
// nodes of the author's schema and writes new values only where something changes.
type rewriter struct {
	schema  *schema.Schema
	profile *provider.Profile
	mode    provider.Mode
	most    Effect

	closable []bool       // nil where nothing is to be closed
	inlining map[int]bool // references being written out right now
	moveDefs bool         // definitions become $defs
	// unevaluatedItems: the document uses it, so that items is never neutral.
	unevaluatedItems bool
	places           []place // where the two trees differ in shape
	rewrites         []Rewrite
	expansion        int
}

func newRewriter(s *schema.Schema, p *provider.Profile, mode provider.Mode, most Effect) *rewriter {
	r := &rewriter{schema: s, profile: p, mode: mode, most: most, inlining: map[int]bool{}}
	if most >= Narrow && p.NeedsClosed(mode) {
		r.closable = Closable(s)
	}
	for _, n := range s.Nodes() {
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

// place maps pointers of the rewritten schema back to the author's: below the
// pointer out stands what stood below author. A rewrite that moves something
// makes a place of its own; everywhere else the two trees have the same shape.
type place struct{ author, out string }

// below returns the pointer in the rewritten schema of something at an
// author's pointer inside the place.
func (p place) below(author string) string {
	return p.out + strings.TrimPrefix(author, p.author)
}

// move records that author's node i is written to out.
func (r *rewriter) move(author, out string) place {
	p := place{author, out}
	if author != out {
		r.places = append(r.places, p)
	}
	return p
}

// checkpoint returns a function that forgets what was recorded since, for an
// attempt that comes to nothing.
func (r *rewriter) checkpoint() (undo func()) {
	places, rewrites := len(r.places), len(r.rewrites)
	return func() { r.places, r.rewrites = r.places[:places], r.rewrites[:rewrites] }
}

// node writes author's node i. It returns the author's own value if nothing in
// it changes, so that a schema that needs no rewrite stays the one it was.
func (r *rewriter) node(i int, at place) *schema.Value {
	n := &r.schema.Nodes()[i]
	if n.Value.Kind() != schema.Object {
		return n.Value
	}
	if r.expansion++; r.expansion > schema.MaxExpansion {
		return n.Value // what is written now is too large anyway; Admit says so
	}
	if v, done := r.reference(i, at); done {
		return v
	}
	if v, done := r.singleAllOf(i, at); done {
		return v
	}
	v := n.Value
	var f schema.Fields
	changed := false
	for j, m := range n.Value.Members() {
		written := r.member(i, at, m)
		if !changed && written == m {
			continue
		}
		if !changed {
			changed = true
			f = append(make(schema.Fields, 0, n.Value.Len()), n.Value.Members()[:j]...)
		}
		if written.Value != nil {
			f = append(f, written)
		}
	}
	if changed {
		v = f.Object()
	}
	for _, rule := range nodeRules {
		v = rule(r, i, v)
	}
	return v
}

// member writes one keyword with the subschemas below it; a member without
// value is left out.
func (r *rewriter) member(i int, at place, m schema.Member) schema.Member {
	k, known := schema.LookupKeyword(m.Name)
	if known && isDroppable(k) && r.loses(i, m.Name) {
		r.record(RuleDropAnnotation, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, m.Name),
			m.Name+" only annotates and this API does not take it; left out")
		return schema.Member{}
	}
	if m.Name == "definitions" && r.moveDefs {
		author := finding.Pointer(r.schema.Nodes()[i].Pointer, m.Name)
		r.record(RuleRenameDefinitions, Keep, author, "definitions is written as $defs")
		at = r.move(author, finding.Pointer(at.below(r.schema.Nodes()[i].Pointer), "$defs"))
		m.Name = "$defs"
	}
	if m.Name == "$ref" {
		if text := r.refText(i, m.Value.Text()); text != m.Value.Text() {
			m.Value = schema.NewString(text)
		}
		return m
	}
	return schema.MapChildren(m, func(c schema.Child) *schema.Value { return r.node(r.schema.Index(c.Value), at) })
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
