// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/toolcontract/operator/internal/localplane"
	"github.com/toolcontract/operator/internal/operator"
)

// walks are the documents whose blocks are run, in their order, and how many
// commands each has: a walk that lost its blocks would succeed. Blocks of sh must
// succeed; each command of a console must print what follows it, where a line ...
// stands for any lines and ... in a line for anything. A block of another language
// with a name is written to that file. <!-- not run: why --> leaves the next block
// out.
var walks = map[string]int{
	"docs/guides/authoring.md":           8,
	"docs/guides/first-contract.md":      24,
	"docs/guides/versioning-playbook.md": 19,
	"docs/guides/designing-tools.md":     6,
	"docs/guides/from-mcp-server.md":     13,
	"docs/guides/gitops.md":              5,
	"docs/guides/plan.md":                8,
	"docs/guides/status.md":              3,
	"README.md":                          4,
}

var update = flag.Bool("update", false, "write what the commands of the walks print into the documents")

// managerUser is the service account that config/default binds the rights to.
const managerUser = "system:serviceaccount:toolcontract-system:toolcontract-manager"

// blockTimeout bounds one block. Only a defect comes near it.
const blockTimeout = 3 * time.Minute

func TestTheWalksEndWhereTheySay(t *testing.T) {
	ctx := t.Context()
	ctrl.SetLogger(logr.Discard())
	binDir, err := localplane.BinDirFromEnv()
	if err != nil {
		t.Fatal(err)
	}
	plane, err := localplane.Start(ctx, localplane.Options{BinDir: binDir, Users: []localplane.User{{Name: managerUser}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	})
	w := world{tools: t.TempDir(), kubectl: filepath.Join(binDir, "kubectl"), plane: plane}
	w.build(t)
	w.must(t, root, plane.KubeconfigPath, "kubectl apply --server-side -k config/default && kubectl wait --for=condition=Established --timeout=30s crd --all")
	if err := plane.StartControllerManager(ctx); err != nil {
		t.Fatal(err)
	}
	w.startOperator(t)
	t.Run("walk", func(t *testing.T) { // ends before the operator does
		for path, commands := range walks {
			t.Run(filepath.Base(path), func(t *testing.T) {
				t.Parallel()
				if ran := w.walk(t, path); ran != commands {
					t.Errorf("%s has %d commands, not %d", path, ran, commands)
				}
			})
		}
	})
}

// world is what walks have in common.
type world struct {
	tools   string // a folder with programs
	kubectl string
	plane   *localplane.Plane
}

// build makes the command, under both of its names.
func (w world) build(t *testing.T) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", filepath.Join(w.tools, "toolcontract"), "./cmd/toolcontract")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("building the command: %v: %s", err, out)
	}
	for link, to := range map[string]string{"kubectl-toolcontract": filepath.Join(w.tools, "toolcontract"), "kubectl": w.kubectl} {
		if err := os.Symlink(to, filepath.Join(w.tools, link)); err != nil {
			t.Fatal(err)
		}
	}
}

