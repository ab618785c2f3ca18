// SPDX-License-Identifier: Apache-2.0

package toolset_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/internal/toolset"
	"github.com/toolcontract/operator/pkg/host"
)

// options of a tool in a test.
type options struct {
	optional, unions int
	strict           v1alpha1.StrictPolicy
	adaptation       v1alpha1.Effect
	served, deferred bool
	group            string
	noTarget         bool
	content          *v1alpha1.ToolContent
	description      string
}

// tool makes a function with so many optional properties and unions.
func tool(t testing.TB, contract, name string, o options) toolset.Tool {
	t.Helper()
	properties, required := map[string]any{"id": map[string]any{"type": "string"}}, []string{"id"}
	for i := range o.optional {
		properties[fmt.Sprintf("o%02d", i)] = map[string]any{"type": "string"}
	}
	for i := range o.unions {
		u := fmt.Sprintf("u%02d", i)
		properties[u] = map[string]any{"type": []string{"string", "null"}}
		required = append(required, u)
	}
	text, err := json.Marshal(map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false})
	if err != nil {
		t.Fatal(err)
	}
	api := o.content
	if api == nil {
		api = &v1alpha1.ToolContent{Input: v1alpha1.Input{SchemaText: string(text)}}
	}
	api.Version, api.ToolName = "1.0.0", name
	api.Description.Summary = "Does " + contract + "." + o.description
	content, findings := evaluate.Read(api)
	if content == nil {
		t.Fatalf("%s: %v", name, findings)
	}
	out := toolset.Tool{
		Namespace: "shop", Contract: contract, Content: content, Digest: content.Digest(),
		Target: &v1alpha1.Target{Strict: o.strict, Adaptation: o.adaptation}, DeferLoading: o.deferred, Group: o.group, Served: o.served,
	}
	if o.noTarget {
		out.Target = nil
	}
	return out
}

func profile(t testing.TB, name string) *provider.Profile {
	t.Helper()
	p, ok := provider.Builtin().Lookup(name)
	if !ok {
		t.Fatalf("there is no profile %s", name)
	}
	return p
}

// said is what becomes of each tool: in, strict, or why not.
func said(r *toolset.Result) []string {
	var out []string
	for _, t := range r.Tools {
		word := t.Reason
		switch {
		case t.Included && t.Demoted:
			word = "demoted " + t.Reason
		case t.Included && t.Strict:
			word = "strict"
		case t.Included:
			word = "in"
		}
		out = append(out, t.Contract+" "+word)
	}
	return out
}

// many are tools that are alike: c00, c01 and so on.
func many(t testing.TB, n int, o options) []toolset.Tool {
	t.Helper()
	out := make([]toolset.Tool, n)
	for i := range out {
		out[i] = tool(t, fmt.Sprintf("c%02d", i), fmt.Sprintf("get_c%02d", i), o)
	}
	return out
}

// alike are that many words for many tools.
func alike(n int, word string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("c%02d %s", i, word)
	}
	return out
}

func execution(location v1alpha1.ExecutionLocation) *v1alpha1.Execution {
	return &v1alpha1.Execution{Location: location, Credentials: "none", Authorization: "shop"}
}

// mcp is a tool of a server.
func mcp(t testing.TB, contract, name, label, atServer string, url ...string) toolset.Tool {
	t.Helper()
	return tool(t, contract, name, options{content: &v1alpha1.ToolContent{
		Type: v1alpha1.TypeMCP, Execution: execution("MCPServer"), Input: v1alpha1.Input{SchemaText: `{"type":"object","properties":{}}`},
		MCP: &v1alpha1.MCP{Tool: atServer, Server: v1alpha1.MCPServer{
			Label: label, URL: append(url, "https://mcp.example.com/"+label)[0], Authorization: "vault." + label,
		}},
	}})
}

// builtIn is a tool of the API.
func builtIn(t testing.TB, contract, name, kind string) toolset.Tool {
	t.Helper()
	location := v1alpha1.ExecutionLocation("Provider")
	if strings.HasPrefix(kind, "memory") {
		location = "Client"
	}
	return tool(t, contract, name, options{content: &v1alpha1.ToolContent{
		Type: v1alpha1.TypeBuiltIn, Execution: execution(location), BuiltIn: &v1alpha1.BuiltIn{Type: kind},
	}})
}

