// SPDX-License-Identifier: Apache-2.0

package host_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/pkg/host"
)

// listShipments uses all that an output can say.
const listShipments = `
version: 1.0.0
toolName: list_shipments
description: {summary: Lists the shipments of an order.}
input:
  schemaText: |
    {"type":"object","properties":{"order_ref":{"type":"string"},"cursor":{"type":["string","null"]}},
     "required":["order_ref"],"additionalProperties":false}
  sessionParameters:
  - {name: tenant, source: session.tenant, schema: {type: string}}
output:
  schemaText: |
    {"type":"object","properties":{"order_ref":{"type":"string"},
     "shipments":{"type":"array","items":{"$ref":"#/$defs/shipment"}},"next":{"type":["string","null"]}},
     "required":["order_ref","shipments","next"],
     "$defs":{"shipment":{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"}},"required":["id"]}}}
  errors:
  - {code: ORDER_NOT_FOUND, category: NotFound, recovery: AskUser, safeMessage: There is no such order.}
  - {code: CARRIER_BUSY, category: Unavailable, recovery: RetryLater, retryAfterMs: 2000}
  - {code: CARRIER_DOWN, category: Unavailable, recovery: RetryLater}
  limits: {maxBytes: 400, maxDepth: 4, maxItems: 3}
  truncation: Marked
  pagination: {mode: Cursor, input: /cursor, output: /next, items: /shipments}
  freshness: {maxAgeSeconds: 60, cache: Session}
  provenance: {source: shipping-service, trust: UntrustedData}
  bindings: [{output: /order_ref, input: /order_ref}]
execution: {location: Application, sideEffect: None, idempotency: {mode: Idempotent}}
targets:
- {profile: mcp-2025-11-25}
`

const withoutOutput = `
version: 1.0.0
toolName: touch
description: {summary: Touches a thing.}
input: {schema: {type: object, additionalProperties: false}}
execution: {sideEffect: Irreversible, idempotency: {mode: None}}
targets:
- {profile: mcp-2025-11-25}
`

func spec(t testing.TB, text string) *v1alpha1.ToolContractSpec {
	t.Helper()
	var parsed v1alpha1.ToolContractSpec
	if err := yaml.UnmarshalStrict([]byte(text), &parsed); err != nil {
		t.Fatal(err)
	}
	return &parsed
}

func shipments(t testing.TB) *host.Tool { return load(t, published(t, listShipments)) }

// observed is an answer of which nothing but the data matters.
func observed(data string) host.Answer {
	return host.Answer{Data: []byte(data), Provenance: host.Provenance{ProducerRevision: "3.1.0", ObservedAt: noon.Add(-30 * time.Second)}}
}

// envelopeView is what the tests look at.
type envelopeView struct {
	Status    string
	Data      json.RawMessage
	Error     *struct{ Code, Category, Recovery string }
	Execution struct {
		Outcome, Delivery   string
		Complete, Truncated bool
	}
}

func read(t testing.TB, text []byte) (v envelopeView) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

var call = []byte(`{"order_ref":"ord_1"}`)

