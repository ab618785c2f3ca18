// SPDX-License-Identifier: Apache-2.0

package envelope

import (
	"cmp"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Version names the form of the envelope.
const Version = "tool-model-result-v2"

// The dialect of both schemas.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// maxRetryAfter is the longest wait that an error may name, a day in
// milliseconds, as in the API.
const maxRetryAfter = 86_400_000

// MaxDetail is the most characters of a text that is about one call.
const MaxDetail = 2048

// ResultSchema is the JSON Schema of the envelope that a model gets for a call of
// this tool; nil if no host makes it (see [HostRuns]).
//
// data holds what the output schema admits, without members that it does not
// declare: a reader of an envelope never meets one. A contract without an output
// schema has no data. All members are always there; what does not apply is null.
func ResultSchema(c *contract.Content) *schema.Value {
	if !HostRuns(c) {
		return nil
	}
	data := null()
	if c.Output.Schema != nil {
		data = c.Output.Schema.Closed().MovedTo("/$defs/data")
	}
	return document(c,
		member("oneOf", schema.NewArray(reference("success"), reference("failure"))),
		member("$defs", object(
			member("data", data),
			member("success", success(c, reference("data"))),
			member("failure", failures(c, Failures(c))),
		)),
	)
}

// SuccessFrame is the part of [ResultSchema] that is about successes, with any
// data. What is wrong with an envelope is said better against it, or against a
// [FailureFrame], than against all alternatives.
func SuccessFrame(c *contract.Content) *schema.Value {
	return document(c, member("allOf", schema.NewArray(success(c, schema.NewBool(true)))))
}

// FailureFrame is the part of [ResultSchema] that is about failures of one code;
// nil if the tool has no such code.
func FailureFrame(c *contract.Content, code string) *schema.Value {
	all := Failures(c)
	at := slices.IndexFunc(all, func(f Failure) bool { return f.Code == code })
	if at < 0 {
		return nil
	}
	return document(c, member("allOf", schema.NewArray(failures(c, all[at:at+1]))))
}

// document is the shape of every envelope, with what else it is held to.
func document(c *contract.Content, more ...schema.Member) *schema.Value {
	return object(append([]schema.Member{
		member("$schema", schema.NewString(dialect)),
		member("title", schema.NewString("Result of "+c.ToolName)),
		member("description", schema.NewString("What a model sees of an answer. Every other member is refused.")),
		member("type", schema.NewString("object")),
		member("properties", object(
			member("schema_version", constant(Version)),
			member("status", choice(Succeeded, Failed)),
			member("data", schema.NewBool(true)),
			member("error", schema.NewBool(true)),
			member("execution", executionShape()),
			member("provenance", provenanceShape()),
		)),
		member("required", texts("schema_version", "status", "data", "error", "execution", "provenance")),
		member("additionalProperties", schema.NewBool(false)),
	}, more...)...).Copy()
}

// success is what holds if the call succeeded.
func success(c *contract.Content, data *schema.Value) *schema.Value {
	return object(member("properties", object(
		member("status", constant(Succeeded)),
		member("data", data),
		member("error", null()),
		member("execution", succeeded(c)),
		member("provenance", provenance(c, true)),
	)))
}

// failures is what holds if the call failed in one of these ways.
func failures(c *contract.Content, list []Failure) *schema.Value {
	ways := make([]*schema.Value, len(list))
	for i, f := range list {
		ways[i] = failure(f)
	}
	keyword := "anyOf"
	if len(ways) == 1 {
		keyword = "allOf"
	}
	return object(
		member("properties", object(
			member("status", constant(Failed)),
			member("data", null()),
			member("error", failureShape()),
			member("execution", object(member("properties", object(
				member("delivery", deliveries(c, false)),
				member("complete", constantBool(false)),
				member("truncated", constantBool(false)),
			)))),
			member("provenance", provenance(c, false)),
		)),
		member(keyword, schema.NewArray(ways...)),
	)
}

func executionShape() *schema.Value {
	return closed(
		member("outcome", choice(NotStarted, Completed, Partial, Unknown)),
		member("delivery", choice(Fresh, Replayed, Cached)),
		member("complete", kind("boolean")),
		member("truncated", kind("boolean")),
	)
}

// What the application says of itself goes to a model beside what it may trust:
// names and no sentences, and nothing that a terminal would act on. A program's
// revision is spelt as in the API; a thing's may be an entity tag.
const (
	producerName = `^[A-Za-z0-9][A-Za-z0-9 ._:/@+-]*$`
	resourceName = `^[!-~]+$`
)

func provenanceShape() *schema.Value {
	label := object(member("type", schema.NewString("string")), member("minLength", schema.NewInt(1)), member("maxLength", schema.NewInt(256)))
	orNull := label.With("type", texts("string", "null"))
	return closed(
		member("source_label", label),
		member("producer_revision", orNull.With("pattern", schema.NewString(producerName))),
		member("resource_revision", orNull.With("pattern", schema.NewString(resourceName))),
		member("observed_at", object(
			member("type", texts("string", "null")), member("format", schema.NewString("date-time")),
			// Validators need not hold a value to its format.
			member("pattern", schema.NewString(`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z$`)),
		)),
		member("trust", choice(Wire("TrustedControl"), Wire("UntrustedData"))),
	)
}

func failureShape() *schema.Value {
	return closed(
		member("code", kind("string")),
		member("category", kind("string")),
		member("recovery", kind("string")),
		member("safe_message", kind("string")),
		member("retry_after_ms", object(
			member("type", texts("integer", "null")),
			member("minimum", schema.NewInt(0)), member("maximum", schema.NewInt(maxRetryAfter)),
		)),
	)
}

// succeeded is what a success may say of the call. An answer that is cut is not
// complete, and one that has further pages need not be.
func succeeded(c *contract.Content) *schema.Value {
	cut, paged := c.Output.Truncation == "Marked", c.Output.Pagination != nil
	members := []schema.Member{
		member("outcome", constant(Completed)),
		member("delivery", deliveries(c, true)),
	}
	if !cut && !paged {
		members = append(members, member("complete", constantBool(true)))
	}
	if !cut {
		return object(member("properties", object(append(members, member("truncated", constantBool(false)))...)))
	}
	return object(
		member("properties", object(members...)),
		member("if", object(member("properties", object(member("truncated", constantBool(true)))))),
		member("then", object(member("properties", object(member("complete", constantBool(false)))))),
	)
}

// deliveries are the ways in which an answer of the tool can reach the model: a
// kept one only where the contract lets answers be kept, an earlier one again
// only where calls have an identity.
func deliveries(c *contract.Content, success bool) *schema.Value {
	out := []string{Fresh}
	if c.Execution.IdempotencyMode == "Idempotent" || c.Execution.IdempotencyMode == "Key" {
		out = append(out, Replayed)
	}
	if f := c.Output.Freshness; success && f != nil && f.Cache != "" {
		out = append(out, Cached)
	}
	return choice(out...)
}

// Source is the label of the source of an answer: what the contract says, else
// the name of the tool.
func Source(c *contract.Content) string {
	if p := c.Output.Provenance; p != nil {
		return p.Source
	}
	return c.ToolName
}

// Trust is the wire value of how far an answer can be trusted.
func Trust(c *contract.Content) string {
	if p := c.Output.Provenance; p != nil {
		return Wire(cmp.Or(p.Trust, "UntrustedData"))
	}
	return Wire("UntrustedData")
}

func provenance(c *contract.Content, success bool) *schema.Value {
	members := []schema.Member{
		member("source_label", constant(Source(c))),
		member("trust", constant(Trust(c))),
	}
	switch p := c.Output.Provenance; {
	case p == nil:
	case p.ProducerRevision != "":
		members = append(members, member("producer_revision", constant(p.ProducerRevision)))
	case success: // every answer says which one made it
		members = append(members, member("producer_revision", kind("string")))
	}
	if f := c.Output.Freshness; success && f != nil && f.MaxAgeSeconds != nil {
		members = append(members, member("observed_at", kind("string")))
	}
	return object(member("properties", object(members...)))
}

// failure ties a code to all that belongs to it.
func failure(f Failure) *schema.Value {
	wait := null()
	switch {
	case f.RetryAfterMs != nil:
		wait = object(member("const", schema.NewInt(int64(*f.RetryAfterMs))))
	case f.Recovery == "RetryLater":
		wait = schema.NewBool(true) // the shape bounds it
	}
	text := constant(f.SafeMessage)
	if f.Detailed {
		text = object(
			member("pattern", schema.NewString(`^[^\u0000-\u001f\u007f]+$`)), member("maxLength", schema.NewInt(MaxDetail)),
		)
	}
	return object(member("properties", object(
		member("error", object(member("properties", object(
			member("code", constant(f.Code)),
			member("category", constant(Wire(f.Category))),
			member("recovery", constant(Wire(f.Recovery))),
			member("safe_message", text),
			member("retry_after_ms", wait),
		)))),
		member("execution", object(member("properties", object(member("outcome", choice(f.Outcomes...)))))),
	)))
}

func member(name string, v *schema.Value) schema.Member { return schema.Member{Name: name, Value: v} }

func object(members ...schema.Member) *schema.Value { return schema.NewObject(members...) }

func texts(list ...string) *schema.Value {
	items := make([]*schema.Value, len(list))
	for i, s := range list {
		items[i] = schema.NewString(s)
	}
	return schema.NewArray(items...)
}

func kind(name string) *schema.Value { return object(member("type", schema.NewString(name))) }

func null() *schema.Value { return kind("null") }

func constant(s string) *schema.Value { return object(member("const", schema.NewString(s))) }

func constantBool(b bool) *schema.Value { return object(member("const", schema.NewBool(b))) }

func choice(list ...string) *schema.Value { return object(member("enum", texts(list...))) }

func reference(name string) *schema.Value {
	return object(member("$ref", schema.NewString(schema.RefTo(finding.Pointer("", "$defs", name)))))
}

// closed is an object that has exactly these members.
func closed(members ...schema.Member) *schema.Value {
	names := make([]string, len(members))
	for i, m := range members {
		names[i] = m.Name
	}
	return object(
		member("type", schema.NewString("object")), member("properties", object(members...)),
		member("required", texts(names...)), member("additionalProperties", schema.NewBool(false)),
	)
}
