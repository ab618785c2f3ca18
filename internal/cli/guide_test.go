// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestTheGuideOnProbeIsTrue loads the profile and reads the line of evidence that
// the guide shows.
func TestTheGuideOnProbeIsTrue(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/guides/probe.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(string(guide), -1)
	seen := map[string]int{}
	for _, block := range blocks {
		switch language, text := block[1], block[2]; language {
		case "json":
			if len(lines(t, strings.ReplaceAll(text, "\n", ""))) != 1 {
				t.Errorf("it is not one line of evidence: %s", text)
			}
			seen[language]++
		case "yaml":
			dir := profileDir(t, map[string]string{"openai-responses.yaml": text})
			got := run("", "profiles", "openai-responses", "--profile-dir", dir)
			if got.code != 0 || !strings.Contains(got.out, "  uniqueItems\n    strict   Accepted (High: probe)\n") {
				t.Errorf("got %+v", got)
			}
			seen[language]++
		}
	}
	if seen["json"] != 1 || seen["yaml"] != 1 {
		t.Errorf("the guide has the blocks %v", seen)
	}
	for _, c := range commands() {
		if readme, err := os.ReadFile("../../README.md"); err != nil || !strings.Contains(string(readme), "| `"+c.name+"` | ") {
			t.Errorf("README has no row for %s: %v", c.name, err)
		}
	}
}