func TestAnswersAreHeldToTheirContract(t *testing.T) {
	t.Parallel()
	tool := shipments(t)
	items := func(n int, note string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"id":"s%d","note":%q}`, i, note)
		}
		return `{"order_ref":"ord_1","shipments":[` + strings.Join(list, ",") + `],"next":null}`
	}
	cases := map[string]struct {
		answer        host.Answer
		code, pointer string
		want          string
	}{
		"data that the schema does not declare": {observed(`{"order_ref":"ord_1","shipments":[],"next":null,"cost":1}`), "RESULT_INVALID", "", `"cost" is not allowed`},
		"the same in an item":                   {observed(`{"order_ref":"ord_1","shipments":[{"id":"s1","cost":1}],"next":null}`), "RESULT_INVALID", "/shipments/0", `"cost" is not allowed`},
		"data that lacks a member":              {observed(`{"order_ref":"ord_1","shipments":[]}`), "RESULT_INVALID", "", `"next" is missing`},
		"no data":                               {observed(``), "RESULT_INVALID", "", "it is null, not object"},
		"data that is no JSON":                  {observed(`{`), "RESULT_INVALID", "", "ends too early"},
		"the answer to another call":            {observed(`{"order_ref":"ord_2","shipments":[],"next":null}`), "RESULT_INVALID", "/order_ref", "differs from the argument /order_ref"},
		"data that is too deep":                 {observed(`{"order_ref":"ord_1","shipments":[{"id":"s1","note":[[[1]]]}],"next":null}`), "RESULT_TOO_LARGE", "/shipments/0/note/0", "nest deeper than the 4 levels"},
		"a text that cannot be cut":             {observed(`{"order_ref":"ord_1","shipments":[],"next":"` + strings.Repeat("a", 400) + `"}`), "RESULT_TOO_LARGE", "", "more than the 400 of output.limits.maxBytes"},
		"no time":                               {host.Answer{Data: []byte(items(1, "")), Provenance: host.Provenance{ProducerRevision: "3"}}, "RESULT_INVALID", "/provenance/observed_at", "it is null, not string"},
		"no producer":                           {host.Answer{Data: []byte(items(1, "")), Provenance: host.Provenance{ObservedAt: noon}}, "RESULT_INVALID", "/provenance/producer_revision", "it is null, not string"},
		"old data":                              {host.Answer{Data: []byte(items(1, "")), Provenance: host.Provenance{ProducerRevision: "3", ObservedAt: noon.Add(-time.Hour)}}, "RESULT_STALE", "", "its data is 1h0m0s old, more than the 1m0s"},
		"data of tomorrow":                      {host.Answer{Data: []byte(items(1, "")), Provenance: host.Provenance{ProducerRevision: "3", ObservedAt: noon.Add(time.Hour)}}, "RESULT_INVALID", "", "was observed 1h0m0s from now"},
		"a delivery that there is not":          {host.Answer{Data: []byte(items(1, "")), Delivery: "lost", Provenance: observed("").Provenance}, "RESULT_INVALID", "/execution/delivery", "not one of the values of enum"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tool.Succeed(call, c.answer, noon)
			var invalid *host.InvalidError
			if !errors.As(err, &invalid) || invalid.Code != c.code || invalid.Problems[0].Pointer != c.pointer || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %+v", err)
			}
			text, err := tool.Refuse(invalid)
			if err != nil {
				t.Fatal(err)
			}
			if v := read(t, text); v.Status != "failed" || v.Error.Code != c.code || v.Execution.Outcome != "completed" {
				t.Errorf("the model is told %s", text)
			}
		})
	}
}

func TestWhatIsCutIsMarked(t *testing.T) {
	t.Parallel()
	tool := shipments(t)
	note := strings.Repeat("n", 180)
	cases := map[string]struct {
		in, want            string
		complete, truncated bool
	}{
		"all of it":             {`{"order_ref":"ord_1","shipments":[{"id":"1"}],"next":null}`, `{"order_ref":"ord_1","shipments":[{"id":"1"}],"next":null}`, true, false},
		"a page of several":     {`{"order_ref":"ord_1","shipments":[{"id":"1"}],"next":"b"}`, `{"order_ref":"ord_1","shipments":[{"id":"1"}],"next":"b"}`, false, false},
		"a list that is cut":    {`{"order_ref":"ord_1","shipments":[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"}],"next":null}`, `{"order_ref":"ord_1","shipments":[{"id":"1"},{"id":"2"},{"id":"3"}],"next":null}`, false, true},
		"entries that are long": {`{"order_ref":"ord_1","shipments":[{"id":"1","note":"` + note + `"},{"id":"2","note":"` + note + `"},{"id":"3"}],"next":null}`, `{"order_ref":"ord_1","shipments":[{"id":"1","note":"` + note + `"}],"next":null}`, false, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := tool.Succeed(call, observed(c.in), noon)
			if err != nil {
				t.Fatal(err)
			}
			v := read(t, text)
			if diff := cmp.Diff(c.want, string(v.Data)); diff != "" || v.Execution.Complete != c.complete || v.Execution.Truncated != c.truncated {
				t.Errorf("got %s\n%s", text, diff)
			}
			if err := tool.ValidateEnvelope(call, text, noon); err != nil {
				t.Errorf("its own envelope is refused: %v", err)
			}
		})
	}
	// The same answer is a failure where the contract says nothing of cutting.
	never := load(t, published(t, strings.ReplaceAll(listShipments, "truncation: Marked", "truncation: Never")))
	_, err := never.Succeed(call, observed(cases["a list that is cut"].in), noon)
	if invalid, ok := errors.AsType[*host.InvalidError](err); !ok || invalid.Code != host.CodeResultTooLarge || invalid.Problems[0].Pointer != "/shipments" {
		t.Errorf("got %v", err)
	}
}

func TestAnEnvelopeThatContradictsItsDataIsRefused(t *testing.T) {
	t.Parallel()
	tool := shipments(t)
	good, err := tool.Succeed(call, observed(`{"order_ref":"ord_1","shipments":[],"next":"b"}`), noon)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		call, text []byte
		now        time.Time
		want       string
	}{
		"complete, with a next page":   {call, []byte(strings.Replace(string(good), `"complete":false`, `"complete":true`, 1)), noon, "/execution/complete: it is true, and the next page at /data/next says otherwise"},
		"incomplete, without one":      {call, []byte(strings.Replace(string(good), `"next":"b"`, `"next":null`, 1)), noon, "/execution/complete: it is false"},
		"the answer to another call":   {[]byte(`{"order_ref":"ord_9"}`), good, noon, "/order_ref: it differs"},
		"a call that is no JSON":       {[]byte(`{`), good, noon, "the arguments are not valid"},
		"read an hour later":           {call, good, noon.Add(time.Hour), "its data is 1h0m30s old"},
		"an envelope that is no JSON":  {call, []byte(`{"status"`), noon, "the envelope is not valid"},
		"an envelope that is nothing":  {call, []byte(`null`), noon, "(root): it is null, not object"},
		"a member that comes twice":    {call, []byte(strings.Replace(string(good), `"status"`, `"error":null,"status"`, 1)), noon, "twice"},
		"an error that is a number":    {call, []byte(`{"status":"failed","error":7}`), noon, "/error: it is a number, not object"},
		"a code that nobody has":       {call, []byte(`{"status":"failed","error":{"code":"LOST"}}`), noon, `/error/code: the tool has no error "LOST"; it has ORDER_NOT_FOUND, `},
		"a code that is hostile":       {call, []byte(`{"status":"failed","error":{"code":"\u001b[2J` + strings.Repeat("x", 5_000) + `"}}`), noon, "the tool has no error"},
		"undeclared data, as it would": {call, []byte(strings.Replace(string(good), `"next":"b"`, `"next":"b","x":1`, 1)), noon, `"x" is not allowed`},
	} {
		err := tool.ValidateEnvelope(c.call, c.text, c.now)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
		check(t, err)
	}
	if err := tool.ValidateEnvelope(nil, good, noon); err != nil {
		t.Errorf("without a call: %v", err)
	}
	if err := tool.ValidateEnvelope(call, good, time.Time{}); err == nil || !strings.Contains(err.Error(), "give the time") {
		t.Errorf("without a clock: %v", err)
	}
}

