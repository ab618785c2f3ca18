// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// The tests in this file are not parallel and therefore run before all others:
// they leave children with a dead owner lying about, and once a garbage
// collector runs, that is a race. withoutGarbageCollector says so if somebody
// runs the package's tests twice in one process.
func (w *world) withoutGarbageCollector() {
	w.Helper()
	if garbageIsCollected.Load() {
		w.Fatal("a garbage collector is running: run this test in a process of its own, without -count")
	}
}

// backUp takes everything out of the namespace and returns it as a backup tool
// would put it back: the contract, without the status if the tool keeps none,
// and its children, which name an owner that is gone.
func (w *world) backUp(name string, withStatus bool) (contract *v1alpha1.ToolContract, children []client.Object) {
	w.Helper()
	contract, children = w.contract(name), w.children()
	for _, object := range append(children, contract) {
		if err := admin.Delete(w.Context(), object); err != nil {
			w.Fatal(err)
		}
		object.SetResourceVersion("")
		object.SetUID("")
	}
	if !withStatus {
		contract.Status = v1alpha1.ToolContractStatus{}
	}
	return contract, children
}

// bringBack creates what backUp returned.
func (w *world) bringBack(contract *v1alpha1.ToolContract, children []client.Object) {
	w.Helper()
	for _, child := range children {
		w.create(child)
	}
	status := contract.Status
	w.create(contract)
	if status.ObservedGeneration == 0 {
		return
	}
	contract.Status = status
	if err := admin.Status().Update(w.Context(), contract); err != nil {
		w.Fatal(err)
	}
}

// TestARestoredContractAdoptsItsChildren brings a contract back from a backup
// while a change of it is refused. Every revision, rendering and channel, also
// of other lines, becomes its child again, with the same bytes, and the refused
// change stays refused: what was issued is not forgotten.
func TestARestoredContractAdoptsItsChildren(t *testing.T) {
	for name, withStatus := range map[string]bool{"with its status": true, "without its status": false} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.withoutGarbageCollector()
			stop := w.startOperator()
			w.publish(tool("find-order", "1.0.0", inputFirst))
			w.publish(tool("find-order", "1.1.0", inputAdded))
			w.publish(tool("find-order", "2.0.0", inputBroken))
			w.refuse(tool("find-order", "2.0.1", inputFirst), v1alpha1.ReasonMajorBumpRequired)
			w.eventually(w.complete)
			before := w.outcome()
			stop()

			w.bringBack(w.backUp("find-order", withStatus))
			w.startOperator()
			w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonMajorBumpRequired) })
			w.eventually(w.complete)
			w.restored(before)
		})
	}
}

// TestChildrenThatDoNotProveThemselvesAreNotAdopted restores children whose
// digest is not that of their content, or whose name is not. They are left
// alone, and the contract says that they are in the way.
func TestChildrenThatDoNotProveThemselvesAreNotAdopted(t *testing.T) {
	for name, test := range map[string]struct {
		spoil  func(client.Object) bool // reports whether it was this child's turn
		reason string
	}{
		"a channel with other data": {func(child client.Object) bool {
			cm, ok := child.(*corev1.ConfigMap)
			if ok = ok && cm.Name == "find-order-v1"; ok {
				cm.Data["contract.json"] = "{}"
			}
			return ok
		}, v1alpha1.ReasonNameConflict},
		"a rendering with other data": {func(child client.Object) bool {
			cm, ok := child.(*corev1.ConfigMap)
			if ok = ok && cm.Name != "find-order-v1"; ok {
				cm.Data["contract.json"] = "{}"
			}
			return ok
		}, v1alpha1.ReasonNameConflict},
		"a rendering that claims another digest": {func(child client.Object) bool {
			cm, ok := child.(*corev1.ConfigMap)
			if ok = ok && cm.Name != "find-order-v1"; ok {
				cm.Annotations[v1alpha1.AnnotationDigest] = "sha256:" + strings.Repeat("0", 64)
			}
			return ok
		}, v1alpha1.ReasonNameConflict},
		"a revision with another digest": {func(child client.Object) bool {
			revision, ok := child.(*v1alpha1.ToolRevision)
			if ok {
				revision.Spec.ContentDigest = "sha256:" + strings.Repeat("0", 64)
			}
			return ok
		}, v1alpha1.ReasonRevisionConflict},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.withoutGarbageCollector()
			stop := w.startOperator()
			w.publish(tool("find-order", "1.0.0", inputFirst))
			w.eventually(w.complete)
			stop()

			contract, children := w.backUp("find-order", false)
			var spoiled client.Object
			for _, child := range children {
				if test.spoil(child) {
					spoiled = child
				}
			}
			w.bringBack(contract, children)
			before := w.everything(spoiled)
			w.startOperator()
			w.eventually(func() error { return w.said("find-order", test.reason) })
			if _, ok := spoiled.(*v1alpha1.ToolRevision); ok {
				w.wantMismatch(spoiled.GetName(), spoiled.GetOwnerReferences())
				return
			}
			w.wantUnchanged(spoiled, before)
		})
	}
}

// wantMismatch wants a revision to say that it is not what it claims to be, and
// to have the owner that it had.
func (w *world) wantMismatch(name string, owners []metav1.OwnerReference) {
	w.Helper()
	w.eventually(func() error {
		for _, r := range w.revisions() {
			ready := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionReady)
			if r.Name == name && ready != nil && ready.Reason == v1alpha1.ReasonDigestMismatch {
				if diff := cmp.Diff(owners, r.OwnerReferences); diff != "" {
					w.Errorf("%s has another owner (-before +after):\n%s", name, diff)
				}
				return nil
			}
		}
		return fmt.Errorf("%s does not say %s", name, v1alpha1.ReasonDigestMismatch)
	})
}

// TestALivingOwnerIsNotReplaced: an object whose controller is another contract
// is that one's, whatever its labels say.
func TestALivingOwnerIsNotReplaced(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.publish(tool("other", "1.0.0", inputFirst))
	theirs := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: "find-order-v1", Labels: asOurs("find-order", v1alpha1.RoleChannel),
		OwnerReferences: []metav1.OwnerReference{
			*metav1.NewControllerRef(w.contract("other"), v1alpha1.GroupVersion.WithKind("ToolContract")),
		},
	}}
	w.create(theirs)
	before := w.everything(theirs)
	w.refuse(tool("find-order", "1.0.0", inputFirst), v1alpha1.ReasonNameConflict)
	w.wantUnchanged(theirs, before)
}
