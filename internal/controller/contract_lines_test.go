// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
)

// served is a contract with a few targets, as it was evaluated and published.
func served(t *testing.T, targets ...v1alpha1.Target) (*v1alpha1.ToolContract, *evaluate.Evaluation) {
	t.Helper()
	c := &v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "find-order", UID: "uid", Generation: 1},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{
				Version: "1.0.0", ToolName: "find_order", Description: v1alpha1.Description{Summary: "Finds an order."},
				Input: v1alpha1.Input{SchemaText: `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"],"additionalProperties":false}`},
			},
			Targets: targets,
		},
	}
	e := evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, provider.Builtin())
	if !e.Publishable() {
		t.Fatalf("the contract is refused: %v", e.Blocking())
	}
	return c, e
}

// TestACachedConfigMapSaysHowItWasMade: the delivery that a line is rendered
// with again is exactly that of its publication, whether its bytes come from the
// cache or from the API server.
func TestACachedConfigMapSaysHowItWasMade(t *testing.T) {
	t.Parallel()
	targets := []v1alpha1.Target{
		{Profile: "openai-responses", Models: []string{"gpt-5*", "gpt-4.1"}, Strict: v1alpha1.StrictRequired, Adaptation: v1alpha1.EffectKeep},
		{Profile: "anthropic-messages", Strict: v1alpha1.StrictDisabled, Examples: v1alpha1.ExamplesOmit},
		{Profile: "mcp-2025-11-25", Strict: v1alpha1.StrictPreferred},
	}
	c, e := served(t, targets...)
	cm := newRendering(c, e)
	want := delivery{ContentDigest: e.Digest, Targets: targets}
	if diff := cmp.Diff(want, deliveryOf(cm)); diff != "" {
		t.Errorf("with its data (-want +got):\n%s", diff)
	}
	digest := dataDigest(cm)
	for range 2 {
		if _, err := stripData(cm); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, deliveryOf(cm)); diff != "" || dataDigest(cm) != digest {
			t.Errorf("in the cache (-want +got):\n%s", diff)
		}
	}
	for name, data := range map[string]map[string]string{
		"nothing": nil, "no JSON": {"contract.json": "x"}, "another form": {"contract.json": `{"targets":[{"profile":"p"}]}`},
		"an edited cache": {digestKey: "sha256:0", deliveryKey: "["},
	} {
		if got := deliveryOf(&corev1.ConfigMap{Data: data}); len(got.Targets) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestRenderingAgainWithTheSameProfilesIsTheSame: otherwise a restart would move
// what nobody touched.
func TestRenderingAgainWithTheSameProfilesIsTheSame(t *testing.T) {
	t.Parallel()
	c, e := served(t,
		v1alpha1.Target{Profile: "openai-responses", Strict: v1alpha1.StrictRequired},
		v1alpha1.Target{Profile: "anthropic-messages"},
		v1alpha1.Target{Profile: "nobody", OnIncompatible: v1alpha1.IncompatibleExclude})
	made := deliveryOf(newRendering(c, e))
	again := evaluate.Line(c.Name, e.Content, made.Targets, evaluate.Served{}, provider.Builtin())
	if again.Bundle == nil || again.Bundle.Digest != e.Bundle.Digest {
		t.Errorf("other bytes: %v", again.Blocking())
	}
	if diff := cmp.Diff(newRendering(c, e), newRendering(c, again)); diff != "" {
		t.Errorf("another ConfigMap (-first +again):\n%s", diff)
	}
}

// TestTheMessageAboutLinesIsBounded and names the way out before what is wrong.
func TestTheMessageAboutLinesIsBounded(t *testing.T) {
	t.Parallel()
	c, e := served(t, v1alpha1.Target{Profile: "openai-responses"})
	run := &contractRun{contract: c, evaluation: e}
	for line := range 5 {
		refused := evaluate.Line(c.Name, e.Content, []v1alpha1.Target{{Profile: "gone"}}, evaluate.Served{}, provider.Builtin())
		run.refused = append(run.refused, refusedLine{fmt.Sprint(line), fmt.Sprintf("%d.0.0", line), refused})
	}
	is := run.providersCompatible()
	if is.Status != metav1.ConditionFalse || is.Reason != v1alpha1.ReasonServedIncompatible || len(is.Message) > maxMessage || !met(is) {
		t.Errorf("%s/%s with %d bytes", is.Status, is.Reason, len(is.Message))
	}
	if want := "line 0 goes on serving 0.0.0, which would not be published now (publish a version of the line that its targets take, " +
		"or correct the profile): gone: /spec/targets/gone/profile: there is no profile \"gone\""; !strings.HasPrefix(is.Message, want) {
		t.Errorf("the message is %s\nwant it to begin with %s", is.Message, want)
	}
	if text := refusedMessage(run.refused); !strings.HasSuffix(text, "and 2 more lines") {
		t.Errorf("the lines are not counted: %s", text)
	}
}

func TestRevisionsThatSayTheSameAreNoNews(t *testing.T) {
	t.Parallel()
	was := v1alpha1.TargetStatus{Profile: "p", Compatible: v1alpha1.CompatibleYes, Digest: "sha256:1", ProfileRevision: 2}
	for name, test := range map[string]struct {
		now  v1alpha1.TargetStatus
		want int32
	}{
		"the same":       {v1alpha1.TargetStatus{Profile: "p", Compatible: v1alpha1.CompatibleYes, Digest: "sha256:1", ProfileRevision: 5}, 2},
		"other bytes":    {v1alpha1.TargetStatus{Profile: "p", Compatible: v1alpha1.CompatibleYes, Digest: "sha256:2", ProfileRevision: 5}, 5},
		"another target": {v1alpha1.TargetStatus{Profile: "q", Compatible: v1alpha1.CompatibleYes, Digest: "sha256:1", ProfileRevision: 5}, 5},
		"no profile":     {v1alpha1.TargetStatus{Profile: "p", Compatible: v1alpha1.CompatibleYes, Digest: "sha256:1"}, 0},
	} {
		if got := sinceRevision(test.now, []v1alpha1.TargetStatus{was}).ProfileRevision; got != test.want {
			t.Errorf("%s: revision %d, want %d", name, got, test.want)
		}
	}
	for _, test := range []struct {
		old, now string
		want     bool
	}{
		{"a=1,b=2", "a=1,b=2", true},
		{"a=1,b=2", "a=7,b=3", true},
		{"", "a=1", false},
		{"a=1", "", false},
		{"a=1", "a=1,b=2", false},
		{"a=1,c=2", "a=1,b=2", false},
		{"a=x", "a=1", false},
		{"a=-1", "a=1", false},
		{"a", "a=1", false},
		{"a=1,b=2", "b=2,a=1", false},
	} {
		if got := saysOfTheSame(test.old, test.now); got != test.want {
			t.Errorf("%q and %q: %t, want %t", test.old, test.now, got, test.want)
		}
	}
}
