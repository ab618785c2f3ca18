// SPDX-License-Identifier: Apache-2.0

package admission

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// grant gives a user rights in the namespace.
func (w *world) grant(user, name string, rules ...rbacv1.PolicyRule) {
	w.Helper()
	meta := metav1.ObjectMeta{Namespace: w.namespace, Name: name}
	role := &rbacv1.Role{ObjectMeta: meta, Rules: rules}
	binding := &rbacv1.RoleBinding{
		ObjectMeta: meta, RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name},
		Subjects: []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}},
	}
	for _, object := range []client.Object{role, binding} {
		if err := admin.Create(w.Context(), object); err != nil {
			w.Fatal(err)
		}
	}
}

// grantEverything gives a user all usual rights on what the operator publishes.
func (w *world) grantEverything(user string) {
	w.Helper()
	verbs := []string{"get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}
	w.grant(user, strings.ReplaceAll(user, ":", "."),
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: verbs},
		rbacv1.PolicyRule{APIGroups: []string{v1alpha1.GroupVersion.Group}, Resources: []string{"*"}, Verbs: verbs})
}

// configMap is one with labels.
func (w *world) configMap(name string, labels map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name, Labels: labels}}
}

func merge(object client.Object, patch string) (client.Object, client.Patch) {
	return object, client.RawPatch("application/merge-patch+json", []byte(patch))
}

// TestPublishedObjectsAreTheOperators: an editor of a namespace has every right on
// ConfigMaps and on the kinds of the operator, and still cannot write what that one
// publishes. Everything else stays as it is.
func TestPublishedObjectsAreTheOperators(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.grantEverything(editorUser)
	w.apply(manifest("1.0.0", inputFirst))
	w.published()
	ctx, editor := t.Context(), w.as(editorUser)
	published := map[string]string{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy}
	w.eventually(func() error { // the API server needs a moment to read policies
		if editor.Create(ctx, w.configMap("find-order-v2", published), client.DryRunAll) == nil {
			return errors.New("the policy is not in force")
		}
		return nil
	})
	channel := w.configMap("find-order-v1", nil)
	revision := &v1alpha1.ToolRevision{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "find-order-v1.0.0"}}
	forged := &v1alpha1.ToolRevision{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "find-order-v1.1.0"},
		Spec: v1alpha1.ToolRevisionSpec{
			ContractRef: v1alpha1.ContractReference{Name: "find-order"}, Content: tool("1.1.0", inputFirst).Spec.ToolContent,
			ContentDigest: "sha256:" + strings.Repeat("0", 64), CheckerVersion: "1",
		},
	}
	patch := func(object client.Object, text string) func() error {
		return func() error {
			object, patch := merge(object.DeepCopyObject().(client.Object), text)
			return editor.Patch(ctx, object, patch)
		}
	}
	for name, test := range map[string]struct {
		write func() error
		says  string
	}{
		"changing the bytes":    {patch(channel, `{"data":{"index.json":"{}"}}`), "ConfigMap " + w.namespace + "/find-order-v1 "},
		"taking the label away": {patch(channel, `{"metadata":{"labels":{"app.kubernetes.io/managed-by":null}}}`), "only the operator writes those"},
		"adding a label":        {patch(channel, `{"metadata":{"labels":{"team":"orders"}}}`), "Fix: "},
		"deleting a channel":    {func() error { return editor.Delete(ctx, w.configMap("find-order-v1", nil)) }, "ask for the verb publish"},
		"forging one":           {func() error { return editor.Create(ctx, w.configMap("find-order-v2", published)) }, "leave the label out"},
		"forging a revision":    {func() error { return editor.Create(ctx, forged.DeepCopy()) }, "is written by the operator"},
		"labelling a revision":  {patch(revision, `{"metadata":{"labels":{"team":"orders"}}}`), "ToolRevision " + w.namespace + "/find-order-v1.0.0"},
		"deleting a revision":   {func() error { return editor.Delete(ctx, revision.DeepCopy()) }, "Fix: set spec.version"},
		"deleting all revisions": {func() error {
			return editor.DeleteAllOf(ctx, &v1alpha1.ToolRevision{}, client.InNamespace(w.namespace))
		}, "Fix: "},
	} {
		if err := test.write(); !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	own := w.configMap("own", nil)
	for name, write := range map[string]func() error{
		"a ConfigMap of one's own": func() error {
			return errors.Join(editor.Create(ctx, own), patch(own, `{"data":{"a":"b"}}`)(), editor.Delete(ctx, own.DeepCopy()))
		},
		"one that another program manages": func() error {
			return editor.Create(ctx, w.configMap("other", map[string]string{v1alpha1.LabelManagedBy: "Helm"}))
		},
		"a new version": func() error {
			return patch(&v1alpha1.ToolContract{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "find-order"}}, `{"spec":{"version":"1.0.1","title":"Find order"}}`)()
		},
	} {
		if err := write(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.published() // by the operator, with the verb
	collector := w.as(collectorUser)
	w.grantEverything(collectorUser)
	if err := collector.Delete(ctx, revision.DeepCopy()); err != nil {
		t.Errorf("the garbage collector may not delete: %v", err)
	}
	w.grant(editorUser, "publisher", rbacv1.PolicyRule{APIGroups: []string{v1alpha1.GroupVersion.Group}, Resources: []string{"toolrevisions"}, Verbs: []string{"publish"}})
	w.eventually(func() error { // the authorizer needs a moment
		if err := patch(channel, `{"metadata":{"labels":{"team":"orders"}}}`)(); err != nil {
			return fmt.Errorf("with the verb publish: %w", err)
		}
		return nil
	})
	if err := admin.Delete(ctx, w.configMap("find-order-v1", nil)); err != nil {
		t.Errorf("an administrator may not delete: %v", err)
	}
}

// TestAProtectedContractIsNotDeletedByASlip, whoever tries, and goes with its
// namespace.
func TestAProtectedContractIsNotDeletedByASlip(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.grantEverything(collectorUser)
	for _, name := range []string{"by-hand", "by-the-cluster"} {
		c := tool("1.0.0", inputFirst)
		c.Name, c.Namespace, c.Labels = name, w.namespace, map[string]string{"toolcontract.dev/deletion": "protected"}
		if err := admin.Create(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	w.eventually(func() error { // the API server needs a moment to read policies
		if _, err := w.kubectl("", "delete", "toolcontract", "by-hand", "--dry-run=server"); err == nil {
			return errors.New("the policy is not in force")
		}
		return nil
	})
	out, err := w.kubectl("", "delete", "toolcontract", "by-hand")
	if err == nil || !strings.Contains(out, "ToolContract "+w.namespace+"/by-hand has the label toolcontract.dev/deletion: protected") || !strings.Contains(out, "Fix: remove the label first") {
		t.Errorf("%v: %s", err, out)
	}
	c := tool("1.0.0", inputFirst)
	c.Name, c.Namespace = "by-the-cluster", w.namespace
	if err := w.as(collectorUser).Delete(t.Context(), c); err != nil {
		t.Errorf("the cluster itself: %v", err)
	}
	for _, args := range [][]string{
		{"label", "toolcontract", "by-hand", "toolcontract.dev/deletion-"},
		{"delete", "toolcontract", "by-hand"},
	} {
		if out, err := w.kubectl("", args...); err != nil {
			t.Errorf("kubectl %v: %v: %s", args, err, out)
		}
	}
}
