// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/contracts"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// load reads one manifest of the project.
func load(t testing.TB, path string) *v1alpha1.ToolContract {
	t.Helper()
	return contracts.Read(t, path)
}

func evaluateFirst(c *v1alpha1.ToolContract) *evaluate.Evaluation {
	return evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, provider.Builtin())
}

// TestSamplesRenderToTheirGoldens pins every published byte of the samples.
func TestSamplesRenderToTheirGoldens(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../config/samples/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, path := range paths {
		c := load(t, strings.TrimPrefix(path, "../../"))
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			e := evaluateFirst(c)
			if !e.Publishable() {
				t.Fatalf("not publishable: %v %v", e.Findings, e.Blocking())
			}
			for name, got := range e.Bundle.Files {
				golden.Check(t, "samples/"+c.Name+"/"+name, got)
			}
		})
	}
}

var builtin = provider.Builtin()
