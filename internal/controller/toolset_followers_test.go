// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// setWith is a set with references and selectors.
func setWith(namespace, name string, tools []v1alpha1.ToolReference, selectors ...v1alpha1.ToolSelector) *v1alpha1.ToolSet {
	return &v1alpha1.ToolSet{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       v1alpha1.ToolSetSpec{Tools: tools, Selectors: selectors},
	}
}

// TestWhoFollowsAContract: sets of its namespace and those that it permits, by
// name and by label.
func TestWhoFollowsAContract(t *testing.T) {
	t.Parallel()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	selector := func(value string) metav1.LabelSelector {
		return metav1.LabelSelector{MatchLabels: map[string]string{"team": value}}
	}
	contract := &v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "c", Labels: map[string]string{"team": "shop"}},
		Spec: v1alpha1.ToolContractSpec{AllowedNamespaces: &v1alpha1.AllowedNamespaces{
			From: v1alpha1.NamespacesSelector, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"may": "yes"}},
		}},
		Status: v1alpha1.ToolContractStatus{Channels: []v1alpha1.Channel{{Line: "1", Retired: true}}},
	}
	named := func(namespace, name, channel, version string) []v1alpha1.ToolReference {
		return []v1alpha1.ToolReference{{Namespace: namespace, Contract: name, Channel: channel, Version: version}}
	}
	leaving := setWith("n", "leaving", named("", "c", "", "1.9.0"))
	leaving.DeletionTimestamp, leaving.Finalizers = &metav1.Time{Time: metav1.Now().Time}, []string{"example.com/mine"}
	api := fake.NewClientBuilder().WithScheme(scheme).
		WithIndex(&v1alpha1.ToolSet{}, referenceIndex, ofSet(references)).
		WithIndex(&v1alpha1.ToolSet{}, selectsIndex, ofSet(selecting)).
		WithObjects(
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "permitted", Labels: map[string]string{"may": "yes"}}},
			&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "other"}},
			contract, leaving,
			setWith("n", "follower", named("", "c", "1", "")),
			setWith("n", "pinned", append(named("", "c", "", "1.0.0"), named("n", "c", "", "1.2.0-rc.1")...)),
			setWith("n", "selecting", nil, v1alpha1.ToolSelector{Labels: selector("shop"), Channel: "2"}, v1alpha1.ToolSelector{Labels: selector("shop"), Channel: "1"}),
			setWith("n", "elsewhere", named("", "d", "1", ""), v1alpha1.ToolSelector{Labels: selector("none"), Channel: "1"}),
			setWith("permitted", "s", append(named("n", "c", "1", ""), named("n", "c", "", "1.1.0")...)),
			setWith("permitted", "selecting", nil, v1alpha1.ToolSelector{Labels: selector("shop"), Channel: "1"}),
			setWith("other", "s", append(named("n", "c", "1", ""), named("n", "c", "", "1.3.0")...)),
		).Build()
	f, err := followersOf(t.Context(), api, contract)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"1": {"ToolSet/follower", "ToolSet/permitted/s", "ToolSet/selecting"}, "2": {"ToolSet/selecting"}}
	if diff := cmp.Diff(want, f.lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
	var versions []string
	for _, v := range f.versions {
		versions = append(versions, v.String())
	}
	if diff := cmp.Diff([]string{"1.0.0", "1.1.0", "1.2.0-rc.1"}, versions); diff != "" {
		t.Errorf("versions (-want +got):\n%s", diff)
	}

	// Who is told of a contract, and which contracts are told of a set.
	r := &ToolSetReconciler{Client: api}
	told := func(requests []reconcile.Request) (out []string) {
		for _, request := range requests {
			out = append(out, request.String())
		}
		return out
	}
	wantSets := []string{"n/follower", "n/leaving", "n/pinned", "other/s", "permitted/s", "n/selecting"}
	if diff := cmp.Diff(wantSets, told(r.setsOfContract(t.Context(), contract))); diff != "" {
		t.Errorf("sets of the contract (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"permitted/s"}, told(r.setsInNamespace(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "permitted"}}))); diff != "" {
		t.Errorf("sets of the namespace (-want +got):\n%s", diff)
	}
	for name, concerned := range map[string]bool{"follower": true, "pinned": true, "selecting": true, "elsewhere": false} {
		set := &v1alpha1.ToolSet{}
		if err := api.Get(context.Background(), client.ObjectKey{Namespace: "n", Name: name}, set); err != nil {
			t.Fatal(err)
		}
		if got := contractsOf(api)(t.Context(), set); (len(got) == 1) != concerned {
			t.Errorf("%s concerns %v", name, got)
		}
	}
}
