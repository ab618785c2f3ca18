// SPDX-License-Identifier: Apache-2.0

package contract

import "github.com/toolcontract/operator/internal/schema"

func (f *FreeForm) canonical() *schema.Value {
	var o schema.Fields
	o.Text("parameter", f.Parameter)
	o.Text("description", f.Description)
	o.Text("syntax", f.Syntax)
	o.Text("definition", f.Definition)
	o.Int("maxLength", f.MaxLength)
	if f.Fallback {
		o.Text("fallback", "Function")
	}
	if len(f.Examples) > 0 {
		examples := make([]*schema.Value, len(f.Examples))
		for i, text := range f.Examples {
			examples[i] = schema.NewString(text)
		}
		o.Add("examples", schema.NewArray(examples...))
	}
	return o.Object()
}

func (b *BuiltIn) canonical() *schema.Value {
	var o schema.Fields
	o.Text("type", b.Type)
	if b.Settings != nil {
		o.NonEmpty("settings", b.Settings)
	}
	return o.Object()
}

func (m *MCP) canonical() *schema.Value {
	var server schema.Fields
	server.Text("label", m.Label)
	server.Text("url", m.URL)
	server.Text("connectorID", m.ConnectorID)
	server.Text("description", m.Description)
	server.Text("authorization", m.Authorization)
	if len(m.Headers) > 0 {
		headers := make([]*schema.Value, len(m.Headers))
		for i, h := range m.Headers {
			var f schema.Fields
			f.Text("name", h.Name)
			f.Text("source", h.Source)
			headers[i] = f.Object()
		}
		server.Add("headers", schema.NewArray(headers...))
	}
	var o schema.Fields
	o.NonEmpty("server", server.Object())
	o.Text("tool", m.Tool)
	return o.Object()
}
