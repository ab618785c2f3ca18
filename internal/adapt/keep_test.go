// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"strings"
	"testing"
)

// property makes a case about one property of a closed root: what is given and
// what is wanted are its schemas, and places are below it.
func property(verdicts map[string][]verdict, in, want string, rewrites ...string) rewriteCase {
	for i, w := range rewrites {
		rewrites[i] = strings.Replace(w, " /", " /properties/p/", 1)
		if strings.HasSuffix(w, " .") {
			rewrites[i] = strings.TrimSuffix(w, ".") + "/properties/p"
		}
	}
	return rewriteCase{verdicts: verdicts, in: inProperty(in), want: inProperty(want), rewrites: rewrites}
}

// left makes a case in which nothing can be done.
func left(verdicts map[string][]verdict, in string, errors ...string) rewriteCase {
	for i, e := range errors {
		errors[i] = strings.Replace(e, " /", " /properties/p/", 1)
		if strings.HasSuffix(e, " .") {
			errors[i] = strings.TrimSuffix(e, ".") + "/properties/p"
		}
	}
	return rewriteCase{verdicts: verdicts, in: inProperty(in), want: inProperty(in), errors: errors}
}

func TestTypesAndAlternatives(t *testing.T) {
	t.Parallel()
	var (
		noLists     = map[string][]verdict{"type": {{"valueKinds: [array]", "Rejected"}}}
		noObjects   = map[string][]verdict{"type": {{"valueKinds: [array], memberIn: [object, array]", "Rejected"}}}
		noAnyOf     = map[string][]verdict{"anyOf": rejected}
		alone       = map[string][]verdict{"anyOf": {{"siblingsOtherThan: [$*]", "Rejected"}}}
		noneBeside  = map[string][]verdict{"type": {{"has: [anyOf, oneOf]", "Rejected"}}}
		losesBeside = map[string][]verdict{"type, required, properties, maxLength, minLength": {{"has: [anyOf, oneOf]", "Dropped"}}}
		typed       = map[string][]verdict{"anyOf": {{"branchLacks: [type, $ref]", "Rejected"}}, "UntypedSchema": rejected}
	)
	const branches = `"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}]`
	run(t, map[string]rewriteCase{
		"a nullable type": property(noLists,
			`{"type":["string","null"],"description":"d","minLength":1,"default":null}`,
			`{"description":"d","anyOf":[{"type":"string","minLength":1},{"type":"null"}],"default":null}`, "Keep types-to-any-of /type"),
		"keywords go to the type that they constrain": property(noLists,
			`{"type":["integer","array","string"],"minimum":1,"maxItems":3,"items":{"type":"string"},"format":"email"}`,
			`{"anyOf":[{"type":"integer","minimum":1},{"type":"array","items":{"type":"string"},"maxItems":3},{"type":"string","format":"email"}]}`, "Keep types-to-any-of /type"),
		"listed values go to their type": property(noLists,
			`{"type":["string","integer","null","boolean"],"enum":["a",1,"b",null,true,false,2.5]}`,
			`{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"integer","enum":[1]},{"type":"null"},{"type":"boolean"}]}`, "Keep types-to-any-of /type"),
		"a type without a listed value goes": property(noLists,
			`{"type":["string","null"],"enum":["a","b"]}`, `{"type":"string","enum":["a","b"]}`, "Keep types-to-any-of /type"),
		"what looks at the whole value stays": property(noLists,
			`{"type":["string","null"],"not":{"const":"x"}}`, `{"anyOf":[{"type":"string"},{"type":"null"}],"not":{"const":"x"}}`, "Keep types-to-any-of /type"),
		"a number is also an integer": property(noLists,
			`{"type":["number","integer","null"]}`, `{"anyOf":[{"type":"number"},{"type":"null"}]}`, "Keep types-to-any-of /type"),
		"lists of scalars stay where only others are refused": left(noObjects, `{"type":["string","null"]}`),
		"a nullable object": property(noObjects,
			`{"type":["object","null"],"properties":{"a":{"type":"string"}},"required":["a"]}`,
			`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"null"}]}`, "Keep types-to-any-of /type"),
		"no list and no anyOf": left(map[string][]verdict{"type": {{"valueKinds: [array]", "Rejected"}}, "anyOf": rejected},
			`{"type":["string","null"]}`, "keyword-rejected /type"),

		"alternatives of different types": property(noAnyOf,
			`{"description":"d","anyOf":[{"type":"string","maxLength":3},{"type":"null"}]}`, `{"type":["string","null"],"description":"d","maxLength":3}`, "Keep any-of-to-types /anyOf"),
		"listed values and null": property(noAnyOf,
			`{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}]}`, `{"type":["string","null"],"enum":["a","b",null]}`, "Keep any-of-to-types /anyOf"),
		"what stands beside alternatives of different types": property(noAnyOf,
			`{"minLength":1,"anyOf":[{"type":"string","maxLength":3},{"type":"null"}]}`, `{"type":["string","null"],"minLength":1,"maxLength":3}`, "Keep any-of-to-types /anyOf"),
		"alternatives of one type":               left(noAnyOf, `{"anyOf":[{"type":"string","maxLength":3},{"type":"string","pattern":"^a"}]}`, "keyword-rejected /anyOf"),
		"numbers and integers":                   left(noAnyOf, `{"anyOf":[{"type":"number","maximum":3},{"type":"integer"}]}`, "keyword-rejected /anyOf"),
		"listed values and any number":           left(noAnyOf, `{"anyOf":[{"type":"string","enum":["a"]},{"type":"number"}]}`, "keyword-rejected /anyOf"),
		"a branch that looks at the whole value": left(noAnyOf, `{"anyOf":[{"type":"string","not":{"const":"a"}},{"type":"null"}]}`, "keyword-rejected /anyOf"),
		"two formats":                            left(noAnyOf, `{"anyOf":[{"type":"string","format":"email"},{"type":"integer","format":"int32"}]}`, "keyword-rejected /anyOf"),
		"a branch without a type":                left(noAnyOf, `{"anyOf":[{"maxLength":3},{"type":"null"}]}`, "keyword-rejected /anyOf"),
		"siblings stay where they are taken":     left(map[string][]verdict{}, `{"type":"object",`+branches+`}`),
		"a type beside alternatives that have it": property(noneBeside,
			`{"type":"object",`+branches+`}`, `{`+branches+`}`, "Keep push-into-alternatives /anyOf"),
		"keywords beside alternatives go into each": property(losesBeside,
			`{"type":"object","properties":{"c":{"type":"string"}},"required":["c"],`+branches+`}`,
			`{"anyOf":[{"type":"object","properties":{"c":{"type":"string"},"a":{"type":"string"}},"required":["c","a"]},{"type":"object","properties":{"c":{"type":"string"},"b":{"type":"string"}},"required":["c","b"]}]}`,
			"Keep push-into-alternatives /anyOf"),
		"branches that cannot be go": property(losesBeside,
			`{"type":["string","null"],"maxLength":3,"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`,
			`{"anyOf":[{"type":"string","maxLength":3},{"type":"null"}]}`, "Keep push-into-alternatives /anyOf"),
		"one branch is left": property(losesBeside,
			`{"type":"string","description":"d","anyOf":[{"minLength":2},{"type":"integer"}]}`, `{"type":"string","description":"d","minLength":2}`, "Keep push-into-alternatives /anyOf"),
		"groups of required names": property(typed,
			`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]},{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}]}`,
			"Keep push-into-alternatives /anyOf"),
		"oneOf keeps its meaning": {
			verdicts: losesBeside,
			in:       inProperty(`{"type":"string","oneOf":[{"maxLength":3},{"minLength":2}]}`),
			want:     inProperty(`{"oneOf":[{"type":"string","maxLength":3},{"type":"string","minLength":2}]}`),
			rewrites: []string{"Keep push-into-alternatives /properties/p/oneOf"},
		},
		"texts go along where nothing may stand beside": property(alone,
			`{"title":"T","description":"outer","default":"x","anyOf":[{"type":"string","description":"inner"},{"type":"null"}]}`,
			`{"type":["string","null"],"title":"T","description":"outer. inner","default":"x"}`, "Keep any-of-to-types /anyOf"),
		"texts go into alternatives that are more than types": property(alone,
			`{"title":"T","description":"outer","default":"x","anyOf":[{"type":"string","description":"inner","maxLength":3},{"type":"string","pattern":"^a"},{"type":"null"}]}`,
			`{"anyOf":[{"type":"string","title":"T","description":"outer. inner","maxLength":3,"default":"x"},{"type":"string","title":"T","description":"outer","pattern":"^a","default":"x"},{"type":"null"}]}`,
			"Keep push-into-alternatives /anyOf"),
		"a nullable type where nothing may stand beside": property(
			map[string][]verdict{"anyOf": {{"siblingsOtherThan: [$*]", "Rejected"}}, "type": {{"valueKinds: [array]", "Rejected"}}},
			`{"type":["string","null"],"description":"d"}`, `{"anyOf":[{"type":"string","description":"d"},{"type":"null"}]}`,
			"Keep push-into-alternatives .", "Keep types-to-any-of /type"),
	})
}

