// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// strictObject wraps properties into an object that every strict mode takes, so
// that a case shows its own fault alone.
func strictObject(properties string, required ...string) string {
	return fmt.Sprintf(`{"type":"object","properties":{%s},"required":["%s"],"additionalProperties":false}`,
		properties, strings.Join(required, `","`))
}

type ruleCase struct {
	name, profile string
	mode          Mode
	bad, good     string
	want          []string // "severity rule pointer"
}

// ruleCases fire each rule, and show a neighbour that does not: the schemas are
// equal but for the fault.
var ruleCases = []ruleCase{
	{
		"a keyword outside the subset is refused", "openai-responses", Strict,
		strictObject(`"a":{"type":"string","minLength":1}`, "a"), strictObject(`"a":{"type":"string","pattern":"^.+$"}`, "a"),
		[]string{"Error keyword-rejected /properties/a/minLength"},
	},
	{
		"the same keyword passes without strict", "openai-responses", Standard,
		`{"type":"object","properties":{"a":{"type":"array"}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{},"minItems":1}}}`,
		[]string{"Error array-without-items /properties/a"},
	},
	{
		"a property that is named like a keyword is none", "openai-responses", Strict,
		strictObject(`"minLength":{"type":"string","minLength":1}`, "minLength"), strictObject(`"minLength":{"type":"string"}`, "minLength"),
		[]string{"Error keyword-rejected /properties/minLength/minLength"},
	},
	{
		"an unknown keyword fails closed in strict", "anthropic-messages", Strict,
		strictObject(`"a":{"type":"object","properties":{},"additionalProperties":false,"propertyNames":{"type":"string"}}`, "a"),
		strictObject(`"a":{"type":"object","properties":{},"additionalProperties":false}`, "a"),
		[]string{"Error keyword-unknown /properties/a/propertyNames"},
	},
	{
		"and warns without", "gemini-json-schema", Standard,
		`{"type":"object","properties":{"a":{"const":"x"}}}`, `{"type":"object","properties":{"a":{"enum":["x"]}}}`,
		[]string{"Warning keyword-unknown /properties/a/const"},
	},
	{
		"a dropped constraint is an error in strict", "gemini-json-schema", Strict,
		`{"type":"object","properties":{"a":{"type":"object","minProperties":1}}}`, `{"type":"object","properties":{"a":{"type":"object","readOnly":true}}}`,
		[]string{"Error keyword-dropped /properties/a/minProperties"},
	},
	{
		"what strict does not enforce is said", "gemini-json-schema", Strict,
		`{"type":"object","properties":{"a":{"type":"string","maxLength":5}}}`, `{"type":"object","properties":{"a":{"type":"integer","maximum":5}}}`,
		[]string{"Warning keyword-not-enforced /properties/a/maxLength"},
	},
	{
		"a root must be an object", "mcp-2025-11-25", Standard,
		`{"type":"string"}`, `{"type":"object","properties":{}}`,
		[]string{"Error root-not-object /type"},
	},
	{
		"a root list that contains object is not enough", "openai-responses", Standard,
		`{"type":["object","null"],"properties":{}}`, `{"type":"object","properties":{}}`,
		[]string{"Error root-not-object /type"},
	},
	{
		"a root without type is none", "anthropic-messages", Standard,
		`{"properties":{}}`, `{"type":"object"}`,
		[]string{"Error root-not-object "},
	},
	{
		"a union at the root is refused, its branches are not picked at", "openai-responses", Strict,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false,"anyOf":[{"required":["a"]}]}`,
		strictObject(`"a":{"anyOf":[{"type":"string"},{"type":"null"}]}`, "a"),
		[]string{"Error root-keyword /anyOf"},
	},
	{
		"Anthropic takes an enum at the root, OpenAI does not", "openai-chat-completions", Standard,
		`{"type":"object","properties":{},"enum":[{}]}`, `{"type":"object","properties":{"a":{"enum":[{}]}}}`,
		[]string{"Error root-keyword /enum"},
	},
	{
		"an open object is refused where it stands", "openai-responses", Strict,
		strictObject(`"a":{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}`, "a"),
		strictObject(`"a":`+strictObject(`"b":{"type":"string"}`, "b"), "a"),
		[]string{"Error object-not-closed /properties/a"},
	},
	{
		"a type list with object is an object", "anthropic-messages", Strict,
		strictObject(`"a":{"type":["null","object"],"properties":{}}`, "a"),
		strictObject(`"a":{"type":["null","object"],"properties":{},"additionalProperties":false}`, "a"),
		[]string{"Error object-not-closed /properties/a"},
	},
	{
		"a map is refused at its keyword", "anthropic-messages", Strict,
		`{"type":"object","properties":{},"additionalProperties":{"type":"string"}}`, `{"type":"object","properties":{},"additionalProperties":false}`,
		[]string{"Error object-not-closed /additionalProperties"},
	},
	{
		"an optional property is refused", "openai-responses", Strict,
		strictObject(`"a":{"type":"string"},"b":{"type":"string"}`, "a"), strictObject(`"a":{"type":"string"},"b":{"type":["string","null"]}`, "a", "b"),
		[]string{"Error property-not-required /properties/b"},
	},
	{
		"required must not name what is not declared", "openai-responses", Strict,
		strictObject(`"a":{"type":"string"}`, "a", "b"), strictObject(`"a":{"type":"string"}`, "a"),
		[]string{"Error required-undeclared /required/1"},
	},
	{
		"an empty object needs an empty required", "openai-responses", Strict,
		`{"type":"object","properties":{},"additionalProperties":false}`, `{"type":"object","properties":{},"required":[],"additionalProperties":false}`,
		[]string{"Error required-missing "},
	},
	{
		"an empty object needs empty properties", "openai-chat-completions", Standard,
		`{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"object"}}}`,
		[]string{"Error object-without-properties "},
	},
	{
		"a client of MCP wants items", "mcp-2025-11-25", Standard,
		`{"type":"object","properties":{"a":{"type":["array","null"]}}}`, `{"type":"object","properties":{"a":{"type":["array","null"],"items":{}}}}`,
		[]string{"Warning client-compatibility /properties/a"},
	},
	{
		"a schema without type is refused, one with a reference is not", "openai-responses", Strict,
		strictObject(`"a":{"description":"anything"}`, "a"),
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`,
		[]string{"Error schema-without-type /properties/a"},
	},
	{
		"MCP takes no boolean as the schema of a property", "mcp-2025-11-25", Standard,
		`{"type":"object","properties":{"a":true}}`, `{"type":"object","properties":{"a":{"type":"array","items":true}},"additionalProperties":true}`,
		[]string{"Error boolean-schema /properties/a"},
	},
	{
		"OpenAI takes none at all in strict", "openai-responses", Strict,
		strictObject(`"a":{"type":"array","items":true}`, "a"), strictObject(`"a":{"type":"array","items":{"type":"string"}}`, "a"),
		[]string{"Error boolean-schema /properties/a/items"},
	},
	{
		"a reference stands alone", "openai-responses", Strict,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"x"}},"required":["a"],"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`,
		[]string{"Error ref-siblings /properties/a/$ref"},
	},
	{
		"Anthropic takes no recursion in strict", "anthropic-messages", Strict,
		`{"type":"object","properties":{"a":{"$ref":"#"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`,
		[]string{"Error recursion /properties/a/$ref"},
	},
	{
		"Gemini takes it through optional properties only", "gemini-json-schema", Strict,
		`{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"c":{"type":"array","items":{"$ref":"#/$defs/T"}}},"required":["c"]}}}`,
		`{"type":"object","properties":{"t":{"$ref":"#/$defs/T"}},"$defs":{"T":{"type":"object","properties":{"c":{"type":"array","items":{"$ref":"#/$defs/T"}}}}}}`,
		[]string{"Error recursion /$defs/T/properties/c/items/$ref"},
	},
	{
		"a format outside the list is refused", "openai-responses", Strict,
		strictObject(`"a":{"type":"string","format":"uri"}`, "a"), strictObject(`"a":{"type":"string","format":"date"}`, "a"),
		[]string{"Error format-rejected /properties/a/format"},
	},
	{
		"so is look-around", "openai-responses", Strict,
		strictObject(`"a":{"type":"string","pattern":"^(?!x)"}`, "a"), strictObject(`"a":{"type":"string","pattern":"^[^x]"}`, "a"),
		[]string{"Error pattern-feature /properties/a/pattern"},
	},
	{
		"a name that Anthropic does not take is refused at the root and warns below", "anthropic-messages", Standard,
		`{"type":"object","properties":{"$filter":{"type":"object","properties":{"order by":{}}}}}`, `{"type":"object","properties":{"filter":{"type":"object","properties":{"order_by":{}}}}}`,
		[]string{"Error property-name /properties/$filter", "Warning property-name /properties/$filter/properties/order by"},
	},
	{
		"more optional properties than a request may have", "anthropic-messages", Strict,
		`{"type":"object","properties":{` + manyProperties(25) + `},"additionalProperties":false}`, `{"type":"object","properties":{` + manyProperties(24) + `},"additionalProperties":false}`,
		[]string{"Error limit-exceeded "},
	},
	{
		"an observed limit warns", "gemini-json-schema", Strict,
		`{"type":"object","properties":{"a":{"type":"array","maxItems":961}}}`, `{"type":"object","properties":{"a":{"type":"array","maxItems":960}}}`,
		[]string{"Warning limit-exceeded "},
	},
	{
		"MCP has no strict mode", "mcp-2025-11-25", Strict,
		`{"type":"object","properties":{}}`, "",
		[]string{"Error no-strict-mode "},
	},
}

