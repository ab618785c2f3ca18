// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// recordingQueue notes what is added. All other methods are nobody's business.
type recordingQueue struct {
	workqueue.TypedRateLimitingInterface[reconcile.Request]

	added []string
}

func (q *recordingQueue) Add(request reconcile.Request) { q.added = append(q.added, request.String()) }

// take returns what was added since it was last asked.
func (q *recordingQueue) take() []string {
	added := q.added
	q.added = nil
	return added
}

type recordingPriorityQueue struct {
	priorityqueue.PriorityQueue[reconcile.Request]

	record     recordingQueue
	priorities []int
}

func (q *recordingPriorityQueue) AddWithOpts(o priorityqueue.AddOpts, requests ...reconcile.Request) {
	q.priorities = append(q.priorities, *o.Priority)
	for _, request := range requests {
		q.record.Add(request)
	}
}

// seesAll makes the tracker ready, as if everything had been listed.
func (t testTracker) seesAll() {
	t.Helper()
	for _, v := range t.views {
		v.begins()
		v.follows()
		if v.ready() {
			t.Fatalf("%s are ready before they were listed", v.resource)
		}
		t.keep(v)
	}
	if !t.Ready() {
		t.Fatal("the tracker is not ready")
	}
}

// keep completes a list that holds what is there anyway.
func (t testTracker) keep(v *view) {
	t.Helper()
	var list []any
	for key, r := range v.objects {
		s := &seen{consumer: r.consumer.Value(), idle: r.idle}
		s.Namespace, s.Name = key.namespace.Value(), key.name
		for _, name := range r.names {
			s.names = append(s.names, name.Value())
		}
		list = append(list, s)
	}
	t.must(v.Replace(list, ""))
}

func (t testTracker) subscribe(ctx context.Context, queues ...workqueue.TypedRateLimitingInterface[reconcile.Request]) {
	t.Helper()
	changes := t.Changes() // one source for all, as the controllers have it
	for _, queue := range queues {
		t.must(changes.Start(ctx, queue))
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t)
		all := []types.NamespacedName{{Namespace: shop, Name: "z"}, {Namespace: shop, Name: "a"}, {Namespace: "farm", Name: "a"}}
		fails := true
		tracker.contracts = func(context.Context) ([]types.NamespacedName, error) {
			if fails {
				return nil, errors.New("the cache is gone")
			}
			return all, nil
		}
		var plain recordingQueue
		var prioritised recordingPriorityQueue
		tracker.subscribe(t.Context(), &plain, &prioritised)
		stopped, stop := context.WithCancel(t.Context())
		var ended recordingQueue
		tracker.subscribe(stopped, &ended)
		stop()
		go tracker.announce(t.Context())
		// told waits until the tracker has nothing more to say.
		told := func(want ...string) {
			t.Helper()
			for range 2 { // a failed attempt is repeated
				time.Sleep(tracker.pause)
				synctest.Wait()
			}
			if diff := cmp.Diff(want, plain.take()); diff != "" {
				t.Errorf("told the controllers (-want +got):\n%s", diff)
			}
			if got := prioritised.record.take(); !slices.Equal(got, want) {
				t.Errorf("told one queue %v, another %v", want, got)
			}
		}

		// While the tracker is not ready nothing is told.
		tracker.put(pod("p", "a-v1", "m-v1"))
		told()
		// Then every contract is, also one that nothing mounts.
		tracker.seesAll()
		told()
		fails = false
		told("farm/a", "shop/a", "shop/m", "shop/z")
		told()

		// A thousand pods are one consumer more.
		for i := range 1000 {
			tracker.put(of(pod(fmt.Sprintf("agent-%d", i), "b-v1.0.0-1a2b3c4d", "a-v1"), "ReplicaSet", "agent"))
		}
		told("shop/a", "shop/b")
		for i := range 999 {
			tracker.gone(pod(fmt.Sprintf("agent-%d", i)))
		}
		told()
		// What is replaced by its like within the moment stays where it is.
		tracker.put(of(pod("agent-new", "b-v1.0.0-1a2b3c4d"), "ReplicaSet", "agent"))
		tracker.gone(pod("agent-999"))
		told("shop/a")
		tracker.gone(pod("agent-new"))
		told("shop/b")

		// A view that is lost has nothing to tell until it is back.
		tracker.view("Job").lost(errors.New("no connection"))
		tracker.put(pod("q", "c-v1"))
		told()
		tracker.view("Job").follows()
		told("farm/a", "shop/a", "shop/c", "shop/z")
		// Also if it was lost for so short that nobody looked meanwhile.
		tracker.view("Job").lost(errors.New("no connection"))
		tracker.view("Job").follows()
		told("farm/a", "shop/a", "shop/z")

		// A list that begins anew has only changes to tell.
		again := func() {
			tracker.view("Job").lost(nil)
			told()
			tracker.view("Job").begins()
			told()
			tracker.view("Job").follows()
		}
		again()
		tracker.keep(tracker.view("Job"))
		told()
		again()
		tracker.put(pod("r", "d-v1"))
		told()
		tracker.keep(tracker.view("Job"))
		told("shop/d")
		// Who was told to wait meanwhile is told when the wait is over.
		again()
		if tracker.Ready() {
			t.Error("ready while a list is not complete")
		}
		tracker.keep(tracker.view("Job"))
		told("farm/a", "shop/a", "shop/z")

		if len(ended.added) > 0 || len(tracker.queues) != 2 {
			t.Errorf("a queue that has ended was told %v", ended.added)
		}
		if slices.ContainsFunc(prioritised.priorities, func(p int) bool { return p != handler.LowPriority }) {
			t.Errorf("priorities %v", prioritised.priorities)
		}
	})
}

