// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// typeContracts are one contract of each kind of tool that is no plain function.
func typeContracts(t testing.TB) []*v1alpha1.ToolContract {
	t.Helper()
	paths, err := filepath.Glob("testdata/types/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no contracts: %v", err)
	}
	out := make([]*v1alpha1.ToolContract, len(paths))
	for i, path := range paths {
		out[i] = load(t, filepath.Join("internal/evaluate", path))
	}
	return out
}

// forProfile evaluates the contract for one profile, with the settings of its
// first target.
func forProfile(t testing.TB, c *v1alpha1.ToolContract, profile string) evaluate.Target {
	t.Helper()
	spec := c.Spec.DeepCopy()
	spec.Targets = spec.Targets[:1]
	spec.Targets[0].Profile = profile
	e := evaluate.Contract(c.Name, spec, evaluate.History{}, builtin)
	if len(e.Targets) != 1 || len(e.Findings) > 0 {
		t.Fatalf("%s: %d targets: %v", c.Name, len(e.Targets), e.Findings)
	}
	return e.Targets[0]
}

// TestEveryTypeAtEveryProfile pins the rendering, or why there is none.
func TestEveryTypeAtEveryProfile(t *testing.T) {
	t.Parallel()
	for _, c := range typeContracts(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			var text bytes.Buffer
			for _, name := range builtin.Names() {
				target := forProfile(t, c, name)
				fmt.Fprintf(&text, "%s\n", name)
				for _, f := range target.Findings {
					fmt.Fprintf(&text, "  %s\n", f)
				}
				if !target.Compatible() {
					continue
				}
				fmt.Fprintf(&text, "  %s", target.Bytes)
				for _, count := range target.Counts {
					if count.N > 0 {
						fmt.Fprintf(&text, "  counts as %d %s\n", count.N, provider.MeasureWords(count.Measure))
					}
				}
			}
			golden.Check(t, "types/"+c.Name+".txt", text.Bytes())
		})
	}
}

// TestEveryTypeIsRenderedSomewhere: a contract that no profile takes shows
// nothing.
func TestEveryTypeIsRenderedSomewhere(t *testing.T) {
	t.Parallel()
	for _, c := range typeContracts(t) {
		e := evaluateFirst(c)
		if !e.Publishable() {
			t.Errorf("%s is not publishable: %v %v", c.Name, e.Findings, e.Blocking())
			continue
		}
		for _, file := range []string{v1alpha1.FileContract} {
			if !strings.Contains(e.Bundle.Files[file], `"type":"`+string(c.Spec.Type)+`"`) {
				t.Errorf("%s: %s does not say the type", c.Name, file)
			}
		}
	}
}

// typeContract is one of [typeContracts], changed.
func typeContract(t *testing.T, name string, change func(*v1alpha1.ToolContractSpec)) *v1alpha1.ToolContract {
	t.Helper()
	c := load(t, "internal/evaluate/testdata/types/"+name+".yaml")
	if change != nil {
		change(&c.Spec)
	}
	return c
}

