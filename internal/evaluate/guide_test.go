// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// profileGuide shows how to add profiles, in blocks that this test reads.
const profileGuide = "../../docs/guides/provider-profiles.md"

// TestTheGuideToProfilesHolds: its profiles are valid and short, and its contract
// is one that they take.
func TestTheGuideToProfilesHolds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(profileGuide)
	if err != nil {
		t.Fatal(err)
	}
	var profiles []v1alpha1.ProviderProfile
	var contracts []v1alpha1.ToolContract
	for _, block := range regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		var p v1alpha1.ProviderProfile
		var c v1alpha1.ToolContract
		switch {
		case strings.Contains(block[1], "kind: "+ProfileKind+"\n"):
			readManifest(t, block[1], &p)
			profiles = append(profiles, p)
			if lines := strings.Count(block[1], "\n"); lines > 10 {
				t.Errorf("the profile %s takes %d lines; the guide promises ten", p.Name, lines)
			}
		default:
			readManifest(t, block[1], &c)
			contracts = append(contracts, c)
		}
	}
	if len(profiles) != 3 || len(contracts) != 1 {
		t.Fatalf("the guide has %d profiles and %d contracts", len(profiles), len(contracts))
	}
	catalog, verdicts := Profiles(provider.Builtin(), profiles)
	for name, verdict := range verdicts {
		if len(verdict.Findings) > 0 {
			t.Errorf("%s: %v", name, verdict.Findings)
		}
	}
	e := Contract(contracts[0].Name, &contracts[0].Spec, History{}, catalog)
	if !e.Publishable() || !e.Targets[0].Given {
		t.Errorf("the contract is not rendered strict: %v, %v", e.Findings, e.Targets[0].Findings)
	}
	if p, _ := catalog.Lookup("our-gateway"); p.ToolNames[0].MaxLength != 40 {
		t.Errorf("the gateway takes names of %d characters", p.ToolNames[0].MaxLength)
	}
	if p, _ := catalog.Lookup("openai-next"); len(p.Models) != 1 || !p.Models[0].Strict {
		t.Errorf("the models of the new profile are %v", p.Models)
	}
	bounded := schematest.Schema(t, `{"type":"object","properties":{"s":{"type":"string","minLength":1}},"required":["s"],"additionalProperties":false}`)
	if p, _ := catalog.Lookup("openai-responses"); finding.HasErrors(p.CheckSchema(bounded, provider.Strict)) {
		t.Errorf("the correction changes nothing: %v", p.CheckSchema(bounded, provider.Strict))
	}
}

// TestTheSampleProfilesAreValid, whatever is beside them.
func TestTheSampleProfilesAreValid(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../config/samples/profiles/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("there are no sample profiles: %v", err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var p v1alpha1.ProviderProfile
		readManifest(t, string(text), &p)
		_, verdicts := Profiles(provider.Builtin(), []v1alpha1.ProviderProfile{p})
		if findings := verdicts[p.Name].Findings; len(findings) > 0 {
			t.Errorf("%s: %v", path, findings)
		}
	}
}

func readManifest(t *testing.T, text string, into any) {
	t.Helper()
	if err := yaml.UnmarshalStrict([]byte(text), into); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}
