// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"fmt"
	"slices"
)

// A backtracking engine is slow when a text can be read in many ways: after a failure it tries them all. This file bounds
// how many steps that takes at most, from the pattern alone.

const (
	// maxSteps is the most work that a pattern for the backtracking engine may need on a text of MaxBacktrackInput
	// bytes. A step takes some 10 ns, so the worst accepted match stays well below the safety timeout.
	maxSteps = 1 << 26

	// maxAnalysisWork bounds the analysis of one pattern. What is left then counts as ambiguous.
	maxAnalysisWork = 1_000_000

	// compareSpeed is how many code points a back-reference compares in one step.
	compareSpeed = 32
)

// effort bounds what the backtracking engine does with a part of a pattern from one place in the longest text: how often
// it goes on with the rest of the pattern, and how many steps it takes inside. Both saturate at unbounded.
type effort struct{ ways, steps int }

// then returns the effort for e followed by next, which starts anew for each way through e.
func (e effort) then(next effort) effort {
	return effort{ways: saturatingMul(e.ways, next.ways), steps: saturatingAdd(e.steps, saturatingMul(e.ways, next.steps))}
}

// estimator bounds the effort for the parts of one pattern. Every rule errs on the high side.
type estimator struct {
	tree     *tree
	overlaps overlapCache
	budget   int
	looks    map[*lookNode]effort // already judged: a look-around is asked for with every part it lies in
	culprit  *repeatNode          // the innermost repetition whose ways multiply with each iteration
}

// checkSteps refuses a pattern that may need more than maxSteps.
func checkSteps(t *tree) error {
	e := &estimator{
		tree:     t,
		overlaps: overlapCache{},
		budget:   maxAnalysisWork,
		looks:    map[*lookNode]effort{},
	}
	steps := e.estimate(t.root, false).steps
	anchored := startsAnchored(t.root)
	if !anchored {
		steps = saturatingMul(steps, MaxBacktrackInput+1)
	}
	if steps <= maxSteps {
		return nil
	}
	return &CostError{Pattern: t.source, Reason: e.explain(anchored)}
}

// explain says what is refused, why, and what to write instead.
func (e *estimator) explain(anchored bool) string {
	problem := "a long text has too many of them"
	advice := "use fewer open-ended repetitions such as .*"
	switch {
	case e.culprit != nil:
		problem = "the iterations of " + quote(e.tree.source[e.culprit.start:e.culprit.end]) + " can divide the same text in many ways"
		advice = "let each iteration begin or end with a character that occurs nowhere else in it"
	case !anchored:
		advice = "begin the pattern with ^, " + advice
	}
	return fmt.Sprintf("look-around and back-references need an engine that tries all ways to match, and %s; %s, or write the pattern without look-around and back-references, which takes linear time", problem, advice)
}

func (e *estimator) estimate(n node, backward bool) effort {
	if concat, ok := n.(*concatNode); ok {
		return e.sequence(inReadingOrder(concat.items, backward), backward)
	}
	return e.sequence([]node{n}, backward)
}

// sequence cuts items, which are in reading order, into the longest parts that can be read in one way only. What is
// ambiguous by itself is judged by its structure.
func (e *estimator) sequence(items []node, backward bool) effort {
	total := effort{ways: 1}
	for len(items) > 0 {
		length, part := e.longestUnambiguous(items, backward)
		if length == 0 {
			length, part = 1, e.branching(items[0], backward)
		}
		total = total.then(part)
		items = items[length:]
	}
	return total
}

// longestUnambiguous finds the longest prefix of items that is unambiguous; with more items it can only lose that.
func (e *estimator) longestUnambiguous(items []node, backward bool) (int, effort) {
	best, bestEffort := 0, effort{}
	for low, high := 1, len(items); low <= high && e.budget > 0; {
		length := (low + high + 1) / 2
		if best == 0 && high == len(items) {
			length = high // most patterns are unambiguous as a whole
		}
		found, ok := findPaths(items[:length], backward, e.overlaps, &e.budget)
		if !ok {
			high = length - 1
			continue
		}
		best, bestEffort = length, e.alongPaths(items[:length], found)
		low = length + 1
	}
	return best, bestEffort
}

// alongPaths counts one step for each attempt to continue a living path, after each code point of the text. At most one
// path ends at each place, because no two read the same text.
func (e *estimator) alongPaths(items []node, found paths) effort {
	places, ends := extent(items)
	living := saturatingMul(places, found.width)
	total := effort{ways: ends, steps: saturatingMul(living, found.fan+1)}
	for _, look := range found.looks {
		evaluations := living
		if i := slices.Index(items, node(look)); i >= 0 {
			_, evaluations = extent(items[:i])
		}
		total.steps = saturatingAdd(total.steps, saturatingMul(evaluations, e.lookAround(look).steps))
	}
	return total
}

