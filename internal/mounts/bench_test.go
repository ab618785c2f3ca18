// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

// benchPods are ten ReplicaSets of a hundred pods each, times ten namespaces.
const benchPods = 10_000

// encodedPod is a pod as the API server sends it: of a common size, with what a
// running pod has. It mounts two ConfigMaps.
func encodedPod(b *testing.B, i int, configMaps ...string) []byte {
	b.Helper()
	p := of(pod(fmt.Sprintf("agent-%d-7d9c8b6f5d-%05d", i/100%10, i), configMaps...), "ReplicaSet", fmt.Sprintf("agent-%d-7d9c8b6f5d", i/100%10))
	p.Namespace = fmt.Sprintf("team-%d", i/1000)
	p.UID, p.ResourceVersion = "0b8f3c1e-4f0b-4b8e-9d6f-1c2d3e4f5a6b", "123456789"
	p.Labels = map[string]string{"app.kubernetes.io/name": "agent", "app.kubernetes.io/instance": "agent", "pod-template-hash": "7d9c8b6f5d"}
	p.Annotations = map[string]string{"kubectl.kubernetes.io/restartedAt": "2026-11-30T00:00:00Z", "prometheus.io/scrape": "true"}
	p.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet", FieldsV1: metav1.NewFieldsV1(strings.Repeat(`{"f:status":{}}`, 150))}}
	for _, name := range []string{"agent", "proxy"} {
		container := corev1.Container{
			Name: name, Image: "registry.example.com/" + name + ":1.2.3", Command: []string{"/bin/" + name, "--config=/etc/agent"},
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("128Mi")}},
			LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
				Path: "/healthz",
			}}},
		}
		for v := range 12 {
			container.Env = append(container.Env, corev1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", v), Value: "some value of a common length"})
		}
		p.Spec.Containers = append(p.Spec.Containers, container)
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: name, Image: container.Image, ContainerID: "containerd://" + strings.Repeat("0", 64)})
	}
	for _, kind := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: metav1.Now()})
	}
	p.Status.Phase = corev1.PodRunning
	data, err := p.Marshal()
	if err != nil {
		b.Fatal(err)
	}
	return data
}

func heap() float64 {
	for range 3 { // texts that are held once are let go a collection later
		runtime.GC()
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// BenchmarkMemory puts pods into the tracker, and into the store of a plain
// informer, and reports what is kept of each pod. The last column is what is left
// after all are deleted.
func BenchmarkMemory(b *testing.B) {
	type store interface {
		Add(object any) error
		Delete(object any) error
	}
	tracker := func() store {
		t := New(Options{})
		return t.views[0]
	}
	informer := func() store { return cache.NewStore(cache.MetaNamespaceKeyFunc) }
	for _, bench := range []struct {
		name    string
		make    func() store
		mounted []string
	}{
		{"two ConfigMaps of ours/tracker", tracker, []string{"find-order-v1", "submit-refund-v2.1.0-1a2b3c4d"}},
		{"two ConfigMaps of ours/informer", informer, []string{"find-order-v1", "submit-refund-v2.1.0-1a2b3c4d"}},
		{"two ConfigMaps of others/tracker", tracker, []string{"settings", "kube-root-ca.crt"}},
		{"two ConfigMaps of others/informer", informer, []string{"settings", "kube-root-ca.crt"}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			encoded := make([][]byte, benchPods)
			for i := range encoded {
				encoded[i] = encodedPod(b, i, bench.mounted...)
			}
			each := func(do func(object any) error) {
				for _, data := range encoded {
					p := &corev1.Pod{}
					if err := p.Unmarshal(data); err != nil {
						b.Fatal(err)
					}
					if err := do(p); err != nil {
						b.Fatal(err)
					}
				}
			}
			for b.Loop() {
				before := heap()
				s := bench.make()
				each(s.Add)
				kept := heap()
				each(s.Delete)
				left := heap()
				runtime.KeepAlive(s)
				b.ReportMetric((kept-before)/benchPods, "B/pod")
				b.ReportMetric((left-before)/benchPods, "left-B/pod")
			}
			runtime.KeepAlive(encoded)
		})
	}
}

// BenchmarkRollingUpdate is what the events of a rolling update of a thousand
// pods cost: each pod is created, changed four times on its way to running, and
// the one it replaces is deleted.
func BenchmarkRollingUpdate(b *testing.B) {
	t := New(Options{})
	v := t.views[0]
	for round := 0; b.Loop(); round++ {
		for i := range 1000 {
			next := of(pod(fmt.Sprintf("agent-%d-%d", round+1, i), "a-v1", "b-v1.0.0-1a2b3c4d"), "ReplicaSet", fmt.Sprintf("agent-%d", round+1))
			for range 5 {
				if err := v.Update(next); err != nil {
					b.Fatal(err)
				}
			}
			if err := v.Delete(pod(fmt.Sprintf("agent-%d-%d", round, i))); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/6000, "ns/event")
}
