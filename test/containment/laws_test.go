// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"sync/atomic"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// lawFamilies is how many schemas, each with its relatives, the laws are tried on.
func lawFamilies() int {
	if soaking() {
		return 20_000
	}
	return 50
}

// spellings write a schema in another way without moving it.
var spellings = map[string]rewrite{
	"reorder": reorder, "annotate": annotate, "byReference": byReference, "inline": inline, "split": split,
}

func TestASchemaContainsItselfInEverySpelling(t *testing.T) {
	t.Parallel()
	var questions atomic.Int64
	each(lawFamilies(), func(seed int) {
		g := newGrammar(uint64(seed))
		a, _ := g.family()
		for name, f := range spellings {
			b, ok := admit(f(a.Root()))
			if !ok {
				t.Errorf("%s: the rewritten schema is refused: %s", name, f(a.Root()).JSON())
				continue
			}
			for _, q := range []question{{"", a, b, true}, {"", b, a, true}} {
				questions.Add(1)
				if wrong := q.failure(); wrong != "" {
					smallA, smallB := shrinkSpelling(a, f)
					t.Errorf("seed %d, %s: %s\nA %s\nB %s", seed, name, wrong, smallA.Root().JSON(), smallB.Root().JSON())
				}
			}
		}
	})
	t.Logf("%d questions", questions.Load())
}

// shrinkSpelling finds a small schema that is not found in its other spelling.
func shrinkSpelling(a *schema.Schema, f rewrite) (smallA, smallB *schema.Schema) {
	spelled := func(a *schema.Schema) (b *schema.Schema, fails bool) {
		b, ok := admit(f(a.Root()))
		return b, ok && (contain.Contains(a, b).Answer != contain.Proven || contain.Contains(b, a).Answer != contain.Proven)
	}
	a, _ = shrink(a, a, func(a, _ *schema.Schema) bool { _, fails := spelled(a); return fails })
	b, _ := spelled(a)
	return a, b
}

func TestEverythingContainsAndNothingIsContained(t *testing.T) {
	t.Parallel()
	everything, nothing := schematest.Schema(t, "true"), schematest.Schema(t, "false")
	each(lawFamilies(), func(seed int) {
		a, near := newGrammar(uint64(seed)).family()
		for _, s := range append(near, a) {
			for _, q := range []question{{"A in true", s, everything, true}, {"false in A", nothing, s, true}} {
				if wrong := q.failure(); wrong != "" {
					t.Errorf("seed %d, %s: %s\nA %s", seed, q.name, wrong, s.Root().JSON())
				}
			}
		}
	})
}

// Proven from A to B and from B to C, Refuted from A to C: one of them is wrong.
func TestContainmentIsTransitive(t *testing.T) {
	t.Parallel()
	var chains atomic.Int64
	each(lawFamilies(), func(seed int) {
		g := newGrammar(uint64(seed))
		_, near := g.family()
		proven := map[[2]int]bool{}
		refuted := map[[2]int]bool{}
		for i, a := range near {
			for j, b := range near {
				if i != j {
					answer := contain.Contains(a, b).Answer
					proven[[2]int{i, j}] = answer == contain.Proven
					refuted[[2]int{i, j}] = answer == contain.Refuted
				}
			}
		}
		for i, a := range near {
			for j, b := range near {
				for k, c := range near {
					if i == j || j == k || i == k || !proven[[2]int{i, j}] || !proven[[2]int{j, k}] {
						continue
					}
					chains.Add(1)
					if refuted[[2]int{i, k}] {
						t.Errorf("seed %d: Refuted, though proven by way of B\nA %s\nB %s\nC %s", seed, a.Root().JSON(), b.Root().JSON(), c.Root().JSON())
					}
				}
			}
		}
	})
	t.Logf("%d chains", chains.Load())
	if chains.Load() < 100 {
		t.Error("the grammar draws too few chains")
	}
}

// Writing one side in another way may lose an answer; it may not turn it around.
func TestAnswersDoNotDependOnTheSpelling(t *testing.T) {
	t.Parallel()
	var asked, lost atomic.Int64
	each(lawFamilies(), func(seed int) {
		a, near := newGrammar(uint64(seed)).family()
		for _, b := range near {
			before := contain.Contains(a, b).Answer
			for name, f := range spellings {
				c, ok := admit(f(b.Root()))
				if !ok {
					continue
				}
				after := contain.Contains(a, c).Answer
				asked.Add(1)
				switch {
				case before == after:
				case before == contain.Unknown || after == contain.Unknown:
					lost.Add(1)
				default:
					t.Errorf("seed %d, %s: %s before and %s after\nA %s\nB %s\nafter %s", seed, name, before, after, a.Root().JSON(), b.Root().JSON(), c.Root().JSON())
				}
			}
		}
	})
	t.Logf("%d answers, %d of them decided in one spelling only", asked.Load(), lost.Load())
}
