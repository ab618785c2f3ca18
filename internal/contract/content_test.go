// SPDX-License-Identifier: Apache-2.0

package contract

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// minimal has only what a contract must have.
func minimal(t *testing.T) *Content {
	t.Helper()
	return &Content{
		Version:     version(t, "1.0.0"),
		ToolName:    "get_order_status",
		Description: Description{Summary: "Reads the status of one order."},
		Input:       Input{Schema: schematest.Schema(t, `{"type":"object"}`)},
	}
}

// full has every field.
func full(t *testing.T) *Content {
	t.Helper()
	c := minimal(t)
	c.Title = "Order status"
	c.Description = Description{"A.", "B.", "C.", "D.", "E.", "F."}
	c.Input.Examples = []*schema.Value{schematest.Value(t, `{"order_id":"ord_123"}`), schematest.Value(t, `{}`)}
	c.Output = Output{
		Schema: schematest.Schema(t, `{"type":"string"}`),
		Errors: []OutputError{{Code: "ORDER_NOT_FOUND", Category: "NotFound", Recovery: "AskUser", SafeMessage: "There is no such order."}, {Code: "BUSY"}},
	}
	c.Execution = Execution{
		Location: "Application", Credentials: "orders-api", Authorization: "caller", SideEffect: "None", Reach: "Closed",
		Risk: "Low", TimeoutSeconds: new(int32(10)), Retry: &Retry{MaxAttempts: 2, BackoffSeconds: new(int32(1))},
		Approval: "None", IdempotencyMode: "Key", IdempotencyKey: "request_id", DataClassification: "Internal",
	}
	return c
}

func TestCanonicalLeavesOutWhatIsAbsent(t *testing.T) {
	t.Parallel()
	want := `{"version":"1.0.0","toolName":"get_order_status",` +
		`"description":{"summary":"Reads the status of one order."},"input":{"schema":{"type":"object"}}}`
	if diff := cmp.Diff(want, minimal(t).Canonical().JSON()); diff != "" {
		t.Error(diff)
	}
	empty := minimal(t)
	empty.Input.Examples = []*schema.Value{}
	empty.Output.Errors = []OutputError{}
	if diff := cmp.Diff(want, empty.Canonical().JSON()); diff != "" {
		t.Errorf("empty lists are absent as well: %s", diff)
	}
}

func TestCanonicalHoldsEveryFieldInOneOrder(t *testing.T) {
	t.Parallel()
	want := strings.Join([]string{
		`{"version":"1.0.0"`,
		`"toolName":"get_order_status"`,
		`"title":"Order status"`,
		`"description":{"summary":"A.","useWhen":"B.","doNotUseWhen":"C.","returns":"D.","sideEffects":"E.","failures":"F."}`,
		`"input":{"schema":{"type":"object"},"examples":[{"order_id":"ord_123"},{}]}`,
		`"output":{"schema":{"type":"string"},"errors":[` +
			`{"code":"ORDER_NOT_FOUND","category":"NotFound","recovery":"AskUser","safeMessage":"There is no such order."},` +
			`{"code":"BUSY"}]}`,
		`"execution":{"location":"Application","credentials":"orders-api","authorization":"caller","sideEffect":"None"`,
		`"reach":"Closed","risk":"Low","timeoutSeconds":10,"retry":{"maxAttempts":2,"backoffSeconds":1},"approval":"None"`,
		`"idempotency":{"mode":"Key","keyParameter":"request_id"},"dataClassification":"Internal"}}`,
	}, ",")
	c := full(t)
	if diff := cmp.Diff(want, c.Canonical().JSON()); diff != "" {
		t.Error(diff)
	}
	for name, part := range map[string]*schema.Value{
		"description": c.DescriptionValue(), "output": c.OutputValue(), "execution": c.ExecutionValue(),
	} {
		if !part.Equal(c.Canonical().Get(name)) {
			t.Errorf("the value of %s by itself is %s", name, part.JSON())
		}
	}
}

