// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mustCompile compiles a pattern that the test needs to be valid.
func mustCompile(tb testing.TB, p string) *Pattern {
	tb.Helper()
	compiled, err := Compile(p)
	if err != nil {
		tb.Fatalf("Compile(%q): %v", p, err)
	}
	return compiled
}

// mustMatch matches a text that the test needs to get an answer for.
func mustMatch(tb testing.TB, p *Pattern, text string) bool {
	tb.Helper()
	matched, err := p.Match(text)
	if err != nil {
		tb.Fatalf("Match(%q, %q): %v", p, text, err)
	}
	return matched
}

func TestMatchFollowsECMA262(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		pattern string
		matches []string
		misses  []string
	}{
		{"a match may be anywhere in the text", `b`, []string{"b", "abc"}, []string{"", "ac"}},
		{"the dollar is only the very end", `^abc$`, []string{"abc"}, []string{"abc\n", "\nabc"}},
		{"the dot stops at the four line terminators only", `^.$`, []string{"a", "\v", "\u0085", "😀"}, []string{"", "\n", "\r", "\u2028", "\u2029", "ab"}},
		{"\\s is Unicode white space with the byte order mark", `^\s$`, []string{" ", "\t", "\v", "\u00a0", "\ufeff", "\u2003", "\u2029"}, []string{"\u0085", "\u200b", "\u180e"}},
		{"\\d and \\w are ASCII", `^[\d\w]$`, []string{"0", "a", "_"}, []string{"٣", "é", "\u212a"}},
		{"\\b is between ASCII word characters and others", `é\ba`, []string{"éa"}, []string{"aa"}},
		{"letters keep their case", `^[k]$`, []string{"k"}, []string{"K", "\u212a"}},
		{"a surrogate pair of escapes is one code point", `^\uD83D\uDE00$`, []string{"😀"}, []string{"😁"}},
		{"braced surrogates make no pair", `\u{D83D}\u{DE00}`, nil, []string{"😀", "\ufffd\ufffd"}},
		{"a lone surrogate matches nothing", `\uD83D`, nil, []string{"😀", "\ufffd"}},
		{"a class counts code points", `^[^a]$`, []string{"😀"}, []string{"a", "bb"}},
		{"an empty class matches nothing", `a|[]`, []string{"a"}, []string{"", "b"}},
		{"the complement of the empty class matches everything", `^[^]$`, []string{"\n", "😀"}, []string{""}},
		{"a dash at the edge of a class is itself", `^[-a][a-]$`, []string{"-a", "a-"}, []string{"ab"}},
		{"\\b in a class is a backspace", `^[\b]$`, []string{"\b"}, []string{"b"}},
		{"\\c takes a letter of either case", `^\cJ\cj$`, []string{"\n\n"}, []string{"cJcj"}},
		{"a category has short and long names", `^\p{Lu}\p{Uppercase_Letter}\p{gc=Lu}$`, []string{"AÉЖ"}, []string{"AéЖ"}},
		{"a script has short and long names", `^\p{Script=Greek}\p{sc=Grek}$`, []string{"αβ"}, []string{"ab"}},
		{"properties outside Go's tables are known", `^\p{Emoji_Presentation}\p{scx=Hira}$`, []string{"😀ー"}, []string{"aー", "😀a"}},
		{"a lazy quantifier changes no answer", `^a+?b*?$`, []string{"a", "aab"}, []string{"", "ba"}},
		{"an empty iteration ends nothing", `^(|a)*b$`, []string{"b", "aab"}, []string{"ac"}},
		{"look-ahead sees what follows", `^(?=.*\d)(?!.*\s).+$`, []string{"a1"}, []string{"a", "a 1"}},
		{"look-behind sees what precedes", `(?<=\$)\d(?<!0)`, []string{"$1"}, []string{"1", "$0"}},
		{"a back-reference repeats its group", `^(['"]).*\1$`, []string{`'a'`, `"a"`}, []string{`'a"`}},
		{"a named back-reference does too", `^(?<q>.)\k<q>$`, []string{"aa"}, []string{"ab"}},
		{"a back-reference to an unset group is empty", `^(?:(a)|b)\1$`, []string{"aa", "b"}, []string{"a", "ba"}},
		{"an iteration forgets the groups of the one before", `^(?:(a)|b)*\1$`, []string{"ab", "aa"}, []string{"aba!"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := mustCompile(t, tt.pattern)
			for _, text := range tt.matches {
				if !mustMatch(t, p, text) {
					t.Errorf("%q does not match %q, want a match", p, text)
				}
			}
			for _, text := range tt.misses {
				if mustMatch(t, p, text) {
					t.Errorf("%q matches %q, want no match", p, text)
				}
			}
		})
	}
}

