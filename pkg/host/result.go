// SPDX-License-Identifier: Apache-2.0

package host

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Outcome is how far a call went.
type Outcome string

// The outcomes.
const (
	NotStarted Outcome = envelope.NotStarted // nothing was done
	Completed  Outcome = envelope.Completed  // all of it was done
	Partial    Outcome = envelope.Partial    // a part of it was done
	Unknown    Outcome = envelope.Unknown    // nobody can say
)

// Delivery is which call made the answer.
type Delivery string

// The deliveries.
const (
	Fresh    Delivery = envelope.Fresh    // this one; the default
	Replayed Delivery = envelope.Replayed // an earlier one that this one repeats
	Cached   Delivery = envelope.Cached   // an earlier one, whose answer was kept
)

// Codes of the platform: failures that a host answers in place of the tool.
const (
	CodeApprovalRequired = envelope.CodeApprovalRequired
	CodeApprovalDenied   = envelope.CodeApprovalDenied
	CodeInvalidArguments = envelope.CodeInvalidArguments
	CodePermissionDenied = envelope.CodePermissionDenied
	CodeSessionRequired  = envelope.CodeSessionRequired
	CodeRateLimited      = envelope.CodeRateLimited
	CodeTimeout          = envelope.CodeTimeout
	CodeToolUnavailable  = envelope.CodeToolUnavailable
	CodeResultTooLarge   = envelope.CodeResultTooLarge
	CodeResultInvalid    = envelope.CodeResultInvalid
	CodeResultStale      = envelope.CodeResultStale
	CodeCancelled        = envelope.CodeCancelled
	CodeInternal         = envelope.CodeInternal
)

var (
	// ErrUnknownCode says that neither the contract nor the platform has a code.
	ErrUnknownCode = errors.New("the tool has no such error code")
	// ErrProviderRuns says that no host makes the result of a tool, because its
	// provider runs it and hands the result to the model by itself.
	ErrProviderRuns = errors.New("the provider runs this tool and makes its result")
)

// ClockSkew is how far the clock of the tool may be ahead of that of the host.
const ClockSkew = time.Minute

// Provenance says where an answer comes from, as far as the contract leaves it
// open: the source and the trust are the contract's own.
type Provenance struct {
	// ProducerRevision is the revision of the program that made the answer; empty
	// for that of the contract, or if it is not known.
	ProducerRevision string
	// ResourceRevision is that of the thing that was read or changed, if it has one.
	ResourceRevision string
	// ObservedAt is when the data was true; zero if that is not known.
	ObservedAt time.Time
}

// Answer is what a tool answered to a call that succeeded.
type Answer struct {
	// Data is the answer as JSON; empty for a tool without an output schema.
	Data     []byte
	Delivery Delivery
	// Truncated says that the tool has cut its answer by itself.
	Truncated bool
	// More says that there are further pages. Where the contract names the place of
	// the next page in an answer, the host looks there itself.
	More       bool
	Provenance Provenance
}

// Failure is a call that failed.
type Failure struct {
	// Code is one that the contract declares, or one of the platform.
	Code string
	// Detail is what was wrong with this call, in place of the fixed text; only
	// [CodeInvalidArguments] has it.
	Detail string
	// Outcome is how far the call went. Empty, it is the only one that the code
	// can have, else Unknown if that is one of them, else the first.
	Outcome  Outcome
	Delivery Delivery
	// RetryAfter is how long the model should wait, for codes whose recovery is to
	// retry and whose wait the contract does not fix.
	RetryAfter time.Duration
	Provenance Provenance
}

// HostRuns reports whether a host makes the result of the tool. It does not where
// the provider runs the tool, or calls its MCP server, by itself.
func (t *Tool) HostRuns() bool { return envelope.HostRuns(&t.content) }

// Producer is the one revision of the program that may make answers; empty if the
// contract names none.
func (t *Tool) Producer() string {
	if p := t.content.Output.Provenance; p != nil {
		return p.ProducerRevision
	}
	return ""
}

// Succeed makes the envelope that a model gets for a call that succeeded, valid by
// the published result.schema.json. Members of the data that the output schema
// does not declare are left out if the contract says reader: IgnoreUnknown, and
// refused else; what is beyond the limits is cut if the contract says truncation:
// Marked, and refused else. Fields that are bound to arguments are compared with
// those of the call, as decoded, and the age of the data with the time now.
//
// The error is an [*InvalidError] if the answer is at fault; [Tool.Refuse] makes
// the envelope that says so.
func (t *Tool) Succeed(call []byte, a Answer, now time.Time) ([]byte, error) {
	if !t.HostRuns() {
		return nil, t.notRun()
	}
	data := schema.NewNull()
	if len(a.Data) > 0 {
		answered, err := t.parseAnswer(a.Data)
		if err != nil {
			return nil, err
		}
		data = t.project(answered)
	}
	data, cut := t.cut(data)
	truncated := a.Truncated || cut
	more := a.More
	if next, known := t.nextPage(data); known {
		more = next
	}
	text := t.write(envelope.Succeeded, data, schema.NewNull(),
		execution(Completed, a.Delivery, !truncated && !more, truncated), t.provenance(a.Provenance))
	if err := t.valid(call, text, now); err != nil {
		return nil, err
	}
	return text.AppendJSON(nil), nil
}

