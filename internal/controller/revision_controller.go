// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
)

// RevisionReconciler checks that every ToolRevision has the content digest that
// it names and the name of its content, also one that a person applied with our
// labels. One that has not is never compared with and never served. Of a
// revision that somebody else made it says nothing: that object is not ours to
// write to.
type RevisionReconciler struct {
	Client client.Client
	// Concurrency is the number of revisions checked at once; zero means one.
	Concurrency int
}

// SetupWithManager registers the reconciler. A revision is immutable, so
// creation is the only event that matters, and adoption after it was declined.
func (r *RevisionReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("toolrevision").
		For(&v1alpha1.ToolRevision{}, builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, ownerChanged()))).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: r.Concurrency,
			ReconciliationTimeout:   reconciliationTimeout,
		}).
		Complete(r)
}

// ownerChanged passes the change of a controller.
func ownerChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return !equality.Semantic.DeepEqual(metav1.GetControllerOf(e.ObjectOld), metav1.GetControllerOf(e.ObjectNew))
	}}
}

// Reconcile checks one revision and says so in its conditions.
func (r *RevisionReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var revision v1alpha1.ToolRevision
	if err := r.Client.Get(ctx, request.NamespacedName, &revision); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	contract := &v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{Name: revision.Labels[v1alpha1.LabelContract]}}
	if !revision.DeletionTimestamp.IsZero() || contract.Name == "" || ownerOf(&revision, contract) == foreign {
		return ctrl.Result{}, nil
	}
	after := revision.DeepCopy()
	after.Status.ObservedGeneration = revision.Generation
	ready := verify(&revision)
	if ready.Status == metav1.ConditionTrue && declined(&revision) != "" {
		// Whether a revision is adopted is for its contract to say.
		err := r.Client.Get(ctx, client.ObjectKey{Namespace: revision.Namespace, Name: contract.Name}, contract)
		if err != nil || ownerOf(&revision, contract) != ours {
			return ctrl.Result{}, client.IgnoreNotFound(err)
		}
	}
	after.Status.Conditions = withVerdicts(after.Status.Conditions, revisionVerdicts(ready), revision.Generation)
	if equality.Semantic.DeepEqual(revision.Status, after.Status) {
		return ctrl.Result{}, nil
	}
	patch := client.MergeFromWithOptions(&revision, client.MergeFromWithOptimisticLock{})
	err := client.IgnoreNotFound(r.Client.Status().Patch(ctx, after, patch, client.FieldOwner(v1alpha1.ManagedBy)))
	if isQuiet(err) {
		return ctrl.Result{RequeueAfter: conflictDelay}, nil
	}
	return ctrl.Result{}, err
}

// revisionVerdicts are the conditions of a revision. One that is not used stays so
// until somebody deletes it, because it cannot be edited: it is stalled.
func revisionVerdicts(ready metav1.Condition) []metav1.Condition {
	if ready.Status == metav1.ConditionTrue {
		return []metav1.Condition{ready}
	}
	return []metav1.Condition{ready, condition(v1alpha1.ConditionStalled, metav1.ConditionTrue, ready.Reason, ready.Message)}
}

// verify reads the content as an author's and digests it again: nothing that
// somebody could have applied by hand is trusted.
func verify(revision *v1alpha1.ToolRevision) metav1.Condition {
	content, findings := evaluate.Read(&revision.Spec.Content)
	if content == nil {
		return condition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonDigestMismatch,
			"the content is not valid, so it has no digest: "+finding.Summary(finding.Errors(findings), 1))
	}
	if digest := content.Digest(); digest != revision.Spec.ContentDigest {
		return condition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonDigestMismatch,
			fmt.Sprintf("the content has the digest %s, not the one in /spec/contentDigest; the revision is not used", digest))
	}
	contractName := revision.Labels[v1alpha1.LabelContract]
	if name := publish.RevisionName(contractName, content.Version); name != revision.Name || revision.Spec.ContractRef.Name != contractName {
		return condition(v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonNameMismatch,
			fmt.Sprintf("version %s of the contract that the label %s names is the ToolRevision %s, and /spec/contractRef must name the contract too; the revision is not used. Fix: delete it, and apply it as toolcontract freeze printed it",
				content.Version, v1alpha1.LabelContract, name))
	}
	return condition(v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonVerified, "the content has the digest that the revision names")
}