const (
	required = v1alpha1.StrictRequired
	disabled = v1alpha1.StrictDisabled
)

func TestWhatBecomesOfEachTool(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		profile string
		tools   []toolset.Tool
		want    []string
		reason  string
	}{
		"all fit": {
			"openai-responses",
			[]toolset.Tool{tool(t, "a", "get_a", options{}), tool(t, "b", "get_b", options{strict: disabled})},
			[]string{"a strict", "b in"},
			"Published",
		},
		"one name twice: the first by name": {
			"openai-responses",
			[]toolset.Tool{tool(t, "b", "get", options{}), tool(t, "a", "get", options{})},
			[]string{"b DuplicateToolName", "a strict"},
			"ToolsExcluded",
		},
		"one name twice: the incumbent": {
			"openai-responses",
			[]toolset.Tool{tool(t, "b", "get", options{served: true}), tool(t, "a", "get", options{})},
			[]string{"b strict", "a DuplicateToolName"},
			"ToolsExcluded",
		},
		"no target": {
			"openai-responses",
			[]toolset.Tool{tool(t, "a", "get_a", options{noTarget: true}), tool(t, "b", "get_b", options{})},
			[]string{"a NotATarget", "b strict"},
			"ToolsExcluded",
		},
		"one that the API refuses": {
			"openai-responses",
			[]toolset.Tool{tool(t, "a", "get.a", options{}), tool(t, "b", "get_b", options{})},
			[]string{"a Incompatible", "b strict"},
			"ToolsExcluded",
		},
		"optional properties: the one with most is demoted": {
			"anthropic-messages",
			[]toolset.Tool{tool(t, "a", "get_a", options{optional: 10}), tool(t, "b", "get_b", options{optional: 12}), tool(t, "c", "get_c", options{optional: 4})},
			[]string{"a strict", "b demoted StrictBudget", "c strict"},
			"Published",
		},
		"optional properties: never one that demands it": {
			"anthropic-messages",
			[]toolset.Tool{tool(t, "a", "get_a", options{optional: 10}), tool(t, "b", "get_b", options{optional: 20, strict: required}), tool(t, "c", "get_c", options{optional: 4})},
			[]string{"a demoted StrictBudget", "b strict", "c strict"},
			"Published",
		},
		"optional properties: only some that demand it fit": {
			"anthropic-messages",
			[]toolset.Tool{
				tool(t, "a", "get_a", options{optional: 20, strict: required}), tool(t, "b", "get_b", options{optional: 20, strict: required}), tool(t, "c", "get_c", options{optional: 4, strict: required}),
			},
			[]string{"a strict", "b RequestLimit", "c strict"},
			"ToolsExcluded",
		},
		"optional properties: an incumbent before a newcomer": {
			"anthropic-messages",
			[]toolset.Tool{tool(t, "a", "get_a", options{optional: 20, strict: required}), tool(t, "b", "get_b", options{optional: 20, strict: required, served: true})},
			[]string{"a RequestLimit", "b strict"},
			"ToolsExcluded",
		},
		"of two alike the last is demoted, served or not": {
			"anthropic-messages",
			[]toolset.Tool{tool(t, "a", "get_a", options{optional: 20}), tool(t, "b", "get_b", options{optional: 20, served: true})},
			[]string{"a strict", "b demoted StrictBudget"},
			"Published",
		},
		"unions: one with many optional properties keeps its strictness if that does not help": {
			"anthropic-messages",
			[]toolset.Tool{tool(t, "a", "get_a", options{optional: 20, unions: 1}), tool(t, "b", "get_b", options{unions: 10}), tool(t, "c", "get_c", options{unions: 8})},
			[]string{"a strict", "b demoted StrictBudget", "c strict"},
			"Published",
		},
		"strict tools: the last of many alike": {
			"bedrock-converse-claude", many(t, 22, options{}),
			append(alike(20, "strict"), "c20 demoted StrictBudget", "c21 demoted StrictBudget"), "Published",
		},
		"strict tools: of those that demand it the last": {
			"bedrock-converse-claude", many(t, 21, options{strict: required}),
			append(alike(20, "strict"), "c20 RequestLimit"), "ToolsExcluded",
		},
		"tools: the last": {
			"openai-chat-completions", many(t, 129, options{strict: disabled}),
			append(alike(128, "in"), "c128 RequestLimit"), "ToolsExcluded",
		},
		"strict for all or none, with a budget: nobody demands it": {
			"cohere-v2", many(t, 3, options{optional: 80}), alike(3, "demoted StrictBudget"), "Published",
		},
		"strict for all or none, with a budget: one demands it": {
			"cohere-v2", append(many(t, 2, options{optional: 80}), tool(t, "d", "get_d", options{optional: 80, strict: required}), tool(t, "e", "get_e", options{optional: 3})),
			[]string{"c00 strict", "c01 strict", "d RequestLimit", "e strict"},
			"ToolsExcluded",
		},
		"strict for all or none, with a budget: what is served does not fit if it is strict": {
			"cohere-v2", append(many(t, 3, options{optional: 80, served: true}), tool(t, "d", "get_d", options{strict: required})),
			append(alike(3, "demoted StrictBudget"), "d StrictForAll"), "ToolsExcluded",
		},
		"names that clients turn into one": {
			"mcp-2025-11-25",
			[]toolset.Tool{tool(t, "a", "get.order", options{}), tool(t, "b", "get_order", options{}), tool(t, "c", "get-orders", options{})},
			[]string{"a in", "b DuplicateToolName", "c in"},
			"ToolsExcluded",
		},
		"a function with the name of a tool of the API": {
			"anthropic-messages",
			[]toolset.Tool{builtIn(t, "x", "web_search", "web_search_20250305"), tool(t, "a", "web_search", options{}), builtIn(t, "y", "web_search", "web_search_20260318")},
			[]string{"x DuplicateToolName", "a strict", "y DuplicateToolName"},
			"ToolsExcluded",
		},
		"a function with the type of a tool of the API": {
			"anthropic-messages",
			[]toolset.Tool{builtIn(t, "x", "memory", "memory_20250818"), tool(t, "a", "memory_20250818", options{})},
			[]string{"x in", "a strict"},
			"Published",
		},
		"a name at a server that another tool has": {
			"mcp-2025-11-25",
			[]toolset.Tool{tool(t, "a", "find", options{}), mcp(t, "b", "find_order", "shop", "find"), mcp(t, "c", "list", "shop", "list")},
			[]string{"a in", "b DuplicateToolName", "c in"},
			"ToolsExcluded",
		},
		"one tool of a server twice": {
			"openai-responses",
			[]toolset.Tool{mcp(t, "a", "find", "shop", "find"), mcp(t, "b", "find2", "shop", "find")},
			[]string{"a in", "b DuplicateToolName"},
			"ToolsExcluded",
		},
		"two servers of one label": {
			"anthropic-messages",
			[]toolset.Tool{mcp(t, "a", "find", "shop", "find"), mcp(t, "b", "count", "shop", "count"), mcp(t, "c", "list", "shop", "list", "https://other.example.com")},
			[]string{"a in", "b in", "c DuplicateToolName"},
			"ToolsExcluded",
		},
		"functions beside a tool of the API are strict": {
			"gemini-json-schema",
			[]toolset.Tool{tool(t, "a", "get_a", options{strict: disabled}), builtIn(t, "s", "googleSearch", "googleSearch"), tool(t, "b", "get_b", options{})},
			[]string{"a StrictForAll", "s in", "b strict"},
			"ToolsExcluded",
		},
		"functions beside a tool of the API are strict, but no incumbent gives way": {
			"gemini-json-schema",
			[]toolset.Tool{tool(t, "a", "get_a", options{strict: disabled, served: true}), builtIn(t, "s", "googleSearch", "googleSearch"), tool(t, "b", "get_b", options{})},
			[]string{"a in", "s StrictForAll", "b demoted StrictForAll"},
			"ToolsExcluded",
		},
		"unions": {
			"anthropic-messages",
			[]toolset.Tool{tool(t, "a", "get_a", options{unions: 10}), tool(t, "b", "get_b", options{unions: 12})},
			[]string{"a strict", "b demoted StrictBudget"},
			"Published",
		},
		"strict for all or none: nobody demands it": {
			"deepseek-beta",
			[]toolset.Tool{tool(t, "a", "get_a", options{}), tool(t, "b", "get_b", options{strict: disabled})},
			[]string{"a demoted StrictForAll", "b in"},
			"Published",
		},
		"strict for all or none: the first that decides": {
			"deepseek-beta",
			[]toolset.Tool{tool(t, "a", "get_a", options{strict: required}), tool(t, "b", "get_b", options{strict: disabled}), tool(t, "c", "get_c", options{})},
			[]string{"a strict", "b StrictForAll", "c strict"},
			"ToolsExcluded",
		},
		"strict for all or none: an incumbent decides": {
			"deepseek-beta",
			[]toolset.Tool{tool(t, "a", "get_a", options{strict: required}), tool(t, "b", "get_b", options{strict: disabled, served: true})},
			[]string{"a StrictForAll", "b in"},
			"ToolsExcluded",
		},
		"a mode of the request": {
			"gemini-json-schema",
			[]toolset.Tool{tool(t, "a", "get_a", options{}), tool(t, "b", "get_b", options{})},
			[]string{"a strict", "b strict"},
			"Published",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, test.profile), Tools: test.tools})
			if diff := cmp.Diff(test.want, said(r)); diff != "" || r.Reason != test.reason {
				t.Errorf("reason %s, want %s; tools (-want +got):\n%s%s", r.Reason, test.reason, diff, r.Message)
			}
			for _, tool := range r.Tools {
				if (tool.Reason != "") != (tool.Message != "") {
					t.Errorf("%s: the reason %q and the message %q", tool.Contract, tool.Reason, tool.Message)
				}
			}
		})
	}
}

