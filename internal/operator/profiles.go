// SPDX-License-Identifier: Apache-2.0

package operator

import (
	"context"
	"fmt"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/profiledir"
	"github.com/toolcontract/operator/internal/provider"
)

// baseProfiles are the built-in profiles and those of the directory.
func (o Options) baseProfiles() (*provider.Catalog, error) {
	if o.ProfileDir == "" {
		return provider.Builtin(), nil
	}
	catalog, err := profiledir.Read(os.DirFS(o.ProfileDir), provider.Builtin())
	if err != nil {
		return nil, fmt.Errorf("reading the profiles in %s: %w", o.ProfileDir, err)
	}
	return catalog, nil
}

// checkProviderProfiles asks once for what the operator would otherwise wait for
// in vain: without the kind, or without the right to read it, no contract would
// ever be looked at.
func (o Options) checkProviderProfiles(ctx context.Context, live client.Reader) error {
	switch o.ProviderProfiles {
	case controller.IgnoreProfiles:
		return nil
	case controller.ManageProfiles, controller.ReadProfiles:
	default:
		return fmt.Errorf("what to do with ProviderProfiles is %q; it must be %s, %s or %s",
			o.ProviderProfiles, controller.ManageProfiles, controller.ReadProfiles, controller.IgnoreProfiles)
	}
	err := live.List(ctx, &v1alpha1.ProviderProfileList{}, client.Limit(1))
	switch {
	case apierrors.IsForbidden(err):
		return fmt.Errorf("reading ProviderProfiles: %w. Fix: grant get, list and watch on providerprofiles.toolcontract.dev in the whole cluster, or run with --provider-profiles=%s",
			err, controller.IgnoreProfiles)
	case meta.IsNoMatchError(err), apierrors.IsNotFound(err):
		return fmt.Errorf("reading ProviderProfiles: %w. Fix: install the CRDs of this version of the operator, or run with --provider-profiles=%s",
			err, controller.IgnoreProfiles)
	}
	return nil // anything else may pass, and is met again
}
