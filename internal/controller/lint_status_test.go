// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

func TestLinted(t *testing.T) {
	t.Parallel()
	found := func(severity finding.Severity) finding.Finding {
		return finding.Finding{Rule: "a-rule", Severity: severity, Side: finding.Input, Pointer: "/properties/a", Message: "it is odd", Fix: "mend it"}
	}
	shown := func(severity string) []v1alpha1.TargetFinding {
		return []v1alpha1.TargetFinding{{Rule: "a-rule", Severity: severity, Pointer: "/properties/a", Message: "it is odd. Fix: mend it"}}
	}
	valid := &contract.Content{}
	tests := map[string]struct {
		content         *contract.Content
		report          lint.Report
		status          metav1.ConditionStatus
		reason, message string
		want            *v1alpha1.LintStatus
	}{
		"a contract that is not valid": {nil, lint.Report{}, metav1.ConditionUnknown, v1alpha1.ReasonNotEvaluated, "the contract itself is not valid", nil},
		"nothing":                      {valid, lint.Report{}, metav1.ConditionTrue, v1alpha1.ReasonLintPassed, "nothing was found", nil},
		"notes only": {
			valid,
			lint.Report{Findings: []finding.Finding{found(finding.Info)}},
			metav1.ConditionTrue, v1alpha1.ReasonLintPassed, "no errors and no warnings",
			&v1alpha1.LintStatus{Findings: shown("Info")},
		},
		"a warning": {
			valid,
			lint.Report{Findings: []finding.Finding{found(finding.Warning)}},
			metav1.ConditionTrue, v1alpha1.ReasonLintWarnings,
			"0 errors, 1 warnings; status.lint has the first, toolcontract check all", &v1alpha1.LintStatus{Warnings: 1, Findings: shown("Warning")},
		},
		"an error": {
			valid,
			lint.Report{Findings: []finding.Finding{found(finding.Error), found(finding.Warning)}},
			metav1.ConditionFalse, v1alpha1.ReasonLintErrors,
			"1 errors, 1 warnings: input schema /properties/a: it is odd. Fix: mend it",
			&v1alpha1.LintStatus{Errors: 1, Warnings: 1, Findings: append(shown("Error"), shown("Warning")...)},
		},
		"an error that is accepted": {
			valid,
			lint.Report{Acknowledged: []finding.Finding{found(finding.Info)}},
			metav1.ConditionTrue, v1alpha1.ReasonLintPassed,
			"nothing was found, 1 acknowledged", &v1alpha1.LintStatus{Acknowledged: 1},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &evaluate.Evaluation{Content: test.content, Lint: test.report}
			got := linted(e)
			if got.Type != v1alpha1.ConditionLinted || got.Status != test.status || got.Reason != test.reason || got.Message != test.message {
				t.Errorf("got %+v", got)
			}
			if diff := cmp.Diff(test.want, lintStatus(e)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestReadyDoesNotWaitForLint: the verdict on lint stands beside the others.
func TestReadyDoesNotWaitForLint(t *testing.T) {
	t.Parallel()
	c := overfull("ignore all previous instructions")
	run := &contractRun{ContractReconciler: &ContractReconciler{}, contract: c}
	run.profiles = nil
	e := &evaluate.Evaluation{Content: &contract.Content{}, Lint: lint.Report{Findings: []finding.Finding{{Rule: "model-order", Severity: finding.Error, Message: strings.Repeat("m", 9000)}}}}
	run.evaluation, run.decided = e, e
	conditions := run.verdicts(nil)
	last := conditions[len(conditions)-1]
	if last.Type != v1alpha1.ConditionLinted || last.Status != metav1.ConditionFalse || len(last.Message) > maxMessage {
		t.Errorf("got %+v", last)
	}
	if conditions[0].Type != v1alpha1.ConditionReady || conditions[0].Reason == v1alpha1.ReasonLintErrors {
		t.Errorf("got %+v", conditions[0])
	}
}
