// SPDX-License-Identifier: Apache-2.0

package sdk

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// variant decodes a published file into a union and returns which of its forms
// it is, as long as that form knows all members and keeps them.
func variant[U any](t *testing.T, published []byte, added ...string) any {
	t.Helper()
	var union U
	if err := json.Unmarshal(published, &union); err != nil {
		t.Fatalf("decoding %s into %T: %v", published, union, err)
	}
	var out any
	forms := reflect.ValueOf(union)
	for i := range forms.NumField() {
		if f := forms.Field(i); forms.Type().Field(i).IsExported() && f.Kind() == reflect.Pointer && !f.IsNil() {
			out = f.Interface()
		}
	}
	if out == nil {
		t.Fatalf("%T has no form of %s", union, published)
	}
	if unknown := unknownMembers("", reflect.TypeOf(out), published); len(unknown) > 0 {
		t.Errorf("%T has no field for %v", out, unknown)
	}
	encoded, err := json.Marshal(union)
	if err != nil {
		t.Fatal(err)
	}
	sameAfter(t, published, encoded, added...)
	return out
}

func TestFreeFormIsACustomTool(t *testing.T) {
	t.Parallel()
	for _, deferred := range []bool{false, true} {
		for _, r := range typeRenderings(t, "openai-responses", v1alpha1.TypeFreeForm, deferred) {
			if strings.Contains(r.profile, "azure") {
				continue // a function there, by the fallback
			}
			tool, ok := variant[responses.ToolUnionParam](t, r.bytes).(*responses.CustomToolParam)
			if !ok || tool.Format.OfText == nil && tool.Format.OfGrammar == nil {
				t.Errorf("%s at %s is no custom tool: %s", r.contract, r.profile, r.bytes)
			}
		}
	}
	for _, r := range typeRenderings(t, "openai-chat-completions", v1alpha1.TypeFreeForm, false) {
		if r.profile != "openai-chat-completions" {
			continue
		}
		tool, ok := variant[openai.ChatCompletionToolUnionParam](t, r.bytes).(*openai.ChatCompletionCustomToolParam)
		if !ok || tool.Custom.Format.OfText == nil && tool.Custom.Format.OfGrammar == nil {
			t.Errorf("%s is no custom tool: %s", r.contract, r.bytes)
		}
	}
}

// TestFreeFormIsAFunctionElsewhere: the fallback is what every SDK knows.
func TestFreeFormIsAFunctionElsewhere(t *testing.T) {
	t.Parallel()
	for _, r := range typeRenderings(t, "anthropic-messages", v1alpha1.TypeFreeForm, true) {
		if _, ok := variant[anthropic.ToolUnionParam](t, r.bytes).(*anthropic.ToolParam); !ok {
			t.Errorf("%s: %s", r.contract, r.bytes)
		}
	}
	for _, r := range typeRenderings(t, "mcp-tool", v1alpha1.TypeFreeForm, false) {
		decodes[mcp.Tool](t, r.bytes)
	}
	for _, r := range typeRenderings(t, "gemini-function-declaration", v1alpha1.TypeFreeForm, false) {
		decodes[genai.FunctionDeclaration](t, r.bytes)
	}
}

func TestMCPIsAServerOfTheRequest(t *testing.T) {
	t.Parallel()
	for _, deferred := range []bool{false, true} {
		for _, r := range typeRenderings(t, "openai-responses", v1alpha1.TypeMCP, deferred) {
			tool, ok := variant[responses.ToolUnionParam](t, r.bytes).(*responses.ToolMcpParam)
			if !ok || len(tool.AllowedTools.OfMcpAllowedTools) != 1 || tool.RequireApproval.OfMcpToolApprovalSetting.Value == "" {
				t.Errorf("%s at %s: %s", r.contract, r.profile, r.bytes)
			}
		}
		for _, r := range typeRenderings(t, "anthropic-messages", v1alpha1.TypeMCP, deferred) {
			tool, ok := variant[anthropic.BetaToolUnionParam](t, r.bytes).(*anthropic.BetaMCPToolsetParam)
			if !ok || len(tool.Configs) != 1 || tool.DefaultConfig.Enabled.Or(true) {
				t.Errorf("%s: %s", r.contract, r.bytes)
			}
		}
	}
	for _, r := range typeRenderings(t, "mcp-tool", v1alpha1.TypeMCP, false) {
		decodes[mcp.Tool](t, r.bytes)
	}
}

