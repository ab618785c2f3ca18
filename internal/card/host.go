// SPDX-License-Identifier: Apache-2.0

package card

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/envelope"
)

// Host is what no model sees: the policy, and the answers before there are any.
type Host struct {
	// Execution is who runs the tool and what a call does; Output is what an
	// answer promises beside its fields.
	Execution []Statement `json:"execution"`
	// SessionParameters are added to the arguments by the host.
	SessionParameters []SessionParameter `json:"sessionParameters,omitempty"`
	// Answer is the data of a successful answer: the value first, then all places
	// in it. There are none where none are declared.
	Answer []Field     `json:"answer,omitempty"`
	Output []Statement `json:"output,omitempty"`
	Errors []Error     `json:"errors,omitempty"`
	// Answers says that a host makes the answer; else the provider does.
	Answers bool `json:"answers"`
}

// Statement is one field of the contract with what it means.
type Statement struct {
	Label string `json:"label"`
	// Field is the field of spec, Value what it says; empty if it says nothing.
	Field   string `json:"field"`
	Value   string `json:"value,omitempty"`
	Meaning string `json:"meaning"`
}

// SessionParameter is a value that the host injects.
type SessionParameter struct {
	Name     string  `json:"name"`
	Source   string  `json:"source"`
	Optional bool    `json:"optional"`
	Schema   []Field `json:"schema"`
}

// Error is one failure, and what a caller does about it.
type Error struct {
	Code     string `json:"code"`
	Category string `json:"category"`
	Recovery string `json:"recovery"`
	// Do is the recovery in words.
	Do           string `json:"do"`
	RetryAfterMs *int32 `json:"retryAfterMs,omitempty"`
	// SafeMessage is what the model is told.
	SafeMessage string `json:"safeMessage"`
	// Platform says that the host makes it, for every tool, and that the contract
	// has nothing to say of it.
	Platform bool `json:"platform"`
}

func hostOf(c *contract.Content) Host {
	h := Host{Execution: execution(c), Output: promises(c), Answers: envelope.HostRuns(c)}
	for _, p := range c.Input.SessionParameters {
		out := SessionParameter{Name: p.Name, Source: p.Source, Optional: p.Optional, Schema: []Field{}}
		if p.Schema != nil {
			out.Schema = fieldsOf(p.Schema.Root())
		}
		h.SessionParameters = append(h.SessionParameters, out)
	}
	if c.Output.Schema != nil {
		h.Answer = fieldsOf(c.Output.Schema.Root())
	}
	if !h.Answers {
		for _, e := range c.Output.Errors {
			h.Errors = append(h.Errors, errorOf(e, false))
		}
		return h
	}
	for _, f := range envelope.Failures(c) {
		declared := slices.ContainsFunc(c.Output.Errors, func(e contract.OutputError) bool { return e.Code == f.Code })
		h.Errors = append(h.Errors, errorOf(f.OutputError, f.Platform && !declared))
	}
	return h
}

func errorOf(e contract.OutputError, platform bool) Error {
	out := Error{e.Code, e.Category, cmp.Or(e.Recovery, "None"), "", e.RetryAfterMs, e.SafeMessage, platform}
	out.Do = cmp.Or(recoveries[out.Recovery], out.Recovery)
	if e.RetryAfterMs != nil {
		out.Do += ", after " + wait(*e.RetryAfterMs)
	}
	return out
}

// say is a statement whose meaning a table has.
func say(label, field, value string, meanings map[string]string) Statement {
	meaning := meanings[value]
	if value == "" {
		meaning = unsaid
	}
	return Statement{label, field, value, meaning}
}

func execution(c *contract.Content) []Statement {
	e := c.Execution
	out := []Statement{
		say("Runs", "execution.location", e.Location, locations),
		name("Credentials", "execution.credentials", e.Credentials, "those that the tool needs are held by %s"),
		name("Authorisation", "execution.authorization", e.Authorization, "%s decides whether a call is allowed"),
	}
	if c.MCP != nil {
		out = append(out, server(c.MCP)...)
	}
	out = append(out,
		say("Side effect", "execution.sideEffect", e.SideEffect, sideEffects),
		say("Reach", "execution.reach", e.Reach, reaches),
		say("Risk", "execution.risk", e.Risk, risks),
		say("Approval", "execution.approval", e.Approval, approvals),
		say("Idempotency", "execution.idempotency.mode", e.IdempotencyMode, idempotencies),
	)
	if e.IdempotencyMode == "Key" {
		key := &out[len(out)-1]
		key.Meaning = fmt.Sprintf(key.Meaning, e.IdempotencyKey)
	}
	retry := Statement{"Retry", "execution.retry", "", unsaid}
	if e.Retry != nil {
		retry.Value, retry.Meaning = fmt.Sprint(e.Retry.MaxAttempts), retries(e.Retry)
	}
	out = append(out, retry, number("Timeout", "execution.timeoutSeconds", e.TimeoutSeconds, func(n int32) string { return "a call may take " + seconds(n) }))
	out = append(out, say("Data", "execution.dataClassification", e.DataClassification, classes))
	if c.Input.Schema != nil && envelope.HostRuns(c) {
		out = append(out, say("Extra arguments", "input.writer", cmp.Or(c.Input.Writer, "AsDeclared"), writers))
	}
	return out
}

