// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/testkit/corpus"
)

const mcpTool = `{"name":"get_user","description":"Gets a user.","inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}`

func TestImportCommand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, stdin string
		arguments   []string
		code        int
		out, err    string
	}{
		{"a tool", mcpTool, nil, 0, "toolName: get_user", "-: 1 tool imported, 0 skipped\n"},
		{"the format by name", mcpTool, []string{"--format", "mcp"}, 0, "toolName: get_user", "1 tool imported"},
		{"the common profiles are targets that may be left out", mcpTool, nil, 0, "  - profile: openai-responses\n    onIncompatible: Exclude\n", ""},
		{"given targets block", mcpTool, []string{"--target", "openai-responses:Required:Keep"}, 0, "  targets:\n  - profile: openai-responses\n    strict: Required\n    adaptation: Keep\n", ""},
		{"namespace and version", mcpTool, []string{"--namespace", "shop", "--version", "0.3.0"}, 0, "  namespace: shop\nspec:\n  version: 0.3.0\n", ""},
		{"objects are closed on demand", mcpTool, []string{"--close-objects"}, 0, `"additionalProperties": false`, "object schemas closed: 1"},
		{"a tool that cannot be carried over", "[" + mcpTool + `,{"name":"a b"}]`, nil, 1, "toolName: get_user", "1 tool imported, 1 skipped"},
		{"an empty list", `{"tools":[]}`, nil, 0, "", "0 tools imported, 0 skipped"},
		{"nothing", "", nil, 2, "", "there is no list of tools in it"},
		{"no JSON", "hello", nil, 2, "", "skipped: line 1: the text is not JSON"},
		{"names that drive a terminal are escaped", "{\"name\":\"a\\u001b[31m\"}", nil, 1, "", `a\x1b[31m`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run(test.stdin, append([]string{"import", "-"}, test.arguments...)...)
			if got.code != test.code || !strings.Contains(got.out, test.out) || !strings.Contains(got.err, test.err) || strings.Contains(got.err, "\x1b") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestImportedToolsAreChecked(t *testing.T) {
	t.Parallel()
	imported := run(mcpTool, "import", "-")
	checked := run(imported.out, "check", "-", "-o", "json")
	all := results(t, checked.out)
	if checked.code != 0 || len(all) != len(commonProfiles) {
		t.Fatalf("got code %d and %d results", checked.code, len(all))
	}
	for _, r := range all {
		if r.Result != resultCompatible || r.Name != "get-user" || r.ToolName != "get_user" {
			t.Errorf("got %+v", r)
		}
	}
}

// TestCorpus imports every real tool and checks what came out: each becomes a
// contract that is judged for every profile, or it is reported.
func TestCorpus(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for _, path := range corpus.ToolFiles(t) {
		imported := run("", "import", path)
		if imported.code == exitUsage {
			t.Errorf("%s: %s", path, imported.err)
			continue
		}
		checked := run(imported.out, "check", "-", "-o", "json")
		all := results(t, checked.out)
		if contracts := strings.Count(imported.out, "\nkind: ToolContract\n"); len(all) != len(commonProfiles)*contracts {
			t.Errorf("%s: %d results for %d contracts", path, len(all), contracts)
		}
		for _, r := range all {
			counts[r.Profile+" "+r.Result]++
			if r.Result != resultCompatible && !slices.ContainsFunc(r.Findings, func(f findingView) bool { return f.Severity == "Error" }) {
				t.Errorf("%s: %s is %s for %s without an error", path, r.Name, r.Result, r.Profile)
			}
		}
	}
	for what, n := range counts {
		t.Logf("%s: %d", what, n)
	}
}
