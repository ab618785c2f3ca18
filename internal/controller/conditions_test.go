// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestConditionsStandInOneOrder, whatever came first in the life of the object.
func TestConditionsStandInOneOrder(t *testing.T) {
	t.Parallel()
	of := func(kinds ...string) []metav1.Condition {
		var out []metav1.Condition
		for _, kind := range kinds {
			out = append(out, condition(kind, metav1.ConditionTrue, "R", "m"))
		}
		return out
	}
	const foreign = "example.com/Foreign"
	for name, test := range map[string]struct{ old, verdicts, want []string }{
		"the first time":    {nil, []string{"Ready", "Linted", "Stalled"}, []string{"Ready", "Linted", "Stalled"}},
		"in another order":  {[]string{"Stalled", "Linted", "Ready"}, []string{"Ready", "Linted", "Stalled"}, []string{"Ready", "Linted", "Stalled"}},
		"no longer stalled": {[]string{"Ready", "Stalled", "Linted"}, []string{"Ready", "Linted"}, []string{"Ready", "Linted"}},
		"of somebody else":  {[]string{foreign, "Ready"}, []string{"Ready", "Linted"}, []string{"Ready", "Linted", foreign}},
	} {
		old := of(test.old...)
		var got []string
		for _, c := range withVerdicts(old, of(test.verdicts...), 7) {
			got = append(got, c.Type)
			if c.Type != foreign && c.ObservedGeneration != 7 {
				t.Errorf("%s: %s is about generation %d", name, c.Type, c.ObservedGeneration)
			}
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", name, got, test.want)
		}
	}
}
