// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/example"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// realTool is a published tool with the hints of its server.
type realTool struct {
	corpus.Tool
	Source      string
	Annotations struct {
		Title                         string
		ReadOnlyHint, DestructiveHint *bool
	}
}

// contract is that of a published tool. What its server hints at is what its
// author would declare.
func (tool realTool) contract() *contract.Content {
	out := example.Tool{Name: tool.Name, Title: tool.Title, Description: tool.Description, InputSchema: string(tool.InputSchema)}
	if text := string(tool.OutputSchema); text != "null" {
		out.OutputSchema = text
	}
	switch hints := tool.Annotations; {
	case hints.ReadOnlyHint == nil:
	case *hints.ReadOnlyHint:
		out.SideEffect = "None"
	case hints.DestructiveHint != nil && *hints.DestructiveHint:
		out.SideEffect = "Irreversible"
	}
	content, _ := out.Content()
	return content
}

// realTools yields the published tools of real servers that are contracts.
func realTools(t testing.TB, each func(realTool, *contract.Content)) {
	t.Helper()
	for _, path := range corpus.Files(t, "tools/*-mcp*.jsonl", "tools/mcp-*.jsonl", "tools/npm/*.jsonl") {
		for tool := range corpus.Lines[realTool](t, path) {
			if content := tool.contract(); content != nil {
				each(tool, content)
			}
		}
	}
}

// TestErrorsAreRareInRealTools prints how many real tools each rule objects to.
// An Error fails a pull request, so that it must be rare where nobody meant harm;
// every hit of such a rule is printed, and was looked at.
func TestErrorsAreRareInRealTools(t *testing.T) {
	t.Parallel()
	tools, places, silent := map[string]int{}, map[string]int{}, 0
	total := 0
	var hits []string
	realTools(t, func(tool realTool, content *contract.Content) {
		total++
		findings := lint.Content(content)
		if len(findings) == 0 {
			silent++
		}
		seen := map[string]bool{}
		for _, f := range findings {
			places[f.Rule]++
			if !seen[f.Rule] {
				tools[f.Rule]++
			}
			seen[f.Rule] = true
			if f.Severity == finding.Error || f.Rule == "personal-data" {
				hits = append(hits, fmt.Sprintf("%s: %s %s: %s", f.Rule, tool.Source, tool.Name, f))
			}
		}
	})
	if total == 0 {
		t.Fatal("there are no tools")
	}
	slices.Sort(hits)
	for _, hit := range hits {
		t.Log(finding.Printable(hit))
	}
	t.Logf("%d tools, %d without a finding", total, silent)
	for _, rule := range lint.Rules() {
		share := 100 * float64(tools[rule.ID]) / float64(total)
		t.Logf("%-26s %-8s %5.1f %% of the tools, %d places", rule.ID, rule.Severity, share, places[rule.ID])
		if most := mostErrors[rule.Family]; rule.Severity == finding.Error && share > most {
			t.Errorf("%s objects to %.2f %% of the tools, more than %.1f %%: it accuses sound contracts", rule.ID, share, most)
		}
	}
}

// mostErrors is the greatest share of real tools, in percent, that an Error of a
// family may object to. Nobody publishes poison or secrets by thousands.
var mostErrors = map[string]float64{
	"Names": 2, "Parameters": 4, "Contradictions": 2, "Hidden and hostile text": 0.3, "Secrets and personal data": 0.3,
}

// TestSimilarToolsOfRealServers prints how many tools of real servers have a
// neighbour that nothing parts them from.
func TestSimilarToolsOfRealServers(t *testing.T) {
	t.Parallel()
	var order []string
	servers := map[string][]lint.Tool{}
	realTools(t, func(tool realTool, content *contract.Content) {
		if servers[tool.Source] == nil {
			order = append(order, tool.Source)
		}
		servers[tool.Source] = append(servers[tool.Source], lint.Tool{Contract: tool.Name, Content: content})
	})
	found, total := 0, 0
	for _, name := range order {
		tools := servers[name]
		total += len(tools)
		findings := lint.Similar(tools)
		found += len(findings)
		for _, f := range findings[:min(2, len(findings))] {
			t.Logf("%s: %s", name, f.Message)
		}
		if len(findings) > len(tools) {
			t.Errorf("%s: %d findings for %d tools", name, len(findings), len(tools))
		}
		reversed := slices.Clone(tools)
		slices.Reverse(reversed)
		if diff := cmp.Diff(findings, lint.Similar(reversed)); diff != "" {
			t.Errorf("%s: the order of the tools shows: %s", name, diff)
		}
	}
	t.Logf("%d of %d tools (%.1f %%) are about the same thing as a later one that nothing parts them from", found, total, 100*float64(found)/float64(total))
	if found == 0 {
		t.Error("no two tools of any server are similar")
	}
}