// Fail makes the envelope that a model gets for a call that failed. The error is
// [ErrUnknownCode] for a code that neither the contract nor the platform has, and
// an [*InvalidError] for what the code cannot have.
func (t *Tool) Fail(f Failure) ([]byte, error) {
	if !t.HostRuns() {
		return nil, t.notRun()
	}
	known := t.failure(f.Code)
	if known == nil {
		return nil, fmt.Errorf("%s %s: %w: %s; it has %s", t.contract, t.content.Version, ErrUnknownCode, finding.Quote(f.Code), t.codes())
	}
	var e schema.Fields
	e.Add("code", schema.NewString(known.Code))
	e.Add("category", schema.NewString(envelope.Wire(known.Category)))
	e.Add("recovery", schema.NewString(envelope.Wire(known.Recovery)))
	message := known.SafeMessage
	if known.Detailed && f.Detail != "" {
		message = finding.Clip(finding.Printable(f.Detail), envelope.MaxDetail)
	}
	e.Add("safe_message", schema.NewString(message))
	wait := schema.NewNull()
	switch {
	case known.RetryAfterMs != nil:
		wait = schema.NewInt(int64(*known.RetryAfterMs))
	case f.RetryAfter > 0:
		wait = schema.NewInt(f.RetryAfter.Milliseconds())
	}
	e.Add("retry_after_ms", wait)
	outcome := f.Outcome
	if outcome == "" {
		outcome = Outcome(known.Outcomes[0])
		if slices.Contains(known.Outcomes, envelope.Unknown) {
			outcome = Unknown
		}
	}
	text := t.write(envelope.Failed, schema.NewNull(), e.Object(), execution(outcome, f.Delivery, false, false), t.provenance(f.Provenance))
	if err := t.valid(nil, text, time.Time{}); err != nil {
		return nil, err
	}
	return text.AppendJSON(nil), nil
}

// Refuse makes the envelope for an error of this package: arguments that are not
// valid, a session that lacks something, an answer that is not what the contract
// says. For every other error it is that of an internal failure: what went wrong
// is for the log of the host.
func (t *Tool) Refuse(err error) ([]byte, error) {
	f := Failure{Code: CodeInternal}
	var invalid *InvalidError
	var session *SessionError
	switch {
	case errors.As(err, &invalid):
		f.Code, f.Detail = invalid.Code, invalid.Error()
		if invalid.What != arguments { // the tool has done its work
			f.Outcome = Completed
		}
	case errors.As(err, &session):
		f.Code = CodeSessionRequired
	}
	return t.Fail(f)
}

// ValidateEnvelope holds an envelope to all that the contract says of it, as
// [Tool.Succeed] does. Without a call (nil) bindings are not compared. The error
// is an [*InvalidError].
func (t *Tool) ValidateEnvelope(call, text []byte, now time.Time) error {
	if !t.HostRuns() {
		return t.notRun()
	}
	value, failed := schema.ParseWithin(text, max(MaxCall, most(t.content.Output.Limits.MaxBytes))+maxFrame, MaxCallDepth+1)
	if failed != nil {
		return &InvalidError{What: enveloped, Code: CodeResultInvalid, Problems: []Problem{{Pointer: failed.Pointer, Message: failed.Message}}}
	}
	return t.valid(call, value, now)
}

// maxFrame is more than an envelope has beside its data.
const maxFrame = 64 << 10

func (t *Tool) notRun() error {
	return fmt.Errorf("%s %s: %w", t.contract, t.content.Version, ErrProviderRuns)
}

// failure is the way to fail that has a code; nil if there is none.
func (t *Tool) failure(code string) *envelope.Failure {
	at := slices.IndexFunc(t.failures, func(f envelope.Failure) bool { return f.Code == code })
	if at < 0 {
		return nil
	}
	return &t.failures[at]
}

// codes lists the codes of the tool, for messages.
func (t *Tool) codes() string {
	names := make([]string, len(t.failures))
	for i, f := range t.failures {
		names[i] = f.Code
	}
	return finding.Clip(strings.Join(names, ", "), maxMessage)
}

// write puts an envelope together.
func (t *Tool) write(status string, data, failure, execution, provenance *schema.Value) *schema.Value {
	return schema.NewObject(
		schema.Member{Name: "schema_version", Value: schema.NewString(envelope.Version)},
		schema.Member{Name: "status", Value: schema.NewString(status)},
		schema.Member{Name: "data", Value: data},
		schema.Member{Name: "error", Value: failure},
		schema.Member{Name: "execution", Value: execution},
		schema.Member{Name: "provenance", Value: provenance},
	)
}

func execution(outcome Outcome, delivery Delivery, complete, truncated bool) *schema.Value {
	return schema.NewObject(
		schema.Member{Name: "outcome", Value: schema.NewString(string(outcome))},
		schema.Member{Name: "delivery", Value: schema.NewString(string(cmp.Or(delivery, Fresh)))},
		schema.Member{Name: "complete", Value: schema.NewBool(complete)},
		schema.Member{Name: "truncated", Value: schema.NewBool(truncated)},
	)
}

func (t *Tool) provenance(p Provenance) *schema.Value {
	if declared := t.content.Output.Provenance; p.ProducerRevision == "" && declared != nil {
		p.ProducerRevision = declared.ProducerRevision
	}
	observed := ""
	if !p.ObservedAt.IsZero() {
		observed = p.ObservedAt.UTC().Format(time.RFC3339Nano)
	}
	return schema.NewObject(
		schema.Member{Name: "source_label", Value: schema.NewString(envelope.Source(&t.content))},
		schema.Member{Name: "producer_revision", Value: textOrNull(p.ProducerRevision)},
		schema.Member{Name: "resource_revision", Value: textOrNull(p.ResourceRevision)},
		schema.Member{Name: "observed_at", Value: textOrNull(observed)},
		schema.Member{Name: "trust", Value: schema.NewString(envelope.Trust(&t.content))},
	)
}

func textOrNull(s string) *schema.Value {
	if s == "" {
		return schema.NewNull()
	}
	return schema.NewString(s)
}
