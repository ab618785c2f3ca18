// SPDX-License-Identifier: Apache-2.0

package change

import (
	"testing"

	"github.com/toolcontract/operator/internal/contract"
)

// These are changes of what an answer promises beside its schema, and of
// what only one type of tool has: there and back.
func TestPromisesAndTypes(t *testing.T) {
	t.Parallel()
	n := func(i int32) *int32 { return &i }
	output := func(o contract.Output) edit { return func(c *contract.Content) { c.Output = o } }
	limits := func(l contract.OutputLimits) edit { return output(contract.Output{Limits: l}) }
	pages := func(p contract.Pagination) edit { return output(contract.Output{Pagination: &p}) }
	fresh := func(f contract.Freshness) edit { return output(contract.Output{Freshness: &f}) }
	from := func(p contract.Provenance) edit { return output(contract.Output{Provenance: &p}) }
	bound := func(b ...contract.OutputBinding) edit { return output(contract.Output{Bindings: b}) }
	wait := func(ms *int32) edit {
		return errors(contract.OutputError{Code: "A", Category: "Timeout", Recovery: "RetryLater", RetryAfterMs: ms})
	}
	freeForm := func(f contract.FreeForm) edit {
		return func(c *contract.Content) { f.Parameter = "input"; c.Type, c.FreeForm = contract.TypeFreeForm, &f }
	}
	mcp := func(m contract.MCP) edit {
		return func(c *contract.Content) { m.Tool += "t"; c.Type, c.MCP = contract.TypeMCP, &m }
	}
	builtIn := func(b contract.BuiltIn) edit {
		return func(c *contract.Content) { c.Type, c.BuiltIn, c.Input = contract.TypeBuiltIn, &b, contract.Input{} }
	}
	// text has the one parameter that a free text is read as.
	text := func(syntax, parameter, what string) edit {
		return func(c *contract.Content) {
			c.Type, c.FreeForm = contract.TypeFreeForm, &contract.FreeForm{Parameter: parameter, Syntax: syntax, Definition: syntax + what}
			c.Input.Schema = schemaOf(t, `{"type":"object","properties":{"`+parameter+`":`+what+`},"required":["`+parameter+`"],"additionalProperties":false}`)
		}
	}
	nothing := output(contract.Output{})
	cursor := contract.Pagination{Mode: "Cursor", Input: "/cursor", Output: "/next"}
	a, b := contract.OutputBinding{Output: "/a", Input: "/a"}, contract.OutputBinding{Output: "/b", Input: "/b"}
	for name, r := range map[string]struct {
		old, next   edit
		there, back contract.Bump
	}{
		"a limit at all":               {nothing, limits(contract.OutputLimits{MaxBytes: n(9)}), minor, major},
		"a lower limit":                {limits(contract.OutputLimits{MaxDepth: n(9)}), limits(contract.OutputLimits{MaxDepth: n(8)}), minor, major},
		"fewer entries":                {limits(contract.OutputLimits{MaxItems: n(9)}), limits(contract.OutputLimits{MaxItems: n(8)}), minor, major},
		"answers are cut":              {nothing, output(contract.Output{Truncation: "Marked"}), major, major},
		"pages at all":                 {nothing, pages(cursor), major, major},
		"another way to page":          {pages(cursor), pages(contract.Pagination{Mode: "Page", Input: "/cursor", Output: "/next"}), major, major},
		"shorter pages":                {pages(cursor), pages(contract.Pagination{Mode: "Cursor", Input: "/cursor", Output: "/next", MaxPageSize: n(5)}), minor, major},
		"fresher data":                 {fresh(contract.Freshness{MaxAgeSeconds: n(60)}), fresh(contract.Freshness{MaxAgeSeconds: n(6)}), minor, major},
		"freshness at all":             {nothing, fresh(contract.Freshness{MaxAgeSeconds: n(60)}), minor, major},
		"answers are kept":             {nothing, fresh(contract.Freshness{Cache: "Session"}), major, minor},
		"answers are kept for all":     {fresh(contract.Freshness{Cache: "Session"}), fresh(contract.Freshness{Cache: "Shared"}), major, minor},
		"a source at all":              {nothing, from(contract.Provenance{Source: "a"}), minor, major},
		"another source":               {from(contract.Provenance{Source: "a"}), from(contract.Provenance{Source: "b"}), major, major},
		"one producer":                 {from(contract.Provenance{Source: "a"}), from(contract.Provenance{Source: "a", ProducerRevision: "1"}), minor, major},
		"another producer":             {from(contract.Provenance{Source: "a", ProducerRevision: "1"}), from(contract.Provenance{Source: "a", ProducerRevision: "2"}), minor, minor},
		"trust":                        {from(contract.Provenance{Source: "a"}), from(contract.Provenance{Source: "a", Trust: "TrustedControl"}), major, major},
		"a binding":                    {bound(a), bound(a, b), minor, major},
		"bindings in order":            {bound(a, b), bound(b, a), patch, patch},
		"another wait":                 {wait(n(5)), wait(n(9)), patch, patch},
		"a wait at all":                {wait(nil), wait(n(9)), patch, patch},
		"a grammar at all":             {freeForm(contract.FreeForm{Syntax: "Text"}), freeForm(contract.FreeForm{Syntax: "Lark", Definition: "start: /a/"}), major, minor},
		"another grammar":              {freeForm(contract.FreeForm{Syntax: "Lark", Definition: "start: /b/"}), freeForm(contract.FreeForm{Syntax: "Lark", Definition: "start: /a/"}), major, major},
		"a fallback":                   {freeForm(contract.FreeForm{Syntax: "Text"}), freeForm(contract.FreeForm{Syntax: "Text", Fallback: true}), minor, major},
		"another server":               {mcp(contract.MCP{URL: "https://a.example"}), mcp(contract.MCP{URL: "https://b.example"}), major, major},
		"another tool of the server":   {mcp(contract.MCP{}), mcp(contract.MCP{Tool: "x"}), major, major},
		"a header":                     {mcp(contract.MCP{}), mcp(contract.MCP{Headers: []contract.MCPHeader{{Name: "a", Source: "a.b"}}}), major, major},
		"the description of a server":  {mcp(contract.MCP{}), mcp(contract.MCP{Description: "x"}), patch, patch},
		"another meaning of a server":  {mcp(contract.MCP{Description: "Orders."}), mcp(contract.MCP{Description: "Never submits orders."}), minor, minor},
		"another label":                {mcp(contract.MCP{Label: "a"}), mcp(contract.MCP{Label: "b"}), major, major},
		"a server that is kept":        {mcp(contract.MCP{URL: "https://a.example"}), mcp(contract.MCP{ConnectorID: "a"}), major, major},
		"a token":                      {mcp(contract.MCP{}), mcp(contract.MCP{Authorization: "vault.a"}), major, major},
		"another source of a header":   {mcp(contract.MCP{Headers: []contract.MCPHeader{{Name: "a", Source: "a.b"}}}), mcp(contract.MCP{Headers: []contract.MCPHeader{{Name: "a", Source: "a.c"}}}), major, major},
		"another tool of the provider": {builtIn(contract.BuiltIn{Type: "web_search_20250305"}), builtIn(contract.BuiltIn{Type: "web_search_20260318"}), major, major},
		"a setting":                    {builtIn(contract.BuiltIn{Type: "a"}), builtIn(contract.BuiltIn{Type: "a", Settings: members("b")}), major, major},
		"a server becomes a built-in":  {mcp(contract.MCP{}), builtIn(contract.BuiltIn{Type: "a"}), major, major},
		"another parameter":            {text("Text", "a", `{}`), text("Text", "b", `{}`), major, major},
		"a shorter text":               {text("Text", "a", `{"maxLength":9}`), text("Text", "a", `{"maxLength":8}`), major, minor},
		"an expression at all":         {text("Text", "a", `{}`), text("Regex", "a", `{"pattern":"^(?:a+)$"}`), major, minor},
		"a wider expression":           {text("Regex", "a", `{"pattern":"^(?:a+)$"}`), text("Regex", "a", `{"pattern":"^(?:[ab]+)$"}`), minor, major},
		"an expression for a grammar":  {text("Regex", "a", `{"pattern":"^(?:a+)$"}`), text("Lark", "a", `{}`), major, major},
		"the words about a text":       {text("Text", "a", `{"description":"A query."}`), text("Text", "a", `{"description":"One query."}`), patch, patch},
		"shorter lists where all fail": {limits(contract.OutputLimits{MaxItems: n(9), MaxBytes: n(9)}), limits(contract.OutputLimits{MaxItems: n(8), MaxBytes: n(10)}), major, major},
		"a way to the list of entries": {pages(cursor), pages(contract.Pagination{Mode: "Cursor", Input: "/cursor", Output: "/next", Items: "/list"}), major, major},
		"a function becomes free form": {nothing, freeForm(contract.FreeForm{Syntax: "Text"}), major, major},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, way := range []struct {
				old, next edit
				want      contract.Bump
			}{{r.old, r.next, r.there}, {r.next, r.old, r.back}} {
				old, next := content(t, "1.4.2"), content(t, "1.5.0")
				way.old(old)
				way.next(next)
				report := compare(old, next)
				if report.Required != way.want {
					t.Errorf("needs %s, want %s: %v", report.Required, way.want, allSaid(report))
				}
				for _, f := range report.Findings {
					if f.Rule == "unknown-field" {
						t.Errorf("no rule judges %s", f.Pointer)
					}
				}
			}
		})
	}
}
