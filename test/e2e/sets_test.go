// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/operator"
)

// TestASetFollowsItsContracts: a set publishes its tools, one of them by its
// channel and one at an exact version, and what agents mount follows. A tool that
// is not there yet holds nobody up.
func TestASetFollowsItsContracts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.putSet(toolSet("shop", "a@1", "b@1.0.0", "c@1", "d@2.0.0-rc.1"))
	w.publish(setTool("a", "1.0.0", "Says 1."))
	w.publish(setTool("b", "1.0.0", "Says 1."))
	w.publish(setTool("c", "1.0.0-rc.1", "Says 1.")) // serves no line
	w.publish(setTool("d", "2.0.0-rc.1", "Says 1."))
	w.holds("shop", "a@1.0.0", "b@1.0.0", "d@2.0.0-rc.1")
	w.setSays("shop", "ResolvedRefs=NotFound", "ToolsPublished=Published", "Ready=Published")

	w.publish(setTool("a", "1.0.1", "Says 2."))
	w.publish(setTool("b", "1.0.1", "Says 2."))
	w.publish(setTool("c", "1.0.0", "Says 2."))
	w.holds("shop", "a@1.0.1", "b@1.0.0", "c@1.0.0", "d@2.0.0-rc.1")
	s := w.setSays("shop", "ResolvedRefs=Resolved", "ToolsPublished=Published", "Ready=Published")
	if s.Status.ToolsReady != "4/4" || len(s.Status.Unresolved) > 0 {
		t.Errorf("the status says %s tools, unresolved %v", s.Status.ToolsReady, s.Status.Unresolved)
	}
	w.wantEvent(v1alpha1.ReasonPublished, "4 of 4")

	// The two ConfigMaps of a profile have the same bytes.
	for _, p := range s.Status.Profiles {
		stable, rendering := w.configMap(p.ConfigMap), w.configMap(p.Rendering)
		if diff := cmp.Diff(stable.Data, rendering.Data); diff != "" {
			t.Errorf("%s: the ConfigMaps differ:\n%s", p.Profile, diff)
		}
		if stable.Annotations[v1alpha1.AnnotationDigest] != p.Digest || rendering.Immutable == nil || !*rendering.Immutable {
			t.Errorf("%s: digest %s, annotations %v, immutable %v", p.Profile, p.Digest, stable.Annotations, rendering.Immutable)
		}
		for _, name := range []string{"tools.json", "request.json", "manifest.json", "index.json"} {
			if stable.Data[name] == "" {
				t.Errorf("%s: there is no %s", p.Profile, name)
			}
		}
	}
}

// TestANamedVersionIsKept: retention keeps the revision that a set names, whatever
// comes after it, and lets it go with the reference; and no version is accepted
// that would break who runs it.
func TestANamedVersionIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.putSet(toolSet("shop", "a@1.0.0"))
	for i := range 4 {
		w.publish(limited(setTool("a", fmt.Sprintf("1.0.%d", i), fmt.Sprintf("Says %d.", i)), 0))
	}
	// The served one is the highest; the one before is kept for the way back.
	revisions := []string{"1.0.0", "1.0.2", "1.0.3"}
	w.eventually(func() error { return w.revisionsOfA(revisions) })
	w.holds("shop", "a@1.0.0")
	w.putSet(toolSet("shop", "a@1"))
	w.holds("shop", "a@1.0.3")
	w.eventually(func() error { return w.revisionsOfA(revisions[1:]) })
}

