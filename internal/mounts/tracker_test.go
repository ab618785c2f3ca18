// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// testTracker is a tracker that is told what the API server would say.
type testTracker struct {
	*testing.T
	*Tracker
}

func newTracker(t *testing.T) testTracker {
	t.Helper()
	return testTracker{t, New(Options{})}
}

func (t testTracker) view(kind string) *view {
	i := slices.IndexFunc(t.views, func(v *view) bool { return v.name == kind })
	return t.views[i]
}

func (t testTracker) must(err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// put tells of objects that are new or changed.
func (t testTracker) put(objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		t.must(t.viewOf(object).Update(object))
	}
}

// gone tells of objects that were deleted.
func (t testTracker) gone(objects ...client.Object) {
	t.Helper()
	for _, object := range objects {
		t.must(t.viewOf(object).Delete(object))
	}
}

func (t testTracker) viewOf(object client.Object) *view {
	for _, v := range t.views {
		if fmt.Sprintf("%T", v.object) == fmt.Sprintf("%T", object) {
			return v
		}
	}
	t.Fatalf("%T is not tracked", object)
	return nil
}

// mounted fails the test unless these mount a ConfigMap.
func (t testTracker) mounted(configMap string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, t.Consumers(shop, configMap)); diff != "" {
		t.Errorf("consumers of %s (-want +got):\n%s", configMap, diff)
	}
}

func TestMountAndRelease(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	tracker.mounted("a-v1")
	one, two := pod("one", "a-v1", "b-v2"), pod("two", "a-v1")
	tracker.put(two, one)
	tracker.mounted("a-v1", "Pod/one", "Pod/two")
	tracker.mounted("b-v2", "Pod/one")
	if got := tracker.Consumers("elsewhere", "a-v1"); got != nil {
		t.Errorf("in another namespace %v", got)
	}

	tracker.put(pod("one", "b-v2"))
	tracker.mounted("a-v1", "Pod/two")
	tracker.put(inPhase(pod("two", "a-v1"), corev1.PodSucceeded))
	tracker.mounted("a-v1")
	tracker.gone(one, two, pod("never-seen", "a-v1"))
	tracker.mounted("b-v2")
	tracker.isEmpty()
}

// isEmpty fails the test if anything is left.
func (t testTracker) isEmpty() {
	t.Helper()
	if len(t.index) > 0 {
		t.Errorf("left in the index: %q", texts(t.index))
	}
	for _, v := range t.views {
		if len(v.objects) > 0 {
			t.Errorf("left of kind %s: %q", v.name, texts(v.objects))
		}
	}
}

// TestObjectsThatMountNothingOfOursCostNothing: they may be most of a cluster.
func TestObjectsThatMountNothingOfOursCostNothing(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	tracker.put(pod("p"), pod("q", "settings", "kube-root-ca.crt"), deployment("d", 1, "settings"), replicaSet("r", 1))
	tracker.isEmpty()
	if len(tracker.changed) > 0 {
		t.Errorf("changed %v", tracker.changed)
	}
}

// TestRollingUpdate: pods of the old ReplicaSet keep the old rendering mounted
// until the last one is gone; all of it is the Deployment to a reader.
func TestRollingUpdate(t *testing.T) {
	t.Parallel()
	const before, after = "a-v1.0.0-11111111", "a-v1.1.0-22222222"
	tracker := newTracker(t)
	oldPods := []client.Object{
		of(pod("agent-old-1", before), "ReplicaSet", "agent-old"), of(pod("agent-old-2", before), "ReplicaSet", "agent-old"),
	}
	tracker.put(oldPods...)
	tracker.mounted(before, "ReplicaSet/agent-old") // whose that is nobody has said yet
	tracker.put(deployment("agent", 2, before), of(replicaSet("agent-old", 2, before), "Deployment", "agent"))
	tracker.mounted(before, "Deployment/agent")

	tracker.put(deployment("agent", 2, after), of(replicaSet("agent-new", 1, after), "Deployment", "agent"))
	tracker.put(of(pod("agent-new-1", after), "ReplicaSet", "agent-new"))
	tracker.gone(oldPods[0])
	tracker.put(of(replicaSet("agent-old", 0, before), "Deployment", "agent"))
	tracker.mounted(before, "Deployment/agent") // the second pod is still there
	tracker.mounted(after, "Deployment/agent")
	tracker.gone(oldPods[1])
	tracker.mounted(before)
	tracker.mounted(after, "Deployment/agent")
}

