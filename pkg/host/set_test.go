// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/internal/toolset"
	"github.com/toolcontract/operator/pkg/host"
)

// writeQuery has a free text, which only some APIs take.
const writeQuery = `
version: 1.0.0
type: FreeForm
toolName: write_query
description: {summary: Runs a query.}
freeForm: {parameter: query, syntax: Regex, definition: "SELECT [a-z, *]+ FROM [a-z]+", maxLength: 100, fallback: Function}
output: {schema: {type: object, properties: {rows: {type: integer}}, required: [rows], additionalProperties: false}}
execution: {location: Application, credentials: database, authorization: database, sideEffect: None}
targets:
- {profile: openai-responses}
- {profile: mcp-2025-11-25}
`

const searchDocs = `
version: 1.0.0
type: MCP
toolName: search_docs
description: {summary: Searches the manual.}
input: {schema: {type: object, properties: {q: {type: string}}, required: [q], additionalProperties: false}}
mcp: {server: {label: docs, url: "https://docs.example.com/mcp"}, tool: search}
execution: {location: MCPServer, credentials: none, authorization: docs}
targets:
- {profile: openai-responses}
`

// publishedSet returns what the operator publishes for a set of these contracts.
func publishedSet(t testing.TB, profile string, specs ...string) map[string]string {
	t.Helper()
	p, ok := provider.Builtin().Lookup(profile)
	if !ok {
		t.Fatalf("there is no profile %s", profile)
	}
	r := toolset.Request{Set: "desk", Profile: p, Groups: []v1alpha1.ToolGroup{{Name: "orders", Description: "About orders."}}}
	for _, text := range specs {
		parsed := spec(t, text)
		content, findings := evaluate.Read(&parsed.ToolContent)
		if content == nil {
			t.Fatal(findings)
		}
		tool := toolset.Tool{
			Namespace: "shop", Contract: strings.ReplaceAll(content.ToolName, "_", "-"), Content: content, Digest: content.Digest(), Target: &v1alpha1.Target{Profile: profile},
		}
		for _, target := range parsed.Targets {
			if target.Profile == profile {
				tool.Target = &target
			}
		}
		if content.ToolName == "tag_order" {
			tool.Group = "orders"
		}
		r.Tools = append(r.Tools, tool)
	}
	result := toolset.Render(r)
	if result.Bundle == nil || result.Included != len(specs) {
		t.Fatalf("the set is not published: %s %+v", result.Message, result.Tools)
	}
	return result.Bundle.Files
}

func desk(t testing.TB) map[string]string {
	t.Helper()
	return publishedSet(t, "openai-responses", tagOrder, writeQuery, searchDocs)
}

func TestASetIsWhatWasPublished(t *testing.T) {
	t.Parallel()
	files := desk(t)
	set, err := host.LoadSet(folder(files))
	if err != nil {
		t.Fatal(err)
	}
	if string(set.Tools()) != files["tools.json"] || string(set.Request()) != files["request.json"] || set.Profile() != "openai-responses" {
		t.Errorf("got %s %s", set.Profile(), set.Tools())
	}
	var names []string
	for _, tool := range set.All() {
		names = append(names, tool.Namespace()+"/"+tool.Contract()+" "+tool.Name())
		element, err := tool.Bytes(set.Profile())
		if err != nil || !strings.Contains(files["tools.json"], string(element)) {
			t.Errorf("%s: got %s, %v", tool.Name(), element, err)
		}
		if byName, ok := set.Tool(tool.Name()); !ok || byName != tool || tool.Digest() != set.Digest() {
			t.Errorf("%s is not found by its name", tool.Name())
		}
	}
	if diff := cmp.Diff([]string{"shop/tag-order tag_order", "shop/write-query write_query", "shop/search-docs search_docs"}, names); diff != "" {
		t.Error(diff)
	}
	tag, _ := set.Tool("tag_order")
	if !tag.Strict(set.Profile()) || tag.AskedStrict(set.Profile()) != "Required" {
		t.Error("strictness is not what was published")
	}
	arguments, err := tag.Decode(set.Profile(), []byte(`{"order_ref":"ord_1","labels":[{"key":"a","value":"x"}],"note":null}`))
	if err != nil || string(arguments) != `{"order_ref":"ord_1","labels":{"a":"x"}}` {
		t.Errorf("got %s, %v", arguments, err)
	}
	if _, ok := set.Tool("orders"); ok {
		t.Error("a group is taken for a tool")
	}
}

func TestWhatARequestHoldsBesideItsTools(t *testing.T) {
	t.Parallel()
	set, err := host.LoadSet(folder(publishedSet(t, "gemini-json-schema", strings.ReplaceAll(tagOrder, "profile: openai-responses", "profile: gemini-json-schema"))))
	if err != nil {
		t.Fatal(err)
	}
	tool, ok := set.Tool("tag_order")
	if !ok {
		t.Fatal("the declaration is not found")
	}
	if tool.Strict(set.Profile()) && string(set.Body()) == "{}" || !strings.HasPrefix(string(set.Body()), "{") {
		t.Errorf("nothing makes the request strict: %s", set.Body())
	}
	if set.Endpoint() != "" || len(set.Headers()) != 0 {
		t.Errorf("got %s %v", set.Endpoint(), set.Headers())
	}
}

