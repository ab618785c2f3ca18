// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// TestACachedConfigMapHasTheDigestOfItsData, however often it passes through
// the cache: an object that is resent is transformed again.
func TestACachedConfigMapHasTheDigestOfItsData(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]map[string]string{
		"no data":   nil,
		"one file":  {"contract.json": "{}"},
		"two files": {"contract.json": "{}", "index.json": "{}"},
	} {
		cm := &corev1.ConfigMap{Data: data, ObjectMeta: metav1.ObjectMeta{ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "m"}}}}
		want := dataDigest(cm)
		for range 2 {
			out, err := stripData(cm)
			if err != nil {
				t.Fatal(err)
			}
			cm = out.(*corev1.ConfigMap)
			if got := dataDigest(cm); got != want || len(cm.Data) != 1 || cm.ManagedFields != nil {
				t.Errorf("%s: digest %s, want %s; %d entries, managed fields %v", name, got, want, len(cm.Data), cm.ManagedFields)
			}
		}
	}
}

// TestBinaryDataIsNeverOurs: with it, no ConfigMap has the digest of another
// one.
func TestBinaryDataIsNeverOurs(t *testing.T) {
	t.Parallel()
	data := map[string]string{"contract.json": "{}"}
	out, err := stripData(&corev1.ConfigMap{Data: data, BinaryData: map[string][]byte{"more": {1}}})
	if err != nil {
		t.Fatal(err)
	}
	if cm := out.(*corev1.ConfigMap); dataDigest(cm) == publish.DataDigest(data) || cm.BinaryData != nil {
		t.Errorf("binary data went unnoticed: %v", cm)
	}
}

// TestBundleDigest: only files that are exactly what their index lists have one.
func TestBundleDigest(t *testing.T) {
	t.Parallel()
	bundle, _ := publish.Build(publish.Host{View: []byte(`{"contract":"c"}`)}, []publish.File{{Profile: "openai-responses", Bytes: []byte("{}")}})
	for name, test := range map[string]struct {
		change func(files map[string]string)
		want   string
	}{
		"whole":                {func(map[string]string) {}, bundle.Digest},
		"a file is edited":     {func(f map[string]string) { f["openai-responses.json"] = "[]" }, ""},
		"a file is added":      {func(f map[string]string) { f["more.json"] = "{}" }, ""},
		"a file is gone":       {func(f map[string]string) { delete(f, "openai-responses.json") }, ""},
		"the index is edited":  {func(f map[string]string) { f[v1alpha1.FileIndex] += " " }, ""},
		"the index is gone":    {func(f map[string]string) { delete(f, v1alpha1.FileIndex) }, ""},
		"nothing is left":      {func(f map[string]string) { clear(f) }, ""},
		"what is no JSON file": {func(f map[string]string) { f["README"] = "" }, ""},
	} {
		files := maps.Clone(bundle.Files)
		test.change(files)
		if diff := cmp.Diff(test.want, bundleDigest(files)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
