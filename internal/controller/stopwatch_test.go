// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/toolcontract/operator/api/v1alpha1"
)

func TestStopwatch(t *testing.T) {
	t.Parallel()
	clock := time.Unix(1000, 0)
	s := newStopwatch(observedByContract)
	s.now = func() time.Time { return clock }
	at := func(generation, observed int64) *v1alpha1.ToolContract {
		return &v1alpha1.ToolContract{
			ObjectMeta: metav1.ObjectMeta{UID: "u", Generation: generation},
			Status:     v1alpha1.ToolContractStatus{ObservedGeneration: observed},
		}
	}
	seen := s.timed(specOrStatusChanged())
	want := func(why string, generation int64, seconds int, counts bool) {
		t.Helper()
		waited, ok := s.end(at(generation, generation))
		if ok != counts || waited != time.Duration(seconds)*time.Second {
			t.Errorf("%s: %s, %t", why, waited, ok)
		}
	}
	seen.Create(event.CreateEvent{Object: at(3, 3)})
	want("a start over what is settled", 3, 0, false)

	if !seen.Create(event.CreateEvent{Object: at(4, 3)}) {
		t.Error("a new object is not passed on")
	}
	clock = clock.Add(2 * time.Second)
	if seen.Update(event.UpdateEvent{ObjectOld: at(4, 3), ObjectNew: at(4, 3)}) {
		t.Error("a change of metadata alone is passed on")
	}
	clock = clock.Add(time.Second)
	want("since it was first seen", 4, 3, true)
	want("only once", 4, 0, false)

	seen.Update(event.UpdateEvent{ObjectOld: at(4, 4), ObjectNew: at(5, 4)})
	clock = clock.Add(5 * time.Second)
	seen.Update(event.UpdateEvent{ObjectOld: at(5, 4), ObjectNew: at(6, 4)})
	want("while a newer one waits", 5, 0, false)
	clock = clock.Add(time.Second)
	want("since the newest change", 6, 1, true)

	seen.Update(event.UpdateEvent{ObjectOld: at(6, 6), ObjectNew: at(7, 6)})
	seen.Delete(event.DeleteEvent{Object: at(7, 6)})
	if len(s.waiting) > 0 {
		t.Errorf("a deleted object is remembered: %v", s.waiting)
	}
}

// What the status says decides whether the wait is over, and whether it counts.
func TestStopwatchSettles(t *testing.T) {
	t.Parallel()
	s := newStopwatch(observedByContract)
	for _, c := range []struct {
		condition string
		waits     int
	}{{v1alpha1.ConditionReconciling, 1}, {v1alpha1.ConditionStalled, 0}, {v1alpha1.ConditionReady, 0}} {
		object := &v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{UID: "u", Generation: 1}}
		s.begin(object)
		s.settled(contractKind, object, []metav1.Condition{{Type: c.condition, Status: metav1.ConditionTrue}})
		if len(s.waiting) != c.waits {
			t.Errorf("%s: %d wait, want %d", c.condition, len(s.waiting), c.waits)
		}
	}
}
