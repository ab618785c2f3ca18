// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
)

// fakeAPI is a client that lists and watches objects in memory. It cannot stream
// a list.
type fakeAPI struct{ client.WithWatch }

// IsWatchListSemanticsUnSupported is asked by the reflector.
func (fakeAPI) IsWatchListSemanticsUnSupported() bool { return true }

// startTracker runs a tracker until the test ends.
func startTracker(t *testing.T, namespace string, api client.WithWatch) testTracker {
	t.Helper()
	tracker := New(Options{
		Client: fakeAPI{api}, Namespace: namespace,
		Contracts: func(context.Context) ([]types.NamespacedName, error) { return nil, nil },
	})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = tracker.Start(ctx) })
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	return testTracker{t, tracker}
}

// eventually fails the test if something does not become true within a minute.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not within a minute: " + what)
		}
	}
}

func builder(objects ...client.Object) *fake.ClientBuilder {
	return fake.NewClientBuilder().WithScheme(clientgoscheme.Scheme).WithObjects(objects...)
}

func TestListAndWatch(t *testing.T) {
	t.Parallel()
	elsewhere := pod("elsewhere", "a-v1")
	elsewhere.Namespace = "farm"
	api := builder(pod("p", "a-v1"), deployment("agent", 1, "a-v1"), elsewhere).Build()
	tracker := startTracker(t, shop, api)
	eventually(t, "ready", tracker.Ready)
	tracker.mounted("a-v1", "Deployment/agent", "Pod/p")
	if got := tracker.Consumers("farm", "a-v1"); got != nil {
		t.Errorf("a tracker of one namespace knows of %v in another", got)
	}
	now := func(want ...string) func() bool {
		return func() bool { return slices.Equal(tracker.Consumers(shop, "a-v1"), want) }
	}
	tracker.must(api.Create(t.Context(), of(pod("q", "a-v1"), "Job", "import")))
	eventually(t, "the new pod is seen", now("Deployment/agent", "Job/import", "Pod/p"))
	tracker.must(api.Delete(t.Context(), pod("p")))
	eventually(t, "the deleted pod is gone", now("Deployment/agent", "Job/import"))
	finished := of(pod("q", "a-v1"), "Job", "import")
	tracker.must(api.Get(t.Context(), client.ObjectKeyFromObject(finished), finished))
	finished.Status.Phase = corev1.PodSucceeded
	tracker.must(api.Status().Update(t.Context(), finished))
	eventually(t, "the finished pod is gone", now("Deployment/agent"))
}

// TestAMissingRight: the tracker knows that it does not know, and goes on when it
// is given the right.
func TestAMissingRight(t *testing.T) {
	t.Parallel()
	var allowed atomic.Bool
	var asked atomic.Int64
	isPods := func(list client.ObjectList) bool { _, ok := list.(*corev1.PodList); return ok }
	api := builder(pod("p", "a-v1"), deployment("agent", 1, "a-v1")).WithInterceptorFuncs(interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			if isPods(list) && !allowed.Load() {
				asked.Add(1)
				return forbidden("pods")
			}
			return c.List(ctx, list, opts...)
		},
		Watch: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) (watch.Interface, error) {
			if isPods(list) && !allowed.Load() {
				return nil, forbidden("pods")
			}
			return c.Watch(ctx, list, opts...)
		},
	}).Build()
	tracker := startTracker(t, "", api)
	eventually(t, "all but pods are seen", func() bool {
		return slices.Equal(metricsOf(t, tracker.Tracker), []string{
			"toolcontract_mounts_consumers 1",
			"toolcontract_mounts_ready resource=cronjobs.batch 1", "toolcontract_mounts_ready resource=daemonsets.apps 1",
			"toolcontract_mounts_ready resource=deployments.apps 1", "toolcontract_mounts_ready resource=jobs.batch 1",
			"toolcontract_mounts_ready resource=pods 0",
			"toolcontract_mounts_ready resource=replicasets.apps 1", "toolcontract_mounts_ready resource=statefulsets.apps 1",
		})
	})
	eventually(t, "pods are asked for again", func() bool { return asked.Load() > 1 })
	if tracker.Ready() {
		t.Error("ready without pods")
	}
	tracker.mounted("a-v1", "Deployment/agent")
	allowed.Store(true)
	eventually(t, "ready", tracker.Ready)
	tracker.mounted("a-v1", "Deployment/agent", "Pod/p")
}

// TestALostRight: what is known grows old, and the tracker says so.
func TestALostRight(t *testing.T) {
	t.Parallel()
	var mutex sync.Mutex
	var open []watch.Interface
	var lost atomic.Bool
	api := builder(pod("p", "a-v1")).WithInterceptorFuncs(interceptor.Funcs{
		List: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			if lost.Load() {
				return forbidden("pods")
			}
			return c.List(ctx, list, opts...)
		},
		Watch: func(ctx context.Context, c client.WithWatch, list client.ObjectList, opts ...client.ListOption) (watch.Interface, error) {
			if lost.Load() {
				return nil, forbidden("pods")
			}
			w, err := c.Watch(ctx, list, opts...)
			mutex.Lock()
			open = append(open, w)
			mutex.Unlock()
			return w, err
		},
	}).Build()
	tracker := startTracker(t, "", api)
	eventually(t, "ready", tracker.Ready)
	lost.Store(true)
	mutex.Lock()
	for _, w := range open {
		w.Stop()
	}
	mutex.Unlock()
	eventually(t, "not ready any more", func() bool { return !tracker.Ready() })
	tracker.mounted("a-v1", "Pod/p")
	lost.Store(false)
	eventually(t, "ready again", tracker.Ready)
	tracker.mounted("a-v1", "Pod/p")
}

func TestAStandbyReplicaShowsNoMetrics(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	if got := metricsOf(t, tracker.Tracker); len(got) > 0 {
		t.Errorf("shown: %v", got)
	}
}

func TestMetricsCountAConsumerOnce(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	tracker.started = true
	tracker.put(deployment("agent", 1, "a-v1", "b-v1"), of(replicaSet("agent-1", 1, "a-v1"), "Deployment", "agent"))
	tracker.put(of(pod("agent-1-x", "a-v1"), "ReplicaSet", "agent-1"), pod("single", "a-v1"))
	if got, want := metricsOf(t, tracker.Tracker)[0], "toolcontract_mounts_consumers 2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// metricsOf are the samples of a collector, one line each, in order of their
// names.
func metricsOf(t *testing.T, collector prometheus.Collector) []string {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	if err := registry.Register(collector); err != nil {
		t.Fatal(err)
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, family := range families {
		if family.GetHelp() == "" {
			t.Errorf("%s has no help", family.GetName())
		}
		for _, metric := range family.GetMetric() {
			line := family.GetName()
			for _, label := range metric.GetLabel() {
				line += " " + label.GetName() + "=" + label.GetValue()
			}
			out = append(out, fmt.Sprintf("%s %v", line, metric.GetGauge().GetValue()))
		}
	}
	return out
}

func TestResourcesHaveTheNamesOfTheirKinds(t *testing.T) {
	t.Parallel()
	var got []string
	for _, k := range kinds {
		gvks, _, err := clientgoscheme.Scheme.ObjectKinds(k.object)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.TrimSuffix(strings.ToLower(k.name)+"s."+gvks[0].Group, ".")
		if k.resource != want || gvks[0].Kind != k.name {
			t.Errorf("%s: %s, want %s", k.name, k.resource, want)
		}
		got = append(got, k.name)
	}
	want := []string{"Pod", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
}