// TestNodeAgrees compares with answers recorded from Node.js 20; testdata/record.mjs says how.
func TestNodeAgrees(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/node.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()

	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var record struct {
			Pattern         string
			Valid           bool
			Matches, Misses []string
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		p, err := Compile(record.Pattern)
		if syntax := (*SyntaxError)(nil); !record.Valid && errors.As(err, &syntax) {
			continue
		}
		if err != nil || !record.Valid {
			t.Errorf("Compile(%q): %v, want valid: %t", record.Pattern, err, record.Valid)
			continue
		}
		for _, text := range record.Matches {
			if !mustMatch(t, p, text) {
				t.Errorf("%q does not match %q, want a match", p, text)
			}
		}
		for _, text := range record.Misses {
			if mustMatch(t, p, text) {
				t.Errorf("%q matches %q, want no match", p, text)
			}
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

func TestRegularPatternsRunOnTheAutomaton(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern string
		regular bool
	}{
		{`^[a-z]{1,2000}\p{Emoji}\b(?<name>x)*?$`, true},
		{`(?=a)`, false},
		{`(?<!a)`, false},
		{`(a)\1`, false},
	}
	for _, tt := range tests {
		p := mustCompile(t, tt.pattern)
		if got := p.Regular(); got != tt.regular {
			t.Errorf("%q: Regular() = %t, want %t", p, got, tt.regular)
		}
		if cost := p.Cost(); !tt.regular && cost != BacktrackCost || cost <= 0 || cost > MaxInstructions {
			t.Errorf("%q: Cost() = %d, want up to %d, and %d if not regular", p, cost, MaxInstructions, BacktrackCost)
		}
		if p.String() != tt.pattern {
			t.Errorf("String() = %q, want %q", p, tt.pattern)
		}
	}
}

func TestLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", MaxBacktrackInput+1)

	t.Run("a regular pattern takes any text", func(t *testing.T) {
		t.Parallel()
		if !mustMatch(t, mustCompile(t, `^(a+)+$`), long) {
			t.Error("want a match")
		}
	})
	t.Run("a backtracking pattern gives no answer", func(t *testing.T) {
		t.Parallel()
		matched, err := mustCompile(t, `^a+(?!b)$`).Match(long)
		var failure *MatchError
		if matched || !errors.As(err, &failure) {
			t.Fatalf("Match: %t, %v, want a *MatchError", matched, err)
		}
		if failure.Defect || !strings.Contains(failure.Reason, "maxLength") {
			t.Errorf("got %+q, want a reason with a way out and no defect", failure.Error())
		}
	})
	t.Run("a text of just the limit is decided", func(t *testing.T) {
		t.Parallel()
		if !mustMatch(t, mustCompile(t, `^a+(?!b)$`), long[1:]) {
			t.Error("want a match")
		}
	})
}

func TestStartsAnchored(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]bool{
		`^abc`:        true,
		`abc$`:        false,
		`^a|b`:        false,
		`^(?:a|b)$`:   true,
		`^a$|^b$`:     true,
		`(^a)b`:       true,
		`(?:^a){1,2}`: true,
		`(?:^a)?b`:    false,
		`(?:)\b^a$\b`: true,
		`(?!b)^a`:     true,
		`x?^a`:        false, // true, but only because x cannot match
		`(?=^)a`:      false,
		``:            false,
	} {
		if got := startsAnchored(mustCompile(t, pattern).tree.root); got != want {
			t.Errorf("%q: %t, want %t", pattern, got, want)
		}
	}
}

func TestFeatures(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern string
		want    Features
	}{
		{`^[a-z](b|c)*d$`, Features{StartAnchor: true, EndAnchor: true, Anchored: true}},
		{`^a|b$`, Features{StartAnchor: true, EndAnchor: true}},
		{`(^a|^b)(?:$)`, Features{StartAnchor: true, EndAnchor: true, NonCapturing: true, Anchored: true}},
		{`^(?:a$|b)`, Features{StartAnchor: true, EndAnchor: true, NonCapturing: true}},
		{`^(?:a$)?`, Features{StartAnchor: true, EndAnchor: true, NonCapturing: true}},
		{`^(?:a$){2}`, Features{StartAnchor: true, EndAnchor: true, NonCapturing: true, MaxRepeat: 2, Anchored: true}},
		{`^a$(?=b)`, Features{StartAnchor: true, EndAnchor: true, Lookaround: true, Anchored: true}},
		{`^a$b`, Features{StartAnchor: true, EndAnchor: true}},
		{`[\W_]`, Features{ClassEscape: true}},
		{`\d\t`, Features{ClassEscape: true}},
		{`\^\$`, Features{}},
		{`(?=a)`, Features{Lookaround: true}},
		{`(?<!a)`, Features{Lookaround: true}},
		{`(a)\1`, Features{BackReference: true}},
		{`(?<n>a)\k<n>`, Features{BackReference: true, NamedGroup: true}},
		{`\ba`, Features{WordBoundary: true}},
		{`a\B`, Features{WordBoundary: true}},
		{`[\b]`, Features{}},
		{`[^\p{L}]`, Features{UnicodeProperty: true}},
		{`\P{L}`, Features{UnicodeProperty: true}},
		{`a+?`, Features{Lazy: true}},
		{`a{2,5}b{3}c{7,}d{1,}?`, Features{Lazy: true, MaxRepeat: 7}},
		{`a?b*c+`, Features{}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, mustCompile(t, tt.pattern).Features()); diff != "" {
			t.Errorf("%q: Features() (-want +got):\n%s", tt.pattern, diff)
		}
		if got, err := FeaturesOf(tt.pattern); err != nil || got != tt.want {
			t.Errorf("%q: FeaturesOf is %+v, %v", tt.pattern, got, err)
		}
	}
}
