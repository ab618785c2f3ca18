// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// What Bedrock, Azure and fine-tuned models take differs from what the
// profiles say that theirs extend, or from every other API.
func TestProfilesThatDifferFromTheirParent(t *testing.T) {
	t.Parallel()
	const closed = `"required": ["a"], "additionalProperties": false}`
	cases := map[string]struct {
		profile string
		mode    Mode
		schema  string
		want    string // as in reports
	}{
		"Nova takes five keywords at the root": {
			"bedrock-converse-nova", Standard, `{"title": "T", "type": "object", "properties": {"a": {"type": "string"}}, ` + closed, "no error",
		},
		"and no description": {
			"bedrock-converse-nova", Standard, `{"type": "object", "description": "x", "properties": {}}`, "Error root-keyword /description",
		},
		"nor a dialect": {
			"bedrock-converse-nova", Standard, `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}}`, "Error root-keyword /$schema",
		},
		"nor a keyword that 2020-12 does not know": {
			"bedrock-converse-nova", Standard, `{"type": "object", "x-unit": "m", "properties": {}}`, "Error root-keyword /x-unit",
		},
		"nor an open map that says so": {
			"bedrock-converse-nova", Standard, `{"type": "object", "properties": {}, "additionalProperties": {"type": "string"}}`, "Warning root-keyword /additionalProperties",
		},
		"Nova takes below the root what it refuses there": {
			"bedrock-converse-nova", Standard, `{"type": "object", "properties": {"a": {"type": "object", "description": "x", "minProperties": 1, "anyOf": [{"required": ["b"]}]}}}`, "no error",
		},
		"Nova has no place for what a recursion refers to": {
			"bedrock-converse-nova", Standard, `{"type": "object", "properties": {"a": {"$ref": "#"}}}`, "Error recursion /properties/a/$ref",
		},
		"Nova has no strict mode": {
			"bedrock-converse-nova", Strict, `{"type": "object", "properties": {}}`, "Error no-strict-mode ",
		},
		"Claude on Bedrock takes lengths that Anthropic documents as refused": {
			"bedrock-converse-claude", Strict, `{"type": "object", "properties": {"a": {"type": "string", "minLength": 1}}, ` + closed, "Warning keyword-not-enforced /properties/a/minLength",
		},
		"and with a pattern beside them the pattern alone is not known": {
			"bedrock-converse-claude", Strict, `{"type": "object", "properties": {"a": {"type": "string", "minLength": 1, "pattern": "^a$"}}, ` + closed, "Error keyword-unknown /properties/a/pattern",
		},
		"which Anthropic enforces": {
			"anthropic-messages", Strict, `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^a$"}}, ` + closed, "no error",
		},
		"Azure does not name const": {
			"azure-openai-responses", Strict, `{"type": "object", "properties": {"a": {"type": "string", "const": "x"}}, ` + closed, "Error keyword-unknown /properties/a/const",
		},
		"and has fewer properties": {
			"azure-openai-chat-completions", Strict, `{"type": "object", "properties": {` + manyProperties(101) + `}}`, "Error limit-exceeded ",
		},
		"than OpenAI": {
			"openai-chat-completions", Strict, `{"type": "object", "properties": {` + manyProperties(101) + `}}`, "no limit-exceeded",
		},
		"and fewer levels": {
			"azure-openai-responses", Strict, nestedArrays(5), "Error limit-exceeded ",
		},
		"but not without strict": {
			"azure-openai-responses", Standard, nestedArrays(5), "no limit-exceeded",
		},
		"a fine-tuned model takes a pattern as text": {
			"openai-responses-fine-tuned", Standard, `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^a$"}}, ` + closed, "no error",
		},
		"and in strict mode not": {
			"openai-responses-fine-tuned", Strict, `{"type": "object", "properties": {"a": {"type": "string", "pattern": "^a$"}}, ` + closed, "Error keyword-rejected /properties/a/pattern",
		},
		"a reference alone is no root": {
			"openai-responses", Strict, `{"$ref": "#/$defs/A", "$defs": {"A": {"type": "object", "properties": {}, "required": [], "additionalProperties": false}}}`, "Error root-keyword /$ref",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			findings := profile(t, c.profile).CheckSchema(schematest.Schema(t, c.schema), c.mode)
			if complaint := missing(findings, c.want); complaint != "" {
				t.Error(complaint)
			}
		})
	}
}

