// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// knots writes schemas in which many schemas look at the same value: what the
// rules that write several of them as one have to get right.
type knots struct{ *rand.Rand }

func (g knots) pick(list ...string) string { return list[g.IntN(len(list))] }

// document writes an input schema with definitions.
func (g knots) document() string {
	return `{"type":"object","properties":{"a":` + g.schema(3) + `,"b":` + g.schema(2) + `},` +
		`"$defs":{"d":` + g.schema(1) + `,"e":{"type":"object","properties":{"n":{"$ref":"#/$defs/e"},"a":` + g.schema(1) + `}},"a/b":` + g.schema(0) + `},` +
		`"definitions":{"d":` + g.schema(1) + `}}`
}

// author writes a document and admits it; nil if it is not admitted. The
// references that were left open lead to some place of it, or to the whole.
func (g knots) author(t *testing.T) *schema.Schema {
	t.Helper()
	text := g.document()
	if !strings.Contains(text, open) {
		s, _ := schema.Admit(schematest.Value(t, text))
		return s
	}
	places, _ := schema.Admit(schematest.Value(t, strings.ReplaceAll(text, open, "#/$defs/d")))
	if places == nil {
		return nil
	}
	for range 8 { // many a choice comes back to itself
		written := text
		for strings.Contains(written, open) {
			pointer := places.Nodes()[g.IntN(len(places.Nodes()))].Pointer
			if g.IntN(8) == 0 {
				pointer = ""
			}
			written = strings.Replace(written, open, "#"+(&url.URL{Fragment: pointer}).EscapedFragment(), 1)
		}
		if s, _ := schema.Admit(schematest.Value(t, written)); s != nil {
			return s
		}
	}
	return nil
}

// open stands for a reference whose target is chosen once all places are known.
const open = "#open"

// schema writes up to four keywords, most of them about the same type.
func (g knots) schema(depth int) string {
	if g.IntN(12) == 0 {
		return g.pick("true", "false", "{}", `{"type":"null"}`)
	}
	members := map[string]string{}
	about := g.pick("string", "string", "number", "array", "object", "object")
	if g.IntN(3) > 0 {
		members["type"] = g.types(about)
	}
	for range 1 + g.IntN(3) {
		name, value := g.about(about, depth)
		members[name] = value
	}
	if depth > 0 && g.IntN(2) == 0 {
		name, value := g.beside(depth - 1)
		members[name] = value
	}
	if g.IntN(6) == 0 {
		members["description"] = fmt.Sprintf(`"text %d"`, g.IntN(9))
	}
	list := make([]string, 0, len(members))
	for name, value := range members {
		list = append(list, fmt.Sprintf("%q:%s", name, value))
	}
	slices.Sort(list)
	return "{" + strings.Join(list, ",") + "}"
}

func (g knots) types(about string) string {
	if about == "number" {
		about = g.pick("number", "integer", "integer")
	}
	if g.IntN(3) > 0 {
		return fmt.Sprintf("%q", about)
	}
	return fmt.Sprintf("[%q,%q]", about, g.pick("null", "null", "boolean"))
}

func (g knots) count() string { return g.pick("0", "1", "2", "3", "4") }

