// SPDX-License-Identifier: Apache-2.0

package contract

import "testing"

func TestDescriptionTextJoinsTheParts(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		description Description
		want        string
	}{
		"one part is unchanged": {
			Description{Summary: "  Creates a draft. \n"},
			"  Creates a draft. \n",
		},
		"no part": {Description{}, ""},
		"all six parts in their order": {
			Description{Summary: "A.", UseWhen: "B.", DoNotUseWhen: "C.", Returns: "D.", SideEffects: "E.", Failures: "F."},
			"A. B. C. D. E. F.",
		},
		"parts that are left out leave nothing": {
			Description{Summary: "A.", Returns: "D.", Failures: "F."},
			"A. D. F.",
		},
		"a part other than the first may be the only one": {
			Description{Failures: "F."},
			"F.",
		},
		"no space after a full-width sentence end": {
			Description{Summary: "查询订单。", UseWhen: "真的吗？", DoNotUseWhen: "不！", Returns: "一；", Failures: "完"},
			"查询订单。真的吗？不！一；完",
		},
		"a space after any other end, full-width or not": {
			Description{Summary: "查询订单", UseWhen: "只读，", Returns: "Status:", Failures: "x"},
			"查询订单 只读， Status: x",
		},
		"a space before Chinese text that follows an ASCII end": {
			Description{Summary: "Reads an order.", UseWhen: "用于查询。"},
			"Reads an order. 用于查询。",
		},
		"the line ends of YAML block scalars give way at joints": {
			Description{Summary: "Reads an order.\n", UseWhen: "\n  Use it\n  for one.\n\n", Returns: "The status.\n"},
			"Reads an order. Use it\n  for one. The status.\n",
		},
		"also after a full-width sentence end": {
			Description{Summary: "查询订单。\n", UseWhen: "\u3000用于查询。\r\n"},
			"查询订单。用于查询。\r\n",
		},
		"white space inside a part stays": {
			Description{Summary: "a  b\n\nc", Returns: "d\te"},
			"a  b\n\nc d\te",
		},
		"blank parts are no parts": {
			Description{Summary: "A.", UseWhen: " \n", Returns: "\t", Failures: "F."},
			"A. F.",
		},
		"also at the ends": {
			Description{Summary: "\n", UseWhen: "B.", Failures: "  "},
			"B.",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.description.Text(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