func manyProperties(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(`"p%02d":{"type":"string"}`, i)
	}
	return strings.Join(parts, ",")
}

func TestRulesFireAndDoNotFire(t *testing.T) {
	t.Parallel()
	for _, c := range ruleCases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := profile(t, c.profile)
			if diff := cmp.Diff(c.want, short(p.CheckSchema(schematest.Schema(t, c.bad), c.mode))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if c.good == "" {
				return
			}
			if got := p.CheckSchema(schematest.Schema(t, c.good), c.mode); len(got) > 0 {
				t.Errorf("the neighbour is not clean: %v", got)
			}
		})
	}
}

// Faults are the findings in another dress.
func TestFaultsAreTheFindingsWithoutTexts(t *testing.T) {
	t.Parallel()
	for _, c := range ruleCases {
		s := schematest.Schema(t, c.bad)
		for _, name := range Builtin().Names() {
			p := profile(t, name)
			for _, mode := range modes {
				key := func(findings []finding.Finding) []string {
					out := make([]string, len(findings))
					for i, f := range findings {
						out[i] = fmt.Sprintf("%s %s %s %s", f.Severity, f.Rule, f.Pointer, f.Keyword)
					}
					slices.Sort(out)
					return slices.Compact(out)
				}
				if diff := cmp.Diff(key(p.CheckSchema(s, mode)), key(p.Faults(s, mode))); diff != "" {
					t.Errorf("%s, %s, %s (-findings +faults):\n%s", c.name, name, mode, diff)
				}
			}
		}
	}
}

