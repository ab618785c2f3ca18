// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// The manifest form of a profile: spec holds the facts of a profile file
// without the name, which is that of the object.
const (
	manifestVersion = "toolcontract.dev/v1alpha1"
	manifestKind    = "ProviderProfile"
)

// IsManifest reports whether a file is the manifest of an object and not a
// profile file.
func IsManifest(raw []byte) bool {
	tree, _ := readTree(raw)
	return tree.Has("apiVersion") || tree.Has("kind")
}

// FromManifest turns a ProviderProfile into the profile file that says the
// same, for [Catalog.With]. Pointers of the findings lead into the manifest;
// what is wrong with the facts themselves is found when the file is loaded (see
// [InManifest]).
func FromManifest(raw []byte) (name string, file []byte, broken []finding.Finding) {
	tree, found := readTree(raw)
	if tree == nil {
		return "", nil, finding.Sort(found)
	}
	wrong := func(pointer, message, fix string) { found.report(RuleProfileField, pointer, message, fix) }
	if tree.Kind() != schema.Object || text(tree, "apiVersion") != manifestVersion || text(tree, "kind") != manifestKind {
		wrong("", "the manifest is not one of a ProviderProfile", "write apiVersion: "+manifestVersion+" and kind: "+manifestKind)
	}
	name = text(tree.Get("metadata"), "name")
	if !profileName.MatchString(name) {
		wrong("/metadata/name", "the object needs a name of lower-case letters, digits and dashes", "write metadata.name")
	}
	spec := tree.Get("spec")
	switch {
	case spec == nil || spec.Kind() != schema.Object:
		wrong("/spec", "the facts of the profile are wanted here", "write the facts of a profile file, without its name")
	case spec.Has("name"):
		wrong("/spec/name", "the name of a profile is that of the object", "remove it")
	}
	for _, m := range tree.Members() {
		switch m.Name {
		case "apiVersion", "kind", "metadata", "spec", "status":
		default:
			wrong(finding.Pointer("", m.Name), "there is no field "+finding.Quote(m.Name)+" here", "move it below spec, or remove it")
		}
	}
	if len(found) > 0 {
		return name, nil, finding.Sort(found)
	}
	members := append([]schema.Member{{Name: "name", Value: schema.NewString(name)}}, spec.Members()...)
	return name, schema.NewObject(members...).AppendJSON(nil), nil
}

func text(v *schema.Value, member string) string {
	if t := v.Get(member); t != nil && t.Kind() == schema.String {
		return t.Text()
	}
	return ""
}

// InManifest moves findings on a profile file to the places of the manifest
// that it was made from.
func InManifest(findings []finding.Finding) []finding.Finding {
	out := make([]finding.Finding, len(findings))
	for i, f := range findings {
		switch {
		case f.Pointer == "/name" || strings.HasPrefix(f.Pointer, "/name/"):
			f.Pointer = "/metadata" + f.Pointer
		default:
			f.Pointer = "/spec" + f.Pointer
		}
		out[i] = f
	}
	return finding.Sort(out)
}
