// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// adopt makes the set the controller of ConfigMaps that a restore from a backup
// left with the UID of a set that is gone, if the status knows their bytes.
func (run *setRun) adopt(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(run.configMaps)) {
		cm := run.configMaps[name]
		status, known := statusOf(run.set.Status.Profiles, cm.Labels[v1alpha1.LabelProfile])
		if run.judge(cm) != orphaned || !known || contentsOf(cm).Digest != status.Digest ||
			name != status.ConfigMap && name != status.Rendering {
			continue
		}
		if err := run.takeOver(ctx, cm, reference(setKind, run.set)); err != nil {
			return err
		}
	}
	return nil
}

// apply makes the ConfigMaps say what was decided. What stands in the way of one
// profile leaves the others alone.
func (run *setRun) apply(ctx context.Context) error {
	for _, r := range run.results {
		err := run.publishProfile(ctx, r)
		if r.failure = asStalled(err); err != nil && r.failure == nil {
			return err
		}
	}
	return run.removeProfiles(ctx)
}

// publishProfile writes the immutable ConfigMap and then the one that agents
// mount; or it restores what is there.
func (run *setRun) publishProfile(ctx context.Context, r *profileResult) error {
	if r.bundle == nil {
		return run.keep(ctx, r)
	}
	bundle := r.bundle.Bundle
	rendering, stable := setConfigMaps(run.set, r.spec.Profile, bundle.Digest, renderedBy(r.profile), bundle.Files)
	if err := run.adoptEqual(ctx, rendering, stable); err != nil {
		return err
	}
	if err := run.checkNames(ctx, run.set.Namespace, []string{stable.Name, rendering.Name}); err != nil {
		return err
	}
	if r.last == nil || r.last.digest != bundle.Digest {
		if err := run.checkCurrent(ctx, r); err != nil {
			return err
		}
	}
	return run.ensure(ctx, rendering, stable)
}

// ensure writes both ConfigMaps of a publication, as far as they differ.
func (run *setRun) ensure(ctx context.Context, rendering, stable *corev1.ConfigMap) error {
	if err := run.ensureRendering(ctx, rendering); err != nil {
		return err
	}
	have, created, err := run.create(ctx, stable)
	if err != nil || created {
		return err
	}
	return run.change(ctx, have, stable)
}

// adoptEqual takes over what a set of this name that is gone has left, if it is
// just what would be written.
func (run *setRun) adoptEqual(ctx context.Context, wanted ...*corev1.ConfigMap) error {
	for _, want := range wanted {
		have := run.configMaps[want.Name]
		if have == nil || run.judge(have) != orphaned || dataDigest(have) != publish.DataDigest(want.Data) {
			continue
		}
		if err := run.takeOver(ctx, have, reference(setKind, run.set)); err != nil {
			return err
		}
	}
	return nil
}

// keep restores what is served where somebody damaged it.
func (run *setRun) keep(ctx context.Context, r *profileResult) error {
	if r.last == nil {
		return nil
	}
	name := publish.SetRenderingName(run.set.Name, r.spec.Profile, r.last.digest)
	source := run.own(r.last.source)
	if stable := run.own(publish.SetName(run.set.Name, r.spec.Profile)); !areIntact(run.own(name), stable) {
		var err error
		if source, err = run.whole(ctx, r.last); err != nil {
			return err
		}
		rendering, stable := setConfigMaps(run.set, r.spec.Profile, r.last.digest, source.Annotations, source.Data)
		return run.ensure(ctx, rendering, stable)
	}
	rendering, stable := setConfigMaps(run.set, r.spec.Profile, r.last.digest, source.Annotations, nil)
	if err := run.patchMetadata(ctx, run.own(rendering.Name), rendering); err != nil {
		return err
	}
	return run.patchMetadata(ctx, run.own(stable.Name), stable)
}

