// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/jsonpatch"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// applied returns a document after a patch.
func applied(t testing.TB, document *schema.Value, patch []finding.Operation) *schema.Value {
	t.Helper()
	after, err := jsonpatch.Apply(document, patch)
	if err != nil {
		t.Fatal(err)
	}
	return after
}

func TestRepairs(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		profile string
		mode    Mode
		schema  string
		rule    string // of the finding that is repaired; "" for the first
		want    string // the document after; "" for no patch
	}{
		"an annotation is removed": {
			"openai-responses", Strict, strictObject(`"a":{"type":"string","$comment":"c"}`, "a"), "", strictObject(`"a":{"type":"string"}`, "a"),
		},
		"a constraint needs a word in the description": {
			"openai-responses", Strict, strictObject(`"a":{"type":"array","items":{"type":"string"},"uniqueItems":true}`, "a"), "", "",
		},
		"an object is closed": {
			"openai-responses", Strict, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, "", strictObject(`"a":{"type":"string"}`, "a"),
		},
		"an object is closed at its keyword": {
			"openai-responses", Strict, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":true}`, "", strictObject(`"a":{"type":"string"}`, "a"),
		},
		"a map is not": {
			"openai-responses", Strict, strictObject(`"a":{"type":"object"}`, "a"), RuleObjectNotClosed, "",
		},
		"an optional property": {
			"openai-responses", Strict, strictObject(`"a":{"type":"string"},"b":{"type":"string"}`, "a"), "",
			strictObject(`"a":{"type":"string"},"b":{"type":["string","null"]}`, "a", "b"),
		},
		"an optional property with an enum": {
			"openai-responses", Strict, strictObject(`"a":{"type":"string"},"b":{"type":"string","enum":["x"]}`, "a"), "",
			strictObject(`"a":{"type":"string"},"b":{"type":["string","null"],"enum":["x",null]}`, "a", "b"),
		},
		"an optional property that admits null": {
			"openai-responses", Strict, strictObject(`"a":{"type":"string"},"b":{"anyOf":[{"type":"string"},{"type":"null"}]}`, "a"), "",
			strictObject(`"a":{"type":"string"},"b":{"anyOf":[{"type":"string"},{"type":"null"}]}`, "a", "b"),
		},
		"an optional property of alternatives": {
			"openai-responses", Strict, strictObject(`"a":{"type":"string"},"b":{"anyOf":[{"type":"string"}]}`, "a"), "",
			strictObject(`"a":{"type":"string"},"b":{"anyOf":[{"type":"string"},{"type":"null"}]}`, "a", "b"),
		},
		"an optional property that is a reference, where nothing is required": {
			"openai-responses", Strict, `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`, RulePropertyNotRequired,
			`{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}},"additionalProperties":false,"$defs":{"A":{"type":"string"}},"required":["a"]}`,
		},
		"an optional property of two minds": {
			"openai-responses", Strict, strictObject(`"a":{"type":"string"},"b":{"type":"string","not":{"const":"x"}}`, "a"), RulePropertyNotRequired, "",
		},
		"required that is missing": {
			"openai-responses", Strict, `{"type":"object","properties":{},"additionalProperties":false}`, "",
			`{"type":"object","properties":{},"additionalProperties":false,"required":[]}`,
		},
		"properties that are missing": {"openai-responses", Standard, `{"type":"object"}`, "", `{"type":"object","properties":{}}`},
		"items that are missing": {
			"openai-responses", Standard, `{"type":"object","properties":{"a":{"type":"array"}}}`, "", `{"type":"object","properties":{"a":{"type":"array","items":{}}}}`,
		},
		"items whose type nobody knows": {"openai-responses", Strict, strictObject(`"a":{"type":"array"}`, "a"), "", ""},
		"a type that the enum gives":    {"openai-responses", Strict, strictObject(`"a":{"enum":["x","y"]}`, "a"), "", strictObject(`"a":{"enum":["x","y"],"type":"string"}`, "a")},
		"a type that nothing gives":     {"openai-responses", Strict, strictObject(`"a":{"enum":["x",1]}`, "a"), "", ""},
		"a root that is an object":      {"anthropic-messages", Standard, `{"properties":{}}`, "", `{"properties":{},"type":"object"}`},
		"a root that may be null":       {"anthropic-messages", Standard, `{"type":["object","null"]}`, "", `{"type":"object"}`},
		"a root that is none":           {"anthropic-messages", Standard, `{"type":"array"}`, "", ""},
		"true": {
			"mcp-2025-11-25", Standard, `{"type":"object","properties":{"a":true}}`, "", `{"type":"object","properties":{"a":{}}}`,
		},
		"false": {"mcp-2025-11-25", Standard, `{"type":"object","properties":{"a":false}}`, "", ""},
		"const": {
			"gemini-json-schema", Strict, `{"type":"object","properties":{"a":{"const":"x"}}}`, "", `{"type":"object","properties":{"a":{"enum":["x"]}}}`,
		},
		"const with its type": {
			"moonshot-chat", Strict, `{"type":"object","properties":{"a":{"const":"x"}}}`, RuleKeywordDropped, `{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`,
		},
		"required where nothing is declared": {
			"groq-chat", Standard, `{"type":"object","properties":{"a":{"type":"object","properties":{},"required":[]}}}`, RuleKeywordRejected,
			`{"type":"object","properties":{"a":{"type":"object","properties":{}}}}`,
		},
		"a keyword of texts": {
			"vllm-xgrammar", Strict, `{"type":"object","properties":{"a":{"minLength":1}}}`, RuleKeywordDropped, `{"type":"object","properties":{"a":{"minLength":1,"type":"string"}}}`,
		},
		"const of a type that is not taken in an enum": {"gemini-json-schema", Strict, `{"type":"object","properties":{"a":{"const":true}}}`, "", ""},
		"a bound that an integer must not reach": {
			"gemini-json-schema", Strict, `{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":3}}}`, "", `{"type":"object","properties":{"a":{"type":"integer","minimum":4}}}`,
		},
		"a bound that a number must not reach": {
			"gemini-json-schema", Strict, `{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":3}}}`, "", "",
		},
		"the greatest bound": {
			"gemini-json-schema", Strict, `{"type":"object","properties":{"a":{"type":"integer","exclusiveMinimum":9223372036854775807}}}`, "", "",
		},
		"definitions": {
			"gemini-json-schema", Standard, `{"type":"object","properties":{"a":{"$ref":"#/definitions/A/properties/b"}},"definitions":{"A":{"properties":{"b":{"$ref":"#/definitions/B"}}},"B":{}}}`, "",
			`{"type":"object","properties":{"a":{"$ref":"#/$defs/A/properties/b"}},"$defs":{"A":{"properties":{"b":{"$ref":"#/$defs/B"}}},"B":{}}}`,
		},
		"definitions below the root": {"gemini-json-schema", Standard, `{"type":"object","properties":{"a":{"definitions":{}}}}`, "", ""},
		"lengths": {
			"openai-responses", Strict, strictObject(`"a":{"type":"string","minLength":2,"maxLength":5}`, "a"), "", strictObject(`"a":{"type":"string","pattern":"^[\\s\\S]{2,5}$"}`, "a"),
		},
		"a large length":           {"openai-responses", Strict, strictObject(`"a":{"type":"string","maxLength":5000}`, "a"), "", ""},
		"lengths beside a pattern": {"openai-responses", Strict, strictObject(`"a":{"type":"string","maxLength":5,"pattern":"a"}`, "a"), "", ""},
		"a reference in company": {
			"openai-responses", Strict, `{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"d"}},"required":["a"],"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`, "",
			`{"type":"object","properties":{"a":{"description":"d","anyOf":[{"$ref":"#/$defs/A"}]}},"required":["a"],"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`,
		},
		"null in an enum": {
			"gemini-json-schema", Strict, `{"type":"object","properties":{"a":{"description":"d","type":["string","null"],"enum":["x",null]}}}`, "",
			`{"type":"object","properties":{"a":{"description":"d","anyOf":[{"type":"string","enum":["x"]},{"type":"null"}]}}}`,
		},
		"null in an enum that the type excludes": {"gemini-json-schema", Strict, `{"type":"object","properties":{"a":{"type":"string","enum":["x",null]}}}`, "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, c.schema)
			findings := profile(t, c.profile).CheckSchema(s, c.mode)
			i := slices.IndexFunc(findings, func(f finding.Finding) bool { return c.rule == "" || f.Rule == c.rule })
			if i < 0 {
				t.Fatalf("no finding %s among %v", c.rule, findings)
			}
			if c.want == "" {
				if patch := findings[i].Patch; len(patch) > 0 {
					t.Errorf("a patch: %+v", patch)
				}
				return
			}
			got := applied(t, s.Root(), findings[i].Patch)
			if want := schematest.Value(t, c.want); !got.Equal(want) {
				t.Errorf("%s\nafter %+v\ngot  %s\nwant %s", findings[i], findings[i].Patch, got.JSON(), c.want)
			}
		})
	}
}