// TestWhatStandsAgainstAType: each contract is wrong in one way, at one place.
func TestWhatStandsAgainstAType(t *testing.T) {
	t.Parallel()
	target := func(profile string, strict v1alpha1.StrictPolicy) []v1alpha1.Target {
		return []v1alpha1.Target{{Profile: profile, Strict: strict}}
	}
	for name, c := range map[string]struct {
		contract string
		change   func(*v1alpha1.ToolContractSpec)
		rule     string
		pointer  string
		says     string
	}{
		"a server tool that has to be strict": {
			"find-orders", func(s *v1alpha1.ToolContractSpec) { s.Targets = target("openai-responses", v1alpha1.StrictRequired) },
			evaluate.RuleNeverStrict, "/spec/targets/0/strict", "strict is Required",
		},
		"a tool of the API that has to be strict": {
			"web-search-openai", func(s *v1alpha1.ToolContractSpec) { s.Targets = target("openai-responses", v1alpha1.StrictRequired) },
			evaluate.RuleNeverStrict, "/spec/targets/0/strict", "BuiltIn",
		},
		"a free text that has to be strict": {
			"find-part", func(s *v1alpha1.ToolContractSpec) {
				s.Targets = target("openai-chat-completions", v1alpha1.StrictRequired)
			},
			evaluate.RuleNeverStrict, "/spec/targets/0/strict", "FreeForm",
		},
		"a free text without fallback": {
			"find-part", func(s *v1alpha1.ToolContractSpec) {
				s.FreeForm.Fallback, s.Targets = v1alpha1.FallbackNone, target("anthropic-messages", "")
			},
			provider.RuleTypeUnsupported, "/spec/type", "takes no free text",
		},
		"a server that this API does not call": {
			"find-orders", func(s *v1alpha1.ToolContractSpec) { s.Targets = target("mistral-chat", "") },
			provider.RuleTypeUnsupported, "/spec/type", "calls no MCP servers",
		},
		"a server that this API does not keep": {
			"find-orders", func(s *v1alpha1.ToolContractSpec) {
				s.MCP.Server.URL, s.MCP.Server.ConnectorID, s.Targets = "", "connector_orders", target("anthropic-messages", "")
			},
			provider.RuleTypeUnsupported, "/spec/mcp/server/connectorID", "keeps no servers",
		},
		"headers that this API does not send": {
			"find-orders", func(s *v1alpha1.ToolContractSpec) {
				s.MCP.Server.Headers, s.Targets = []v1alpha1.MCPHeader{{Name: "X-Tenant", Source: "session.tenant"}}, target("anthropic-messages", "")
			},
			provider.RuleTypeUnsupported, "/spec/mcp/server/headers", "no headers",
		},
		"approval of a call that nobody sees": {
			"find-orders", func(s *v1alpha1.ToolContractSpec) {
				s.Execution.Approval, s.Targets = "Required", target("anthropic-messages", "")
			},
			evaluate.RuleHostNeeded, "/spec/execution/approval", "without asking",
		},
		"approval of a search that nobody sees": {
			"web-search-openai", func(s *v1alpha1.ToolContractSpec) { s.Execution.Approval = "Required" },
			evaluate.RuleHostNeeded, "/spec/execution/approval", "without asking",
		},
		"a search that the client is to run": {
			"web-search-openai", func(s *v1alpha1.ToolContractSpec) { s.Execution.Location = "Client" },
			evaluate.RuleExecutionUnsaid, "/spec/execution/location", "run by the Provider",
		},
		"an editor that the provider is to run": {
			"edit-text-anthropic", func(s *v1alpha1.ToolContractSpec) { s.Execution.Location = "Provider" },
			evaluate.RuleExecutionUnsaid, "/spec/execution/location", "run by the Client",
		},
		"a name that is not the fixed one": {
			"web-search-anthropic", func(s *v1alpha1.ToolContractSpec) { s.ToolName = "search_web" },
			provider.RuleBuiltInName, "/spec/toolName", "knows web_search_20260318 as web_search",
		},
		"an old setting": {
			"edit-text-anthropic", func(s *v1alpha1.ToolContractSpec) { s.BuiltIn.Type = "text_editor_20250429" },
			provider.RuleBuiltInSettings, "/spec/builtIn/settings", "max_characters",
		},
		"a text longer than the engine takes": {
			"query-orders", func(s *v1alpha1.ToolContractSpec) { s.Targets = target("llama-cpp", "") },
			provider.RuleKeywordRejected, "/spec/freeForm/maxLength", "refuses maxLength",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := evaluateFirst(typeContract(t, c.contract, c.change))
			if len(e.Targets) == 0 {
				t.Fatalf("not evaluated: %v", e.Findings)
			}
			errors := finding.Errors(e.Targets[0].Findings)
			if len(errors) != 1 || errors[0].Rule != c.rule || errors[0].Pointer != c.pointer || !strings.Contains(errors[0].Message, c.says) || errors[0].Fix == "" {
				t.Errorf("%v", errors)
			}
			if e.Targets[0].Compatible() {
				t.Errorf("it is rendered: %s", e.Targets[0].Bytes)
			}
		})
	}
}

