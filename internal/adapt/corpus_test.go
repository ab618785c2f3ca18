// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// realSchemas reads the input schemas of all real tools that are admitted.
func realSchemas(t *testing.T) map[string]*schema.Schema {
	t.Helper()
	out := map[string]*schema.Schema{}
	for _, path := range corpus.ToolFiles(t) {
		n := 0
		for tool := range corpus.Lines[corpus.Tool](t, path) {
			n++
			value, failed := schema.Parse(tool.InputSchema)
			if failed != nil {
				continue
			}
			if s, _ := schema.Admit(value); s != nil {
				out[fmt.Sprintf("%s:%d", filepath.Base(path), n)] = s
			}
		}
	}
	return out
}

// TestRenderedSchemasAreContained: for every real tool, profile, mode and
// effect, the rendered schema admits nothing that the author's refuses. A
// rewrite that widened would show here as a counter-example.
func TestRenderedSchemasAreContained(t *testing.T) {
	t.Parallel()
	answers := map[contain.Answer]int{}
	strict, compatible := map[string]int{}, map[string]int{}
	schemas := realSchemas(t)
	proved := map[[2]string]bool{}
	for name, author := range schemas {
		for _, profileName := range provider.Builtin().Names() {
			p := profile(t, profileName)
			for _, most := range []adapt.Effect{adapt.Keep, adapt.Narrow} {
				target := adapt.ForTarget(author, p, adapt.Preferred, nil, most)
				if most == adapt.Narrow && target.Compatible() {
					compatible[profileName]++
				}
				if most == adapt.Narrow && target.Given {
					strict[profileName]++
				}
				if target.Schema == nil || target.Schema == author {
					continue
				}
				pair := [2]string{target.Schema.Digest(), author.Digest()}
				if proved[pair] {
					continue
				}
				proved[pair] = true
				answer := contain.Contains(target.Schema, author)
				answers[answer.Answer]++
				if answer.Answer == contain.Refuted {
					t.Errorf("%s for %s up to %s admits %s, which the author's schema refuses: %v",
						name, profileName, most, finding.Clip(answer.Witness.JSON(), 200), target.Rewrites)
				}
				if most == adapt.Keep {
					if back := contain.Contains(author, target.Schema); back.Answer == contain.Refuted {
						t.Errorf("%s for %s with Keep refuses %s, which the author's schema admits: %v",
							name, profileName, finding.Clip(back.Witness.JSON(), 200), target.Rewrites)
					}
				}
			}
		}
	}
	for _, profileName := range provider.Builtin().Names() {
		t.Logf("%-24s of %d tools: %d compatible, %d strict", profileName, len(schemas), compatible[profileName], strict[profileName])
	}
	t.Logf("%d rewritten schemas: %d proven contained, %d not decided", len(proved), answers[contain.Proven], answers[contain.Unknown])
	if answers[contain.Proven] < len(proved)*9/10 {
		t.Errorf("only %d of %d rewrites are proven", answers[contain.Proven], len(proved))
	}
}
