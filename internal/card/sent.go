// SPDX-License-Identifier: Apache-2.0

package card

import (
	"encoding/json"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

// element is one element of a provider's tools, taken apart again.
type element struct {
	name, title, description string
	schema, answer           *schema.Value // nil for none
	examples                 []*schema.Value
	rest                     []Member
}

// holders are the members below which an API keeps the parts of a tool.
var holders = []string{"function", "custom", "toolSpec"}

// sent reads the bytes that an API gets.
func sent(bytes []byte) element {
	var e element
	root, failed := schema.Parse(bytes)
	if failed != nil { // they are our own
		return e
	}
	for _, m := range root.Members() {
		if slices.Contains(holders, m.Name) && m.Value.Kind() == schema.Object {
			for _, inner := range m.Value.Members() {
				e.take(m.Name+".", inner)
			}
			continue
		}
		e.take("", m)
	}
	return e
}

// take puts a member where it belongs; what has no place is kept as it is.
func (e *element) take(holder string, m schema.Member) {
	isText, isObject := m.Value.Kind() == schema.String, m.Value.Kind() == schema.Object
	switch {
	case m.Name == "name" && isText:
		e.name = m.Value.Text()
	case m.Name == "title" && isText:
		e.title = m.Value.Text()
	case m.Name == "description" && isText:
		e.description = m.Value.Text()
	case m.Name == "inputSchema" && holder == "toolSpec." && m.Value.Has("json"):
		e.schema = m.Value.Get("json")
	case slices.Contains([]string{"parameters", "parametersJsonSchema", "input_schema", "inputSchema"}, m.Name) && isObject:
		e.schema = m.Value
	case slices.Contains([]string{"outputSchema", "output_schema", "responseJsonSchema"}, m.Name) && isObject:
		e.answer = m.Value
	case m.Name == "input_examples":
		e.examples = m.Value.Items()
	default:
		e.rest = append(e.rest, Member{holder + m.Name, raw(m.Value)})
	}
}

// reaches names what is sent beside name, description and parameters.
func (e element) reaches() []string {
	var out []string
	for _, part := range []struct {
		there bool
		what  string
	}{{e.title != "", "title"}, {len(e.examples) > 0, "examples"}, {e.answer != nil, "answer"}} {
		if part.there {
			out = append(out, part.what)
		}
	}
	return out
}

// model is the model's side of what is sent.
func (e element) model(c *contract.Content) Model {
	m := Model{Name: e.name, Title: e.title, Description: e.description, Kind: kinds[c.Type], Members: e.rest}
	switch {
	case m.Name == "" && c.MCP != nil: // as the server calls it
		m.Name = c.MCP.Tool
	case m.Name == "":
		m.Name = c.ToolName
	}
	if e.schema != nil {
		m.Kind = kinds[contract.Function]
		m.Parameters = fieldsOf(e.schema)
	}
	if e.answer != nil {
		m.Answer = fieldsOf(e.answer)
	}
	for _, example := range e.examples {
		m.Examples = append(m.Examples, json.RawMessage(example.JSON()))
	}
	return m
}
