// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"encoding/json"
	"iter"
	"testing"
)

// Tool is what a contract takes of an MCP tool.
type Tool struct {
	Name, Title, Description  string
	InputSchema, OutputSchema json.RawMessage
}

// ToolFiles returns the files with published tools, one tool a line.
func ToolFiles(t testing.TB) []string {
	t.Helper()
	return Files(t, "tools/*.jsonl", "tools/npm/*.jsonl")
}

// Change is one step in the history of a real tool; a tool that came or went
// has one side only.
type Change struct {
	Source, Tool string
	Old, New     *Tool
}

// Changes yields the histories of real servers.
func Changes(t testing.TB) iter.Seq[Change] {
	t.Helper()
	files := Files(t, "history/*.jsonl")
	return func(yield func(Change) bool) {
		t.Helper()
		for _, path := range files {
			for change := range Lines[Change](t, path) {
				if !yield(change) {
					return
				}
			}
		}
	}
}
