// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// A finding names its place in both contracts, whichever of the two questions
// found it.
func TestAPlaceThatMovedIsNamedInBothContracts(t *testing.T) {
	t.Parallel()
	inline := func(rest string) string {
		return fmt.Sprintf(`{"type":"object","properties":{"a":{"type":"object","properties":{"n":%s}}}}`, rest)
	}
	defined := func(name, rest string) string {
		return fmt.Sprintf(`{"type":"object","properties":{"a":{"$ref":"#/$defs/%[1]s"}},"$defs":{"%[1]s":{"type":"object","properties":{"n":%[2]s}}}}`, name, rest)
	}
	const wide, tight = `{"type":"integer"}`, `{"type":"integer","maximum":5}`
	const gone = `{"type":"integer","default":1}`
	for _, c := range []struct {
		name     string
		side     finding.Side
		old, new string
		rule     string
		is, was  string
	}{
		{"factored out, tighter", finding.Input, inline(wide), defined("t", tight), "input-range", "/$defs/t/properties/n", "/properties/a/properties/n"},
		{"inlined, tighter", finding.Input, defined("t", wide), inline(tight), "input-range", "/properties/a/properties/n", "/$defs/t/properties/n"},
		{"renamed, wider", finding.Input, defined("t", tight), defined("u", wide), "input-widened", "/$defs/u/properties/n", "/$defs/t/properties/n"},
		{"factored out, wider", finding.Output, inline(tight), defined("t", wide), "output-range", "/$defs/t/properties/n", "/properties/a/properties/n"},
		{"renamed, tighter", finding.Output, defined("t", wide), defined("u", tight), "output-narrowed", "/$defs/u/properties/n", "/$defs/t/properties/n"},
		{"a default that went", finding.Input, defined("t", gone), defined("u", wide), "input-default", "/$defs/u/properties/n", "/$defs/t/properties/n"},
		{"the same place", finding.Input, defined("t", wide), defined("t", tight), "input-range", "/$defs/t/properties/n", "/$defs/t/properties/n"},
	} {
		r := compare(onSide(t, c.side, c.old, c.new))
		f := r.Findings[0]
		if diff := cmp.Diff([]string{c.rule, c.is, c.was}, []string{f.Rule, f.Pointer, f.OldPointer}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if told := strings.Contains(f.Message, fmt.Sprintf("(in 1.4.2 at %q)", c.was)); told != (c.was != c.is) {
			t.Errorf("%s: %s", c.name, f.Message)
		}
	}
}

// A place that only one contract has is named as that one has it.
func TestAPlaceOfOneContractIsNamedAsItIsThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, new, want string }{
		{openA, openAB, "/properties/b"},
		{openAB, openA, "/properties/b"},
		{closedAB, closedA, "/properties/b"},
	} {
		for _, side := range []finding.Side{finding.Input, finding.Output} {
			f := compare(onSide(t, side, c.old, c.new)).Findings[0]
			if f.Pointer != c.want || f.OldPointer != c.want {
				t.Errorf("%s %s → %s: %s and %s", side, c.old, c.new, f.Pointer, f.OldPointer)
			}
		}
	}
}

// What the prover says of the closed form is told of the schema as it is written.
func TestNoFindingLeadsIntoTheClosedForm(t *testing.T) {
	t.Parallel()
	form := func(more string) string {
		return `{"type":"object","properties":{"o":{"$ref":"#/$defs/o"},"p":{"allOf":[{"$ref":"#/$defs/o"},{"properties":{"x":{}}}]}},"$defs":{"o":{"type":"object","properties":{"a":{"type":"string"}` + more + `}}}}`
	}
	old, next := onSide(t, finding.Input, form(`,"b":{"type":"integer"}`), form(`,"b":{"type":"string"}`))
	old.Input.Writer, next.Input.Writer = contract.WriterDeclared, contract.WriterDeclared
	r := compare(old, next)
	if r.Required != contract.Major {
		t.Errorf("required %s", r.Required)
	}
	for _, f := range r.Findings {
		if _, ok := next.Input.Schema.IndexAt(f.Pointer); !ok {
			t.Errorf("%s leads nowhere: %s", f.Pointer, f.Message)
		}
	}
}

// What is declared of a part that one schema says nothing else about is judged
// like any other declaration.
func TestAPlaceOfOneSchemaIsJudgedToo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, without, with string
		comes, goes         string
		bump                contract.Bump
	}{
		{"a unit of items", `{"type":"array"}`, `{"type":"array","items":{"x-unit":"ms"}}`, "unit-added", "unit", contract.Major},
		{"a default of items", `{"type":"array"}`, `{"type":"array","items":{"default":1}}`, "default-added", "default", contract.Major},
		{"access in a map", `{"type":"object"}`, `{"type":"object","additionalProperties":{"readOnly":true}}`, "access", "access", contract.Major},
		{"content by pattern", `{"type":"object"}`, `{"type":"object","patternProperties":{"^a":{"contentEncoding":"base64"}}}`, "content", "content", contract.Major},
		{"a unit by position", `{"type":"array"}`, `{"type":"array","prefixItems":[{},{"x-unit":"ms"}]}`, "unit-added", "unit", contract.Major},
		{"far below", `{"type":"array"}`, `{"type":"array","items":{"items":{"items":{"x-unit":"ms"}}}}`, "unit-added", "unit", contract.Major},
		{"deprecated items", `{"type":"array"}`, `{"type":"array","items":{"deprecated":true}}`, "deprecated", "", contract.Minor},
		{"a text with a number", `{"type":"array"}`, `{"type":"array","items":{"description":"At most 5."}}`, "text-meaning", "text-meaning", contract.Minor},
		{"a property of items", `{"type":"array"}`, `{"type":"array","items":{"properties":{"a":{}}}}`, "property-declared", "property-removed", contract.Minor},
		{"a text", `{"type":"array"}`, `{"type":"array","items":{"description":"Some."}}`, "text", "text", contract.Patch},
		{"nothing", `{"type":"array"}`, `{"type":"array","items":{}}`, "", "", contract.Patch},
	} {
		for _, side := range []finding.Side{finding.Input, finding.Output} {
			comes, goes := compare(onSide(t, side, c.without, c.with)), compare(onSide(t, side, c.with, c.without))
			has := func(r Report, rule string) bool {
				return rule == "" || strings.HasSuffix(r.Findings[0].Rule, "put-"+rule)
			}
			if comes.Required != c.bump || !has(comes, c.comes) || !has(goes, c.goes) || goes.Required < contract.Patch {
				t.Errorf("%s, %s: comes %v, goes %v", c.name, side, allSaid(comes), allSaid(goes))
			}
		}
	}
}

func TestALongExampleIsLeftOutWithAWord(t *testing.T) {
	t.Parallel()
	f := one(t, compare(onSide(t, finding.Input, `{"type":"string","minLength":600}`, `{"type":"string","minLength":700}`)))
	if f.Witness != nil || f.Proof != Refuted || !strings.Contains(f.Message, "The smallest example found is longer than 512 bytes and left out") {
		t.Errorf("%s %v: %s", f.Proof, f.Witness, f.Message)
	}
}
