// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// TestTheConsumersOfASetAreKnown where mounts are tracked: by either of its
// ConfigMaps, and what one of them mounts is not taken away with the profile.
func TestTheConsumersOfASetAreKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperatorWith(trackingConfig(t), withMounts)
	w.putSet(toolSet("shop", "a@1"))
	w.publish(setTool("a", "1.0.0", "Says 1."))
	w.holds("shop", "a@1.0.0")
	s := w.setSays("shop", "Ready=Published")
	rendering := s.Status.Profiles[1].Rendering
	w.createDeployment("agent", "shop."+openAI)
	w.createDeployment("pinned", rendering)
	consumers := func(want ...[]string) func() error {
		return func() error {
			var got [][]string
			for _, p := range w.set("shop").Status.Profiles {
				got = append(got, p.Consumers)
			}
			if !slices.EqualFunc(got, want, slices.Equal[[]string]) {
				return fmt.Errorf("consumers %v, want %v", got, want)
			}
			return nil
		}
	}
	w.eventually(consumers([]string{"Deployment/agent"}, []string{"Deployment/pinned"}))

	left := toolSet("shop", "a@1")
	left.Spec.Profiles = []v1alpha1.SetProfile{{Profile: "openai-chat-completions"}}
	w.putSet(left)
	gone := func(name string) func() error {
		return func() error {
			return w.gone(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name}})
		}
	}
	w.eventually(gone("shop." + anthropic))
	w.configMap("shop." + openAI) // mounted
	w.configMap(rendering)
	for _, name := range []string{"agent", "pinned"} {
		w.mustEdit(&appsv1.Deployment{}, name, func(o client.Object) { o.(*appsv1.Deployment).Spec.Template = podTemplate("settings") })
	}
	w.eventually(gone("shop." + openAI))
	w.eventually(gone(rendering))
}
