// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// openAIResponses is the flat function tool of the Responses API. The output
// schema is documentation there: it gives programmatic callers typed returns,
// and nothing says that it is enforced.
// Source: openai-openapi, FunctionTool (2026-08-21).
func openAIResponses(t Tool) *schema.Value {
	m := schema.Fields{{Name: "type", Value: schema.NewString("function")}}
	m = append(m, openAIFunction(t)...)
	if t.Output != nil {
		m.Add("output_schema", t.Output)
	}
	writeDeferred(&m, t.DeferLoading)
	return m.Object()
}

// openAIChatCompletions nests the same members under function.
// Source: openai-openapi, ChatCompletionTool and FunctionObject (2026-08-21).
func openAIChatCompletions(t Tool) *schema.Value {
	m := schema.Fields{{Name: "type", Value: schema.NewString("function")}}
	function := openAIFunction(t)
	m.Add("function", function.Object())
	return m.Object()
}

func openAIFunction(t Tool) schema.Fields {
	var m schema.Fields
	m.Text("name", t.Name)
	m.Text("description", t.Description)
	m.Add("parameters", t.Input)
	writeStrict(&m, t.Strict)
	return m
}
