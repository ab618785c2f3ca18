// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/publish"
)

// family is a contract named c with children.
type family struct {
	contract   *v1alpha1.ToolContract
	revisions  map[string]*v1alpha1.ToolRevision
	configMaps map[string]*corev1.ConfigMap
	mounts     Mounts
}

// newFamily makes a contract with a revision and a rendering of each version.
// The renderings are one second apart, in this order.
func newFamily(t *testing.T, current string, versions ...string) *family {
	t.Helper()
	f := &family{
		contract: &v1alpha1.ToolContract{
			ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "c", UID: "uid"},
			Spec:       v1alpha1.ToolContractSpec{ToolContent: v1alpha1.ToolContent{Version: current}},
		},
		revisions: map[string]*v1alpha1.ToolRevision{}, configMaps: map[string]*corev1.ConfigMap{},
	}
	for i, text := range versions {
		version, err := contract.ParseVersion(text)
		if err != nil {
			t.Fatal(err)
		}
		name := publish.RevisionName("c", version)
		f.revisions[name] = &v1alpha1.ToolRevision{
			ObjectMeta: f.metadata(name, labels("c", version)),
			Spec:       v1alpha1.ToolRevisionSpec{Content: v1alpha1.ToolContent{Version: text}},
		}
		f.render(text, "0", i)
	}
	return f
}

func (f *family) metadata(name string, labels map[string]string) metav1.ObjectMeta {
	return metav1.ObjectMeta{
		Namespace: "n", Name: name, Labels: labels, OwnerReferences: []metav1.OwnerReference{ownerReference(f.contract)},
	}
}

// render adds a rendering of a version, created at this second, whose digest is
// one digit over and over.
func (f *family) render(text, digit string, second int) {
	version, _ := contract.ParseVersion(text)
	digest := "sha256:" + strings.Repeat(digit, 64)
	cm := &corev1.ConfigMap{ObjectMeta: f.metadata(publish.RenderingName("c", version, digest), labels("c", version))}
	cm.Labels[v1alpha1.LabelRole] = v1alpha1.RoleRendering
	cm.Annotations = map[string]string{v1alpha1.AnnotationRevision: publish.RevisionName("c", version), v1alpha1.AnnotationDigest: digest}
	cm.CreationTimestamp = metav1.NewTime(time.Unix(int64(second), 0))
	f.configMaps[cm.Name] = cm
}

// serve makes a version's rendering with this digit what its line serves.
func (f *family) serve(text, digit, previous string) *corev1.ConfigMap {
	version, _ := contract.ParseVersion(text)
	digest := "sha256:" + strings.Repeat(digit, 64)
	cm := &corev1.ConfigMap{ObjectMeta: f.metadata(publish.ChannelName("c", version.Line()), labels("c", version))}
	cm.Labels[v1alpha1.LabelRole] = v1alpha1.RoleChannel
	cm.Annotations = map[string]string{
		v1alpha1.AnnotationRevision: publish.RevisionName("c", version), v1alpha1.AnnotationDigest: digest,
		v1alpha1.AnnotationRendering: publish.RenderingName("c", version, digest),
	}
	if previous != "" {
		cm.Annotations[v1alpha1.AnnotationPrevious] = "c-v" + previous
	}
	f.configMaps[cm.Name] = cm
	f.contract.Status.Channels = append(f.contract.Status.Channels, v1alpha1.Channel{
		Line: version.Line(), Revision: publish.RevisionName("c", version), ConfigMap: cm.Name, Digest: digest,
	})
	return cm
}

// mountedBy says who mounts a ConfigMap, by its name.
type mountedBy map[string][]string

func (mountedBy) Ready() bool                              { return true }
func (m mountedBy) Consumers(_, configMap string) []string { return m[configMap] }

// notReady does not know yet.
type notReady struct{}

func (notReady) Ready() bool                    { return false }
func (notReady) Consumers(_, _ string) []string { return nil }

// drops are the names of what goes, in order.
func (f *family) drops(limit int) []string {
	var names []string
	for _, object := range retain(f.contract, f.revisions, f.configMaps, pinsOf(f.mounts, f.contract, f.configMaps), limit) {
		names = append(names, object.GetName())
	}
	return names
}

