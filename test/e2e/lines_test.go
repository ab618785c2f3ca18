// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/operator"
)

// serving sets how many lines a contract serves.
func serving(c *v1alpha1.ToolContract, lines int32) *v1alpha1.ToolContract {
	c.Spec.ServedLines = new(lines)
	return c
}

// fakeMounts is what a test says is mounted in its namespace.
type fakeMounts struct {
	mutex     sync.Mutex
	unready   bool
	consumers map[string][]string // by ConfigMap
	queues    []workqueue.TypedRateLimitingInterface[reconcile.Request]
}

// tracked hands them to an operator.
func tracked(m *fakeMounts) func(*operator.Options) {
	return func(o *operator.Options) { o.Mounts, o.MountChanges = m, m }
}

func (m *fakeMounts) Ready() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return !m.unready
}

func (m *fakeMounts) Consumers(_, configMap string) []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.consumers[configMap]
}

// Start implements source.Source.
func (m *fakeMounts) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.queues = append(m.queues, queue)
	return nil
}

// change lets something mount ConfigMaps or stop to, and tells the operator of it.
func (m *fakeMounts) change(w *world, change func()) {
	m.mutex.Lock()
	change()
	queues := slices.Clone(m.queues)
	m.mutex.Unlock()
	for _, queue := range queues {
		queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Namespace: w.namespace, Name: "find-order"}})
	}
}

// channelsAre waits until these are the channels of find-order, by line and
// version, the newest first, in the status and in the cluster.
func (w *world) channelsAre(want ...string) *v1alpha1.ToolContract {
	w.Helper()
	var c *v1alpha1.ToolContract
	w.eventually(func() error {
		c = w.contract("find-order")
		var said, found []string
		for _, channel := range c.Status.Channels {
			said = append(said, channel.Revision)
		}
		for _, child := range w.children() {
			if labels := child.GetLabels(); labels[v1alpha1.LabelRole] == v1alpha1.RoleChannel && labels[v1alpha1.LabelContract] == "find-order" {
				found = append(found, child.GetAnnotations()[v1alpha1.AnnotationRevision])
			}
		}
		slices.SortFunc(found, func(a, b string) int { return -strings.Compare(a, b) })
		var revisions []string
		for _, version := range want {
			revisions = append(revisions, "find-order-v"+version)
		}
		if diff := cmp.Diff(revisions, said) + cmp.Diff(revisions, found); diff != "" {
			return fmt.Errorf("other channels (-want +said, -want +found):\n%s", diff)
		}
		return nil
	})
	return c
}

// TestLinesAreServedSideBySide: a version of one line touches no other line.
func TestLinesAreServedSideBySide(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.publish(tool("find-order", "0.3.0", inputAdded))
	w.publish(tool("find-order", "1.0.0", inputFirst))
	w.publish(tool("find-order", "2.0.0", inputBroken))
	w.channelsAre("2.0.0", "1.0.0", "0.3.0")
	others := []*corev1.ConfigMap{w.configMap("find-order-v0.3"), w.configMap("find-order-v2")}
	before := []string{w.everything(others[0]), w.everything(others[1])}

	w.publish(tool("find-order", "1.1.0", inputAdded))
	w.channelsAre("2.0.0", "1.1.0", "0.3.0")
	for i, other := range others {
		w.wantUnchanged(other, before[i])
	}
	for channel, property := range map[string]string{"find-order-v0.3": "note", "find-order-v1": "note", "find-order-v2": "integer"} {
		if file := w.file(channel, "openai-responses.json"); !strings.Contains(file, property) {
			t.Errorf("%s serves %s, without %s", channel, file, property)
		}
	}
}

