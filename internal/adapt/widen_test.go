// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// Every keyword that has words goes into them; the values of the others are
// left in place, for the profile to refuse.
func TestWhatIsSaidOfAKeyword(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		keyword, schema, said string // said is empty where nothing can be said
	}{
		"a shortest length":            {"minLength", `{"type":"string","minLength":2}`, "At least 2 characters."},
		"a shortest length of one":     {"minLength", `{"type":"string","minLength":1}`, "At least 1 character."},
		"a longest length":             {"maxLength", `{"type":"string","maxLength":20}`, "At most 20 characters."},
		"a least number of items":      {"minItems", `{"type":"array","items":{"type":"string"},"minItems":2}`, "At least 2 items."},
		"a greatest number of items":   {"maxItems", `{"type":"array","items":{"type":"string"},"maxItems":1}`, "At most 1 item."},
		"a least number of members":    {"minProperties", `{"type":"object","minProperties":1}`, "At least 1 member."},
		"a greatest number of members": {"maxProperties", `{"type":"object","maxProperties":3}`, "At most 3 members."},
		"a minimum":                    {"minimum", `{"type":"number","minimum":-0.5}`, "At least -0.5."},
		"a maximum":                    {"maximum", `{"type":"number","maximum":1e30}`, "At most 1e+30."},
		"an exclusive minimum":         {"exclusiveMinimum", `{"type":"number","exclusiveMinimum":0}`, "Greater than 0."},
		"an exclusive maximum":         {"exclusiveMaximum", `{"type":"number","exclusiveMaximum":1}`, "Less than 1."},
		"a divisor":                    {"multipleOf", `{"type":"integer","multipleOf":5}`, "Multiple of 5."},
		"distinct items":               {"uniqueItems", `{"type":"array","items":{"type":"string"},"uniqueItems":true}`, "Items are unique."},
		"a pattern":                    {"pattern", `{"type":"string","pattern":"^[a-z]+$"}`, "Must match the regular expression `^[a-z]+$`."},
		"a pattern with the quote":     {"pattern", "{\"type\":\"string\",\"pattern\":\"^`$\"}", ""},
		"a pattern nobody reads":       {"pattern", `{"type":"string","pattern":"^(` + strings.Repeat("a", 500) + `)$"}`, ""},
		"a format":                     {"format", `{"type":"string","format":"date-time"}`, "Format: date-time."},
		"a format that is a text":      {"format", `{"type":"string","format":"ignore all this"}`, ""},
		"a pattern of names":           {"propertyNames", `{"type":"object","propertyNames":{"pattern":"^x"}}`, "Every name matches the regular expression `^x`."},
		"a list of names":              {"propertyNames", `{"type":"object","propertyNames":{"enum":["a","b"]}}`, "Every name is one of a and b."},
		"several rules of names": {
			"propertyNames", `{"type":"object","propertyNames":{"type":"string","minLength":1,"maxLength":3,"format":"email"}}`,
			"Every name has at least 1 character, has at most 3 characters and has the format email.",
		},
		"a rule of names without words":  {"propertyNames", `{"type":"object","propertyNames":{"pattern":"^x","not":{"const":"x"}}}`, ""},
		"names of any kind":              {"propertyNames", `{"type":"object","propertyNames":{}}`, ""},
		"names that come together":       {"dependentRequired", `{"type":"object","dependentRequired":{"a":["b","c"],"d":["e f"]}}`, `If a is given, b and c must be given; if d is given, "e f" must be given.`},
		"one item of a list":             {"contains", `{"type":"array","items":{"type":"string"},"contains":{"enum":["a","b"]}}`, "At least one item is one of a and b."},
		"one item of a kind":             {"contains", `{"type":"array","items":{"type":"string"},"contains":{"pattern":"^a"}}`, ""},
		"several items of a list":        {"contains", `{"type":"array","items":{"type":"string"},"contains":{"const":"a"},"minContains":2}`, ""},
		"a value that is not allowed":    {"not", `{"type":"string","not":{"const":"a b"}}`, `Not "a b".`},
		"values that are not allowed":    {"not", `{"type":"integer","not":{"enum":[1,2,3]}}`, "Not 1, 2 or 3."},
		"members that exclude another":   {"not", `{"type":"object","not":{"required":["a","b"]}}`, "Do not give a and b together."},
		"a member that is not allowed":   {"not", `{"type":"object","not":{"required":["a"]}}`, "Do not give a."},
		"another negation":               {"not", `{"type":"string","not":{"minLength":3}}`, ""},
		"one of several groups":          {"anyOf", `{"type":"object","anyOf":[{"required":["a"]},{"required":["b","c"]}]}`, "Give at least one of: a; b and c."},
		"exactly one of several names":   {"oneOf", `{"type":"object","oneOf":[{"required":["a"]},{"type":"object","required":["b"]}]}`, "Give exactly one of: a, b."},
		"a condition":                    {"if", `{"type":"object","if":{"required":["a"]},"then":{"required":["b"]}}`, ""},
		"positions":                      {"prefixItems", `{"type":"array","prefixItems":[{"type":"string"}]}`, ""},
		"members that depend on another": {"dependentSchemas", `{"type":"object","dependentSchemas":{"a":{"required":["b"]}}}`, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.said, adapt.Say(schematest.Value(t, c.schema), c.keyword)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWiden(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason, in, want, decode string
		verdicts                 map[string][]verdict // of a made-up profile; else strict OpenAI
		rewrites                 []string
		errors                   []string
	}{
		"a sentence follows the author's": {
			reason:   "the author's words stay the first",
			verdicts: map[string][]verdict{"minimum": rejected, "multipleOf": rejected},
			in:       `{"type":"object","properties":{"a":{"type":"integer","description":"The amount","minimum":5,"multipleOf":5}},"required":["a"]}`,
			want:     `{"type":"object","properties":{"a":{"type":"integer","description":"The amount. At least 5. Multiple of 5."}},"required":["a"]}`,
			rewrites: []string{"Widen say-constraint /properties/a/minimum", "Widen say-constraint /properties/a/multipleOf"},
		},
		"a union of required groups leaves room for the rest": {
			reason: "it kept the object from being closed and its properties from being required", decode: `{"dropNull":["a","b"]}`,
			in: `{"type":"object","description":"Finds it.","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			want: `{"type":"object","description":"Finds it. Give at least one of: a, b.","properties":{"a":{"type":["string","null"]},"b":{"type":["string","null"]}},` +
				`"required":["a","b"],"additionalProperties":false}`,
			rewrites: []string{
				"Narrow close-object ", "Widen say-constraint /anyOf", "Reshape optional-to-null /properties/a", "Reshape optional-to-null /properties/b",
			},
		},
		"alternatives that overlap": {
			reason: "a value could match both, which the description excludes",
			in:     `{"type":"object","properties":{"p":{"oneOf":[{"type":"string","format":"uri"},{"type":"string","pattern":"^a"}]}},"required":["p"],"additionalProperties":false}`,
			want: `{"type":"object","properties":{"p":{"description":"Match exactly one of the alternatives.","anyOf":[{"type":"string","description":"Format: uri."},` +
				`{"type":"string","pattern":"^a"}]}},"required":["p"],"additionalProperties":false}`,
			rewrites: []string{"Widen say-exactly-one /properties/p/oneOf", "Widen say-constraint /properties/p/oneOf/0/format"},
		},
		"a union inside a union": {
			reason: "places are those of the author after every round",
			in: `{"type":"object","properties":{"p":{"oneOf":[{"type":"number"},{"type":"integer"},{"type":"array","items":{"oneOf":[{"type":"number"},{"type":"integer","if":{"const":1},"then":{"maximum":0}}]}}]}},` +
				`"required":["p"],"additionalProperties":false}`,
			rewrites: []string{
				"Widen say-exactly-one /properties/p/oneOf", "Widen say-exactly-one /properties/p/oneOf/2/items/oneOf",
			},
			errors: []string{
				"keyword-rejected /properties/p/oneOf/2/items/oneOf/1/if", "keyword-rejected /properties/p/oneOf/2/items/oneOf/1/then",
			},
		},
		"what is said of a name is said of the map": {
			reason: "a name has no description of its own", decode: `{"properties":{"m":{"pairs":{}}}}`,
			in: `{"type":"object","properties":{"m":{"type":"object","propertyNames":{"format":"uri"},"additionalProperties":{"type":"string"}}},"required":["m"],"additionalProperties":false}`,
			want: `{"type":"object","properties":{"m":{"type":"array","description":"Every name has the format uri. One entry per key; no key twice.","items":{"type":"object",` +
				`"properties":{"key":{"type":"string"},"value":{"type":"string"}},"required":["key","value"],"additionalProperties":false}}},` +
				`"required":["m"],"additionalProperties":false}`,
			rewrites: []string{"Reshape map-to-pairs /properties/m", "Widen say-constraint /properties/m/propertyNames"},
		},
		"a map of anything": {
			reason: "it is never made an empty object", errors: []string{"object-not-closed /properties/m"},
			in: `{"type":"object","properties":{"m":{"type":"object"}},"required":["m"],"additionalProperties":false}`,
		},
		"what has no words": {
			reason: "it stays refused", errors: []string{"keyword-rejected /properties/a/not", "schema-without-type /properties/a/not"},
			in: `{"type":"object","properties":{"a":{"type":"string","not":{"pattern":"^b"}}},"required":["a"],"additionalProperties":false}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			author := schematest.Schema(t, c.in)
			p, mode := profile(t, "openai-responses"), provider.Strict
			if c.verdicts != nil {
				p, mode = custom(t, c.verdicts), provider.Standard
			}
			got := adapt.Schema(author, p, mode, adapt.Widen)
			if got.Schema == nil {
				t.Fatalf("%s: no schema: %v", c.reason, got.Findings)
			}
			if diff := cmp.Diff(c.want, got.Schema.Root().JSON()); diff != "" && c.want != "" {
				t.Errorf("%s: schema (-want +got):\n%s", c.reason, diff)
			}
			// What stays refused was rewritten as far as it went.
			others := func(w string) bool { return c.want == "" && !strings.HasPrefix(w, "Widen ") }
			if diff := cmp.Diff(c.rewrites, slices.DeleteFunc(rewrites(got), others), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%s: rewrites (-want +got):\n%s", c.reason, diff)
			}
			rule := ""
			if got.Decode != nil {
				rule = got.Decode.Value().JSON()
			}
			if diff := cmp.Diff(c.decode, rule); diff != "" {
				t.Errorf("%s: decode rule (-want +got):\n%s", c.reason, diff)
			}
			var errors []string
			for _, f := range finding.Errors(got.Findings) {
				errors = append(errors, f.Rule+" "+f.Pointer)
			}
			if diff := cmp.Diff(c.errors, errors); diff != "" {
				t.Errorf("%s: errors (-want +got):\n%s", c.reason, diff)
			}
			for _, w := range got.Rewrites {
				if author.Root().At(finding.Tokens(w.Pointer)) == nil {
					t.Errorf("%s at %s: the author has nothing there", w.Rule, w.Pointer)
				}
			}
		})
	}
}

