// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
)

// room is left for what the files hold beside tools and groups.
const room = 16 << 10

// part is one set of a proposed split.
type part struct {
	names []string
	bytes int
	// all counts what every tool adds to the limits, demanded what the tools add
	// that are strict in any case.
	all, demanded *tally
	// Where strictness is for all or for none: the part has a tool that demands it,
	// or one that cannot have it; together adds up its functions, all of them strict.
	demands, cannot bool
	together        *tally
	groups          map[string]bool
}

// split proposes sets that fit, by the names of their tools: each tool in the
// first set that has room, so that a set keeps the order of this one, and those of
// one group together where they fit. It is nil if a tool alone does not fit.
func (s *set) split() [][]string {
	splitter := newSplitter(s)
	for _, unit := range s.units() {
		if splitter.place(unit) {
			continue
		}
		for _, c := range unit {
			if !splitter.place([]*candidate{c}) {
				return nil
			}
		}
	}
	if len(splitter.parts) < 2 {
		return nil
	}
	out := make([][]string, len(splitter.parts))
	for i, p := range splitter.parts {
		out[i] = p.names
	}
	return out
}

// units are the tools that a split concerns: what is left out for another reason
// fits into no set. Tools of a group come together, where the first of them stands.
func (s *set) units() [][]*candidate {
	var out [][]*candidate
	groups := map[string]int{}
	for _, c := range s.tools {
		if !c.Included && c.Reason != v1alpha1.ReasonRequestLimit && c.Reason != v1alpha1.ReasonStrictForAll {
			continue
		}
		i, known := groups[c.Group]
		if c.Group != "" && known {
			out[i] = append(out[i], c)
			continue
		}
		groups[c.Group] = len(out)
		out = append(out, []*candidate{c})
	}
	return out
}

type splitter struct {
	*set
	parts           []*part
	everyone, ifHad []provider.Limit
	groupBytes      map[string]int
}

func newSplitter(s *set) *splitter {
	out := &splitter{set: s, everyone: s.requestLimits(false), ifHad: s.requestLimits(true), groupBytes: map[string]int{}}
	for _, g := range s.Groups {
		out.groupBytes[g.Name] = 8*(len(g.Name)+len(g.Description)) + 64 // however much of it is escaped
	}
	return out
}

func (s *splitter) newPart() *part {
	return &part{bytes: room, all: newTally(s.everyone), demanded: newTally(s.ifHad), together: newTally(s.ifHad), groups: map[string]bool{}}
}

// place puts tools into the first part that they fit into, or into one of their own.
func (s *splitter) place(unit []*candidate) bool {
	for i, p := range s.parts {
		if next := s.with(p, unit); next != nil {
			s.parts[i] = next.naming(unit)
			return true
		}
	}
	next := s.with(s.newPart(), unit)
	if next == nil {
		return false
	}
	s.parts = append(s.parts, next.naming(unit))
	return true
}

func (p *part) naming(unit []*candidate) *part {
	for _, c := range unit {
		p.names = append(p.names, c.Name())
	}
	return p
}

// with is a part with more tools, nil if they do not fit into one request and one
// ConfigMap. Which of the tools that can do without strictness will have it is
// open, so the heavier of their forms counts.
func (s *splitter) with(p *part, unit []*candidate) *part {
	next := *p
	next.all, next.demanded, next.together = p.all.clone(), p.demanded.clone(), p.together.clone()
	forAll := s.strictForAll()
	for _, c := range unit {
		asked, other := c.asked, c.asked
		movable := s.movable(c)
		if movable {
			other = c.loose
		}
		next.bytes += max(asked.bytes(), other.bytes()) + s.serverBytes(c) + 2
		if c.Group != "" && !next.groups[c.Group] {
			next.bytes += s.groupBytes[c.Group]
			next.groups = withKey(next.groups, c.Group)
		}
		next.all.add(heavier(asked, other))
		switch {
		case forAll && !c.function:
			next.demands = next.demands || s.Profile.Request.StrictBesideBuiltIn
		case forAll:
			next.together.add(asked)
			next.cannot = next.cannot || !asked.strict
			next.demands = next.demands || asked.strict && !movable
		case asked.strict && !movable:
			next.demanded.add(asked)
		}
	}
	switch {
	case next.bytes > publish.MaxBundle, next.all.over() >= 0, next.demanded.over() >= 0:
		return nil
	case next.demands && (next.cannot || next.together.over() >= 0):
		return nil
	}
	return &next
}

// serverBytes is what a tool of a server adds to request.json.
func (s *splitter) serverBytes(c *candidate) int {
	if server := c.asked.entry.Get("mcp").Get("server"); server != nil && isServer(c.asked.element) {
		return 2*len(server.JSON()) + 256
	}
	return 0
}

// heavier counts the larger of two forms.
func heavier(a, b *form) *form {
	if a == b {
		return a
	}
	out := &form{counts: map[string]int{}}
	for _, f := range []*form{a, b} {
		for measure, n := range f.counts {
			out.counts[measure] = max(out.counts[measure], n)
		}
	}
	return out
}

func withKey(set map[string]bool, key string) map[string]bool {
	out := map[string]bool{key: true}
	for k := range set {
		out[k] = true
	}
	return out
}

func (t *tally) clone() *tally { return &tally{t.limits, slices.Clone(t.have)} }
