// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/plan"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/snapshot"
)

const (
	first  = `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"],"additionalProperties":false}`
	added  = `{"type":"object","properties":{"order":{"type":"string"},"note":{"type":"string"}},"required":["order"],"additionalProperties":false}`
	broken = `{"type":"object","properties":{"order":{"type":"integer"}},"required":["order"],"additionalProperties":false}`
)

func tool(name, version, schema string, profiles ...string) plan.Manifest {
	c := &v1alpha1.ToolContract{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name},
		Spec: v1alpha1.ToolContractSpec{ToolContent: v1alpha1.ToolContent{
			Version: version, ToolName: strings.ReplaceAll(name, "-", "_"), Description: v1alpha1.Description{Summary: "Does one thing with an order."},
			Input: v1alpha1.Input{SchemaText: schema},
		}},
	}
	if len(profiles) == 0 {
		profiles = []string{"openai-responses"}
	}
	for _, p := range profiles {
		c.Spec.Targets = append(c.Spec.Targets, v1alpha1.Target{Profile: p})
	}
	return plan.Manifest{File: name + ".yaml", Line: 1, Namespace: "shop", Name: name, Contract: c}
}

func desk(tools ...string) plan.Manifest {
	s := &v1alpha1.ToolSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "desk"}}
	s.Spec.Profiles = []v1alpha1.SetProfile{{Profile: "openai-responses", TokenBudget: new(int32(100))}}
	for _, t := range tools {
		name, line, _ := strings.Cut(t, "@")
		ref := v1alpha1.ToolReference{Contract: name, Channel: line}
		if strings.Count(line, ".") > 1 {
			ref.Channel, ref.Version = "", line
		}
		s.Spec.Tools = append(s.Spec.Tools, ref)
	}
	return plan.Manifest{File: "desk.yaml", Line: 1, Namespace: "shop", Name: "desk", IsSet: true, Set: s}
}

func options() plan.Options { return plan.Options{Profiles: provider.Builtin(), Whole: true} }

func all(objects ...plan.Manifest) plan.Manifests { return plan.Manifests{Objects: objects} }

