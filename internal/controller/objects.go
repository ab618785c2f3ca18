// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/render"
)

// labels are those of every child. None is copied from the contract: GitOps
// tools track and prune by labels.
func labels(contractName string, version contract.Version) map[string]string {
	return map[string]string{
		v1alpha1.LabelManagedBy: v1alpha1.ManagedBy,
		v1alpha1.LabelContract:  contractName,
		v1alpha1.LabelVersion:   version.String(),
		v1alpha1.LabelLine:      version.Line(),
	}
}

// newRevision freezes the content of a contract as the author wrote it.
func newRevision(c *v1alpha1.ToolContract, e *evaluate.Evaluation) *v1alpha1.ToolRevision {
	return &v1alpha1.ToolRevision{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       c.Namespace,
			Name:            publish.RevisionName(c.Name, e.Content.Version),
			Labels:          labels(c.Name, e.Content.Version),
			OwnerReferences: []metav1.OwnerReference{ownerReference(c)},
		},
		Spec: v1alpha1.ToolRevisionSpec{
			ContractRef:      v1alpha1.ContractReference{Name: c.Name},
			Content:          *c.Spec.ToolContent.DeepCopy(),
			ContentDigest:    e.Digest,
			CheckerVersion:   change.CheckerVersion,
			Acknowledgements: e.Decision.Used,
		},
	}
}

// newRendering is the immutable ConfigMap of a bundle.
func newRendering(c *v1alpha1.ToolContract, e *evaluate.Evaluation) *corev1.ConfigMap {
	cm := newConfigMap(c, e, publish.RenderingName(c.Name, e.Content.Version, e.Bundle.Digest), v1alpha1.RoleRendering)
	cm.Immutable = new(true)
	return cm
}

// newChannel is the ConfigMap with the stable name: a full copy, so that a pod
// needs one mount and never sees a name change.
func newChannel(c *v1alpha1.ToolContract, e *evaluate.Evaluation) *corev1.ConfigMap {
	cm := newConfigMap(c, e, publish.ChannelName(c.Name, e.Content.Version.Line()), v1alpha1.RoleChannel)
	cm.Annotations[v1alpha1.AnnotationRendering] = publish.RenderingName(c.Name, e.Content.Version, e.Bundle.Digest)
	return cm
}

func newConfigMap(c *v1alpha1.ToolContract, e *evaluate.Evaluation, name, role string) *corev1.ConfigMap {
	all := labels(c.Name, e.Content.Version)
	all[v1alpha1.LabelRole] = role
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       c.Namespace,
			Name:            name,
			Labels:          all,
			Annotations:     annotations(c, e),
			OwnerReferences: []metav1.OwnerReference{ownerReference(c)},
		},
		Data: e.Bundle.Files,
	}
}

func annotations(c *v1alpha1.ToolContract, e *evaluate.Evaluation) map[string]string {
	var profiles, revisions []string
	renderers := map[string]bool{}
	for _, t := range e.Targets {
		if !t.Compatible() {
			continue
		}
		profiles = append(profiles, profileEntry(t.Profile.Name, t.Given))
		revisions = append(revisions, fmt.Sprintf("%s=%d", t.Profile.Name, t.Profile.Revision))
		renderers[fmt.Sprintf("%s=%d", t.Profile.WireFormat, render.Version(t.Profile.WireFormat))] = true
	}
	slices.Sort(profiles)
	slices.Sort(revisions)
	return map[string]string{
		v1alpha1.AnnotationDigest:           e.Bundle.Digest,
		v1alpha1.AnnotationContentDigest:    e.Digest,
		v1alpha1.AnnotationRevision:         publish.RevisionName(c.Name, e.Content.Version),
		v1alpha1.AnnotationProfiles:         strings.Join(profiles, ","),
		v1alpha1.AnnotationProfileRevisions: strings.Join(revisions, ","),
		v1alpha1.AnnotationRendererVersions: strings.Join(slices.Sorted(maps.Keys(renderers)), ","),
	}
}

const strictSuffix = ":strict"

func profileEntry(name string, strict bool) string {
	if strict {
		return name + strictSuffix
	}
	return name
}

// servedProfiles reads AnnotationProfiles: each profile and whether it is strict.
func servedProfiles(annotation string) map[string]bool {
	out := map[string]bool{}
	for entry := range strings.SplitSeq(annotation, ",") {
		if name, strict := strings.CutSuffix(entry, strictSuffix); name != "" {
			out[name] = strict
		}
	}
	return out
}
