// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/render"
)

// setConfigMaps are the two ConfigMaps of a publication: the immutable one, and
// the one with the stable name that agents mount, a full copy.
func setConfigMaps(set *v1alpha1.ToolSet, profile, digest string, annotations, data map[string]string) (rendering, stable *corev1.ConfigMap) {
	one := func(name, role string) *corev1.ConfigMap {
		cm := &corev1.ConfigMap{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: set.Namespace, Name: name,
				Labels: map[string]string{
					v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelSet: set.Name,
					v1alpha1.LabelProfile: profile, v1alpha1.LabelRole: role,
				},
				Annotations:     map[string]string{v1alpha1.AnnotationDigest: digest},
				OwnerReferences: []metav1.OwnerReference{reference(setKind, set)},
			},
			Data: data,
		}
		for _, key := range []string{v1alpha1.AnnotationProfileRevisions, v1alpha1.AnnotationRendererVersions} {
			if value, ok := annotations[key]; ok {
				cm.Annotations[key] = value
			}
		}
		return cm
	}
	rendering = one(publish.SetRenderingName(set.Name, profile, digest), v1alpha1.RoleSetRendering)
	rendering.Immutable = new(true)
	stable = one(publish.SetName(set.Name, profile), v1alpha1.RoleSet)
	stable.Annotations[v1alpha1.AnnotationRendering] = rendering.Name
	return rendering, stable
}

// renderedBy are the annotations that say which revisions the bytes were first
// rendered by.
func renderedBy(profile *provider.Profile) map[string]string {
	return map[string]string{
		v1alpha1.AnnotationProfileRevisions: fmt.Sprintf("%s=%d", profile.Name, profile.Revision),
		v1alpha1.AnnotationRendererVersions: fmt.Sprintf("%s=%d", profile.WireFormat, render.Version(profile.WireFormat)),
	}
}
