// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// A value may be listed twice: two booleans are not yet both.
func TestATypeStandsForBothBooleansOnly(t *testing.T) {
	t.Parallel()
	noMixed := map[string][]verdict{"enum": {{"memberKinds: [string], memberIn: [true, false]", "Rejected"}}}
	run(t, map[string]rewriteCase{
		"true listed twice": property(noMixed, `{"enum":[true,true,"a"]}`,
			`{"anyOf":[{"type":"boolean","enum":[true,true]},{"type":"string","enum":["a"]}]}`, "Keep types-to-any-of /enum"),
		"both, one of them twice": property(noMixed, `{"enum":[true,false,true,"a"]}`,
			`{"anyOf":[{"type":"boolean"},{"type":"string","enum":["a"]}]}`, "Keep types-to-any-of /enum"),
	})
}

// What one alternative says must not speak of the others once they are one.
func TestJoinedAlternativesAdmitWhatTheyDid(t *testing.T) {
	t.Parallel()
	noAnyOf := map[string][]verdict{"anyOf": rejected}
	run(t, map[string]rewriteCase{
		"a listed value of another type": property(noAnyOf, `{"anyOf":[{"type":"string","enum":["a",5]},{"type":"integer","enum":[1]}]}`,
			`{"type":["string","integer"],"enum":["a",1]}`, "Keep any-of-to-types /anyOf"),
		"a constant of another type": property(noAnyOf, `{"anyOf":[{"type":"string","const":5},{"type":"integer","enum":[1]}]}`,
			`{"type":["string","integer"],"enum":[1]}`, "Keep any-of-to-types /anyOf"),
		"an enum beside a constant": property(noAnyOf, `{"anyOf":[{"type":"string","enum":["a","b"],"const":"b"},{"type":"null"}]}`,
			`{"type":["string","null"],"enum":["b",null]}`, "Keep any-of-to-types /anyOf"),
		"no listed value is left":             left(noAnyOf, `{"anyOf":[{"type":"string","enum":[5]},{"type":"integer","const":"a"}]}`, "keyword-rejected /anyOf"),
		"a format of integers beside strings": left(noAnyOf, `{"anyOf":[{"type":"integer","format":"date"},{"type":"string"}]}`, "keyword-rejected /anyOf"),
		"a format of integers behind strings": left(noAnyOf, `{"anyOf":[{"type":"string"},{"type":"integer","format":"date"}]}`, "keyword-rejected /anyOf"),
		"a format of strings beside integers": property(noAnyOf, `{"anyOf":[{"type":"integer"},{"type":"string","format":"date"}]}`,
			`{"type":["integer","string"],"format":"date"}`, "Keep any-of-to-types /anyOf"),
	})
}