func TestBlockPublishesNothingNew(t *testing.T) {
	t.Parallel()
	r := toolset.Request{
		Set: "s", Profile: profile(t, "openai-responses"), OnIncompatible: v1alpha1.IncompatibleBlock,
		Tools: []toolset.Tool{tool(t, "a", "get_a", options{noTarget: true}), tool(t, "b", "get_b", options{})},
	}
	if got := toolset.Render(r); got.Bundle != nil || got.Reason != v1alpha1.ReasonToolsIncompatible {
		t.Errorf("published %v, reason %s", got.Bundle != nil, got.Reason)
	}
	r.Tools = r.Tools[1:]
	if got := toolset.Render(r); got.Bundle == nil || got.Reason != v1alpha1.ReasonPublished {
		t.Errorf("published %v, reason %s", got.Bundle != nil, got.Reason)
	}
}

func TestASetWithoutToolsIsAnEmptyList(t *testing.T) {
	t.Parallel()
	for _, name := range provider.Builtin().Names() {
		r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, name)})
		if r.Bundle == nil || r.Bundle.Files[v1alpha1.FileTools] != "[]\n" || r.Reason != v1alpha1.ReasonNothingAccepted {
			t.Errorf("%s: %s, %v", name, r.Reason, r.Bundle)
		}
	}
}

