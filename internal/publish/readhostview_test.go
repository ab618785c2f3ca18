// SPDX-License-Identifier: Apache-2.0

package publish

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWhatWasAskedForIsReadBack from the file that says it.
func TestWhatWasAskedForIsReadBack(t *testing.T) {
	t.Parallel()
	views := targets()
	views[0].Adaptation, views[1].Examples = "Reshape", "Description"
	want := make([]TargetView, len(views))
	for i, v := range views {
		want[i] = TargetView{Profile: v.Profile, Models: v.Models, Asked: v.Asked, Adaptation: v.Adaptation, Examples: v.Examples}
	}
	content := full(t)
	digest, got := ReadHostView(HostView("create-refund-draft", content, content.Digest(), views))
	if diff := cmp.Diff(want, got); diff != "" || digest != content.Digest() {
		t.Errorf("digest %s, targets (-want +got):\n%s", digest, diff)
	}
	for _, text := range []string{"", "x", "[]", "{}", `{"contentDigest":"sha256:0","targets":[{"profile":"p"}]}`} {
		if digest, targets := ReadHostView([]byte(text)); digest != "" || targets != nil {
			t.Errorf("%q is read as %s, %v", text, digest, targets)
		}
	}
}