func TestWhatAFailureSays(t *testing.T) {
	t.Parallel()
	tool := shipments(t)
	cases := map[string]struct {
		failure host.Failure
		want    string // of the envelope
		refused string // the problem
	}{
		"a declared code":         {host.Failure{Code: "ORDER_NOT_FOUND", Outcome: host.NotStarted}, `"error":{"code":"ORDER_NOT_FOUND","category":"not_found","recovery":"ask_user","safe_message":"There is no such order.","retry_after_ms":null},"execution":{"outcome":"not_started"`, ""},
		"a wait of the contract":  {host.Failure{Code: "CARRIER_BUSY", RetryAfter: time.Hour}, `"safe_message":"The call failed: CARRIER_BUSY.","retry_after_ms":2000`, ""},
		"a wait of this call":     {host.Failure{Code: "CARRIER_DOWN", RetryAfter: 1500 * time.Millisecond}, `"retry_after_ms":1500`, ""},
		"a wait that is not told": {host.Failure{Code: "CARRIER_DOWN"}, `"retry_after_ms":null`, ""},
		"a wait of a year":        {host.Failure{Code: "CARRIER_DOWN", RetryAfter: 365 * 24 * time.Hour}, "", "/error/retry_after_ms"},
		"a wait for nothing":      {host.Failure{Code: "ORDER_NOT_FOUND", RetryAfter: time.Second}, "", "/error/retry_after_ms"},
		"a timeout":               {host.Failure{Code: host.CodeTimeout}, `"execution":{"outcome":"unknown"`, ""},
		"an approval":             {host.Failure{Code: host.CodeApprovalRequired}, `"category":"approval","recovery":"request_approval"`, ""},
		"an approval of what ran": {host.Failure{Code: host.CodeApprovalRequired, Outcome: host.Completed}, "", "/execution/outcome"},
		"a failure from a cache":  {host.Failure{Code: "ORDER_NOT_FOUND", Delivery: host.Cached}, "", "/execution/delivery"},
		"a failure once more":     {host.Failure{Code: "ORDER_NOT_FOUND", Delivery: host.Replayed}, `"delivery":"replayed"`, ""},
		"a detail":                {host.Failure{Code: host.CodeInvalidArguments, Detail: "/a: it is\nwrong"}, `"safe_message":"/a: it is\\nwrong"`, ""},
		"a detail where none is":  {host.Failure{Code: host.CodeInternal, Detail: "secret stack"}, `"safe_message":"The call failed."`, ""},
	}
	for name, c := range cases {
		text, err := tool.Fail(c.failure)
		invalid, _ := errors.AsType[*host.InvalidError](err)
		switch {
		case c.refused == "" && (err != nil || !strings.Contains(string(text), c.want)):
			t.Errorf("%s: got %s, %v", name, text, err)
		case c.refused != "" && (invalid == nil || invalid.Problems[0].Pointer != c.refused):
			t.Errorf("%s: got %s, %v", name, text, err)
		}
	}
	if _, err := tool.Fail(host.Failure{Code: "LOST"}); !errors.Is(err, host.ErrUnknownCode) || !strings.Contains(err.Error(), "CARRIER_DOWN") {
		t.Errorf("got %v", err)
	}
}

