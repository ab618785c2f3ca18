// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// stopwatch measures how long it takes from when the operator is told of a new
// generation until it is published, the wait in the queue included. An object
// says nowhere when it was changed. It holds an entry for each object that waits.
type stopwatch struct {
	// observed is the generation that the status of an object is about.
	observed func(client.Object) int64
	// now is the clock.
	now func() time.Time

	mu      sync.Mutex
	waiting map[types.UID]start
}

// start is when a generation was first seen.
type start struct {
	generation int64
	at         time.Time
}

func newStopwatch(observed func(client.Object) int64) *stopwatch {
	return &stopwatch{observed: observed, now: time.Now, waiting: map[types.UID]start{}}
}

// timed passes what another predicate passes. A predicate sees an object before
// it is queued, so that no reconcile can be quicker.
func (s *stopwatch) timed(passes predicate.Predicate) predicate.Predicate {
	return predicate.Funcs{
		CreateFunc: func(e event.CreateEvent) bool {
			s.begin(e.Object)
			return passes.Create(e)
		},
		UpdateFunc: func(e event.UpdateEvent) bool {
			s.begin(e.ObjectNew)
			return passes.Update(e)
		},
		DeleteFunc: func(e event.DeleteEvent) bool {
			s.end(e.Object)
			return passes.Delete(e)
		},
		GenericFunc: passes.Generic,
	}
}

// begin notes when a generation was first seen that the status is not about.
func (s *stopwatch) begin(object client.Object) {
	if object == nil || s.observed(object) == object.GetGeneration() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting[object.GetUID()].generation < object.GetGeneration() {
		s.waiting[object.GetUID()] = start{object.GetGeneration(), s.now()}
	}
}

// end forgets an object and returns how long its generation has waited, if it is
// the one that was last seen.
func (s *stopwatch) end(object client.Object) (waited time.Duration, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	began, known := s.waiting[object.GetUID()]
	if !known || began.generation > object.GetGeneration() {
		return 0, false
	}
	delete(s.waiting, object.GetUID())
	return s.now().Sub(began.at), began.generation == object.GetGeneration()
}

// settled is called when a status was written. What is still tried goes on
// waiting; what is refused is forgotten.
func (s *stopwatch) settled(kind string, object client.Object, conditions []metav1.Condition) {
	if s == nil || meta.IsStatusConditionTrue(conditions, v1alpha1.ConditionReconciling) {
		return
	}
	waited, ok := s.end(object)
	if ok && meta.IsStatusConditionTrue(conditions, v1alpha1.ConditionReady) {
		publishDuration.WithLabelValues(kind).Observe(waited.Seconds())
	}
}

// observedByContract is the generation that the status of a contract is about.
func observedByContract(object client.Object) int64 {
	if c, ok := object.(*v1alpha1.ToolContract); ok {
		return c.Status.ObservedGeneration
	}
	return 0
}

// observedBySet is the same for a set.
func observedBySet(object client.Object) int64 {
	if s, ok := object.(*v1alpha1.ToolSet); ok {
		return s.Status.ObservedGeneration
	}
	return 0
}
