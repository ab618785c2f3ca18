// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

// FuzzCompile holds three promises: Compile never panics and always ends, both engines agree on a regular pattern, and
// an anchored pattern matches nowhere else.
func FuzzCompile(f *testing.F) {
	for _, seed := range []struct{ pattern, text string }{
		{`^[a-z]+(\.[a-z]+)*$`, "ab.c"},
		{`(?:a|ab)(?:c|bcd)*?$`, "abcd"},
		{`^\s.\S\w\W\d\D$`, "\ufeffa "},
		{`[^\b\-\]\u{1F600}-\u{1F64F}]`, "😀"},
		{`\uD83D\uDE00|\p{Lu}{2,3}|\P{Script=Greek}`, "ÀÉ"},
		{`(?<name>a?){0,12}\b`, "aaa"},
		{`^(?!.*(.)\1)[a-z]{1,63}(?<!-)$`, "abc"},
		{`(a+)+(?=b)`, "aaaa"},
		{`[[:alpha:]](?i)\A{,2}`, ""},
		{`(?:(?:a{1000}){1000}|\cJ\0\x41){2`, "\n"},
	} {
		f.Add(seed.pattern, seed.text)
	}
	f.Fuzz(func(t *testing.T, source, text string) {
		p, err := Compile(source)
		if err != nil {
			if p != nil || err.Error() == "" {
				t.Fatalf("Compile(%q) = %v, %v", source, p, err)
			}
			return
		}
		if !utf8.ValidString(text) || len(text) > 64 {
			return
		}
		matched, err := p.Match(text)
		if err != nil {
			t.Fatalf("Match(%q, %q): %v", source, text, err)
		}
		if !p.Regular() {
			return
		}
		if place := p.automaton.FindStringIndex(text); place != nil && place[0] != 0 && startsAnchored(p.tree.root) {
			t.Errorf("%q is anchored at the start and matches %q at byte %d", source, text, place[0])
		}
		if want, ok := slowMatch(source, text); ok && matched != want {
			t.Errorf("Match(%q, %q) = %t, want %t", source, text, matched, want)
		}
	})
}

// slowMatch asks the backtracking engine about a pattern that is meant for the automaton. It returns false without an
// answer: the engine may need too long, and refuses some large counts.
func slowMatch(source, text string) (matched, ok bool) {
	re, err := regexp2.Compile(source, regexp2.ECMAScript, regexp2.Unicode)
	if err != nil {
		return false, false
	}
	re.MatchTimeout = 200 * time.Millisecond
	matched, err = re.MatchString(text)
	return matched, err == nil
}
