// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/controller"
	"github.com/toolcontract/operator/internal/operator"
	"github.com/toolcontract/operator/internal/testkit/statuslint"
)

// Specs of ProviderProfiles, in YAML. They change one thing of the profile that
// they extend.
const (
	profileHead = `title: House
reviewed: "2026-11-30"
sources: [{key: house, title: House rules, url: "https://house.example.com", date: "2026-11-30"}]
`
	evidence = `confidence: High, sources: [house]`
	// omitting spells what is not strict by leaving it out: other bytes.
	omitting = `strict: {place: Tool, nonStrict: Omit, ` + evidence + `}
`
	// shortNames refuses the tool of all tests.
	shortNames = `toolNames: [{pattern: "^[a-z_]+$", maxLength: 4, severity: Error, ` + evidence + `}]
`
	// plainProperties refuses names of properties with a mark in them, which no
	// adaptation changes.
	plainProperties = `propertyNames: [{scope: All, pattern: "^[a-z]+$", severity: Error, ` + evidence + `}]
`
	// moreText changes nothing that any contract notices.
	moreText = `keywords: [{names: [x-nobody-uses-it], both: [{verdict: Accepted, ` + evidence + `, note: more text}]}]
`
	// misspelt is no fact.
	misspelt = `toolName: [{pattern: "^[a-z_]+$", maxLength: 4, severity: Error, ` + evidence + `}]
`
)

// inputMarked has a property that plainProperties refuses.
const inputMarked = `{"type":"object","properties":{"order_id":{"type":"string"}},"required":["order_id"],"additionalProperties":false}`

// spec puts a ProviderProfile's spec together.
func spec(extends string, revision int, facts string) string {
	return fmt.Sprintf("extends: %s\nrevision: %d\n%s%s", extends, revision, profileHead, facts)
}

// managing makes an operator use the ProviderProfiles of the cluster.
func managing(o *operator.Options) { o.ProviderProfiles = controller.ManageProfiles }

// profile reads a ProviderProfile.
func (w *world) profile(name string) *v1alpha1.ProviderProfile {
	w.Helper()
	var p v1alpha1.ProviderProfile
	if err := admin.Get(w.Context(), client.ObjectKey{Name: name}, &p); err != nil {
		w.Fatal(err)
	}
	return &p
}

// putProfile creates a ProviderProfile or gives an existing one this spec.
func (w *world) putProfile(name, spec string) {
	w.Helper()
	raw, err := yaml.YAMLToJSON([]byte(spec))
	if err != nil {
		w.Fatal(err)
	}
	want := &v1alpha1.ProviderProfile{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.JSONObject{Raw: raw}}
	err = admin.Create(w.Context(), want)
	for apierrors.IsAlreadyExists(err) || apierrors.IsConflict(err) {
		have := w.profile(name)
		have.Spec = want.Spec
		err = admin.Update(w.Context(), have)
	}
	if err != nil {
		w.Fatal(err)
	}
}

// useProfile puts a ProviderProfile and waits until it is in force.
func (w *world) useProfile(name, spec string) *v1alpha1.ProviderProfile {
	w.Helper()
	w.putProfile(name, spec)
	return w.profileSays(name, metav1.ConditionTrue, v1alpha1.ReasonInForce)
}

// profileSays waits for the operator's word about the current generation.
func (w *world) profileSays(name string, ready metav1.ConditionStatus, reason string) *v1alpha1.ProviderProfile {
	w.Helper()
	var p *v1alpha1.ProviderProfile
	w.eventually(func() error {
		p = w.profile(name)
		is := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady)
		if p.Status.ObservedGeneration != p.Generation || is == nil || is.Status != ready || is.Reason != reason {
			return fmt.Errorf("profile %s, generation %d: want Ready=%s/%s, got %s", name, p.Generation, ready, reason, mustJSON(w.T, p.Status.Conditions))
		}
		return nil
	})
	return p
}

func (w *world) deleteProfile(name string) {
	w.Helper()
	if err := admin.Delete(w.Context(), &v1alpha1.ProviderProfile{ObjectMeta: metav1.ObjectMeta{Name: name}}); err != nil {
		w.Fatal(err)
	}
}

