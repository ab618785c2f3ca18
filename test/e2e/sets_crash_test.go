// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// setStep is an edit of the world around a set, and what the set's ConfigMaps
// hold afterwards.
type setStep struct {
	edit  func(*world)
	holds []string
	says  []string
}

// lifeOfASet has every kind of write of a set: both ConfigMaps made and moved, a
// tool that is kept, a version that is refused, and a profile that is removed.
var lifeOfASet = []setStep{
	{
		func(w *world) { w.put(setTool("a", "1.0.0", "Says 1.")); w.putSet(toolSet("shop", "a@1", "b@1")) },
		[]string{"a@1.0.0"},
		[]string{"ResolvedRefs=NotFound", "Ready=Published"},
	},
	{
		func(w *world) { w.put(setTool("b", "1.0.0", "Says 1.")) },
		[]string{"a@1.0.0", "b@1.0.0"},
		[]string{"ResolvedRefs=Resolved", "Ready=Published"},
	},
	{
		func(w *world) { w.deleteContract("a"); w.put(setTool("b", "1.0.1", "Says 2.")) },
		[]string{"a@1.0.0", "b@1.0.1"},
		[]string{"ResolvedRefs=NotFound", "Ready=Published"},
	},
	{
		func(w *world) {
			s := toolSet("shop", "b@1")
			s.Spec.Profiles = s.Spec.Profiles[:1]
			w.putSet(s)
		},
		[]string{"b@1.0.1"},
		[]string{"ResolvedRefs=Resolved", "Ready=Published"},
	},
}

// TestACrashOfASetAtAnyWriteChangesNothingInTheEnd kills the operator right before
// and right after each write of a set's life; the writes of contracts have a test
// of their own. A fresh operator has to come to the same ConfigMaps and the same
// status.
func TestACrashOfASetAtAnyWriteChangesNothingInTheEnd(t *testing.T) {
	t.Parallel()
	undisturbed := &crash{}
	want := setLivesThrough(newWorld(t), undisturbed)
	last := undisturbed.count()
	t.Logf("without a crash there are %d writes", last)
	for n := 1; n <= last; n++ {
		for _, delivered := range []bool{false, true} {
			if delivered && n != last {
				continue // what follows is the crash right before the next one
			}
			t.Run(fmt.Sprintf("write %d, delivered %t", n, delivered), func(t *testing.T) {
				t.Parallel()
				if diff := cmp.Diff(want, setLivesThrough(newWorld(t), &crash{at: n, delivered: delivered})); diff != "" {
					t.Errorf("another outcome than without the crash (-without +with):\n%s", diff)
				}
			})
		}
	}
}

// setLivesThrough takes a set through its life under an operator that may die
// once, and returns the outcome.
func setLivesThrough(w *world, crash *crash) string {
	w.Helper()
	w.withGarbageCollector()
	stop := w.startOperatorWith(through(managerConfig(w.T), func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		if isWrite(r) && !isOfSet(r) && !crash.dead.Load() {
			return next.RoundTrip(r)
		}
		return crash.between(r, next)
	}))
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
	for _, step := range lifeOfASet {
		step.edit(w)
		reach(func() error {
			s := w.set("shop")
			err := errors.Join(finalSet(s), says(s, step.says...))
			for _, p := range s.Spec.Profiles {
				if err == nil {
					err = w.holding("shop", p.Profile, step.holds...)
				}
			}
			return err
		})
	}
	reach(func() error {
		if n := len(w.setObjects("shop")); n != 5 {
			return fmt.Errorf("%d ConfigMaps, want the stable one and four renderings of the profile that is left", n)
		}
		return nil
	})
	return w.setOutcome("shop")
}

// isOfSet reports whether a write is about the set shop or one of its ConfigMaps.
func isOfSet(r *http.Request) bool {
	if r.Method != http.MethodPost {
		return strings.Contains(r.URL.Path, "/toolsets/") || strings.Contains(r.URL.Path, "/configmaps/shop.")
	}
	body, err := r.GetBody()
	if err != nil {
		return true
	}
	defer body.Close()
	text, err := io.ReadAll(body)
	return err != nil || bytes.Contains(text, []byte("shop."))
}

// setOutcome is a set's status and its ConfigMaps, without what differs between
// two runs.
func (w *world) setOutcome(name string) string {
	w.Helper()
	s := w.set(name)
	status := s.Status.DeepCopy()
	for i := range status.Conditions {
		status.Conditions[i].LastTransitionTime = metav1.Time{}
	}
	text := fmt.Sprintf("status: %s\n%s", mustJSON(w.T, status), bytesOf(w, s))
	// The manifest names the namespace of a contract, so digests differ with it.
	lines := strings.Split(aDigest.ReplaceAllString(strings.ReplaceAll(text, w.namespace, "NAMESPACE"), "DIGEST"), "\n")
	slices.Sort(lines)
	for _, cm := range w.setObjects(name) {
		if owner := metav1.GetControllerOf(&cm); owner == nil || owner.UID != s.UID {
			w.Errorf("%s is an orphan: its owner is %v", cm.Name, owner)
		}
	}
	return strings.Join(lines, "\n")
}

