// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func minimal(t *testing.T) *contract.Content {
	t.Helper()
	return &contract.Content{
		Version: version(t, "1.0.0"), ToolName: "ping",
		Description: contract.Description{Summary: "Answers."},
		Input:       contract.Input{Schema: schematest.Schema(t, `{"type":"object"}`)},
	}
}

func full(t *testing.T) *contract.Content {
	t.Helper()
	return &contract.Content{
		Version: version(t, "1.2.0"), ToolName: "create_refund_draft", Title: "Create refund draft",
		Description: contract.Description{
			Summary: "创建退款草稿。", UseWhen: "用户要求退款时使用。", DoNotUseWhen: "不要用于提交退款。",
			Returns: "返回草稿编号。", SideEffects: "只写草稿。", Failures: "订单不存在时返回 ORDER_NOT_FOUND。",
		},
		Input: contract.Input{
			Schema: schematest.Schema(t, `{"required":["order_ref"],"type":"object","additionalProperties":false,`+
				`"properties":{"order_ref":{"minLength":1,"type":"string"}}}`),
			Examples: []*schema.Value{schematest.Value(t, `{"order_ref":"ord_123"}`)},
		},
		Output: contract.Output{
			Schema: schematest.Schema(t, `{"type":"object","properties":{"draft_id":{"type":"string"}}}`),
			Errors: []contract.OutputError{{Code: "ORDER_NOT_FOUND", Category: "NotFound", Recovery: "AskUser", SafeMessage: "No order <x>."}},
		},
		Execution: contract.Execution{
			Location: "Application", Credentials: "orders", Authorization: "caller", SideEffect: "Draft", Reach: "Closed",
			Risk: "Medium", TimeoutSeconds: new(int32(10)), Retry: &contract.Retry{MaxAttempts: 1, BackoffSeconds: new(int32(1))},
			Approval: "None", IdempotencyMode: "Key", IdempotencyKey: "request_id", DataClassification: "Internal",
		},
	}
}

func targets() []TargetView {
	return []TargetView{
		{
			Profile: "openai-responses", Provider: "openai", API: "Responses", WireFormat: "openai-responses",
			Models: []string{"gpt-5*", "gpt-4.1"}, Asked: "Required", Given: true,
			Rewrites: []RewriteView{
				{Rule: "close-object", Effect: "Narrow", Pointer: "", Message: "additionalProperties: false is added"},
				{Rule: "drop-keyword", Effect: "Keep", Pointer: "/properties/order_ref", Message: "x"},
			},
		},
		{
			Profile: "gemini-json-schema", Provider: "google", API: "generateContent", WireFormat: "gemini-function-declaration",
			Asked: "Preferred", Given: true, RequestSwitch: "toolConfig.functionCallingConfig.mode",
		},
		{
			Profile: "anthropic-messages", Provider: "anthropic", API: "Messages", WireFormat: "anthropic-messages",
			Asked: "Disabled", RequestSwitch: "is not written where strictness is not given",
		},
	}
}

func TestHostViewGoldenBytes(t *testing.T) {
	t.Parallel()
	tests := map[string][]byte{
		"minimal": HostView("ping", minimal(t), minimal(t).Digest(), nil),
	}
	for name, content := range everyType(t) {
		tests[name] = HostView("create-refund-draft", content, content.Digest(), targets())
	}
	for name, got := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.Check(t, name+".json", got)
		})
	}
}

// promising has every promise about an answer beside its schema.
func promising(t *testing.T) *contract.Content {
	t.Helper()
	c := full(t)
	c.Output.Errors = append(c.Output.Errors, contract.OutputError{Code: "BUSY", Category: "Unavailable", Recovery: "RetryLater", RetryAfterMs: new(int32(500))})
	c.Output.Limits = contract.OutputLimits{MaxBytes: new(int32(9000)), MaxDepth: new(int32(6)), MaxItems: new(int32(50))}
	c.Output.Truncation = "Marked"
	c.Output.Pagination = &contract.Pagination{Mode: "Cursor", Input: "/cursor", Output: "/next", Items: "/orders", MaxPageSize: new(int32(20))}
	c.Output.Freshness = &contract.Freshness{MaxAgeSeconds: new(int32(60)), Cache: "Session"}
	c.Output.Provenance = &contract.Provenance{Source: "orders", ProducerRevision: "r7", Trust: "TrustedControl"}
	c.Output.Bindings = []contract.OutputBinding{{Output: "/draft_id", Input: "/order_ref"}}
	return c
}

// ofType is a full contract of another type.
func ofType(t *testing.T, change func(*contract.Content)) *contract.Content {
	t.Helper()
	c := full(t)
	change(c)
	return c
}

