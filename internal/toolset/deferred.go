// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/render"
)

// deferred settles which tools are left out of the prompt until a search finds
// them.
func (s *set) deferred() {
	s.notDeferred()
	s.deferredServers()
	in := s.included()
	isDeferred := func(c *candidate) bool { return c.form.deferred }
	if !slices.ContainsFunc(in, isDeferred) {
		return
	}
	facts := s.Profile.Request
	if !facts.DeferAll && !slices.ContainsFunc(in, func(c *candidate) bool { return !c.form.deferred }) {
		// A copied tool stays as it is, unless there is nothing else.
		first := in[max(0, slices.IndexFunc(in, func(c *candidate) bool { return c.Kept == nil }))]
		first.form = first.form.loaded()
		s.warn(RuleAllDeferred, "/spec/tools",
			fmt.Sprintf("every tool is deferred, which the %s refuses; %s is loaded", s.Profile.Title, first.Name()),
			"leave deferLoading out of the tool that the model needs first")
	}
	searches := slices.ContainsFunc(in, func(c *candidate) bool {
		return slices.Contains(facts.SearchTools, c.form.entry.Get("builtIn").Get("type").Text())
	})
	if len(facts.SearchTools) > 0 && !searches && slices.ContainsFunc(in, isDeferred) {
		s.warn(RuleNoSearch, "/spec/tools",
			fmt.Sprintf("tools are deferred, and the set has none that finds them; the %s finds them by %s", s.Profile.Title, strings.Join(facts.SearchTools, ", ")),
			"add a contract of the type BuiltIn for one of these, or let the agent add it to the request")
	}
}

// notDeferred tells which tools cannot be deferred as the set wants it.
func (s *set) notDeferred() {
	var names []string
	for _, c := range s.included() {
		if c.DeferLoading && c.Kept == nil && !c.form.deferred {
			names = append(names, c.Name())
		}
	}
	if len(names) > 0 {
		s.findings = append(s.findings, finding.Finding{
			Rule: RuleNotDeferred, Severity: finding.Info, Side: finding.Contract, Pointer: "/spec/tools",
			Message: fmt.Sprintf("the %s cannot leave %s out of the prompt", s.Profile.Title, listed(names)),
		})
	}
}

// deferredServers loads the tools of a server of which one is loaded, where an API
// defers a server as a whole.
func (s *set) deferredServers() {
	loaded := map[string]bool{}
	for _, c := range s.included() {
		if label := render.ServerLabel(c.form.element); label != "" && !c.form.deferred {
			loaded[label] = true
		}
	}
	for _, c := range s.included() {
		if c.form.deferred && render.DefersServer(c.form.element) && loaded[render.ServerLabel(c.form.element)] {
			c.form = c.form.loaded()
			s.warn(RuleNotDeferred, "/spec/tools",
				fmt.Sprintf("%s is not deferred: the %s defers all tools of a server or none", c.Name(), s.Profile.Title),
				"set deferLoading for all tools of the server, or for none")
		}
	}
}
