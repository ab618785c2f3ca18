// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// mcpTool is a Tool object of a tools/list result.
// Source: Model Context Protocol, schema 2025-11-25.
func mcpTool(t Tool) *schema.Value {
	var m schema.Fields
	m.Text("name", t.Name)
	m.Text("title", t.Title)
	m.Text("description", t.Description)
	m.Add("inputSchema", t.Input)
	if t.Output != nil {
		m.Add("outputSchema", t.Output)
	}
	if t.Hints != nil {
		var hints schema.Fields
		hints.Add("readOnlyHint", schema.NewBool(t.Hints.ReadOnly))
		hints.Add("destructiveHint", schema.NewBool(t.Hints.Destructive))
		hints.Add("idempotentHint", schema.NewBool(t.Hints.Idempotent))
		hints.Add("openWorldHint", schema.NewBool(t.Hints.OpenWorld))
		m.Add("annotations", hints.Object())
	}
	return m.Object()
}