// everyType are contents that hold everything between them.
func everyType(t *testing.T) map[string]*contract.Content {
	t.Helper()
	return map[string]*contract.Content{
		"full":      full(t),
		"promising": promising(t),
		"free-form": ofType(t, func(c *contract.Content) {
			c.Type, c.FreeForm = contract.TypeFreeForm, &contract.FreeForm{
				Parameter: "sql", Description: "A query.", Syntax: "Regex", Definition: "[a-z]+", MaxLength: new(int32(99)), Fallback: true, Examples: []string{"abc"},
			}
			c.Input.Schema = schematest.Schema(t, `{"type":"object","properties":{"sql":{"type":"string","pattern":"^(?:[a-z]+)$"}},"required":["sql"],"additionalProperties":false}`)
			c.Input.Examples = []*schema.Value{schematest.Value(t, `{"sql":"abc"}`)}
		}),
		"built-in": ofType(t, func(c *contract.Content) {
			c.Type, c.Input = contract.TypeBuiltIn, contract.Input{}
			c.BuiltIn = &contract.BuiltIn{Type: "web_search", Settings: schematest.Value(t, `{"max_uses":3}`)}
		}),
		"mcp": ofType(t, func(c *contract.Content) {
			c.Type, c.MCP = contract.TypeMCP, &contract.MCP{
				Label: "orders", URL: "https://mcp.example.com", Description: "Orders.", Authorization: "vault.token",
				Headers: []contract.MCPHeader{{Name: "X-Tenant", Source: "session.tenant"}}, Tool: "create_draft",
			}
		}),
	}
}

// No provider has a place for all of a contract: what is in the content and
// not in this file would be lost.
func TestTheHostViewHoldsAllOfTheContent(t *testing.T) {
	t.Parallel()
	for name, content := range everyType(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			holdsAll(t, content)
		})
	}
}

func holdsAll(t *testing.T, content *contract.Content) {
	t.Helper()
	view := schematest.Value(t, string(HostView("create-refund-draft", content, content.Digest(), targets())))
	for _, m := range content.Canonical().Members() {
		name := m.Name
		if name == "description" {
			name = "descriptionParts"
		}
		if got := view.Get(name); !m.Value.Equal(got) {
			t.Errorf("%s is %v, want %s", name, got, m.Value.JSON())
		}
	}
	if got := view.Get("contentDigest").Text(); got != content.Digest() {
		t.Errorf("the digest of the content is %s, want %s", got, content.Digest())
	}
	if got := view.Get("description").Text(); got != content.Description.Text() {
		t.Errorf("the text for the model is %q, want %q", got, content.Description.Text())
	}
}

// A host finds what the model wrote by one way, whatever the type: a free text
// has an input like a function, and what the provider runs by itself has none.
func TestTheHostViewHasTheInputOfEveryType(t *testing.T) {
	t.Parallel()
	for name, content := range everyType(t) {
		view := schematest.Value(t, string(HostView("create-refund-draft", content, content.Digest(), targets())))
		if got, want := view.Get("input").Get("schema"), content.Input.Schema; (want == nil) != (got == nil) || want != nil && !want.Root().Equal(got) {
			t.Errorf("%s: the input is %v", name, view.Get("input"))
		}
		if got := view.Get("type").Text(); got != content.Type {
			t.Errorf("%s: the type is %q", name, got)
		}
	}
}

// What the host injects is in this file, and beside it the schema of what the
// tool gets; without session parameters that is input.schema.
func TestTheHostViewHoldsWhatTheHostInjects(t *testing.T) {
	t.Parallel()
	content := full(t)
	input := func() *schema.Value {
		return schematest.Value(t, string(HostView("create-refund-draft", content, content.Digest(), targets()))).Get("input")
	}
	if got := input(); got.Has("handlerSchema") || got.Has("sessionParameters") || got.Has("writer") {
		t.Errorf("without session parameters: %s", got.JSON())
	}
	content.Input.Writer = contract.WriterDeclared
	content.Input.SessionParameters = []contract.SessionParameter{
		{Name: "tenant_id", Source: "session.tenant", Schema: schematest.Schema(t, `{"type":"string"}`)},
		{Name: "locale", Source: "session.locale", Optional: true, Schema: schematest.Schema(t, `{"type":"string"}`)},
	}
	got := input()
	want := schematest.Value(t, `{"type":"object","properties":{"order_ref":{"type":"string","minLength":1},"tenant_id":{"type":"string"},"locale":{"type":"string"}},`+
		`"required":["order_ref","tenant_id"],"additionalProperties":false}`)
	if !want.Equal(got.Get("handlerSchema")) {
		t.Errorf("the tool gets %v", got.Get("handlerSchema").JSON())
	}
	if got.Get("writer").Text() != "Declared" || got.Get("sessionParameters").Len() != 2 || got.Get("schema").Get("properties").Len() != 1 {
		t.Errorf("the input is %s", got.JSON())
	}
}

func TestTheHostViewIsOneLineOfJSON(t *testing.T) {
	t.Parallel()
	for _, got := range [][]byte{
		HostView("ping", minimal(t), minimal(t).Digest(), nil),
		HostView("create-refund-draft", full(t), full(t).Digest(), targets()),
		HostView("", &contract.Content{}, "", []TargetView{{}}),
	} {
		if !json.Valid(got) || bytes.IndexByte(got, '\n') != len(got)-1 {
			t.Errorf("not one line of JSON: %q", got)
		}
	}
}

func TestTheHostViewIsAFunctionOfItsInput(t *testing.T) {
	t.Parallel()
	want := HostView("create-refund-draft", full(t), full(t).Digest(), targets())
	for range 200 {
		if got := HostView("create-refund-draft", full(t), full(t).Digest(), targets()); !bytes.Equal(got, want) {
			t.Fatalf("%s is not %s", got, want)
		}
	}
}
