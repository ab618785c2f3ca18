// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// requestLimits are the limits of a request that all tools count for, or those
// that only strict tools do.
func (s *set) requestLimits(strict bool) []provider.Limit {
	var out []provider.Limit
	for _, l := range s.Profile.Limits {
		if l.Per == provider.LimitPerRequest && l.Severity == string(finding.Error) && (l.Mode == provider.Strict) == strict {
			out = append(out, l)
		}
	}
	return out
}

// tally adds up what tools weigh against limits.
type tally struct {
	limits []provider.Limit
	have   []int
}

func newTally(limits []provider.Limit, forms ...*form) *tally {
	t := &tally{limits, make([]int, len(limits))}
	for _, f := range forms {
		t.add(f)
	}
	return t
}

func (t *tally) add(f *form)    { t.change(f, 1) }
func (t *tally) remove(f *form) { t.change(f, -1) }

func (t *tally) change(f *form, sign int) {
	for i, l := range t.limits {
		t.have[i] += sign * f.counts[l.Measure]
	}
}

// over is where the first limit that is exceeded stands; negative for none.
func (t *tally) over() int {
	for i, l := range t.limits {
		if t.have[i] > l.Max {
			return i
		}
	}
	return -1
}

// take adds a form if it fits; else it says at which limit it does not.
func (t *tally) take(f *form) (at int, fits bool) {
	t.add(f)
	if i := t.over(); i >= 0 {
		t.remove(f)
		return i, false
	}
	return -1, true
}

// formsOf are the forms in which tools stand in the request.
func formsOf(tools []*candidate) []*form {
	out := make([]*form, len(tools))
	for i, c := range tools {
		out[i] = c.form
	}
	return out
}

// limits leaves tools out until the request is within the limits that all tools
// count for.
func (s *set) limits() {
	limits, in := s.requestLimits(false), s.included()
	if newTally(limits, formsOf(in)...).over() >= 0 {
		s.fill(limits, in)
	}
}

// fill lets tools in as long as they fit, by rank and each in the order of the set, and leaves out those that do not. A smaller one after them can still
// fit.
func (s *set) fill(limits []provider.Limit, tools []*candidate) {
	order := slices.Clone(tools)
	slices.SortStableFunc(order, byRank)
	t := newTally(limits)
	for _, c := range order {
		if i, fits := t.take(c.form); !fits {
			c.exclude(v1alpha1.ReasonRequestLimit, "/spec/toolName", s.full(limits[i], t.have[i], c.form))
		}
	}
}

func (s *set) full(l provider.Limit, have int, f *form) string {
	return fmt.Sprintf("the %s takes at most %d %s over all %s of a request; those before it have %d, and this one has %d. Split the set as is proposed, or take tools out of it",
		s.Profile.Title, l.Max, provider.MeasureWords(l.Measure), countedTools(l), have, f.counts[l.Measure])
}

func countedTools(l provider.Limit) string {
	if l.Mode == provider.Strict {
		return "strict tools"
	}
	return "tools"
}

// observed warns of numbers that were seen to be refused, but are not documented.
func (s *set) observed() {
	for _, l := range s.Profile.Limits {
		if l.Per != provider.LimitPerRequest || l.Severity == string(finding.Error) {
			continue
		}
		n := 0
		for _, c := range s.included() {
			if l.Mode != provider.Strict || c.form.strict {
				n += c.form.counts[l.Measure]
			}
		}
		if n > l.Max {
			s.warn(RuleRequestLimit, "/spec/tools",
				fmt.Sprintf("the %s of the set have %d %s; requests with more than %d were seen to be refused by the %s", countedTools(l), n, provider.MeasureWords(l.Measure), l.Max, s.Profile.Title),
				"split the set, or write strict: Disabled where it is not needed")
		}
	}
}

func (s *set) warn(rule, pointer, message, fix string) {
	s.findings = append(s.findings, finding.Finding{
		Rule: rule, Severity: finding.Warning, Side: finding.Contract, Pointer: pointer, Message: message, Fix: fix,
	})
}