// schemaRules are the rules that CheckSchema can report.
var schemaRules = []string{
	RuleKeywordRejected, RuleKeywordUnknown, RuleKeywordDropped, RuleKeywordNotEnforced, RuleRootNotObject, RuleRootKeyword, RuleObjectNotClosed,
	RulePropertyNotRequired, RuleRequiredUndeclared, RuleRequiredMissing, RuleObjectWithoutProperties, RuleArrayWithoutItems, RuleSchemaWithoutType,
	RuleBooleanSchema, RuleRefSiblings, RuleRecursion, RuleFormatRejected, RulePatternFeature, RuleLimitExceeded, RuleClientCompatibility,
	RulePropertyName, RuleNoStrictMode,
}

func TestEverySchemaRuleHasACase(t *testing.T) {
	t.Parallel()
	for _, rule := range schemaRules {
		fires := func(c ruleCase) bool {
			return slices.ContainsFunc(c.want, func(w string) bool { return strings.Contains(w, " "+rule+" ") })
		}
		if !slices.ContainsFunc(ruleCases, fires) {
			t.Errorf("no case fires %s", rule)
		}
	}
}

func short(findings []finding.Finding) []string {
	var out []string
	for _, f := range findings {
		out = append(out, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Pointer))
	}
	return out
}