// Where fewer values below are not fewer above, a constraint that is taken out
// would refuse what the author admits.
func TestNothingIsTakenOutWhereThatNarrows(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		verdicts map[string][]verdict
		in, want string // schemas of a property; the same where nothing can be done
		admitted []string
		rewrites []string
	}{
		"a branch of oneOf": {
			map[string][]verdict{"format": rejected},
			`{"oneOf":[{"type":"string","format":"email"},{"type":"string","minLength":4}]}`,
			`{"oneOf":[{"type":"string","format":"email"},{"type":"string","minLength":4}]}`,
			[]string{`"en-US"`, `"abcde"`},
			nil,
		},
		"a negation": {
			map[string][]verdict{"maxLength": rejected, "pattern": rejected},
			`{"type":"string","not":{"maxLength":3}}`, `{"type":"string","not":{"maxLength":3}}`,
			[]string{`"abcd"`},
			nil,
		},
		"a condition": {
			map[string][]verdict{"multipleOf": rejected},
			`{"type":"integer","if":{"multipleOf":4},"then":{"minimum":4}}`, `{"type":"integer","if":{"multipleOf":4},"then":{"minimum":4}}`,
			[]string{`1`},
			nil,
		},
		"what a negation refers to": {
			map[string][]verdict{"multipleOf": rejected},
			`{"type":"object","properties":{"a":{"type":"integer","multipleOf":4},"b":{"not":{"$ref":"#/properties/p/properties/a"}}}}`,
			`{"type":"object","properties":{"a":{"type":"integer","multipleOf":4},"b":{"not":{"$ref":"#/properties/p/properties/a"}}}}`,
			[]string{`{"b":3}`},
			nil,
		},
		"items that were looked at": {
			map[string][]verdict{"contains": rejected},
			`{"type":"array","contains":{"const":"a"},"unevaluatedItems":{"type":"integer"}}`,
			`{"type":"array","contains":{"const":"a"},"unevaluatedItems":{"type":"integer"}}`,
			[]string{`["a",1]`},
			nil,
		},
		"a oneOf that becomes an anyOf itself": {
			map[string][]verdict{"oneOf": rejected, "format": rejected},
			`{"oneOf":[{"type":"string","format":"email"},{"type":"string","pattern":"^a"}]}`,
			`{"description":"Match exactly one of the alternatives.","anyOf":[{"type":"string","description":"Format: email."},{"type":"string","pattern":"^a"}]}`,
			[]string{`"abc"`, `"b@example.com"`},
			[]string{"Widen say-exactly-one /properties/p/oneOf", "Widen say-constraint /properties/p/oneOf/0/format"},
		},
		"a then": {
			map[string][]verdict{"multipleOf": rejected},
			`{"type":"integer","if":{"minimum":4},"then":{"multipleOf":2}}`,
			`{"type":"integer","if":{"minimum":4},"then":{"description":"Multiple of 2."}}`,
			[]string{`1`, `6`},
			[]string{"Widen say-constraint /properties/p/then/multipleOf"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			author := schematest.Schema(t, inProperty(c.in))
			got := adapt.Schema(author, custom(t, c.verdicts), provider.Standard, adapt.Widen)
			if got.Schema == nil {
				t.Fatalf("no schema: %v", got.Findings)
			}
			if diff := cmp.Diff(inProperty(c.want), got.Schema.Root().JSON()); diff != "" {
				t.Errorf("schema (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.rewrites, rewrites(got)); diff != "" {
				t.Errorf("rewrites (-want +got):\n%s", diff)
			}
			if refused := finding.HasErrors(got.Findings); refused != (c.in == c.want) {
				t.Errorf("findings: %v", got.Findings)
			}
			before, invalid := author.Compile()
			after, broken := got.Schema.Compile()
			if len(invalid)+len(broken) > 0 {
				t.Fatalf("%v %v", invalid, broken)
			}
			for _, text := range c.admitted {
				v := schematest.Value(t, `{"p":`+text+`}`)
				if ok, err := before.Accepts(v); !ok || err != nil {
					t.Errorf("the author's schema refuses %s: the case says nothing", text)
				}
				if ok, err := after.Accepts(v); !ok || err != nil {
					t.Errorf("%s was admitted, and is not", text)
				}
			}
		})
	}
}

// One oneOf inside another, and constraints in it, take one step together.
func TestAlternativesInsideAlternativesAreTakenOutAtOnce(t *testing.T) {
	t.Parallel()
	in := `{"type":"string","format":"email"}`
	const depth = 6
	for range depth {
		in = `{"oneOf":[` + in + `,{"type":"string","pattern":"^a"}]}`
	}
	got := adapt.Schema(schematest.Schema(t, inProperty(in)), custom(t, map[string][]verdict{"oneOf": rejected, "format": rejected}), provider.Standard, adapt.Widen)
	if got.Schema == nil || finding.HasErrors(got.Findings) {
		t.Fatalf("findings: %v", got.Findings)
	}
	list := rewrites(got)
	joined := 0
	for _, w := range list {
		if strings.HasPrefix(w, "Widen say-exactly-one ") {
			joined++
		}
	}
	if joined != depth || len(list) != depth+1 {
		t.Errorf("rewrites: %v", list)
	}
}

// The description gives names letter by letter.
func TestNamesKeepTheirLettersInWords(t *testing.T) {
	t.Parallel()
	cases := []struct{ schema, said string }{
		{`{"dependentRequired":{"élan":["b"]}}`, "If élan is given, b must be given."},
		{`{"dependentRequired":{"order_id":["b","c"]}}`, "If order_id is given, b and c must be given."},
		{`{"dependentRequired":{"a b":["b"],"ß":["c"]}}`, `If "a b" is given, b must be given; if ß is given, c must be given.`},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.said, adapt.Say(schematest.Value(t, c.schema), "dependentRequired")); diff != "" {
			t.Error(diff)
		}
	}
}
