// SPDX-License-Identifier: Apache-2.0

package pattern

import "slices"

// Lengths says how long the texts are that match a pattern, in code points. It may say less than is true, never more.
type Lengths struct {
	Least int
	Most  int // negative without a limit
	// Exact: every text of such a length matches, so that the pattern says nothing else.
	Exact bool
}

// Lengths returns what the pattern says about the length of a text.
func (p *Pattern) Lengths() Lengths {
	least, most := sizeOf(p.tree.root)
	lengths := Lengths{Least: least, Most: most}
	if !p.tree.features.Anchored || most == unbounded {
		lengths.Most = -1
	}
	lengths.Exact = p.Regular() && least < unbounded && saysOnlyLength(p.tree.root)
	return lengths
}

// saysOnlyLength reports whether every text matches that has one of the lengths of the whole pattern: it is a sequence of
// any characters, or it can match nothing at either end of a text.
func saysOnlyLength(root node) bool {
	items, fromStart, toEnd := betweenAnchors(root)
	everywhere, anything := true, true
	for _, item := range items {
		everywhere = everywhere && matchesEmpty(item)
		anything = anything && isAnything(item)
	}
	return anything || (everywhere && (!fromStart || !toEnd))
}

// betweenAnchors returns the sequence that a pattern is, without a ^ at its start and a $ at its end.
func betweenAnchors(root node) (items []node, fromStart, toEnd bool) {
	items = []node{root}
	if sequence, ok := root.(*concatNode); ok {
		items = sequence.items
	}
	if fromStart = isAssertion(items[0], textStart); fromStart {
		items = items[1:]
	}
	if toEnd = len(items) > 0 && isAssertion(items[len(items)-1], textEnd); toEnd {
		items = items[:len(items)-1]
	}
	return items, fromStart, toEnd
}

func isAssertion(n node, kind assertion) bool {
	a, ok := n.(*assertionNode)
	return ok && a.kind == kind
}

// matchesEmpty reports whether n matches the empty text wherever it is tried.
func matchesEmpty(n node) bool {
	switch n := n.(type) {
	case *emptyNode:
		return true
	case *captureNode:
		return matchesEmpty(n.body)
	case *repeatNode:
		return n.min == 0 || matchesEmpty(n.body)
	case *concatNode:
		for _, item := range n.items {
			if !matchesEmpty(item) {
				return false
			}
		}
		return true
	case *alternationNode:
		return slices.ContainsFunc(n.branches, matchesEmpty)
	}
	return false
}

// isAnything reports whether n matches any characters of a number that it allows.
func isAnything(n node) bool {
	switch n := n.(type) {
	case *emptyNode:
		return true
	case *repeatNode:
		return isAnyCharacter(n.body)
	}
	return isAnyCharacter(n)
}

// isAnyCharacter reports whether n matches every single character and nothing else, as [\s\S] and ([^\n]|\n) do.
func isAnyCharacter(n node) bool {
	set, ok := singleCharacters(n)
	return ok && len(set.complement()) == 0
}

// singleCharacters returns the characters that n matches, if it matches just single ones.
func singleCharacters(n node) (runeSet, bool) {
	switch n := n.(type) {
	case *classNode:
		return n.set, true
	case *captureNode:
		return singleCharacters(n.body)
	case *alternationNode:
		var union []runeRange
		for _, branch := range n.branches {
			set, ok := singleCharacters(branch)
			if !ok {
				return nil, false
			}
			union = append(union, set...)
		}
		return newRuneSet(union...), true
	}
	return nil, false
}
