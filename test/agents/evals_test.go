// SPDX-License-Identifier: Apache-2.0

package agents

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/contracts"
)

// evaluation is one request of config/samples/evals.
type evaluation struct {
	ID       string `json:"id"`
	Kind     string `json:"kind"`
	Tool     string `json:"tool"`
	Not      string `json:"not"`
	Language string `json:"language"`
	Request  string `json:"request"`
	Expect   struct {
		Call *struct {
			Tool      string          `json:"tool"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"call"`
		Ask    string   `json:"ask"`
		Forbid []string `json:"forbid"`
	} `json:"expect"`
}

func samples(t *testing.T) map[string]*contract.Content {
	t.Helper()
	out := map[string]*contract.Content{}
	for _, name := range []string{"get-order-status", "list-open-orders", "create-refund-draft", "submit-refund", "get-inventory", "reserve-inventory"} {
		content, findings := evaluate.Read(&contracts.Read(t, "config/samples/"+name+".yaml").Spec.ToolContent)
		if content == nil {
			t.Fatalf("%s: %v", name, findings)
		}
		out[content.ToolName] = content
	}
	return out
}

// TestEvaluationRequests holds the requests to the contracts: every expected call
// is one that the tool takes, every read tool has its three, and of each pair of
// similar tools both have a request that only they may answer.
func TestEvaluationRequests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../config/samples/evals/requests.yaml")
	do(t, err)
	var file struct {
		Requests []evaluation `json:"requests"`
	}
	do(t, yaml.UnmarshalStrict(text, &file))
	tools := samples(t)
	ids, kinds, languages := map[string]bool{}, map[string][]string{}, map[string]bool{}
	routes := map[[2]string]bool{}
	for _, e := range file.Requests {
		if ids[e.ID] || e.ID == "" || e.Request == "" || tools[e.Tool] == nil {
			t.Errorf("%q: the id is there twice, or the tool %q is none of the samples", e.ID, e.Tool)
		}
		ids[e.ID], languages[e.Language] = true, true
		kinds[e.Tool] = append(kinds[e.Tool], e.Kind)
		if e.Kind == "routing" {
			routes[[2]string{e.Tool, e.Not}] = true
			if e.Expect.Call == nil || e.Expect.Call.Tool != e.Tool || tools[e.Not] == nil {
				t.Errorf("%s: a routing request has a tool to call and one not to call", e.ID)
			}
		}
		if e.Kind == "read-only" && len(e.Expect.Forbid) == 0 {
			t.Errorf("%s: nothing is forbidden", e.ID)
		}
		if (e.Expect.Call == nil) == (e.Expect.Ask == "") {
			t.Errorf("%s: expect a call or a question", e.ID)
		}
		if call := e.Expect.Call; call != nil {
			takes(t, e.ID, tools[call.Tool], call.Arguments)
		}
	}
	for name, c := range tools {
		if c.Execution.SideEffect != "None" {
			continue
		}
		for _, kind := range []string{"exact-id", "no-invented-id", "read-only"} {
			if !slices.Contains(kinds[name], kind) {
				t.Errorf("%s has no request of the kind %s", name, kind)
			}
		}
	}
	for route := range routes {
		if !routes[[2]string{route[1], route[0]}] {
			t.Errorf("%s is told from %s, and not the other way", route[0], route[1])
		}
	}
	if len(routes) < 4 || !languages["en"] || !languages["zh"] || len(languages) != 2 {
		t.Errorf("%d routes, languages %v", len(routes), languages)
	}
}

func takes(t *testing.T, id string, c *contract.Content, arguments []byte) {
	t.Helper()
	if c == nil {
		t.Errorf("%s: the tool to call is none of the samples", id)
		return
	}
	value, failed := schema.Parse(arguments)
	if failed != nil {
		t.Errorf("%s: %s", id, failed.Message)
		return
	}
	validator, _ := c.Input.Schema.Compile()
	for _, f := range validator.Validate(value) {
		t.Errorf("%s: the arguments are not valid at %s: %s", id, f.Pointer, f.Message)
	}
}
