// SPDX-License-Identifier: Apache-2.0

package host_test

import (
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
