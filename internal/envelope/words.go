// SPDX-License-Identifier: Apache-2.0

package envelope

// words maps the words of the API to those on the wire. It is the only place
// that does; a word that is not in it has no wire value. What the API says of a
// tool but no envelope repeats, as the mode of pagination, is not in it.
var words = map[string]string{
	// Categories of errors.
	"InvalidInput":     "invalid_input",
	"NotFound":         "not_found",
	"PermissionDenied": "permission_denied",
	"Approval":         "approval",
	"Conflict":         "conflict",
	"RateLimited":      "rate_limited",
	"Timeout":          "timeout",
	"Unavailable":      "unavailable",
	"Internal":         "internal",
	// Recoveries.
	"None":            "none",
	"FixInput":        "fix_input",
	"AskUser":         "ask_user",
	"RequestApproval": "request_approval",
	"RetryLater":      "retry_later",
	// Trust.
	"TrustedControl": "trusted_control",
	"UntrustedData":  "untrusted_data",
}

// Wire is the wire value of a word of the API: request_approval for
// RequestApproval. It is empty for a word that has none.
func Wire(word string) string { return words[word] }

// The values of status.
const (
	Succeeded = "succeeded"
	Failed    = "failed"
)

// The values of execution.outcome: how far the call went.
const (
	NotStarted = "not_started" // nothing was done
	Completed  = "completed"   // all of it was done
	Partial    = "partial"     // a part was done
	Unknown    = "unknown"     // nobody can say
)

// The values of execution.delivery: which call made the answer.
const (
	Fresh    = "fresh"    // this one
	Replayed = "replayed" // an earlier one with the same idempotency key
	Cached   = "cached"   // an earlier one, whose answer was kept
)
