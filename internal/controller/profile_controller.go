// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
)

// +kubebuilder:rbac:groups=toolcontract.dev,resources=providerprofiles,verbs=get;list;watch
// +kubebuilder:rbac:groups=toolcontract.dev,resources=providerprofiles/status,verbs=get;patch

// ProfileMode is what an operator does with the ProviderProfiles of its cluster.
type ProfileMode string

const (
	// ManageProfiles judges them and says in their status what is in force. It is
	// the mode of an operator that has the cluster for itself, and of one among
	// several.
	ManageProfiles ProfileMode = "Manage"
	// ReadProfiles uses what their status says is in force.
	ReadProfiles ProfileMode = "Read"
	// IgnoreProfiles never asks for them: an operator of one namespace may have no
	// rights on objects of the cluster.
	IgnoreProfiles ProfileMode = "Ignore"
)

// ProfileReconciler makes the ProviderProfiles of the cluster part of the
// catalogue in use. It looks at all of them at once, because one may extend
// another. What is in force stands in a status before it is used; so an invalid
// edit leaves it in force, whatever happens to the operator.
type ProfileReconciler struct {
	// Client reads from the cache.
	Client   client.Client
	Recorder events.EventRecorder
	// Base are the profiles that are there without the cluster's.
	Base *provider.Catalog
	// Profiles receives the catalogue.
	Profiles *ProfilesInUse
	// ReadOnly is [ReadProfiles].
	ReadOnly bool

	// pending are changes whose contracts have not been queued yet.
	pending []profileChange
}

// allProfiles is the only request of the reconciler.
var allProfiles = reconcile.Request{NamespacedName: types.NamespacedName{Name: "all"}}

// countDelay gathers the changes of many contracts into one count of who uses
// a profile.
const countDelay = 2 * time.Second

// SetupWithManager registers the reconciler. It has one worker, which the rest
// of this file relies on.
func (r *ProfileReconciler) SetupWithManager(mgr ctrl.Manager) error {
	start := source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		queue.Add(allProfiles) // there may be no profile in the cluster
		return nil
	})
	b := ctrl.NewControllerManagedBy(mgr).
		Named("providerprofile").
		Watches(&v1alpha1.ProviderProfile{}, handler.EnqueueRequestsFromMapFunc(
			func(context.Context, client.Object) []reconcile.Request { return []reconcile.Request{allProfiles} })).
		WatchesRawSource(start)
	if !r.ReadOnly {
		b.Watches(&v1alpha1.ToolContract{}, countLater(), builder.WithPredicates(predicate.GenerationChangedPredicate{}))
	}
	return b.WithOptions(controller.Options{ReconciliationTimeout: reconciliationTimeout}).Complete(r)
}

// countLater has the users of profiles counted again when contracts come, go
// or change.
func countLater() handler.EventHandler {
	later := func(queue workqueue.TypedRateLimitingInterface[reconcile.Request]) {
		queue.AddAfter(allProfiles, countDelay)
	}
	return handler.Funcs{
		CreateFunc: func(_ context.Context, _ event.CreateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			later(q)
		},
		UpdateFunc: func(_ context.Context, _ event.UpdateEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			later(q)
		},
		DeleteFunc: func(_ context.Context, _ event.DeleteEvent, q workqueue.TypedRateLimitingInterface[reconcile.Request]) {
			later(q)
		},
	}
}

// Reconcile puts into force what is valid, in this order: the status says it,
// then the catalogue is replaced, then the contracts that it concerns are queued.
func (r *ProfileReconciler) Reconcile(ctx context.Context, _ ctrl.Request) (ctrl.Result, error) {
	objects, err := r.list(ctx)
	if err != nil {
		return ctrl.Result{}, err
	}
	catalog, err := r.settle(ctx, objects)
	switch {
	case err == nil:
	case isQuiet(err) || apierrors.IsNotFound(err): // somebody was quicker
		return ctrl.Result{RequeueAfter: conflictDelay}, nil
	default:
		// One status that cannot be written must not hold the other profiles back:
		// what the statuses say by now is in force, and the rest stays as it was.
		r.use(ctx, r.recorded(ctx, objects))
		return ctrl.Result{}, errors.Join(err, r.queueContracts(ctx))
	}
	r.use(ctx, catalog)
	return ctrl.Result{}, r.queueContracts(ctx)
}

// list returns the profiles by name, without those that are being deleted.
func (r *ProfileReconciler) list(ctx context.Context) ([]v1alpha1.ProviderProfile, error) {
	var list v1alpha1.ProviderProfileList
	if err := r.Client.List(ctx, &list); err != nil {
		return nil, fmt.Errorf("listing provider profiles: %w", err)
	}
	objects := slices.DeleteFunc(list.Items, func(p v1alpha1.ProviderProfile) bool { return !p.DeletionTimestamp.IsZero() })
	slices.SortFunc(objects, func(a, b v1alpha1.ProviderProfile) int { return strings.Compare(a.Name, b.Name) })
	return objects, nil
}

