// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/publish"
)

// frozen are the revisions of a contract as they are kept in Git: with our labels,
// and without anything that belongs to one cluster.
func (w *world) frozen() []*v1alpha1.ToolRevision {
	w.Helper()
	all := w.revisions()
	out := make([]*v1alpha1.ToolRevision, len(all))
	for i := range all {
		out[i] = &v1alpha1.ToolRevision{
			TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolRevision"},
			ObjectMeta: metav1.ObjectMeta{Name: all[i].Name, Labels: all[i].Labels},
			Spec:       all[i].Spec,
		}
	}
	return out
}

// TestAppliedRevisionsAreAdopted builds a cluster anew from Git: the frozen
// revisions first, then the contract. They become its own, it publishes the bytes
// of before, and its numbers are not free for anything else.
func TestAppliedRevisionsAreAdopted(t *testing.T) {
	t.Parallel()
	old := newWorld(t)
	stop := old.startOperator()
	old.publish(tool("find-order", "1.0.0", inputFirst))
	old.publish(tool("find-order", "1.1.0", inputAdded))
	old.publish(tool("find-order", "2.0.0", inputBroken))
	want := old.configMap("find-order-v2").Data
	stop()

	w := newWorld(t)
	w.startOperator()
	for _, revision := range old.frozen() {
		w.apply(mustJSON(t, revision), "--server-side", "--field-manager=git")
	}
	w.eventually(w.complete) // each says that it is what it claims to be
	w.refuse(tool("find-order", "1.1.1", inputBroken), v1alpha1.ReasonMajorBumpRequired)
	w.refuse(tool("find-order", "1.0.0", inputAdded), v1alpha1.ReasonRevisionConflict)
	w.publish(tool("find-order", "1.0.0", inputFirst))
	c := w.publish(tool("find-order", "2.0.0", inputBroken))
	w.channelsAre("2.0.0", "1.0.0")
	if diff := cmp.Diff(want, w.configMap("find-order-v2").Data); diff != "" {
		t.Errorf("other bytes than before (-want +got):\n%s", diff)
	}
	if len(c.Status.Issued) != 3 {
		t.Errorf("issued %v, want three versions", c.Status.Issued)
	}
	for _, revision := range w.revisions() {
		if owner := metav1.GetControllerOf(&revision); owner == nil || owner.UID != c.UID {
			t.Errorf("%s was not adopted: %v", revision.Name, owner)
		}
	}
}

// appliedRevision is a revision that has the digest and the name of its content, as anybody can
// make it, with the acknowledgements that its author likes.
func appliedRevision(t *testing.T, version, input string, acks ...v1alpha1.Acknowledgement) *v1alpha1.ToolRevision {
	t.Helper()
	c := tool("find-order", version, input)
	content, findings := evaluate.Read(&c.Spec.ToolContent)
	if content == nil {
		t.Fatal(findings)
	}
	return &v1alpha1.ToolRevision{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "ToolRevision"},
		ObjectMeta: metav1.ObjectMeta{
			Name:   publish.RevisionName("find-order", content.Version),
			Labels: map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelContract: "find-order"},
		},
		Spec: v1alpha1.ToolRevisionSpec{
			ContractRef: v1alpha1.ContractReference{Name: "find-order"}, Content: c.Spec.ToolContent,
			ContentDigest: content.Digest(), CheckerVersion: "by-hand", Acknowledgements: acks,
		},
	}
}

// notAdopted waits until a revision says that its contract does not take it.
func (w *world) notAdopted(name string) {
	w.Helper()
	w.eventually(func() error {
		for _, r := range w.revisions() {
			ready := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionReady)
			if r.Name == name && ready != nil && ready.Reason == v1alpha1.ReasonNotAdopted {
				if owner := metav1.GetControllerOf(&r); owner != nil && owner.UID == w.contract("find-order").UID {
					w.Errorf("%s was adopted: %v", name, owner)
				}
				return nil
			}
		}
		return fmt.Errorf("%s does not say %s", name, v1alpha1.ReasonNotAdopted)
	})
}

// TestAnAppliedRevisionDoesNotBypassTheBump applies a breaking version to a
// contract that serves another one. It issues nothing: the contract that sets its
// version is refused, and one whose content deserves the number takes it.
func TestAnAppliedRevisionDoesNotBypassTheBump(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	stop := w.startOperator()
	w.publish(tool("find-order", "1.0.0", inputFirst))
	w.create(appliedRevision(t, "1.1.0", inputBroken))
	w.create(appliedRevision(t, "1.2.0", inputAdded))
	w.notAdopted("find-order-v1.1.0")
	w.notAdopted("find-order-v1.2.0")
	c := w.refuse(tool("find-order", "1.1.0", inputBroken), v1alpha1.ReasonMajorBumpRequired)
	if len(c.Status.Issued) != 1 {
		t.Errorf("issued %v, want only 1.0.0", c.Status.Issued)
	}
	stop()
	w.startOperator() // another manager knows no better
	w.publish(tool("find-order", "1.2.0", inputAdded))
	w.notAdopted("find-order-v1.1.0")
	w.channelsAre("1.2.0")
	w.eventually(func() error {
		for _, r := range w.revisions() {
			if r.Name == "find-order-v1.2.0" && meta.IsStatusConditionTrue(r.Status.Conditions, v1alpha1.ConditionReady) {
				return nil
			}
		}
		return fmt.Errorf("the revision that was accepted is not verified")
	})
}

