// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// TestTheStatusOfAProfile goes through the states of a profile, each from the
// status of the one before, and each twice: the second time changes nothing.
func TestTheStatusOfAProfile(t *testing.T) {
	t.Parallel()
	problem := func(rule, pointer string) []finding.Finding {
		return []finding.Finding{{Rule: rule, Severity: finding.Error, Pointer: pointer, Message: "it is wrong", Fix: "correct it"}}
	}
	two := &v1alpha1.ProfileInForce{Revision: 2, Digest: "sha256:2", Facts: v1alpha1.JSONObject{Raw: []byte(`{}`)}}
	invalid := problem(provider.RuleProfileField, "/spec/toolName")
	object := &v1alpha1.ProviderProfile{ObjectMeta: metav1.ObjectMeta{Name: "house"}}
	for _, step := range []struct {
		name    string
		verdict evaluate.Profile
		want    []metav1.Condition
	}{
		{"never valid", evaluate.Profile{Findings: invalid}, []metav1.Condition{
			{Type: "Ready", Status: "False", Reason: "InvalidProfile"},
			{Type: "Valid", Status: "False", Reason: "InvalidProfile", Message: "/spec/toolName: it is wrong. Fix: correct it"},
			{Type: "Stalled", Status: "True", Reason: "InvalidProfile"},
		}},
		{"valid", evaluate.Profile{InForce: two}, []metav1.Condition{
			{Type: "Ready", Status: "True", Reason: "InForce", Message: "revision 2 is in force"},
			{Type: "Valid", Status: "True", Reason: "Valid", Message: "the facts are well-formed and complete"},
		}},
		{"its parent is gone", evaluate.Profile{InForce: two, Findings: problem(provider.RuleProfileExtends, "/spec/extends")}, []metav1.Condition{
			{Type: "Ready", Status: "False", Reason: "UnknownProfile", Message: "revision 2 stays in force, because the spec is not valid: /spec/extends: it is wrong. Fix: correct it"},
			{Type: "Valid", Status: "False", Reason: "UnknownProfile", Message: "/spec/extends: it is wrong. Fix: correct it"},
			{Type: "Stalled", Status: "True", Reason: "UnknownProfile", Message: "revision 2 stays in force, because the spec is not valid: /spec/extends: it is wrong. Fix: correct it"},
		}},
		{"and a fact is wrong", evaluate.Profile{InForce: two, Findings: append(problem(provider.RuleProfileExtends, "/spec/extends"), invalid...)}, []metav1.Condition{
			{Type: "Ready", Status: "False", Reason: "InvalidProfile"},
			{Type: "Valid", Status: "False", Reason: "InvalidProfile", Message: "/spec/extends: it is wrong. Fix: correct it; /spec/toolName: it is wrong. Fix: correct it"},
			{Type: "Stalled", Status: "True", Reason: "InvalidProfile"},
		}},
	} {
		object.Generation++
		var before v1alpha1.ProviderProfileStatus
		for range 2 {
			before, object.Status = object.Status, profileStatus(object, step.verdict, 3)
		}
		if diff := cmp.Diff(before, object.Status); diff != "" {
			t.Errorf("%s: the same verdict has two statuses:\n%s", step.name, diff)
		}
		want := v1alpha1.ProviderProfileStatus{
			ObservedGeneration: object.Generation, Conditions: step.want, InForce: step.verdict.InForce, UsedBy: new(int32(3)),
		}
		got := object.Status.DeepCopy()
		for i := range step.want {
			step.want[i].ObservedGeneration = object.Generation
			if step.want[i].Message == "" && i < len(got.Conditions) {
				got.Conditions[i].Message = ""
			}
		}
		byType := cmpopts.SortSlices(func(a, b metav1.Condition) bool { return a.Type < b.Type })
		if diff := cmp.Diff(want, *got, byType, cmpopts.IgnoreFields(metav1.Condition{}, "LastTransitionTime", "Message"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
		for _, c := range step.want {
			if is := conditionOf(object.Status.Conditions, c.Type); c.Message != "" && is.Message != c.Message {
				t.Errorf("%s: %s says %q, want %q", step.name, c.Type, is.Message, c.Message)
			}
		}
	}
}

func conditionOf(all []metav1.Condition, kind string) metav1.Condition {
	for _, c := range all {
		if c.Type == kind {
			return c
		}
	}
	return metav1.Condition{}
}

// TestTheMessagesOfAProfileAreBounded, whatever is wrong with it.
func TestTheMessagesOfAProfileAreBounded(t *testing.T) {
	t.Parallel()
	findings := make([]finding.Finding, 1000)
	for i := range findings {
		findings[i] = finding.Finding{
			Rule: provider.RuleProfileField, Severity: finding.Error,
			Pointer: "/spec/" + strings.Repeat("退", 500), Message: strings.Repeat("m", 5000), Fix: strings.Repeat("f", 5000),
		}
	}
	object := &v1alpha1.ProviderProfile{ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("n", 63)}}
	for _, c := range profileStatus(object, evaluate.Profile{Findings: findings}, 0).Conditions {
		if len(c.Message) > maxMessage {
			t.Errorf("%s has a message of %d bytes", c.Type, len(c.Message))
		}
	}
}
