// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

// chain is n definitions of which each refers to the next through a keyword,
// and the root to the first.
func chain(n int, format string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"%d":`+format+`,`, i, fmt.Sprintf(`{"$ref":"#/$defs/%d"}`, i+1))
	}
	fmt.Fprintf(&b, `"%d":{}}}`, n)
	return b.String()
}

// laughs is n definitions of which each refers to the next twice, through a keyword.
func laughs(n int, format string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/0","$defs":{`)
	for i := range n {
		next := fmt.Sprintf(`{"$ref":"#/$defs/%d"}`, i+1)
		fmt.Fprintf(&b, `"%d":`+format+`,`, i, next, next)
	}
	fmt.Fprintf(&b, `"%d":{}}}`, n)
	return b.String()
}

func TestSchemasThatExplodeAreRefused(t *testing.T) {
	t.Parallel()
	expansion := []place{{RuleExpansion, "", ""}}
	checkAdmission(t, map[string]admissionCase{
		"billion laughs in place":             {laughs(30, `{"allOf":[%s,%s]}`), expansion},
		"billion laughs through properties":   {laughs(30, `{"properties":{"a":%s,"b":%s}}`), expansion},
		"beyond any integer":                  {laughs(120, `{"anyOf":[%s,%s]}`), expansion},
		"in definitions that nobody uses":     {strings.Replace(laughs(30, `{"oneOf":[%s,%s]}`), `"$ref":"#/$defs/0",`, "", 1), expansion},
		"ten levels are a schema like others": {laughs(10, `{"allOf":[%s,%s]}`), nil},
		"a chain of references of the limit":  {chain(MaxChain-2, `%s`), nil},
		"a chain of one reference more":       {chain(MaxChain-1, `%s`), expansion},
		"a very long chain of references":     {chain(3_000, `%s`), expansion},
		"a chain of references under not":     {chain(MaxChain/2-1, `{"not":%s}`), nil},
		"a longer one":                        {chain(MaxChain/2, `{"not":%s}`), expansion},
		"a chain that passes through items":   {chain(1_000, `{"items":%s}`), nil},
		"a long chain below the root": {
			strings.Replace(chain(3_000, `%s`), `"$ref":"#/$defs/0"`, `"items":{"$ref":"#/$defs/0"}`, 1),
			[]place{{RuleExpansion, "/items", ""}},
		},
	}, finding.Error)
}

func TestPointersOfAllNodesAreLimitedTogether(t *testing.T) {
	t.Parallel()
	below := func(name string, n int) string {
		var b strings.Builder
		fmt.Fprintf(&b, `{"properties":{%q:{"properties":{`, name)
		for i := range n {
			fmt.Fprintf(&b, `"%d":{},`, i)
		}
		b.WriteString(`"z":{}}}}}`)
		return b.String()
	}
	deep := func(branches int) string {
		nested := strings.Repeat(`{"not":`, 120) + `{}` + strings.Repeat(`}`, 120)
		return `{"prefixItems":[` + strings.Repeat(nested+`,`, branches) + `{}]}`
	}
	tooLong := []place{{RuleLongPointers, "", ""}}
	checkAdmission(t, map[string]admissionCase{
		"many properties below a short name":        {below("order", 5_000), nil},
		"many properties below a long name":         {below(strings.Repeat("x", 40_000), 5_000), tooLong},
		"a name that is twice as long in a pointer": {below(strings.Repeat("~", 40_000), 5_000), tooLong},
		"few properties below a long name":          {below(strings.Repeat("x", 40_000), 10), nil},
		"deep nesting":                              {deep(10), nil},
		"deep nesting in many places":               {deep(90), tooLong},
		"the references that are then missing do not show": {
			strings.Replace(below(strings.Repeat("x", 40_000), 5_000), `"z":{}`, `"z":{"$ref":"#/nowhere"}`, 1), tooLong,
		},
	}, finding.Error)
}

