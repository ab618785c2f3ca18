// SPDX-License-Identifier: Apache-2.0

package schematest_test

import (
	"testing"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// A failure is repeated by its seed, so that a seed may mean one thing only.
func TestSeedsAreRepeatable(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		if a, b := schematest.Random(seed), schematest.Random(seed); a != b {
			t.Fatalf("seed %d writes\n%s\n%s", seed, a, b)
		}
		g, h := schematest.NewGrammar(seed), schematest.NewGrammar(seed)
		a, b := g.Document(3), h.Document(3)
		if a.JSON() != b.JSON() {
			t.Fatalf("seed %d writes\n%s\n%s", seed, a.JSON(), b.JSON())
		}
		if a, b := g.Vary(g.Instance()), h.Vary(h.Instance()); a.JSON() != b.JSON() {
			t.Fatalf("seed %d writes the instances %s and %s", seed, a.JSON(), b.JSON())
		}
		if a, b := g.Mutate(a), h.Mutate(b); a.JSON() != b.JSON() {
			t.Fatalf("seed %d edits\n%s\n%s", seed, a.JSON(), b.JSON())
		}
	}
}
