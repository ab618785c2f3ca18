// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// reports are public bug reports with what the profiles must say of them, in
// the words of [missing]. A report about a change is about its new side; its
// old side has the word old behind its name.
var reports = []struct {
	id, profile string
	mode        Mode
	want        string
}{
	// Roots.
	{"openai-root-anyof-required-groups", "openai-responses", Standard, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "openai-responses", Strict, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "openai-responses-fine-tuned", Strict, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "openai-chat-completions", Strict, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "azure-openai-responses", Standard, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "azure-openai-chat-completions", Standard, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "mcp-2025-11-25", Standard, "Warning client-compatibility /anyOf"},
	{"openai-root-anyof-required-groups", "mcp-2025-06-18", Standard, "Warning client-compatibility /anyOf"},
	{"openai-root-anyof-required-groups", "mcp-2026-07-28", Standard, "Warning client-compatibility /anyOf"},
	{"openai-root-anyof-required-groups", "moonshot-chat", Standard, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "gemini-openapi", Standard, "Error root-keyword /anyOf"},
	{"anthropic-root-oneof", "anthropic-messages", Standard, "Error root-keyword /oneOf"},
	{"anthropic-root-oneof", "anthropic-messages", Strict, "Error root-keyword /oneOf"},
	{"anthropic-root-oneof", "bedrock-converse-claude", Standard, "Error root-keyword /oneOf"},
	{"anthropic-root-oneof", "bedrock-converse-claude", Strict, "Error root-keyword /oneOf"},
	{"anthropic-root-anyof-22-tools", "anthropic-messages", Standard, "Error root-keyword /anyOf"},
	{"anthropic-root-anyof-22-tools", "bedrock-converse-claude", Standard, "Error root-keyword /anyOf"},
	{"anthropic-root-anyof-22-tools", "bedrock-converse-nova", Standard, "Error root-keyword /anyOf"},
	{"github-mcp-root-anyof-two-days", "anthropic-messages", Standard, "Error root-keyword /anyOf"},
	{"github-mcp-root-anyof-two-days", "bedrock-converse-claude", Standard, "Error root-keyword /anyOf"},
	{"github-mcp-root-anyof-two-days", "openai-responses", Standard, "Error root-keyword /anyOf"},
	{"github-mcp-root-anyof-two-days old", "anthropic-messages", Standard, "no error"},
	{"github-mcp-root-anyof-two-days old", "bedrock-converse-claude", Standard, "no error"},
	{"github-mcp-root-anyof-two-days old", "openai-responses", Standard, "no error"},
	{"xai-root-required-union", "openai-responses", Standard, "Error root-keyword /anyOf"},
	{"xai-root-required-union", "xai-chat", Standard, "Error root-keyword /anyOf"},
	{"xai-root-required-union", "xai-chat", Strict, "Error root-keyword /anyOf"},
	{"mcp-nonobject-root-string", "mcp-2025-11-25", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "openai-chat-completions", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "azure-openai-responses", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "anthropic-messages", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "bedrock-converse-nova", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "gemini-json-schema", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "gemini-openapi", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "vertex-gemini", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "mcp-2025-06-18", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "mcp-2026-07-28", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "mistral-chat", Standard, "Warning root-not-object /type"},
	{"mcp-nonobject-root-string", "cohere-v2", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "xai-chat", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "deepseek-chat", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "deepseek-beta", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "groq-chat", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "moonshot-chat", Standard, "Error root-not-object /type"},
	{"bedrock-root-type-missing", "bedrock-converse-claude", Standard, "Error root-not-object "},
	{"bedrock-root-type-missing", "bedrock-converse-claude", Strict, "Error root-not-object "},
	{"bedrock-root-type-missing", "bedrock-converse-nova", Standard, "Error root-not-object "},
	{"bedrock-root-type-missing", "anthropic-messages", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "openai-responses", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "openai-chat-completions", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "deepseek-chat", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "deepseek-beta", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "mistral-chat", Standard, "Warning root-not-object "},
	{"deepseek-empty-parameters", "cohere-v2", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "xai-chat", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "groq-chat", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "moonshot-chat", Standard, "Error root-not-object "},
	{"vertex-root-union-without-type", "gemini-json-schema", Standard, "Error root-not-object "},
	{"vertex-root-union-without-type", "vertex-gemini", Standard, "Error root-not-object "},
	{"vertex-root-union-without-type", "gemini-openapi", Standard, "Error root-not-object "},
	{"vertex-root-union-without-type", "openai-responses", Standard, "Error root-keyword /anyOf"},
	{"vertex-root-union-without-type", "anthropic-messages", Standard, "Error root-not-object "},
	{"vertex-root-union-without-type", "mcp-2025-11-25", Standard, "Error root-not-object "},
	{"bedrock-nova-defs", "bedrock-converse-nova", Standard, "Error root-keyword /$defs"},
	{"bedrock-nova-defs", "bedrock-converse-nova", Standard, "Error keyword-rejected /properties/h/$ref"},
	{"bedrock-nova-defs", "bedrock-converse-claude", Standard, "no error"},

	// Objects: closed, open, optional.
	{"openai-strict-nested-object-open", "openai-responses", Strict, "Error object-not-closed /properties/acl"},
	{"openai-strict-nested-object-open", "openai-chat-completions", Strict, "Error object-not-closed /properties/acl"},
	{"openai-strict-nested-object-open", "openai-responses", Standard, "no error"},
	{"openai-strict-nested-object-open", "azure-openai-responses", Strict, "Error object-not-closed /properties/acl"},
	{"openai-strict-nested-object-open", "bedrock-converse-claude", Strict, "Error object-not-closed /properties/acl"},
	{"openai-freeform-object-narrowed", "openai-responses", Strict, "Error object-not-closed /properties/labels"},
	{"openai-freeform-object-narrowed", "openai-responses", Standard, "no error"},
	{"openai-freeform-object-narrowed", "azure-openai-chat-completions", Strict, "Error object-not-closed /properties/labels"},
	{"openai-freeform-object-narrowed", "anthropic-messages", Strict, "Error object-not-closed /properties/labels"},
	{"openai-freeform-object-narrowed", "anthropic-messages", Standard, "no error"},
	{"openai-freeform-object-narrowed", "bedrock-converse-claude", Strict, "Error object-not-closed /properties/labels"},
	{"openai-responses-strict-omitted", "openai-responses", Standard, "no error"},
	{"openai-responses-strict-omitted", "openai-responses", Strict, "Error property-not-required /properties/team"},
	{"fastmcp-optional-as-nullable", "openai-responses", Strict, "Error property-not-required /properties/limit"},
	{"fastmcp-optional-as-nullable", "openai-responses", Standard, "no error"},
	{"fastmcp-optional-as-nullable", "anthropic-messages", Standard, "no error"},
	{"fastmcp-optional-as-nullable", "mcp-2025-11-25", Standard, "no error"},
	{"fastmcp-optional-as-nullable", "gemini-openapi", Strict, "no error"},
	{"litellm-any-json-value-becomes-object", "openai-responses", Strict, "Error schema-without-type /properties/value"},
	{"litellm-any-json-value-becomes-object", "openai-responses", Standard, "no error"},
	{"litellm-any-json-value-becomes-object", "gemini-json-schema", Strict, "no error"},
	{"litellm-any-json-value-becomes-object", "vertex-gemini", Strict, "no error"},
	{"groq-required-without-properties", "openai-responses", Strict, "Error object-without-properties "},
	{"groq-required-without-properties", "groq-chat", Strict, "Error required-undeclared /required/0"},

	// Keywords.
	{"openai-strict-nested-oneof", "openai-responses", Strict, "Error keyword-rejected /properties/value/oneOf"},
	{"openai-strict-nested-oneof", "openai-responses", Standard, "no error"},
	{"openai-strict-nested-oneof", "azure-openai-responses", Strict, "Error keyword-rejected /properties/value/oneOf"},
	{"bedrock-strict-oneof-and-optionals", "bedrock-converse-claude", Strict, "Error keyword-rejected /properties/v/oneOf"},
	{"bedrock-strict-oneof-and-optionals", "bedrock-converse-claude", Standard, "no error"},
	{"bedrock-strict-oneof-and-optionals", "anthropic-messages", Strict, "Error keyword-rejected /properties/v/oneOf"},
	{"openai-strict-format-uri", "openai-responses", Strict, "Error format-rejected /properties/url/format"},
	{"openai-strict-format-uri", "openai-responses", Standard, "no error"},
	{"openai-strict-format-uri", "openai-responses-fine-tuned", Strict, "Error format-rejected /properties/url/format"},
	{"openai-strict-format-uri", "azure-openai-responses", Strict, "Error format-rejected /properties/url/format"},
	{"openai-strict-format-uri", "anthropic-messages", Strict, "no error"},
	{"openai-strict-format-uri", "bedrock-converse-claude", Strict, "no error"},
	{"openai-strict-default-keyword", "openai-chat-completions", Strict, "Error keyword-rejected /properties/tail/default"},
	{"openai-strict-default-keyword", "openai-chat-completions", Standard, "no error"},
	{"openai-strict-default-keyword", "anthropic-messages", Strict, "no error"},
	{"openai-strict-default-keyword", "bedrock-converse-claude", Strict, "no error"},
	{"openai-id-not-uri", "openai-responses", Standard, "Error keyword-rejected /$id"},
	{"openai-id-not-uri", "openai-responses", Strict, "Error keyword-rejected /$id"},
	{"openai-id-not-uri", "openai-chat-completions", Standard, "Error keyword-rejected /$id"},
	{"openai-array-missing-items", "openai-responses", Standard, "Error array-without-items /properties/words"},
	{"openai-array-missing-items", "openai-responses", Strict, "Error array-without-items /properties/words"},
	{"openai-array-missing-items", "openai-chat-completions", Standard, "Error array-without-items /properties/words"},
	{"openai-array-missing-items", "azure-openai-responses", Standard, "Error array-without-items /properties/words"},
	{"openai-array-missing-items", "mcp-2025-11-25", Standard, "Warning client-compatibility /properties/words"},
	{"openai-array-missing-items", "mcp-2025-06-18", Standard, "Warning client-compatibility /properties/words"},
	{"openai-array-missing-items", "mcp-2026-07-28", Standard, "Warning client-compatibility /properties/words"},
	{"sk-strict-strips-supported-keywords", "openai-responses", Strict, "no error"},
	{"sk-strict-strips-supported-keywords", "openai-chat-completions", Strict, "no error"},
	{"sk-strict-strips-supported-keywords", "openai-responses-fine-tuned", Strict, "Error keyword-rejected /properties/n/minimum"},
	{"sk-strict-strips-supported-keywords", "openai-responses-fine-tuned", Strict, "Error keyword-rejected /properties/xs/maxItems"},
	{"sk-strict-strips-supported-keywords", "openai-responses-fine-tuned", Standard, "no error"},
	{"sk-strict-strips-supported-keywords", "azure-openai-responses", Strict, "Error keyword-rejected /properties/n/maximum"},
	{"sk-strict-strips-supported-keywords", "azure-openai-responses", Strict, "Error keyword-rejected /properties/xs/minItems"},
	{"sk-strict-strips-supported-keywords", "anthropic-messages", Strict, "Error keyword-rejected /properties/n/minimum"},
	{"anthropic-strict-maxitems", "anthropic-messages", Strict, "Error keyword-rejected /properties/ids/maxItems"},
	{"anthropic-strict-maxitems", "anthropic-messages", Strict, "Error keyword-rejected /properties/ids/minItems"},
	{"anthropic-strict-maxitems", "bedrock-converse-claude", Strict, "Error keyword-rejected /properties/ids/maxItems"},
	{"anthropic-strict-maxitems", "bedrock-converse-claude", Strict, "Error keyword-rejected /properties/ids/minItems"},
	{"anthropic-strict-maxitems", "bedrock-converse-claude", Standard, "no error"},
	{"anthropic-strict-maxitems", "openai-responses", Strict, "no error"},
	{"anthropic-strict-numeric-bounds", "anthropic-messages", Strict, "Error keyword-rejected /properties/n/maximum"},
	{"anthropic-strict-numeric-bounds", "anthropic-messages", Standard, "no error"},
	{"anthropic-strict-numeric-bounds", "bedrock-converse-claude", Strict, "Error keyword-rejected /properties/n/minimum"},
	{"anthropic-strict-numeric-bounds", "openai-responses", Strict, "no error"},
	{"gemini-params-const", "gemini-json-schema", Strict, "Error keyword-unknown /properties/op/anyOf/0/const"},
	{"gemini-params-const", "gemini-json-schema", Standard, "Warning keyword-unknown /properties/op/anyOf/0/const"},
	{"gemini-params-const", "gemini-openapi", Standard, "Error keyword-rejected /properties/op/anyOf/0/const"},
	{"gemini-params-const", "gemini-openapi", Strict, "Error keyword-rejected /properties/op/anyOf/1/const"},
	{"gemini-params-additionalproperties", "gemini-json-schema", Strict, "no error"},
	{"gemini-params-additionalproperties", "gemini-openapi", Standard, "Error object-not-closed /additionalProperties"},
	{"gemini-params-additionalproperties", "gemini-openapi", Strict, "Error object-not-closed /properties/edits/items/additionalProperties"},
	{"gemini-params-additionalproperties", "vertex-gemini", Strict, "no error"},
	{"adk-definitions-keyerror", "gemini-json-schema", Strict, "Error keyword-unknown /definitions"},
	{"adk-definitions-keyerror", "gemini-json-schema", Standard, "Warning keyword-unknown /definitions"},
	{"adk-definitions-keyerror", "mcp-2025-11-25", Standard, "no error"},
	{"adk-definitions-keyerror", "gemini-openapi", Standard, "Error keyword-rejected /definitions"},
	{"adk-definitions-keyerror", "gemini-openapi", Standard, "Error keyword-rejected /properties/id/$ref"},
	{"adk-definitions-keyerror", "vertex-gemini", Strict, "Error keyword-unknown /definitions"},
	{"adk-type-array-object-null", "gemini-json-schema", Strict, "no error"},
	{"adk-type-array-object-null", "gemini-openapi", Standard, "Error object-not-closed /properties/kv/additionalProperties"},
	{"adk-type-array-object-null", "vertex-gemini", Strict, "no error"},
	{"langchain-google-items-anyof-dropped", "gemini-json-schema", Strict, "no error"},
	{"langchain-google-items-anyof-dropped", "gemini-openapi", Strict, "no error"},
	{"vercel-google-anyof-siblings", "gemini-json-schema", Strict, "no error"},
	{"vercel-google-anyof-siblings", "gemini-openapi", Strict, "no error"},
	{"vercel-google-anyof-siblings", "vertex-gemini", Strict, "no error"},
	{"vercel-google-drops-refs", "gemini-json-schema", Strict, "no error"},
	{"vercel-google-drops-refs", "gemini-openapi", Strict, "Error keyword-rejected /properties/locale/$ref"},
	{"vercel-google-drops-refs", "vertex-gemini", Strict, "no error"},
	{"moonshot-ref-with-description", "openai-responses", Strict, "Error ref-siblings /properties/asset/$ref"},
	{"moonshot-ref-with-description", "openai-responses", Standard, "no error"},
	{"moonshot-ref-with-description", "gemini-json-schema", Strict, "Error ref-siblings /properties/asset/$ref"},
	{"moonshot-ref-with-description", "moonshot-chat", Standard, "Error ref-siblings /properties/asset/$ref"},
	{"mcp-ref-defs-all-tools-missing", "mcp-2025-11-25", Standard, "no error"},
	{"mcp-ref-defs-all-tools-missing", "mcp-2025-11-25", Standard, "Warning client-compatibility /properties/r/$ref"},
	{"mcp-ref-defs-all-tools-missing", "mcp-2025-06-18", Standard, "Warning client-compatibility /properties/r/$ref"},
	{"mcp-ref-defs-all-tools-missing", "mcp-2026-07-28", Standard, "Warning client-compatibility /properties/r/$ref"},
	{"deepseek-anyof-branch-without-type", "openai-responses", Strict, "no error"},
	{"deepseek-anyof-branch-without-type", "deepseek-beta", Strict, "Error keyword-rejected /properties/o/anyOf"},
	{"deepseek-anyof-branch-without-type", "deepseek-chat", Standard, "no error"},
	{"deepseek-strict-enum-array-malformed", "openai-responses", Strict, "no error"},
	{"deepseek-strict-enum-array-malformed", "deepseek-beta", Strict, "no error"},
	{"xai-parameter-named-properties", "openai-responses", Standard, "no error"},
	{"xai-parameter-named-properties", "openai-responses", Strict, "no keyword-rejected"},
	{"xai-parameter-named-properties", "xai-chat", Standard, "no error"},
	{"xai-parameter-named-properties", "xai-chat", Standard, "Warning property-name-reserved /properties/properties"},

	// Null.
	{"mcp-type-null-crash", "anthropic-messages", Standard, "no error"},
	{"mcp-type-null-crash", "openai-responses", Standard, "no error"},
	{"mcp-type-null-crash", "gemini-json-schema", Strict, "no error"},
	{"mcp-type-null-crash", "gemini-openapi", Strict, "no error"},
	{"mcp-type-null-crash", "vertex-gemini", Strict, "no error"},
	{"gemini-null-enum-member", "gemini-json-schema", Strict, "Error keyword-unknown /properties/mode/enum"},
	{"gemini-null-enum-member", "gemini-openapi", Strict, "no error"},
	{"gemini-null-enum-member", "openai-responses", Standard, "no error"},
	{"openai-nullable-enum-copied-to-null-branch", "openai-responses", Strict, "Error keyword-rejected /properties/lang/default"},
	{"openai-nullable-enum-copied-to-null-branch", "anthropic-messages", Strict, "no error"},

	// Names and descriptions.
	{"anthropic-property-key-pattern", "anthropic-messages", Standard, "Error property-name /properties/$filter"},
	{"anthropic-property-key-pattern", "anthropic-messages", Standard, "Error property-name /properties/order by"},
	{"anthropic-property-key-pattern", "bedrock-converse-claude", Standard, "Error property-name /properties/$filter"},
	{"anthropic-property-key-pattern", "gemini-json-schema", Standard, "Warning property-name /properties/$filter"},
	{"anthropic-property-key-pattern", "vertex-gemini", Standard, "Warning property-name /properties/$filter"},
	{"anthropic-property-key-pattern", "openai-responses", Standard, "no error"},
	{"anthropic-dotted-name", "anthropic-messages", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "openai-responses", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "openai-chat-completions", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "azure-openai-chat-completions", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "bedrock-converse-claude", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "bedrock-converse-nova", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "gemini-json-schema", Standard, "no error"},
	{"anthropic-dotted-name", "mcp-2025-11-25", Standard, "no error"},
	{"anthropic-dotted-name", "mcp-2025-11-25", Standard, "Warning tool-name /spec/toolName"},
	{"anthropic-dotted-name", "mistral-chat", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "deepseek-chat", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "gemini-openapi", Standard, "no error"},
	{"anthropic-builtin-name-clash", "anthropic-messages", Standard, "Info tool-name-reserved /spec/toolName"},
	{"anthropic-builtin-name-clash", "bedrock-converse-claude", Standard, "no tool-name-reserved"},
	{"gemini-array-items-missing-and-name", "gemini-json-schema", Standard, "Error tool-name /spec/toolName"},
	{"gemini-array-items-missing-and-name", "gemini-openapi", Standard, "Error tool-name /spec/toolName"},
	{"gemini-array-items-missing-and-name", "gemini-openapi", Standard, "Error array-without-items /properties/urls"},
	{"gemini-array-items-missing-and-name", "openai-responses", Standard, "Error array-without-items /properties/urls"},
	{"bedrock-empty-name-description", "bedrock-converse-claude", Standard, "Error tool-name /spec/toolName"},
	{"bedrock-empty-name-description", "bedrock-converse-nova", Standard, "Error tool-name /spec/toolName"},
	{"bedrock-empty-name-description", "openai-responses", Standard, "Error tool-name /spec/toolName"},
	{"truncation-collision-remote-names", "openai-responses", Standard, "Error tool-name /spec/toolName"},
	{"truncation-collision-remote-names", "anthropic-messages", Standard, "Error tool-name /spec/toolName"},
	{"truncation-collision-remote-names", "mcp-2025-11-25", Standard, "no error"},

	// Sizes.
	{"anthropic-strict-16-unions", "anthropic-messages", Strict, "Error limit-exceeded "},
	{"anthropic-strict-16-unions", "anthropic-messages", Standard, "no limit-exceeded"},
	{"anthropic-strict-16-unions", "bedrock-converse-claude", Strict, "Error limit-exceeded "},
	{"anthropic-strict-16-unions", "openai-responses", Strict, "no limit-exceeded"},
	{"anthropic-strict-24-optionals", "anthropic-messages", Strict, "Error limit-exceeded "},
	{"anthropic-strict-24-optionals", "anthropic-messages", Standard, "no limit-exceeded"},
	{"anthropic-strict-24-optionals", "bedrock-converse-claude", Strict, "Error limit-exceeded "},
	{"gemini-sum-of-maxitems", "gemini-json-schema", Strict, "Warning limit-exceeded "},
	{"gemini-sum-of-maxitems", "gemini-json-schema", Strict, "no error"},

	// Strict mode elsewhere.
	{"vertex-anthropic-strict-extra-input", "anthropic-messages", Strict, "no error"},
	{"vertex-anthropic-strict-extra-input", "bedrock-converse-claude", Strict, "no error"},

	// Other hosts of the OpenAI shape.
	{"groq-required-without-properties", "groq-chat", Standard, "Error required-undeclared /required/0"},
	{"moonshot-ref-with-description", "moonshot-chat", Strict, "Error ref-siblings /properties/asset/$ref"},
}

