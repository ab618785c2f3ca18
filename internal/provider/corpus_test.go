// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// recordedCall is a request that a live API answered, in wire form.
type recordedCall struct {
	Host, Path, Model, File string
	Status                  int
	Tools                   []struct {
		Type, Name, Description string
		Strict                  *bool
		Parameters              json.RawMessage
		InputSchema             json.RawMessage `json:"input_schema"`
		Function                *struct {
			Name, Description string
			Strict            *bool
			Parameters        json.RawMessage
		}
		FunctionDeclarations []struct {
			Name, Description    string
			ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
			ParametersSnakeCase  json.RawMessage `json:"parameters_json_schema"`
		}
	}
	ToolConfig struct{ FunctionCallingConfig struct{ Mode string } }
}

// offered is one tool of a recorded call in the terms of this package.
type offered struct {
	profile, name, description string
	mode                       Mode
	schema                     json.RawMessage
}

func (c recordedCall) offers() []offered {
	modeOf := func(strict *bool) Mode {
		if strict != nil && *strict {
			return Strict
		}
		return Standard // an omitted flag tries strict at most, and falls back
	}
	var out []offered
	for _, t := range c.Tools {
		switch {
		case c.Host == "api.openai.com" && c.Path == "/v1/responses" && t.Type == "function":
			out = append(out, offered{"openai-responses", t.Name, t.Description, modeOf(t.Strict), t.Parameters})
		case c.Host == "api.openai.com" && c.Path == "/v1/chat/completions" && t.Function != nil:
			out = append(out, offered{"openai-chat-completions", t.Function.Name, t.Function.Description, modeOf(t.Function.Strict), t.Function.Parameters})
		case c.Host == "api.anthropic.com" && t.InputSchema != nil:
			out = append(out, offered{"anthropic-messages", t.Name, t.Description, modeOf(t.Strict), t.InputSchema})
		case c.Host == "generativelanguage.googleapis.com":
			mode := Standard
			if m := c.ToolConfig.FunctionCallingConfig.Mode; m == "VALIDATED" || m == "ANY" {
				mode = Strict
			}
			for _, d := range t.FunctionDeclarations {
				if raw := slices.Concat(d.ParametersJSONSchema, d.ParametersSnakeCase); len(raw) > 0 {
					out = append(out, offered{"gemini-json-schema", d.Name, d.Description, mode, raw})
				}
			}
		}
	}
	return out
}

// What a live API answered with 200 is never refused by its profile in that
// mode. There are no exceptions; one would need its reason here.
func TestRecordedToolsAreNotRefused(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for c := range corpus.Lines[recordedCall](t, corpus.Path(t, "recorded/provider-requests.jsonl")) {
		if c.Status != 200 {
			continue
		}
		for _, o := range c.offers() {
			counts[fmt.Sprintf("%s %s", o.profile, o.mode)]++
			p := profile(t, o.profile)
			findings := append(p.CheckTool(o.name, o.description), p.CheckSchema(schematest.Schema(t, string(o.schema)), o.mode)...)
			for _, f := range findings {
				if f.Severity == finding.Error {
					t.Errorf("%s, %s, %s, %s: %s", c.File, o.name, o.profile, o.mode, f)
				}
			}
		}
	}
	for _, name := range []string{"openai-responses Strict", "openai-chat-completions Strict", "anthropic-messages Strict", "gemini-json-schema Strict"} {
		if counts[name] == 0 {
			t.Errorf("no recorded tool for %s", name)
		}
	}
	t.Log(counts)
}

