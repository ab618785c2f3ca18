// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// RuleLengthToPattern says: the lengths of a string are said by a pattern.
const RuleLengthToPattern = "length-to-pattern"

// lengthToPattern writes the lengths of a string as a pattern, where the profile
// enforces patterns and does not take lengths. Lengths count code points, as
// the characters of a pattern do. A pattern that stands beside takes the
// lengths in, if one repetition in it is all that makes them.
func lengthToPattern(r *rewriter, i int, v *schema.Value) *schema.Value {
	lost := ""
	for _, keyword := range []string{"minLength", "maxLength"} {
		if lost == "" && v.Has(keyword) && r.loses(i, keyword) {
			lost = keyword
		}
	}
	if lost == "" {
		return v
	}
	least, most, ok := lengthsOf(v)
	if !ok || r.patternCost+max(least, most) > maxAddedCost {
		return v
	}
	rest := v.Without("minLength", "maxLength")
	if !v.Has("pattern") && !r.takesAs(i, rest.With("pattern", shortPattern), "pattern") {
		return v // nor will it take a longer one
	}
	shape := shapeOf(r.schema.Nodes()[i].In, rest)
	if refused, known := r.tooOften[shape]; known && max(least, most) >= refused {
		return v
	}
	for _, way := range []pattern.Spelling{{ClassEscapes: true}, {}, {NonCapturing: true}} {
		text, ok := r.lengthPattern(v.Get("pattern"), least, most, way)
		if !ok {
			continue
		}
		out := rest.With("pattern", schema.NewString(text))
		if !r.takesAs(i, out, "pattern") || !r.isTaken(i, out) || !r.affords(text) {
			continue
		}
		r.record(RuleLengthToPattern, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, lost), "the length is written as the pattern "+text)
		return out
	}
	if !v.Has("pattern") {
		if r.tooOften == nil {
			r.tooOften = map[string]int{}
		}
		r.tooOften[shape] = max(least, most) // less than what was known before
	}
	return v
}

// shapeOf names the keywords of a node and the one that holds it.
func shapeOf(in string, v *schema.Value) string {
	var b strings.Builder
	b.WriteString(in)
	for _, m := range v.Members() {
		b.WriteByte(' ')
		b.WriteString(m.Name)
	}
	return b.String()
}

// lengthsOf reads the lengths of a node; most is negative without a limit. It
// reports false if no text has such a length.
func lengthsOf(v *schema.Value) (least, most int, ok bool) {
	read := func(keyword string, absent int) int {
		held := v.Get(keyword)
		if held == nil {
			return absent
		}
		n, whole := held.Int()
		if !whole || n < 0 || n > pattern.MaxInstructions {
			return -2
		}
		return int(n)
	}
	least, most = read("minLength", 0), read("maxLength", -1)
	return least, most, least >= 0 && most > -2 && (most < 0 || least <= most)
}

// shortPattern is one that every dialect knows.
var shortPattern = schema.NewString("^a$")

// lengthPattern writes lengths as a pattern, which is proved to say just that,
// or puts them into the one that stands beside. There is no dot in it: it leaves
// out line breaks, and not the same in every dialect.
func (r *rewriter) lengthPattern(beside *schema.Value, least, most int, way pattern.Spelling) (text string, ok bool) {
	if beside == nil {
		text = pattern.OfLength(least, most, way)
		written := r.compile(text)
		return text, written != nil && written.Lengths() == pattern.Lengths{Least: least, Most: most, Exact: true}
	}
	own := r.schema.Pattern(beside.Text())
	if own == nil {
		return "", false
	}
	if says := own.Lengths(); says.Least >= least && (most < 0 || (says.Most >= 0 && says.Most <= most)) {
		return "", false // the lengths say nothing beside it
	}
	if text, ok = own.WithLength(least, most, way); !ok {
		return "", false
	}
	written := r.compile(text)
	if written == nil || !r.isWithin(written, own) {
		return "", false
	}
	says := written.Lengths()
	return text, says.Least >= least && (most < 0 || (says.Most >= 0 && says.Most <= most))
}

// compile compiles a pattern once; nil if it is none, or too costly.
func (r *rewriter) compile(text string) *pattern.Pattern {
	if known := r.schema.Pattern(text); known != nil {
		return known
	}
	if known, tried := r.compiled[text]; tried {
		return known
	}
	p := compiledBefore.compile(text)
	if r.compiled == nil {
		r.compiled = map[string]*pattern.Pattern{}
	}
	r.compiled[text] = p
	return p
}

// written are the patterns in a node that were compiled for rules.
func (r *rewriter) written(v *schema.Value) []*pattern.Pattern {
	if text := v.Get("pattern"); text != nil {
		if p := r.compiled[text.Text()]; p != nil {
			return []*pattern.Pattern{p}
		}
	}
	return nil
}

// allWritten are all of them.
func (r *rewriter) allWritten() []*pattern.Pattern {
	out := make([]*pattern.Pattern, 0, len(r.compiled))
	for _, p := range r.compiled {
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// isWithin proves that a pattern matches all that another one does.
func (r *rewriter) isWithin(a, b *pattern.Pattern) bool {
	within, _ := pattern.Within(a, b, &r.comparing)
	return within == pattern.Yes
}

// maxComparing bounds the work on proofs about patterns in one pass.
const maxComparing = 4 * pattern.MaxWithin

// maxAddedCost bounds the automata of the patterns that rules write, so that a
// schema which was admitted stays so.
const maxAddedCost = schema.MaxPatternCost / 5

// affords reports whether one more pattern can be written.
func (r *rewriter) affords(text string) bool {
	if r.schema.Pattern(text) != nil {
		return true
	}
	compiled := r.compile(text)
	if compiled == nil || r.patternCost+compiled.Cost() > maxAddedCost {
		return false
	}
	r.patternCost += compiled.Cost()
	return true
}

// compiledBefore keeps patterns that rewrites wrote: nearly all of them are of
// a few lengths, and several profiles ask for the same.
var compiledBefore patternCache

// maxCompiled bounds the patterns that are kept; what comes later is compiled
// each time.
const maxCompiled = 512

// patternCache is a bounded memory of compiled patterns. It never changes what
// comes out, only how soon.
type patternCache struct {
	kept  sync.Map // text: *pattern.Pattern, nil for one that does not compile
	count atomic.Int32
}

// compile compiles a pattern; nil if it is none, or too costly.
func (c *patternCache) compile(text string) *pattern.Pattern {
	if p, ok := c.kept.Load(text); ok {
		return p.(*pattern.Pattern)
	}
	p, err := pattern.Compile(text)
	if err != nil {
		p = nil
	}
	if len(text) <= 64 && c.count.Add(1) <= maxCompiled {
		c.kept.Store(text, p)
	}
	return p
}