func TestPublicReportsGetTheRightAnswer(t *testing.T) {
	t.Parallel()
	tools := reportedTools(t)
	for _, r := range reports {
		t.Run(fmt.Sprintf("%s at %s %s", r.id, r.profile, r.mode), func(t *testing.T) {
			t.Parallel()
			tool, ok := tools[r.id]
			if !ok {
				t.Fatal("there is no such report")
			}
			s := admittedReal(t, tool.schema)
			if s == nil {
				t.Fatal("the schema is not admitted")
			}
			p := profile(t, r.profile)
			findings := append(p.CheckTool(tool.name, "Does something."), p.CheckSchema(s, r.mode)...)
			if complaint := missing(findings, r.want); complaint != "" {
				t.Error(complaint)
			}
		})
	}
}

// reportedFacts are the reports whose right result is a fact of a profile that
// is no finding on one tool.
var reportedFacts = []struct {
	id, profile, what string
	of                func(*Profile) any
	want              any
}{
	// A missing strict means something else in each of the two APIs.
	{"openai-responses-strict-omitted", "openai-responses", "non-strict is written", nonStrict, EmitFalse},
	{"openai-chat-to-responses-conversion", "openai-responses", "non-strict is written", nonStrict, EmitFalse},
	{"openai-chat-to-responses-conversion", "openai-chat-completions", "non-strict is written", nonStrict, EmitFalse},
	{"openai-chat-to-responses-conversion", "azure-openai-responses", "non-strict is written", nonStrict, EmitFalse},

	// Strict mode depends on the host and on the model.
	{"vertex-anthropic-strict-extra-input", "anthropic-messages", "non-strict is written", nonStrict, Omit},
	{"vertex-anthropic-strict-extra-input", "bedrock-converse-claude", "non-strict is written", nonStrict, Omit},
	{"vertex-anthropic-strict-extra-input", "anthropic-messages", "Opus 4.7 is strict", strictFor("claude-opus-4-7"), true},
	{"vertex-anthropic-strict-extra-input", "bedrock-converse-claude", "Opus 4.7 is strict", strictFor("us.anthropic.claude-opus-4-7-v1:0"), false},
	{"vertex-anthropic-strict-extra-input", "bedrock-converse-claude", "Sonnet 4.5 is strict", strictFor("us.anthropic.claude-sonnet-4-5-20250929-v1:0"), true},
	{"vertex-anthropic-strict-extra-input", "bedrock-converse-nova", "Nova is strict", strictFor("us.amazon.nova-pro-v1:0"), false},

	{"cohere-per-tool-strict", "cohere-v2", "where strictness is asked for", strictPlace, PerRequest},
	{"cohere-per-tool-strict", "cohere-v2", "non-strict is written", nonStrict, Omit},

	// Examples have a place with one host, and none with another.
	{"bedrock-input-examples-beta", "anthropic-messages", "the field of examples", examplesField, "input_examples"},
	{"bedrock-input-examples-beta", "bedrock-converse-claude", "the field of examples", examplesField, ""},
	{"bedrock-empty-name-description", "bedrock-converse-claude", "the least description", leastDescription, 1},
	{"bedrock-empty-name-description", "bedrock-converse-nova", "the least description", leastDescription, 1},

	// Budgets of a request.
	{"anthropic-strict-20-tools", "anthropic-messages", "strict tools in a request", errorLimit("StrictTools"), 20},
	{"anthropic-strict-20-tools", "bedrock-converse-claude", "strict tools in a request", errorLimit("StrictTools"), 20},
	{"anthropic-strict-24-optionals", "anthropic-messages", "optional properties in a request", errorLimit("OptionalProperties"), 24},
	{"anthropic-strict-16-unions", "anthropic-messages", "unions in a request", errorLimit("UnionParameters"), 16},
	{"anthropic-grammar-too-large", "anthropic-messages", "strict tools in a request that may be too many", warningLimit("StrictTools"), 6},
}

