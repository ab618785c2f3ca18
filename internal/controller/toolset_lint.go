// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

// linted is about the tools of the set as a model sees them beside each other, and
// about the words of its groups.
// What a contract says by itself stands in its own condition.
func (run *setRun) linted() metav1.Condition {
	kind := v1alpha1.ConditionLinted
	var tools []lint.Tool
	for _, m := range run.members {
		if m.resolves() {
			tools = append(tools, lint.Tool{
				Namespace: m.key.Namespace, Contract: m.key.Name, Content: m.found.content,
				Acknowledged: evaluate.LintAcknowledgements(m.found.contract.Spec.Acknowledge),
			})
		}
	}
	report := evaluate.LintSet(&run.set.Spec, tools)
	if len(tools) == 0 && len(report.All()) == 0 {
		return condition(kind, metav1.ConditionUnknown, v1alpha1.ReasonNotEvaluated, "no tool resolves")
	}
	open, accepted := report.Findings, report.Acknowledged
	errors, warnings := finding.Count(open, finding.Error), finding.Count(open, finding.Warning)
	counts := fmt.Sprintf("%d errors, %d warnings and %d acknowledged findings about %d tools beside each other", errors, warnings, len(accepted), len(tools))
	switch {
	case errors > 0:
		return condition(kind, metav1.ConditionFalse, v1alpha1.ReasonLintErrors, counts+": "+finding.Summary(finding.Errors(open), maxFindings))
	case warnings > 0:
		return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonLintWarnings, counts+": "+finding.Summary(open, maxFindings))
	}
	return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonLintPassed, counts)
}