// TestOldLinesAreRetired: the lines beyond the newest two lose their channel, and
// nothing brings them back; a refused change retires nothing.
func TestOldLinesAreRetired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	contract := func(version, input string, lines int32) *v1alpha1.ToolContract {
		return serving(limited(tool("find-order", version, input), 0), lines)
	}
	w.publish(contract("1.0.0", inputFirst, 2))
	w.publish(contract("2.0.0", inputBroken, 2))
	w.channelsAre("2.0.0", "1.0.0")
	if retired := w.contract("find-order").Status.RetiredLine; retired != "" {
		t.Fatalf("line %s is retired although there are only two", retired)
	}
	w.publish(contract("3.0.0", inputFirst, 2))
	c := w.channelsAre("3.0.0", "2.0.0")
	if c.Status.RetiredLine != "1" {
		t.Errorf("the retired line is %q, want 1", c.Status.RetiredLine)
	}
	w.wantEvent("LineRetired", "line 1 and all below it are retired")
	w.keeps([]string{"2.0.0", "3.0.0"}, []string{"2.0.0", "3.0.0"})

	// A refused change, whatever it says of lines, alters nothing.
	w.refuse(contract("3.0.1", inputBroken, 1), v1alpha1.ReasonMajorBumpRequired)
	w.refuse(contract("1.0.0", inputFirst, 2), v1alpha1.ReasonVersionNotHigher)
	c = w.refuse(contract("1.0.0", inputFirst, 16), v1alpha1.ReasonVersionNotHigher)
	says := w.wantCondition(c, v1alpha1.ConditionVersionAccepted, "False", v1alpha1.ReasonVersionNotHigher).Message
	if !strings.Contains(says, "raising spec.servedLines does not bring them back") || !strings.Contains(says, "such as 4.0.0") {
		t.Errorf("the way out is missing: %s", says)
	}
	w.refuse(contract("2.0.1", inputBroken, 1), v1alpha1.ReasonVersionNotHigher) // line 2 would be retired at once
	w.channelsAre("3.0.0", "2.0.0")
	w.publish(contract("2.0.1", inputBroken, 2))
	w.channelsAre("3.0.0", "2.0.1")

	// A lost status does not forget it, and fewer lines retire more of them.
	stop()
	w.loseStatus("find-order")
	w.put(contract("3.0.0", inputFirst, 8))
	stop = w.startOperator()
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
	if c = w.channelsAre("3.0.0", "2.0.1"); c.Status.RetiredLine != "1" {
		t.Errorf("after the status was lost the retired line is %q, want 1", c.Status.RetiredLine)
	}
	w.publish(contract("3.0.0", inputFirst, 1))
	if c = w.channelsAre("3.0.0"); c.Status.RetiredLine != "2" {
		t.Errorf("the retired line is %q, want 2", c.Status.RetiredLine)
	}
	w.keeps([]string{"3.0.0"}, []string{"3.0.0"})

	// A restart brings nothing back and writes nothing.
	before := len(w.writes())
	stop()
	w.put(tool(beacon, "1.0.0", inputFirst))
	w.startOperatorWith(managerConfig(t), oneWorker)
	w.eventually(func() error { return w.serves(beacon+"-v1", "1.0.0") })
	if wrote := w.quietWrites(before); wrote != "" {
		t.Errorf("a restart wrote\n%s", wrote)
	}
}

// loseStatus removes the whole status of a contract.
func (w *world) loseStatus(name string) {
	w.Helper()
	out, err := kubectl(w.Context(), "", "patch", "tct", name, "-n", w.namespace, "--subresource=status", "--type=json",
		"-p", `[{"op":"remove","path":"/status"}]`)
	if err != nil {
		w.Fatalf("%v\n%s", err, out)
	}
}