func nonStrict(p *Profile) any        { return p.Strict.NonStrict }
func strictPlace(p *Profile) any      { return p.Strict.Place }
func examplesField(p *Profile) any    { return p.Examples.Field }
func leastDescription(p *Profile) any { return p.Description.MinLength }

func strictFor(model string) func(*Profile) any {
	return func(p *Profile) any {
		available, _ := p.StrictFor([]string{model})
		return available
	}
}

func errorLimit(measure string) func(*Profile) any   { return limitOf(measure, finding.Error) }
func warningLimit(measure string) func(*Profile) any { return limitOf(measure, finding.Warning) }

// limitOf is the limit of a request, or 0.
func limitOf(measure string, severity finding.Severity) func(*Profile) any {
	return func(p *Profile) any {
		for _, l := range p.Limits {
			if l.Measure == measure && l.Per == LimitPerRequest && l.Severity == string(severity) {
				return l.Max
			}
		}
		return 0
	}
}

func TestFactsThatPublicReportsAskFor(t *testing.T) {
	t.Parallel()
	for _, r := range reportedFacts {
		if got := r.of(profile(t, r.profile)); got != r.want {
			t.Errorf("%s at %s: %s: %v, want %v", r.id, r.profile, r.what, got, r.want)
		}
	}
}

