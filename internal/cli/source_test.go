// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/manifest"
)

// TestExcerpt: the caret stands below what is wrong, whatever is before it.
func TestExcerpt(t *testing.T) {
	t.Parallel()
	long := func(before, after int) string {
		return "{\"kind\": \"ToolContract\", \"" + strings.Repeat("b", before) + "\": 1, \"x\": \"" + strings.Repeat("a", after) + "\"}"
	}
	for name, test := range map[string]struct{ text, want string }{
		"plain":                {"kind: ToolContract\nx: 1\n", "    2 | x: 1\n      | ^\n"},
		"behind tabs":          {"{\"kind\": \"ToolContract\",\n\t\t\"x\": 1}\n", "    2 |         \"x\": 1}\n      |         ^^^\n"},
		"behind wide letters":  {"{kind: ToolContract, 订单: 1, x: 1}\n", "    1 | {kind: ToolContract, 订单: 1, x: 1}\n      | " + strings.Repeat(" ", 30) + "^\n"},
		"behind a combination": {"{kind: ToolContract, e\u0301: 1, x: 1}\n", "    1 | {kind: ToolContract, e\u0301: 1, x: 1}\n      |                            ^\n"},
		"behind what turns":    {"{kind: ToolContract, \"\u202e\": 1, x: 1}\n", "    1 | {kind: ToolContract, \"\\u202e\": 1, x: 1}\n      | " + strings.Repeat(" ", 34) + "^\n"},
		"a long line": {long(100, 200), "    1 | …" + strings.Repeat("b", 54) + "\": 1, \"x\": \"" + strings.Repeat("a", 43) + "…\n" +
			"      | " + strings.Repeat(" ", 61) + "^^^\n"},
		"a very long line": {long(1000, 2000), "    1 | …" + strings.Repeat("b", 54) + "\": 1, \"x\": \"" + strings.Repeat("a", 43) + "…\n" +
			"      | " + strings.Repeat(" ", 61) + "^^^\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for d := range (manifest.Source{Name: "a", Data: []byte(test.text)}).Documents() {
				var out strings.Builder
				excerpt(&out, style{}, "", d, d.PositionOf("/x"), red)
				if diff := cmp.Diff(test.want, out.String()); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