// compatible waits until the operator says this about the targets of a contract.
func (w *world) compatible(name string, status metav1.ConditionStatus, reason string) *v1alpha1.ToolContract {
	w.Helper()
	var c *v1alpha1.ToolContract
	w.eventually(func() error {
		c = w.contract(name)
		is := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionProvidersCompatible)
		if err := final(c); err != nil {
			return err
		}
		if is.Status != status || is.Reason != reason {
			return fmt.Errorf("%s: want ProvidersCompatible=%s/%s, got\n%s", name, status, reason, conditions(c))
		}
		return nil
	})
	return c
}

// file is what a channel serves under the name of a file.
func (w *world) file(channel, name string) string {
	w.Helper()
	return w.configMap(channel).Data[name]
}

// renders waits until a channel serves a profile with or without this text.
func (w *world) renders(channel, profile, text string, contains bool) {
	w.Helper()
	w.eventually(func() error {
		if got := w.file(channel, profile+".json"); got == "" || strings.Contains(got, text) != contains {
			return fmt.Errorf("%s serves for %s %q, want with %s: %t", channel, profile, got, text, contains)
		}
		return nil
	})
}

const nonStrict = `"strict":false`

// TestProviderProfiles is about objects of the whole cluster: its parts run one
// after the other, each with a cluster that has none.
func TestProviderProfiles(t *testing.T) {
	t.Parallel()
	for _, part := range []struct {
		name string
		test func(*world)
	}{
		{"an override that refuses what is served", overrideRefuses},
		{"every line is rendered again", everyLine},
		{"a line that a profile refuses", refusedLine},
		{"a refused contract is rendered again as it was accepted", refusedContract},
		{"an invalid edit", invalidEdit},
		{"a family", family},
		{"deletion", deletion},
		{"what changes nothing writes nothing", unchanged},
		{"a restart writes nothing", restart},
		{"a status that cannot be written", unwritten},
		{"contracts wait for profiles", startOrder},
		{"a set is rendered again", setFollowsProfile},
		{"an operator that only reads", readOnly},
		{"admission and columns", admissionAndColumns},
		{"the samples", sampleProfiles},
	} {
		t.Run(part.name, func(t *testing.T) {
			w := newWorld(t)
			t.Cleanup(w.removeProfiles)
			part.test(w)
		})
	}
}

// removeProfiles holds the statuses of all profiles against the rules, and
// deletes them.
func (w *world) removeProfiles() {
	ctx := context.Background() // that of the test has ended
	var list v1alpha1.ProviderProfileList
	if err := admin.List(ctx, &list); err != nil {
		w.Errorf("checking profiles: %v", err)
		return
	}
	for i := range list.Items {
		p := &list.Items[i]
		if err := statuslint.Check(p); err != nil {
			w.Errorf("status of ProviderProfile %s: %v\n%s", p.Name, err, mustJSON(w.T, p.Status.Conditions))
		}
		if err := admin.Delete(ctx, p); err != nil {
			w.Errorf("deleting ProviderProfile %s: %v", p.Name, err)
		}
	}
}

// overrideRefuses: the profile changes so that it refuses what is served. That
// stays byte for byte, and the status says what to do. Corrected, the profile
// makes other bytes, which are published.
func overrideRefuses(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	w.publish(notStrict(tool("find-order", "1.0.0", inputFirst)))
	other := notStrict(tool("other", "1.0.0", inputFirst))
	other.Spec.Targets = other.Spec.Targets[1:] // not for OpenAI
	w.publish(other)
	w.eventually(w.complete)
	served, before := w.objects(), len(w.writes())

	w.useProfile("openai-responses", spec("openai-responses", 2, shortNames))
	c := w.compatible("find-order", metav1.ConditionFalse, v1alpha1.ReasonTargetsIncompatible)
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonTargetsIncompatible)
	w.wantCondition(c, v1alpha1.ConditionPublished, metav1.ConditionTrue, v1alpha1.ReasonServingPrevious)
	says := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionProvidersCompatible).Message
	for _, part := range []string{"1.0.0 stays served", "profiles have changed", "openai-responses: /spec/toolName", "Fix: "} {
		if !strings.Contains(says, part) {
			w.Errorf("the message lacks %q: %s", part, says)
		}
	}
	if diff := cmp.Diff(served, w.objects()); diff != "" {
		w.Errorf("what is served was changed (-before +after):\n%s", diff)
	}
	for _, write := range w.writes()[before:] {
		if what := verbAndResource(write) + " " + write.Name; what != "patch toolcontracts/status find-order" {
			w.Errorf("the operator wrote %s", what)
		}
	}

	w.useProfile("openai-responses", spec("openai-responses", 3, omitting))
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
	w.renders("find-order-v1", "openai-responses", nonStrict, false)
	if got := w.contract("find-order").Status.Targets[0].ProfileRevision; got != 3 {
		w.Errorf("the target is judged by revision %d, want 3", got)
	}
	w.deleteProfile("openai-responses")
	w.renders("find-order-v1", "openai-responses", nonStrict, true)
	if diff := cmp.Diff(served, withoutRenderings(served, w.objects())); diff != "" {
		w.Errorf("the built-in profile makes other objects than before (-before +after):\n%s", diff)
	}
}