// TestARetiredLineStaysWhileItIsMounted: the status says who mounts it, it is kept
// whole meanwhile, and it goes as soon as nobody does.
func TestARetiredLineStaysWhileItIsMounted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	agents := []string{"Deployment/a", "Deployment/b", "Job/c", "Pod/d", "Pod/e", "StatefulSet/f"}
	m := &fakeMounts{unready: true, consumers: map[string][]string{"find-order-v1": agents}}
	stop := w.startOperatorWith(managerConfig(t), tracked(m))
	contract := func(version, input string) *v1alpha1.ToolContract {
		return serving(limited(tool("find-order", version, input), 0), 1)
	}
	w.publish(contract("1.0.0", inputFirst))
	w.publish(contract("2.0.0", inputBroken))
	w.publish(contract("3.0.0", inputFirst))
	// As long as it is not known what is mounted, everything is.
	c := w.channelsAre("3.0.0", "2.0.0", "1.0.0")
	if c.Status.RetiredLine != "2" {
		t.Errorf("the retired line is %q, want 2", c.Status.RetiredLine)
	}
	m.change(w, func() { m.unready = false })
	c = w.channelsAre("3.0.0", "1.0.0")
	w.eventually(func() error {
		c = w.contract("find-order")
		last := c.Status.Channels[len(c.Status.Channels)-1]
		if diff := cmp.Diff(agents[:5], last.Consumers); diff != "" || !last.Retired {
			return fmt.Errorf("retired %t, consumers (-want +got):\n%s", last.Retired, diff)
		}
		return nil
	})
	w.keeps([]string{"1.0.0", "3.0.0"}, []string{"1.0.0", "3.0.0"})

	// It is repaired like any other, but accepts nothing.
	served := w.configMap("find-order-v1").Data
	w.mustEdit(&corev1.ConfigMap{}, "find-order-v1", func(cm client.Object) { cm.(*corev1.ConfigMap).Data = nil })
	w.eventually(func() error { return diffError(cmp.Diff(served, w.configMap("find-order-v1").Data)) })
	w.refuse(contract("1.0.1", inputFirst), v1alpha1.ReasonVersionNotHigher)
	w.publish(contract("3.0.0", inputFirst))

	// A restart writes nothing, also while nothing is known.
	before := len(w.writes())
	stop()
	m.mutex.Lock()
	m.unready, m.queues = true, nil
	m.mutex.Unlock()
	w.put(tool(beacon, "1.0.0", inputFirst))
	w.startOperatorWith(managerConfig(t), oneWorker, tracked(m))
	w.eventually(func() error { return w.serves(beacon+"-v1", "1.0.0") })
	m.change(w, func() { m.unready = false })
	w.put(described(beacon, "1.1.0", "Says 1.1.0."))
	w.eventually(func() error { return w.serves(beacon+"-v1", "1.1.0") })
	if wrote := w.quietWrites(before); wrote != "" {
		t.Errorf("a restart wrote\n%s", wrote)
	}

	m.change(w, func() { m.consumers = nil })
	w.channelsAre("3.0.0")
	w.keeps([]string{"3.0.0"}, []string{"3.0.0"})
}

// TestWhatIsMountedIsKept: a mounted rendering and its revision outlive any limit.
func TestWhatIsMountedIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	m := &fakeMounts{}
	w.startOperatorWith(managerConfig(t), tracked(m))
	w.publish(limited(described("find-order", "1.0.0", "Says 1.0.0."), 0))
	first := w.configMap("find-order-v1").Annotations[v1alpha1.AnnotationRendering]
	m.change(w, func() { m.consumers = map[string][]string{first: {"Pod/agent-0"}} })
	for patch := 1; patch <= 4; patch++ {
		version := fmt.Sprintf("1.0.%d", patch)
		w.publish(limited(described("find-order", version, "Says "+version+"."), 0))
	}
	want := []string{"1.0.0", "1.0.3", "1.0.4"}
	w.keeps(want, want)
	// What runs with it is compared with: this is a Minor over 1.0.4 and over 1.0.0.
	added := tool("find-order", "1.0.5", inputAdded)
	w.refuse(limited(added, 0), v1alpha1.ReasonMinorBumpRequired)
	m.change(w, func() { m.consumers = nil })
	w.keeps(want[1:], want[1:])
}

// TestARollbackMakesNothing: the channel moves back and forward again, and that is
// all that is written beside the status.
func TestARollbackMakesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	first := w.configMap("find-order-v1").Data
	w.publish(tool("find-order", "1.1.0", inputAdded))
	w.eventually(w.complete)
	for _, step := range []*v1alpha1.ToolContract{tool("find-order", "1.0.0", inputFirst), tool("find-order", "1.1.0", inputAdded)} {
		before := len(w.writes())
		w.publish(step)
		w.eventually(func() error { return w.serves("find-order-v1", step.Spec.Version) })
		var got []string
		for _, write := range w.writes()[before:] {
			if write.Code < http.StatusBadRequest {
				got = append(got, verbAndResource(write)+" "+write.Name)
			}
		}
		want := []string{"patch configmaps find-order-v1", "patch toolcontracts/status find-order"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("to %s (-want +got):\n%s", step.Spec.Version, diff)
		}
		if step.Spec.Version == "1.0.0" {
			if diff := cmp.Diff(first, w.configMap("find-order-v1").Data); diff != "" {
				t.Errorf("other bytes than before (-before +now):\n%s", diff)
			}
		}
	}
}
