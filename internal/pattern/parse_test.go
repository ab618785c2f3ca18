// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"errors"
	"strings"
	"testing"
)

func TestInvalidPatternsSayWhereAndWhatToWrite(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern string
		offset  int
		reason  string // a part of it
	}{
		{`a(?i)b`, 1, `write both cases`},
		{`(?i:a)`, 0, `write both cases`},
		{`(?>a)`, 0, `write (?:…)`},
		{`(?#why)a`, 0, `put the text into $comment`},
		{`(?'n'a)`, 0, `write (?<name>…)`},
		{`(?P<n>a)`, 0, `write (?<name>…)`},
		{`\Aa`, 0, `write ^`},
		{`a\Z`, 1, `write $`},
		{`a\z`, 1, `write $`},
		{`\G`, 0, `does not exist here; remove it`},
		{`\a`, 0, `write \x07`},
		{`\e`, 0, `write \x1b`},
		{`\h`, 0, `write [ \t]`},
		{`\R`, 0, `write (?:\r\n`},
		{`a\-b`, 1, `write it without "\"`},
		{`é\_`, 2, `write it without "\"`},
		{`[\_]`, 1, `write it without "\"`},
		{`\i`, 0, `\i does not exist here`},
		{`[\B]`, 1, `\B does not exist here`},
		{`a{`, 1, `write \{`},
		{`a{x}`, 1, `write \{`},
		{`{`, 0, `write \{`},
		{`}`, 0, `write \}`},
		{`a]`, 1, `write \]`},
		{`[[:alpha:]]`, 10, `write [A-Za-z]`},
		{`a{,2}`, 1, `write {0,`},
		{`a{3,2}`, 1, `write {2,3}`},
		{`(?=a)*`, 5, `an assertion cannot be repeated`},
		{`(?<=a)?`, 6, `an assertion cannot be repeated`},
		{`^+`, 1, `an assertion cannot be repeated`},
		{`\b{2}`, 2, `an assertion cannot be repeated`},
		{`*a`, 0, `nothing to repeat`},
		{`a|+`, 2, `nothing to repeat`},
		{`a*+`, 2, `possessive quantifiers do not exist here`},
		{`[z-a]`, 1, `the range is out of order`},
		{`[\d-z]`, 1, `cannot begin or end a range`},
		{`[a-\p{L}]`, 1, `cannot begin or end a range`},
		{`[a`, 0, `the class is not closed`},
		{`a(b`, 1, `the group is not closed`},
		{`(?<=a`, 0, `the group is not closed`},
		{`a)`, 1, `closes no group`},
		{`(?<a>b)(?<a>c)`, 7, `used twice`},
		{`(?<a>b)|(?<a>c)`, 8, `used twice`},
		{`(?<1a>b)`, 3, `no digit first`},
		{`(?<>b)`, 0, `the group name is empty`},
		{`(?<a`, 0, `the group name is not closed`},
		{`(?<\x61>b)`, 3, `only \u is an escape`},
		{`\k`, 0, `write \k<name>`},
		{`a\k<b>`, 1, `name one (?<b>…)`},
		{`(a)\2`, 3, `the pattern has 1 capturing group`},
		{`\1`, 0, `the pattern has no capturing group`},
		{`\01`, 0, `octal escapes do not exist here`},
		{`\u12`, 0, `four hexadecimal digits`},
		{`\u{}`, 0, `is empty`},
		{`\u{12`, 0, `closing brace`},
		{`\u{110000}`, 0, `beyond the last code point`},
		{`\xa`, 0, `two hexadecimal digits`},
		{`\c1`, 0, `\c needs a letter`},
		{`\pL`, 0, `as in \p{L}`},
		{`\p{L`, 0, `closing brace`},
		{`\p{Greek}`, 0, `write \p{Script=Greek}`},
		{`\p{letter}`, 0, `names are exact`},
		{`a\`, 1, `write \\`},
		{"a\xffb", 1, `not valid UTF-8`},
	}
	for _, tt := range tests {
		_, err := Compile(tt.pattern)
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Errorf("Compile(%q): %v, want a *SyntaxError", tt.pattern, err)
			continue
		}
		if syntax.Offset != tt.offset || !strings.Contains(syntax.Reason, tt.reason) {
			t.Errorf("Compile(%q): byte %d, %s; want byte %d, …%s…", tt.pattern, syntax.Offset, syntax.Reason, tt.offset, tt.reason)
		}
	}
}

func TestMessagesQuoteLongPatternsInPart(t *testing.T) {
	t.Parallel()
	_, err := Compile(strings.Repeat("é", 1000) + "(")
	if err == nil {
		t.Fatal("want an error")
	}
	if message := err.Error(); len(message) > 300 || !strings.Contains(message, "é…") || !strings.Contains(message, "byte 2000") {
		t.Errorf("got a message of %d bytes: %s", len(message), message)
	}
}
