// SPDX-License-Identifier: Apache-2.0

package change

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// historyPair is one change of a real tool.
type historyPair struct {
	name     string
	old, new *contract.Content
}

// history reads every pair of which both sides are admitted.
func history(t testing.TB) (pairs []historyPair, refused int) {
	t.Helper()
	for change := range corpus.Changes(t) {
		if change.Old == nil || change.New == nil {
			continue
		}
		old, okOld := wrap(*change.Old, "1.4.2")
		next, okNew := wrap(*change.New, "1.5.0")
		if !okOld || !okNew {
			refused++
			continue
		}
		pairs = append(pairs, historyPair{change.Source + " " + change.Tool, old, next})
	}
	return pairs, refused
}

// wrap makes a content of an MCP tool. Tools of the corpus often name draft-07;
// what they use of it means the same in 2020-12.
func wrap(t corpus.Tool, version string) (*contract.Content, bool) {
	v, err := contract.ParseVersion(version)
	if err != nil {
		return nil, false
	}
	c := &contract.Content{Version: v, ToolName: t.Name, Title: t.Title}
	c.Description.Summary = t.Description
	var ok bool
	if c.Input.Schema, ok = read(t.InputSchema); !ok {
		return nil, false
	}
	if c.Output.Schema, ok = read(t.OutputSchema); !ok {
		return nil, false
	}
	return c, true
}

func read(text json.RawMessage) (*schema.Schema, bool) {
	if len(text) == 0 || string(text) == "null" {
		return nil, true
	}
	v, failed := schema.Parse(text)
	if failed != nil {
		return nil, false
	}
	if v.Kind() == schema.Object {
		v = v.Without("$schema")
	}
	s, findings := schema.Admit(v)
	if finding.HasErrors(findings) {
		return nil, false
	}
	if _, findings := s.Compile(); len(findings) > 0 {
		return nil, false
	}
	return s, true
}

func TestHistoriesOfRealToolsAreClassified(t *testing.T) {
	t.Parallel()
	pairs, refused := history(t)
	if len(pairs) < 1000 {
		t.Fatalf("only %d pairs", len(pairs))
	}
	bumps := map[contract.Bump]int{}
	rules := map[string]int{}
	unknown := 0
	for _, p := range pairs {
		r := compare(p.old, p.new)
		bumps[r.Required]++
		hasUnknown := false
		seen := map[string]bool{}
		for _, f := range r.Findings {
			hasUnknown = hasUnknown || f.Proof == Unknown
			if key := fmt.Sprintf("%v %s %s", f.Bump, f.Rule, f.Proof); !seen[key] {
				seen[key] = true
				rules[key]++
			}
			if IsDefect(f) {
				t.Errorf("%s: %s", p.name, f.Message)
			}
		}
		if hasUnknown {
			unknown++
		}
		if r.Required == contract.None != p.old.SameMeaning(p.new) {
			t.Errorf("%s: None must mean equal", p.name)
		}
	}
	t.Logf("%d pairs (%d not admitted): None %d, Patch %d, Minor %d, Major %d; with an Unknown finding %d (%.1f %%)",
		len(pairs), refused, bumps[contract.None], bumps[contract.Patch], bumps[contract.Minor], bumps[contract.Major],
		unknown, 100*float64(unknown)/float64(len(pairs)))
	keys := make([]string, 0, len(rules))
	for k := range rules {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		t.Logf("%5d  %s", rules[k], k)
	}
}