// withoutRenderings is after without the objects that before does not have.
func withoutRenderings(before, after string) string {
	var out []string
	for line := range strings.Lines(after) {
		kind, rest, _ := strings.Cut(line, " ")
		name, _, _ := strings.Cut(rest, " ")
		if strings.Contains(before, kind+" "+name+" ") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// everyLine: all lines serve what the profile makes of their version, each for
// the targets it was published for.
func everyLine(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	w.publish(notStrict(tool("find-order", "1.0.0", inputFirst)))
	second := notStrict(tool("find-order", "2.0.0", inputBroken))
	second.Spec.Targets = second.Spec.Targets[:1] // Anthropic was a target of line 1 only
	w.publish(second)
	first := w.configMap("find-order-v1")

	w.useProfile("openai-responses", spec("openai-responses", 2, omitting))
	for _, channel := range []string{"find-order-v1", "find-order-v2"} {
		w.renders(channel, "openai-responses", nonStrict, false)
	}
	moved := w.configMap("find-order-v1")
	if diff := cmp.Diff(slices.Sorted(maps.Keys(first.Data)), slices.Sorted(maps.Keys(moved.Data))); diff != "" {
		w.Errorf("line 1 serves other files (-before +after):\n%s", diff)
	}
	if got, want := moved.Data["anthropic-messages.json"], first.Data["anthropic-messages.json"]; got != want {
		w.Errorf("a profile that was not changed renders\n%s\nbefore\n%s", got, want)
	}
	if got := moved.Annotations[v1alpha1.AnnotationRevision]; got != "find-order-v1.0.0" {
		w.Errorf("line 1 serves %s", got)
	}
	w.eventually(func() error {
		for _, channel := range w.contract("find-order").Status.Channels {
			if got := w.configMap(channel.ConfigMap).Annotations[v1alpha1.AnnotationDigest]; got != channel.Digest {
				return fmt.Errorf("the status says that %s has the digest %s, it has %s", channel.ConfigMap, channel.Digest, got)
			}
		}
		return nil
	})
	w.wantCondition(w.contract("find-order"), v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)

	// Only what line 1 serves names this one.
	w.useProfile("anthropic-messages", spec("anthropic-messages", 2, strings.Replace(omitting, "Omit", "EmitFalse", 1)))
	w.renders("find-order-v1", "anthropic-messages", nonStrict, true)
}

// refusedLine: a profile refuses what an older line serves. The contract is
// about another one, so it stays ready; but it says so.
func refusedLine(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	w.publish(notStrict(tool("find-order", "1.0.0", inputMarked)))
	w.publish(notStrict(tool("find-order", "2.0.0", inputBroken)))
	w.eventually(w.complete)
	served := w.objects()

	w.useProfile("openai-responses", spec("openai-responses", 2, plainProperties))
	c := w.compatible("find-order", metav1.ConditionFalse, v1alpha1.ReasonServedIncompatible)
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	says := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionProvidersCompatible).Message
	for _, part := range []string{"line 1 goes on serving 1.0.0", "openai-responses: input schema /properties/order_id", "publish a version"} {
		if !strings.Contains(says, part) {
			w.Errorf("the message lacks %q: %s", part, says)
		}
	}
	if !strings.Contains(c.Status.Summary, "line 1") {
		w.Errorf("the summary is %q", c.Status.Summary)
	}
	if diff := cmp.Diff(served, w.objects()); diff != "" {
		w.Errorf("what is served was changed (-before +after):\n%s", diff)
	}
	w.wantEvent(v1alpha1.ReasonServedIncompatible, "line 1 goes on serving 1.0.0")

	w.deleteProfile("openai-responses")
	w.compatible("find-order", metav1.ConditionTrue, v1alpha1.ReasonCompatible)
}

// refusedContract: the contract is refused, for another delivery too. A changed
// profile reaches what is served all the same, with the delivery it was
// published with.
func refusedContract(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	w.publish(notStrict(tool("find-order", "1.0.0", inputFirst)))
	w.refuse(tool("find-order", "1.0.1", inputBroken), v1alpha1.ReasonMajorBumpRequired) // and strict where it can be
	w.useProfile("openai-responses", spec("openai-responses", 2, omitting))
	w.renders("find-order-v1", "openai-responses", `"strict"`, false)
	w.wantCondition(w.settled("find-order"), v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonMajorBumpRequired)
	if err := w.serves("find-order-v1", "1.0.0"); err != nil {
		w.Error(err)
	}
}

// invalidEdit: what was in force stays, for contracts of before and after, and
// for an operator that starts afterwards.
func invalidEdit(w *world) {
	stop := w.startOperatorWith(managerConfig(w.T), managing, oneWorker)
	inForce := w.useProfile("house", spec("openai-responses", 1, omitting)).Status.InForce
	w.publish(housed("find-order"))
	w.eventually(w.complete)
	served := w.objects()

	w.putProfile("house", spec("openai-responses", 2, misspelt))
	p := w.profileSays("house", metav1.ConditionFalse, v1alpha1.ReasonInvalidProfile)
	says := meta.FindStatusCondition(p.Status.Conditions, v1alpha1.ConditionReady).Message
	for _, part := range []string{"revision 1 stays in force", "/spec/toolName", "toolNames", "Fix: "} {
		if !strings.Contains(says, part) {
			w.Errorf("the message lacks %q: %s", part, says)
		}
	}
	if diff := cmp.Diff(inForce, p.Status.InForce); diff != "" {
		w.Errorf("in force (-before +after):\n%s", diff)
	}
	w.publish(housed("later"))
	w.renders("later-v1", "house", nonStrict, false)

	stop()
	before := len(w.writes())
	w.startOperatorWith(managerConfig(w.T), managing, oneWorker)
	w.publish(housed(beacon)) // the last in the queue
	w.renders(beacon+"-v1", "house", nonStrict, false)
	if wrote := w.quietWrites(before); wrote != "" {
		w.Errorf("after a restart the operator wrote\n%s", wrote)
	}
	if diff := cmp.Diff(served, withoutRenderings(served, w.objects())); diff != "" {
		w.Errorf("what is served was changed (-before +after):\n%s", diff)
	}

	w.useProfile("house", spec("openai-responses", 2, "")) // corrected
	w.renders("find-order-v1", "house", nonStrict, true)
}

// housed is the tool for a profile that somebody adds.
func housed(name string) *v1alpha1.ToolContract {
	c := notStrict(tool(name, "1.0.0", inputFirst))
	c.Spec.Targets = []v1alpha1.Target{{Profile: "house", Strict: v1alpha1.StrictDisabled}}
	return c
}

// family: a profile extends another one that somebody added, whichever is there
// first.
func family(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	w.putProfile("house", spec("parent", 1, ""))
	p := w.profileSays("house", metav1.ConditionFalse, v1alpha1.ReasonUnknownProfile)
	if p.Status.InForce != nil {
		w.Errorf("in force is %v", p.Status.InForce)
	}
	w.refuse(housed("find-order"), v1alpha1.ReasonUnknownProfile)
	w.useProfile("parent", spec("openai-responses", 1, omitting))
	w.profileSays("house", metav1.ConditionTrue, v1alpha1.ReasonInForce)
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
	w.renders("find-order-v1", "house", nonStrict, false)

	w.useProfile("parent", spec("openai-responses", 2, ""))
	w.renders("find-order-v1", "house", nonStrict, true)
	for name, want := range map[string]int32{"house": 1, "parent": 0} {
		w.eventually(func() error {
			return w.usedBy(name, want)
		})
	}
	if err := admin.Delete(w.Context(), w.contract("find-order")); err != nil {
		w.Fatal(err)
	}
	w.eventually(func() error { return w.usedBy("house", 0) })
}

// usedBy says how many contracts use a profile if it is another number.
func (w *world) usedBy(name string, want int32) error {
	w.Helper()
	if got := w.profile(name).Status.UsedBy; got == nil || *got != want {
		return fmt.Errorf("%s is used by %v contracts, want %d", name, mustJSON(w.T, got), want)
	}
	return nil
}

// deletion of a profile that is used: the contract says that there is none, and
// what is served stays served.
func deletion(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	w.useProfile("house", spec("openai-responses", 1, omitting))
	w.publish(housed("find-order"))
	w.eventually(w.complete)
	served := w.objects()
	w.deleteProfile("house")
	c := w.compatible("find-order", metav1.ConditionFalse, v1alpha1.ReasonUnknownProfile)
	w.wantCondition(c, v1alpha1.ConditionPublished, metav1.ConditionTrue, v1alpha1.ReasonServingPrevious)
	if diff := cmp.Diff(served, w.objects()); diff != "" {
		w.Errorf("what is served was changed (-before +after):\n%s", diff)
	}
	// A name more is told to those who look for one that is not there.
	w.useProfile("neighbour", spec("openai-responses", 1, ""))
	w.eventually(func() error {
		c := w.contract("find-order")
		if is := meta.FindStatusCondition(c.Status.Conditions, v1alpha1.ConditionReady); !strings.Contains(is.Message, "neighbour") {
			return fmt.Errorf("the names are not those that there are: %s", is.Message)
		}
		return nil
	})
	w.useProfile("house", spec("openai-responses", 1, omitting))
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
	if diff := cmp.Diff(served, w.objects()); diff != "" {
		w.Errorf("back again, the profile makes other objects (-before +after):\n%s", diff)
	}
}

// unchanged: a new revision of a profile that says the same of a contract is no
// news to it. The beacon is the last in the queue of what is rendered again, and
// the only one for which the profile says something else.
func unchanged(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing, oneWorker)
	w.useProfile("openai-responses", spec("openai-responses", 2, ""))
	w.settle()
	w.publish(tool(beacon, "1.0.0", inputMarked))
	w.eventually(w.complete)
	before := len(w.writes())
	for revision := 3; revision < 6; revision++ {
		w.useProfile("openai-responses", spec("openai-responses", revision, plainProperties))
		w.compatible(beacon, metav1.ConditionFalse, v1alpha1.ReasonTargetsIncompatible)
		w.useProfile("openai-responses", spec("openai-responses", revision, moreText))
		w.compatible(beacon, metav1.ConditionTrue, v1alpha1.ReasonCompatible)
	}
	if wrote := w.quietWrites(before); wrote != "" {
		w.Errorf("revisions that change nothing made the operator write\n%s", wrote)
	}
}