func (g knots) about(t string, depth int) (name, value string) {
	below := func() string { return g.schema(max(depth-1, 0)) }
	if g.IntN(7) == 0 {
		return "enum", g.pick(`["a","bb",null]`, `["a"]`, `[1,2,3]`, `[1.5,"a",true,null]`, `[{"a":1},"a"]`, `[[1],null]`,
			`[true,true,"a"]`, `[false,null,false]`, `["a","a",5]`, `[5,"bb",true]`)
	}
	if depth == 0 && (t == "array" || t == "object") {
		t = "string"
	}
	switch t {
	case "string":
		switch g.IntN(4) {
		case 0:
			return "pattern", g.pick(`"^a"`, `"^[ab]+$"`, `"b$"`, `"^a+$"`, `"\\d"`, `"^(?:a|bb)$"`, `"^\\w*?$"`)
		case 1:
			return "format", g.pick(`"email"`, `"date"`)
		default:
			return g.pick("minLength", "maxLength"), g.count()
		}
	case "number":
		switch g.IntN(5) {
		case 0:
			return "format", g.pick(`"date"`, `"email"`, `"int32"`)
		case 1:
			return "multipleOf", g.pick("1", "2", "0.5", "3")
		default:
			return g.pick("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), g.pick("0", "1", "2.5", "4", "9")
		}
	case "array":
		switch g.IntN(8) {
		case 0:
			return "prefixItems", "[" + below() + "]"
		case 4:
			return "contains", below()
		case 5:
			return g.pick("minContains", "maxContains"), g.count()
		case 1, 2:
			return "items", below()
		case 3:
			return g.pick("uniqueItems", "unevaluatedItems"), g.pick("true", "false")
		default:
			return g.pick("minItems", "maxItems"), g.count()
		}
	}
	switch g.IntN(12) {
	case 0:
		return "required", g.pick(`["a"]`, `["a","b"]`, `["c"]`)
	case 1, 2:
		return "additionalProperties", g.pick("false", "false", "true", below())
	case 3:
		return "patternProperties", g.pick(`{"^a":`+below()+`}`, `{"^x":`+below()+`}`)
	case 4:
		return "propertyNames", g.pick(`{"enum":["a","b"]}`, `{"pattern":"^[abx]"}`, `{"type":"string"}`)
	case 5:
		return g.pick("minProperties", "maxProperties"), g.count()
	case 6:
		return "dependentRequired", `{"a":["b"]}`
	case 7:
		return "unevaluatedProperties", "false"
	default:
		return "properties", `{"a":` + below() + `,"` + g.pick("b", "c", "x") + `":` + below() + `}`
	}
}

// beside writes a keyword whose schemas look at the same value.
func (g knots) beside(depth int) (name, value string) {
	list := func() string {
		branches := make([]string, 1+g.IntN(3))
		for i := range branches {
			branches[i] = g.schema(depth)
		}
		return "[" + strings.Join(branches, ",") + "]"
	}
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		return "allOf", list()
	case 4, 5, 6:
		return "anyOf", list()
	case 7:
		return "oneOf", list()
	case 8:
		return g.pick("not", "if", "then"), g.schema(depth)
	default:
		return "$ref", g.pick(`"#/$defs/d"`, `"#/$defs/d"`, `"#/$defs/e"`, `"#/definitions/d"`, `"#/$defs/a~1b"`, `"#/properties/b"`,
			`"`+open+`"`, `"`+open+`"`, `"`+open+`"`)
	}
}

// fussy are made-up profiles that refuse much, each something else, so that
// every rule has something to do.
func fussy(t *testing.T) []*provider.Profile {
	t.Helper()
	lists := []verdict{{"valueKinds: [array]", "Rejected"}}
	beside := []verdict{{"has: [anyOf, oneOf, $ref, allOf]", "Dropped"}}
	var out []*provider.Profile
	for _, verdicts := range []map[string][]verdict{
		{"allOf": rejected, "$ref": {{"hasSiblings: true", "Rejected"}}, "BooleanSchema": rejected, "OpenObject": rejected, "unevaluatedProperties, unevaluatedItems": rejected},
		{"type": lists, "enum": {{`memberKinds: ["null", boolean, object, array]`, "Rejected"}}, "UntypedSchema": rejected, "const": rejected},
		{"anyOf": {{"siblingsOtherThan: [description]", "Rejected"}}, "allOf": rejected, "oneOf": rejected, "type": lists},
		{"anyOf": rejected, "allOf": {{"branchHas: [$ref]", "Rejected"}}, "patternProperties, propertyNames": rejected, "UntypedSchema": rejected},
		{"type, required, properties, minLength, maxLength, pattern, minimum, maximum, items": beside, "additionalProperties": {{"valueIs: true", "Rejected"}, {"has: [anyOf, allOf]", "Dropped"}}},
		{
			"minLength, maxLength": rejected, "minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf": rejected,
			"minItems, maxItems, uniqueItems, minProperties, maxProperties": rejected, "if, then, else, not": rejected, "OpenObject": rejected,
		},
		{"pattern": {{"patternAnchored: false", "Rejected"}, {"patternUses: [ClassEscape, NonCapturingGroup, Lazy]", "Rejected"}}, "$ref": {{"refOutside: [$defs]", "Rejected"}, {`valueMatches: "~"`, "Rejected"}}, "definitions": rejected, "format": {{"has: [pattern]", "Dropped"}}},
		{"$ref": rejected, "root/$defs": rejected, "root/definitions": rejected, "$defs, definitions": rejected, "anyOf": {{"branchLacks: [type]", "Rejected"}}, "allOf": rejected, "UntypedSchema": rejected},
	} {
		out = append(out, custom(t, verdicts))
	}
	return out
}

