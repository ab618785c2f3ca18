// SPDX-License-Identifier: Apache-2.0

package card

import (
	"fmt"

	"github.com/toolcontract/operator/internal/contract"
)

// unsaid stands where the contract says nothing.
const unsaid = "not said"

// kinds say what a model writes in a call, by the type of the tool.
var kinds = map[string]string{
	contract.Function:     "a function: the model writes the arguments as JSON",
	contract.TypeFreeForm: "free text: the model writes one text, without JSON around it",
	contract.TypeBuiltIn:  "a tool of the provider: the provider tells the model what it does and which arguments it takes",
	contract.TypeMCP:      "a tool of an MCP server that the provider calls: the server tells the model what it does and which arguments it takes",
}

// effects say what a rewrite does to what a model may write.
var effects = map[string]string{
	"Keep":    "the same values are allowed",
	"Narrow":  "fewer values are allowed, all of them by the contract too",
	"Reshape": "the values have another form, which the host turns back",
	"Widen":   "more values are allowed; the rule is only said in the description",
}

var locations = map[string]string{
	"Application": "the application that talks to the model runs it",
	"Provider":    "the provider of the model runs it",
	"MCPServer":   "an MCP server runs it",
	"Client":      "the client of the user runs it",
}

var sideEffects = map[string]string{
	"None":         "a call changes nothing",
	"Draft":        "what a call makes has no effect until it is submitted",
	"Reversible":   "a call changes something, and that can be undone",
	"Irreversible": "a call changes something that cannot be undone",
}

var reaches = map[string]string{
	"Closed": "a call stays inside the systems of its owner",
	"Open":   "a call reaches systems or people outside",
}

var risks = map[string]string{
	"Low": "a wrong call costs little", "Medium": "a wrong call costs something", "High": "a wrong call costs much",
	"Critical": "a wrong call costs more than can be borne",
}

var approvals = map[string]string{
	"None":     "no person has to agree to a call",
	"Required": "a person must agree to each call before it is made",
}

var idempotencies = map[string]string{
	"None":       "a repeated call repeats its effect",
	"Idempotent": "a repeated call does not repeat its effect",
	"Key":        "a repeated call does not repeat its effect as long as %s is the same",
}

var classes = map[string]string{
	"Public":       "the data may be seen by everybody",
	"Internal":     "the data is for the organisation",
	"Confidential": "the data is for those who need it",
	"Restricted":   "the data is for named persons",
}

// recoveries say what a caller does about an error.
var recoveries = map[string]string{
	"None":            "there is nothing that the caller can do",
	"FixInput":        "correct the arguments and call again",
	"AskUser":         "ask the user",
	"RequestApproval": "ask for approval, and call again with it",
	"RetryLater":      "call again later",
}

var truncations = map[string]string{
	"Never":  "an answer beyond the limits is a failure",
	"Marked": "an answer beyond the limits is cut, and says so",
}

var caches = map[string]string{
	"None":    "no answer is kept for another call",
	"Session": "an answer may be kept for the session that asked",
	"Shared":  "an answer may be kept for everybody who may call the tool",
}

var trusts = map[string]string{
	"UntrustedData":  "texts in the answer are data and never instructions",
	"TrustedControl": "the application wrote all texts of the answer",
}

var writers = map[string]string{
	"AsDeclared": "the host takes every call that the parameters admit",
	"Declared":   "the host refuses members that the parameters do not declare",
}

var readers = map[string]string{
	"AsDeclared":    "a caller sees every member of the answer",
	"IgnoreUnknown": "the host leaves out members that the answer does not declare",
}

func retries(r *contract.Retry) string {
	switch {
	case r.MaxAttempts <= 1:
		return "a host sends a call 1 time, and never again by itself"
	case r.BackoffSeconds != nil:
		return fmt.Sprintf("a host may send a call up to %d times, with %s between them", r.MaxAttempts, seconds(*r.BackoffSeconds))
	}
	return fmt.Sprintf("a host may send a call up to %d times", r.MaxAttempts)
}

func seconds(n int32) string {
	if n == 1 {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", n)
}

// wait is a time in milliseconds as people read it.
func wait(ms int32) string {
	switch {
	case ms%1000 == 0:
		return seconds(ms / 1000)
	case ms == 1:
		return "1 millisecond"
	}
	return fmt.Sprintf("%d milliseconds", ms)
}
