// SPDX-License-Identifier: Apache-2.0

package toolset_test

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/toolset"
)

// TestRequestFile: what a request holds beside tools stands in request.json, and
// only if the tools need it.
func TestRequestFile(t *testing.T) {
	t.Parallel()
	strict, loose := tool(t, "a", "get_a", options{}), tool(t, "a", "get_a", options{strict: disabled})
	for name, test := range map[string]struct {
		profile string
		tools   []toolset.Tool
		has     string // the members after api, or part of them
		lacks   string
	}{
		"nothing is needed":        {"openai-responses", []toolset.Tool{strict}, `"api":"Responses"}`, "body"},
		"Cohere, strict":           {"cohere-v2", []toolset.Tool{strict}, `"body":{"strict_tools":true}`, "endpoint"},
		"Cohere, not strict":       {"cohere-v2", []toolset.Tool{loose}, `"toolChoice":[`, "body"},
		"DeepSeek, strict":         {"deepseek-beta", []toolset.Tool{strict}, `"endpoint":"https://api.deepseek.com/beta"`, "body"},
		"DeepSeek, not strict":     {"deepseek-beta", []toolset.Tool{loose}, `"api":`, "endpoint"},
		"Gemini, strict":           {"gemini-json-schema", []toolset.Tool{strict}, `"body":{"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}}}`, "includeServer"},
		"Gemini, not strict":       {"gemini-json-schema", []toolset.Tool{loose}, `"toolChoice":[`, "body"},
		"Gemini, its tool alone":   {"gemini-json-schema", []toolset.Tool{builtIn(t, "s", "googleSearch", "googleSearch")}, `"toolChoice":[`, "body"},
		"Gemini, its tool beside":  {"gemini-json-schema", []toolset.Tool{strict, builtIn(t, "s", "googleSearch", "googleSearch")}, `{"mode":"VALIDATED"},"includeServerSideToolInvocations":true}}`, "headers"},
		"Vertex AI knows no such":  {"vertex-gemini", []toolset.Tool{strict, builtIn(t, "s", "googleSearch", "googleSearch")}, `{"mode":"VALIDATED"}}}`, "includeServer"},
		"Azure, strict":            {"azure-openai-responses", []toolset.Tool{strict}, `"body":{"parallel_tool_calls":false}`, "headers"},
		"Azure, not strict":        {"azure-openai-chat-completions", []toolset.Tool{loose}, `"api":`, "parallel"},
		"Anthropic, a function":    {"anthropic-messages", []toolset.Tool{strict}, `"toolChoice":[`, "headers"},
		"Anthropic, without beta":  {"anthropic-messages", []toolset.Tool{builtIn(t, "s", "web_search", "web_search_20260318")}, `"toolChoice":[`, "headers"},
		"Anthropic, a server":      {"anthropic-messages", []toolset.Tool{mcp(t, "m", "find", "shop", "find"), mcp(t, "n", "list", "shop", "list")}, `"headers":{"anthropic-beta":"mcp-client-2025-11-20"},"body":{"mcp_servers":[{"type":"url","url":"https://mcp.example.com/shop","name":"shop"}]},"credentials":[{"server":"shop","authorization":"vault.shop"}]`, "authorization_token"},
		"OpenAI, a server":         {"openai-responses", []toolset.Tool{mcp(t, "m", "find", "shop", "find")}, `"credentials":[{"server":"shop","authorization":"vault.shop"}]`, "mcp_servers"},
		"MCP, a server's own tool": {"mcp-2025-11-25", []toolset.Tool{mcp(t, "m", "find", "shop", "find")}, `"api":`, "credentials"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, test.profile), Tools: test.tools})
			if r.Included != len(test.tools) {
				t.Fatalf("not all tools are in: %s", r.Message)
			}
			file := r.Bundle.Files[v1alpha1.FileRequest]
			if !strings.Contains(file, test.has) || strings.Contains(file, `"`+test.lacks) {
				t.Errorf("request.json is %s; it should have %s and not %s", file, test.has, test.lacks)
			}
		})
	}
}