func TestASetWithoutTools(t *testing.T) {
	t.Parallel()
	set, err := host.LoadSet(folder(publishedSet(t, "openai-responses")))
	if err != nil || len(set.All()) != 0 || set.Profile() != "openai-responses" {
		t.Errorf("got %+v, %v", set, err)
	}
}

func TestSetsThatWereNotPublished(t *testing.T) {
	t.Parallel()
	replace := func(file, old, with string) func(map[string]string) {
		return func(f map[string]string) {
			if !strings.Contains(f[file], old) {
				t.Errorf("%s has no %s", file, old)
			}
			f[file] = strings.ReplaceAll(f[file], old, with)
		}
	}
	cases := map[string]struct {
		change func(map[string]string)
		want   string
	}{
		"a folder of one tool":          {func(f map[string]string) { delete(f, "tools.json") }, "names no tools.json"},
		"no manifest":                   {func(f map[string]string) { delete(f, "manifest.json") }, "names no manifest.json"},
		"no request":                    {func(f map[string]string) { delete(f, "request.json") }, "names no request.json"},
		"tools that are no JSON":        {func(f map[string]string) { f["tools.json"] = "[" }, "tools.json: the text is not JSON"},
		"a manifest that is no JSON":    {func(f map[string]string) { f["manifest.json"] = "{" }, "manifest.json: the text is not JSON"},
		"a request that is no JSON":     {func(f map[string]string) { f["request.json"] = "{" }, "request.json: the text is not JSON"},
		"a request of a newer form":     {replace("request.json", "request/v1", "request/v2"), "update the host"},
		"a tool of a newer form":        {replace("manifest.json", "contract/v1", "contract/v2"), "update the host"},
		"a tool of another profile":     {replace("manifest.json", `"profile":"openai-responses"`, `"profile":"other"`), "is not for \"openai-responses\" alone"},
		"a tool that nobody is told of": {replace("tools.json", `"name":"tag_order"`, `"name":"another"`), `the tool "tag_order" of manifest.json is not in tools.json`},
		"two tools of one name":         {replace("manifest.json", `"toolName":"write_query"`, `"toolName":"tag_order"`), "names two tools"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			set, err := host.LoadSet(folder(reindexed(desk(t), c.change)))
			if set != nil || err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, host.ErrTorn) {
				t.Errorf("got %v, %v", set, err)
			}
		})
	}
	torn := desk(t)
	torn["tools.json"] = "[]\n"
	if _, err := host.LoadSet(folder(torn)); !errors.Is(err, host.ErrTorn) {
		t.Errorf("got %v", err)
	}
}

func TestAFreeText(t *testing.T) {
	t.Parallel()
	set, err := host.LoadSet(folder(desk(t)))
	if err != nil {
		t.Fatal(err)
	}
	query, _ := set.Tool("write_query")
	arguments, err := query.DecodeText(set.Profile(), []byte(`SELECT a FROM "b"`))
	if err != nil || string(arguments) != `{"query":"SELECT a FROM \"b\""}` {
		t.Fatalf("got %s, %v", arguments, err)
	}
	for text, want := range map[string]string{
		"SELECT a, b FROM orders":                        "",
		"DROP orders":                                    "does not match the pattern",
		"SELECT a FROM orders; DROP":                     "does not match the pattern",
		"SELECT " + strings.Repeat("a", 200) + " FROM b": "maxLength",
	} {
		arguments, err := query.DecodeText(set.Profile(), []byte(text))
		if err == nil {
			err = query.ValidateCall(arguments)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	for name, c := range map[string]struct {
		tool, profile string
		text          []byte
		want          string
	}{
		"a tool with arguments": {"tag_order", set.Profile(), []byte("a"), "takes arguments, not a text"},
		"another profile":       {"write_query", "anthropic-messages", []byte("a"), "it is published for openai-responses"},
		"what is no text":       {"write_query", set.Profile(), []byte{0xff}, "not UTF-8"},
		"a text of any size":    {"write_query", set.Profile(), make([]byte, host.MaxCall+1), "more than the limit"},
	} {
		tool, _ := set.Tool(c.tool)
		if _, err := tool.DecodeText(c.profile, c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The folder of the example of a set is what the operator publishes today.
func TestTheFolderOfTheSet(t *testing.T) {
	t.Parallel()
	for name, text := range desk(t) {
		golden.Check(t, "desk/"+name, text)
	}
	// And nothing else is in it.
	present, err := filepath.Glob("testdata/desk/*")
	if err != nil || len(present) != len(desk(t)) {
		t.Errorf("got %v, %v", present, err)
	}
	if _, err := os.Stat("testdata/desk/tools.json"); err != nil {
		t.Error(err)
	}
}
