// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// mcpText is a short file that is complete, to be spoilt by tests.
func mcpText(t *testing.T) string {
	t.Helper()
	raw, err := embedded.ReadFile("profiles/mcp-2025-11-25.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Replace(string(raw), "name: mcp-2025-11-25", "name: base", 1)
}

func TestBrokenProfileFilesAreRefused(t *testing.T) {
	t.Parallel()
	base := mcpText(t)
	cases := map[string]struct {
		replace, by string
		want        string
	}{
		"an unknown field":                  {"revision: 1", "revision: 1\nflavour: sweet", "flavour"},
		"an unknown field inside a cell":    {"confidence: High, sources: [mcp-specification, sep-1613", "trust: High, sources: [mcp-specification, sep-1613", "trust"},
		"a field given twice":               {"revision: 1", "revision: 1\nrevision: 2", "revision"},
		"a name other than the file's":      {"name: base", "name: other", `its name is "other"`},
		"no revision":                       {"revision: 1", "revision: 0", "revision must be between 1 and"},
		"no day of review":                  {`reviewed: "2026-11-30"`, `reviewed: "2026"`, "reviewed must be a day"},
		"a source without a date":           {`date: "2026-08-21"`, `date: ""`, `"mcp-go-sdk" needs a date`},
		"a source without https":            {"url: https://github.com/modelcontextprotocol/go-sdk", "url: go-sdk", `"mcp-go-sdk" needs an https url`},
		"a source that is not declared":     {"[mcp-schema, sep-1613", "[hearsay, sep-1613", `source "hearsay" is not declared`},
		"a verdict that is none":            {"verdict: Accepted, confidence: High, sources: [mcp-specification, sep-1613", "verdict: Liked, confidence: High, sources: [mcp-specification, sep-1613", `verdict "Liked" is none`},
		"a confidence that is none":         {"confidence: High, sources: [mcp-specification, sep-1613", "confidence: Sure, sources: [mcp-specification, sep-1613", `confidence "Sure" is none`},
		"a keyword without verdict":         {"minLength, ", "", "keyword minLength has no verdict in Strict"},
		"unknown keywords without verdict":  {", definitions, unknown]", ", definitions]", "unknown keywords have no verdict"},
		"a shape without verdict":           {"[OpenObject, ", "[", "shape OpenObject has no verdict in Standard"},
		"a shape that is none":              {"[OpenObject, ", "[OpenObject, RoundObject, ", "shape RoundObject is none"},
		"a keyword with two entries":        {"$vocabulary, $comment", "$vocabulary, $schema, $comment", "$schema has two entries in Strict"},
		"an entry without names":            {"- names: [$ref, $defs]", "- names: []", "an entry has no names"},
		"an entry without verdicts":         {"- names: [$schema]\n  both:", "- names: [$id]\n- names: [$schema]\n  both:", "needs either both, or strict and standard"},
		"no unconditional case":             {"  - {verdict: Accepted, confidence: High, sources: [mcp-schema]}", "", "the last case has no condition"},
		"a refusal without a fix":           {"    fix: 'write \"type\": \"object\" at the root and put the value below a property'\n", "", "what is Rejected or Unknown needs a fix"},
		"an unknown without a note":         {"verdict: Accepted, confidence: High, sources: [mcp-specification, sep-1613", "verdict: Unknown, confidence: High, sources: [mcp-specification, sep-1613", "needs a note"},
		"a placeholder that is none":        {"remove {keyword} from the root", "remove {thing} from the root", "{thing} is no placeholder"},
		"a condition on no keyword":         {"heldBy: [properties]", "heldBy: [property]", `"property" is no keyword`},
		"a condition on a shape that moves": {"[OpenObject, OptionalProperty, UndeclaredRequired, MissingRequired, ObjectWithoutProperties, UntypedSchema, Recursion]\n  both:\n", "[OpenObject, OptionalProperty, UndeclaredRequired, MissingRequired, ObjectWithoutProperties, UntypedSchema, Recursion]\n  both:\n  - {when: {atRoot: true}, verdict: Accepted, confidence: High, sources: [mcp-schema]}\n", "takes the condition cycleWithoutOptionalProperty"},
		"a strict place that is none":       {"place: None", "place: Somewhere", `strict.place "Somewhere" is none`},
		"a request switch without a place":  {"place: None", "place: None\n  requestSwitch: on", "requestSwitch belongs to place Request"},
		"strict mode without models":        {"place: None", "place: Tool", "models are needed"},
		"a model pattern with a star amid":  {"models: []", "models: [{pattern: \"a*b\", strict: true, confidence: High, sources: [mcp-schema]}]", "may have one *, at its end"},
		"a limit on nothing":                {"limits: []", "limits: [{measure: Beauty, max: 1, per: Tool, severity: Error, confidence: High, sources: [mcp-schema]}]", `measure "Beauty" is none`},
		"a limit without severity":          {"limits: []", "limits: [{measure: Tools, max: 1, per: Tool, severity: Grave, confidence: High, sources: [mcp-schema]}]", "must be Error or Warning"},
		"a tool name that does not compile": {`"^[A-Za-z0-9_.-]+$"`, `"^[A-Za-z"`, "compiling toolNames pattern"},
		"text that is no YAML":              {"name: base", "name: [base", "reading profile base"},
		"a parent that does not exist":      {"name: base", "name: base\nextends: nobody", "there is no such profile"},
		"a profile that extends itself":     {"name: base", "name: base\nextends: base", "it extends itself"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(base, c.replace) {
				t.Fatalf("the base file does not hold %q", c.replace)
			}
			broken := strings.Replace(base, c.replace, c.by, 1)
			_, err := load(map[string][]byte{"base": []byte(broken)})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not say %q", err, c.want)
			}
		})
	}
}

func TestEveryFaultIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	broken := strings.NewReplacer("revision: 1", "revision: 0", "minLength, ", "").Replace(mcpText(t))
	_, err := load(map[string][]byte{"base": []byte(broken)})
	for _, want := range []string{"revision", "minLength has no verdict in Strict", "minLength has no verdict in Standard"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

func TestExtendingProfileKeepsWhatItDoesNotSay(t *testing.T) {
	t.Parallel()
	child := `
name: child
extends: base
title: Gateway
revision: 1
reviewed: "2026-11-30"
sources:
- {key: handbook, title: Handbook, url: "https://example.com/handbook", date: "2026-11"}
keywords:
- names: [minLength, x-flag]
  standard:
  - {verdict: Rejected, confidence: High, sources: [handbook], fix: remove it}
`
	c, err := load(map[string][]byte{"base": []byte(mcpText(t)), "child": []byte(child)})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := c.Lookup("child")
	s := schematest.Schema(t, `{"type": "object", "properties": {"a": {"minLength": 1, "maxLength": 2, "x-flag": 1, "x-other": 1}}}`)
	for keyword, want := range map[string]Verdict{"minLength": Rejected, "x-flag": Rejected, "maxLength": Accepted, "x-other": Accepted} {
		if got := p.Judge(s, 1, keyword, Standard); got.Verdict != want {
			t.Errorf("%s: %s, want %s", keyword, got.Verdict, want)
		}
	}
	if p.Title != "Gateway" || p.WireFormat != "mcp-tool" || p.OutputSchema.Field != "outputSchema" || len(p.ToolNames) != 2 {
		t.Errorf("fields of the parent are lost: %q %q %q", p.Title, p.WireFormat, p.OutputSchema.Field)
	}
	parent, _ := c.Lookup("base")
	if got := parent.Judge(s, 1, "minLength", Standard); got.Verdict != Accepted {
		t.Errorf("the child changed its parent: %s", got.Verdict)
	}
}
