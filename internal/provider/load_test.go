// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// mcpText is a short file that is complete, to be spoilt by tests.
func mcpText(t *testing.T) string {
	t.Helper()
	raw, err := embedded.ReadFile("profiles/mcp-2025-11-25.yaml")
	if err != nil {
		t.Fatal(err)
	}
	revision := regexp.MustCompile(`(?m)^revision: \d+$`)
	return revision.ReplaceAllString(strings.Replace(string(raw), "name: mcp-2025-11-25", "name: base", 1), "revision: 1")
}

// TestBrokenProfileFilesAreRefused breaks a good file in one place each, and
// shows that the place is named.
func TestBrokenProfileFilesAreRefused(t *testing.T) {
	t.Parallel()
	base := mcpText(t)
	const (
		cell     = "confidence: High, sources: [mcp-specification, sep-1613"
		accepted = "verdict: Accepted, " + cell
		noModels = "models: []"
		noLimits = "limits: []"
		rules    = "\ntoolNames:\n"
	)
	cases := map[string]struct {
		replace, by string
		pointer     string
		says        string
	}{
		"text that is no YAML":       {"name: base", "name: [base", "", "not YAML: line"},
		"two documents":              {"name: base", "name: base\n---\nname: base", "", "second document"},
		"an unknown field":           {"revision: 1", "revision: 1\nflavour: sweet", "/flavour", `no field "flavour"`},
		"an unknown field in a cell": {cell, "trust: High, sources: [mcp-specification, sep-1613", "/keywords/0/both/0/trust", "no field"},
		"a field given twice":        {"revision: 1", "revision: 1\nrevision: 2", "/revision", "there twice"},
		"an alias":                   {accepted, "verdict: *a, " + cell, "", "unknown anchor"},
		"an anchor that is used":     {"place: None", "place: &p None\n  note: *p", "/strict/note", "aliases are not read here"},
		"a word of two meanings":     {"place: None", "place: None\n  requestSwitch: on", "/strict/requestSwitch", "true or false to others"},
		"a key that is no text":      {"revision: 1", "revision: 1\n2: x", "", "the key is not text"},
		"a tag":                      {"revision: 1", "revision: !!binary MQ==", "/revision", "has no meaning here"},
		"a number of YAML alone":     {"revision: 1", "revision: 0x1", "/revision", "JSON can write"},
		"null":                       {noLimits, "limits:", "/limits", "a list is wanted here, not null"},
		"text for a number":          {"revision: 1", `revision: "1"`, "/revision", "a whole number"},
		"a number beyond bounds":     {"revision: 1", "revision: 2147483648", "/revision", "a whole number"},
		"a number for text":          {`date: "2026-08-21"`, "date: 2026", "/sources/4/date", "text is wanted here, not 2026"},
		"text for a list":            {"[OpenObject, OptionalProperty,", "OpenObject\n- names: [OptionalProperty,", "/shapes/3/names", "a list is wanted here"},
		"a list for an object":       {"when: {heldBy: [properties]}", "when: [properties]", "/shapes/1/both/0/when", "an object is wanted here"},
		"text for a truth":           {"rootMustBeObject: true", "rootMustBeObject: maybe", "/outputSchema/rootMustBeObject", "true or false is wanted here"},

		"a name other than the file's": {"name: base", "name: other", "/name", `the name is "other" and must be that of the file`},
		"no title":                     {"title: Model Context Protocol 2025-11-25\n", "", "/title", "missing"},
		"no revision":                  {"revision: 1", "revision: 0", "/revision", "must be 1 or more"},
		"no day of review":             {`reviewed: "2026-11-30"`, `reviewed: "2026"`, "/reviewed", `"2026" is not a day`},
		"a day that does not exist":    {`reviewed: "2026-11-30"`, `reviewed: "2026-02-30"`, "/reviewed", "is not a day"},
		"a source without a date":      {`date: "2026-08-21"`, `date: ""`, "/sources/4/date", "needs a date"},
		"a source of no month":         {`date: "2026-08-21"`, `date: "2026-13"`, "/sources/4/date", "needs a date"},
		"a source without https":       {"url: https://github.com/modelcontextprotocol/go-sdk", "url: go-sdk", "/sources/4/url", "needs an https URL"},
		"a source given twice":         {"key: sep-986", "key: sep-1613", "/sources/3/key", "there twice"},
		"a source that nobody declared": {
			"[mcp-schema, sep-1613", "[hearsay, sep-1613", "/keywords/1/both/0/sources/0", `"hearsay" is not declared`,
		},
		"a verdict that is none":            {accepted, "verdict: Liked, " + cell, "/keywords/0/both/0/verdict", `"Liked" is none`},
		"a confidence that is none":         {cell, "confidence: Sure, sources: [mcp-specification, sep-1613", "/keywords/0/both/0/confidence", `"Sure" is none`},
		"a keyword without verdict":         {"minLength, ", "", "/keywords", "keyword minLength has no verdict in Strict"},
		"unknown keywords without verdict":  {", definitions, unknown]", ", definitions]", "/keywords", "unknown keywords have no verdict in Standard"},
		"a shape without verdict":           {"[OpenObject, ", "[", "/shapes", "shape OpenObject has no verdict in Standard"},
		"a shape that is none":              {"[OpenObject, ", "[OpenObject, RoundObject, ", "/shapes/3/names/1", `"RoundObject" is no shape`},
		"a shape that is dropped":           {"  - {verdict: Accepted, confidence: High, sources: [mcp-schema]}", "  - {verdict: Dropped, confidence: High, sources: [mcp-schema]}", "/shapes/1/both/1/verdict", "cannot be Dropped"},
		"a keyword with two entries":        {"$vocabulary, $comment", "$vocabulary, $schema, $comment", "/keywords/1/names/0", `"$schema" has two entries in Strict`},
		"an entry without names":            {"- names: [$ref, $defs]", "- names: []", "/keywords/2/names", "the entry has no names"},
		"an entry without verdicts":         {"- names: [$schema]\n  both:", "- names: [x-id]\n- names: [$schema]\n  both:", "/keywords/1", "needs either both, or strict and standard"},
		"no unconditional case":             {"  - {verdict: Accepted, confidence: High, sources: [mcp-schema]}", "", "/shapes/1/both/0/when", "the last case must have no condition"},
		"a case that is never reached":      {"  - when: {heldBy: [properties]}\n    verdict", "  - verdict", "/shapes/1/both/0", "must be the last"},
		"an empty condition":                {"{heldBy: [properties]}", "{}", "/shapes/1/both/0/when", "always holds"},
		"a value of null":                   {"{heldBy: [properties]}", "{valueIs: null}", "/shapes/1/both/0/when/valueIs", "null says nothing"},
		"a bound that is no number":         {"{heldBy: [properties]}", `{valueAbove: "1"}`, "/shapes/1/both/0/when/valueAbove", "must be a number"},
		"a refusal without a fix":           {"    fix: 'write \"type\": \"object\" at the root and put the value below a property'\n", "", "/shapes/0/both/0/fix", "needs a fix"},
		"an unknown without a note":         {accepted, "verdict: Unknown, fix: x, " + cell, "/keywords/0/both/0/note", "needs a note"},
		"a placeholder that is none":        {"remove {keyword} from the root", "remove {thing} from the root", "/rootKeywords/0/both/0/fix", "{thing} is no placeholder"},
		"a condition on no keyword":         {"heldBy: [properties]", "heldBy: [items, property]", "/shapes/1/both/0/when/heldBy/1", `"property" is no keyword`},
		"a condition on no type":            {"heldBy: [properties]", "valueKinds: [integer]", "/shapes/1/both/0/when/valueKinds/0", `"integer" is no JSON type`},
		"a condition on no such type":       {"heldBy: [properties]", "typeHas: [text]", "/shapes/1/both/0/when/typeHas/0", `"text" is no type`},
		"an expression that is none":        {"heldBy: [properties]", "valueMatches: '('", "/shapes/1/both/0/when/valueMatches", "does not compile"},
		"an expression that is no text":     {"heldBy: [properties]", "valueMatches: [a]", "/shapes/1/both/0/when/valueMatches", "an expression is wanted here"},
		"a prefix with a star":              {noModels, "models: []\nmodelPrefixes: [eu.*]", "/modelPrefixes/0", "must be plain text"},
		"a condition on no feature":         {"heldBy: [properties]", "patternUses: [Magic]", "/shapes/1/both/0/when/patternUses/0", `"Magic" is no pattern feature`},
		"a condition on a shape that moves": {"RequiredWithoutProperties, Recursion]\n  both:\n", "RequiredWithoutProperties, Recursion]\n  both:\n  - {when: {atRoot: true}, verdict: Accepted, confidence: High, sources: [mcp-schema]}\n", "/shapes/3/both/0/when", "takes the condition cycleWithoutOptionalProperty"},

		"a strict place that is none":       {"place: None", "place: Somewhere", "/strict/place", `"Somewhere" is none`},
		"a request switch without a place":  {"place: None", "place: None\n  requestSwitch: mode ANY", "/strict/requestSwitch", "belongs to place Request"},
		"a place without a request switch":  {"place: None", "place: Request", "/strict/requestSwitch", "place Request needs requestSwitch"},
		"all tools, of what is no flag":     {"place: None", "place: None\n  allTools: true", "/strict/allTools", "allTools belongs to place Tool"},
		"strict mode without models":        {"place: None", "place: Tool", "/models", "models are needed"},
		"a model pattern with a star amid":  {noModels, `models: [{pattern: "a*b", strict: true, confidence: High, sources: [mcp-schema]}]`, "/models/0/pattern", "may have one *, at its end"},
		"a limit on nothing":                {noLimits, "limits: [{measure: Beauty, max: 1, per: Tool, severity: Error, confidence: High, sources: [mcp-schema]}]", "/limits/0/measure", `"Beauty" is none`},
		"a limit without severity":          {noLimits, "limits: [{measure: Tools, max: 1, per: Tool, severity: Grave, confidence: High, sources: [mcp-schema]}]", "/limits/0/severity", `"Grave" is none`},
		"a limit of a mode that is none":    {noLimits, "limits: [{measure: Tools, max: 1, mode: Loose, per: Tool, severity: Error, confidence: High, sources: [mcp-schema]}]", "/limits/0/mode", `"Loose" is none`},
		"a tool name that does not compile": {`"^[A-Za-z0-9_.-]+$"`, `"^[A-Za-z"`, "/toolNames/0/pattern", "does not compile"},
		"a property name rule without one":  {rules, "\npropertyNames: [{scope: All, severity: Error, confidence: High, sources: [mcp-schema]}]" + rules, "/propertyNames/0/pattern", "needs pattern or reserved"},
		"a property scope that is none":     {rules, "\npropertyNames: [{scope: Some, pattern: a, severity: Error, confidence: High, sources: [mcp-schema]}]" + rules, "/propertyNames/0/scope", `"Some" is none`},
		"half a part":                       {"    oneOf: Exact\n", "", "/effective/strict/oneOf", "is none"},

		"a parent that does not exist":  {"name: base", "name: base\nextends: nobody", "/extends", `no profile "nobody"`},
		"a profile that extends itself": {"name: base", "name: base\nextends: base", "/extends", "it extends itself"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(base, c.replace) {
				t.Fatalf("the base file does not hold %q", c.replace)
			}
			broken := strings.Replace(base, c.replace, c.by, 1)
			l := loader{files: map[string][]byte{"base": []byte(broken)}}
			_, found := l.load()
			says := func(f finding.Finding) bool { return f.Pointer == c.pointer && strings.Contains(f.Message, c.says) }
			if !slices.ContainsFunc(found["base"], says) {
				t.Errorf("nothing at %q says %q:\n%v", c.pointer, c.says, found["base"])
			}
			for _, f := range found["base"] {
				if f.Fix == "" || f.Severity != finding.Error || !strings.HasPrefix(f.Rule, "profile-") {
					t.Errorf("%#v", f)
				}
			}
		})
	}
}

// What is broken in one place does not fill the report with what follows from it.
func TestOneFaultIsReportedOnce(t *testing.T) {
	t.Parallel()
	base := mcpText(t)
	for replace, by := range map[string]string{
		"name: base":       "name: base\nextends: nobody",
		"[$ref, $defs]":    "$ref",
		"place: None":      "place: 5",
		"- {key: \"kenn-":  "- {colour: red, key: \"kenn-",
		"severity: Error":  "severity: Fatal",
		"reviewed: \"2026": "reviewed: \"26",
	} {
		l := loader{files: map[string][]byte{"base": []byte(strings.Replace(base, replace, by, 1))}}
		if _, found := l.load(); len(found["base"]) != 1 {
			t.Errorf("%s: %v", by, found["base"])
		}
	}
}

func TestEveryFaultIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	broken := strings.NewReplacer("revision: 1", "revision: 0", "minLength, ", "").Replace(mcpText(t))
	_, err := load(map[string][]byte{"base": []byte(broken)})
	for _, want := range []string{"profiles/base.yaml Error /revision: ", "/keywords: keyword minLength has no verdict in Strict", "minLength has no verdict in Standard"} {
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
