// SPDX-License-Identifier: Apache-2.0

package host

import (
	"fmt"
	"time"

	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/schema"
)

// Record is what a host knows of one call beside its envelope. Empty texts are
// what does not apply, except those that must be there.
type Record struct {
	// Subject is who the call was made for, as the application knows them; Session
	// is their session. Subject must be there.
	Subject, Session string
	// Provider and Profile are the API that the model was called by; ResponseID and
	// CallID are what it calls its response and the call in it. The first two must
	// be there.
	Provider, Profile, ResponseID, CallID string
	// Operation is the host's own id of the call, which must be there.
	// IdempotencyKey and Approval are what it was made once by and allowed by.
	Operation, IdempotencyKey, Approval string
	// System is what the tool called, and Receipt what that answered with.
	System, Receipt string
	// Written are the arguments as the model wrote them, Handed those that the tool
	// got, nil if it was not run, and Envelope what the model got. Only their digests
	// are recorded.
	Written, Handed, Envelope []byte
	// Started and Finished are the time of the call.
	Started, Finished time.Time
}

// Audit writes the record of a call, valid by the published audit.schema.json. It
// is protected: it names people and sessions, and must never be sent to a model.
// It holds neither arguments nor data nor a value of the session, and ties them to
// the call by their SHA-256.
func (t *Tool) Audit(r Record) ([]byte, error) {
	if !t.HostRuns() {
		return nil, t.notRun()
	}
	seen, failed := schema.ParseWithin(r.Envelope, max(MaxCall, most(t.content.Output.Limits.MaxBytes))+maxFrame, MaxCallDepth+1)
	if failed != nil {
		return nil, fmt.Errorf("recording call: the envelope: %s", failed.Message)
	}
	injected, err := t.namesIn(r.Handed)
	if err != nil {
		return nil, err
	}
	handed := schema.NewNull()
	if r.Handed != nil {
		handed = schema.NewString(schema.DigestBytes(r.Handed))
	}
	part := func(names []string, values ...*schema.Value) *schema.Value {
		members := make([]schema.Member, len(names))
		for i, name := range names {
			members[i] = schema.Member{Name: name, Value: values[i]}
		}
		return schema.NewObject(members...)
	}
	text, optional := schema.NewString, textOrNull
	record := part(
		[]string{
			"schema_version", "contract", "principal", "provider", "operation", "downstream", "digests",
			"status", "error_code", "outcome", "delivery", "started_at", "finished_at",
		},
		text(envelope.AuditVersion),
		part([]string{"name", "version", "content_digest", "tool_name"},
			text(t.contract), text(t.Version()), text(t.contentDigest), text(t.Name())),
		part([]string{"subject", "session"}, text(r.Subject), optional(r.Session)),
		part([]string{"name", "profile", "response_id", "call_id"}, text(r.Provider), text(r.Profile), optional(r.ResponseID), optional(r.CallID)),
		part([]string{"id", "idempotency_key", "approval", "injected"},
			text(r.Operation), optional(r.IdempotencyKey), optional(r.Approval), injected),
		part([]string{"system", "receipt"}, optional(r.System), optional(r.Receipt)),
		part([]string{"arguments", "handler_arguments", "result"},
			text(schema.DigestBytes(r.Written)), handed, text(schema.DigestBytes(r.Envelope))),
		text(textOf(seen, "status")),
		optional(textOf(seen.Get("error"), "code")),
		text(textOf(seen.Get("execution"), "outcome")),
		text(textOf(seen.Get("execution"), "delivery")),
		text(r.Started.UTC().Format(time.RFC3339Nano)),
		text(r.Finished.UTC().Format(time.RFC3339Nano)),
	)
	validator, err := t.auditor()
	if err != nil {
		return nil, err
	}
	if err := validate("audit record", CodeInternal, validator, record, false); err != nil {
		return nil, err
	}
	return record.AppendJSON(nil), nil
}

// namesIn lists the session parameters that are in the arguments of the tool.
func (t *Tool) namesIn(handed []byte) (*schema.Value, error) {
	var names []*schema.Value
	if handed == nil {
		return schema.NewArray(names...), nil
	}
	value, err := parse(handed)
	if err != nil {
		return nil, err
	}
	for _, p := range t.sessionKeys {
		if value.Has(p.Name) {
			names = append(names, schema.NewString(p.Name))
		}
	}
	return schema.NewArray(names...), nil
}

func (t *Tool) auditor() (*schema.Validator, error) {
	admitted, err := admit("audit record", envelope.AuditSchema(t.contract, &t.content, t.contentDigest))
	if err != nil {
		return nil, err
	}
	return compile("audit record", admitted)
}
