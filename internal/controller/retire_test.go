// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestWhatCannotBeComparedWithIsPinnedOnlyIfItIsMounted: a missing right must not
// have a new version refused for ever.
func TestWhatCannotBeComparedWithIsPinnedOnlyIfItIsMounted(t *testing.T) {
	t.Parallel()
	c, e := served(t, v1alpha1.Target{Profile: "anthropic-messages"})
	for name, test := range map[string]struct {
		mounts      Mounts
		hasRevision bool
		want        int
	}{
		"unknown":                      {notReady{}, true, 1},
		"unknown, and gone":            {notReady{}, false, 0},
		"mounted":                      {mountedBy{newRendering(c, e).Name: {"Pod/a"}}, true, 1},
		"mounted, and gone":            {mountedBy{newRendering(c, e).Name: {"Pod/a"}}, false, 1},
		"nothing mounts it":            {mountedBy{}, true, 0},
		"nobody looks what is mounted": {nil, true, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newRun(c, test.mounts)
			run.remember(newRendering(c, e))
			if test.hasRevision {
				run.remember(newRevision(c, e))
			}
			if got := run.pinned(); len(got) != test.want {
				t.Errorf("pinned %v, want %d", got, test.want)
			}
		})
	}
}

func newRun(c *v1alpha1.ToolContract, mounts Mounts) *contractRun {
	return &contractRun{
		ContractReconciler: &ContractReconciler{Mounts: mounts}, contract: c,
		revisions: map[string]*v1alpha1.ToolRevision{}, configMaps: map[string]*corev1.ConfigMap{},
	}
}
