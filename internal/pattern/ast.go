// SPDX-License-Identifier: Apache-2.0

package pattern

import "math"

// node is one node of a parsed pattern. The tree keeps what decides whether a text matches and nothing else: a plain
// group is its content, a literal is a class of one code point, and every class is resolved to its code points.
type node interface{ isNode() }

type (
	// emptyNode matches the empty text.
	emptyNode struct{}

	// classNode matches one code point of the set; an empty set matches nothing.
	classNode struct{ set runeSet }

	// concatNode matches its items one after the other. It has at least two.
	concatNode struct{ items []node }

	// alternationNode matches one of its branches. It has at least two.
	alternationNode struct{ branches []node }

	// repeatNode matches its body at least min and at most max times; max is unbounded for no limit. The source text
	// of the repetition is src[start:end], for messages.
	repeatNode struct {
		body       node
		min, max   int
		start, end int
	}

	// captureNode is a capturing group. A boolean match needs it only as the target of a back-reference.
	captureNode struct {
		body  node
		index int // from 1, in the order of the opening parentheses
	}

	// assertionNode matches the empty text at certain places.
	assertionNode struct{ kind assertion }

	// lookNode is a look-ahead or look-behind assertion. ECMA-262 never backtracks into one.
	lookNode struct {
		body             node
		behind, negative bool
	}

	// referenceNode is a back-reference. It matches what its group last captured, and the empty text if that is nothing.
	referenceNode struct {
		index int
	}
)

// assertion is the kind of an assertionNode.
type assertion int

const (
	textStart       assertion = iota // ^
	textEnd                          // $
	wordBoundary                     // \b
	notWordBoundary                  // \B
)

// unbounded is the max of a repetition without an upper limit, and the length of a text without one.
const unbounded = math.MaxInt32

func (*emptyNode) isNode()       {}
func (*classNode) isNode()       {}
func (*concatNode) isNode()      {}
func (*alternationNode) isNode() {}
func (*repeatNode) isNode()      {}
func (*captureNode) isNode()     {}
func (*assertionNode) isNode()   {}
func (*lookNode) isNode()        {}
func (*referenceNode) isNode()   {}

// tree is a parsed pattern.
type tree struct {
	source   string
	root     node
	captures []*captureNode // captures[i] has index i+1
	features Features
}

// concatenation returns the node for items in sequence.
func concatenation(items []node) node {
	switch len(items) {
	case 0:
		return &emptyNode{}
	case 1:
		return items[0]
	}
	return &concatNode{items: items}
}

// sizeOf returns the least and the greatest number of code points that n can match. Both saturate at unbounded.
func sizeOf(n node) (least, most int) {
	switch n := n.(type) {
	case *classNode:
		return 1, 1
	case *captureNode:
		return sizeOf(n.body)
	case *referenceNode:
		return 0, unbounded
	case *repeatNode:
		least, most = sizeOf(n.body)
		return saturatingMul(least, n.min), saturatingMul(most, n.max)
	case *concatNode:
		for _, item := range n.items {
			itemLeast, itemMost := sizeOf(item)
			least, most = saturatingAdd(least, itemLeast), saturatingAdd(most, itemMost)
		}
		return least, most
	case *alternationNode:
		least, most = sizeOf(n.branches[0])
		for _, branch := range n.branches[1:] {
			branchLeast, branchMost := sizeOf(branch)
			least, most = min(least, branchLeast), max(most, branchMost)
		}
		return least, most
	}
	return 0, 0 // the empty text and all assertions
}

// saturatingAdd adds two numbers in 0..unbounded and stays there.
func saturatingAdd(a, b int) int { return int(min(int64(a)+int64(b), unbounded)) }

// saturatingMul multiplies two numbers in 0..unbounded and stays there.
func saturatingMul(a, b int) int { return int(min(int64(a)*int64(b), unbounded)) }
