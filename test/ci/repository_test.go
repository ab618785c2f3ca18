// SPDX-License-Identifier: Apache-2.0

package ci

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// up leads to the root of the project; the tests run in this directory.
const up = "../.."

// root is the root of the project.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(up)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// contract is the only contract of the repository.
func contract(version, numberType, more string) string {
	return fmt.Sprintf(`apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata:
  name: find-order
spec:
  version: %s
  toolName: find_order
  description:
    summary: Finds one order of the customer by its number. Changes nothing.
  input:
    schema:
      type: object
      properties:
        number: {type: %s, description: "The number on the receipt."}
%s      required: [number]
      additionalProperties: false
  targets:
  - {profile: openai-responses, strict: Disabled}
  - {profile: anthropic-messages}
`, version, numberType, more)
}

const note = "        note: {type: string, description: \"What else is known.\"}\n"

// changes are what a pull request can do to the contract.
var changes = map[string]string{
	"harmless": contract("1.1.0", "string", note),
	"breaking": contract("1.1.0", "integer", ""),
	"wrong":    contract("1.1.0", "text", ""),
}

// file is where the contract is, with a space: paths are the caller's.
const file = "contracts/find order.yaml"

// repository is a clone of a repository with the contract, in which one change is
// committed; the clone is shallow, as those of runners are.
type repository struct {
	*testing.T
	dir, base, temp string
}

func newRepository(t *testing.T, change string) *repository {
	t.Helper()
	r := &repository{T: t, dir: filepath.Join(t.TempDir(), "clone"), temp: t.TempDir()}
	origin := t.TempDir()
	r.git(origin, "init", "--quiet", "--initial-branch=main")
	r.commit(origin, contract("1.0.0", "string", ""))
	r.base = r.git(origin, "rev-parse", "HEAD")
	r.commit(origin, changes[change])
	r.git(t.TempDir(), "clone", "--quiet", "--depth=1", "file://"+origin, r.dir)
	return r
}

func (r *repository) commit(dir, text string) {
	r.Helper()
	path := filepath.Join(dir, filepath.FromSlash(file))
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.Fatal(err)
	}
	r.git(dir, "add", ".")
	r.git(dir, "-c", "user.name=author", "-c", "user.email=author@example.com", "commit", "--quiet", "--message=change")
}

func (r *repository) git(dir string, args ...string) string {
	r.Helper()
	cmd := exec.CommandContext(r.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// ran is what came of a script.
type ran struct {
	code int
	out  string
}

// bash runs a script as GitHub runs `shell: bash`, and with programs before those
// of the machine.
func (r *repository) bash(script, bin string, environment map[string]string) ran {
	r.Helper()
	cmd := exec.CommandContext(r.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, value := range environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		r.Fatal(err)
	}
	return ran{cmd.ProcessState.ExitCode(), out.String()}
}

// installed is a folder with the command, as the action builds it, and with a go that only installs what is
// there: the network is no part of these tests.
var installed = sync.OnceValues(func() (string, error) {
	bin, err := os.MkdirTemp("", "toolcontract-ci-")
	if err != nil {
		return "", err
	}
	source, err := filepath.Abs(up)
	if err != nil {
		return "", err
	}
	outputs := filepath.Join(bin, "outputs")
	build := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", buildScript())
	build.Dir = bin
	build.Env = append(os.Environ(), "SOURCE="+source, "RUNNER_TEMP="+bin, "GITHUB_OUTPUT="+outputs)
	if out, err := build.CombinedOutput(); err != nil {
		return bin, fmt.Errorf("building the command as the action does: %w: %s", err, out)
	}
	if said, err := os.ReadFile(outputs); err != nil || string(said) != "command="+filepath.Join(bin, "toolcontract")+"\n" {
		return bin, fmt.Errorf("the outputs of the step are %q: %w", said, err)
	}
	shim := "#!/bin/sh\ncase \"$1 $2\" in 'install github.com/toolcontract/operator/cmd/toolcontract@'*) exit 0;; esac\necho \"go $*: not expected\" >&2\nexit 3\n"
	return bin, os.WriteFile(filepath.Join(bin, "go"), []byte(shim), 0o700)
})

func TestMain(m *testing.M) {
	code := m.Run()
	if bin, _ := installed(); bin != "" {
		_ = os.RemoveAll(bin)
	}
	os.Exit(code)
}

func binDir(t *testing.T) string {
	t.Helper()
	bin, err := installed()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// buildScript is the script of the action that builds the command.
func buildScript() string {
	a, err := loadAction()
	if err != nil {
		return "exit 3"
	}
	for _, step := range a.Runs.Steps {
		if step.ID == "build" {
			return step.Run
		}
	}
	return "exit 3"
}
