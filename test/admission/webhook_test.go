// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// Input schemas, closed, so that the effect of every change between them is proved.
const (
	inputFirst = `{"type":"object","properties":{"order":{"type":"string","description":"The order."}},"required":["order"],"additionalProperties":false}`
	// inputBroken refuses every value that inputFirst admits.
	inputBroken = `{"type":"object","properties":{"order":{"type":"integer","description":"The order."}},"required":["order"],"additionalProperties":false}`
	// inputInvalid is no schema.
	inputInvalid = `{"type":"object","properties":{"order":{"type":"strng"}}}`
)

// tool is a contract about which nothing is to be said.
func tool(version, input string) *v1alpha1.ToolContract {
	return &v1alpha1.ToolContract{
		TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract"},
		ObjectMeta: metav1.ObjectMeta{Name: "find-order"},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{
				Version: version, ToolName: "find_order",
				Description: v1alpha1.Description{Summary: "Finds an order. Changes nothing."},
				Input:       v1alpha1.Input{SchemaText: input},
			},
			Targets: []v1alpha1.Target{{Profile: "openai-responses"}},
		},
	}
}

// manifest is a contract for kubectl. Nothing is to be said about it but what its
// version and input are to blame for.
func manifest(version, input string) string {
	return fmt.Sprintf(`apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: find-order}
spec:
  version: %s
  toolName: find_order
  description:
    summary: Finds one order of the signed-in customer by its number.
    useWhen: Use it when somebody asks about one order and its number is known.
    doNotUseWhen: Do not use it to list orders or to change one.
    returns: Returns the number of the order and where it is.
    sideEffects: It only reads, and may be called again.
    failures: When no order is found, ask for the number again.
  input: {schemaText: '%s'}
  output:
    schema:
      type: object
      properties: {place: {type: string, description: Where the order is.}}
      required: [place]
      additionalProperties: false
    errors: [{code: ORDER_NOT_FOUND, category: NotFound, recovery: AskUser, safeMessage: There is no such order.}]
  execution:
    location: Application
    credentials: order-service
    authorization: order-service
    sideEffect: None
    reach: Closed
    risk: Low
    timeoutSeconds: 5
    approval: None
    idempotency: {mode: Idempotent}
    dataClassification: Internal
  targets: [{profile: openai-responses}]
`, version, input)
}

// dryRun asks the API server what it would say, and writes nothing.
func (w *world) dryRun(c *v1alpha1.ToolContract) error {
	c = c.DeepCopy()
	c.Namespace = w.namespace
	return admin.Create(w.Context(), c, client.DryRunAll)
}

// answered waits until the webhook of a configuration that refuses has answered once.
func (w *world) answered() {
	w.Helper()
	w.eventually(func() error {
		if w.dryRun(tool("1.0.0", inputInvalid)) == nil {
			return errors.New("the webhook does not refuse a contract that is not valid")
		}
		return nil
	})
}

// warned waits until kubectl prints warnings about a manifest that would be taken.
func (w *world) warned(manifest string) string {
	w.Helper()
	var out string
	w.eventually(func() error {
		if out = w.apply(manifest, "--dry-run=server"); !strings.Contains(out, "Warning: ") {
			return fmt.Errorf("kubectl printed no warning: %s", out)
		}
		return nil
	})
	return out
}

// published waits until the operator has published what a contract says.
func (w *world) published() {
	w.Helper()
	w.eventually(func() error {
		var c v1alpha1.ToolContract
		if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: "find-order"}, &c); err != nil {
			return err
		}
		if c.Status.ObservedGeneration != c.Generation || !meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ConditionReady) {
			return fmt.Errorf("it is not published: %+v", c.Status.Conditions)
		}
		return nil
	})
}

// message is what a condition of the contract says after the operator has looked.
func (w *world) message(condition string) string {
	w.Helper()
	var message string
	w.eventually(func() error {
		var c v1alpha1.ToolContract
		if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: "find-order"}, &c); err != nil {
			return err
		}
		is := meta.FindStatusCondition(c.Status.Conditions, condition)
		if c.Status.ObservedGeneration != c.Generation || is == nil {
			return errors.New("the operator has not looked yet")
		}
		message = is.Message
		return nil
	})
	return message
}

// TestKubectlPrintsWhatTheOperatorWillSay: before anything is written, and in the
// words that the status has afterwards.
func TestKubectlPrintsWhatTheOperatorWillSay(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	invalid := w.warned(manifest("1.0.0", inputInvalid))
	if !strings.Contains(invalid, "Warning: ToolContract find-order: SchemaValid will not be True (InvalidSchema): input schema /properties/order/type") {
		t.Errorf("a dry run says: %s", invalid)
	}
	if out := w.apply(manifest("1.0.0", inputInvalid)); out != strings.Replace(invalid, " (server dry run)", "", 1) {
		t.Errorf("applied, kubectl prints %s; the dry run printed %s", out, invalid)
	}
	if said := w.message(v1alpha1.ConditionSchemaValid); !strings.Contains(invalid, said) {
		t.Errorf("the condition says %q, kubectl printed %s", said, invalid)
	}
	if out := w.apply(manifest("1.0.0", inputFirst)); strings.Contains(out, "Warning") {
		t.Errorf("about a contract that is well: %s", out)
	}
	w.published()
	breaking := w.apply(manifest("1.0.1", inputBroken))
	if !strings.Contains(breaking, "VersionAccepted will not be True (MajorBumpRequired)") || !strings.Contains(breaking, "Example accepted by 1.0.0") {
		t.Errorf("a breaking change: %s", breaking)
	}
	if said := w.message(v1alpha1.ConditionVersionAccepted); !strings.Contains(breaking, said) {
		t.Errorf("the condition says %q, kubectl printed %s", said, breaking)
	}
	if out, err := w.kubectl("", "label", "toolcontract", "find-order", "team=orders"); err != nil || strings.Contains(out, "Warning") {
		t.Errorf("a label: %v: %s", err, out)
	}
}

