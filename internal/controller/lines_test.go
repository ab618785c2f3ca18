// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestLines: a whole channel speaks for itself, and the status for one that is
// damaged. Both copies of a line here have no data, which is as good as any.
func TestLines(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		// damage is done to what serves 1.1.0, while the status still says 1.0.0.
		damage func(f *family, channel *corev1.ConfigMap)
		want   string
	}{
		"a whole channel is ahead of the status": {
			damage: func(*family, *corev1.ConfigMap) {}, want: "c-v1.1.0",
		},
		"labels say nothing": {
			damage: func(_ *family, cm *corev1.ConfigMap) {
				cm.Labels[v1alpha1.LabelVersion], cm.Labels[v1alpha1.LabelLine] = "7.0.0", "7"
			}, want: "c-v1.1.0",
		},
		"other bytes than the rendering's": {
			damage: func(_ *family, cm *corev1.ConfigMap) { cm.Data = map[string]string{"contract.json": "{}"} }, want: "c-v1.0.0",
		},
		"a rendering that is gone": {
			damage: func(f *family, _ *corev1.ConfigMap) { delete(f.configMaps, "c-v1.1.0-00000000") }, want: "c-v1.0.0",
		},
		"a rendering of another line": {
			damage: func(f *family, cm *corev1.ConfigMap) {
				f.render("2.0.0", "0", 0)
				cm.Annotations[v1alpha1.AnnotationRendering] = "c-v2.0.0-00000000"
			}, want: "c-v1.0.0",
		},
		"a rendering that is somebody else's": {
			damage: func(f *family, _ *corev1.ConfigMap) { f.configMaps["c-v1.1.0-00000000"].OwnerReferences = nil }, want: "c-v1.0.0",
		},
		"a rendering whose annotations do not fit its name": {
			damage: func(f *family, _ *corev1.ConfigMap) {
				f.configMaps["c-v1.1.0-00000000"].Annotations[v1alpha1.AnnotationRevision] = "c-v1.2.0"
			}, want: "c-v1.0.0",
		},
		"a channel that is gone": {
			damage: func(f *family, cm *corev1.ConfigMap) { delete(f.configMaps, cm.Name) }, want: "c-v1.0.0",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFamily(t, "1.1.0", "1.0.0", "1.1.0")
			f.serve("1.0.0", "0", "")
			channel := f.serve("1.1.0", "0", "1.0.0")
			f.contract.Status.Channels[1] = v1alpha1.Channel{Line: "9", Revision: "nonsense"}
			test.damage(f, channel)
			run := &contractRun{contract: f.contract, configMaps: f.configMaps, revisions: f.revisions}
			got := map[string]string{}
			for line, channel := range run.lines() {
				got[line] = channel.Revision
			}
			if diff := cmp.Diff(map[string]string{"1": test.want}, got); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRenderedVersion: hyphens belong to contract names, pre-releases and the
// digest alike.
func TestRenderedVersion(t *testing.T) {
	t.Parallel()
	for rendering, want := range map[string]string{
		"find-order-v1.2.0-0a1b2c3d":        "1.2.0",
		"find-order-v1.2.0-rc.1-0a1b2c3d":   "1.2.0-rc.1",
		"find-order-v1.2.0-rc-x.1-0a1b2c3d": "1.2.0-rc-x.1",
		"find-order-v1":                     "",
		"find-order-v0.1":                   "",
		"find-orders-v1.2.0-0a1b2c3d":       "",
		"find-order":                        "",
		"":                                  "",
	} {
		version, ok := renderedVersion("find-order", rendering)
		if ok != (want != "") || (ok && version.String() != want) {
			t.Errorf("%q: version %s, %t; want %q", rendering, version, ok, want)
		}
	}
}