// Every phrase that stands for a repair is one that a profile says.
func TestEveryRepairIsOfferedBySomeProfile(t *testing.T) {
	t.Parallel()
	said := map[string]bool{}
	for _, name := range Builtin().Names() {
		p := profile(t, name)
		for _, groups := range [][]Verdicts{p.RootKeywords, p.Shapes, p.Keywords} {
			for _, g := range groups {
				for _, c := range slices.Concat(g.Both, g.Strict, g.Standard) {
					said[c.Fix] = true
				}
			}
		}
	}
	for _, r := range repairs {
		begins := false
		for fix := range said {
			begins = begins || strings.HasPrefix(fix, r.fix)
		}
		if !begins {
			t.Errorf("no profile says %q", r.fix)
		}
	}
}

// TestRepairsOfRealTools applies every patch to the real tool that it was made
// for: the finding is gone, nothing else is refused, and the result is a schema.
func TestRepairsOfRealTools(t *testing.T) {
	t.Parallel()
	patches := map[string]int{}
	for _, file := range corpus.Files(t, "tools/*.jsonl", "tools/npm/*.jsonl") {
		n := 0
		for tool := range corpus.Lines[corpus.Tool](t, file) {
			s := admittedReal(t, tool.InputSchema)
			if s == nil {
				continue
			}
			if n++; n > 25 { // of one server: their tools are alike
				break
			}
			for _, name := range Builtin().Names() {
				p := profile(t, name)
				for _, mode := range modes {
					checkRepairs(t, p, s, mode, patches)
				}
			}
		}
	}
	for _, rule := range []string{RuleKeywordRejected, RulePropertyNotRequired, RuleObjectNotClosed, RuleRefSiblings, RuleKeywordUnknown} {
		if patches[rule] == 0 {
			t.Errorf("no patch for %s", rule)
		}
	}
	t.Log(patches)
}

