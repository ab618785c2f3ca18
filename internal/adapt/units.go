// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// RuleSayUnit says: a unit stands in the description.
const RuleSayUnit = "say-unit"

// unitKeywords are the words for what a value is measured in, in the order in
// which they are said.
var unitKeywords = []struct{ name, word string }{
	{"x-unit", "Unit"}, {"x-currency", "Currency"}, {"x-timezone", "Time zone"},
}

// sayUnits appends the units of every node to its description and leaves the
// keywords out: no API shows a model the keywords, and what one makes of a keyword
// that it does not know can change any day. It comes before all rules, so that
// what they do with descriptions holds for units too. It reports false if the
// document grew beyond what is admitted.
func (d *draft) sayUnits() (ok bool) {
	if !slices.ContainsFunc(d.schema.Nodes(), func(n schema.Node) bool { return hasUnits(n.Value) }) {
		return true
	}
	w := unitWriter{draft: d}
	root := w.node(0)
	if root == d.schema.Root() {
		return true
	}
	adapted, findings := d.schema.AdmitRewritten(root)
	d.rewrites = append(d.rewrites, w.rewrites...)
	if adapted == nil {
		d.findings, d.checked, d.texts = findings, true, true
		return false
	}
	d.schema, d.checked = adapted, false
	return true
}

// SayUnits does the same to an output schema, which no rule rewrites.
func SayUnits(s *schema.Schema) *schema.Value {
	w := unitWriter{draft: &draft{schema: s}, always: true}
	return w.node(0)
}

func hasUnits(v *schema.Value) bool {
	return slices.ContainsFunc(unitKeywords, func(k struct{ name, word string }) bool { return v.Has(k.name) })
}

// unitWriter writes one document with its units said. Nothing moves.
type unitWriter struct {
	*draft
	always   bool // descriptions are taken everywhere
	rewrites []Rewrite
}

func (w *unitWriter) node(i int) *schema.Value {
	n := &w.schema.Nodes()[i]
	v := n.Value
	for _, m := range n.Value.Members() {
		written := schema.MapChildren(m, func(c schema.Child) *schema.Value { return w.node(w.schema.Index(c.Value)) })
		if written != m {
			v = v.With(written.Name, written.Value)
		}
	}
	if !hasUnits(v) {
		return v
	}
	taken := w.always
	if !taken {
		verdict := w.profile.Judge(w.schema, i, "description", w.mode)
		taken = !verdict.Refused(w.mode) && verdict.Verdict != provider.Dropped
	}
	text := w.description(i)
	said := text
	for _, k := range unitKeywords {
		unit := v.Get(k.name)
		if unit == nil {
			continue
		}
		v = v.Without(k.name)
		place := finding.Pointer(n.Pointer, k.name)
		if !taken || unit.Kind() != schema.String || unit.Text() == "" {
			w.rewrites = append(w.rewrites, Rewrite{RuleDropAnnotation, Keep, place, k.name + " only annotates and no API knows it; left out"})
			continue
		}
		sentence := k.word + ": " + strings.TrimSuffix(unit.Text(), ".") + "."
		if !strings.Contains(said, sentence) {
			said = sentences(said, sentence)
		}
		w.rewrites = append(w.rewrites, Rewrite{RuleSayUnit, Keep, place, "the description says: " + sentence})
	}
	if said == text {
		return v
	}
	return v.With("description", schema.NewString(said))
}

// description is that of a node, or of what it refers to: said here, it would
// hide the other one.
func (w *unitWriter) description(i int) string {
	for n := &w.schema.Nodes()[i]; ; n = &w.schema.Nodes()[n.Ref] {
		if text := n.Value.Get("description"); text != nil {
			return text.Text()
		}
		if n.Ref < 0 {
			return ""
		}
	}
}
