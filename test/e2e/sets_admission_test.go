// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestTheAPIServerRefusesWrongSets without any webhook.
func TestTheAPIServerRefusesWrongSets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, test := range map[string]struct {
		change func(*v1alpha1.ToolSet)
		want   string
	}{
		"a name like a channel's":      {func(s *v1alpha1.ToolSet) { s.Name = "shop-v1" }, "must not end in -v and a number"},
		"a name with a dot":            {func(s *v1alpha1.ToolSet) { s.Name = "shop.eu" }, "must be a DNS label"},
		"a channel and a version":      {func(s *v1alpha1.ToolSet) { s.Spec.Tools[0].Version = "1.0.0" }, "exactly one of channel and version"},
		"neither channel nor version":  {func(s *v1alpha1.ToolSet) { s.Spec.Tools[0].Channel = "" }, "exactly one of channel and version"},
		"a channel that is no line":    {func(s *v1alpha1.ToolSet) { s.Spec.Tools[0].Channel = "1.0" }, "spec.tools[0].channel"},
		"no tool and no selector":      {func(s *v1alpha1.ToolSet) { s.Spec.Tools = nil }, "at least one tool or selector"},
		"no profile":                   {func(s *v1alpha1.ToolSet) { s.Spec.Profiles = []v1alpha1.SetProfile{} }, "spec.profiles"},
		"one profile twice":            {func(s *v1alpha1.ToolSet) { s.Spec.Profiles[1].Profile = openAI }, "Duplicate value"},
		"a namespace that is no name":  {func(s *v1alpha1.ToolSet) { s.Spec.Tools[0].Namespace = "a/b" }, "spec.tools[0].namespace"},
		"a budget of nothing":          {func(s *v1alpha1.ToolSet) { s.Spec.Profiles[0].TokenBudget = new(int32(0)) }, "spec.profiles[0].tokenBudget"},
		"another policy":               {func(s *v1alpha1.ToolSet) { s.Spec.OnIncompatible = "Maybe" }, "spec.onIncompatible"},
		"a selector without a channel": {func(s *v1alpha1.ToolSet) { selecting(s, "team", "shop", "") }, "spec.selectors[0].channel"},
	} {
		s := toolSet("shop", "a@1")
		s.Namespace = w.namespace
		test.change(s)
		if err := admin.Create(t.Context(), s, client.DryRunAll); !apierrors.IsInvalid(err) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want Invalid with %q", name, err, test.want)
		}
	}
	for _, fine := range []string{"shop", "shop-v", "v1", "shop-v1x", "s"} {
		s := toolSet(fine, "a@1", "other/b@0.3", "c@1.0.0-rc.1")
		s.Namespace = w.namespace
		if err := admin.Create(t.Context(), s, client.DryRunAll); err != nil {
			t.Errorf("the set %s is refused: %v", fine, err)
		}
	}
}
