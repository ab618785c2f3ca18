// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/toolset"
)

const ofProfile = "openai-responses"

// setFamily is a set with ConfigMaps of its own.
type setFamily struct {
	*testing.T
	run *setRun
}

func newSetFamily(t *testing.T, profiles ...string) *setFamily {
	t.Helper()
	set := &v1alpha1.ToolSet{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "s", UID: "1"}}
	for _, profile := range profiles {
		set.Spec.Profiles = append(set.Spec.Profiles, v1alpha1.SetProfile{Profile: profile})
	}
	return &setFamily{t, &setRun{
		ToolSetReconciler: &ToolSetReconciler{}, set: set, profiles: provider.Builtin(), configMaps: map[string]*corev1.ConfigMap{},
	}}
}

// publish adds both ConfigMaps with one tool that says something, of a certain age.
func (f *setFamily) publish(profile, version string, minute int) (rendering, stable *corev1.ConfigMap) {
	f.Helper()
	p, ok := provider.Builtin().Lookup(profile)
	if !ok {
		f.Fatalf("there is no profile %s", profile)
	}
	content := contentOf(f.T, version, "Says "+version+".")
	result := toolset.Render(toolset.Request{Set: "s", Profile: p, Tools: []toolset.Tool{{
		Namespace: "n", Contract: "c", Content: content, Digest: content.Digest(), Target: &v1alpha1.Target{Profile: profile},
	}}})
	if result.Bundle == nil || result.Included != 1 {
		f.Fatalf("%s: %+v", result.Reason, result.Tools)
	}
	rendering, stable = setConfigMaps(f.run.set, profile, result.Bundle.Digest, renderedBy(p), result.Bundle.Files)
	for _, cm := range []*corev1.ConfigMap{rendering, stable} {
		cm.CreationTimestamp = metav1.NewTime(time.Unix(int64(60*minute), 0))
		f.run.configMaps[cm.Name] = stripped(cm)
	}
	return rendering, stable
}

// TestWhatIsServedStandsInTheConfigMaps, whichever of them is damaged or gone.
func TestWhatIsServedStandsInTheConfigMaps(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		damage func(f *setFamily, first, second, stable *corev1.ConfigMap)
		want   string
	}{
		"all whole": {func(*setFamily, *corev1.ConfigMap, *corev1.ConfigMap, *corev1.ConfigMap) {}, "1.1.0"},
		"moved back": {func(f *setFamily, first, _, stable *corev1.ConfigMap) {
			stable.Data = first.Data
			f.run.configMaps[stable.Name] = stripped(stable)
		}, "1.0.0"},
		"the stable one is gone": {func(f *setFamily, _, _, stable *corev1.ConfigMap) {
			delete(f.run.configMaps, stable.Name)
		}, "1.1.0"},
		"the stable one is gone, and the status knows the older": {func(f *setFamily, first, _, stable *corev1.ConfigMap) {
			delete(f.run.configMaps, stable.Name)
			f.run.set.Status.Profiles = []v1alpha1.SetProfileStatus{{Profile: ofProfile, Digest: first.Annotations[v1alpha1.AnnotationDigest]}}
		}, "1.0.0"},
		"the stable one has another file": {func(f *setFamily, _, _, stable *corev1.ConfigMap) {
			stable.Data["more.json"] = "{}"
			f.run.configMaps[stable.Name] = stripped(stable)
		}, "1.1.0"},
		"the immutable one is gone": {func(f *setFamily, _, second, _ *corev1.ConfigMap) {
			delete(f.run.configMaps, second.Name)
		}, "1.1.0"},
		"the stable one is somebody else's": {func(f *setFamily, _, _, stable *corev1.ConfigMap) {
			stable.OwnerReferences = nil
			f.run.configMaps[stable.Name] = stripped(stable)
		}, "1.1.0"},
		"all gone": {func(f *setFamily, _, _, _ *corev1.ConfigMap) {
			clear(f.run.configMaps)
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newSetFamily(t, ofProfile)
			first, _ := f.publish(ofProfile, "1.0.0", 1)
			second, stable := f.publish(ofProfile, "1.1.0", 2)
			test.damage(f, first, second, stable)
			got := ""
			if last := f.run.lastPublished(ofProfile); last != nil {
				got = last.tools[0].Version
			}
			if got != test.want {
				t.Errorf("serves %q, want %q", got, test.want)
			}
		})
	}
}

