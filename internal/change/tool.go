// SPDX-License-Identifier: Apache-2.0

package change

import (
	"github.com/toolcontract/operator/internal/contract"
)

// tool judges what the tool is called and what is said about it.
func (c *comparison) tool() {
	for _, field := range []string{"toolName", "type", "title", "description"} {
		c.ledger.judged(field)
	}
	if c.old.ToolName != c.new.ToolName {
		c.declared(contract.Major, "tool-name", "/spec/toolName",
			"change of the tool name", "clients allow, cache and prompt tools by name")
	}
	if kind(c.old) != kind(c.new) {
		c.declared(contract.Major, "tool-type", "/spec/type", "type "+arrow(kind(c.old), kind(c.new)), "another party runs the tool")
	}
	if c.old.Title != c.new.Title {
		c.declared(contract.Patch, "title", "/spec/title", "change of the title", "")
	}
	c.description()
}

func kind(c *contract.Content) string { return implied(c.Type, contract.Function) }
