// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// rewriter builds the adapted schema from the author's, top-down. It reads
// nodes of the author's schema and writes new values only where something changes.
type rewriter struct {
	schema  *schema.Schema
	author  *schema.Schema // the document before all passes
	profile *provider.Profile
	mode    provider.Mode
	most    Effect

	closable []bool // nil where nothing is to be closed
	// impliedClosable is the same for an API that closes by itself; nil until asked for.
	impliedClosable []bool
	conjuncts       []bool       // nodes that apply together with others; nil before it is asked
	inlining        map[int]bool // references being written out right now
	defs            definitions
	// defsWritten: the definitions of the root are written already.
	defsWritten bool
	used        []bool                            // nodes that can apply to an instance
	targets     map[string]int                    // of references, by their text
	referred    []string                          // places that references lead to, but for definitions
	exclusive   func(at int, keyword string) bool // see [contain.Exclusive]
	monotone    []bool                            // nodes under which fewer values are fewer above
	proofs      int                               // of redundancy, so far
	patternCost int                               // of the patterns that rules wrote
	compiled    map[string]*pattern.Pattern       // patterns that rules may write
	comparing   int                               // what is left of maxComparing
	judging     int                               // what is left of maxJudging
	branches    map[branch]bool                   // see [rewriter.isBranchTaken]
	// lackingTypes: alternatives that are lost for what their branches lack.
	lackingTypes map[alternatives]bool
	tooOften     map[string]int // lengths that no pattern may have, by the shape of a node
	// findings are what the profile has against the schema.
	findings func() []finding.Finding
	// unevaluatedItems: the document uses it, so that items is never neutral.
	// unevaluated: it uses that or unevaluatedProperties.
	unevaluatedItems, unevaluated bool
	places                        []place // where the two trees differ in shape
	rewrites                      []Rewrite
	gone                          []string // keywords that were left out, with all that is below
	expansion                     int
	// unfinished: what was written has to be looked at again, as a whole. shares:
	// one value may stand at several places.
	unfinished, shares bool
}

func newRewriter(s *schema.Schema, p *provider.Profile, mode provider.Mode, most Effect, findings func() []finding.Finding) *rewriter {
	r := &rewriter{schema: s, profile: p, mode: mode, most: most, inlining: map[int]bool{}, findings: findings, comparing: maxComparing, judging: maxJudging}
	if most >= Narrow && p.NeedsClosed(mode) {
		r.closable = Closable(s)
	}
	for _, n := range s.Nodes() {
		r.unevaluatedItems = r.unevaluatedItems || n.Value.Has("unevaluatedItems")
		r.unevaluated = r.unevaluated || r.unevaluatedItems || n.Value.Has("unevaluatedProperties")
	}
	if hasDefinitions(s) {
		r.referred = referredPlaces(s)
		r.planDefinitions()
	}
	return r
}