func TestNotReadyBeforeEverythingIsSeen(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	v := tracker.view("Pod")
	for _, other := range tracker.views {
		if tracker.Ready() {
			t.Fatalf("ready before %s were seen", other.resource)
		}
		other.begins()
		other.follows()
		tracker.must(other.Replace(nil, ""))
	}
	steps := []struct {
		what  string
		do    func()
		ready bool
	}{
		{"everything was listed and is watched", func() {}, true},
		{"the watch is lost", func() { v.lost(errors.New("no connection")) }, false},
		{"the watch goes on", v.follows, true},
		{"the watch has ended", func() { v.lost(nil) }, false},
		{"a list begins", v.begins, false},
		{"its watch is open", v.follows, false},
		{"the list is complete", func() { tracker.must(v.Replace(nil, "")) }, true},
		{"a list begins while the watch is open", v.begins, false},
		{"that list is complete", func() { tracker.must(v.Replace(nil, "")) }, true},
	}
	for _, step := range steps {
		if step.do(); tracker.Ready() != step.ready {
			t.Fatalf("%s: ready is %t", step.what, !step.ready)
		}
	}
}

func forbidden(resource string) error {
	return apierrors.NewForbidden(schema.GroupResource{Resource: resource}, "", errors.New("RBAC"))
}

// TestTroubleIsToldOnce: the API server is asked again and again.
func TestTroubleIsToldOnce(t *testing.T) {
	t.Parallel()
	var lines []string
	ctx := logr.NewContext(t.Context(), funcr.New(func(_, text string) { lines = append(lines, text) }, funcr.Options{}))
	tracker := newTracker(t)
	// logged fails the test unless the log has one more line with these texts.
	logged := func(texts ...string) {
		t.Helper()
		tracker.report(ctx)
		if len(texts) == 0 && len(lines) == 0 {
			return
		}
		if len(lines) != 1 || len(texts) == 0 {
			t.Fatalf("the log says\n%s", strings.Join(lines, "\n"))
		}
		for _, text := range texts {
			if !strings.Contains(lines[0], text) {
				t.Errorf("the log says %s, without %s", lines[0], text)
			}
		}
		lines = nil
	}
	logged() // it has only just begun
	for range 3 {
		for _, v := range tracker.views {
			v.begins()
			v.lost(forbidden(v.resource))
		}
	}
	logged("none is deleted", "config/mounts", "--track-mounts", `pods is forbidden`,
		`"pods" "deployments.apps" "statefulsets.apps" "daemonsets.apps" "replicasets.apps" "jobs.batch" "cronjobs.batch"`)
	tracker.view("Pod").lost(forbidden("pods"))
	logged()
	for _, v := range tracker.views[1:] {
		v.follows()
		tracker.must(v.Replace(nil, ""))
	}
	logged()
	tracker.view("Pod").lost(errors.New("connection refused"))
	logged("this is tried again", "connection refused", `["pods"]`)
	tracker.view("Pod").follows()
	logged() // not yet listed
	tracker.must(tracker.view("Pod").Replace(nil, ""))
	logged("known again")
	tracker.view("Pod").lost(forbidden("pods"))
	logged("config/mounts")
}

func TestAPodThatComesAndGoesIsTold(t *testing.T) {
	t.Parallel()
	tracker := newTracker(t)
	tracker.put(pod("p", "a-v1"))
	tracker.gone(pod("p"))
	if !tracker.changed[owner{NamespacedName: types.NamespacedName{Namespace: shop, Name: "a"}}] {
		t.Error("nobody would look again at what was kept for the pod")
	}
	tracker.put(inPhase(pod("p", "b-v1"), corev1.PodFailed))
	if len(tracker.changed) != 1 {
		t.Errorf("changed %v", tracker.changed)
	}
}
