// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// buildCommand builds the command toolcontract once for the package.
var buildCommand = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "toolcontract-e2e-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "toolcontract")
	out, err := exec.Command("go", "build", "-o", path, repository("cmd/toolcontract")).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the command: %w: %s", err, out)
	}
	return path, nil
})

// toolcontract runs the command and returns its standard output.
func toolcontract(t *testing.T, input string, args ...string) string {
	t.Helper()
	path, err := buildCommand()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Stdin = strings.NewReader(input)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("toolcontract %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// TestRealToolsFromImportToConfigMap takes all tools of a real server the whole
// way: imported by the command, applied with kubectl in both of its ways,
// judged by the operator. What the cluster publishes is byte for byte what the
// command renders from the same manifest.
func TestRealToolsFromImportToConfigMap(t *testing.T) {
	t.Parallel()
	manifests := toolcontract(t, "", "import", corpus.Path(t, "tools/github-mcp-server.jsonl"))
	const count = 117
	for name, flags := range map[string][]string{"client-side apply": nil, "server-side apply": {"--server-side"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.startOperator()
			w.apply(manifests, flags...)
			dir := t.TempDir()
			toolcontract(t, manifests, "render", "-", "--out", dir)
			w.eventually(func() error { return w.allFinal(count) })
			var list v1alpha1.ToolContractList
			if err := admin.List(t.Context(), &list, client.InNamespace(w.namespace)); err != nil {
				t.Fatal(err)
			}
			for i := range list.Items {
				w.wantRendered(&list.Items[i], filepath.Join(dir, "default", list.Items[i].Name))
			}
		})
	}
}

// wantRendered compares the channel of a contract with a directory that the
// command rendered, and the digest of its content with the command's.
func (w *world) wantRendered(c *v1alpha1.ToolContract, dir string) {
	w.Helper()
	w.wantCondition(c, v1alpha1.ConditionReady, "True", v1alpha1.ReasonPublished)
	content, findings := evaluate.Read(&c.Spec.ToolContent)
	if content == nil {
		w.Fatalf("%s: %v", c.Name, findings)
	}
	if got := c.Status.Issued[0].Digest; got != content.Digest() {
		w.Errorf("%s: issued %s, the command says %s", c.Name, got, content.Digest())
	}
	data := w.configMap(c.Status.Channels[0].ConfigMap).Data
	entries, err := os.ReadDir(dir)
	if err != nil {
		w.Fatal(err)
	}
	if len(entries) != len(data) {
		w.Errorf("%s: the command rendered %d files, the ConfigMap has %d", c.Name, len(entries), len(data))
	}
	for _, entry := range entries {
		if rendered := readFile(w.T, filepath.Join(dir, entry.Name())); rendered != data[entry.Name()] {
			w.Errorf("%s/%s: the command rendered\n%s\nthe ConfigMap has\n%s", c.Name, entry.Name(), rendered, data[entry.Name()])
		}
	}
	if !strings.Contains(data["contract.json"], content.Digest()) {
		w.Errorf("%s: contract.json lacks the content digest", c.Name)
	}
}

// TestCatalogueOnTheCluster applies the whole catalogue and compares every
// outcome with what the first lines of its files expect.
func TestCatalogueOnTheCluster(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	out, err := kubectl(t.Context(), "", "apply", "--server-side", "-n", w.namespace, "-f", repository("test/catalogue"))
	if err != nil {
		t.Fatalf("kubectl apply: %v\n%s", err, out)
	}
	paths, err := filepath.Glob(repository("test/catalogue/*.yaml"))
	if err != nil || len(paths) != 57 {
		t.Fatalf("%d contracts: %v", len(paths), err)
	}
	for _, path := range paths {
		text := readFile(t, path)
		first, _, _ := strings.Cut(text, "\n")
		want := strings.TrimPrefix(first, "# expect: ")
		c := w.settled(manifest(t, text).Name)
		got := c.Status.Summary
		if !strings.Contains(want, ":") {
			got, _, _ = strings.Cut(got, ":")
		}
		got, _, _ = strings.Cut(got, ";")
		if got != want {
			t.Errorf("%s: summary %q, want %q\n%s", c.Name, c.Status.Summary, want, conditions(c))
		}
	}
}
