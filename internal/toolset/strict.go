// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
)

// strictForAll reports whether the API has strictness for all functions of a
// request or for none.
func (s *set) strictForAll() bool {
	return s.Profile.Strict.Place == provider.PerRequest || s.Profile.Strict.AllTools
}

// sides are the tools of a request that is strict for all or for none.
type sides struct {
	// demands are strict and stay so, or make the request strict; cannot are not
	// strict; rest are strict and can do without.
	demands, cannot, rest []*candidate
}

func (s *set) sides() sides {
	var out sides
	besides := s.Profile.Request.StrictBesideBuiltIn && slices.ContainsFunc(s.included(), func(c *candidate) bool { return c.function })
	for _, c := range s.included() {
		switch {
		case !c.function && besides:
			out.demands = append(out.demands, c)
		case !c.function:
		case !c.form.strict:
			out.cannot = append(out.cannot, c)
		case s.movable(c):
			out.rest = append(out.rest, c)
		default:
			out.demands = append(out.demands, c)
		}
	}
	return out
}

// allOrNone makes a request strict or not. Without a tool that demands strictness
// it is strict if all its tools can be, together. A tool that demands it decides,
// and takes the place of those that cannot; but what is copied never changes, and
// what is served never gives way to a newcomer.
func (s *set) allOrNone() {
	limits, in := s.requestLimits(true), s.sides()
	fit := func(tools []*candidate) bool { return newTally(limits, formsOf(tools)...).over() < 0 }
	all := slices.Concat(in.demands, in.cannot, in.rest)
	var strict bool
	switch incumbents := keepIf(all, (*candidate).incumbent); {
	case len(in.demands) == 0:
		strict = len(in.cannot) == 0 && fit(in.rest)
	case slices.ContainsFunc(in.cannot, func(c *candidate) bool { return c.Kept != nil }):
		strict = false
	case slices.ContainsFunc(in.demands, (*candidate).incumbent):
		strict = true
	default:
		strict = !slices.ContainsFunc(in.cannot, (*candidate).incumbent) && fit(incumbents)
	}
	if strict {
		s.allStrict(limits, in)
		return
	}
	s.noneStrict(limits, in)
}

func keepIf(tools []*candidate, keep func(*candidate) bool) []*candidate {
	var out []*candidate
	for _, c := range tools {
		if keep(c) {
			out = append(out, c)
		}
	}
	return out
}

func (s *set) allStrict(limits []provider.Limit, in sides) {
	for _, c := range in.cannot {
		c.exclude(v1alpha1.ReasonStrictForAll, "/spec/targets",
			fmt.Sprintf("the %s is strict for all tools of a request or for none; %s needs it, and this one cannot be strict. Let its target be adapted further, or put it into another set", s.Profile.Title, in.demands[0].Name()))
	}
	s.fill(limits, keepIf(s.included(), func(c *candidate) bool { return c.function }))
}

func (s *set) noneStrict(limits []provider.Limit, in sides) {
	reason := v1alpha1.ReasonStrictForAll
	var why string
	if len(in.cannot) > 0 {
		why = fmt.Sprintf("the %s is strict for all tools of a request or for none, and %s is not strict", s.Profile.Title, in.cannot[0].Name())
	} else if t := newTally(limits, formsOf(in.rest)...); t.over() >= 0 {
		l := t.limits[t.over()]
		reason, why = v1alpha1.ReasonStrictBudget, fmt.Sprintf("the %s is strict for all tools of a request or for none, and takes at most %d %s in a strict one; the set has %d",
			s.Profile.Title, l.Max, provider.MeasureWords(l.Measure), t.have[t.over()])
	} else {
		why = fmt.Sprintf("the %s is strict for all tools of a request or for none, and what is served is not", s.Profile.Title)
	}
	for _, c := range in.demands {
		c.exclude(v1alpha1.ReasonStrictForAll, "/spec/targets", why+"; this one cannot be without. Put it into another set")
	}
	for _, c := range in.rest {
		s.demote(c, reason, why+". Write strict: Disabled to say that this is meant, or split the set")
	}
}

// demote takes strictness from a tool that is known to be movable.
func (s *set) demote(c *candidate, reason, message string) {
	c.use(c.loose)
	c.Demoted, c.Reason, c.Pointer, c.Message = true, reason, "/spec/targets", message
}

// strictBudgets takes strictness from tools until those that keep it are within
// what the strict tools of a request may have: each time from the tool that takes
// the largest share of the limits that are exceeded, which is the one with the most
// optional properties where those are the reason. Then strictness is given back
// wherever there is room after all, to the last that lost it first, so that none
// lost it in vain. Where tools are left that demand it, those that do not fit are
// left out.
//
// It depends on the set alone and not on what is served: an incumbent can lose its
// strictness, which the status shows, but never its place.
func (s *set) strictBudgets() {
	limits := s.requestLimits(true)
	strict := keepIf(s.included(), func(c *candidate) bool { return c.form.strict })
	t := newTally(limits, formsOf(strict)...)
	if t.over() < 0 {
		return
	}
	var demoted []*candidate
	for left := slices.Clone(strict); t.over() >= 0; {
		i := t.heaviest(left)
		if i < 0 {
			break
		}
		if c := left[i]; s.movable(c) {
			t.remove(c.form)
			demoted = append(demoted, c)
		}
		left = slices.Delete(left, i, i+1)
	}
	if t.over() >= 0 {
		s.fill(limits, keepIf(strict, func(c *candidate) bool { return !slices.Contains(demoted, c) }))
		t = newTally(limits, formsOf(keepIf(strict, func(c *candidate) bool { return c.Included && !slices.Contains(demoted, c) }))...)
	}
	slices.Reverse(demoted)
	demoted = keepIf(demoted, func(c *candidate) bool { _, fits := t.take(c.form); return !fits })
	for _, c := range demoted {
		s.demote(c, v1alpha1.ReasonStrictBudget,
			"with this tool the strict tools of the request would have "+exceeded(t, c.asked)+". Write strict: Disabled to say that this is meant, or split the set")
	}
}

// heaviest is where the tool stands that takes the largest share of the limits
// that are exceeded; of equal ones it is that with the most optional properties,
// then the most unions, then the last. It is negative if none counts for them.
func (t *tally) heaviest(tools []*candidate) int {
	const whole = 1 << 20 // of a limit; integers are the same on every machine
	at, most := -1, [3]int{}
	for i, c := range tools {
		share := 0
		for k, l := range t.limits {
			if t.have[k] > l.Max {
				share += min(c.form.counts[l.Measure], maxCount) * whole / max(l.Max, 1)
			}
		}
		weight := [3]int{share, c.form.counts["OptionalProperties"], c.form.counts["UnionParameters"]}
		if share > 0 && slices.Compare(weight[:], most[:]) >= 0 {
			at, most = i, weight
		}
	}
	return at
}

// exceeded names what would be over the limits with one more tool.
func exceeded(t *tally, f *form) string {
	var out []string
	for i, l := range t.limits {
		if n := t.have[i] + f.counts[l.Measure]; n > l.Max {
			out = append(out, fmt.Sprintf("%d %s, of which the API takes %d", n, provider.MeasureWords(l.Measure), l.Max))
		}
	}
	return strings.Join(out, ", and ")
}