// TestServersAreOneEntry: tools of one server that differ in what the entry says
// once are taken apart again, and deferred together or not at all.
func TestServersAreOneEntry(t *testing.T) {
	t.Parallel()
	asks := mcp(t, "b", "pay", "shop", "pay")
	asks.Content.Execution.Approval = "Required"
	deferred := mcp(t, "c", "find", "shop", "find")
	deferred.DeferLoading = true
	request := toolset.Request{Set: "s", Profile: profile(t, "openai-responses"), Tools: []toolset.Tool{mcp(t, "a", "list", "shop", "list"), asks, deferred}}
	r := toolset.Render(request)
	want := `[{"type":"mcp","server_label":"shop","server_url":"https://mcp.example.com/shop","allowed_tools":["list","pay","find"],` +
		`"require_approval":{"always":{"tool_names":["pay"]},"never":{"tool_names":["list","find"]}}}]` + "\n"
	if got := r.Bundle.Files[v1alpha1.FileTools]; got != want {
		t.Errorf("tools.json is %s, want %s", got, want)
	}
	if len(r.Findings) != 1 || r.Findings[0].Rule != toolset.RuleNotDeferred {
		t.Errorf("findings: %v", r.Findings)
	}
	if next := toolset.Render(asKept(t, request, r)); digest(next) != r.Bundle.Digest {
		t.Errorf("copied it is %s", next.Bundle.Files[v1alpha1.FileTools])
	}
	request.Tools = request.Tools[2:]
	if got := toolset.Render(request).Bundle.Files[v1alpha1.FileTools]; !strings.Contains(got, `"defer_loading":true`) {
		t.Errorf("alone it is deferred, and not in %s", got)
	}
}

// TestTheLastLoadedToolLeaves: a deferred tool that is copied is loaded if nothing
// else is: the API would refuse the request.
func TestTheLastLoadedToolLeaves(t *testing.T) {
	t.Parallel()
	request := toolset.Request{Set: "s", Profile: profile(t, "anthropic-messages"), Tools: []toolset.Tool{
		tool(t, "a", "get_a", options{}), tool(t, "b", "get_b", options{deferred: true}), mcp(t, "m", "find", "shop", "find"),
	}}
	request.Tools[2].DeferLoading = true
	copied := asKept(t, request, toolset.Render(request))
	for _, tool := range copied.Tools[1:] {
		copied.Tools = []toolset.Tool{tool}
		r := toolset.Render(copied)
		if got := r.Bundle.Files[v1alpha1.FileTools]; strings.Contains(got, `"defer_loading":true`) || len(r.Findings) != 1 || r.Findings[0].Rule != toolset.RuleAllDeferred {
			t.Errorf("%s: %v %s", tool.Contract, r.Findings, got)
		}
	}
}

// TestATooLargeToolAlone: where no split helps, the message says so. Only what is
// copied can be so large: a contract has a limit of its own.
func TestATooLargeToolAlone(t *testing.T) {
	t.Parallel()
	name := schema.Member{Name: "name", Value: schema.NewString("a")}
	r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, "openai-responses"), Tools: []toolset.Tool{
		{Namespace: "shop", Contract: "a", Kept: &toolset.Kept{
			Element:  schema.NewObject(name, schema.Member{Name: "description", Value: schema.NewString(strings.Repeat("a", 1<<20))}),
			Manifest: schema.NewObject(schema.Member{Name: "toolName", Value: name.Value}),
		}},
		tool(t, "b", "get_b", options{}),
	}})
	if r.Bundle != nil || r.TooLarge == nil || r.Split != nil || !strings.HasSuffix(r.Message, "no split helps") || r.TooLarge.Tools[0].Name != "shop/a" {
		t.Errorf("%s %s %v", r.Reason, r.Message, r.Split)
	}
}
