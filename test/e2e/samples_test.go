// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
)

// TestSamplesArePublished follows the first thing a user does: kubectl apply
// on the samples, and a look at what came of it.
func TestSamplesArePublished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	if out, err := kubectl(t.Context(), "", "apply", "-n", w.namespace, "-f", repository("config/samples")); err != nil {
		t.Fatalf("kubectl apply: %v\n%s", err, out)
	}
	for _, manifest := range manifests(t, "config/samples/*.yaml") {
		c := w.settled(manifest.Name)
		w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
		w.wantPublished(c, manifest)
	}
}

// wantPublished compares everything that was published with what the engine
// says of the manifest.
func (w *world) wantPublished(c *v1alpha1.ToolContract, manifest *v1alpha1.ToolContract) {
	w.Helper()
	e := evaluate.Contract(manifest.Name, &manifest.Spec, evaluate.History{}, provider.Builtin())
	if e.Bundle == nil {
		w.Fatalf("%s: nothing to publish: %v", manifest.Name, e.Blocking())
	}
	rendering := w.configMap(publish.RenderingName(c.Name, e.Content.Version, e.Bundle.Digest))
	if rendering.Immutable == nil || !*rendering.Immutable {
		w.Errorf("%s is not immutable", rendering.Name)
	}
	channel := w.configMap(publish.ChannelName(c.Name, e.Content.Version.Line()))
	for _, cm := range []map[string]string{rendering.Data, channel.Data} {
		if got, want := mustJSON(w.T, cm), mustJSON(w.T, e.Bundle.Files); got != want {
			w.Errorf("%s: published\n%s\nwant\n%s", c.Name, got, want)
		}
	}
	if len(c.Status.Issued) == 0 || c.Status.Issued[0].Digest != e.Digest {
		w.Errorf("%s: issued %v, want digest %s", c.Name, c.Status.Issued, e.Digest)
	}
}

// manifests reads ToolContracts of the project.
func manifests(t *testing.T, pattern string) []*v1alpha1.ToolContract {
	t.Helper()
	paths, err := filepath.Glob(repository(pattern))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no manifests match %s: %v", pattern, err)
	}
	var out []*v1alpha1.ToolContract
	for _, path := range paths {
		out = append(out, manifest(t, readFile(t, path)))
	}
	return out
}

func manifest(t *testing.T, text string) *v1alpha1.ToolContract {
	t.Helper()
	var c v1alpha1.ToolContract
	if err := yaml.UnmarshalStrict([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	return &c
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestVersionsOfOneContract walks a contract through a refused version, a new
// line, an addition and a rollback.
func TestVersionsOfOneContract(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	read := func(name string) string { return readFile(t, repository("config/samples/refused/versions/"+name)) }
	first, wrong := read("01-list-shipments-1.0.0.yaml"), read("02-list-shipments-1.1.0-wrong.yaml")
	second, added := read("03-list-shipments-2.0.0.yaml"), read("04-list-shipments-2.1.0.yaml")

	w.apply(first)
	c := w.settled("list-shipments")
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	served := w.configMap("list-shipments-v1")

	w.apply(wrong)
	c = w.settled("list-shipments")
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionFalse, v1alpha1.ReasonMajorBumpRequired)
	w.wantCondition(c, v1alpha1.ConditionStalled, metav1.ConditionTrue, v1alpha1.ReasonMajorBumpRequired)
	w.wantCondition(c, v1alpha1.ConditionPublished, metav1.ConditionTrue, v1alpha1.ReasonServingPrevious)
	refused := w.wantCondition(c, v1alpha1.ConditionVersionAccepted, metav1.ConditionFalse, v1alpha1.ReasonMajorBumpRequired)
	for _, want := range []string{`{"order_id":`, "2.0.0", "1.0.0"} {
		if !strings.Contains(refused.Message, want) {
			t.Errorf("the message lacks %s: %s", want, refused.Message)
		}
	}
	if got := w.configMap("list-shipments-v1"); got.ResourceVersion != served.ResourceVersion {
		t.Errorf("a refused version touched the channel")
	}

	w.apply(second)
	c = w.settled("list-shipments")
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	w.wantPublished(c, manifest(t, second))
	v2 := w.configMap("list-shipments-v2")
	if got := w.configMap("list-shipments-v1"); got.ResourceVersion != served.ResourceVersion {
		t.Errorf("a new line touched the channel of the old one")
	}

	w.apply(added)
	w.wantCondition(w.settled("list-shipments"), v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	before := w.objects()

	w.apply(second)
	c = w.settled("list-shipments")
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	if got := w.configMap("list-shipments-v2"); mustJSON(t, got.Data) != mustJSON(t, v2.Data) {
		t.Errorf("the rollback serves other bytes than before")
	}
	if got := w.objects(); strings.Count(got, "\n") != strings.Count(before, "\n") {
		t.Errorf("the rollback made new objects:\n%s\nbefore:\n%s", got, before)
	}
	if len(c.Status.Issued) != 3 {
		t.Errorf("issued %v, want 1.0.0, 2.0.0 and 2.1.0: a refused version is not used up", c.Status.Issued)
	}
}
