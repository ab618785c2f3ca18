// SPDX-License-Identifier: Apache-2.0

package change

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// content makes a small contract at a version.
func content(t testing.TB, version string) *contract.Content {
	t.Helper()
	v, err := contract.ParseVersion(version)
	if err != nil {
		t.Fatal(err)
	}
	c := &contract.Content{Version: v, ToolName: "find_orders"}
	c.Description.Summary = "Finds orders."
	return c
}

func schemaOf(t testing.TB, text string) *schema.Schema {
	t.Helper()
	s, ok := read(json.RawMessage(text))
	if !ok {
		t.Fatalf("not a schema: %s", text)
	}
	return s
}

// onSide puts two schemas on one side of two contents.
func onSide(t testing.TB, side finding.Side, old, next string) (*contract.Content, *contract.Content) {
	t.Helper()
	a, b := content(t, "1.4.2"), content(t, "1.5.0")
	if side == finding.Input {
		a.Input.Schema, b.Input.Schema = schemaOf(t, old), schemaOf(t, next)
	} else {
		a.Output.Schema, b.Output.Schema = schemaOf(t, old), schemaOf(t, next)
	}
	return a, b
}

// said is a finding without its texts.
type said struct {
	Rule    string
	Pointer string
	Bump    contract.Bump
	Proof   Proof
}

func allSaid(r Report) []said {
	var out []said
	for _, f := range r.Findings {
		out = append(out, said{f.Rule, f.Pointer, f.Bump, f.Proof})
	}
	return out
}

func one(t *testing.T, r Report) Finding {
	t.Helper()
	if len(r.Findings) != 1 {
		t.Fatalf("findings: %v", allSaid(r))
	}
	return r.Findings[0]
}

// containmentRules has, for each aspect, a schema inside another one.
var containmentRules = map[string]struct{ narrow, wide string }{
	"schema":                {`false`, `{"type":"string"}`},
	"type":                  {`{"type":"integer"}`, `{"type":"number"}`},
	"enum":                  {`{"enum":["a"]}`, `{"enum":["a","b"]}`},
	"range":                 {`{"type":"integer","maximum":100}`, `{"type":"integer","maximum":1000}`},
	"multiple-of":           {`{"type":"integer","multipleOf":6}`, `{"type":"integer","multipleOf":3}`},
	"length":                {`{"type":"string","maxLength":5}`, `{"type":"string"}`},
	"pattern":               {`{"type":"string","pattern":"^a"}`, `{"type":"string"}`},
	"format":                {`{"type":"string","format":"date"}`, `{"type":"string"}`},
	"required":              {`{"type":"object","required":["a"]}`, `{"type":"object"}`},
	"additional-properties": {`{"type":"object","additionalProperties":false}`, `{"type":"object"}`},
	"pattern-properties":    {`{"type":"object","patternProperties":{"^x-":{"type":"string"}}}`, `{"type":"object"}`},
	"property-names":        {`{"type":"object","propertyNames":{"maxLength":3}}`, `{"type":"object"}`},
	"property-count":        {`{"type":"object","maxProperties":1}`, `{"type":"object"}`},
	"dependencies":          {`{"type":"object","dependentRequired":{"a":["b"]}}`, `{"type":"object"}`},
	"items":                 {`{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":false}`},
	"item-count":            {`{"type":"array","minItems":1}`, `{"type":"array"}`},
	"unique-items":          {`{"type":"array","uniqueItems":true}`, `{"type":"array"}`},
	"contains":              {`{"type":"array","contains":{"type":"string"}}`, `{"type":"array"}`},
	"alternatives":          {`{"type":"string","anyOf":[{"minLength":3},{"pattern":"^a"}]}`, `{"type":"string","anyOf":[{"minLength":3},{"pattern":"^a"},{"pattern":"^b"}]}`},
	"negation":              {`{"type":"string","not":{"minLength":3}}`, `{"type":"string","not":{"minLength":5}}`},
	"condition":             {`{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`, `{"type":"object"}`},
	"unevaluated":           {`{"type":"object","allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"type":"object","allOf":[{"properties":{"a":true}}]}`},
}

