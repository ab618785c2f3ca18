// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// damages are what people and programs do to published ConfigMaps. Each is
// given the name of a channel or of a rendering.
var damages = map[string]struct {
	channel, rendering func(w *world, name string)
}{
	"a file is edited": {channel: func(w *world, name string) {
		w.mustEdit(&corev1.ConfigMap{}, name, func(cm client.Object) { cm.(*corev1.ConfigMap).Data["contract.json"] = "{}" })
	}},
	"files are added": {channel: func(w *world, name string) {
		w.mustEdit(&corev1.ConfigMap{}, name, func(o client.Object) {
			cm := o.(*corev1.ConfigMap)
			cm.Data["more.json"], cm.BinaryData = "{}", map[string][]byte{"more.bin": {0xff}}
		})
	}},
	"it is emptied": {channel: func(w *world, name string) {
		w.mustEdit(&corev1.ConfigMap{}, name, func(cm client.Object) { cm.(*corev1.ConfigMap).Data = nil })
	}},
	"it is edited and frozen": {channel: func(w *world, name string) {
		w.mustEdit(&corev1.ConfigMap{}, name, func(o client.Object) {
			cm := o.(*corev1.ConfigMap)
			cm.Data["contract.json"], cm.Immutable = "{}", ptr.To(true)
		})
	}},
	"it is deleted":                 {channel: deleteConfigMap, rendering: deleteConfigMap},
	"it says another version":       {channel: relabel(v1alpha1.LabelVersion, "1.9.9"), rendering: relabel(v1alpha1.LabelVersion, "1.9.9")},
	"it says another line":          {channel: relabel(v1alpha1.LabelLine, "7"), rendering: relabel(v1alpha1.LabelLine, "7")},
	"it says another role":          {channel: relabel(v1alpha1.LabelRole, "none"), rendering: relabel(v1alpha1.LabelRole, "none")},
	"its annotations are removed":   {channel: func(w *world, name string) { annotate(w, name, nil) }},
	"it names other digests":        {channel: misname, rendering: misname},
	"an impostor takes its place":   {rendering: func(w *world, name string) { impersonate(w, name, ptr.To(true)) }},
	"a mutable copy is put instead": {rendering: func(w *world, name string) { impersonate(w, name, nil) }},
}

func deleteConfigMap(w *world, name string) {
	w.Helper()
	if err := admin.Delete(w.Context(), w.configMap(name)); err != nil {
		w.Fatal(err)
	}
}

func relabel(key, value string) func(*world, string) {
	return func(w *world, name string) {
		w.Helper()
		w.mustEdit(&corev1.ConfigMap{}, name, func(cm client.Object) {
			labels := cm.GetLabels()
			labels[key] = value
			cm.SetLabels(labels)
		})
	}
}

func annotate(w *world, name string, annotations map[string]string) {
	w.Helper()
	w.mustEdit(&corev1.ConfigMap{}, name, func(cm client.Object) { cm.SetAnnotations(annotations) })
}

// misname makes a ConfigMap claim to be something else.
func misname(w *world, name string) {
	w.Helper()
	annotations := w.configMap(name).Annotations
	for _, key := range []string{v1alpha1.AnnotationDigest, v1alpha1.AnnotationRevision, v1alpha1.AnnotationRendering} {
		if _, ok := annotations[key]; ok {
			annotations[key] = "find-order-v0.0.1-00000000"
		}
	}
	annotate(w, name, annotations)
}

// impersonate replaces a ConfigMap by one that has its metadata but other data,
// or that can be changed.
func impersonate(w *world, name string, immutable *bool) {
	w.Helper()
	original := w.configMap(name)
	impostor := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Labels: original.Labels, Annotations: original.Annotations, OwnerReferences: original.OwnerReferences,
		},
		Data: original.Data, Immutable: immutable,
	}
	if immutable != nil {
		impostor.Data = map[string]string{"contract.json": "{}"}
	}
	deleteConfigMap(w, name)
	// The operator may have put the right one there again already; then there is
	// nothing left to impersonate.
	impostor.Namespace = w.namespace
	if err := client.IgnoreAlreadyExists(admin.Create(w.Context(), impostor)); err != nil {
		w.Fatal(err)
	}
}

// TestDamageIsRepaired damages what is published, one thing at a time, in the
// line that the contract's version is of and in another one, while the contract
// is accepted and while a change of it is refused. Everything is as before in
// the end, and the contract never says anything else.
func TestDamageIsRepaired(t *testing.T) {
	t.Parallel()
	for state, refused := range map[string]bool{"accepted": false, "refused": true} {
		for name, damage := range damages {
			t.Run(fmt.Sprintf("%s while the version is %s", name, state), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.startOperator()
				other := w.publish(tool("find-order", "1.0.0", inputFirst)).Status.Channels[0]
				current := w.publish(tool("find-order", "2.0.0", inputBroken)).Status.Channels[0]
				if refused {
					w.refuse(tool("find-order", "2.0.1", inputFirst), v1alpha1.ReasonMajorBumpRequired)
				}
				w.eventually(w.complete)
				before := w.outcome("find-order")
				for _, channel := range []v1alpha1.Channel{current, other} {
					if damage.channel != nil {
						damage.channel(w, channel.ConfigMap)
						w.restored(before)
					}
					if damage.rendering != nil {
						damage.rendering(w, w.configMap(channel.ConfigMap).Annotations[v1alpha1.AnnotationRendering])
						w.restored(before)
					}
				}
			})
		}
	}
}

// restored waits until everything is as before.
func (w *world) restored(before string) {
	w.Helper()
	w.eventually(func() error {
		if diff := cmp.Diff(before, w.outcome("find-order")); diff != "" {
			return fmt.Errorf("not restored (-want +got):\n%s", diff)
		}
		return nil
	})
}