func name(label, field, value, meaning string) Statement {
	if value == "" {
		return Statement{label, field, "", unsaid}
	}
	return Statement{label, field, value, fmt.Sprintf(meaning, value)}
}

func number(label, field string, n *int32, meaning func(int32) string) Statement {
	if n == nil {
		return Statement{label, field, "", unsaid}
	}
	return Statement{label, field, fmt.Sprint(*n), meaning(*n)}
}

// server says how a provider reaches an MCP server.
func server(m *contract.MCP) []Statement {
	out := []Statement{
		name("Server", "mcp.server.label", m.Label, "the request calls the server %s"),
		name("Tool of it", "mcp.tool", m.Tool, "the server calls the tool %s"),
	}
	if m.URL != "" {
		out = append(out, name("Address", "mcp.server.url", m.URL, "the provider finds the server at %s"))
	}
	if m.ConnectorID != "" {
		out = append(out, name("Connector", "mcp.server.connectorID", m.ConnectorID, "the provider keeps the server as %s"))
	}
	if m.Authorization != "" {
		out = append(out, name("Token", "mcp.server.authorization", m.Authorization, "the host puts the token from %s into each request"))
	}
	for _, h := range m.Headers {
		out = append(out, Statement{"Header", "mcp.server.headers", h.Name, fmt.Sprintf("the host sends %s with the value from %s", h.Name, h.Source)})
	}
	return out
}

// promises say what an answer is beside its fields.
func promises(c *contract.Content) []Statement {
	o := c.Output
	var out []Statement
	for _, l := range []struct {
		field, what string
		n           *int32
	}{{"maxBytes", "an answer has at most %d bytes as JSON", o.Limits.MaxBytes}, {"maxDepth", "objects and lists stand at most %d levels within each other", o.Limits.MaxDepth}, {"maxItems", "a list has at most %d entries", o.Limits.MaxItems}} {
		if l.n != nil {
			out = append(out, Statement{"Limit", "output.limits." + l.field, fmt.Sprint(*l.n), fmt.Sprintf(l.what, *l.n)})
		}
	}
	if len(out) > 0 || o.Truncation != "" {
		out = append(out, say("Beyond limits", "output.truncation", cmp.Or(o.Truncation, "Never"), truncations))
	}
	if p := o.Pagination; p != nil {
		out = append(out, Statement{"Pages", "output.pagination", p.Mode, pages(p)})
	}
	if f := o.Freshness; f != nil {
		if f.MaxAgeSeconds != nil {
			out = append(out, number("Freshness", "output.freshness.maxAgeSeconds", f.MaxAgeSeconds, func(n int32) string { return "the data is at most " + seconds(n) + " old" }))
		}
		out = append(out, say("Cache", "output.freshness.cache", cmp.Or(f.Cache, "None"), caches))
	}
	if p := o.Provenance; p != nil {
		out = append(out,
			name("Source", "output.provenance.source", p.Source, "the data comes from %s"),
			say("Trust", "output.provenance.trust", cmp.Or(p.Trust, "UntrustedData"), trusts))
		if p.ProducerRevision != "" {
			out = append(out, name("Producer", "output.provenance.producerRevision", p.ProducerRevision, "only the revision %s may make the answer"))
		}
	}
	for _, b := range o.Bindings {
		out = append(out, Statement{"Must agree", "output.bindings", b.Output, fmt.Sprintf("%s of the answer repeats the argument %s; a host refuses an answer in which they differ", b.Output, b.Input)})
	}
	if o.Schema != nil {
		out = append(out, say("Extra members", "output.reader", cmp.Or(o.Reader, "AsDeclared"), readers))
	}
	return out
}

func pages(p *contract.Pagination) string {
	var text string
	switch p.Mode {
	case "Cursor":
		text = fmt.Sprintf("the cursor at %s of an answer is the argument %s of the next call; without one there is no more", p.Output, p.Input)
	case "Offset":
		text = fmt.Sprintf("the argument %s says how many entries to skip", p.Input)
	default:
		text = fmt.Sprintf("the argument %s is the number of the page", p.Input)
	}
	if p.Mode != "Cursor" && p.Output != "" {
		text += fmt.Sprintf("; %s of an answer is that of the next call", p.Output)
	}
	if p.Items != "" {
		text += "; the entries are at " + p.Items
	}
	if p.MaxPageSize != nil {
		text += fmt.Sprintf("; one answer has at most %s", counted(fmt.Sprint(*p.MaxPageSize), "entry"))
	}
	return text
}
