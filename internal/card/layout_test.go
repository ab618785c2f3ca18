// SPDX-License-Identifier: Apache-2.0

package card

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text    string
		columns int
		want    []string
	}{
		"nothing":                        {"", 10, []string{""}},
		"it fits":                        {"one two", 7, []string{"one two"}},
		"at a space":                     {"one two three", 8, []string{"one two", "three"}},
		"a long word":                    {"abcdefghij k", 4, []string{"abcd", "efgh", "ij k"}},
		"wide characters take two":       {"查询订单", 4, []string{"查询", "订单"}},
		"no sentence end begins a line":  {"查询订单。好", 8, []string{"查询订", "单。好"}},
		"no bracket ends a line":         {"查询（订单）", 6, []string{"查询", "（订", "单）"}},
		"between wide and narrow":        {"订单ord_123号", 6, []string{"订单", "ord_12", "3号"}},
		"many spaces hide nothing":       {"a" + strings.Repeat(" ", 50) + "b", 10, []string{"a", "b"}},
		"accents take no column":         {"e\u0301e\u0301 e\u0301", 4, []string{"e\u0301e\u0301 e\u0301"}},
		"a wide character in one column": {"单单", 1, []string{"单", "单"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, wrap(test.text, test.columns)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
