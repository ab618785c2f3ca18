// SPDX-License-Identifier: Apache-2.0

package render

import (
	"strings"

	"github.com/toolcontract/operator/internal/schema"
)

// openAICustom is the flat custom tool of the Responses API.
// Source: openai-openapi, CustomToolParam (2026-08-21).
func openAICustom(t Tool) *schema.Value {
	m := schema.Fields{{Name: "type", Value: schema.NewString("custom")}}
	m.Text("name", t.Name)
	m.Text("description", t.Description)
	m.Add("format", customFormat(t.FreeForm, func(grammar *schema.Value) *schema.Value {
		return schema.NewObject(append([]schema.Member{{Name: "type", Value: schema.NewString("grammar")}}, grammar.Members()...)...)
	}))
	writeDeferred(&m, t.DeferLoading)
	return m.Object()
}

// openAIChatCustom nests the members under custom, and the grammar one level
// deeper than the Responses API does.
// Source: openai-openapi, CustomToolChatCompletions (2026-08-21).
func openAIChatCustom(t Tool) *schema.Value {
	var custom schema.Fields
	custom.Text("name", t.Name)
	custom.Text("description", t.Description)
	custom.Add("format", customFormat(t.FreeForm, func(grammar *schema.Value) *schema.Value {
		return schema.NewObject(
			schema.Member{Name: "type", Value: schema.NewString("grammar")},
			schema.Member{Name: "grammar", Value: grammar},
		)
	}))
	m := schema.Fields{{Name: "type", Value: schema.NewString("custom")}}
	m.Add("custom", custom.Object())
	return m.Object()
}

func customFormat(f *FreeForm, wrap func(grammar *schema.Value) *schema.Value) *schema.Value {
	if f.Definition == "" {
		return schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("text")})
	}
	return wrap(schema.NewObject(
		schema.Member{Name: "syntax", Value: schema.NewString(strings.ToLower(f.Syntax))},
		schema.Member{Name: "definition", Value: schema.NewString(f.Definition)},
	))
}

// writeDeferred has the tool found by a search.
func writeDeferred(m *schema.Fields, deferred bool) {
	if deferred {
		m.Add("defer_loading", schema.NewBool(true))
	}
}
