// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"github.com/toolcontract/operator/pkg/host"
)

// The folder is a published contract, as a pod has it mounted. The model has
// called the tool with arguments in the form of the strict OpenAI rendering.
func Example() {
	tool, err := host.LoadDir("testdata/tag-order")
	if err != nil {
		fmt.Println(err)
		return
	}
	element, err := tool.Bytes("openai-responses") // one element of the tools array of the request
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.60s…\n", element)

	written := []byte(`{"order_ref":"ord_123","note":null,"labels":[{"key":"size","value":"L"}]}`)
	arguments, err := tool.Decode("openai-responses", written)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(arguments))
	if err := tool.ValidateCall(arguments); err != nil {
		fmt.Println(err) // give it back to the model
		return
	}
	fmt.Println("tag the order")
	if err := tool.ValidateResult([]byte(`{"tagged":"one"}`)); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"type":"function","name":"tag_order","description":"Puts la…
	// {"order_ref":"ord_123","labels":{"size":"L"}}
	// tag the order
	// the result is not valid: /tagged: it is a string, not integer
}

// The contract says writer: Declared, so the host refuses what the schema does not
// declare, although its objects are open.
func ExampleTool_ValidateCall() {
	tool, err := host.LoadDir("testdata/list-orders")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tool.ValidateCall([]byte(`{"status":"open"}`)))
	fmt.Println(tool.ValidateCall([]byte(`{"status":"open","page":2}`)))
	// Output:
	// <nil>
	// the arguments are not valid: (root): the undeclared property "page" is not allowed; leave out what the schema does not declare
}

// The contract says reader: IgnoreUnknown, so callers of this version do not see
// what a later version of the tool answers beyond it.
func ExampleTool_Result() {
	tool, err := host.LoadDir("testdata/list-orders")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := tool.Result([]byte(`{"orders":[{"id":"ord_1","total":5}],"next":"abc"}`))
	fmt.Println(string(answer), err)
	// Output:
	// {"orders":[{"id":"ord_1"}]} <nil>
}

// What the tool needs of the session comes from the host. The model neither knows
// of it nor may write it.
func ExampleTool_Inject() {
	tool, err := host.LoadDir("testdata/list-orders")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range tool.SessionParameters() {
		fmt.Println(p.Name, "comes from", p.Source)
	}
	call := []byte(`{"status":"open"}`)
	arguments, err := tool.Inject(call, map[string]any{"session.customer": "cus_42"})
	fmt.Println(string(arguments), err)

	_, err = tool.Inject(call, map[string]any{"session.user.locale": "de"})
	if lacking, ok := errors.AsType[*host.SessionError](err); ok {
		fmt.Println("for the log, not for the model:", lacking)
	}
	_, err = tool.Inject([]byte(`{"customer_id":"cus_1"}`), map[string]any{"session.customer": "cus_42"})
	fmt.Println(err)
	// Output:
	// customer_id comes from session.customer
	// locale comes from session.user.locale
	// {"status":"open","customer_id":"cus_42"} <nil>
	// for the log, not for the model: the session parameter "customer_id" (from "session.customer") cannot be injected: the value is not in the session; give the session this value, or do not offer the tool to it
	// the arguments are not valid: /customer_id: the property "customer_id" is not allowed; leave it out
}

