// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// anthropicMessages is a client tool of the Messages API. Examples have a
// place of their own there, and the API refuses a request with an invalid one.
// Source: anthropic-sdk-python, ToolParam (2026-08-07).
func anthropicMessages(t Tool) *schema.Value {
	var m schema.Fields
	m.Text("name", t.Name)
	m.Text("description", t.Description)
	m.Add("input_schema", t.Input)
	if len(t.Examples) > 0 {
		m.Add("input_examples", schema.NewArray(t.Examples...))
	}
	writeStrict(&m, t.Strict)
	writeDeferred(&m, t.DeferLoading)
	return m.Object()
}
