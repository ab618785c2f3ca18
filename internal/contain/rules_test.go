// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
)

// rulePair is two schemas of which the narrow one lies inside the wide one and
// not the other way round. keyword and pointer are those of the answer to the
// wrong direction; witness is the instance it shows.
type rulePair struct {
	name             string
	narrow, wide     string
	keyword, pointer string
	witness          string
}

var rulePairs = []rulePair{
	{"a type list is wider than its member", `{"type":"string"}`, `{"type":["string","null"]}`, "type", "", `null`},
	{"a number may be no integer", `{"type":"integer"}`, `{"type":"number"}`, "type", "", `0.5`},
	{"no type is every type", `{"type":"object"}`, `{}`, "type", "", `0`},
	{"false is inside everything", `false`, `{"type":"null"}`, "", "", `null`},
	{"a longer enum is wider", `{"enum":["a"]}`, `{"enum":["a","b"]}`, "enum", "", `"b"`},
	{"an enum is wider than a const", `{"const":"a"}`, `{"enum":["b","a"]}`, "const", "", `"b"`},
	{"an enum lies inside its type", `{"enum":["a","b"]}`, `{"type":"string"}`, "enum", "", `""`},
	{"a maximum tightens", `{"type":"integer","maximum":100}`, `{"type":"integer","maximum":1000}`, "maximum", "", `101`},
	{"a minimum tightens", `{"type":"number","minimum":1}`, `{"type":"number","exclusiveMinimum":0}`, "minimum", "", `0.5`},
	{"a bound against no bound", `{"type":"integer","minimum":3}`, `{"type":"integer"}`, "minimum", "", `2`},
	{"bounds are exact beyond 2^53", `{"type":"integer","maximum":9007199254740992}`, `{"type":"integer","maximum":9007199254740993}`, "maximum", "", `9007199254740993`},
	{"a coarser multiple is narrower", `{"type":"integer","multipleOf":6}`, `{"type":"integer","multipleOf":3}`, "multipleOf", "", `3`},
	{"decimal multiples are exact", `{"type":"number","multipleOf":3}`, `{"type":"number","multipleOf":0.3}`, "multipleOf", "", `0.3`},
	{"a short range lies inside the list of its numbers", `{"type":"integer","minimum":1,"maximum":2}`, `{"enum":[1,2,3]}`, "maximum", "", `3`},
	{"a minimum length tightens", `{"type":"string","minLength":1}`, `{"type":"string"}`, "minLength", "", `""`},
	{"a maximum length tightens", `{"type":"string","maxLength":2}`, `{"type":"string","maxLength":3}`, "maxLength", "", `"xxx"`},
	{"a pattern tightens", `{"type":"string","pattern":"^a"}`, `{"type":"string"}`, "pattern", "", `""`},
	{"a format tightens", `{"type":"string","format":"date"}`, `{"type":"string"}`, "format", "", `""`},
	{"listed strings pass a pattern", `{"enum":["EUR","USD"]}`, `{"type":"string","pattern":"^[A-Z]{3}$"}`, "enum", "", `"ABC"`},
	{"more items are demanded", `{"type":"array","minItems":1}`, `{"type":"array"}`, "minItems", "", `[]`},
	{"fewer items are allowed", `{"type":"array","maxItems":1}`, `{"type":"array","maxItems":2}`, "maxItems", "", `[0,0]`},
	{"an item tightens", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","items":{"type":"number"}}`, "type", "/items", `[0.5]`},
	{"a tuple grows where it is closed", `{"type":"array","prefixItems":[{"type":"integer"}],"items":false}`, `{"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"items":false}`, "items", "", `[0,""]`},
	{"a tuple grows where it is open", `{"type":"array","prefixItems":[{"type":"integer"}]}`, `{"type":"array"}`, "type", "/prefixItems/0", `[""]`},
	{"items must differ", `{"type":"array","uniqueItems":true}`, `{"type":"array"}`, "uniqueItems", "", `[0,0]`},
	{"an item must match", `{"type":"array","contains":{"type":"integer"}}`, `{"type":"array"}`, "contains", "", `[]`},
	{"more items must match", `{"type":"array","contains":{"type":"integer"},"minContains":2}`, `{"type":"array","contains":{"type":"integer"}}`, "contains", "", `[0]`},
	{"fewer items may match", `{"type":"array","contains":{"type":"integer"},"maxContains":1}`, `{"type":"array","contains":{"type":"integer"},"maxContains":2}`, "contains", "", `[0,0]`},
	{"a name is required", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, "required", "", `{}`},
	{"an undeclared name is required", `{"type":"object","required":["b"]}`, `{"type":"object"}`, "required", "", `{}`},
	{
		"a closed object gains an optional property",
		`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"additionalProperties":false}`,
		"additionalProperties", "/properties/b", `{"b":0}`,
	},
	{
		"an open object constrains a name",
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}`,
		`{"type":"object","properties":{"a":{"type":"string"}}}`,
		"properties", "/properties/b", `{"b":""}`,
	},
	{"an object is closed", `{"type":"object","additionalProperties":false}`, `{"type":"object"}`, "additionalProperties", "", `{"extra":0}`},
	{"a map narrows its values", `{"type":"object","additionalProperties":{"type":"integer"}}`, `{"type":"object","additionalProperties":{"type":"number"}}`, "type", "/additionalProperties", `{"extra":0.5}`},
	{
		"additional values already cover a new property",
		`{"type":"object","additionalProperties":{"type":"string"}}`,
		`{"type":"object","properties":{"b":{"type":["string","null"]}},"additionalProperties":{"type":"string"}}`,
		"additionalProperties", "/properties/b", `{"b":null}`,
	},
	{"a property tightens", `{"type":"object","properties":{"a":{"type":"string","minLength":2}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, "minLength", "/properties/a", `{"a":""}`},
	{"matching names are constrained", `{"type":"object","patternProperties":{"^x-":{"type":"string"}}}`, `{"type":"object"}`, "patternProperties", "", `{"x-":0}`},
	{"matching names are allowed", `{"type":"object","additionalProperties":false}`, `{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}`, "patternProperties", "", `{"x-":""}`},
	{"names are constrained", `{"type":"object","propertyNames":{"maxLength":3}}`, `{"type":"object"}`, "propertyNames", "", `{"xxxx":0}`},
	{"more members are demanded", `{"type":"object","minProperties":1}`, `{"type":"object"}`, "minProperties", "", `{}`},
	{"fewer members are allowed", `{"type":"object","maxProperties":0}`, `{"type":"object"}`, "maxProperties", "", `{"extra":"x"}`},
	{"one name requires another", `{"type":"object","dependentRequired":{"a":["b"]}}`, `{"type":"object"}`, "dependentRequired", "", `{"a":"x"}`},
	{"one name constrains the object", `{"type":"object","dependentSchemas":{"a":{"required":["b"]}}}`, `{"type":"object"}`, "dependentSchemas", "", `{"a":"x"}`},
	{"a conjunct falls away", `{"allOf":[{"minimum":0},{"maximum":9}],"type":"integer"}`, `{"allOf":[{"minimum":0}],"type":"integer"}`, "maximum", "", `10`},
	{"a conjunct that cannot be folded falls away", `{"allOf":[{"additionalProperties":{"type":"string"}},{"additionalProperties":{"maxLength":1}}],"type":"object"}`, `{"additionalProperties":{"type":"string"},"type":"object"}`, "maxLength", "/allOf/1/additionalProperties", `{"extra":"xx"}`},
	{"an alternative of another type is added", `{"type":"string"}`, `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, "type", "", `0`},
	{"an overlapping alternative is added", `{"anyOf":[{"minLength":3},{"pattern":"^a"}],"type":"string"}`, `{"anyOf":[{"minLength":3},{"pattern":"^a"},{"pattern":"^b"}],"type":"string"}`, "anyOf", "", `"b"`},
	{"an alternative widens inside", `{"anyOf":[{"type":"string","minLength":3},{"type":["string","null"],"pattern":"^a"}]}`, `{"anyOf":[{"type":"string"},{"type":["string","null"],"pattern":"^a"}]}`, "minLength", "/anyOf/0", `""`},
	{
		"a tagged branch is added", `{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}},"required":["kind"]}]}`,
		`{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"}},"required":["kind"]}]}`,
		"const", "/oneOf/0/properties/kind", `{"kind":"b"}`,
	},
	{"oneOf becomes anyOf", `{"oneOf":[{"type":"number","maximum":100},{"type":"number","multipleOf":6}]}`, `{"anyOf":[{"type":"number","maximum":100},{"type":"number","multipleOf":6}]}`, "oneOf", "", `0`},
	{"an exclusion narrows", `{"not":{"type":"integer","minimum":5}}`, `{"not":{"type":"integer","minimum":10}}`, "not", "", `9`},
	{"a condition falls away", `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`, `{"type":"object"}`, "if", "", `{"a":0}`},
	{"a branch of a condition widens", `{"if":{"type":"string"},"then":{"maxLength":2}}`, `{"if":{"type":"string"},"then":{"maxLength":3}}`, "if", "", `"xxx"`},
	{"an unevaluated keyword falls away", `{"allOf":[{"properties":{"a":true}}],"type":"object","unevaluatedProperties":false}`, `{"allOf":[{"properties":{"a":true}}],"type":"object"}`, "unevaluatedProperties", "", `{"extra":0}`},
	{
		"a change inside a recursive definition is found", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"v":{"type":"integer","minimum":0},"next":{"$ref":"#/$defs/n"}}}}}`,
		`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#/$defs/n"}}}}}`,
		"minimum", "/$defs/n/properties/v", `{"v":-1}`,
	},
}

