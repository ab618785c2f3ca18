// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// TestShareOfRealToolsThatAreStrict guards how many real tools strict OpenAI
// takes at each level, in percent of those whose root is an object. Most of the
// rest hold objects or values of any form, which no strict API takes.
func TestShareOfRealToolsThatAreStrict(t *testing.T) {
	t.Parallel()
	schemas := realSchemas(t)
	least := map[adapt.Effect]int{adapt.Narrow: 33, adapt.Reshape: 95, adapt.Widen: 96}
	for most := adapt.Keep; most <= adapt.Widen; most++ {
		objects, strict := 0, 0
		for _, s := range schemas {
			if types := schema.Types(s.Root()); len(types) != 1 || types[0] != "object" {
				continue
			}
			objects++
			r := adapt.Schema(s, profile(t, "openai-responses"), provider.Strict, most)
			if r.Schema != nil && !finding.HasErrors(r.Findings) {
				strict++
			}
		}
		t.Logf("%s: %d of %d tools (%.1f %%)", most, strict, objects, 100*float64(strict)/float64(objects))
		if strict*100 < objects*least[most] {
			t.Errorf("up to %s only %d of %d tools are strict", most, strict, objects)
		}
	}
}