// restart: an operator that starts over everything it made, with profiles of
// which one is invalid by now, writes nothing.
func restart(w *world) {
	stop := w.startOperatorWith(managerConfig(w.T), managing)
	w.useProfile("openai-responses", spec("openai-responses", 2, omitting))
	w.useProfile("house", spec("openai-responses", 1, omitting))
	w.publish(notStrict(tool("find-order", "1.0.0", inputFirst)))
	w.publish(notStrict(tool("find-order", "2.0.0", inputBroken)))
	w.publish(housed("housed"))
	w.putProfile("house", spec("openai-responses", 2, misspelt))
	w.profileSays("house", metav1.ConditionFalse, v1alpha1.ReasonInvalidProfile)
	w.eventually(w.complete)
	w.eventually(func() error { return w.usedBy("house", 1) })
	stop()
	before, profiles := len(w.writes()), w.profileWrites()
	for i := range 3 {
		w.put(described(beacon, fmt.Sprintf("1.0.%d", i), fmt.Sprintf("Says %d.", i)))
		stop := w.startOperatorWith(managerConfig(w.T), managing, oneWorker)
		w.eventually(func() error { return w.serves(beacon+"-v1", fmt.Sprintf("1.0.%d", i)) })
		stop()
	}
	if wrote := w.quietWrites(before); wrote != "" {
		w.Errorf("restarts wrote\n%s", wrote)
	}
	for _, write := range w.profileWrites()[len(profiles):] {
		// The beacon is a user of the override.
		if write != "patch providerprofiles/status openai-responses: 200" {
			w.Errorf("restarts wrote %s", write)
		}
	}
}

