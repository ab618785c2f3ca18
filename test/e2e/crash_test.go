// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// step is an edit of a contract, with the reason that Ready ends with.
type step struct {
	contract *v1alpha1.ToolContract
	reason   string
	// left are the versions that retention leaves, if the step is about it.
	left []string
}

// life is one contract from its creation to a pre-release.
var life = []step{
	{tool("find-order", "1.0.0", inputFirst), v1alpha1.ReasonPublished, nil},
	{notStrict(tool("find-order", "1.0.0", inputFirst)), v1alpha1.ReasonPublished, nil}, // delivery only
	{notStrict(tool("find-order", "1.1.0", inputAdded)), v1alpha1.ReasonPublished, nil},
	{notStrict(tool("find-order", "1.2.0", inputBroken)), v1alpha1.ReasonMajorBumpRequired, nil},
	{notStrict(tool("find-order", "2.0.0", inputBroken)), v1alpha1.ReasonPublished, nil},
	{notStrict(tool("find-order", "1.0.0", inputFirst)), v1alpha1.ReasonPublished, nil}, // rollback
	{notStrict(tool("find-order", "3.0.0-rc.1", inputAdded)), v1alpha1.ReasonPublished, nil},
}

// oldAge is a contract whose old line is retired, whose old revisions are
// collected, and that goes back to one of them.
var oldAge = []step{
	{aged("1.0.0"), v1alpha1.ReasonPublished, nil},
	{aged("2.0.0"), v1alpha1.ReasonPublished, []string{"2.0.0"}},
	{aged("2.0.1"), v1alpha1.ReasonPublished, nil},
	{aged("2.0.2"), v1alpha1.ReasonPublished, []string{"2.0.1", "2.0.2"}},
	{aged("2.0.0"), v1alpha1.ReasonPublished, []string{"2.0.0", "2.0.2"}},
}

func aged(version string) *v1alpha1.ToolContract {
	return serving(limited(described("find-order", version, "Says "+version+"."), 0), 1)
}

func notStrict(c *v1alpha1.ToolContract) *v1alpha1.ToolContract {
	for i := range c.Spec.Targets {
		c.Spec.Targets[i].Strict = v1alpha1.StrictDisabled
	}
	return c
}

// TestACrashAtAnyWriteChangesNothingInTheEnd kills the operator right before
// and right after each write of a contract's life. A fresh operator has to come
// to the objects, bytes and status of a life without a crash.
func TestACrashAtAnyWriteChangesNothingInTheEnd(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps []step
		from  int // the writes before are those of the other life
	}{"a life": {life, 1}, "old age": {oldAge, 6}} {
		steps := test.steps
		undisturbed := &crash{}
		want := liveThrough(newWorld(t), undisturbed, steps)
		last := undisturbed.count()
		t.Logf("%s without a crash has %d writes", name, last)
		for n := test.from; n <= last; n++ {
			for _, delivered := range []bool{false, true} {
				when := map[bool]string{false: "right before", true: "right after"}[delivered]
				t.Run(fmt.Sprintf("%s, %s write %d", name, when, n), func(t *testing.T) {
					t.Parallel()
					crash := &crash{at: n, delivered: delivered}
					if diff := cmp.Diff(want, liveThrough(newWorld(t), crash, steps)); diff != "" {
						t.Errorf("another outcome than without the crash (-without +with):\n%s", diff)
					}
					if !crash.dead.Load() {
						t.Errorf("there were only %d writes: the operator never died", crash.count())
					}
				})
			}
		}
	}
}

// liveThrough takes a contract through its life under an operator that may
// die once, and returns the outcome.
func liveThrough(w *world, crash *crash, life []step) string {
	w.Helper()
	stop := w.startOperatorWith(through(managerConfig(w.T), crash.between))
	restarted := false
	reach := func(check func() error) {
		w.eventually(func() error {
			if crash.dead.Load() && !restarted {
				restarted = true
				stop()
				w.startOperator()
			}
			return check()
		})
	}
	for _, step := range life {
		w.put(step.contract)
		reach(func() error { return w.said(step.contract.Name, step.reason) })
		if step.left != nil {
			reach(func() error { return w.left(step.left, step.left) })
		}
	}
	reach(w.complete)
	return w.outcome()
}

// said says what is missing until the operator's last word about a contract is
// this reason.
func (w *world) said(name, reason string) error {
	c := w.contract(name)
	if err := final(c); err != nil {
		return err
	}
	if ready := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionReady); ready.Reason != reason {
		return fmt.Errorf("%s: Ready has the reason %s, want %s: %s", name, ready.Reason, reason, ready.Message)
	}
	return nil
}

// complete says what the operator still has to do in this namespace: the last
// thing about a revision is its verification.
func (w *world) complete() error {
	for _, r := range w.revisions() {
		if !meta.IsStatusConditionTrue(r.Status.Conditions, v1alpha1.ConditionReady) {
			return fmt.Errorf("%s is not verified", r.Name)
		}
	}
	return nil
}