// The model gets one envelope for every call, whatever came of it.
func ExampleTool_Succeed() {
	tool, err := host.LoadDir("testdata/list-shipments")
	if err != nil {
		fmt.Println(err)
		return
	}
	call := []byte(`{"order_ref":"ord_1"}`)
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	made := host.Provenance{ProducerRevision: "3.1.0", ObservedAt: now.Add(-30 * time.Second)}

	answer := host.Answer{Data: []byte(`{"order_ref":"ord_1","shipments":[{"id":"s1"}],"next":null}`), Provenance: made}
	envelope, err := tool.Succeed(call, answer, now)
	fmt.Println(string(envelope), err)

	answer.Data = []byte(`{"order_ref":"ord_2","shipments":[],"next":null}`)
	_, err = tool.Succeed(call, answer, now)
	fmt.Println(err) // for the log
	envelope, err = tool.Refuse(err)
	fmt.Println(string(envelope), err)
	// Output:
	// {"schema_version":"tool-model-result-v2","status":"succeeded","data":{"order_ref":"ord_1","shipments":[{"id":"s1"}],"next":null},"error":null,"execution":{"outcome":"completed","delivery":"fresh","complete":true,"truncated":false},"provenance":{"source_label":"shipping-service","producer_revision":"3.1.0","resource_revision":null,"observed_at":"2026-03-04T11:59:30Z","trust":"untrusted_data"}} <nil>
	// the result is not valid: /order_ref: it differs from the argument /order_ref that it has to repeat: this is the answer to another call
	// {"schema_version":"tool-model-result-v2","status":"failed","data":null,"error":{"code":"RESULT_INVALID","category":"internal","recovery":"none","safe_message":"The tool answered something that its contract does not allow.","retry_after_ms":null},"execution":{"outcome":"completed","delivery":"fresh","complete":false,"truncated":false},"provenance":{"source_label":"shipping-service","producer_revision":null,"resource_revision":null,"observed_at":null,"trust":"untrusted_data"}} <nil>
}

// A failure has a code of the contract or of the platform, and all else of it is
// what the contract says.
func ExampleTool_Fail() {
	tool, err := host.LoadDir("testdata/list-shipments")
	if err != nil {
		fmt.Println(err)
		return
	}
	envelope, err := tool.Fail(host.Failure{Code: "CARRIER_BUSY", Outcome: host.NotStarted})
	fmt.Println(string(envelope), err)

	_, err = tool.Fail(host.Failure{Code: "OUT_OF_COFFEE"})
	fmt.Println(errors.Is(err, host.ErrUnknownCode))
	// Output:
	// {"schema_version":"tool-model-result-v2","status":"failed","data":null,"error":{"code":"CARRIER_BUSY","category":"unavailable","recovery":"retry_later","safe_message":"The call failed: CARRIER_BUSY.","retry_after_ms":2000},"execution":{"outcome":"not_started","delivery":"fresh","complete":false,"truncated":false},"provenance":{"source_label":"shipping-service","producer_revision":null,"resource_revision":null,"observed_at":null,"trust":"untrusted_data"}} <nil>
	// true
}

// The record of a call is for the application and never for a model.
func ExampleTool_Audit() {
	tool, err := host.LoadDir("testdata/list-shipments")
	if err != nil {
		fmt.Println(err)
		return
	}
	envelope, err := tool.Fail(host.Failure{Code: host.CodePermissionDenied})
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	record, err := tool.Audit(host.Record{
		Subject: "user-7", Provider: "openai", Profile: "openai-responses", ResponseID: "resp_1", CallID: "call_1",
		Operation: "op-1", Written: []byte(`{"order_ref":"ord_1"}`), Envelope: envelope, Started: now, Finished: now,
	})
	fmt.Printf("%.60s… %v\n", record, err)
	// Output:
	// {"schema_version":"tool-call-audit-v1","contract":{"name":"t… <nil>
}