// profileWrites are all writes of operators to ProviderProfiles.
func (w *world) profileWrites() []string {
	w.Helper()
	all, err := plane.Writes(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	var out []string
	for _, write := range all {
		if write.User == managerUser && write.Resource == "providerprofiles" {
			out = append(out, fmt.Sprintf("%s %s: %d", verbAndResource(write), write.Name, write.Code))
		}
	}
	return out
}

// unwritten: facts that no status records are not used, because the next
// operator would not know of them.
func unwritten(w *world) {
	var attempts atomic.Int64
	var mended atomic.Bool
	w.startOperatorWith(through(managerConfig(w.T), func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		if !mended.Load() && strings.HasSuffix(r.URL.Path, "/providerprofiles/house/status") {
			attempts.Add(1)
			return nil, errors.New("the connection is lost")
		}
		return next.RoundTrip(r)
	}), managing)
	w.putProfile("house", spec("openai-responses", 1, ""))
	w.eventually(func() error {
		if n := attempts.Load(); n < 3 {
			return fmt.Errorf("the operator has tried %d times to write the status", n)
		}
		return nil
	})
	w.refuse(housed("find-order"), v1alpha1.ReasonUnknownProfile)
	mended.Store(true)
	w.profileSays("house", metav1.ConditionTrue, v1alpha1.ReasonInForce)
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
}

