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
		"full":    HostView("create-refund-draft", full(t), full(t).Digest(), targets()),
	}
	for name, got := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden.Check(t, name+".json", got)
		})
	}
}

// No provider has a place for all of a contract: what is in the content and
// not in this file would be lost.
func TestTheHostViewHoldsAllOfTheContent(t *testing.T) {
	t.Parallel()
	content := full(t)
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
