// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Bounds of a status. The whole stays below maxStatus bytes whatever the
// contract holds: a status that is refused would leave the old one standing
// for ever.
const (
	maxStatus   = 24 << 10
	maxIssued   = 64
	maxChannels = 24
	// maxConsumers is how many are named that mount a retired channel.
	maxConsumers = 5
)

// status computes the status of the contract after a run.
func (run *contractRun) status(err error) v1alpha1.ToolContractStatus {
	old := run.contract.Status
	status := v1alpha1.ToolContractStatus{
		ObservedGeneration: run.contract.Generation,
		RetiredLine:        run.retiredBefore(),
		Targets:            targetStatuses(run.evaluation, old.Targets),
		Lint:               lintStatus(run.evaluation),
	}
	if run.published != nil {
		status.RetiredLine = run.retiredLine()
	}
	status.Issued = run.issued()
	status.Channels = run.channels(status.RetiredLine)
	for _, c := range status.Channels {
		if c.Line == lineOf(run.contract.Spec.Version) {
			status.PublishedRevision = c.Revision
		}
	}
	verdicts := run.verdicts(err)
	status.Conditions = withVerdicts(old.Conditions, verdicts, run.contract.Generation)
	status.TargetsReady = targetsReady(run.evaluation, len(run.contract.Spec.Targets))
	status.Summary = finding.Clip(run.summary(verdicts[0]), 256)
	return fit(status)
}

// summary is Ready's reason and, for targets, the first profile that refuses.
func (run *contractRun) summary(ready metav1.Condition) string {
	e := run.evaluation
	if ready.Status == metav1.ConditionTrue {
		if len(run.refused) > 0 {
			return ready.Reason + "; refused now in line " + run.refused[0].line
		}
		if excluded := e.Excluded(); len(excluded) > 0 {
			return ready.Reason + "; excluded: " + excluded[0].Spec.Profile
		}
		return ready.Reason
	}
	if ready.Reason != v1alpha1.ReasonTargetsIncompatible && ready.Reason != v1alpha1.ReasonUnknownProfile {
		return ready.Reason
	}
	for _, t := range e.Targets {
		if !t.Compatible() && (t.Blocks() || len(e.Excluded()) == len(e.Targets)) {
			return ready.Reason + ": " + t.Spec.Profile
		}
	}
	return ready.Reason // only removed targets stand in the way
}

func targetsReady(e *evaluate.Evaluation, total int) string {
	compatible := 0
	for _, t := range e.Targets {
		if t.Compatible() {
			compatible++
		}
	}
	return fmt.Sprintf("%d/%d", compatible, total)
}

// targetStatuses are the results of the targets. One that is as it was keeps the
// revision of the profile under which it became so: that a profile was revised
// is no news to a contract for which it says the same.
func targetStatuses(e *evaluate.Evaluation, before []v1alpha1.TargetStatus) []v1alpha1.TargetStatus {
	var out []v1alpha1.TargetStatus
	for _, t := range e.Targets {
		status := v1alpha1.TargetStatus{
			Profile: t.Spec.Profile, Compatible: v1alpha1.CompatibleNo, Strict: v1alpha1.OutcomeNone,
			Errors:   count(t.Findings, finding.Error),
			Warnings: count(t.Findings, finding.Warning),
		}
		if t.Profile != nil {
			status.ProfileRevision = int32(t.Profile.Revision) //nolint:gosec // a profile that does not fit does not load
		}
		if t.Compatible() {
			status.Compatible, status.Strict = v1alpha1.CompatibleYes, v1alpha1.OutcomeNotStrict
			if t.Given {
				status.Strict = v1alpha1.OutcomeStrict
			}
			status.Digest = schema.DigestBytes(t.Bytes)
		}
		status.Findings = shownFindings(t.Findings)
		out = append(out, sinceRevision(status, before))
	}
	return out
}

// shownFindings are the first findings, as a status shows them.
func shownFindings(findings []finding.Finding) []v1alpha1.TargetFinding {
	var out []v1alpha1.TargetFinding
	for _, f := range findings[:min(maxFindings, len(findings))] {
		out = append(out, v1alpha1.TargetFinding{
			Rule: f.Rule, Severity: string(f.Severity),
			Pointer: finding.Clip(finding.Printable(f.Pointer), 256), Message: f.Advice(300),
		})
	}
	return out
}

// lintStatus counts what the lint rules found; nil for a contract that is not
// valid or in which nothing was found.
func lintStatus(e *evaluate.Evaluation) *v1alpha1.LintStatus {
	if len(e.Lint.Findings)+len(e.Lint.Acknowledged) == 0 {
		return nil
	}
	return &v1alpha1.LintStatus{
		Errors: count(e.Lint.Findings, finding.Error), Warnings: count(e.Lint.Findings, finding.Warning),
		Acknowledged: count(e.Lint.Acknowledged, finding.Info), Findings: shownFindings(e.Lint.Findings),
	}
}

func sinceRevision(status v1alpha1.TargetStatus, before []v1alpha1.TargetStatus) v1alpha1.TargetStatus {
	for _, b := range before {
		same := status
		same.ProfileRevision = b.ProfileRevision
		if b.ProfileRevision > 0 && status.ProfileRevision > 0 && equality.Semantic.DeepEqual(b, same) {
			return b
		}
	}
	return status
}

// count saturates at what the field holds.
func count(findings []finding.Finding, severity finding.Severity) int32 {
	return int32(min(finding.Count(findings, severity), math.MaxInt32)) //nolint:gosec // bounded right here
}

// channels are what the lines serve, the newest first, so that what no longer
// fits is the oldest. Of retired lines it says who keeps them.
func (run *contractRun) channels(retired string) []v1alpha1.Channel {
	out := slices.Collect(maps.Values(run.lines()))
	slices.SortFunc(out, func(a, b v1alpha1.Channel) int { return -evaluate.CompareLines(a.Line, b.Line) })
	out = out[:min(maxChannels, len(out))]
	for i := range out {
		out[i].Retired = evaluate.CompareLines(out[i].Line, retired) <= 0
		consumers, known := run.consumers(out[i].ConfigMap)
		switch {
		case !out[i].Retired:
			out[i].Consumers = nil
		case known: // otherwise those of before stand
			out[i].Consumers = slices.Clone(consumers[:min(maxConsumers, len(consumers))])
		}
	}
	return out
}

// fit shortens a status until it is below its bound, the least useful part
// first. What remains at the end has a fixed size.
func fit(status v1alpha1.ToolContractStatus) v1alpha1.ToolContractStatus {
	for keep := maxFindings - 1; keep >= 0 && statusSize(status) > maxStatus; keep-- {
		for i := range status.Targets {
			status.Targets[i].Findings = status.Targets[i].Findings[:min(keep, len(status.Targets[i].Findings))]
		}
		if status.Lint != nil {
			status.Lint.Findings = status.Lint.Findings[:min(keep, len(status.Lint.Findings))]
		}
	}
	for keep := maxConsumers - 1; keep >= 0 && statusSize(status) > maxStatus; keep-- {
		for i := range status.Channels {
			status.Channels[i].Consumers = status.Channels[i].Consumers[:min(keep, len(status.Channels[i].Consumers))]
		}
	}
	for limit := maxMessage / 2; limit >= 128 && statusSize(status) > maxStatus; limit /= 2 {
		for i := range status.Conditions {
			status.Conditions[i].Message = finding.Clip(status.Conditions[i].Message, limit)
		}
	}
	return status
}

func statusSize(status v1alpha1.ToolContractStatus) int {
	text, err := json.Marshal(status)
	if err != nil {
		return 0
	}
	return len(text)
}