func (w world) startOperator(t *testing.T) {
	t.Helper()
	config, err := w.plane.UserConfig(managerUser)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- operator.Run(ctx, config, operator.Options{Concurrency: 2, Repeated: true}) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// walk runs a document in a copy of the repository and in a namespace of its own,
// and returns how many commands it ran.
func (w world) walk(t *testing.T, path string) (commands int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	namespace := strings.ToLower(strings.TrimSuffix(filepath.Base(path), ".md"))
	dir := copyOfTheRepository(t)
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	if err := w.plane.WriteKubeconfig(kubeconfig, localplane.AdminUser); err != nil {
		t.Fatal(err)
	}
	w.must(t, dir, kubeconfig, "kubectl create namespace "+namespace+" && kubectl config set-context --current --namespace="+namespace)
	written := 0 // where in the document a step is looked for
	for _, b := range parse(path, string(text)).blocks {
		at := fmt.Sprintf("%s:%d", path, b.line)
		switch {
		case b.notRun != "":
		case b.script() == "" && b.name != "":
			file := filepath.Join(dir, filepath.FromSlash(b.name))
			if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
		case b.language == "console":
			for _, step := range steps(b.text) {
				commands++
				got, err := w.run(t, dir, kubeconfig, step.command)
				switch {
				case step.printed(got) && *update:
					written = step.rewrite(t, path, step.output, written)
				case step.printed(got):
				case *update:
					written = step.rewrite(t, path, got, written)
				default:
					t.Fatalf("%s: $ %sgot (%v):\n%s\nthe document has:\n%s", at, step.command, err, got, step.output)
				}
			}
		case b.script() != "":
			commands++
			if got, err := w.run(t, dir, kubeconfig, b.script()); err != nil {
				t.Fatalf("%s: %v:\n%s\nof:\n%s", at, err, got, b.script())
			}
		}
	}
	return commands
}

// step is one command of a session and what it prints.
type step struct{ command, output string }

func steps(session string) []step {
	var out []step
	for part := range strings.SplitSeq("\n"+strings.TrimSuffix(session, "\n"), "\n$ ") {
		if part == "" {
			continue
		}
		lines := strings.SplitAfter(part+"\n", "\n")
		n := 1
		for n < len(lines) && strings.HasPrefix(lines[n], "> ") {
			lines[n] = strings.TrimPrefix(lines[n], "> ")
			n++
		}
		out = append(out, step{strings.Join(lines[:n], ""), strings.Join(lines[n:], "")})
	}
	return out
}

// printed reports whether the output is what the document shows.
func (s step) printed(got string) bool {
	pattern := regexp.QuoteMeta(trimLines(s.output) + "\n")
	pattern = regexp.MustCompile(`(?m)^\\\.\\\.\\\.$\n?`).ReplaceAllLiteralString(pattern, "(?s:.*)")
	pattern = strings.ReplaceAll(pattern, `\.\.\.`, ".*")
	return regexp.MustCompile(`^` + pattern + `$`).MatchString(trimLines(got) + "\n")
}

// rewrite puts what the command printed in the place of what the document shows.
// What must not be shown as it is (ages, digests) is made ... by hand. The step is
// looked for after the ones before it.
func (s step) rewrite(t *testing.T, path, got string, from int) (to int) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(path))
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	command := "$ " + strings.ReplaceAll(strings.TrimSuffix(s.command, "\n"), "\n", "\n> ") + "\n"
	if got = trimLines(got); got != "" {
		got += "\n"
	}
	before, after, found := strings.Cut(string(text[from:]), command+s.output)
	if !found {
		t.Fatalf("%s does not have:\n%s", path, command+s.output)
	}
	if err := os.WriteFile(file, []byte(string(text[:from])+before+command+got+after), 0o600); err != nil {
		t.Fatal(err)
	}
	return from + len(before) + len(command) + len(got)
}

// trimLines takes away what a reader does not see: spaces at the end of lines.
func trimLines(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestWhatAStepPrints(t *testing.T) {
	t.Parallel()
	all := steps("$ one \\\n>   --two\na  \n...\nz 3s\n$ true\n")
	if len(all) != 2 || all[0].command != "one \\\n  --two\n" || all[1].output != "" {
		t.Fatalf("got %q", all)
	}
	for got, want := range map[string]bool{"a\nb\nc\nz 3s\n": true, "a\nz 3s": true, "a\nz 4s": false, "b\nz 3s": false} {
		if all[0].printed(got) != want {
			t.Errorf("%q printed: %v", got, !want)
		}
	}
	if all[1].printed("something") || !(step{output: "age ...s\n"}).printed("age 12s") {
		t.Error("what is not shown was printed")
	}
}

// run runs a script as a reader would, in a shell that stops at the first error.
func (w world) run(t *testing.T, dir, kubeconfig, script string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), blockTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+w.tools+string(os.PathListSeparator)+os.Getenv("PATH"), "GOFLAGS=-trimpath", "NO_COLOR=1")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func (w world) must(t *testing.T, dir, kubeconfig, script string) {
	t.Helper()
	if out, err := w.run(t, dir, kubeconfig, script); err != nil {
		t.Fatalf("%s: %v: %s", script, err, out)
	}
}

// copyOfTheRepository is what a clone would hold, with what is not committed yet.
func copyOfTheRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c",
		`git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' f; do [ -e "$f" ] && printf '%s\0' "$f"; done | tar --null -T - -cf - | tar -C "$1" -xf -`, "copy", dir)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("copying the repository: %v: %s", err, out)
	}
	return dir
}
