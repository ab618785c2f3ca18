// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPieces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ in, want string }{
		{"plain", "plain"},
		{"", ""},
		{"退款", "退款"},
		{"a\nb", `a[\n]b`},
		{"a\u202eb", `a[\u202e]b`},
		{"\x1b[2J", `[\x1b][2J`},
		{"a\xffb", `a[\ufffd]b`},
		{"\ufffdb", `[\ufffd]b`},
		{"e\u0301", "e\u0301"},
		{"\U000e0041x", `[\U000e0041]x`},
		{"o\u0301\u0301\u0301\u0301\u0301\u0301.", "o\u0301\u0301\u0301\u0301" + `[\u0301][\u0301].`},
	} {
		if got := marked(inline(test.in)); got != test.want {
			t.Errorf("%q: got %s, want %s", test.in, got, test.want)
		}
	}
	if got := marked(block("a\nb\tc")); got != "a\nb[\\t]c" {
		t.Errorf("got %q", got)
	}
	if got := hiddenIn("a\u200b\nb\u200b"); got != 2 {
		t.Errorf("counted %d", got)
	}
}

// marked has the escapes in brackets.
func marked(pieces []piece) string {
	var b strings.Builder
	for _, p := range pieces {
		if p.Escaped {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestSlug(t *testing.T) {
	t.Parallel()
	seen := map[string][]string{}
	for _, words := range [][]string{
		{"a", "b"},
		{"a-b"},
		{"a_b"},
		{"a", "b", "c"},
		{"a/b"},
		{"A"},
		{"a"},
		{"con"},
		{"con_"},
		{"nul"},
		{"con", "x"},
		{""},
		{"", ""},
		{"..", ".."},
		{"a\x00"},
		{strings.Repeat("x", 64)},
		{strings.Repeat("x", 63)},
		{"d", "0"},
		{"退款"},
	} {
		got := slug(words...)
		if other, there := seen[got]; there {
			t.Errorf("%q and %q are both %s", words, other, got)
		}
		seen[got] = words
		if got == "" || got[0] == '_' || got[0] == '.' || strings.ContainsAny(got, "/\\.") || device.MatchString(got) {
			t.Errorf("%q is %q", words, got)
		}
	}
}

func TestDifference(t *testing.T) {
	t.Parallel()
	old := "a\nb\nc\nd\ne\nf\ng\nh\ni\nj"
	for _, test := range []struct{ name, old, next, want string }{
		{"equal", old, old, "@"},
		{"one line", old, strings.Replace(old, "i", "I", 1), "@\n f\n g\n h\n-i\n+I\n j"},
		{"added at the end", "a", "a\nb", " a\n+b"},
		{"taken from the start", "a\nb", "b", "-a\n b"},
		{"two places", "a\n1\n2\n3\n4\n5\n6\n7\n8\nb", "A\n1\n2\n3\n4\n5\n6\n7\n8\nB", "-a\n+A\n 1\n 2\n 3\n@\n 6\n 7\n 8\n-b\n+B"},
		{"moved", "x\ny\nz", "y\nz\nx", "-x\n y\n z\n+x"},
	} {
		var out []string
		for _, l := range difference(test.old, test.next) {
			out = append(out, string(l.Sign)+l.Text)
		}
		if diff := cmp.Diff(test.want, strings.Join(out, "\n")); diff != "" {
			t.Errorf("%s:\n%s", test.name, diff)
		}
	}
}

// TestDifferenceIsBounded: what is too large for the table is all old and all new.
func TestDifferenceIsBounded(t *testing.T) {
	t.Parallel()
	lines := func(word string) string { return strings.Repeat(word+"\n", 5000) }
	if got := len(difference(lines("a"), lines("b"))); got < 10000 {
		t.Errorf("got %d lines", got)
	}
}
