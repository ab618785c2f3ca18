// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// A place that a reference leads to stays, or the author would read that a
// reference is wrong which is not.
func TestPlacesThatReferencesLeadToStay(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"type":"object","properties":{"a":{"description":"x","allOf":[{"type":"string","maxLength":3}]},"b":{"$ref":"#/properties/a/allOf/0"}}}`,
		`{"type":"object","properties":{"a":{"type":"array","prefixItems":[{"type":"string"}],"items":false},"b":{"$ref":"#/properties/a/items"}}}`,
		`{"type":"object","properties":{"a":{"enum":["x","yy"],"anyOf":[{"type":"string","maxLength":1},{"type":"null"}]},"b":{"$ref":"#/properties/a/anyOf/0"}}}`,
		`{"type":"object","properties":{"a":{"type":"string","not":{"type":"null"}},"b":{"$ref":"#/properties/a/not"}}}`,
	} {
		author := schematest.Schema(t, text)
		for _, name := range provider.Builtin().Names() {
			for _, mode := range []provider.Mode{provider.Strict, provider.Standard} {
				for _, most := range []adapt.Effect{adapt.Keep, adapt.Narrow, adapt.Reshape, adapt.Widen} {
					for _, f := range adapt.Schema(author, profile(t, name), mode, most).Findings {
						if f.Rule == schema.RuleRefUnresolved {
							t.Errorf("%s, %s, %s: %s for %s", name, mode, most, f, text)
						}
					}
				}
			}
		}
	}
}
