// SPDX-License-Identifier: Apache-2.0

package adapt_test

import "testing"

// inProperty puts a schema below a property of a closed root.
func inProperty(schema string) string {
	return `{"type":"object","properties":{"p":` + schema + `},"additionalProperties":false}`
}

func TestMergeAllOf(t *testing.T) {
	t.Parallel()
	noAllOf := map[string][]verdict{"allOf": rejected}
	merged := []string{"Keep merge-all-of /properties/p/allOf"}
	simple := func(in, want string) rewriteCase {
		return rewriteCase{verdicts: noAllOf, in: inProperty(in), want: inProperty(want), rewrites: merged}
	}
	refused := func(in string) rewriteCase {
		return rewriteCase{
			verdicts: noAllOf, in: inProperty(in), want: inProperty(in), errors: []string{"keyword-rejected /properties/p/allOf"},
		}
	}
	cases := map[string]rewriteCase{
		"types meet": simple(
			`{"type":["string","number","null"],"allOf":[{"type":["integer","string"]}]}`, `{"type":["string","integer"]}`),
		"bounds tighten": simple(
			`{"type":"number","minimum":1,"allOf":[{"minimum":3,"maximum":9},{"maximum":7,"exclusiveMaximum":8}]}`,
			`{"type":"number","minimum":3,"maximum":7,"exclusiveMaximum":8}`),
		"lengths and counts tighten": simple(
			`{"type":["string","array"],"allOf":[{"minLength":2,"maxLength":9,"minItems":1},{"minLength":1,"maxLength":5,"maxItems":3,"uniqueItems":true}]}`,
			`{"type":["string","array"],"minLength":2,"maxLength":5,"minItems":1,"maxItems":3,"uniqueItems":true}`),
		"steps become their common multiple": simple(
			`{"type":"number","multipleOf":0.4,"allOf":[{"multipleOf":0.6}]}`, `{"type":"number","multipleOf":1.2}`),
		"listed values meet, and those of other types go": simple(
			`{"type":"string","allOf":[{"enum":["a","b",null,"c"]},{"enum":["b",1,null,"c"]}]}`, `{"type":"string","enum":["b","c"]}`),
		"a constant among listed values stays": simple(
			`{"type":"string","allOf":[{"enum":["a","b"]},{"const":"b"}]}`, `{"type":"string","const":"b"}`),
		"a pattern within another stays": simple(
			`{"type":"string","pattern":"^[a-z]+$","allOf":[{"pattern":"^[a-c]+$"}]}`, `{"type":"string","pattern":"^[a-c]+$"}`),
		"properties meet, and required comes together": simple(
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"allOf":[{"properties":{"a":{"minLength":1},"b":{"type":"integer"}},"required":["b"]}]}`,
			`{"type":"object","properties":{"a":{"type":"string","minLength":1},"b":{"type":"integer"}},"required":["a","b"]}`),
		"what one side closes, the other does not open": simple(
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false,"allOf":[{"properties":{"a":{},"b":{"type":"integer"}}}]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`),
		"undeclared members meet declared ones": simple(
			`{"type":"object","additionalProperties":{"type":"string"},"allOf":[{"properties":{"a":{"maxLength":3}}}]}`,
			`{"type":"object","properties":{"a":{"type":"string","maxLength":3}},"additionalProperties":{"type":"string"}}`),
		"a pattern of names keeps what it says": simple(
			`{"type":"object","patternProperties":{"^x-":{"type":"string"}},"allOf":[{"properties":{"a":{"type":"integer"}},"additionalProperties":{"maxLength":3}}]}`,
			`{"type":"object","properties":{"a":{"type":"integer"}},"patternProperties":{"^x-":{"type":"string","maxLength":3}},"additionalProperties":{"maxLength":3}}`),
		"items meet position by position": simple(
			`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"integer"},"allOf":[{"items":{"maximum":9,"maxLength":2}}]}`,
			`{"type":"array","prefixItems":[{"type":"string","maxLength":2}],"items":{"type":"integer","maximum":9}}`),
		"alternatives are combined": simple(
			`{"anyOf":[{"type":"string"},{"type":"null"}],"allOf":[{"anyOf":[{"type":"string","minLength":1},{"type":"integer"},{"type":"null"}]}]}`,
			`{"anyOf":[{"type":"string","minLength":1},{"type":"null"}]}`),
		"alternatives on one side stay": simple(
			`{"type":"object","allOf":[{"anyOf":[{"required":["a"]},{"required":["b"]}]},{"properties":{"a":true}}]}`,
			`{"type":"object","properties":{"a":true},"anyOf":[{"required":["a"]},{"required":["b"]}]}`),
		"negations come together": simple(
			`{"type":"string","not":{"const":"a"},"allOf":[{"not":{"const":"b"}}]}`,
			`{"type":"string","not":{"anyOf":[{"const":"a"},{"const":"b"}]}}`),
		"dependencies come together": simple(
			`{"type":"object","dependentRequired":{"a":["b"]},"allOf":[{"dependentRequired":{"a":["c"],"d":["e"]}}]}`,
			`{"type":"object","dependentRequired":{"a":["b","c"],"d":["e"]}}`),
		"the node's own annotations count": simple(
			`{"description":"own","allOf":[{"type":"string","description":"theirs","title":"T"},{"maxLength":3,"title":"U"}]}`,
			`{"type":"string","title":"T","description":"own","maxLength":3}`),
		"branches inside branches": simple(
			`{"type":"object","allOf":[{"allOf":[{"properties":{"a":{"allOf":[{"type":"string"},{"maxLength":2}]}}}]},{"required":["a"]}]}`,
			`{"type":"object","properties":{"a":{"type":"string","maxLength":2}},"required":["a"]}`),
		"unevaluatedProperties sees what was merged": simple(
			`{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}],"unevaluatedProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}`),

		"two formats stay apart":        refused(`{"type":"string","format":"email","allOf":[{"format":"uri"}]}`),
		"two patterns stay apart":       refused(`{"type":"string","pattern":"^a","allOf":[{"pattern":"b$"}]}`),
		"two conditions stay apart":     refused(`{"type":"string","allOf":[{"if":{"const":"b"},"then":false}],"if":{"const":"a"},"then":false}`),
		"two counts of matches":         refused(`{"type":"array","contains":{"const":1},"allOf":[{"contains":{"const":2}}]}`),
		"nothing is left":               refused(`{"type":"string","allOf":[{"type":"integer"}]}`),
		"unevaluated beside a union":    refused(`{"type":"object","unevaluatedProperties":false,"allOf":[{"properties":{"a":true}},{"anyOf":[{"properties":{"b":true}},{"properties":{"c":true}}]}]}`),
		"names of a pattern declared":   refused(`{"type":"object","patternProperties":{"^x":{"type":"string"}},"allOf":[{"properties":{"xa":{"type":"string"}},"additionalProperties":{"maxLength":3}}]}`),
		"a required member that cannot": refused(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"allOf":[{"type":"object","properties":{"a":{"type":"null"}}}]}`),
	}
	refs := func(defs, in, want string) rewriteCase {
		return rewriteCase{
			verdicts: noAllOf,
			in:       `{"type":"object","properties":{"p":` + in + `},"$defs":` + defs + `}`,
			want:     `{"type":"object","properties":{"p":` + want + `},"$defs":` + defs + `}`,
			rewrites: merged,
		}
	}
	cases["references are followed"] = refs(`{"A":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"B":{"properties":{"b":{"type":"integer"}}}}`,
		`{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}`,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`)
	cases["pydantic's reference with a default and a description"] = refs(`{"A":{"type":"string","title":"A","description":"theirs","enum":["x","y"]}}`,
		`{"description":"own","allOf":[{"$ref":"#/$defs/A"}],"default":"x"}`,
		`{"type":"string","title":"A","description":"own","enum":["x","y"],"default":"x"}`)
	single := cases["pydantic's reference with a default and a description"]
	single.rewrites = []string{"Keep merge-single-all-of /properties/p/allOf"}
	cases["pydantic's reference with a default and a description"] = single
	inside := cases["branches inside branches"]
	inside.rewrites = append(inside.rewrites, "Keep merge-all-of /properties/p/allOf/0/allOf/0/properties/a/allOf")
	cases["branches inside branches"] = inside
	cases["pydantic's reference with a constraint"] = refs(`{"A":{"type":"object","properties":{"a":{"type":"string"}}}}`,
		`{"allOf":[{"$ref":"#/$defs/A"}],"minProperties":1}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"minProperties":1}`)
	cases["an anchor is not repeated"] = refs(`{"A":{"$anchor":"a","type":"string"}}`,
		`{"allOf":[{"$ref":"#a"},{"maxLength":3}]}`, `{"type":"string","maxLength":3}`)
	cases["recursion is not followed"] = rewriteCase{
		verdicts: noAllOf,
		in:       `{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/$defs/N"},{"required":["next"]}]}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}}}`,
		want:     `{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/$defs/N"},{"required":["next"]}]}},"$defs":{"N":{"type":"object","properties":{"next":{"$ref":"#/$defs/N"}}}}}`,
		errors:   []string{"keyword-rejected /properties/p/allOf"},
	}
	cases["an object that is merged is closed"] = rewriteCase{
		verdicts: map[string][]verdict{"allOf": rejected, "OpenObject": rejected}, narrows: true,
		in:   inProperty(`{"type":"object","allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}]}`),
		want: inProperty(`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"additionalProperties":false}`),
		rewrites: []string{
			"Narrow close-object /properties/p", "Keep merge-all-of /properties/p/allOf",
		},
	}
	run(t, cases)
}