// outcome is everything that users see of the contract find-order, without what
// differs between two undisturbed lives. It fails the test if a child has
// another owner than the contract.
func (w *world) outcome() string {
	w.Helper()
	c := w.contract("find-order")
	status := c.Status.DeepCopy()
	status.ObservedGeneration -= c.Generation
	for i := range status.Conditions {
		status.Conditions[i].LastTransitionTime = metav1.Time{}
		status.Conditions[i].ObservedGeneration -= c.Generation
	}
	var b strings.Builder
	fmt.Fprintf(&b, "status: %s\n%s", mustJSON(w.T, status), w.objects())
	for _, child := range w.children() {
		if owner := metav1.GetControllerOf(child); owner == nil || owner.UID != c.UID {
			w.Errorf("%s is an orphan: its owner is %v", child.GetName(), owner)
		}
	}
	return b.String()
}

// revisions are all ToolRevisions of the namespace.
func (w *world) revisions() []v1alpha1.ToolRevision {
	w.Helper()
	var list v1alpha1.ToolRevisionList
	if err := admin.List(w.Context(), &list, client.InNamespace(w.namespace)); err != nil {
		w.Fatal(err)
	}
	return list.Items
}

// children are all objects of the namespace that carry the operator's label.
func (w *world) children() []client.Object {
	w.Helper()
	var revisions v1alpha1.ToolRevisionList
	var configMaps corev1.ConfigMapList
	for _, list := range []client.ObjectList{&revisions, &configMaps} {
		if err := admin.List(w.Context(), list, client.InNamespace(w.namespace), client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy}); err != nil {
			w.Fatal(err)
		}
	}
	var out []client.Object
	for i := range revisions.Items {
		out = append(out, &revisions.Items[i])
	}
	for i := range configMaps.Items {
		out = append(out, &configMaps.Items[i])
	}
	return out
}

// TestWritesComeInAnOrderThatSurvivesACrash: a version is frozen before its bytes
// are published, and the immutable copy is there before a channel serves it.
func TestWritesComeInAnOrderThatSurvivesACrash(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	liveThrough(w, &crash{}, life)
	digest := regexp.MustCompile(`-[0-9a-f]{8}$`)
	var got []string
	for _, write := range w.writes() {
		if write.Subresource == "" && write.Code < http.StatusBadRequest {
			got = append(got, verbAndResource(write)+" "+digest.ReplaceAllString(write.Name, "-DIGEST"))
		}
	}
	want := []string{
		"create toolrevisions find-order-v1.0.0",
		"create configmaps find-order-v1.0.0-DIGEST",
		"create configmaps find-order-v1",
		// another delivery
		"create configmaps find-order-v1.0.0-DIGEST",
		"patch configmaps find-order-v1",
		"create toolrevisions find-order-v1.1.0",
		"create configmaps find-order-v1.1.0-DIGEST",
		"patch configmaps find-order-v1",
		// 1.2.0 is refused
		"create toolrevisions find-order-v2.0.0",
		"create configmaps find-order-v2.0.0-DIGEST",
		"create configmaps find-order-v2",
		// back to 1.0.0
		"patch configmaps find-order-v1",
		"create toolrevisions find-order-v3.0.0-rc.1",
		"create configmaps find-order-v3.0.0-rc.1-DIGEST",
		// line 3 has no channel: that of line 2 remembers the pre-release
		"patch configmaps find-order-v2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

// TestAChannelMovedRightBeforeACrashIsNotMovedBack lets the operator die
// between the channel and the status that tells of it, and the author go on
// meanwhile with a change that is refused. What agents read stays.
func TestAChannelMovedRightBeforeACrashIsNotMovedBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	stop()

	moved := make(chan struct{})
	stop = w.startOperatorWith(through(managerConfig(t), func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		select {
		case <-moved:
			return nil, errCrashed
		default:
		}
		answer, err := next.RoundTrip(r)
		if r.Method == http.MethodPatch && strings.HasSuffix(r.URL.Path, "/configmaps/find-order-v1") {
			close(moved)
		}
		return answer, err
	}))
	w.put(tool("find-order", "1.1.0", inputAdded))
	select {
	case <-moved:
	case <-time.After(time.Minute):
		t.Fatal("the channel was not moved")
	}
	stop()
	served := w.configMap("find-order-v1")
	if got := w.contract("find-order").Status.PublishedRevision; got != "find-order-v1.0.0" {
		t.Fatalf("the status tells of %s already; the test wants it to be behind", got)
	}

	w.startOperator()
	c := w.refuse(tool("find-order", "1.2.0", inputBroken), v1alpha1.ReasonMajorBumpRequired)
	if got := w.configMap("find-order-v1"); got.ResourceVersion != served.ResourceVersion {
		t.Errorf("the channel serves %s, before the restart %s", got.Labels[v1alpha1.LabelVersion], served.Labels[v1alpha1.LabelVersion])
	}
	if c.Status.PublishedRevision != "find-order-v1.1.0" {
		t.Errorf("published revision %s, want find-order-v1.1.0", c.Status.PublishedRevision)
	}
}
