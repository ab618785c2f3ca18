// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// TestALostStatusIsWrittenAgain: a status that somebody wiped or edited comes
// back without anybody touching the spec.
func TestALostStatusIsWrittenAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	before := w.publish(tool("memory", "1.0.0", inputFirst))
	for name, patch := range map[string]string{
		"removed": `[{"op":"remove","path":"/status"}]`,
		"edited":  `[{"op":"replace","path":"/status/summary","value":"nothing to see"},{"op":"replace","path":"/status/issued","value":[]}]`,
	} {
		out, err := kubectl(t.Context(), "", "patch", "tct", "memory", "-n", w.namespace, "--subresource=status", "--type=json", "-p", patch)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		w.eventually(func() error {
			got := w.contract("memory").Status
			if got.Summary != before.Status.Summary || len(got.Issued) != 1 || len(got.Channels) != 1 {
				return fmt.Errorf("%s: the status is %s", name, mustJSON(t, got))
			}
			return nil
		})
	}
}

// TestALostRevisionAndStatusAreRebuilt: what the ConfigMaps remember is enough
// to tell a re-applied version from a new one with its number.
func TestALostRevisionAndStatusAreRebuilt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	w.publish(tool("memory", "1.0.0", inputFirst))
	want := w.objects()
	stop()
	for _, args := range [][]string{
		{"patch", "tct", "memory", "-n", w.namespace, "--subresource=status", "--type=json", "-p", `[{"op":"remove","path":"/status"}]`},
		{"delete", "trev", "-n", w.namespace, "memory-v1.0.0"},
	} {
		if out, err := kubectl(t.Context(), "", args...); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	w.startOperator()
	c := w.settled("memory")
	w.wantCondition(c, v1alpha1.ConditionReady, metav1.ConditionTrue, v1alpha1.ReasonPublished)
	if got := w.objects(); got != want {
		t.Errorf("rebuilt\n%s\nwant\n%s", got, want)
	}

	// The number is still taken: other content under it is refused.
	other := tool("memory", "1.0.0", inputAdded)
	c = w.refuse(other, v1alpha1.ReasonRevisionConflict)
	if len(c.Status.Issued) != 1 || w.configMap(publish.ChannelName("memory", "1")) == nil {
		t.Errorf("issued %v", c.Status.Issued)
	}
}

// TestALostStatusDoesNotForgetWhatWasCollected: the channel remembers which
// versions were issued. Their content can be served again, and no other content
// gets their numbers.
func TestALostStatusDoesNotForgetWhatWasCollected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	for _, version := range []string{"1.0.0", "1.0.1", "1.0.2", "1.0.3"} {
		w.publish(limited(described("find-order", version, "Says "+version+"."), 0))
	}
	w.publish(limited(described("find-order", "2.0.0-rc.1", "Says 2.0.0."), 0))
	w.publish(limited(described("find-order", "1.0.3", "Says 1.0.3."), 0))
	w.keeps([]string{"1.0.2", "1.0.3"}, []string{"1.0.2", "1.0.3"})
	before := w.contract("find-order").Status.Issued
	stop()
	w.loseStatus("find-order")
	w.startOperator()
	w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
	if diff := cmp.Diff(before, w.contract("find-order").Status.Issued); diff != "" || len(before) != 5 {
		t.Errorf("issued (-before +after the status was lost):\n%s", diff)
	}
	w.refuse(limited(described("find-order", "2.0.0-rc.1", "Says another thing."), 0), v1alpha1.ReasonRevisionConflict)
	w.refuse(limited(described("find-order", "1.0.0", "Says another thing."), 0), v1alpha1.ReasonRevisionConflict)
	w.publish(limited(described("find-order", "1.0.0", "Says 1.0.0."), 0))
	w.eventually(func() error { return w.serves("find-order-v1", "1.0.0") })
}