func TestErrorsOfThisPackageBecomeEnvelopes(t *testing.T) {
	t.Parallel()
	tool := shipments(t)
	_, session := tool.Inject(call, nil)
	for name, c := range map[string]struct {
		err           error
		code, outcome string
	}{
		"arguments that are not valid": {tool.ValidateCall([]byte(`{}`)), "INVALID_ARGUMENTS", "not_started"},
		"arguments that are no JSON":   {tool.ValidateCall([]byte(`{`)), "INVALID_ARGUMENTS", "not_started"},
		"a session that lacks a value": {session, "SESSION_REQUIRED", "not_started"},
		"anything else":                {errors.New("tcp: secret host is down"), "INTERNAL_ERROR", "unknown"},
	} {
		text, err := tool.Refuse(c.err)
		if err != nil {
			t.Fatal(err)
		}
		if v := read(t, text); v.Error.Code != c.code || v.Execution.Outcome != c.outcome {
			t.Errorf("%s: got %s", name, text)
		}
		if strings.Contains(string(text), "secret") || strings.Contains(string(text), "tenant") {
			t.Errorf("%s tells the model what it must not know: %s", name, text)
		}
	}
	text, _ := tool.Refuse(tool.ValidateCall([]byte(`{}`)))
	if !strings.Contains(string(text), `the required property \"order_ref\" is missing`) {
		t.Errorf("the model cannot know what to mend: %s", text)
	}
}

func TestAToolWithoutAnOutputSchemaHasNoData(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, withoutOutput))
	text, err := tool.Succeed(nil, host.Answer{}, time.Time{})
	if v := read(t, text); err != nil || v.Status != "succeeded" || string(v.Data) != "null" {
		t.Errorf("got %s, %v", text, err)
	}
	if _, err := tool.Succeed(nil, host.Answer{Data: []byte(`{}`)}, time.Time{}); err == nil || !strings.Contains(err.Error(), "declares no output schema") {
		t.Errorf("got %v", err)
	}
}

func TestAReaderThatIgnoresGetsWhatIsDeclared(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, listOrders))
	text, err := tool.Succeed(nil, host.Answer{Data: []byte(`{"orders":[{"id":"ord_1","total":5}],"next":"abc"}`)}, time.Time{})
	if v := read(t, text); err != nil || string(v.Data) != `{"orders":[{"id":"ord_1"}]}` || v.Execution.Truncated {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestNoHostMakesTheResultOfAServersTool(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, `
version: 1.0.0
toolName: search
type: MCP
description: {summary: Searches.}
input: {schema: {type: object, properties: {q: {type: string}}, required: [q], additionalProperties: false}}
mcp: {server: {label: docs, url: "https://docs.example.com/mcp"}}
execution: {location: MCPServer, credentials: none, authorization: docs}
targets:
- {profile: openai-responses}
`))
	if tool.HostRuns() {
		t.Error("a host runs it")
	}
	_, succeed := tool.Succeed(nil, host.Answer{}, noon)
	_, fail := tool.Fail(host.Failure{Code: host.CodeInternal})
	_, audit := tool.Audit(host.Record{})
	for _, err := range []error{succeed, fail, audit, tool.ValidateEnvelope(nil, []byte(`{}`), noon)} {
		if !errors.Is(err, host.ErrProviderRuns) {
			t.Errorf("got %v", err)
		}
	}
}

