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
	Profiles *provider.Catalog
	// Concurrency is the number of contracts reconciled at once; zero means one.
	Concurrency int
	// Recheck is the wait before looking again whether a name that somebody
	// else's object has is free. Those objects are not watched. Zero: a minute.
	Recheck time.Duration
}

// Setup registers all controllers with a manager, which must have been made
// with [CacheOptions].
func Setup(mgr ctrl.Manager, options Options) error {
	reconcilers := []struct {
		name       string
		reconciler interface{ SetupWithManager(ctrl.Manager) error }
	}{
		{"contract", &ContractReconciler{
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Profiles: options.Profiles,
			Recorder: mgr.GetEventRecorder(v1alpha1.ManagedBy), Concurrency: options.Concurrency, Recheck: options.Recheck,
		}},
		{"revision", &RevisionReconciler{Client: mgr.GetClient(), Concurrency: options.Concurrency}},
		{"retention", &RetentionReconciler{Client: mgr.GetClient(), Live: mgr.GetAPIReader()}},
	}
	for _, r := range reconcilers {
		if err := r.reconciler.SetupWithManager(mgr); err != nil {
			return fmt.Errorf("setting up the %s controller: %w", r.name, err)
		}
	}
	return nil
}
