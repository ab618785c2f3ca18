// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// openAIBuiltIn is a hosted tool of the Responses API: the type, and its
// settings beside it.
// Source: openai-openapi, Tool (2026-08-21).
func openAIBuiltIn(t Tool) *schema.Value {
	m := schema.Fields{{Name: "type", Value: schema.NewString(t.BuiltIn.Type)}}
	m = append(m, settings(t)...)
	return m.Object()
}

// anthropicBuiltIn is a server tool or a client tool with a schema of the
// provider: a dated type and a fixed name, and the settings beside them.
// Source: Anthropic tool reference (2026-09).
func anthropicBuiltIn(t Tool) *schema.Value {
	m := schema.Fields{{Name: "type", Value: schema.NewString(t.BuiltIn.Type)}}
	m.Text("name", t.BuiltIn.Name)
	m = append(m, settings(t)...)
	writeDeferred(&m, t.DeferLoading)
	return m.Object()
}

// geminiBuiltIn is an entry of tools by itself: one member, whose value holds the
// settings.
// Source: googleapis, generativelanguage v1beta content.proto (2026-08-22).
func geminiBuiltIn(t Tool) *schema.Value {
	m := settings(t)
	return schema.NewObject(schema.Member{Name: t.BuiltIn.Type, Value: m.Object()})
}

func settings(t Tool) schema.Fields {
	if t.BuiltIn.Settings == nil {
		return nil
	}
	return append(schema.Fields{}, t.BuiltIn.Settings.Members()...)
}
