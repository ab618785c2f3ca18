// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheGuidesOnResultsAndHostsAreTrue writes the files that the guides show, runs
// their commands, and compares what comes out.
func TestTheGuidesOnResultsAndHostsAreTrue(t *testing.T) {
	t.Parallel()
	for guide, commands := range map[string]int{"results.md": 4, "host.md": 2} {
		t.Run(guide, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../docs/guides/" + guide)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			blocks := regexp.MustCompile("(?s)```(\\w+)(?: (\\S+))?\n(.*?)```").FindAllStringSubmatch(string(text), -1)
			for _, block := range blocks {
				if block[2] == "" {
					continue
				}
				if err := os.WriteFile(filepath.Join(dir, block[2]), []byte(block[3]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			ran := 0
			for _, block := range blocks {
				if block[1] != "console" {
					continue
				}
				ran++
				line, want, _ := strings.Cut(block[3], "\n")
				words := strings.Fields(strings.TrimPrefix(line, "$ toolcontract "))
				got := run("", verifyArguments(dir, words[0], strings.Join(words[1:], " "))...)
				if got.out+got.err != want {
					t.Errorf("%s\ngot:\n%s\nthe guide has:\n%s", line, got.out+got.err, want)
				}
			}
			if ran != commands {
				t.Errorf("%d commands were run", ran)
			}
		})
	}
}
