// SPDX-License-Identifier: Apache-2.0

package change

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

func TestUnusedAcknowledgementsOfThisVersionAreTold(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Input,
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string","default":"x"},"c":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":"integer","maximum":9},"b":{"type":"string","default":"y"},"c":{"type":["string","null"]}}}`)
	r, used := compare(old, next).Acknowledge(next.Version, []Acknowledgement{
		{"1.4.0", "input-default", "/properties/b", "another version"},
		{"1.5.0", "input-range", "/properties/a", "a counter-example"},
		{"1.5.0", "input-default", "/properties/b", "used"},
		{"1.5.0", "input-default", "/properties/b", "used already"},
		{"1.5.0", "input-widened", "/properties/c", "minor anyway"},
		{"1.5.0", "input-pattern", "/properties/z", "nothing there"},
		{"1.5.0", "target-removed", "/spec/targets/0", "the rule of somebody else"},
	})
	if len(used) != 1 || used[0].Reason != "used" {
		t.Errorf("used: %v", used)
	}
	got := map[string]string{}
	for _, f := range r.Findings {
		if f.Rule == RuleUnusedAcknowledgement {
			_, why, _ := strings.Cut(f.Message, "1.5.0: ")
			got[f.Pointer] = why
			if f.Severity != finding.Info || f.Bump != contract.None || f.Side != finding.Contract {
				t.Errorf("%s %s %s", f.Severity, f.Bump, f.Finding)
			}
		}
	}
	want := map[string]string{
		"/spec/acknowledge/1": "the finding has a counter-example, which no word can change; remove it",
		"/spec/acknowledge/3": "another entry says the same; remove it",
		"/spec/acknowledge/4": "the finding needs no more than minor; remove it",
		"/spec/acknowledge/5": "there is no such finding; remove it",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Required != contract.Major {
		t.Errorf("required %s", r.Required)
	}
}

func TestAUnitThatWasAlwaysMeantIsAPatch(t *testing.T) {
	t.Parallel()
	const form = `{"type":"object","properties":{"wait":{"type":"integer"%s}}}`
	old, next := onSide(t, finding.Input, sprintf(form, ""), sprintf(form, `,"x-unit":"s"`))
	next.Version = content(t, "1.4.3").Version
	report := compare(old, next)
	r, _ := report.Acknowledge(next.Version, []Acknowledgement{{"1.4.3", "input-unit-added", "/properties/wait", "always seconds"}})
	if report.Required != contract.Major || r.Required != contract.Patch || !r.Sufficient() {
		t.Errorf("before %s, after %s", report.Required, r.Required)
	}
}

func TestAnAcknowledgedFindingStillNeedsItsBump(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Input, `{"default":"x"}`, `{"default":"y"}`)
	next.Version = content(t, "1.4.3").Version
	r, _ := compare(old, next).Acknowledge(next.Version, []Acknowledgement{{"1.4.3", "input-default", "", "known"}})
	if f := one(t, r); f.Severity != finding.Error || f.Fix != "declare a minor bump" || r.Sufficient() {
		t.Errorf("%s: %s", f.Severity, f.Fix)
	}
}
