// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/envelope"
)

// TestTheCodeOfTheGuideIsThatOfTheExamples: what the guide shows compiles and runs.
func TestTheCodeOfTheGuideIsThatOfTheExamples(t *testing.T) {
	t.Parallel()
	guide, examples := readText(t, "../../docs/guides/host.md"), unindented(readText(t, "example_test.go"))
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(guide, -1)
	for _, block := range blocks {
		if !strings.Contains(examples, unindented(block[1])) {
			t.Errorf("no example has this code:\n%s", block[1])
		}
	}
	if len(blocks) != 2 {
		t.Errorf("there are %d blocks of code", len(blocks))
	}
}

func unindented(code string) string {
	lines := strings.Split(code, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimLeft(line, "\t")
	}
	return strings.Join(lines, "\n")
}

// TestTheTableOfCodesIsThatOfThePlatform compares the guide with the table.
func TestTheTableOfCodesIsThatOfThePlatform(t *testing.T) {
	t.Parallel()
	guide := readText(t, "../../docs/guides/results.md")
	again := envelope.Failures(&contract.Content{Execution: contract.Execution{SideEffect: "None"}})
	for i, f := range envelope.Failures(&contract.Content{}) {
		recovery := "`" + envelope.Wire(f.Recovery) + "`"
		if other := envelope.Wire(again[i].Recovery); other != envelope.Wire(f.Recovery) {
			recovery += "; `" + other + "` where a call may be repeated"
		}
		row := "| `" + f.Code + "` | " + recovery + " | `" + strings.Join(f.Outcomes, "`, `") + "` |\n"
		if !strings.Contains(guide, row) {
			t.Errorf("the guide lacks the row %s", row)
		}
	}
	_, table, _ := strings.Cut(guide, "| code of the platform")
	if rows := strings.Count(table, "\n| `"); rows < len(again) {
		t.Errorf("there are %d rows", rows)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