// hasDefinitions reports whether a document has references or definitions.
func hasDefinitions(s *schema.Schema) bool {
	return slices.ContainsFunc(s.Nodes(), func(n schema.Node) bool { return n.Ref >= 0 || n.In == "$defs" || n.In == "definitions" })
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
	cell := r.profile.Judge(r.schema, node, keyword, r.mode)
	return cell.Refused(r.mode) || cell.Verdict == provider.Dropped
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
	if author != out || len(r.places) > 0 { // it may lie in a place that moved
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
	if i > 0 && r.isMoved(i) {
		return schema.NewObject(schema.Member{Name: "$ref", Value: schema.NewString(fragment(finding.Pointer("", r.defs.keyword, r.defs.names[i])))})
	}
	return r.content(i, at)
}

// content writes author's node i itself, also if a reference stands in its
// place from now on.
func (r *rewriter) content(i int, at place) *schema.Value {
	n := &r.schema.Nodes()[i]
	if n.Value.Kind() != schema.Object {
		return r.boolean(i)
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
	if v, done := r.restructure(i, at); done {
		return v
	}
	v, below := r.members(i, at)
	before := v
	for _, rule := range nodeRules {
		v = rule(r, i, v)
	}
	if v == before {
		return v
	}
	for _, b := range slices.Backward(below) {
		if before.Has(b.keyword) && !v.Has(b.keyword) { // what was done in it is gone with it
			r.rewrites = slices.Delete(r.rewrites, b.from, b.to)
		}
	}
	for _, m := range n.Value.Members() {
		if isContainer(m.Value) && before.Has(m.Name) && !v.Has(m.Name) {
			r.gone = append(r.gone, finding.Pointer(n.Pointer, m.Name))
		}
	}
	return v
}

// members writes the keywords of node i with what is below them, and says which
// rewrites were recorded while which keyword was written.
func (r *rewriter) members(i int, at place) (v *schema.Value, below []recorded) {
	n := &r.schema.Nodes()[i]
	var f schema.Fields
	changed := false
	for j, m := range n.Value.Members() {
		from := len(r.rewrites)
		written := r.member(i, at, m)
		if to := len(r.rewrites); to > from {
			below = append(below, recorded{m.Name, from, to})
		}
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
	if i == 0 && len(r.defs.moved) > 0 && !r.defsWritten {
		if !changed {
			changed, f = true, slices.Clone(n.Value.Members())
		}
		f = append(f, r.definitionsMember(0, at, schema.Member{}))
	}
	if !changed {
		return n.Value, below
	}
	return f.Object(), below
}

// recorded are the rewrites that were recorded while a keyword was written.
type recorded struct {
	keyword  string
	from, to int
}

// member writes one keyword with the subschemas below it; a member without
// value is left out.
func (r *rewriter) member(i int, at place, m schema.Member) schema.Member {
	k, known := schema.LookupKeyword(m.Name)
	if (known && isDroppable(k) || !known && strings.HasPrefix(m.Name, "x-")) && r.loses(i, m.Name) {
		r.record(RuleDropAnnotation, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, m.Name),
			m.Name+" only annotates and this API does not take it; left out")
		return schema.Member{}
	}
	switch m.Name {
	case "title", "description":
		if i == 0 && r.refuses(0, m.Name) {
			r.record(RuleDropAnnotation, Keep, finding.Pointer("", m.Name), m.Name+" only annotates and this API does not take it at the root, beside the description of the tool; left out")
			return schema.Member{}
		}
	case "$defs", "definitions":
		if r.defs.changes {
			return r.definitionsMember(i, at, m)
		}
	case "$anchor":
		if r.loses(i, "$anchor") {
			r.record(RuleDropAnchor, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, m.Name), "references lead to the place by pointer; the anchor is left out")
			return schema.Member{}
		}
		if len(r.inlining) > 0 {
			return schema.Member{} // it stays where it is written out from
		}
	case "oneOf":
		if r.becomesAnyOf(i) {
			author := finding.Pointer(r.schema.Nodes()[i].Pointer, "oneOf")
			r.record(RuleOneOfToAnyOf, Keep, author, "oneOf is written as anyOf: no value can match two of its branches")
			at = r.move(author, finding.Pointer(at.below(r.schema.Nodes()[i].Pointer), "anyOf"))
			m.Name = "anyOf"
		}
	case "$ref":
		if text := r.textOf(m.Value.Text()); text != m.Value.Text() {
			m.Value = schema.NewString(text)
		}
		return m
	}
	return schema.MapChildren(m, func(c schema.Child) *schema.Value { return r.node(r.schema.Index(c.Value), at) })
}

// isDroppable lists the keywords that change nothing when they are left out:
// annotations, and the document's own identity, which no local reference uses.
// Descriptions, titles and definitions are never dropped, but for those of the
// root, beside which the tool has its own.
func isDroppable(k schema.Keyword) bool {
	switch k.Name {
	case "title", "description", "$defs", "definitions":
		return false
	case "$id":
		return true
	}
	return k.Annotation
}
