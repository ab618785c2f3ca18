// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
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
