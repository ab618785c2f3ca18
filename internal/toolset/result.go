// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
)

// result writes the files and says what became of the set.
func (s *set) result() *Result {
	in := s.included()
	r := &Result{Included: len(in)}
	for _, c := range in {
		c.Bytes, c.Tokens = c.form.bytes(), 0
		if !c.form.deferred {
			c.Tokens = Tokens(c.form.element.JSON())
		}
		r.Tokens += c.Tokens
		if c.form.strict {
			r.Strict++
		}
	}
	s.unknownGroups(in)
	if s.TokenBudget > 0 && r.Tokens > s.TokenBudget {
		s.warn(RuleTokenBudget, "/spec/profiles",
			fmt.Sprintf("the tools take about %d tokens of every request; the set allows %d", r.Tokens, s.TokenBudget),
			"defer tools, shorten descriptions, or split the set")
	}
	bundle, tooLarge := publish.Pack(s.files(in))
	switch {
	case tooLarge != nil:
		r.TooLarge, r.Bytes = &TooLargeError{Bytes: tooLarge.Bytes, Tools: sizes(in)}, tooLarge.Bytes
	default:
		r.Bytes = size(bundle.Files)
		if s.OnIncompatible != v1alpha1.IncompatibleBlock || len(in) == len(s.tools) {
			r.Bundle = bundle
		}
	}
	for _, c := range s.tools {
		r.Tools = append(r.Tools, c.ToolResult)
	}
	splits := func(c *candidate) bool {
		return c.Reason == v1alpha1.ReasonRequestLimit || c.Reason == v1alpha1.ReasonStrictForAll && !c.Included
	}
	if r.TooLarge != nil || slices.ContainsFunc(s.tools, splits) {
		r.Split = s.split()
	}
	r.Findings = finding.Sort(s.findings)
	r.Reason, r.Message = s.verdict(r)
	return r
}

func (s *set) verdict(r *Result) (reason, message string) {
	counts := fmt.Sprintf("%d of %d", r.Included, len(s.tools))
	var out []string
	for _, c := range s.tools {
		if !c.Included {
			out = append(out, fmt.Sprintf("%s (%s)", c.Name(), c.Reason))
		}
	}
	switch {
	case len(s.tools) == 0:
		return v1alpha1.ReasonNothingAccepted, "the set holds no tool"
	case r.TooLarge != nil && r.Split == nil:
		return v1alpha1.ReasonTooLarge, r.TooLarge.Error() + ". Shorten or remove them; no split helps"
	case r.TooLarge != nil:
		return v1alpha1.ReasonTooLarge, fmt.Sprintf("%s. Split the set into %d, as is proposed", r.TooLarge.Error(), len(r.Split))
	case r.Bundle == nil:
		return v1alpha1.ReasonToolsIncompatible, counts + " can be in a request, and onIncompatible is Block: " + listed(out)
	case len(out) > 0:
		return v1alpha1.ReasonToolsExcluded, counts + "; left out: " + listed(out)
	case s.TokenBudget > 0 && r.Tokens > s.TokenBudget:
		return v1alpha1.ReasonTokenBudgetExceeded, fmt.Sprintf("%s; they take about %d tokens of the %d that the set allows", counts, r.Tokens, s.TokenBudget)
	}
	return v1alpha1.ReasonPublished, counts
}

// maxNamed is how many tools a message names.
const maxNamed = 3

// listed names the first few.
func listed(names []string) string {
	if more := len(names) - maxNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxNamed], ", "), more)
	}
	return strings.Join(names, ", ")
}

func (s *set) unknownGroups(in []*candidate) {
	for _, c := range in {
		if c.Group == "" || slices.ContainsFunc(s.Groups, func(g v1alpha1.ToolGroup) bool { return g.Name == c.Group }) {
			continue
		}
		s.warn(RuleUnknownGroup, "/spec/groups",
			fmt.Sprintf("%s is in the group %s, which the set does not declare; it stands by itself", c.Name(), finding.Quote(c.Group)),
			"add the group with a description, or remove it from the tool")
	}
}

// Tokens estimates how many tokens a text takes: one for four ASCII characters,
// and one for every other character. Tokenizers differ; the estimate is there to
// compare tools and to notice growth, not to compute a bill.
func Tokens(text string) int {
	ascii, others := 0, 0
	for _, r := range text {
		if r < 0x80 {
			ascii++
		} else {
			others++
		}
	}
	return (ascii+3)/4 + others
}

// ToolSize is the size of one tool in the files of a set.
type ToolSize struct {
	Name  string
	Bytes int
}

// TooLargeError says that the files of a set do not fit into a ConfigMap.
type TooLargeError struct {
	Bytes int
	// Tools are the sizes of all tools, the largest first.
	Tools []ToolSize
}

func (e *TooLargeError) Error() string {
	var largest []string
	for _, t := range e.Tools[:min(maxNamed, len(e.Tools))] {
		largest = append(largest, fmt.Sprintf("%s (%d)", t.Name, t.Bytes))
	}
	return fmt.Sprintf("the files have %d bytes together, more than the %d that fit into a ConfigMap; the largest tools are %s",
		e.Bytes, publish.MaxBundle, strings.Join(largest, ", "))
}

func sizes(in []*candidate) []ToolSize {
	out := make([]ToolSize, len(in))
	for i, c := range in {
		out[i] = ToolSize{Name: c.Name(), Bytes: c.Bytes}
	}
	slices.SortStableFunc(out, func(a, b ToolSize) int { return b.Bytes - a.Bytes })
	return out
}
