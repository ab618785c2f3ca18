// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/cli"
)

// shims are the programs that documents may call. A shim writes down what it was
// called with and does nothing; what is not among them is not found.
var shims = []string{
	"aws", "cosign", "crane", "curl", "docker", "flux", "git", "go", "helm", "jq", "kubectl", "kubectl-toolcontract", "make", "node", "npm", "npx",
	"oras", "pip", "pre-commit", "promtool", "python3", "sha256sum", "skopeo", "sudo", "tar", "toolcontract", "argocd", "bin/toolcontract", "hack/tools/build.sh",
}

// plain are programs that only move text; the real ones are run.
var plain = []string{"bash", "cat", "cp", "diff", "echo", "env", "export", "grep", "head", "ls", "mkdir", "mv", "rm", "sed", "sleep", "sort", "tail", "tee", "touch", "tr", "wc", "ln", "chmod", "date"}

// script are the commands of a block: all of it, or what stands after the prompts
// of a session.
func (b block) script() string {
	switch b.language {
	case "sh", "bash", "shell":
		return b.text
	case "console":
		var out strings.Builder
		more := false
		for line := range strings.SplitSeq(b.text, "\n") {
			command, isCommand := strings.CutPrefix(line, "$ ")
			if !isCommand && more {
				command, isCommand = strings.TrimPrefix(line, "> "), true
			}
			if isCommand {
				out.WriteString(command + "\n")
				more = strings.HasSuffix(command, `\`) || strings.HasSuffix(command, "|") || strings.HasSuffix(command, "&&")
			}
		}
		return out.String()
	}
	return ""
}

// TestEveryCommandExists runs the blocks of every document in a shell in which
// programs only write down their arguments, and judges these: verbs and flags of
// the command are in its help, make has the target, files are there.
func TestEveryCommandExists(t *testing.T) {
	t.Parallel()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	bin := shimDir(t)
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, p := range pages(t) {
		for _, b := range p.blocks {
			script := b.script()
			if script == "" {
				continue
			}
			at := fmt.Sprintf("%s:%d", p.path, b.line)
			calls, said := record(t, bash, bin, script)
			if strings.Contains(said, "not found") || strings.Contains(said, "syntax error") {
				t.Errorf("%s: %s", at, said)
			}
			for _, call := range calls {
				total++
				if wrong := judgeCall(call, string(makefile)); wrong != "" {
					t.Errorf("%s: %s: %s", at, strings.Join(call, " "), wrong)
				}
			}
		}
	}
	if total < 40 {
		t.Errorf("only %d commands were found", total)
	}
}

func shimDir(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range shims {
		path := filepath.Join(bin, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		text := "#!/bin/sh\n{ printf '%s\\0' '" + name + "' \"$@\"; printf '\\n\\0'; } >> \"$CALLS\"\ncase \"$*\" in *\" -\") cat >/dev/null;; esac\nexit 0\n"
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range plain {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return bin
}

// record runs a script with shims, in an empty folder, and returns what was called.
func record(t *testing.T, bash, bin, script string) (calls [][]string, said string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"bin", "hack/tools"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bin/toolcontract", "hack/tools/build.sh"} {
		if err := os.Symlink(filepath.Join(bin, name), filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	written := filepath.Join(dir, ".calls")
	cmd := exec.CommandContext(context.Background(), bash, "-c", script)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + bin, "CALLS=" + written, "HOME=" + dir, "TMPDIR=" + dir}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // files that the commands would have made are missing
	raw, err := os.ReadFile(written)
	if err != nil {
		return nil, out.String()
	}
	for call := range strings.SplitSeq(string(raw), "\n\x00") {
		if words := strings.Split(strings.TrimSuffix(call, "\x00"), "\x00"); words[0] != "" {
			calls = append(calls, words)
		}
	}
	return calls, out.String()
}

// judgeCall says what is wrong with a call, if anything.
func judgeCall(call []string, makefile string) string {
	program, arguments := call[0], call[1:]
	for _, a := range arguments {
		if repositoryPath.MatchString(a) {
			if found, err := filepath.Glob(filepath.Join(root, a)); err != nil || len(found) == 0 {
				return "there is no " + a
			}
		}
	}
	switch program {
	case "toolcontract", "bin/toolcontract", "kubectl-toolcontract":
		return judgeToolcontract(arguments)
	case "kubectl":
		if len(arguments) > 0 && arguments[0] == "toolcontract" {
			return judgeToolcontract(arguments[1:])
		}
	case "go":
		if len(arguments) > 2 && arguments[0] == "run" && arguments[1] == "./cmd/toolcontract" {
			return judgeToolcontract(arguments[2:])
		}
	case "make":
		for _, a := range arguments {
			if target := regexp.MustCompile(`^[a-z][a-z-]*$`); target.MatchString(a) && !regexp.MustCompile(`(?m)^`+regexp.QuoteMeta(a)+`:`).MatchString(makefile) {
				return "there is no target " + a
			}
		}
	}
	return ""
}

var flagWord = regexp.MustCompile(`^(--[a-z][a-z-]*|-[a-zA-Z])(=|$)`)

// judgeToolcontract holds the flags of a call to the help of its verb.
func judgeToolcontract(arguments []string) string {
	if len(arguments) == 0 {
		return "it names no verb"
	}
	verb := arguments[0]
	if slices.Contains([]string{"help", "-h", "--help"}, verb) {
		return ""
	}
	var help bytes.Buffer
	program := cli.Program{Name: "toolcontract", In: strings.NewReader(""), Out: &help, Err: &help}
	if code := program.Run([]string{verb, "--help"}); code != 0 {
		return "there is no verb " + verb
	}
	for _, a := range arguments[1:] {
		if match := flagWord.FindStringSubmatch(a); match != nil && !regexp.MustCompile(`(?m)^ +(-[a-zA-Z], )?`+regexp.QuoteMeta(match[1])+`\b`).MatchString(help.String()) {
			return "the help of " + verb + " does not have the flag " + match[1]
		}
	}
	return ""
}
