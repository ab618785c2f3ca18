// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// TestEveryRealToolRendersOrSaysWhy: for each real tool and each profile there
// are bytes, or an error that leads to a place and names the way out.
func TestEveryRealToolRendersOrSaysWhy(t *testing.T) {
	t.Parallel()
	profiles := provider.Builtin()
	rendered, refused, invalid := 0, 0, 0
	for _, path := range corpus.ToolFiles(t) {
		for tool := range corpus.Lines[corpus.Tool](t, path) {
			spec := contractOf(tool)
			content, findings := evaluate.Read(&spec.ToolContent)
			if content == nil {
				invalid++
				explains(t, tool.Name, "the contract", findings)
				continue
			}
			for _, name := range profiles.Names() {
				target := evaluate.Targets("tool", content, []v1alpha1.Target{{Profile: name}}, profiles)[0]
				if target.Compatible() {
					rendered++
					if finding.HasErrors(target.Findings) {
						t.Errorf("%s is rendered for %s in spite of %v", tool.Name, name, target.Findings)
					}
					continue
				}
				refused++
				explains(t, tool.Name, name, target.Findings)
			}
		}
	}
	t.Logf("%d rendered, %d refused by a profile, %d tools that are no contract", rendered, refused, invalid)
	if rendered == 0 {
		t.Error("nothing was rendered")
	}
}

func explains(t *testing.T, tool, where string, findings []finding.Finding) {
	t.Helper()
	errors := finding.Errors(findings)
	if len(errors) == 0 {
		t.Errorf("%s: %s refuses the tool without a word", tool, where)
	}
	for _, f := range errors {
		if f.Rule == "" || f.Message == "" || f.Fix == "" {
			t.Errorf("%s: %s does not say what is wrong or what to do: %+v", tool, where, f)
		}
	}
}
