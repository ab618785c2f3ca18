// SPDX-License-Identifier: Apache-2.0

package install

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// namespaceFor makes a namespace, with restricted pods only.
func namespaceFor(t *testing.T, name string) string {
	t.Helper()
	restricted := map[string]string{"pod-security.kubernetes.io/enforce": "restricted"}
	eventually(t, func() error {
		err := admin.Create(t.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: restricted}})
		return err
	})
	t.Cleanup(func() { remove(t, "namespace", name) })
	return name
}

// remove deletes something of the cluster, if it is there, and waits until it is
// gone. Nothing may hold it.
func remove(t *testing.T, kind string, names ...string) {
	t.Helper()
	args := append([]string{"delete", kind, "--ignore-not-found", "--timeout=" + patience.String()}, names...)
	if out, err := kubectl(context.Background(), "", args...); err != nil {
		t.Errorf("deleting %s %v: %v: %s", kind, names, err, out)
	}
}

// takeOver are the flags with which Helm takes over what kubectl has applied, such as
// the CRDs of the control plane of these tests.
var takeOver = []string{"--take-ownership", "--force-conflicts"}

// installCharts installs both charts from their archives.
func installCharts(t *testing.T, values ...string) {
	t.Helper()
	must(t, helm, append([]string{"upgrade", "--install", "toolcontract-crds", archive(t, "toolcontract-crds"), "--namespace", home}, takeOver...)...)
	installOperator(t, home, values...)
}

func installOperator(t *testing.T, namespace string, values ...string) {
	t.Helper()
	args := append([]string{"upgrade", "--install", "toolcontract-operator", archive(t, "toolcontract-operator"), "--namespace", namespace}, takeOver...)
	for _, value := range values {
		args = append(args, "--set", value)
	}
	must(t, helm, args...)
	wantPod(t, namespace)
}

// uninstall removes releases that are there.
func uninstall(t *testing.T, namespace string, charts ...string) {
	t.Helper()
	for _, chart := range charts {
		if out, err := helm(context.Background(), "uninstall", chart, "--namespace", namespace, "--ignore-not-found"); err != nil {
			t.Errorf("uninstalling %s: %v: %s", chart, err, out)
		}
	}
}

// wantPod waits for a pod of the Deployment. No node runs it, but the API server
// has let it into a namespace that takes restricted pods only.
func wantPod(t *testing.T, namespace string) {
	t.Helper()
	eventually(t, func() error {
		var pods corev1.PodList
		if err := admin.List(t.Context(), &pods, client.InNamespace(namespace), client.MatchingLabels{"app.kubernetes.io/name": "toolcontract-operator"}); err != nil {
			return err
		}
		if len(pods.Items) == 0 {
			return fmt.Errorf("no pod of the operator was let into %s", namespace)
		}
		return nil
	})
}

// applySamples applies what the README tells to apply, and waits until all of it is
// Ready.
func applySamples(t *testing.T, namespace string) {
	t.Helper()
	must(t, kube, "apply", "--namespace", namespace, "--filename", root("config/samples"), "--filename", root("config/samples/sets"))
	wantReady(t, namespace)
}

func wantReady(t *testing.T, namespace string) {
	t.Helper()
	for _, kind := range []string{"toolcontracts", "toolrevisions", "toolsets"} {
		must(t, kube, "wait", "--namespace", namespace, "--for=condition=Ready", "--timeout="+patience.String(), kind, "--all")
	}
}

// ours are the kinds that hold what the operator made or was told.
var ours = []schema.GroupVersionKind{
	v1alpha1.GroupVersion.WithKind("ToolContract"), v1alpha1.GroupVersion.WithKind("ToolRevision"),
	v1alpha1.GroupVersion.WithKind("ToolSet"),
	{Version: "v1", Kind: "ConfigMap"},
}

// picture is every object of ours in some namespaces, by kind and name, with
// everything but the bookkeeping of the API server.
func picture(t *testing.T, namespaces ...string) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for _, gvk := range ours {
		list := &unstructured.UnstructuredList{}
		list.SetGroupVersionKind(gvk.GroupVersion().WithKind(gvk.Kind + "List"))
		if err := admin.List(t.Context(), list); err != nil {
			t.Fatal(err)
		}
		for _, o := range list.Items {
			if !slices.Contains(namespaces, o.GetNamespace()) || gvk.Kind == "ConfigMap" && o.GetLabels()[v1alpha1.LabelManagedBy] != v1alpha1.ManagedBy {
				continue
			}
			if len(o.GetFinalizers()) > 0 {
				t.Errorf("%s %s has the finalizers %v", gvk.Kind, o.GetName(), o.GetFinalizers())
			}
			o.SetManagedFields(nil)
			o.SetResourceVersion("")
			out[gvk.Kind+" "+o.GetNamespace()+"/"+o.GetName()] = o.Object
		}
	}
	return out
}

// wantSame compares two pictures: the same objects with the same bytes, and
// nothing lost of any status.
func wantSame(t *testing.T, what string, before, after map[string]map[string]any) {
	t.Helper()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after))); diff != "" {
		t.Errorf("%s: objects (-before +after):\n%s", what, diff)
	}
	for id, old := range before {
		now, ok := after[id]
		if !ok {
			continue
		}
		oldStatus, newStatus := old["status"], now["status"]
		for _, part := range slices.Sorted(maps.Keys(old)) {
			if part == "status" {
				continue
			}
			if diff := cmp.Diff(old[part], now[part]); diff != "" {
				t.Errorf("%s: %s of %s (-before +after):\n%s", what, part, id, diff)
			}
		}
		for _, lost := range lostFields("status", oldStatus, newStatus) {
			t.Errorf("%s: %s lost %s", what, id, lost)
		}
	}
}

// lostFields are the paths of a value that are in another one no longer. Lists are
// compared by their length: a status may say more than it did, in other words.
func lostFields(path string, before, after any) []string {
	var out []string
	switch old := before.(type) {
	case map[string]any:
		now, ok := after.(map[string]any)
		if !ok {
			return []string{path}
		}
		for _, key := range slices.Sorted(maps.Keys(old)) {
			value, ok := now[key]
			if !ok {
				out = append(out, path+"/"+key)
				continue
			}
			out = append(out, lostFields(path+"/"+key, old[key], value)...)
		}
	case []any:
		now, ok := after.([]any)
		if !ok || len(now) < len(old) {
			return []string{fmt.Sprintf("%s: %d elements", path, len(old))}
		}
	}
	return out
}

// may reports whether a ServiceAccount may do something.
func may(t *testing.T, namespace, account string, args ...string) bool {
	t.Helper()
	out, err := kubectl(t.Context(), "", append([]string{"auth", "can-i", "--as=system:serviceaccount:" + namespace + ":" + account}, args...)...)
	switch {
	case err == nil:
		return true
	case out == "no\n" || len(out) > 2 && out[:3] == "no\n":
		return false
	}
	t.Fatalf("asking what %s may do: %v: %s", account, err, out)
	return false
}

// isGone reports an error while the kind is there or is on its way out.
func isGone(ctx context.Context, gvk schema.GroupVersionKind) error {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(gvk.GroupVersion().WithKind(gvk.Kind + "List"))
	err := admin.List(ctx, list)
	if meta.IsNoMatchError(err) || apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("%d %ss are there", len(list.Items), gvk.Kind)
}
