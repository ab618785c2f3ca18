// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// damages are what people and programs do to published ConfigMaps. Each is
// given the name of a channel or of a rendering.
var damages = map[string]struct {
	channel, rendering func(w *world, name string)
	// offline: it happens while no operator runs, which would be quicker.
	offline bool
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
			cm.Data["contract.json"], cm.Immutable = "{}", new(true)
		})
	}},
	"it is deleted":           {channel: deleteConfigMap, rendering: deleteConfigMap},
	"it says another version": {channel: relabel(v1alpha1.LabelVersion, "1.9.9"), rendering: relabel(v1alpha1.LabelVersion, "1.9.9")},
	"it says another line":    {channel: relabel(v1alpha1.LabelLine, "7"), rendering: relabel(v1alpha1.LabelLine, "7")},
	"it says another role": {
		channel:   relabel(v1alpha1.LabelRole, v1alpha1.RoleRendering),
		rendering: relabel(v1alpha1.LabelRole, v1alpha1.RoleChannel),
	},
	"its annotations are removed":   {channel: func(w *world, name string) { annotate(w, name, nil) }},
	"it names other digests":        {channel: misname, rendering: misname},
	"an impostor takes its place":   {rendering: func(w *world, name string) { impersonate(w, name, new(true)) }, offline: true},
	"a mutable copy is put instead": {rendering: func(w *world, name string) { impersonate(w, name, nil) }, offline: true},
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
	w.create(impostor)
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
				stop := w.startOperator()
				other := w.publish(tool("find-order", "1.0.0", inputFirst)).Status.Channels[0]
				current := w.publish(tool("find-order", "2.0.0", inputBroken)).Status.Channels[0]
				if refused {
					w.refuse(tool("find-order", "2.0.1", inputFirst), v1alpha1.ReasonMajorBumpRequired)
				}
				w.eventually(w.complete)
				before := w.outcome()
				hurt := func(do func(*world, string), name string) {
					if do == nil {
						return
					}
					if damage.offline {
						stop()
					}
					do(w, name)
					if damage.offline {
						stop = w.startOperator()
					}
					w.restored(before)
				}
				for _, channel := range []v1alpha1.Channel{current, other} {
					rendering := w.configMap(channel.ConfigMap).Annotations[v1alpha1.AnnotationRendering]
					hurt(damage.channel, channel.ConfigMap)
					hurt(damage.rendering, rendering)
				}
			})
		}
	}
}

// restored waits until everything is as before.
func (w *world) restored(before string) {
	w.Helper()
	w.eventually(func() error {
		if diff := cmp.Diff(before, w.outcome()); diff != "" {
			return fmt.Errorf("not restored (-want +got):\n%s", diff)
		}
		return nil
	})
}

// TestWhatSomebodyTookOverIsLeftAlone removes what makes a ConfigMap the
// operator's. From then on it is somebody else's, and stays as it is until they
// delete it.
func TestWhatSomebodyTookOverIsLeftAlone(t *testing.T) {
	t.Parallel()
	for name, takeOver := range map[string]func(client.Object){
		"the label is removed": func(cm client.Object) {
			labels := cm.GetLabels()
			delete(labels, v1alpha1.LabelManagedBy)
			cm.SetLabels(labels)
		},
		"the owner is removed": func(cm client.Object) { cm.SetOwnerReferences(nil) },
	} {
		for _, role := range []string{v1alpha1.RoleChannel, v1alpha1.RoleRendering} {
			t.Run(name+" from the "+role, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				w.startOperatorWith(managerConfig(t), recheckingOften)
				channel := w.publish(tool("find-order", "1.0.0", inputFirst)).Status.Channels[0].ConfigMap
				w.eventually(w.complete)
				before := w.outcome()
				taken := map[string]string{
					v1alpha1.RoleChannel:   channel,
					v1alpha1.RoleRendering: w.configMap(channel).Annotations[v1alpha1.AnnotationRendering],
				}[role]
				w.mustEdit(&corev1.ConfigMap{}, taken, takeOver)
				theirs := w.everything(w.configMap(taken))

				w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonNameConflict) })
				w.wantUnchanged(w.configMap(taken), theirs)
				deleteConfigMap(w, taken)
				w.restored(before)
			})
		}
	}
}

// TestARepairKeepsWhatOthersAdded damages a channel that carries labels and
// annotations of somebody else.
func TestARepairKeepsWhatOthersAdded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	channel := w.publish(tool("find-order", "1.0.0", inputFirst)).Status.Channels[0].ConfigMap
	data := w.configMap(channel).Data
	theirs := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "theirs"}}
	w.create(theirs)
	w.mustEdit(&corev1.ConfigMap{}, channel, func(o client.Object) {
		cm := o.(*corev1.ConfigMap)
		cm.Labels["example.com/team"], cm.Annotations["example.com/note"] = "shop", "keep"
		cm.OwnerReferences = append(cm.OwnerReferences, metav1.OwnerReference{
			APIVersion: "v1", Kind: "ConfigMap", Name: theirs.Name, UID: theirs.UID,
		})
		cm.Labels[v1alpha1.LabelVersion], cm.Data = "0.0.1", nil
	})
	w.eventually(func() error {
		if diff := cmp.Diff(data, w.configMap(channel).Data); diff != "" {
			return fmt.Errorf("not repaired: %s", diff)
		}
		return nil
	})
	cm := w.configMap(channel)
	if cm.Labels["example.com/team"] != "shop" || cm.Annotations["example.com/note"] != "keep" || len(cm.OwnerReferences) != 2 {
		t.Errorf("the repair took what others had added: labels %v, annotations %v, owners %v", cm.Labels, cm.Annotations, cm.OwnerReferences)
	}
	if cm.Labels[v1alpha1.LabelVersion] != "1.0.0" {
		t.Errorf("the version label says %s", cm.Labels[v1alpha1.LabelVersion])
	}
}

// TestADeletedRevisionComesBack: the contract still holds its content.
func TestADeletedRevisionComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	w.eventually(w.complete)
	before := w.outcome()
	if err := admin.Delete(t.Context(), &w.revisions()[0]); err != nil {
		t.Fatal(err)
	}
	w.eventually(func() error {
		if len(w.revisions()) == 0 {
			return errors.New("the revision has not come back")
		}
		return w.complete()
	})
	w.restored(before)
}

// TestAnEditedLabelIssuesNothing: a rendering that says it is of a higher
// version does not keep that version's number, or those below it, from anybody.
func TestAnEditedLabelIssuesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperator()
	first := w.publish(tool("find-order", "1.0.0", inputFirst)).Status.Channels[0]
	old := w.configMap(first.ConfigMap).Annotations[v1alpha1.AnnotationRendering]
	w.publish(tool("find-order", "1.1.0", inputAdded))
	relabel(v1alpha1.LabelVersion, "1.9.9")(w, old)
	w.publish(tool("find-order", "2.0.0", inputBroken))
	next := described("find-order", "1.2.0", "Finds an order by its number.")
	next.Spec.Input.SchemaText = inputAdded
	c := w.publish(next)
	for _, issued := range c.Status.Issued {
		if issued.Version == "1.9.9" {
			t.Errorf("1.9.9 counts as issued: %v", c.Status.Issued)
		}
	}
}
