// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func profile(t testing.TB, name string) *provider.Profile {
	t.Helper()
	p, ok := provider.Builtin().Lookup(name)
	if !ok {
		t.Fatalf("no profile %s", name)
	}
	return p
}

// rewrites is the short form of what was done: rule, effect and place.
func rewrites(r adapt.Result) []string {
	var out []string
	for _, w := range r.Rewrites {
		out = append(out, w.Effect.String()+" "+w.Rule+" "+w.Pointer)
	}
	return out
}

func TestRewrites(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		reason   string
		profile  string
		mode     provider.Mode
		most     adapt.Effect
		in, want string
		rewrites []string
		errors   []string // rule and pointer of error findings
	}{
		"an open object is closed for strict OpenAI": {
			reason: "the API demands it and every value it admits was admitted before", profile: "openai-responses", mode: provider.Strict, most: adapt.Narrow,
			in:       `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
			want:     `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			rewrites: []string{"Narrow close-object "},
		},
		"an open object is not closed when only Keep is allowed": {
			reason: "closing admits fewer values", profile: "openai-responses", mode: provider.Strict, most: adapt.Keep,
			in:     `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
			want:   `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
			errors: []string{"object-not-closed "},
		},
		"nothing is closed where the API does not ask for it": {
			reason: "the least effect is used", profile: "openai-responses", mode: provider.Standard, most: adapt.Narrow,
			in:   `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
			want: `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`,
		},
		"a map is never closed": {
			reason: "it would become the empty object", profile: "openai-responses", mode: provider.Strict, most: adapt.Narrow,
			in:       `{"type":"object","properties":{"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}`,
			want:     `{"type":"object","properties":{"labels":{"type":"object","properties":{},"required":[],"additionalProperties":{"type":"string"}}},"required":["labels"],"additionalProperties":false}`,
			rewrites: []string{"Keep add-empty-properties /properties/labels", "Keep add-empty-required /properties/labels"},
			errors:   []string{"object-not-closed /properties/labels/additionalProperties"},
		},
		"a free-form object below the root is never closed": {
			reason: "it would become the empty object", profile: "anthropic-messages", mode: provider.Strict, most: adapt.Narrow,
			in:     `{"type":"object","properties":{"filter":{"type":"object"}},"additionalProperties":false}`,
			want:   `{"type":"object","properties":{"filter":{"type":"object"}},"additionalProperties":false}`,
			errors: []string{"object-not-closed /properties/filter"},
		},
		"a tool without arguments is closed": {
			reason: "its root declares nothing on purpose", profile: "anthropic-messages", mode: provider.Strict, most: adapt.Narrow,
			in: `{"type":"object"}`, want: `{"type":"object","additionalProperties":false}`,
			rewrites: []string{"Narrow close-object "},
		},
		"an object under oneOf is not closed": {
			reason: "fewer matches of a branch can mean more matches of oneOf", profile: "anthropic-messages", mode: provider.Strict, most: adapt.Narrow,
			in: `{"type":"object","properties":{"x":{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},` +
				`{"type":"object","properties":{"b":{"type":"string"}}}]}},"additionalProperties":false}`,
			want: `{"type":"object","properties":{"x":{"oneOf":[{"type":"object","properties":{"a":{"type":"string"}}},` +
				`{"type":"object","properties":{"b":{"type":"string"}}}]}},"additionalProperties":false}`,
			errors: []string{
				"keyword-rejected /properties/x/oneOf",
				"object-not-closed /properties/x/oneOf/0", "object-not-closed /properties/x/oneOf/1",
			},
		},
		"the branches of allOf are not closed": {
			reason: "each would forbid what the other declares", profile: "anthropic-messages", mode: provider.Strict, most: adapt.Narrow,
			in: `{"type":"object","properties":{"x":{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},` +
				`{"type":"object","properties":{"b":{"type":"string"}}}]}},"additionalProperties":false}`,
			want: `{"type":"object","properties":{"x":{"allOf":[{"type":"object","properties":{"a":{"type":"string"}}},` +
				`{"type":"object","properties":{"b":{"type":"string"}}}]}},"additionalProperties":false}`,
			errors: []string{"object-not-closed /properties/x/allOf/0", "object-not-closed /properties/x/allOf/1"},
		},
		"an object that requires what it does not declare is not closed": {
			reason: "closed, it would admit nothing", profile: "anthropic-messages", mode: provider.Strict, most: adapt.Narrow,
			in:     `{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`,
			want:   `{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`,
			errors: []string{"object-not-closed ", "required-undeclared /required/0"},
		},
		"a root that leaves its properties to alternatives is not closed": {
			reason: "closed, it would admit nothing", profile: "anthropic-messages", mode: provider.Strict, most: adapt.Narrow,
			in:     `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			want:   `{"type":"object","anyOf":[{"required":["a"]},{"required":["b"]}]}`,
			errors: []string{"object-not-closed ", "root-keyword /anyOf"},
		},
		"annotations are left out where they are not taken": {
			reason: "they constrain nothing", profile: "openai-responses", mode: provider.Strict, most: adapt.Keep,
			in: `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string","default":"x","examples":["y"]}},` +
				`"required":["a"],"additionalProperties":false}`,
			want:     `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			rewrites: []string{"Keep drop-annotation /properties/a/default", "Keep drop-annotation /properties/a/examples"},
		},
		"properties named like keywords stay": {
			reason: "one real tool in nine has such a parameter", profile: "openai-responses", mode: provider.Strict, most: adapt.Narrow,
			in: `{"type":"object","properties":{"default":{"type":"string"},"examples":{"type":"string"},"const":{"type":"string"}},` +
				`"required":["default","examples","const"],"additionalProperties":false}`,
			want: `{"type":"object","properties":{"default":{"type":"string"},"examples":{"type":"string"},"const":{"type":"string"}},` +
				`"required":["default","examples","const"],"additionalProperties":false}`,
		},
		"const is written as enum where only enum is known": {
			reason: "the same single value", profile: "gemini-json-schema", mode: provider.Strict, most: adapt.Keep,
			in:       `{"type":"object","properties":{"a":{"type":"string","const":"x"}},"required":["a"]}`,
			want:     `{"type":"object","properties":{"a":{"type":"string","enum":["x"]}},"required":["a"]}`,
			rewrites: []string{"Keep const-to-enum /properties/a/const"},
		},
		"an exclusive bound of an integer becomes inclusive": {
			reason: "Gemini enforces only inclusive bounds", profile: "gemini-json-schema", mode: provider.Strict, most: adapt.Keep,
			in:   `{"type":"object","properties":{"n":{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":2.5}},"required":["n"]}`,
			want: `{"type":"object","properties":{"n":{"type":"integer","minimum":1,"maximum":2}},"required":["n"]}`,
			rewrites: []string{
				"Keep integer-bounds /properties/n/exclusiveMaximum", "Keep integer-bounds /properties/n/exclusiveMinimum",
			},
		},
		"an exclusive bound of a number stays": {
			reason: "no inclusive bound means the same", profile: "gemini-json-schema", mode: provider.Strict, most: adapt.Narrow,
			in:   `{"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":0}},"required":["n"]}`,
			want: `{"type":"object","properties":{"n":{"type":"number","exclusiveMinimum":0}},"required":["n"]}`,
		},
		"oneOf with disjoint branches becomes anyOf": {
			reason: "no value can match both", profile: "openai-responses", mode: provider.Strict, most: adapt.Keep,
			in:       `{"type":"object","properties":{"id":{"oneOf":[{"type":"string"},{"type":"integer"}]}},"required":["id"],"additionalProperties":false}`,
			want:     `{"type":"object","properties":{"id":{"anyOf":[{"type":"string"},{"type":"integer"}]}},"required":["id"],"additionalProperties":false}`,
			rewrites: []string{"Keep one-of-to-any-of /properties/id/oneOf"},
		},
		"oneOf with overlapping branches stays and is refused": {
			reason: "anyOf would admit what both branches match", profile: "openai-responses", mode: provider.Strict, most: adapt.Narrow,
			in:     `{"type":"object","properties":{"id":{"oneOf":[{"type":"number"},{"type":"integer"}]}},"required":["id"],"additionalProperties":false}`,
			want:   `{"type":"object","properties":{"id":{"oneOf":[{"type":"number"},{"type":"integer"}]}},"required":["id"],"additionalProperties":false}`,
			errors: []string{"keyword-rejected /properties/id/oneOf"},
		},
		"a reference with a description is written out": {
			reason: "OpenAI takes no keyword beside $ref", profile: "openai-responses", mode: provider.Strict, most: adapt.Keep,
			in: `{"type":"object","properties":{"l":{"$ref":"#/$defs/L","description":"own"}},"required":["l"],"additionalProperties":false,` +
				`"$defs":{"L":{"type":"string","description":"theirs","enum":["a"]}}}`,
			want: `{"type":"object","properties":{"l":{"type":"string","description":"own","enum":["a"]}},"required":["l"],"additionalProperties":false,` +
				`"$defs":{"L":{"type":"string","description":"theirs","enum":["a"]}}}`,
			rewrites: []string{"Keep inline-ref /properties/l/$ref"},
		},
		"a recursive reference with a description moves into anyOf": {
			reason: "it cannot be written out", profile: "openai-responses", mode: provider.Strict, most: adapt.Keep,
			in: `{"type":"object","properties":{"n":{"$ref":"#/$defs/N","description":"top"}},"required":["n"],"additionalProperties":false,` +
				`"$defs":{"N":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}},"required":["next"],"additionalProperties":false}}}`,
			want: `{"type":"object","properties":{"n":{"description":"top","anyOf":[{"$ref":"#/$defs/N"}]}},"required":["n"],"additionalProperties":false,` +
				`"$defs":{"N":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}},"required":["next"],"additionalProperties":false}}}`,
			rewrites: []string{"Keep wrap-ref /properties/n/$ref"},
		},
		"the only branch of allOf takes its place": {
			reason: "OpenAI refuses allOf", profile: "openai-responses", mode: provider.Strict, most: adapt.Keep,
			in:       `{"type":"object","properties":{"a":{"description":"d","allOf":[{"type":"string"}]}},"required":["a"],"additionalProperties":false}`,
			want:     `{"type":"object","properties":{"a":{"type":"string","description":"d"}},"required":["a"],"additionalProperties":false}`,
			rewrites: []string{"Keep merge-single-all-of /properties/a/allOf"},
		},
		"an array without items gets an empty one outside strict mode": {
			reason: "OpenAI takes it for malformed otherwise", profile: "openai-responses", mode: provider.Standard, most: adapt.Keep,
			in:       `{"type":"object","properties":{"a":{"type":"array"}}}`,
			want:     `{"type":"object","properties":{"a":{"type":"array","items":{}}}}`,
			rewrites: []string{"Keep add-any-items /properties/a"},
		},
		"an array without items is refused in strict mode": {
			reason: "an item of any type cannot be enforced", profile: "openai-responses", mode: provider.Strict, most: adapt.Narrow,
			in:     `{"type":"object","properties":{"a":{"type":"array"}},"required":["a"],"additionalProperties":false}`,
			want:   `{"type":"object","properties":{"a":{"type":"array"}},"required":["a"],"additionalProperties":false}`,
			errors: []string{"array-without-items /properties/a"},
		},
		"a reference in an allOf of its own is written out and closed": {
			reason: "pydantic writes a reference with a description so", profile: "openai-responses", mode: provider.Strict, most: adapt.Narrow,
			in: `{"type":"object","properties":{"p":{"description":"own","allOf":[{"$ref":"#/$defs/P"}]}},"required":["p"],"additionalProperties":false,` +
				`"$defs":{"P":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}`,
			want: `{"type":"object","properties":{"p":{"type":"object","description":"own","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}},` +
				`"required":["p"],"additionalProperties":false,` +
				`"$defs":{"P":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}}}`,
			rewrites: []string{"Narrow close-object /$defs/P", "Keep merge-single-all-of /properties/p/allOf"},
		},
		"an optional property stays optional and is refused": {
			reason: "required without null would change what a caller may leave out", profile: "openai-responses", mode: provider.Strict, most: adapt.Narrow,
			in:     `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			want:   `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"],"additionalProperties":false}`,
			errors: []string{"property-not-required /properties/b"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			author := schematest.Schema(t, c.in)
			got := adapt.Schema(author, profile(t, c.profile), c.mode, c.most)
			if got.Schema == nil {
				t.Fatalf("%s: no schema: %v", c.reason, got.Findings)
			}
			if diff := cmp.Diff(c.want, got.Schema.Root().JSON()); diff != "" {
				t.Errorf("%s: schema (-want +got):\n%s", c.reason, diff)
			}
			if diff := cmp.Diff(c.rewrites, rewrites(got)); diff != "" {
				t.Errorf("%s: rewrites (-want +got):\n%s", c.reason, diff)
			}
			var errors []string
			for _, f := range got.Findings {
				if f.Severity == finding.Error {
					errors = append(errors, f.Rule+" "+f.Pointer)
				}
			}
			if diff := cmp.Diff(c.errors, errors); diff != "" {
				t.Errorf("%s: errors (-want +got):\n%s", c.reason, diff)
			}
			if r := contain.Contains(got.Schema, author); r.Answer == contain.Refuted {
				t.Errorf("%s: the rendered schema admits %s, which the author's does not", c.reason, r.Witness.JSON())
			}
		})
	}
}

func TestForTarget(t *testing.T) {
	t.Parallel()
	const (
		strictly   = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`
		optional   = `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`
		withLength = `{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"],"additionalProperties":false}`
		unique     = `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"uniqueItems":true}},"required":["a"],"additionalProperties":false}`
	)
	cases := map[string]struct {
		profile    string
		schema     string
		strict     adapt.Strict
		models     []string
		compatible bool
		given      bool
		rules      []string // of all findings
	}{
		"preferred is strict where it can be":            {"openai-responses", strictly, adapt.Preferred, nil, true, true, nil},
		"required is strict where it can be":             {"openai-responses", strictly, adapt.Required, nil, true, true, nil},
		"disabled is never strict":                       {"openai-responses", strictly, adapt.Disabled, nil, true, false, nil},
		"preferred falls back and says why":              {"openai-responses", optional, adapt.Preferred, nil, true, false, []string{"strict-not-given"}},
		"required refuses":                               {"openai-responses", optional, adapt.Required, nil, false, false, []string{"property-not-required"}},
		"required is strict where a rewrite makes it so": {"openai-responses", withLength, adapt.Required, nil, true, true, nil},
		"required names the keyword that strict refuses": {"openai-responses", unique, adapt.Required, nil, false, false, []string{"keyword-rejected"}},
		"an API without strict mode takes preferred":     {"mcp-2025-11-25", strictly, adapt.Preferred, nil, true, false, nil},
		"an API without strict mode refuses required":    {"mcp-2025-11-25", strictly, adapt.Required, nil, false, false, []string{"no-strict-mode"}},
		"a model without strict mode refuses required": {
			"openai-responses", strictly, adapt.Required, []string{"gpt-3.5-turbo"}, false, false, []string{"model-without-strict"},
		},
		"a model without strict mode is told when strict is preferred": {
			"openai-responses", strictly, adapt.Preferred, []string{"gpt-3.5-turbo"}, true, false, []string{"model-without-strict"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := adapt.ForTarget(schematest.Schema(t, c.schema), profile(t, c.profile), c.strict, c.models, adapt.Narrow)
			if got.Compatible() != c.compatible || got.Given != c.given {
				t.Errorf("compatible=%v given=%v, want %v %v", got.Compatible(), got.Given, c.compatible, c.given)
			}
			var rules []string
			for _, f := range got.Findings {
				rules = append(rules, f.Rule)
			}
			if diff := cmp.Diff(c.rules, rules); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
		})
	}
}
