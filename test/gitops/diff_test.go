// SPDX-License-Identifier: Apache-2.0

package gitops

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/testkit/statuslint"
)

// bare has nothing that may be left out, and in its schema what the API server
// stores in another spelling: numbers, and members in no order.
const bare = `apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: bare}
spec:
  version: 1.0.0
  toolName: bare
  description: {summary: "Counts orders. Changes nothing."}
  input:
    schema:
      type: object
      required: [share, count]
      properties:
        share: {type: number, minimum: 0.50, maximum: 1.0}
        count: {type: integer, maximum: 1e3, minimum: 1.0}
      additionalProperties: false
  targets:
  - {profile: mcp-2025-11-25}
`

// manifests are the samples that can be applied, one object each, and bare.
func manifests(t *testing.T) map[string]*unstructured.Unstructured {
	t.Helper()
	out := map[string]*unstructured.Unstructured{"bare": parsed(t, bare)}
	for _, pattern := range []string{"*.yaml", "types/*.yaml", "sets/*.yaml"} {
		files, err := filepath.Glob(repository("config/samples/" + pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no samples %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			out[strings.TrimSuffix(filepath.Base(file), ".yaml")] = parsed(t, string(text))
		}
	}
	return out
}

func parsed(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}

// tracking is what GitOps tools and Helm mark an object with.
var tracking = map[string]string{
	"argocd.argoproj.io/instance":           "shop",
	"argocd.argoproj.io/tracking-id":        "shop:toolcontract.dev/ToolContract:x",
	"kustomize.toolkit.fluxcd.io/name":      "shop",
	"kustomize.toolkit.fluxcd.io/namespace": "flux-system",
	"app.kubernetes.io/instance":            "shop",
	"app.kubernetes.io/part-of":             "shop",
	"helm.sh/chart":                         "shop-1.0.0",
	"meta.helm.sh/release-name":             "shop",
}

// TestManifestsHaveNoDiff applies each sample as GitOps tools do, marked as they
// mark it, and looks before and after the operator has judged it: the live spec is
// what was sent, the tools see no difference, and no child carries their marks, so
// that nobody prunes it.
func TestManifestsHaveNoDiff(t *testing.T) {
	t.Parallel()
	for way, flags := range map[string][]string{
		"client-side": nil, "server-side": {"--server-side", "--field-manager=gitops"},
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			sent := manifests(t)
			var all strings.Builder
			for name, u := range sent {
				u.SetLabels(marks(u.GetLabels(), func(key string) bool { return !strings.Contains(tracking[key], ":") }))
				u.SetAnnotations(marks(u.GetAnnotations(), func(string) bool { return true }))
				text, err := json.Marshal(u)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				all.WriteString("---\n" + string(text) + "\n")
			}
			w.must(all.String(), append([]string{"apply", "-f", "-"}, flags...)...)
			w.unchanged(sent, all.String(), flags)
			for _, u := range sent {
				w.eventually(func() error { return w.judged(u) })
			}
			w.unchanged(sent, all.String(), flags)
			if changed := w.must(all.String(), append([]string{"apply", "-f", "-", "-o", "name"}, flags...)...); strings.Count(changed, "\n") != len(sent) {
				t.Errorf("applied again:\n%s", changed)
			}
			w.childrenCarryNoMarks()
		})
	}
}

// marks are labels or annotations with those of the tools added.
func marks(own map[string]string, fits func(key string) bool) map[string]string {
	out := map[string]string{}
	maps.Copy(out, own)
	for key, value := range tracking {
		if fits(key) {
			out[key] = value
		}
	}
	return out
}

// unchanged compares the live specs with what was sent, in the eyes of a person
// and of kubectl, which the diffs of Argo CD and the dry runs of Flux are like.
func (w *world) unchanged(sent map[string]*unstructured.Unstructured, all string, flags []string) {
	w.Helper()
	for name, u := range sent {
		live := w.live(u)
		if diff := gocmp.Diff(floats(w.T, u.Object["spec"]), floats(w.T, live.Object["spec"])); diff != "" {
			w.Errorf("%s: the live spec is another (-sent +live):\n%s", name, diff)
		}
		if live.GetGeneration() != 1 {
			w.Errorf("%s: generation %d", name, live.GetGeneration())
		}
	}
	if out, err := w.kubectl(w.Context(), all, append([]string{"diff", "-n", w.namespace, "-f", "-"}, flags...)...); err != nil {
		w.Errorf("kubectl diff %v: %v\n%s", flags, err, out)
	}
}

func (w *world) live(u *unstructured.Unstructured) *unstructured.Unstructured {
	w.Helper()
	live := u.NewEmptyInstance().(*unstructured.Unstructured)
	live.SetGroupVersionKind(u.GroupVersionKind())
	if err := w.admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: u.GetName()}, live); err != nil {
		w.Fatal(err)
	}
	return live
}

// floats is a JSON value with all numbers of one type: 1 and 1.0 are one number.
func floats(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// judged: the operator has looked at the object and has come to an end.
func (w *world) judged(u *unstructured.Unstructured) error {
	live := w.live(u)
	if err := statuslint.Check(live); err != nil {
		return err
	}
	verdict, err := statuslint.Verdict(live)
	if err == nil && verdict != "Current" {
		err = fmt.Errorf("%s %s is %s: %v", u.GetKind(), u.GetName(), verdict, live.Object["status"])
	}
	return err
}

// childrenCarryNoMarks: a tool that prunes what carries its mark and is not in Git
// finds the objects of Git only.
func (w *world) childrenCarryNoMarks() {
	w.Helper()
	var configMaps corev1.ConfigMapList
	var revisions v1alpha1.ToolRevisionList
	if err := errors.Join(
		w.admin.List(w.Context(), &configMaps, client.InNamespace(w.namespace), client.HasLabels{v1alpha1.LabelManagedBy}),
		w.admin.List(w.Context(), &revisions, client.InNamespace(w.namespace)),
	); err != nil {
		w.Fatal(err)
	}
	if len(configMaps.Items) == 0 || len(revisions.Items) == 0 {
		w.Fatalf("there are %d ConfigMaps and %d revisions", len(configMaps.Items), len(revisions.Items))
	}
	var children []client.Object
	for i := range configMaps.Items {
		children = append(children, &configMaps.Items[i])
	}
	for i := range revisions.Items {
		children = append(children, &revisions.Items[i])
	}
	for _, child := range children {
		for key := range tracking {
			if child.GetLabels()[key] != "" || child.GetAnnotations()[key] != "" {
				w.Errorf("%T %s carries %s of its owner", child, child.GetName(), key)
			}
		}
		if metav1.GetControllerOf(child) == nil {
			w.Errorf("%T %s has no owner: a tool would show it as orphaned", child, child.GetName())
		}
	}
}