// settle returns the catalogue that the objects make, after their statuses say
// so.
func (r *ProfileReconciler) settle(ctx context.Context, objects []v1alpha1.ProviderProfile) (*provider.Catalog, error) {
	if r.ReadOnly {
		return r.recorded(ctx, objects), nil
	}
	users, err := r.users(ctx, objects)
	if err != nil {
		return nil, err
	}
	catalog, verdicts := evaluate.Profiles(r.Base, objects)
	var failures []error
	for i := range objects {
		name := objects[i].Name
		if err := r.report(ctx, &objects[i], verdicts[name], users[name]); err != nil {
			failures = append(failures, err)
		}
	}
	return catalog, errors.Join(failures...)
}

// recorded returns the catalogue of what the statuses say is in force.
func (r *ProfileReconciler) recorded(ctx context.Context, objects []v1alpha1.ProviderProfile) *provider.Catalog {
	for i := range objects {
		if r.ReadOnly && objects[i].Status.ObservedGeneration != objects[i].Generation {
			log.FromContext(ctx).Info("a provider profile waits for the operator that manages profiles", "profile", objects[i].Name)
		}
	}
	catalog, unusable := evaluate.ProfilesInForce(r.Base, objects)
	for _, name := range slices.Sorted(maps.Keys(unusable)) {
		log.FromContext(ctx).Info("a provider profile in force cannot be used by this version of the operator",
			"profile", name, "problem", unusable[name][0].String())
	}
	return catalog
}

// report writes the status of a profile, if it differs.
func (r *ProfileReconciler) report(ctx context.Context, object *v1alpha1.ProviderProfile, verdict evaluate.Profile, users int32) error {
	after := object.DeepCopy()
	after.Status = profileStatus(object, verdict, users)
	if equality.Semantic.DeepEqual(object.Status, after.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(object, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Status().Patch(ctx, after, patch, client.FieldOwner(v1alpha1.ManagedBy)); err != nil {
		return fmt.Errorf("writing the status of provider profile %s: %w", object.Name, err)
	}
	r.announce(object, after)
	object.Status = after.Status
	return nil
}

// use replaces the catalogue and remembers whom that concerns.
func (r *ProfileReconciler) use(ctx context.Context, catalog *provider.Catalog) {
	before := r.Profiles.Catalog()
	r.Profiles.Use(catalog)
	if before == nil {
		return // nothing has been judged yet
	}
	if change := changeBetween(before, catalog); len(change.changed) > 0 {
		r.pending = append(r.pending, change)
		log.FromContext(ctx).Info("provider profiles changed", "profiles", slices.Sorted(maps.Keys(change.changed)))
	}
}

// queueContracts has every contract reconciled that a pending change concerns:
// by its targets, or by what one of its lines serves; and every set by its profiles.
func (r *ProfileReconciler) queueContracts(ctx context.Context) error {
	if len(r.pending) == 0 {
		return nil
	}
	touched := func(t v1alpha1.Target) bool {
		return slices.ContainsFunc(r.pending, func(c profileChange) bool { return c.touches(t.Profile) })
	}
	var contracts v1alpha1.ToolContractList
	if err := r.Client.List(ctx, &contracts, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("listing contracts: %w", err)
	}
	var channels corev1.ConfigMapList
	if err := r.Client.List(ctx, &channels, client.UnsafeDisableDeepCopy,
		client.MatchingLabels{v1alpha1.LabelRole: v1alpha1.RoleChannel}); err != nil {
		return fmt.Errorf("listing channels: %w", err)
	}
	queued := map[reconcile.Request]bool{}
	for i := range contracts.Items {
		if slices.ContainsFunc(contracts.Items[i].Spec.Targets, touched) {
			queued[reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&contracts.Items[i])}] = true
		}
	}
	for i := range channels.Items {
		if slices.ContainsFunc(deliveryOf(&channels.Items[i]).Targets, touched) {
			for _, request := range contractOf(ctx, &channels.Items[i]) {
				queued[request] = true
			}
		}
	}
	var sets v1alpha1.ToolSetList
	if err := r.Client.List(ctx, &sets, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("listing sets: %w", err)
	}
	setsQueued := map[reconcile.Request]bool{}
	for i := range sets.Items {
		if slices.ContainsFunc(profilesOf(&sets.Items[i]), func(name string) bool { return touched(v1alpha1.Target{Profile: name}) }) {
			setsQueued[reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&sets.Items[i])}] = true
		}
	}
	r.Profiles.renderAgain(inOrder(queued), inOrder(setsQueued))
	r.pending = nil
	return nil
}

func inOrder(requests map[reconcile.Request]bool) []reconcile.Request {
	return slices.SortedFunc(maps.Keys(requests), func(a, b reconcile.Request) int { return strings.Compare(a.String(), b.String()) })
}

// users counts the contracts that have each of the profiles as a target.
func (r *ProfileReconciler) users(ctx context.Context, objects []v1alpha1.ProviderProfile) (map[string]int32, error) {
	users := map[string]int32{}
	if len(objects) == 0 {
		return users, nil
	}
	var contracts v1alpha1.ToolContractList
	if err := r.Client.List(ctx, &contracts, client.UnsafeDisableDeepCopy); err != nil {
		return nil, fmt.Errorf("listing contracts: %w", err)
	}
	for i := range contracts.Items {
		for _, t := range contracts.Items[i].Spec.Targets {
			users[t.Profile]++
		}
	}
	return users, nil
}
