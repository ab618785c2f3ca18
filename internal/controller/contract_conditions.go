// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// maxMessage bounds the message of a condition, in bytes.
const maxMessage = 1024

// maxFindings is how many findings a message or a target carries; the command
// prints all of them.
const maxFindings = 3

// verdicts computes the conditions of a run, in the order in which Ready reads
// them. It is a pure function of what the run found and did.
func (run *contractRun) verdicts(err error) []metav1.Condition {
	e := run.evaluation
	conditions := []metav1.Condition{schemaValid(e), run.providersCompatible(), versionAccepted(e), run.publishedCondition(err)}
	if stalled := asStalled(err); stalled != nil {
		for i := range conditions {
			if conditions[i].Type == stalled.condition {
				conditions[i] = condition(stalled.condition, metav1.ConditionFalse, stalled.reason, run.servingNote(stalled.message))
			}
		}
	}
	return append(run.withReady(conditions, err), linted(e))
}

// linted is about the current generation; nothing waits for it.
func linted(e *evaluate.Evaluation) metav1.Condition {
	const kind = v1alpha1.ConditionLinted
	if e.Content == nil {
		return condition(kind, metav1.ConditionUnknown, v1alpha1.ReasonNotEvaluated, contractInvalid)
	}
	errors, warnings := e.Lint.Count(finding.Error), e.Lint.Count(finding.Warning)
	message := "nothing was found"
	switch {
	case errors+warnings > 0:
		message = fmt.Sprintf("%d errors, %d warnings", errors, warnings)
	case len(e.Lint.Findings) > 0:
		message = "no errors and no warnings"
	}
	if n := len(e.Lint.Acknowledged); n > 0 {
		message += fmt.Sprintf(", %d acknowledged", n)
	}
	switch {
	case errors > 0:
		return condition(kind, metav1.ConditionFalse, v1alpha1.ReasonLintErrors, message+": "+finding.Summary(finding.Errors(e.Lint.Findings), maxFindings))
	case warnings > 0:
		return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonLintWarnings, message+"; status.lint has the first, toolcontract check all")
	}
	return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonLintPassed, message)
}

func condition(kind string, status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: finding.Clip(message, maxMessage)}
}

func schemaValid(e *evaluate.Evaluation) metav1.Condition {
	if e.Content == nil {
		return condition(v1alpha1.ConditionSchemaValid, metav1.ConditionFalse, e.Reason, finding.Summary(finding.Errors(e.Findings), maxFindings))
	}
	message := "the schemas and examples are valid"
	if n := finding.Count(e.Findings, finding.Warning); n > 0 {
		message = fmt.Sprintf("%s; %d warnings: %s", message, n, finding.Summary(e.Findings, maxFindings))
	}
	return condition(v1alpha1.ConditionSchemaValid, metav1.ConditionTrue, v1alpha1.ReasonValid, message)
}

func (run *contractRun) providersCompatible() metav1.Condition {
	e := run.evaluation
	lines := refusedMessage(run.refused)
	if e.Content == nil {
		return condition(v1alpha1.ConditionProvidersCompatible, metav1.ConditionUnknown, v1alpha1.ReasonNotEvaluated,
			joined(contractInvalid, lines))
	}
	blocking := e.Blocking()
	excluded := e.Excluded()
	switch {
	case len(blocking) > 0:
		return condition(v1alpha1.ConditionProvidersCompatible, metav1.ConditionFalse, evaluate.BlockingReason(blocking), joined(run.publishedBefore()+blockingMessage(e), lines))
	case len(excluded) == len(e.Targets):
		return condition(v1alpha1.ConditionProvidersCompatible, metav1.ConditionFalse, v1alpha1.ReasonTargetsIncompatible,
			joined("every target refuses the contract and would be left out: "+targetsMessage(excluded), lines))
	case len(run.refused) > 0:
		left := ""
		if len(excluded) > 0 {
			left = "left out: " + targetsMessage(excluded)
		}
		return condition(v1alpha1.ConditionProvidersCompatible, metav1.ConditionFalse, v1alpha1.ReasonServedIncompatible, joined(lines, left))
	case len(excluded) > 0:
		return condition(v1alpha1.ConditionProvidersCompatible, metav1.ConditionFalse, v1alpha1.ReasonTargetsExcluded,
			"left out: "+targetsMessage(excluded))
	}
	return condition(v1alpha1.ConditionProvidersCompatible, metav1.ConditionTrue, v1alpha1.ReasonCompatible,
		fmt.Sprintf("all %d targets take the contract", len(e.Targets)))
}

// contractInvalid is why nothing else was evaluated.
const contractInvalid = "the contract itself is not valid"

// publishedBefore tells the author of a contract that was published as it is that
// the refusal comes from elsewhere.
func (run *contractRun) publishedBefore() string {
	e := run.evaluation
	if !e.Decision.Accepted || len(e.Removed) > 0 || run.serving() != e.Content.Version.String() {
		return ""
	}
	return fmt.Sprintf("%s stays served, but its targets or their profiles have changed since it was published: ", e.Content.Version)
}

// joined puts two sentences into one message; either may be empty.
func joined(first, second string) string {
	if first == "" || second == "" {
		return first + second
	}
	return first + "; " + second
}

