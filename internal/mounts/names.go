// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/internal/publish"
)

// published returns the names of the ConfigMaps that pods of this spec read and
// that have the shape of ours, sorted. An optional reference counts like any
// other: the pod reads the ConfigMap if it is there.
func published(spec *corev1.PodSpec) []string {
	var names []string
	add := func(name string) {
		if _, ok := ownerOf("", name); ok {
			names = append(names, name)
		}
	}
	for i := range spec.Volumes {
		addVolume(&spec.Volumes[i], add)
	}
	for i := range spec.InitContainers {
		addEnvironment(spec.InitContainers[i].Env, spec.InitContainers[i].EnvFrom, add)
	}
	for i := range spec.Containers {
		addEnvironment(spec.Containers[i].Env, spec.Containers[i].EnvFrom, add)
	}
	for i := range spec.EphemeralContainers {
		addEnvironment(spec.EphemeralContainers[i].Env, spec.EphemeralContainers[i].EnvFrom, add)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// owner is a contract or a set.
type owner struct {
	types.NamespacedName
	isSet bool
}

// ownerOf reads from the name of a ConfigMap whose it would be.
func ownerOf(namespace, configMap string) (o owner, ok bool) {
	o.Namespace = namespace
	if o.Name, ok = publish.ContractOf(configMap); ok {
		return o, true
	}
	o.Name, o.isSet = publish.SetOf(configMap)
	return o, o.isSet
}

func addVolume(volume *corev1.Volume, add func(string)) {
	if volume.ConfigMap != nil {
		add(volume.ConfigMap.Name)
	}
	if volume.Projected == nil {
		return
	}
	for i := range volume.Projected.Sources {
		if source := volume.Projected.Sources[i].ConfigMap; source != nil {
			add(source.Name)
		}
	}
}

func addEnvironment(variables []corev1.EnvVar, from []corev1.EnvFromSource, add func(string)) {
	for i := range variables {
		if source := variables[i].ValueFrom; source != nil && source.ConfigMapKeyRef != nil {
			add(source.ConfigMapKeyRef.Name)
		}
	}
	for i := range from {
		if source := from[i].ConfigMapRef; source != nil {
			add(source.Name)
		}
	}
}
