// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// +kubebuilder:rbac:groups=toolcontract.dev,resources=toolsets,verbs=get;list;watch
// +kubebuilder:rbac:groups=toolcontract.dev,resources=toolsets/status,verbs=get;patch
// +kubebuilder:rbac:groups="",resources=namespaces,verbs=get;list;watch

// ToolSetReconciler renders ToolSets and publishes what their agents mount.
type ToolSetReconciler struct {
	// Client reads from the cache, Live from the API server; see
	// [ContractReconciler].
	Client   client.Client
	Live     client.Reader
	Recorder events.EventRecorder
	// Profiles holds the catalogue that sets are rendered by.
	Profiles *ProfilesInUse
	// Namespace is the only one that the operator watches; empty means all. In one
	// namespace it needs no rights on namespaces.
	Namespace string
	// Concurrency is the number of sets rendered at once; zero means one.
	Concurrency int
	// Recheck, Mounts and SetMountChanges are described at [Options].
	Recheck         time.Duration
	Mounts          Mounts
	SetMountChanges source.Source
	// Stopwatch measures how long publishing takes.
	Stopwatch *stopwatch
}

// SetupWithManager registers the reconciler. Whatever changes wakes only the sets
// that hold it.
func (r *ToolSetReconciler) SetupWithManager(mgr ctrl.Manager) error {
	b := withSource(ctrl.NewControllerManagedBy(mgr), r.SetMountChanges).
		Named("toolset").
		For(&v1alpha1.ToolSet{}, builder.WithPredicates(r.Stopwatch.timed(setChanged()))).
		Watches(&v1alpha1.ToolContract{}, handler.EnqueueRequestsFromMapFunc(r.setsOfContract), builder.WithPredicates(servedChanged())).
		Watches(&v1alpha1.ToolRevision{}, handler.EnqueueRequestsFromMapFunc(r.setsOfRevision),
			builder.WithPredicates(predicate.Or(predicate.GenerationChangedPredicate{}, ownerChanged()))).
		Watches(&corev1.ConfigMap{}, handler.EnqueueRequestsFromMapFunc(setOf)).
		WatchesRawSource(r.Profiles.ForSets())
	if r.Namespace == "" {
		b = b.WatchesMetadata(&corev1.Namespace{}, handler.EnqueueRequestsFromMapFunc(r.setsInNamespace),
			builder.WithPredicates(predicate.LabelChangedPredicate{}))
	}
	return b.WithOptions(controller.Options{
		MaxConcurrentReconciles: r.Concurrency,
		ReconciliationTimeout:   reconciliationTimeout,
	}).Complete(r)
}

// setChanged passes every change of a set but that of metadata; see
// [specOrStatusChanged].
func setChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		before, ok := e.ObjectOld.(*v1alpha1.ToolSet)
		after, alsoOK := e.ObjectNew.(*v1alpha1.ToolSet)
		return !ok || !alsoOK || before.Generation != after.Generation || !equality.Semantic.DeepEqual(before.Status, after.Status)
	}}
}

// servedChanged passes the changes of a contract that can matter to a set: what it
// serves, who may hold it, and whom selectors find.
func servedChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		before, ok := e.ObjectOld.(*v1alpha1.ToolContract)
		after, alsoOK := e.ObjectNew.(*v1alpha1.ToolContract)
		return !ok || !alsoOK || before.UID != after.UID ||
			before.DeletionTimestamp.IsZero() != after.DeletionTimestamp.IsZero() ||
			before.Status.ObservedGeneration != after.Status.ObservedGeneration ||
			!equality.Semantic.DeepEqual(before.Labels, after.Labels) ||
			!equality.Semantic.DeepEqual(before.Spec.AllowedNamespaces, after.Spec.AllowedNamespaces) ||
			!equality.Semantic.DeepEqual(before.Status.Channels, after.Status.Channels) ||
			!equality.Semantic.DeepEqual(before.Status.Issued, after.Status.Issued)
	}}
}

// Reconcile brings what a set publishes in line with it:
//
//  1. gather   the set, its ConfigMaps, and what its tools lead to
//  2. adopt    ConfigMaps that a restore from a backup left without an owner
//  3. decide   who is in the set, and what the core makes of it for each profile
//  4. apply    the immutable ConfigMap, then the one that agents mount; what is
//     damaged is restored, and what a profile left behind is removed
//  5. report   conditions, status and events, in one write or none
//  6. retain   delete renderings that nothing needs
//
// All of it rests on the cache. Where that proves to be behind, it is done once
// more on what the API server says.
func (r *ToolSetReconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	run, err := r.attempt(ctx, request, r.Client)
	if apierrors.IsConflict(err) {
		run, err = r.attempt(ctx, request, r.Live)
	}
	switch {
	case isTerminating(err):
		return ctrl.Result{}, nil
	case isQuiet(err):
		return ctrl.Result{Requeue: true}, nil //nolint:staticcheck // nothing else backs off without an error
	case err != nil:
		return ctrl.Result{}, err
	case run != nil && run.looksAgain():
		return ctrl.Result{RequeueAfter: cmp.Or(r.Recheck, recheckDelay)}, nil
	}
	return ctrl.Result{}, nil
}

// attempt is one run over what a reader shows, to the end of its report.
func (r *ToolSetReconciler) attempt(ctx context.Context, request ctrl.Request, from client.Reader) (*setRun, error) {
	set := &v1alpha1.ToolSet{}
	if err := from.Get(ctx, request.NamespacedName, set); err != nil {
		return nil, client.IgnoreNotFound(err)
	}
	if !set.DeletionTimestamp.IsZero() {
		return nil, nil // the ConfigMaps follow by owner reference
	}
	run := &setRun{ToolSetReconciler: r, set: set, from: from, profiles: r.Profiles.Catalog()}
	run.childWriter = &childWriter{client: r.Client, live: r.Live, owner: run}
	if err := run.gather(ctx); err != nil {
		return run, err
	}
	err := run.adopt(ctx)
	if err == nil {
		err = run.decide(ctx)
	}
	if err == nil {
		run.touched = false
		err = run.apply(ctx)
		if err == nil && run.touched {
			// The status is about the objects as they are now; see
			// [ContractReconciler].
			err = run.decide(ctx)
		}
	}
	if run.results != nil && !isQuiet(err) {
		if reportErr := run.report(ctx, err); reportErr != nil && !apierrors.IsNotFound(reportErr) {
			return run, reportErr
		}
	}
	if err != nil {
		return run, err
	}
	return run, run.retain(ctx)
}

// looksAgain reports whether something has to change that is not watched.
func (run *setRun) looksAgain() bool {
	for _, r := range run.results {
		if r.failure != nil && r.failure.recheck {
			return true
		}
	}
	for _, m := range run.members {
		if m.found.content != nil && m.found.targets == nil {
			return true
		}
	}
	return false
}