// after is the world that manifests lead to.
func after(t *testing.T, steps ...plan.Manifests) *plan.World {
	t.Helper()
	w := plan.Empty()
	for _, step := range steps {
		_, w = plan.Make(w, step, options())
	}
	return w
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestSettledWorldsStay plans all samples and the catalogue twice: what has settled
// does not move, whatever it was.
func TestSettledWorldsStay(t *testing.T) {
	t.Parallel()
	var objects []plan.Manifest
	have := map[string]bool{}
	for source, err := range manifest.Open([]string{"../../config/samples", "../../test/catalogue"}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		for d := range source.Documents() {
			id := fmt.Sprint(d.IsSet, d.Namespace, d.Name)
			if d.Skipped != "" || have[id] {
				continue
			}
			have[id] = true
			objects = append(objects, plan.Manifest{Namespace: "shop", Name: d.Name, Contract: d.Contract, Set: d.Set, IsSet: d.IsSet, Findings: d.Findings})
		}
	}
	one, w := plan.Make(plan.Empty(), all(objects...), options())
	if one.Summary.Contracts.New < 10 || one.Summary.Sets.New < 1 {
		t.Fatalf("the samples are not planned: %+v", one.Summary)
	}
	two, again := plan.Make(w, all(objects...), options())
	if two.Summary.NewRevisions+two.Summary.Contracts.New+two.Summary.Contracts.Changed+two.Summary.Sets.Changed != 0 {
		t.Errorf("planned again there is more to do: %+v", two.Summary)
	}
	if diff := cmp.Diff(w.Published(), again.Published()); diff != "" {
		t.Errorf("planned again other bytes are published:\n%s", diff)
	}
	if diff := cmp.Diff(w.Revisions(), again.Revisions()); diff != "" {
		t.Errorf("planned again there are other revisions:\n%s", diff)
	}
	slices.Reverse(objects)
	if reversed, _ := plan.Make(plan.Empty(), all(objects...), options()); text(t, reversed) != text(t, one) {
		t.Error("the order of the manifests matters")
	}
}

func TestContracts(t *testing.T) {
	t.Parallel()
	without := tool("find", "1.0.0", first)
	without.Contract.Spec.Acknowledge = []v1alpha1.Acknowledgement{{Version: "1.0.0", Rule: "target-removed", Path: "/spec/targets/anthropic-messages", Reason: "r"}}
	both := []string{"openai-responses", "anthropic-messages"}
	tests := []struct {
		name   string
		before []plan.Manifests
		next   plan.Manifest
		change plan.Change
		impact plan.Impact
		reason string
		// has is a part of the entry as JSON.
		has string
	}{
		{"a minor", []plan.Manifests{all(tool("find", "1.0.0", first))}, tool("find", "1.1.0", added), plan.Changed, plan.ImpactMinor, "", `"required": "Minor"`},
		{"more declared than needed", []plan.Manifests{all(tool("find", "1.0.0", first))}, tool("find", "2.0.0", added), plan.Changed, plan.ImpactMajor, "", `"declared": "Major"`},
		{"a break unsaid", []plan.Manifests{all(tool("find", "1.0.0", first))}, tool("find", "1.1.0", broken), plan.Refused, plan.ImpactRefused, v1alpha1.ReasonMajorBumpRequired, `"witness": {`},
		{"a version twice", []plan.Manifests{all(tool("find", "1.0.0", first))}, tool("find", "1.0.0", added), plan.Refused, plan.ImpactRefused, v1alpha1.ReasonRevisionConflict, ""},
		{"back", []plan.Manifests{all(tool("find", "1.0.0", first)), all(tool("find", "1.1.0", added))}, tool("find", "1.0.0", first), plan.Changed, plan.ImpactMajor, "", `"to": "1.0.0"`},
		{"nothing", []plan.Manifests{all(tool("find", "1.0.0", first))}, tool("find", "1.0.0", first), plan.Unchanged, plan.ImpactNone, "", `"new": false`},
		{"a target more", []plan.Manifests{all(tool("find", "1.0.0", first))}, tool("find", "1.0.0", first, both...), plan.Changed, plan.ImpactMinor, "", `"change": "New"`},
		{"a target gone", []plan.Manifests{all(tool("find", "1.0.0", first, both...))}, tool("find", "1.0.0", first), plan.Refused, plan.ImpactRefused, v1alpha1.ReasonTargetsIncompatible, "target-removed"},
		{"a target gone, as is said", []plan.Manifests{all(tool("find", "1.0.0", first, both...))}, without, plan.Changed, plan.ImpactMajor, "", `"change": "Removed"`},
		{"another tool name", []plan.Manifests{all(tool("find", "1.0.0", first))}, func() plan.Manifest {
			m := tool("find", "1.0.0", first)
			m.Contract.Spec.ToolName = "other"
			return m
		}(), plan.Refused, plan.ImpactRefused, "Invalid", "toolName is immutable"},
		{"no object", nil, plan.Manifest{Namespace: "shop", Name: "x"}, plan.Refused, plan.ImpactRefused, "Invalid", "cannot be read"},
		{"a bad schema", nil, tool("find", "1.0.0", `{"type": 7}`), plan.Refused, plan.ImpactRefused, v1alpha1.ReasonInvalidSchema, ""},
		{"an unknown profile", nil, tool("find", "1.0.0", first, "nobody"), plan.Refused, plan.ImpactRefused, v1alpha1.ReasonUnknownProfile, ""},
		{"a pre-release", []plan.Manifests{all(tool("find", "1.0.0", first))}, tool("find", "1.1.0-rc.1", broken), plan.Changed, plan.ImpactPatch, "", `"find-v1.1.0-rc.1"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, _ := plan.Make(after(t, test.before...), all(test.next), options())
			c := p.Contracts[0]
			reason := ""
			if len(c.Refusals) > 0 {
				reason = c.Refusals[0].Reason
			}
			if c.Change != test.change || c.Impact != test.impact || reason != test.reason || !strings.Contains(text(t, c), test.has) {
				t.Errorf("got %s %s %s, want %s %s %s with %s:\n%s", c.Change, c.Impact, reason, test.change, test.impact, test.reason, test.has, text(t, c))
			}
		})
	}
}

// TestFrozenRevisionsAreHistory: Git knows more versions than one where frozen
// revisions are beside a contract.
func TestFrozenRevisionsAreHistory(t *testing.T) {
	t.Parallel()
	_, w := plan.Make(plan.Empty(), all(tool("find", "1.0.0", first)), options())
	digest := w.Revisions()["shop/find-v1.0.0"]
	frozen := plan.Manifest{Namespace: "shop", Name: "find-v1.0.0", Revision: &v1alpha1.ToolRevision{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "find-v1.0.0"},
		Spec: v1alpha1.ToolRevisionSpec{
			ContractRef: v1alpha1.ContractReference{Name: "find"}, Content: tool("find", "1.0.0", first).Contract.Spec.ToolContent, ContentDigest: digest,
		},
	}}
	p, _ := plan.Make(plan.Empty(), all(frozen, tool("find", "1.1.0", broken)), options())
	if c := p.Contracts[0]; c.Change != plan.Refused || c.Refusals[0].Reason != v1alpha1.ReasonMajorBumpRequired {
		t.Errorf("the frozen revision does not count:\n%s", text(t, c))
	}
	frozen.Revision.Spec.ContentDigest = strings.Replace(digest, "a", "b", 1) + "0"
	p, _ = plan.Make(plan.Empty(), all(frozen, tool("find", "1.1.0", broken)), options())
	if c := p.Contracts[0]; c.Change != plan.New {
		t.Errorf("a revision that does not prove itself counts:\n%s", text(t, c))
	}
}

func TestSets(t *testing.T) {
	t.Parallel()
	base := all(tool("one", "1.0.0", first), tool("two", "1.0.0", first), tool("three", "1.0.0", first), desk("one@1", "two@1"))
	tests := []struct {
		name   string
		next   plan.Manifests
		prune  bool
		change plan.Change
		impact plan.Impact
		prefix plan.Prefix
		has    string
	}{
		{"nothing", all(desk("one@1", "two@1")), false, plan.Unchanged, plan.ImpactNone, plan.Prefix{Same: true, Tools: 2, Before: 2, After: 2}, ""},
		{"a tool at the end", all(desk("one@1", "two@1", "three@1")), false, plan.Changed, plan.ImpactMinor, plan.Prefix{Tools: 2, Before: 2, After: 3}, `"shop/three"`},
		{"a tool in front", all(desk("three@1", "one@1", "two@1")), false, plan.Changed, plan.ImpactMinor, plan.Prefix{Tools: 0, Before: 2, After: 3}, `token-budget`},
		{"a tool gone", all(desk("one@1")), false, plan.Changed, plan.ImpactMajor, plan.Prefix{Tools: 1, Before: 2, After: 1}, `"dropped"`},
		{"another order", all(desk("two@1", "one@1")), false, plan.Changed, plan.ImpactPatch, plan.Prefix{Tools: 0, Before: 2, After: 2}, ""},
		{"a contract of it", all(tool("two", "1.1.0", added)), false, plan.Changed, plan.ImpactPatch, plan.Prefix{Tools: 1, Before: 2, After: 2}, ""},
		{"a contract beside it", all(tool("three", "1.1.0", added)), false, "", "", plan.Prefix{}, ""},
		{"a reference to nothing", all(desk("one@1", "two@1", "four@1")), false, plan.Refused, plan.ImpactRefused, plan.Prefix{Same: true, Tools: 2, Before: 2, After: 2}, v1alpha1.ReasonNotFound},
		{"a contract gone", all(tool("one", "1.0.0", first), desk("one@1", "two@1")), true, plan.Refused, plan.ImpactRefused, plan.Prefix{Same: true, Tools: 2, Before: 2, After: 2}, `"kept": true`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Prune = test.prune
			p, _ := plan.Make(after(t, base), test.next, o)
			if test.change == "" {
				if len(p.Sets) > 0 {
					t.Errorf("the set has nothing to do with it:\n%s", text(t, p.Sets))
				}
				return
			}
			s := p.Sets[0]
			if s.Change != test.change || s.Impact != test.impact || !strings.Contains(text(t, s), test.has) {
				t.Errorf("got %s %s:\n%s", s.Change, s.Impact, text(t, s))
			}
			if diff := cmp.Diff(&test.prefix, s.Profiles[0].Prefix); diff != "" {
				t.Errorf("prefix (-want +got):\n%s", diff)
			}
		})
	}
}

// TestWorkloads names what mounts what would change, and nothing else.
func TestWorkloads(t *testing.T) {
	t.Parallel()
	w := after(t, all(tool("one", "1.0.0", first), desk("one@1")))
	next := all(tool("one", "1.1.0", added))
	next.Workloads = []snapshot.Workload{
		{Kind: "Deployment", Namespace: "shop", Name: "a", ConfigMaps: []string{"one-v1"}},
		{Kind: "Deployment", Namespace: "shop", Name: "b", ConfigMaps: []string{"desk.openai-responses"}},
		{Kind: "Deployment", Namespace: "other", Name: "c", ConfigMaps: []string{"one-v1"}},
		{Kind: "Deployment", Namespace: "shop", Name: "d", ConfigMaps: []string{"one-v2"}},
	}
	p, _ := plan.Make(w, next, options())
	if diff := cmp.Diff([]string{"Deployment/a"}, p.Contracts[0].Workloads); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"Deployment/b"}, p.Sets[0].Profiles[0].Workloads); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"shop/desk"}, p.Contracts[0].Sets); diff != "" {
		t.Error(diff)
	}
}

// TestMountedVersionsCount: where the operator tracks mounts, a version that runs is
// compared with.
func TestMountedVersionsCount(t *testing.T) {
	t.Parallel()
	// 1.1.0 takes more than 1.0.0, and after a rollback 1.2.0 is like 1.0.0 again.
	w := after(t, all(tool("one", "1.0.0", first)), all(tool("one", "1.1.0", added)))
	var pinned string
	for name := range w.Published() {
		if strings.HasPrefix(name, "shop/one-v1.1.0-") {
			pinned = strings.TrimPrefix(name, "shop/")
		}
	}
	next := all(tool("one", "2.0.0", broken))
	next.Objects[0].Contract.Spec.ServedLines = new(int32(1))
	next.Workloads = []snapshot.Workload{
		{Kind: "Deployment", Namespace: "shop", Name: "a", ConfigMaps: []string{pinned}},
		{Kind: "Deployment", Namespace: "shop", Name: "b", ConfigMaps: []string{"one-v1"}},
	}
	for _, track := range []bool{false, true} {
		o := options()
		o.TrackMounts = track
		p, made := plan.Make(w, next, o)
		if _, stays := made.Published()["shop/one-v1"]; stays != track {
			t.Errorf("tracked %t: the retired channel is there: %t\n%s", track, stays, text(t, p.Contracts[0].Lines))
		}
	}
}

func TestPruneStaysInItsNamespaces(t *testing.T) {
	t.Parallel()
	other := tool("far", "1.0.0", first)
	other.Namespace, other.Contract.Namespace = "other", "other"
	w := after(t, all(tool("one", "1.0.0", first), tool("two", "1.0.0", first), other))
	for name, test := range map[string]struct {
		prune, everywhere bool
		want              int
	}{"no": {false, false, 0}, "of the namespace": {true, false, 1}, "all": {true, true, 2}} {
		o := options()
		o.Prune, o.All = test.prune, test.everywhere
		if p, _ := plan.Make(w, all(tool("one", "1.0.0", first)), o); p.Summary.Contracts.Removed != test.want {
			t.Errorf("%s: %d are removed", name, p.Summary.Contracts.Removed)
		}
	}
}

func TestDuplicatesAreRefused(t *testing.T) {
	t.Parallel()
	p, _ := plan.Make(plan.Empty(), all(tool("one", "1.0.0", first), tool("one", "1.1.0", added), desk("one@1"), desk("one@1")), options())
	if p.Contracts[0].Change != plan.Refused || p.Sets[0].Change != plan.Refused {
		t.Errorf("got\n%s", text(t, p))
	}
}

// TestWorldOfASnapshot: only what is the contract's own counts, whoever labelled it.
func TestWorldOfASnapshot(t *testing.T) {
	t.Parallel()
	labels := map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelContract: "one"}
	owner := []metav1.OwnerReference{{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract", Name: "one", UID: "1", Controller: new(true)}}
	s := &snapshot.Snapshot{
		Contracts: []v1alpha1.ToolContract{{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "one", UID: "1"}}},
		Revisions: []v1alpha1.ToolRevision{
			{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "one-v1.0.0", Labels: labels, OwnerReferences: owner}},
			{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "one-v1.1.0", Labels: labels}},
		},
		Published: []snapshot.PublishedConfigMap{
			{Namespace: "shop", Name: "one-v1", Labels: labels, Controller: snapshot.Controller{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract", Name: "one", UID: "1"}},
			{Namespace: "shop", Name: "one-v2", Labels: labels, Controller: snapshot.Controller{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract", Name: "one", UID: "2"}},
			{Namespace: "shop", Name: "one-v3", Labels: labels},
			{Namespace: "shop", Name: "one-v4", Controller: snapshot.Controller{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolContract", Name: "one", UID: "1"}},
		},
	}
	w := plan.From(s)
	if _, ok := w.Revisions()["shop/one-v1.0.0"]; !ok || len(w.Revisions()) != 1 {
		t.Errorf("revisions %v", w.Revisions())
	}
	if _, ok := w.Published()["shop/one-v1"]; !ok || len(w.Published()) != 1 {
		t.Errorf("published %v", w.Published())
	}
}
