// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"testing"
)

// jointPairs need several keywords, branches or demands to be judged together,
// which no rule for a pair of nodes does alone. The answers are those for a in b
// and for b in a.
var jointPairs = []struct {
	name              string
	a, b              string
	forward, backward Answer
}{
	{"a union of types is covered by branches of its types", `{"type":["string","integer"]}`, `{"anyOf":[{"type":"string"},{"type":"number"},{"type":"null"}]}`, Proven, Refuted},
	{"ranges cover together", `{"type":"number","minimum":0,"maximum":10}`, `{"anyOf":[{"type":"number","minimum":0,"maximum":4},{"type":"number","exclusiveMinimum":4,"maximum":7},{"type":"number","minimum":6,"maximum":12}]}`, Proven, Refuted},
	{"ranges leave a number out", `{"type":"number","minimum":0,"maximum":10}`, `{"anyOf":[{"type":"number","minimum":0,"exclusiveMaximum":4},{"type":"number","exclusiveMinimum":4,"maximum":10}]}`, Refuted, Proven},
	{"ranges of integers that meet", `{"type":"integer","minimum":0,"maximum":10}`, `{"anyOf":[{"type":"integer","minimum":0,"maximum":4},{"type":"integer","minimum":5,"maximum":10}]}`, Proven, Proven},
	{"listed tags are covered by branches", `{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"]}`, `{"oneOf":[{"properties":{"k":{"const":"a"}},"required":["k"]},{"properties":{"k":{"const":"b"}},"required":["k"]}]}`, Proven, Proven},
	{"branches cover by the value of a member", `{"type":"object","properties":{"a":{"type":["string","null"]}}}`, `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"a":{"type":"null"}}}]}`, Proven, Proven},
	{"branches about different members do not cover", `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"type":["string","null"]}}}`, `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"null"}}}]}`, Refuted, Refuted},
	{"a condition spelled as alternatives, for any kind of value", `{"if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"anyOf":[{"properties":{"a":{"const":1}},"required":["a","b"]},{"not":{"properties":{"a":{"const":1}},"required":["a"]},"required":["c"]}]}`, Proven, Proven},
	{"a condition spelled as alternatives", `{"type":"object","if":{"properties":{"a":{"const":1}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"type":"object","anyOf":[{"properties":{"a":{"const":1}},"required":["a","b"]},{"not":{"properties":{"a":{"const":1}},"required":["a"]},"required":["c"]}]}`, Proven, Proven},
	{"a condition spelled as dependentRequired", `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`, `{"type":"object","dependentRequired":{"a":["b"]}}`, Proven, Proven},
	{"alternatives spelled as dependentSchemas", `{"type":"object","anyOf":[{"not":{"required":["a"]}},{"required":["b"]}]}`, `{"type":"object","dependentSchemas":{"a":{"required":["b"]}}}`, Proven, Proven},
	{"an overlap of oneOf is excluded", `{"oneOf":[{"type":"integer","minimum":0},{"type":"integer","maximum":10}]}`, `{"type":"integer","not":{"minimum":0,"maximum":10}}`, Proven, Proven},
	{"removing an overlapping branch can admit more", `{"oneOf":[{"type":"string","minLength":2},{"type":"string","maxLength":5}]}`, `{"oneOf":[{"type":"string","minLength":2}]}`, Refuted, Refuted},
	{"null beside a nullable branch of oneOf", `{"type":["string","null"]}`, `{"oneOf":[{"type":["string","null"]},{"type":"null"}]}`, Refuted, Proven},
	{"negated object", `{"not":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}`, `{"not":{"type":"object","properties":{"a":{"const":"x"}},"required":["a"]}}`, Proven, Refuted},
	{"negated array", `{"not":{"type":"array","items":{"type":"integer"}}}`, `{"not":{"type":"array","items":{"type":"integer","minimum":3},"minItems":1}}`, Proven, Refuted},
	{"not contains", `{"type":"array","not":{"contains":{"type":"integer"}}}`, `{"type":"array","items":{"not":{"type":"integer"}}}`, Proven, Proven},
	{"not items", `{"type":"array","not":{"items":{"type":"integer"}}}`, `{"type":"array","contains":{"not":{"type":"integer"}}}`, Proven, Proven},
	{"not additional", `{"type":"object","not":{"properties":{"a":true},"additionalProperties":false}}`, `{"type":"object","minProperties":1}`, Proven, Refuted},
	{"not propertyNames", `{"type":"object","not":{"propertyNames":{"pattern":"^a"}}}`, `{"type":"object","minProperties":1}`, Proven, Refuted},
	{"not patternProperties", `{"type":"object","not":{"patternProperties":{"^x":{"type":"string"}}}}`, `{"type":"object","minProperties":1,"not":{"propertyNames":{"not":{"pattern":"^x"}}}}`, Proven, Refuted},
	{"multipleOf cover", `{"type":"integer"}`, `{"anyOf":[{"multipleOf":2},{"not":{"multipleOf":2}}]}`, Proven, Refuted},
	{"multipleOf 6", `{"type":"number","multipleOf":2,"allOf":[{"multipleOf":3}]}`, `{"type":"number","multipleOf":6}`, Proven, Proven},
	{"not multiple", `{"type":"integer","not":{"multipleOf":3}}`, `{"type":"integer","not":{"multipleOf":6}}`, Proven, Refuted},
	{"short range off", `{"type":"integer","minimum":1,"maximum":5,"not":{"multipleOf":2}}`, `{"enum":[1,3,5]}`, Proven, Proven},
	{"pattern union", `{"type":"string","pattern":"^[ab]+$"}`, `{"anyOf":[{"type":"string","pattern":"a"},{"type":"string","pattern":"^b*$"}]}`, Proven, Refuted},
	{"pattern lengths", `{"type":"string","pattern":"^(ab)*$","maxLength":3}`, `{"enum":["","ab"]}`, Proven, Proven},
	{"format excluded", `{"anyOf":[{"format":"date"},{"not":{"format":"date"}}]}`, `{}`, Proven, Proven},
	{"a format or not", `{"type":"string"}`, `{"anyOf":[{"format":"date"},{"not":{"format":"date"}}]}`, Proven, Refuted},
	{"enum in format", `{"type":"object","properties":{"d":{"enum":["2026-01-02","2024-02-29"]}}}`, `{"type":"object","properties":{"d":{"format":"date"}}}`, Proven, Refuted},
	{"closed min count", `{"type":"object","properties":{"a":{}},"additionalProperties":false,"minProperties":1}`, `{"type":"object","properties":{"a":{}},"required":["a"]}`, Proven, Refuted},
	{"max props one", `{"type":"object","required":["a"],"maxProperties":1}`, `{"type":"object","additionalProperties":false,"properties":{"a":{}}}`, Proven, Refuted},
	{"patterns finite names", `{"type":"object","patternProperties":{"^[ab]$":{}},"additionalProperties":false}`, `{"type":"object","maxProperties":2}`, Proven, Refuted},
	{"propertyNames finite", `{"type":"object","propertyNames":{"enum":["a","b"]}}`, `{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}`, Proven, Proven},
	{"propertyNames finite counts", `{"type":"object","propertyNames":{"enum":["a","b"]},"minProperties":2}`, `{"type":"object","required":["a","b"]}`, Proven, Refuted},
	{"two patterns one name", `{"type":"object","patternProperties":{"^a":{"type":"integer"},"b$":{"minimum":3}}}`, `{"type":"object","properties":{"ab":{"type":"integer","minimum":1}}}`, Proven, Refuted},
	{"patterns together", `{"type":"object","patternProperties":{"^a":{"type":"integer"},"b$":{"minimum":3}}}`, `{"type":"object","patternProperties":{"^a.*b$":{"type":"integer","minimum":3}}}`, Proven, Refuted},
	{"unique finite", `{"type":"array","items":{"enum":[1,2,3]},"uniqueItems":true}`, `{"type":"array","maxItems":3}`, Proven, Refuted},
	{"unique booleans", `{"type":"array","items":{"type":"boolean"},"uniqueItems":true,"minItems":3}`, `false`, Proven, Proven},
	{"unique by types", `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":false}`, `{"type":"array","uniqueItems":true}`, Proven, Refuted},
	{"contains from items", `{"type":"array","items":{"type":"integer"},"minItems":2}`, `{"type":"array","contains":{"type":"number"},"minContains":2}`, Proven, Refuted},
	{"contains max wider", `{"type":"array","contains":{"type":"number"},"minContains":0,"maxContains":1}`, `{"type":"array","contains":{"type":"integer"},"minContains":0,"maxContains":1}`, Proven, Refuted},
	{"contains all", `{"type":"array","maxItems":1,"contains":{"type":"integer"}}`, `{"type":"array","items":{"type":"integer"},"minItems":1}`, Proven, Refuted},
	{"contains split", `{"type":"array","maxItems":2,"contains":{"type":"integer"},"minContains":2}`, `{"type":"array","prefixItems":[{"type":"integer"},{"type":"integer"}],"items":false,"minItems":2}`, Proven, Proven},
	{"contains both", `{"type":"array","allOf":[{"contains":{"type":"integer"}},{"contains":{"type":"string"}}]}`, `{"type":"array","minItems":2}`, Proven, Refuted},
	{"prefix rest", `{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":{"type":"string"}}`, `{"type":"array","items":{"type":"string"}}`, Proven, Proven},
	{"unevaluated anyOf", `{"type":"object","anyOf":[{"properties":{"a":true}},{"properties":{"b":true}}],"unevaluatedProperties":false}`, `{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false}`, Proven, Proven},
	{"unevaluated anyOf required", `{"type":"object","anyOf":[{"properties":{"a":true},"required":["a"]},{"properties":{"b":true},"required":["b"]}],"unevaluatedProperties":false}`, `{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false,"minProperties":1}`, Proven, Proven},
	{"unevaluated if", `{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"],"if":{"properties":{"k":{"const":"a"}}},"then":{"properties":{"x":{"type":"string"}}},"else":{"properties":{"y":{"type":"string"}}},"unevaluatedProperties":false}`, `{"type":"object","properties":{"k":{"enum":["a","b"]},"x":{"type":"string"},"y":{"type":"string"}},"required":["k"],"additionalProperties":false}`, Proven, Refuted},
	{"unevaluated items", `{"type":"array","allOf":[{"prefixItems":[{"type":"string"}]}],"contains":{"type":"integer"},"unevaluatedItems":{"type":"null"}}`, `{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":["integer","null"]}}`, Proven, Refuted},
	{"dependentSchemas", `{"type":"object","dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}}}}}`, `{"type":"object","dependentSchemas":{"a":{"properties":{"b":{"type":"number"}}}}}`, Proven, Refuted},
	{"dependentSchemas required", `{"type":"object","required":["a"],"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}}}}}`, `{"type":"object","properties":{"b":{"type":"integer"}},"required":["a"]}`, Proven, Proven},
	{"dependentRequired chain", `{"type":"object","dependentRequired":{"a":["b"],"b":["c"]}}`, `{"type":"object","dependentRequired":{"a":["c"]}}`, Proven, Refuted},
	{"recursion cover", `{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"type":"null"},{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},"required":["next"]}]}}}`, `{"$ref":"#/$defs/n","$defs":{"n":{"type":["null","object"],"if":{"type":"object"},"then":{"required":["next"],"properties":{"next":{"$ref":"#/$defs/n"}}}}}}`, Proven, Proven},
	{"recursive empty", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}},"required":["next"]}}}`, `false`, Proven, Proven},
	{"even lists", `{"$ref":"#/$defs/e","$defs":{"e":{"anyOf":[{"type":"null"},{"type":"object","properties":{"n":{"$ref":"#/$defs/o"}},"required":["n"]}]},"o":{"type":"object","properties":{"n":{"$ref":"#/$defs/e"}},"required":["n"]}}}`, `{"$ref":"#/$defs/l","$defs":{"l":{"anyOf":[{"type":"null"},{"type":"object","properties":{"n":{"$ref":"#/$defs/l"}},"required":["n"]}]}}}`, Proven, Refuted},
	{"const object in closed", `{"type":"object","properties":{"a":{"const":1}},"required":["a"],"additionalProperties":false}`, `{"const":{"a":1}}`, Proven, Proven},
	{"const array", `{"type":"array","prefixItems":[{"const":1},{"const":"x"}],"items":false,"minItems":2}`, `{"enum":[[1,"x"],[2]]}`, Proven, Refuted},
	{"demorgan", `{"not":{"anyOf":[{"type":"string"},{"minimum":3}]}}`, `{"allOf":[{"not":{"type":"string"}},{"not":{"minimum":3}}]}`, Proven, Proven},
	{"allOf anyOf distribute", `{"allOf":[{"anyOf":[{"required":["a"]},{"required":["b"]}]},{"anyOf":[{"required":["a"]},{"required":["c"]}]}]}`, `{"anyOf":[{"required":["a"]},{"required":["b","c"]}]}`, Proven, Proven},
	{"enum nested", `{"enum":[{"a":1},[1,2],"x"]}`, `{"anyOf":[{"type":"object","properties":{"a":{"type":"integer"}}},{"type":"array","contains":{"const":2}},{"format":"uri-template"}]}`, Proven, Refuted},
	{"additional covered", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"type":"object","properties":{"b":{"type":"string"}},"patternProperties":{"^x":{"type":["string","null"]}},"additionalProperties":{"type":"string"}}`, Proven, Refuted},
	{"not required both", `{"type":"object","not":{"required":["a","b"]}}`, `{"type":"object","anyOf":[{"properties":{"a":false}},{"properties":{"b":false}}]}`, Proven, Proven},
	{"at most one of", `{"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]}`, `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}],"not":{"required":["a","b"]}}`, Proven, Proven},
	{"float integers", `{"enum":[1.0,2.0]}`, `{"type":"integer"}`, Proven, Refuted},
	{"max length code points", `{"const":"\ud83d\ude00"}`, `{"maxLength":1}`, Proven, Refuted},
	{"minLength covers", `{"type":"string"}`, `{"anyOf":[{"maxLength":5},{"minLength":6}]}`, Proven, Refuted},
	{"items len cover", `{"type":"array"}`, `{"anyOf":[{"maxItems":1},{"minItems":3},{"minItems":2,"maxItems":2}]}`, Proven, Refuted},
	{"tuple split", `{"type":"array","prefixItems":[{"type":["string","integer"]},{"type":"string"}],"minItems":2,"items":false}`, `{"anyOf":[{"type":"array","prefixItems":[{"type":"string"},{"type":"string"}],"items":false},{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}]}`, Proven, Refuted},
	{"extensible enum", `{"anyOf":[{"enum":["a","b"]},{"type":"string"}]}`, `{"anyOf":[{"enum":["a","b","c"]},{"type":"string"}]}`, Proven, Proven},
	{"a chain of required members that one other name escapes", `{"type":"object","minProperties":1,"dependentRequired":{"a":["b"],"b":["c"]},"propertyNames":{"pattern":"^(a|b|c|q7z)$"}}`, `{"required":["c"]}`, Refuted, Refuted},
	{"a required member that one other name escapes", `{"type":"object","minProperties":1,"maxProperties":1,"dependentRequired":{"b":["x"]},"propertyNames":{"pattern":"b"}}`, `false`, Refuted, Proven},
	{"a chain of required members that nothing escapes", `{"type":"object","minProperties":1,"dependentRequired":{"a":["b"],"b":["c"]},"propertyNames":{"enum":["a","b","c"]}}`, `{"required":["c"]}`, Proven, Refuted},
	{"maxContains 0", `{"type":"array","contains":{"type":"string"},"minContains":0,"maxContains":0}`, `{"type":"array","items":{"not":{"type":"string"}}}`, Proven, Proven},
	{"prefix forces maxContains", `{"type":"array","prefixItems":[{"type":"string"}],"minItems":1,"contains":{"type":"string"},"maxContains":1}`, `{"type":"array","prefixItems":[{"type":"string"}],"items":{"not":{"type":"string"}},"minItems":1}`, Proven, Proven},
}