func TestTheAuditRecord(t *testing.T) {
	t.Parallel()
	tool := shipments(t)
	handed, err := tool.Inject(call, map[string]any{"session.tenant": "t-secret"})
	if err != nil {
		t.Fatal(err)
	}
	answer, err := tool.Succeed(call, observed(`{"order_ref":"ord_1","shipments":[],"next":null}`), noon)
	if err != nil {
		t.Fatal(err)
	}
	whole := host.Record{
		Subject: "user-7", Provider: "openai", Profile: "openai-responses", ResponseID: "resp_1", CallID: "call_1",
		Operation: "op-1", System: "shipping-service", Receipt: "rcp-9",
		Written: call, Handed: handed, Envelope: answer, Started: noon, Finished: noon.Add(time.Second),
	}
	record, err := tool.Audit(whole)
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Operation struct{ Injected []string }
		Contract  map[string]string
		Digests   map[string]string
		Status    string
	}
	if err := json.Unmarshal(record, &v); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"tenant"}, v.Operation.Injected); diff != "" || v.Status != "succeeded" || v.Contract["content_digest"] != tool.ContentDigest() {
		t.Errorf("got %s", record)
	}
	for _, value := range []string{"t-secret", "ord_1"} {
		if strings.Contains(string(record), value) {
			t.Errorf("it holds the value %s: %s", value, record)
		}
	}
	refused, err := tool.Fail(host.Failure{Code: host.CodePermissionDenied})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*host.Record)
		want   string // of the error; empty for none
	}{
		"a call that was refused":       {func(r *host.Record) { r.Handed, r.Envelope = nil, refused }, ""},
		"a record of nobody":            {func(r *host.Record) { r.Subject = "" }, "/principal/subject"},
		"a record without an operation": {func(r *host.Record) { r.Operation = "" }, "/operation/id"},
		"an envelope of another tool": {func(r *host.Record) {
			r.Envelope = []byte(strings.ReplaceAll(string(refused), "PERMISSION_DENIED", "LOST"))
		}, "/error_code"},
		"an envelope that is none":    {func(r *host.Record) { r.Envelope = []byte(`{}`) }, "/delivery"},
		"an envelope that is no JSON": {func(r *host.Record) { r.Envelope = nil }, "the envelope"},
		"arguments that are no JSON":  {func(r *host.Record) { r.Handed = []byte(`{`) }, "the arguments are not valid"},
	} {
		r := whole
		c.change(&r)
		_, err := tool.Audit(r)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The folder of the examples of results is what the operator publishes today.
func TestTheFolderOfTheThirdExample(t *testing.T) {
	t.Parallel()
	for name, text := range published(t, listShipments) {
		golden.Check(t, "list-shipments/"+name, text)
	}
}

// An output schema at the limits of admission leaves no room for an envelope
// around it; the host needs none.
func TestALargeOutputSchemaHasEnvelopes(t *testing.T) {
	t.Parallel()
	properties := make([]string, 0, 2_000)
	for i := range 2_000 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","maxLength":9}`, i))
	}
	tool := load(t, published(t, `
version: 1.0.0
toolName: wide
description: {summary: Is wide.}
input: {schema: {type: object, additionalProperties: false}}
output: {schemaText: '{"type":"object","properties":{`+strings.Join(properties, ",")+`}}'}
targets:
- {profile: mcp-2025-06-18}
`))
	text, err := tool.Succeed(nil, host.Answer{Data: []byte(`{"p1":"a","p1999":"b"}`)}, time.Time{})
	if err != nil || tool.ValidateEnvelope(nil, text, time.Time{}) != nil {
		t.Errorf("got %s, %v", text, err)
	}
	if _, err := tool.Succeed(nil, host.Answer{Data: []byte(`{"p2000":"a"}`)}, time.Time{}); err == nil || !strings.Contains(err.Error(), `"p2000" is not allowed`) {
		t.Errorf("got %v", err)
	}
}