func TestEveryRuleProvesOneDirectionAndRefutesTheOther(t *testing.T) {
	t.Parallel()
	for _, p := range rulePairs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			narrow, wide := admitted(t, p.narrow), admitted(t, p.wide)
			if r := Contains(narrow, wide); r.Answer != Proven {
				t.Errorf("narrow in wide: %s: %s", r.Answer, r.Reason)
			}
			r := Contains(wide, narrow)
			if r.Answer != Refuted {
				t.Fatalf("wide in narrow: %s: %s", r.Answer, r.Reason)
			}
			got := []string{r.Keyword, r.Pointer, r.Witness.JSON()}
			if diff := cmp.Diff([]string{p.keyword, p.pointer, p.witness}, got); diff != "" {
				t.Errorf("keyword, pointer, witness (-want +got):\n%s", diff)
			}
			if r.Reason == "" {
				t.Error("no reason")
			}
		})
	}
}

// equalPairs admit the same, spelled in two ways.
var equalPairs = []struct{ name, a, b string }{
	{"annotations", `{"type":"string","title":"x","description":"y","default":"z","examples":["q"],"deprecated":true,"readOnly":true,"$comment":"c"}`, `{"type":"string"}`},
	{"content keywords", `{"type":"string"}`, `{"type":"string","contentMediaType":"application/json","contentEncoding":"base64","contentSchema":{"type":"integer"}}`},
	{"unknown keywords", `{"type":"object","x-unit":"ms","dependencies":{"a":["b"]},"nullable":true}`, `{"type":"object"}`},
	{"the order of names", `{"type":"object","required":["a","b"]}`, `{"type":"object","required":["b","a"]}`},
	{"the order of listed values", `{"enum":["a",1]}`, `{"enum":[1.0,"a","a"]}`},
	{"const and enum", `{"const":1}`, `{"enum":[1.0]}`},
	{"type and a list of one", `{"type":"string"}`, `{"type":["string"]}`},
	{"defaults spelled out", `{"type":["object","array","string"]}`, `{"type":["object","array","string"],"additionalProperties":true,"minItems":0,"uniqueItems":false,"minLength":0,"required":[],"properties":{},"minProperties":0}`},
	{"keywords of other types", `{"type":"string"}`, `{"type":"string","minimum":3,"required":["a"],"minItems":2}`},
	{"values of other types", `{"type":"string","enum":["a",1,null]}`, `{"const":"a"}`},
	{"integers", `{"type":"number","multipleOf":1}`, `{"type":"integer"}`},
	{"exclusive and inclusive bounds of integers", `{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":9.5}`, `{"type":"integer","minimum":1,"maximum":9}`},
	{"a dead bound", `{"type":"number","minimum":1,"exclusiveMinimum":0.5}`, `{"type":"number","minimum":1}`},
	{"a property without a constraint", `{"type":"object"}`, `{"type":"object","properties":{"b":{}}}`},
	{"a property that nothing can have", `{"type":"object","properties":{"b":false},"additionalProperties":false}`, `{"type":"object","additionalProperties":false}`},
	{"a reference and its target", `{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"integer"}}}`, `{"properties":{"a":{"type":"integer"}}}`},
	{"a reference by anchor", `{"items":{"$ref":"#here"},"$defs":{"x":{"$anchor":"here","type":"integer"}}}`, `{"items":{"type":"integer"}}`},
	{"a reference with siblings", `{"$ref":"#/$defs/x","minimum":0,"$defs":{"x":{"type":"integer"}}}`, `{"type":"integer","minimum":0}`},
	{"recursion under another name", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"$ref":"#/$defs/n"}}}}}`, `{"type":"object","properties":{"next":{"$ref":"#"}}}`},
	{"recursion unrolled once", `{"type":"object","properties":{"next":{"$ref":"#"}}}`, `{"type":"object","properties":{"next":{"type":"object","properties":{"next":{"$ref":"#"}}}}}`},
	{"an allOf split", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}},"required":["a"]}`, `{"allOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`},
	{"an allOf of one", `{"allOf":[{"type":"string"}]}`, `{"type":"string"}`},
	{"anyOf and a type list", `{"anyOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":["string","integer"]}`},
	{"oneOf of different types and a type list", `{"oneOf":[{"type":"null"},{"enum":["a","b"]}]}`, `{"enum":["b",null,"a"]}`},
	{"anyOf of enums", `{"anyOf":[{"enum":["a"]},{"enum":["b"]}]}`, `{"enum":["a","b"]}`},
	{"anyOf with everything", `{"anyOf":[{"type":"string"},{}]}`, `true`},
	{"the order of alternatives", `{"oneOf":[{"minLength":3},{"pattern":"^a"}]}`, `{"oneOf":[{"pattern":"^a"},{"minLength":3}]}`},
	{"required implied by a dependency", `{"type":"object","required":["a"],"dependentRequired":{"a":["b"]}}`, `{"type":"object","required":["a","b"]}`},
	{"a count implied by required", `{"type":"object","required":["a"]}`, `{"type":"object","required":["a"],"minProperties":1}`},
	{"a count implied by a closed object", `{"type":"object","properties":{"a":true},"additionalProperties":false}`, `{"type":"object","properties":{"a":true},"additionalProperties":false,"maxProperties":1}`},
	{"unique items of at most one", `{"type":"array","maxItems":1}`, `{"type":"array","maxItems":1,"uniqueItems":true}`},
	{"items false and no items", `{"type":"array","items":false}`, `{"type":"array","maxItems":0}`},
	{"a tuple absorbed by items", `{"type":"array","items":{"type":"integer"}}`, `{"type":"array","prefixItems":[{"type":"integer"}],"items":{"type":"integer"}}`},
	{"contains of none", `{"type":"array","contains":{"type":"integer"},"minContains":0}`, `{"type":"array"}`},
	{"counts without contains", `{"type":"array","minContains":3,"maxContains":1}`, `{"type":"array"}`},
	{"if alone", `{"if":{"type":"string"}}`, `{"then":{"type":"null"},"else":{"type":"null"}}`},
	{"unevaluated without another schema", `{"type":"object","properties":{"a":true},"unevaluatedProperties":false}`, `{"type":"object","properties":{"a":true},"additionalProperties":false}`},
	{"unevaluated behind other definitions", `{"$ref":"#/$defs/x","type":"object","unevaluatedProperties":false,"$defs":{"x":{"required":["a","b"],"properties":{"a":{"enum":[1,2]}}}}}`, `{"unevaluatedProperties":false,"$ref":"#/$defs/y","type":"object","title":"t","$defs":{"y":{"properties":{"a":{"enum":[2,1]}},"required":["b","a"]}}}`},
	{"two schemas that admit nothing", `{"allOf":[{"type":"string"},{"type":"integer"}]}`, `{"type":"object","required":["a"],"properties":{"a":false}}`},
	{"a contradiction of bounds", `{"type":"integer","exclusiveMinimum":1,"exclusiveMaximum":2}`, `false`},
}

