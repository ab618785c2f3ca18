// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"strings"
	"unicode"
)

// words splits a name at separators and at changes of case, in lower case.
func words(name string) []string {
	out := make([]string, 0, 4)
	start := 0
	flush := func(end int) {
		if end > start {
			out = append(out, strings.ToLower(name[start:end]))
		}
	}
	for i := range len(name) {
		switch b := name[i]; {
		case strings.IndexByte("_-./: ", b) >= 0:
			flush(i)
			start = i + 1
		case i > 0 && isUpper(b) && (isLower(name[i-1]) || isDigit(name[i-1])),
			i > start && isUpper(b) && i+1 < len(name) && isLower(name[i+1]): // the S of HTTPServer
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return out
}

func isUpper(b byte) bool  { return b >= 'A' && b <= 'Z' }
func isLower(b byte) bool  { return b >= 'a' && b <= 'z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
func isLetter(b byte) bool { return isUpper(b) || isLower(b) }

// anyByte reports whether a byte of a text is of a sort.
func anyByte(text string, is func(byte) bool) bool {
	for i := range len(text) {
		if is(text[i]) {
			return true
		}
	}
	return false
}

// phrases are what a text is searched for, in lower case. An English phrase
// stands at the borders of words; with a star behind it, it only begins at one,
// and with a star before it, it only ends at one. A Chinese phrase may stand
// anywhere.
type phrases []string

// parse divides a list at bars.
func parse(list string) phrases {
	out := phrases{}
	for p := range strings.SplitSeq(list, "|") {
		out = append(out, strings.Join(strings.Fields(p), " "))
	}
	return out
}

// in reports whether a text in lower case holds one of the phrases.
func (p phrases) in(text string) bool {
	for _, phrase := range p {
		if has(text, phrase) {
			return true
		}
	}
	return false
}

func has(text, phrase string) bool {
	phrase, openEnd := strings.CutSuffix(phrase, "*")
	phrase, openStart := strings.CutPrefix(phrase, "*")
	for from := 0; ; {
		i := strings.Index(text[from:], phrase)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(phrase)
		before := openStart || start == 0 || !inWord(phrase[0]) || !inWord(text[start-1])
		after := openEnd || end == len(text) || !inWord(phrase[len(phrase)-1]) || !inWord(text[end])
		if before && after {
			return true
		}
		from = end
	}
}

// inWord reports whether a byte is part of a word in letters without accents;
// every byte of a Chinese character is a border.
func inWord(b byte) bool { return isLetter(b) || isDigit(b) || b == '_' }

// wordSet is a list of words to look one up in.
type wordSet map[string]bool

func setOf(list string) wordSet {
	set := wordSet{}
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}

// any is the first of the words that is in the set, or nothing.
func (s wordSet) any(words []string) string {
	for _, w := range words {
		if s[w] {
			return w
		}
	}
	return ""
}

// sentences counts the sentences of a text: what ends in a mark, and lines.
func sentences(text string) int {
	n, words := 0, false
	end := func() {
		if words {
			n++
		}
		words = false
	}
	for i, r := range text {
		switch {
		case strings.ContainsRune("。！？；\n", r):
			end()
		case r == '.' || r == '!' || r == '?':
			// Not that of 1.5 or example.com, nor that of e.g.
			if next := i + 1; (next == len(text) || text[next] == ' ' || text[next] == '\n') && !abbreviated(text[:i]) {
				end()
			}
		case unicode.IsLetter(r):
			words = true
		}
	}
	end()
	return n
}

func abbreviated(before string) bool {
	for _, a := range []string{"e.g", "i.e", "etc", "vs", "cf"} {
		if rest, ok := strings.CutSuffix(before, a); ok && (rest == "" || !isLetter(rest[len(rest)-1])) {
			return true
		}
	}
	return false
}
