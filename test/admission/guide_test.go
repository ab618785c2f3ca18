// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"os"
	"strings"
	"testing"
)

// TestTheGuideShowsWhatKubectlPrints, word for word.
func TestTheGuideShowsWhatKubectlPrints(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/guides/admission.md")
	if err != nil {
		t.Fatal(err)
	}
	guide := string(text)
	shows := func(out string) {
		t.Helper()
		if !strings.Contains(guide, "\n"+strings.TrimSpace(out)+"\n") {
			t.Errorf("the guide does not show:\n%s", out)
		}
	}
	warned := newWorld(t, nil)
	warned.apply(manifest("1.0.0", inputFirst))
	warned.published()
	shows(warned.warned(manifest("1.0.1", inputBroken)))

	refused := newWorld(t, enforced)
	refused.answered()
	out, err := refused.kubectl(manifest("1.0.0", inputInvalid), "apply", "-f", "-")
	if err == nil {
		t.Fatal(out)
	}
	shows(strings.ReplaceAll(out, `"STDIN"`, `"find-order.yaml"`))

	refused.apply(manifest("1.0.0", inputFirst))
	refused.published()
	refused.grantEverything(editorUser)
	out, err = refused.kubectl("", "delete", "configmap", "find-order-v1", "--as", editorUser)
	if err == nil {
		t.Fatal(out)
	}
	shows(strings.ReplaceAll(out, refused.namespace, "shop"))
}