func TestSpellingsOfOneSchemaContainEachOther(t *testing.T) {
	t.Parallel()
	for _, p := range equalPairs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			a, b := admitted(t, p.a), admitted(t, p.b)
			for _, r := range []Result{Contains(a, b), Contains(b, a)} {
				if r.Answer != Proven {
					t.Errorf("%s: %s", r.Answer, r.Reason)
				}
			}
		})
	}
}

// surroundings put a schema somewhere without changing what is compared.
var surroundings = []struct{ name, form string }{
	{"below a property", `{"type":"object","properties":{"p":%s},"required":["p"]}`},
	{"below items", `{"type":"array","items":%s,"minItems":1}`},
	{"in an allOf", `{"allOf":[%s]}`},
	{"in an anyOf beside another type", `{"type":"array","items":{"anyOf":[%s]},"minItems":1}`},
	{"beside a title", `{"allOf":[%s],"title":"t","x-note":1}`},
	{"below additional properties", `{"type":"object","additionalProperties":%s}`},
}

func TestSurroundingsDoNotChangeAnAnswer(t *testing.T) {
	t.Parallel()
	for _, p := range rulePairs {
		for _, s := range surroundings {
			narrow, okNarrow := admit(fmt.Sprintf(s.form, p.narrow))
			wide, okWide := admit(fmt.Sprintf(s.form, p.wide))
			if !okNarrow || !okWide {
				continue // a reference that only leads somewhere at the root
			}
			if r := Contains(narrow, wide); r.Answer != Proven {
				t.Errorf("%s, %s: narrow in wide: %s: %s", p.name, s.name, r.Answer, r.Reason)
			}
			if r := Contains(wide, narrow); r.Answer != Refuted {
				t.Errorf("%s, %s: wide in narrow: %s: %s", p.name, s.name, r.Answer, r.Reason)
			}
		}
	}
}

