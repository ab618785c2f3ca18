// SPDX-License-Identifier: Apache-2.0

package envelope

import (
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

// AuditVersion names the form of the audit record.
const AuditVersion = "tool-call-audit-v1"

// AuditSchema is the JSON Schema of the record of one call that a host keeps
// where no model reads it; nil if no host makes it (see [HostRuns]). It names who
// called, what the provider called the call, which contract it was held to, and
// ties arguments and result to it by their digests. It has no place for the
// arguments, the data or a session value.
func AuditSchema(contractName string, c *contract.Content, contentDigest string) *schema.Value {
	if !HostRuns(c) {
		return nil
	}
	text := object(member("type", schema.NewString("string")), member("minLength", schema.NewInt(1)), member("maxLength", schema.NewInt(512)))
	orNull := text.With("type", texts("string", "null"))
	digest := object(member("type", schema.NewString("string")), member("pattern", schema.NewString("^sha256:[0-9a-f]{64}$")))
	digestOrNull := digest.With("type", texts("string", "null"))
	instant := object(member("type", schema.NewString("string")), member("format", schema.NewString("date-time")))
	codes := []*schema.Value{schema.NewNull()}
	for _, f := range Failures(c) {
		codes = append(codes, schema.NewString(f.Code))
	}
	names := make([]string, 0, len(c.Input.SessionParameters))
	for _, p := range c.Input.SessionParameters {
		names = append(names, p.Name)
	}
	injected := object(member("type", schema.NewString("array")), member("maxItems", schema.NewInt(0)))
	if len(names) > 0 {
		injected = object(
			member("type", schema.NewString("array")), member("items", choice(names...)), member("uniqueItems", schema.NewBool(true)),
		)
	}
	fields := closed(
		member("schema_version", constant(AuditVersion)),
		member("contract", closed(
			member("name", constant(contractName)),
			member("version", constant(c.Version.String())),
			member("content_digest", constant(contentDigest)),
			member("tool_name", constant(c.ToolName)),
		)),
		member("principal", closed(member("subject", text), member("session", orNull))),
		member("provider", closed(
			member("name", text), member("profile", text),
			member("response_id", orNull), member("call_id", orNull),
		)),
		member("operation", closed(
			member("id", text), member("idempotency_key", orNull), member("approval", orNull), member("injected", injected),
		)),
		member("downstream", closed(member("system", orNull), member("receipt", orNull))),
		// A call that was refused has no arguments for the tool.
		member("digests", closed(member("arguments", digest), member("handler_arguments", digestOrNull), member("result", digest))),
		member("status", choice(Succeeded, Failed)),
		member("error_code", object(member("enum", schema.NewArray(codes...)))),
		member("outcome", choice(NotStarted, Completed, Partial, Unknown)),
		member("delivery", choice(Fresh, Replayed, Cached)),
		member("started_at", instant),
		member("finished_at", instant),
	)
	head := object(
		member("$schema", schema.NewString(dialect)),
		member("title", schema.NewString("Audit record of "+c.ToolName)),
		member("description", schema.NewString("Protected. A host keeps this record; it must never be sent to a model.")),
	)
	for _, m := range fields.Members() {
		head = head.With(m.Name, m.Value)
	}
	return head.Copy()
}
