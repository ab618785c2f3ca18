// SPDX-License-Identifier: Apache-2.0

package sdk

import (
	"path/filepath"
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/contracts"
)

// rendering is one published file.
type rendering struct {
	contract, profile, strict string
	bytes                     []byte
}

// renderings evaluates the project's own functions for every built-in profile,
// strict and not, and returns the files of one wire format. Every profile of
// the format must have some.
func renderings(t *testing.T, wireFormat string) []rendering {
	t.Helper()
	profiles := provider.Builtin()
	var out []rendering
	for _, name := range profiles.Names() {
		profile, _ := profiles.Lookup(name)
		if profile.WireFormat != wireFormat {
			continue
		}
		before := len(out)
		for _, c := range contracts.All(t) {
			if !isFunction(c) {
				continue
			}
			for _, strict := range []v1alpha1.StrictPolicy{v1alpha1.StrictPreferred, v1alpha1.StrictDisabled} {
				spec := c.Spec
				spec.Targets = []v1alpha1.Target{{Profile: name, Strict: strict, Adaptation: v1alpha1.EffectReshape}}
				for _, target := range evaluate.Contract(c.Name, &spec, evaluate.History{}, profiles).Targets {
					if target.Compatible() {
						out = append(out, rendering{c.Name, name, string(strict), target.Bytes})
					}
				}
			}
		}
		if len(out) == before {
			t.Errorf("%s takes none of the contracts", name)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no profile has the wire format %s", wireFormat)
	}
	t.Logf("%d files of %s", len(out), wireFormat)
	return out
}

func isFunction(c *v1alpha1.ToolContract) bool {
	return c.Spec.Type == "" || c.Spec.Type == v1alpha1.TypeFunction
}

// typeContracts are the contracts of tools that are no plain functions, and that
// can be read: some of the catalogue are wrong on purpose.
func typeContracts(t *testing.T) map[*v1alpha1.ToolContract]*contract.Content {
	t.Helper()
	all := contracts.All(t)
	for _, folder := range []string{"internal/evaluate/testdata/types", "config/samples/types"} {
		paths, err := filepath.Glob(filepath.Join("../..", folder, "*.yaml"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s holds no contracts: %v", folder, err)
		}
		for _, path := range paths {
			all = append(all, contracts.Read(t, filepath.Join(folder, filepath.Base(path))))
		}
	}
	out := map[*v1alpha1.ToolContract]*contract.Content{}
	for _, c := range all {
		if content, findings := evaluate.Read(&c.Spec.ToolContent); !isFunction(c) && content != nil && !finding.HasErrors(findings) {
			out[c] = content
		}
	}
	return out
}

// typeRenderings are the files of one wire format with tools of one type. There
// must be some, unless none is wanted.
func typeRenderings(t *testing.T, wireFormat string, kind v1alpha1.ToolType, deferred bool) []rendering {
	t.Helper()
	profiles := provider.Builtin()
	var out []rendering
	for c, content := range typeContracts(t) {
		if c.Spec.Type != kind {
			continue
		}
		for _, name := range profiles.Names() {
			profile, _ := profiles.Lookup(name)
			if profile.WireFormat != wireFormat {
				continue
			}
			target := evaluate.ForProfile(c.Name, content, content.Digest(), v1alpha1.Target{Profile: name}, profile, evaluate.Placement{DeferLoading: deferred})
			if target.Compatible() {
				out = append(out, rendering{c.Name, name, "", target.Bytes})
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no tool of type %s has the wire format %s", kind, wireFormat)
	}
	return out
}

// each runs a check for every file of a wire format.
func each(t *testing.T, wireFormat string, check func(t *testing.T, r rendering)) {
	t.Helper()
	for _, r := range renderings(t, wireFormat) {
		t.Run(r.profile+"/"+r.contract+"/"+r.strict, func(t *testing.T) {
			t.Parallel()
			check(t, r)
		})
	}
}

// TestEveryWireFormatIsShown fails when a profile has a format that no test
// here decodes.
func TestEveryWireFormatIsShown(t *testing.T) {
	t.Parallel()
	shown := map[string]bool{
		"openai-responses": true, "openai-chat-completions": true, "anthropic-messages": true, "bedrock-tool-spec": true,
		"gemini-function-declaration": true, "gemini-function-declaration-openapi": true, "mcp-tool": true,
	}
	profiles := provider.Builtin()
	for _, name := range profiles.Names() {
		if profile, _ := profiles.Lookup(name); !shown[profile.WireFormat] {
			t.Errorf("%s has the wire format %s, which no SDK has read here", name, profile.WireFormat)
		}
	}
}
