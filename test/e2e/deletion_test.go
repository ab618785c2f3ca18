// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestADeletedContractTakesItsChildrenAlong deletes one of two contracts.
// Everything of it goes, by garbage collection alone, and the other one stays.
// An operator that sees a child go before it sees the contract go may put the
// child back, with the owner that is gone: that one goes too.
func TestADeletedContractTakesItsChildrenAlong(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector()
	w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	w.publish(tool("find-order", "2.0.0", inputBroken))
	w.publish(tool("find-order-v1", "1.0.0", inputFirst)) // a name that looks like a channel of the other
	w.eventually(w.complete)

	w.deleteContract("find-order")
	w.eventually(func() error {
		var left []error
		for _, child := range w.children() {
			if child.GetLabels()[v1alpha1.LabelContract] == "find-order" {
				left = append(left, fmt.Errorf("%s is left", child.GetName()))
			}
		}
		return errors.Join(left...)
	})
	w.wantPublished(w.contract("find-order-v1"), tool("find-order-v1", "1.0.0", inputFirst))

	// The name is free again, for any content.
	w.publish(tool("find-order", "1.0.0", inputBroken))
}

// TestANamespaceIsDeletedWithoutTheOperator deletes a namespace full of
// contracts while no operator runs. Nothing holds it: there is no finalizer.
func TestANamespaceIsDeletedWithoutTheOperator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector()
	stop := w.startOperator()
	w.settle()
	stop()
	for _, child := range w.children() {
		if len(child.GetFinalizers()) > 0 {
			t.Errorf("%s has finalizers %v", child.GetName(), child.GetFinalizers())
		}
	}
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	if err := admin.Delete(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	w.eventually(func() error { return w.gone(namespace) })
}

// TestANamespaceIsDeletedUnderTheOperator does the same while the operator
// works in it. It neither hinders the deletion nor makes a noise.
func TestANamespaceIsDeletedUnderTheOperator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector()
	w.startOperator()
	w.settle()
	before, children := len(w.writes()), len(w.children())
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: w.namespace}}
	if err := admin.Delete(t.Context(), namespace); err != nil {
		t.Fatal(err)
	}
	w.eventually(func() error { return w.gone(namespace) })
	if wrote := len(w.writes()) - before; wrote > 3*children { // a loop would write a hundred times as much
		t.Errorf("the operator wrote %d times in a namespace that was going away with %d children", wrote, children)
	}
}
