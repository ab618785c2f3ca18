// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/importer"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
)

// TestTwentyKillsWhileManyContractsAreApplied kills the real manager process
// twenty times while contracts arrive. In the end each contract has exactly
// what it would have had without: one revision, one rendering and one channel
// with the right bytes if it is accepted, and nothing if it is not.
func TestTwentyKillsWhileManyContractsAreApplied(t *testing.T) {
	t.Parallel()
	const kills = 20
	w := newWorld(t)
	manager := filepath.Join(t.TempDir(), "manager")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", manager, repository("cmd/manager")).CombinedOutput(); err != nil {
		t.Fatalf("building the manager: %v\n%s", err, out)
	}
	contracts := manyContracts(t)
	random := rand.New(rand.NewPCG(20, 117)) // the same kills in every run
	applied := 0
	for kill := range kills {
		stop := w.startProcess(manager)
		for ; applied < len(contracts)*(kill+1)/kills; applied++ {
			w.put(contracts[applied])
		}
		enough := len(w.children()) + 1 + random.IntN(20)
		w.eventually(func() error {
			if got := len(w.children()); got < enough {
				return errors.Join(fmt.Errorf("%d children, want %d", got, enough), w.allFinal(applied))
			}
			return nil
		})
		stop()
	}
	w.startOperator()
	w.eventually(func() error { return w.allFinal(len(contracts)) })
	w.eventually(w.complete)
	for _, c := range contracts {
		w.wantExactly(c)
	}
}