func TestCanonicalHoldsWhatTheHostPromises(t *testing.T) {
	t.Parallel()
	c := minimal(t)
	c.Input.Writer, c.Output.Reader, c.Input.SessionParameters = WriterDeclared, ReaderIgnoreUnknown, session(t, true)
	c.Input.SessionParameters[0].Schema = schematest.Schema(t, `{"type":"string"}`)
	c.Input.SessionParameters[1].Schema = schematest.Schema(t, `{"minimum":1,"type":"integer"}`)
	want := `{"version":"1.0.0","toolName":"get_order_status","description":{"summary":"Reads the status of one order."},` +
		`"input":{"schema":{"type":"object"},"sessionParameters":[{"name":"tenant","source":"session.tenant","schema":{"type":"string"}},` +
		`{"name":"user","source":"session.user","optional":true,"schema":{"type":"integer","minimum":1}}],"writer":"Declared"},` +
		`"output":{"reader":"IgnoreUnknown"}}`
	if diff := cmp.Diff(want, c.Canonical().JSON()); diff != "" {
		t.Error(diff)
	}
}

// Digests are recorded in revisions, on other machines and by other versions
// of this program: these two must never change.
func TestDigestsNeverChange(t *testing.T) {
	t.Parallel()
	const (
		wantMinimal = "sha256:b282940fab8e9ec122731eb16f5769cf1f241fced53f2bcb97877066c0dad30e"
		wantFull    = "sha256:c4defb228ed93fae8f275dc1e45587f3fa6a057047b5fb483ef23d082ddb8a0d"
	)
	if got := minimal(t).Digest(); got != wantMinimal {
		t.Errorf("the digest of a minimal content is %s, and was %s", got, wantMinimal)
	}
	if got := full(t).Digest(); got != wantFull {
		t.Errorf("the digest of a full content is %s, and was %s", got, wantFull)
	}
}

