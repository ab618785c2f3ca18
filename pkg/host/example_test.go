// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"errors"
	"fmt"

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