func TestListedValues(t *testing.T) {
	t.Parallel()
	var (
		noNull   = map[string][]verdict{"enum": {{`memberKinds: ["null"]`, "Rejected"}}}
		untyped  = map[string][]verdict{"UntypedSchema": rejected}
		noConst  = map[string][]verdict{"const": rejected, "UntypedSchema": rejected}
		excluded = map[string][]verdict{"type": {{"typeExcludesMember: true", "Dropped"}}}
		noLength = map[string][]verdict{"maxLength, pattern": rejected}
	)
	run(t, map[string]rewriteCase{
		"null among the members": property(noNull, `{"type":["string","null"],"enum":["a",null,"b"]}`,
			`{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}]}`, "Keep types-to-any-of /enum"),
		"null among members without a type": property(noNull, `{"enum":["a",null],"description":"d"}`,
			`{"description":"d","anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`, "Keep types-to-any-of /enum"),
		"null that the members leave out": left(noNull, `{"type":["string","null"],"enum":["a","b"]}`),
		"members without a type":          property(untyped, `{"enum":["a","b"]}`, `{"type":"string","enum":["a","b"]}`, "Keep add-enum-type ."),
		"members of two types":            property(untyped, `{"enum":[1,2,"b"]}`, `{"type":["integer","string"],"enum":[1,2,"b"]}`, "Keep add-enum-type ."),
		"numbers that are not whole":      property(untyped, `{"enum":[1,2.5]}`, `{"type":"number","enum":[1,2.5]}`, "Keep add-enum-type ."),
		"a constant":                      property(noConst, `{"const":true}`, `{"type":"boolean","enum":[true]}`, "Keep add-enum-type .", "Keep const-to-enum /const"),
		"members that the type leaves out": property(excluded, `{"type":"string","enum":["a",1]}`, `{"type":"string","enum":["a"]}`,
			"Keep filter-enum /type"),
		"members that a refused keyword leaves out": property(noLength, `{"type":"string","enum":["a","abcd"],"pattern":"^[a-d]+$","maxLength":3}`,
			`{"type":"string","enum":["a"]}`, "Keep filter-enum /maxLength", "Keep filter-enum /pattern"),
		"no member is left": left(noLength, `{"type":"string","enum":["abcd"],"maxLength":3}`, "keyword-rejected /maxLength"),
	})
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	noBounds := map[string][]verdict{"minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf": rejected}
	run(t, map[string]rewriteCase{
		"a short range": property(noBounds, `{"type":"integer","description":"d","minimum":1,"maximum":5}`,
			`{"type":"integer","description":"d","enum":[1,2,3,4,5]}`, "Keep range-to-enum /maximum"),
		"open ends and a step": property(noBounds, `{"type":"integer","exclusiveMinimum":0,"maximum":7.5,"multipleOf":2}`,
			`{"type":"integer","enum":[2,4,6]}`, "Keep range-to-enum /multipleOf"),
		"a long range":         left(noBounds, `{"type":"integer","minimum":1,"maximum":100}`, "keyword-rejected /maximum", "keyword-rejected /minimum"),
		"an open range":        left(noBounds, `{"type":"integer","minimum":1}`, "keyword-rejected /minimum"),
		"a range of fractions": left(noBounds, `{"type":"number","minimum":1,"maximum":2}`, "keyword-rejected /maximum", "keyword-rejected /minimum"),
		"multiples of one":     property(noBounds, `{"type":["number","null"],"multipleOf":1}`, `{"type":["integer","null"]}`, "Keep multiples-to-integer /multipleOf"),
		"multiples of two":     left(noBounds, `{"type":"integer","multipleOf":2}`, "keyword-rejected /multipleOf"),
	})
}

