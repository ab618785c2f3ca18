// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// profileObject is a ProviderProfile with a spec in YAML, as the API server
// would return it.
func profileObject(t *testing.T, name, spec string) v1alpha1.ProviderProfile {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(spec))
	if err != nil {
		t.Fatal(err)
	}
	return v1alpha1.ProviderProfile{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.JSONObject{Raw: raw}}
}

// house extends a profile and shortens the names of tools.
func house(extends string, revision, longest int) string {
	return fmt.Sprintf(`{extends: %s, title: House, revision: %d, reviewed: "2026-11-30",
		sources: [{key: house, title: House rules, url: "https://house.example.com", date: "2026-11-30"}],
		toolNames: [{pattern: "^[a-z_]+$", maxLength: %d, severity: Error, confidence: High, sources: [house]}]}`,
		extends, revision, longest)
}

// longestName is what a profile in force says about names, 0 if there is none.
func longestName(catalog *provider.Catalog, name string) int {
	profile, ok := catalog.Lookup(name)
	if !ok {
		return 0
	}
	return profile.ToolNames[0].MaxLength
}

// after gives each object the status that a verdict leads to.
func after(objects []v1alpha1.ProviderProfile, verdicts map[string]Profile) []v1alpha1.ProviderProfile {
	out := make([]v1alpha1.ProviderProfile, len(objects))
	for i := range objects {
		out[i] = *objects[i].DeepCopy()
		out[i].Status.InForce = verdicts[objects[i].Name].InForce
	}
	return out
}

// wantRecorded holds the catalogue against the records: what is in force is
// exactly what the statuses say, so that another process comes to the same.
func wantRecorded(t *testing.T, catalog *provider.Catalog, objects []v1alpha1.ProviderProfile) {
	t.Helper()
	recorded, unusable := ProfilesInForce(provider.Builtin(), objects)
	if len(unusable) > 0 {
		t.Errorf("records that cannot be used: %v", unusable)
	}
	if diff := cmp.Diff(catalog.Names(), recorded.Names()); diff != "" {
		t.Errorf("names (-in force +recorded):\n%s", diff)
	}
	for _, name := range catalog.Names() {
		is, _ := catalog.Lookup(name)
		if read, ok := recorded.Lookup(name); ok && read.Digest() != is.Digest() {
			t.Errorf("%s is recorded as something else than what is in force", name)
		}
	}
}

func TestProfilesJoinTheBuiltInOnesOrTakeTheirPlace(t *testing.T) {
	t.Parallel()
	objects := []v1alpha1.ProviderProfile{
		profileObject(t, "house", house("openai-responses", 3, 20)),
		profileObject(t, "branch", house("house", 1, 10)),
		profileObject(t, "anthropic-messages", house("anthropic-messages", 7, 30)),
	}
	catalog, verdicts := Profiles(provider.Builtin(), objects)
	for name, want := range map[string]int{"house": 20, "branch": 10, "anthropic-messages": 30} {
		if findings := verdicts[name].Findings; len(findings) > 0 {
			t.Errorf("%s: %v", name, findings)
		}
		if got := longestName(catalog, name); got != want {
			t.Errorf("%s takes names of %d characters, want %d", name, got, want)
		}
	}
	if got := verdicts["house"].InForce; got.Revision != 3 || !strings.HasPrefix(got.Digest, "sha256:") {
		t.Errorf("house: in force is revision %d with digest %s", got.Revision, got.Digest)
	}
	if _, ok := provider.Builtin().Lookup("house"); ok {
		t.Error("the built-in catalogue was changed")
	}
	wantRecorded(t, catalog, after(objects, verdicts))
}

// TestEveryBuiltInProfileCanBeRecorded: the facts of each come back whole from
// the form in which a status holds them.
func TestEveryBuiltInProfileCanBeRecorded(t *testing.T) {
	t.Parallel()
	for _, name := range provider.Builtin().Names() {
		spec := fmt.Sprintf(`{extends: %s, revision: 99, reviewed: "2026-11-30"}`, name)
		objects := []v1alpha1.ProviderProfile{profileObject(t, name, spec)}
		catalog, verdicts := Profiles(provider.Builtin(), objects)
		if findings := verdicts[name].Findings; len(findings) > 0 {
			t.Errorf("%s: %v", name, findings)
			continue
		}
		wantRecorded(t, catalog, after(objects, verdicts))
	}
}