// undecided pairs are contained in neither provable direction yet; what counts
// is that nothing is claimed.
var undecided = []struct{ name, a, b, detail string }{
	{"two spellings of one back-reference", `{"type":"string","pattern":"^([0-9])\\1$"}`, `{"type":"string","pattern":"^([0-9])\\1{1}$"}`, "the patterns cannot be compared"},
	{
		"items that must differ and have too few values between some of them",
		`{"type":"array","uniqueItems":true,"minItems":4,"prefixItems":[{"enum":[1,2]},{"enum":[1,2]},{"enum":[1,2]},{"enum":[3,4,5,6]}]}`, `false`, "",
	},
}

func TestWhatCannotBeProvedIsUnknown(t *testing.T) {
	t.Parallel()
	for _, p := range undecided {
		r := Contains(admitted(t, p.a), admitted(t, p.b))
		if r.Answer != Unknown || r.Detail != p.detail || r.Witness != nil || r.Defect {
			t.Errorf("%s: %s, detail %q", p.name, r.Answer, r.Detail)
		}
	}
}

func TestEveryAssertingKeywordIsLookedAt(t *testing.T) {
	t.Parallel()
	// A schema that rejects something, for each keyword of the dialect.
	rejecting := map[string]string{
		"$ref": `{"$ref":"#/$defs/x","$defs":{"x":false}}`, "$id": "", "$anchor": "", "$dynamicAnchor": "", "$dynamicRef": "", "$vocabulary": "",
		"type": `{"type":"null"}`, "enum": `{"enum":[1]}`, "const": `{"const":1}`, "format": `{"format":"date"}`, "pattern": `{"pattern":"b"}`,
		"minLength": `{"minLength":1}`, "maxLength": `{"maxLength":1}`, "minimum": `{"minimum":1}`, "exclusiveMinimum": `{"exclusiveMinimum":1}`,
		"maximum": `{"maximum":1}`, "exclusiveMaximum": `{"exclusiveMaximum":1}`, "multipleOf": `{"multipleOf":3}`,
		"properties": `{"properties":{"a":false}}`, "patternProperties": `{"patternProperties":{"a":false}}`, "propertyNames": `{"propertyNames":false}`,
		"required": `{"required":["a"]}`, "dependentRequired": `{"dependentRequired":{"a":["b"]}}`, "dependentSchemas": `{"dependentSchemas":{"a":false}}`,
		"minProperties": `{"minProperties":1}`, "maxProperties": `{"maxProperties":0}`, "additionalProperties": `{"additionalProperties":false}`,
		"unevaluatedProperties": `{"unevaluatedProperties":false}`, "prefixItems": `{"prefixItems":[false]}`, "items": `{"items":false}`,
		"contains": `{"contains":{}}`, "minContains": `{"contains":{},"minContains":2}`, "maxContains": `{"contains":{},"minContains":0,"maxContains":0}`,
		"minItems": `{"minItems":1}`, "maxItems": `{"maxItems":0}`, "uniqueItems": `{"uniqueItems":true}`, "unevaluatedItems": `{"unevaluatedItems":false}`,
		"allOf": `{"allOf":[false]}`, "anyOf": `{"anyOf":[false]}`, "oneOf": `{"oneOf":[true,true]}`, "not": `{"not":{}}`,
		"if": `{"if":{},"then":false}`, "then": `{"if":{},"then":false}`, "else": `{"if":false,"else":false}`,
	}
	for _, k := range schema.Keywords() {
		if k.Annotation {
			continue
		}
		text, listed := rejecting[k.Name]
		switch {
		case !listed:
			t.Errorf("%s: a keyword without a schema that rejects something", k.Name)
		case text != "":
			if r := Contains(admitted(t, `{}`), admitted(t, text)); r.Answer != Refuted {
				t.Errorf("%s: %s: %s", k.Name, r.Answer, r.Reason)
			}
		}
	}
}