func TestLengths(t *testing.T) {
	t.Parallel()
	var (
		noLengths = map[string][]verdict{"minLength, maxLength": rejected}
		few       = map[string][]verdict{"minLength, maxLength": rejected, "pattern": {{"patternRepeatAbove: 100", "Rejected"}}}
		noEscapes = map[string][]verdict{"minLength, maxLength": rejected, "pattern": {{"patternUses: [ClassEscape]", "Rejected"}}}
		noGroups  = map[string][]verdict{"minLength, maxLength": rejected, "pattern": {{"patternUses: [ClassEscape, NonCapturingGroup]", "Rejected"}}}
		nothing   = map[string][]verdict{"minLength, maxLength, pattern": rejected}
	)
	run(t, map[string]rewriteCase{
		"at least one":        property(noLengths, `{"type":"string","minLength":1}`, `{"type":"string","pattern":"^[\\s\\S]+$"}`, "Keep length-to-pattern /minLength"),
		"at least three":      property(noLengths, `{"type":"string","minLength":3}`, `{"type":"string","pattern":"^[\\s\\S]{3,}$"}`, "Keep length-to-pattern /minLength"),
		"at most two hundred": property(noLengths, `{"type":"string","maxLength":200}`, `{"type":"string","pattern":"^[\\s\\S]{0,200}$"}`, "Keep length-to-pattern /maxLength"),
		"between": property(noLengths, `{"type":["string","null"],"minLength":1,"maxLength":200}`,
			`{"type":["string","null"],"pattern":"^[\\s\\S]{1,200}$"}`, "Keep length-to-pattern /minLength"),
		"exactly":                         property(noLengths, `{"type":"string","minLength":5,"maxLength":5}`, `{"type":"string","pattern":"^[\\s\\S]{5}$"}`, "Keep length-to-pattern /minLength"),
		"without escapes for classes":     property(noEscapes, `{"type":"string","maxLength":9}`, `{"type":"string","pattern":"^([^\\n]|\\n){0,9}$"}`, "Keep length-to-pattern /maxLength"),
		"with plain groups only":          property(noGroups, `{"type":"string","maxLength":9}`, `{"type":"string","pattern":"^([^\\n]|\\n){0,9}$"}`, "Keep length-to-pattern /maxLength"),
		"as often as may be repeated":     property(few, `{"type":"string","maxLength":100}`, `{"type":"string","pattern":"^[\\s\\S]{0,100}$"}`, "Keep length-to-pattern /maxLength"),
		"more often than may be repeated": left(few, `{"type":"string","maxLength":101}`, "keyword-rejected /maxLength"),
		"no patterns":                     left(nothing, `{"type":"string","maxLength":9}`, "keyword-rejected /maxLength"),
		"no length at all":                property(noLengths, `{"type":"string","minLength":0}`, `{"type":"string"}`, "Keep drop-redundant /minLength"),
		"a length that cannot be":         left(noLengths, `{"type":"string","minLength":3,"maxLength":2}`, "keyword-rejected /maxLength", "keyword-rejected /minLength"),
		"a length too long for a pattern": left(noLengths, `{"type":"string","maxLength":100000}`, "keyword-rejected /maxLength"),
		"beside a pattern of one repetition": property(noLengths, `{"type":"string","pattern":"^ord_[0-9]+$","minLength":6,"maxLength":12}`,
			`{"type":"string","pattern":"^ord_[0-9]{2,8}$"}`, "Keep length-to-pattern /minLength"),
		"beside a pattern that says it": property(noLengths, `{"type":"string","pattern":"^[a-f]{8}-[0-9]+$","minLength":5}`,
			`{"type":"string","pattern":"^[a-f]{8}-[0-9]+$"}`, "Keep drop-redundant /minLength"),
		"beside another pattern": left(noLengths, `{"type":"string","pattern":"a.*b","minLength":6}`, "keyword-rejected /minLength"),
	})
}

