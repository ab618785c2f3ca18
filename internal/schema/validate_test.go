// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

func TestValidateSaysWhatIsWrongWhere(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		schema, instance string
		pointer, keyword string
		message          string
	}{
		"the root has another type": {`{"type":"object"}`, `[]`, "", "type", "it is an array, not object"},
		"one of several types":      {`{"type":["integer","null"]}`, `"a"`, "", "type", "it is a string, not null or integer"},
		"a fraction is no integer":  {`{"properties":{"a":{"type":"integer"}}}`, `{"a":1.5}`, "/a", "type", "it is a number, not integer"},
		"null is no string":         {`{"items":{"type":"string"}}`, `["a",null]`, "/1", "type", "it is null, not string"},
		"a missing property":        {`{"required":["b","a"]}`, `{"b":1}`, "", "required", `the required property "a" is missing`},
		"missing properties":        {`{"required":["c","b","a"]}`, `{}`, "", "required", `the required properties "a", "b", "c" are missing`},
		"many missing properties": {
			`{"required":["e","d","c","b","a"]}`, `{}`, "", "required", `the required properties "a", "b", "c" and 2 more are missing`,
		},
		"an undeclared property": {
			`{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1,"b":2}`, "", "additionalProperties",
			`the undeclared property "b" is not allowed`,
		},
		"undeclared properties": {
			`{"additionalProperties":false}`, `{"z":1,"y":2,"x":3,"w":4}`, "", "additionalProperties",
			`the undeclared properties "w", "x", "y" and 1 more are not allowed`,
		},
		"a name that needs escapes": {`{"properties":{"a/b":{"properties":{"c~d":{"const":1}}}}}`, `{"a/b":{"c~d":2}}`, "/a~1b/c~0d", "const", "it is not the value of const"},
		"an enum":                   {`{"enum":["a","b"]}`, `"c"`, "", "enum", "it is not one of the values of enum"},
		"a pattern":                 {`{"pattern":"^[a-z]+$"}`, `"A1"`, "", "pattern", `"A1" does not match the pattern "^[a-z]+$"`},
		"a minimum":                 {`{"minimum":9007199254740993}`, `9007199254740992`, "", "minimum", "9007199254740992 is less than the minimum 9007199254740993"},
		"a maximum":                 {`{"maximum":0.1}`, `0.10000000000000001`, "", "maximum", "0.10000000000000001 is more than the maximum 0.1"},
		"an exclusive minimum":      {`{"exclusiveMinimum":1}`, `1.0`, "", "exclusiveMinimum", "1 is not above the exclusive minimum 1"},
		"an exclusive maximum":      {`{"exclusiveMaximum":1e21}`, `1e21`, "", "exclusiveMaximum", "1e+21 is not below the exclusive maximum 1e+21"},
		"a multiple":                {`{"multipleOf":0.01}`, `4.025`, "", "multipleOf", "4.025 is not a multiple of 0.01"},
		"a length":                  {`{"minLength":2}`, `"退"`, "", "minLength", "got 1, want 2"},
		"a number of items":         {`{"maxItems":1}`, `[1,2]`, "", "maxItems", "got 2, want 1"},
		"equal items":               {`{"uniqueItems":true}`, `[1,2,1.0]`, "", "uniqueItems", "items at 0 and 2 are equal"},
		"no item that matches":      {`{"contains":{"const":1}}`, `[2,3]`, "", "contains", "no item matches contains"},
		"too few items that match":  {`{"contains":{"const":1},"minContains":2}`, `[1,3,4]`, "", "minContains", "only 1 items match contains, fewer than the 2 of minContains"},
		"too many items that match": {`{"contains":{"const":1},"maxContains":1}`, `[1,1]`, "", "maxContains", "2 items match contains, more than the 1 of maxContains"},
		"an item past the tuple":    {`{"prefixItems":[{}],"items":false}`, `[1,2]`, "/1", "", "nothing is allowed here"},
		"none of the alternatives":  {`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"a":1}`, "/a", "anyOf", "it matches none of the alternatives of anyOf"},
		"none of exactly one":       {`{"oneOf":[{"type":"string"},{"type":"null"}]}`, `1`, "", "oneOf", "it matches none of the alternatives of oneOf"},
		"two of exactly one":        {`{"oneOf":[{"type":"integer"},{"type":"number"}]}`, `1`, "", "oneOf", "it matches more than one alternative of oneOf"},
		"what must not match":       {`{"not":{"type":"integer"}}`, `1`, "", "not", "it matches the schema under not"},
		"a dependent name":          {`{"dependentRequired":{"a":["c","b"]}}`, `{"a":1}`, "", "dependentRequired", "required, if 'a' exists"},
		"a dependent schema":        {`{"dependentSchemas":{"a":{"properties":{"b":false}}}}`, `{"a":1,"b":2}`, "/b", "", "nothing is allowed here"},
		"a condition":               {`{"if":{"required":["a"]},"then":{"required":["b"]}}`, `{"a":1}`, "", "required", `the required property "b" is missing`},
		"through a reference":       {`{"properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":{"items":{"type":"null"}}}}`, `{"a":[1]}`, "/a/0", "type", "it is a number, not null"},
		"through allOf":             {`{"allOf":[{"properties":{"a":{"type":"null"}}}]}`, `{"a":1}`, "/a", "type", "it is a number, not null"},
		"a document that calls itself the meta-schema": {
			`{"$schema":"https://json-schema.org/draft/2020-12/schema#","$id":"https://json-schema.org/draft/2020-12/schema",` +
				`"properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":{"type":"null"}}}`,
			`{"a":1}`, "/a", "type", "it is a number, not null",
		},
		"a format": {`{"format":"date"}`, `"2026-02-30"`, "", "format", "is not valid date"},
		"a name": {
			`{"properties":{"a":{"propertyNames":{"pattern":"^x"}}}}`, `{"a":{"xa":1,"b":2}}`, "/a", "propertyNames",
			`the property name "b" is not allowed: "b" does not match the pattern "^x"`,
		},
		"what nothing has evaluated": {
			`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":2}`, "/b", "unevaluatedProperties", `the undeclared property "b" is not allowed`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validator, instance := compiled(t, test.schema), parsed(t, test.instance)
			findings := validator.Validate(instance)
			if diff := cmp.Diff([]place{{RuleInstanceInvalid, test.pointer, test.keyword}}, places(findings)); diff != "" {
				t.Fatalf("%v\n%s", findings, diff)
			}
			if !strings.Contains(findings[0].Message, test.message) {
				t.Errorf("got %q, want %q", findings[0].Message, test.message)
			}
			if findings[0].Severity != finding.Error {
				t.Errorf("the severity is %s", findings[0].Severity)
			}
			checkTexts(t, findings)
			if valid, err := validator.Accepts(instance); valid || err != nil {
				t.Errorf("Accepts says %t, %v", valid, err)
			}
		})
	}
}