// ownTools are settings with every field of the tools that have some. A compound
// filter is not here: the SDK decodes its union by guesswork. A tool
// with an empty text has none, or none that it needs.
var ownTools = map[string]map[string]string{
	"openai-responses": {
		"web_search":            `{"filters":{"allowed_domains":["a.example"]},"user_location":{"type":"approximate","city":"Bonn","country":"DE","region":"NRW","timezone":"Europe/Berlin"},"search_context_size":"low","external_web_access":false}`,
		"web_search_preview":    `{"user_location":{"type":"approximate","city":"Bonn","country":"DE","region":"NRW","timezone":"Europe/Berlin"},"search_content_types":["text"],"search_context_size":"low"}`,
		"file_search":           `{"vector_store_ids":["vs_1"],"max_num_results":5,"ranking_options":{"ranker":"auto","score_threshold":0.5,"hybrid_search":{"embedding_weight":1,"text_weight":2}},"filters":{"type":"eq","key":"region","value":"eu"}}`,
		"code_interpreter":      `{"container":{"type":"auto","file_ids":["file_1"],"memory_limit":"1g","network_policy":{"type":"allowlist","allowed_domains":["a.example"]}},"allowed_callers":["direct"]}`,
		"image_generation":      `{"action":"generate","model":"gpt-image-2","quality":"low","complexity":"low","size":"1024x1024","background":"opaque","input_fidelity":"low","input_image_mask":{"file_id":"file_1"},"moderation":"low","output_format":"png","output_compression":90,"partial_images":1,"frame_count":9,"frame_duration_ms":200}`,
		"computer_use_preview":  `{"environment":"browser","display_width":1024,"display_height":768}`,
		"shell":                 `{"environment":{"type":"local","skills":[{"name":"a","description":"b","path":"/c"}]},"allowed_callers":["direct"]}`,
		"apply_patch":           `{"allowed_callers":["direct"]}`,
		"tool_search":           `{"execution":"client","description":"Finds tools.","parameters":{"type":"object"}}`,
		"web_search_2025_08_26": `{"search_context_size":"low"}`,
		"computer":              "", "local_shell": "", "programmatic_tool_calling": "",
		"web_search_preview_2025_03_11": "",
	},
	"anthropic-messages": {
		"web_search_20260318":     `{"max_uses":1,"allowed_domains":["a.example"],"user_location":{"type":"approximate","city":"Bonn","country":"DE","region":"NRW","timezone":"Europe/Berlin"},"response_inclusion":"full","allowed_callers":["direct"]}`,
		"web_search_20260209":     `{"max_uses":1,"blocked_domains":["a.example"],"user_location":{"type":"approximate","city":"Bonn","country":"DE","region":"NRW","timezone":"Europe/Berlin"},"allowed_callers":["direct"]}`,
		"web_search_20250305":     `{"max_uses":1,"blocked_domains":["a.example"],"user_location":{"type":"approximate","city":"Bonn","country":"DE","region":"NRW","timezone":"Europe/Berlin"},"allowed_callers":["direct"]}`,
		"web_fetch_20260318":      `{"max_uses":1,"allowed_domains":["a.example"],"citations":{"enabled":true},"max_content_tokens":100,"use_cache":false,"response_inclusion":"full","allowed_callers":["direct"]}`,
		"web_fetch_20260309":      `{"max_uses":1,"citations":{"enabled":true},"max_content_tokens":100,"use_cache":false,"blocked_domains":["a.example"],"allowed_callers":["direct"]}`,
		"web_fetch_20260209":      `{"max_uses":1,"citations":{"enabled":true},"max_content_tokens":100,"blocked_domains":["a.example"],"allowed_callers":["direct"]}`,
		"web_fetch_20250910":      `{"max_uses":1,"citations":{"enabled":true},"max_content_tokens":100,"blocked_domains":["a.example"],"allowed_callers":["direct"]}`,
		"code_execution_20260521": `{"allowed_callers":["direct"]}`,
		"code_execution_20260120": "", "code_execution_20250825": "",
		"advisor_20260301":                `{"model":"claude-opus-5","caching":{"type":"ephemeral","ttl":"5m"},"max_tokens":100,"max_uses":1,"allowed_callers":["direct"]}`,
		"tool_search_tool_regex_20251119": `{"allowed_callers":["direct"]}`, "tool_search_tool_regex": "",
		"tool_search_tool_bm25_20251119": `{"allowed_callers":["direct"]}`, "tool_search_tool_bm25": "",
		"memory_20250818":           `{"allowed_callers":["direct"]}`,
		"bash_20250124":             `{"allowed_callers":["direct"]}`,
		"text_editor_20250728":      `{"max_characters":100,"allowed_callers":["direct"]}`,
		"text_editor_20250429":      `{"allowed_callers":["direct"]}`,
		"text_editor_20250124":      `{"allowed_callers":["direct"]}`,
		"computer_20251124":         `{"display_width_px":1024,"display_height_px":768,"display_number":1,"enable_zoom":true,"allowed_callers":["direct"]}`,
		"computer_20250124":         `{"display_width_px":1024,"display_height_px":768,"display_number":1,"allowed_callers":["direct"]}`,
		"computer_toolset_20260801": `{"configs":{"zoom":{"enabled":false},"left_click":{"enabled":true}}}`,
		"browser_toolset_20260801":  `{"configs":{"javascript_exec":{"enabled":false}}}`,
	},
	"gemini-json-schema": {
		"googleSearch":          `{"searchTypes":{"webSearch":{},"imageSearch":{}},"timeRangeFilter":{"startTime":"2026-01-01T00:00:00Z","endTime":"2026-02-01T00:00:00Z"}}`,
		"googleSearchRetrieval": `{"dynamicRetrievalConfig":{"mode":"MODE_DYNAMIC","dynamicThreshold":0.5}}`,
		"codeExecution":         "", "urlContext": "",
		"fileSearch":  `{"fileSearchStoreNames":["fileSearchStores/a"],"topK":3,"metadataFilter":"a=1"}`,
		"googleMaps":  `{"enableWidget":true}`,
		"computerUse": `{"environment":"ENVIRONMENT_BROWSER","excludedPredefinedFunctions":["drag_and_drop"],"enablePromptInjectionDetection":true}`,
	},
	"vertex-gemini": {
		"googleSearch":        `{"blockingConfidence":"BLOCK_LOW_AND_ABOVE","excludeDomains":["a.example"]}`,
		"enterpriseWebSearch": `{"blockingConfidence":"BLOCK_LOW_AND_ABOVE","excludeDomains":["a.example"]}`,
		"codeExecution":       "", "urlContext": "",
		"googleMaps":  `{"enableWidget":true}`,
		"computerUse": `{"environment":"ENVIRONMENT_BROWSER","excludedPredefinedFunctions":["drag_and_drop"],"enablePromptInjectionDetection":true}`,
	},
}

