// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

func TestDiffGoldens(t *testing.T) {
	t.Parallel()
	tests := []struct {
		golden    string
		arguments []string
		code      int
	}{
		{"diff.txt", []string{"testdata/diff-old.yaml", "testdata/diff-new.yaml"}, 1},
		{"diff.json", []string{"testdata/diff-old.yaml", "testdata/diff-new.yaml", "-o", "json"}, 1},
		{"diff-tools.txt", []string{"testdata/diff-old-tools.json", "testdata/diff-new-tools.json"}, 1},
		{"diff-tools-bump.json", []string{"testdata/diff-old-tools.json", "testdata/diff-new-tools.json", "--bump", "Major", "-o", "json"}, 0},
	}
	for _, test := range tests {
		t.Run(test.golden, func(t *testing.T) {
			t.Parallel()
			got := run("", append([]string{"diff"}, test.arguments...)...)
			golden.Check(t, test.golden, got.out)
			if got.code != test.code || got.err != "" {
				t.Errorf("got code %d and %q", got.code, got.err)
			}
			if again := run("", append([]string{"diff"}, test.arguments...)...); again != got {
				t.Error("two runs on the same input differ")
			}
		})
	}
}

const closedSchema = "schema: {type: object, additionalProperties: false, properties: {a: {type: string}}}"

// revisionYAML is a ToolRevision of the contract a.
func revisionYAML(version string, replace ...string) string {
	text := contractYAML("x", append([]string{"1.0.0", version}, replace...)...)
	_, content, _ := strings.Cut(text, "spec:\n")
	content, _, _ = strings.Cut(content, "  targets:")
	return "---\napiVersion: toolcontract.dev/v1alpha1\nkind: ToolRevision\nmetadata: {name: a-v" + version + "}\nspec:\n" +
		"  contractRef: {name: a}\n  checkerVersion: x\n  contentDigest: sha256:" + strings.Repeat("0", 64) + "\n  content:\n" +
		"  " + strings.ReplaceAll(strings.TrimRight(content, "\n"), "\n", "\n  ") + "\n"
}

