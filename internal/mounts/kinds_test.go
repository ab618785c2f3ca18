// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const shop = "shop"

func named(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: shop, Name: name} }

// of makes an object one that a controller made.
func of[T client.Object](object T, kind, name string) T {
	object.SetOwnerReferences([]metav1.OwnerReference{
		{Kind: "Node", Name: "not-the-controller"},
		{Kind: kind, Name: name, Controller: new(true)},
	})
	return object
}

func mounting(names ...string) corev1.PodSpec {
	spec := corev1.PodSpec{}
	for _, name := range names {
		spec.Volumes = append(spec.Volumes, volume(name))
	}
	return spec
}

func template(names ...string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{Spec: mounting(names...)}
}

func pod(name string, mounts ...string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: named(name), Spec: mounting(mounts...)}
}

func inPhase(p *corev1.Pod, phase corev1.PodPhase) *corev1.Pod {
	p.Status.Phase = phase
	return p
}

func replicaSet(name string, replicas int32, mounts ...string) *appsv1.ReplicaSet {
	return &appsv1.ReplicaSet{ObjectMeta: named(name), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: template(mounts...)}}
}

func deployment(name string, replicas int32, mounts ...string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: named(name), Spec: appsv1.DeploymentSpec{Replicas: &replicas, Template: template(mounts...)}}
}

func job(name string, conditions ...batchv1.JobCondition) *batchv1.Job {
	return &batchv1.Job{
		ObjectMeta: named(name), Spec: batchv1.JobSpec{Template: template("a-v1")}, Status: batchv1.JobStatus{Conditions: conditions},
	}
}

func TestWhatIsKeptOfAnObject(t *testing.T) {
	t.Parallel()
	ending := replicaSet("agent-abc", 0, "a-v1")
	ending.Status.Replicas = 1
	unsaid := replicaSet("agent-abc", 0, "a-v1")
	unsaid.Spec.Replicas = nil
	terminating := pod("p", "a-v1")
	terminating.DeletionTimestamp = new(metav1.Now())
	tests := map[string]struct {
		object   client.Object
		consumer string
		idle     bool
	}{
		"a pod":                            {pod("p", "a-v1"), "Pod/p", false},
		"a pending pod":                    {inPhase(pod("p", "a-v1"), corev1.PodPending), "Pod/p", false},
		"a running pod":                    {inPhase(pod("p", "a-v1"), corev1.PodRunning), "Pod/p", false},
		"a pod nobody hears of":            {inPhase(pod("p", "a-v1"), corev1.PodUnknown), "Pod/p", false},
		"a terminating pod":                {terminating, "Pod/p", false},
		"a succeeded pod":                  {inPhase(pod("p", "a-v1"), corev1.PodSucceeded), "Pod/p", true},
		"a failed pod":                     {inPhase(pod("p", "a-v1"), corev1.PodFailed), "Pod/p", true},
		"a pod of a ReplicaSet":            {of(pod("p", "a-v1"), "ReplicaSet", "agent-abc"), "ReplicaSet/agent-abc", false},
		"a pod of a custom controller":     {of(pod("p", "a-v1"), "CloneSet", "agent"), "CloneSet/agent", false},
		"a pod with a kind that is none":   {of(pod("p", "a-v1"), strings.Repeat("K", 64), "agent"), "Pod/p", false},
		"a pod with a name that is none":   {of(pod("p", "a-v1"), "ReplicaSet", strings.Repeat("n", 254)), "Pod/p", false},
		"a Deployment":                     {deployment("agent", 3, "a-v1"), "Deployment/agent", false},
		"a Deployment scaled to zero":      {deployment("agent", 0, "a-v1"), "Deployment/agent", false},
		"a Deployment with a controller":   {of(deployment("agent", 1, "a-v1"), "Agent", "shop"), "Deployment/agent", false},
		"a StatefulSet":                    {&appsv1.StatefulSet{ObjectMeta: named("s"), Spec: appsv1.StatefulSetSpec{Template: template("a-v1")}}, "StatefulSet/s", false},
		"a DaemonSet":                      {&appsv1.DaemonSet{ObjectMeta: named("d"), Spec: appsv1.DaemonSetSpec{Template: template("a-v1")}}, "DaemonSet/d", false},
		"a ReplicaSet":                     {replicaSet("agent-abc", 1, "a-v1"), "ReplicaSet/agent-abc", false},
		"a ReplicaSet without a number":    {unsaid, "ReplicaSet/agent-abc", false},
		"a ReplicaSet of a Deployment":     {of(replicaSet("agent-abc", 1, "a-v1"), "Deployment", "agent"), "Deployment/agent", false},
		"a ReplicaSet scaled to zero":      {of(replicaSet("agent-abc", 0, "a-v1"), "Deployment", "agent"), "Deployment/agent", true},
		"a ReplicaSet whose pods still go": {ending, "ReplicaSet/agent-abc", false},
		"a Job":                            {job("j"), "Job/j", false},
		"a Job of a CronJob":               {of(job("j"), "CronJob", "nightly"), "CronJob/nightly", false},
		"a suspended Job":                  {job("j", batchv1.JobCondition{Type: batchv1.JobSuspended, Status: corev1.ConditionTrue}), "Job/j", false},
		"a Job that is not complete":       {job("j", batchv1.JobCondition{Type: batchv1.JobComplete, Status: corev1.ConditionFalse}), "Job/j", false},
		"a complete Job":                   {job("j", batchv1.JobCondition{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}), "Job/j", true},
		"a failed Job":                     {job("j", batchv1.JobCondition{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}), "Job/j", true},
		"a CronJob": {&batchv1.CronJob{ObjectMeta: named("c"), Spec: batchv1.CronJobSpec{
			JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template("a-v1")}},
		}}, "CronJob/c", false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.object.SetResourceVersion("7")
			got, err := see(test.object)
			if err != nil {
				t.Fatal(err)
			}
			want := metav1.ObjectMeta{Namespace: shop, Name: test.object.GetName(), ResourceVersion: "7"}
			if diff := cmp.Diff(want, got.ObjectMeta); diff != "" {
				t.Errorf("metadata (-want +got):\n%s", diff)
			}
			if got.consumer.String() != test.consumer || got.idle != test.idle || !slices.Equal(got.names, []string{"a-v1"}) {
				t.Errorf("%s, idle %t, mounts %v; want %s, %t, [a-v1]", got.consumer, got.idle, got.names, test.consumer, test.idle)
			}
			if again, err := see(got); again != got || err != nil {
				t.Errorf("a second time it is %v, %v", again, err)
			}
		})
	}
}

