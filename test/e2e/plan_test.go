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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/plan"
)

// planStep is one change: objects that are applied, and what is taken away.
type planStep struct {
	name      string
	contracts []*v1alpha1.ToolContract
	sets      []*v1alpha1.ToolSet
	// gone are contracts that the manifests do not have any more.
	gone []string
	// change and reason are what the plan must say of the first contract, or of the
	// first set if there is none. Without them the comparison could agree about
	// nothing.
	change plan.Change
	reason string
}

// TestPlanSaysWhatTheOperatorDoes plans changes one after the other, each against
// the cluster, and then applies them: revisions, refusals, lines and the ConfigMaps
// of sets come as they were said. Planned again, nothing is left to do.
func TestPlanSaysWhatTheOperatorDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	withTargets := func(c *v1alpha1.ToolContract, targets ...v1alpha1.Target) *v1alpha1.ToolContract {
		c.Spec.Targets = targets
		return c
	}
	with := func(c *v1alpha1.ToolContract, change func(*v1alpha1.ToolContractSpec)) *v1alpha1.ToolContract {
		change(&c.Spec)
		return c
	}
	second := setTool("cancel-order", "1.0.0", "Cancels an order.")
	third := setTool("show-order", "0.3.0", "Shows an order.")
	one := v1alpha1.Target{Profile: openAI}
	steps := []planStep{
		{name: "new", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.0.0", inputFirst), second}, change: plan.New},
		{name: "a set", sets: []*v1alpha1.ToolSet{toolSet("desk", "find-order@1", "cancel-order@1")}, change: plan.New},
		{name: "nothing", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.0.0", inputFirst)}, change: plan.Unchanged},
		{name: "a patch", contracts: []*v1alpha1.ToolContract{described("find-order", "1.0.1", "Finds one order. Changes nothing.")}, change: plan.Changed},
		{name: "a minor", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.1.0", inputAdded)}, change: plan.Changed},
		{name: "other content of a version", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.1.0", inputFirst)}, change: plan.Refused, reason: v1alpha1.ReasonRevisionConflict},
		{name: "a major without saying so", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.2.0", inputBroken)}, change: plan.Refused, reason: v1alpha1.ReasonMajorBumpRequired},
		{name: "a minor below", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.0.2", inputAdded)}, change: plan.Refused, reason: v1alpha1.ReasonVersionNotHigher},
		{name: "a major", contracts: []*v1alpha1.ToolContract{tool("find-order", "2.0.0", inputBroken)}, change: plan.Changed},
		{name: "a pre-release", contracts: []*v1alpha1.ToolContract{tool("find-order", "2.1.0-rc.1", inputBroken)}, change: plan.Changed},
		{name: "back to the old line", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.1.0", inputAdded)}, change: plan.Changed},
		{name: "a rollback", contracts: []*v1alpha1.ToolContract{tool("find-order", "1.0.0", inputFirst)}, change: plan.Changed},
		{name: "the set names a version", sets: []*v1alpha1.ToolSet{toolSet("desk", "find-order@1.1.0", "cancel-order@1")}, change: plan.Changed},
		{name: "a target goes unsaid", contracts: []*v1alpha1.ToolContract{withTargets(second.DeepCopy(), one)}, change: plan.Refused, reason: v1alpha1.ReasonTargetsIncompatible},
		{name: "a target goes", contracts: []*v1alpha1.ToolContract{with(withTargets(second.DeepCopy(), one), func(s *v1alpha1.ToolContractSpec) {
			s.Acknowledge = []v1alpha1.Acknowledgement{{Version: "1.0.0", Rule: "target-removed", Path: "/spec/targets/" + anthropic, Reason: "no agent uses it"}}
		})}, change: plan.Changed},
		{name: "an unknown profile", contracts: []*v1alpha1.ToolContract{withTargets(tool("find-order", "1.0.0", inputFirst), one, v1alpha1.Target{Profile: anthropic}, v1alpha1.Target{Profile: "nobody"})}, change: plan.Refused, reason: v1alpha1.ReasonUnknownProfile},
		{name: "a set of one profile", sets: []*v1alpha1.ToolSet{with1(toolSet("desk", "find-order@2", "cancel-order@1"), openAI)}, change: plan.Changed},
		{name: "a line below 1.0.0", contracts: []*v1alpha1.ToolContract{third}, sets: []*v1alpha1.ToolSet{with1(toolSet("desk", "show-order@0.3", "find-order@2", "cancel-order@1"), openAI)}, change: plan.New},
		{name: "fewer lines", contracts: []*v1alpha1.ToolContract{with(tool("find-order", "2.0.0", inputBroken), func(s *v1alpha1.ToolContractSpec) { s.ServedLines = new(int32(1)) })}, change: plan.Changed},
		{name: "a contract goes", contracts: []*v1alpha1.ToolContract{third}, sets: []*v1alpha1.ToolSet{with1(toolSet("desk", "show-order@0.3", "find-order@2", "cancel-order@1"), openAI)}, gone: []string{"cancel-order", "find-order"}, change: plan.Unchanged},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) { w.planned(t, step) }) //nolint:paralleltest // one step follows from the other
	}
}

func with1(s *v1alpha1.ToolSet, profile string) *v1alpha1.ToolSet {
	s.Spec.Profiles = []v1alpha1.SetProfile{{Profile: profile}}
	return s
}

// planned plans a step, takes it, and compares.
func (w *world) planned(t *testing.T, step planStep) {
	t.Helper()
	was := *w
	was.T = t
	w = &was
	before := w.revisionsOf(w.objects())
	p := w.plan(step)
	change, reason := plan.Unchanged, ""
	if len(p.Contracts) > 0 && len(step.contracts) > 0 {
		for _, c := range p.Contracts {
			if c.Name == step.contracts[0].Name {
				change = c.Change
				if len(c.Refusals) > 0 {
					reason = c.Refusals[0].Reason
				}
			}
		}
	} else if len(p.Sets) > 0 {
		change = p.Sets[0].Change
	}
	if change != step.change || reason != step.reason {
		t.Fatalf("planned is %s %s, want %s %s:\n%s", change, reason, step.change, step.reason, mustJSON(t, p))
	}

	for _, name := range step.gone {
		if err := admin.Delete(t.Context(), w.contract(name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range step.contracts {
		w.put(c)
	}
	for _, s := range step.sets {
		w.putSet(s)
	}
	w.eventually(func() error { return w.asPlanned(p) })
	// Revisions of a deleted contract go with it, sooner or later.
	ofGone := func(revision string) bool {
		return slices.ContainsFunc(step.gone, func(name string) bool { return strings.HasPrefix(revision, "ToolRevision "+name+"-v") })
	}
	want := slices.DeleteFunc(before, ofGone)
	for _, c := range p.Contracts {
		if c.Revision != nil && c.Revision.New {
			want = append(want, c.Revision.Name)
		}
	}
	got := slices.DeleteFunc(w.revisionsOf(w.objects()), ofGone)
	if len(got) != len(want) {
		t.Errorf("there are %d revisions, and %d were planned\n%s\n%s", len(got), len(want), strings.Join(got, "\n"), mustJSON(t, p))
	}
	again := w.plan(planStep{contracts: step.contracts, sets: step.sets, gone: step.gone})
	for _, c := range again.Contracts {
		if c.Change != plan.Unchanged && c.Change != plan.Refused {
			t.Errorf("planned again, %s is %s:\n%s", c.Name, c.Change, mustJSON(t, c))
		}
	}
	for _, s := range again.Sets {
		if s.Change != plan.Unchanged && s.Change != plan.Refused {
			t.Errorf("planned again, set %s is %s:\n%s", s.Name, s.Change, mustJSON(t, s))
		}
	}
}

// plan asks the command.
func (w *world) plan(step planStep) *plan.Plan {
	w.Helper()
	var manifests strings.Builder
	add := func(kind string, object client.Object) {
		object = object.DeepCopyObject().(client.Object)
		object.SetNamespace(w.namespace)
		object.GetObjectKind().SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
		manifests.WriteString("---\n" + mustJSON(w.T, object) + "\n")
	}
	for _, c := range step.contracts {
		add("ToolContract", c)
	}
	for _, s := range step.sets {
		add("ToolSet", s)
	}
	arguments := []string{"plan", "-", "--cluster", "-n", w.namespace, "--kubeconfig", plane.KubeconfigPath, "-o", "json", "--fail-on", "never"}
	if len(step.gone) > 0 {
		arguments = append(arguments, "--prune")
	}
	p := &plan.Plan{}
	if err := json.Unmarshal([]byte(toolcontract(w.T, manifests.String(), arguments...)), p); err != nil {
		w.Fatal(err)
	}
	return p
}

// asPlanned says where the cluster is not as a plan said.
func (w *world) asPlanned(p *plan.Plan) error {
	var errs []error
	for _, c := range p.Contracts {
		if c.Change == plan.Removed {
			err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: c.Name}, &v1alpha1.ToolContract{})
			if !apierrors.IsNotFound(err) {
				errs = append(errs, fmt.Errorf("%s is still there: %w", c.Name, err))
			}
			continue
		}
		errs = append(errs, w.contractAsPlanned(c))
	}
	for _, s := range p.Sets {
		errs = append(errs, w.setAsPlanned(s))
	}
	return errors.Join(errs...)
}

func (w *world) contractAsPlanned(want plan.Contract) error {
	got := w.contract(want.Name)
	if err := final(got); err != nil {
		return err
	}
	ready := meta.FindStatusCondition(got.Status.Conditions, v1alpha1.ConditionReady)
	if len(want.Refusals) > 0 {
		if ready.Reason != want.Refusals[0].Reason {
			return fmt.Errorf("%s: refused for %s, planned was %s", want.Name, ready.Reason, want.Refusals[0].Reason)
		}
	} else if ready.Status != "True" {
		return fmt.Errorf("%s: is not ready: %s", want.Name, ready.Message)
	}
	if want.Revision != nil {
		var r v1alpha1.ToolRevision
		if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: want.Revision.Name}, &r); err != nil {
			return err
		}
		if r.Spec.ContentDigest != want.Revision.Digest {
			return fmt.Errorf("revision %s has the content %s, planned was %s", r.Name, r.Spec.ContentDigest, want.Revision.Digest)
		}
	}
	for _, l := range want.Lines {
		i := slices.IndexFunc(got.Status.Channels, func(ch v1alpha1.Channel) bool { return ch.Line == l.Line })
		switch {
		case l.Change == plan.Removed && i < 0:
		case l.Change == plan.Removed || i < 0:
			return fmt.Errorf("%s: line %s: planned was %s, channels are %+v", want.Name, l.Line, l.Change, got.Status.Channels)
		default:
			ch := got.Status.Channels[i]
			rendering := ch.Revision + "-" + strings.TrimPrefix(ch.Digest, "sha256:")[:8]
			if ch.ConfigMap != l.ConfigMap || rendering != l.Rendering {
				return fmt.Errorf("%s: line %s is %s, planned was %s", want.Name, l.Line, rendering, l.Rendering)
			}
		}
	}
	return nil
}

func (w *world) setAsPlanned(want plan.Set) error {
	got := w.set(want.Name)
	if err := finalSet(got); err != nil {
		return err
	}
	type served struct {
		profile, configMap, rendering string
		tools, tokens                 int
	}
	var planned, have []served
	for _, p := range want.Profiles {
		if p.Change != plan.Removed {
			planned = append(planned, served{p.Profile, p.ConfigMap, p.Rendering, p.Tools.After, p.Tokens.After})
		}
	}
	for _, p := range got.Status.Profiles {
		have = append(have, served{p.Profile, p.ConfigMap, p.Rendering, int(p.Tools), int(p.Tokens)})
	}
	if diff := cmp.Diff(planned, have, cmp.AllowUnexported(served{})); diff != "" {
		return fmt.Errorf("set %s (-planned +there):\n%s", want.Name, diff)
	}
	if len(want.Unresolved) != len(got.Status.Unresolved) {
		return fmt.Errorf("set %s: unresolved %+v, planned was %+v", want.Name, got.Status.Unresolved, want.Unresolved)
	}
	return nil
}
