// SPDX-License-Identifier: Apache-2.0

package card

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestVisibleWritesOutWhatNobodySees(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain text, 中文　全角。é":      "plain text, 中文　全角。é",
		"\x1b[2J\a\r\t\n":          `\x1b[2J\a\r\t\n`,
		"a\u0085\u009bb":           `a\u0085\u009bb`,
		"\u202egnp.exe\u2066":      `\u202egnp.exe\u2066`,
		"a\u200bb\ufeffc\u2060":    `a\u200bb\ufeffc\u2060`,
		"\U000e0041\U000e007f":     `\U000e0041\U000e007f`,
		"x\ufe0f\U000e0100":        `x\ufe0f\U000e0100`,
		"\u3164\u115f\u2800\u034f": `\u3164\u115f\u2800\u034f`,
		"a\u00a0b\u2003c":          `a\u00a0b\u2003c`,
		"\ufffd":                   `\ufffd`,
		"e\u0301":                  "e\u0301",
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestEscapedJSONMeansTheSame(t *testing.T) {
	t.Parallel()
	const text = "中 \u202e \U000e0041 \u007f \u200b \ufe0f é"
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	escaped := escapeJSON(quoted)
	var back string
	if err := json.Unmarshal(escaped, &back); err != nil || back != text {
		t.Errorf("%s reads as %q: %v", escaped, back, err)
	}
	if strings.ContainsFunc(string(escaped), Hidden) {
		t.Errorf("%q holds what nobody sees", escaped)
	}
	if !strings.Contains(string(escaped), "中") {
		t.Errorf("%s has more escapes than it needs", escaped)
	}
}
