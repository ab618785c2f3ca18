// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8slabels "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// setOf maps a ConfigMap to the set that its label names.
func setOf(_ context.Context, child client.Object) []reconcile.Request {
	name := child.GetLabels()[v1alpha1.LabelSet]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: child.GetNamespace(), Name: name}}}
}

// setsOfContract maps a contract to the sets that refer to it or select it. Of a
// change both sides are asked, so a set that a label leaves hears of it too.
func (r *ToolSetReconciler) setsOfContract(ctx context.Context, contract client.Object) []reconcile.Request {
	sets, err := setsThatHold(ctx, r.Client, client.ObjectKeyFromObject(contract), contract.GetLabels())
	if err != nil { // the cache is synced: this cannot happen
		log.FromContext(ctx).Error(err, "sets are not looked at again although a contract has changed")
	}
	return requestsFor(sets)
}

// setsOfRevision maps a revision to the sets of its contract.
func (r *ToolSetReconciler) setsOfRevision(ctx context.Context, revision client.Object) []reconcile.Request {
	name := revision.GetLabels()[v1alpha1.LabelContract]
	if name == "" {
		return nil
	}
	contract := &v1alpha1.ToolContract{}
	contract.Namespace, contract.Name = revision.GetNamespace(), name
	// Without the contract there are no labels to select by; its deletion was told.
	if err := client.IgnoreNotFound(r.Client.Get(ctx, client.ObjectKeyFromObject(contract), contract)); err != nil {
		log.FromContext(ctx).Error(err, "sets are not looked at again although a revision has changed")
	}
	return r.setsOfContract(ctx, contract)
}

// setsInNamespace maps a namespace to its sets that refer to other namespaces,
// whose contracts may permit it by its labels.
func (r *ToolSetReconciler) setsInNamespace(ctx context.Context, namespace client.Object) []reconcile.Request {
	var list v1alpha1.ToolSetList
	if err := r.Client.List(ctx, &list, client.InNamespace(namespace.GetName()), client.UnsafeDisableDeepCopy); err != nil {
		log.FromContext(ctx).Error(err, "sets are not looked at again although their namespace has changed")
		return nil
	}
	var out []*v1alpha1.ToolSet
	for i := range list.Items {
		set := &list.Items[i]
		for j := range set.Spec.Tools {
			if contractKey(set, &set.Spec.Tools[j]).Namespace != set.Namespace {
				out = append(out, set)
				break
			}
		}
	}
	return requestsFor(out)
}

// setsThatHold are the sets that refer to a contract, or that select it if it has
// these labels. They are the cache's own: nothing may change them.
func setsThatHold(ctx context.Context, cached client.Reader, contract types.NamespacedName, labels map[string]string) ([]*v1alpha1.ToolSet, error) {
	var referring, selecting v1alpha1.ToolSetList
	if err := cached.List(ctx, &referring, client.MatchingFields{referenceIndex: contract.String()}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	if err := cached.List(ctx, &selecting, client.InNamespace(contract.Namespace), client.MatchingFields{selectsIndex: selects}, client.UnsafeDisableDeepCopy); err != nil {
		return nil, err
	}
	var out []*v1alpha1.ToolSet
	have := map[types.NamespacedName]bool{}
	for i := range referring.Items {
		set := &referring.Items[i]
		have[client.ObjectKeyFromObject(set)] = true
		out = append(out, set)
	}
	for i := range selecting.Items {
		set := &selecting.Items[i]
		if !have[client.ObjectKeyFromObject(set)] && len(linesSelected(set, labels)) > 0 {
			out = append(out, set)
		}
	}
	return out, nil
}

// linesSelected are the lines at which a set selects a contract of its namespace
// with these labels.
func linesSelected(set *v1alpha1.ToolSet, labels map[string]string) []string {
	var out []string
	for i := range set.Spec.Selectors {
		selector, err := metav1.LabelSelectorAsSelector(&set.Spec.Selectors[i].Labels)
		if err == nil && selector.Matches(k8slabels.Set(labels)) {
			out = append(out, set.Spec.Selectors[i].Channel)
		}
	}
	return out
}

func requestsFor(sets []*v1alpha1.ToolSet) []reconcile.Request {
	out := make([]reconcile.Request, len(sets))
	for i, set := range sets {
		out[i] = reconcile.Request{NamespacedName: client.ObjectKeyFromObject(set)}
	}
	return out
}
