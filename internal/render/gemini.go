// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// geminiFunctionDeclaration is one entry of functionDeclarations with its
// schema in the JSON Schema field. Strictness is no part of it: the mode is set
// for the whole request.
// Source: googleapis, generativelanguage v1beta content.proto (2026-08-22).
func geminiFunctionDeclaration(t Tool) *schema.Value {
	var m schema.Fields
	m.Text("name", t.Name)
	m.Text("description", t.Description)
	m.Add("parametersJsonSchema", t.Input)
	if t.Output != nil {
		m.Add("responseJsonSchema", t.Output)
	}
	return m.Object()
}
