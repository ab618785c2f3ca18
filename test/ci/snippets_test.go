// SPDX-License-Identifier: Apache-2.0

package ci

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// guide shows the snippets.
const guide = "docs/guides/ci.md"

// snippet is a file that the guide shows, read into out.
func snippet(t *testing.T, name string, out any) {
	t.Helper()
	block := regexp.MustCompile("(?s)\n```yaml " + regexp.QuoteMeta(name) + "\n(.*?)\n```\n")
	found := block.FindStringSubmatch(read(t, filepath.Join(root(t), guide)))
	if found == nil {
		t.Fatalf("%s shows no %s", guide, name)
	}
	if err := yaml.Unmarshal([]byte(found[1]), out); err != nil {
		t.Fatalf("%s of %s: %v", name, guide, err)
	}
}

// workflow is the part of a GitHub workflow that is run here.
type workflow struct {
	Permissions map[string]string `json:"permissions"`
	Jobs        map[string]struct {
		Steps []struct {
			Run  string            `json:"run"`
			Uses string            `json:"uses"`
			With map[string]string `json:"with"`
		} `json:"steps"`
	} `json:"jobs"`
}

// TestTheWorkflowCallsTheAction with inputs that it has, and the action then works.
func TestTheWorkflowCallsTheAction(t *testing.T) {
	t.Parallel()
	var w workflow
	snippet(t, ".github/workflows/tool-contracts.yaml", &w)
	a := readAction(t)
	calls := 0
	for _, step := range w.Jobs["tool-contracts"].Steps {
		if !strings.HasPrefix(step.Uses, "toolcontract/operator@") {
			continue
		}
		calls++
		for input := range step.With {
			if _, has := a.Inputs[input]; !has {
				t.Errorf("the action has no input %s", input)
			}
		}
		for change, fails := range map[string]bool{"harmless": false, "breaking": true, "wrong": true} {
			r := newRepository(t, change)
			got := r.act(call{inputs: step.With, base: r.base})
			if failed := got.steps[checkStep].code+got.steps[planStep].code > 0; failed != fails {
				t.Errorf("%s: %+v", change, got.steps)
			}
		}
	}
	if calls != 1 || len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
		t.Errorf("%d calls with the permissions %v", calls, w.Permissions)
	}
}

// TestTheScanWritesWhatIsUploaded also when there are findings, and fails when
// there is nothing to check.
func TestTheScanWritesWhatIsUploaded(t *testing.T) {
	t.Parallel()
	var w workflow
	snippet(t, ".github/workflows/tool-contracts-scan.yaml", &w)
	script, uploaded := "", ""
	for _, step := range w.Jobs["scan"].Steps {
		script += step.Run + "\n"
		uploaded += step.With["sarif_file"]
	}
	for _, change := range []string{"harmless", "wrong"} {
		r := newRepository(t, change)
		if got := r.bash(script, binDir(t), nil); got.code != 0 {
			t.Errorf("%s: %+v", change, got)
		}
		log := read(t, filepath.Join(r.dir, uploaded))
		if !strings.Contains(log, `"version": "2.1.0"`) || strings.Contains(log, "invalid-schema") != (change == "wrong") {
			t.Errorf("%s:\n%s", change, log)
		}
	}
	empty := newRepository(t, "harmless")
	empty.git(empty.dir, "rm", "--quiet", "-r", "contracts")
	if got := empty.bash(script, binDir(t), nil); got.code == 0 {
		t.Errorf("without contracts: %+v", got)
	}
}

// TestGitLab runs the script of the job as the runner does: line after line in one
// shell.
func TestGitLab(t *testing.T) {
	t.Parallel()
	var file map[string]struct {
		Script    []string          `json:"script"`
		Variables map[string]string `json:"variables"`
	}
	snippet(t, ".gitlab-ci.yml", &file)
	job := file["tool-contracts"]
	for change, want := range map[string]struct {
		code int
		text string
	}{
		"harmless": {0, "impact Minor"}, "breaking": {1, "MajorBumpRequired"}, "wrong": {1, "is not a JSON Schema type"},
	} {
		r := newRepository(t, change)
		if job.Variables["GIT_DEPTH"] == "0" {
			r.git(r.dir, "fetch", "--quiet", "--unshallow")
		}
		got := r.bash(strings.Join(job.Script, "\n"), binDir(t), map[string]string{"CI_MERGE_REQUEST_DIFF_BASE_SHA": r.base})
		if got.code != want.code || !strings.Contains(got.out, want.text) {
			t.Errorf("%s: ends with %d, want %d and %q:\n%s", change, got.code, want.code, want.text, got.out)
		}
	}
}

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID            string   `json:"id"`
	Entry         string   `json:"entry"`
	Args          []string `json:"args"`
	Language      string   `json:"language"`
	Files         string   `json:"files"`
	PassFilenames *bool    `json:"pass_filenames"`
}

// TestPreCommit runs each hook as pre-commit does, with its own arguments and with
// those of the guide.
func TestPreCommit(t *testing.T) {
	t.Parallel()
	var hooks []hook
	if err := yaml.Unmarshal([]byte(read(t, filepath.Join(root(t), ".pre-commit-hooks.yaml"))), &hooks); err != nil || len(hooks) == 0 {
		t.Fatalf("%d hooks: %v", len(hooks), err)
	}
	var configuration struct {
		Repos []struct {
			Hooks []hook `json:"hooks"`
		} `json:"repos"`
	}
	snippet(t, ".pre-commit-config.yaml", &configuration)
	arguments := map[string][][]string{}
	for _, h := range hooks {
		arguments[h.ID] = [][]string{h.Args}
		if h.Language != "golang" || h.PassFilenames == nil || *h.PassFilenames || !regexp.MustCompile(h.Files).MatchString(file) {
			t.Errorf("%+v", h)
		}
	}
	for _, h := range configuration.Repos[0].Hooks {
		if arguments[h.ID] == nil {
			t.Errorf("there is no hook %s", h.ID)
		}
		arguments[h.ID] = append(arguments[h.ID], h.Args)
	}
	for _, h := range hooks {
		for _, args := range arguments[h.ID] {
			for change, code := range map[string]int{"harmless": 0, "wrong": 1} {
				r := newRepository(t, change)
				if h.ID == "toolcontract-fmt" {
					code = 0 // of what a contract says
				}
				if got := r.bash(h.Entry+" "+strings.Join(args, " "), binDir(t), nil); got.code != code {
					t.Errorf("%s %v, %s: ends with %d, want %d:\n%s", h.ID, args, change, got.code, code, got.out)
				}
			}
		}
	}
}

// TestFormattingIsSeen: pre-commit fails a hook that changes files, once.
func TestFormattingIsSeen(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "harmless")
	path := filepath.Join(r.dir, filepath.FromSlash(file))
	laidOut := func() string {
		if got := r.bash("toolcontract fmt contracts", binDir(t), nil); got.code != 0 {
			t.Fatalf("%+v", got)
		}
		return read(t, path)
	}
	want := laidOut()
	if err := os.WriteFile(path, []byte(strings.Replace(want, "  version: 1.1.0\n  toolName: find_order\n", "  toolName: find_order\n  version: 1.1.0\n", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if r.git(r.dir, "add", "."); laidOut() != want || r.git(r.dir, "diff", "--name-only") == "" {
		t.Errorf("the file is not laid out:\n%s", read(t, path))
	}
}