// startOrder: an operator that starts looks at no contract before it knows the
// profiles. What it says about one is held back until another of its controllers
// has done its work: a revision is verified anew.
func startOrder(w *world) {
	stop := w.startOperatorWith(managerConfig(w.T), managing)
	w.publish(tool("earlier", "1.0.0", inputFirst))
	w.eventually(w.complete)
	stop()
	out, err := kubectl(w.Context(), "", "patch", "trev", "earlier-v1.0.0", "-n", w.namespace, "--subresource=status", "--type=json",
		"-p", `[{"op":"remove","path":"/status"}]`)
	if err != nil {
		w.Fatalf("%v\n%s", err, out)
	}
	w.putProfile("house", spec("openai-responses", 1, omitting))
	w.put(housed("find-order"))
	before := len(w.writes())

	held := make(chan struct{})
	release := sync.OnceFunc(func() { close(held) })
	defer release()
	w.startOperatorWith(through(managerConfig(w.T), func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		if strings.HasSuffix(r.URL.Path, "/providerprofiles/house/status") {
			<-held
		}
		return next.RoundTrip(r)
	}), managing)
	w.eventually(w.complete)
	release()
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
	w.eventually(w.complete)
	var got []string
	for _, write := range w.writes()[before:] {
		if write.Resource == "toolcontracts" && write.Code < http.StatusBadRequest {
			got = append(got, verbAndResource(write))
		}
	}
	if diff := cmp.Diff([]string{"patch toolcontracts/status"}, got); diff != "" {
		w.Errorf("the contract was told more than one thing (-want +got):\n%s", diff)
	}
}

// readOnly: of several operators one manages the profiles. The others use what
// it has put into force, and write nothing about them.
func readOnly(w *world) {
	w.startOperatorWith(managerConfig(w.T), func(o *operator.Options) { o.ProviderProfiles = controller.ReadProfiles })
	w.putProfile("house", spec("openai-responses", 1, omitting))
	w.refuse(housed("find-order"), v1alpha1.ReasonUnknownProfile)
	if got := w.profile("house").Status.ObservedGeneration; got != statuslint.Unseen {
		w.Errorf("the profile has a status about generation %d although nobody manages it", got)
	}
	manager := newWorld(w.T)
	stop := manager.startOperatorWith(managerConfig(w.T), managing)
	w.profileSays("house", metav1.ConditionTrue, v1alpha1.ReasonInForce)
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
	stop()
	w.putProfile("house", spec("openai-responses", 2, ""))
	w.publish(housed("later"))
	w.renders("later-v1", "house", nonStrict, false) // as long as nobody has judged the edit
}

