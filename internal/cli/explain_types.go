// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"strings"

	"github.com/toolcontract/operator/internal/lark"
	"github.com/toolcontract/operator/internal/provider"
)

// types says which tools beside functions the API takes.
func (e explainer) types() {
	e.title("Types of tools beside functions")
	t := e.profile.ToolTypes
	if t.None != nil {
		e.line("  none, as far as is known")
		e.evidence("    ", *t.None)
		return
	}
	if t.FreeForm == nil {
		e.line("  FreeForm: no free texts, as far as is known")
	} else {
		e.line("  FreeForm: free texts with the syntax %s", strings.Join(t.FreeForm.Syntaxes, ", "))
		e.evidence("    ", t.FreeForm.Evidence)
		e.refuses(t.FreeForm.Refuses)
	}
	switch {
	case e.profile.WireFormat == "mcp-tool":
		e.line("  MCP: a server lists its own tools")
	case t.MCP == nil:
		e.line("  MCP: the API calls no servers, as far as is known")
	default:
		e.server(t.MCP)
	}
	if len(t.BuiltIn) == 0 {
		e.line("  BuiltIn: no tools of its own, as far as is known")
	}
	for _, b := range t.BuiltIn {
		e.builtIn(b)
	}
}

func (e explainer) refuses(r *provider.RefusedGrammar) {
	if r == nil {
		return
	}
	for _, name := range r.Features {
		e.line("    a definition must not have %s (%s)", lark.Words(name), r.Severity)
	}
	e.evidence("      ", r.Evidence)
}

func (e explainer) server(m *provider.MCPFacts) {
	e.line("  MCP: the API calls servers by itself")
	for _, fact := range []struct {
		is   bool
		text string
	}{
		{m.Connectors, "it keeps servers that are named by an identifier"},
		{m.Headers, "the host may send headers along"},
		{m.Approval, "it asks the application before a call, if the tool wants that"},
		{!m.Approval, "it asks nobody before a call"},
		{len(m.RequestHeaders) > 0, "the request needs " + strings.Join(m.RequestHeaders, ", ")},
	} {
		if fact.is {
			e.line("    %s", fact.text)
		}
	}
	e.evidence("    ", m.Evidence)
}

func (e explainer) builtIn(b provider.BuiltInFacts) {
	called := "by its type"
	if b.Name != "" {
		called = b.Name
	}
	e.line("  BuiltIn %s: called %s, run by the %s", strings.Join(b.Types, ", "), called, runBy(b))
	for _, f := range b.Fields() {
		word := ""
		if f.Required {
			word = " (required)"
		}
		e.line("    setting %s%s: %s", f.Name, word, f.Form)
	}
	if len(b.RequestHeaders) > 0 {
		e.line("    the request needs %s", strings.Join(b.RequestHeaders, ", "))
	}
	e.evidence("    ", b.Evidence)
}

func runBy(b provider.BuiltInFacts) string {
	if b.Conditional() {
		return b.Executes + ", or the Client, by its settings"
	}
	return b.Executes
}
