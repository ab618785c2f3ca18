// SPDX-License-Identifier: Apache-2.0

package ci

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// action is what a composite action is made of.
type action struct {
	Inputs map[string]struct {
		Description string  `json:"description"`
		Default     *string `json:"default"`
	} `json:"inputs"`
	Outputs map[string]struct {
		Value string `json:"value"`
	} `json:"outputs"`
	Runs struct {
		Using string       `json:"using"`
		Steps []actionStep `json:"steps"`
	} `json:"runs"`
}

type actionStep struct {
	Name  string            `json:"name"`
	ID    string            `json:"id"`
	If    string            `json:"if"`
	Shell string            `json:"shell"`
	Uses  string            `json:"uses"`
	Env   map[string]string `json:"env"`
	Run   string            `json:"run"`
}

func loadAction() (a action, err error) {
	text, err := os.ReadFile(filepath.Join(up, "action.yml"))
	if err != nil {
		return a, err
	}
	return a, yaml.Unmarshal(text, &a)
}

func readAction(t *testing.T) action {
	t.Helper()
	a, err := loadAction()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestTheActionIsSafeToCall: no text of a caller is ever part of a script, and
// nothing of somebody else runs.
func TestTheActionIsSafeToCall(t *testing.T) {
	t.Parallel()
	a := readAction(t)
	if a.Runs.Using != "composite" || len(a.Runs.Steps) == 0 {
		t.Fatalf("runs %s with %d steps", a.Runs.Using, len(a.Runs.Steps))
	}
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: an expression in run is part of the script", step.Name)
		}
		if step.Shell != "bash" || step.Uses != "" {
			t.Errorf("%s: shell %q, uses %q", step.Name, step.Shell, step.Uses)
		}
	}
	for name, input := range a.Inputs {
		if input.Description == "" || input.Default == nil {
			t.Errorf("the input %s lacks a description or a default", name)
		}
	}
}

// call is one use of the action.
type call struct {
	inputs map[string]string
	// base and before are what the event says.
	base, before string
}

// outcome is what a run of the action leaves behind.
type outcome struct {
	steps            map[string]ran
	summary, outputs string
}

// act runs the steps of the action one after the other, as a runner does: a step
// without a condition is left out after one that failed. The step that builds was
// run once, by [installed].
func (r *repository) act(c call) outcome {
	r.Helper()
	a := readAction(r.T)
	values := map[string]string{
		"github.action_path": root(r.T),
		"inputs.against || github.event.pull_request.base.sha || github.event.before": first(c.inputs["against"], c.base, c.before),
	}
	for name, input := range a.Inputs {
		values["inputs."+name] = *input.Default
	}
	for name, value := range c.inputs {
		values["inputs."+name] = value
	}
	files := map[string]string{"RUNNER_TEMP": r.temp}
	for _, name := range []string{"GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"} {
		files[name] = filepath.Join(r.temp, name)
		if err := os.WriteFile(files[name], nil, 0o600); err != nil {
			r.Fatal(err)
		}
	}
	out := outcome{steps: map[string]ran{}}
	failed := false
	for _, step := range a.Runs.Steps {
		switch step.If {
		case "":
			if failed {
				continue
			}
		case "${{ !cancelled() && steps.build.outcome == 'success' }}":
			// It was built.
		default:
			r.Fatalf("%s: the test does not know the condition %s", step.Name, step.If)
		}
		if step.ID == "build" {
			if err := os.Symlink(filepath.Join(binDir(r.T), "toolcontract"), filepath.Join(r.temp, "toolcontract")); err != nil && !os.IsExist(err) {
				r.Fatal(err)
			}
			continue
		}
		environment := maps.Clone(files)
		for name, value := range step.Env {
			expression, isOne := strings.CutPrefix(value, "${{ ")
			expression, isWhole := strings.CutSuffix(expression, " }}")
			known, isKnown := values[expression]
			if !isOne || !isWhole || !isKnown {
				r.Fatalf("%s: the test does not know the value %s", step.Name, value)
			}
			environment[name] = known
		}
		result := r.bash(step.Run, r.temp, environment)
		out.steps[step.Name] = result
		failed = failed || result.code != 0
	}
	out.summary, out.outputs = read(r.T, files["GITHUB_STEP_SUMMARY"]), read(r.T, files["GITHUB_OUTPUT"])
	return out
}

