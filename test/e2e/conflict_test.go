// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/operator"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
)

// garbageIsCollected is set as soon as a garbage collector may run.
var garbageIsCollected atomic.Bool

// collectGarbage runs the garbage collector for the rest of the package.
var collectGarbage = sync.OnceValue(func() error {
	garbageIsCollected.Store(true)
	return plane.StartControllerManager(context.Background(), "clusterrole-aggregation-controller")
})

// withGarbageCollector makes sure that dependents of deleted owners go.
func (w *world) withGarbageCollector() {
	w.Helper()
	if err := collectGarbage(); err != nil {
		w.Fatal(err)
	}
}

// renderingName is the name of the immutable ConfigMap of a contract.
func renderingName(t *testing.T, c *v1alpha1.ToolContract) string {
	t.Helper()
	e := evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, provider.Builtin())
	if e.Bundle == nil {
		t.Fatalf("%s: nothing to publish: %v", c.Name, e.Blocking())
	}
	return publish.RenderingName(c.Name, e.Content.Version, e.Bundle.Digest)
}

// asOurs are the labels of the operator's own children.
func asOurs(contract, role string) map[string]string {
	return map[string]string{
		v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelContract: contract,
		v1alpha1.LabelRole: role, v1alpha1.LabelVersion: "1.0.0", v1alpha1.LabelLine: "1",
	}
}

// TestForeignObjectsSurvive puts an object of somebody else where a child of a
// contract wants to be. It stays as it is to the last byte of its metadata, also
// after the contract is deleted; no version is used up; and when it has gone the
// contract is published without anybody's help.
func TestForeignObjectsSurvive(t *testing.T) {
	t.Parallel()
	c := tool("find-order", "1.0.0", inputFirst)
	rendering := renderingName(t, c)
	configMap := func(name string, labels map[string]string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Data: map[string]string{"mine": "1"}}
	}
	revision := func(labels map[string]string) *v1alpha1.ToolRevision {
		return &v1alpha1.ToolRevision{
			ObjectMeta: metav1.ObjectMeta{Name: "find-order-v1.0.0", Labels: labels},
			Spec: v1alpha1.ToolRevisionSpec{
				ContractRef: v1alpha1.ContractReference{Name: c.Name}, Content: c.Spec.ToolContent,
				ContentDigest: "sha256:" + strings.Repeat("0", 64), CheckerVersion: "somebody",
			},
		}
	}
	ownedByAnother := configMap("find-order-v1", asOurs(c.Name, v1alpha1.RoleChannel))
	ownedByAnother.OwnerReferences = []metav1.OwnerReference{{
		APIVersion: "v1", Kind: "ConfigMap", Name: "somebody", Controller: new(true),
	}}
	for name, test := range map[string]struct {
		foreign   client.Object
		condition string
		reason    string
		// reported: it says itself, in its status, that it is not used.
		reported bool
	}{
		"a ConfigMap with the channel's name": {
			configMap("find-order-v1", nil), v1alpha1.ConditionPublished, v1alpha1.ReasonNameConflict, false,
		},
		"a ConfigMap with the rendering's name": {
			configMap(rendering, nil), v1alpha1.ConditionPublished, v1alpha1.ReasonNameConflict, false,
		},
		"a ConfigMap with the channel's name and labels but no owner": {
			configMap("find-order-v1", asOurs(c.Name, v1alpha1.RoleChannel)), v1alpha1.ConditionPublished, v1alpha1.ReasonNameConflict, false,
		},
		"a ConfigMap with the rendering's name and labels but no owner": {
			configMap(rendering, asOurs(c.Name, v1alpha1.RoleRendering)), v1alpha1.ConditionPublished, v1alpha1.ReasonNameConflict, false,
		},
		"a ConfigMap with the channel's name and labels and another owner": {
			ownedByAnother, v1alpha1.ConditionPublished, v1alpha1.ReasonNameConflict, false,
		},
		"a ToolRevision with the revision's name": {
			revision(nil), v1alpha1.ConditionVersionAccepted, v1alpha1.ReasonRevisionConflict, false,
		},
		"a ToolRevision with the revision's name and labels but no owner": {
			revision(asOurs(c.Name, "")), v1alpha1.ConditionVersionAccepted, v1alpha1.ReasonRevisionConflict, true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.withGarbageCollector()
			w.startOperatorWith(managerConfig(t), recheckingOften)
			w.create(configMap("somebody", nil))
			foreign := test.foreign.DeepCopyObject().(client.Object)
			for i := range foreign.GetOwnerReferences() {
				owners := foreign.GetOwnerReferences()
				owners[i].UID = w.configMap("somebody").UID
				foreign.SetOwnerReferences(owners)
			}
			w.create(foreign)
			if test.reported {
				w.wantMismatch(foreign.GetName(), nil)
			}
			before := w.everything(foreign)

			got := w.refuse(c, test.reason)
			w.wantCondition(got, test.condition, metav1.ConditionFalse, test.reason)
			w.wantCondition(got, v1alpha1.ConditionStalled, metav1.ConditionTrue, test.reason)
			if len(got.Status.Issued) > 0 || got.Status.PublishedRevision != "" {
				t.Errorf("issued %v, published %s although nothing was", got.Status.Issued, got.Status.PublishedRevision)
			}
			w.wantNoChildrenBut(foreign)
			w.wantUnchanged(foreign, before)

			w.deleteContract(c.Name)
			w.wantUnchanged(foreign, before)

			w.refuse(c, test.reason)
			if err := admin.Delete(t.Context(), foreign); err != nil {
				t.Fatal(err)
			}
			w.eventually(func() error { return w.said(c.Name, v1alpha1.ReasonPublished) })
			w.wantPublished(w.contract(c.Name), c)
		})
	}
}

