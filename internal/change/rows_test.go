// SPDX-License-Identifier: Apache-2.0

package change

import (
	"testing"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

const (
	patch = contract.Patch
	minor = contract.Minor
	major = contract.Major
)

// row is one change of a schema and what it needs on each side, in both
// directions: old → new and new → old.
type row struct {
	name           string
	old, new       string
	in, out        contract.Bump
	inBack, outBak contract.Bump
}

func (r row) test(t *testing.T) {
	t.Helper()
	for _, c := range []struct {
		side     finding.Side
		old, new string
		want     contract.Bump
	}{
		{finding.Input, r.old, r.new, r.in},
		{finding.Input, r.new, r.old, r.inBack},
		{finding.Output, r.old, r.new, r.out},
		{finding.Output, r.new, r.old, r.outBak},
	} {
		report := compare(onSide(t, c.side, c.old, c.new))
		if report.Required != c.want {
			t.Errorf("%s: %s %s → %s needs %s, got %s %v", r.name, c.side, c.old, c.new, c.want, report.Required, allSaid(report))
		}
		for _, f := range report.Findings {
			if f.Bump == major && f.Proof == Unknown {
				t.Errorf("%s: %s %s → %s is not decided: %s", r.name, c.side, c.old, c.new, f.Message)
			}
		}
	}
}

// Rows are the changes of a schema whose bump everybody can tell.
func TestPlainChangesOfASchema(t *testing.T) {
	t.Parallel()
	for _, r := range []row{
		{"a type more", `{"type":"string"}`, `{"type":["string","null"]}`, minor, major, major, minor},
		{"another type", `{"type":"string"}`, `{"type":"integer"}`, major, major, major, major},
		{"a type at all", `{}`, `{"type":"string"}`, major, minor, minor, major},
		{"fractions", `{"type":"integer"}`, `{"type":"number"}`, minor, major, major, minor},
		{"fractions that a multiple excludes", `{"type":"integer"}`, `{"type":"number","multipleOf":1}`, patch, patch, patch, patch},
		{"a listed value more", `{"enum":["a"]}`, `{"enum":["a","b"]}`, minor, major, major, minor},
		{"a listed value of an extensible list", `{"anyOf":[{"enum":["a"]},{"type":"string"}]}`, `{"anyOf":[{"enum":["a","b"]},{"type":"string"}]}`, patch, patch, patch, patch},
		{"a listed value that the type excludes", `{"type":"string","enum":["a",1]}`, `{"type":"string","enum":["a"]}`, patch, patch, patch, patch},
		{"a list at all", `{"type":"string"}`, `{"type":"string","enum":["a"]}`, major, minor, minor, major},
		{"the order of a list", `{"enum":["a","b"]}`, `{"enum":["b","a"]}`, patch, patch, patch, patch},
		{"a constant as a list of one", `{"const":"a"}`, `{"enum":["a"]}`, patch, patch, patch, patch},
		{"a constant at all", `{"type":"string"}`, `{"type":"string","const":"a"}`, major, minor, minor, major},
		{"another constant", `{"const":"a"}`, `{"const":"b"}`, major, major, major, major},
		{"the same constant number", `{"const":1}`, `{"const":1.0}`, contract.None, contract.None, contract.None, contract.None},
		{"coarser multiples", `{"type":"number","multipleOf":0.3}`, `{"type":"number","multipleOf":3}`, major, minor, minor, major},
		{"other multiples", `{"type":"integer","multipleOf":2}`, `{"type":"integer","multipleOf":3}`, major, major, major, major},
		{"a shorter text", `{"type":"string","maxLength":9}`, `{"type":"string","maxLength":8}`, major, minor, minor, major},
		{"a length of zero", `{"type":"string"}`, `{"type":"string","minLength":0}`, patch, patch, patch, patch},
		{"a format at all", `{"type":"string"}`, `{"type":"string","format":"date"}`, major, minor, minor, major},
		{"another format", `{"type":"string","format":"date"}`, `{"type":"string","format":"uuid"}`, major, major, major, major},
		{"a required name less", `{"type":"object","required":["a"]}`, `{"type":"object"}`, minor, major, major, minor},
		{"closed", `{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, major, minor, minor, major},
		{"open, spelled out", `{"type":"object"}`, `{"type":"object","additionalProperties":true}`, patch, patch, patch, patch},
		{"closed where no name could occur", `{"type":"object","maxProperties":0}`, `{"type":"object","maxProperties":0,"additionalProperties":false}`, patch, patch, patch, patch},
		{"values of other names", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","additionalProperties":{"type":["string","null"]}}`, minor, major, major, minor},
		{"names of one form", `{"type":"object"}`, `{"type":"object","propertyNames":{"maxLength":3}}`, major, minor, minor, major},
		{"names of a wider form", `{"type":"object","propertyNames":{"maxLength":3}}`, `{"type":"object","propertyNames":{"maxLength":4}}`, minor, major, major, minor},
		{"schemas for dependents", `{"type":"object"}`, `{"type":"object","dependentSchemas":{"a":{"required":["b"]}}}`, major, minor, minor, major},
		{"other items", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"number"}}`, minor, major, major, minor},
		{"fewer items", `{"type":"array","maxItems":9}`, `{"type":"array","maxItems":8}`, major, minor, minor, major},
		{"distinct items", `{"type":"array"}`, `{"type":"array","uniqueItems":true}`, major, minor, minor, major},
		{"distinct items of at most one", `{"type":"array","maxItems":1}`, `{"type":"array","maxItems":1,"uniqueItems":true}`, patch, patch, patch, patch},
		{"one more condition", `{"type":"string"}`, `{"type":"string","allOf":[{"minLength":2}]}`, major, minor, minor, major},
		{"a condition that follows", `{"type":"string","minLength":3}`, `{"type":"string","minLength":3,"allOf":[{"minLength":2}]}`, patch, patch, patch, patch},
		{"a condition without content", `{"type":"string"}`, `{"type":"string","allOf":[{"description":"A text."}]}`, patch, patch, patch, patch},
		{"an alternative more", `{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, minor, major, major, minor},
		{"an alternative that the others cover", `{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string"},{"type":"string","minLength":1}]}`, patch, patch, patch, patch},
		{"exactly one → any, disjoint", `{"oneOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, patch, patch, patch, patch},
		{"exactly one → any, overlapping", `{"oneOf":[{"type":"string","minLength":2},{"type":"string","maxLength":3}]}`, `{"anyOf":[{"type":"string","minLength":2},{"type":"string","maxLength":3}]}`, minor, major, major, minor},
		{"more is excluded", `{"not":{"type":"string","minLength":3}}`, `{"not":{"type":"string","minLength":2}}`, major, minor, minor, major},
		{"a condition", `{"type":"object"}`, `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`, major, minor, minor, major},
		{"a condition without consequence", `{"type":"object"}`, `{"type":"object","if":{"required":["a"]}}`, patch, patch, patch, patch},
		{"a reference", `{"type":"array","items":{"type":"string"}}`, `{"type":"array","items":{"$ref":"#/$defs/t"},"$defs":{"t":{"type":"string"}}}`, patch, patch, patch, patch},
		{"a definition that nothing uses", `{"type":"string"}`, `{"type":"string","$defs":{"t":{"type":"null"}}}`, patch, patch, patch, patch},
		{"inside a recursion", `{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"n":{"type":"integer"},"c":{"$ref":"#/$defs/t"}}}}}`, `{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"n":{"type":"number"},"c":{"$ref":"#/$defs/t"}}}}}`, minor, major, major, minor},
		{"nothing", `{"type":"string"}`, `false`, major, minor, minor, major},
		{"anything", `true`, `{}`, patch, patch, patch, patch},
	} {
		r.test(t)
	}
}

// The sign of these changes depends on what stands beside them.
func TestChangesThatDependOnTheirNeighbours(t *testing.T) {
	t.Parallel()
	for _, r := range []row{
		// Null.
		{"null in a list of types", `{"type":"string"}`, `{"type":["string","null"]}`, minor, major, major, minor},
		{"null as an alternative", `{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, minor, major, major, minor},
		{"null as exactly one alternative", `{"type":"string"}`, `{"oneOf":[{"type":"string"},{"type":"null"}]}`, minor, major, major, minor},
		{"null spelled another way", `{"type":["string","null"]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, patch, patch, patch, patch},
		{"null wrapped twice is refused", `{"type":["string","null"]}`, `{"oneOf":[{"type":["string","null"]},{"type":"null"}]}`, major, minor, minor, major},

		// Bounds.
		{"a tighter bound", `{"type":"integer","maximum":1000}`, `{"type":"integer","maximum":100}`, major, minor, minor, major},
		{"a bound of integers between them", `{"type":"integer","minimum":1}`, `{"type":"integer","exclusiveMinimum":0}`, patch, patch, patch, patch},
		{"a bound of numbers between them", `{"type":"number","minimum":1}`, `{"type":"number","exclusiveMinimum":0}`, minor, major, major, minor},
		{"a bound that another one hides", `{"type":"number","maximum":5}`, `{"type":"number","maximum":5,"exclusiveMaximum":9}`, patch, patch, patch, patch},
		{"a bound for another type", `{"type":"string"}`, `{"type":"string","maximum":5}`, patch, patch, patch, patch},

		// Patterns.
		{"a pattern", `{"type":"string"}`, `{"type":"string","pattern":"^[a-z]+$"}`, major, minor, minor, major},
		{"a pattern that matches everything", `{"type":"string"}`, `{"type":"string","pattern":"[a-z]*"}`, patch, patch, patch, patch},

		// Required names.
		{"a required name", `{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{}},"required":["a"]}`, major, minor, minor, major},
		{"a required name with a default", `{"type":"object","properties":{"a":{"default":1}}}`, `{"type":"object","properties":{"a":{"default":1}},"required":["a"]}`, major, minor, minor, major},
		{"a required name that is not declared", `{"type":"object"}`, `{"type":"object","required":["z"]}`, major, minor, minor, major},
		{"a required name that a count implies", `{"type":"object","properties":{"a":{}},"additionalProperties":false,"minProperties":1}`, `{"type":"object","properties":{"a":{}},"additionalProperties":false,"minProperties":1,"required":["a"]}`, patch, patch, patch, patch},
		{"a required name that another one implies", `{"type":"object","required":["a"],"dependentRequired":{"a":["b"]}}`, `{"type":"object","required":["a","b"],"dependentRequired":{"a":["b"]}}`, patch, patch, patch, patch},

		// Properties. Back again they are gone, which is Major everywhere.
		{"an optional property of a closed object", `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{},"b":{"type":"integer"}},"additionalProperties":false}`, minor, major, major, major},
		{"an optional property of an open object", `{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{},"b":{"type":"integer"}}}`, major, minor, major, major},
		{"an optional property of an open object that says nothing", `{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{},"b":{}}}`, minor, minor, major, major},
		{"an optional property that covers the values of other names", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","properties":{"b":{"type":"number"}},"additionalProperties":{"type":"integer"}}`, minor, major, major, major},
		{"a required property of a closed object", `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{},"b":{}},"required":["b"],"additionalProperties":false}`, major, major, major, major},
		{"a required property of an open object", `{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{},"b":{"type":"integer"}},"required":["b"]}`, major, minor, major, major},
		{"a property that can never be present, closed", `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{},"b":false},"additionalProperties":false}`, patch, patch, patch, patch},
		{"a property that can never be present, open", `{"type":"object","properties":{"a":{}}}`, `{"type":"object","properties":{"a":{},"b":false}}`, major, minor, minor, major},

		// Properties by pattern.
		{"a pattern of names, closed", `{"type":"object","additionalProperties":false}`, `{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, minor, major, major, minor},
		{"a pattern of names, open", `{"type":"object"}`, `{"type":"object","patternProperties":{"^x-":{"type":"string"}}}`, major, minor, minor, major},

		// Counts.
		{"a count that a required name implies", `{"type":"object","required":["a"]}`, `{"type":"object","required":["a"],"minProperties":1}`, patch, patch, patch, patch},
		{"a count that a closed object implies", `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, `{"type":"object","properties":{"a":{}},"additionalProperties":false,"maxProperties":1}`, patch, patch, patch, patch},
		{"a count", `{"type":"object"}`, `{"type":"object","maxProperties":1}`, major, minor, minor, major},

		// Dependents.
		{"a dependent", `{"type":"object"}`, `{"type":"object","dependentRequired":{"a":["b"]}}`, major, minor, minor, major},
		{"a dependent that is required anyway", `{"type":"object","required":["b"]}`, `{"type":"object","required":["b"],"dependentRequired":{"a":["b"]}}`, patch, patch, patch, patch},

		// Tuples.
		{"one position more, open", `{"type":"array","prefixItems":[{"type":"string"}]}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}]}`, major, minor, minor, major},
		{"one position more, closed", `{"type":"array","prefixItems":[{"type":"string"}],"items":false}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":false}`, minor, major, major, minor},
		{"one position more, as the rest", `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"string"}}`, `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":{"type":"string"}}`, patch, patch, patch, patch},

		// Contained items.
		{"an item that must be there", `{"type":"array"}`, `{"type":"array","contains":{"type":"string"}}`, major, minor, minor, major},
		{"no item must be there", `{"type":"array"}`, `{"type":"array","contains":{"type":"string"},"minContains":0}`, patch, patch, patch, patch},
		{"the permission to have none goes", `{"type":"array","contains":{"type":"string"},"minContains":0}`, `{"type":"array","contains":{"type":"string"}}`, major, minor, minor, major},
		{"a most of nothing", `{"type":"array"}`, `{"type":"array","maxContains":1}`, patch, patch, patch, patch},
		{"a wider item under a most", `{"type":"array","contains":{"type":"integer"},"minContains":0,"maxContains":1}`, `{"type":"array","contains":{"type":"number"},"minContains":0,"maxContains":1}`, major, minor, minor, major},

		// Unevaluated members.
		{"closed for itself → closed for all", `{"type":"object","allOf":[{"properties":{"a":{}}}],"additionalProperties":false}`, `{"type":"object","allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, minor, major, major, minor},
		{"closed for all", `{"type":"object","allOf":[{"properties":{"a":{}}}]}`, `{"type":"object","allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, major, minor, minor, major},

		// Exactly one.
		{"a disjoint alternative", `{"oneOf":[{"type":"string"}]}`, `{"oneOf":[{"type":"string"},{"type":"integer"}]}`, minor, major, major, minor},
		{
			"an alternative apart by a required tag",
			`{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]}]}`,
			`{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}},"required":["k"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`,
			minor, major, major, minor,
		},
		{
			"an alternative apart by an optional tag",
			`{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}}}]}`,
			`{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}}},{"type":"object","properties":{"k":{"const":"b"}}}]}`,
			major, major, major, major,
		},
		{
			"an alternative that overlaps",
			`{"oneOf":[{"type":"string","maxLength":5}]}`, `{"oneOf":[{"type":"string","maxLength":5},{"type":"string","minLength":3}]}`,
			major, major, major, major,
		},
		{
			"an alternative that all others covered twice",
			`{"oneOf":[{"type":"string"},{"type":"string","maxLength":3}]}`, `{"oneOf":[{"type":"string"}]}`,
			minor, major, major, minor,
		},
	} {
		r.test(t)
	}
}
