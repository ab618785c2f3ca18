// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestAConflictThatStaysBacksOff: the rate limiter decides when it is tried again,
// and the log, which has every error, says nothing.
func TestAConflictThatStaysBacksOff(t *testing.T) {
	t.Parallel()
	conflict := apierrors.NewConflict(v1alpha1.GroupVersion.WithResource("toolcontracts").GroupResource(), "c", errBehind)
	got, err := (&ContractReconciler{}).result(fmt.Errorf("writing status: %w", conflict))
	if want := (ctrl.Result{Requeue: true}); got != want || err != nil { //nolint:staticcheck // see result
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

// TestRetentionThatWaitsIsTold: what is kept because nobody knows what is mounted
// stays, and once it is much the contract says so.
func TestRetentionThatWaitsIsTold(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		versions int
		told     bool
	}{
		"a few":  {6, false},
		"enough": {20, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var versions []string
			for i := range test.versions {
				versions = append(versions, fmt.Sprintf("1.0.%d", i))
			}
			newest := versions[len(versions)-1]
			f := newFamily(t, newest, versions...)
			f.serve(newest, "0", "")
			scheme := runtime.NewScheme()
			for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
				if err := add(scheme); err != nil {
					t.Fatal(err)
				}
			}
			objects := []client.Object{f.contract}
			for _, revision := range f.revisions {
				objects = append(objects, revision)
			}
			for _, cm := range f.configMaps {
				objects = append(objects, cm)
			}
			byContract := func(child client.Object) []string { return []string{child.GetLabels()[v1alpha1.LabelContract]} }
			api := fake.NewClientBuilder().WithScheme(scheme).WithObjects(objects...).
				WithIndex(&v1alpha1.ToolRevision{}, contractIndex, byContract).
				WithIndex(&v1alpha1.ToolSet{}, referenceIndex, ofSet(references)).
				WithIndex(&v1alpha1.ToolSet{}, selectsIndex, ofSet(selecting)).
				WithIndex(objects[len(objects)-1], contractIndex, byContract).Build()
			recorder := events.NewFakeRecorder(1)
			r := &RetentionReconciler{Client: api, Recorder: recorder, Mounts: notReady{}} // without Live nothing is deleted
			if _, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "n", Name: "c"}}); err != nil {
				t.Fatal(err)
			}
			if told := len(recorder.Events) == 1; told != test.told {
				t.Errorf("told %t, want %t", told, test.told)
			}
			var left v1alpha1.ToolRevisionList
			if err := api.List(t.Context(), &left); err != nil || len(left.Items) != test.versions {
				t.Errorf("%d revisions are left, want %d: %v", len(left.Items), test.versions, err)
			}
		})
	}
}