// TestAnInvalidProfileLeavesTheOneBeforeInForce: of the object itself, or the
// built-in one if the object never had any. Each problem has its place.
func TestAnInvalidProfileLeavesTheOneBeforeInForce(t *testing.T) {
	t.Parallel()
	valid := house("openai-responses", 1, 20)
	for name, test := range map[string]struct {
		spec  string
		place string
	}{
		"a misspelt fact":            {strings.Replace(valid, "toolNames", "toolName", 1), "/spec/toolName"},
		"a fact of the wrong type":   {strings.Replace(valid, "maxLength: 20", "maxLength: long", 1), "/spec/toolNames/0/maxLength"},
		"a source that is not given": {strings.Replace(valid, "sources: [house]", "sources: [rumour]", 1), "/spec/toolNames/0/sources"},
		"the name twice":             {strings.Replace(valid, "title", "name: house, title", 1), "/spec/name"},
		"an unknown parent":          {strings.Replace(valid, "openai-responses", "nobody", 1), "/spec/extends"},
		"itself as its parent":       {strings.Replace(valid, "openai-responses", "house", 1), "/spec/extends"},
		"nothing at all":             {"{}", "/spec/revision"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects := []v1alpha1.ProviderProfile{profileObject(t, "house", valid)}
			_, verdicts := Profiles(provider.Builtin(), objects)
			before := verdicts["house"].InForce
			objects = after(objects, verdicts)
			objects[0].Spec = profileObject(t, "house", test.spec).Spec

			catalog, verdicts := Profiles(provider.Builtin(), objects)
			var places []string
			for _, f := range verdicts["house"].Findings {
				places = append(places, f.Pointer)
				if f.Fix == "" {
					t.Errorf("no way out: %s", f)
				}
			}
			if !hasPrefixed(places, test.place) {
				t.Errorf("findings at %v, want one at %s", places, test.place)
			}
			if diff := cmp.Diff(before, verdicts["house"].InForce); diff != "" {
				t.Errorf("in force (-before +after):\n%s", diff)
			}
			if got := longestName(catalog, "house"); got != 20 {
				t.Errorf("names of %d characters are taken, want 20", got)
			}
			wantRecorded(t, catalog, after(objects, verdicts))

			objects[0].Status.InForce = nil
			catalog, verdicts = Profiles(provider.Builtin(), objects)
			if got := verdicts["house"].InForce; got != nil || longestName(catalog, "house") != 0 {
				t.Errorf("in force is %v, want nothing", got)
			}
		})
	}
}

func hasPrefixed(places []string, prefix string) bool {
	for _, place := range places {
		if strings.HasPrefix(place, prefix) {
			return true
		}
	}
	return false
}

// TestAnInvalidOverrideLeavesTheBuiltInProfile, if it was never valid.
func TestAnInvalidOverrideLeavesTheBuiltInProfile(t *testing.T) {
	t.Parallel()
	objects := []v1alpha1.ProviderProfile{profileObject(t, "openai-responses", `{extends: openai-responses, revison: 2}`)}
	catalog, verdicts := Profiles(provider.Builtin(), objects)
	is, _ := catalog.Lookup("openai-responses")
	was, _ := provider.Builtin().Lookup("openai-responses")
	if is != was || verdicts["openai-responses"].InForce != nil {
		t.Errorf("in force is %v", verdicts["openai-responses"].InForce)
	}
}