func TestMergePointersLeadToTheAuthor(t *testing.T) {
	t.Parallel()
	run(t, map[string]rewriteCase{
		"a keyword of a branch, of a target and of the node": {
			verdicts: map[string][]verdict{"allOf": rejected, "minLength": rejected, "maximum": rejected, "pattern": rejected, "uniqueItems": rejected},
			in: `{"type":"object","properties":{"p":{"uniqueItems":true,"allOf":[{"$ref":"#/$defs/A"},{"properties":{"n":{"maximum":3}}}]}},` +
				`"$defs":{"A":{"properties":{"a":{"type":"string","pattern":"^a","minLength":2},"n":{"type":"integer"}}}}}`,
			want:     `{"type":"object","properties":{"p":{"properties":{"a":{"type":"string","pattern":"^a","minLength":2},"n":{"type":"integer","maximum":3}},"uniqueItems":true}}}`,
			rewrites: []string{"Keep drop-unused-definition /$defs/A", "Keep merge-all-of /properties/p/allOf"},
			errors: []string{
				"keyword-rejected /$defs/A/properties/a/minLength", "keyword-rejected /$defs/A/properties/a/pattern",
				"keyword-rejected /properties/p/allOf/1/properties/n/maximum", "keyword-rejected /properties/p/uniqueItems",
			},
		},
	})
}
