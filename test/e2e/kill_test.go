// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/importer"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// TestTwentyKillsWhileManyContractsAreApplied kills the real manager process
// twenty times while contracts arrive. In the end each contract has exactly
// what it would have without: one revision, one rendering and one channel with
// the right bytes if it is accepted, and nothing if it is not.
func TestTwentyKillsWhileManyContractsAreApplied(t *testing.T) {
	t.Parallel()
	const kills = 20
	w := newWorld(t)
	manager, err := managerBinary()
	if err != nil {
		t.Fatal(err)
	}
	contracts := manyContracts(t)
	random := rand.New(rand.NewPCG(20, 117)) // the same kills in every run
	for applied, round := 0, 1; round <= kills; round++ {
		kill := w.startProcess(manager)
		for ; applied < len(contracts)*round/kills; applied++ {
			w.put(contracts[applied])
		}
		enough := len(w.children()) + 1 + random.IntN(20)
		w.eventually(func() error {
			got := len(w.children())
			if got < enough && w.allFinal(applied) != nil {
				return fmt.Errorf("%d objects after %d kills, want %d", got, round, enough)
			}
			return nil
		})
		kill()
	}
	w.startOperator()
	w.eventually(func() error { return w.allFinal(len(contracts)) })
	w.eventually(w.complete)
	children := w.children()
	for _, c := range contracts {
		w.wantExactly(c, children)
	}
}

// startProcess runs the manager as a process of its own, with the operator's
// rights, until kill is called, which leaves it no time for anything.
func (w *world) startProcess(manager string) (kill func()) {
	w.Helper()
	kubeconfig := filepath.Join(w.TempDir(), "kubeconfig")
	if err := plane.WriteKubeconfig(kubeconfig, managerUser); err != nil {
		w.Fatal(err)
	}
	cmd := exec.CommandContext(w.Context(), manager, "--namespace="+w.namespace, "--provider-profiles=Ignore",
		"--metrics-bind-address=0", "--health-probe-bind-address=0")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig)
	if err := cmd.Start(); err != nil {
		w.Fatal(err)
	}
	return func() {
		if err := cmd.Process.Kill(); err != nil {
			w.Errorf("killing the manager: %v", err) // it had ended by itself
		}
		_ = cmd.Wait() // says that it was killed
	}
}

// manyContracts are 117 contracts: the tools of a real MCP server where they
// are at hand, else the project's catalogue under several names.
func manyContracts(t *testing.T) []*v1alpha1.ToolContract {
	t.Helper()
	const (
		count      = 117
		maxTargets = 16 // of one contract
	)
	var all []*v1alpha1.ToolContract
	if _, ok := corpus.Dir(); ok {
		text := readFile(t, corpus.Path(t, "tools/github-mcp-server.jsonl"))
		var targets []v1alpha1.Target
		for _, profile := range provider.Builtin().Names()[:maxTargets] {
			targets = append(targets, v1alpha1.Target{Profile: profile, OnIncompatible: v1alpha1.IncompatibleExclude})
		}
		all, _, _ = importer.Import([]byte(text), importer.Options{Targets: targets, Version: "1.0.0"})
	} else {
		catalogue := manifests(t, "test/catalogue/*.yaml")
		for i := range count {
			c := catalogue[i%len(catalogue)].DeepCopy()
			c.Name = fmt.Sprintf("%s-%d", c.Name, i/len(catalogue))
			all = append(all, c)
		}
	}
	if len(all) != count {
		t.Fatalf("there are %d contracts, want %d", len(all), count)
	}
	return all
}

// allFinal says what is missing until the operator has said its last word about
// all contracts of the namespace.
func (w *world) allFinal(count int) error {
	w.Helper()
	var list v1alpha1.ToolContractList
	if err := admin.List(w.Context(), &list, client.InNamespace(w.namespace)); err != nil {
		return err
	}
	if len(list.Items) != count {
		return fmt.Errorf("%d contracts, want %d", len(list.Items), count)
	}
	for i := range list.Items {
		if err := final(&list.Items[i]); err != nil {
			return err
		}
	}
	return nil
}

// wantExactly compares the children of a contract that has only ever had one
// version with what the engine says of it.
func (w *world) wantExactly(manifest *v1alpha1.ToolContract, children []client.Object) {
	w.Helper()
	c := w.contract(manifest.Name)
	e := evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, provider.Builtin())
	var want []string
	if e.Publishable() {
		want = []string{
			publish.RevisionName(c.Name, e.Content.Version),
			publish.RenderingName(c.Name, e.Content.Version, e.Bundle.Digest),
			publish.ChannelName(c.Name, e.Content.Version.Line()),
		}
	}
	var got []string
	for _, child := range children {
		if child.GetLabels()[v1alpha1.LabelContract] != c.Name {
			continue
		}
		got = append(got, child.GetName())
		if owner := metav1.GetControllerOf(child); owner == nil || owner.UID != c.UID {
			w.Errorf("%s is an orphan: its owner is %v", child.GetName(), owner)
		}
		if cm, ok := child.(*corev1.ConfigMap); ok && e.Bundle != nil {
			if diff := cmp.Diff(e.Bundle.Files, cm.Data); diff != "" {
				w.Errorf("%s has other bytes (-want +got):\n%s", cm.Name, diff)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		w.Errorf("%s has other objects (-want +got):\n%s\n%s", c.Name, diff, conditions(c))
	}
}
