// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// promising has every promise about an answer beside its schema.
func promising(t *testing.T) *Content {
	t.Helper()
	c := full(t)
	c.Output.Errors[1].RetryAfterMs = new(int32(500))
	c.Output.Limits = OutputLimits{MaxBytes: new(int32(9000)), MaxDepth: new(int32(6)), MaxItems: new(int32(50))}
	c.Output.Truncation = "Marked"
	c.Output.Pagination = &Pagination{Mode: "Cursor", Input: "/cursor", Output: "/next", Items: "/orders", MaxPageSize: new(int32(20))}
	c.Output.Freshness = &Freshness{MaxAgeSeconds: new(int32(60)), Cache: "Session"}
	c.Output.Provenance = &Provenance{Source: "orders", ProducerRevision: "r7", Trust: "TrustedControl"}
	c.Output.Bindings = []OutputBinding{{Output: "/id", Input: "/order_id"}, {Output: "/a", Input: "/b"}}
	return c
}

func freeText(t *testing.T) *Content {
	t.Helper()
	c := minimal(t)
	c.Type = TypeFreeForm
	c.FreeForm = &FreeForm{
		Parameter: "sql", Description: "A query.", Syntax: "Regex", Definition: "[a-z]+", MaxLength: new(int32(99)), Fallback: true, Examples: []string{"abc", "d"},
	}
	return c
}

func providersTool(t *testing.T) *Content {
	t.Helper()
	c := minimal(t)
	c.Type, c.Input = TypeBuiltIn, Input{}
	c.BuiltIn = &BuiltIn{Type: "web_search", Settings: schematest.Value(t, `{"max_uses":3}`)}
	return c
}

func serversTool(t *testing.T) *Content {
	t.Helper()
	c := minimal(t)
	c.Type = TypeMCP
	c.MCP = &MCP{
		Label: "orders", URL: "https://mcp.example.com", Description: "Orders.", Authorization: "vault.token",
		Headers: []MCPHeader{{"X-Tenant", "session.tenant"}, {"X-User", "session.user"}}, Tool: "get_order",
	}
	return c
}