// TestAFamilyOfProfiles edits a parent: what is wrong with it is not held against
// its children, which go on with what of it is in force.
func TestAFamilyOfProfiles(t *testing.T) {
	t.Parallel()
	parent, child := house("openai-responses", 1, 20), `{extends: parent, title: Child, revision: 1, reviewed: "2026-11-30"}`
	start := func() []v1alpha1.ProviderProfile {
		objects := []v1alpha1.ProviderProfile{profileObject(t, "child", child), profileObject(t, "parent", parent)}
		_, verdicts := Profiles(provider.Builtin(), objects)
		return after(objects, verdicts)
	}
	broken := profileObject(t, "parent", strings.Replace(parent, "toolNames", "toolName", 1)).Spec
	for name, test := range map[string]struct {
		edit          func([]v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile
		child, parent int // the longest name that each takes
		invalid       []string
	}{
		"a valid edit of the parent reaches the child": {
			edit: func(o []v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile {
				o[1].Spec = profileObject(t, "parent", house("openai-responses", 2, 9)).Spec
				return o
			}, child: 9, parent: 9,
		},
		"an invalid edit of the parent reaches nobody": {
			edit: func(o []v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile {
				o[1].Spec = broken
				return o
			}, child: 20, parent: 20, invalid: []string{"parent"},
		},
		"a valid edit of the child beside an invalid one of the parent": {
			edit: func(o []v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile {
				o[0].Spec, o[1].Spec = profileObject(t, "child", house("parent", 2, 5)).Spec, broken
				return o
			}, child: 5, parent: 20, invalid: []string{"parent"},
		},
		"the parent is deleted": {
			edit:  func(o []v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile { return o[:1] },
			child: 20, invalid: []string{"child"},
		},
		"the parent was never valid": {
			edit: func(o []v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile {
				o[0].Status, o[1].Status, o[1].Spec = v1alpha1.ProviderProfileStatus{}, v1alpha1.ProviderProfileStatus{}, broken
				return o
			}, invalid: []string{"child", "parent"},
		},
		"they extend each other": {
			edit: func(o []v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile {
				o[1].Spec = profileObject(t, "parent", house("child", 2, 9)).Spec
				return o
			}, child: 20, parent: 20, invalid: []string{"child", "parent"},
		},
		"a record that this version cannot use": {
			edit: func(o []v1alpha1.ProviderProfile) []v1alpha1.ProviderProfile {
				o[1].Spec, o[1].Status.InForce.Facts = broken, v1alpha1.JSONObject{Raw: []byte(`{"revision":1}`)}
				return o
			}, child: 20, invalid: []string{"child", "parent"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			objects := test.edit(start())
			catalog, verdicts := Profiles(provider.Builtin(), objects)
			if child, parent := longestName(catalog, "child"), longestName(catalog, "parent"); child != test.child || parent != test.parent {
				t.Errorf("the child takes names of %d, the parent of %d; want %d and %d", child, parent, test.child, test.parent)
			}
			var invalid []string
			for _, name := range []string{"child", "parent"} {
				if len(verdicts[name].Findings) > 0 {
					invalid = append(invalid, name)
				}
			}
			if diff := cmp.Diff(test.invalid, invalid); diff != "" {
				t.Errorf("invalid (-want +got):\n%s", diff)
			}
			wantRecorded(t, catalog, after(objects, verdicts))
		})
	}
}

// TestTheOrderOfProfilesMeansNothing, and neither does whether they came one
// after the other.
func TestTheOrderOfProfilesMeansNothing(t *testing.T) {
	t.Parallel()
	objects := []v1alpha1.ProviderProfile{
		profileObject(t, "a", house("b", 1, 20)), profileObject(t, "b", house("c", 1, 20)),
		profileObject(t, "c", house("openai-responses", 1, 20)), profileObject(t, "d", house("nobody", 1, 20)),
	}
	_, verdicts := Profiles(provider.Builtin(), objects)
	want, err := json.Marshal(verdicts)
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		objects = append(objects[1:], objects[0])
		_, verdicts := Profiles(provider.Builtin(), objects)
		got, err := json.Marshal(verdicts)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Fatalf("verdicts\n%s\nwant\n%s", got, want)
		}
		objects = after(objects, verdicts)
	}
}

// TestFactsThatOutgrowTheirRecordAreRefused: a profile that is in force but could
// not be recorded would be lost at the next invalid edit.
func TestFactsThatOutgrowTheirRecordAreRefused(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 1900)
	spec := func(extends, prefix string) string {
		var groups strings.Builder
		for i := range 100 {
			fmt.Fprintf(&groups, `{names: ["x-%s%d"], both: [{verdict: Accepted, confidence: High, sources: [house], note: %q}]},`, prefix, i, fmt.Sprint(prefix, i, long))
		}
		return fmt.Sprintf(`{extends: %s, title: House, revision: 1, reviewed: "2026-11-30",
			sources: [{key: house, title: House rules, url: "https://house.example.com", date: "2026-11-30"}], keywords: [%s]}`, extends, groups.String())
	}
	objects := []v1alpha1.ProviderProfile{
		profileObject(t, "one", spec("openai-responses", "a")),
		profileObject(t, "two", spec("one", "b")),
	}
	catalog, verdicts := Profiles(provider.Builtin(), objects)
	if findings := verdicts["one"].Findings; len(findings) > 0 {
		t.Fatalf("the first is refused: %v", findings)
	}
	findings := verdicts["two"].Findings
	if len(findings) != 1 || findings[0].Pointer != "/spec/extends" || findings[0].Severity != finding.Error {
		t.Errorf("findings %v, want one at /spec/extends", findings)
	}
	wantRecorded(t, catalog, after(objects, verdicts))
}