func TestPatterns(t *testing.T) {
	t.Parallel()
	const wholeText = "effective:\n" +
		"  strict: {openObjects: Kept, patterns: WholeText, enums: Exact, oneOf: Exact, confidence: Low, sources: [mcp-schema]}\n" +
		"  standard: {openObjects: Kept, patterns: WholeText, enums: Exact, oneOf: Exact, confidence: Low, sources: [mcp-schema]}\n"
	anchored := map[string][]verdict{"pattern": {{"patternAnchored: false", "Rejected"}}}
	plain := map[string][]verdict{"pattern": {{"patternAnchored: false", "Rejected"}, {"patternUses: [ClassEscape, NonCapturingGroup, NamedGroup, Lazy, UnicodeProperty]", "Rejected"}}}
	whole := func(c rewriteCase) rewriteCase {
		c.more = wholeText
		return c
	}
	pattern := func(verdicts map[string][]verdict, in, want, rule string) rewriteCase {
		text := func(p string) string { return `{"type":"string","pattern":"` + strings.ReplaceAll(p, `\`, `\\`) + `"}` }
		if rule == "" {
			return left(verdicts, text(in), want)
		}
		return property(verdicts, text(in), text(want), "Keep "+rule+" /pattern")
	}
	same := func(in string) rewriteCase { return left(nil, `{"type":"string","pattern":"`+in+`"}`) }
	run(t, map[string]rewriteCase{
		"compared with the whole text":                  whole(pattern(nil, `x-\d`, `^[\s\S]*x-\d[\s\S]*$`, "anchor-pattern")),
		"compared with the whole text, alternatives":    whole(pattern(nil, `^a|b$`, `^[\s\S]*(^a|b$)[\s\S]*$`, "anchor-pattern")),
		"compared with the whole text, a prefix":        whole(pattern(nil, `^x-`, `^x-[\s\S]*$`, "anchor-pattern")),
		"compared with the whole text, anchored":        whole(same("^a$")),
		"compared with the whole text, anchored inside": whole(same("(^a$|^b$)")),
		"anchors are wanted":                            pattern(anchored, `\d+`, `^[\s\S]*\d+[\s\S]*$`, "anchor-pattern"),
		"plain constructs are wanted":                   pattern(plain, `^(?:\d+?|(?<w>\w))$`, `^([0-9]+|([0-9A-Z_a-z]))$`, "spell-pattern"),
		"plain constructs and anchors are wanted":       pattern(plain, `\d`, `^([^\n]|\n)*[0-9]([^\n]|\n)*$`, "spell-pattern"),
		"a class with many ranges":                      pattern(plain, `^\p{L}$`, "pattern-feature /pattern", ""),
		"look-ahead":                                    pattern(map[string][]verdict{"pattern": {{"patternUses: [Lookaround]", "Rejected"}}}, `^(?=a).*$`, "pattern-feature /pattern", ""),
		"a lazy quantifier":                             pattern(map[string][]verdict{"pattern": {{"patternUses: [Lazy]", "Rejected"}}}, `^a*?$`, `^a*$`, "spell-pattern"),
		"nothing is wanted":                             same("x-"),
	})
}

func TestBooleans(t *testing.T) {
	t.Parallel()
	var (
		noBooleans = map[string][]verdict{"BooleanSchema": rejected}
		typed      = map[string][]verdict{"BooleanSchema": rejected, "UntypedSchema": rejected}
		scalars    = map[string][]verdict{"BooleanSchema": rejected, "UntypedSchema": rejected, "type": {{"valueKinds: [array], memberIn: [object]", "Rejected"}}}
	)
	run(t, map[string]rewriteCase{
		"true":                                        property(noBooleans, `true`, `{}`, "Keep true-to-schema ."),
		"true where a type is wanted":                 property(typed, `true`, `{"type":["string","number","boolean","object","array","null"]}`, "Keep true-to-schema ."),
		"true where no list is taken":                 left(scalars, `true`, "boolean-schema ."),
		"any value, a type is wanted":                 property(typed, `{"description":"d"}`, `{"type":["string","number","boolean","object","array","null"],"description":"d"}`, "Keep add-every-type ."),
		"any value, no list is taken":                 left(scalars, `{"description":"d"}`, "schema-without-type ."),
		"a property that is never":                    property(noBooleans, `{"type":"object","properties":{"a":false,"b":{}},"additionalProperties":false}`, `{"type":"object","properties":{"b":{}},"additionalProperties":false}`, "Keep drop-never-present /properties/a"),
		"a property that is never, in an open object": left(noBooleans, `{"type":"object","properties":{"a":false}}`, "boolean-schema /properties/a"),
		"a branch that is never":                      property(noBooleans, `{"anyOf":[{"type":"string"},false,{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`, "Keep drop-boolean-branch /anyOf"),
		"a conjunct that is always":                   property(noBooleans, `{"type":"string","allOf":[true]}`, `{"type":"string"}`, "Keep drop-boolean-branch /allOf"),
		"no more items": property(noBooleans, `{"type":"array","prefixItems":[{"type":"string"}],"items":false}`,
			`{"type":"array","prefixItems":[{"type":"string"}],"maxItems":1}`, "Keep false-to-max-items /items"),
		"items of any kind": property(noBooleans, `{"type":"array","items":true}`, `{"type":"array","items":{}}`, "Keep true-to-schema /items"),
	})
}

func TestRedundantKeywords(t *testing.T) {
	t.Parallel()
	none := map[string][]verdict{
		"minProperties, maxProperties, minItems, maxItems, minLength, uniqueItems, propertyNames, patternProperties, multipleOf, if, then, not, contains, minContains": rejected,
		"additionalProperties": {{"valueIs: true", "Rejected"}}, "unevaluatedProperties": rejected,
	}
	const closedObject = `"properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"],"additionalProperties":false`
	run(t, map[string]rewriteCase{
		"values that say nothing": property(none, `{"type":["object","array","string"],"minLength":0,"patternProperties":{},"minProperties":0,"additionalProperties":true,"minItems":0,"uniqueItems":false,"not":false}`,
			`{"type":["object","array","string"]}`, "Keep drop-redundant /additionalProperties", "Keep drop-redundant /minItems", "Keep drop-redundant /minLength",
			"Keep drop-redundant /minProperties", "Keep drop-redundant /not", "Keep drop-redundant /patternProperties", "Keep drop-redundant /uniqueItems"),
		"counts that the properties say": property(none, `{"type":"object",`+strings.Replace(closedObject, `"additional`, `"minProperties":1,"maxProperties":2,"additional`, 1)+`}`,
			`{"type":"object",`+closedObject+`}`, "Keep drop-redundant /maxProperties", "Keep drop-redundant /minProperties"),
		"counts that they do not say": left(none, `{"type":"object","properties":{"a":{"type":"string"}},"minProperties":1}`, "keyword-rejected /minProperties"),
		"names that the properties say": property(none, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"propertyNames":{"pattern":"^[a-c]$"},"required":["a"],"additionalProperties":false}`,
			`{"type":"object",`+closedObject+`}`, "Keep drop-redundant /propertyNames"),
		"names are strings":          property(none, `{"type":"object","propertyNames":{"type":"string"}}`, `{"type":"object"}`, "Keep drop-redundant /propertyNames"),
		"as many items as positions": property(none, `{"type":"array","prefixItems":[{}],"items":false,"maxItems":1}`, `{"type":"array","prefixItems":[{}],"items":false}`, "Keep drop-redundant /maxItems"),
		"a step that is the type's":  property(none, `{"type":"integer","multipleOf":1}`, `{"type":"integer"}`, "Keep multiples-to-integer /multipleOf"),
		"a condition without result": property(none, `{"type":"string","if":{"const":"a"}}`, `{"type":"string"}`, "Keep drop-redundant /if"),
		"a count without a subject":  property(none, `{"type":"array","minContains":2}`, `{"type":"array"}`, "Keep drop-redundant /minContains"),
		"unevaluated with nothing beside": property(none, `{"type":"object","properties":{"a":{"type":"string"}},"unevaluatedProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, "Keep unevaluated-to-undeclared /unevaluatedProperties"),
		"names that are listed": property(none, `{"type":"object","propertyNames":{"type":"string","enum":["x","y"]},"required":["x"],"additionalProperties":{"type":"integer"}}`,
			`{"type":"object","properties":{"x":{"type":"integer"},"y":{"type":"integer"}},"required":["x"],"additionalProperties":false}`, "Keep declare-listed-names /propertyNames"),
		"names that are listed, and one that is declared": property(none, `{"type":"object","properties":{"x":{"type":"string"},"z":{"type":"null"}},"propertyNames":{"enum":["x","y"],"maxLength":1}}`,
			`{"type":"object","properties":{"x":{"type":"string"},"y":{}},"additionalProperties":false}`, "Keep declare-listed-names /propertyNames"),
	})
}

func TestExtensionsAndUnits(t *testing.T) {
	t.Parallel()
	noUnknown := map[string][]verdict{"unknown": rejected}
	refAlone := map[string][]verdict{"unknown": rejected, "$ref": {{"hasSiblings: true", "Rejected"}}}
	run(t, map[string]rewriteCase{
		"units are said everywhere": property(nil, `{"type":"integer","description":"How long","x-unit":"ms"}`,
			`{"type":"integer","description":"How long. Unit: ms."}`, "Keep say-unit /x-unit"),
		"in a fixed order, once": property(noUnknown, `{"type":"integer","description":"Price. Unit: cent.","x-timezone":"Europe/Berlin","x-unit":"cent","x-currency":"EUR"}`,
			`{"type":"integer","description":"Price. Unit: cent. Currency: EUR. Time zone: Europe/Berlin."}`,
			"Keep say-unit /x-currency", "Keep say-unit /x-timezone", "Keep say-unit /x-unit"),
		"a unit that is no text": property(nil, `{"type":"integer","x-unit":1,"x-currency":""}`, `{"type":"integer"}`,
			"Keep drop-annotation /x-currency", "Keep drop-annotation /x-unit"),
		"beside a reference": {
			verdicts: refAlone,
			in:       `{"type":"object","properties":{"p":{"$ref":"#/$defs/D","x-unit":"ms"}},"$defs":{"D":{"type":"integer","description":"How long"}}}`,
			want:     `{"type":"object","properties":{"p":{"type":"integer","description":"How long. Unit: ms."}},"$defs":{"D":{"type":"integer","description":"How long"}}}`,
			rewrites: []string{"Keep inline-ref /properties/p/$ref", "Keep say-unit /properties/p/x-unit"},
		},
		"a unit where no description is taken": {
			verdicts: map[string][]verdict{"root/description": rejected},
			in:       `{"type":"object","x-unit":"ms","properties":{"p":{"type":"string"}}}`,
			want:     `{"type":"object","properties":{"p":{"type":"string"}}}`,
			rewrites: []string{"Keep drop-annotation /x-unit"},
		},
		"a description of the root that is not taken": {
			verdicts: map[string][]verdict{"root/description, title": rejected},
			in:       `{"type":"object","title":"T","description":"d","properties":{"p":{"type":"string","title":"P","description":"d"}}}`,
			want:     `{"type":"object","properties":{"p":{"type":"string","title":"P","description":"d"}}}`,
			rewrites: []string{"Keep drop-annotation /description", "Keep drop-annotation /title"},
		},
		"other extensions annotate":                  property(noUnknown, `{"type":"string","x-order":1}`, `{"type":"string"}`, "Keep drop-annotation /x-order"),
		"a word that is no extension is not dropped": left(noUnknown, `{"type":"string","nullable":true}`, "keyword-rejected /nullable"),
	})
}

func TestNarrowTypes(t *testing.T) {
	t.Parallel()
	untyped := map[string][]verdict{"UntypedSchema": rejected, "type": {{"valueKinds: [array]", "Rejected"}}}
	narrow := func(c rewriteCase) rewriteCase {
		c.narrows = true
		return c
	}
	run(t, map[string]rewriteCase{
		"the root is an object": {narrows: true, in: `{"properties":{"a":{"type":"string"}}}`, want: `{"type":"object","properties":{"a":{"type":"string"}}}`, rewrites: []string{"Narrow add-type "}},
		"the root may be null":  {narrows: true, in: `{"type":["object","null"]}`, want: `{"type":"object"}`, rewrites: []string{"Narrow add-type "}},
		"an empty root":         {narrows: true, in: `{}`, want: `{"type":"object"}`, rewrites: []string{"Narrow add-type "}},
		"the root stays with Keep": {
			in: `{"properties":{"a":{"type":"string"}}}`, want: `{"properties":{"a":{"type":"string"}}}`,
			errors: []string{"root-not-object "},
		},
		"keywords of one type":  narrow(property(untyped, `{"properties":{"a":{"type":"string"}}}`, `{"type":"object","properties":{"a":{"type":"string"}}}`, "Narrow add-type .")),
		"keywords of a string":  narrow(property(untyped, `{"format":"email"}`, `{"type":"string","format":"email"}`, "Narrow add-type .")),
		"keywords of two types": narrow(left(untyped, `{"minLength":1,"minimum":2}`, "schema-without-type .")),
		"under a negation":      narrow(left(untyped, `{"type":"string","not":{"minLength":3}}`, "schema-without-type /not")),
		"a branch of something that is typed": property(untyped, `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"type":"object","required":["a"]},{"type":"object","required":["b"]}]}`,
			"Keep add-type /anyOf/0", "Keep add-type /anyOf/1"),
	})
}
