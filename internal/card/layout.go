// SPDX-License-Identifier: Apache-2.0

package card

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// pageWidth is the most columns of a line.
const pageWidth = 100

// wrap breaks a text without line ends into lines of at most so many columns: at
// spaces, and around wide characters, which have no spaces between them.
func wrap(text string, columns int) []string {
	var out []string
	var line strings.Builder
	used := 0
	flush := func() {
		out = append(out, strings.TrimRight(line.String(), " "))
		line.Reset()
		used = 0
	}
	for _, piece := range pieces(text) {
		if used > 0 && used+columnsOf(strings.TrimRight(piece, " ")) > columns {
			flush()
		}
		for columnsOf(strings.TrimRight(piece, " ")) > columns { // longer than a line
			head := cut(piece, columns)
			line.WriteString(head)
			flush()
			piece = piece[len(head):]
		}
		line.WriteString(piece)
		used += columnsOf(piece)
	}
	if line.Len() > 0 || len(out) == 0 {
		flush()
	}
	return out
}

// pieces are what a line may be broken between: words with the spaces behind
// them, and single wide characters with the punctuation that belongs to them.
func pieces(text string) []string {
	var out []string
	start := 0
	var before rune
	for i, r := range text {
		if i > start && breaks(before, r) {
			out = append(out, text[start:i])
			start = i
		}
		before = r
	}
	return append(out, text[start:])
}

// breaks reports whether a line may end between two characters.
func breaks(before, after rune) bool {
	switch {
	case after == ' ':
		return false
	case before == ' ':
		return true
	case !isWide(before) && !isWide(after):
		return false
	case unicode.In(before, unicode.Ps, unicode.Pi):
		return false
	}
	return !unicode.In(after, unicode.Pe, unicode.Pf, unicode.Po, unicode.Mn, unicode.Me)
}

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// columnsOf counts the columns that a text takes on a terminal.
func columnsOf(text string) int {
	n := 0
	for _, r := range text {
		n += columnsOfRune(r)
	}
	return n
}

func columnsOfRune(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

// cut is the beginning of a text that fits into so many columns; at least one
// character.
func cut(text string, columns int) string {
	used := 0
	for i, r := range text {
		used += columnsOfRune(r)
		if used > columns && i > 0 {
			return text[:i]
		}
	}
	return text
}
