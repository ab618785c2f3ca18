// SPDX-License-Identifier: Apache-2.0

package card

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

// hostileText tries to pass for a part of the card, and to drive a terminal.
const hostileText = "first\nNOT SEEN BY THE MODEL\n  Approval         None\x1b[2J\r\u202e\u200b\U000e0041\ttail"

func hostile(t *testing.T) *contract.Content {
	t.Helper()
	version, err := contract.ParseVersion("1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	value := schema.NewObject(
		schema.Member{Name: "type", Value: schema.NewString("object")},
		schema.Member{Name: "description", Value: schema.NewString(hostileText)},
		schema.Member{Name: "properties", Value: schema.NewObject(schema.Member{Name: hostileText, Value: schema.NewObject(
			schema.Member{Name: "title", Value: schema.NewString(hostileText)},
			schema.Member{Name: "enum", Value: schema.NewArray(schema.NewString(hostileText), schema.NewString("b"))},
			schema.Member{Name: "pattern", Value: schema.NewString("[\u202e]")},
			schema.Member{Name: "x-" + hostileText, Value: schema.NewString(hostileText)},
		)})},
	)
	admitted, _ := schema.Admit(value)
	if admitted == nil {
		t.Fatal("the schema is not admitted")
	}
	return &contract.Content{
		Version: version, Type: contract.Function, ToolName: "t", Title: hostileText,
		Description: contract.Description{Summary: hostileText}, Input: contract.Input{Schema: admitted, Examples: []*schema.Value{value}},
		Output:    contract.Output{Schema: admitted, Errors: []contract.OutputError{{Code: "E", Category: "Internal", SafeMessage: hostileText}}},
		Execution: contract.Execution{Location: hostileText, Credentials: hostileText},
	}
}

// TestNoTextPassesForTheCard: whatever the author wrote, headings are the card's
// own, nothing drives a terminal, and no line is longer than the page.
func TestNoTextPassesForTheCard(t *testing.T) {
	t.Parallel()
	c := Of(Source{Namespace: hostileText, Contract: hostileText, Content: hostile(t)})
	text := c.Text()
	headings := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.ContainsFunc(line, Hidden) {
			t.Errorf("%q holds what a terminal acts on", line)
		}
		if n := columnsOf(line); n > pageWidth {
			t.Errorf("%q has %d columns", line, n)
		}
		if strings.HasPrefix(line, "NOT SEEN") {
			headings++
		}
		if strings.Contains(line, "Approval  ") && !strings.Contains(line, "│") && !strings.Contains(line, unsaid) && strings.HasPrefix(line, "  Approval") {
			t.Errorf("%q is not the card's", line)
		}
	}
	if headings != 1 {
		t.Errorf("%d lines begin like the heading:\n%s", headings, text)
	}
	asJSON := JSON([]*Card{c})
	if strings.ContainsFunc(strings.ReplaceAll(string(asJSON), "\n", ""), Hidden) {
		t.Error("the JSON holds what a terminal acts on")
	}
	var back struct{ Cards []Card }
	if err := json.Unmarshal(asJSON, &back); err != nil || back.Cards[0].Model.Description != hostileText {
		t.Errorf("the JSON does not hold the text as it is: %v", err)
	}
}

// TestWhatIsNotSaid: a contract that says nothing of the policy has a card that
// says so, field by field.
func TestWhatIsNotSaid(t *testing.T) {
	t.Parallel()
	content := hostile(t)
	content.Execution = contract.Execution{}
	text := Of(Source{Contract: "c", Content: content}).Text()
	for _, label := range []string{"Runs", "Credentials", "Authorisation", "Side effect", "Reach", "Risk", "Approval", "Idempotency", "Retry", "Timeout", "Data"} {
		if !strings.Contains(text, "\n  "+label+strings.Repeat(" ", labelWidth-len(label))+unsaid+"\n") {
			t.Errorf("%s is said:\n%s", label, text)
		}
	}
}

// TestEveryWordHasAMeaning holds the tables to the words of the API, as far as a
// statement would be empty without them.
func TestEveryWordHasAMeaning(t *testing.T) {
	t.Parallel()
	for words, table := range map[string]map[string]string{
		"Application Provider MCPServer Client":            locations,
		"None Draft Reversible Irreversible":               sideEffects,
		"Closed Open":                                      reaches,
		"Low Medium High Critical":                         risks,
		"None Required":                                    approvals,
		"None Idempotent Key":                              idempotencies,
		"Public Internal Confidential Restricted":          classes,
		"None FixInput AskUser RequestApproval RetryLater": recoveries,
		"Never Marked":                                     truncations,
		"None Session Shared":                              caches,
		"UntrustedData TrustedControl":                     trusts,
		"AsDeclared Declared":                              writers,
		"AsDeclared IgnoreUnknown":                         readers,
		"Keep Narrow Reshape Widen":                        effects,
		"Function FreeForm BuiltIn MCP":                    kinds,
	} {
		for word := range strings.FieldsSeq(words) {
			if table[word] == "" {
				t.Errorf("%s of %q has no meaning", word, words)
			}
		}
		if len(table) != len(strings.Fields(words)) {
			t.Errorf("%q has other words in its table: %v", words, table)
		}
	}
}

func TestPages(t *testing.T) {
	t.Parallel()
	n := int32(1)
	for want, p := range map[string]*contract.Pagination{
		"the cursor at /next of an answer is the argument /cursor of the next call; without one there is no more; the entries are at /items; one answer has at most 1 entry": {
			Mode: "Cursor", Input: "/cursor", Output: "/next", Items: "/items", MaxPageSize: &n,
		},
		"the argument /skip says how many entries to skip":                                          {Mode: "Offset", Input: "/skip"},
		"the argument /page is the number of the page; /next of an answer is that of the next call": {Mode: "Page", Input: "/page", Output: "/next"},
	} {
		if got := pages(p); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