// TestEveryToolOfAnAPIIsKnownToItsSDK: the types, names and settings of the facts
// are those of the SDK, each with all fields that the facts have.
func TestEveryToolOfAnAPIIsKnownToItsSDK(t *testing.T) {
	t.Parallel()
	for name, tools := range ownTools {
		p, _ := provider.Builtin().Lookup(name)
		for _, kind := range p.BuiltInTypes() {
			t.Run(name+"/"+kind, func(t *testing.T) {
				t.Parallel()
				text, shown := tools[kind]
				if !shown {
					t.Fatal("no settings are shown for it")
				}
				published := ownTool(t, p, kind, text)
				var form any
				switch p.WireFormat {
				case "openai-responses":
					form = variant[responses.ToolUnionParam](t, published)
				case "anthropic-messages":
					form = variant[anthropic.BetaToolUnionParam](t, published)
				default:
					decodes[genai.Tool](t, published)
					return
				}
				if got := reflect.ValueOf(form).Elem().FieldByName("Type").String(); got != kind {
					t.Errorf("the SDK takes it for a %s: %s", got, published)
				}
			})
		}
		for _, facts := range p.ToolTypes.BuiltIn {
			given := map[string]bool{}
			for _, kind := range facts.Types {
				if tools[kind] != "" {
					for field := range value(t, []byte(tools[kind])).(map[string]any) {
						given[field] = true
					}
				}
			}
			for _, field := range facts.Fields() {
				isOther := strings.HasSuffix(field.Name, "_domains") && (given["allowed_domains"] || given["blocked_domains"])
				if !given[field.Name] && !isOther {
					t.Errorf("%s: nothing shows the setting %s of %v", name, field.Name, facts.Types)
				}
			}
		}
		for kind := range tools {
			if !slices.Contains(p.BuiltInTypes(), kind) {
				t.Errorf("%s has no %s", name, kind)
			}
		}
	}
}

