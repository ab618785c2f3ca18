// SPDX-License-Identifier: Apache-2.0

package gitops

import (
	"fmt"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/cli-utils/pkg/kstatus/status"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/internal/testkit/statuslint"
)

// Input schemas: the second has one more optional property, the third refuses
// every value of the first, the fourth is none.
const (
	firstInput  = `{"type":"object","properties":{"order":{"type":"string"}},"required":["order"],"additionalProperties":false}`
	addedInput  = `{"type":"object","properties":{"order":{"type":"string"},"note":{"type":"string"}},"required":["order"],"additionalProperties":false}`
	brokenInput = `{"type":"object","properties":{"order":{"type":"integer"}},"required":["order"],"additionalProperties":false}`
	wrongInput  = `{"type":"object","properties":{"order":{"type":"text"}}}`
	// mapInput has members of any name, which no strict provider takes.
	mapInput = `{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}`
)

// contract is a manifest of a ToolContract with more lines of YAML in its spec.
func contract(name, version, input string, more ...string) string {
	targets := "  targets: [{profile: openai-responses}, {profile: anthropic-messages, strict: Disabled}]\n"
	if len(more) > 0 {
		targets = strings.Join(more, "\n") + "\n"
	}
	return fmt.Sprintf(`apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: %s}
spec:
  version: %s
  toolName: %s
  description: {summary: "Finds an order. Changes nothing."}
  input: {schemaText: '%s'}
%s`, name, version, strings.ReplaceAll(name, "-", "_"), input, targets)
}

// set is a manifest of the ToolSet assistant.
func set(spec string) string {
	return "apiVersion: toolcontract.dev/v1alpha1\nkind: ToolSet\nmetadata: {name: assistant}\nspec: " + spec + "\n"
}

// profile is a manifest of a ProviderProfile.
func profile(name, extends string, revision int, facts string) string {
	return fmt.Sprintf(`apiVersion: toolcontract.dev/v1alpha1
kind: ProviderProfile
metadata: {name: %s}
spec:
  extends: %s
  revision: %d
  title: House
  reviewed: "2026-11-30"
  sources: [{key: house, title: House rules, url: "https://house.example.com", date: "2026-11-30"}]
  %s
`, name, extends, revision, facts)
}

// Facts of a profile: one that is one, and one that is none.
const (
	rightFacts = `strict: {place: Tool, nonStrict: Omit, confidence: High, sources: [house]}`
	wrongFacts = `stricter: {place: Tool, nonStrict: Omit, confidence: High, sources: [house]}`
)

// applied applies a manifest as Flux and Argo CD can: on the server.
func (r *recorder) applied(manifest string) {
	r.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(manifest), &u.Object); err != nil {
		r.Fatal(err)
	}
	if u.GetKind() != "ProviderProfile" {
		u.SetNamespace(r.namespace)
	}
	if err := r.admin.Apply(r.Context(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner("gitops"), client.ForceOwnership); err != nil {
		r.Fatal(err)
	}
}

func (r *recorder) deleted(kind, name string, options ...client.DeleteOption) {
	r.Helper()
	if err := r.admin.Delete(r.Context(), r.named(kind, name), options...); err != nil {
		r.Fatal(err)
	}
}

func (r *recorder) patched(kind, name, patch string) {
	r.Helper()
	if err := r.admin.Patch(r.Context(), r.named(kind, name), client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
		r.Fatal(err)
	}
}

func (r *recorder) named(kind, name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind))
	u.SetName(name)
	if kind != "ProviderProfile" {
		u.SetNamespace(r.namespace)
	}
	return u
}

