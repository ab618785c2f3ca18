// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Changes emits a request for a contract when another consumer mounts one of its
// ConfigMaps or one fewer does, and for every contract when the tracker becomes
// ready for the first time or after trouble. Any number of controllers may use it.
func (t *Tracker) Changes() source.Source { return t.subscribe(false) }

// SetChanges does for sets what [Tracker.Changes] does for contracts.
func (t *Tracker) SetChanges() source.Source { return t.subscribe(true) }

// subscription is the queue of a controller of contracts or of one of sets.
type subscription struct {
	queue workqueue.TypedRateLimitingInterface[reconcile.Request]
	sets  bool
}

func (t *Tracker) subscribe(sets bool) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		t.mutex.Lock()
		defer t.mutex.Unlock()
		t.queues = append(t.queues, subscription{queue, sets})
		context.AfterFunc(ctx, func() {
			t.mutex.Lock()
			defer t.mutex.Unlock()
			t.queues = slices.DeleteFunc(t.queues, func(s subscription) bool { return s.queue == queue })
		})
		return nil
	})
}

// announce tells of changes until the context ends. After the first it waits a
// moment for more: a rolling update of a thousand pods is told once.
func (t *Tracker) announce(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.wake:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(t.pause):
		}
		t.report(ctx)
		t.emit(ctx)
	}
}

// emit sends the gathered changes. While the tracker is not ready they stay:
// whatever is mounted, nothing would be done about it.
func (t *Tracker) emit(ctx context.Context) {
	t.mutex.Lock()
	if !t.ready() {
		t.mutex.Unlock()
		return
	}
	isNew, changed, queues := !t.announced, t.changed, slices.Clone(t.queues)
	t.announced, t.changed = true, map[owner]bool{}
	t.mutex.Unlock()

	if isNew {
		all, err := t.all(ctx)
		if err != nil {
			log.FromContext(ctx).Error(err, "contracts and sets are not looked at again although it is now known who mounts them; this is tried again")
			t.mutex.Lock()
			t.announced = false
			maps.Copy(t.changed, changed)
			t.stateChanged()
			t.mutex.Unlock()
			return
		}
		for _, o := range all {
			changed[o] = true
		}
	}
	requests := map[bool][]reconcile.Request{}
	for o := range changed {
		requests[o.isSet] = append(requests[o.isSet], reconcile.Request{NamespacedName: o.NamespacedName})
	}
	for _, some := range requests {
		slices.SortFunc(some, func(a, b reconcile.Request) int { return strings.Compare(a.String(), b.String()) })
	}
	for _, s := range queues {
		if len(requests[s.sets]) > 0 {
			enqueue(s.queue, requests[s.sets])
		}
	}
}

// all lists every contract and every set.
func (t *Tracker) all(ctx context.Context) ([]owner, error) {
	var out []owner
	for _, kind := range []struct {
		list  func(context.Context) ([]types.NamespacedName, error)
		isSet bool
	}{{t.contracts, false}, {t.sets, true}} {
		if kind.list == nil {
			continue
		}
		names, err := kind.list(ctx)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			out = append(out, owner{name, kind.isSet})
		}
	}
	return out, nil
}

// enqueue lets an author's edit go first.
func enqueue(queue workqueue.TypedRateLimitingInterface[reconcile.Request], requests []reconcile.Request) {
	if q, ok := queue.(priorityqueue.PriorityQueue[reconcile.Request]); ok {
		q.AddWithOpts(priorityqueue.AddOpts{Priority: new(handler.LowPriority)}, requests...)
		return
	}
	for _, request := range requests {
		queue.Add(request)
	}
}

// report writes to the log what is in the way. Each trouble of each resource is
// told once until the tracker has become ready.
func (t *Tracker) report(ctx context.Context) {
	t.mutex.Lock()
	var resources []string
	var first error
	forbidden, isNews := false, false
	for _, v := range t.views {
		if v.ready() || v.trouble == nil {
			continue
		}
		trouble := v.resource + " " + string(apierrors.ReasonForError(v.trouble))
		isNews = isNews || !t.reported[trouble]
		t.reported[trouble] = true
		forbidden = forbidden || apierrors.IsForbidden(v.trouble)
		resources = append(resources, v.resource)
		first = cmp.Or(first, v.trouble)
	}
	isOver := t.ready() && len(t.reported) > 0
	if isOver {
		clear(t.reported)
	}
	t.mutex.Unlock()

	logger := log.FromContext(ctx).WithName("mounts")
	switch {
	case isOver:
		logger.Info("it is known again what mounts published ConfigMaps")
	case isNews && forbidden:
		logger.Error(first, "it is not known what mounts published ConfigMaps, so none is deleted that may be mounted. "+
			"Fix: grant list and watch on the resources as config/mounts does, or run without --track-mounts", "resources", resources)
	case isNews:
		logger.Error(first, "it is not known what mounts published ConfigMaps, so none is deleted that may be mounted; this is tried again",
			"resources", resources)
	}
}
