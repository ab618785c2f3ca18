// SPDX-License-Identifier: Apache-2.0

package pattern

import "slices"

// maxPositions and maxEdges bound an automaton. A larger part of a pattern counts as ambiguous, which errs on the safe side.
const (
	maxPositions = 2048
	maxEdges     = 100_000
)

// positionAutomaton (also called Glushkov's) has one state for each occurrence of a class, entered by reading one of its
// code points. It has no moves without reading, so its paths are just the ways to read a text. With backward it is the
// automaton of the reversed texts, which is how look-behind reads.
type positionAutomaton struct {
	backward bool
	classes  []*classNode // by position
	follow   [][]int      // the positions that may come next, by position
	looks    []*lookNode  // look-around inside, treated as if it always held
	depth    int
	maxDepth int
	edges    int
}

// fragment is the part of an automaton built for one node.
type fragment struct {
	nullable    bool
	first, last []int
}

// build adds n. It returns false if n can match the empty text, or take one step, in two ways; if it has a
// back-reference, whose text is not known here; and if it is too large.
func (a *positionAutomaton) build(n node) (fragment, bool) {
	a.depth++
	defer func() { a.depth-- }()
	a.maxDepth = max(a.maxDepth, a.depth)

	switch n := n.(type) {
	case *classNode:
		if len(a.classes) == maxPositions {
			return fragment{}, false
		}
		position := []int{len(a.classes)}
		a.classes = append(a.classes, n)
		a.follow = append(a.follow, nil)
		return fragment{first: position, last: position}, true
	case *captureNode:
		return a.build(n.body)
	case *concatNode:
		return a.buildSequence(inReadingOrder(n.items, a.backward))
	case *alternationNode:
		return a.buildAlternation(n)
	case *repeatNode:
		return a.buildRepeat(n)
	case *referenceNode:
		return fragment{}, false
	case *lookNode:
		if !slices.Contains(a.looks, n) {
			a.looks = append(a.looks, n)
		}
	}
	return fragment{nullable: true}, true
}

// buildSequence adds items that are already in reading order.
func (a *positionAutomaton) buildSequence(items []node) (fragment, bool) {
	whole := fragment{nullable: true}
	for _, item := range items {
		part, ok := a.build(item)
		if !ok || !a.connect(whole.last, part.first) {
			return fragment{}, false
		}
		if whole.nullable {
			whole.first = slices.Concat(whole.first, part.first)
		}
		if part.nullable {
			whole.last = slices.Concat(whole.last, part.last)
		} else {
			whole.last = part.last
		}
		whole.nullable = whole.nullable && part.nullable
	}
	return whole, true
}

func (a *positionAutomaton) buildAlternation(n *alternationNode) (fragment, bool) {
	var whole fragment
	for _, branch := range n.branches {
		part, ok := a.build(branch)
		if !ok || whole.nullable && part.nullable {
			return fragment{}, false
		}
		whole.first = slices.Concat(whole.first, part.first)
		whole.last = slices.Concat(whole.last, part.last)
		whole.nullable = whole.nullable || part.nullable
	}
	return whole, true
}

// buildRepeat adds one copy of the body for each iteration up to the upper limit, or up to the last required one, which
// then loops.
func (a *positionAutomaton) buildRepeat(n *repeatNode) (fragment, bool) {
	if n.max == 0 {
		return fragment{nullable: true}, true
	}
	copies, loops := n.max, n.max > MaxBacktrackInput
	if loops {
		copies = max(n.min, 1)
	}
	whole := fragment{nullable: n.min == 0}
	var previous fragment
	for i := range copies {
		part, ok := a.build(n.body)
		// An iteration that can be empty could also be left out.
		if !ok || part.nullable && n.max > 1 || part.nullable && whole.nullable {
			return fragment{}, false
		}
		if !a.connect(previous.last, part.first) {
			return fragment{}, false
		}
		if i == 0 {
			whole.first = part.first
			whole.nullable = whole.nullable || part.nullable
		}
		if i >= n.min-1 {
			whole.last = slices.Concat(whole.last, part.last)
		}
		previous = part
	}
	return whole, !loops || a.connectLoop(previous)
}

// connect adds an edge from each of last to each of first, all of which are new.
func (a *positionAutomaton) connect(last, first []int) bool {
	a.edges += len(last) * len(first)
	if a.edges > maxEdges {
		return false
	}
	for _, from := range last {
		a.follow[from] = append(a.follow[from], first...)
	}
	return true
}

// connectLoop leads from the end of an iteration to the start of the next. An edge that is already there is a second way
// to take the same step, as in (a+)+.
func (a *positionAutomaton) connectLoop(body fragment) bool {
	for _, from := range body.last {
		for _, to := range body.first {
			if slices.Contains(a.follow[from], to) {
				return false
			}
		}
	}
	return a.connect(body.last, body.first)
}

// inReadingOrder returns items as an engine reads them: from the last to the first in a look-behind.
func inReadingOrder(items []node, backward bool) []node {
	if !backward {
		return items
	}
	reversed := slices.Clone(items)
	slices.Reverse(reversed)
	return reversed
}