// recheckingOften makes the operator look every moment whether a name is free.
func recheckingOften(o *operator.Options) { o.Recheck = 200 * time.Millisecond }

func (w *world) create(object client.Object) {
	w.Helper()
	object.SetNamespace(w.namespace)
	if err := admin.Create(w.Context(), object); err != nil {
		w.Fatal(err)
	}
}

// everything is an object as the API server has it, metadata included.
func (w *world) everything(object client.Object) string {
	w.Helper()
	live := object.DeepCopyObject().(client.Object)
	if err := admin.Get(w.Context(), client.ObjectKeyFromObject(object), live); err != nil {
		w.Fatal(err)
	}
	return mustJSON(w.T, live)
}

func (w *world) wantUnchanged(object client.Object, before string) {
	w.Helper()
	if diff := cmp.Diff(before, w.everything(object)); diff != "" {
		w.Errorf("%s was changed (-before +after):\n%s", object.GetName(), diff)
	}
}

// wantNoChildrenBut fails the test if the operator made anything.
func (w *world) wantNoChildrenBut(foreign client.Object) {
	w.Helper()
	for _, child := range w.children() {
		if child.GetUID() != foreign.GetUID() {
			w.Errorf("the operator made %s", child.GetName())
		}
	}
}

// deleteContract deletes a contract and waits until what belonged to it has
// been collected. A witness of the garbage collector's own, owned by the
// contract, shows that it has been at work.
func (w *world) deleteContract(name string) {
	w.Helper()
	c := w.contract(name)
	witness := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
		Name: name + "-witness", OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(c, v1alpha1.GroupVersion.WithKind("ToolContract"))},
	}}
	w.create(witness)
	if err := admin.Delete(w.Context(), c); err != nil {
		w.Fatal(err)
	}
	w.eventually(func() error { return w.gone(witness) })
}

// gone complains while an object is there.
func (w *world) gone(object client.Object) error {
	err := admin.Get(w.Context(), client.ObjectKeyFromObject(object), object.DeepCopyObject().(client.Object))
	switch {
	case apierrors.IsNotFound(err):
		return nil
	case err == nil:
		err = fmt.Errorf("%s is still there", object.GetName())
	}
	return err
}

// TestAnObjectReplacedUnderAWriteSurvives swaps the channel for an object of
// somebody else at the last moment, when the operator's patch is already on its
// way. The patch names the UID that the operator had seen.
func TestAnObjectReplacedUnderAWriteSurvives(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var foreign string
	swap := sync.OnceFunc(func() {
		ours := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "find-order-v1"}}
		if err := admin.Delete(t.Context(), ours); err != nil {
			t.Error(err)
		}
		mine := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "find-order-v1"}, Data: map[string]string{"mine": "1"},
		}
		if err := admin.Create(t.Context(), mine); err != nil {
			t.Error(err)
		}
		foreign = mustJSON(t, mine)
	})
	w.startOperatorWith(through(managerConfig(t), func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		if r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/configmaps/find-order-v1") {
			swap()
		}
		return next.RoundTrip(r)
	}))
	w.publish(tool("find-order", "1.0.0", inputFirst))
	c := w.refuse(tool("find-order", "1.1.0", inputAdded), v1alpha1.ReasonNameConflict)
	w.wantCondition(c, v1alpha1.ConditionPublished, metav1.ConditionFalse, v1alpha1.ReasonNameConflict)
	w.wantUnchanged(w.configMap("find-order-v1"), foreign)
}