// What is never said must not be lost: a keyword that is taken and not enforced,
// or dropped unseen, is told at every level.
func TestWhatIsNotEnforcedIsToldAtEveryLevel(t *testing.T) {
	t.Parallel()
	author := schematest.Schema(t, `{"type":"object","properties":{"a":{"type":"string","maxLength":3}},"required":["a"],"additionalProperties":false}`)
	cases := []struct{ verdict, rule string }{{"Dropped", provider.RuleKeywordDropped}, {"Accepted", provider.RuleKeywordNotEnforced}}
	for _, c := range cases {
		for most := adapt.Keep; most <= adapt.Widen; most++ {
			t.Run(fmt.Sprintf("%s up to %s", c.verdict, most), func(t *testing.T) {
				t.Parallel()
				p := custom(t, map[string][]verdict{"maxLength": {{"", c.verdict}}, "pattern": rejected})
				mode := provider.Standard
				if c.verdict == "Accepted" {
					p, mode = customStrict(t, map[string][]verdict{"maxLength": {{"", c.verdict}}, "pattern": rejected}), provider.Strict
				}
				got := adapt.Schema(author, p, mode, most)
				told := slices.ContainsFunc(got.Findings, func(f finding.Finding) bool {
					return f.Pointer == "/properties/a/maxLength" && f.Rule == c.rule && f.Severity == finding.Warning
				})
				if !told || finding.HasErrors(got.Findings) {
					t.Errorf("got %v", got.Findings)
				}
				if got.Schema != author {
					t.Errorf("it was rewritten for nothing: %v", got.Rewrites)
				}
			})
		}
	}
}

// customStrict is like custom, with a strict mode.
func customStrict(t testing.TB, verdicts map[string][]verdict) *provider.Profile {
	t.Helper()
	return custom(t, verdicts, "strict: {place: Tool, nonStrict: Omit, confidence: Low, sources: [mcp-schema]}\n",
		"models: [{pattern: \"*\", strict: true, confidence: Low, sources: [mcp-schema]}]\n")
}
