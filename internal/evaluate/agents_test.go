// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// published are the files of every ConfigMap that the samples become, by name.
func published(t *testing.T) map[string]map[string]string {
	t.Helper()
	paths, err := filepath.Glob("../../config/samples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]string{}
	for _, path := range paths {
		c := load(t, strings.TrimPrefix(path, "../../"))
		e := evaluateFirst(c)
		out[publish.ChannelName(c.Name, e.Content.Version.Line())] = e.Bundle.Files
		out[publish.RenderingName(c.Name, e.Content.Version, e.Bundle.Digest)] = e.Bundle.Files
	}
	sets, err := filepath.Glob("../../config/samples/sets/*.yaml")
	if err != nil || len(sets) == 0 {
		t.Fatalf("found no sets (%v)", err)
	}
	for _, path := range sets {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var set v1alpha1.ToolSet
		if err := yaml.UnmarshalStrict(text, &set); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, p := range set.Spec.Profiles {
			out[publish.SetName(set.Name, p.Profile)] = map[string]string{
				v1alpha1.FileTools: "", v1alpha1.FileRequest: "", v1alpha1.FileManifest: "", v1alpha1.FileIndex: "",
			}
		}
	}
	return out
}

// mounted are the ConfigMaps that a pod mounts, each with the keys it picks.
func mounted(pod *corev1.PodSpec) map[string][]corev1.KeyToPath {
	out := map[string][]corev1.KeyToPath{}
	for _, v := range pod.Volumes {
		if v.ConfigMap != nil {
			out[v.ConfigMap.Name] = v.ConfigMap.Items
		}
		if v.Projected == nil {
			continue
		}
		for _, source := range v.Projected.Sources {
			out[source.ConfigMap.Name] = source.ConfigMap.Items
		}
	}
	return out
}

// TestAgentSamplesMountWhatIsPublished: the ConfigMaps and files that the
// sample Deployments name are those that the sample contracts become.
func TestAgentSamplesMountWhatIsPublished(t *testing.T) {
	t.Parallel()
	files := published(t)
	paths, err := filepath.Glob("../../config/samples/agents/*.yaml")
	if err != nil || len(paths) != 4 {
		t.Fatalf("found %v (%v), want Deployments that follow channels and a set, that are restarted, and that are pinned", paths, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			var deployment appsv1.Deployment
			if err := yaml.UnmarshalStrict([]byte(document), &deployment); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			maps := mounted(&deployment.Spec.Template.Spec)
			if len(maps) == 0 {
				t.Errorf("%s: %s mounts no ConfigMap", path, deployment.Name)
			}
			for name, items := range maps {
				if files[name] == nil {
					t.Errorf("%s: %s mounts %s, and no sample is published under that name", path, deployment.Name, name)
				}
				for _, item := range items {
					if _, ok := files[name][item.Key]; !ok {
						t.Errorf("%s: %s picks %s from %s, which has no such file", path, deployment.Name, item.Key, name)
					}
				}
			}
		}
	}
}
