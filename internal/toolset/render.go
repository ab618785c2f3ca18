// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"cmp"
	"fmt"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules about a set as a whole.
const (
	// RuleRequestLimit: the tools together are over a limit, or near one that was
	// only observed.
	RuleRequestLimit = "request-limit"
	// RuleAllDeferred: no tool would be in the prompt.
	RuleAllDeferred = "all-tools-deferred"
	// RuleNotDeferred: a tool cannot be deferred.
	RuleNotDeferred = "defer-loading-unsupported"
	// RuleNoSearch: tools are deferred, and the set has none that finds them.
	RuleNoSearch = "no-search-tool"
	// RuleTokenBudget: the tools take more tokens than the set allows.
	RuleTokenBudget = "token-budget"
	// RuleUnknownGroup: a tool is in a group that the set does not declare.
	RuleUnknownGroup = "unknown-group"
)

// Render renders the set for one profile.
func Render(r Request) *Result {
	s := &set{Request: r}
	for _, t := range r.Tools {
		s.tools = append(s.tools, s.single(t))
	}
	s.names()
	s.servers()
	s.limits()
	if s.strictForAll() {
		s.allOrNone()
	} else {
		s.strictBudgets()
	}
	s.limits() // again: what is not strict can have other counts
	s.observed()
	s.deferred()
	return s.result()
}

// set is a set on its way to files.
type set struct {
	Request
	tools    []*candidate
	findings []finding.Finding
}

// candidate is a tool on its way into the request.
type candidate struct {
	Tool
	ToolResult
	spec v1alpha1.Target
	// form is the tool as it stands in the request now; asked as its target asks.
	// Both are nil for a tool that cannot be rendered.
	form, asked *form
	// loose is the tool without strictness, once it was needed; nil if it cannot be
	// rendered so.
	loose      *form
	triedLoose bool
	// function says that the tool is called with arguments of a schema, which
	// strictness is about.
	function bool
}

func (c *candidate) exclude(reason, pointer, message string) {
	c.Included, c.Demoted, c.Strict = false, false, false
	c.Reason, c.Pointer, c.Message = reason, pointer, message
}

// use has the tool stand in the request in a form.
func (c *candidate) use(f *form) {
	c.form, c.Included, c.Strict = f, true, f.strict
	if f.target != nil {
		c.Findings = f.target.Findings
	}
}

// single renders a tool by itself.
func (s *set) single(t Tool) *candidate {
	c := &candidate{Tool: t, ToolResult: ToolResult{Namespace: t.Namespace, Contract: t.Contract}}
	switch {
	case t.Kept != nil:
		c.asked = keptForm(t.Kept)
	case t.Target == nil:
		c.exclude(v1alpha1.ReasonNotATarget, "/spec/targets",
			fmt.Sprintf("the contract does not have %s as a target; add it to its targets", s.Profile.Name))
		return c
	default:
		c.spec = *t.Target
		c.spec.Profile = s.Profile.Name
		if len(s.Models) > 0 {
			c.spec.Models = s.Models
		}
		var findings []finding.Finding
		if c.asked, findings = s.render(c, c.spec.Strict, t.DeferLoading); c.asked == nil {
			c.Findings = findings
			c.exclude(v1alpha1.ReasonIncompatible, "/spec", "the tool cannot be rendered")
			if errors := finding.Errors(findings); len(errors) > 0 {
				c.exclude(v1alpha1.ReasonIncompatible, inContract(errors[0]), sentence(errors[0]))
			}
			return c
		}
	}
	c.use(c.asked)
	c.function = !isServer(c.form.element) && c.form.entry.Get("builtIn") == nil
	return c
}

// inContract makes a pointer lead into the contract, also to a place in a schema.
func inContract(f finding.Finding) string {
	switch f.Side {
	case finding.Input:
		return "/spec/input/schema" + f.Pointer
	case finding.Output:
		return "/spec/output/schema" + f.Pointer
	default:
		return f.Pointer
	}
}

func sentence(f finding.Finding) string {
	if f.Fix == "" {
		return f.Message
	}
	return f.Message + ". Fix: " + f.Fix
}

// movable reports whether strictness may be taken from a tool.
func (s *set) movable(c *candidate) bool {
	if c.Kept != nil || c.spec.Strict == v1alpha1.StrictRequired || !c.asked.strict {
		return false
	}
	if !c.triedLoose {
		c.triedLoose = true
		c.loose, _ = s.render(c, v1alpha1.StrictDisabled, c.asked.deferred)
	}
	return c.loose != nil && !c.loose.strict // an API that is always strict has no other form
}

// incumbent reports whether the set publishes the tool already.
func (c *candidate) incumbent() bool { return c.Served || c.Kept != nil }

// rank says who stays where not all can: what is copied, because nobody asked for
// a change of it; then incumbents that are as they were, incumbents that changed,
// and newcomers.
func (c *candidate) rank() int {
	switch {
	case c.Kept != nil:
		return 0
	case c.Served && c.Unchanged:
		return 1
	case c.Served:
		return 2
	}
	return 3
}

func byRank(a, b *candidate) int { return cmp.Compare(a.rank(), b.rank()) }

// included are the tools that are in, in the order of the set.
func (s *set) included() []*candidate {
	var out []*candidate
	for _, c := range s.tools {
		if c.Included {
			out = append(out, c)
		}
	}
	return out
}

func firstTarget(entry *schema.Value) *schema.Value {
	if targets := entry.Get("targets").Items(); len(targets) > 0 {
		return targets[0]
	}
	return nil
}