// invalidReports are reports of schemas that are wrong in themselves: what is
// found before any profile is asked.
var invalidReports = map[string]string{
	"enum-on-array-node":                "Warning enum-type-mismatch /properties/modes/enum/0",
	"gateway-forwards-invalid-schema":   "Error invalid-schema /properties/code/type",
	"llamacpp-fails-open":               "Error pattern-syntax /properties/s/pattern",
	"mcp-output-schema-draft07-dialect": "Error unsupported-dialect /$schema",
	"mcp-required-inside-properties":    "Error invalid-schema /properties/required",
	"php-empty-properties-array":        "Error invalid-schema /properties",
}

func TestSchemasThatReportsFindInvalidReachNoProfile(t *testing.T) {
	t.Parallel()
	tools := reportedTools(t)
	for id, want := range invalidReports {
		tool := tools[id]
		raw := tool.schema
		if tool.output != nil {
			raw = tool.output
		}
		s, findings := schema.Admit(schematest.Value(t, string(raw)))
		if s != nil {
			_, more := s.Compile()
			findings = append(findings, more...)
		}
		if got := short(findings); !slices.Contains(got, want) {
			t.Errorf("%s: findings %q lack %q", id, got, want)
		}
	}
}

// reportsWithoutVerdict are the reports about which no profile has anything to
// say, with the reason.
var reportsWithoutVerdict = map[string]string{
	"apicurio-output-schema-removed":        "compares two versions",
	"apicurio-required-to-optional":         "compares two versions",
	"apicurio-type-array-compare":           "compares two versions",
	"client-cached-closed-object":           "compares two versions; a client keeps the old one",
	"jsonschemadiff-enum-unseen":            "compares two versions",
	"sep1575-no-tool-version":               "compares two versions; the protocol has none",
	"springai-kotlin-required":              "compares two versions; the schema itself is fine everywhere",
	"supabase-dialect-bump":                 "compares two versions; $schema is left out when a tool is rendered",
	"validator-race-on-list-changed":        "compares two versions while a call is under way",
	"pin-canonicalisation":                  "about digests",
	"rug-pull-description":                  "about approval of what a digest covers",
	"go-map-order-breaks-cache":             "about the bytes that are rendered",
	"deepseek-missing-tool-type":            "about the bytes that are rendered, outside the schema",
	"mistral-required-outside-parameters":   "about the bytes that are rendered and imported, outside the schema",
	"toolhive-annotations-dropped":          "about annotations that a gateway loses",
	"toolhive-title-not-overridable":        "about titles that a gateway keeps",
	"suffix-counter-unstable":               "about equal names in one set",
	"mcp-error-result-breaks-output-schema": "about results at run time",
	"mcp-output-schema-unsatisfiable":       "about results that the contract gives as samples",
	"openapi-nullable-enum-without-null":    "about a converter; the schema means what it says everywhere",
}

