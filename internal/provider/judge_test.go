// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"testing"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestVerdictsDependOnWhereAndHowAKeywordStands(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		profile string
		mode    Mode
		schema  string
		pointer string
		keyword string
		want    Verdict
	}{
		"false closes an object":                       {"openai-responses", Strict, `{"type":"object","additionalProperties":false}`, "", "additionalProperties", Enforced},
		"true does not":                                {"openai-responses", Strict, `{"type":"object","additionalProperties":true}`, "", "additionalProperties", Rejected},
		"a schema makes a map":                         {"openai-responses", Strict, `{"type":"object","additionalProperties":{"type":"string"}}`, "", "additionalProperties", Rejected},
		"without strict anything goes":                 {"openai-responses", Standard, `{"type":"object","additionalProperties":true}`, "", "additionalProperties", Accepted},
		"anyOf is refused at the root":                 {"openai-responses", Standard, `{"type":"object","anyOf":[{}]}`, "", "anyOf", Rejected},
		"anyOf is enforced below it":                   {"openai-responses", Strict, `{"properties":{"a":{"anyOf":[{"type":"null"}]}}}`, "/properties/a", "anyOf", Enforced},
		"an identifier must be a URI reference":        {"openai-responses", Standard, `{"$id":"My Params"}`, "", "$id", Rejected},
		"a listed format is enforced":                  {"openai-responses", Strict, `{"format":"uuid"}`, "", "format", Enforced},
		"another is refused":                           {"openai-responses", Strict, `{"format":"uri"}`, "", "format", Rejected},
		"Anthropic lists one more":                     {"anthropic-messages", Strict, `{"format":"uri"}`, "", "format", Enforced},
		"and nobody knows the rest":                    {"anthropic-messages", Strict, `{"format":"regex"}`, "", "format", Unknown},
		"a lonely reference is enforced":               {"openai-responses", Strict, `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{}}}`, "/properties/a", "$ref", Enforced},
		"a reference with company is not":              {"openai-responses", Strict, `{"properties":{"a":{"$ref":"#/$defs/A","title":"x"}},"$defs":{"A":{}}}`, "/properties/a", "$ref", Rejected},
		"a reference into properties is unknown":       {"openai-responses", Strict, `{"properties":{"a":{"$ref":"#/properties/b"},"b":{}}}`, "/properties/a", "$ref", Unknown},
		"a reference to the root is known":             {"openai-responses", Strict, `{"properties":{"a":{"$ref":"#"}}}`, "/properties/a", "$ref", Enforced},
		"Gemini takes $ keywords beside a reference":   {"gemini-json-schema", Strict, `{"properties":{"a":{"$ref":"#/$defs/A","$comment":"x"}},"$defs":{"A":{}}}`, "/properties/a", "$ref", Enforced},
		"and no others":                                {"gemini-json-schema", Strict, `{"properties":{"a":{"$ref":"#/$defs/A","description":"x"}},"$defs":{"A":{}}}`, "/properties/a", "$ref", Rejected},
		"a plain pattern is enforced":                  {"openai-responses", Strict, `{"pattern":"^[a-z]+$"}`, "", "pattern", Enforced},
		"look-ahead is refused":                        {"openai-responses", Strict, `{"pattern":"^(?=a)[a-z]+$"}`, "", "pattern", Rejected},
		"a back-reference is unknown":                  {"openai-responses", Strict, `{"pattern":"^(a|b)\\1$"}`, "", "pattern", Unknown},
		"Anthropic refuses word boundaries":            {"anthropic-messages", Strict, `{"pattern":"\\bword\\b"}`, "", "pattern", Rejected},
		"and large repeats are unknown":                {"anthropic-messages", Strict, `{"pattern":"^.{1,500}$"}`, "", "pattern", Unknown},
		"and small ones are enforced":                  {"anthropic-messages", Strict, `{"pattern":"^.{1,50}$"}`, "", "pattern", Enforced},
		"Gemini takes look-ahead and enforces nothing": {"gemini-json-schema", Strict, `{"pattern":"(?=.*[0-9]).+"}`, "", "pattern", Accepted},
		"one item at least is enforced":                {"anthropic-messages", Strict, `{"minItems":1}`, "", "minItems", Enforced},
		"1.0 is one":                                   {"anthropic-messages", Strict, `{"minItems":1.0}`, "", "minItems", Enforced},
		"two are refused":                              {"anthropic-messages", Strict, `{"minItems":2}`, "", "minItems", Rejected},
		"scalar enum members are enforced":             {"anthropic-messages", Strict, `{"properties":{"a":{"enum":["x",1,null,true]}}}`, "/properties/a", "enum", Enforced},
		"an object among them is refused":              {"anthropic-messages", Strict, `{"properties":{"a":{"enum":["x",{}]}}}`, "/properties/a", "enum", Rejected},
		"null among them is unknown to Gemini":         {"gemini-json-schema", Strict, `{"properties":{"a":{"enum":["x",null]}}}`, "/properties/a", "enum", Unknown},
		"a branch with a reference ends allOf":         {"anthropic-messages", Strict, `{"properties":{"a":{"allOf":[{"$ref":"#/$defs/A"}]}},"$defs":{"A":{}}}`, "/properties/a", "allOf", Rejected},
		"allOf without one is enforced":                {"anthropic-messages", Strict, `{"properties":{"a":{"allOf":[{"type":"string"}]}}}`, "/properties/a", "allOf", Enforced},
		"a vendor keyword is refused in strict":        {"openai-responses", Strict, `{"x-unit":"mm"}`, "", "x-unit", Rejected},
		"a keyword outside 2020-12 may be known":       {"gemini-json-schema", Strict, `{"propertyOrdering":["a"]}`, "", "propertyOrdering", Enforced},
		"MCP has one mode":                             {"mcp-2025-11-25", Strict, `{"minLength":1}`, "", "minLength", Accepted},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, c.schema)
			node := -1
			for i, n := range s.Nodes() {
				if n.Pointer == c.pointer {
					node = i
				}
			}
			if got := profile(t, c.profile).Judge(s, node, c.keyword, c.mode); got.Verdict != c.want {
				t.Errorf("verdict %s (%s), want %s", got.Verdict, got.Note, c.want)
			}
		})
	}
}

