// SPDX-License-Identifier: Apache-2.0

package controller

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// Published objects that somebody changed or deleted are restored without a word:
// the state is as it was. Only a metric tells of it, because whoever does it all
// the time is worth finding.

// repaired counts a write of a ConfigMap, if it restored what was published.
func (w *childWriter) repaired(written *corev1.ConfigMap, drift string) {
	if w.owner.serves(written.Name, written.Annotations[v1alpha1.AnnotationDigest]) {
		driftRepaired.WithLabelValues(configMapKind, drift).Inc()
	}
}

// isRepair reports whether labels or annotations were wrong that follow from the
// bytes alone. The others change while the bytes stay: when another version is
// issued, or when another revision of a profile renders the same.
func isRepair(have, want *corev1.ConfigMap) bool {
	for key, value := range want.Labels {
		if was, ok := have.Labels[key]; !ok || was != value {
			return true
		}
	}
	for _, key := range []string{
		v1alpha1.AnnotationDigest, v1alpha1.AnnotationContentDigest, v1alpha1.AnnotationRevision, v1alpha1.AnnotationRendering,
	} {
		if have.Annotations[key] != want.Annotations[key] {
			return true
		}
	}
	return false
}

// serves makes the run a [childOwner].
func (run *contractRun) serves(name, digest string) bool {
	for _, c := range run.contract.Status.Channels {
		if c.Digest == digest && (c.ConfigMap == name || renderingOf(c) == name) {
			return true
		}
	}
	return false
}

// serves makes the run a [childOwner].
func (run *setRun) serves(name, digest string) bool {
	for _, p := range run.set.Status.Profiles {
		if p.Digest == digest && (p.ConfigMap == name || p.Rendering == name) {
			return true
		}
	}
	return false
}

// observeBytes measures a ConfigMap that was written with its data.
func observeBytes(cm *corev1.ConfigMap) {
	bytes := 0
	for name, text := range cm.Data {
		bytes += len(name) + len(text)
	}
	publishedBytes.WithLabelValues(cm.Labels[v1alpha1.LabelRole]).Observe(float64(bytes))
}
