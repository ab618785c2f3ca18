// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// What was published before counts as repaired when it is written again; what is
// published for the first time, or anew with other bytes, does not.
func TestServes(t *testing.T) {
	t.Parallel()
	const digest = "sha256:0123456789abcdef"
	contract := &contractRun{contract: &v1alpha1.ToolContract{Status: v1alpha1.ToolContractStatus{
		Channels: []v1alpha1.Channel{{Line: "1", Revision: "c-v1.0.0", ConfigMap: "c-v1", Digest: digest}},
	}}}
	set := &setRun{set: &v1alpha1.ToolSet{Status: v1alpha1.ToolSetStatus{
		Profiles: []v1alpha1.SetProfileStatus{{Profile: "p", ConfigMap: "s.p", Rendering: "s.p-01234567", Digest: digest}},
	}}}
	for _, test := range []struct {
		owner        childOwner
		name, digest string
		want         bool
	}{
		{contract, "c-v1", digest, true},
		{contract, "c-v1.0.0-01234567", digest, true},
		{contract, "c-v1", "sha256:f", false},
		{contract, "c-v2", digest, false},
		{set, "s.p", digest, true},
		{set, "s.p-01234567", digest, true},
		{set, "s.p", "sha256:f", false},
		{set, "s.q", digest, false},
	} {
		if got := test.owner.serves(test.name, test.digest); got != test.want {
			t.Errorf("%s with %s: %t", test.name, test.digest, got)
		}
	}
}

func TestIsRepair(t *testing.T) {
	t.Parallel()
	cm := func(labels, annotations map[string]string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Labels: labels, Annotations: annotations}}
	}
	for name, test := range map[string]struct {
		have, want *corev1.ConfigMap
		repair     bool
	}{
		"a label was edited":             {cm(map[string]string{"l": "x"}, nil), cm(map[string]string{"l": "y"}, nil), true},
		"a label is gone":                {cm(nil, nil), cm(map[string]string{"l": ""}, nil), true},
		"somebody added a label":         {cm(map[string]string{"l": "x"}, nil), cm(nil, nil), false},
		"the digest was edited":          {cm(nil, map[string]string{v1alpha1.AnnotationDigest: "x"}), cm(nil, map[string]string{v1alpha1.AnnotationDigest: "y"}), true},
		"another version was issued":     {cm(nil, map[string]string{v1alpha1.AnnotationIssued: "x"}), cm(nil, map[string]string{v1alpha1.AnnotationIssued: "y"}), false},
		"a profile has a new revision":   {cm(nil, map[string]string{v1alpha1.AnnotationProfileRevisions: "p=1"}), cm(nil, map[string]string{v1alpha1.AnnotationProfileRevisions: "p=2"}), false},
		"the channel served another one": {cm(nil, nil), cm(nil, map[string]string{v1alpha1.AnnotationPrevious: "y"}), false},
	} {
		if got := isRepair(test.have, test.want); got != test.repair {
			t.Errorf("%s: %t", name, got)
		}
	}
}
