// SPDX-License-Identifier: Apache-2.0

package toolset_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/toolset"
)

func TestReadPublished(t *testing.T) {
	t.Parallel()
	r := toolset.Render(toolset.Request{Set: "s", Profile: profile(t, "openai-responses"), Groups: groups(), Tools: []toolset.Tool{
		mcp(t, "m", "find_order", "shop", "find"), tool(t, "a", "get_a", options{group: "h"}), builtIn(t, "w", "web_search", "web_search"),
		mcp(t, "n", "count_orders", "shop", "count"), tool(t, "b", "get_b", options{}), tool(t, "c", "get_c", options{group: "h", deferred: true}),
	}})
	published, err := toolset.ReadPublished(r.Bundle.Files)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range published.Tools {
		if p.Namespace != "shop" || p.Version != "1.0.0" || !strings.HasPrefix(p.ContentDigest, "sha256:") {
			t.Errorf("%s: read as %+v", p.Contract, p)
		}
		got = append(got, strings.Join([]string{p.Contract, p.ToolName, p.Group, p.Kept.Element.JSON()}, " "))
	}
	parameters := `"parameters":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"],"additionalProperties":false},"strict":true`
	server := `{"type":"mcp","server_label":"shop","server_url":"https://mcp.example.com/shop","allowed_tools":`
	want := []string{
		"m find_order  " + server + `["find"],"require_approval":"never"}`,
		`a get_a h {"type":"function","name":"get_a","description":"Does a.",` + parameters + `}`,
		`w web_search  {"type":"web_search"}`,
		"n count_orders  " + server + `["count"],"require_approval":"never"}`,
		`b get_b  {"type":"function","name":"get_b","description":"Does b.",` + parameters + `}`,
		`c get_c h {"type":"function","name":"get_c","description":"Does c.",` + parameters + `,"defer_loading":true}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]v1alpha1.ToolGroup{{Name: "h", Description: "Second."}}, published.Groups); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}

func TestReadPublishedRefusesWhatNoSetIs(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	for name, test := range map[string]struct{ tools, manifest, want string }{
		"nothing":              {"", "", "reading manifest.json: "},
		"no JSON":              {"[]", "{", "reading manifest.json: "},
		"a name twice":         {"[]", `{"tools":[],"tools":[]}`, "reading manifest.json: "},
		"too deep":             {deep, `{"tools":[]}`, "reading tools.json: "},
		"too large":            {"[]", `{"tools":["` + strings.Repeat("a", publish.MaxBundle) + `"]}`, "reading manifest.json: "},
		"no list":              {"{}", `{"tools":[]}`, "reading manifest.json and tools.json: they hold no lists"},
		"no tools":             {"[]", `[]`, "reading manifest.json and tools.json: they hold no lists"},
		"tools is a text":      {"[]", `{"tools":"a"}`, "reading manifest.json and tools.json: they hold no lists"},
		"an entry is a number": {`[{"name":"a"}]`, `{"tools":[1]}`, "reading manifest.json: the tool at /tools/0 is not in tools.json"},
		"a tool is not there":  {`[{"name":"a"}]`, `{"tools":[{"toolName":"a"},{"toolName":"b"}]}`, "reading manifest.json: the tool at /tools/1 is not in tools.json"},
		"a server is not there": {
			`[{"type":"mcp","server_label":"x","allowed_tools":["b"]}]`,
			`{"tools":[{"toolName":"b","mcp":{"server":{"label":"y"},"tool":"b"}}]}`, "reading manifest.json: the tool at /tools/0 is not in tools.json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := toolset.ReadPublished(map[string]string{v1alpha1.FileTools: test.tools, v1alpha1.FileManifest: test.manifest})
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("the error is %v, want %s", err, test.want)
			}
		})
	}
}

// FuzzReadPublished: whatever the files hold, reading them and rendering what they
// say ends in a result, and that is read back as itself.
func FuzzReadPublished(f *testing.F) {
	for _, name := range []string{"openai-responses", "anthropic-messages", "gemini-json-schema", "mcp-2025-11-25"} {
		r := toolset.Render(toolset.Request{Set: "s", Profile: profile(f, name), Tools: everything(f), Groups: groups()})
		f.Add(r.Bundle.Files[v1alpha1.FileTools], r.Bundle.Files[v1alpha1.FileManifest])
	}
	f.Add(`[{"type":"namespace","tools":[[1],{"a":1}]},{"type":"mcp"},{"functionDeclarations":{}}]`, `{"tools":[{"targets":[{"requestCounts":{"":1,"tools":-9,"properties":1e30}}]}]}`)
	p, other := profile(f, "openai-responses"), profile(f, "anthropic-messages")
	f.Fuzz(func(_ *testing.T, tools, manifest string) {
		published, err := toolset.ReadPublished(map[string]string{v1alpha1.FileTools: tools, v1alpha1.FileManifest: manifest})
		if err != nil {
			return
		}
		request := toolset.Request{Set: "s", Profile: p, Groups: published.Groups}
		for i := range published.Tools {
			read := &published.Tools[i]
			request.Tools = append(request.Tools, toolset.Tool{Namespace: read.Namespace, Contract: read.Contract, Group: read.Group, Kept: &read.Kept})
		}
		toolset.Render(request)
		request.Profile = other
		toolset.Render(request)
	})
}