// TestCanonicalOfEveryType pins what is in the digest, and where contract.json
// finds it.
func TestCanonicalOfEveryType(t *testing.T) {
	t.Parallel()
	const described = `"toolName":"get_order_status","description":{"summary":"Reads the status of one order."}`
	for name, test := range map[string]struct {
		content *Content
		want    string
	}{
		"freeForm": {freeText(t), `{"version":"1.0.0","type":"FreeForm",` + described + `,"freeForm":{"parameter":"sql","description":"A query.",` +
			`"syntax":"Regex","definition":"[a-z]+","maxLength":99,"fallback":"Function","examples":["abc","d"]}}`},
		"builtIn": {providersTool(t), `{"version":"1.0.0","type":"BuiltIn",` + described + `,"builtIn":{"type":"web_search","settings":{"max_uses":3}}}`},
		"mcp": {serversTool(t), `{"version":"1.0.0","type":"MCP",` + described + `,"input":{"schema":{"type":"object"}},"mcp":{"server":{"label":"orders",` +
			`"url":"https://mcp.example.com","description":"Orders.","authorization":"vault.token",` +
			`"headers":[{"name":"X-Tenant","source":"session.tenant"},{"name":"X-User","source":"session.user"}]},"tool":"get_order"}}`},
	} {
		if diff := cmp.Diff(test.want, test.content.Canonical().JSON()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		member, value := test.content.TypeValue()
		if member != name || !value.Equal(test.content.Canonical().Get(name)) {
			t.Errorf("%s: the value by itself is %s %v", name, member, value)
		}
	}
	if member, value := minimal(t).TypeValue(); member != "" || value != nil {
		t.Errorf("a function has %s %v", member, value)
	}
	function := minimal(t)
	function.Type = Function
	if function.Digest() != minimal(t).Digest() {
		t.Error("the type that absence stands for is in the digest")
	}
}

// TestCanonicalHoldsThePromises: everything that an answer promises, in one order.
func TestCanonicalHoldsThePromises(t *testing.T) {
	t.Parallel()
	want := strings.Join([]string{
		`{"schema":{"type":"string"}`,
		`"errors":[{"code":"ORDER_NOT_FOUND","category":"NotFound","recovery":"AskUser","safeMessage":"There is no such order."},{"code":"BUSY","retryAfterMs":500}]`,
		`"limits":{"maxBytes":9000,"maxDepth":6,"maxItems":50}`,
		`"truncation":"Marked"`,
		`"pagination":{"mode":"Cursor","input":"/cursor","output":"/next","items":"/orders","maxPageSize":20}`,
		`"freshness":{"maxAgeSeconds":60,"cache":"Session"}`,
		`"provenance":{"source":"orders","producerRevision":"r7","trust":"TrustedControl"}`,
		`"bindings":[{"output":"/id","input":"/order_id"},{"output":"/a","input":"/b"}]}`,
	}, ",")
	if diff := cmp.Diff(want, promising(t).OutputValue().JSON()); diff != "" {
		t.Error(diff)
	}
	empty := full(t)
	empty.Output.Pagination, empty.Output.Freshness, empty.Output.Provenance, empty.Output.Bindings = &Pagination{}, &Freshness{}, &Provenance{}, []OutputBinding{}
	if empty.Digest() != full(t).Digest() {
		t.Errorf("what says nothing is in the digest: %s", empty.OutputValue().JSON())
	}
}

// TestDigestsOfTypesNeverChange: revisions hold these.
func TestDigestsOfTypesNeverChange(t *testing.T) {
	t.Parallel()
	for want, content := range map[string]*Content{
		"sha256:a17797793e2b636058754dd8f3d21f9c697c814e8c8ad082eb889d7978ca4b5b": promising(t),
		"sha256:c6b5dd4217c00548642e6266d8a5780c215dae134131dc68a8fea71f8d31ad23": freeText(t),
		"sha256:59d84df3f3088af844b86601b788ee31fbe800f7fe22e5f94238aabdc6b4d863": providersTool(t),
		"sha256:8b521a683656ec16f632e07ef3c512fcfc2571cae4c3c218c8cec25d01d026d4": serversTool(t),
	} {
		if got := content.Digest(); got != want {
			t.Errorf("the digest is %s, and was %s, of %s", got, want, content.Canonical().JSON())
		}
	}
}

func TestEveryFieldOfATypeChangesTheDigest(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		of      func(*testing.T) *Content
		changes map[string]func(*Content)
	}{
		"promises": {promising, map[string]func(*Content){
			"retryAfterMs":      func(c *Content) { c.Output.Errors[1].RetryAfterMs = new(int32(501)) },
			"maxBytes":          func(c *Content) { c.Output.Limits.MaxBytes = new(int32(1)) },
			"maxDepth":          func(c *Content) { c.Output.Limits.MaxDepth = new(int32(1)) },
			"maxItems":          func(c *Content) { c.Output.Limits.MaxItems = nil },
			"truncation":        func(c *Content) { c.Output.Truncation = "" },
			"pagination":        func(c *Content) { c.Output.Pagination = nil },
			"mode":              func(c *Content) { c.Output.Pagination.Mode = "Page" },
			"pagination.input":  func(c *Content) { c.Output.Pagination.Input = "/x" },
			"pagination.output": func(c *Content) { c.Output.Pagination.Output = "/x" },
			"items":             func(c *Content) { c.Output.Pagination.Items = "/x" },
			"maxPageSize":       func(c *Content) { c.Output.Pagination.MaxPageSize = new(int32(21)) },
			"freshness":         func(c *Content) { c.Output.Freshness = nil },
			"maxAgeSeconds":     func(c *Content) { c.Output.Freshness.MaxAgeSeconds = nil },
			"cache":             func(c *Content) { c.Output.Freshness.Cache = "Shared" },
			"provenance":        func(c *Content) { c.Output.Provenance = nil },
			"source":            func(c *Content) { c.Output.Provenance.Source = "x" },
			"producerRevision":  func(c *Content) { c.Output.Provenance.ProducerRevision = "" },
			"trust":             func(c *Content) { c.Output.Provenance.Trust = "" },
			"bindings, fewer":   func(c *Content) { c.Output.Bindings = c.Output.Bindings[:1] },
			"bindings, order":   func(c *Content) { b := c.Output.Bindings; c.Output.Bindings = []OutputBinding{b[1], b[0]} },
			"binding.output":    func(c *Content) { c.Output.Bindings[0].Output = "/x" },
			"binding.input":     func(c *Content) { c.Output.Bindings[0].Input = "/x" },
		}},
		"freeForm": {freeText, map[string]func(*Content){
			"parameter":       func(c *Content) { c.FreeForm.Parameter = "x" },
			"description":     func(c *Content) { c.FreeForm.Description = "" },
			"syntax":          func(c *Content) { c.FreeForm.Syntax = "Lark" },
			"definition":      func(c *Content) { c.FreeForm.Definition = "x" },
			"maxLength":       func(c *Content) { c.FreeForm.MaxLength = nil },
			"fallback":        func(c *Content) { c.FreeForm.Fallback = false },
			"examples, fewer": func(c *Content) { c.FreeForm.Examples = c.FreeForm.Examples[:1] },
			"examples, order": func(c *Content) { c.FreeForm.Examples = []string{"d", "abc"} },
		}},
		"builtIn": {providersTool, map[string]func(*Content){
			"type": func(c *Content) { c.BuiltIn.Type = "x" },
			"settings": func(c *Content) {
				c.BuiltIn.Settings = schema.NewObject(schema.Member{Name: "max_uses", Value: schema.NewInt(4)})
			},
			"settings, no": func(c *Content) { c.BuiltIn.Settings = nil },
		}},
		"mcp": {serversTool, map[string]func(*Content){
			"label":         func(c *Content) { c.MCP.Label = "x" },
			"url":           func(c *Content) { c.MCP.URL = "https://x.example" },
			"connectorID":   func(c *Content) { c.MCP.URL, c.MCP.ConnectorID = "", "https://mcp.example.com" },
			"description":   func(c *Content) { c.MCP.Description = "" },
			"authorization": func(c *Content) { c.MCP.Authorization = "x" },
			"header.name":   func(c *Content) { c.MCP.Headers[0].Name = "x" },
			"header.source": func(c *Content) { c.MCP.Headers[0].Source = "x" },
			"headers, none": func(c *Content) { c.MCP.Headers = nil },
			"tool":          func(c *Content) { c.MCP.Tool = "x" },
		}},
	} {
		seen := map[string]string{test.of(t).Digest(): "the original"}
		for field, change := range test.changes {
			c := test.of(t)
			change(c)
			if other, taken := seen[c.Digest()]; taken {
				t.Errorf("%s: %s has the digest of %s", name, field, other)
			}
			seen[c.Digest()] = field
			if test.of(t).SameMeaning(c) {
				t.Errorf("%s: a change of %s keeps the meaning", name, field)
			}
		}
	}
}

// TestHandlerSchemaOfEveryType: a free text comes as the member of an object, and
// who gets nothing from the host has no schema of it.
func TestHandlerSchemaOfEveryType(t *testing.T) {
	t.Parallel()
	if s, findings := providersTool(t).Input.HandlerSchema(); s != nil || len(findings) > 0 {
		t.Errorf("a tool of the provider: %v %v", s, findings)
	}
	for name, c := range map[string]*Content{"freeForm": freeText(t), "mcp": serversTool(t)} {
		if s, findings := c.Input.HandlerSchema(); s != c.Input.Schema || len(findings) > 0 {
			t.Errorf("%s: %v %v", name, s, findings)
		}
	}
}
