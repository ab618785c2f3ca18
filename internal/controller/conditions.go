// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// withVerdicts puts the verdicts of a run over the conditions of a status. They
// stand in the order of the verdicts, whatever the object has been through, and
// conditions of others after them. Reconciling and Stalled are there only while
// they hold.
func withVerdicts(old, verdicts []metav1.Condition, generation int64) []metav1.Condition {
	out := slices.Clone(old)
	for _, gone := range []string{v1alpha1.ConditionReconciling, v1alpha1.ConditionStalled} {
		if rank(verdicts, gone) == len(verdicts) {
			meta.RemoveStatusCondition(&out, gone)
		}
	}
	for _, c := range verdicts {
		c.ObservedGeneration = generation
		meta.SetStatusCondition(&out, c)
	}
	slices.SortStableFunc(out, func(a, b metav1.Condition) int { return rank(verdicts, a.Type) - rank(verdicts, b.Type) })
	return out
}

// rank is the place of a type among the verdicts, and behind them for any other.
func rank(verdicts []metav1.Condition, kind string) int {
	if i := slices.IndexFunc(verdicts, func(c metav1.Condition) bool { return c.Type == kind }); i >= 0 {
		return i
	}
	return len(verdicts)
}