// TestTheNewestRenderingsAreKept, with the current one and what is mounted; of a
// profile that the set left only what is mounted.
func TestTheNewestRenderingsAreKept(t *testing.T) {
	t.Parallel()
	versions := func(n int) (out []string) {
		for i := range n {
			out = append(out, fmt.Sprintf("1.%d.0", i))
		}
		return out
	}
	for name, test := range map[string]struct {
		made    []string
		current int // of those made, what is served
		mounted []int
		profile string
		want    []int // of those made, what goes
	}{
		"five":                       {versions(5), 4, nil, ofProfile, nil},
		"seven":                      {versions(7), 6, nil, ofProfile, []int{0, 1}},
		"seven, and back to the old": {versions(7), 0, nil, ofProfile, []int{1, 2}},
		"seven, one mounted":         {versions(7), 6, []int{0}, ofProfile, []int{1}},
		"a profile that was left":    {versions(3), 2, []int{1}, "anthropic-messages", []int{0, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newSetFamily(t, test.profile)
			var made []string
			var current map[string]string
			for i, version := range test.made {
				rendering, _ := f.publish(ofProfile, version, i)
				made = append(made, rendering.Name)
				if i == test.current {
					current = rendering.Data
				}
			}
			stable := f.run.configMaps[publish.SetName("s", ofProfile)].DeepCopy()
			stable.Data = current
			f.run.configMaps[stable.Name] = stripped(stable)
			mounted := mountedSome{}
			for _, i := range test.mounted {
				mounted[made[i]] = true
			}
			f.run.Mounts = mounted
			var want, got []string
			for _, i := range test.want {
				want = append(want, made[i])
			}
			for _, cm := range f.run.surplus() {
				got = append(got, cm.Name)
			}
			slices.Sort(want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what goes (-want +got):\n%s", diff)
			}
		})
	}
}

// mountedSome says that something mounts these ConfigMaps.
type mountedSome map[string]bool

func (mountedSome) Ready() bool { return true }
func (m mountedSome) Consumers(_, name string) []string {
	if m[name] {
		return []string{"Deployment/agent"}
	}
	return nil
}

// TestWhatIsNoPublicationSaysNothing: anybody may write into a ConfigMap with our
// labels, and the cache reads it before anything is known of its owner.
func TestWhatIsNoPublicationSaysNothing(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]map[string]string{
		"nothing":             nil,
		"other files":         {"a.json": "{}"},
		"no JSON":             {"manifest.json": "{", "tools.json": "[", "index.json": "x"},
		"other JSON":          {"manifest.json": "[]", "tools.json": "{}", "index.json": "1"},
		"entries of no tool":  {"manifest.json": `{"tools":[null,1,[],{}]}`, "tools.json": `[{},{},{},{}]`, "index.json": "{}"},
		"lists that disagree": {"manifest.json": `{"tools":[]}`, "tools.json": `[{}]`, "index.json": `{"files":{}}`},
		"deep":                {"manifest.json": strings.Repeat("[", 100_000), "tools.json": strings.Repeat(`{"a":`, 100_000)},
	} {
		cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "s.p", Labels: map[string]string{v1alpha1.LabelSet: "s"}}, Data: data}
		if got := contentsOf(cm); got.Digest != "" {
			t.Errorf("%s: read as %+v", name, got)
		}
		if got := contentsOf(stripped(cm)); got.Digest != "" {
			t.Errorf("%s: cached as %+v", name, got)
		}
	}
}