// TestRetain holds what is kept against what the documentation promises.
func TestRetain(t *testing.T) {
	t.Parallel()
	both := func(versions ...string) (names []string) {
		for _, v := range versions {
			names = append(names, "c-v"+v)
		}
		for _, v := range versions {
			names = append(names, fmt.Sprintf("c-v%s-00000000", v))
		}
		return names
	}
	for name, test := range map[string]struct {
		family func(t *testing.T) *family
		limit  int
		want   []string
	}{
		"nothing goes below the limit": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.2", "1.0.0", "1.0.1", "1.0.2")
			f.serve("1.0.2", "0", "1.0.1")
			return f
		}, limit: 5},
		"served, previous and highest stay at limit 0": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.1", "1.0.0", "1.0.1", "1.0.2", "1.0.3")
			f.serve("1.0.1", "0", "1.0.2")
			return f
		}, want: both("1.0.0")},
		"the newest stay beside them": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.4", "1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4")
			f.serve("1.0.4", "0", "")
			return f
		}, limit: 2, want: both("1.0.1", "1.0.0")},
		"a pre-release is nobody's highest": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.0", "1.0.0", "2.0.0-rc.1")
			f.serve("1.0.0", "0", "")
			return f
		}, want: both("2.0.0-rc.1")},
		"the version of the contract stays, though it moves no channel": {family: func(t *testing.T) *family {
			f := newFamily(t, "2.0.0-rc.1", "1.0.0", "2.0.0-rc.1")
			f.serve("1.0.0", "0", "")
			return f
		}},
		"the highest of every line stays": {family: func(t *testing.T) *family {
			return newFamily(t, "3.0.0", "0.1.0", "0.2.0", "0.2.1", "1.0.0", "3.0.0")
		}, want: both("0.2.0")},
		"what the status says is served stays while its channel is missing": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.0", "1.0.0", "1.0.1", "1.0.2")
			f.render("1.0.0", "1", 10) // newer than the served one
			delete(f.configMaps, f.serve("1.0.0", "0", "").Name)
			return f
		}, want: append([]string{"c-v1.0.1"}, "c-v1.0.0-11111111", "c-v1.0.1-00000000")},
		"a channel that calls itself a rendering is still a channel": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.2", "1.0.0", "1.0.1", "1.0.2")
			f.serve("1.0.2", "0", "1.0.0").Labels[v1alpha1.LabelRole] = v1alpha1.RoleRendering
			return f
		}, want: both("1.0.1")},
		"superseded renderings stay up to the limit, the newest first": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.0", "1.0.0")
			f.render("1.0.0", "1", 1)
			f.render("1.0.0", "2", 2)
			f.render("1.0.0", "3", 3)
			f.serve("1.0.0", "3", "")
			return f
		}, limit: 1, want: []string{"c-v1.0.0-11111111", "c-v1.0.0-00000000"}},
		"those made in the same second are current together, unless one is served": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.1", "1.0.0", "1.0.1")
			f.render("1.0.0", "1", 5)
			f.render("1.0.0", "2", 5)
			f.render("1.0.1", "1", 5)
			f.render("1.0.1", "2", 5)
			f.serve("1.0.1", "2", "1.0.0")
			return f
		}, want: []string{"c-v1.0.1-11111111", "c-v1.0.1-00000000", "c-v1.0.0-00000000"}},
		"the served rendering is no spare one, though it is older": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.0", "1.0.0")
			f.render("1.0.0", "1", 1)
			f.serve("1.0.0", "0", "")
			return f
		}, want: []string{"c-v1.0.0-11111111"}},
		"what is mounted stays, with its revision, beside the newest": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.4", "1.0.0", "1.0.1", "1.0.2", "1.0.3", "1.0.4")
			f.serve("1.0.4", "0", "")
			f.mounts = mountedBy{"c-v1.0.0-00000000": {"Pod/a"}}
			return f
		}, limit: 1, want: both("1.0.2", "1.0.1")},
		"a superseded rendering that is mounted stays, and the current one too": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.1", "1.0.0", "1.0.1")
			f.render("1.0.0", "1", 10)
			f.render("1.0.0", "2", 20)
			f.serve("1.0.1", "0", "")
			f.mounts = mountedBy{"c-v1.0.0-00000000": {"Pod/a"}}
			return f
		}, want: []string{"c-v1.0.0-11111111"}},
		"everything may be mounted while nobody knows": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.3", "1.0.0", "1.0.1", "1.0.2", "1.0.3")
			f.serve("1.0.3", "0", "")
			f.mounts = notReady{}
			return f
		}},
		"who mounts another contract's ConfigMap pins nothing here": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.2", "1.0.0", "1.0.1", "1.0.2")
			f.serve("1.0.2", "0", "1.0.1")
			f.configMaps["c-v1.0.0-00000000"].OwnerReferences[0].UID = "another"
			f.mounts = mountedBy{"c-v1.0.0-00000000": {"Pod/a"}}
			return f
		}, want: []string{"c-v1.0.0"}},
		"the highest of a retired line goes, within the limit it stays": {family: func(t *testing.T) *family {
			f := newFamily(t, "3.0.0", "0.9.0", "1.0.0", "1.1.0", "2.0.0", "3.0.0")
			f.serve("3.0.0", "0", "")
			f.contract.Status.RetiredLine = "1"
			return f
		}, limit: 1, want: both("1.0.0", "0.9.0")},
		"a retired line that is still served keeps what it serves": {family: func(t *testing.T) *family {
			f := newFamily(t, "2.0.0", "1.0.0", "1.1.0", "1.2.0", "2.0.0")
			f.serve("2.0.0", "0", "")
			f.serve("1.1.0", "0", "")
			f.contract.Status.RetiredLine = "1"
			return f
		}, want: both("1.2.0", "1.0.0")},
		"what is not ours stays": {family: func(t *testing.T) *family {
			f := newFamily(t, "1.0.2", "1.0.0", "1.0.1", "1.0.2")
			f.serve("1.0.2", "0", "")
			f.revisions["c-v1.0.0"].OwnerReferences = nil
			f.configMaps["c-v1.0.0-00000000"].OwnerReferences[0].UID = types.UID("another")
			return f
		}, want: both("1.0.1")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, test.family(t).drops(test.limit)); diff != "" {
				t.Errorf("dropped (-want +got):\n%s", diff)
			}
		})
	}
}
