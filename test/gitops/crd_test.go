// SPDX-License-Identifier: Apache-2.0

package gitops

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/internal/testkit/statuslint"
)

// specSchema is where the schema of the spec stands in a CRD.
const specSchema = "/spec/versions/0/schema/openAPIV3Schema/properties/spec"

// TestAStricterCRDLocksNothingIn stores contracts under a CRD that lacks a rule,
// brings the rule, and edits what is stored: labels, finalizers, the status and
// other fields can still be changed, the operator says what is wrong and goes on,
// a new wrong object is refused, and the old one can be mended or deleted. It runs
// before the parallel tests, because the CRD is everybody's.
func TestAStricterCRDLocksNothingIn(t *testing.T) {
	w := newWorld(t)
	crd := &unstructured.Unstructured{}
	crd.SetGroupVersionKind(schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"})
	crd.SetName("toolcontracts.toolcontract.dev")
	restore := func() {
		if out, err := w.kubectl(w.Context(), "", "apply", "--server-side", "--force-conflicts", "-f", repository("config/crd/bases/toolcontract.dev_toolcontracts.yaml")); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	wrong := map[string]string{
		"enum": strings.Replace(contract("of-enum", "1.0.0", firstInput), "strict: Disabled", "strict: Maybe", 1),
		"cel":  contract("of-cel", "1.0.0", firstInput, "  targets: [{profile: mcp-2025-11-25}]", "  allowedNamespaces: {from: Same, selector: {}}"),
	}
	create := func(manifest string, options ...client.CreateOption) error {
		u := parsed(t, manifest)
		u.SetNamespace(w.namespace)
		return w.admin.Create(w.Context(), u, options...)
	}
	loose := fmt.Sprintf(`[{"op":"remove","path":%q},{"op":"remove","path":%q}]`,
		specSchema+"/properties/targets/items/properties/strict/enum", specSchema+"/properties/allowedNamespaces/x-kubernetes-validations")
	if err := w.admin.Patch(w.Context(), crd, client.RawPatch(types.JSONPatchType, []byte(loose))); err != nil {
		t.Fatal(err)
	}
	for _, manifest := range wrong {
		w.eventually(func() error { return create(manifest, client.DryRunAll) })
		if err := create(manifest); err != nil {
			t.Fatal(err)
		}
	}
	restore()
	for name, manifest := range wrong {
		w.eventually(func() error {
			if err := create(strings.Replace(manifest, "name: of-", "name: new-", 1), client.DryRunAll); !apierrors.IsInvalid(err) {
				return fmt.Errorf("%s: a new object that is wrong: %w, want Invalid", name, err)
			}
			return nil
		})
	}
	for name := range wrong {
		u := parsed(t, wrong[name])
		for what, patch := range map[string]string{
			"a label":       `{"metadata":{"labels":{"team":"orders"}}}`,
			"a finalizer":   `{"metadata":{"finalizers":["example.com/hold"]}}`,
			"no finalizer":  `{"metadata":{"finalizers":null}}`,
			"another field": `{"spec":{"revisionHistoryLimit":3}}`,
		} {
			if err := w.admin.Patch(w.Context(), w.live(u), client.RawPatch(types.MergePatchType, []byte(patch))); err != nil {
				t.Errorf("%s: %s cannot be changed: %v", name, what, err)
			}
		}
		w.eventually(func() error {
			live := w.live(u)
			if err := statuslint.Check(live); err != nil {
				return err
			}
			if verdict, err := statuslint.Verdict(live); err != nil || verdict == "InProgress" {
				text, _ := json.Marshal(live.Object["status"])
				return fmt.Errorf("%s is %s, %w: %s", u.GetName(), verdict, err, text)
			}
			return nil
		})
		status := client.RawPatch(types.MergePatchType, []byte(`{"status":{"summary":"edited"}}`))
		if err := w.admin.Status().Patch(w.Context(), w.live(u), status); err != nil {
			t.Errorf("%s: the status cannot be written: %v", name, err)
		}
	}
	mended := `{"spec":{"targets":[{"profile":"openai-responses"},{"profile":"anthropic-messages"}]}}`
	u := parsed(t, wrong["enum"])
	if err := w.admin.Patch(w.Context(), w.live(u), client.RawPatch(types.MergePatchType, []byte(mended))); err != nil {
		t.Errorf("it cannot be mended: %v", err)
	}
	w.eventually(func() error { return w.judged(u) })
	for _, manifest := range wrong {
		if err := w.admin.Delete(w.Context(), w.live(parsed(t, manifest))); err != nil {
			t.Errorf("it cannot be deleted: %v", err)
		}
	}
}

// TestImmutableFieldsCannotBeLeftOutAndSetAgain: a rule over old and new does not
// run while the field is away, so it must never be away.
func TestImmutableFieldsCannotBeLeftOutAndSetAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(contract("find-order", "1.0.0", firstInput, "  title: Find an order", "  targets: [{profile: mcp-2025-11-25}]"), "apply", "-f", "-")
	u := parsed(t, contract("find-order", "1.0.0", firstInput))
	w.eventually(func() error { return w.judged(u) })
	revision := parsed(t, "apiVersion: toolcontract.dev/v1alpha1\nkind: ToolRevision\nmetadata: {name: find-order-v1.0.0}\n")
	for _, test := range []struct {
		object *unstructured.Unstructured
		path   string
	}{
		{u, "/spec"},
		{u, "/spec/toolName"},
		{revision, "/spec"},
		{revision, "/spec/content"},
		{revision, "/spec/content/title"},
		{revision, "/spec/content/input"},
		{revision, "/spec/contentDigest"},
		{revision, "/spec/checkerVersion"},
		{revision, "/spec/contractRef"},
	} {
		patch := fmt.Sprintf(`[{"op":"remove","path":%q}]`, test.path)
		err := w.admin.Patch(w.Context(), w.live(test.object), client.RawPatch(types.JSONPatchType, []byte(patch)))
		if !apierrors.IsInvalid(err) {
			t.Errorf("%s without %s: %v, want Invalid", test.object.GetKind(), test.path, err)
		}
	}
}
