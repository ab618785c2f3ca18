// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
)

// +kubebuilder:rbac:groups=toolcontract.dev,resources=toolcontracts,verbs=get;list;watch
// +kubebuilder:rbac:groups=toolcontract.dev,resources=toolcontracts/status,verbs=get;patch
// +kubebuilder:rbac:groups=toolcontract.dev,resources=toolrevisions,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=toolcontract.dev,resources=toolrevisions/status,verbs=get;patch
// +kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=events.k8s.io,resources=events,verbs=create;patch

// ContractReconciler evaluates ToolContracts and publishes what is accepted.
type ContractReconciler struct {
	// Client reads from the cache. Its ConfigMaps hold the digest of their
	// data in place of the data; see [CacheOptions].
	Client client.Client
	// Live reads from the API server, for objects that the cache does not hold:
	// those of others, and the data of our own.
	Live     client.Reader
	Recorder events.EventRecorder
	// Profiles holds the catalogue that contracts are judged and rendered by.
	Profiles *ProfilesInUse
	// Concurrency is the number of contracts evaluated at once; zero means one.
	Concurrency int
	// Recheck, Mounts and MountChanges are described at [Options].
	Recheck      time.Duration
	Mounts       Mounts
	MountChanges source.Source
	// Checker remembers what comparisons found.
	Checker *change.Checker
	// Stopwatch measures how long publishing takes.
	Stopwatch *stopwatch
}

// reconciliationTimeout bounds one reconcile, so that no call can block a
// worker for ever.
const reconciliationTimeout = 2 * time.Minute

// SetupWithManager registers the reconciler. Children are mapped back by our
// label, not by owner, so that those restored from a backup with a dead owner
// are found as well.
func (r *ContractReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return withSource(ctrl.NewControllerManagedBy(mgr), r.MountChanges).
		Named("toolcontract").
		For(&v1alpha1.ToolContract{}, builder.WithPredicates(r.Stopwatch.timed(specOrStatusChanged()))).
		Watches(&v1alpha1.ToolRevision{}, handler.EnqueueRequestsFromMapFunc(contractOf),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(contractOf)).
		Watches(&v1alpha1.ToolSet{}, handler.EnqueueRequestsFromMapFunc(contractsOf(r.Client)),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		WatchesRawSource(r.Profiles).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: r.Concurrency,
			ReconciliationTimeout:   reconciliationTimeout,
		}).
		Complete(r)
}

// withSource adds a source that may be nil.
func withSource(b *builder.Builder, s source.Source) *builder.Builder {
	if s == nil {
		return b
	}
	return b.WatchesRawSource(s)
}

// specOrStatusChanged passes every change but that of metadata. Status counts,
// because somebody else may have wiped it; that our own writes come back as well
// costs an evaluation and no write.
func specOrStatusChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		before, ok := e.ObjectOld.(*v1alpha1.ToolContract)
		after, alsoOK := e.ObjectNew.(*v1alpha1.ToolContract)
		return !ok || !alsoOK || before.Generation != after.Generation || !equality.Semantic.DeepEqual(before.Status, after.Status)
	}}
}

// contractOf maps a child to the contract that its label names.
func contractOf(_ context.Context, child client.Object) []reconcile.Request {
	name := child.GetLabels()[v1alpha1.LabelContract]
	if name == "" {
		return nil
	}
	return []reconcile.Request{{NamespacedName: types.NamespacedName{Namespace: child.GetNamespace(), Name: name}}}
}

// Reconcile brings what is published in line with a contract:
//
//  1. gather   the contract, its revisions and ConfigMaps
//  2. adopt    children that a restore from a backup left without an owner
//  3. evaluate the pure core decides everything that needs no API server
//  4. accept   freeze the version as a ToolRevision
//  5. publish  the immutable ConfigMap, then the channel
//  6. keep     the other lines, and this one while a change is refused: what
//     somebody damaged is restored, and what profiles say otherwise by now is
//     rendered again, unless one of them refuses it
//  7. retire   delete the channels of lines that are retired
//  8. report   conditions, status and events, in one write or none
//
// All of it rests on the cache. Where a write shows that the cache is behind, it
// is done once more on what the API server says.
func (r *ContractReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	err := r.attempt(ctx, request, r.Client)
	if apierrors.IsConflict(err) {
		err = r.attempt(ctx, request, r.Live)
	}
	return r.result(err)
}

// attempt is one run over what a reader shows, to the end of its report.
func (r *ContractReconciler) attempt(ctx context.Context, request ctrl.Request, from client.Reader) error {
	var contract v1alpha1.ToolContract
	if err := from.Get(ctx, request.NamespacedName, &contract); err != nil {
		return client.IgnoreNotFound(err)
	}
	if !contract.DeletionTimestamp.IsZero() {
		return nil // children follow by owner reference
	}
	run := &contractRun{ContractReconciler: r, contract: &contract, profiles: r.Profiles.Catalog(), live: from == r.Live}
	run.childWriter = &childWriter{client: r.Client, live: r.Live, owner: run}
	err := run.gather(ctx, from)
	if err == nil {
		run.followers, err = followersOf(ctx, r.Client, &contract)
	}
	if err == nil {
		err = run.adopt(ctx)
	}
	if err == nil {
		run.evaluate()
		run.decided = run.evaluation
		err = run.apply(ctx)
		if run.touched {
			// The status is about the objects as they are now. Otherwise the next
			// run, woken by these writes, would find other words and write again.
			// What is true only of the step itself is told in events.
			run.evaluate()
		}
	}
	if run.evaluation != nil && !isQuiet(err) {
		if reportErr := run.report(ctx, err); reportErr != nil && !apierrors.IsNotFound(reportErr) {
			return reportErr
		}
	}
	return err
}

// result decides whether to come back.
func (r *ContractReconciler) result(err error) (ctrl.Result, error) {
	stalled := asStalled(err)
	switch {
	case isTerminating(err):
		return ctrl.Result{}, nil
	case isQuiet(err):
		// Somebody writes to the same objects all the time, or the API server is odd:
		// each try waits longer. An error would do the same, and fill the log.
		return ctrl.Result{Requeue: true}, nil //nolint:staticcheck // nothing else backs off without an error
	case stalled == nil:
		return ctrl.Result{}, err
	case stalled.recheck:
		return ctrl.Result{RequeueAfter: cmp.Or(r.Recheck, recheckDelay)}, nil
	}
	return ctrl.Result{}, nil // trying again does not help
}

// conflictDelay is the wait after a write lost a race: the cache needs a
// moment to show who won.
const conflictDelay = 100 * time.Millisecond

// recheckDelay is the default of [Options].Recheck.
const recheckDelay = 15 * time.Second
