// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
)

// Limits on the part of a line that is shown, in columns of a terminal.
const (
	maxLeft   = 60
	maxMarked = 40
	maxLine   = 110
)

// tab is what a tab is shown as, so that the caret below is right on every screen.
const tab = "    "

// excerpt writes the line of a place and points at it.
func excerpt(w io.Writer, s style, indent string, d *manifest.Document, at manifest.Position, colour string) {
	before, marked, after, cut := d.Around(at)
	if strings.TrimSpace(before+marked+after) == "" {
		return
	}
	left := cells(before)
	if kept := last(left, maxLeft); len(kept) < len(left) || cut {
		left = append([]cell{{"…", 1}}, kept...)
	}
	middle, following := cells(marked), cells(after)
	shown := first(middle, maxMarked)
	if len(shown) < len(middle) {
		following = nil
		shown = append(shown, cell{"…", 1})
	}
	right := first(following, maxLine-columns(left)-columns(shown))
	if len(right) < len(following) {
		right = append(right, cell{"…", 1})
	}
	gutter := fmt.Sprintf("%5d | ", at.Line)
	fmt.Fprintf(w, "%s%s%s\n", indent, s.paint(faint, gutter), text(left)+text(shown)+text(right))
	caret := strings.Repeat(" ", columns(left)) + s.paint(colour, strings.Repeat("^", max(1, columns(shown))))
	fmt.Fprintf(w, "%s%s%s\n", indent, s.paint(faint, strings.Repeat(" ", len(gutter)-2)+"| "), caret)
}

// cell is a character as it is shown, and how many columns that takes.
type cell struct {
	text  string
	width int
}

func cells(s string) []cell {
	out := make([]cell, 0, len(s))
	for _, r := range s {
		switch {
		case r == '\t':
			out = append(out, cell{tab, len(tab)})
		case !unicode.IsGraphic(r):
			escaped := finding.Printable(string(r))
			out = append(out, cell{escaped, len(escaped)})
		case unicode.In(r, unicode.Mn, unicode.Me):
			out = append(out, cell{string(r), 0})
		case isWide(r):
			out = append(out, cell{string(r), 2})
		default:
			out = append(out, cell{string(r), 1})
		}
	}
	return out
}

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

func columns(line []cell) int {
	n := 0
	for _, c := range line {
		n += c.width
	}
	return n
}

func text(line []cell) string {
	var b strings.Builder
	for _, c := range line {
		b.WriteString(c.text)
	}
	return b.String()
}

// first are the first cells, in at most limit columns.
func first(line []cell, limit int) []cell {
	for i, c := range line {
		if limit -= c.width; limit < 0 {
			return line[:i:i]
		}
	}
	return line
}

// last are the last cells, in at most limit columns.
func last(line []cell, limit int) []cell {
	for i, l := range slices.Backward(line) {
		if limit -= l.width; limit < 0 {
			return line[i+1:]
		}
	}
	return line
}
