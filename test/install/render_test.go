// SPDX-License-Identifier: Apache-2.0

package install

import (
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
	syaml "sigs.k8s.io/yaml"
)

func TestHelmFindsNothingWrong(t *testing.T) {
	for _, chart := range []string{"toolcontract-crds", "toolcontract-operator"} {
		must(t, helm, "lint", "--strict", root("charts/"+chart))
	}
}

// TestTheChartsAreTheKustomization compares what the charts make with what
// kustomize makes. Only Helm's own labels may differ.
func TestTheChartsAreTheKustomization(t *testing.T) {
	for name, test := range map[string]struct {
		resources, components []string
		namespace             string
		values                []string
		withKinds             bool
	}{
		"default":        {resources: []string{"default"}, withKinds: true},
		"kinds":          {resources: []string{"kinds"}, withKinds: true, values: []string{"none"}},
		"elsewhere":      {resources: []string{"default"}, namespace: "tools", withKinds: true},
		"two replicas":   {resources: []string{"default"}, components: []string{"ha"}, withKinds: true, values: []string{"replicas=2"}},
		"network policy": {resources: []string{"default"}, components: []string{"network-policy"}, withKinds: true, values: []string{"networkPolicy.enabled=true"}},
		"mounts":         {resources: []string{"default"}, components: []string{"mounts"}, withKinds: true, values: []string{"trackMounts=true"}},
		"admission":      {resources: []string{"default"}, components: []string{"admission"}, withKinds: true, values: []string{"admission.enabled=true"}},
		"monitor":        {resources: []string{"default"}, components: []string{"prometheus/monitor"}, withKinds: true, values: []string{"metrics.serviceMonitor.enabled=true"}},
		"rules":          {resources: []string{"default"}, components: []string{"prometheus/rules"}, withKinds: true, values: []string{"metrics.rules.enabled=true"}},
		"protection":     {resources: []string{"default"}, components: []string{"protection"}, withKinds: true, values: []string{"protection.enabled=true"}},
		"namespaced":     {resources: []string{"namespaced"}, namespace: "team-a", values: []string{"namespaced.enabled=true"}},
		"namespaced with everything": {
			resources: []string{"namespaced"}, components: []string{"namespaced-mounts", "ha", "network-policy"}, namespace: "team-a",
			values: []string{"namespaced.enabled=true", "trackMounts=true", "replicas=2", "networkPolicy.enabled=true"},
		},
		"everything": {
			resources: []string{"default"}, components: []string{"mounts", "ha", "network-policy", "admission", "protection"}, namespace: "tools", withKinds: true,
			values: []string{"trackMounts=true", "replicas=2", "networkPolicy.enabled=true", "admission.enabled=true", "protection.enabled=true"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			namespace := test.namespace
			if namespace == "" {
				namespace = home
			}
			rendered := ""
			if test.withKinds {
				rendered = must(t, helm, "template", "kinds", archive(t, "toolcontract-crds"), "--namespace", namespace, "--set", "keep=false")
			}
			if len(test.values) == 0 || test.values[0] != "none" {
				args := []string{"template", "operator", archive(t, "toolcontract-operator"), "--namespace", namespace}
				for _, v := range test.values {
					args = append(args, "--set", v)
				}
				rendered += "\n---\n" + must(t, helm, args...)
			}
			built := must(t, kube, "kustomize", overlay(t, test.namespace, test.resources, test.components))
			want, got := objects(t, built), objects(t, rendered)
			if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(got))); diff != "" {
				t.Errorf("objects (-kustomize +helm):\n%s", diff)
			}
			for id, object := range want {
				if diff := cmp.Diff(object, got[id]); diff != "" && got[id] != nil {
					t.Errorf("%s (-kustomize +helm):\n%s", id, diff)
				}
			}
		})
	}
}

// overlay writes a kustomization over folders of config/ and returns its folder.
func overlay(t *testing.T, namespace string, resources, components []string) string {
	t.Helper()
	dir := t.TempDir()
	from := func(names []string) []string {
		out := make([]string, len(names))
		for i, name := range names {
			relative, err := filepath.Rel(dir, root("config/"+name))
			if err != nil {
				t.Fatal(err)
			}
			out[i] = relative
		}
		return out
	}
	kustomization := map[string]any{"resources": from(resources)}
	if len(components) > 0 {
		kustomization["components"] = from(components)
	}
	if namespace != "" {
		kustomization["namespace"] = namespace
	}
	text, err := syaml.Marshal(kustomization)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kustomization.yaml"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// helms are the labels that Helm's users look for.
var helms = []string{"helm.sh/chart", "app.kubernetes.io/instance", "app.kubernetes.io/managed-by", "app.kubernetes.io/version"}

// objects are all objects of a stream, by kind and name, without the namespace
// (Helm makes it by a flag) and without labels of Helm.
func objects(t *testing.T, stream string) map[string]any {
	t.Helper()
	out := map[string]any{}
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(stream), 4096)
	for {
		var o map[string]any
		err := decoder.Decode(&o)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("reading manifests: %v\n%s", err, stream)
		}
		if o == nil || o["kind"] == "Namespace" {
			continue
		}
		metadata := o["metadata"].(map[string]any)
		if labels, ok := metadata["labels"].(map[string]any); ok {
			for _, label := range helms {
				delete(labels, label)
			}
			if len(labels) == 0 {
				delete(metadata, "labels")
			}
		}
		if strings.HasPrefix(o["kind"].(string), "ValidatingAdmissionPolicy") {
			delete(metadata, "namespace") // kustomize does not know that they have none, and the API server ignores it
		}
		if o["kind"] == "Deployment" {
			sortFlags(t, o)
		}
		id := o["kind"].(string) + " " + metadata["name"].(string)
		if out[id] != nil {
			t.Errorf("%s is there twice", id)
		}
		out[id] = o
	}
}

// sortFlags puts the flags of containers in order. In kustomize the order is that of
// the components, and it means nothing.
func sortFlags(t *testing.T, deployment map[string]any) {
	t.Helper()
	containers, found, err := unstructured.NestedSlice(deployment, "spec", "template", "spec", "containers")
	if err != nil || !found {
		t.Fatalf("a Deployment without containers: %v", err)
	}
	for _, c := range containers {
		args, _ := c.(map[string]any)["args"].([]any)
		slices.SortFunc(args, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	}
	if err := unstructured.SetNestedSlice(deployment, containers, "spec", "template", "spec", "containers"); err != nil {
		t.Fatal(err)
	}
}

// TestTheChartRefusesUnknownValues: a misspelled value is an error, and the values
// of the chart are not.
func TestTheChartRefusesUnknownValues(t *testing.T) {
	for value, wanted := range map[string]string{
		"replica=2":                  "additional properties 'replica' not allowed",
		"namespaced.namespace=other": "additional properties 'namespace' not allowed",
		"image.digest=latest":        "does not match pattern",
		"replicas=-1":                "minimum",
		"namespaced.enabled=true,admission.enabled=true": "for an operator of the whole cluster",
	} {
		out, err := helm(t.Context(), "template", "operator", archive(t, "toolcontract-operator"), "--set", value)
		if err == nil || !strings.Contains(out, wanted) {
			t.Errorf("%s: %v, want %q in:\n%s", value, err, wanted, out)
		}
	}
}
