// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/pkg/host"
)

// listOrders has open objects on both sides, promises of its host, and two values
// of the session.
const listOrders = `
version: 1.0.0
toolName: list_orders
description: {summary: Lists the orders of the customer.}
input:
  schemaText: |
    {"type":"object","properties":{"status":{"type":"string","enum":["open","closed"]},
     "placed":{"type":"object","properties":{"after":{"type":"string","format":"date"}}},"labels":{"type":"object"}}}
  writer: Declared
  sessionParameters:
  - {name: customer_id, source: session.customer, schema: {type: string, pattern: "^cus_[0-9]+$"}}
  - {name: locale, source: session.user.locale, optional: true, schema: {type: string}}
output:
  schemaText: |
    {"type":"object","properties":{"orders":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}},
     "required":["id"],"additionalProperties":false}}},"required":["orders"],"additionalProperties":false}
  reader: IgnoreUnknown
targets:
- {profile: mcp-2025-11-25}
`

func TestADeclaredWriterWritesNothingElse(t *testing.T) {
	t.Parallel()
	declared, literal := load(t, published(t, listOrders)), load(t, published(t, strings.ReplaceAll(listOrders, "writer: Declared", "writer: AsDeclared")))
	for text, want := range map[string]struct{ pointer, message string }{
		`{"status":"open","page":2}`:                   {"", `the undeclared property "page" is not allowed; leave out what the schema does not declare`},
		`{"placed":{"after":"2026-01-02","before":1}}`: {"/placed", `the undeclared property "before" is not allowed; leave out what the schema does not declare`},
		`{"status":"lost"}`:                            {"/status", "it is not one of the values of enum"},
	} {
		var invalid *host.InvalidError
		if err := declared.ValidateCall([]byte(text)); !errors.As(err, &invalid) || invalid.Problems[0] != (host.Problem{Pointer: want.pointer, Message: want.message}) {
			t.Errorf("%s: got %v", text, err)
		}
	}
	for _, text := range []string{`{}`, `{"status":"open","placed":{"after":"2026-01-02"}}`, `{"labels":{"any":"thing"}}`} {
		if err := declared.ValidateCall([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	if err := literal.ValidateCall([]byte(`{"page":2,"placed":{"before":1}}`)); err != nil {
		t.Errorf("a schema that is taken literally refuses: %v", err)
	}
}

func TestUndeclaredBesideAlternatives(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, `
version: 1.0.0
toolName: find
description: {summary: Finds.}
input:
  schemaText: '{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"properties":{"b":{"type":"string"}}},{"required":["a"]}]}'
  writer: Declared
targets:
- {profile: mcp-2025-11-25}
`))
	var invalid *host.InvalidError
	err := tool.ValidateCall([]byte(`{"a":"x","c":1}`))
	want := host.Problem{Pointer: "/c", Message: `the undeclared property "c" is not allowed; leave out what the schema does not declare`}
	if !errors.As(err, &invalid) || invalid.Problems[0] != want {
		t.Errorf("got %v", err)
	}
	if err := tool.ValidateCall([]byte(`{"b":"x"}`)); err != nil {
		t.Error(err)
	}
}

func TestAReaderSeesOnlyWhatIsDeclared(t *testing.T) {
	t.Parallel()
	ignoring, literal := load(t, published(t, listOrders)), load(t, published(t, strings.ReplaceAll(listOrders, "reader: IgnoreUnknown", "reader: AsDeclared")))
	const newer = `{"orders":[{"id":"1","total":5}, {"id":"2"}],"next":"abc"}`
	got, err := ignoring.Result([]byte(newer))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"orders":[{"id":"1"},{"id":"2"}]}`, string(got)); diff != "" {
		t.Error(diff)
	}
	if err := ignoring.ValidateResult([]byte(newer)); err != nil {
		t.Error(err)
	}
	if _, err := literal.Result([]byte(newer)); err == nil || !strings.Contains(err.Error(), "the result is not valid: ") {
		t.Errorf("a schema that is taken literally admits it: %v", err)
	}
	const same = `{ "orders": [ {"id": "1"} ] }`
	for _, tool := range []*host.Tool{ignoring, literal} {
		if got, err := tool.Result([]byte(same)); err != nil || string(got) != same {
			t.Errorf("an answer without undeclared members became %s, %v", got, err)
		}
	}
	for _, text := range []string{`{"orders":[{"total":5}]}`, `{"next":"abc"}`, `{`} {
		var invalid *host.InvalidError
		if got, err := ignoring.Result([]byte(text)); got != nil || !errors.As(err, &invalid) || invalid.What != "result" {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
}

func TestInject(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, listOrders))
	want := []host.SessionParameter{{Name: "customer_id", Source: "session.customer"}, {Name: "locale", Source: "session.user.locale", Optional: true}}
	if diff := cmp.Diff(want, tool.SessionParameters()); diff != "" {
		t.Error(diff)
	}
	for name, c := range map[string]struct {
		call    string
		session map[string]any
		want    string
	}{
		"all of them":         {`{"status":"open"}`, map[string]any{"session.customer": "cus_1", "session.user.locale": "de"}, `{"status":"open","customer_id":"cus_1","locale":"de"}`},
		"an optional one":     {`{}`, map[string]any{"session.customer": "cus_1"}, `{"customer_id":"cus_1"}`},
		"JSON as it is":       {`{}`, map[string]any{"session.customer": json.RawMessage(`"cus_1"`)}, `{"customer_id":"cus_1"}`},
		"more than is needed": {`{}`, map[string]any{"session.customer": "cus_1", "session.secret": make(chan int)}, `{"customer_id":"cus_1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tool.Inject([]byte(c.call), c.session)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, string(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	plain := load(t, published(t, tagOrder))
	const call = ` {"order_ref": "a", "labels": {}} `
	if got, err := plain.Inject([]byte(call), nil); err != nil || string(got) != call || len(plain.SessionParameters()) != 0 {
		t.Errorf("without session parameters: %s, %v", got, err)
	}
}

func TestASessionThatLacksAValue(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, listOrders))
	for name, c := range map[string]struct {
		session map[string]any
		want    string
	}{
		"none":                {nil, `the session parameter "customer_id" (from "session.customer") cannot be injected: the value is not in the session; give the session this value, or do not offer the tool to it`},
		"one of another form": {map[string]any{"session.customer": "very-secret"}, `the value does not fit pattern in the schema of the parameter`},
		"of another type":     {map[string]any{"session.customer": 12345678}, `the value does not fit type in the schema of the parameter`},
		"nothing":             {map[string]any{"session.customer": nil}, `the value does not fit type in the schema of the parameter`},
		"what is no JSON":     {map[string]any{"session.customer": make(chan int)}, `the value cannot be written as JSON`},
		"what is too deep":    {map[string]any{"session.customer": json.RawMessage(strings.Repeat("[", 300) + strings.Repeat("]", 300))}, `the value is beyond the limits of arguments`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := tool.Inject([]byte(`{}`), c.session)
			var failed *host.SessionError
			if got != nil || !errors.As(err, &failed) || failed.Parameter.Source != "session.customer" || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("got %s, %v", got, err)
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "12345678") {
				t.Errorf("the error holds the value: %v", err)
			}
		})
	}
}

