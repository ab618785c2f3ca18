// SPDX-License-Identifier: Apache-2.0

package render

import "github.com/toolcontract/operator/internal/schema"

// The keys below _meta that say where a tool comes from. The prefix is a domain
// of this project, as the protocol asks of keys that it does not define.
const (
	metaContract = "toolcontract.dev/contract"
	metaVersion  = "toolcontract.dev/version"
	metaDigest   = "toolcontract.dev/digest"
)

// mcpTool is a Tool object of a tools/list result. The members are the same in
// all revisions of the protocol since 2025-06-18.
// Source: Model Context Protocol, schema 2025-06-18, 2025-11-25 and 2026-07-28.
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
	if t.Origin != nil {
		var meta schema.Fields
		meta.Text(metaContract, t.Origin.Contract)
		meta.Text(metaVersion, t.Origin.Version)
		meta.Text(metaDigest, t.Origin.Digest)
		m.Add("_meta", meta.Object())
	}
	return m.Object()
}
