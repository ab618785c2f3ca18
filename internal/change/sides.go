// SPDX-License-Identifier: Apache-2.0

package change

import (
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// texts judges what only people and models read.
func (c *comparison) texts() {
	c.ledger.judged("toolName")
	c.ledger.judged("title")
	c.ledger.judged("description")
	if c.old.ToolName != c.new.ToolName {
		c.declared(contract.Major, "tool-name", "/spec/toolName",
			"change of the tool name", "clients allow, cache and prompt tools by name")
	}
	if c.old.Title != c.new.Title {
		c.declared(contract.Patch, "title", "/spec/title", "change of the title", "")
	}
	if c.old.Description != c.new.Description {
		c.declared(contract.Patch, "description", "/spec/description", "change of the description", "")
	}
}

func (c *comparison) input() {
	c.ledger.judged("input", "schema")
	c.ledger.judged("input", "examples")
	if !sameValues(c.old.Input.Examples, c.new.Input.Examples) {
		c.declared(contract.Patch, "input-examples", "/spec/input/examples", "change of the examples", "")
	}
	c.schemas(finding.Input, c.old.Input.Schema, c.new.Input.Schema)
}

func (c *comparison) output() {
	c.ledger.judged("output", "schema")
	c.ledger.judged("output", "errors")
	c.errors()
	c.schemas(finding.Output, c.old.Output.Schema, c.new.Output.Schema)
}

// schemas judges one of the two schemas. Declaring the output for the first
// time promises more; every other appearance or disappearance takes a promise
// away or asks for one that callers do not keep.
func (c *comparison) schemas(side finding.Side, old, next *schema.Schema) {
	pointer := "/spec/" + strings.ToLower(string(side))
	rule := strings.ToLower(string(side)) + "-schema"
	switch {
	case old == nil && next == nil:
	case old == nil && side == finding.Output:
		c.declared(contract.Minor, rule+"-added", pointer, "new output schema", "")
	case old == nil:
		c.declared(contract.Major, rule+"-added", pointer, "new input schema", "calls were not restricted before")
	case next == nil:
		c.declared(contract.Major, rule+"-removed", pointer, "removal of the schema", "what it promised is gone")
	default:
		c.schema(side, old, next)
	}
}

func (c *comparison) schema(side finding.Side, old, next *schema.Schema) {
	if old.Root().JSON() == next.Root().JSON() {
		return
	}
	s := schemaChange{comparison: c, side: side, old: old, new: next}
	before := len(c.findings)
	s.containment()
	s.meaning()
	if len(c.findings) == before {
		s.say(note{
			rule: s.prefix() + "spelling", side: side, bump: contract.Patch, proof: Proven,
			what: "another spelling of the same schema",
		})
	}
}

func sameValues(a, b []*schema.Value) bool {
	return schema.NewArray(a...).JSON() == schema.NewArray(b...).JSON()
}

func joined(words []string) string {
	switch n := len(words); n {
	case 0, 1:
		return strings.Join(words, "")
	default:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
}
