// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var full = Finding{
	Rule:     "ref-cycle",
	Severity: Error,
	Side:     Input,
	Pointer:  "/properties/next",
	Keyword:  "$ref",
	Message:  "the reference never ends",
	Fix:      "let it pass through properties",
}

func TestStringIsSeverityPlaceMessageFixAndRule(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		finding Finding
		want    string
	}{
		"all fields": {
			full,
			"Error input schema /properties/next: the reference never ends. Fix: let it pass through properties [ref-cycle]",
		},
		"without a fix": {
			Finding{Rule: "strict-given", Severity: Info, Pointer: "/spec/targets/0", Message: "the tool is strict"},
			"Info /spec/targets/0: the tool is strict [strict-given]",
		},
		"the root": {
			Finding{Rule: "json-syntax", Severity: Error, Side: Output, Message: "it ends too early", Fix: "correct it"},
			"Error output schema (root): it ends too early. Fix: correct it [json-syntax]",
		},
		"hostile names and texts stay one line": {
			Finding{Rule: "r", Severity: Warning, Pointer: "/a\n\x1b[2J", Message: "\u202egnp.exe\u0085", Fix: "a\tb"},
			`Warning /a\n\x1b[2J: \u202egnp.exe\u0085. Fix: a\tb [r]`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, test.finding.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPlaceNamesTheSide(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		finding Finding
		want    string
	}{
		"no side is the contract":       {Finding{Pointer: "/spec/toolName"}, "/spec/toolName"},
		"the contract":                  {Finding{Side: Contract, Pointer: "/spec"}, "/spec"},
		"the root of the contract":      {Finding{}, "(root)"},
		"the input schema":              {Finding{Side: Input, Pointer: "/type"}, "input schema /type"},
		"the root of the output schema": {Finding{Side: Output}, "output schema (root)"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := test.finding.Place(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestCompareOrdersBySeveritySidePointerRuleMessageKeywordFixPatch(t *testing.T) {
	t.Parallel()
	with := func(change func(*Finding)) Finding {
		f := full
		change(&f)
		return f
	}
	ascending := []Finding{
		with(func(f *Finding) { f.Side = Contract; f.Pointer = "/z" }),
		with(func(f *Finding) { f.Pointer = "" }),
		with(func(f *Finding) { f.Rule = "ref-broken" }),
		with(func(f *Finding) { f.Message = "a" }),
		with(func(f *Finding) { f.Keyword = "" }),
		with(func(f *Finding) { f.Fix = "" }),
		full,
		with(func(f *Finding) { f.Patch = []Operation{{Op: "add", Path: "/a"}} }),
		with(func(f *Finding) { f.Patch = []Operation{{Op: "add", Path: "/a", Value: []byte("1")}} }),
		with(func(f *Finding) { f.Patch = []Operation{{Op: "add", Path: "/a", Value: []byte("1")}, {Op: "add"}} }),
		with(func(f *Finding) { f.Patch = []Operation{{Op: "add", Path: "/b"}} }),
		with(func(f *Finding) { f.Patch = []Operation{{Op: "add", From: "/a", Path: "/a"}} }),
		with(func(f *Finding) { f.Patch = []Operation{{Op: "remove", Path: "/a"}} }),
		with(func(f *Finding) { f.Pointer = "/z" }),
		with(func(f *Finding) { f.Side = Output; f.Pointer = "" }),
		with(func(f *Finding) { f.Severity = Warning; f.Side = Contract }),
		with(func(f *Finding) { f.Severity = Info; f.Side = Contract }),
	}
	for i, a := range ascending {
		for j, b := range ascending {
			got, want := Compare(a, b), compareInts(i, j)
			if got != want {
				t.Errorf("Compare(%v, %v) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func compareInts(i, j int) int {
	switch {
	case i < j:
		return -1
	case i > j:
		return 1
	default:
		return 0
	}
}

func TestSortForgetsTheOrderInWhichRulesSpoke(t *testing.T) {
	t.Parallel()
	// They differ in one of the fields that a sort by place alone would tie on.
	findings := []Finding{full, full, full, full, full}
	findings[4].Patch = []Operation{{Op: "remove", Path: "/a"}}
	findings[1].Keyword = "allOf"
	findings[2].Fix = "remove it"
	findings[3].Severity = Info
	want := Sort(slices.Clone(findings))
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		shuffled := slices.Concat(findings, findings)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if diff := cmp.Diff(want, Sort(shuffled)); diff != "" {
			t.Fatalf("the order shows through, or a repetition stayed: %s", diff)
		}
	}
	if len(want) != len(findings) {
		t.Errorf("got %d findings, want all %d different ones", len(want), len(findings))
	}
}

func TestCountAndHasErrors(t *testing.T) {
	t.Parallel()
	mixed := []Finding{{Severity: Warning}, {Severity: Error}, {Severity: Warning}, {Severity: Info}}
	if got := Count(mixed, Warning); got != 2 {
		t.Errorf("got %d warnings, want 2", got)
	}
	if !HasErrors(mixed) {
		t.Error("the error is not seen")
	}
	if HasErrors(mixed[2:]) || HasErrors(nil) {
		t.Error("warnings and nothing are no errors")
	}
}

func TestOnSetsTheSideOfACopy(t *testing.T) {
	t.Parallel()
	original := []Finding{{Pointer: "/a"}, {Pointer: "/b", Side: Input}}
	got := On(Output, original)
	want := []Finding{{Pointer: "/a", Side: Output}, {Pointer: "/b", Side: Output}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if original[0].Side != "" {
		t.Error("the caller's findings were changed")
	}
}