// extent returns at how many places in the longest text, counted from one place, a match of items can still go on, and at
// how many it can end.
func extent(items []node) (places, ends int) {
	least, most := sizeOf(concatenation(items))
	most = min(most, MaxBacktrackInput)
	return most + 1, max(most-least, 0) + 1
}

// branching bounds a node that can be read in several ways from the efforts for its parts.
func (e *estimator) branching(n node, backward bool) effort {
	switch n := n.(type) {
	case *captureNode:
		return e.estimate(n.body, backward)
	case *concatNode:
		return e.estimate(n, backward)
	case *lookNode:
		return e.lookAround(n)
	case *referenceNode:
		_, most := sizeOf(e.tree.captures[n.index-1].body)
		return effort{ways: 1, steps: 1 + min(most, MaxBacktrackInput)/compareSpeed}
	case *alternationNode:
		total := effort{}
		for _, branch := range n.branches {
			part := e.estimate(branch, backward)
			total.ways = saturatingAdd(total.ways, part.ways)
			total.steps = saturatingAdd(total.steps, saturatingAdd(part.steps, 1))
		}
		return total
	case *repeatNode:
		return e.iterate(n, backward)
	}
	return effort{ways: 1, steps: 1}
}

// lookAround bounds an assertion: once it holds, nothing goes back into it.
func (e *estimator) lookAround(n *lookNode) effort {
	known, ok := e.looks[n]
	if !ok {
		known = effort{ways: 1, steps: saturatingAdd(e.estimate(n.body, n.behind).steps, 1)}
		e.looks[n] = known
	}
	return known
}

// iterate bounds a repetition whose body is read anew for each way through the iterations before.
func (e *estimator) iterate(n *repeatNode, backward bool) effort {
	body := e.estimate(n.body, backward)
	least, _ := sizeOf(n.body)
	iterations, exits := min(n.max, MaxBacktrackInput/max(least, 1)+1), 1
	if least == 0 {
		// An iteration may be empty while it is required; after that it ends the repetition, which is a second way out.
		iterations, exits = min(n.max, saturatingAdd(n.min, iterations)), 2
	}
	if iterations > 4*MaxBacktrackInput {
		return effort{ways: unbounded, steps: unbounded}
	}

	total, reached := effort{}, 1
	for done := range iterations + 1 {
		if done >= n.min {
			total.ways = saturatingAdd(total.ways, saturatingMul(exits, reached))
		}
		if done == iterations {
			break
		}
		total.steps = saturatingAdd(total.steps, saturatingMul(reached, body.steps+1))
		reached = saturatingMul(reached, body.ways)
		if reached == unbounded {
			if e.culprit == nil {
				e.culprit = n
			}
			return effort{ways: unbounded, steps: unbounded}
		}
	}
	total.ways = max(total.ways, 1)
	return total
}

// startsAnchored reports whether every match of n begins at the start of the text. The answer false may also mean that it
// could not be told.
func startsAnchored(n node) bool {
	switch n := n.(type) {
	case *assertionNode:
		return n.kind == textStart
	case *captureNode:
		return startsAnchored(n.body)
	case *repeatNode:
		return n.min > 0 && startsAnchored(n.body)
	case *alternationNode:
		for _, branch := range n.branches {
			if !startsAnchored(branch) {
				return false
			}
		}
		return true
	case *concatNode:
		for _, item := range n.items {
			if startsAnchored(item) {
				return true
			}
			if _, most := sizeOf(item); most > 0 {
				return false
			}
		}
	}
	return false
}

// endsAnchored is like [startsAnchored] for the end of the text.
func endsAnchored(n node) bool {
	switch n := n.(type) {
	case *assertionNode:
		return n.kind == textEnd
	case *captureNode:
		return endsAnchored(n.body)
	case *repeatNode:
		return n.min > 0 && endsAnchored(n.body)
	case *alternationNode:
		for _, branch := range n.branches {
			if !endsAnchored(branch) {
				return false
			}
		}
		return true
	case *concatNode:
		for _, item := range slices.Backward(n.items) {
			if endsAnchored(item) {
				return true
			}
			if _, most := sizeOf(item); most > 0 {
				return false
			}
		}
	}
	return false
}