// What the host injects nobody else writes, also where the schema is open.
func TestAModelThatWritesWhatTheHostInjects(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, strings.ReplaceAll(listOrders, "writer: Declared", "writer: AsDeclared")))
	call := []byte(`{"status":"open","customer_id":"cus_2","locale":"en"}`)
	_, injected := tool.Inject(call, map[string]any{"session.customer": "cus_1"})
	for _, err := range []error{tool.ValidateCall(call), injected} {
		var invalid *host.InvalidError
		if !errors.As(err, &invalid) || len(invalid.Problems) != 2 || invalid.Problems[0].Pointer != "/customer_id" ||
			!strings.Contains(err.Error(), `/customer_id: the property "customer_id" is not allowed; leave it out`) {
			t.Errorf("got %v", err)
		}
		if strings.Contains(err.Error(), "session") {
			t.Errorf("the model is told what it must not know: %v", err)
		}
	}
	if _, err := tool.Inject([]byte(`[]`), map[string]any{"session.customer": "cus_1"}); err == nil || !strings.Contains(err.Error(), "they are not an object") {
		t.Errorf("got %v", err)
	}
}

// A promise that this host does not know is not kept by it.
func TestPromisesOfANewerVersionStopTheHost(t *testing.T) {
	t.Parallel()
	for old, c := range map[string]struct{ with, want string }{
		`"writer":"Declared"`:                      {`"writer":"Signed"`, `input.writer in contract.json is "Signed", which this host does not know; update the host`},
		`"reader":"IgnoreUnknown"`:                 {`"reader":"Strict"`, `output.reader in contract.json is "Strict"`},
		`"source":"session.customer"`:              {`"from":"session.customer"`, "a session parameter without name, source or schema"},
		`"name":"locale"`:                          {`"name":"customer_id"`, "two of one name"},
		`"schema":{"type":"string","pattern":"^c`:  {`"schema":{"type":"text","pattern":"^c`, `the schema of the session parameter "customer_id" in contract.json`},
		`"schema":{"type":"string","pattern":"^cu`: {`"schema":{"$ref":"https://example.com/a","pattern":"^cu`, "leaves the document"},
	} {
		files := reindexed(published(t, listOrders), func(f map[string]string) {
			f["contract.json"] = strings.ReplaceAll(f["contract.json"], old, c.with)
		})
		if tool, err := host.Load(folder(files)); tool != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v", c.with, tool, err)
		}
	}
}

// The folder of the examples is what the operator publishes today.
func TestTheFolderOfTheSecondExample(t *testing.T) {
	t.Parallel()
	for name, text := range published(t, listOrders) {
		golden.Check(t, "list-orders/"+name, text)
	}
}