func TestWhatActsTogetherIsJudgedTogether(t *testing.T) {
	t.Parallel()
	for _, p := range jointPairs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			a, b := admitted(t, p.a), admitted(t, p.b)
			if r := Contains(a, b); r.Answer != p.forward {
				t.Errorf("a in b: %s: %s", r.Answer, r.Reason)
			}
			if r := Contains(b, a); r.Answer != p.backward {
				t.Errorf("b in a: %s: %s", r.Answer, r.Reason)
			}
		})
	}
}

func TestSurroundingsDoNotChangeWhatActsTogether(t *testing.T) {
	t.Parallel()
	for _, p := range jointPairs {
		for _, s := range surroundings[:2] {
			a, okA := admit(fmt.Sprintf(s.form, p.a))
			b, okB := admit(fmt.Sprintf(s.form, p.b))
			if !okA || !okB {
				continue // a reference that only leads somewhere at the root
			}
			if r := Contains(a, b); r.Answer != p.forward {
				t.Errorf("%s, %s: a in b: %s: %s", p.name, s.name, r.Answer, r.Reason)
			}
			if r := Contains(b, a); r.Answer != p.backward {
				t.Errorf("%s, %s: b in a: %s: %s", p.name, s.name, r.Answer, r.Reason)
			}
		}
	}
}