// Every report has its answer here, or a reason why it has none.
func TestEveryPublicReportIsAccountedFor(t *testing.T) {
	t.Parallel()
	answered := map[string]bool{}
	for _, r := range reports {
		answered[strings.TrimSuffix(r.id, " old")] = true
	}
	for _, r := range reportedFacts {
		answered[r.id] = true
	}
	for id := range invalidReports {
		answered[id] = true
	}
	tools := reportedTools(t)
	n := 0
	for id := range tools {
		if strings.HasSuffix(id, " old") {
			continue
		}
		n++
		reason := reportsWithoutVerdict[id]
		switch {
		case !answered[id] && reason == "":
			t.Errorf("%s: neither an answer nor a reason", id)
		case answered[id] && reason != "":
			t.Errorf("%s: both an answer and a reason why there is none", id)
		}
	}
	for id := range reportsWithoutVerdict {
		if _, ok := tools[id]; !ok {
			t.Errorf("%s: there is no such report", id)
		}
	}
	if n == 0 {
		t.Error("there are no reports")
	}
	t.Logf("%d reports, %d without a verdict, %d rows and %d facts", n, len(reportsWithoutVerdict), len(reports), len(reportedFacts))
}

// The budgets of a request are about several tools; what one tool adds to them
// must be counted right.
func TestReportedBudgetsAreCounted(t *testing.T) {
	t.Parallel()
	want := map[string][2]int{
		"anthropic-strict-16-unions":    {17, 0},
		"anthropic-strict-24-optionals": {0, 25},
	}
	tools := reportedTools(t)
	for id, n := range want {
		c := Measure(schematest.Schema(t, string(tools[id].schema)))
		if c.UnionParameters < n[0] || c.OptionalProperties < n[1] {
			t.Errorf("%s: %d unions and %d optional properties, want at least %d and %d", id, c.UnionParameters, c.OptionalProperties, n[0], n[1])
		}
	}
}

