// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// openAIMCP is a server that the Responses API calls, held to one of its tools.
// What the server needs to let the call in, authorization and headers, the host
// adds to each request.
// Source: openai-openapi, MCPTool (2026-08-21).
func openAIMCP(t Tool) *schema.Value {
	m := schema.Fields{{Name: "type", Value: schema.NewString("mcp")}}
	m.Text("server_label", t.MCP.Label)
	m.Text("server_url", t.MCP.URL)
	m.Text("connector_id", t.MCP.ConnectorID)
	m.Text("server_description", t.MCP.Description)
	m.Add("allowed_tools", schema.NewArray(schema.NewString(t.MCP.Tool)))
	approval := "never"
	if t.MCP.Approval {
		approval = "always"
	}
	m.Text("require_approval", approval)
	writeDeferred(&m, t.DeferLoading)
	return m.Object()
}

// anthropicMCP is a toolset of a server that stands in mcp_servers of the
// request: all its tools are off but one.
// Source: Anthropic MCP connector, beta mcp-client-2025-11-20 (2026-09).
func anthropicMCP(t Tool) *schema.Value {
	on := schema.Fields{{Name: "enabled", Value: schema.NewBool(true)}}
	writeDeferred(&on, t.DeferLoading)
	m := schema.Fields{{Name: "type", Value: schema.NewString("mcp_toolset")}}
	m.Text("mcp_server_name", t.MCP.Label)
	m.Add("default_config", schema.NewObject(schema.Member{Name: "enabled", Value: schema.NewBool(false)}))
	m.Add("configs", schema.NewObject(schema.Member{Name: t.MCP.Tool, Value: on.Object()}))
	return m.Object()
}
