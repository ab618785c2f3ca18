// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// defaultHistoryLimit is spec.revisionHistoryLimit if the author says nothing.
const defaultHistoryLimit = 5

// RetentionReconciler deletes what nothing needs any more. It is a controller
// of its own, so that a failing deletion never keeps a contract from being
// published.
type RetentionReconciler struct {
	Client client.Client
}

// SetupWithManager registers the reconciler for contracts, woken by their children.
func (r *RetentionReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("toolrevision-retention").
		For(&v1alpha1.ToolContract{}).
		Watches(&v1alpha1.ToolRevision{}, handler.EnqueueRequestsFromMapFunc(contractOf)).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(contractOf)).
		WithOptions(controller.Options{ReconciliationTimeout: reconciliationTimeout}).
		Complete(r)
}

// Reconcile deletes the revisions and renderings of one contract that
// [retain] does not keep.
func (r *RetentionReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var contract v1alpha1.ToolContract
	if err := r.Client.Get(ctx, request.NamespacedName, &contract); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	// While the contract is behind its generation the channel may be about to
	// move, and what it moves to must still be there.
	if !contract.DeletionTimestamp.IsZero() || contract.Status.ObservedGeneration != contract.Generation {
		return ctrl.Result{}, nil
	}
	run := &contractRun{ContractReconciler: &ContractReconciler{Client: r.Client}, contract: &contract}
	if err := run.gather(ctx); err != nil {
		return ctrl.Result{}, err
	}
	limit := int(ptr.Deref(contract.Spec.RevisionHistoryLimit, defaultHistoryLimit))
	var failures []error
	for _, object := range retain(&contract, run.revisions, run.configMaps, limit) {
		if err := run.deleteExactly(ctx, object); err != nil && !isQuiet(err) {
			retentionErrors.Inc()
			failures = append(failures, fmt.Errorf("deleting %s: %w", object.GetName(), err))
		}
	}
	return ctrl.Result{}, errors.Join(failures...)
}
