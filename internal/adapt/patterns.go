// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of patterns.
const (
	RuleAnchorPattern = "anchor-pattern"
	RuleSpellPattern  = "spell-pattern"
)

// spellPattern writes a pattern with constructs that the profile takes, and
// between ^ and $ where it is compared with the whole text, so that it matches
// the same texts.
func spellPattern(r *rewriter, i int, v *schema.Value) *schema.Value {
	value := v.Get("pattern")
	author := r.schema.Nodes()[i].Value
	if value == nil || author.Get("pattern") != value {
		return v
	}
	p := r.schema.Pattern(value.Text())
	if p == nil {
		return v
	}
	lost := r.loses(i, "pattern")
	whole := r.effective().Patterns == provider.PatternsWhole && !p.Features().Anchored
	if (!lost && !whole) || r.comparing <= 0 {
		return v
	}
	for _, candidate := range spellings(p, whole) {
		out := v.With("pattern", schema.NewString(candidate.text))
		if candidate.text == value.Text() || r.compile(candidate.text) == nil || !r.takesAs(i, out, "pattern") || !r.affords(candidate.text) || !r.sameLanguage(p, r.compile(candidate.text)) {
			continue
		}
		r.record(candidate.rule, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, "pattern"), candidate.message+candidate.text)
		return out
	}
	return v
}

type spelling struct{ rule, text, message string }

// spellings are the ways to write a pattern, those nearest to the author's
// first.
func spellings(p *pattern.Pattern, whole bool) []spelling {
	var out []spelling
	add := func(rule, message string, write func(pattern.Spelling) (string, bool), options pattern.Spelling) {
		if text, ok := write(options); ok {
			out = append(out, spelling{rule, text, message})
		}
	}
	const (
		anchored = "the pattern is written so that it matches the whole text: "
		plain    = "the pattern is written with plain characters and groups: "
		both     = "the pattern is written with plain characters and groups, so that it matches the whole text: "
	)
	ways := []pattern.Spelling{{ClassEscapes: true}, {ClassEscapes: true, NonCapturing: true}, {}, {NonCapturing: true}}
	if !whole {
		for _, way := range ways {
			add(RuleSpellPattern, plain, p.Spelled, way)
		}
	}
	for _, way := range ways {
		add(RuleAnchorPattern, anchored, p.WholeText, way)
	}
	for _, way := range ways {
		way.Whole = true
		add(RuleSpellPattern, both, p.Spelled, way)
	}
	return out
}

// sameLanguage proves that two patterns match the same texts.
func (r *rewriter) sameLanguage(p, q *pattern.Pattern) bool {
	return r.isWithin(p, q) && r.isWithin(q, p)
}
