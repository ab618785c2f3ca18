// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// spelledOut is a schema whose text no client may touch: order, white space, a
// number in another spelling, characters that YAML has opinions about, a null.
const spelledOut = "{\n\t\"type\": \"object\",  \n  \"properties\": {\"z\": {\"type\": \"number\", \"minimum\": 1.0, \"description\": \"é \\u0001 # : 'x'\"},\n" +
	"    \"a\": {\"enum\": [\"y\", null], \"default\": null}}, \"additionalProperties\": false}\n\n"

// TestFrozenRevisionsComeBack freezes the revisions of a contract, deletes
// everything, applies what was printed and then the contract. The cluster has the
// same revisions again and publishes the same bytes; no number was used up.
func TestFrozenRevisionsComeBack(t *testing.T) {
	t.Parallel()
	for name, flags := range map[string][]string{"client-side apply": nil, "server-side apply": {"--server-side"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			stop := w.startOperator()
			w.publish(tool("find-order", "1.0.0", inputFirst))
			w.publish(tool("find-order", "1.1.0", inputAdded))
			last := w.publish(tool("find-order", "2.0.0", spelledOut))
			before := w.objects()
			issued := last.Status.Issued

			frozen := w.freeze("find-order")
			for _, word := range []string{"ownerReferences", "uid", "resourceVersion", "managedFields", "creationTimestamp", "status"} {
				if strings.Contains(frozen, word+":") {
					t.Errorf("%s is in what was frozen:\n%s", word, frozen)
				}
			}
			if again := w.freeze("find-order"); again != frozen {
				t.Error("freezing again gives another text")
			}

			stop()
			w.deleteEverything()
			w.apply(frozen, flags...)
			w.startOperator()
			got := w.publish(tool("find-order", "2.0.0", spelledOut))
			if diff := cmp.Diff(issued, got.Status.Issued); diff != "" {
				t.Errorf("other versions are issued (-before +after):\n%s", diff)
			}
			// What is frozen is what was issued. The channel of an older line has nothing
			// to serve until its version is applied again, and then has the same bytes.
			w.publish(tool("find-order", "1.1.0", inputAdded))
			after := w.publish(tool("find-order", "2.0.0", spelledOut))
			if diff := cmp.Diff(issued, after.Status.Issued); diff != "" {
				t.Errorf("other versions are issued after the rollback (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(w.revisionsOf(before), w.revisionsOf(w.objects())); diff != "" {
				t.Errorf("other revisions (-before +after):\n%s", diff)
			}
			if frozenAgain := w.freeze("find-order"); frozenAgain != frozen {
				t.Errorf("freezing the new cluster differs (-before +after):\n%s", cmp.Diff(frozen, frozenAgain))
			}
			w.eventually(w.complete)
			w.outcome() // every child has the new contract as its owner
			for line := range strings.SplitSeq(before, "\n") {
				if strings.HasPrefix(line, "ConfigMap find-order-v1.1.0") || strings.HasPrefix(line, "ConfigMap find-order-v2.0.0") {
					if !strings.Contains(w.objects(), line) {
						t.Errorf("this is not published any more: %s", line)
					}
				}
			}
		})
	}
}

// freeze runs the command against the cluster.
func (w *world) freeze(contract string) string {
	w.Helper()
	return toolcontract(w.T, "", "freeze", contract, "-n", w.namespace, "--kubeconfig", plane.KubeconfigPath)
}

// revisionsOf are the lines about revisions.
func (w *world) revisionsOf(objects string) (lines []string) {
	for line := range strings.SplitSeq(objects, "\n") {
		if strings.HasPrefix(line, "ToolRevision ") {
			lines = append(lines, line)
		}
	}
	return lines
}

// deleteEverything leaves the namespace as it was made.
func (w *world) deleteEverything() {
	w.Helper()
	for _, object := range []client.Object{&v1alpha1.ToolContract{}, &v1alpha1.ToolRevision{}, &corev1.ConfigMap{}} {
		if err := admin.DeleteAllOf(w.Context(), object, client.InNamespace(w.namespace)); err != nil {
			w.Fatal(err)
		}
	}
	if left := w.objects(); left != "" {
		w.Fatalf("this is left:\n%s", left)
	}
}
