// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// setFollowsProfile: an edit of a profile that makes other bytes renders the sets
// that name it again, and only those.
func setFollowsProfile(w *world) {
	w.startOperatorWith(managerConfig(w.T), managing)
	w.useProfile("house", spec(openAI, 1, moreText))
	c := setTool("a", "1.0.0", "Says 1.")
	c.Spec.Targets = []v1alpha1.Target{{Profile: "house", Strict: v1alpha1.StrictDisabled}, {Profile: anthropic}}
	w.publish(c)
	s := toolSet("shop", "a@1")
	s.Spec.Profiles = []v1alpha1.SetProfile{{Profile: "house"}}
	w.putSet(s)
	s = toolSet("other", "a@1")
	s.Spec.Profiles = []v1alpha1.SetProfile{{Profile: anthropic}}
	w.putSet(s)
	w.eventually(func() error { return w.holding("shop", "house", "a@1.0.0") })
	w.setSays("shop", "Ready=Published")
	w.setSays("other", "Ready=Published")
	before := w.set("other").ResourceVersion
	if tools := w.configMap("shop.house").Data["tools.json"]; !strings.Contains(tools, nonStrict) {
		w.Fatalf("the tool is strict: %s", tools)
	}
	w.useProfile("house", spec(openAI, 2, omitting))
	w.eventually(func() error {
		if tools := w.configMap("shop.house").Data["tools.json"]; strings.Contains(tools, nonStrict) {
			return fmt.Errorf("not rendered again: %s", tools)
		}
		return nil
	})
	w.setSays("shop", "Ready=Published")
	if after := w.set("other").ResourceVersion; after != before {
		w.Errorf("a set that does not name the profile was written")
	}
}
