// SPDX-License-Identifier: Apache-2.0

package change

import (
	"encoding/json"
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// What the changes of public bug reports need. A side without an entry does not
// occur in the report.
var reportedChanges = map[string]map[finding.Side]contract.Bump{
	"apicurio-output-schema-removed": {finding.Contract: major},
	"apicurio-required-to-optional":  {finding.Input: minor, finding.Output: major},
	"apicurio-type-array-compare":    {finding.Input: major, finding.Output: major},
	"client-cached-closed-object":    {finding.Input: minor, finding.Output: major},
	"github-mcp-root-anyof-two-days": {finding.Input: major, finding.Output: minor},
	"jsonschemadiff-enum-unseen":     {finding.Input: major, finding.Output: minor},
	// The same properties in another order: what the model reads, and no more.
	"pin-canonicalisation": {finding.Input: patch, finding.Output: patch},
	// A sentence that orders something new is a Minor; the property of an open
	// object beside it is what makes it a Major.
	"rug-pull-description":    {finding.Contract: major},
	"sep1575-no-tool-version": {finding.Input: major},
	// The dialect of a contract is always 2020-12; that one names it is noise.
	"supabase-dialect-bump":          {finding.Input: patch},
	"validator-race-on-list-changed": {finding.Contract: major},
}

func TestReportedChangesNeedTheRightBump(t *testing.T) {
	t.Parallel()
	type report struct {
		ID     string
		Schema json.RawMessage
	}
	seen := 0
	for r := range corpus.Lines[report](t, corpus.Path(t, "bugs.jsonl")) {
		var pair struct {
			Old json.RawMessage `json:"$old"`
			New json.RawMessage `json:"$new"`
		}
		if json.Unmarshal(r.Schema, &pair) != nil || pair.Old == nil {
			continue
		}
		seen++
		wants, known := reportedChanges[r.ID]
		if !known {
			t.Errorf("%s: nobody said what it needs", r.ID)
		}
		for side, want := range wants {
			old, next := reported(t, side, pair.Old, "1.4.2"), reported(t, side, pair.New, "1.5.0")
			if got := compare(old, next); got.Required != want {
				t.Errorf("%s, %s: needs %s, got %s %v", r.ID, side, want, got.Required, allSaid(got))
			}
		}
	}
	if seen != len(reportedChanges) {
		t.Errorf("%d reports of changes, %d expected", seen, len(reportedChanges))
	}
}

// reported makes a content of a schema on one side, or of a whole tool.
func reported(t *testing.T, side finding.Side, text json.RawMessage, version string) *contract.Content {
	t.Helper()
	var tool corpus.Tool
	switch side {
	case finding.Input:
		tool.InputSchema = text
	case finding.Output:
		tool.OutputSchema = text
	default:
		if err := json.Unmarshal(text, &tool); err != nil {
			t.Fatal(err)
		}
	}
	c, ok := wrap(tool, version)
	if !ok {
		t.Fatalf("not admitted: %s", text)
	}
	return c
}
