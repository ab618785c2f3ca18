// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// defaultHistoryLimit is spec.revisionHistoryLimit if the author says nothing.
const defaultHistoryLimit = 5

// RetentionReconciler deletes what nothing needs any more. It is a controller
// of its own, so that a failing deletion never keeps a contract from being
// published.
type RetentionReconciler struct {
	// Client reads from the cache.
	Client client.Client
	// Live reads from the API server.
	Live     client.Reader
	Recorder events.EventRecorder
	// Mounts and MountChanges are described at [Options].
	Mounts       Mounts
	MountChanges source.Source
}

// SetupWithManager registers the reconciler for contracts, woken by their children.
func (r *RetentionReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return withSource(ctrl.NewControllerManagedBy(mgr), r.MountChanges).
		Named("toolrevision-retention").
		For(&v1alpha1.ToolContract{}).
		Watches(&v1alpha1.ToolRevision{}, handler.EnqueueRequestsFromMapFunc(contractOf)).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(contractOf)).
		Watches(&v1alpha1.ToolSet{}, handler.EnqueueRequestsFromMapFunc(contractsOf(r.Client)),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WithOptions(controller.Options{ReconciliationTimeout: reconciliationTimeout}).
		Complete(r)
}

// Reconcile deletes the revisions and renderings of one contract that
// [retain] does not keep. The cache only tells whether there may be any: it
// learns of contracts, revisions and ConfigMaps from three watches, and while one
// of them lags, a rendering that has just been made looks like one that nobody
// needs.
func (r *RetentionReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	if r.Mounts != nil && !r.Mounts.Ready() {
		// Anything may be mounted; it wakes us when it knows.
		return ctrl.Result{}, r.warn(ctx, request.NamespacedName)
	}
	surplus, err := r.surplus(ctx, r.Client, request.NamespacedName, r.Mounts)
	if err == nil && len(surplus) > 0 {
		surplus, err = r.surplus(ctx, r.Live, request.NamespacedName, r.Mounts)
	}
	if err != nil {
		return ctrl.Result{}, err
	}
	var failures []error
	for _, object := range surplus {
		err := client.IgnoreNotFound(r.Client.Delete(ctx, object, exactly(object)))
		if err != nil && !isQuiet(err) {
			retentionErrors.WithLabelValues().Inc()
			failures = append(failures, fmt.Errorf("deleting %s: %w", object.GetName(), err))
		}
	}
	return ctrl.Result{}, errors.Join(failures...)
}

// warn tells in an event of a contract that what is kept for it grows, because it is
// not known what is mounted. A start of the manager or a short loss of the
// connection is no reason: it takes more than were issued in that time.
func (r *RetentionReconciler) warn(ctx context.Context, key types.NamespacedName) error {
	waiting, err := r.surplus(ctx, r.Client, key, nil)
	if err != nil || len(waiting) <= waitingBound {
		return err
	}
	var contract v1alpha1.ToolContract
	if err := r.Client.Get(ctx, key, &contract); err != nil {
		return client.IgnoreNotFound(err)
	}
	r.Recorder.Eventf(&contract, nil, corev1.EventTypeWarning, reasonRetentionWaits, "Retain",
		"more than %d revisions and ConfigMaps are kept only because it is not known what is mounted, and there will be more. "+
			"Fix: grant the operator list and watch on the resources as config/mounts does, or run it without --track-mounts", waitingBound)
	return nil
}

// waitingBound is how many objects may wait for retention before it is told.
const waitingBound = 10

const reasonRetentionWaits = "RetentionWaits"

// surplus returns the children of a contract that nothing needs. The contract
// is read after its children: what was made in between is of a generation that
// it has not observed, or it says that it needs it.
func (r *RetentionReconciler) surplus(ctx context.Context, from client.Reader, key types.NamespacedName, mounts Mounts) ([]client.Object, error) {
	var contract v1alpha1.ToolContract
	contract.Namespace, contract.Name = key.Namespace, key.Name
	run := &contractRun{contract: &contract, live: from == r.Live}
	if err := run.gather(ctx, from); err != nil {
		return nil, err
	}
	if err := from.Get(ctx, key, &contract); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	// While the contract is behind its generation the channel may be about to
	// move, and what it moves to must still be there.
	if !contract.DeletionTimestamp.IsZero() || contract.Status.ObservedGeneration != contract.Generation {
		return nil, nil
	}
	limit := int(ptr.Deref(contract.Spec.RevisionHistoryLimit, defaultHistoryLimit))
	pinned := pinsOf(mounts, &contract, run.configMaps)
	// The cache has to do for sets: they may be in any namespace. One that has just
	// named a version does not hold it yet.
	followers, err := followersOf(ctx, r.Client, &contract)
	if err != nil {
		return nil, err
	}
	followers.pin(&contract, pinned)
	return retain(&contract, run.revisions, run.configMaps, pinned, limit), nil
}
