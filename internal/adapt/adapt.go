// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Effect is what a rewrite does to the admitted values.
type Effect uint8

// The effects, weakest first; see the package documentation.
const (
	Keep Effect = iota
	Narrow
)

var effectNames = [...]string{"Keep", "Narrow"}

// String is the word for the effect, as in the API.
func (e Effect) String() string { return effectNames[e] }

// Rewrite is one change of the schema.
type Rewrite struct {
	Rule   string
	Effect Effect
	// Pointer leads into the author's schema.
	Pointer string
	Message string
}

// Result is a schema adapted to a profile in one mode.
type Result struct {
	// Schema is what is rendered; nil if there are errors that left no schema.
	Schema   *schema.Schema
	Rewrites []Rewrite
	// Findings are what the profile says of the adapted schema, with pointers
	// into the author's schema. Without an error among them the provider takes it.
	Findings []finding.Finding
}

// Schema adapts a schema to a profile in one mode, using rewrites up to the
// given effect.
func Schema(s *schema.Schema, p *provider.Profile, mode provider.Mode, most Effect) Result {
	r := newRewriter(s, p, mode, most)
	root := r.node(0, place{})
	if root == s.Root() {
		return Result{Schema: s, Findings: p.CheckSchema(s, mode)}
	}
	adapted, findings := s.AdmitRewritten(root)
	if adapted == nil {
		// A rewrite cannot make an admitted schema inadmissible, except by the
		// size of what it wrote out.
		return Result{Rewrites: r.sorted(), Findings: r.toAuthor(findings)}
	}
	return Result{
		Schema:   adapted,
		Rewrites: r.sorted(),
		Findings: finding.Sort(r.toAuthor(p.CheckSchema(adapted, mode))),
	}
}

// sorted returns the rewrites by place, each once: a definition that is
// written out in several places was still changed in one.
func (r *rewriter) sorted() []Rewrite {
	slices.SortStableFunc(r.rewrites, func(a, b Rewrite) int {
		return cmp.Or(cmp.Compare(a.Pointer, b.Pointer), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(r.rewrites)
}

// toAuthor moves findings from the rewritten schema to the places they came
// from.
func (r *rewriter) toAuthor(findings []finding.Finding) []finding.Finding {
	out := slices.Clone(findings)
	for i := range out {
		out[i].Pointer = r.authorPointer(out[i].Pointer)
	}
	return out
}

// authorPointer translates a pointer by the deepest place that it lies in; the
// last one written counts, because it was written over the others.
func (r *rewriter) authorPointer(pointer string) string {
	best := place{}
	for _, p := range r.places {
		if within(pointer, p.out) && len(p.out) >= len(best.out) {
			best = p
		}
	}
	return best.author + strings.TrimPrefix(pointer, best.out)
}

// within reports whether a pointer is that of a place or of something below.
func within(pointer, place string) bool {
	rest, ok := strings.CutPrefix(pointer, place)
	return ok && (rest == "" || rest[0] == '/')
}
