// SPDX-License-Identifier: Apache-2.0

package pattern

// Features says which constructs a pattern uses. Providers take different subsets of regular expressions, and a profile
// asks here whether a pattern is inside its subset.
type Features struct {
	Lookaround      bool // (?=…) (?!…) (?<=…) (?<!…)
	BackReference   bool // \1 or \k<name>
	WordBoundary    bool // \b or \B outside a class
	StartAnchor     bool // ^
	EndAnchor       bool // $
	NamedGroup      bool // (?<name>…)
	NonCapturing    bool // (?:…)
	ClassEscape     bool // \d \D \w \W \s \S, also inside a class
	UnicodeProperty bool // \p{…} or \P{…}
	Lazy            bool // a quantifier followed by ?; it never changes whether a text matches
	MaxRepeat       int  // the largest number written in a {n}, {n,} or {n,m}; 0 without one

	// Anchored: every match begins at the start of the text and ends at its end, as in ^…$, so that it does not matter
	// whether an API searches for the pattern or compares it with the whole text. False may also mean that it was too
	// hard to see.
	Anchored bool
}
