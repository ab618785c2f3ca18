// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/operator"
)

// settle fills a namespace with contracts in every state that lasts: published,
// refused, rolled back, with several lines, with an excluded target, invalid.
func (w *world) settle() {
	w.Helper()
	w.publish(tool("lines", "1.0.0", inputFirst))
	w.publish(tool("lines", "1.1.0", inputAdded))
	w.publish(tool("lines", "2.0.0", inputBroken))
	w.publish(tool("lines", "1.0.0", inputFirst)) // rolled back
	w.publish(tool("refused", "1.0.0", inputFirst))
	w.refuse(tool("refused", "1.0.1", inputBroken), v1alpha1.ReasonMajorBumpRequired)
	w.refuse(tool("invalid", "1.0.0", `{"type":"objekt"}`), v1alpha1.ReasonInvalidSchema)
	w.publish(tool("prerelease", "1.0.0-rc.1", inputFirst))
	excluding := tool("excluding", "1.0.0", inputFirst)
	excluding.Spec.Targets = append(excluding.Spec.Targets, v1alpha1.Target{Profile: "nobody-knows-it", OnIncompatible: v1alpha1.IncompatibleExclude})
	w.publish(excluding)
	w.eventually(w.complete)
}

// beacon is a contract that shows how far the operator has come. It is the last
// in the order of names.
const beacon = "zz-beacon"

// quietWrites are the operator's writes in this namespace after the first
// count, without those about the beacon.
func (w *world) quietWrites(count int) string {
	w.Helper()
	var out []string
	for _, write := range w.writes()[count:] {
		if !strings.HasPrefix(write.Name, beacon) {
			out = append(out, fmt.Sprintf("%s %s: %d", verbAndResource(write), write.Name, write.Code))
		}
	}
	return strings.Join(out, "\n")
}

func oneWorker(o *operator.Options) { o.Concurrency = 1 }

// TestTenRestartsWriteNothing starts the operator ten times over everything it
// made. Before each start the beacon gets something to publish: with one worker
// its turn comes when all others have been looked at.
func TestTenRestartsWriteNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	w.settle()
	stop()
	before := len(w.writes())
	for i := range 10 {
		version := fmt.Sprintf("1.0.%d", i)
		w.put(described(beacon, version, "Says "+version+"."))
		stop := w.startOperatorWith(managerConfig(t), oneWorker)
		w.eventually(func() error { return w.serves(beacon+"-v1", version) })
		stop()
	}
	if wrote := w.quietWrites(before); wrote != "" {
		t.Errorf("ten restarts wrote\n%s", wrote)
	}
}

// serves says what a channel serves if it is not this version.
func (w *world) serves(channel, version string) error {
	var cm corev1.ConfigMap
	if err := admin.Get(w.Context(), client.ObjectKey{Namespace: w.namespace, Name: channel}, &cm); err != nil {
		return err
	}
	if got := cm.Labels[v1alpha1.LabelVersion]; got != version {
		return fmt.Errorf("%s serves %s, want %s", channel, got, version)
	}
	return nil
}

// TestTenResyncsWriteNothing waits for ten resyncs. The beacon proves each: its
// channel's name is taken by an object that the operator does not watch, and
// after that one is gone only a resync can make the operator look again.
func TestTenResyncsWriteNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	w.settle()
	w.publish(tool(beacon, "1.0.0", inputFirst))
	stop()
	before := len(w.writes())
	w.startOperatorWith(managerConfig(t), oneWorker, func(o *operator.Options) {
		o.Resync, o.Recheck = time.Second, time.Hour
	})
	for i := range 10 {
		version := fmt.Sprintf("%d.0.0", i+2)
		taken := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: fmt.Sprintf("%s-v%d", beacon, i+2)}}
		if err := admin.Create(t.Context(), taken); err != nil {
			t.Fatal(err)
		}
		w.refuse(tool(beacon, version, inputFirst), v1alpha1.ReasonNameConflict)
		if err := admin.Delete(t.Context(), taken); err != nil {
			t.Fatal(err)
		}
		w.eventually(func() error { return w.said(beacon, v1alpha1.ReasonPublished) })
	}
	if wrote := w.quietWrites(before); wrote != "" {
		t.Errorf("ten resyncs wrote\n%s", wrote)
	}
}

// TestForeignMetadataCostsNoWrite edits labels and annotations that are not the
// operator's, on contracts and on everything that belongs to them: GitOps tools
// do that all day. They stay, and nothing is copied or written.
func TestForeignMetadataCostsNoWrite(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.startOperatorWith(managerConfig(t), oneWorker)
	w.settle()
	w.publish(tool(beacon, "1.0.0", inputFirst))
	w.eventually(w.complete)
	channel := w.configMap(beacon + "-v1")
	before := len(w.writes())

	var contracts v1alpha1.ToolContractList
	if err := admin.List(t.Context(), &contracts, client.InNamespace(w.namespace)); err != nil {
		t.Fatal(err)
	}
	edited := w.children()
	for i := range contracts.Items {
		edited = append(edited, &contracts.Items[i])
	}
	for round := range 3 {
		for _, object := range edited {
			patch := fmt.Sprintf(`{"metadata":{"labels":{"argocd.argoproj.io/instance":"shop-%d"},"annotations":{"example.com/round":"%d"}}}`, round, round)
			if err := admin.Patch(t.Context(), object, client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
				t.Fatal(err)
			}
		}
	}
	// The repair of this channel comes after all of that in the operator's only
	// queue.
	w.mustEdit(&corev1.ConfigMap{}, channel.Name, func(cm client.Object) { cm.(*corev1.ConfigMap).Data = nil })
	w.eventually(func() error {
		if diff := cmp.Diff(channel.Data, w.configMap(channel.Name).Data); diff != "" {
			return fmt.Errorf("the beacon is not repaired: %s", diff)
		}
		return nil
	})
	if wrote := w.quietWrites(before); wrote != "" {
		t.Errorf("foreign labels and annotations made the operator write\n%s", wrote)
	}
	for _, child := range w.children() {
		if got := child.GetLabels()["argocd.argoproj.io/instance"]; got != "shop-2" {
			t.Errorf("%s has lost the label of somebody else: %q", child.GetName(), got)
		}
	}
}
