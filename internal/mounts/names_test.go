// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
)

func reference(name string) corev1.LocalObjectReference {
	return corev1.LocalObjectReference{Name: name}
}

// volume mounts a ConfigMap as a directory.
func volume(name string) corev1.Volume {
	return corev1.Volume{Name: "tools", VolumeSource: corev1.VolumeSource{
		ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: reference(name)},
	}}
}

func variable(name string) corev1.EnvVar {
	return corev1.EnvVar{Name: "TOOL", ValueFrom: &corev1.EnvVarSource{
		ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: reference(name), Key: "contract.json"},
	}}
}

func allOf(name string) corev1.EnvFromSource {
	return corev1.EnvFromSource{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: reference(name)}}
}

func TestEveryPlaceThatReadsAConfigMap(t *testing.T) {
	t.Parallel()
	optional := volume("a-v1")
	optional.ConfigMap.Optional = new(true)
	projected := corev1.Volume{VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
		{Secret: &corev1.SecretProjection{LocalObjectReference: reference("s-v1")}},
		{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: reference("b-v2")}},
		{DownwardAPI: &corev1.DownwardAPIProjection{}},
		{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: reference("a-v1")}},
	}}}}
	elsewhere := []corev1.EnvVar{
		{Name: "PLAIN", Value: "a-v1"},
		{Name: "SECRET", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: reference("a-v1")}}},
		{Name: "FIELD", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{FieldPath: "metadata.name"}}},
	}
	tests := map[string]struct {
		spec corev1.PodSpec
		want []string
	}{
		"nothing":             {},
		"a volume":            {corev1.PodSpec{Volumes: []corev1.Volume{{Name: "tmp"}, volume("a-v1")}}, []string{"a-v1"}},
		"an optional volume":  {corev1.PodSpec{Volumes: []corev1.Volume{optional}}, []string{"a-v1"}},
		"a projected volume":  {corev1.PodSpec{Volumes: []corev1.Volume{projected}}, []string{"a-v1", "b-v2"}},
		"a variable":          {corev1.PodSpec{Containers: []corev1.Container{{}, {Env: []corev1.EnvVar{variable("a-v1")}}}}, []string{"a-v1"}},
		"all variables":       {corev1.PodSpec{Containers: []corev1.Container{{EnvFrom: []corev1.EnvFromSource{{}, allOf("a-v1")}}}}, []string{"a-v1"}},
		"an init container":   {corev1.PodSpec{InitContainers: []corev1.Container{{Env: []corev1.EnvVar{variable("a-v1")}, EnvFrom: []corev1.EnvFromSource{allOf("b-v2")}}}}, []string{"a-v1", "b-v2"}},
		"a debug container":   {corev1.PodSpec{EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Env: []corev1.EnvVar{variable("c-v3")}, EnvFrom: []corev1.EnvFromSource{allOf("b-v2")}}}}}, []string{"b-v2", "c-v3"}},
		"one name many times": {corev1.PodSpec{Volumes: []corev1.Volume{volume("b-v0.2"), volume("a-v1"), volume("b-v0.2")}}, []string{"a-v1", "b-v0.2"}},
		"a rendering":         {corev1.PodSpec{Volumes: []corev1.Volume{volume("a-v1.2.0-1a2b3c4d")}}, []string{"a-v1.2.0-1a2b3c4d"}},
		"names of others":     {corev1.PodSpec{Volumes: []corev1.Volume{volume("settings"), volume("kube-root-ca.crt"), volume("")}}, nil},
		"no ConfigMap": {corev1.PodSpec{
			Volumes: []corev1.Volume{
				{Name: "a-v1", VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "a-v1"}}},
			},
			Containers: []corev1.Container{{Name: "a-v1", Env: elsewhere, EnvFrom: []corev1.EnvFromSource{
				{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: reference("a-v1")}},
			}}},
		}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, published(&test.spec)); diff != "" {
				t.Errorf("published (-want +got):\n%s", diff)
			}
		})
	}
}