func TestOtherObjectsAreRefused(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	view := tracker.view("Pod")
	for _, object := range []any{nil, "pod", &corev1.Secret{}, corev1.Pod{}} {
		if err := view.Add(object); err == nil {
			t.Errorf("%T was taken", object)
		}
		if err := view.Replace([]any{object}, ""); err == nil || view.listed {
			t.Errorf("a list with %T was taken", object)
		}
	}
	if err := view.Delete("pod"); err == nil {
		t.Error("a text was deleted")
	}
}

// TestNothingElseIsKept puts a pod full of texts into the tracker, and looks at
// every text that can be reached from the tracker afterwards.
func TestNothingElseIsKept(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	full := of(pod("agent-abc-1", "a-v1", "settings-"+secret), "ReplicaSet", "agent-abc")
	full.UID, full.GenerateName = secret, secret
	full.Labels, full.Annotations = map[string]string{secret: secret}, map[string]string{secret: secret}
	full.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: secret, FieldsV1: metav1.NewFieldsV1(secret)}}
	full.OwnerReferences[1].APIVersion, full.OwnerReferences[1].UID = secret, secret
	full.Spec.ServiceAccountName, full.Spec.NodeName = secret, secret
	full.Spec.Containers = []corev1.Container{{
		Name: secret, Image: secret, Command: []string{secret}, Args: []string{secret},
		Env: []corev1.EnvVar{{Name: "API_KEY", Value: secret}, variable("a-v1")},
	}}
	full.Spec.Containers[0].Env[1].ValueFrom.ConfigMapKeyRef.Key = secret
	full.Spec.Volumes = append(full.Spec.Volumes, corev1.Volume{Name: secret, VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: secret}}})
	full.Status.Message, full.Status.PodIP = secret, secret

	reduced, err := reduce(full)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := texts(reduced), []string{"ReplicaSet", "a-v1", "agent-abc", "agent-abc-1", shop}; !slices.Equal(got, want) {
		t.Errorf("on the way to the index are the texts %q, want %q", got, want)
	}
	tracker := newTracker(t)
	tracker.must(tracker.view("Pod").Add(full))
	if got, want := texts(tracker.view("Pod").objects), []string{"ReplicaSet", "a-v1", "agent-abc", "agent-abc-1", shop}; !slices.Equal(got, want) {
		t.Errorf("the store has the texts %q, want %q", got, want)
	}
	if got, want := texts(tracker.index), []string{"ReplicaSet", "a-v1", "agent-abc", shop}; !slices.Equal(got, want) {
		t.Errorf("the index has the texts %q, want %q", got, want)
	}
}

// texts are all texts that can be reached from a value, except empty ones.
func texts(value any) []string {
	var out []string
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			if v.Len() > 0 {
				out = append(out, v.String())
			}
		case reflect.Pointer, reflect.Interface:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for _, field := range v.Fields() {
				walk(field)
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Map:
			for _, key := range v.MapKeys() {
				walk(key)
				walk(v.MapIndex(key))
			}
		default: // no other kind holds a text
		}
	}
	walk(reflect.ValueOf(value))
	slices.Sort(out)
	return slices.Compact(out)
}
