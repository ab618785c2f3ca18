// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
)

// verdicts computes the conditions of a set after a run, Ready first.
func (run *setRun) verdicts(err error) []metav1.Condition {
	published := run.toolsPublished(err)
	conditions := []metav1.Condition{run.resolvedRefs(), published, run.linted()}
	ready := condition(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished, published.Message)
	if !lets(published) {
		ready = condition(v1alpha1.ConditionReady, metav1.ConditionFalse, published.Reason, published.Message)
	}
	all := append([]metav1.Condition{ready}, conditions...)
	switch {
	case ready.Status == metav1.ConditionTrue:
	case err != nil, run.waits():
		all = append(all, condition(v1alpha1.ConditionReconciling, metav1.ConditionTrue, v1alpha1.ReasonRetrying, ready.Message))
	default:
		all = append(all, condition(v1alpha1.ConditionStalled, metav1.ConditionTrue, ready.Reason, ready.Message))
	}
	return all
}

// lets reports whether ToolsPublished lets the set be ready. Tools that are left
// out do not stand in the way, and neither does a budget, which leaves none out.
func lets(published metav1.Condition) bool {
	switch published.Reason {
	case v1alpha1.ReasonPublished, v1alpha1.ReasonToolsExcluded, v1alpha1.ReasonTokenBudgetExceeded:
		return true
	}
	return false
}

// waits reports whether the operator has still to look at a contract of the set.
func (run *setRun) waits() bool {
	return slices.ContainsFunc(run.members, func(m *member) bool { return m.verdict.waits })
}

// unresolved are the members that do not resolve, in the order of the set.
func (run *setRun) unresolved() []*member {
	return slices.DeleteFunc(slices.Clone(run.members), (*member).resolves)
}

func (run *setRun) resolvedRefs() metav1.Condition {
	kind := v1alpha1.ConditionResolvedRefs
	if len(run.members) == 0 {
		return condition(kind, metav1.ConditionFalse, v1alpha1.ReasonNothingSelected,
			"no selector leads to a ToolContract. Fix: correct /spec/selectors, label a ToolContract of this namespace that serves the line, or name it in /spec/tools")
	}
	unresolved := run.unresolved()
	if len(unresolved) == 0 {
		return condition(kind, metav1.ConditionTrue, v1alpha1.ReasonResolved, fmt.Sprintf("all %d tools resolve", len(run.members)))
	}
	parts := make([]string, 0, maxFindings+1)
	for _, m := range unresolved[:min(maxFindings, len(unresolved))] {
		stays := ""
		if run.isKept(m) {
			stays = " (the tool stays published as it was)"
		}
		parts = append(parts, m.pointer+stays+": "+m.verdict.message)
	}
	if more := len(unresolved) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return condition(kind, metav1.ConditionFalse, unresolved[0].verdict.reason,
		fmt.Sprintf("%d of %d tools resolve; %s", len(run.members)-len(unresolved), len(run.members), strings.Join(parts, "; ")))
}

// isKept reports whether a member that does not resolve stays published.
func (run *setRun) isKept(m *member) bool {
	return m.verdict.keeps && slices.ContainsFunc(run.results, func(r *profileResult) bool {
		_, served := r.last.find(m.key)
		return served
	})
}

// urgency orders the reasons of ToolsPublished: the first one that a profile has
// is the set's.
var urgency = []string{
	v1alpha1.ReasonPublishFailed, v1alpha1.ReasonNameConflict, v1alpha1.ReasonUnknownProfile, v1alpha1.ReasonTooLarge,
	v1alpha1.ReasonToolsIncompatible, v1alpha1.ReasonNothingAccepted, v1alpha1.ReasonTokenBudgetExceeded,
	v1alpha1.ReasonToolsExcluded, v1alpha1.ReasonPublished,
}

// toolsPublished is about all profiles together. Those that fare worst come first.
func (run *setRun) toolsPublished(err error) metav1.Condition {
	kind := v1alpha1.ConditionToolsPublished
	counts := run.counts()
	if err != nil {
		return condition(kind, metav1.ConditionFalse, v1alpha1.ReasonPublishFailed,
			"the API server did not take a write; trying again: "+finding.Clip(retryCause(err), 200)+"; "+counts)
	}
	worst, parts := len(urgency)-1, []string(nil)
	for _, r := range run.results {
		worst = min(worst, slices.Index(urgency, r.reason()))
	}
	reason := urgency[max(0, worst)]
	if reason == v1alpha1.ReasonPublished {
		return condition(kind, metav1.ConditionTrue, reason, counts)
	}
	var others []string
	for _, r := range run.results {
		count := r.count(run)
		switch message := r.message(run); {
		case r.reason() != reason:
			others = append(others, r.spec.Profile+": "+count)
		case strings.HasPrefix(message, count):
			parts = append(parts, r.spec.Profile+": "+message)
		default:
			parts = append(parts, r.spec.Profile+": "+count+"; "+message)
		}
	}
	shown := parts[:min(maxFindings, len(parts))]
	if more := len(parts) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more profiles", more))
	}
	if len(others) > 0 {
		shown = append(shown, strings.Join(others, ", "))
	}
	return condition(kind, metav1.ConditionFalse, reason, strings.Join(shown, "; "))
}

// reason is that of one profile.
func (r *profileResult) reason() string {
	switch {
	case r.failure != nil:
		return r.failure.reason
	case r.profile == nil:
		return v1alpha1.ReasonUnknownProfile
	case len(r.request.Tools) == 0, r.offersNothing():
		return v1alpha1.ReasonNothingAccepted
	}
	return r.result.Reason
}

func (r *profileResult) message(run *setRun) string {
	switch {
	case r.failure != nil:
		return r.failure.message
	case r.profile == nil:
		return "there is no such profile, so nothing can be made or changed for it, and all that is published for it stays. Fix: use one of " + strings.Join(run.profiles.Names(), ", ")
	case len(r.request.Tools) == 0:
		return "there is no tool to publish"
	case r.offersNothing():
		return "no tool of the set can be published, and what is published stays: " + r.result.Message
	}
	return r.result.Message
}

// offersNothing reports whether every tool of a set is left out. An agent without
// tools is worse off than one with those of before.
func (r *profileResult) offersNothing() bool {
	return r.result.Bundle != nil && r.result.Included == 0 && len(r.request.Tools) > 0
}

// counts says how many of the set's tools are published for each profile.
func (run *setRun) counts() string {
	parts := make([]string, 0, len(run.results))
	for _, r := range run.results {
		parts = append(parts, r.spec.Profile+": "+r.count(run))
	}
	return strings.Join(parts, ", ")
}

func (r *profileResult) count(run *setRun) string {
	return fmt.Sprintf("%d of %d", min(r.published(), len(run.members)), len(run.members))
}

// published counts the tools that are published for a profile after the run.
func (r *profileResult) published() int {
	if r.bundle != nil && r.failure == nil {
		return r.bundle.Included
	}
	if r.last == nil {
		return 0
	}
	return len(r.last.tools)
}
