// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
)

func nestedArrays(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func list(item string, n int) string { return "[" + strings.Repeat(item+",", n-1) + item + "]" }

func distinct(n int) string {
	var items []string
	for i := range n {
		items = append(items, fmt.Sprint(i))
	}
	return "[" + strings.Join(items, ",") + "]"
}

// Without the count each of the expensive ones takes seconds to years, or
// more memory or stack than a process has.
func TestInstancesThatTakeTooMuchWorkAreRefused(t *testing.T) {
	t.Parallel()
	doubling := func(keyword string) string {
		return `{"` + keyword + `":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`
	}
	branches := func(n int) string { return `{"items":{"allOf":` + list(`{"type":"string"}`, n) + `}}` }
	enumRefs := `{"$defs":{"e":{"enum":` + distinct(8_000) + `}},"anyOf":` + list(`{"$ref":"#/$defs/e"}`, 2_000) + `}`
	constRefs := `{"$defs":{"c":{"const":` + list("0", 20_000) + `}},"allOf":` + list(`{"$ref":"#/$defs/c"}`, 2_000) + `}`
	longText := `"` + strings.Repeat("a", 60_000) + `"`
	tests := map[string]struct {
		schema, instance string
		refused          bool
	}{
		"doubling anyOf, deep": {doubling("anyOf"), nestedArrays(100), true},
		"doubling anyOf, flat": {doubling("anyOf"), nestedArrays(8), false},
		"doubling oneOf, deep": {doubling("oneOf"), nestedArrays(60), true},
		"doubling allOf, deep": {doubling("allOf"), nestedArrays(127), true},
		"doubling under not":   {`{"not":` + doubling("anyOf") + `}`, nestedArrays(60), true},
		"doubling in properties": {
			`{"anyOf":[{"properties":{"a":{"$ref":"#"}}},{"additionalProperties":{"$ref":"#"}}]}`,
			strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60), true,
		},
		"additional properties are those that are not declared": {
			`{"properties":{"a":{"$ref":"#"}},"additionalProperties":{"$ref":"#"}}`,
			strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60), false,
		},
		"doubling in patterns of names": {
			`{"patternProperties":{"a":{"$ref":"#"},"[ab]":{"$ref":"#"}}}`,
			strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60), true,
		},
		"plain recursion, deep":         {`{"items":{"$ref":"#"}}`, nestedArrays(127), false},
		"many branches over many items": {branches(100), list("0", 5_000), true},
		"few branches over many items":  {branches(4), list("0", 5_000), false},
		"the largest list":              {`{"items":{"type":"integer"}}`, list("0", 45_000), false},
		"many unique numbers":           {`{"uniqueItems":true}`, distinct(15_000), true},
		"some unique numbers":           {`{"uniqueItems":true}`, distinct(1_500), false},
		"few unique but large items":    {`{"uniqueItems":true}`, list(list("0", 2_000), 20), false},
		"unique items at many levels": {
			`{"items":{"uniqueItems":true,"items":{"uniqueItems":true}},"uniqueItems":true}`, list(list("[0,1]", 60), 60), false,
		},
		"a long list without uniqueItems":       {`{"maxItems":50000}`, distinct(15_000), false},
		"an enum of numbers at many references": {enumRefs, `99999`, true},
		"the same for a string":                 {enumRefs, `"a"`, true},
		"an enum once":                          {`{"enum":` + distinct(15_000) + `}`, `99999`, false},
		"an enum of strings for many items":     {`{"items":{"enum":` + list(`"a"`, 5_000) + `}}`, list(`"b"`, 300), false},
		"a large constant at many references":   {constRefs, list("0", 20_000), true},
		"a large constant for another type":     {constRefs, `1`, false},
		"a long text and a large automaton":     {`{"pattern":"^(?:a{0,999}){0,4}$"}`, longText, true},
		"a long text and a small automaton":     {`{"pattern":"^[a-z]*$"}`, longText, false},
		"names and a large automaton": {
			`{"patternProperties":{"^(?:a{0,999}){0,4}$":{}}}`, `{` + longText + `:1}`, true,
		},
		"many patterns over many names": {
			`{"patternProperties":{` + manyNames(`"^%d"`, 600) + `}}`, `{` + manyNames(`"%d"`, 600) + `}`, true,
		},
		"many patterns over few names": {
			`{"patternProperties":{` + manyNames(`"^%d"`, 600) + `}}`, `{` + manyNames(`"%d"`, 9) + `}`, false,
		},
		"many properties over many objects": {
			`{"items":{"properties":{` + manyNames(`"%d"`, 3_000) + `}}}`, list(`{"1":0}`, 9_000), false,
		},
		"many names": {`{"propertyNames":{"allOf":` + list(`{"minLength":1}`, 100) + `}}`, `{` + manyNames(`"%d"`, 5_000) + `}`, true},
		"a backtracking pattern over many texts": {
			`{"items":{"pattern":"^(?!b)a*$"}}`, list(`"`+strings.Repeat("a", 500)+`"`, 150), true,
		},
		"a backtracking pattern over some texts": {
			`{"items":{"pattern":"^(?!b)a*$"}}`, list(`"order"`, 100), false,
		},
		"many patterns as values": {`{"items":{"format":"regex"}}`, list(`"((a{0,99}){0,99}"`, 100), true},
		"a pattern as a value":    {`{"items":{"format":"regex"}}`, list(`"^a{0,99}$"`, 10), false},
		"unevaluated members at many places": {
			`{"unevaluatedProperties":false,"allOf":` + list(`{"type":"object"}`, 3_000) + `}`, `{` + manyNames(`"%d"`, 5_000) + `}`, true,
		},
		"tuples": {`{"prefixItems":` + list(`{"type":"integer"}`, 5_000) + `}`, list("0", 40_000), false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validator, instance := compiled(t, test.schema), parsed(t, test.instance)
			findings := validator.Validate(instance)
			refused := len(findings) == 1 && findings[0].Rule == RuleValidationCost
			if refused != test.refused {
				t.Errorf("refused: %t, want %t: %v", refused, test.refused, findings)
			}
			if valid, err := validator.Accepts(instance); (err != nil) != test.refused || (valid && len(findings) > 0) {
				t.Errorf("Accepts says %t, %v; Validate says %v", valid, err, findings)
			}
			checkTexts(t, findings)
		})
	}
}

// manyNames is n members whose names are made by a format.
func manyNames(format string, n int) string {
	var members []string
	for i := range n {
		members = append(members, fmt.Sprintf(format, i)+`:{}`)
	}
	return strings.Join(members, ",")
}

func TestTheCostFindingHasAWayOut(t *testing.T) {
	t.Parallel()
	findings := compiled(t, `{"anyOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`).Validate(parsed(t, nestedArrays(100)))
	want := finding.Finding{
		Rule: RuleValidationCost, Severity: finding.Error,
		Message: "validating the value would apply more than 250000 schema nodes",
		Fix:     "make the value smaller, or reduce alternatives that repeat at every level of the schema",
	}
	if len(findings) != 1 || finding.Compare(findings[0], want) != 0 {
		t.Errorf("got %v, want %v", findings, want)
	}
}
