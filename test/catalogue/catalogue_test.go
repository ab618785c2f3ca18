// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// entry is one file with what its first lines expect.
type entry struct {
	path     string
	expect   string // reason of Ready, and the first refusing profile
	excluded string // first target that is left out
	contract v1alpha1.ToolContract
}

func catalogue(t *testing.T) []entry {
	t.Helper()
	paths, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) != 57 {
		t.Fatalf("the catalogue has %d contracts, not 57", len(paths))
	}
	entries := make([]entry, len(paths))
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		entries[i] = entry{path: path}
		for line := range strings.Lines(string(text)) {
			if rest, ok := strings.CutPrefix(line, "# expect: "); ok {
				entries[i].expect = strings.TrimSpace(rest)
			}
			if rest, ok := strings.CutPrefix(line, "# excluded: "); ok {
				entries[i].excluded = strings.TrimSpace(rest)
			}
		}
		if err := yaml.UnmarshalStrict(text, &entries[i].contract); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	return entries
}

// outcome is what the engine says, in the words of the file's first line.
func outcome(e *evaluate.Evaluation) string {
	if e.Content == nil {
		return e.Reason
	}
	blocking := e.Blocking()
	if len(blocking) == 0 {
		return v1alpha1.ReasonPublished
	}
	reason := v1alpha1.ReasonUnknownProfile
	for _, f := range blocking {
		if f.Rule != evaluate.RuleUnknownProfile {
			reason = v1alpha1.ReasonTargetsIncompatible
		}
	}
	for _, t := range e.Targets {
		if !t.Compatible() && t.Blocks() {
			return reason + ": " + t.Spec.Profile
		}
	}
	return reason
}

func TestEveryContractHasItsExpectedOutcome(t *testing.T) {
	t.Parallel()
	for _, entry := range catalogue(t) {
		t.Run(entry.contract.Name, func(t *testing.T) {
			t.Parallel()
			e := evaluate.Contract(entry.contract.Name, &entry.contract.Spec, evaluate.History{}, provider.Builtin())
			got, want := outcome(e), entry.expect
			if want == v1alpha1.ReasonUnknownProfile {
				got, _, _ = strings.Cut(got, ":")
			}
			if got != want {
				t.Errorf("%s: %s, want %s: %v %v", entry.path, got, want, e.Findings, e.Blocking())
			}
			first := ""
			if excluded := e.Excluded(); len(excluded) > 0 {
				first = excluded[0].Spec.Profile
			}
			if first != entry.excluded {
				t.Errorf("%s: first excluded target %q, want %q", entry.path, first, entry.excluded)
			}
			for _, f := range e.Findings {
				if f.Pointer == "" && f.Side == "" || f.Message == "" || f.Fix == "" {
					t.Errorf("%s: a finding without place, message or way out: %+v", entry.path, f)
				}
			}
		})
	}
}

// TestTheCatalogueHasEveryType: of each kind of tool one that is published and one
// that is not.
func TestTheCatalogueHasEveryType(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, entry := range catalogue(t) {
		published := "refused"
		if entry.expect == v1alpha1.ReasonPublished {
			published = "published"
		}
		seen[string(cmp.Or(entry.contract.Spec.Type, v1alpha1.TypeFunction))+" "+published] = true
	}
	for _, kind := range []v1alpha1.ToolType{v1alpha1.TypeFunction, v1alpha1.TypeFreeForm, v1alpha1.TypeBuiltIn, v1alpha1.TypeMCP} {
		for _, published := range []string{"published", "refused"} {
			if !seen[string(kind)+" "+published] {
				t.Errorf("no %s contract is %s", kind, published)
			}
		}
	}
}

// TestTheCatalogueUsesEveryKeyword keeps the catalogue complete when a keyword
// is added to the table.
func TestTheCatalogueUsesEveryKeyword(t *testing.T) {
	t.Parallel()
	refused := map[string]bool{"$dynamicRef": true, "$dynamicAnchor": true, "$vocabulary": true}
	used := map[string]bool{}
	for _, entry := range catalogue(t) {
		content, _ := evaluate.Read(&entry.contract.Spec.ToolContent)
		if content == nil {
			continue
		}
		for _, s := range []*schema.Schema{content.Input.Schema, content.Output.Schema} {
			if s == nil { // the provider runs it, or nothing is said of answers
				continue
			}
			for _, node := range s.Nodes() {
				for _, member := range node.Value.Members() {
					used[member.Name] = true
				}
			}
		}
	}
	for _, keyword := range schema.Keywords() {
		if !used[keyword.Name] && !refused[keyword.Name] {
			t.Errorf("no contract uses %s", keyword.Name)
		}
	}
}