func TestJudgeShape(t *testing.T) {
	t.Parallel()
	s := schematest.Schema(t, `{"type":"object","properties":{"a":{"description":"d"},"b":{"enum":["x"]},"c":true}}`)
	for name, c := range map[string]struct {
		profile string
		mode    Mode
		pointer string
		shape   Shape
		want    Verdict
	}{
		"a schema without type is refused in strict": {"openai-responses", Strict, "/properties/a", UntypedSchema, Rejected},
		"and taken without":                          {"openai-responses", Standard, "/properties/a", UntypedSchema, Accepted},
		"the condition of a shape is about the node": {"anthropic-messages", Strict, "/properties/b", UntypedSchema, Accepted},
		"and does not hold elsewhere":                {"anthropic-messages", Strict, "/properties/a", UntypedSchema, Unknown},
		"true in place of a schema":                  {"openai-responses", Strict, "/properties/c", BooleanSchema, Rejected},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, _ := s.IndexAt(c.pointer)
			if got := profile(t, c.profile).JudgeShape(s, at, c.shape, c.mode); got.Verdict != c.want {
				t.Errorf("verdict %s, want %s", got.Verdict, c.want)
			}
		})
	}
}

func TestURIReferences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": true, "#a": true, "params.json": true, "https://example.com/a?b=c#d": true, "a%20b": true, "urn:x:y": true,
		"My Params": false, "a%2": false, "a%zz": false, "é": false, "a\"b": false, "{x}": false, "a\nb": false,
	} {
		if got := isURIReference(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}
