// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// A small document can be at fault in thousands of places. Readers get the
// first and a number; who rewrites the document gets all of them.
func TestWhatOneRuleSaysIsCutShort(t *testing.T) {
	t.Parallel()
	p, _ := Builtin().Lookup("openai-responses")
	text := func(n int) string {
		branches := strings.TrimSuffix(strings.Repeat("true,", n), ",")
		return strictObject(`"a":{"anyOf":[`+branches+`]},"b":{"type":"string","minLength":1}`, "a", "b")
	}
	const n = 1000
	s := schematest.Schema(t, text(n))
	ofRule := func(findings []finding.Finding, rule string) []finding.Finding {
		return slices.DeleteFunc(slices.Clone(findings), func(f finding.Finding) bool { return f.Rule != rule })
	}
	if got := len(ofRule(p.Faults(s, Strict), RuleBooleanSchema)); got != n {
		t.Errorf("Faults has %d of %d places", got, n)
	}
	given := p.CheckSchema(s, Strict)
	if !slices.IsSortedFunc(given, finding.Compare) {
		t.Error("the findings are not sorted")
	}
	if got := len(ofRule(given, RuleKeywordRejected)); got != 1 {
		t.Errorf("another rule has %d findings, want 1", got)
	}
	booleans := ofRule(given, RuleBooleanSchema)
	if len(booleans) != maxGiven+1 {
		t.Fatalf("got %d findings of one rule, want %d", len(booleans), maxGiven+1)
	}
	want := finding.Finding{
		Rule: RuleBooleanSchema, Severity: booleans[0].Severity, Pointer: "/properties/a/anyOf/100",
		Message: "and 900 more places from here on are at fault in the same way",
		Fix:     "correct the places that are listed, and check again",
	}
	at := slices.IndexFunc(booleans, func(f finding.Finding) bool { return f.Pointer == want.Pointer })
	if at < 0 {
		t.Fatal("the first place that is left out is not named")
	}
	if diff := cmp.Diff(want, booleans[at]); diff != "" {
		t.Error(diff)
	}
	for i := range maxGiven {
		pointer := fmt.Sprintf("/properties/a/anyOf/%d", i)
		if !slices.ContainsFunc(booleans, func(f finding.Finding) bool { return f.Pointer == pointer && f.Message != "" && f.Fix != "" }) {
			t.Errorf("%s has no finding with texts", pointer)
		}
	}
	if got := ofRule(p.CheckSchema(schematest.Schema(t, text(maxGiven)), Strict), RuleBooleanSchema); len(got) != maxGiven ||
		slices.ContainsFunc(got, func(f finding.Finding) bool { return strings.HasPrefix(f.Message, "and ") }) {
		t.Errorf("%d findings are given as %d", maxGiven, len(got))
	}
	// A fault that is left out can still be explained.
	fault := ofRule(p.Faults(s, Strict), RuleBooleanSchema)[n-1]
	if explained := p.Explain(s, Strict, fault); explained.Message != booleans[0].Message {
		t.Errorf("the last fault is explained by %q, want %q", explained.Message, booleans[0].Message)
	}
}