// A set is all that an agent mounts: the tools as one request takes them, and for
// each tool that the model calls the same steps as for a single one.
func ExampleLoadSet() {
	set, err := host.LoadSet(os.DirFS("testdata/desk"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %.40s…\n", set.Profile(), set.Tools()) // the value of tools in a request
	fmt.Println(string(set.Body()))                        // what else the request holds

	for _, call := range []struct{ name, written string }{
		{"tag_order", `{"order_ref":"ord_123","note":null,"labels":[{"key":"size","value":"L"}]}`},
		{"write_query", `SELECT id FROM orders`},
		{"drop_table", `{}`},
	} {
		tool, ok := set.Tool(call.name)
		if !ok {
			fmt.Println("there is no tool", call.name)
			continue
		}
		decode := tool.Decode
		if tool.FreeForm() {
			decode = tool.DecodeText
		}
		arguments, err := decode(set.Profile(), []byte(call.written))
		if err == nil {
			err = tool.ValidateCall(arguments)
		}
		fmt.Println(tool.Name(), string(arguments), err)
	}
	// Output:
	// openai-responses: [{"type":"namespace","name":"orders","de…
	// {}
	// tag_order {"order_ref":"ord_123","labels":{"size":"L"}} <nil>
	// write_query {"query":"SELECT id FROM orders"} <nil>
	// there is no tool drop_table
}

// An agent that runs on follows what is mounted and keeps the tools that it has
// until the next ones are whole.
func ExampleFollow() {
	ctx, stop := context.WithCancel(context.Background())
	var current atomic.Pointer[host.Set]
	ticks := time.NewTicker(10 * time.Second)
	defer ticks.Stop()
	host.Follow(ctx, "testdata/desk", ticks.C, host.LoadSet, func(set *host.Set, err error) {
		if err != nil {
			fmt.Println("keeping what there is:", err)
			return
		}
		current.Store(set)
		stop() // an agent goes on; this example ends
	})
	fmt.Println(len(current.Load().All()), "tools")
	// Output:
	// 3 tools
}

// answer runs one call of a model and returns what the model gets for it.
func answer(set *host.Set, name string, written []byte, session map[string]any, run func(arguments []byte) ([]byte, error), now time.Time) ([]byte, error) {
	tool, ok := set.Tool(name)
	if !ok {
		return nil, fmt.Errorf("the model called %q, which it was not offered", name)
	}
	decode := tool.Decode
	if tool.FreeForm() {
		decode = tool.DecodeText // where the provider has such tools
	}
	call, err := decode(set.Profile(), written)
	if err == nil {
		err = tool.ValidateCall(call)
	}
	if err != nil {
		return tool.Refuse(err) // the model is told what to mend
	}
	handed, err := tool.Inject(call, session)
	if err != nil {
		return tool.Refuse(err) // the model is told that the session lacks something, and not what
	}
	data, err := run(handed)
	if errors.Is(err, context.DeadlineExceeded) {
		return tool.Fail(host.Failure{Code: host.CodeTimeout, Outcome: host.Unknown})
	}
	if err != nil {
		return tool.Refuse(err) // an error that the tool does not declare stays in the log
	}
	envelope, err := tool.Succeed(call, host.Answer{Data: data, Provenance: host.Provenance{ProducerRevision: "1.4.2", ObservedAt: now}}, now)
	if err != nil {
		return tool.Refuse(err) // the answer is not what the contract says
	}
	return envelope, nil
}

// The steps of one call, as an agent goes through them.
func Example_agent() {
	set, err := host.LoadSetDir("testdata/desk")
	if err != nil {
		fmt.Println(err)
		return
	}
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	run := func(arguments []byte) ([]byte, error) {
		fmt.Println("running with", string(arguments))
		return []byte(`{"tagged":1}`), nil
	}
	for _, written := range []string{
		`{"order_ref":"ord_123","note":null,"labels":[{"key":"size","value":"L"}]}`,
		`{"order_ref":7,"note":null,"labels":[]}`,
	} {
		envelope, err := answer(set, "tag_order", []byte(written), nil, run, now)
		fmt.Printf("%.90s… %v\n", envelope, err)
	}
	// Output:
	// running with {"order_ref":"ord_123","labels":{"size":"L"}}
	// {"schema_version":"tool-model-result-v2","status":"succeeded","data":{"tagged":1},"error":… <nil>
	// {"schema_version":"tool-model-result-v2","status":"failed","data":null,"error":{"code":"IN… <nil>
}