// TestARetiredLineStaysWhileASetFollowsIt: a set counts as one that mounts the
// channel.
func TestARetiredLineStaysWhileASetFollowsIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.putSet(toolSet("shop", "a@1"))
	w.publish(setTool("a", "1.0.0", "Says 1."))
	w.holds("shop", "a@1.0.0")
	w.publish(serving(setTool("a", "2.0.0", "Says 2."), 1))
	w.eventually(func() error {
		for _, c := range w.contract("a").Status.Channels {
			if c.Line == "1" && c.Retired && slices.Equal(c.Consumers, []string{"ToolSet/shop"}) {
				return nil
			}
		}
		return fmt.Errorf("channels %+v", w.contract("a").Status.Channels)
	})
	w.setSays("shop", "ResolvedRefs=Resolved", "Ready=Published")
	w.putSet(toolSet("shop", "a@2"))
	w.holds("shop", "a@2.0.0")
	w.eventually(func() error {
		return w.gone(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a-v1", Namespace: w.namespace}})
	})
}

// TestADuplicateNameIsLeftOut: two contracts with one name for models. The one
// that was there first stays, whatever its place.
func TestADuplicateNameIsLeftOut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.putSet(toolSet("shop", "b@1"))
	w.publish(setTool("b", "1.0.0", "Says 1."))
	w.holds("shop", "b@1.0.0")
	twin := setTool("a", "1.0.0", "Says 2.")
	twin.Spec.ToolName = "b"
	w.publish(twin)
	w.putSet(toolSet("shop", "a@1", "b@1"))
	s := w.setSays("shop", "ToolsPublished=ToolsExcluded", "Ready=Published")
	w.holds("shop", "b@1.0.0")
	for _, p := range s.Status.Profiles {
		if len(p.Excluded) != 1 || p.Excluded[0].Contract != "a" || p.Excluded[0].Reason != v1alpha1.ReasonDuplicateToolName {
			t.Errorf("%s: excluded %+v", p.Profile, p.Excluded)
		}
	}
	if s.Status.ToolsReady != "1/2" {
		t.Errorf("%s tools are ready, want 1/2", s.Status.ToolsReady)
	}
}

// TestADanglingReferenceKeepsTheTool: the tool of a contract that is gone stays as
// it was, byte for byte, and the others go on. A contract of that name with other
// content under the same version is not the same tool.
func TestADanglingReferenceKeepsTheTool(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector()
	w.startOperator()
	w.putSet(toolSet("shop", "a@1", "b@1"))
	w.publish(setTool("a", "1.0.0", "Says 1."))
	w.publish(setTool("b", "1.0.0", "Says 1."))
	w.holds("shop", "a@1.0.0", "b@1.0.0")
	before := elementOf(w.configMap("shop."+openAI), 0)

	w.deleteContract("a")
	w.eventually(func() error {
		s := w.set("shop")
		if u := s.Status.Unresolved; len(u) != 1 || !u[0].Kept || u[0].Contract != w.namespace+"/a" || u[0].Pointer != "/spec/tools/0" {
			return fmt.Errorf("unresolved %+v", u)
		}
		return errors.Join(finalSet(s), says(s, "ResolvedRefs=NotFound", "Ready=Published"))
	})
	w.publish(setTool("b", "1.0.1", "Says 2."))
	w.holds("shop", "a@1.0.0", "b@1.0.1")
	if diff := cmp.Diff(before, elementOf(w.configMap("shop."+openAI), 0)); diff != "" {
		t.Errorf("the kept tool was changed:\n%s", diff)
	}

	w.eventually(func() error { return w.noneOf("a") })
	w.publish(setTool("a", "1.0.0", "Says 3."))
	w.setSays("shop", "ResolvedRefs=RevisionConflict", "Ready=Published")
	w.publish(setTool("b", "1.0.2", "Says 3."))
	w.holds("shop", "a@1.0.0", "b@1.0.2")
	if diff := cmp.Diff(before, elementOf(w.configMap("shop."+openAI), 0)); diff != "" {
		t.Errorf("the version was replaced by other content:\n%s", diff)
	}
	w.publish(setTool("a", "1.0.1", "Says 4."))
	w.holds("shop", "a@1.0.1", "b@1.0.2")
	w.setSays("shop", "ResolvedRefs=Resolved")
}

