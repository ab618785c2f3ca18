// SPDX-License-Identifier: Apache-2.0

package snapshot_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/internal/snapshot"
)

func named(name string) corev1.LocalObjectReference { return corev1.LocalObjectReference{Name: name} }

// reading reads published ConfigMaps in each of the ways that a pod can, and others.
func reading() corev1.PodSpec {
	return corev1.PodSpec{
		Volumes: []corev1.Volume{
			{VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: named("find-order-v1")}}},
			{VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: named("settings")}}},
			{VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
				{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: named("find-order-v1.2.0-0a1b2c3d")}},
				{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: named("kube-root-ca.crt")}},
				{Secret: &corev1.SecretProjection{LocalObjectReference: named("other-v1")}},
			}}}},
			{},
		},
		InitContainers: []corev1.Container{{EnvFrom: []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: named("desk.openai-responses")}}}}},
		Containers: []corev1.Container{{Env: []corev1.EnvVar{
			{Name: "A", Value: "b"},
			{Name: "B", ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: named("show-order-v0.3")}}},
		}}},
		EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			EnvFrom: []corev1.EnvFromSource{{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: named("desk.openai-responses-0a1b2c3d")}}},
		}}},
	}
}

func TestWorkloadOf(t *testing.T) {
	t.Parallel()
	all := []string{"desk.openai-responses", "desk.openai-responses-0a1b2c3d", "find-order-v1", "find-order-v1.2.0-0a1b2c3d", "show-order-v0.3"}
	meta := metav1.ObjectMeta{Name: "agent", Namespace: "shop"}
	owned := func(kind, name string) metav1.ObjectMeta {
		m := meta
		m.OwnerReferences = []metav1.OwnerReference{{Kind: "Other", Name: "x"}, {Kind: kind, Name: name, Controller: new(true)}}
		return m
	}
	template := corev1.PodTemplateSpec{Spec: reading()}
	is := func(kind, name string) *snapshot.Workload {
		return &snapshot.Workload{Kind: kind, Namespace: "shop", Name: name, ConfigMaps: all}
	}
	tests := []struct {
		name, kind string
		object     any
		want       *snapshot.Workload
	}{
		{"a Pod", "Pod", corev1.Pod{ObjectMeta: meta, Spec: reading()}, is("Pod", "agent")},
		{"a Pod of a ReplicaSet", "Pod", corev1.Pod{ObjectMeta: owned("ReplicaSet", "agent-1"), Spec: reading()}, is("ReplicaSet", "agent-1")},
		{"a Pod that has ended", "Pod", corev1.Pod{ObjectMeta: meta, Spec: reading(), Status: corev1.PodStatus{Phase: corev1.PodFailed}}, nil},
		{"a Pod of others", "Pod", corev1.Pod{ObjectMeta: meta}, nil},
		{"a Deployment", "Deployment", appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Template: template}}, is("Deployment", "agent")},
		{"a StatefulSet", "StatefulSet", appsv1.StatefulSet{ObjectMeta: meta, Spec: appsv1.StatefulSetSpec{Template: template}}, is("StatefulSet", "agent")},
		{"a DaemonSet", "DaemonSet", appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Template: template}}, is("DaemonSet", "agent")},
		{"a ReplicaSet", "ReplicaSet", appsv1.ReplicaSet{ObjectMeta: owned("Deployment", "agents"), Spec: appsv1.ReplicaSetSpec{Template: template}}, is("Deployment", "agents")},
		{"a ReplicaSet of before", "ReplicaSet", appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Replicas: new(int32), Template: template}}, nil},
		{"a ReplicaSet that ends", "ReplicaSet", appsv1.ReplicaSet{ObjectMeta: meta, Spec: appsv1.ReplicaSetSpec{Replicas: new(int32), Template: template}, Status: appsv1.ReplicaSetStatus{Replicas: 1}}, is("ReplicaSet", "agent")},
		{"a Job", "Job", batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{Template: template}}, is("Job", "agent")},
		{"a Job that is done", "Job", batchv1.Job{ObjectMeta: meta, Spec: batchv1.JobSpec{Template: template}, Status: batchv1.JobStatus{Conditions: []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}}}, nil},
		{"a CronJob", "CronJob", batchv1.CronJob{ObjectMeta: meta, Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template}}}}, is("CronJob", "agent")},
		{"another kind", "Service", corev1.Service{ObjectMeta: meta}, nil},
		{"no object", "Pod", []int{1}, nil},
	}
	for _, test := range tests {
		text, err := json.Marshal(test.object)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := snapshot.WorkloadOf(text, test.kind)
		if ok != (test.want != nil) {
			t.Errorf("%s: %t %+v", test.name, ok, got)
		} else if ok {
			if diff := cmp.Diff(*test.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", test.name, diff)
			}
		}
	}
}