func TestDiff(t *testing.T) {
	t.Parallel()
	one := contractYAML("a")
	wider := contractYAML("a", schemaLine, closedSchema, "1.0.0", "1.1.0")
	narrow := contractYAML("a", "1.0.0", "1.2.0")
	mcp := func(name, schema string) string {
		return `{"name":"` + name + `","description":"x","inputSchema":` + schema + `}`
	}
	const open, shut = `{"type":"object"}`, `{"type":"object","additionalProperties":false}`
	tests := []struct {
		name, old, new string
		arguments      []string
		code           int
		out, err       string // parts
	}{
		{"the same", one, one, nil, 0, "nothing changed that needs a version, declared is None: sufficient", ""},
		{"a higher version of the same content", one, contractYAML("a", "1.0.0", "3.0.0"), nil, 0, "declared is Major: sufficient", ""},
		{"a minor change with a minor version", one, wider, nil, 0, "the change needs Minor, declared is Minor: sufficient", ""},
		{"with the version that it had", one, strings.Replace(wider, "1.1.0", "1.0.0", 1), nil, 1, "declared is None: NOT sufficient", ""},
		{"a major change with a minor version", wider, narrow, nil, 1, "NOT sufficient", ""},
		{"one on each side under other names", one, contractYAML("b"), nil, 0, "b 1.0.0 → 1.0.0", ""},
		{"another tool", one, contractYAML("a", "get_order", "fetch_order"), nil, 1, "[tool-name]", ""},
		{
			"an acknowledgement counts", strings.Replace(one, "spec:\n", "spec:\n  execution: {risk: Low}\n", 1), strings.Replace(contractYAML("a", "1.0.0", "1.1.0"), "spec:\n", "spec:\n  execution: {risk: High}\n  acknowledge:\n  - {version: 1.1.0, rule: risk, path: /spec/execution/risk, reason: agreed}\n", 1),
			nil, 0, "(acknowledged: agreed)", "",
		},
		{"several are matched by name", one + contractYAML("b"), contractYAML("b") + wider, nil, 0, "2 tools: 0 need Major, 1 Minor, 0 Patch, 1 nothing; 0 not sufficient", ""},
		{"one is gone", one + contractYAML("b"), one, nil, 1, "[tool-removed]", ""},
		{"one is new", one, one + contractYAML("b"), nil, 0, "[tool-added]", ""},
		{
			"names that namespaces tell apart", contractYAML("a", "metadata:", "metadata:\n  namespace: east") + contractYAML("a", "metadata:", "metadata:\n  namespace: west"),
			contractYAML("a", "metadata:", "metadata:\n  namespace: west") + wider, nil, 1, "east/a\n  Major", "",
		},
		{"the highest revision of the line is the old side", revisionYAML("2.0.0") + revisionYAML("1.1.0", schemaLine, closedSchema) + revisionYAML("1.0.0"), narrow, nil, 1, "a 1.1.0 → 1.2.0", ""},
		{"a new line is compared with the highest", revisionYAML("1.0.0") + revisionYAML("2.0.0-rc.1"), contractYAML("a", "1.0.0", "3.0.0"), nil, 0, "a 1.0.0 → 3.0.0", ""},
		{"revisions on both sides", revisionYAML("1.0.0"), revisionYAML("1.1.0", schemaLine, closedSchema), nil, 0, "sufficient", ""},
		{"a list of Kubernetes", `{"apiVersion":"v1","kind":"List","items":[]}`, one, nil, 2, "", "there is no ToolContract, no ToolRevision and no tool in it"},
		{"other kinds are passed over", one + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n", one, nil, 0, "sufficient", "not read: a ConfigMap"},
		{"an invalid contract", contractYAML("a", "version: 1.0.0", "version: one"), one, nil, 2, "", "/spec/version"},
		{"an invalid schema", contractYAML("a", asText(`{"type":"strng"}`)...), one, nil, 2, "", "/type"},
		{"a version twice", one + one, wider, nil, 2, "a 1.0.0 → 1.1.0", "version 1.0.0 is in it twice"},
		{"what can be read is compared", contractYAML("b", "version: 1.0.0", "version: one") + one, wider, nil, 2, "a 1.0.0 → 1.1.0", "/spec/version"},
		{"nothing", "", one, nil, 2, "", "there is no ToolContract"},
		{"a bump for contracts", one, one, []string{"--bump", "Minor"}, 2, "", "--bump is for bare tools"},
		{"an unknown bump", one, one, []string{"--bump", "minor"}, 2, "", `there is no bump "minor"; write None, Patch, Minor or Major`},
		{"an unknown output format", one, one, []string{"-o", "yaml"}, 2, "", "there is no output format"},

		{"a bare tool", mcp("t", shut), mcp("t", open), nil, 0, "the change needs Minor; nothing is declared", ""},
		{"a bare tool that breaks", mcp("t", open), mcp("t", shut), nil, 1, "the change needs Major; nothing is declared", ""},
		{"with a bump that suffices", mcp("t", open), mcp("t", shut), []string{"--bump", "Major"}, 0, "declared is Major: sufficient", ""},
		{"with one that does not", mcp("t", shut), mcp("t", open), []string{"--bump", "Patch"}, 1, "declared is Patch: NOT sufficient", ""},
		{"lists of tools", `[` + mcp("t", shut) + `,` + mcp("u", shut) + `]`, `{"tools":[` + mcp("u", shut) + `,` + mcp("t", shut) + `]}`, nil, 0, "2 tools: 0 need Major", ""},
		{"an empty list", `{"tools":[]}`, `{"tools":[` + mcp("t", open) + `]}`, nil, 0, "[tool-added]", ""},
		{"two empty lists", `{"tools":[]}`, `[]`, []string{"-o", "json"}, 0, `"tools": []`, ""},
		{"a tool twice", `[` + mcp("t", open) + `,` + mcp("t", open) + `]`, mcp("t", open), nil, 2, "", `the tool "t" is in it twice`},
		{"a tool that is none", `[` + mcp("t", open) + `,{"name":"a b"}]`, mcp("t", open), nil, 2, "", "skipped: a b"},
		{"JSON that is cut off", `{"tools":[`, mcp("t", open), nil, 2, "", ""},
		{
			"an older dialect with nothing else", mcp("t", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","definitions":{"a":{"type":"string"}},"properties":{"a":{"$ref":"#/definitions/a"}}}`),
			mcp("t", `{"type":"object","$defs":{"a":{"type":"string"}},"properties":{"a":{"$ref":"#/$defs/a"}}}`), nil, 0, "nothing changed", "",
		},
		{"tools and contracts", mcp("t", open), one, nil, 2, "", "standard input has bare tools and the other file has manifests"},
		{"names that drive a terminal are escaped", mcp("t", `{"type":"object","properties":{"\u001b[31m":{"type":"string"}}}`), mcp("t", `{"type":"object","properties":{"\u001b[31m":{"type":"null"}}}`), nil, 1, `\x1b[31m`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run(test.old, append([]string{"diff", "-", files(t, test.new)[0]}, test.arguments...)...)
			if got.code != test.code || !strings.Contains(got.out, test.out) || !strings.Contains(got.err, test.err) || strings.Contains(got.out+got.err, "\x1b") {
				t.Errorf("got %+v", got)
			}
			if got.code == 2 && got.err == "" {
				t.Error("nothing is said about what cannot be read")
			}
		})
	}
}

// TestDiffHidesProtectedValues: no counter-example of a confidential contract is
// shown, in any form.
func TestDiffHidesProtectedValues(t *testing.T) {
	t.Parallel()
	secret := func(schema string) string {
		return strings.Replace(contractYAML("a", schemaLine, schema), "spec:\n", "spec:\n  execution: {dataClassification: Confidential}\n", 1)
	}
	old := secret("schema: {type: object, properties: {a: {enum: [salary-4711, other]}}, additionalProperties: false}")
	next := files(t, secret("schema: {type: object, properties: {a: {enum: [other]}}, additionalProperties: false}"))[0]
	for _, output := range []string{"text", "json"} {
		got := run(old, "diff", "-", next, "-o", output)
		if got.code != 1 || strings.Contains(got.out+got.err, "4711") {
			t.Errorf("got %+v", got)
		}
	}
}

// TestDiffOfRealTools compares every twentieth step of real tools: none is
// unreadable, and every answer has the members that it should.
func TestDiffOfRealTools(t *testing.T) {
	t.Parallel()
	type step struct {
		Tool     string
		Old, New json.RawMessage
	}
	compared, bumps := 0, map[string]int{}
	for _, path := range corpus.Files(t, "history/*.jsonl") {
		seen := 0
		for s := range corpus.Lines[step](t, path) {
			if seen++; seen%20 != 0 || string(s.Old) == "null" || string(s.New) == "null" || s.Old == nil || s.New == nil {
				continue
			}
			got := run(named(t, s.Old, s.Tool), "diff", "-", files(t, named(t, s.New, s.Tool))[0], "-o", "json")
			var report diffReport
			if err := json.Unmarshal([]byte(got.out), &report); err != nil || got.code == exitUsage {
				t.Errorf("%s: %v: %+v", s.Tool, err, got)
				continue
			}
			compared++
			bumps[report.RequiredBump]++
			if (report.RequiredBump == "None") != (len(report.Findings) == 0) || (got.code == 1) != (report.RequiredBump == "Major") {
				t.Errorf("%s: code %d and %s", s.Tool, got.code, got.out)
			}
		}
	}
	t.Logf("%d steps: %v", compared, bumps)
	if compared < 40 {
		t.Errorf("only %d steps were compared", compared)
	}
}

// named is a tool with a name, which the lines of the corpus have beside it.
func named(t *testing.T, tool json.RawMessage, name string) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(tool, &members); err != nil {
		t.Fatal(err)
	}
	if members["name"] == nil {
		members["name"] = json.RawMessage(mustJSON(t, name))
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