func TestJobsOfACronJob(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	tracker.put(of(pod("nightly-1-x", "a-v1"), "Job", "nightly-1"), of(job("nightly-1"), "CronJob", "nightly"), of(pod("other", "a-v1"), "Job", "single"))
	tracker.mounted("a-v1", "CronJob/nightly", "Job/single")
}

func TestAListReplacesWhatWasKnown(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	tracker.put(pod("gone", "a-v1"), pod("changed", "a-v1"), pod("same", "a-v1"), deployment("d", 1, "a-v1"))
	reduced, err := reduce(pod("new", "b-v1"))
	tracker.must(err)
	// A list may come as the API server sends it or already reduced.
	tracker.must(tracker.view("Pod").Replace([]any{reduced, pod("same", "a-v1"), pod("changed", "b-v1")}, "9"))
	tracker.mounted("a-v1", "Deployment/d", "Pod/same")
	tracker.mounted("b-v1", "Pod/changed", "Pod/new")
	tracker.must(tracker.view("Pod").Replace(nil, "10"))
	tracker.mounted("a-v1", "Deployment/d")
}

// TestTheIndexIsExact does random things and compares with a count made anew.
func TestTheIndexIsExact(t *testing.T) {
	t.Parallel()
	configMaps := []string{"a-v1", "a-v2", "b-v0.1", "b-v1.0.0-1a2b3c4d", "settings"}
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 0))
		tracker := newTracker(t)
		there := map[string]client.Object{}
		for range 200 {
			object := randomObject(random, configMaps)
			key := fmt.Sprintf("%T/%s", object, object.GetName())
			switch random.IntN(10) {
			case 0:
				v := tracker.viewOf(object)
				var list []any
				for k, o := range there {
					if tracker.viewOf(o) != v {
						continue
					}
					if random.IntN(2) == 0 {
						list = append(list, o)
					} else {
						delete(there, k)
					}
				}
				tracker.must(v.Replace(list, ""))
			case 1, 2, 3:
				tracker.gone(object)
				delete(there, key)
			default:
				tracker.put(object)
				there[key] = object
			}
		}
		counted := index{}
		for _, object := range there {
			o, err := see(object)
			tracker.must(err)
			fresh := newTracker(t)
			fresh.put(object)
			for cm, consumers := range fresh.index {
				for c, n := range consumers {
					if n != 1 || o.idle {
						t.Fatalf("one object counts %d times, idle %t", n, o.idle)
					}
					counted.add(cm, c)
				}
			}
		}
		if !maps.EqualFunc(counted, tracker.index, maps.Equal) {
			t.Fatalf("seed %d: the index is\n%q\nwant\n%q", seed, texts(tracker.index), texts(counted))
		}
		tracker.gone(slices.Collect(maps.Values(there))...)
		tracker.isEmpty()
	}
}

func randomObject(random *rand.Rand, configMaps []string) client.Object {
	name := fmt.Sprintf("o%d", random.IntN(6))
	var names []string
	for _, cm := range configMaps {
		if random.IntN(3) == 0 {
			names = append(names, cm)
		}
	}
	switch random.IntN(3) {
	case 0:
		return of(replicaSet(name, int32(random.IntN(2)), names...), "Deployment", "d")
	case 1:
		return deployment(name, 1, names...)
	default:
		p := pod(name, names...)
		if random.IntN(2) == 0 {
			p = of(p, "ReplicaSet", fmt.Sprintf("o%d", random.IntN(6)))
		}
		return inPhase(p, []corev1.PodPhase{corev1.PodRunning, corev1.PodFailed}[random.IntN(2)])
	}
}
