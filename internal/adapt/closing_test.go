// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// An API that has no word for additionalProperties and closes every object by
// itself loses nothing when false is left out, and opens nothing when true is.
func TestImpliedClosing(t *testing.T) {
	t.Parallel()
	p := profile(t, "gemini-openapi")
	for name, test := range map[string]struct {
		most         adapt.Effect
		schema, want string
		rewrites     []string
	}{
		"false is said by the API itself": {
			adapt.Keep,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"}}}`,
			[]string{"Keep drop-implied-closing /additionalProperties"},
		},
		"true narrows": {
			adapt.Narrow,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}`,
			`{"type":"object","properties":{"a":{"type":"string"}}}`,
			[]string{"Narrow drop-implied-closing /additionalProperties"},
		},
		"true stays where nothing may be narrowed": {
			adapt.Keep,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}`,
			`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":true}`,
			nil,
		},
		"a map is not an object without members": {
			adapt.Narrow,
			`{"type":"object","properties":{"m":{"type":"object","properties":{},"additionalProperties":true}}}`,
			`{"type":"object","properties":{"m":{"type":"object","properties":{},"additionalProperties":true}}}`,
			nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, mode := range []provider.Mode{provider.Strict, provider.Standard} {
				result := adapt.Schema(schematest.Schema(t, test.schema), p, mode, test.most)
				var rewrites []string
				for _, r := range result.Rewrites {
					rewrites = append(rewrites, r.Effect.String()+" "+r.Rule+" "+r.Pointer)
				}
				if diff := cmp.Diff(test.want, result.Schema.Root().JSON()); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(test.rewrites, rewrites); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