func TestPatternsAreLimitedTogether(t *testing.T) {
	t.Parallel()
	many := func(n int, format string) string {
		var b strings.Builder
		b.WriteString(`{"prefixItems":[`)
		for i := range n {
			fmt.Fprintf(&b, `{"pattern":"`+format+`"},`, i)
		}
		return b.String() + `{}]}`
	}
	_, findings := Admit(parsed(t, many(1_000, `(?:x%d{0,999}){0,3}`)))
	if len(findings) != 1 || findings[0].Rule != RulePatternCost || findings[0].Keyword != "pattern" {
		t.Errorf("a thousand large automata: %v", findings)
	}
	_, findings = Admit(parsed(t, many(1_000, `^(a%d+)+(?=b)$`)))
	if len(findings) == 0 || len(findings) > 100 {
		t.Errorf("a thousand patterns that cost too much: %d findings", len(findings))
	}
	for name, text := range map[string]string{
		"a thousand small automata":            many(1_000, `^[a-z]{1,9}-%d$`),
		"a thousand times one large automaton": `{"prefixItems":[` + strings.Repeat(`{"pattern":"(?:x{0,999}){0,3}"},`, 1_000) + `{}]}`,
	} {
		if s, findings := Admit(parsed(t, text)); s == nil {
			t.Errorf("%s: %v", name, findings)
		}
	}
}

// Texts of the limit that have made one part or another of this package, or
// of the library under it, slow or large. That they end is the test.
func TestTheLargestSchemasAreJudgedInBoundedWork(t *testing.T) {
	t.Parallel()
	repeated := func(prefix, item, suffix string) string {
		return prefix + strings.Repeat(item, (MaxText-len(prefix)-len(suffix))/len(item)-1) + strings.TrimSuffix(item, ",") + suffix
	}
	tests := map[string]string{
		"empty subschemas":     repeated(`{"allOf":[`, `{},`, `]}`),
		"boolean subschemas":   repeated(`{"prefixItems":[`, `true,`, `]}`),
		"references":           repeated(`{"$defs":{"a":{}},"allOf":[`, `{"$ref":"#/$defs/a"},`, `]}`),
		"members of an enum":   repeated(`{"enum":[`, `0,`, `]}`),
		"names of required":    repeated(`{"required":[`, `"a",`, `]}`),
		"types":                repeated(`{"type":[`, `"string",`, `]}`),
		"mistakes":             repeated(`{"allOf":[`, `{"$id":"a"},`, `]}`),
		"warnings":             repeated(`{"allOf":[`, `{"id":0},`, `]}`),
		"wrong types":          repeated(`{"allOf":[`, `{"type":"x"},`, `]}`),
		"missing references":   repeated(`{"allOf":[`, `{"$ref":"#/x"},`, `]}`),
		"equal anchors":        repeated(`{"allOf":[`, `{"$anchor":"a"},`, `]}`),
		"wrong patterns":       repeated(`{"allOf":[`, `{"pattern":"["},`, `]}`),
		"digits":               repeated(`{"enum":[`, strings.Repeat("9", 300)+`,`, `]}`),
		"a description":        repeated(`{"description":"`, `x`, `"}`),
		"a pattern":            repeated(`{"pattern":"`, `a`, `"}`),
		"booleans of a string": repeated(`{"type":"string","enum":[`, `true,`, `]}`),
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, findings := Admit(parsed(t, text))
			if s == nil && len(findings) == 0 {
				t.Error("it is refused without a word")
			}
			if s != nil {
				validator, invalid := s.Compile()
				if (validator == nil) != (len(invalid) > 0) || len(invalid) > maxExplained {
					t.Errorf("%d findings, validator: %t", len(invalid), validator != nil)
				}
				findings = append(findings, invalid...)
			}
			if diff := cmp.Diff(findings, finding.Sort(findings)); s == nil && diff != "" {
				t.Error("the findings are not in order")
			}
		})
	}
}
