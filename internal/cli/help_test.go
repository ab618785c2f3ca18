// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/toolcontract/operator/internal/provider"
)

// TestHelpOfEveryCommand: every command explains itself in the same form, on
// lines that fit a terminal.
func TestHelpOfEveryCommand(t *testing.T) {
	t.Parallel()
	for _, c := range commands() {
		got := run("", c.name, "--help")
		if again := run("", "help", c.name); again != got || got.code != 0 || got.err != "" {
			t.Errorf("%s: got %+v and %+v", c.name, got, again)
		}
		if !strings.Contains(got.out, "\nUsage:\n  toolcontract "+c.name) {
			t.Errorf("the help of %s has no usage", c.name)
		}
		for line := range strings.Lines(got.out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 100 {
				t.Errorf("the help of %s has a line of %d characters: %s", c.name, n, line)
			}
		}
		if overview := run("", "help").out; !strings.Contains(overview, "\n  "+c.name+" ") || !strings.Contains(overview, c.summary) {
			t.Errorf("the overview does not name %s", c.name)
		}
	}
}

// flagLine describes a flag, by its long name.
var flagLine = regexp.MustCompile(`(?m)^ +(?:-(\w), )?--([a-z-]+)`)

// TestHelpSaysWhatACommandTakes: all flags, the exit codes, and examples that the
// command takes.
func TestHelpSaysWhatACommandTakes(t *testing.T) {
	t.Parallel()
	p := Program{Name: "toolcontract", Out: new(bytes.Buffer), profiles: provider.Builtin()}
	for _, c := range commands() {
		help := run("", c.name, "--help").out
		described := map[string]string{}
		_, after, _ := strings.Cut(help, "\nFlags:\n")
		for _, m := range flagLine.FindAllStringSubmatch(after, -1) {
			described[m[2]] = m[1]
		}
		p.flagsOf(c).VisitAll(func(f *pflag.Flag) {
			if shorthand, ok := described[f.Name]; !ok || shorthand != f.Shorthand {
				t.Errorf("the help of %s does not describe --%s, or its short form", c.name, f.Name)
			}
			delete(described, f.Name)
		})
		delete(described, "help")
		for name := range described {
			t.Errorf("the help of %s describes --%s, which it does not take", c.name, name)
		}
		if !strings.Contains(help, "\nExit code: 0") {
			t.Errorf("the help of %s has no exit codes", c.name)
		}
		if n := examples(t, &p, c, help); n < 2 {
			t.Errorf("the help of %s has %d examples", c.name, n)
		}
	}
}

// quoted are the words of a command line as far as the examples need it.
var quoted = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s]+`)

// examples parses the examples of a help and counts them.
func examples(t *testing.T, p *Program, of command, help string) int {
	t.Helper()
	_, text, ok := strings.Cut(help, "\nExamples:\n")
	if !ok {
		return 0
	}
	n, own := 0, 0
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		n++
		for part := range strings.SplitSeq(line, "|") {
			words := quoted.FindAllString(strings.TrimSpace(part), -1)
			if len(words) < 2 || words[0] != "toolcontract" {
				continue
			}
			for i, w := range words {
				if w == ">" {
					words = words[:i]
					break
				}
			}
			known := false
			for _, c := range commands() {
				if c.name != words[1] {
					continue
				}
				known = true
				if c.name == of.name {
					own++
				}
				if err := p.flagsOf(c).Parse(words[2:]); err != nil {
					t.Errorf("example of %s: %s: %v", of.name, line, err)
				}
			}
			if !known {
				t.Errorf("example of %s: there is no command %s", of.name, words[1])
			}
		}
	}
	if own == 0 {
		t.Errorf("no example of %s has the command", of.name)
	}
	return n
}
