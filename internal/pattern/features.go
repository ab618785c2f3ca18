// SPDX-License-Identifier: Apache-2.0

package pattern

// Features says which constructs a pattern uses. Providers take different subsets of regular expressions, and a profile
// asks here whether a pattern is inside its subset.
type Features struct {
	Lookaround      bool // (?=…) (?!…) (?<=…) (?<!…)
	BackReference   bool // \1 or \k<name>
	WordBoundary    bool // \b or \B outside a class
	NamedGroup      bool // (?<name>…)
	UnicodeProperty bool // \p{…} or \P{…}
	Lazy            bool // a quantifier followed by ?; it never changes whether a text matches
	MaxRepeat       int  // the largest number written in a {n}, {n,} or {n,m}; 0 without one
}

// anchoredAt reports whether every match of n touches the given end of the text. The answer false may also mean that it
// could not be told.
func anchoredAt(n node, at assertion) bool {
	switch n := n.(type) {
	case *assertionNode:
		return n.kind == at
	case *captureNode:
		return anchoredAt(n.body, at)
	case *repeatNode:
		return n.min > 0 && anchoredAt(n.body, at)
	case *alternationNode:
		for _, branch := range n.branches {
			if !anchoredAt(branch, at) {
				return false
			}
		}
		return true
	case *concatNode:
		return concatAnchoredAt(n.items, at)
	}
	return false
}

// concatAnchoredAt looks for an anchored item from the given end inwards, past items that match only the empty text.
func concatAnchoredAt(items []node, at assertion) bool {
	for i := range items {
		item := items[i]
		if at == textEnd {
			item = items[len(items)-1-i]
		}
		if anchoredAt(item, at) {
			return true
		}
		if _, most := sizeOf(item); most > 0 {
			return false
		}
	}
	return false
}