// checkCurrent asks, before agents get something else, whether the cache is right
// about it: that the set still says this, and that every contract is as it was
// seen whose tool changes or leaves. A cache that lags must not take a tool away,
// nor move one back.
func (run *setRun) checkCurrent(ctx context.Context, r *profileResult) error {
	if run.isLive() {
		return nil
	}
	if err := run.checkGeneration(ctx); err != nil {
		return err
	}
	if r.last == nil {
		return nil
	}
	stays := map[setTool]bool{}
	for i, t := range r.request.Tools {
		if m := run.members[r.of[i]]; m.resolves() {
			stays[setTool{t.Namespace, t.Contract, t.Content.Version.String(), t.Digest}] = true
		}
	}
	for _, t := range r.last.tools {
		if stays[t] || run.Namespace != "" && t.Namespace != run.Namespace {
			continue
		}
		if err := run.checkContract(ctx, t.key()); err != nil {
			return err
		}
	}
	return nil
}

// checkContract asks whether a contract is as it was seen.
func (run *setRun) checkContract(ctx context.Context, key types.NamespacedName) error {
	seen, err := run.contractAt(ctx, key)
	if err != nil {
		return fmt.Errorf("reading ToolContract %s: %w", key, err)
	}
	current, err := run.metadata(ctx, v1alpha1.GroupVersion.WithKind(contractKind), key)
	switch {
	case err != nil:
		return err
	case seen == nil && current.UID != "" && current.DeletionTimestamp.IsZero(),
		seen != nil && (current.UID != seen.UID || current.ResourceVersion != seen.ResourceVersion):
		return run.behind()
	}
	return nil
}

// checkGeneration asks whether the set still says what was read.
func (run *setRun) checkGeneration(ctx context.Context) error {
	if run.isLive() {
		return nil
	}
	current, err := run.metadata(ctx, v1alpha1.GroupVersion.WithKind(setKind), client.ObjectKeyFromObject(run.set))
	if err == nil && (current.UID != run.set.UID || current.Generation != run.set.Generation) {
		return run.behind()
	}
	return err
}

// metadata reads an object's metadata from the API server, empty if there is none.
func (run *setRun) metadata(ctx context.Context, kind schema.GroupVersionKind, key types.NamespacedName) (*metav1.PartialObjectMetadata, error) {
	object := &metav1.PartialObjectMetadata{}
	object.SetGroupVersionKind(kind)
	if err := client.IgnoreNotFound(run.Live.Get(ctx, key, object)); err != nil {
		return nil, fmt.Errorf("reading %s %s: %w", kind.Kind, key, err)
	}
	return object, nil
}

// removeProfiles deletes the ConfigMaps with a stable name of profiles that the
// set does not name any more, unless something mounts them.
func (run *setRun) removeProfiles(ctx context.Context) error {
	for _, cm := range run.ownConfigMaps() {
		profile := cm.Labels[v1alpha1.LabelProfile]
		if run.names(profile) || cm.Name != publish.SetName(run.set.Name, profile) || run.mayBeMounted(cm.Name) {
			continue
		}
		if err := run.checkGeneration(ctx); err != nil {
			return err
		}
		if err := run.deleteExactly(ctx, cm); err != nil {
			return fmt.Errorf("deleting ConfigMap %s: %w", cm.Name, err)
		}
		delete(run.configMaps, cm.Name)
		run.touched = true
	}
	return nil
}

// names reports whether the set has a profile.
func (run *setRun) names(profile string) bool {
	return slices.ContainsFunc(run.set.Spec.Profiles, func(p v1alpha1.SetProfile) bool { return p.Profile == profile })
}

// mayBeMounted reports whether something mounts a ConfigMap, or could.
func (run *setRun) mayBeMounted(configMap string) bool {
	switch {
	case run.Mounts == nil:
		return false
	case !run.Mounts.Ready():
		return true
	}
	return len(run.Mounts.Consumers(run.set.Namespace, configMap)) > 0
}