// missing says what is wrong with findings if they are not as wanted: a finding
// that must be there; "no error"; or a rule after "no ", of which there must be
// no finding.
func missing(findings []finding.Finding, want string) string {
	unwanted, isAbsence := strings.CutPrefix(want, "no ")
	isUnwanted := func(f finding.Finding) bool {
		return f.Rule == unwanted || unwanted == "error" && f.Severity == finding.Error
	}
	switch i := slices.IndexFunc(findings, isUnwanted); {
	case isAbsence && i >= 0:
		return fmt.Sprintf("unwanted: %s", findings[i])
	case !isAbsence && !slices.Contains(short(findings), want):
		return fmt.Sprintf("findings %q lack %q", short(findings), want)
	default:
		return ""
	}
}

// nestedArrays has n levels below the root.
func nestedArrays(n int) string {
	s := `{"type": "string"}`
	for range n - 1 {
		s = `{"type": "array", "items": ` + s + `}`
	}
	return `{"type": "object", "properties": {"a": ` + s + `}, "required": ["a"], "additionalProperties": false}`
}

func TestModelsOfOtherHosts(t *testing.T) {
	t.Parallel()
	cases := []struct {
		profile, model string
		want           bool
	}{
		{"bedrock-converse-claude", "anthropic.claude-sonnet-4-5-20250929-v1:0", true},
		{"bedrock-converse-claude", "us.anthropic.claude-sonnet-4-5-20250929-v1:0", true},
		{"bedrock-converse-claude", "global.anthropic.claude-haiku-4-5*", true},
		{"bedrock-converse-claude", "us-gov.anthropic.claude-sonnet-4-5*", true},
		{"bedrock-converse-claude", "eu.anthropic.claude-opus-4-6*", true},
		{"bedrock-converse-claude", "eu.anthropic.claude-opus-4-8*", false},
		{"bedrock-converse-claude", "anthropic.claude-opus-4*", false},
		{"bedrock-converse-claude", "us.*", false},
		{"bedrock-converse-claude", "mars.anthropic.claude-sonnet-4-5*", false},
		{"bedrock-converse-claude", "claude-sonnet-4-5", false},
		{"bedrock-converse-claude", "amazon.nova-pro-v1:0", false},
		{"openai-responses-fine-tuned", "ft:gpt-4o-mini-2024-07-18:acme::abc", true},
		{"openai-responses-fine-tuned", "ft:gpt-3.5-turbo-0125:acme::abc", false},
		{"openai-responses-fine-tuned", "gpt-5.4", false},
		{"azure-openai-responses", "gpt-4.1-mini", true},
		{"azure-openai-chat-completions", "gpt-4o-audio-preview", false},
		{"azure-openai-chat-completions", "gpt-35-turbo", false},
		{"azure-openai-chat-completions", "my-deployment", false},
	}
	for _, c := range cases {
		if got, f := profile(t, c.profile).StrictFor([]string{c.model}); got != c.want {
			t.Errorf("%s, %s: %t (%v)", c.profile, c.model, got, f)
		}
	}
}

// What stands for everybody stands for what the profile knows.
func TestAPrefixIsNoModel(t *testing.T) {
	t.Parallel()
	p := Profile{Facts: Facts{ModelPrefixes: []string{"us."}, Models: []Model{{Pattern: "a*", Strict: true}}}}
	for model, want := range map[string]bool{"us.a1": true, "a1": true, "us.us.a1": false, "us": false, "us.": false} {
		if got, _ := p.StrictFor([]string{model}); got != want {
			t.Errorf("%s: %t, want %t", model, got, want)
		}
	}
}

func TestLeastDescription(t *testing.T) {
	t.Parallel()
	p := Profile{Facts: Facts{Title: "Gateway", Description: DescriptionRule{MinLength: 3, Error: "too short"}}}
	for description, want := range map[string]string{
		"":    "no description-length", // it is left out
		"ab":  "Error description-length /spec/description",
		"abc": "no description-length",
	} {
		if complaint := missing(p.CheckTool("a", description), want); complaint != "" {
			t.Errorf("%q: %s", description, complaint)
		}
	}
	f := p.CheckTool("a", "ab")[0]
	if want := "the description has 2 characters; the Gateway needs at least 3: too short"; f.Message != want || f.Fix == "" {
		t.Errorf("%s, want %q", f, want)
	}
}