// reports are public bug reports with what the profiles must say of them:
// findings that must be there, or, for a rule after "no ", must not.
var reports = []struct {
	id, profile string
	mode        Mode
	want        string
}{
	{"openai-root-anyof-required-groups", "openai-responses", Standard, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "openai-chat-completions", Strict, "Error root-keyword /anyOf"},
	{"openai-root-anyof-required-groups", "mcp-2025-11-25", Standard, "Warning client-compatibility /anyOf"},
	{"anthropic-root-oneof", "anthropic-messages", Standard, "Error root-keyword /oneOf"},
	{"anthropic-root-oneof", "anthropic-messages", Strict, "Error root-keyword /oneOf"},
	{"anthropic-root-anyof-22-tools", "anthropic-messages", Standard, "Error root-keyword /anyOf"},
	{"xai-root-required-union", "openai-responses", Standard, "Error root-keyword /anyOf"},
	{"mcp-nonobject-root-string", "mcp-2025-11-25", Standard, "Error root-not-object /type"},
	{"mcp-nonobject-root-string", "openai-chat-completions", Standard, "Error root-not-object /type"},
	{"bedrock-root-type-missing", "anthropic-messages", Standard, "Error root-not-object "},
	{"deepseek-empty-parameters", "openai-responses", Standard, "Error root-not-object "},
	{"vertex-root-union-without-type", "gemini-json-schema", Standard, "Error root-not-object "},
	{"vertex-root-union-without-type", "openai-responses", Standard, "Error root-keyword /anyOf"},
	{"openai-strict-nested-object-open", "openai-responses", Strict, "Error object-not-closed /properties/acl"},
	{"openai-freeform-object-narrowed", "openai-responses", Strict, "Error object-not-closed /properties/labels"},
	{"openai-freeform-object-narrowed", "openai-responses", Standard, "no error"},
	{"openai-freeform-object-narrowed", "anthropic-messages", Strict, "Error object-not-closed /properties/labels"},
	{"litellm-any-json-value-becomes-object", "openai-responses", Strict, "Error schema-without-type /properties/value"},
	{"litellm-any-json-value-becomes-object", "gemini-json-schema", Strict, "no error"},
	{"openai-strict-nested-oneof", "openai-responses", Strict, "Error keyword-rejected /properties/value/oneOf"},
	{"bedrock-strict-oneof-and-optionals", "anthropic-messages", Strict, "Error keyword-rejected /properties/v/oneOf"},
	{"openai-strict-format-uri", "openai-responses", Strict, "Error format-rejected /properties/url/format"},
	{"openai-strict-format-uri", "openai-responses", Standard, "no error"},
	{"openai-strict-format-uri", "anthropic-messages", Strict, "no error"},
	{"openai-strict-default-keyword", "openai-chat-completions", Strict, "Error keyword-rejected /properties/tail/default"},
	{"openai-strict-default-keyword", "openai-chat-completions", Standard, "no error"},
	{"openai-id-not-uri", "openai-responses", Standard, "Error keyword-rejected /$id"},
	{"openai-id-not-uri", "openai-responses", Strict, "Error keyword-rejected /$id"},
	{"openai-array-missing-items", "openai-responses", Standard, "Error array-without-items /properties/words"},
	{"openai-array-missing-items", "mcp-2025-11-25", Standard, "Warning client-compatibility /properties/words"},
	{"openai-responses-strict-omitted", "openai-responses", Standard, "no error"},
	{"openai-responses-strict-omitted", "openai-responses", Strict, "Error property-not-required /properties/team"},
	{"sk-strict-strips-supported-keywords", "openai-responses", Strict, "no error"},
	{"sk-strict-strips-supported-keywords", "anthropic-messages", Strict, "Error keyword-rejected /properties/n/minimum"},
	{"moonshot-ref-with-description", "openai-responses", Strict, "Error ref-siblings /properties/asset/$ref"},
	{"moonshot-ref-with-description", "gemini-json-schema", Strict, "Error ref-siblings /properties/asset/$ref"},
	{"anthropic-strict-maxitems", "anthropic-messages", Strict, "Error keyword-rejected /properties/ids/maxItems"},
	{"anthropic-strict-maxitems", "anthropic-messages", Strict, "Error keyword-rejected /properties/ids/minItems"},
	{"anthropic-strict-maxitems", "openai-responses", Strict, "no error"},
	{"anthropic-strict-numeric-bounds", "anthropic-messages", Strict, "Error keyword-rejected /properties/n/maximum"},
	{"anthropic-strict-numeric-bounds", "openai-responses", Strict, "no error"},
	{"anthropic-strict-numeric-bounds", "anthropic-messages", Standard, "no error"},
	{"anthropic-property-key-pattern", "anthropic-messages", Standard, "Error property-name /properties/$filter"},
	{"anthropic-property-key-pattern", "anthropic-messages", Standard, "Error property-name /properties/order by"},
	{"anthropic-property-key-pattern", "gemini-json-schema", Standard, "Warning property-name /properties/$filter"},
	{"anthropic-property-key-pattern", "openai-responses", Standard, "no error"},
	{"gemini-params-const", "gemini-json-schema", Strict, "Error keyword-unknown /properties/op/anyOf/0/const"},
	{"gemini-params-const", "gemini-json-schema", Standard, "Warning keyword-unknown /properties/op/anyOf/0/const"},
	{"gemini-params-additionalproperties", "gemini-json-schema", Strict, "no error"},
	{"gemini-null-enum-member", "gemini-json-schema", Strict, "Error keyword-unknown /properties/mode/enum"},
	{"gemini-null-enum-member", "openai-responses", Standard, "no error"},
	{"gemini-sum-of-maxitems", "gemini-json-schema", Strict, "Warning limit-exceeded "},
	{"adk-type-array-object-null", "gemini-json-schema", Strict, "no error"},
	{"langchain-google-items-anyof-dropped", "gemini-json-schema", Strict, "no error"},
	{"vercel-google-anyof-siblings", "gemini-json-schema", Strict, "no error"},
	{"vercel-google-drops-refs", "gemini-json-schema", Strict, "no error"},
	{"mcp-type-null-crash", "anthropic-messages", Standard, "no error"},
	{"mcp-type-null-crash", "gemini-json-schema", Strict, "no error"},
	{"mcp-ref-defs-all-tools-missing", "mcp-2025-11-25", Standard, "no error"},
	{"openai-nullable-enum-copied-to-null-branch", "openai-responses", Strict, "Error keyword-rejected /properties/lang/default"},
	{"xai-parameter-named-properties", "openai-responses", Standard, "no error"},
	{"fastmcp-optional-as-nullable", "openai-responses", Strict, "Error property-not-required /properties/limit"},
	{"fastmcp-optional-as-nullable", "anthropic-messages", Standard, "no error"},
	{"anthropic-dotted-name", "anthropic-messages", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "openai-responses", Standard, "Error tool-name /spec/toolName"},
	{"anthropic-dotted-name", "gemini-json-schema", Standard, "no error"},
	{"anthropic-dotted-name", "mcp-2025-11-25", Standard, "Warning tool-name /spec/toolName"},
	{"gemini-array-items-missing-and-name", "gemini-json-schema", Standard, "Error tool-name /spec/toolName"},
	{"gemini-array-items-missing-and-name", "openai-responses", Standard, "Error array-without-items /properties/urls"},
	{"bedrock-empty-name-description", "openai-responses", Standard, "Error tool-name /spec/toolName"},
	{"vertex-anthropic-strict-extra-input", "anthropic-messages", Strict, "no error"},
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
			p := profile(t, r.profile)
			findings := append(p.CheckTool(tool.name, "Does something."), p.CheckSchema(schematest.Schema(t, string(tool.schema)), r.mode)...)
			switch got := short(findings); {
			case r.want == "no error" && finding.HasErrors(findings):
				t.Errorf("refused: %v", findings)
			case r.want != "no error" && !slices.Contains(got, r.want):
				t.Errorf("findings %q lack %q", got, r.want)
			}
		})
	}
}

