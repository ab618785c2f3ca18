// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
)

// keepLines keeps the lines that this run does not publish: the other ones and,
// while a change is refused, that of the contract's version. They go on serving
// their version, for the targets that it was published for.
//
// The bytes of a line stand in two ConfigMaps, the immutable one and the channel;
// each is restored from the other. Where the profiles make other bytes of the
// version by now, the line gets those.
func (run *contractRun) keepLines(ctx context.Context, except string) error {
	lines, history := run.lines(), run.history()
	for _, line := range slices.Sorted(maps.Keys(lines)) {
		if lines[line].ConfigMap == except || run.leaves(lines[line].ConfigMap) {
			continue
		}
		if err := run.keepLine(ctx, lines[line], history); err != nil {
			return err
		}
	}
	return nil
}

func (run *contractRun) keepLine(ctx context.Context, line v1alpha1.Channel, history evaluate.History) error {
	rendering, channel := run.own(renderingOf(line)), run.own(line.ConfigMap)
	if areIntact(rendering, channel) {
		if again := run.renderAgain(line, rendering, history); again != nil {
			return run.moveLine(ctx, again)
		}
		wantRendering, wantChannel := run.copies(line, rendering)
		run.withMemory(wantChannel)
		if err := run.patchMetadata(ctx, rendering, wantRendering); err != nil {
			return err
		}
		return run.patchMetadata(ctx, channel, wantChannel)
	}
	source, err := run.wholeCopy(ctx, line)
	if err != nil || source == nil {
		return err // without a whole copy, what stands there stays
	}
	if again := run.renderAgain(line, source, history); again != nil {
		return run.moveLine(ctx, again)
	}
	wantRendering, wantChannel := run.copies(line, source)
	if err := run.ensureRendering(ctx, wantRendering); err != nil {
		return err
	}
	return run.ensureChannel(ctx, wantChannel)
}

// areIntact reports whether both ConfigMaps of a line are there and agree, so
// that only their labels and annotations can be wrong.
func areIntact(rendering, channel *corev1.ConfigMap) bool {
	return rendering != nil && channel != nil && dataDigest(rendering) == dataDigest(channel) &&
		ptr.Deref(rendering.Immutable, false) && !ptr.Deref(channel.Immutable, false)
}

// wholeCopy reads a ConfigMap that still has the bytes of a line, nil if there
// is none.
func (run *contractRun) wholeCopy(ctx context.Context, line v1alpha1.Channel) (*corev1.ConfigMap, error) {
	for _, name := range []string{renderingOf(line), line.ConfigMap} {
		if run.own(name) == nil {
			continue
		}
		var live corev1.ConfigMap // with its data, which the cache does not hold
		err := run.Live.Get(ctx, client.ObjectKey{Namespace: run.contract.Namespace, Name: name}, &live)
		switch {
		case apierrors.IsNotFound(err):
		case err != nil:
			return nil, fmt.Errorf("reading ConfigMap %s: %w", name, err)
		case ownerOf(&live, run.contract) == ours && bundleDigest(live.Data) == line.Digest:
			return &live, nil
		}
	}
	return nil, nil
}

// copies are the two ConfigMaps of a line, with the data of source. Labels and
// annotations that decide anything follow from the line; source may have been
// edited.
func (run *contractRun) copies(line v1alpha1.Channel, source *corev1.ConfigMap) (rendering, channel *corev1.ConfigMap) {
	version, _ := versionOf(run.contract.Name, line.Revision)
	annotations := map[string]string{
		v1alpha1.AnnotationDigest:   line.Digest,
		v1alpha1.AnnotationRevision: line.Revision,
	}
	for _, key := range []string{
		v1alpha1.AnnotationContentDigest, v1alpha1.AnnotationProfiles,
		v1alpha1.AnnotationProfileRevisions, v1alpha1.AnnotationRendererVersions,
	} {
		if value, ok := source.Annotations[key]; ok {
			annotations[key] = value
		}
	}
	newCopy := func(name, role string) *corev1.ConfigMap {
		all := labels(run.contract.Name, version)
		all[v1alpha1.LabelRole] = role
		return &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: run.contract.Namespace, Name: name, Labels: all, Annotations: maps.Clone(annotations),
				OwnerReferences: []metav1.OwnerReference{ownerReference(run.contract)},
			},
			Data: source.Data,
		}
	}
	rendering, channel = newCopy(renderingOf(line), v1alpha1.RoleRendering), newCopy(line.ConfigMap, v1alpha1.RoleChannel)
	rendering.Immutable = new(true)
	channel.Annotations[v1alpha1.AnnotationRendering] = rendering.Name
	return rendering, channel
}
