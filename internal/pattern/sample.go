// SPDX-License-Identifier: Apache-2.0

package pattern

import "strings"

// maxSample bounds a sample in bytes.
const maxSample = 512

// Sample writes a text by following the pattern; choose picks one of n ways. The text matches unless the pattern has
// assertions inside, which are passed over; the caller asks [Pattern.Match]. Nothing else decides the text, so that the
// same choices give the same one.
func (p *Pattern) Sample(choose func(n int) int) string {
	s := sampling{choose: choose, captured: map[int]string{}}
	s.node(p.tree.root)
	return s.out.String()
}

type sampling struct {
	choose   func(n int) int
	out      strings.Builder
	captured map[int]string
}

func (s *sampling) node(n node) {
	if s.out.Len() > maxSample {
		return
	}
	switch n := n.(type) {
	case *classNode:
		s.character(n.set)
	case *concatNode:
		for _, item := range n.items {
			s.node(item)
		}
	case *alternationNode:
		s.node(n.branches[s.choose(len(n.branches))])
	case *captureNode:
		start := s.out.Len()
		s.node(n.body)
		s.captured[n.index] = s.out.String()[start:]
	case *referenceNode:
		s.out.WriteString(s.captured[n.index])
	case *repeatNode:
		for range s.times(n) {
			s.node(n.body)
		}
	}
}

// times is a count near one of the limits.
func (s *sampling) times(n *repeatNode) int {
	switch s.choose(4) {
	case 0:
		return min(n.max, n.min+1+s.choose(3))
	case 1:
		if n.max <= maxSample {
			return n.max
		}
	}
	return n.min
}

func (s *sampling) character(set runeSet) {
	if len(set) == 0 {
		return
	}
	r := set[s.choose(len(set))]
	if s.choose(2) == 0 {
		s.out.WriteRune(mostReadable(r.lo, r.hi))
		return
	}
	s.out.WriteRune(r.lo + rune(s.choose(int(r.hi-r.lo)+1))) //nolint:gosec // inside the range
}
