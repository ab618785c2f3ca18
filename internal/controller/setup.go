// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/provider"
)

// Options of the controllers.
type Options struct {
	// Base are the profiles that are there without those of the cluster.
	Base *provider.Catalog
	// ProviderProfiles says what to do with those of the cluster.
	ProviderProfiles ProfileMode
	// Concurrency is the number of contracts, and of sets, reconciled at once; zero
	// means one.
	Concurrency int
	// Recheck is the wait before looking again whether a name that somebody
	// else's object has is free. Those objects are not watched. Zero: 15 seconds.
	Recheck time.Duration
	// Mounts tells which ConfigMaps something mounts; nil if nobody looks.
	Mounts Mounts
	// Namespace is the only one that is watched; empty means all.
	Namespace string
	// MountChanges has contracts reconciled whose ConfigMaps were mounted or
	// released, and all of them when Mounts becomes ready. It is nil if Mounts is,
	// and is started by more than one controller.
	MountChanges source.Source
	// SetMountChanges does the same for sets.
	SetMountChanges source.Source
}

// checkerEntries is how many answers of the containment prover are remembered:
// a contract that is looked at again asks about the same two schemas.
const checkerEntries = 1024

// Setup registers all controllers with a manager, which must have been made
// with [CacheOptions]. It returns the holder of the profiles in use.
func Setup(ctx context.Context, mgr ctrl.Manager, options Options) (*ProfilesInUse, error) {
	type registration struct {
		name       string
		reconciler interface{ SetupWithManager(ctrl.Manager) error }
	}
	if err := indexChildren(ctx, mgr.GetFieldIndexer()); err != nil {
		return nil, fmt.Errorf("indexing what belongs to contracts and sets: %w. Fix: install the CRDs of this version of the operator", err)
	}
	if options.Namespace == "" {
		// The contract controllers ask for labels of namespaces too, and may start first.
		if _, err := mgr.GetCache().GetInformer(ctx, namespaceMetadata(), cache.BlockUntilSynced(false)); err != nil {
			return nil, fmt.Errorf("watching namespaces: %w", err)
		}
	}
	profiles := NewProfilesInUse()
	counting := countingClient{mgr.GetClient()}
	checker := change.NewChecker(checkerEntries)
	checker.Began = proverBegan
	registrations := []registration{
		{"contract", &ContractReconciler{
			Client: counting, Live: mgr.GetAPIReader(), Profiles: profiles,
			Recorder: mgr.GetEventRecorder(v1alpha1.ManagedBy), Concurrency: options.Concurrency, Recheck: options.Recheck,
			Checker: checker, Mounts: options.Mounts, MountChanges: options.MountChanges,
			Stopwatch: newStopwatch(observedByContract),
		}},
		{"revision", &RevisionReconciler{Client: counting, Concurrency: options.Concurrency}},
		{"set", &ToolSetReconciler{
			Client: counting, Live: mgr.GetAPIReader(), Profiles: profiles, Namespace: options.Namespace,
			Recorder: mgr.GetEventRecorder(v1alpha1.ManagedBy), Concurrency: options.Concurrency, Recheck: options.Recheck,
			Mounts: options.Mounts, SetMountChanges: options.SetMountChanges,
			Stopwatch: newStopwatch(observedBySet),
		}},
		{"retention", &RetentionReconciler{
			Client: counting, Live: mgr.GetAPIReader(), Recorder: mgr.GetEventRecorder(v1alpha1.ManagedBy),
			Mounts: options.Mounts, MountChanges: options.MountChanges,
		}},
	}
	if options.ProviderProfiles == IgnoreProfiles {
		profiles.Use(options.Base)
	} else {
		registrations = append(registrations, registration{"profile", &ProfileReconciler{
			Client: counting, Recorder: mgr.GetEventRecorder(v1alpha1.ManagedBy),
			Base: options.Base, Profiles: profiles, ReadOnly: options.ProviderProfiles == ReadProfiles,
		}})
	}
	for _, r := range registrations {
		if err := r.reconciler.SetupWithManager(mgr); err != nil {
			return nil, fmt.Errorf("setting up the %s controller: %w", r.name, err)
		}
	}
	return profiles, nil
}
