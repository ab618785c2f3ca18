// SPDX-License-Identifier: Apache-2.0

package pattern

import "slices"

// part is a regular condition on the whole text: that the pattern matches somewhere, or (negative) that it does not.
// Without a root it says how long the text is, which needs no automaton.
type part struct {
	root     node
	negative bool
	lengths  span
}

// span is a range of lengths in code points; a negative most is no limit.
type span struct{ least, most int }

// and returns the lengths that are in both.
func (s span) and(t span) span {
	s.least = max(s.least, t.least)
	if s.most < 0 || (t.most >= 0 && t.most < s.most) {
		s.most = t.most
	}
	return s
}

// failing are the ways to fail a part.
func (p part) failing() []part {
	if p.root != nil {
		p.negative = !p.negative
		return []part{p}
	}
	var ways []part
	if p.lengths.least > 0 {
		ways = append(ways, part{lengths: span{0, p.lengths.least - 1}})
	}
	if p.lengths.most >= 0 {
		ways = append(ways, part{lengths: span{p.lengths.most + 1, -1}})
	}
	return ways
}

// apart splits a condition such as ^.{1,253}$ into the length, and the characters that are allowed.
func apart(p part) []part {
	items, fromStart, toEnd := betweenAnchors(p.root)
	if p.negative || !fromStart || !toEnd || len(items) != 1 {
		return []part{p}
	}
	repeat, ok := items[0].(*repeatNode)
	if !ok {
		return []part{p}
	}
	if _, single := singleCharacters(repeat.body); !single {
		return []part{p}
	}
	lengths := span{repeat.min, repeat.max}
	if repeat.max == unbounded {
		lengths.most = -1
	}
	all := *repeat
	all.min, all.max = 0, unbounded
	p.root = concatenation([]node{&assertionNode{kind: textStart}, &all, &assertionNode{kind: textEnd}})
	return []part{{lengths: lengths}, p}
}

// parts writes the pattern as conditions that hold together. A regular pattern is one. Look-ahead right after the ^ at
// the start, and look-behind at the $ of the end, are conditions of their own, because their place in the text is fixed:
// ^(?=.*\d)(?!.*--)[a-z\d-]+(?<!-)$ is four. A look-ahead that counts, as (?=.{1,253}$), is a length. Other look-around and back-references have no parts.
func (p *Pattern) parts() (parts []part, ok bool) {
	root := p.tree.root
	if p.tree.features.BackReference {
		return nil, false
	}
	if !p.tree.features.Lookaround {
		return []part{{root: root}}, true
	}
	items := itemsOf(root)
	items, parts = splitAhead(items, parts)
	items, parts = splitBehind(items, parts)
	var regular []part
	for _, c := range parts {
		regular = append(regular, apart(c)...)
	}
	parts = regular
	parts = append(parts, part{root: concatenation(items)})
	for _, c := range parts {
		if c.root != nil && looks(c.root) {
			return nil, false
		}
	}
	return parts, true
}

func itemsOf(n node) []node {
	if c, ok := n.(*concatNode); ok {
		return c.items
	}
	return []node{n}
}

// splitAhead takes look-ahead after the first ^ out of a sequence: it is a pattern that begins there.
func splitAhead(items []node, parts []part) ([]node, []part) {
	if !isAssertion(items[0], textStart) {
		return items, parts
	}
	kept := []node{items[0]}
	rest := items[1:]
	for len(rest) > 0 {
		look, ok := rest[0].(*lookNode)
		if !ok || look.behind {
			break
		}
		body := append([]node{&assertionNode{kind: textStart}}, itemsOf(look.body)...)
		parts = append(parts, part{root: concatenation(body), negative: look.negative})
		rest = rest[1:]
	}
	return append(kept, rest...), parts
}

// splitBehind takes look-behind at the last $ out of a sequence, on either side of it: it is a pattern that ends there.
func splitBehind(items []node, parts []part) ([]node, []part) {
	end := len(items)
	atEnd := false
	var taken []*lookNode
	for end > 0 {
		if look, ok := items[end-1].(*lookNode); ok && look.behind {
			taken = append(taken, look)
		} else if isAssertion(items[end-1], textEnd) {
			atEnd = true
		} else {
			break
		}
		end--
	}
	if !atEnd {
		return items, parts
	}
	for _, look := range taken {
		body := []node{look.body, &assertionNode{kind: textEnd}}
		parts = append(parts, part{root: concatenation(body), negative: look.negative})
	}
	kept := append([]node{}, items[:end]...)
	return append(kept, &assertionNode{kind: textEnd}), parts
}

// looks reports whether there is look-around in n.
func looks(n node) bool {
	switch n := n.(type) {
	case *lookNode:
		return true
	case *captureNode:
		return looks(n.body)
	case *repeatNode:
		return looks(n.body)
	case *concatNode:
		return slices.ContainsFunc(n.items, looks)
	case *alternationNode:
		return slices.ContainsFunc(n.branches, looks)
	}
	return false
}
