// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
)

// What is asked twice is compared once, and told once.
func TestCheckerTellsOfComparisons(t *testing.T) {
	t.Parallel()
	var began int
	var answers []string
	k := NewChecker(16)
	k.Began = func() func(contain.Answer) {
		began++
		return func(a contain.Answer) { answers = append(answers, a.String()) }
	}
	short, long := schemaOf(t, `{"type":"string","maxLength":3}`), schemaOf(t, `{"type":"string","maxLength":5}`)
	for range 2 {
		k.differences(short, long)
		k.differences(long, short)
	}
	if want := []string{"Proven", "Refuted"}; began != 2 || !slices.Equal(answers, want) {
		t.Errorf("%d comparisons began, and answered %v, want %v", began, answers, want)
	}
}