// The budgets of a request are about several tools; what one tool adds to them
// must be counted right.
func TestReportedBudgetsAreCounted(t *testing.T) {
	t.Parallel()
	want := map[string][2]int{
		"anthropic-strict-16-unions":    {17, 0},
		"anthropic-strict-24-optionals": {0, 25},
	}
	got := map[string][2]int{}
	for id := range want {
		for _, tool := range reportedTools(t)[id].all {
			c := Measure(schematest.Schema(t, string(tool)))
			got[id] = [2]int{got[id][0] + c.UnionParameters, got[id][1] + c.OptionalProperties}
		}
	}
	for id, n := range want {
		if got[id][0] < n[0] || got[id][1] < n[1] {
			t.Errorf("%s: %d unions and %d optional properties, want at least %d and %d", id, got[id][0], got[id][1], n[0], n[1])
		}
	}
}

// Real tools must not drown in findings where nobody asked for strictness.
func TestRealToolsAreQuietWithoutStrict(t *testing.T) {
	t.Parallel()
	tools, findings := 0, map[string]int{}
	for _, file := range corpus.Files(t, "tools/*-mcp-server.jsonl") {
		for tool := range corpus.Lines[corpus.Tool](t, file) {
			s := admittedReal(t, tool.InputSchema)
			if s == nil {
				continue
			}
			tools++
			for _, name := range Builtin().Names() {
				findings[name] += len(profile(t, name).CheckSchema(s, Standard))
			}
		}
	}
	for name, n := range findings {
		if n*10 > tools {
			t.Errorf("%s: %d findings on %d tools", name, n, tools)
		}
	}
	t.Logf("%d tools: %v", tools, findings)
}

type reportedTool struct {
	name   string
	schema json.RawMessage
	all    []json.RawMessage // of a report about several tools
}

// reportedSchema is what a report holds: a schema, a tool, several tools, or
// the two sides of a change.
type reportedSchema struct {
	Tool *struct {
		Name        string
		InputSchema json.RawMessage
		Snake       json.RawMessage `json:"input_schema"`
	} `json:"$tool"`
	Tools json.RawMessage `json:"$tools"`
	Old   json.RawMessage `json:"$old"`
}

// reportedTools reads the reports; those about pairs of versions are left out.
func reportedTools(t *testing.T) map[string]reportedTool {
	t.Helper()
	type report struct {
		ID     string
		Schema json.RawMessage
	}
	out := map[string]reportedTool{}
	for r := range corpus.Lines[report](t, corpus.Path(t, "bugs.jsonl")) {
		var form reportedSchema
		if err := json.Unmarshal(r.Schema, &form); err != nil {
			t.Fatal(err)
		}
		if form.Old == nil {
			out[r.ID] = form.tool(r.Schema)
		}
	}
	return out
}

func (form reportedSchema) tool(raw json.RawMessage) reportedTool {
	tool := reportedTool{name: "tool", schema: raw}
	var tools []struct {
		InputSchema json.RawMessage `json:"input_schema"`
	}
	switch {
	case form.Tool != nil:
		tool.name, tool.schema = form.Tool.Name, slices.Concat(form.Tool.InputSchema, form.Tool.Snake)
	case form.Tools != nil && json.Unmarshal(form.Tools, &tools) == nil:
		for _, one := range tools {
			if one.InputSchema != nil {
				tool.all = append(tool.all, one.InputSchema)
			}
		}
	}
	return tool
}

// admittedReal admits a schema of a real tool as an importer would: without the
// dialect that older generators write.
func admittedReal(t testing.TB, raw json.RawMessage) *schema.Schema {
	t.Helper()
	v := schematest.Value(t, string(raw))
	if v.Has("$schema") {
		v = v.Without("$schema")
	}
	s, _ := schema.Admit(v)
	return s
}
