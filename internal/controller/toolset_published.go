// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/toolset"
)

// What a set serves stands in its ConfigMaps and nowhere else: which tools, at
// which version, with which content. So neither a lost status nor a contract that
// was deleted and made again changes what the set holds.

// setContents is what the files of a set's ConfigMap say of themselves.
type setContents struct {
	// Digest is that of the bundle, empty if the files are not what their index
	// lists.
	Digest string    `json:"digest"`
	Tools  []setTool `json:"tools,omitempty"`
}

// setTool is one tool of a publication.
type setTool struct {
	Namespace string `json:"namespace"`
	Contract  string `json:"contract"`
	Version   string `json:"version"`
	Digest    string `json:"digest"`
}

func (t setTool) key() types.NamespacedName {
	return types.NamespacedName{Namespace: t.Namespace, Name: t.Contract}
}

// contentsOf reads a ConfigMap of a set, cached or not.
func contentsOf(cm *corev1.ConfigMap) setContents {
	var c setContents
	if _, stripped := cm.Data[digestKey]; stripped {
		if json.Unmarshal([]byte(cm.Data[contentsKey]), &c) != nil {
			return setContents{}
		}
		return c
	}
	if len(cm.BinaryData) > 0 {
		return c
	}
	published, err := toolset.ReadPublished(cm.Data)
	if err != nil {
		return c
	}
	c.Digest = bundleDigest(cm.Data)
	for _, t := range published.Tools {
		c.Tools = append(c.Tools, setTool{t.Namespace, t.Contract, t.Version, t.ContentDigest})
	}
	return c
}

// cachedContents is what the cache keeps of it; see [stripData].
func cachedContents(cm *corev1.ConfigMap) string {
	text, err := json.Marshal(contentsOf(cm))
	if err != nil {
		return ""
	}
	return string(text)
}

// publicationOf is what a set serves for a profile.
type publicationOf struct {
	// source is the name of a ConfigMap that has the files whole.
	source string
	digest string
	tools  []setTool
}

func (p *publicationOf) find(key types.NamespacedName) (setTool, bool) {
	if p == nil {
		return setTool{}, false
	}
	i := slices.IndexFunc(p.tools, func(t setTool) bool { return t.key() == key })
	if i < 0 {
		return setTool{}, false
	}
	return p.tools[i], true
}

// lastPublished is what the set serves for a profile, nil for nothing. The
// ConfigMap that agents mount says it if the immutable one agrees. If one of them is damaged or
// gone, the status tells which bytes were published; without a status it is the
// one that is whole, and of those the newest.
func (run *setRun) lastPublished(profile string) *publicationOf {
	var whole []*corev1.ConfigMap
	prefix := publish.SetName(run.set.Name, profile) + "-"
	for _, name := range slices.Sorted(maps.Keys(run.configMaps)) {
		cm := run.own(name)
		if cm == nil || cm.Labels[v1alpha1.LabelProfile] != profile {
			continue
		}
		if digest := contentsOf(cm).Digest; digest != "" && name == prefix+publish.ShortDigest(digest) && ptr.Deref(cm.Immutable, false) {
			whole = append(whole, cm)
		}
	}
	stable := run.own(publish.SetName(run.set.Name, profile))
	if stable != nil && contentsOf(stable).Digest == "" {
		stable = nil
	}
	status, _ := statusOf(run.set.Status.Profiles, profile)
	for _, cm := range whole {
		if stable != nil && dataDigest(stable) == dataDigest(cm) {
			return asPublication(cm)
		}
	}
	for _, cm := range whole {
		if contentsOf(cm).Digest == status.Digest {
			return asPublication(cm)
		}
	}
	if stable != nil {
		return asPublication(stable)
	}
	if len(whole) == 0 {
		return nil
	}
	return asPublication(slices.MaxFunc(whole, func(a, b *corev1.ConfigMap) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	}))
}

func asPublication(cm *corev1.ConfigMap) *publicationOf {
	contents := contentsOf(cm)
	return &publicationOf{source: cm.Name, digest: contents.Digest, tools: contents.Tools}
}

// statusOf finds the status of a profile.
func statusOf(all []v1alpha1.SetProfileStatus, profile string) (v1alpha1.SetProfileStatus, bool) {
	for i := range all {
		if all[i].Profile == profile {
			return all[i], true
		}
	}
	return v1alpha1.SetProfileStatus{}, false
}
