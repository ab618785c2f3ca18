// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of taking constraints out of a schema.
const (
	RuleSayConstraint = "say-constraint"
	RuleSayExactlyOne = "say-exactly-one"
)

// maxWidenings bounds how often constraints are taken out. One that is gone can
// show another behind it: a union of required names keeps an object from being
// closed.
const maxWidenings = 3

// widened takes constraints that the profile refuses out of the author's
// schema, says them in the description beside, and rewrites the rest again from
// the start, with the weakest effects that reach it.
func (d *draft) widened() Result {
	author, before := d.author, d.result(true)
	w := widening{schema: author}
	for range maxWidenings {
		if !w.takeOut(d.reported(d.findings)) {
			break
		}
		next := draft{profile: d.profile, mode: d.mode, author: w.schema, schema: w.schema}
		if !next.reach(Reshape) {
			break
		}
		if *d = next; !d.refused() {
			break
		}
	}
	if result := d.result(true); w.isSaid(result.Schema) {
		return w.translate(result, author)
	}
	return before
}

// widening is the author's schema with less and less in it.
type widening struct {
	schema *schema.Schema
	// moves are the places that moved, one after the other.
	moves    []place
	rewrites []Rewrite
	said     map[string]int // how often a sentence stands for a constraint
}

func (w *widening) toAuthor(pointer string) string {
	for i := range slices.Backward(w.moves) {
		pointer = originsOf(w.moves[i : i+1])(pointer)
	}
	return pointer
}

// translate puts a result about the wider schema in terms of the author's.
func (w *widening) translate(r Result, author *schema.Schema) Result {
	rewrites := slices.Clone(w.rewrites)
	for _, rewrite := range r.Rewrites {
		rewrite.Pointer = w.toAuthor(rewrite.Pointer)
		rewrites = append(rewrites, rewrite)
	}
	r.Rewrites = sortRewrites(rewrites)
	findings := slices.Clone(r.Findings)
	for i := range findings {
		findings[i].Pointer = w.toAuthor(findings[i].Pointer)
		findings[i].Patch = authorPatch(findings[i].Patch, w.schema.Root(), author.Root(), w.toAuthor)
	}
	r.Findings = finding.Sort(findings)
	return r
}

// takeOut removes what the findings refuse and words can say. It reports
// whether there was anything.
func (w *widening) takeOut(findings []finding.Finding) bool {
	gone := map[string][]string{} // keywords by the pointer of their node
	for _, f := range findings {
		if f.Severity != finding.Error {
			continue
		}
		if node, keyword := w.sayable(f); keyword != "" && !slices.Contains(gone[node], keyword) {
			gone[node] = append(gone[node], keyword)
		}
	}
	if gone = w.widens(gone); len(gone) == 0 {
		return false
	}
	out := widening{moves: slices.Clone(w.moves), rewrites: slices.Clone(w.rewrites), said: map[string]int{}}
	maps.Copy(out.said, w.said)
	root := w.schema.Root()
	// What is inside another comes first: pointers change from the outside.
	for _, pointer := range slices.Backward(slices.Sorted(maps.Keys(gone))) {
		slices.Sort(gone[pointer])
		root = edit(root, finding.Tokens(pointer), func(v *schema.Value) *schema.Value {
			for _, keyword := range gone[pointer] {
				v = out.without(v, pointer, keyword)
			}
			return v
		})
	}
	if out.schema, _ = w.schema.AdmitRewritten(root); out.schema == nil {
		return false
	}
	*w = out
	return true
}

// widens leaves of the keywords to take out, by the pointer of their node, those
// without which more values are admitted. What a not, a condition or a oneOf
// holds is not among them: with a wider branch, a value can match two. A oneOf
// that becomes an anyOf in the same step is no obstacle to what is below it.
func (w *widening) widens(keywords map[string][]string) map[string][]string {
	unevaluated := slices.ContainsFunc(w.schema.Nodes(), func(n schema.Node) bool { return hasUnevaluated(n.Value) })
	out := map[string][]string{}
	joined := map[int]bool{} // nodes whose oneOf goes
	for {
		isMonotone := monotone(w.schema, joined)
		before := len(joined)
		for pointer, list := range keywords {
			i, ok := w.schema.IndexAt(pointer)
			if !ok || !isMonotone[i] {
				continue
			}
			out[pointer] = slices.DeleteFunc(slices.Clone(list), func(keyword string) bool { return unevaluated && evaluates(keyword) })
			if slices.Contains(list, "oneOf") {
				joined[i] = true
			}
		}
		if len(joined) == before {
			break
		}
	}
	maps.DeleteFunc(out, func(_ string, list []string) bool { return len(list) == 0 })
	return out
}

