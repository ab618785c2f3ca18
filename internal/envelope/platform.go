// SPDX-License-Identifier: Apache-2.0

package envelope

import (
	"slices"

	"github.com/toolcontract/operator/internal/contract"
)

// Codes of the platform: what a host answers in place of the tool.
const (
	CodeApprovalRequired = "APPROVAL_REQUIRED"
	CodeApprovalDenied   = "APPROVAL_DENIED"
	CodeInvalidArguments = "INVALID_ARGUMENTS"
	CodePermissionDenied = "PERMISSION_DENIED"
	CodeSessionRequired  = "SESSION_REQUIRED"
	CodeRateLimited      = "RATE_LIMITED"
	CodeTimeout          = "TIMEOUT"
	CodeToolUnavailable  = "TOOL_UNAVAILABLE"
	CodeResultTooLarge   = "RESULT_TOO_LARGE"
	CodeResultInvalid    = "RESULT_INVALID"
	CodeResultStale      = "RESULT_STALE"
	CodeCancelled        = "CANCELLED"
	CodeInternal         = "INTERNAL_ERROR"
)

// platformError is a code of the platform with the outcomes that it can have.
type platformError struct {
	contract.OutputError
	outcomes []string
}

// platform are the codes of the platform. They end what a host can say; what
// only the tool knows is a code of the contract. They belong to the version of
// the envelope: none comes, goes or changes under the same one.
var platform = []platformError{
	{contract.OutputError{Code: CodeApprovalRequired, Category: "Approval", Recovery: "RequestApproval", SafeMessage: "A person has to approve this call first."}, []string{NotStarted}},
	{contract.OutputError{Code: CodeApprovalDenied, Category: "Approval", Recovery: "None", SafeMessage: "A person did not approve this call."}, []string{NotStarted}},
	{contract.OutputError{Code: CodeInvalidArguments, Category: "InvalidInput", Recovery: "FixInput", SafeMessage: "The arguments do not fit the tool."}, []string{NotStarted}},
	{contract.OutputError{Code: CodePermissionDenied, Category: "PermissionDenied", Recovery: "None", SafeMessage: "This call is not allowed."}, []string{NotStarted}},
	{contract.OutputError{Code: CodeSessionRequired, Category: "PermissionDenied", Recovery: "AskUser", SafeMessage: "The session lacks something that the tool needs; the user may have to sign in."}, []string{NotStarted}},
	{contract.OutputError{Code: CodeRateLimited, Category: "RateLimited", Recovery: "RetryLater", SafeMessage: "There were too many calls. Try again later."}, []string{NotStarted}},
	{contract.OutputError{Code: CodeTimeout, Category: "Timeout", Recovery: "AskUser", SafeMessage: "The tool did not answer in time. Whether the call had an effect is not known."}, []string{NotStarted, Partial, Unknown}},
	{contract.OutputError{Code: CodeToolUnavailable, Category: "Unavailable", Recovery: "RetryLater", SafeMessage: "The tool cannot be reached at the moment."}, []string{NotStarted}},
	{contract.OutputError{Code: CodeResultTooLarge, Category: "Internal", Recovery: "None", SafeMessage: "The answer is larger than the tool may give."}, []string{Completed, Partial}},
	{contract.OutputError{Code: CodeResultInvalid, Category: "Internal", Recovery: "None", SafeMessage: "The tool answered something that its contract does not allow."}, []string{Completed, Partial, Unknown}},
	{contract.OutputError{Code: CodeResultStale, Category: "Unavailable", Recovery: "None", SafeMessage: "The answer is older than the tool may give."}, []string{Completed}},
	{contract.OutputError{Code: CodeCancelled, Category: "Internal", Recovery: "None", SafeMessage: "The call was cancelled."}, []string{NotStarted, Partial, Unknown}},
	{contract.OutputError{Code: CodeInternal, Category: "Internal", Recovery: "None", SafeMessage: "The call failed."}, []string{NotStarted, Partial, Unknown}},
}

// PlatformErrors are the codes that a host may answer with for every tool.
func PlatformErrors() []contract.OutputError {
	out := make([]contract.OutputError, len(platform))
	for i, p := range platform {
		out[i] = p.OutputError
	}
	return out
}

// Failure is one way in which a call can fail.
type Failure struct {
	contract.OutputError
	// Outcomes are how far the call can have gone.
	Outcomes []string
	// Platform says that the code is one of the platform.
	Platform bool
	// Detailed says that the text tells what is wrong with this one call, and
	// SafeMessage stands only where nothing is told: a model that is to write
	// better arguments has to know which were wrong.
	Detailed bool
}

// Failures are all ways in which a call of the tool can fail: the declared ones,
// in their order, then those of the platform. Every one has a recovery and a
// text. A contract that declares a code of the platform gives it its own text.
// Where a repeated call does not repeat its effect, the model is told to call
// again after a failure that may have had one.
func Failures(c *contract.Content) []Failure {
	var out []Failure
	for _, e := range c.Output.Errors {
		f := Failure{OutputError: e, Outcomes: []string{NotStarted, Completed, Partial, Unknown}}
		if i := slices.IndexFunc(platform, func(p platformError) bool { return p.Code == e.Code }); i >= 0 {
			f.Outcomes, f.Platform = platform[i].outcomes, true
			f.Detailed = f.Code == CodeInvalidArguments
		}
		if f.Recovery == "" {
			f.Recovery = "None"
		}
		if f.SafeMessage == "" {
			f.SafeMessage = "The call failed: " + f.Code + "."
		}
		out = append(out, f)
	}
	for _, p := range platform {
		if slices.ContainsFunc(out, func(f Failure) bool { return f.Code == p.Code }) {
			continue
		}
		f := Failure{OutputError: p.OutputError, Outcomes: p.outcomes, Platform: true, Detailed: p.Code == CodeInvalidArguments}
		if again, ok := repeated[f.Code]; ok && repeatable(c.Execution) {
			f.Recovery, f.SafeMessage = again.Recovery, again.SafeMessage
			if c.Execution.IdempotencyMode == "Key" && f.Code == CodeTimeout {
				f.SafeMessage = "The tool did not answer in time. Calling again with the same key does no harm."
			}
		}
		out = append(out, f)
	}
	return out
}

// repeated are the codes that mean another thing where a call can be made again.
var repeated = map[string]contract.OutputError{
	CodeTimeout:        {Recovery: "RetryLater", SafeMessage: "The tool did not answer in time. Calling again does no harm."},
	CodeResultTooLarge: {Recovery: "FixInput", SafeMessage: "The answer is larger than the tool may give. Ask for less."},
	CodeResultStale:    {Recovery: "RetryLater", SafeMessage: "The answer is older than the tool may give. Try again later."},
}

// repeatable reports whether a repeated call does not repeat its effect.
func repeatable(e contract.Execution) bool {
	return e.IdempotencyMode == "Idempotent" || e.IdempotencyMode == "Key" || e.SideEffect == "None"
}

// HostRuns reports whether a host makes the result of the tool: it does not
// where the provider runs the tool or calls its server by itself.
func HostRuns(c *contract.Content) bool {
	return c.Type != contract.TypeMCP && (c.Type != contract.TypeBuiltIn || c.Execution.Location != "Provider")
}
