// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asProgram is the variable that makes the test binary the program, for shells.
const asProgram = "TOOLCONTRACT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(Program{Name: "toolcontract", In: os.Stdin, Out: os.Stdout, Err: os.Stderr}.Run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// completions are the words that follow, without their meanings.
func completions(arguments ...string) string {
	var out []string
	for line := range strings.Lines(run("", append([]string{completeCommand}, arguments...)...).out) {
		text, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

func TestComplete(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		arguments []string
		want      string
	}{
		{"commands", []string{"ver"}, "verify-call verify-result verify version :4"},
		{"what help explains", []string{"help", "pro"}, "profiles probe :4"},
		{"an unknown command", []string{"chekc", ""}, ":4"},
		{"files", []string{"check", ""}, ":0"},
		{"flags", []string{"profiles", "-"}, "--color --output --profile-dir --help :4"},
		{"a flag", []string{"check", "--out"}, "--output :4"},
		{"values of a flag", []string{"check", "--output", ""}, "text json sarif github :4"},
		{"values of its short form", []string{"check", "-o", "s"}, "sarif :4"},
		{"values in one word", []string{"check", "--output=s"}, "--output=sarif :4"},
		{"values in words that Bash parts", []string{"check", "--output", "=", "s"}, "sarif :4"},
		{"no value yet in words that Bash parts", []string{"check", "--color", "="}, "auto always never :4"},
		{"colours", []string{"diff", "--color", "a"}, "auto always :4"},
		{"profiles of a flag", []string{"check", "a.yaml", "--profile", "gemini"}, "gemini-json-schema gemini-openapi :4"},
		{"strictness", []string{"check", "--profile", "mcp-2025-11-25:"}, "mcp-2025-11-25:Required mcp-2025-11-25:Preferred mcp-2025-11-25:Disabled :4"},
		{"strictness in words that Bash parts", []string{"check", "--profile", "mcp-2025-11-25", ":", "Req"}, "Required :4"},
		{"adaptation in words that Bash parts", []string{"check", "--profile", "=", "mcp-2025-11-25", ":", "Required", ":", "K"}, "Keep :4"},
		{"directories of a flag", []string{"check", "--profile-dir", ""}, ":16"},
		{"files of a flag", []string{"check", "--evidence", ""}, ":0"},
		{"a text of one's own", []string{"import", "--version", ""}, ":4"},
		{"after a flag without a value", []string{"verify", "--part", ""}, ":0"},
		{"profiles", []string{"profiles", "groq"}, "groq-chat :4"},
		{"shells", []string{"completion", ""}, "bash zsh fish powershell kubectl :4"},
		{"nothing", nil, completions("")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, completions(test.arguments...)); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := run("", completeCommand, "profiles", "groq").out; !strings.HasPrefix(got, "groq-chat\tGroq") {
		t.Errorf("the meaning is not there: %q", got)
	}
}

func TestScriptsOfShells(t *testing.T) {
	t.Parallel()
	for _, s := range shells {
		got := run("", "completion", s.name)
		if got.code != 0 || !strings.Contains(got.out, "__complete") || !strings.Contains(got.out, "toolcontract") || got.err != "" {
			t.Errorf("%s: got %+v", s.name, got)
		}
		if again := run("", "completion", s.name); again != got {
			t.Errorf("%s: the script is another one the second time", s.name)
		}
	}
	if got := run("", "completion", "csh"); got.code != 2 || !strings.Contains(got.err, `name one of bash, zsh, fish, powershell, kubectl; there is no script for "csh"`) {
		t.Errorf("got %+v", got)
	}
}

// TestCompletionInBash sources the script in Bash and asks it, with the words as Bash
// parts them.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "completion.bash")
	if err := os.WriteFile(script, []byte(run("", "completion", "bash").out), 0o600); err != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		`pro`:                                  "profiles probe",
		`check --profile gemini-op`:            "gemini-openapi",
		`check --output = gi`:                  "github",
		`check --profile mcp-2025-11-25 : Req`: "Required",
		`check ''`:                             "",
	} {
		bash := exec.CommandContext(t.Context(), "bash", "-c", `set -u
toolcontract() { "$PROGRAM" "$@"; }
. "$1"
complete -p toolcontract >/dev/null || exit 1
COMP_WORDS=(toolcontract `+words+`)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_toolcontract
echo "${COMPREPLY[*]-}"`, "bash", script)
		bash.Env = append(os.Environ(), "PROGRAM="+os.Args[0], asProgram+"=1")
		out, err := bash.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s: got %q, want %q; %v", words, got, want, err)
		}
	}
}

// TestCompletionOfThePlugin runs the script that kubectl asks.
func TestCompletionOfThePlugin(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "kubectl_complete-toolcontract")
	if err := os.WriteFile(script, []byte(run("", "completion", "kubectl").out), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(os.Args[0], filepath.Join(dir, "kubectl-toolcontract")); err != nil {
		t.Fatal(err)
	}
	ask := exec.CommandContext(t.Context(), "sh", script, "check", "-o", "sar")
	ask.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), asProgram+"=1")
	if out, err := ask.CombinedOutput(); err != nil || string(out) != "sarif\n:4\n" {
		t.Errorf("got %q; %v", out, err)
	}
}
