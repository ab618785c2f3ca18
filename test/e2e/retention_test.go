// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// kept lists the versions of find-order whose revision exists, and those whose
// rendering does, the oldest first.
func (w *world) kept() (revisions, renderings []string) {
	w.Helper()
	for _, child := range w.children() {
		version := child.GetLabels()[v1alpha1.LabelVersion]
		switch {
		case child.GetLabels()[v1alpha1.LabelContract] != "find-order":
		case child.GetLabels()[v1alpha1.LabelRole] == v1alpha1.RoleRendering:
			renderings = append(renderings, version)
		case child.GetLabels()[v1alpha1.LabelRole] == "":
			revisions = append(revisions, version)
		}
	}
	slices.SortFunc(revisions, compareText)
	slices.SortFunc(renderings, compareText)
	return revisions, renderings
}

// compareText orders versions of the same form.
func compareText(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// limited sets how many spare revisions a contract keeps.
func limited(c *v1alpha1.ToolContract, limit int32) *v1alpha1.ToolContract {
	c.Spec.RevisionHistoryLimit = new(limit)
	return c
}

// TestRetentionOverTwelveVersions publishes 1.0.0 … 1.0.5 and 2.0.0 … 2.0.5
// under different limits. Served, previous and highest revisions of each line
// stay, beside them the newest up to the limit; what goes takes its rendering
// along. Version 1.0.4 is what line 1 served before.
func TestRetentionOverTwelveVersions(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int32][]string{
		0: {"1.0.4", "1.0.5", "2.0.4", "2.0.5"},
		1: {"1.0.4", "1.0.5", "2.0.3", "2.0.4", "2.0.5"},
		5: {"1.0.3", "1.0.4", "1.0.5", "2.0.0", "2.0.1", "2.0.2", "2.0.3", "2.0.4", "2.0.5"},
	} {
		t.Run(fmt.Sprintf("limit %d", limit), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.startOperator()
			versions := make([]string, 0, 12)
			for line := 1; line <= 2; line++ {
				for patch := range 6 {
					versions = append(versions, fmt.Sprintf("%d.0.%d", line, patch))
				}
			}
			for _, version := range versions {
				w.publish(limited(described("find-order", version, "Says "+version+"."), limit))
			}
			w.keeps(want, want)
			if got := len(w.contract("find-order").Status.Issued); got != 12 {
				t.Errorf("%d versions are remembered as issued, want 12", got)
			}

			// A version whose revision is gone can be served again, by its content
			// only; and the version before it is protected from then on.
			if w.said("find-order", v1alpha1.ReasonPublished) != nil || slices.Contains(want, "1.0.0") {
				t.Fatal("1.0.0 is still there: the rollback would show nothing")
			}
			w.refuse(limited(described("find-order", "1.0.0", "Says something else."), limit), v1alpha1.ReasonRevisionConflict)
			w.publish(limited(described("find-order", "1.0.0", "Says 1.0.0."), limit))
			w.eventually(func() error { return w.serves("find-order-v1", "1.0.0") })
			w.eventually(func() error {
				revisions, _ := w.kept()
				for _, needed := range []string{"1.0.0", "1.0.5", "2.0.5"} {
					if !slices.Contains(revisions, needed) {
						return fmt.Errorf("revision %s is missing from %v", needed, revisions)
					}
				}
				return nil
			})
		})
	}
}

// keeps waits until these revisions and renderings are left.
func (w *world) keeps(revisions, renderings []string) {
	w.Helper()
	w.eventually(func() error { return w.left(revisions, renderings) })
}

// left says what else is there than these revisions and renderings.
func (w *world) left(revisions, renderings []string) error {
	w.Helper()
	gotRevisions, gotRenderings := w.kept()
	return diffError(cmp.Diff(revisions, gotRevisions) + cmp.Diff(renderings, gotRenderings))
}

func diffError(diff string) error {
	if diff == "" {
		return nil
	}
	return fmt.Errorf("other objects are kept (-want +got):\n%s", diff)
}

// TestDeliveryChangesLeaveFewRenderings changes the delivery of one version many
// times. Of the renderings that are no longer served, as many stay as the limit
// says, and never the served one goes.
func TestDeliveryChangesLeaveFewRenderings(t *testing.T) {
	t.Parallel()
	deliveries := []func(*v1alpha1.ToolContract){
		func(c *v1alpha1.ToolContract) { c.Spec.Targets[0].Strict = v1alpha1.StrictDisabled },
		func(c *v1alpha1.ToolContract) { c.Spec.Targets[0].Models = []string{"gpt-5*"} },
		func(c *v1alpha1.ToolContract) { c.Spec.Targets[1].Models = []string{"claude-*"} },
		func(c *v1alpha1.ToolContract) { c.Spec.Targets[0].Strict = v1alpha1.StrictRequired },
	}
	for _, limit := range []int32{0, 1, 2} {
		t.Run(fmt.Sprintf("limit %d", limit), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.startOperator()
			for _, change := range deliveries {
				c := limited(tool("find-order", "1.0.0", inputFirst), limit)
				change(c)
				w.publish(c)
			}
			want := slices.Repeat([]string{"1.0.0"}, int(limit)+1)
			w.keeps([]string{"1.0.0"}, want)
			var served corev1.ConfigMap
			name := w.configMap("find-order-v1").Annotations[v1alpha1.AnnotationRendering]
			if err := admin.Get(t.Context(), client.ObjectKey{Namespace: w.namespace, Name: name}, &served); err != nil {
				t.Errorf("what the channel serves is gone: %v", err)
			}
		})
	}
}