// elementOf is one element of tools.json.
func elementOf(cm *corev1.ConfigMap, at int) string {
	var elements []json.RawMessage
	if err := json.Unmarshal([]byte(cm.Data["tools.json"]), &elements); err != nil || at >= len(elements) {
		return cm.Data["tools.json"]
	}
	return string(elements[at])
}

// noneOf says what is left of a contract.
func (w *world) noneOf(contract string) error {
	var left []error
	for _, child := range w.children() {
		if child.GetLabels()[v1alpha1.LabelContract] == contract {
			left = append(left, fmt.Errorf("%s is left", child.GetName()))
		}
	}
	return errors.Join(left...)
}

// TestSelectorsFollowLabels: a contract joins and leaves by its labels, and leaves
// when it is deleted; one that never served the line is none.
func TestSelectorsFollowLabels(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector()
	w.startOperator()
	w.putSet(selecting(toolSet("shop", "z@1"), "team", "shop", "1"))
	labelled := func(name, value string) {
		w.mustEdit(&v1alpha1.ToolContract{}, name, func(c client.Object) { c.SetLabels(map[string]string{"team": value}) })
	}
	for _, name := range []string{"a", "b", "z"} {
		w.publish(setTool(name, "1.0.0", "Says 1."))
	}
	w.publish(setTool("c", "2.0.0", "Says 1."))
	w.holds("shop", "z@1.0.0")
	for _, name := range []string{"b", "a", "z", "c"} {
		labelled(name, "shop")
	}
	w.holds("shop", "z@1.0.0", "a@1.0.0", "b@1.0.0")
	w.setSays("shop", "ResolvedRefs=Resolved", "ToolsPublished=Published")
	labelled("a", "other")
	w.holds("shop", "z@1.0.0", "b@1.0.0")
	w.deleteContract("b")
	w.holds("shop", "z@1.0.0")
	labelled("a", "shop")
	w.holds("shop", "z@1.0.0", "a@1.0.0")

	// The last one leaves as well: an empty list takes it away.
	w.putSet(selecting(toolSet("shop"), "team", "nobody", "1"))
	w.holds("shop")
	s := w.setSays("shop", "ResolvedRefs=NothingSelected", "ToolsPublished=NothingAccepted", "Ready=NothingAccepted")
	if s.Status.ToolsReady != "0/0" {
		t.Errorf("%s tools are ready", s.Status.ToolsReady)
	}
}