// everything is a set with all types of tools, groups and deferred ones.
func everything(t testing.TB) []toolset.Tool {
	t.Helper()
	return []toolset.Tool{
		tool(t, "read", "get_order", options{group: "orders", optional: 1}),
		tool(t, "query", "run_query", options{content: &v1alpha1.ToolContent{
			Type: v1alpha1.TypeFreeForm, Execution: execution("Application"),
			FreeForm: &v1alpha1.FreeForm{Parameter: "sql", Syntax: v1alpha1.SyntaxRegex, Definition: "SELECT [a-z]+", Fallback: v1alpha1.FallbackFunction},
		}}),
		mcp(t, "find", "find_order", "orders", "find"),
		tool(t, "list", "list_orders", options{group: "orders", deferred: true}),
		mcp(t, "count", "count_orders", "orders", "count"),
		builtIn(t, "search-openai", "web_search", "web_search"),
		builtIn(t, "search-anthropic", "web_search", "web_search_20260318"),
		builtIn(t, "search-google", "googleSearch", "googleSearch"),
		tool(t, "advisor", "advisor", options{content: &v1alpha1.ToolContent{
			Type: v1alpha1.TypeBuiltIn, Execution: execution("Provider"),
			BuiltIn: &v1alpha1.BuiltIn{Type: "advisor_20260301", Settings: &v1alpha1.JSONObject{Raw: []byte(`{"model":"claude-x"}`)}},
		}}),
	}
}

