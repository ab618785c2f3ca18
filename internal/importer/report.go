// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// Report is what an import says beside the contracts: which tools it skipped,
// and what it could not carry over or changed.
type Report struct {
	entries []entry
	index   map[string]int
	skipped int
}

// entry is one thing that was said of one or more tools.
type entry struct {
	skipped bool
	text    string
	tools   []string
}

// note says something about a tool that became a contract.
func (r *Report) note(tool, text string) { r.add(entry{text: text}, tool) }

// skip says why a tool did not become a contract.
func (r *Report) skip(tool, text string) {
	r.skipped++
	r.add(entry{skipped: true, text: text}, tool)
}

func (r *Report) add(e entry, tool string) {
	if r.index == nil {
		r.index = map[string]int{}
	}
	key := fmt.Sprint(e.skipped, e.text)
	at, known := r.index[key]
	if !known {
		at = len(r.entries)
		r.index[key] = at
		r.entries = append(r.entries, e)
	}
	r.entries[at].tools = append(r.entries[at].tools, tool)
}

// Skipped counts the tools that did not become a contract.
func (r *Report) Skipped() int { return r.skipped }

// SkippedLines are those of [Report.Lines] about tools that did not become a
// contract.
func (r *Report) SkippedLines() []string {
	all := r.Lines()
	var out []string
	for i, e := range r.entries {
		if e.skipped {
			out = append(out, all[i])
		}
	}
	return out
}

// maxNamed bounds how many tools a line names.
const maxNamed = 3

// Lines are the entries in the order in which they came up, each once with the
// tools it is about: "note: get_me, get_team and 40 more: ...".
func (r *Report) Lines() []string {
	out := make([]string, len(r.entries))
	for i, e := range r.entries {
		word := "note"
		if e.skipped {
			word = "skipped"
		}
		out[i] = fmt.Sprintf("%s: %s: %s", word, named(e.tools), e.text)
	}
	return out
}

func named(tools []string) string {
	shown := make([]string, 0, maxNamed)
	for _, tool := range tools[:min(maxNamed, len(tools))] {
		shown = append(shown, finding.Clip(tool, 128))
	}
	text := strings.Join(shown, ", ")
	if rest := len(tools) - len(shown); rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}
