// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// profileStatus computes the status of a profile. It is a pure function of the
// object, the verdict and the count.
func profileStatus(object *v1alpha1.ProviderProfile, verdict evaluate.Profile, users int32) v1alpha1.ProviderProfileStatus {
	return v1alpha1.ProviderProfileStatus{
		ObservedGeneration: object.Generation,
		Conditions:         withVerdicts(object.Status.Conditions, profileConditions(object.Name, verdict), object.Generation),
		InForce:            verdict.InForce,
		UsedBy:             &users,
	}
}

// profileConditions are Ready and Valid and, while only a change by somebody
// can help, Stalled.
func profileConditions(name string, verdict evaluate.Profile) []metav1.Condition {
	if len(verdict.Findings) == 0 {
		return []metav1.Condition{
			condition(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonInForce,
				fmt.Sprintf("revision %d is in force", verdict.InForce.Revision)),
			condition(v1alpha1.ConditionValid, metav1.ConditionTrue, v1alpha1.ReasonValid, "the facts are well-formed and complete"),
		}
	}
	reason, message := invalidReason(verdict.Findings), finding.Summary(verdict.Findings, maxFindings)
	stays := inForceNote(name, verdict) + ": " + message
	return []metav1.Condition{
		condition(v1alpha1.ConditionReady, metav1.ConditionFalse, reason, stays),
		condition(v1alpha1.ConditionValid, metav1.ConditionFalse, reason, message),
		condition(v1alpha1.ConditionStalled, metav1.ConditionTrue, reason, stays),
	}
}

// inForceNote says what an invalid spec leaves in force.
func inForceNote(name string, verdict evaluate.Profile) string {
	if verdict.InForce != nil {
		return fmt.Sprintf("revision %d stays in force, because the spec is not valid", verdict.InForce.Revision)
	}
	return fmt.Sprintf("the spec is not valid and nothing of it is in force; targets that name %s get the operator's own profile of that name, if there is one", name)
}

// invalidReason is UnknownProfile only if that is all there is.
func invalidReason(findings []finding.Finding) string {
	if slices.ContainsFunc(findings, func(f finding.Finding) bool { return f.Rule != provider.RuleProfileExtends }) {
		return v1alpha1.ReasonInvalidProfile
	}
	return v1alpha1.ReasonUnknownProfile
}

// announce records an event when a profile comes into force, or is refused for
// another reason than before.
func (r *ProfileReconciler) announce(before, after *v1alpha1.ProviderProfile) {
	is := meta.FindStatusCondition(after.Status.Conditions, v1alpha1.ConditionReady)
	was := meta.FindStatusCondition(before.Status.Conditions, v1alpha1.ConditionReady)
	if was != nil && was.Status == is.Status && was.Message == is.Message {
		return
	}
	kind, action := corev1.EventTypeNormal, "UseProfile"
	if is.Status != metav1.ConditionTrue {
		kind, action = corev1.EventTypeWarning, "RefuseProfile"
	}
	r.Recorder.Eventf(after, nil, kind, is.Reason, action, "%s", is.Message)
}
