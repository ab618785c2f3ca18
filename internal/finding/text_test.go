// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestPointerAndTokensAreInverse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		tokens  []string
		pointer string
	}{
		"no token is the root":             {nil, ""},
		"names":                            {[]string{"properties", "order_ref"}, "/properties/order_ref"},
		"an empty name":                    {[]string{""}, "/"},
		"two empty names":                  {[]string{"", ""}, "//"},
		"a slash and a tilde":              {[]string{"a/b", "c~d"}, "/a~1b/c~0d"},
		"what looks like an escape":        {[]string{"~1", "~01"}, "/~01/~001"},
		"other characters are not escaped": {[]string{"%20 \"ü", "名"}, "/%20 \"ü/名"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Pointer("", test.tokens...); got != test.pointer {
				t.Errorf("Pointer: got %q, want %q", got, test.pointer)
			}
			if diff := cmp.Diff(test.tokens, Tokens(test.pointer)); diff != "" {
				t.Errorf("Tokens: %s", diff)
			}
		})
	}
	if got := Pointer("/a", "b"); got != "/a/b" {
		t.Errorf("a base is kept: got %q", got)
	}
}

func FuzzPointerAndTokens(f *testing.F) {
	f.Add("~1", "a/b")
	f.Add("", "~~//")
	f.Fuzz(func(t *testing.T, a, b string) {
		if diff := cmp.Diff([]string{a, b}, Tokens(Pointer("", a, b))); diff != "" {
			t.Error(diff)
		}
	})
}

func TestClip(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text  string
		limit int
		want  string
	}{
		"what fits stays":                         {"abcdef", 6, "abcdef"},
		"what does not is marked":                 {"abcdefg", 6, "abc…"},
		"a character is never cut":                {"退款草稿", 10, "退款…"},
		"nor when the cut is just before one":     {"退款草稿", 9, "退款…"},
		"a limit of one mark":                     {"abcdef", 3, "…"},
		"a limit without room for the mark":       {"abcdef", 2, "ab"},
		"a limit without room for the character":  {"退款", 2, ""},
		"no room at all":                          {"abcdef", 0, ""},
		"an impossible limit":                     {"abcdef", -1, ""},
		"text that is no UTF-8 ends at some byte": {"\x80\x80\x80\x80\x80", 4, "…"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Clip(test.text, test.limit); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func FuzzClip(f *testing.F) {
	f.Add("退款草稿", 7)
	f.Add("\xff\x80", -3)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		got := Clip(text, limit)
		if len(got) > max(limit, 0) {
			t.Errorf("Clip(%q, %d) has %d bytes", text, limit, len(got))
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("Clip(%q, %d) = %q cuts a character", text, limit, got)
		}
	})
}

func TestQuote(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"plain text":                     {"order_ref", `"order_ref"`},
		"quotes and backslashes":         {`a"b\`, `"a\"b\\"`},
		"a terminal sequence":            {"\x1b]0;pwned\a", `"\x1b]0;pwned\a"`},
		"a line end":                     {"a\nError b", `"a\nError b"`},
		"text that turns its direction":  {"\u202etxt.exe", `"\u202etxt.exe"`},
		"Chinese text is kept":           {"退款。", `"退款。"`},
		"bytes that are no UTF-8":        {"\xff", `"\xff"`},
		"a long text is cut at 80 bytes": {strings.Repeat("x", 81), `"` + strings.Repeat("x", 77) + `…"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Quote(test.text); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"plain text":                      {`a "b" \n 退款　（全角）`, `a "b" \n 退款　（全角）`},
		"a line end":                      {"a\r\nb", `a\r\nb`},
		"a terminal sequence":             {"\x1b[2Ja", `\x1b[2Ja`},
		"a control of the second set":     {"\u009b2J", `\u009b2J`},
		"what shows nothing":              {"a\u200bb\ufeff", `a\u200bb\ufeff`},
		"a line separator":                {"a\u2028b", `a\u2028b`},
		"a bad byte beside something odd": {"\xff\x00", "\ufffd\\x00"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Printable(test.text); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	t.Parallel()
	findings := []Finding{
		{Pointer: "/a", Message: "wrong", Fix: "correct it"},
		{Side: Input, Message: "odd"},
		{Pointer: "/c", Message: "third"},
	}
	tests := map[string]struct {
		findings []Finding
		most     int
		want     string
	}{
		"all":            {findings, 3, "/a: wrong. Fix: correct it; input schema (root): odd; /c: third"},
		"more than many": {findings, 9, "/a: wrong. Fix: correct it; input schema (root): odd; /c: third"},
		"some":           {findings, 1, "/a: wrong. Fix: correct it; and 2 more"},
		"only a number":  {findings, 0, "and 3 more"},
		"nothing":        {nil, 3, ""},
		"one line":       {[]Finding{{Pointer: "/a\nb", Message: "c\nd"}}, 3, `/a\nb: c\nd`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := Summary(test.findings, test.most); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A long counter-example must not push the way out of a condition.
func TestALongMessageLeavesTheWayOut(t *testing.T) {
	t.Parallel()
	f := Finding{Pointer: "/a", Message: strings.Repeat("m", 2*maxSummaryItem), Fix: "set version 2.0.0"}
	got := Summary([]Finding{f}, 1)
	if len(got) > maxSummaryItem || !strings.HasPrefix(got, "/a: mmm") || !strings.HasSuffix(got, "…. Fix: set version 2.0.0") {
		t.Errorf("got %d bytes: %q", len(got), got)
	}
}

func TestHostileTextsStayBounded(t *testing.T) {
	t.Parallel()
	long := Finding{
		Rule: "r", Severity: Error, Pointer: "/" + strings.Repeat("\x00", 90_000),
		Message: strings.Repeat("m", 90_000), Fix: strings.Repeat("f", 90_000),
	}
	if got := long.Place(); len(got) > maxPointer {
		t.Errorf("a place has %d bytes, want at most %d", len(got), maxPointer)
	}
	// A condition message may have 32,768 bytes; three findings must leave room.
	if got := Summary([]Finding{long, long, long, long}, 3); len(got) > 3*maxSummaryItem+20 {
		t.Errorf("a summary of three has %d bytes", len(got))
	}
}
