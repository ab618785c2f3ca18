// SPDX-License-Identifier: Apache-2.0

package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

func parsed(t *testing.T, text string) *schema.Value {
	t.Helper()
	v, failed := schema.Parse([]byte(text))
	if failed != nil {
		t.Fatal(failed)
	}
	return v
}

// TestParts takes the value of tools of every wire format apart.
func TestParts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		tools string
		want  []string
	}{
		"OpenAI": {
			`[{"type":"function","name":"a"},{"type":"namespace","name":"g","description":"d","tools":[{"type":"custom","name":"b"}]},{"type":"file_search","vector_store_ids":["v"]}]`,
			[]string{`function a: {"type":"function","name":"a"}`, `function b in g: {"type":"custom","name":"b"}`, `built-in file_search: {"type":"file_search","vector_store_ids":["v"]}`},
		},
		"OpenAI Chat": {
			`[{"type":"function","function":{"name":"a"}},{"type":"custom","custom":{"name":"b"}}]`,
			[]string{`function a: {"type":"function","function":{"name":"a"}}`, `function b: {"type":"custom","custom":{"name":"b"}}`},
		},
		"Anthropic": {
			`[{"name":"a"},{"type":"bash_20250124","name":"bash"},{"type":"mcp_toolset","mcp_server_name":"s","configs":{"x":{"enabled":true},"y":{"defer_loading":true}}}]`,
			[]string{
				`function a: {"name":"a"}`, `built-in bash_20250124: {"type":"bash_20250124","name":"bash"}`,
				`x of s: {"type":"mcp_toolset","mcp_server_name":"s","configs":{"x":{"enabled":true}}}`,
				`y of s, deferred: {"type":"mcp_toolset","mcp_server_name":"s","configs":{"y":{"defer_loading":true}}}`,
			},
		},
		"Gemini":  {`[{"functionDeclarations":[{"name":"a"},{"name":"b"}]},{"codeExecution":{}}]`, []string{`function a: {"name":"a"}`, `function b: {"name":"b"}`, `built-in codeExecution: {"codeExecution":{}}`}},
		"Bedrock": {`[{"toolSpec":{"name":"a"}}]`, []string{`function a: {"toolSpec":{"name":"a"}}`}},
		"a filter of approval": {
			`[{"type":"mcp","server_label":"s","allowed_tools":["x","y"],"require_approval":{"always":{"tool_names":["y"]},"never":{"tool_names":["x"]}},"defer_loading":true}]`,
			[]string{
				`x of s, deferred: {"type":"mcp","server_label":"s","allowed_tools":["x"],"require_approval":"never","defer_loading":true}`,
				`y of s, deferred: {"type":"mcp","server_label":"s","allowed_tools":["y"],"require_approval":"always","defer_loading":true}`,
			},
		},
		"nothing that is a tool": {
			`[1,[{"name":"a"}],{},{"type":"namespace","tools":[[1],2]},{"functionDeclarations":{"name":"a"}},{"type":"mcp"}]`,
			[]string{`built-in : {}`, `built-in : [1]`, `built-in : 2`, `built-in mcp: {"type":"mcp"}`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, p := range render.Parts(parsed(t, test.tools)) {
				word := "function " + p.Name
				switch {
				case p.Server != "":
					word = p.Name + " of " + p.Server
				case p.BuiltIn:
					word = "built-in " + p.Name
				}
				if p.Group != "" {
					word += " in " + p.Group
				}
				if render.IsDeferred(p.Element) {
					word += ", deferred"
				}
				got = append(got, word+": "+p.Element.JSON())
				if place := render.PlaceOf(p.Element); p.Element.Kind() == schema.Object && place != p.Place() {
					t.Errorf("alone %s stands at %+v, want %+v", p.Element.JSON(), place, p.Place())
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("parts (-want +got):\n%s", diff)
			}
		})
	}
}

// TestToolsAreTakenApartIntoThemselves: tools that were taken apart and put
// together again are the same request.
func TestToolsAreTakenApartIntoThemselves(t *testing.T) {
	t.Parallel()
	for format, text := range map[string]string{
		"openai-responses": `[{"type":"namespace","name":"g","description":"d","tools":[{"type":"function","name":"a"},{"type":"function","name":"c"}]},{"type":"function","name":"b"},` +
			`{"type":"mcp","server_label":"s","allowed_tools":["x","y"],"require_approval":{"always":{"tool_names":["y"]},"never":{"tool_names":["x"]}}}]`,
		"anthropic-messages":          `[{"type":"mcp_toolset","mcp_server_name":"s","configs":{"x":{},"y":{}}},{"name":"a"}]`,
		"gemini-function-declaration": `[{"functionDeclarations":[{"name":"a"},{"name":"b"}]},{"googleSearch":{}}]`,
		"bedrock-tool-spec":           `[{"toolSpec":{"name":"a"}}]`,
	} {
		var tools []render.SetTool
		request := parsed(t, text)
		for _, p := range render.Parts(request) {
			tools = append(tools, render.SetTool{Element: p.Element, Group: p.Group})
		}
		if got := render.Tools(format, tools, render.Groups(request), format == "openai-responses"); got.JSON() != text {
			t.Errorf("%s: put together it is %s, want %s", format, got.JSON(), text)
		}
	}
}

func TestLoaded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"name":"a","defer_loading":true}`:                                                                                `{"name":"a"}`,
		`{"name":"configs","configs":{"defer_loading":{"defer_loading":true}}}`:                                            `{"name":"configs","configs":{"defer_loading":{"defer_loading":true}}}`,
		`{"type":"mcp_toolset","mcp_server_name":"s","configs":{"x":{"enabled":true,"defer_loading":true}}}`:               `{"type":"mcp_toolset","mcp_server_name":"s","configs":{"x":{"enabled":true}}}`,
		`{"type":"mcp","server_label":"s","allowed_tools":["x"],"defer_loading":true}`:                                     `{"type":"mcp","server_label":"s","allowed_tools":["x"]}`,
		`{"type":"function","name":"a","parameters":{"properties":{"defer_loading":{"const":true}}},"defer_loading":true}`: `{"type":"function","name":"a","parameters":{"properties":{"defer_loading":{"const":true}}}}`,
	} {
		if got := render.Loaded(parsed(t, text)); got.JSON() != want || render.IsDeferred(got) {
			t.Errorf("loaded %s is %s, want %s", text, got.JSON(), want)
		}
	}
}

// TestManyServersAreMerged: each server is one entry, however many tools it has.
func TestManyServersAreMerged(t *testing.T) {
	t.Parallel()
	var tools []render.SetTool
	for i := range 4000 {
		tools = append(tools, render.SetTool{Element: parsed(t, fmt.Sprintf(`{"type":"mcp","server_label":"s%d","allowed_tools":["t%d"],"require_approval":"never"}`, i%2, i))})
	}
	got := render.Tools("openai-responses", tools, nil, false)
	if got.Len() != 2 || got.Items()[1].Get("allowed_tools").Len() != 2000 || strings.Contains(got.JSON(), "always") {
		t.Errorf("%d entries", got.Len())
	}
}