// admissionAndColumns: the API server refuses names that no target could have,
// keeps every field for the operator to judge, and shows the state in a line.
func admissionAndColumns(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	for name, want := range map[string]string{
		"index":                 "reserved",
		"house.example":         "DNS label",
		strings.Repeat("x", 64): "DNS label",
	} {
		manifest := fmt.Sprintf("{apiVersion: toolcontract.dev/v1alpha1, kind: ProviderProfile, metadata: {name: %s}, spec: {revision: 1}}", name)
		if out, err := kubectl(w.Context(), manifest, "apply", "-f", "-"); err == nil || !strings.Contains(out, want) {
			w.Errorf("a profile named %s: %v, %s; want it refused with %q", name, err, out, want)
		}
	}
	manifest := func(facts string) string {
		return "apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: house}\nspec:\n  " +
			strings.ReplaceAll(strings.TrimSpace(spec("openai-responses", 1, facts)), "\n", "\n  ") + "\n"
	}
	columns := func() string {
		out, err := kubectl(w.Context(), "", "get", "tpp", "house", "--no-headers")
		if err != nil {
			w.Fatalf("%v\n%s", err, out)
		}
		fields := strings.Fields(out)
		return strings.Join(fields[:len(fields)-1], " ") // without the age
	}
	for _, step := range []struct{ facts, want, reason string }{
		{omitting, "house openai-responses 1 True 0", v1alpha1.ReasonInForce},
		{misspelt, "house openai-responses 1 False 0", v1alpha1.ReasonInvalidProfile},
	} {
		if out, err := kubectl(w.Context(), manifest(step.facts), "apply", "-f", "-"); err != nil {
			w.Fatalf("kubectl apply: %v\n%s", err, out)
		}
		w.eventually(func() error {
			if got := columns(); got != step.want {
				return fmt.Errorf("kubectl shows %q, want %q", got, step.want)
			}
			return nil
		})
		w.eventually(func() error { return profileEvent(w.Context(), "house", step.reason) })
	}
}

// sampleProfiles: kubectl apply takes them, and the operator puts them in force.
func sampleProfiles(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	out, err := kubectl(w.Context(), "", "apply", "-f", repository("config/samples/profiles"))
	if err != nil {
		w.Fatalf("kubectl apply: %v\n%s", err, out)
	}
	w.profileSays("house-gateway", metav1.ConditionTrue, v1alpha1.ReasonInForce)
}

// profileEvent says what is missing of an event about a profile. Events about
// objects of the cluster are in the namespace default.
func profileEvent(ctx context.Context, name, reason string) error {
	out, err := kubectl(ctx, "", "get", "events", "-n", "default", "--field-selector", "involvedObject.name="+name, "-o", "jsonpath={.items[*].reason}")
	if err != nil || !slices.Contains(strings.Fields(out), reason) {
		return fmt.Errorf("events about %s: %q, %w; want %s", name, out, err, reason)
	}
	return nil
}

// TestProfilesFromADirectory: an operator without rights on ProviderProfiles
// reads profiles from files, as manifests or as they are.
func TestProfilesFromADirectory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := t.TempDir()
	manifest := "apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: house}\nspec:\n  " +
		strings.ReplaceAll(strings.TrimSpace(spec("openai-responses", 1, omitting)), "\n", "\n  ") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "gateway.yaml"), []byte(manifest), 0o600); err != nil {
		t.Fatal(err)
	}
	var rec recorder
	fromDir := func(o *operator.Options) { o.ProfileDir = dir }
	w.startOperatorWith(through(managerConfig(t), rec.between), fromDir)
	w.publish(housed("find-order"))
	w.renders("find-order-v1", "house", nonStrict, false)
	for _, request := range rec.all() {
		if strings.Contains(request, "providerprofiles") {
			t.Errorf("the operator asked for %s", request)
		}
	}

	if err := os.WriteFile(filepath.Join(dir, "gateway.yaml"), []byte(strings.Replace(manifest, "revision", "revison", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	err := operator.Run(t.Context(), managerConfig(t), operator.Options{
		Namespace: w.namespace, Repeated: true, ProfileDir: dir, ProviderProfiles: controller.IgnoreProfiles,
	})
	if err == nil || !strings.Contains(err.Error(), "gateway.yaml: ") || !strings.Contains(err.Error(), "/spec/revison") {
		t.Errorf("with a broken file the operator ends with %v", err)
	}
}

// TestWithoutRightsOnProfilesTheOperatorSaysSo, and does not wait in silence.
func TestWithoutRightsOnProfilesTheOperatorSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	err := operator.Run(t.Context(), userConfig(t, authorUser), operator.Options{Namespace: w.namespace, Repeated: true})
	if err == nil || !strings.Contains(err.Error(), "--provider-profiles=Ignore") {
		t.Errorf("the operator ends with %v", err)
	}
}