func TestEveryContainmentRuleFiresOnBothSidesInBothDirections(t *testing.T) {
	t.Parallel()
	for _, aspect := range aspects {
		if _, ok := containmentRules[aspect]; !ok {
			t.Errorf("no example for the rule %s", aspect)
		}
	}
	for aspect, p := range containmentRules {
		for _, c := range []struct {
			side     finding.Side
			old, new string
			want     said
		}{
			{finding.Input, p.wide, p.narrow, said{"input-" + aspect, "", contract.Major, Refuted}},
			{finding.Input, p.narrow, p.wide, said{"input-widened", "", contract.Minor, Proven}},
			{finding.Output, p.narrow, p.wide, said{"output-" + aspect, "", contract.Major, Refuted}},
			{finding.Output, p.wide, p.narrow, said{"output-narrowed", "", contract.Minor, Proven}},
		} {
			r := compare(onSide(t, c.side, c.old, c.new))
			if diff := cmp.Diff([]said{c.want}, allSaid(r)); diff != "" {
				t.Errorf("%s %s → %s (-want +got):\n%s", c.side, c.old, c.new, diff)
			}
			if r.Required != c.want.Bump {
				t.Errorf("%s %s → %s: required %s", c.side, c.old, c.new, r.Required)
			}
		}
	}
}

