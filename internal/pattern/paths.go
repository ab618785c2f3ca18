// SPDX-License-Identifier: Apache-2.0

package pattern

import "slices"

// maxSearchWork bounds the search for one part of a pattern. What it cannot decide counts as ambiguous.
const maxSearchWork = 100_000

// paths describes the ways to read a text by a part of a pattern that can read no text in two ways.
type paths struct {
	width int         // paths that can be alive after the same text, at most
	fan   int         // attempts to continue one path by one code point, at most
	looks []*lookNode // look-around inside
}

// pair is two positions that different paths can reach by reading the same text.
type pair struct{ low, high int }

// pairSearch finds all pairs of an automaton, unless it finds a text with two ways to read it.
type pairSearch struct {
	automaton *positionAutomaton
	overlaps  overlapCache
	work      int // left to do; negative if the search was given up
	seen      map[pair]bool
	queue     []pair
	partners  []int // the number of pairs that a position is in
}

// findPaths returns the paths through items, which are in reading order. It returns false if two paths read the same text
// or if that could not be told. The work it takes is taken out of budget.
func findPaths(items []node, backward bool, overlaps overlapCache, budget *int) (paths, bool) {
	automaton := &positionAutomaton{backward: backward}
	whole, ok := automaton.buildSequence(items)
	*budget -= len(automaton.classes) + automaton.edges
	if !ok {
		return paths{}, false
	}
	limit := min(maxSearchWork, *budget)
	search := &pairSearch{
		automaton: automaton,
		overlaps:  overlaps,
		work:      limit,
		seen:      map[pair]bool{},
		partners:  make([]int, len(automaton.classes)),
	}
	ok = search.run(whole)
	*budget -= limit - search.work
	if !ok {
		return paths{}, false
	}
	fan := len(whole.first)
	for _, next := range automaton.follow {
		fan = max(fan, len(next))
	}
	return paths{width: search.width(), fan: fan + automaton.maxDepth, looks: automaton.looks}, true
}

// run returns false when two paths that read the same text meet again or both come to an end.
func (s *pairSearch) run(whole fragment) bool {
	if !s.step(whole.first, whole.first, true) {
		return false
	}
	for _, next := range s.automaton.follow {
		if !s.step(next, next, true) {
			return false
		}
	}
	final := make([]bool, len(s.automaton.classes))
	for _, position := range whole.last {
		final[position] = true
	}
	for len(s.queue) > 0 {
		p := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		if final[p.low] && final[p.high] || !s.step(s.automaton.follow[p.low], s.automaton.follow[p.high], false) {
			return false
		}
	}
	return true
}

// step continues two paths by the same code point. From one path to itself (same), only different positions make a pair.
func (s *pairSearch) step(left, right []int, same bool) bool {
	for _, p := range left {
		for _, q := range right {
			if s.work--; s.work < 0 {
				return false
			}
			if same && p >= q || !s.overlaps.overlap(s.automaton.classes[p], s.automaton.classes[q]) {
				continue
			}
			if p == q {
				return false
			}
			s.add(pair{min(p, q), max(p, q)})
		}
	}
	return true
}

func (s *pairSearch) add(p pair) {
	if s.seen[p] {
		return
	}
	s.seen[p] = true
	s.queue = append(s.queue, p)
	s.partners[p.low]++
	s.partners[p.high]++
}

// width bounds the paths alive at once: their positions are pairwise in seen, and of w such positions each has at least
// w-1 partners.
func (s *pairSearch) width() int {
	counts := slices.Clone(s.partners)
	slices.Sort(counts)
	slices.Reverse(counts)
	width := 1
	for width < len(counts) && counts[width] >= width {
		width++
	}
	return width
}

// overlapCache remembers which classes share a code point.
type overlapCache map[[2]*classNode]bool

func (c overlapCache) overlap(a, b *classNode) bool {
	if a == b {
		return true // also if it is empty: paths that meet there are two ways to read the text before it
	}
	key := [2]*classNode{a, b}
	result, ok := c[key]
	if !ok {
		result = a.set.overlaps(b.set)
		c[key] = result
	}
	return result
}
