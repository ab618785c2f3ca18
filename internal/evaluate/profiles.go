// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
)

// ProfileKind is the kind of a [v1alpha1.ProviderProfile].
const ProfileKind = "ProviderProfile"

// Profile is what the engine says of a ProviderProfile.
type Profile struct {
	// Findings say why the spec cannot be used; their pointers lead into the
	// manifest. The spec is in force if there are none.
	Findings []finding.Finding
	// InForce is what of the object is in force: its spec or, while that is not
	// valid, what its status records. Nil is nothing.
	InForce *v1alpha1.ProfileInForce
}

// Profiles judges ProviderProfiles beside each other and the profiles of base.
// It returns the catalogue in which every valid spec is in force, and of each
// other object what was in force before, with the verdicts by name. What the
// catalogue takes from an object is exactly its InForce.
func Profiles(base *provider.Catalog, objects []v1alpha1.ProviderProfile) (*provider.Catalog, map[string]Profile) {
	j := profileJudge{
		base: base, verdicts: map[string]Profile{},
		specs: map[string][]byte{}, records: map[string][]byte{}, recorded: map[string]string{},
	}
	for i := range objects {
		j.read(&objects[i])
	}
	catalog := j.settle()
	for i := range objects {
		object := &objects[i]
		verdict := j.verdicts[object.Name]
		switch {
		case j.specs[object.Name] != nil:
			profile, _ := catalog.Lookup(object.Name)
			verdict.InForce = inForce(profile, object.Status.InForce)
		case j.records[object.Name] != nil:
			verdict.InForce = object.Status.InForce
		}
		j.verdicts[object.Name] = verdict
	}
	return catalog, j.verdicts
}

// ProfilesInForce returns the catalogue of what the objects record to be in
// force, and judges no spec. Records that cannot be used are left out, with
// what is wrong with them by name.
func ProfilesInForce(base *provider.Catalog, objects []v1alpha1.ProviderProfile) (*provider.Catalog, map[string][]finding.Finding) {
	records := map[string][]byte{}
	for i := range objects {
		if file := recordFile(&objects[i]); file != nil {
			records[objects[i].Name] = file
		}
	}
	return base.With(records, render.Formats())
}

// profileJudge finds out which specs can be in force together.
type profileJudge struct {
	base     *provider.Catalog
	verdicts map[string]Profile
	// specs are the profile files that may come into force, records those that
	// stand in for a spec that may not.
	specs, records map[string][]byte
	// recorded are the digests of the facts that are recorded as they are.
	recorded map[string]string
}

// read turns an object into profile files.
func (j *profileJudge) read(object *v1alpha1.ProviderProfile) {
	j.verdicts[object.Name] = Profile{}
	if file := recordFile(object); file != nil {
		j.records[object.Name], j.recorded[object.Name] = file, object.Status.InForce.Digest
	}
	file, findings := profileFile(object.Name, object.Spec)
	if len(findings) > 0 {
		j.refuse(object.Name, findings)
		return
	}
	j.specs[object.Name] = file
}

func (j *profileJudge) refuse(name string, findings []finding.Finding) {
	j.verdicts[name] = Profile{Findings: findings}
	delete(j.specs, name)
}

// settle replaces what cannot be in force by what was before, until the rest
// holds together. Each round takes something away, so there are at most two for
// each object.
func (j *profileJudge) settle() *provider.Catalog {
	for {
		files := maps.Clone(j.specs)
		for name, record := range j.records {
			if j.specs[name] == nil {
				files[name] = record
			}
		}
		catalog, broken := j.base.With(files, render.Formats())
		if len(broken) == 0 {
			broken = j.unrecordable(catalog)
		}
		if len(broken) == 0 {
			return catalog
		}
		for _, name := range atFault(files, broken) {
			if j.specs[name] == nil {
				delete(j.records, name) // of another version of the operator
				continue
			}
			j.refuse(name, provider.InManifest(broken[name]))
		}
	}
}

