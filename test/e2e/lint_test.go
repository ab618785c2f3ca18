// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestLintIsToldAndBlocksNothing: a contract with an error of lint is published,
// its status says what was found, and an acknowledgement turns Linted without a
// new version and without a write to what is served.
func TestLintIsToldAndBlocksNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	text := readFile(t, repository("config/samples/get-inventory.yaml"))

	w.apply(text)
	c := w.settled("get-inventory")
	w.wantCondition(c, v1alpha1.ConditionLinted, metav1.ConditionTrue, v1alpha1.ReasonLintPassed)
	if c.Status.Lint != nil {
		t.Errorf("the sample has findings: %+v", c.Status.Lint)
	}

	wrong := strings.Replace(text, "version: 1.0.0", "version: 1.1.0", 1)
	wrong = strings.Replace(wrong, "properties:\n        sku:", // those of the input come first
		"properties:\n        tenant_id: {type: string, maxLength: 9, description: The tenant that the user named.}\n        sku:", 1)
	w.apply(wrong)
	c = w.settled("get-inventory")
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	linted := w.wantCondition(c, v1alpha1.ConditionLinted, metav1.ConditionFalse, v1alpha1.ReasonLintErrors)
	if lint := c.Status.Lint; lint == nil || lint.Errors != 1 || lint.Findings[0].Rule != "identity-parameter" ||
		lint.Findings[0].Pointer != "/properties/tenant_id" || !strings.Contains(linted.Message, "/properties/tenant_id") {
		t.Fatalf("got %+v and %q", lint, linted.Message)
	}
	served := w.configMap("get-inventory-v1")

	w.apply(strings.Replace(wrong, "spec:\n", "spec:\n  acknowledge:\n  - {rule: identity-parameter, path: /properties/tenant_id, reason: Used by support staff.}\n", 1))
	c = w.settled("get-inventory")
	w.wantCondition(c, v1alpha1.ConditionLinted, metav1.ConditionTrue, v1alpha1.ReasonLintPassed)
	if lint := c.Status.Lint; lint == nil || lint.Errors != 0 || lint.Acknowledged != 1 {
		t.Errorf("got %+v", lint)
	}
	if now := w.configMap("get-inventory-v1"); now.ResourceVersion != served.ResourceVersion {
		t.Error("what is served was written again")
	}
}