// Lengths that a pattern says, and patterns in other words, prove each other.
func TestPatternsAreComparedByWhatTheyMatch(t *testing.T) {
	t.Parallel()
	equal := [][2]string{
		{`{"type":"string","minLength":1}`, `{"type":"string","pattern":"^[\\s\\S]+$"}`},
		{`{"type":"string","minLength":1,"maxLength":200}`, `{"type":"string","pattern":"^[\\s\\S]{1,200}$"}`},
		{`{"type":"string","maxLength":2000}`, `{"type":"string","pattern":"^([^\\n]|\\n){0,2000}$"}`},
		{`{"type":"string"}`, `{"type":"string","pattern":"^[\\s\\S]*$"}`},
		{`{"type":"string","pattern":"^[0-9]{2}$"}`, `{"type":"string","pattern":"^[0-9][0-9]$"}`},
		{`{"type":"string","pattern":"ab|^c"}`, `{"type":"string","pattern":"^[\\s\\S]*(ab|^c)[\\s\\S]*$"}`},
		{`{"type":"string","pattern":"^\\w+$"}`, `{"type":"string","pattern":"^[0-9A-Z_a-z]+$"}`},
	}
	for _, pair := range equal {
		for _, order := range [][2]int{{0, 1}, {1, 0}} {
			a, b := pair[order[0]], pair[order[1]]
			if r := Contains(admitted(t, a), admitted(t, b)); r.Answer != Proven {
				t.Errorf("%s in %s: %s %s", a, b, r.Answer, r.Reason)
			}
		}
	}
	narrower := [][2]string{
		{`{"type":"string","pattern":"^ord_[0-9]{3}$"}`, `{"type":"string","minLength":7,"maxLength":7}`},
		{`{"type":"string","pattern":"^ord_[0-9]+$"}`, `{"type":"string","minLength":5}`},
		{`{"type":"string","pattern":"^[a-c]+$"}`, `{"type":"string","pattern":"^[a-z]+$"}`},
		{`{"type":"string","pattern":"^[a-c]+$","format":"email"}`, `{"type":"string","pattern":"[a-z]"}`},
	}
	for _, pair := range narrower {
		a, b := admitted(t, pair[0]), admitted(t, pair[1])
		if r := Contains(a, b); r.Answer != Proven {
			t.Errorf("%s in %s: %s %s", pair[0], pair[1], r.Answer, r.Reason)
		}
		if r := Contains(b, a); r.Answer != Refuted {
			t.Errorf("%s in %s: %s %s", pair[1], pair[0], r.Answer, r.Reason)
		}
	}
}

