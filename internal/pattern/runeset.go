// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"cmp"
	"slices"
	"unicode"
)

// runeRange is a closed range of code points.
type runeRange struct{ lo, hi rune }

// runeSet is a set of code points: its ranges are sorted, disjoint and not adjacent. The nil set is empty. Sets are
// shared and never changed after newRuneSet.
type runeSet []runeRange

// The sets that ECMA-262 gives to \d, \w, \s and the dot without the flags i and s.
var (
	digitSet = newRuneSet(runeRange{'0', '9'})
	wordSet  = newRuneSet(runeRange{'0', '9'}, runeRange{'A', 'Z'}, runeRange{'_', '_'}, runeRange{'a', 'z'})
	// WhiteSpace and LineTerminator: the ASCII ones with \v, U+FEFF, the line separators, and category Zs.
	spaceSet = newRuneSet(runeRange{'\t', '\r'}, runeRange{' ', ' '}, runeRange{0xA0, 0xA0}, runeRange{0x1680, 0x1680},
		runeRange{0x2000, 0x200A}, runeRange{0x2028, 0x2029}, runeRange{0x202F, 0x202F}, runeRange{0x205F, 0x205F},
		runeRange{0x3000, 0x3000}, runeRange{0xFEFF, 0xFEFF})
	lineTerminatorSet = newRuneSet(runeRange{'\n', '\n'}, runeRange{'\r', '\r'}, runeRange{0x2028, 0x2029})
	dotSet            = lineTerminatorSet.complement()
)

// Surrogates are left out of every set: a text here is well-formed Unicode, so they match nothing, while Go's regexp
// would read one in its own pattern as U+FFFD and match that.
const surrogateLo, surrogateHi = 0xD800, 0xDFFF

// newRuneSet returns the union of the ranges, which may come in any order and overlap, without surrogates.
func newRuneSet(ranges ...runeRange) runeSet {
	sorted := make([]runeRange, 0, len(ranges)+1)
	for _, r := range ranges {
		if r.lo < surrogateLo {
			sorted = append(sorted, runeRange{r.lo, min(r.hi, surrogateLo-1)})
		}
		if r.hi > surrogateHi {
			sorted = append(sorted, runeRange{max(r.lo, surrogateHi+1), r.hi})
		}
	}
	slices.SortFunc(sorted, func(a, b runeRange) int { return cmp.Compare(a.lo, b.lo) })

	var set runeSet
	for _, r := range sorted {
		if n := len(set); n > 0 && r.lo <= set[n-1].hi+1 {
			set[n-1].hi = max(set[n-1].hi, r.hi)
			continue
		}
		set = append(set, r)
	}
	return set
}

// complement returns all other code points, still without surrogates.
func (s runeSet) complement() runeSet {
	gaps := make([]runeRange, 0, len(s)+1)
	next := rune(0)
	for _, r := range s {
		if next < r.lo {
			gaps = append(gaps, runeRange{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= unicode.MaxRune {
		gaps = append(gaps, runeRange{next, unicode.MaxRune})
	}
	return newRuneSet(gaps...)
}

// overlaps reports whether the two sets share a code point.
func (s runeSet) overlaps(other runeSet) bool {
	for i, j := 0, 0; i < len(s) && j < len(other); {
		switch {
		case s[i].hi < other[j].lo:
			i++
		case other[j].hi < s[i].lo:
			j++
		default:
			return true
		}
	}
	return false
}