// sayable finds the keyword that a finding refuses, if words can say it; or an
// enclosing list of required names, which is refused for what its branches
// lack. The node is given by its pointer.
func (w *widening) sayable(f finding.Finding) (node, keyword string) {
	tokens := finding.Tokens(f.Pointer)
	if len(tokens) == 0 {
		return "", ""
	}
	if names := slices.Index(tokens, "propertyNames"); names >= 0 && names == len(tokens)-2 {
		tokens = tokens[:names+1] // a name has no description of its own
	}
	node, keyword = finding.Pointer("", tokens[:len(tokens)-1]...), tokens[len(tokens)-1]
	if n, ok := w.schema.Node(node); ok && n.Value.Has(keyword) && refusesKeyword(f.Rule) && w.canSay(n, keyword) {
		return node, keyword
	}
	for i := len(tokens) - 2; i >= 0; i-- {
		node, keyword = finding.Pointer("", tokens[:i]...), tokens[i]
		if n, ok := w.schema.Node(node); ok && groups(keyword, n.Value.Get(keyword)) != "" && say(n.Value, keyword) != "" {
			return node, keyword
		}
	}
	return "", ""
}

// refusesKeyword reports whether a rule is about one keyword that could go.
func refusesKeyword(rule string) bool {
	switch rule {
	case provider.RuleKeywordRejected, provider.RuleKeywordUnknown, provider.RuleKeywordDropped, provider.RuleRootKeyword,
		provider.RuleFormatRejected, provider.RulePatternFeature:
		return true
	default:
		return false
	}
}

func (w *widening) canSay(n *schema.Node, keyword string) bool {
	return say(n.Value, keyword) != "" || becomesAnyOf(n.Value, keyword)
}

// becomesAnyOf reports whether a oneOf can be written as anyOf with the words
// that a value must not match two of its branches.
func becomesAnyOf(v *schema.Value, keyword string) bool {
	return keyword == "oneOf" && !v.Has("anyOf") && v.Get("oneOf").Len() > 0
}

const exactlyOne = "Match exactly one of the alternatives."

// without takes a keyword out of a node and says it in the description.
func (w *widening) without(v *schema.Value, pointer, keyword string) *schema.Value {
	at := w.toAuthor(finding.Pointer(pointer, keyword))
	if said := say(v, keyword); said != "" {
		w.rewrites = append(w.rewrites, Rewrite{
			RuleSayConstraint, Widen, at, fmt.Sprintf("%s is no longer in the schema; the description says: %s", keyword, said),
		})
		w.said[said]++
		return describe(v.Without(keyword), said)
	}
	if !becomesAnyOf(v, keyword) {
		return v // what cannot be said stays, for the profile to refuse
	}
	w.rewrites = append(w.rewrites, Rewrite{
		RuleSayExactlyOne, Widen, at, "oneOf is written as anyOf; the description says: " + exactlyOne,
	})
	w.moves = append(w.moves, place{finding.Pointer(pointer, "oneOf"), finding.Pointer(pointer, "anyOf")})
	w.said[exactlyOne]++
	branches := v.Get("oneOf")
	return describe(v.Without("oneOf").With("anyOf", branches), exactlyOne)
}

// isSaid reports whether every sentence is still there: a later rewrite may
// leave out a node of which nothing but its description remained.
func (w *widening) isSaid(s *schema.Schema) bool {
	for sentence, times := range w.said {
		for i := range s.Nodes() {
			if text := s.Nodes()[i].Value.Get("description"); text != nil {
				times -= strings.Count(text.Text(), sentence)
			}
		}
		if times > 0 {
			return false
		}
	}
	return true
}

// describe adds a sentence to the description of a node.
func describe(v *schema.Value, sentence string) *schema.Value {
	text := ""
	if old := v.Get("description"); old != nil {
		text = old.Text()
	}
	return v.With("description", schema.NewString(sentences(text, sentence)))
}

// edit replaces what the tokens of a pointer lead to.
func edit(v *schema.Value, tokens []string, f func(*schema.Value) *schema.Value) *schema.Value {
	if len(tokens) == 0 {
		return f(v)
	}
	below := v.At(tokens[:1])
	if below == nil {
		return v
	}
	edited := edit(below, tokens[1:], f)
	if v.Kind() == schema.Object {
		return v.With(tokens[0], edited)
	}
	items := slices.Clone(v.Items())
	if i, err := strconv.Atoi(tokens[0]); err == nil {
		items[i] = edited
	}
	return schema.NewArray(items...)
}
