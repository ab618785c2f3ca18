// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/mounts"
)

// trackMounts adds a tracker of mounted ConfigMaps to the manager.
func (o Options) trackMounts(mgr ctrl.Manager, config *rest.Config) (*mounts.Tracker, error) {
	live, err := client.NewWithWatch(config, client.Options{HTTPClient: mgr.GetHTTPClient(), Scheme: mgr.GetScheme(), Mapper: mgr.GetRESTMapper()})
	if err != nil {
		return nil, fmt.Errorf("creating the client that tracks mounts: %w", err)
	}
	tracker := mounts.New(mounts.Options{Client: live, Namespace: o.Namespace, Contracts: contractNames(mgr.GetClient()), Sets: setNames(mgr.GetClient())})
	if err := mgr.Add(tracker); err != nil {
		return nil, fmt.Errorf("adding the tracker of mounts: %w", err)
	}
	return tracker, nil
}

// contractNames lists the contracts in the cache.
func contractNames(cached client.Reader) func(context.Context) ([]types.NamespacedName, error) {
	return func(ctx context.Context) ([]types.NamespacedName, error) {
		var contracts v1alpha1.ToolContractList
		if err := cached.List(ctx, &contracts, client.UnsafeDisableDeepCopy); err != nil { // only names are read
			return nil, fmt.Errorf("listing contracts: %w", err)
		}
		names := make([]types.NamespacedName, 0, len(contracts.Items))
		for i := range contracts.Items {
			names = append(names, client.ObjectKeyFromObject(&contracts.Items[i]))
		}
		return names, nil
	}
}

// setNames lists the sets in the cache.
func setNames(cached client.Reader) func(context.Context) ([]types.NamespacedName, error) {
	return func(ctx context.Context) ([]types.NamespacedName, error) {
		var sets v1alpha1.ToolSetList
		if err := cached.List(ctx, &sets, client.UnsafeDisableDeepCopy); err != nil { // only names are read
			return nil, fmt.Errorf("listing sets: %w", err)
		}
		names := make([]types.NamespacedName, 0, len(sets.Items))
		for i := range sets.Items {
			names = append(names, client.ObjectKeyFromObject(&sets.Items[i]))
		}
		return names, nil
	}
}