type reportedTool struct {
	name           string
	schema, output json.RawMessage
}

// reportedForm is what a report holds in place of a schema: a tool, several
// tools, or the two sides of a change.
type reportedForm struct {
	Tool  *reportedWire   `json:"$tool"`
	Tools json.RawMessage `json:"$tools"`
	Old   json.RawMessage `json:"$old"`
	New   json.RawMessage `json:"$new"`
}

// reportedWire is a tool in one of the shapes that reports show it in.
type reportedWire struct {
	Name         string
	InputSchema  json.RawMessage
	OutputSchema json.RawMessage
	Snake        json.RawMessage `json:"input_schema"`
	Function     *struct {
		Name       string
		Parameters json.RawMessage
	}
}

func (w *reportedWire) tool() reportedTool {
	if w.Function != nil {
		return reportedTool{name: w.Function.Name, schema: w.Function.Parameters}
	}
	return reportedTool{name: w.Name, schema: slices.Concat(w.InputSchema, w.Snake), output: w.OutputSchema}
}

// reportedTools reads the reports. Of several tools the first with a schema is
// meant, of a change the new side.
func reportedTools(t *testing.T) map[string]reportedTool {
	t.Helper()
	type report struct {
		ID     string
		Schema json.RawMessage
	}
	out := map[string]reportedTool{}
	for r := range corpus.Lines[report](t, corpus.Path(t, "bugs.jsonl")) {
		var form reportedForm
		if err := json.Unmarshal(r.Schema, &form); err != nil {
			t.Fatal(err)
		}
		switch {
		case form.Tool != nil:
			out[r.ID] = form.Tool.tool()
		case form.Tools != nil:
			out[r.ID] = firstTool(form.Tools)
		case form.Old != nil:
			out[r.ID] = reportedTool{name: "tool", schema: form.New}
			out[r.ID+" old"] = reportedTool{name: "tool", schema: form.Old}
		default:
			out[r.ID] = reportedTool{name: "tool", schema: r.Schema}
		}
	}
	return out
}

// firstTool reads a list of tools or of names; some reports have a number or a
// sentence in its place.
func firstTool(raw json.RawMessage) reportedTool {
	var names []string
	if json.Unmarshal(raw, &names) == nil && len(names) > 0 {
		return reportedTool{name: names[0], schema: json.RawMessage(`{"type": "object", "properties": {}}`)}
	}
	var tools []reportedWire
	if json.Unmarshal(raw, &tools) == nil {
		for i := range tools {
			if tool := tools[i].tool(); len(tool.schema) > 0 {
				return tool
			}
		}
	}
	return reportedTool{}
}