func TestEveryFieldChangesTheDigest(t *testing.T) {
	t.Parallel()
	changes := map[string]func(*Content){
		"toolName":                   func(c *Content) { c.ToolName = "x" },
		"title":                      func(c *Content) { c.Title = "x" },
		"description.summary":        func(c *Content) { c.Description.Summary = "x" },
		"description.useWhen":        func(c *Content) { c.Description.UseWhen = "x" },
		"description.doNotUseWhen":   func(c *Content) { c.Description.DoNotUseWhen = "x" },
		"description.returns":        func(c *Content) { c.Description.Returns = "x" },
		"description.sideEffects":    func(c *Content) { c.Description.SideEffects = "x" },
		"description.failures":       func(c *Content) { c.Description.Failures = "x" },
		"input.schema":               func(c *Content) { c.Input.Schema = schematest.Schema(t, `{"type":"object","title":"x"}`) },
		"input.examples, one fewer":  func(c *Content) { c.Input.Examples = c.Input.Examples[:1] },
		"input.examples, the order":  func(c *Content) { c.Input.Examples = []*schema.Value{c.Input.Examples[1], c.Input.Examples[0]} },
		"output.schema":              func(c *Content) { c.Output.Schema = schematest.Schema(t, `{"type":"integer"}`) },
		"output.schema, absent":      func(c *Content) { c.Output.Schema = nil },
		"output.errors.code":         func(c *Content) { c.Output.Errors[0].Code = "X" },
		"output.errors.category":     func(c *Content) { c.Output.Errors[0].Category = "X" },
		"output.errors.recovery":     func(c *Content) { c.Output.Errors[0].Recovery = "X" },
		"output.errors.safeMessage":  func(c *Content) { c.Output.Errors[0].SafeMessage = "X" },
		"output.errors, absent":      func(c *Content) { c.Output.Errors = nil },
		"execution.location":         func(c *Content) { c.Execution.Location = "x" },
		"execution.credentials":      func(c *Content) { c.Execution.Credentials = "x" },
		"execution.authorization":    func(c *Content) { c.Execution.Authorization = "x" },
		"execution.sideEffect":       func(c *Content) { c.Execution.SideEffect = "x" },
		"execution.reach":            func(c *Content) { c.Execution.Reach = "x" },
		"execution.risk":             func(c *Content) { c.Execution.Risk = "x" },
		"execution.timeoutSeconds":   func(c *Content) { c.Execution.TimeoutSeconds = new(int32(11)) },
		"execution.timeout, absent":  func(c *Content) { c.Execution.TimeoutSeconds = nil },
		"execution.retry.max":        func(c *Content) { c.Execution.Retry.MaxAttempts = 3 },
		"execution.retry.backoff":    func(c *Content) { c.Execution.Retry.BackoffSeconds = new(int32(0)) },
		"execution.backoff, absent":  func(c *Content) { c.Execution.Retry.BackoffSeconds = nil },
		"execution.retry, absent":    func(c *Content) { c.Execution.Retry = nil },
		"execution.approval":         func(c *Content) { c.Execution.Approval = "x" },
		"execution.idempotency.mode": func(c *Content) { c.Execution.IdempotencyMode = "x" },
		"execution.idempotency.key":  func(c *Content) { c.Execution.IdempotencyKey = "x" },
		"execution.data":             func(c *Content) { c.Execution.DataClassification = "x" },
		"input.writer":               func(c *Content) { c.Input.Writer = WriterDeclared },
		"output.reader":              func(c *Content) { c.Output.Reader = ReaderIgnoreUnknown },
		"input.sessionParameters":    func(c *Content) { c.Input.SessionParameters = session(t, true) },
		"…, one fewer":               func(c *Content) { c.Input.SessionParameters = session(t, true)[:1] },
		"…, none optional":           func(c *Content) { c.Input.SessionParameters = session(t, false) },
		"…, another name": func(c *Content) {
			c.Input.SessionParameters = session(t, true)
			c.Input.SessionParameters[0].Name = "x"
		},
		"…, another source": func(c *Content) {
			c.Input.SessionParameters = session(t, true)
			c.Input.SessionParameters[0].Source = "session.x"
		},
		"…, another schema": func(c *Content) {
			c.Input.SessionParameters = session(t, true)
			c.Input.SessionParameters[0].Schema = schematest.Schema(t, `{}`)
		},
	}
	seen := map[string]string{full(t).Digest(): "the original"}
	for name, change := range changes {
		c := full(t)
		change(c)
		if other, taken := seen[c.Digest()]; taken {
			t.Errorf("%s has the digest of %s", name, other)
		}
		seen[c.Digest()] = name
		if full(t).SameMeaning(c) {
			t.Errorf("a change of %s keeps the meaning", name)
		}
	}
}

func TestTheVersionChangesTheDigestAndNotTheMeaning(t *testing.T) {
	t.Parallel()
	older, newer := full(t), full(t)
	newer.Version = version(t, "1.1.0")
	if older.Digest() == newer.Digest() {
		t.Error("two versions have one digest")
	}
	if !older.SameMeaning(newer) || !newer.SameMeaning(older) {
		t.Error("the version alone is no change of meaning")
	}
}

func TestTheWayASchemaIsWrittenIsNoContent(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		a, b string
		same bool
	}{
		"the order of keywords": {
			`{"type":"object","required":["a"],"properties":{"a":{"minLength":1,"type":"string"}}}`,
			`{"properties":{"a":{"type":"string","minLength":1}},"required":["a"],"type":"object"}`,
			true,
		},
		"white space and the spelling of numbers and characters": {
			`{"maximum": 1.0e2, "title": "\u9000"}`,
			`{"maximum":100,"title":"退"}`,
			true,
		},
		"the order of properties": {
			`{"properties":{"a":{},"b":{}}}`,
			`{"properties":{"b":{},"a":{}}}`,
			false,
		},
		"the order of an enum": {`{"enum":["a","b"]}`, `{"enum":["b","a"]}`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b := minimal(t), minimal(t)
			a.Input.Schema, b.Input.Schema = schematest.Schema(t, test.a), schematest.Schema(t, test.b)
			if got := a.Digest() == b.Digest(); got != test.same {
				t.Errorf("one digest: %t, want %t", got, test.same)
			}
			if got := a.SameMeaning(b); got != test.same {
				t.Errorf("one meaning: %t, want %t", got, test.same)
			}
		})
	}
}
