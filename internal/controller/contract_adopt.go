// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// adopt makes this contract the controller of the children that a restore from
// a backup left with the UID of a contract that is gone. Otherwise the garbage
// collector takes them, and with them what agents read. Only a child that proves
// itself by its digest is: any other only has the name, and whoever needs that
// name meets a conflict. Which revisions are, see [contractRun.adoptRevisions].
func (run *contractRun) adopt(ctx context.Context) error {
	if err := run.adoptRevisions(ctx); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(run.configMaps)) {
		cm := run.configMaps[name]
		if ownerOf(cm, run.contract) != orphaned {
			continue
		}
		var live corev1.ConfigMap // with its data, which the cache does not hold
		if err := run.Live.Get(ctx, client.ObjectKeyFromObject(cm), &live); err != nil {
			return fmt.Errorf("reading ConfigMap %s: %w", name, err)
		}
		if ownerOf(&live, run.contract) != orphaned || !isWholeBundle(run.contract.Name, &live) || !run.vouchedFor(&live) {
			continue
		}
		if err := run.takeOver(ctx, &live, ownerReference(run.contract)); err != nil {
			return err
		}
	}
	return nil
}

// vouchedFor reports whether something that only the operator writes knows a
// ConfigMap: the status, or the revision that it was made from. Whoever may create
// ConfigMaps can make one that agrees with itself.
func (run *contractRun) vouchedFor(cm *corev1.ConfigMap) bool {
	for _, channel := range run.contract.Status.Channels {
		if channel.Digest == cm.Annotations[v1alpha1.AnnotationDigest] {
			return true
		}
	}
	revision := run.revisions[cm.Annotations[v1alpha1.AnnotationRevision]]
	return revision != nil && ownerOf(revision, run.contract) == ours && provesItself(revision) &&
		revision.Spec.ContentDigest == cm.Annotations[v1alpha1.AnnotationContentDigest]
}

// provesItself reports whether a revision is what it claims to be.
func provesItself(revision *v1alpha1.ToolRevision) bool {
	return verify(revision).Status == metav1.ConditionTrue
}

// isWholeBundle reports whether a ConfigMap, read with its data, has the bytes
// that its digest names and a name that fits.
func isWholeBundle(contractName string, cm *corev1.ConfigMap) bool {
	digest := cm.Annotations[v1alpha1.AnnotationDigest]
	if digest == "" || bundleDigest(cm.Data) != digest || len(cm.BinaryData) > 0 {
		return false
	}
	revision := cm.Annotations[v1alpha1.AnnotationRevision]
	version, ok := versionOf(contractName, revision)
	switch cm.Labels[v1alpha1.LabelRole] {
	case v1alpha1.RoleChannel:
		return ok && cm.Name == publish.ChannelName(contractName, version.Line())
	case v1alpha1.RoleRendering:
		return ok && cm.Name == publish.RenderingName(contractName, version, digest) && ptr.Deref(cm.Immutable, false)
	default:
		return false
	}
}

// bundleDigest returns the digest under which these files were published, or
// nothing if they are not exactly what their index lists.
func bundleDigest(files map[string]string) string {
	listed := maps.Clone(files)
	delete(listed, v1alpha1.FileIndex)
	bundle, tooLarge := publish.Pack(listed)
	if tooLarge != nil || !maps.Equal(bundle.Files, files) {
		return ""
	}
	return bundle.Digest
}