// aDigest is a digest, whole or as a name has it.
var aDigest = regexp.MustCompile(`sha256:[0-9a-f]{64}|-[0-9a-f]{8}\b`)

// TestRestartsOverSetsWriteNothing starts the operator three times over sets in
// every state that lasts. Before each start a contract gets a version, whose set has to
// follow; with one worker its turn comes when all others have been looked at.
func TestRestartsOverSetsWriteNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector()
	stop := w.startOperator()
	for _, name := range []string{"a", "b", "c", "d"} {
		w.publish(setTool(name, "1.0.0", "Says 1."))
	}
	twin := setTool("e", "1.0.0", "Says 1.")
	twin.Spec.ToolName = "a"
	w.publish(twin)
	w.putSet(toolSet("plain", "a@1", "b@1.0.0"))
	w.putSet(toolSet("dangling", "a@1", "c@1"))
	w.putSet(toolSet("duplicate", "a@1", "e@1"))
	w.putSet(toolSet("empty", "nobody@1"))
	w.putSet(toolSet("elsewhere", "default/a@1.0.0")) // in a namespace that the operator does not watch
	unknown := toolSet("unknown", "d@1")
	unknown.Spec.Profiles[0].Profile = "nobody-knows-it"
	w.putSet(unknown)
	w.putSet(toolSet("zz-beacon", "zz-beacon@1"))
	w.publish(setTool(beacon, "1.0.0", "Says 1."))
	w.holds("dangling", "a@1.0.0", "c@1.0.0")
	w.deleteContract("c")
	w.setSays("dangling", "ResolvedRefs=NotFound", "Ready=Published")
	w.setSays("duplicate", "ToolsPublished=ToolsExcluded")
	w.setSays("empty", "Ready=NothingAccepted")
	w.setSays("elsewhere", "Ready=NothingAccepted", "ResolvedRefs=NotFound")
	w.setSays("unknown", "Ready=UnknownProfile")
	w.setSays("plain", "Ready=Published")
	w.holds("zz-beacon", beacon+"@1.0.0")
	w.setSays("zz-beacon", "Ready=Published")
	stop()
	before := len(w.writes())
	for i := range 3 {
		version := fmt.Sprintf("1.0.%d", i+1)
		w.put(setTool(beacon, version, "Says "+version+"."))
		stop := w.startOperatorWith(managerConfig(t), oneWorker)
		w.holds("zz-beacon", beacon+"@"+version)
		w.setSays("zz-beacon", "Ready=Published")
		stop()
	}
	if wrote := w.quietWrites(before); wrote != "" {
		t.Errorf("three restarts wrote\n%s", wrote)
	}

	// A status that is lost comes back as it was.
	want := w.setOutcome("dangling")
	lost := w.set("dangling")
	lost.Status = v1alpha1.ToolSetStatus{}
	if err := admin.Status().Update(t.Context(), lost); err != nil {
		t.Fatal(err)
	}
	w.startOperator()
	w.setSays("dangling", "ResolvedRefs=NotFound", "Ready=Published")
	if diff := cmp.Diff(want, w.setOutcome("dangling")); diff != "" {
		t.Errorf("after the status was lost (-before +after):\n%s", diff)
	}
}

// TestAStartTakesNothingAway: the operator starts over contracts whose statuses are
// lost, so that for a moment none serves a line, and a label that somebody sets
// meanwhile has every set looked at. What agents mount is not touched.
func TestAStartTakesNothingAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	w.putSet(selecting(toolSet("shop", "a@1", "b@1.0.0"), "team", "shop", "1"))
	for _, name := range []string{"a", "b", "c"} {
		c := setTool(name, "1.0.0", "Says 1.")
		c.Labels = map[string]string{"team": "shop"}
		w.publish(c)
	}
	w.holds("shop", "a@1.0.0", "b@1.0.0", "c@1.0.0")
	w.setSays("shop", "ResolvedRefs=Resolved", "Ready=Published")
	stop()
	want := versionsOf(w.setObjects("shop"))
	for _, name := range []string{"a", "b", "c"} {
		w.loseStatus(name)
	}
	w.startOperator()
	for _, name := range []string{"a", "b", "c"} {
		w.settled(name)
	}
	w.setSays("shop", "ResolvedRefs=Resolved", "Ready=Published")
	if diff := cmp.Diff(want, versionsOf(w.setObjects("shop"))); diff != "" {
		t.Errorf("what agents mount was written (-before +after):\n%s", diff)
	}
}

func versionsOf(configMaps []corev1.ConfigMap) map[string]string {
	out := map[string]string{}
	for _, cm := range configMaps {
		out[cm.Name] = cm.ResourceVersion
	}
	return out
}
