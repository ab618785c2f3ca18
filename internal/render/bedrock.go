// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// bedrockToolSpec is one member of toolConfig.tools of the Converse API. The
// schema stands below inputSchema.json, and an empty description is left out,
// because the API refuses it.
// Source: botocore, bedrock-runtime 2023-09-30 service-2.json (2026-08-07).
func bedrockToolSpec(t Tool) *schema.Value {
	var input, spec, m schema.Fields
	input.Add("json", t.Input)
	spec.Text("name", t.Name)
	spec.Text("description", t.Description)
	spec.Add("inputSchema", input.Object())
	writeStrict(&spec, t.Strict)
	m.Add("toolSpec", spec.Object())
	return m.Object()
}