// TestTheFilesOfEveryProfile are what an agent mounts, for each wire format.
func TestTheFilesOfEveryProfile(t *testing.T) {
	t.Parallel()
	groups := []v1alpha1.ToolGroup{{Name: "orders", Description: "Everything about orders."}}
	for _, name := range provider.Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			request := toolset.Request{Set: "shop-assistant", Profile: profile(t, name), Tools: everything(t), Groups: groups}
			r := toolset.Render(request)
			if r.Bundle == nil {
				t.Fatalf("nothing is published: %s", r.Message)
			}
			golden.Check(t, name+".txt", []byte(strings.Join([]string{
				strings.Join(said(r), "\n"), r.Bundle.Files[v1alpha1.FileTools], r.Bundle.Files[v1alpha1.FileRequest],
			}, "\n")))
			hosted(t, r)
			published, err := toolset.ReadPublished(r.Bundle.Files)
			if err != nil {
				t.Fatal(err)
			}
			copied := request
			copied.Tools = nil
			for _, tool := range request.Tools {
				i := slices.IndexFunc(published.Tools, func(p toolset.PublishedTool) bool { return p.Contract == tool.Contract })
				if i >= 0 {
					tool.Kept, tool.Content, tool.Target = &published.Tools[i].Kept, nil, nil
					copied.Tools = append(copied.Tools, tool)
				}
			}
			if next := toolset.Render(copied); next.Bundle == nil || next.Bundle.Digest != r.Bundle.Digest {
				t.Errorf("copied from what was published it is something else:\n%s\n%s", next.Bundle.Files[v1alpha1.FileTools], r.Bundle.Files[v1alpha1.FileTools])
			}
		})
	}
}

// hosted: a host finds each tool of the files.
func hosted(t *testing.T, r *toolset.Result) {
	t.Helper()
	folder := fstest.MapFS{}
	for name, text := range r.Bundle.Files {
		folder[name] = &fstest.MapFile{Data: []byte(text)}
	}
	set, err := host.LoadSet(folder)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.All()); n != r.Included {
		t.Errorf("a host reads %d tools, want %d", n, r.Included)
	}
}

func TestOneToolIsLoadedWhereAllAreDeferred(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{"anthropic-messages": 1, "openai-responses": 2, "openai-chat-completions": 0} {
		r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, name), Tools: []toolset.Tool{
			tool(t, "a", "get_a", options{deferred: true}), tool(t, "b", "get_b", options{deferred: true}),
		}})
		if got := strings.Count(r.Bundle.Files[v1alpha1.FileTools], `"defer_loading":true`); got != want {
			t.Errorf("%s: %d tools are deferred, want %d: %v", name, got, want, r.Findings)
		}
	}
}

