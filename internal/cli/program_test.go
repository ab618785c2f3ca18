// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

// outcome is what one run of the program did.
type outcome struct {
	code     int
	out, err string
}

func run(stdin string, arguments ...string) outcome {
	var out, err bytes.Buffer
	p := Program{
		Name: "/usr/local/bin/toolcontract", Version: "v0.0.0-test", In: strings.NewReader(stdin), Out: &out, Err: &err,
		Now: func() time.Time { return time.Date(2026, 12, 24, 0, 0, 0, 0, time.UTC) },
	}
	code := p.Run(arguments)
	return outcome{code, out.String(), err.String()}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		arguments []string
		code      int
		out, err  string // a part of it
	}{
		{"no command", nil, 2, "", "Commands:"},
		{"an unknown command", []string{"chekc"}, 2, "", `there is no command "chekc"`},
		{"help", []string{"help"}, 0, "Commands:", ""},
		{"help as a flag", []string{"--help"}, 0, "Commands:", ""},
		{"help on a command", []string{"help", "render"}, 0, "toolcontract render FILE|DIR|-...", ""},
		{"help on an unknown command", []string{"help", "x"}, 2, "", `there is no command "x"`},
		{"help of check names the profiles", []string{"check", "--help"}, 0, "openai-responses", ""},
		{"help of import", []string{"import", "-h"}, 0, "--close-objects", ""},
		{"help of version", []string{"version", "--help"}, 0, "toolcontract version", ""},
		{"the version has the profiles", []string{"version"}, 0, "profile mcp-2025-11-25: revision ", ""},
		{"the version takes nothing", []string{"version", "x"}, 2, "", "takes no arguments"},
		{"an unknown flag", []string{"check", "--colour"}, 2, "", "unknown flag: --colour"},
		{"check without input", []string{"check"}, 2, "", "name a file, a directory, or - for standard input"},
		{"standard input twice", []string{"check", "-", "a.yaml", "-"}, 2, "", "can be read once only"},
		{"an unknown output format", []string{"check", "-", "-o", "yaml"}, 2, "", `there is no output format "yaml"`},
		{"an unknown profile", []string{"check", "-", "--profile", "openai"}, 2, "", `there is no profile "openai"; there are anthropic-messages, `},
		{"a profile twice", []string{"check", "-", "--profile", "mcp-2025-11-25", "--profile", "mcp-2025-11-25:Required"}, 2, "", "the profile is given twice"},
		{"an unknown strict policy", []string{"check", "-", "--profile", "mcp-2025-11-25:required"}, 2, "", `"required" is no strict policy; write Required, Preferred, Disabled`},
		{"an unknown adaptation", []string{"check", "-", "--profile", "mcp-2025-11-25:Required:Lose"}, 2, "", `"Lose" is no adaptation; write Keep, Narrow, Reshape, Widen`},
		{"too many parts", []string{"check", "-", "--profile", "mcp-2025-11-25:Required:Keep:x"}, 2, "", "write NAME[:STRICT[:ADAPTATION]]"},
		{"a missing file", []string{"check", "testdata/missing.yaml"}, 2, "", "testdata/missing.yaml: no such file"},
		{"an empty input", []string{"check", "-"}, 2, "", "there is no ToolContract in -"},
		{"render without input", []string{"render"}, 2, "", "name a file"},
		{"names of single profiles", []string{"render", "-", "--print-name", "--profile", "mcp-2025-11-25"}, 2, "", "leave --profile out"},
		{"import without input", []string{"import"}, 2, "", "name one file"},
		{"import of two files", []string{"import", "a", "b"}, 2, "", "name one file"},
		{"import in an unknown format", []string{"import", "-", "--format", "soap"}, 2, "", "write auto or mcp, openai, anthropic, gemini, bedrock"},
		{"help of profiles", []string{"help", "profiles"}, 0, "toolcontract profiles [NAME]", ""},
		{"help of diff", []string{"diff", "--help"}, 0, "toolcontract diff OLD NEW", ""},
		{"diff of one file", []string{"diff", "a"}, 2, "", "name two files"},
		{"diff of standard input with itself", []string{"diff", "-", "-"}, 2, "", "can be read once only"},
		{"diff of a missing file", []string{"diff", "testdata/missing.yaml", "-"}, 2, "", "no such file"},
		{"help of contains", []string{"contains", "--help"}, 0, "toolcontract contains A.json B.json", ""},
		{"contains of one file", []string{"contains", "a"}, 2, "", "name the files of two schemas"},
		{"contains of a missing file", []string{"contains", "testdata/missing.json", "-"}, 2, "", "no such file"},
		{"help of freeze", []string{"freeze", "--help"}, 0, "toolcontract freeze CONTRACT", ""},
		{"help of probe", []string{"probe", "--help"}, 0, "OPENAI_API_KEY", ""},
		{"an unknown profile to explain", []string{"profiles", "x"}, 2, "", `there is no profile "x"; there are anthropic-messages, `},
		{"two profiles to explain", []string{"profiles", "x", "y"}, 2, "", "name one profile"},
		{"profiles in an unknown format", []string{"profiles", "-o", "yaml"}, 2, "", `there is no output format "yaml"`},
		{"import with a bad namespace", []string{"import", "-", "--namespace", "../x"}, 2, "", "is not a DNS label"},
		{"import with a bad version", []string{"import", "-", "--version", "v1"}, 2, "", "--version: "},
		{"import with an unknown target", []string{"import", "-", "--target", "x:Required"}, 2, "", `there is no profile "x"`},
		{"import of a missing file", []string{"import", "testdata/missing.json"}, 2, "", "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run("", test.arguments...)
			if got.code != test.code || !strings.Contains(got.out, test.out) || !strings.Contains(got.err, test.err) {
				t.Errorf("got code %d, out %q, err %q", got.code, got.out, got.err)
			}
			if test.code == 2 && got.out != "" {
				t.Errorf("bad usage has the output %q", got.out)
			}
		})
	}
}

func TestHelpSpellsTheCommandAsItWasCalled(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, want string }{
		{"/usr/bin/kubectl-toolcontract", "kubectl toolcontract check FILE"},
		{"kubectl-tool_contract.exe", "kubectl tool-contract check FILE"},
		{"/tmp/toolcontract", "  toolcontract check FILE"},
		{"/tmp/go-build/main", "  toolcontract check FILE"},
	}
	for _, test := range tests {
		t.Run(test.path, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			p := Program{Name: test.path, Out: &out, Err: &out}
			if code := p.Run([]string{"check", "--help"}); code != 0 || !strings.Contains(out.String(), test.want) {
				t.Errorf("got code %d and %s", code, out.String())
			}
		})
	}
}

// brokenPipe fails every write.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	t.Parallel()
	var err bytes.Buffer
	p := Program{Out: brokenPipe{}, Err: &err}
	if code := p.Run([]string{"version"}); code != 2 || !strings.Contains(err.String(), "writing the output") {
		t.Errorf("got code %d and %q", code, err.String())
	}
}
