// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

const (
	closed    = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`
	unique    = `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"uniqueItems":true}},"required":["a"],"additionalProperties":false}`
	optional  = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
	sized     = `{"type":"object","properties":{"a":{"type":"object","properties":{},"additionalProperties":false,"maxProperties":2}},"additionalProperties":false}`
	rootUnion = `{"type":"object","properties":{},"anyOf":[{"required":["a"]}]}`
)

func TestExpect(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, profile, schema, model string
		strict                       bool
		word                         Word
		cells                        []string
	}{
		{"what adaptation made is taken", "openai-responses", "", "gpt-5", true, Takes, nil},
		{"what the profile takes", "openai-responses", closed, "gpt-5", true, Takes, nil},
		{"a keyword that is refused", "openai-responses", unique, "gpt-5", true, Refuses, []string{"/keywords/uniqueItems/strict"}},
		{"the same without strict mode", "openai-responses", unique, "gpt-5", false, Takes, nil},
		{"a shape that is refused", "openai-responses", optional, "gpt-5", true, Refuses, []string{"/shapes/OptionalProperty/strict"}},
		{"a root that is refused", "openai-responses", rootUnion, "gpt-5", false, Refuses, []string{"/rootKeywords/anyOf/standard"}},
		{"a model without strict mode", "openai-responses", "", "gpt-4", true, Refuses, []string{"/models"}},
		{"a model that is not known", "openai-responses", "", "llama", true, Unsure, []string{"/models"}},
		{"a model does not matter without strict mode", "openai-responses", "", "llama", false, Takes, nil},
		{"a verdict that nobody knows", "anthropic-messages", sized, "claude-sonnet-4-5", true, Unsure, []string{"/keywords/maxProperties/strict"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, _ := provider.Builtin().Lookup(test.profile)
			sent := Sent{ToolName: "a", Description: "Does a.", Strict: test.strict, Model: test.model}
			if test.schema != "" {
				sent.Schema = schematest.Schema(t, test.schema)
			}
			x := Expect(p, sent)
			if x.Word != test.word || !slices.Equal(x.Cells, test.cells) {
				t.Errorf("got %+v", x)
			}
			if (x.Reason == "") != (x.Word == Takes) {
				t.Errorf("the reason is %q", x.Reason)
			}
		})
	}
}

func TestANameThatIsRefusedIsExpectedToBe(t *testing.T) {
	t.Parallel()
	p, _ := provider.Builtin().Lookup("openai-responses")
	x := Expect(p, Sent{Schema: schematest.Schema(t, closed), ToolName: "a.b", Description: "d", Model: "gpt-5"})
	if x.Word != Refuses || !slices.Equal(x.Cells, []string{"/toolNames"}) {
		t.Errorf("got %+v", x)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	no, yes := false, true
	takes := Expectation{Word: Takes}
	refuses := Expectation{Word: Refuses, Cells: []string{"/keywords/uniqueItems/strict"}, Reason: "the API refuses uniqueItems"}
	unsure := Expectation{Word: Unsure, Cells: []string{"/keywords/maxProperties/strict"}, Reason: "it is not known"}
	tests := []struct {
		name    string
		change  func(*Evidence)
		expect  Expectation
		kind    Kind
		cells   []string
		message string
	}{
		{"taken as expected", func(*Evidence) {}, takes, Agrees, nil, ""},
		{"taken with the strictness that was sent", func(e *Evidence) { e.StrictReturned = &yes }, takes, Agrees, nil, ""},
		{"refused as expected", func(e *Evidence) { e.Outcome = Refused }, refuses, Agrees, nil, ""},
		{
			"refused against the profile",
			func(e *Evidence) {
				e.Outcome, e.Error, e.ErrorCode = Refused, "In context=('properties', 'a'), 'uniqueItems' is not permitted.", "invalid_function_parameters"
			},
			takes, Contradicts,
			[]string{"/keywords/uniqueItems/strict"},
			"the API refuses what the profile takes in Strict mode: In context=('properties', 'a'), 'uniqueItems' is not permitted. (invalid_function_parameters)",
		},
		{"refused for a reason that names no keyword", func(e *Evidence) { e.Outcome, e.Error = Refused, "The schema is too complex." }, takes, Contradicts, nil, "too complex"},
		{"taken against the profile", func(*Evidence) {}, refuses, Contradicts, []string{"/keywords/uniqueItems/strict"}, "the API takes what the profile refuses in Strict mode: the API refuses uniqueItems"},
		{"strictness that the API took away", func(e *Evidence) { e.StrictReturned = &no }, takes, Contradicts, []string{"/strict"}, "strict: true was sent and the API says that the tool has strict: false"},
		{"strictness that the API added", func(e *Evidence) { e.StrictSent, e.StrictReturned = false, &yes }, takes, Contradicts, []string{"/strict"}, "strict: false was sent"},
		{"taken, which nobody knew", func(*Evidence) {}, unsure, Settles, []string{"/keywords/maxProperties/strict"}, "the API takes in Strict mode what the profile does not know"},
		{"refused, which nobody knew", func(e *Evidence) { e.Outcome, e.Error = Refused, "no" }, unsure, Settles, []string{"/keywords/maxProperties/strict"}, "the API refuses in Strict mode"},
		{"not asked", func(e *Evidence) { e.Outcome, e.Error = NotAsked, "no key" }, refuses, Silent, nil, "the API was not asked: no key"},
	}
	p, _ := provider.Builtin().Lookup("openai-responses")
	tool := schematest.Value(t, `{"type":"function","name":"a","parameters":`+unique+`}`)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := evidence()
			test.change(&e)
			c := e.Compare(p, test.expect, tool)
			if c.Kind != test.kind || !slices.Equal(c.Cells, test.cells) || !strings.Contains(c.Message, test.message) {
				t.Errorf("got %+v", c)
			}
			if c.Kind != Agrees && c.Fix == "" {
				t.Error("there is no way out")
			}
		})
	}
}

func TestErrorsNameCells(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, profile, tool, text, want string }{
		{"OpenAI, a keyword", "openai-responses", `{"parameters":` + unique + `}`, "In context=('properties', 'a'), 'uniqueItems' is not permitted.", "/keywords/uniqueItems/strict"},
		{"OpenAI, the root", "openai-responses", `{"parameters":` + rootUnion + `}`, "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.", "/rootKeywords/anyOf/strict"},
		{"Chat Completions", "openai-chat-completions", `{"function":{"parameters":` + unique + `}}`, "'uniqueItems' is not permitted.", "/keywords/uniqueItems/strict"},
		{"a property of that name is no keyword", "openai-responses", `{"parameters":{"type":"object","properties":{"uniqueItems":{"type":"string"}}}}`, "In context=('properties', 'uniqueItems'), 'uniqueItems' is wrong", ""},
		{"Anthropic, a list", "anthropic-messages", `{"input_schema":{"type":"object","properties":{"a":{"type":"integer","minimum":1,"maximum":2}}}}`, "tools.0.custom: For 'integer' type, properties maximum, minimum are not supported", "/keywords/maximum/strict /keywords/minimum/strict"},
		{"Anthropic, one", "anthropic-messages", `{"input_schema":{"type":"object","properties":{"a":{"type":"array","maxItems":2}}}}`, "tools.0.custom: For 'array' type, property 'maxItems' is not supported", "/keywords/maxItems/strict"},
		{"Gemini", "gemini-json-schema", `{"parametersJsonSchema":{"type":"object","additionalProperties":false}}`, `Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`, "/keywords/additionalProperties/strict"},
		{"words of a sentence are no keywords", "openai-responses", `{"parameters":` + closed + `}`, "The required type is not one of the properties, if any", ""},
		{"no tool", "openai-responses", `{}`, "'uniqueItems' is not permitted.", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, _ := provider.Builtin().Lookup(test.profile)
			got := cellsIn(test.text, p, schematest.Value(t, test.tool), provider.Strict)
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %v, want %q", got, test.want)
			}
		})
	}
}
