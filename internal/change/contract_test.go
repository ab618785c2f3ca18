// SPDX-License-Identifier: Apache-2.0

package change

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

// edit changes one field of a content.
type edit func(*contract.Content)

func execution(e contract.Execution) edit { return func(c *contract.Content) { c.Execution = e } }

func errors(list ...contract.OutputError) edit {
	return func(c *contract.Content) { c.Output.Errors = list }
}

func TestFieldsOutsideTheSchemas(t *testing.T) {
	t.Parallel()
	notFound := contract.OutputError{Code: "NOT_FOUND", Category: "NotFound", Recovery: "AskUser"}
	busy := contract.OutputError{Code: "BUSY", Category: "RateLimited", Recovery: "RetryLater"}
	with := func(e contract.OutputError, change func(*contract.OutputError)) contract.OutputError {
		change(&e)
		return e
	}
	for _, c := range []struct {
		name     string
		old, new edit
		want     said
	}{
		{"another tool name", nil, func(c *contract.Content) { c.ToolName = "x" }, said{"tool-name", "/spec/toolName", contract.Major, Declared}},
		{"another type", nil, func(c *contract.Content) { c.Type = "Agent" }, said{"tool-type", "/spec/type", contract.Major, Declared}},
		{"the usual type, spelled out", nil, func(c *contract.Content) { c.Type = contract.Function }, said{}},
		{"another title", nil, func(c *contract.Content) { c.Title = "x" }, said{"title", "/spec/title", contract.Patch, Declared}},
		{"another description", nil, func(c *contract.Content) { c.Description.Returns = "x" }, said{"description", "/spec/description", contract.Patch, Declared}},
		{
			"other examples", nil, func(c *contract.Content) { c.Input.Examples = []*schema.Value{schema.NewInt(1)} },
			said{"input-examples", "/spec/input/examples", contract.Patch, Declared},
		},

		{"another location", execution(contract.Execution{Location: "Application"}), execution(contract.Execution{Location: "Client"}), said{"location", "/spec/execution/location", contract.Major, Declared}},
		{"other credentials", nil, execution(contract.Execution{Credentials: "user"}), said{"credentials", "/spec/execution/credentials", contract.Major, Declared}},
		{"another authorization", nil, execution(contract.Execution{Authorization: "policy"}), said{"authorization", "/spec/execution/authorization", contract.Major, Declared}},
		{"more side effect", execution(contract.Execution{SideEffect: "None"}), execution(contract.Execution{SideEffect: "Draft"}), said{"side-effect", "/spec/execution/sideEffect", contract.Major, Declared}},
		{"less side effect", execution(contract.Execution{SideEffect: "Draft"}), execution(contract.Execution{SideEffect: "None"}), said{"side-effect", "/spec/execution/sideEffect", contract.Major, Declared}},
		{"another reach", nil, execution(contract.Execution{Reach: "Open"}), said{"reach", "/spec/execution/reach", contract.Major, Declared}},
		{"more risk", execution(contract.Execution{Risk: "Low"}), execution(contract.Execution{Risk: "High"}), said{"risk", "/spec/execution/risk", contract.Major, Declared}},
		{"less risk", execution(contract.Execution{Risk: "High"}), execution(contract.Execution{Risk: "Low"}), said{"risk", "/spec/execution/risk", contract.Major, Declared}},
		{"a shorter timeout", execution(contract.Execution{TimeoutSeconds: new(int32(10))}), execution(contract.Execution{TimeoutSeconds: new(int32(5))}), said{"timeout", "/spec/execution/timeoutSeconds", contract.Major, Declared}},
		{"a longer timeout", execution(contract.Execution{TimeoutSeconds: new(int32(5))}), execution(contract.Execution{TimeoutSeconds: new(int32(10))}), said{"timeout", "/spec/execution/timeoutSeconds", contract.Minor, Declared}},
		{"a first timeout", nil, execution(contract.Execution{TimeoutSeconds: new(int32(10))}), said{"timeout", "/spec/execution/timeoutSeconds", contract.Major, Declared}},
		{"no timeout any more", execution(contract.Execution{TimeoutSeconds: new(int32(10))}), nil, said{"timeout", "/spec/execution/timeoutSeconds", contract.Major, Declared}},
		{"approval", nil, execution(contract.Execution{Approval: "Required"}), said{"approval", "/spec/execution/approval", contract.Major, Declared}},
		{"no approval any more", execution(contract.Execution{Approval: "Required"}), execution(contract.Execution{Approval: "None"}), said{"approval", "/spec/execution/approval", contract.Minor, Declared}},
		{"no approval, spelled out", nil, execution(contract.Execution{Approval: "None"}), said{"approval", "/spec/execution/approval", contract.Patch, Declared}},
		{
			"data classified higher", execution(contract.Execution{DataClassification: "Public"}), execution(contract.Execution{DataClassification: "Internal"}),
			said{"data-classification", "/spec/execution/dataClassification", contract.Major, Declared},
		},
		{
			"data classified lower", execution(contract.Execution{DataClassification: "Restricted"}), execution(contract.Execution{DataClassification: "Internal"}),
			said{"data-classification", "/spec/execution/dataClassification", contract.Major, Declared},
		},

		{"more attempts at what is not idempotent", nil, execution(contract.Execution{Retry: &contract.Retry{MaxAttempts: 3}}), said{"retry", "/spec/execution/retry", contract.Major, Declared}},
		{
			"more attempts at what is idempotent",
			execution(contract.Execution{IdempotencyMode: "Idempotent", Retry: &contract.Retry{MaxAttempts: 2}}),
			execution(contract.Execution{IdempotencyMode: "Idempotent", Retry: &contract.Retry{MaxAttempts: 3}}),
			said{"retry", "/spec/execution/retry", contract.Patch, Declared},
		},
		{
			"more attempts at what changes nothing",
			execution(contract.Execution{SideEffect: "None"}), execution(contract.Execution{SideEffect: "None", Retry: &contract.Retry{MaxAttempts: 3}}),
			said{"retry", "/spec/execution/retry", contract.Patch, Declared},
		},
		{"fewer attempts", execution(contract.Execution{Retry: &contract.Retry{MaxAttempts: 3}}), nil, said{"retry", "/spec/execution/retry", contract.Minor, Declared}},
		{"one attempt, spelled out", nil, execution(contract.Execution{Retry: &contract.Retry{MaxAttempts: 1}}), said{"retry", "/spec/execution/retry", contract.Patch, Declared}},
		{
			"another wait",
			execution(contract.Execution{Retry: &contract.Retry{MaxAttempts: 2}}), execution(contract.Execution{Retry: &contract.Retry{MaxAttempts: 2, BackoffSeconds: new(int32(1))}}),
			said{"retry", "/spec/execution/retry", contract.Patch, Declared},
		},

		{"idempotent now", nil, execution(contract.Execution{IdempotencyMode: "Idempotent"}), said{"idempotency", "/spec/execution/idempotency", contract.Minor, Declared}},
		{"not idempotent any more", execution(contract.Execution{IdempotencyMode: "Idempotent"}), execution(contract.Execution{IdempotencyMode: "None"}), said{"idempotency", "/spec/execution/idempotency", contract.Major, Declared}},
		{"not idempotent, spelled out", nil, execution(contract.Execution{IdempotencyMode: "None"}), said{"idempotency", "/spec/execution/idempotency", contract.Patch, Declared}},
		{
			"a key is demanded", execution(contract.Execution{IdempotencyMode: "Idempotent"}), execution(contract.Execution{IdempotencyMode: "Key", IdempotencyKey: "k"}),
			said{"idempotency", "/spec/execution/idempotency", contract.Major, Declared},
		},
		{
			"no key is needed any more", execution(contract.Execution{IdempotencyMode: "Key", IdempotencyKey: "k"}), execution(contract.Execution{IdempotencyMode: "Idempotent"}),
			said{"idempotency", "/spec/execution/idempotency", contract.Minor, Declared},
		},
		{
			"another key", execution(contract.Execution{IdempotencyMode: "Key", IdempotencyKey: "k"}), execution(contract.Execution{IdempotencyMode: "Key", IdempotencyKey: "l"}),
			said{"idempotency", "/spec/execution/idempotency/keyParameter", contract.Major, Declared},
		},

		{
			"a code of a familiar kind", errors(notFound), errors(notFound, with(notFound, func(e *contract.OutputError) { e.Code = "GONE" })),
			said{"error-added", "/spec/output/errors/1", contract.Minor, Declared},
		},
		{"a code of a new kind", errors(notFound), errors(busy, notFound), said{"error-added", "/spec/output/errors/0", contract.Major, Declared}},
		{"a first code", nil, errors(notFound), said{"error-added", "/spec/output/errors/0", contract.Major, Declared}},
		{"a code less", errors(notFound, busy), errors(busy), said{"error-removed", "/spec/output/errors/0", contract.Major, Declared}},
		{
			"another category", errors(notFound), errors(with(notFound, func(e *contract.OutputError) { e.Category = "Internal" })),
			said{"error-category", "/spec/output/errors/0/category", contract.Major, Declared},
		},
		{
			"no retry any more", errors(busy), errors(with(busy, func(e *contract.OutputError) { e.Recovery = "" })),
			said{"error-recovery", "/spec/output/errors/0/recovery", contract.Major, Declared},
		},
		{
			"a retry now, of what a retry repeats", errors(notFound), errors(with(notFound, func(e *contract.OutputError) { e.Recovery = "RetryLater" })),
			said{"error-recovery", "/spec/output/errors/0/recovery", contract.Major, Declared},
		},
		{
			"a retry now, of what a retry does not repeat", repeated(errors(notFound)),
			repeated(errors(with(notFound, func(e *contract.OutputError) { e.Recovery = "RetryLater" }))),
			said{"error-recovery", "/spec/output/errors/0/recovery", contract.Minor, Declared},
		},
		{
			"another message", errors(notFound), errors(with(notFound, func(e *contract.OutputError) { e.SafeMessage = "x" })),
			said{"error-text", "/spec/output/errors/0/safeMessage", contract.Patch, Declared},
		},
		{
			"no recovery, spelled out", errors(contract.OutputError{Code: "A", Category: "Internal"}), errors(contract.OutputError{Code: "A", Category: "Internal", Recovery: "None"}),
			said{"error-order", "/spec/output/errors", contract.Patch, Declared},
		},
		{"another order of codes", errors(notFound, busy), errors(busy, notFound), said{"error-order", "/spec/output/errors", contract.Patch, Declared}},
	} {
		r := compareEdited(t, c.old, c.new)
		want := []said{c.want}
		if c.want.Rule == "" {
			want = nil
		}
		if diff := cmp.Diff(want, allSaid(r)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if r.Required != c.want.Bump {
			t.Errorf("%s: required %s", c.name, r.Required)
		}
	}
}

func TestWeakenedApprovalIsAWarningEvenWhereTheVersionSuffices(t *testing.T) {
	t.Parallel()
	r := compareEdited(t, execution(contract.Execution{Approval: "Required"}), nil)
	if f := one(t, r); f.Severity != "Warning" || !r.Sufficient() {
		t.Errorf("%s, sufficient %v", f.Severity, r.Sufficient())
	}
}

func TestEveryFieldOfAContentIsJudged(t *testing.T) {
	t.Parallel()
	full := content(t, "1.0.0")
	full.Title, full.Type = "t", "Agent"
	full.Description = contract.Description{Summary: "a", UseWhen: "b", DoNotUseWhen: "c", Returns: "d", SideEffects: "e", Failures: "f"}
	full.Input = contract.Input{
		Schema: schemaOf(t, `{"type":"object"}`), Examples: []*schema.Value{schema.NewObject()}, Writer: contract.WriterDeclared,
		SessionParameters: []contract.SessionParameter{{Name: "p", Source: "s", Optional: true, Schema: schemaOf(t, `true`)}},
	}
	full.Output = contract.Output{
		Schema: schemaOf(t, `{"type":"object"}`), Reader: contract.ReaderIgnoreUnknown,
		Errors: []contract.OutputError{{Code: "A", Category: "b", Recovery: "c", SafeMessage: "d"}},
	}
	full.Execution = contract.Execution{
		Location: "a", Credentials: "b", Authorization: "c", SideEffect: "d", Reach: "e", Risk: "f", TimeoutSeconds: new(int32(1)),
		Retry: &contract.Retry{MaxAttempts: 1, BackoffSeconds: new(int32(1))}, Approval: "g", IdempotencyMode: "h", IdempotencyKey: "i", DataClassification: "j",
	}
	c := comparison{old: content(t, "1.0.0"), new: full, ledger: newLedger(content(t, "1.0.0"), full)}
	c.tool()
	c.input()
	c.output()
	c.execution()
	if diff := cmp.Diff("{}", c.ledger.new.JSON()); diff != "" {
		t.Errorf("fields without a rule (-want +got):\n%s", diff)
	}
}

func TestAFieldThatNoRuleKnowsIsMajor(t *testing.T) {
	t.Parallel()
	value := func(text string) *schema.Value {
		v, failed := schema.Parse([]byte(text))
		if failed != nil {
			t.Fatal(failed.Message)
		}
		return v
	}
	c := comparison{old: content(t, "1.4.2"), new: content(t, "1.5.0"), ledger: &ledger{
		old: value(`{"input":{"later":"A"},"same":1}`),
		new: value(`{"input":{"later":"B"},"same":1,"output":{"limits":{"maxBytes":1}}}`),
	}}
	c.unjudged()
	want := []said{
		{"unknown-field", "/spec/input/later", contract.Major, Declared},
		{"unknown-field", "/spec/output", contract.Major, Declared},
	}
	if diff := cmp.Diff(want, allSaid(Report{Findings: c.findings})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAcknowledgementsLowerOnlyWhatNobodyCanProve(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, "Input",
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string","default":"x"},"c":{"type":"string","pattern":"^(a|b)*a(a|b){14}$"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"integer","maximum":9},"b":{"type":"string","default":"y"},"c":{"type":"string","pattern":"^(b|a)*a(b|a){14}$"}},"additionalProperties":false}`)
	refuted := Acknowledgement{"1.5.0", "input-range", "/properties/a", "we looked"}
	declared := Acknowledgement{"1.5.0", "input-default", "/properties/b", "it was y all along"}
	unknown := Acknowledgement{"1.5.0", "input-pattern", "/properties/c", "the same language"}
	const a, b, c = "/properties/a", "/properties/b", "/properties/c"
	for _, test := range []struct {
		name string
		acks []Acknowledgement
		want []said
		used []Acknowledgement
	}{
		{
			"everything that matches",
			[]Acknowledgement{refuted, unknown, declared},
			[]said{
				{"input-range", a, contract.Major, Refuted},
				{"input-default", b, contract.Minor, Declared},
				{"input-pattern", c, contract.Minor, Unknown},
				{RuleUnusedAcknowledgement, "/spec/acknowledge/0", contract.None, Declared},
			},
			[]Acknowledgement{unknown, declared},
		},
		{
			"another version, rule or path",
			[]Acknowledgement{
				{"1.6.0", "input-default", b, "r"}, {"1.5.0", "input-pattern", b, "r"}, {"1.5.0", "input-default", "/properties", "r"},
			},
			[]said{
				{"input-range", a, contract.Major, Refuted},
				{"input-default", b, contract.Major, Declared},
				{"input-pattern", c, contract.Major, Unknown},
				{RuleUnusedAcknowledgement, "/spec/acknowledge/1", contract.None, Declared},
				{RuleUnusedAcknowledgement, "/spec/acknowledge/2", contract.None, Declared},
			},
			nil,
		},
	} {
		report := compare(old, next)
		lowered, used := report.Acknowledge(next.Version, test.acks)
		if diff := cmp.Diff(test.want, allSaid(lowered)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(test.used, used); diff != "" {
			t.Errorf("%s: used (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(compare(old, next), report, cmp.Comparer((*schema.Value).Equal)); diff != "" {
			t.Errorf("%s: the report itself changed:\n%s", test.name, diff)
		}
	}
}

func TestAnAcknowledgedReportIsSufficientWhereNothingElseIsMajor(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, "Input", `{"properties":{"b":{"default":"x"}}}`, `{"properties":{"b":{"default":"y"}}}`)
	report := compare(old, next)
	lowered, _ := report.Acknowledge(next.Version, []Acknowledgement{{"1.5.0", "input-default", "/properties/b", "it was y all along"}})
	if report.Sufficient() || !lowered.Sufficient() || lowered.Required != contract.Minor {
		t.Errorf("before %v, after %v, required %s", report.Sufficient(), lowered.Sufficient(), lowered.Required)
	}
	want := `default "x" → "y" needs major: a call that leaves the value out means something else now. Declared bump: minor (1.5.0) (acknowledged: it was y all along)`
	if diff := cmp.Diff(want, one(t, lowered).Message); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// repeated is an edit of a contract whose calls can be made again.
func repeated(e edit) edit {
	return func(c *contract.Content) {
		e(c)
		c.Execution.IdempotencyMode = "Idempotent"
	}
}
