// SPDX-License-Identifier: Apache-2.0

package card

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// Visible writes out what a terminal acts on or nobody sees. All other text stays.
func Visible(s string) string {
	if !strings.ContainsFunc(s, Hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if Hidden(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// brailleBlank is a sign without dots.
const brailleBlank = '\u2800'

// Hidden reports whether a character is no sign that a reader can see: control
// and format characters, those that turn the direction of text, selectors of
// variants, fillers, and spaces other than the usual one and the wide one.
func Hidden(r rune) bool {
	switch {
	case r == ' ', r == '\u3000':
		return false
	case !unicode.IsGraphic(r), unicode.Is(unicode.Zs, r), r == brailleBlank, r == unicode.ReplacementChar:
		return true
	}
	return unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// escapeJSON does to JSON what Visible does to text: such characters can only
// stand in its strings, where an escape means the same.
func escapeJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case r == '\n' || !Hidden(r):
			out = append(out, string(r)...)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			out = appendEscape(appendEscape(out, high), low)
		default:
			out = appendEscape(out, r)
		}
	}
	return out
}

func appendEscape(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
