// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// types judges what only one type of tool has. A change of the type itself is a
// Major already; then the members of both are crossed out.
func (c *comparison) types() {
	for _, field := range []string{"freeForm", "builtIn", "mcp"} {
		c.ledger.judged(field)
	}
	if old, next := c.old.FreeForm, c.new.FreeForm; old != nil && next != nil {
		c.freeForm(old, next)
	}
	if old, next := c.old.BuiltIn, c.new.BuiltIn; old != nil && next != nil {
		c.builtIn(old, next)
	}
	if old, next := c.old.MCP, c.new.MCP; old != nil && next != nil {
		c.mcp(old, next)
	}
}

// freeForm judges what the schema of the one parameter does not say: its name,
// its length and an expression are in that schema, a grammar is not.
func (c *comparison) freeForm(old, next *contract.FreeForm) {
	const at = "/spec/freeForm"
	lark := old.Syntax == "Lark" || next.Syntax == "Lark"
	switch {
	case old.Syntax == next.Syntax && old.Definition == next.Definition:
	case !lark:
		c.declared(contract.Patch, "free-form-grammar", at+"/definition", "change of the expression", "what it means to callers is judged with the input")
	case old.Syntax == "Lark" && next.Syntax == "Text":
		c.declared(contract.Minor, "free-form-grammar", at+"/syntax", "the text is held to no grammar any more", "")
	default:
		c.declared(contract.Major, "free-form-grammar", at+"/definition", "change of the grammar", "nothing can prove that texts of the old one fit the new one")
	}
	if old.Fallback != next.Fallback {
		bump, why := contract.Minor, "providers without such tools get a function"
		if old.Fallback {
			bump, why = contract.Major, "providers without such tools lose the tool"
		}
		c.declared(bump, "free-form-fallback", at+"/fallback", fmt.Sprintf("fallback %s", arrow(fallbackWord(old), fallbackWord(next))), why)
	}
}

func fallbackWord(f *contract.FreeForm) string {
	if f.Fallback {
		return "Function"
	}
	return "None"
}

func (c *comparison) builtIn(old, next *contract.BuiltIn) {
	const at = "/spec/builtIn"
	if old.Type != next.Type {
		c.declared(contract.Major, "built-in-type", at+"/type", "type "+arrow(old.Type, next.Type), "the provider runs another tool, or another version of it")
	}
	if !old.Settings.Equal(next.Settings) {
		c.declared(contract.Major, "built-in-settings", at+"/settings", "change of the settings", "what they do is the provider's, and nothing can prove that it is harmless")
	}
}

func (c *comparison) mcp(old, next *contract.MCP) {
	const at = "/spec/mcp/server/"
	for _, f := range []struct{ name, was, is string }{{"label", old.Label, next.Label}, {"url", old.URL, next.URL}, {"connectorID", old.ConnectorID, next.ConnectorID}} {
		if f.was != f.is {
			c.declared(contract.Major, "mcp-server", at+f.name, f.name+" "+arrow(f.was, f.is), "the provider calls another server")
		}
	}
	if old.Tool != next.Tool {
		c.declared(contract.Major, "mcp-tool", "/spec/mcp/tool", "tool "+arrow(old.Tool, next.Tool), "the provider calls another tool")
	}
	if old.Authorization != next.Authorization {
		c.declared(contract.Major, "mcp-credentials", at+"authorization", "authorization "+arrow(old.Authorization, next.Authorization), "hosts must find another token")
	}
	if !slices.Equal(old.Headers, next.Headers) {
		c.declared(contract.Major, "mcp-credentials", at+"headers", "change of the headers", "hosts must find other values")
	}
	if old.Description == next.Description {
		return
	}
	// A model reads it, as it reads the description of the tool.
	r := c.words().compare(old.Description, next.Description)
	if len(r.edited) == 0 {
		c.declared(contract.Patch, "mcp-description", at+"description", "change of the description of the server", "")
		return
	}
	c.say(c.reworded(r, statement{rule: "mcp-description", side: finding.Contract, pointer: at + "description", oldPointer: at + "description"}))
}