// atFault names the broken files whose problems are their own. One that extends
// another broken file may be whole once that one is replaced by what was in
// force before.
func atFault(files map[string][]byte, broken map[string][]finding.Finding) []string {
	names := slices.Sorted(maps.Keys(broken))
	own := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		parent := extends(files[name])
		return parent != name && broken[parent] != nil
	})
	if len(own) == 0 { // they extend each other in a circle
		return names
	}
	return own
}

func extends(file []byte) string {
	var facts struct {
		Extends string `json:"extends"`
	}
	if json.Unmarshal(file, &facts) != nil {
		return "" // reported where the file is read
	}
	return facts.Extends
}

// unrecordable finds the specs whose facts do not come back from the form in
// which they are recorded: with what they inherit, they are beyond a bound.
func (j *profileJudge) unrecordable(catalog *provider.Catalog) map[string][]finding.Finding {
	broken := map[string][]finding.Finding{}
	for name := range j.specs {
		profile, _ := catalog.Lookup(name)
		if j.recorded[name] == profile.Digest() {
			continue
		}
		file, findings := profileFile(name, complete(profile))
		if len(findings) == 0 {
			again, problems := j.base.With(map[string][]byte{name: file}, render.Formats())
			findings = problems[name]
			if same, ok := again.Lookup(name); len(findings) == 0 && (!ok || same.Digest() != profile.Digest()) {
				findings = []finding.Finding{{
					Rule: provider.RuleProfileValue, Severity: finding.Error,
					Message: "the facts say something else when they are written out with those they inherit", Fix: "write all facts out, without extends",
				}}
			}
		}
		if len(findings) > 0 {
			// The places are those of the complete facts, which nobody wrote.
			findings[0].Message = "with the facts that it inherits: " + findings[0].Message
			findings[0].Pointer = "/extends"
			broken[name] = findings[:1]
		}
	}
	return broken
}

// inForce records a profile; what is recorded of equal facts stays as it is.
func inForce(profile *provider.Profile, before *v1alpha1.ProfileInForce) *v1alpha1.ProfileInForce {
	revision, digest := int32(profile.Revision), profile.Digest() //nolint:gosec // a profile that does not fit does not load
	if before != nil && before.Revision == revision && before.Digest == digest {
		return before
	}
	return &v1alpha1.ProfileInForce{Revision: revision, Digest: digest, Facts: complete(profile)}
}

// complete writes all facts of a profile out, in the form of a spec.
func complete(profile *provider.Profile) v1alpha1.JSONObject {
	text, err := json.Marshal(profile.Complete())
	if err != nil {
		return v1alpha1.JSONObject{} // no fact has a value that cannot be written; it would be found to be incomplete
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return v1alpha1.JSONObject{}
	}
	delete(members, "name")
	if text, err = json.Marshal(members); err != nil {
		return v1alpha1.JSONObject{}
	}
	return v1alpha1.JSONObject{Raw: text}
}

// recordFile is the profile file of what an object records to be in force, nil
// if it records nothing that can be read.
func recordFile(object *v1alpha1.ProviderProfile) []byte {
	if object.Status.InForce == nil {
		return nil
	}
	file, _ := profileFile(object.Name, object.Status.InForce.Facts)
	return file
}

// profileFile is the profile file of a spec.
func profileFile(name string, spec v1alpha1.JSONObject) ([]byte, []finding.Finding) {
	text, err := spec.MarshalJSON()
	if err == nil {
		text, err = json.Marshal(map[string]any{
			"apiVersion": v1alpha1.GroupVersion.String(), "kind": ProfileKind,
			"metadata": map[string]string{"name": name}, "spec": json.RawMessage(text),
		})
	}
	if err != nil {
		return nil, []finding.Finding{{
			Rule: provider.RuleProfileSyntax, Severity: finding.Error, Pointer: "/spec",
			Message: fmt.Sprintf("the spec is no JSON: %v", err), Fix: "correct the text",
		}}
	}
	_, file, findings := provider.FromManifest(text)
	return file, findings
}