func TestValidateTakesValidInstances(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ schema, instance string }{
		"anything":                              {`true`, `{"a":[null]}`},
		"an integer with a point":               {`{"type":"integer"}`, `1.0`},
		"a multiple that floats get wrong":      {`{"multipleOf":0.01}`, `4.02`},
		"a large multiple":                      {`{"multipleOf":3}`, `9007199254740993`},
		"characters and not bytes":              {`{"maxLength":2}`, `"退款"`},
		"characters and not UTF-16 units":       {`{"maxLength":1}`, `"😀"`},
		"a pattern that is found anywhere":      {`{"pattern":"b"}`, `"abc"`},
		"a pattern of ECMA-262":                 {`{"pattern":"^\\s$"}`, `"\ufeff"`},
		"a look-ahead":                          {`{"pattern":"^(?!.*--)[a-z-]+$"}`, `"a-b"`},
		"a recursive schema":                    {`{"type":"object","properties":{"next":{"$ref":"#"}}}`, `{"next":{"next":{}}}`},
		"an unknown format":                     {`{"format":"order-number"}`, `"x"`},
		"a format of another type":              {`{"format":"date"}`, `5`},
		"a content that is not asserted":        {`{"contentMediaType":"application/json","contentSchema":{"type":"null"}}`, `"{"`},
		"an unknown keyword":                    {`{"x-a":false,"nullable":false}`, `null`},
		"a keyword of a former draft":           {`{"dependencies":{"a":["b"]},"additionalItems":false}`, `{"a":1}`},
		"a member that is null":                 {`{"properties":{"a":{"const":null}},"required":["a"]}`, `{"a":null}`},
		"equal objects in another order":        {`{"const":{"a":1,"b":2}}`, `{"b":2,"a":1}`},
		"zero and false are different items":    {`{"uniqueItems":true}`, `[0,false,"0",null,[],{}]`},
		"numbers at the edge of what is read":   {`{"maximum":1.7976931348623157e308}`, `1.7976931348623157e308`},
		"a reference with siblings":             {`{"$ref":"#/$defs/d","maxLength":3,"$defs":{"d":{"minLength":1}}}`, `"ab"`},
		"properties named like what is refused": {`{"properties":{"$dynamicRef":{"const":1}}}`, `{"$dynamicRef":1}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			validator, instance := compiled(t, test.schema), parsed(t, test.instance)
			if findings := validator.Validate(instance); findings != nil {
				t.Error(findings)
			}
			if valid, err := validator.Accepts(instance); !valid || err != nil {
				t.Errorf("Accepts says %t, %v", valid, err)
			}
		})
	}
}

func TestValidateReportsTheSameFewOfManyMistakes(t *testing.T) {
	t.Parallel()
	var members []string
	var want []place
	for i := range 5 * maxExplained {
		members = append(members, fmt.Sprintf(`"p%02d":{"b":1,"c":2}`, i))
		if i < maxExplained {
			want = append(want, place{RuleInstanceInvalid, fmt.Sprintf("/p%02d/b", i), "type"})
		}
	}
	instance := parsed(t, `{`+strings.Join(members, ",")+`}`)
	validator := compiled(t, `{"additionalProperties":{"properties":{"b":{"type":"string"}},"maxProperties":9}}`)
	for range 200 {
		if diff := cmp.Diff(want, places(validator.Validate(instance))); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestOneMistakeIsReportedOnce(t *testing.T) {
	t.Parallel()
	branches := strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/d"},`, 3*maxExplained), ",")
	validator := compiled(t, `{"allOf":[`+branches+`,{"properties":{"a":{"minimum":5}}}],"$defs":{"d":{"maxProperties":0}}}`)
	got := places(validator.Validate(parsed(t, `{"a":1}`)))
	want := []place{{RuleInstanceInvalid, "", "maxProperties"}, {RuleInstanceInvalid, "/a", "minimum"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The library reports the object of a refused name at the place of a later
// sibling, in map order.
func TestNamesAreReportedAtTheirObject(t *testing.T) {
	t.Parallel()
	validator := compiled(t, `{"properties":{"b":{"propertyNames":{"maxLength":1},"properties":{"c":{"propertyNames":{"pattern":"^x"}}}}}}`)
	instance := parsed(t, `{"a":{"z":1},"b":{"long":1,"other":2,"c":{"xa":1,"y":2}},"c":[{"a":1}],"d":{"e":{"f":1}}}`)
	want := []finding.Finding{
		{Pointer: "/b", Message: `the property name "long" is not allowed: maxLength: got 4, want 1`},
		{Pointer: "/b", Message: `the property name "other" is not allowed: maxLength: got 5, want 1`},
		{Pointer: "/b/c", Message: `the property name "y" is not allowed: "y" does not match the pattern "^x"`},
	}
	for i := range want {
		want[i].Rule, want[i].Severity, want[i].Keyword = RuleInstanceInvalid, finding.Error, "propertyNames"
		want[i].Fix = "correct the value or the schema"
	}
	for range 200 {
		if diff := cmp.Diff(want, validator.Validate(instance)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestTextsTooLongForABacktrackingPatternAreNotJudged(t *testing.T) {
	t.Parallel()
	validator := compiled(t, `{"anyOf":[{"pattern":"^(?!b)a*$"},{"type":"null"}]}`)
	for length, decided := range map[int]bool{10: true, 1024: true, 1025: false, 90_000: false} {
		instance := NewString(strings.Repeat("a", length))
		findings := validator.Validate(instance)
		valid, err := validator.Accepts(instance)
		if decided != (err == nil) || decided != valid || decided != (findings == nil) {
			t.Errorf("%d bytes: %v; Accepts says %t, %v", length, findings, valid, err)
		}
		checkTexts(t, findings)
	}
}

func TestMessagesAboutHostileInstancesAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\x1b", 40_000)
	for text, instance := range map[string]*Value{
		`{"pattern":"^b"}`:                         NewString(long),
		`{"format":"email"}`:                       NewString(long),
		`{"format":"date-time"}`:                   NewString(strings.Repeat("退", 30_000)),
		`{"additionalProperties":false}`:           NewObject(Member{long, NewNull()}),
		`{"additionalProperties":{"type":"null"}}`: NewObject(Member{long, NewInt(1)}),
		`{"propertyNames":{"maxLength":1}}`:        NewObject(Member{long, NewInt(1)}),
		`{"maximum":0}`:                            number(t, strings.Repeat("9", 300)),
		`{"dependentRequired":{"a":["b"]}}`:        NewObject(Member{"a", NewString(long)}),
	} {
		findings := compiled(t, text).Validate(instance)
		if len(findings) != 1 {
			t.Errorf("%s: %v", text, findings)
		}
		checkTexts(t, findings)
	}
}

func TestCompileAndValidateAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	// With and without a backtracking pattern, whose errors the engine keeps.
	for _, pattern := range []string{`^a*$`, `^(?!b)a*$`} {
		s := admitted(t, fmt.Sprintf(`{"type":"object","properties":{"a":{"pattern":%q},"r":{"format":"regex"},"n":{"$ref":"#"}}}`, pattern))
		valid, invalid := parsed(t, `{"a":"aaa","r":"^x$","n":{"a":"a"}}`), parsed(t, `{"n":{"a":"c"}}`)
		undecided := NewObject(Member{"a", NewString(strings.Repeat("a", 2_000))})
		var group sync.WaitGroup
		for range 16 {
			group.Go(func() {
				validator, findings := s.Compile()
				if validator == nil {
					t.Error(findings)
					return
				}
				for range 50 {
					if findings := validator.Validate(valid); findings != nil {
						t.Error(findings)
					}
					if findings := validator.Validate(invalid); len(findings) != 1 || findings[0].Pointer != "/n/a" {
						t.Error(findings)
					}
					if accepted, err := validator.Accepts(undecided); accepted == (err != nil) {
						t.Errorf("an undecided text: %t, %v", accepted, err)
					}
				}
			})
		}
		group.Wait()
	}
}