func TestPropertiesThatComeAndGo(t *testing.T) {
	t.Parallel()
	const (
		openA    = `{"type":"object","properties":{"a":{"type":"string"}}}`
		openAB   = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`
		closedA  = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
		closedAB = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}`
		requires = `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer","default":1}},"required":["b"],"additionalProperties":false}`
		freeB    = `{"type":"object","properties":{"a":{"type":"string"},"b":{}}}`
		noB      = `{"type":"object","properties":{"a":{"type":"string"},"b":false},"additionalProperties":false}`
		listAB   = `{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}`
		byRef    = `{"type":"object","allOf":[{"$ref":"#/$defs/x"}],"properties":{"a":{"type":"string"}},"$defs":{"x":{"properties":{"b":{"type":"integer"}}}}}`
	)
	for _, c := range []struct {
		name     string
		side     finding.Side
		old, new string
		want     []said
	}{
		{"added to an open input", finding.Input, openA, openAB, []said{{"input-property-added", "/properties/b", contract.Major, Refuted}}},
		{"added to a closed input", finding.Input, closedA, closedAB, []said{{"input-widened", "/properties/b", contract.Minor, Proven}}},
		{"added to an open input without a constraint", finding.Input, openA, freeB, []said{{"input-property-declared", "/properties/b", contract.Minor, Declared}}},
		{"required, with a default, added to a closed input", finding.Input, closedA, requires, []said{
			{"input-required", "", contract.Major, Refuted}, {"input-widened", "/properties/b", contract.Minor, Proven},
		}},
		{"required, added to an open input", finding.Input, openA, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["b"]}`, []said{
			{"input-property-added", "/properties/b", contract.Major, Refuted},
		}},
		{"added to an alternative that is new", finding.Input, `{"type":"object"}`, `{"type":"object","anyOf":[{"properties":{"b":{}}},{"required":["c"]}]}`, []said{{"noise", "", contract.Patch, Proven}}},
		{"removed from an open input", finding.Input, openAB, openA, []said{{"input-property-removed", "/properties/b", contract.Major, Declared}}},
		{"removed from a closed input", finding.Input, closedAB, closedA, []said{{"input-property-removed", "/properties/b", contract.Major, Refuted}}},
		{"removed with the whole object schema", finding.Input, openA, `{"type":"object"}`, []said{{"input-property-removed", "/properties/a", contract.Major, Declared}}},
		{"removed with the items", finding.Input, listAB, `{"type":"array"}`, []said{
			{"input-property-removed", "/items/properties/a", contract.Major, Declared}, {"input-widened", "/items", contract.Minor, Proven},
		}},
		{"removed although nobody could send it", finding.Input, noB, closedA, []said{{"noise", "", contract.Patch, Proven}}},
		{"moved behind a reference", finding.Input, openAB, byRef, []said{{"noise", "", contract.Patch, Proven}}},
		{"added to an open output", finding.Output, openA, openAB, []said{{"output-narrowed", "/properties/b", contract.Minor, Proven}}},
		{"added to a closed output", finding.Output, closedA, closedAB, []said{{"output-property-added", "/properties/b", contract.Major, Refuted}}},
		{"removed from an open output", finding.Output, openAB, openA, []said{{"output-property-removed", "/properties/b", contract.Major, Refuted}}},
		{"removed from a closed output", finding.Output, closedAB, closedA, []said{{"output-property-removed", "/properties/b", contract.Major, Declared}}},
		{"renamed in an open input", finding.Input, openA, `{"type":"object","properties":{"c":{"type":"string"}}}`, []said{
			{"input-property-removed", "/properties/a", contract.Major, Declared}, {"input-property-added", "/properties/c", contract.Major, Refuted},
		}},
	} {
		if diff := cmp.Diff(c.want, allSaid(compare(onSide(t, c.side, c.old, c.new)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestMeaningOfSchemasIsJudgedByWhatIsDeclared(t *testing.T) {
	t.Parallel()
	const form = `{"type":"object","properties":{"a":{"type":"string"%s}}}`
	for _, c := range []struct {
		rule     string
		old, new string
		bump     contract.Bump
	}{
		{"default", `,"default":"x"`, `,"default":"y"`, contract.Major},
		{"default", `,"default":"x"`, ``, contract.Major},
		{"default-added", ``, `,"default":"x"`, contract.Major},
		{"content", ``, `,"contentEncoding":"base64"`, contract.Major},
		{"content", `,"contentMediaType":"text/plain"`, `,"contentMediaType":"application/json"`, contract.Major},
		{"content", `,"contentSchema":{"type":"string"}`, ``, contract.Major},
		{"access", ``, `,"readOnly":true`, contract.Major},
		{"access", `,"writeOnly":true`, `,"writeOnly":false`, contract.Major},
		{"noise", ``, `,"readOnly":false,"deprecated":false`, contract.Patch},
		{"deprecated", ``, `,"deprecated":true`, contract.Minor},
		{"deprecated", `,"deprecated":true`, ``, contract.Patch},
		{"unit", `,"x-unit":"s"`, `,"x-unit":"ms"`, contract.Major},
		{"unit", `,"x-timezone":"UTC"`, ``, contract.Major},
		{"unit-added", ``, `,"x-currency":"EUR"`, contract.Major},
		{"unknown-keyword", ``, `,"x-note":1`, contract.Major},
		{"unknown-keyword", `,"nullable":true`, ``, contract.Major},
		{"noise", ``, `,"x-go-name":"A"`, contract.Patch},
		{"text", `,"description":"Old."`, `,"description":"New."`, contract.Patch},
		{"text", ``, `,"examples":["x"]`, contract.Patch},
		{"text-meaning", `,"description":"Up to 5 names."`, `,"description":"Up to 6 names."`, contract.Minor},
		{"noise", ``, `,"title":"A","$comment":"c"`, contract.Patch},
		{"noise", ``, `,"minLength":0`, contract.Patch},
	} {
		for _, side := range []finding.Side{finding.Input, finding.Output} {
			r := compare(onSide(t, side, fmt.Sprintf(form, c.old), fmt.Sprintf(form, c.new)))
			f := one(t, r)
			want := said{strings.ToLower(string(side)) + "-" + c.rule, f.Pointer, c.bump, Declared}
			if c.rule == "noise" {
				want.Rule, want.Proof = "noise", Proven
			}
			if diff := cmp.Diff([]said{want}, allSaid(r)); diff != "" {
				t.Errorf("%s %q → %q (-want +got):\n%s", side, c.old, c.new, diff)
			}
		}
	}
}

func TestMeaningIsFoundWhereverItIsWritten(t *testing.T) {
	t.Parallel()
	inline := `{"type":"object","properties":{"a":{"type":"object","properties":{"n":{"type":"integer","default":1}}}}}`
	moved := `{"type":"object","properties":{"a":{"$ref":"#/$defs/t"}},"$defs":{"t":{"allOf":[{"type":"object","properties":{"n":{"type":"integer","default":1}}}]}}}`
	if f := one(t, compare(onSide(t, finding.Input, inline, moved))); f.Rule != "noise" {
		t.Errorf("a default that moved with its property: %s", f.Message)
	}
	changed := strings.Replace(moved, `"default":1`, `"default":2`, 1)
	f := compare(onSide(t, finding.Input, inline, changed)).Findings[0]
	if f.OldPointer != "/properties/a/properties/n" || !strings.Contains(f.Message, `(in 1.4.2 at "/properties/a/properties/n")`) {
		t.Errorf("the old place is %s: %s", f.OldPointer, f.Message)
	}
	if f.Rule != "input-default" || f.Pointer != "/$defs/t/allOf/0/properties/n" {
		t.Errorf("%s at %s", f.Rule, f.Pointer)
	}
	content := `{"type":"string","contentMediaType":"application/json","contentSchema":{"$ref":"#/$defs/c"},"$defs":{"c":{"type":%s}}}`
	f = one(t, compare(onSide(t, finding.Output, fmt.Sprintf(content, `"string"`), fmt.Sprintf(content, `"integer"`))))
	if f.Rule != "output-content" || f.Bump != contract.Major {
		t.Errorf("a content schema behind a reference: %s", f.Message)
	}
	recursive := `{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#"}}}`
	unrolled := `{"type":"object","properties":{"v":{"type":"integer"},"next":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#"}}}}}`
	if f := one(t, compare(onSide(t, finding.Input, recursive, unrolled))); f.Rule != "noise" {
		t.Errorf("a recursion unrolled: %s", f.Message)
	}
	swapped := `{"type":"object","properties":{"a":{"anyOf":[{"type":"string","default":%s},{"type":"integer","default":%s}]}}}`
	f = one(t, compare(onSide(t, finding.Input, fmt.Sprintf(swapped, `"x"`, `1`), fmt.Sprintf(swapped, `1`, `"x"`))))
	if f.Rule != "input-default" {
		t.Errorf("defaults that changed places: %s", f.Message)
	}
}

func TestSchemasThatAppearAndDisappear(t *testing.T) {
	t.Parallel()
	s := schemaOf(t, `{"type":"object"}`)
	for _, c := range []struct {
		want     said
		old, new func(*contract.Content)
	}{
		{said{"output-schema-added", "/spec/output", contract.Minor, Declared}, nil, func(c *contract.Content) { c.Output.Schema = s }},
		{said{"output-schema-removed", "/spec/output", contract.Major, Declared}, func(c *contract.Content) { c.Output.Schema = s }, nil},
		{said{"input-schema-added", "/spec/input", contract.Major, Declared}, nil, func(c *contract.Content) { c.Input.Schema = s }},
		{said{"input-schema-removed", "/spec/input", contract.Major, Declared}, func(c *contract.Content) { c.Input.Schema = s }, nil},
	} {
		if diff := cmp.Diff([]said{c.want}, allSaid(compareEdited(t, c.old, c.new))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// compareEdited compares two contents that start equal.
func compareEdited(t testing.TB, editOld, editNew func(*contract.Content)) Report {
	t.Helper()
	old, next := content(t, "1.4.2"), content(t, "1.5.0")
	if editOld != nil {
		editOld(old)
	}
	if editNew != nil {
		editNew(next)
	}
	return compare(old, next)
}

func TestOnlyTheVersionIsNoChange(t *testing.T) {
	t.Parallel()
	r := compareEdited(t, nil, nil)
	if r.Required != contract.None || len(r.Findings) != 0 || !r.Sufficient() {
		t.Errorf("required %s, findings %v", r.Required, allSaid(r))
	}
	reordered := compare(onSide(t, finding.Input, `{"properties":{"a":{},"b":{}}}`, `{"properties":{"b":{},"a":{}}}`))
	if reordered.Required != contract.Patch {
		t.Errorf("the order of properties is content: required %s", reordered.Required)
	}
}

func TestMessagesNamePlaceChangeBumpExampleAndWayOut(t *testing.T) {
	t.Parallel()
	const limit = `{"type":"object","properties":{"limit":{"type":"integer"%s}}}`
	for _, c := range []struct {
		name          string
		side          finding.Side
		old, new      string
		message, fix  string
		versionOldNew [2]string
	}{
		{
			name: "a bound of the input", side: finding.Input, old: fmt.Sprintf(limit, `,"maximum":1000`), new: fmt.Sprintf(limit, `,"maximum":100`),
			message: `maximum 1000 → 100 needs major. Example accepted by 1.4.2, rejected now: {"limit":101}. Declared bump: minor (1.5.0)`,
			fix:     `set version 2.0.0, or keep maximum 1000`,
		},
		{
			name: "a bound of the output", side: finding.Output, old: fmt.Sprintf(limit, `,"maximum":100`), new: fmt.Sprintf(limit, ``),
			message: `maximum 100 → none needs major. Example impossible under 1.4.2, possible now: {"limit":101}. Declared bump: minor (1.5.0)`,
			fix:     `set version 2.0.0, or keep maximum 100`,
		},
		{
			name: "below 1.0.0", side: finding.Input, old: fmt.Sprintf(limit, ``), new: fmt.Sprintf(limit, `,"minimum":1`), versionOldNew: [2]string{"0.3.1", "0.3.2"},
			message: `minimum none → 1 needs major. Example accepted by 0.3.1, rejected now: {"limit":0}. Declared bump: minor (0.3.2)`,
			fix:     `set version 0.4.0, or leave minimum out`,
		},
		{
			name: "an open object", side: finding.Input, old: `{"type":"object"}`, new: `{"type":"object","properties":{"b":{"type":"integer"}}}`,
			message: `new property "b" in an open object needs major: the name could have any value before. Example accepted by 1.4.2, rejected now: {"b":""}. Declared bump: minor (1.5.0)`,
			fix:     `set version 2.0.0, or leave "b" out; to add properties in a minor version, close the object (additionalProperties: false) in the new line, or set input.writer to Declared where the host refuses what is not declared`,
		},
		{
			name: "a required name", side: finding.Input, old: `{"type":"object"}`, new: `{"type":"object","required":["a"]}`,
			message: `requiring "a" needs major. Example accepted by 1.4.2, rejected now: {}. Declared bump: minor (1.5.0)`,
			fix:     `set version 2.0.0, or leave "a" optional`,
		},
		{
			name: "a listed value of the output", side: finding.Output, old: `{"enum":["a"]}`, new: `{"enum":["a","b"]}`,
			message: `new enum value "b" needs major. Example impossible under 1.4.2, possible now: "b". Declared bump: minor (1.5.0)`,
			fix:     `set version 2.0.0, or leave out "b"`,
		},
		{
			name: "no proof", side: finding.Input, old: `{"type":"string","pattern":"^(a|b)*a(a|b){14}$"}`, new: `{"type":"string","pattern":"^(b|a)*a(b|a){14}$"}`,
			message: `cannot prove that every value accepted by 1.4.2 is still accepted (pattern "^(a|b)*a(a|b){14}$" → "^(b|a)*a(b|a){14}$": the patterns cannot be compared); treated as major. Declared bump: minor (1.5.0)`,
			fix:     `set version 2.0.0, or keep pattern "^(a|b)*a(a|b){14}$", or acknowledge rule input-pattern at path "" for version 1.5.0 if you know that no caller breaks`,
		},
	} {
		old, next := onSide(t, c.side, c.old, c.new)
		if c.versionOldNew[0] != "" {
			old.Version, next.Version = content(t, c.versionOldNew[0]).Version, content(t, c.versionOldNew[1]).Version
		}
		f := compare(old, next).Findings[0]
		if diff := cmp.Diff([]string{c.message, c.fix}, []string{f.Message, f.Fix}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if f.Severity != finding.Error {
			t.Errorf("%s: severity %s", c.name, f.Severity)
		}
	}
}

func TestADefectOfTheCheckerIsMajorAndCannotBeAcknowledged(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Input, `{}`, `{}`)
	c := comparison{old: old, new: next}
	s := inputChange(&c, old.Input, next.Input)
	s.survey = newSurvey(s.old, s.new)
	s.breaks(contain.Result{Defect: true, Witness: schema.NewInt(1)}, nil)
	r, used := newReport(contract.Minor, c.findings).Acknowledge(next.Version, []Acknowledgement{{"1.5.0", "input-checker-defect", "", "no"}})
	if !IsDefect(r.Findings[0]) {
		t.Errorf("%s is not counted as a defect of ours", r.Findings[0].Rule)
	}
	want := []said{
		{"input-checker-defect", "", contract.Major, Refuted},
		{RuleUnusedAcknowledgement, "/spec/acknowledge/0", contract.None, Declared},
	}
	if diff := cmp.Diff(want, allSaid(r)); diff != "" || used != nil {
		t.Errorf("used %v (-want +got):\n%s", used, diff)
	}
}

func TestProtectedDataShowsNoValues(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Input,
		`{"type":"object","properties":{"a":{"enum":["secret-1","secret-2"]},"b":{"type":"string","default":"secret-3"},"c":{"enum":["secret-5"]}}}`,
		`{"type":"object","properties":{"a":{"enum":["secret-1"]},"b":{"type":"string","default":"secret-4"},"c":{"type":"string","maxLength":2}}}`)
	for _, class := range []string{"Confidential", "Restricted"} {
		old.Execution.DataClassification, next.Execution.DataClassification = class, class
		r := compare(old, next)
		if len(r.Findings) != 4 {
			t.Fatalf("findings: %v", allSaid(r))
		}
		for _, f := range r.Findings {
			if strings.Contains(f.Message+f.Fix, "secret") || f.Witness != nil {
				t.Errorf("%s: %s. %s", class, f.Message, f.Fix)
			}
		}
	}
	old.Execution.DataClassification, next.Execution.DataClassification = "Public", "Public"
	if r := compare(old, next); r.Findings[0].Witness == nil {
		t.Error("public data shows its example")
	}
}

func TestSeverityFollowsTheDeclaredBump(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]finding.Severity{"1.4.3": finding.Error, "1.5.0": finding.Error, "2.0.0": finding.Info} {
		old, next := onSide(t, finding.Input, `{"type":"number"}`, `{"type":"integer"}`)
		next.Version = content(t, version).Version
		r := compare(old, next)
		f := one(t, r)
		if f.Severity != want || r.Sufficient() != (want == finding.Info) || (f.Fix == "") != (want == finding.Info) {
			t.Errorf("%s: %s, sufficient %v, fix %q", version, f.Severity, r.Sufficient(), f.Fix)
		}
	}
}

func TestFindingsComeHighestBumpFirst(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Input,
		`{"type":"object","properties":{"a":{"type":"integer","maximum":9},"b":{"type":"string","description":"x"},"c":{"type":"integer"}}}`,
		`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string","description":"y"},"c":{"type":"integer","minimum":0}}}`)
	want := []said{
		{"input-range", "/properties/c", contract.Major, Refuted},
		{"input-widened", "/properties/a", contract.Minor, Proven},
		{"input-text", "/properties/b", contract.Patch, Declared},
	}
	if diff := cmp.Diff(want, allSaid(compare(old, next))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheCheckerVersionNamesBothRuleSets(t *testing.T) {
	t.Parallel()
	if want := fmt.Sprintf("contain-%d/change-3", contain.Version); CheckerVersion != want {
		t.Errorf("CheckerVersion is %s, want %s", CheckerVersion, want)
	}
}

func TestTheReportOfTheSameChangeIsTheSame(t *testing.T) {
	t.Parallel()
	old, next := onSide(t, finding.Output,
		`{"type":"object","properties":{"a":{"enum":["x"]},"b":{"type":"string"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"enum":["x","y"]},"c":{"type":"string","x-unit":"s"}},"required":["c"]}`)
	first := compare(old, next)
	for range 5 {
		again := compare(old, next)
		if diff := cmp.Diff(first, again, cmp.Comparer((*schema.Value).Equal)); diff != "" {
			t.Fatalf("(-first +again):\n%s", diff)
		}
	}
	if !slices.IsSortedFunc(first.Findings, func(a, b Finding) int { return int(b.Bump) - int(a.Bump) }) {
		t.Error("not sorted")
	}
}

func TestASchemaWithTooManyPlacesIsMajor(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/t","title":"%s","$defs":{"t":{"anyOf":[{"type":"null"}`)
	for i := range 900 {
		fmt.Fprintf(&b, `,{"type":"object","properties":{"k%d":{"$ref":"#/$defs/t"}}}`, i)
	}
	b.WriteString(`]}}}`)
	r := compare(onSide(t, finding.Input, fmt.Sprintf(b.String(), "a"), fmt.Sprintf(b.String(), "b")))
	want := said{"input-too-large", "", contract.Major, Unknown}
	if !slices.Contains(allSaid(r), want) || r.Required != contract.Major {
		t.Errorf("findings: %v", allSaid(r))
	}
}

func TestDifferencesBeyondTheListCannotBeAcknowledged(t *testing.T) {
	t.Parallel()
	properties := func(pattern string) string {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, `,"p%02d":{"type":"string","pattern":%q}`, i, pattern)
		}
		return `{"type":"object","additionalProperties":false,"properties":{` + b.String()[1:] + `}}`
	}
	old, next := onSide(t, finding.Input, properties("^(a|b)*a(a|b){14}$"), properties("^(b|a)*a(b|a){14}$"))
	report := compare(old, next)
	var acks []Acknowledgement
	for _, f := range report.Findings {
		acks = append(acks, Acknowledgement{"1.5.0", f.Rule, f.Pointer, "the same language"})
	}
	lowered, used := report.Acknowledge(next.Version, acks)
	if lowered.Required != contract.Major || len(used) != len(acks)-1 {
		t.Errorf("required %s, used %d of %d", lowered.Required, len(used), len(acks))
	}
	f := lowered.Findings[0]
	want := []string{"input-more-differences", "there are more differences than are listed; treated as major. Declared bump: minor (1.5.0)", "set version 2.0.0"}
	if diff := cmp.Diff(want, []string{f.Rule, f.Message, f.Fix}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// remembering judges as compare does; the tests that look at the same pairs
// several times share what was proved.
func remembering(old, next *contract.Content) Report {
	return shared.Compare(old, next, old.Version.Next(contract.Major))
}

var shared = NewChecker(1 << 14)

// compare judges a step with the next line of the old one as the way out.
func compare(old, next *contract.Content) Report {
	return Compare(old, next, old.Version.Next(contract.Major))
}