// blockingMessage names each refusing profile with its findings.
func blockingMessage(e *evaluate.Evaluation) string {
	parts := make([]string, 0, 2)
	if len(e.Removed) > 0 {
		parts = append(parts, finding.Summary(e.Removed, maxFindings))
	}
	var refusing []evaluate.Target
	for _, t := range e.Targets {
		if !t.Compatible() && t.Blocks() {
			refusing = append(refusing, t)
		}
	}
	if len(refusing) > 0 {
		parts = append(parts, targetsMessage(refusing))
	}
	return strings.Join(parts, "; ")
}

// targetsMessage shows up to three findings, the first of each target first.
func targetsMessage(targets []evaluate.Target) string {
	shown := make([]string, 0, maxFindings)
	more := 0
	for round := range maxFindings {
		for _, t := range targets {
			if errors := finding.Errors(t.Findings); round < len(errors) && len(shown) < maxFindings {
				shown = append(shown, t.Spec.Profile+": "+finding.Summary(errors[round:round+1], 1))
			}
		}
	}
	for _, t := range targets {
		more += finding.Count(t.Findings, finding.Error)
	}
	if more -= len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(shown, "; ")
}

func versionAccepted(e *evaluate.Evaluation) metav1.Condition {
	if e.Content == nil {
		return condition(v1alpha1.ConditionVersionAccepted, metav1.ConditionUnknown, v1alpha1.ReasonNotEvaluated, contractInvalid)
	}
	status := metav1.ConditionFalse
	if e.Decision.Accepted {
		status = metav1.ConditionTrue
	}
	return condition(v1alpha1.ConditionVersionAccepted, status, e.Decision.Reason, e.Decision.Message)
}

// publishedCondition is about what is served, whatever this generation says.
func (run *contractRun) publishedCondition(err error) metav1.Condition {
	e, kind := run.evaluation, v1alpha1.ConditionPublished
	switch {
	case run.published != nil && run.published.channel == "":
		return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonPublished,
			run.servingNote(fmt.Sprintf("%s is published as ConfigMap %s; a pre-release moves no channel", e.Content.Version, run.published.rendering)))
	case run.published != nil:
		return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonPublished,
			fmt.Sprintf("ConfigMap %s serves %s, the same bytes as ConfigMap %s", run.published.channel, e.Content.Version, run.published.rendering))
	case e.TooLarge != nil && len(e.Blocking()) == 0:
		return condition(kind, metav1.ConditionFalse, v1alpha1.ReasonTooLarge,
			run.servingNote(e.TooLarge.Error()+". Fix: shorten descriptions, enums and examples, or use fewer targets"))
	case err != nil && asStalled(err) == nil:
		return condition(kind, metav1.ConditionFalse, v1alpha1.ReasonPublishFailed,
			run.servingNote("the API server did not take a write; trying again: "+finding.Clip(retryCause(err), 200)))
	}
	refused := run.contract.Spec.Version + " is refused"
	serving := run.serving()
	if serving == run.contract.Spec.Version { // the version is known; what is refused goes by the same number
		refused = "the contract as it is now is refused"
	}
	if serving != "" {
		return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonServingPrevious, fmt.Sprintf("serving %s; %s", serving, refused))
	}
	return condition(kind, metav1.ConditionFalse, v1alpha1.ReasonNothingAccepted, "nothing is served in this line; "+refused)
}

// serving names the version that the line of the contract's version serves, as
// long as its channel is there.
func (run *contractRun) serving() string {
	line, known := run.lines()[lineOf(run.contract.Spec.Version)]
	if !known || run.own(line.ConfigMap) == nil {
		return ""
	}
	version, _ := versionOf(run.contract.Name, line.Revision)
	return version.String()
}

func (run *contractRun) servingNote(message string) string {
	if serving := run.serving(); serving != "" {
		return fmt.Sprintf("serving %s; %s", serving, message)
	}
	return message
}

// withReady adds Ready, and Stalled or Reconciling where they apply: Ready is
// False for the first condition that is not met, in its words.
func (run *contractRun) withReady(conditions []metav1.Condition, err error) []metav1.Condition {
	ready := condition(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished, conditions[len(conditions)-1].Message)
	for _, c := range conditions {
		if !met(c) {
			ready = condition(v1alpha1.ConditionReady, metav1.ConditionFalse, c.Reason, c.Message)
			break
		}
	}
	all := append([]metav1.Condition{ready}, conditions...)
	switch {
	case ready.Status == metav1.ConditionTrue:
	case err != nil && asStalled(err) == nil:
		all = append(all, condition(v1alpha1.ConditionReconciling, metav1.ConditionTrue, v1alpha1.ReasonRetrying, ready.Message))
	default:
		all = append(all, condition(v1alpha1.ConditionStalled, metav1.ConditionTrue, ready.Reason, ready.Message))
	}
	return all
}

// met reports whether a condition lets the contract be ready. Targets that are
// left out do not stand in the way, nor do other lines, and an earlier version
// does not make the current one served.
func met(c metav1.Condition) bool {
	switch c.Reason {
	case v1alpha1.ReasonTargetsExcluded, v1alpha1.ReasonServedIncompatible:
		return true
	case v1alpha1.ReasonServingPrevious:
		return false
	}
	return c.Status == metav1.ConditionTrue
}
