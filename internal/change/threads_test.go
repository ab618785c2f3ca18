// SPDX-License-Identifier: Apache-2.0

package change

import (
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// What users of other checkers complained about in public, as schemas of our
// own, with the verdict that would have been right.
func TestWhatUsersComplainedAbout(t *testing.T) {
	t.Parallel()
	for _, r := range []row{
		// github.com/confluentinc/schema-registry issues 1458 and 1529,
		// github.com/Apicurio/apicurio-registry issues 2573 and 5355.
		{"an optional property of an open object", openA, openAB, major, minor, major, major},
		{"the same with a default", openA, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","default":0}}}`, major, minor, major, major},
		{"the same of a closed object", closedA, closedAB, minor, major, major, major},
		// github.com/confluentinc/schema-registry/issues/2671
		{
			"a property that admits less than other names", `{"type":"object","additionalProperties":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`,
			`{"type":"object","properties":{"bar":{"type":"string"}},"additionalProperties":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`,
			major, minor, major, major,
		},
		// github.com/Apicurio/apicurio-registry issues 4965 and 6330. Back again a
		// declared name is gone.
		{
			"a property of a map that says what the map says", `{"type":"object","additionalProperties":{"type":"string"}}`,
			`{"type":"object","properties":{"bar":{"type":"string"}},"additionalProperties":{"type":"string"}}`,
			patch, patch, major, major,
		},
		// github.com/Apicurio/apicurio-registry/issues/2835
		{"a type more, as an alternative", `{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"number"}]}`, minor, major, major, minor},
		{"a type more, in a list", `{"type":"string"}`, `{"type":["string","number"]}`, minor, major, major, minor},
		{"the two spellings", `{"anyOf":[{"type":"string"},{"type":"number"}]}`, `{"type":["string","number"]}`, patch, patch, patch, patch},
		// github.com/Apicurio/apicurio-registry/issues/1367
		{
			"all → any", `{"allOf":[{"type":"string","minLength":2},{"type":"string","maxLength":4}]}`,
			`{"anyOf":[{"type":"string","minLength":2},{"type":"string","maxLength":4}]}`, minor, major, major, minor,
		},
		// github.com/oasdiff/oasdiff/issues/549
		{
			"a required property with a default", closedA,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","default":0}},"required":["b"],"additionalProperties":false}`,
			major, major, major, major,
		},
		// github.com/oasdiff/oasdiff issues 610 and 314
		{"an alternative more", `{"oneOf":[{"type":"string"}]}`, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, minor, major, major, minor},
		{
			"wider inside an alternative", `{"oneOf":[{"type":"string","maxLength":3},{"type":"null"}]}`,
			`{"oneOf":[{"type":"string","maxLength":4},{"type":"null"}]}`, minor, major, major, minor,
		},
		// github.com/oasdiff/oasdiff issues 1088, 1091 and 398
		{"null beside a list", `{"enum":["a","b"]}`, `{"oneOf":[{"type":"null"},{"enum":["a","b"]}]}`, minor, major, major, minor},
		{
			"null beside a format", `{"type":"string","format":"date-time"}`, `{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}`,
			minor, major, major, minor,
		},
		// github.com/oasdiff/oasdiff/issues/601, github.com/elastic/kibana/pull/267546
		{
			"the values of a map", `{"type":"object","additionalProperties":{"type":"integer"}}`,
			`{"type":"object","additionalProperties":{"type":"string"}}`, major, major, major, major,
		},
		{"an object that closes", openA, closedA, major, minor, minor, major},
		// github.com/oasdiff/oasdiff pulls 720 and 338
		{"a pattern", `{"type":"string"}`, `{"type":"string","pattern":"^[a-z]+$"}`, major, minor, minor, major},
		{
			"a wider pattern", `{"type":"string","pattern":"^\\w+$"}`,
			`{"type":"string","pattern":"^[\\w\\s]+$"}`, minor, major, major, minor,
		},
		// github.com/stackrox/stackrox/pull/21804,
		// github.com/operator-framework/operator-controller/pull/2759
		{"a listed value more", `{"enum":["a"]}`, `{"enum":["a","b"]}`, minor, major, major, minor},
		// github.com/QuantConnect/mcp-server/issues/58, github.com/Dokploy/mcp/issues/13
		{"a field that the closed result did not have", closedA, closedAB, minor, major, major, major},
		// github.com/sbg/sevenbridges-python/issues/93, github.com/dynamoose/dynamoose/pull/287
		{"another unit, declared", `{"type":"integer","x-unit":"s"}`, `{"type":"integer","x-unit":"ms"}`, major, major, major, major},
	} {
		r.test(t)
	}
}

// github.com/confluentinc/schema-registry/pull/4269: a lenient reading was lost
// below allOf and a reference. Who writes is asked everywhere.
func TestTheWriterHoldsBelowReferences(t *testing.T) {
	t.Parallel()
	form := func(more string) string {
		return `{"type":"object","properties":{"o":{"allOf":[{"$ref":"#/$defs/o"}]}},"$defs":{"o":{"type":"object","properties":{"a":{"type":"string"}` + more + `}}}}`
	}
	old, next := onSide(t, finding.Input, form(""), form(`,"b":{"type":"integer"}`))
	if r := compare(old, next); r.Required != contract.Major {
		t.Errorf("as declared: %s %v", r.Required, allSaid(r))
	}
	old.Input.Writer, next.Input.Writer = contract.WriterDeclared, contract.WriterDeclared
	if r := compare(old, next); r.Required != contract.Minor {
		t.Errorf("declared only: %s %v", r.Required, allSaid(r))
	}
}

// github.com/confluentinc/schema-registry issues 2927 and 1490: properties
// should come and go. They may come where the writer is Declared; that one is
// gone is a loss all the same.
func TestPropertiesMayComeButNotGo(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Input, openAB, openA)
	old.Input.Writer, next.Input.Writer = contract.WriterDeclared, contract.WriterDeclared
	if r := compare(old, next); r.Required != contract.Major {
		t.Errorf("%s %v", r.Required, allSaid(r))
	}
}

// github.com/confluentinc/schema-registry issues 3779 and 1866,
// github.com/Aiven-Open/karapace/issues/1329,
// github.com/Apicurio/apicurio-registry/issues/1551: a tree that refers to itself.
func TestATreeIsComparedWithItself(t *testing.T) {
	t.Parallel()
	tree := `{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/t"}}}}}}`
	if r := compare(onSide(t, finding.Input, tree, tree)); r.Required != contract.None {
		t.Errorf("%s %v", r.Required, allSaid(r))
	}
	unrolled := `{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#"}}}}`
	if r := compare(onSide(t, finding.Output, tree, unrolled)); r.Required != contract.Patch {
		t.Errorf("%s %v", r.Required, allSaid(r))
	}
}

// github.com/kubernetes-sigs/crdify issues 66 and 15: a sentence less is no
// error, and a Minor at most.
func TestASentenceLess(t *testing.T) {
	t.Parallel()
	form := `{"type":"object","properties":{"a":{"type":"string","description":"%s"}}}`
	for text, want := range map[string]contract.Bump{"The name. It is shown to people.": patch, "The name. It must be short.": minor} {
		old, next := onSide(t, finding.Input, sprintf(form, text), sprintf(form, "The name."))
		if r := compare(old, next); r.Required != want {
			t.Errorf("%s: %s %v", text, r.Required, allSaid(r))
		}
	}
}

// github.com/yamadashy/repomix/issues/833, github.com/ArcadeAI/arcade-mcp/pull/817:
// failures are declared beside the schema of a success, and judged apart from it.
func TestFailuresAreNoPartOfTheOutputSchema(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Output, closedA, closedA)
	old.Output.Errors = []contract.OutputError{{Code: "GONE", Category: "NotFound"}}
	next.Output.Errors = []contract.OutputError{old.Output.Errors[0], {Code: "LOST", Category: "NotFound"}}
	if f := one(t, compare(old, next)); f.Rule != "error-added" || f.Bump != contract.Minor {
		t.Errorf("%s %s", f.Bump, f.Message)
	}
}