// TestAForgedPairIsRefused applies two revisions of which one breaks the other, to
// a contract that has published nothing. In whatever order they arrive, and
// whether the contract is there before, only one of them counts.
func TestAForgedPairIsRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		order     []string
		contract  bool
		wantNever string
	}{
		"together":                      {[]string{"1.0.0", "1.1.0"}, false, "1.1.0"},
		"one after the other":           {[]string{"1.0.0", "1.1.0"}, true, "1.1.0"},
		"the later one before its base": {[]string{"1.1.0", "1.0.0"}, true, "1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.startOperator()
			inputs := map[string]string{"1.0.0": inputFirst, "1.1.0": inputBroken}
			waiting := tool("find-order", "3.0.0", "{")
			waiting.Spec.Input = v1alpha1.Input{SchemaText: `{"type":"objekt"}`} // refused: nothing is published
			if test.contract {
				w.refuse(waiting, v1alpha1.ReasonInvalidSchema)
			}
			for i, version := range test.order {
				w.create(appliedRevision(t, version, inputs[version]))
				if test.contract && i == 0 {
					w.eventually(func() error {
						if n := len(w.contract("find-order").Status.Issued); n != 1 {
							return fmt.Errorf("%d versions are issued", n)
						}
						return nil
					})
				}
			}
			if !test.contract {
				w.refuse(waiting, v1alpha1.ReasonInvalidSchema)
			}
			w.notAdopted("find-order-v" + test.wantNever)
			if got := w.contract("find-order").Status.Issued; len(got) != 1 || got[0].Version == test.wantNever {
				t.Errorf("issued %v", got)
			}
		})
	}
}

// TestAForgedRevisionIsNeverUsed applies revisions that do not prove themselves.
// Each says so, stays as it is, and neither issues a version nor is compared with;
// only its name is in the way.
func TestAForgedRevisionIsNeverUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		forge  func(*v1alpha1.ToolRevision)
		reason string
		// inTheWay: version 1.5.0 cannot be published, because it has this name.
		inTheWay bool
	}{
		"other content than its digest": {func(r *v1alpha1.ToolRevision) {
			r.Spec.Content.Description.Summary = "Deletes every order."
		}, v1alpha1.ReasonDigestMismatch, true},
		"a schema that is none": {func(r *v1alpha1.ToolRevision) {
			r.Spec.Content.Input.SchemaText = `{"type":"objekt"}`
		}, v1alpha1.ReasonDigestMismatch, true},
		"the name of another version": {func(r *v1alpha1.ToolRevision) {
			r.Name = "find-order-v1.9.0"
		}, v1alpha1.ReasonNameMismatch, false},
		"the reference of another contract": {func(r *v1alpha1.ToolRevision) {
			r.Spec.ContractRef.Name = "other"
		}, v1alpha1.ReasonNameMismatch, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			stop := w.startOperator()
			w.publish(tool("find-order", "1.5.0", inputFirst))
			forged := w.frozen()[0]
			stop()
			for _, object := range append(w.children(), w.contract("find-order")) {
				if err := admin.Delete(t.Context(), object); err != nil {
					t.Fatal(err)
				}
			}
			test.forge(forged)
			w.create(forged)
			w.startOperatorWith(managerConfig(t), recheckingOften)
			w.eventually(func() error {
				for _, r := range w.revisions() {
					if ready := meta.FindStatusCondition(r.Status.Conditions, v1alpha1.ConditionReady); r.Name == forged.Name && ready != nil && ready.Reason == test.reason {
						return nil
					}
				}
				return fmt.Errorf("%s does not say %s", forged.Name, test.reason)
			})
			before := w.everything(forged)

			// Of no version of the line it keeps the number, and it is no old side.
			c := w.publish(tool("find-order", "1.1.0", inputBroken))
			if len(c.Status.Issued) != 1 {
				t.Errorf("issued %v, want only 1.1.0", c.Status.Issued)
			}
			other := tool("find-order", "1.5.0", strings.Replace(inputBroken, "integer", "number", 1))
			if test.inTheWay {
				w.refuse(other, v1alpha1.ReasonRevisionConflict)
			} else {
				w.publish(other)
			}
			w.wantUnchanged(forged, before)
		})
	}
}