// TestWhereASetPlacesATool: a set has tools found by a search where the API can
// do that, and says nothing of it elsewhere.
func TestWhereASetPlacesATool(t *testing.T) {
	t.Parallel()
	const deferred = `"defer_loading":true`
	for _, c := range []struct {
		contract, profile string
		want              bool
	}{
		{"query-orders", "openai-responses", true},
		{"query-orders", "openai-chat-completions", false},
		{"query-orders", "anthropic-messages", true}, // the function
		{"find-orders", "openai-responses", true},
		{"find-orders", "anthropic-messages", true},
		{"web-search-anthropic", "anthropic-messages", true},
		{"web-search-openai", "openai-responses", false},
		{"google-search", "gemini-json-schema", false},
	} {
		api := typeContract(t, c.contract, nil)
		content, findings := evaluate.Read(&api.Spec.ToolContent)
		if content == nil {
			t.Fatalf("%s: %v", c.contract, findings)
		}
		p, _ := builtin.Lookup(c.profile)
		for _, place := range []evaluate.Placement{{}, {DeferLoading: true}} {
			got := evaluate.ForProfile(api.Name, content, content.Digest(), v1alpha1.Target{Profile: c.profile}, p, place)
			if !got.Compatible() {
				t.Fatalf("%s at %s: %v", c.contract, c.profile, got.Findings)
			}
			if has := strings.Contains(string(got.Bytes), deferred); has != (c.want && place.DeferLoading) {
				t.Errorf("%s at %s, %+v: %s", c.contract, c.profile, place, got.Bytes)
			}
		}
	}
}

// TestCountsOfOtherTypes: a tool without a schema is one tool, and none of the
// strict ones.
func TestCountsOfOtherTypes(t *testing.T) {
	t.Parallel()
	for contract, profile := range map[string]string{"query-orders": "openai-chat-completions", "google-search": "gemini-json-schema"} {
		c := typeContract(t, contract, func(s *v1alpha1.ToolContractSpec) { s.Targets = []v1alpha1.Target{{Profile: profile}} })
		got := evaluateFirst(c).Targets[0]
		if got.Given || !slices.Contains(got.Counts, evaluate.Count{Measure: "Tools", N: 1}) {
			t.Errorf("%s: strict %v, %v", contract, got.Given, got.Counts)
		}
	}
	c := typeContract(t, "web-search-anthropic", nil)
	for _, count := range evaluateFirst(c).Targets[0].Counts {
		if count.N > 0 {
			t.Errorf("a search counts as %d %s", count.N, count.Measure)
		}
	}
}

// TestAGatewayMayTakeMoreThanItsWireFormat: what no renderer can write is said and
// not published.
func TestAGatewayMayTakeMoreThanItsWireFormat(t *testing.T) {
	t.Parallel()
	const file = `
name: gateway
extends: mistral-chat
wireFormat: bedrock-tool-spec
title: Gateway
revision: 1
reviewed: "2026-12-01"
sources: [{key: handbook, title: Handbook, url: "https://example.com/handbook", date: "2026-11"}]
toolTypes: {freeForm: {syntaxes: [Text, Lark, Regex], confidence: High, sources: [handbook]}}
`
	profiles, broken := builtin.With(map[string][]byte{"gateway": []byte(file)}, render.Formats())
	if len(broken) > 0 {
		t.Fatal(broken)
	}
	c := typeContract(t, "find-part", func(s *v1alpha1.ToolContractSpec) { s.Targets = []v1alpha1.Target{{Profile: "gateway"}} })
	got := evaluate.Contract(c.Name, &c.Spec, evaluate.History{}, profiles).Targets[0]
	errors := finding.Errors(got.Findings)
	if got.Compatible() || len(errors) != 1 || errors[0].Rule != provider.RuleTypeUnsupported || !strings.Contains(errors[0].Message, "bedrock-tool-spec") {
		t.Errorf("%s %v", got.Bytes, got.Findings)
	}
}

// TestHeadersThatAToolNeedsAreForTheHost: a tool behind a header is refused
// without it.
func TestHeadersThatAToolNeedsAreForTheHost(t *testing.T) {
	t.Parallel()
	for contract, want := range map[string]int{"find-orders": 1, "web-search-anthropic": 0} {
		e := evaluateFirst(typeContract(t, contract, nil))
		text := e.Bundle.Files[v1alpha1.FileContract]
		if got := strings.Count(text, `"requestHeaders":["anthropic-beta: mcp-client-2025-11-20"]`); got != want {
			t.Errorf("%s names the header %d times: %s", contract, got, text)
		}
	}
}

// TestCredentialsOfAServerAreNames: where the token and the headers come from is
// for the host, and no model reads it.
func TestCredentialsOfAServerAreNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"find-orders", "cancel-order"} {
		e := evaluateFirst(typeContract(t, name, nil))
		for file, text := range e.Bundle.Files {
			for _, source := range []string{"vault.orders-token", "session.tenant", "X-Tenant"} {
				if file != v1alpha1.FileContract && strings.Contains(text, source) {
					t.Errorf("%s: %s names %s: %s", name, file, source, text)
				}
			}
		}
	}
}