// first is the first text that is not empty, as || is in expressions.
func first(texts ...string) string {
	if i := slices.IndexFunc(texts, func(s string) bool { return s != "" }); i >= 0 {
		return texts[i]
	}
	return ""
}

const (
	checkStep = "Check the contracts"
	planStep  = "Plan the merge"
)

// TestTheActionJudgesAPullRequest runs the whole action.
func TestTheActionJudgesAPullRequest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change      string
		inputs      map[string]string
		check, plan int
		annotations []string // in what the steps print
		summary     []string
	}{
		"harmless": {"harmless", nil, 0, 0, nil, []string{"impact Minor", "find-order", "1.1.0"}},
		"breaking": {"breaking", nil, 0, 1, []string{"::error::The plan"}, []string{"find-order", "MajorBumpRequired"}},
		"wrong": {
			"wrong", nil, 1, 1,
			[]string{"::error file=contracts/find order.yaml,line=14", "is not a JSON Schema type"},
			[]string{"find-order", "InvalidSchema"},
		},
		"nothing fails it":       {"breaking", map[string]string{"fail-on": "never"}, 0, 0, nil, []string{"MajorBumpRequired"}},
		"also a minor change":    {"harmless", map[string]string{"fail-on": "minor"}, 0, 1, nil, []string{"impact Minor"}},
		"two paths, empty lines": {"harmless", map[string]string{"paths": "\ncontracts/find order.yaml\n\n"}, 0, 0, nil, []string{"impact Minor"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t, test.change)
			got := r.act(call{inputs: test.inputs, base: r.base})
			check, plan := got.steps[checkStep], got.steps[planStep]
			if check.code != test.check || plan.code != test.plan {
				t.Errorf("check ends with %d, plan with %d; want %d and %d:\n%s\n%s", check.code, plan.code, test.check, test.plan, check.out, plan.out)
			}
			for _, want := range test.annotations {
				if !strings.Contains(check.out+plan.out, want) {
					t.Errorf("there is no %q in:\n%s%s", want, check.out, plan.out)
				}
			}
			for _, want := range test.summary {
				if !strings.Contains(got.summary, want) {
					t.Errorf("there is no %q in the summary:\n%s", want, got.summary)
				}
			}
			if file := filepath.Join(r.temp, "toolcontract-plan.md"); !strings.Contains(got.outputs, "plan="+file+"\n") || read(t, file) != got.summary {
				t.Errorf("outputs:\n%s", got.outputs)
			}
		})
	}
}

// TestTheActionWithoutACommitToCompareWith: the first push of a branch has none.
func TestTheActionWithoutACommitToCompareWith(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "harmless")
	for _, before := range []string{"", strings.Repeat("0", 40)} {
		got := r.act(call{before: before})
		if plan := got.steps[planStep]; plan.code != 0 || !strings.Contains(plan.out, "::notice::") || strings.Contains(got.outputs, "plan=") {
			t.Errorf("before %q: %+v, outputs %s", before, plan, got.outputs)
		}
	}
	if got := r.act(call{before: r.base}); got.steps[planStep].code != 0 || !strings.Contains(got.summary, "impact Minor") {
		t.Errorf("after a push: %+v", got)
	}
}

// TestInputsAreNotRun: an input may come from whoever opened the pull request.
func TestInputsAreNotRun(t *testing.T) {
	t.Parallel()
	for name, inputs := range map[string]map[string]string{
		"a command in the paths":    {"paths": "$(touch pwned) `touch pwned`; touch pwned\n\"; touch pwned; \""},
		"a flag in the paths":       {"paths": "--output=json"},
		"a command in the commit":   {"against": "$(touch pwned); touch pwned"},
		"a flag in the commit":      {"against": "--upload-pack=touch pwned;"},
		"a command in the limit":    {"fail-on": "never; touch pwned"},
		"a command in the profiles": {"profile-dir": "$(touch pwned)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t, "harmless")
			got := r.act(call{inputs: inputs, base: r.base})
			if got.steps[checkStep].code == 0 && got.steps[planStep].code == 0 {
				t.Errorf("everything is fine: %+v", got.steps)
			}
			for _, dir := range []string{r.dir, r.temp} {
				if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
					t.Errorf("the input was run: %+v", got.steps)
				}
			}
		})
	}
}
