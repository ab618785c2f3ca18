// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// Input schemas of the tool that most tests use: closed, so that the effect of
// every change between them can be proved.
const (
	inputFirst = `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"],"additionalProperties":false}`
	// inputAdded has one more optional property: a minor change.
	inputAdded = `{"type":"object","properties":{"order":{"type":"string"},"note":{"type":"string"}},"required":["order"],"additionalProperties":false}`
	// inputBroken refuses every value that inputFirst admits.
	inputBroken = `{"type":"object","properties":{"order":{"type":"integer"}},"required":["order"],"additionalProperties":false}`
)

// tool is a contract with an input schema and two targets.
func tool(name, version, input string) *v1alpha1.ToolContract {
	return &v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: v1alpha1.ToolContractSpec{
			ToolContent: v1alpha1.ToolContent{
				Version: version, ToolName: "find_order",
				Description: v1alpha1.Description{Summary: "Finds an order. Changes nothing."},
				Input:       v1alpha1.Input{SchemaText: input},
			},
			Targets: []v1alpha1.Target{
				{Profile: "openai-responses"},
				{Profile: "anthropic-messages", Strict: v1alpha1.StrictDisabled},
			},
		},
	}
}

// described is the tool with another summary: a patch.
func described(name, version, summary string) *v1alpha1.ToolContract {
	c := tool(name, version, inputFirst)
	c.Spec.Description.Summary = inLetters(summary)
	return c
}

// digits become letters that are no unit of measure either.
var digits = strings.NewReplacer("0", "xa", "1", "xb", "2", "xc", "3", "xd", "4", "xe", "5", "xf", "6", "xg", "7", "xh", "8", "xi", "9", "xj")

// inLetters spells digits in letters: another number in a text would be a minor
// change, because it may promise something else.
func inLetters(text string) string {
	return digits.Replace(text)
}

// put gives a contract this spec or creates it, as the administrator. It is
// quicker than kubectl.
func (w *world) put(c *v1alpha1.ToolContract) {
	w.Helper()
	err := w.edit(&v1alpha1.ToolContract{}, c.Name, func(have client.Object) {
		have.(*v1alpha1.ToolContract).Spec = c.Spec
	})
	if apierrors.IsNotFound(err) {
		w.create(c.DeepCopy())
		return
	}
	if err != nil {
		w.Fatal(err)
	}
}

// edit changes an object as the administrator, whoever writes at the same
// time.
func (w *world) edit(object client.Object, name string, change func(client.Object)) error {
	key := client.ObjectKey{Namespace: w.namespace, Name: name}
	for {
		if err := admin.Get(w.Context(), key, object); err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		change(object)
		if err := admin.Update(w.Context(), object); !apierrors.IsConflict(err) {
			return err
		}
	}
}

// mustEdit is edit for a change that has to succeed.
func (w *world) mustEdit(object client.Object, name string, change func(client.Object)) {
	w.Helper()
	if err := w.edit(object, name, change); err != nil {
		w.Fatal(err)
	}
}

// publish applies a contract and waits until it is ready.
func (w *world) publish(c *v1alpha1.ToolContract) *v1alpha1.ToolContract {
	w.Helper()
	w.put(c)
	got := w.settled(c.Name)
	w.wantCondition(got, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	return got
}

// refuse applies a contract and waits until it is refused for this reason.
func (w *world) refuse(c *v1alpha1.ToolContract, reason string) *v1alpha1.ToolContract {
	w.Helper()
	w.put(c)
	got := w.settled(c.Name)
	w.wantCondition(got, v1alpha1.ConditionReady, metav1.ConditionFalse, reason)
	return got
}