// Two faults at one node, and faults in definitions that nothing refers to,
// are all found in one go.
func TestAllFaultsAreReportedAtOnce(t *testing.T) {
	t.Parallel()
	s := schematest.Schema(t, `{
		"type": "object",
		"properties": {"tags": {"type": "array", "uniqueItems": true, "maxItems": 3}, "note": {"type": "string", "default": "x"}},
		"$defs": {"Unused": {"type": "object", "properties": {"a": {"oneOf": [{"type": "string"}]}}, "additionalProperties": true}}
	}`)
	want := []string{
		"Error object-not-closed ",
		"Error keyword-rejected /$defs/Unused/properties/a/oneOf",
		"Error object-not-closed /$defs/Unused/additionalProperties",
		"Error property-not-required /$defs/Unused/properties/a",
		"Error property-not-required /properties/note",
		"Error keyword-rejected /properties/note/default",
		"Error array-without-items /properties/tags",
		"Error property-not-required /properties/tags",
		"Error keyword-rejected /properties/tags/uniqueItems",
	}
	got := short(profile(t, "openai-responses").CheckSchema(s, Strict))
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestEveryFindingNamesThePlaceAndAWayOut(t *testing.T) {
	t.Parallel()
	for _, c := range ruleCases {
		s := schematest.Schema(t, c.bad)
		for _, name := range Builtin().Names() {
			p := profile(t, name)
			for _, mode := range modes {
				findings := p.CheckSchema(s, mode)
				for _, f := range findings {
					if f.Message == "" || f.Fix == "" || f.Side != "" {
						t.Errorf("%s, %s, %s: %#v", c.name, name, mode, f)
					}
					if strings.Contains(f.Message+f.Fix, "{keyword}") || strings.Contains(f.Message, p.Title) == (f.Rule == RuleClientCompatibility) {
						t.Errorf("%s, %s, %s: message %q, fix %q", c.name, name, mode, f.Message, f.Fix)
					}
				}
				if !slices.IsSortedFunc(findings, finding.Compare) {
					t.Errorf("%s, %s, %s: not sorted", c.name, name, mode)
				}
				if diff := cmp.Diff(findings, p.CheckSchema(s, mode)); diff != "" {
					t.Errorf("%s, %s, %s: the second answer differs:\n%s", c.name, name, mode, diff)
				}
			}
		}
	}
}

func TestHostileNamesStayBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 5000)
	s := schematest.Schema(t, `{"type":"object","properties":{"a\u001b[31m`+long+`":{"type":"string","minLength":1,"x-\u0007`+long+`":1}},"required":["`+long+`"]}`)
	for _, f := range profile(t, "openai-responses").CheckSchema(s, Strict) {
		if len(f.Message) > 700 || len(f.Fix) > 700 {
			t.Errorf("%s: message of %d and fix of %d bytes", f.Rule, len(f.Message), len(f.Fix))
		}
		if strings.ContainsAny(f.Message+f.Fix, "\x1b\x07") {
			t.Errorf("%s: control characters in %q", f.Rule, f.Message)
		}
	}
}

func TestOutputSchemas(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		profile, schema string
		want            []string
	}{
		"an object passes":                      {"mcp-2025-11-25", `{"type":"object"}`, nil},
		"an array does not":                     {"mcp-2025-11-25", `{"type":"array"}`, []string{"Error root-not-object /type"}},
		"a bare union does not":                 {"mcp-2025-11-25", `{"anyOf":[{"type":"object"}]}`, []string{"Error root-not-object "}},
		"a boolean property does not":           {"mcp-2025-11-25", `{"type":"object","properties":{"a":true}}`, []string{"Error boolean-schema /properties/a"}},
		"who has no place for it does not mind": {"openai-responses", `{"type":"array"}`, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, short(profile(t, c.profile).CheckOutput(schematest.Schema(t, c.schema)))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
