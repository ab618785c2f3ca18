// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxPointer bounds a pointer in text, in bytes: a hostile property name must
// not fill a status. The machine-readable Pointer field keeps its whole length
// up to the sender's own limits.
const maxPointer = 256

// maxQuoted bounds a quoted piece of the author's text, in bytes.
const maxQuoted = 80

// Pointer appends reference tokens to an RFC 6901 JSON pointer.
func Pointer(base string, tokens ...string) string {
	var b strings.Builder
	b.WriteString(base)
	for _, t := range tokens {
		b.WriteByte('/')
		b.WriteString(escaper.Replace(t))
	}
	return b.String()
}

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Tokens splits a JSON pointer into its unescaped reference tokens. The
// pointer must be empty or start with a slash.
func Tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(pointer[1:], "/")
	for i, p := range parts {
		parts[i] = unescaper.Replace(p)
	}
	return parts
}

// Quote puts a piece of the author's text into a message: quoted, bounded, and
// with control characters escaped, so that no text can drive a terminal.
func Quote(s string) string {
	return strconv.Quote(Clip(s, maxQuoted))
}

// Clip shortens s to at most limit bytes at a character boundary and marks the
// cut, where the limit leaves room for a mark.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	mark := "…"
	if limit < len(mark) {
		mark = ""
	}
	cut := max(limit-len(mark), 0)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + mark
}

// Printable escapes what a terminal or a log could take for a command or
// would not show: control characters, line ends, marks that turn the direction
// of text. Pointers and messages are made of the author's names, and the text
// forms of a finding are one line whatever these hold. All other text stays.
func Printable(s string) string {
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func hidden(r rune) bool { return !strconv.IsGraphic(r) }

// Summary joins the text forms of the first findings and says how many more
// there are: "…; and 4 more". It is how a condition carries findings.
func Summary(findings []Finding, most int) string {
	shown := findings[:min(most, len(findings))]
	texts := make([]string, len(shown), len(shown)+1)
	for i, f := range shown {
		texts[i] = f.within(maxSummaryItem)
	}
	if rest := len(findings) - len(shown); rest > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", rest))
	}
	return strings.Join(texts, "; ")
}

// within is the sentence in at most limit bytes. What is wrong gives way to the
// way out, since a reader who does not see that one is stuck.
func (f Finding) within(limit int) string {
	return f.clip(f.Place()+": ", limit)
}

// Advice is what is wrong and the way out, without the place, in at most limit
// bytes.
func (f Finding) Advice(limit int) string { return f.clip("", limit) }

func (f Finding) clip(prefix string, limit int) string {
	fix := ""
	if f.Fix != "" {
		fix = Clip(". Fix: "+Printable(f.Fix), limit/2)
	}
	return Clip(prefix+Printable(f.Message), limit-len(fix)) + fix
}

// maxSummaryItem bounds one finding in a condition message, in bytes, so that
// three of them and their frame stay far below what a condition may hold.
const maxSummaryItem = 700
