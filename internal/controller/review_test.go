// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/contracts"
)

// reviewed are contracts of every kind, and wrong ones.
func reviewed(t *testing.T) map[string]*v1alpha1.ToolContract {
	t.Helper()
	out := map[string]*v1alpha1.ToolContract{}
	for _, c := range contracts.All(t) {
		out[c.Name] = c
	}
	wrong := func(name string, spoil func(*v1alpha1.ToolContractSpec)) {
		c := contracts.Read(t, "config/samples/get-order-status.yaml")
		spoil(&c.Spec)
		out[name] = c
	}
	wrong("no schema", func(s *v1alpha1.ToolContractSpec) {
		s.Input.Schema, s.Input.SchemaText = nil, `{"type":"object","properties":{"a":{"type":"strng"}}}`
	})
	wrong("unknown profiles", func(s *v1alpha1.ToolContractSpec) {
		s.Targets = []v1alpha1.Target{{Profile: "no-such"}, {Profile: "nor-this"}, {Profile: "mcp-2025-11-25"}}
	})
	wrong("refused and left out", func(s *v1alpha1.ToolContractSpec) {
		s.Input.Schema, s.Input.SchemaText = nil, `{"type":"object","properties":{"a":{"not":{"const":1}},"b":{"type":"string","minLength":2}},"additionalProperties":{"type":"string"}}`
		for i := range s.Targets {
			s.Targets[i].Strict = v1alpha1.StrictRequired
		}
		s.Targets[0].OnIncompatible = v1alpha1.IncompatibleExclude
	})
	wrong("an identity the model writes", func(s *v1alpha1.ToolContractSpec) {
		s.Input.Schema, s.Input.SessionParameters = nil, nil
		s.Input.SchemaText = `{"type":"object","properties":{"order_id":{"type":"string"},"tenant_id":{"type":"string"}},"required":["order_id"],"additionalProperties":false}`
		s.Input.Examples = nil
	})
	wrong("too large", func(s *v1alpha1.ToolContractSpec) {
		s.Description.Summary = strings.Repeat("A summary without end. ", 5000)
		s.Targets = nil
		for _, profile := range provider.Builtin().Names() {
			s.Targets = append(s.Targets, v1alpha1.Target{Profile: profile, OnIncompatible: v1alpha1.IncompatibleExclude})
		}
		s.Targets = s.Targets[:min(16, len(s.Targets))]
	})
	return out
}

// TestAReviewSaysWhatTheStatusWillSay: each condition that will not be met, in the
// same words, and each warning that the pipeline has, whoever shows it.
func TestAReviewSaysWhatTheStatusWillSay(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for name, c := range reviewed(t) {
		run := &contractRun{ContractReconciler: &ContractReconciler{}, contract: c, profiles: provider.Builtin()}
		run.evaluate()
		review := run.review()
		var want []metav1.Condition
		for _, condition := range run.verdicts(nil) {
			consequence := slices.Contains([]string{v1alpha1.ConditionReady, v1alpha1.ConditionStalled}, condition.Type) ||
				condition.Type == v1alpha1.ConditionPublished && condition.Reason != v1alpha1.ReasonTooLarge
			if condition.Status == metav1.ConditionFalse && !consequence {
				want = append(want, condition)
			}
		}
		byType := func(a, b metav1.Condition) int { return strings.Compare(a.Type, b.Type) }
		got := slices.SortedFunc(slices.Values(review.Conditions), byType)
		if diff := cmp.Diff(slices.SortedFunc(slices.Values(want), byType), got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		for _, c := range got {
			said[c.Reason] = true
		}

		e := evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, provider.Builtin())
		all := slices.Concat(e.Findings, e.Lint.Findings)
		for _, target := range e.Targets {
			all = append(all, target.Findings...)
		}
		warnings := []finding.Finding{}
		for _, f := range review.Warnings {
			warnings = append(warnings, f.Finding)
		}
		wanted := slices.DeleteFunc(all, func(f finding.Finding) bool { return f.Severity != finding.Warning })
		slices.SortFunc(wanted, finding.Compare)
		slices.SortFunc(warnings, finding.Compare)
		if diff := cmp.Diff(wanted, warnings); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for _, reason := range []string{
		v1alpha1.ReasonInvalidSchema, v1alpha1.ReasonUnknownProfile, v1alpha1.ReasonTargetsIncompatible, v1alpha1.ReasonLintErrors, v1alpha1.ReasonTooLarge,
	} {
		if !said[reason] {
			t.Errorf("no contract of the test is wrong for the reason %s", reason)
		}
	}
}
