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
