// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheGuideListsEveryRewrite: users look a rule up by the name that a
// finding or contract.json gives them.
func TestTheGuideListsEveryRewrite(t *testing.T) {
	t.Parallel()
	guide, err := os.ReadFile("../../docs/guides/adaptation.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`Rule[A-Z][A-Za-z]* *= "([a-z-]+)"`)
	found := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range rule.FindAllStringSubmatch(string(text), -1) {
			found++
			if !strings.Contains(string(guide), "`"+match[1]+"`") {
				t.Errorf("docs/guides/adaptation.md does not list %s (%s)", match[1], file)
			}
		}
	}
	if found < 20 {
		t.Errorf("found only %d rules", found)
	}
}