// What is left of a list after it was cut has to be valid as well.
func TestACutThatBreaksTheSchemaIsAFailure(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, `
version: 1.0.0
toolName: draw
description: {summary: Draws lots.}
input: {schema: {type: object, additionalProperties: false}}
output:
  schemaText: '{"type":"object","properties":{"lots":{"type":"array","items":{"type":"integer"},"minItems":3}},"required":["lots"]}'
  limits: {maxItems: 2}
  truncation: Marked
targets:
- {profile: mcp-2025-06-18}
`))
	_, err := tool.Succeed(nil, host.Answer{Data: []byte(`{"lots":[1,2,3]}`)}, time.Time{})
	if invalid, is := errors.AsType[*host.InvalidError](err); !is || invalid.Problems[0].Pointer != "/lots" {
		t.Errorf("got %v", err)
	}
}

// A tool that cuts its answers itself says so only where its contract does.
func TestAToolThatCutsItsAnswersItself(t *testing.T) {
	t.Parallel()
	answer := observed(`{"order_ref":"ord_1","shipments":[],"next":null}`)
	answer.Truncated = true
	text, err := shipments(t).Succeed(call, answer, noon)
	if v := read(t, text); err != nil || !v.Execution.Truncated || v.Execution.Complete {
		t.Errorf("got %s, %v", text, err)
	}
	_, err = load(t, published(t, tagOrder)).Succeed(nil, host.Answer{Data: []byte(`{"tagged":1}`), Truncated: true}, noon)
	if err == nil || !strings.Contains(err.Error(), "/execution/") {
		t.Errorf("got %v", err)
	}
}

// Where no place of the next page is named, the program says that there is one.
func TestPagesWithoutACursor(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, `
version: 1.0.0
toolName: list_pages
description: {summary: Lists pages.}
input: {schemaText: '{"type":"object","properties":{"page":{"type":"integer"}},"additionalProperties":false}'}
output:
  schemaText: '{"type":"object","properties":{"rows":{"type":"array","items":{"type":"integer"}}},"required":["rows"]}'
  pagination: {mode: Page, input: /page, items: /rows, maxPageSize: 10}
targets:
- {profile: mcp-2025-06-18}
`))
	for _, more := range []bool{false, true} {
		text, err := tool.Succeed(nil, host.Answer{Data: []byte(`{"rows":[1]}`), More: more}, time.Time{})
		if v := read(t, text); err != nil || v.Execution.Complete == more || v.Execution.Truncated {
			t.Errorf("got %s, %v", text, err)
		}
	}
}

// A contract may give a code of the platform its own text; what the code means
// depends, as without that, on whether a call may be repeated.
func TestAPlatformCodeWithATextOfTheContract(t *testing.T) {
	t.Parallel()
	timeout := "  - {code: TIMEOUT, category: Timeout, recovery: RetryLater, safeMessage: The carrier is slow. Ask again.}\n"
	tool := load(t, published(t, strings.Replace(listShipments, "  errors:\n", "  errors:\n"+timeout, 1)))
	text, err := tool.Fail(host.Failure{Code: host.CodeTimeout})
	if err != nil || !strings.Contains(string(text), `"recovery":"retry_later","safe_message":"The carrier is slow. Ask again."`) {
		t.Errorf("got %s, %v", text, err)
	}
	if _, err := tool.Fail(host.Failure{Code: host.CodeTimeout, Outcome: host.Completed}); err == nil {
		t.Error("what timed out is completed")
	}
}

// A tool that the provider brings along and the client runs has no schema of its
// arguments here; what the host makes of its result is exact all the same.
func TestABuiltInToolThatTheClientRuns(t *testing.T) {
	t.Parallel()
	tool := load(t, published(t, `
version: 1.0.0
type: BuiltIn
toolName: bash
description: {summary: Runs commands in a sandbox.}
builtIn: {type: bash_20250124}
output: {schema: {type: object, properties: {stdout: {type: string}}, required: [stdout], additionalProperties: false}}
execution: {location: Client, credentials: none, authorization: sandbox}
targets:
- {profile: anthropic-messages, strict: Disabled}
`))
	if !tool.HostRuns() || tool.ValidateCall([]byte(`{"command":"ls"}`)) != nil {
		t.Error("the client does not run it")
	}
	text, err := tool.Succeed([]byte(`{"command":"ls"}`), host.Answer{Data: []byte(`{"stdout":"a"}`)}, time.Time{})
	if v := read(t, text); err != nil || v.Status != "succeeded" {
		t.Errorf("got %s, %v", text, err)
	}
}