// checkRepairs applies the patches of one tool, a few of each rule.
func checkRepairs(t *testing.T, p *Profile, s *schema.Schema, mode Mode, patches map[string]int) {
	t.Helper()
	before := p.CheckSchema(s, mode)
	tried := map[string]int{}
	for _, f := range before {
		if tried[f.Rule+f.Keyword]++; len(f.Patch) == 0 || tried[f.Rule+f.Keyword] > 3 {
			continue
		}
		patches[f.Rule]++
		root := applied(t, s.Root(), f.Patch)
		repaired, findings := schema.Admit(root)
		if repaired == nil {
			t.Errorf("%s %s: %s\npatch %s makes no schema: %v", p.Name, mode, f, patchJSON(f.Patch), findings)
			continue
		}
		after := p.CheckSchema(repaired, mode)
		was, is := countsOf(before), countsOf(after)
		if is[countKey(f)] >= was[countKey(f)] {
			t.Errorf("%s %s: %s\nstays after %s", p.Name, mode, f, patchJSON(f.Patch))
		}
		for key, n := range is {
			if strings.HasPrefix(key, string(finding.Error)) && n > was[key] {
				t.Errorf("%s %s: %s\npatch %s brings %s:\n%s", p.Name, mode, f, patchJSON(f.Patch), key, cmp.Diff(short(before), short(after)))
			}
		}
	}
}

func patchJSON(patch []finding.Operation) string {
	text, err := json.Marshal(patch)
	if err != nil {
		return fmt.Sprint(patch)
	}
	return finding.Clip(string(text), 600)
}

// countKey is what stays of a finding when its place moves.
func countKey(f finding.Finding) string { return string(f.Severity) + " " + f.Rule + " " + f.Keyword }

func countsOf(findings []finding.Finding) map[string]int {
	counts := map[string]int{}
	for _, f := range findings {
		counts[countKey(f)]++
	}
	return counts
}