func TestTokensAreHeldAgainstTheBudget(t *testing.T) {
	t.Parallel()
	r := toolset.Request{Set: "s", Profile: profile(t, "openai-responses"), Tools: []toolset.Tool{tool(t, "a", "get_a", options{}), tool(t, "b", "get_b", options{deferred: true})}}
	free := toolset.Render(r)
	if free.Tokens == 0 || free.Tokens != free.Tools[0].Tokens || free.Tools[1].Tokens != 0 {
		t.Errorf("%d tokens, of the tools %d and %d", free.Tokens, free.Tools[0].Tokens, free.Tools[1].Tokens)
	}
	r.TokenBudget = free.Tokens - 1
	if got := toolset.Render(r); got.Reason != v1alpha1.ReasonTokenBudgetExceeded || got.Included != 2 || got.Findings[0].Rule != toolset.RuleTokenBudget {
		t.Errorf("%s: %s %v", got.Reason, got.Message, got.Findings)
	}
	for text, want := range map[string]int{"": 0, "abcd": 1, "abcde": 2, "订单": 2, "a订": 2} {
		if got := toolset.Tokens(text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

func TestATooLargeSetIsSplit(t *testing.T) {
	t.Parallel()
	var tools []toolset.Tool
	for i := range 12 {
		o := options{description: strings.Repeat(" word", 8000)}
		if i%4 == 0 {
			o.group = "g"
		}
		tools = append(tools, tool(t, fmt.Sprintf("t%02d", i), fmt.Sprintf("get_t%02d", i), o))
	}
	r := toolset.Request{Set: "s", Profile: profile(t, "openai-responses"), Tools: tools, Groups: []v1alpha1.ToolGroup{{Name: "g", Description: "g"}}}
	got := toolset.Render(r)
	if got.Bundle != nil || got.TooLarge == nil || got.Reason != v1alpha1.ReasonTooLarge || len(got.TooLarge.Tools) != 12 || len(got.Split) < 2 {
		t.Fatalf("reason %s, split %v", got.Reason, got.Split)
	}
	n := 0
	for _, names := range got.Split {
		part := r
		part.Tools = nil
		for _, name := range names {
			i := slices.IndexFunc(tools, func(t toolset.Tool) bool { return "shop/"+t.Contract == name })
			part.Tools = append(part.Tools, tools[i])
		}
		n += len(names)
		if next := toolset.Render(part); next.Bundle == nil || next.Reason != v1alpha1.ReasonPublished {
			t.Errorf("the part %v is no set by itself: %s", names, next.Message)
		}
	}
	if n != len(tools) {
		t.Errorf("the split has %d of %d tools", n, len(tools))
	}
	for _, group := range []string{"shop/t00", "shop/t04", "shop/t08"} {
		if !slices.Contains(got.Split[0], group) {
			t.Errorf("the group is not together: %v", got.Split)
		}
	}
}

// TestNoNewcomerEvictsAnIncumbent: whatever joins a published set, what it holds
// stays in it; and what is left when tools leave stays too.
func TestNoNewcomerEvictsAnIncumbent(t *testing.T) {
	t.Parallel()
	names := []string{"anthropic-messages", "cohere-v2", "deepseek-beta", "deepseek-chat", "gemini-json-schema", "openai-chat-completions"}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var tools []toolset.Tool
		for i := range 4 + rng.IntN(12) {
			strict := []v1alpha1.StrictPolicy{"", required, disabled}[rng.IntN(3)]
			name := fmt.Sprintf("get_%d", rng.IntN(14))
			tools = append(tools, tool(t, fmt.Sprintf("c%02d", i), name, options{optional: rng.IntN(14), unions: rng.IntN(6), strict: strict}))
		}
		request := toolset.Request{Set: "s", Profile: profile(t, names[seed%uint64(len(names))])}
		served := map[string]bool{}
		for round := range 6 {
			request.Tools = nil
			for _, tool := range tools {
				if rng.IntN(3) > 0 {
					tool.Served = served[tool.Contract]
					request.Tools = append(request.Tools, tool)
				}
			}
			r := toolset.Render(request)
			if again := toolset.Render(request); again.Bundle.Digest != r.Bundle.Digest {
				t.Fatalf("seed %d: the same request has two results", seed)
			}
			next := map[string]bool{}
			for i, tool := range r.Tools {
				if request.Tools[i].Served && !tool.Included {
					t.Errorf("seed %d, round %d: %s was served and is left out: %s", seed, round, tool.Contract, tool.Message)
				}
				next[tool.Contract] = tool.Included
			}
			served = next
		}
	}
}

// BenchmarkSet compares a set of 50 tools with the same tools rendered one by one,
// and with the contracts published one by one for this profile alone.
func BenchmarkSet(b *testing.B) {
	var tools []toolset.Tool
	for i := range 50 {
		tools = append(tools, tool(b, fmt.Sprintf("c%02d", i), fmt.Sprintf("get_%02d", i), options{optional: i % 5, unions: i % 3}))
	}
	p := profile(b, "anthropic-messages")
	b.Run("50 tools as a set", func(b *testing.B) {
		for b.Loop() {
			toolset.Render(toolset.Request{Set: "s", Profile: p, Tools: tools})
		}
	})
	b.Run("50 tools alone", func(b *testing.B) {
		for b.Loop() {
			for _, t := range tools {
				spec := *t.Target
				spec.Profile = p.Name
				evaluate.ForProfile(t.Contract, t.Content, t.Digest, spec, p, evaluate.Placement{})
			}
		}
	})
	b.Run("50 tools alone, with their files", func(b *testing.B) {
		for b.Loop() {
			for _, t := range tools {
				spec := *t.Target
				spec.Profile = p.Name
				target := evaluate.ForProfile(t.Contract, t.Content, t.Digest, spec, p, evaluate.Placement{})
				view := publish.HostView(t.Contract, t.Content, t.Digest, []publish.TargetView{target.View()})
				if bundle, tooLarge := publish.Build(publish.Host{View: view}, []publish.File{{Profile: p.Name, Bytes: target.Bytes}}); bundle == nil {
					b.Fatal(tooLarge)
				}
			}
		}
	})
}