// lives are what can happen to objects.
var lives = map[string]func(*recorder){
	"contract": func(r *recorder) {
		const it = "ToolContract find-order"
		r.does("created right", func() { r.applied(contract("find-order", "1.0.0", firstInput)) })
		r.ready(it, "True", "Published")
		r.ready("ToolRevision find-order-v1.0.0", "True", "Verified")
		r.does("labelled", func() { r.patched("ToolContract", "find-order", `{"metadata":{"labels":{"team":"orders"}}}`) })
		r.ready(it, "True", "Published")
		r.does("edited right", func() { r.applied(contract("find-order", "1.1.0", addedInput)) })
		r.ready(it, "True", "Published")
		r.does("refused version", func() { r.applied(contract("find-order", "1.1.1", brokenInput)) })
		r.ready(it, "False", "MajorBumpRequired")
		r.does("rolled back", func() { r.applied(contract("find-order", "1.0.0", firstInput)) })
		r.ready(it, "True", "Published")
		r.does("edited wrong", func() { r.applied(contract("find-order", "1.2.0", wrongInput)) })
		r.ready(it, "False", "InvalidSchema")
		r.does("corrected", func() { r.applied(contract("find-order", "2.0.0", brokenInput)) })
		r.ready(it, "True", "Published")
		r.does("status taken away", func() {
			u := r.named("ToolContract", "find-order")
			patch := client.RawPatch(types.JSONPatchType, []byte(`[{"op":"replace","path":"/status","value":{}}]`))
			if err := r.admin.Status().Patch(r.Context(), u, patch); err != nil {
				r.Fatal(err)
			}
		})
		r.ready(it, "True", "Published")
		r.does("deleted in the foreground", func() {
			r.deleted("ToolContract", "find-order", client.PropagationPolicy(metav1.DeletePropagationForeground))
		})
		r.until(it, func(o observation) bool { return o.object().GetDeletionTimestamp() != nil })
		// There is no garbage collector here.
		r.does("collected", func() { r.patched("ToolContract", "find-order", `{"metadata":{"finalizers":null}}`) })
		r.gone(it)
	},
	"contract-wrong": func(r *recorder) {
		const it = "ToolContract find-order"
		r.does("created wrong", func() { r.applied(contract("find-order", "1.0.0", wrongInput)) })
		r.ready(it, "False", "InvalidSchema")
		r.does("corrected", func() { r.applied(contract("find-order", "1.0.0", firstInput)) })
		r.ready(it, "True", "Published")
		r.does("deleted", func() { r.deleted("ToolContract", "find-order") })
		r.gone(it)
	},
	"contract-incompatible": func(r *recorder) {
		const it = "ToolContract set-labels"
		targets := func(policy string) string {
			return "  targets: [{profile: openai-responses, strict: Required" + policy + "}, {profile: mcp-2025-11-25}]"
		}
		r.does("created incompatible with Block", func() { r.applied(contract("set-labels", "1.0.0", mapInput, targets(""))) })
		r.ready(it, "False", "TargetsIncompatible")
		r.does("edited to Exclude", func() {
			r.applied(contract("set-labels", "1.0.0", mapInput, targets(", onIncompatible: Exclude")))
		})
		r.ready(it, "True", "Published")
		r.does("a target without a profile", func() {
			r.applied(contract("set-labels", "1.0.0", mapInput, "  targets: [{profile: mcp-2025-11-25}, {profile: nobody-has-it}]"))
		})
		r.ready(it, "False", "UnknownProfile")
		r.does("deleted", func() { r.deleted("ToolContract", "set-labels") })
		r.gone(it)
	},
	"contract-conflict": func(r *recorder) {
		const it = "ToolContract find-order"
		theirs := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: "find-order-v1"}}
		r.does("created under a name that is taken", func() {
			if err := r.admin.Create(r.Context(), theirs); err != nil {
				r.Fatal(err)
			}
			r.applied(contract("find-order", "1.0.0", firstInput))
		})
		r.ready(it, "False", "NameConflict")
		r.does("the name is free", func() {
			if err := r.admin.Delete(r.Context(), theirs); err != nil {
				r.Fatal(err)
			}
		})
		r.ready(it, "True", "Published")
	},
	"contract-retried": func(r *recorder) {
		const it = "ToolContract find-order"
		r.forbidConfigMaps()
		r.does("created where nothing can be written", func() { r.applied(contract("find-order", "1.0.0", firstInput)) })
		r.until(it, func(o observation) bool { return conditionOf(o.Object, "Reconciling")["status"] == "True" })
		r.does("writes are possible", r.allowConfigMaps)
		r.ready(it, "True", "Published")
	},
	"set": func(r *recorder) {
		const it = "ToolSet assistant"
		one := `{tools: [{contract: find-order, channel: "1"}], profiles: [{profile: openai-responses}, {profile: anthropic-messages}]}`
		two := strings.Replace(one, "tools: [", `tools: [{contract: find-customer, channel: "1"}, `, 1)
		r.does("created before its contract", func() { r.applied(set(one)) })
		r.until(it, func(o observation) bool { return conditionOf(o.Object, "ResolvedRefs")["reason"] == "NotFound" })
		r.does("its contract is there", func() { r.applied(contract("find-order", "1.0.0", firstInput)) })
		r.until(it, func(o observation) bool {
			return conditionOf(o.Object, "ResolvedRefs")["status"] == "True" && readyIs(o, "True")
		})
		r.does("edited to a reference that leads nowhere", func() { r.applied(set(two)) })
		r.until(it, func(o observation) bool {
			return o.object().GetGeneration() == 2 && conditionOf(o.Object, "ResolvedRefs")["reason"] == "NotFound"
		})
		r.does("edited to a profile that nobody has", func() {
			r.applied(set(strings.Replace(one, "anthropic-messages", "nobody-has-it", 1)))
		})
		r.ready(it, "False", "UnknownProfile")
		r.does("rolled back", func() { r.applied(set(one)) })
		r.ready(it, "True", "Published")
		r.does("its contract is refused a version", func() { r.applied(contract("find-order", "1.0.1", brokenInput)) })
		r.ready("ToolContract find-order", "False", "MajorBumpRequired")
		r.does("its contract is deleted", func() { r.deleted("ToolContract", "find-order") })
		r.until(it, func(o observation) bool { return conditionOf(o.Object, "ResolvedRefs")["reason"] == "NotFound" })
		r.does("deleted", func() { r.deleted("ToolSet", "assistant") })
		r.gone(it)
	},
	"set-selecting": func(r *recorder) {
		const it = "ToolSet assistant"
		r.does("created with a selector that finds nothing", func() {
			r.applied(set(`{selectors: [{labels: {matchLabels: {team: orders}}, channel: "1"}], profiles: [{profile: openai-responses}]}`))
		})
		r.until(it, func(o observation) bool { return conditionOf(o.Object, "ResolvedRefs")["reason"] == "NothingSelected" })
		r.does("a contract is labelled", func() {
			r.applied(contract("find-order", "1.0.0", firstInput))
			r.patched("ToolContract", "find-order", `{"metadata":{"labels":{"team":"orders"}}}`)
		})
		r.until(it, func(o observation) bool {
			return conditionOf(o.Object, "ResolvedRefs")["status"] == "True" && readyIs(o, "True")
		})
	},
	"revision-damaged": func(r *recorder) {
		const it = "ToolRevision find-order-v1.0.0"
		forged := func(digest string) *unstructured.Unstructured {
			u := r.named("ToolRevision", "find-order-v1.0.0")
			u.SetLabels(map[string]string{
				v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelContract: "find-order", v1alpha1.LabelVersion: "1.0.0",
			})
			u.Object["spec"] = map[string]any{
				"contractRef": map[string]any{"name": "find-order"}, "contentDigest": digest, "checkerVersion": "1",
				"content": map[string]any{
					"version": "1.0.0", "toolName": "find_order", "description": map[string]any{"summary": "Finds an order."},
					"input": map[string]any{"schemaText": firstInput},
				},
			}
			return u
		}
		r.does("created with a digest that is not its own", func() {
			if err := r.admin.Create(r.Context(), forged("sha256:"+strings.Repeat("0", 64))); err != nil {
				r.Fatal(err)
			}
			r.applied(contract("find-order", "1.0.0", firstInput))
		})
		r.ready(it, "False", "DigestMismatch")
		r.ready("ToolContract find-order", "False", "RevisionConflict")
		r.does("deleted", func() { r.deleted("ToolRevision", "find-order-v1.0.0") })
		r.ready("ToolContract find-order", "True", "Published")
		r.ready(it, "True", "Verified")
	},
	"profile": func(r *recorder) {
		house := r.prefix + "house"
		it := "ProviderProfile " + house
		r.does("created right", func() { r.applied(profile(house, "openai-responses", 1, rightFacts)) })
		r.ready(it, "True", "InForce")
		r.does("edited wrong", func() { r.applied(profile(house, "openai-responses", 2, wrongFacts)) })
		r.ready(it, "False", "InvalidProfile")
		r.does("corrected", func() { r.applied(profile(house, "openai-responses", 3, rightFacts)) })
		r.ready(it, "True", "InForce")
		r.does("used by a contract", func() {
			r.applied(contract("find-order", "1.0.0", firstInput, "  targets: [{profile: "+house+"}]"))
		})
		r.ready("ToolContract find-order", "True", "Published")
		r.until(it, func(o observation) bool {
			n, _, _ := unstructured.NestedInt64(o.Object, "status", "usedBy")
			return n == 1
		})
		r.does("deleted", func() { r.deleted("ProviderProfile", house) })
		r.gone(it)
		r.ready("ToolContract find-order", "False", "UnknownProfile")
	},
	"profile-wrong": func(r *recorder) {
		base, house := r.prefix+"base", r.prefix+"house"
		it := "ProviderProfile " + house
		r.does("created wrong", func() { r.applied(profile(house, base, 1, rightFacts)) })
		r.ready(it, "False", "UnknownProfile")
		r.does("what it extends is there", func() { r.applied(profile(base, "openai-responses", 1, rightFacts)) })
		r.ready(it, "True", "InForce")
		r.does("deleted", func() {
			r.deleted("ProviderProfile", house)
			r.deleted("ProviderProfile", base)
		})
		r.gone(it)
	},
}