// ownTool renders a tool of the API.
func ownTool(t *testing.T, p *provider.Profile, kind, settings string) []byte {
	t.Helper()
	facts, _ := p.BuiltIn(kind)
	built := render.BuiltIn{Type: kind, Name: facts.Name}
	if settings != "" {
		value, failed := schema.Parse([]byte(settings))
		if failed != nil {
			t.Fatal(failed)
		}
		built.Settings = value
	}
	if findings := p.CheckBuiltIn(facts.ToolName(kind), kind, built.Settings); len(findings) > 0 {
		t.Fatal(findings)
	}
	published, err := render.Render(p.WireFormat, render.Tool{Name: facts.ToolName(kind), BuiltIn: &built, DeferLoading: facts.DeferLoading})
	if err != nil {
		t.Fatal(err)
	}
	return published
}

// TestSettingsThatNoSDKKnowsAreFound: without it, a check that finds nothing
// would prove nothing.
func TestSettingsThatNoSDKKnowsAreFound(t *testing.T) {
	t.Parallel()
	for planted, got := range map[string][]string{
		"/container/planted": unknownMembers("", reflect.TypeFor[responses.ToolCodeInterpreterParam](),
			[]byte(`{"type":"code_interpreter","container":{"type":"auto","planted":1}}`)),
		"/format/planted": unknownMembers("", reflect.TypeFor[responses.CustomToolParam](),
			[]byte(`{"type":"custom","name":"a","format":{"type":"grammar","syntax":"lark","definition":"b","planted":1}}`)),
		"/custom/format/grammar/planted": unknownMembers("", reflect.TypeFor[openai.ChatCompletionCustomToolParam](),
			[]byte(`{"type":"custom","custom":{"name":"a","format":{"type":"grammar","grammar":{"planted":1}}}}`)),
		"/configs/a/planted": unknownMembers("", reflect.TypeFor[anthropic.BetaMCPToolsetParam](),
			[]byte(`{"type":"mcp_toolset","mcp_server_name":"s","configs":{"a":{"planted":1}}}`)),
		"/googleSearch/planted": unknownMembers("", reflect.TypeFor[genai.Tool](), []byte(`{"googleSearch":{"planted":1}}`)),
	} {
		if fmt.Sprint(got) != "["+planted+"]" {
			t.Errorf("found %v, want %s", got, planted)
		}
	}
}