// What unevaluated keywords see is plain where every schema beside them was
// written into the node.
func TestUnevaluatedBesideMergedSchemas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b string
		equal      bool
	}{
		{
			"allOf", `{"type":"object","allOf":[{"properties":{"a":true}},{"properties":{"b":true}}],"unevaluatedProperties":false}`,
			`{"type":"object","properties":{"a":true,"b":true},"additionalProperties":false}`, true,
		},
		{
			"an open branch", `{"type":"object","allOf":[{"properties":{"a":true},"additionalProperties":true}],"unevaluatedProperties":false}`,
			`{"type":"object","properties":{"a":true}}`, true,
		},
		{
			"a branch for another type", `{"type":"object","anyOf":[{"type":"string","additionalProperties":true},{"type":"object","properties":{"a":true}}],"unevaluatedProperties":false}`,
			`{"type":"object","properties":{"a":true},"additionalProperties":false}`, true,
		},
		{
			"items", `{"type":"array","allOf":[{"prefixItems":[true]}],"unevaluatedItems":{"type":"string"}}`,
			`{"type":"array","prefixItems":[true],"items":{"type":"string"}}`, true,
		},
		{
			"contains evaluates what matches", `{"type":"array","allOf":[{"contains":{"type":"integer"},"minContains":0}],"unevaluatedItems":false}`,
			`{"type":"array","maxItems":0}`, false,
		},
		{
			"a condition evaluates", `{"type":"object","allOf":[{"if":{"properties":{"a":true}}}],"unevaluatedProperties":false}`,
			`{"type":"object","maxProperties":0}`, false,
		},
	} {
		a, b := admitted(t, c.a), admitted(t, c.b)
		forward, backward := Contains(a, b), Contains(b, a)
		if c.equal && (forward.Answer != Proven || backward.Answer != Proven) {
			t.Errorf("%s: %s %s, %s %s", c.name, forward.Answer, forward.Reason, backward.Answer, backward.Reason)
		}
		if !c.equal && forward.Answer == Proven {
			t.Errorf("%s: proven", c.name)
		}
	}
}

// A pattern that says a length is named as what the author wrote.
func TestALengthInAPatternIsNamedPattern(t *testing.T) {
	t.Parallel()
	a, b := admitted(t, `{"type":"string"}`), admitted(t, `{"type":"string","pattern":"^[\\s\\S]{2,}$"}`)
	if r := Contains(a, b); r.Answer != Refuted || r.Keyword != "pattern" || r.InB != `"^[\\s\\S]{2,}$"` {
		t.Errorf("%s %s %s", r.Answer, r.Keyword, r.InB)
	}
	a = admitted(t, `{"enum":["a","bcd"]}`)
	if r := Contains(a, b); r.Answer != Refuted || r.Keyword != "pattern" {
		t.Errorf("%s %s %s", r.Answer, r.Keyword, r.Reason)
	}
}