func readyIs(o observation, status string) bool {
	observed, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
	return observed == o.object().GetGeneration() && conditionOf(o.Object, "Ready")["status"] == status
}

// TestLives records every life and holds each version of each object to kstatus.
// What a step comes to is compared with the stored recording of it.
func TestLives(t *testing.T) {
	t.Parallel()
	for name, live := range lives {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := record(newWorld(t), name+"-")
			t.Cleanup(r.removeProfiles)
			live(r)
			life := r.life()
			judge(t, life)
			if golden.Updating() {
				writeLife(t, name, life)
				return
			}
			stored := readLife(t, livesDir+"/"+name+".yaml")
			if diff := gocmp.Diff(milestones(stored), milestones(life)); diff != "" {
				t.Errorf("a life of another course than the recorded one (refresh it with -update; -recorded +now):\n%s", diff)
			}
		})
	}
}

// TestRecordedLives holds the stored recordings to the same rules, and wants
// every verdict in them for every kind that can have it.
func TestRecordedLives(t *testing.T) {
	t.Parallel()
	verdicts := map[string]bool{}
	for name, life := range recordedLives(t) {
		if lives[name] == nil {
			t.Errorf("%s/%s.yaml is recorded, and nothing lives it", livesDir, name)
		}
		judge(t, life)
		for _, o := range life {
			verdict, err := statuslint.Verdict(o.object())
			if err != nil {
				t.Fatal(err)
			}
			verdicts[o.object().GetKind()+" "+string(verdict)] = true
		}
	}
	for _, kind := range kinds {
		for _, verdict := range []status.Status{status.InProgressStatus, status.CurrentStatus, status.FailedStatus} {
			if !verdicts[kind+" "+string(verdict)] {
				t.Errorf("no recorded %s is ever %s", kind, verdict)
			}
		}
	}
	if !verdicts["ToolContract "+string(status.TerminatingStatus)] {
		t.Error("no recorded contract is ever terminating")
	}
}

// judge holds every version of every object to the rules, and wants objects to
// be in progress from their creation.
func judge(t *testing.T, life []observation) {
	t.Helper()
	for _, o := range life {
		if err := statuslint.Check(o.object()); err != nil {
			t.Errorf("%s, %s, %s: %v", o.Step, o.name(), o.Event, err)
		}
		if o.Event != watch.Added {
			continue
		}
		if verdict, err := statuslint.Verdict(o.object()); err != nil || verdict != status.InProgressStatus {
			t.Errorf("%s: %s is created %s: %v", o.Step, o.name(), verdict, err)
		}
	}
}

// milestones are the states that steps came to: the conditions without what they
// say in words.
func milestones(life []observation) []string {
	var out []string
	for _, o := range life {
		if !o.Settled {
			continue
		}
		line := fmt.Sprintf("%s: %s %s", o.Step, o.name(), o.Event)
		list, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, entry := range list {
			if c, ok := entry.(map[string]any); ok {
				line += fmt.Sprintf(" %s=%s/%s", c["type"], c["status"], c["reason"])
			}
		}
		out = append(out, line)
	}
	return out
}