// TestSetsAreWarnedAbout: a set of which nothing is published.
func TestSetsAreWarnedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t, enforced)
	out := w.warned(`apiVersion: toolcontract.dev/v1alpha1
kind: ToolSet
metadata: {name: desk}
spec:
  tools: [{contract: nowhere, channel: "1"}]
  profiles: [{profile: openai-responses}]
`)
	if !strings.Contains(out, "Warning: ToolSet desk: ResolvedRefs will not be True (NotFound): ") || !strings.Contains(out, "/spec/tools/0") {
		t.Errorf("kubectl printed %s", out)
	}
}

// TestANamespaceAsksForRefusals: only where it does, only for what is wrong by
// itself, and in the words of the conditions.
func TestANamespaceAsksForRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, enforced)
	w.answered()
	out, err := w.kubectl(manifest("1.0.0", inputInvalid), "apply", "-f", "-")
	if err == nil || !strings.Contains(out, "InvalidSchema: input schema /properties/order/type") || !strings.Contains(out, "Fix: ") || strings.Contains(out, "Warning: ") {
		t.Errorf("a schema that is none: %v: %s", err, out)
	}
	if out := w.apply(manifest("1.0.0", inputFirst)); strings.Contains(out, "Warning") {
		t.Errorf("about a contract that is well: %s", out)
	}
	w.published()
	w.eventually(func() error { // the cache that the webhook reads may be behind
		out, err = w.kubectl(manifest("1.0.1", inputBroken), "apply", "-f", "-", "--dry-run=server")
		if err == nil {
			return fmt.Errorf("a breaking change goes through: %s", out)
		}
		return nil
	})
	if !strings.Contains(out, "MajorBumpRequired: /spec/version: 1.0.1 is a Patch bump over 1.0.0") || !strings.Contains(out, "Example accepted by 1.0.0") {
		t.Errorf("a breaking change: %s", out)
	}
	if out, err := w.kubectl(manifest("1.0.0", inputBroken), "apply", "-f", "-"); err == nil || !strings.Contains(out, "RevisionConflict") {
		t.Errorf("a version with other content: %v: %s", err, out)
	}
	unknown := strings.Replace(manifest("1.0.1", inputFirst), "openai-responses", "no-such-profile", 1)
	if out := w.apply(unknown, "--dry-run=server"); !strings.Contains(out, "Warning: ToolContract find-order: ProvidersCompatible will not be True") {
		t.Errorf("targets are not the author's mistake alone, and are warned about: %s", out)
	}
	if out := w.apply(manifest("2.0.0", inputBroken)); strings.Contains(out, "Warning") {
		t.Errorf("a breaking change under a new line: %s", out)
	}
}

// TestWhatIsStoredCanAlwaysBeLetGo: a contract that would be refused now, because it
// came before the label, takes labels and finalizers and can be deleted.
func TestWhatIsStoredCanAlwaysBeLetGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.apply(manifest("1.0.0", inputInvalid))
	if out, err := kubectl(t.Context(), "", "label", "namespace", w.namespace, "toolcontract.dev/admission=enforce"); err != nil {
		t.Fatal(out)
	}
	w.eventually(func() error {
		c := tool("1.0.0", inputInvalid)
		c.Name = "another"
		if w.dryRun(c) == nil {
			return errors.New("the label is not seen yet")
		}
		return nil
	})
	for _, args := range [][]string{
		{"label", "toolcontract", "find-order", "team=orders"},
		{"annotate", "toolcontract", "find-order", "note=old"},
		{"patch", "toolcontract", "find-order", "--type=merge", "-p", `{"metadata":{"finalizers":["example.com/wait"]}}`},
		{"delete", "toolcontract", "find-order", "--wait=false"},
		{"patch", "toolcontract", "find-order", "--type=merge", "-p", `{"metadata":{"finalizers":null}}`},
	} {
		if out, err := w.kubectl("", args...); err != nil {
			t.Errorf("kubectl %v: %v: %s", args, err, out)
		}
	}
	var c v1alpha1.ToolContract
	if err := admin.Get(t.Context(), client.ObjectKey{Namespace: w.namespace, Name: "find-order"}, &c); !apierrors.IsNotFound(err) {
		t.Errorf("the contract is still there: %v", err)
	}
}