// TestPermissionIsAskedForAllTheTime: a contract of another namespace is in a set
// while it permits that, by its own word or by the labels of the namespace.
func TestPermissionIsAskedForAllTheTime(t *testing.T) {
	t.Parallel()
	w, owner := newWorld(t), newWorld(t)
	w.startOperatorWith(managerConfig(t), func(o *operator.Options) {
		o.Namespace, o.Namespaces = "", []string{w.namespace, owner.namespace}
	})
	from := func(c *v1alpha1.ToolContract, allowed *v1alpha1.AllowedNamespaces) *v1alpha1.ToolContract {
		c.Spec.AllowedNamespaces = allowed
		return c
	}
	all := &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesAll}
	selected := &v1alpha1.AllowedNamespaces{From: v1alpha1.NamespacesSelector, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"tier": "shop"}}}
	w.putSet(toolSet("shop", owner.namespace+"/a@1", owner.namespace+"/b@1", "c@1"))
	owner.publish(from(setTool("a", "1.0.0", "Says 1."), all))
	owner.publish(from(setTool("b", "1.0.0", "Says 1."), selected))
	w.publish(setTool("c", "1.0.0", "Says 1."))
	w.holds("shop", "a@1.0.0", "c@1.0.0")
	w.setSays("shop", "ResolvedRefs=RefNotPermitted", "Ready=Published")

	tier := func(value string) {
		w.mustEdit(&corev1.Namespace{}, w.namespace, func(ns client.Object) { ns.SetLabels(map[string]string{"tier": value}) })
	}
	tier("shop")
	w.holds("shop", "a@1.0.0", "b@1.0.0", "c@1.0.0")
	w.setSays("shop", "ResolvedRefs=Resolved")
	tier("other")
	w.holds("shop", "a@1.0.0", "c@1.0.0")
	owner.publish(from(setTool("a", "1.0.0", "Says 1."), nil))
	w.holds("shop", "c@1.0.0")
	owner.publish(from(setTool("a", "1.0.0", "Says 1."), all))
	w.holds("shop", "a@1.0.0", "c@1.0.0")

	// Also if nothing new may be published.
	blocking := toolSet("shop", owner.namespace+"/a@1", "c@1")
	blocking.Spec.OnIncompatible = v1alpha1.IncompatibleBlock
	w.putSet(blocking)
	w.setSays("shop", "ResolvedRefs=Resolved", "Ready=Published")
	refusing := setTool("d", "1.0.0", "Says 1.")
	refusing.Spec.Targets = refusing.Spec.Targets[:1]
	w.publish(refusing)
	blocking = toolSet("shop", owner.namespace+"/a@1", "c@1", "d@1")
	blocking.Spec.OnIncompatible = v1alpha1.IncompatibleBlock
	w.putSet(blocking)
	owner.publish(from(setTool("a", "1.0.0", "Says 1."), nil))
	w.eventually(func() error { return w.holding("shop", anthropic, "c@1.0.0") })

	// What a blocked set does not name any more leaves as well: nobody could
	// withdraw it otherwise.
	blocking = toolSet("shop", "d@1")
	blocking.Spec.OnIncompatible = v1alpha1.IncompatibleBlock
	w.putSet(blocking)
	w.eventually(func() error { return w.holding("shop", anthropic) })

	// A version that a set of another namespace names is kept, if it may hold it.
	owner.publish(from(limited(setTool("a", "1.0.1", "Says 2."), 0), all))
	w.putSet(toolSet("shop", owner.namespace+"/a@1.0.0"))
	w.holds("shop", "a@1.0.0")
	for i := 2; i < 5; i++ {
		owner.publish(from(limited(setTool("a", fmt.Sprintf("1.0.%d", i), fmt.Sprintf("Says %d.", i)), 0), all))
	}
	kept := []string{"1.0.0", "1.0.3", "1.0.4"}
	owner.eventually(func() error { return owner.revisionsOfA(kept) })
	owner.publish(from(limited(setTool("a", "1.0.5", "Says 5."), 0), nil))
	owner.eventually(func() error { return owner.revisionsOfA([]string{"1.0.4", "1.0.5"}) })
}

// revisionsOfA says what retention has not done yet for the contract a.
func (w *world) revisionsOfA(versions []string) error {
	var got []string
	for _, r := range w.revisions() {
		if r.Labels[v1alpha1.LabelContract] == "a" {
			got = append(got, r.Spec.Content.Version)
		}
	}
	return diffError(cmp.Diff(versions, got))
}

// TestAForeignConfigMapSurvivesASet: it stays byte for byte, the set says so, and
// takes the name when it is free.
func TestAForeignConfigMapSurvivesASet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	foreign := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "shop." + openAI}, Data: map[string]string{"tools.json": "mine"}}
	w.create(foreign)
	before := w.everything(foreign)
	w.startOperatorWith(managerConfig(t), func(o *operator.Options) { o.Recheck = 1e9 })
	w.putSet(toolSet("shop", "a@1"))
	w.publish(setTool("a", "1.0.0", "Says 1."))
	w.setSays("shop", "ToolsPublished=NameConflict", "Ready=NameConflict")
	w.eventually(func() error { return w.holding("shop", anthropic, "a@1.0.0") })
	w.wantUnchanged(foreign, before)
	if n := len(w.setObjects("shop")); n != 2 {
		t.Errorf("%d ConfigMaps, want the two of the other profile", n)
	}
	w.remove(foreign)
	w.holds("shop", "a@1.0.0")
	w.setSays("shop", "ToolsPublished=Published", "Ready=Published")
}

