// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// cached stands for a cache that does not hold ProviderProfiles.
type cached struct {
	client.Reader
	contracts  []v1alpha1.ToolContract
	revisions  []v1alpha1.ToolRevision
	sets       []v1alpha1.ToolSet
	configMaps []corev1.ConfigMap
}

var errNotCached = errors.New("not in the cache")

func (c cached) List(_ context.Context, list client.ObjectList, _ ...client.ListOption) error {
	switch list := list.(type) {
	case *v1alpha1.ToolContractList:
		list.Items = c.contracts
	case *v1alpha1.ToolRevisionList:
		list.Items = c.revisions
	case *v1alpha1.ToolSetList:
		list.Items = c.sets
	case *corev1.ConfigMapList:
		list.Items = c.configMaps
	default:
		return errNotCached
	}
	return nil
}

func TestStateMetrics(t *testing.T) {
	t.Parallel()
	at := func(namespace string, generation int64, labels map[string]string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: namespace, Generation: generation, Labels: labels}
	}
	ready := func(status metav1.ConditionStatus, reason string) []metav1.Condition {
		return []metav1.Condition{{Type: v1alpha1.ConditionReady, Status: status, Reason: reason}}
	}
	target := func(profile string) v1alpha1.Target { return v1alpha1.Target{Profile: profile} }
	contracts := []v1alpha1.ToolContract{
		{
			ObjectMeta: at("a", 2, nil),
			Spec:       v1alpha1.ToolContractSpec{Targets: []v1alpha1.Target{target("openai-responses"), target("typo")}},
			Status: v1alpha1.ToolContractStatus{
				ObservedGeneration: 2, Conditions: ready(metav1.ConditionFalse, v1alpha1.ReasonUnknownProfile),
				Targets: []v1alpha1.TargetStatus{
					{Profile: "openai-responses", Compatible: v1alpha1.CompatibleYes, Strict: v1alpha1.OutcomeStrict},
					{Profile: "typo", Compatible: v1alpha1.CompatibleNo, Strict: v1alpha1.OutcomeNone},
				},
				Lint: &v1alpha1.LintStatus{Errors: 1, Warnings: 2},
			},
		},
		{
			ObjectMeta: at("a", 3, nil), // edited since it was looked at
			Spec:       v1alpha1.ToolContractSpec{Targets: []v1alpha1.Target{target("openai-responses")}},
			Status: v1alpha1.ToolContractStatus{
				ObservedGeneration: 2, Conditions: ready(metav1.ConditionTrue, v1alpha1.ReasonPublished),
				Targets: []v1alpha1.TargetStatus{{Profile: "openai-responses", Compatible: v1alpha1.CompatibleYes, Strict: v1alpha1.OutcomeStrict}},
			},
		},
		{ObjectMeta: at("b", 1, nil), Status: v1alpha1.ToolContractStatus{ObservedGeneration: -1}}, // just created
	}
	budget := func(of int32) v1alpha1.SetProfile {
		return v1alpha1.SetProfile{Profile: "openai-responses", TokenBudget: &of}
	}
	set := func(tokens int32, spec v1alpha1.SetProfile) v1alpha1.ToolSet {
		return v1alpha1.ToolSet{
			ObjectMeta: at("a", 1, nil), Spec: v1alpha1.ToolSetSpec{Profiles: []v1alpha1.SetProfile{spec}},
			Status: v1alpha1.ToolSetStatus{
				ObservedGeneration: 1, Conditions: ready(metav1.ConditionTrue, v1alpha1.ReasonPublished),
				Profiles: []v1alpha1.SetProfileStatus{{Profile: "openai-responses", Tools: 3, Wanted: 5, Tokens: tokens}},
			},
		}
	}
	profiles := NewProfilesInUse()
	elected := make(chan struct{})
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(StateMetrics{Elected: elected, Profiles: profiles, Cache: cached{
		contracts: contracts,
		revisions: []v1alpha1.ToolRevision{{ObjectMeta: at("a", 1, nil), Status: v1alpha1.ToolRevisionStatus{
			ObservedGeneration: 1, Conditions: ready(metav1.ConditionTrue, v1alpha1.ReasonVerified),
		}}},
		sets: []v1alpha1.ToolSet{set(50, budget(100)), set(300, budget(200)), set(9, v1alpha1.SetProfile{Profile: "openai-responses"})},
		configMaps: []corev1.ConfigMap{
			{ObjectMeta: at("a", 0, map[string]string{v1alpha1.LabelRole: v1alpha1.RoleChannel})},
			{ObjectMeta: at("a", 0, map[string]string{v1alpha1.LabelRole: "made up"})},
		},
	}}); err != nil {
		t.Fatal(err)
	}
	profiles.Use(withProfiles(t, map[string]string{"house": revisionTwo}))
	if got := gathered(t, registry); len(got) > 0 {
		t.Errorf("a standby replica shows %v", got)
	}
	close(elected)
	want := []string{
		"toolcontract_configmaps namespace=a role=channel 1",
		"toolcontract_contract_targets compatible=No profile=(unknown) strict=None 1",
		"toolcontract_contract_targets compatible=Unknown profile=openai-responses strict=None 1",
		"toolcontract_contract_targets compatible=Yes profile=openai-responses strict=Strict 1",
		"toolcontract_contracts namespace=a ready=False reason=UnknownProfile 1",
		"toolcontract_contracts namespace=a ready=Unknown reason=NotObserved 1",
		"toolcontract_contracts namespace=b ready=Unknown reason=NotObserved 1",
		"toolcontract_lint_findings namespace=a severity=Error 1",
		"toolcontract_lint_findings namespace=a severity=Warning 2",
		"toolcontract_revisions namespace=a ready=True reason=Verified 1",
		"toolcontract_set_token_budget_used_ratio namespace=a profile=openai-responses 1.5",
		"toolcontract_set_tools_missing namespace=a profile=openai-responses 6",
		"toolcontract_sets namespace=a ready=True reason=Published 3",
	}
	if diff := cmp.Diff(want, gathered(t, registry)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
