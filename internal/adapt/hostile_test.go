// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// pairsOf is an object of n texts that asks for one of n pairs of them: more
// than a sentence can say.
func pairsOf(more string) string {
	const n = 40
	var properties, pairs []string
	for i := range n {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string"}`, i))
		pairs = append(pairs, fmt.Sprintf(`{"required":["p%d","p%d"]}`, i, (i+1)%n))
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"anyOf":[` + strings.Join(pairs, ",") + `]` + more + `}`
}

// What no sentence says stays in the schema, whatever stands beside it.
func TestWhatIsTooLongToSayStays(t *testing.T) {
	t.Parallel()
	alternatives := `,"oneOf":[{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]},` +
		`{"type":"object","properties":{"k":{"type":"integer"}},"required":["k"]}]`
	cases := map[string]struct{ schema, place string }{
		"at the root":           {pairsOf(""), ""},
		"below a property":      {`{"type":"object","properties":{"m":` + pairsOf("") + `},"required":["m"]}`, "/properties/m"},
		"beside a oneOf":        {`{"type":"object","properties":{"m":` + pairsOf(alternatives) + `},"required":["m"]}`, "/properties/m"},
		"beside one at the top": {pairsOf(alternatives), ""},
	}
	for name, c := range cases {
		for _, profile := range []string{"gemini-openapi", "llama-cpp", "openai-responses"} {
			t.Run(name+" for "+profile, func(t *testing.T) {
				t.Parallel()
				p, _ := provider.Builtin().Lookup(profile)
				s := schematest.Schema(t, c.schema)
				for _, mode := range []provider.Mode{provider.Standard, provider.Strict} {
					result := adapt.Schema(s, p, mode, adapt.Widen)
					if result.Schema == nil || finding.HasErrors(result.Findings) {
						continue // refused, and said so
					}
					// What is taken must admit nothing that has no pair, unless it is said.
					if slices.ContainsFunc(result.Rewrites, func(r adapt.Rewrite) bool {
						return r.Pointer == c.place+"/anyOf" && r.Effect == adapt.Widen
					}) {
						t.Errorf("%v: the alternatives are taken out: %v", mode, result.Rewrites)
					}
					alone := schematest.Value(t, `{"k":"x"}`)
					if c.place != "" {
						alone = schema.NewObject(schema.Member{Name: "m", Value: alone})
					}
					validator, _ := result.Schema.Compile()
					if accepted, err := validator.Accepts(alone); err != nil || accepted {
						t.Errorf("%v: what has no pair is accepted, %v", mode, err)
					}
				}
			})
		}
	}
}

// The alternatives that stay are what the schema is refused for.
func TestAlternativesTooLongToSayAreRefused(t *testing.T) {
	t.Parallel()
	p, _ := provider.Builtin().Lookup("gemini-openapi")
	s := schematest.Schema(t, pairsOf(""))
	result := adapt.Schema(s, p, provider.Standard, adapt.Widen)
	if !slices.ContainsFunc(result.Findings, func(f finding.Finding) bool {
		return f.Severity == finding.Error && strings.HasPrefix(f.Pointer, "/anyOf")
	}) {
		t.Errorf("they are not refused: %v; rewrites: %v", result.Findings, result.Rewrites)
	}
}

// numbers lists n numbers from 0.5 on.
func numbers(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%d.5", i)
	}
	return strings.Join(list, ",")
}

// Every member of a long enum is judged by what stands beside the enum alone,
// and one that takes too much work is left as it is.
func TestLongEnumsAreFiltered(t *testing.T) {
	t.Parallel()
	p, _ := provider.Builtin().Lookup("anthropic-messages")
	enum := func(n int, beside string) string {
		return `{"type":"object","properties":{"y":{"type":"number","enum":[` + numbers(n) + `],` + beside + `}},` +
			`"required":["y"],"additionalProperties":false,"$defs":{"n":{"enum":[` + numbers(n) + `]}}}`
	}
	cases := map[string]struct {
		schema   string
		filtered bool
	}{
		"a long one":                  {enum(3000, `"minimum":1000`), true},
		"one with a constant":         {enum(10, `"minimum":1,"const":3.5`), true},
		"one beside another long one": {enum(3000, `"minimum":1000,"anyOf":[{"$ref":"#/$defs/n"}]`), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, c.schema)
			result := adapt.Schema(s, p, provider.Strict, adapt.Keep)
			filtered := slices.ContainsFunc(result.Rewrites, func(r adapt.Rewrite) bool { return r.Rule == adapt.RuleFilterEnum })
			if filtered != c.filtered {
				t.Fatalf("filtered: %v, want %v", filtered, c.filtered)
			}
			if !filtered {
				return
			}
			before, _ := s.Compile()
			after, _ := result.Schema.Compile()
			for _, n := range []string{"0.5", "3.5", "999.5", "1000.5", "2999.5", "7"} {
				v := schematest.Value(t, `{"y":`+n+`}`)
				want, _ := before.Accepts(v)
				if got, err := after.Accepts(v); err != nil || got != want {
					t.Errorf("%s: accepted: %v, want %v, %v", n, got, want, err)
				}
			}
		})
	}
}

// A rewrite looks at every fault, also where readers are shown only the first.
func TestManyFaultsAreRewritten(t *testing.T) {
	t.Parallel()
	var properties, names []string
	for i := range 150 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","minLength":%d}`, i, i+2))
		names = append(names, fmt.Sprintf(`"p%d"`, i))
	}
	s := schematest.Schema(t, `{"type":"object","properties":{"u":{"type":"array","items":{"type":"string"},"uniqueItems":true},`+strings.Join(properties, ",")+`},"required":["u",`+
		strings.Join(names, ",")+`],"additionalProperties":false}`)
	p, _ := provider.Builtin().Lookup("anthropic-messages")
	result := adapt.Schema(s, p, provider.Strict, adapt.Widen)
	if finding.HasErrors(result.Findings) {
		t.Errorf("still refused: %v", result.Findings[0])
	}
}
