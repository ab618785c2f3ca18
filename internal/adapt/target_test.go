// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// strongest is the strongest effect of what was done.
func strongest(r adapt.Result) adapt.Effect {
	most := adapt.Keep
	for _, w := range r.Rewrites {
		most = max(most, w.Effect)
	}
	return most
}

// The least effect that reaches the wanted strictness is the one that is used,
// whatever is allowed; and where strict mode stays out of reach nothing is
// given up for it.
func TestTheLeastEffectIsUsed(t *testing.T) {
	t.Parallel()
	const (
		closed   = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`
		open     = `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`
		nullable = `{"type":"object","properties":{"a":{"type":["string","null"]}}}`
		optional = `{"type":"object","properties":{"a":{"type":"string"}}}`
		distinct = `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"uniqueItems":true}},"required":["a"]}`
		both     = `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"uniqueItems":true},"b":{"type":"string"}},"required":["a"]}`
		anything = `{"type":"object","properties":{"a":{"type":"object"},"b":{"type":"string","multipleOf":1,"maxLength":3},"c":{"type":"string"}}}`
	)
	cases := map[string]struct {
		schema string
		// given and effect by what is allowed: Keep, Narrow, Reshape, Widen.
		given  [4]bool
		effect [4]adapt.Effect
	}{
		"nothing to do":         {closed, [4]bool{true, true, true, true}, [4]adapt.Effect{}},
		"closing":               {open, [4]bool{false, true, true, true}, [4]adapt.Effect{adapt.Keep, adapt.Narrow, adapt.Narrow, adapt.Narrow}},
		"requiring":             {nullable, [4]bool{false, true, true, true}, [4]adapt.Effect{adapt.Keep, adapt.Narrow, adapt.Narrow, adapt.Narrow}},
		"another form":          {optional, [4]bool{false, false, true, true}, [4]adapt.Effect{adapt.Keep, adapt.Keep, adapt.Reshape, adapt.Reshape}},
		"a constraint":          {distinct, [4]bool{false, false, false, true}, [4]adapt.Effect{adapt.Keep, adapt.Keep, adapt.Keep, adapt.Widen}},
		"a constraint and form": {both, [4]bool{false, false, false, true}, [4]adapt.Effect{adapt.Keep, adapt.Keep, adapt.Keep, adapt.Widen}},
		"out of reach":          {anything, [4]bool{}, [4]adapt.Effect{}},
	}
	for name, c := range cases {
		for most := adapt.Keep; most <= adapt.Widen; most++ {
			t.Run(fmt.Sprintf("%s up to %s", name, most), func(t *testing.T) {
				t.Parallel()
				got := adapt.ForTarget(schematest.Schema(t, c.schema), profile(t, "openai-responses"), adapt.Preferred, nil, most)
				if got.Given != c.given[most] || !got.Compatible() {
					t.Errorf("strict is %v: %v", got.Given, got.Findings)
				}
				if diff := cmp.Diff(c.effect[most].String(), strongest(got.Result).String()); diff != "" {
					t.Errorf("effect: %s %v", diff, got.Rewrites)
				}
				if (got.Decode != nil) != slices.ContainsFunc(got.Rewrites, func(w adapt.Rewrite) bool { return w.Effect == adapt.Reshape }) {
					t.Errorf("a decode rule without another form, or the reverse: %v %v", got.Decode, got.Rewrites)
				}
			})
		}
	}
}

// Strict mode that is required and out of reach is refused with what stands in
// the way after everything that is allowed.
func TestWhatStandsInTheWayOfRequiredStrictness(t *testing.T) {
	t.Parallel()
	author := schematest.Schema(t, `{"type":"object","properties":{"a":{"type":"object"},"b":{"type":"integer"},
		"c":{"type":"array","items":{"type":"string"},"uniqueItems":true}}}`)
	want := map[adapt.Effect][]string{
		adapt.Keep:    {"", "/properties/a", "/properties/a", "/properties/b", "/properties/c", "/properties/c/uniqueItems"},
		adapt.Narrow:  {"/properties/a", "/properties/a", "/properties/b", "/properties/c", "/properties/c/uniqueItems"},
		adapt.Reshape: {"/properties/a", "/properties/c/uniqueItems"},
		adapt.Widen:   {"/properties/a"},
	}
	for most := adapt.Keep; most <= adapt.Widen; most++ {
		got := adapt.ForTarget(author, profile(t, "openai-responses"), adapt.Required, nil, most)
		var places []string
		for _, f := range got.Findings {
			places = append(places, f.Pointer)
		}
		if diff := cmp.Diff(want[most], places); diff != "" || got.Given || got.Compatible() {
			t.Errorf("up to %s: %s", most, diff)
		}
	}
}
