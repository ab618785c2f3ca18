// SPDX-License-Identifier: Apache-2.0

package gitops

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// kinds are all kinds of the group.
var kinds = []string{"ToolContract", "ToolRevision", "ToolSet", "ProviderProfile"}

// observation is one version of one object, as a watch has shown it.
type observation struct {
	// Step is what somebody did last.
	Step string `json:"step"`
	// Event is ADDED, MODIFIED or DELETED.
	Event watch.EventType `json:"event"`
	// Settled is the state that the step was waiting for.
	Settled bool           `json:"settled,omitempty"`
	Object  map[string]any `json:"object"`
}

func (o observation) object() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: o.Object}
}

// name is the kind and the name of the object.
func (o observation) name() string { return o.object().GetKind() + " " + o.object().GetName() }

// recorder watches a namespace, and the profiles whose names begin with its
// prefix.
type recorder struct {
	*world
	prefix string

	mutex   sync.Mutex
	over    bool
	step    string
	seen    []observation
	changed chan struct{} // closed at the next observation
}

func record(w *world, prefix string) *recorder {
	w.Helper()
	r := &recorder{world: w, prefix: prefix, changed: make(chan struct{})}
	for _, kind := range kinds {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind(kind + "List"))
		var inNamespace []client.ListOption
		if kind != "ProviderProfile" {
			inNamespace = append(inNamespace, client.InNamespace(w.namespace))
		}
		// The context of the test ends before the watch is stopped.
		watcher, err := w.admin.Watch(context.WithoutCancel(w.Context()), list, inNamespace...)
		if err != nil {
			w.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			for event := range watcher.ResultChan() {
				r.observe(event)
			}
		}()
		w.Cleanup(func() {
			r.mutex.Lock()
			r.over = true
			r.mutex.Unlock()
			watcher.Stop()
			<-done
		})
	}
	return r
}

func (r *recorder) observe(event watch.Event) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	object, ok := event.Object.(*unstructured.Unstructured)
	switch {
	case r.over: // a watch that is stopped ends with an error
		return
	case !ok:
		r.Errorf("a watch has ended: %v", event.Object)
		return
	case object.GetKind() == "ProviderProfile" && !strings.HasPrefix(object.GetName(), r.prefix):
		return // somebody else's
	}
	r.seen = append(r.seen, observation{Step: r.step, Event: event.Type, Object: object.Object})
	close(r.changed)
	r.changed = make(chan struct{})
}

// does names what is done next and does it.
func (r *recorder) does(step string, action func()) {
	r.Helper()
	r.mutex.Lock()
	r.step = step
	r.mutex.Unlock()
	action()
}

// until waits until an observed object passes the check, and marks it as settled.
// It looks at what was observed in this step only.
func (r *recorder) until(name string, check func(observation) bool) {
	r.Helper()
	timeout := time.After(time.Minute)
	for {
		r.mutex.Lock()
		changed := r.changed
		for i := len(r.seen) - 1; i >= 0 && r.seen[i].Step == r.step; i-- {
			if r.seen[i].name() == name && check(r.seen[i]) {
				r.seen[i].Settled = true
				r.mutex.Unlock()
				return
			}
		}
		last := r.last(name)
		r.mutex.Unlock()
		select {
		case <-changed:
		case <-timeout:
			r.Fatalf("%s: %s does not come to what it should be, but is\n%s", r.step, name, last)
		}
	}
}

// last describes the newest version of an object.
func (r *recorder) last(name string) string {
	for _, o := range slices.Backward(r.seen) {
		if o.name() == name {
			text, _ := yaml.Marshal(o.Object["status"])
			return fmt.Sprintf("generation %d, status:\n%s", o.object().GetGeneration(), text)
		}
	}
	return "not there"
}

// ready waits until the operator says this about the current generation.
func (r *recorder) ready(name, status, reason string) {
	r.Helper()
	r.until(name, func(o observation) bool {
		observed, _, _ := unstructured.NestedInt64(o.Object, "status", "observedGeneration")
		c := conditionOf(o.Object, "Ready")
		return observed == o.object().GetGeneration() && c["status"] == status && c["reason"] == reason
	})
}

// gone waits until an object is not there any more.
func (r *recorder) gone(name string) {
	r.Helper()
	r.until(name, func(o observation) bool { return o.Event == watch.Deleted })
}

// conditionOf returns a condition of an object; nil if there is none.
func conditionOf(object map[string]any, kind string) map[string]any {
	list, _, _ := unstructured.NestedSlice(object, "status", "conditions")
	for _, entry := range list {
		if c, ok := entry.(map[string]any); ok && c["type"] == kind {
			return c
		}
	}
	return nil
}

// life returns what was recorded, of each object only what a health check reads,
// and nothing that differs from run to run: names of namespaces and times. The
// order is by kind and name, because each kind has a watch of its own, and then as
// observed.
func (r *recorder) life() []observation {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	out := slices.Clone(r.seen)
	for i, o := range out {
		out[i].Object = mapped(essence(o.Object), func(text string) string {
			if _, err := time.Parse(time.RFC3339, text); err == nil {
				return "2026-01-01T00:00:00Z"
			}
			return strings.ReplaceAll(text, r.namespace, "shop")
		}).(map[string]any)
	}
	slices.SortStableFunc(out, func(a, b observation) int { return cmp.Compare(a.name(), b.name()) })
	return out
}

// essence is what health depends on, and nothing else: a check that reads more
// fails over the recordings.
func essence(object map[string]any) map[string]any {
	out := map[string]any{}
	for _, path := range [][]string{
		{"apiVersion"},
		{"kind"},
		{"metadata", "name"},
		{"metadata", "namespace"},
		{"metadata", "generation"},
		{"metadata", "deletionTimestamp"},
		{"status", "observedGeneration"},
		{"status", "conditions"},
	} {
		if value, found, err := unstructured.NestedFieldCopy(object, path...); err == nil && found {
			_ = unstructured.SetNestedField(out, value, path...)
		}
	}
	return out
}

// mapped is a JSON value with every text in it changed.
func mapped(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = mapped(v[i], change)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key := range v {
			out[key] = mapped(v[key], change)
		}
		return out
	}
	return value
}

// livesDir holds the recorded lives, one file each.
var livesDir = filepath.Join("testdata", "lives")

// recordedLives reads all recorded lives by name.
func recordedLives(t *testing.T) map[string][]observation {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(livesDir, "*.yaml"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded lives in %s: %v", livesDir, err)
	}
	out := map[string][]observation{}
	for _, file := range files {
		out[strings.TrimSuffix(filepath.Base(file), ".yaml")] = readLife(t, file)
	}
	return out
}

func readLife(t *testing.T, file string) []observation {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var life []observation
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		var o observation
		if err := yaml.UnmarshalStrict([]byte(document), &o); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		o.Object = numbers(o.Object).(map[string]any)
		life = append(life, o)
	}
	return life
}

// numbers makes whole numbers int64, as a client of the API server has them.
func numbers(value any) any {
	switch v := value.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = numbers(v[key])
		}
	}
	return value
}

func writeLife(t *testing.T, name string, life []observation) {
	t.Helper()
	var documents [][]byte
	for _, o := range life {
		text, err := yaml.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, text)
	}
	if err := os.MkdirAll(livesDir, 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(livesDir, name+".yaml"), bytes.Join(documents, []byte("---\n")), 0o600); err != nil {
		t.Fatal(err)
	}
}