// kept counts what the property test has seen.
type kept struct{ schemas, rewritten, proven, admitted, carried int }

// TestRandomSchemasAreKept holds Keep and Narrow to their promise on random
// schemas: every value that the rewritten schema admits, the author's admits, and
// with Keep also the other way round. Only validators judge.
func TestRandomSchemasAreKept(t *testing.T) {
	t.Parallel()
	seeds := uint64(150)
	if soaking() {
		seeds = 10_000
	}
	profiles := fussy(t)
	rules := map[string]int{}
	var seen kept
	for seed := range seeds {
		g := knots{rand.New(rand.NewPCG(seed, 17))}
		author := g.author(t)
		if author == nil {
			continue
		}
		if _, invalid := author.Compile(); len(invalid) > 0 {
			t.Fatalf("seed %d: not valid: %s", seed, author.Root().JSON())
		}
		seen.schemas++
		for _, p := range profiles {
			for _, most := range []adapt.Effect{adapt.Keep, adapt.Narrow} {
				r := adapt.Schema(author, p, provider.Standard, most)
				if r.Schema == author {
					continue
				}
				for _, w := range r.Rewrites {
					rules[w.Rule]++
				}
				checkKept(t, author, r, most, seed, &seen)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d: %s", seed, author.Root().JSON())
		}
	}
	t.Logf("%+v", seen)
	t.Logf("%v", rules)
	if seen.rewritten < int(seeds) || seen.admitted < 3*int(seeds) || seen.carried < int(seeds) {
		t.Errorf("the test sees too little: %+v", seen)
	}
}

func checkKept(t *testing.T, author *schema.Schema, r adapt.Result, most adapt.Effect, seed uint64, seen *kept) {
	t.Helper()
	say := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\nauthor    %s\nrewritten %v\nrewrites  %v", fmt.Sprintf(format, args...), author.Root().JSON(), shownSchema(r), r.Rewrites)
	}
	if r.Schema == nil {
		say("no schema: %v", r.Findings)
		return
	}
	seen.rewritten++
	for _, w := range r.Rewrites {
		if author.Root().At(finding.Tokens(w.Pointer)) == nil {
			say("%s at %s: the author has nothing there", w.Rule, w.Pointer)
		}
	}
	judge, _ := author.Compile()
	rewritten, broken := r.Schema.Compile()
	if len(broken) > 0 {
		say("a valid schema was rewritten into %v", broken)
		return
	}
	for _, v := range schematest.NewInstances(r.Schema, seed).Valid(10, 40) {
		seen.admitted++
		if ok, err := judge.Accepts(v); err == nil && !ok {
			say("%s is admitted, and was not", v.JSON())
		}
	}
	if most == adapt.Keep {
		for _, v := range schematest.NewInstances(author, seed).Valid(10, 40) {
			seen.carried++
			if ok, err := rewritten.Accepts(v); err == nil && !ok {
				say("%s was admitted, and is not", v.JSON())
			}
		}
	}
	switch answer := contain.Contains(r.Schema, author); {
	case answer.Defect || answer.Answer == contain.Refuted:
		say("%s %s", shown(answer), answer.Reason)
	case answer.Answer == contain.Proven:
		seen.proven++
	}
}

func shownSchema(r adapt.Result) string {
	if r.Schema == nil {
		return ""
	}
	return r.Schema.Root().JSON()
}