// github.com/honeybadger-io/honeybadger-mcp-server/pull/45,
// github.com/last9/last9-mcp-server/pull/176,
// github.com/Ilmar7786/marzban-sdk/issues/114: a tool or a parameter has another
// name, and clients keep the list.
func TestAnotherNameIsMajor(t *testing.T) {
	t.Parallel()
	r := compareEdited(t, nil, func(c *contract.Content) { c.ToolName = "list_orders" })
	if r.Required != contract.Major {
		t.Errorf("a tool: %s", r.Required)
	}
	r = compare(onSide(t, finding.Input, closedA, `{"type":"object","properties":{"aa":{"type":"string"}},"additionalProperties":false}`))
	if r.Required != contract.Major {
		t.Errorf("a parameter: %s", r.Required)
	}
}

// github.com/vm0-ai/vm0/issues/35539, github.com/FlowFuse/flowfuse/issues/8572: a
// call is no longer idempotent; a code got lost.
func TestALostPromiseIsMajor(t *testing.T) {
	t.Parallel()
	r := compareEdited(t, execution(contract.Execution{IdempotencyMode: "Idempotent"}), execution(contract.Execution{IdempotencyMode: "None"}))
	if r.Required != contract.Major {
		t.Errorf("idempotent: %s", r.Required)
	}
	r = compareEdited(t, errors(contract.OutputError{Code: "A", Category: "Internal"}), errors())
	if r.Required != contract.Major {
		t.Errorf("a code: %s", r.Required)
	}
}
