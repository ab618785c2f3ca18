// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/toolcontract/operator/internal/card"
	"github.com/toolcontract/operator/internal/schema"
)

// piece is a part of a text: signs that a reader sees, or an escape that stands
// for one that nobody would.
type piece struct {
	Text    string
	Escaped bool
}

// maxMarks is how many combining marks may follow each other. No script needs
// more, and a pile of them covers the lines above and below.
const maxMarks = 4

// pieces takes a text apart. What keep says stays as it is.
func pieces(s string, keep func(rune) bool) []piece {
	if isPlain(s) {
		return []piece{{Text: s}}
	}
	var out []piece
	plain := 0 // where the signs begin that are not in out yet
	marks := 0
	for i, r := range s {
		if unicode.In(r, unicode.Mn, unicode.Me) {
			marks++
		} else {
			marks = 0
		}
		if !card.Hidden(r) && marks <= maxMarks || keep(r) {
			continue
		}
		if plain < i {
			out = append(out, piece{Text: s[plain:i]})
		}
		// A byte that is no UTF-8 is the replacement sign, which has three of them.
		size := len(string(r))
		if r == unicode.ReplacementChar && !strings.HasPrefix(s[i:], string(r)) {
			size = 1
		}
		plain = i + size
		out = append(out, piece{escape(r), true})
	}
	if plain < len(s) {
		out = append(out, piece{Text: s[plain:]})
	}
	return out
}

// isPlain reports whether a text is made of the signs of ASCII, as most are.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// escape is a character as JSON and Go write it.
func escape(r rune) string {
	if escaped := card.Visible(string(r)); escaped != string(r) {
		return escaped
	}
	return fmt.Sprintf(`\u%04x`, r) // a mark too many
}

// inline is a text in one line.
func inline(s string) []piece { return pieces(s, func(rune) bool { return false }) }

// block is a text that keeps its lines.
func block(s string) []piece { return pieces(s, func(r rune) bool { return r == '\n' }) }

// hiddenIn counts the characters of a text that are shown as escapes.
func hiddenIn(s string) int {
	n := 0
	for _, p := range block(s) {
		if p.Escaped {
			n++
		}
	}
	return n
}

// pretty is a value as JSON over several lines, in its own order and with its own
// numbers.
func pretty(v *schema.Value) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(v.JSON()), "", "  "); err != nil { // it is our own JSON
		return v.JSON()
	}
	return out.String()
}

func plural(n int, word string) string {
	switch {
	case n == 1:
		return "1 " + word
	case strings.HasSuffix(word, "y"):
		return thousands(n) + " " + strings.TrimSuffix(word, "y") + "ies"
	}
	return thousands(n) + " " + word + "s"
}

// thousands is a number with a thin gap between each three digits.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
