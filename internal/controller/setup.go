// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
)

// Options of the controllers.
type Options struct {
	// Base are the profiles that are there without those of the cluster.
	Base *provider.Catalog
	// ProviderProfiles says what to do with those of the cluster.
	ProviderProfiles ProfileMode
	// Concurrency is the number of contracts reconciled at once; zero means one.
	Concurrency int
	// Recheck is the wait before looking again whether a name that somebody
	// else's object has is free. Those objects are not watched. Zero: a minute.
	Recheck time.Duration
}

// Setup registers all controllers with a manager, which must have been made
// with [CacheOptions]. It returns the holder of the profiles in use.
func Setup(mgr ctrl.Manager, options Options) (*ProfilesInUse, error) {
	type registration struct {
		name       string
		reconciler interface{ SetupWithManager(ctrl.Manager) error }
	}
	profiles := NewProfilesInUse()
	registrations := []registration{
		{"contract", &ContractReconciler{
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Profiles: profiles,
			Recorder: mgr.GetEventRecorder(v1alpha1.ManagedBy), Concurrency: options.Concurrency, Recheck: options.Recheck,
		}},
		{"revision", &RevisionReconciler{Client: mgr.GetClient(), Concurrency: options.Concurrency}},
		{"retention", &RetentionReconciler{Client: mgr.GetClient(), Live: mgr.GetAPIReader()}},
	}
	if options.ProviderProfiles == IgnoreProfiles {
		profiles.Use(options.Base)
	} else {
		registrations = append(registrations, registration{"profile", &ProfileReconciler{
			Client: mgr.GetClient(), Recorder: mgr.GetEventRecorder(v1alpha1.ManagedBy),
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