// TestProfilesOfASetComeAndGo: another profile gets its ConfigMaps, one that is
// not named any more loses them, and one that nobody knows leaves the others alone.
func TestProfilesOfASetComeAndGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	s := toolSet("shop", "a@1")
	w.putSet(s)
	w.publish(setTool("a", "1.0.0", "Says 1."))
	w.holds("shop", "a@1.0.0")
	s.Spec.Profiles = []v1alpha1.SetProfile{{Profile: anthropic}, {Profile: "nobody-knows-it"}}
	w.putSet(s)
	w.setSays("shop", "ToolsPublished=UnknownProfile", "Ready=UnknownProfile")
	w.eventually(func() error {
		for _, cm := range w.setObjects("shop") {
			if cm.Labels[v1alpha1.LabelProfile] != anthropic {
				return fmt.Errorf("%s is left", cm.Name)
			}
		}
		return w.holding("shop", anthropic, "a@1.0.0")
	})
	s.Spec.Profiles = []v1alpha1.SetProfile{{Profile: anthropic}, {Profile: openAI}}
	w.putSet(s)
	w.holds("shop", "a@1.0.0")
	w.setSays("shop", "Ready=Published")
}

// TestADamagedSetIsRestored: what somebody deletes or edits comes back, from the
// other copy or from the revisions, also of a tool whose contract is gone.
func TestADamagedSetIsRestored(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.withGarbageCollector()
	w.startOperator()
	w.putSet(toolSet("shop", "a@1", "b@1"))
	w.publish(setTool("a", "1.0.0", "Says 1."))
	w.publish(setTool("b", "1.0.0", "Says 1."))
	w.holds("shop", "a@1.0.0", "b@1.0.0")
	// Before b was there the set said the same as it does without a.
	w.setSays("shop", "ResolvedRefs=Resolved", "Ready=Published")
	w.deleteContract("a")
	s := w.setSays("shop", "ResolvedRefs=NotFound", "Ready=Published")
	want := bytesOf(w, s)
	for name, damage := range map[string]func(){
		"the stable one is emptied": func() {
			w.mustEdit(&corev1.ConfigMap{}, s.Status.Profiles[0].ConfigMap, func(cm client.Object) { cm.(*corev1.ConfigMap).Data = nil })
		},
		"the stable one is deleted":    func() { w.remove(w.configMap(s.Status.Profiles[0].ConfigMap)) },
		"the immutable one is deleted": func() { w.remove(w.configMap(s.Status.Profiles[0].Rendering)) },
		"a label is removed": func() {
			w.mustEdit(&corev1.ConfigMap{}, s.Status.Profiles[0].ConfigMap, func(cm client.Object) {
				labels := cm.GetLabels()
				delete(labels, v1alpha1.LabelRole)
				cm.SetLabels(labels)
			})
		},
		"a file is added": func() {
			w.mustEdit(&corev1.ConfigMap{}, s.Status.Profiles[0].ConfigMap, func(cm client.Object) { cm.(*corev1.ConfigMap).Data["more.json"] = "{}" })
		},
	} {
		damage()
		w.eventually(func() error {
			if diff := cmp.Diff(want, bytesOf(w, s)); diff != "" {
				return fmt.Errorf("%s: not restored: %s", name, diff)
			}
			return nil
		})
	}
}

// bytesOf is what the ConfigMaps of a set's status are, without times and uids.
func bytesOf(w *world, s *v1alpha1.ToolSet) string {
	var out []string
	for _, cm := range w.setObjects(s.Name) {
		out = append(out, cm.Name, mustJSON(w.T, cm.Labels), mustJSON(w.T, cm.Annotations), mustJSON(w.T, cm.Data))
	}
	return strings.Join(out, "\n")
}
