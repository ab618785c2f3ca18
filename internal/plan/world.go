// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8slabels "k8s.io/apimachinery/pkg/labels"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/snapshot"
)

// key names an object of a kind.
type key struct{ namespace, name string }

func (k key) String() string { return k.namespace + "/" + k.name }

func compareKeys(a, b key) int { return strings.Compare(a.String(), b.String()) }

// World is what a cluster has. Objects in it are never changed, only replaced.
type World struct {
	contracts map[key]*v1alpha1.ToolContract
	sets      map[key]*v1alpha1.ToolSet
	// revisions and published are children, by their owner and then by name.
	revisions map[key]map[string]*v1alpha1.ToolRevision
	published map[owner]map[string]*snapshot.PublishedConfigMap
	workloads []snapshot.Workload
	// labels are those of namespaces.
	labels map[string]map[string]string
}

// owner is a contract or a set.
type owner struct {
	key
	isSet bool
}

const contractKind, setKind = "ToolContract", "ToolSet"

// Empty is a world without anything.
func Empty() *World {
	return &World{
		contracts: map[key]*v1alpha1.ToolContract{}, sets: map[key]*v1alpha1.ToolSet{},
		revisions: map[key]map[string]*v1alpha1.ToolRevision{}, published: map[owner]map[string]*snapshot.PublishedConfigMap{},
	}
}

// From is the world of a snapshot. The snapshot must not change afterwards.
func From(s *snapshot.Snapshot) *World {
	w := Empty()
	for i := range s.Contracts {
		if c := &s.Contracts[i]; c.DeletionTimestamp.IsZero() {
			w.contracts[key{c.Namespace, c.Name}] = c
		}
	}
	for i := range s.Sets {
		if set := &s.Sets[i]; set.DeletionTimestamp.IsZero() {
			w.sets[key{set.Namespace, set.Name}] = set
		}
	}
	for i := range s.Revisions {
		r := &s.Revisions[i]
		at := key{r.Namespace, r.Labels[v1alpha1.LabelContract]}
		if c := w.contracts[at]; c != nil && r.Labels[v1alpha1.LabelManagedBy] == v1alpha1.ManagedBy && controls(c, metav1.GetControllerOf(r)) {
			put(w.revisions, at, r.Name, r)
		}
	}
	for i := range s.Published {
		cm := &s.Published[i]
		if cm.Labels[v1alpha1.LabelManagedBy] != v1alpha1.ManagedBy || cm.Controller.APIVersion != v1alpha1.GroupVersion.String() {
			continue
		}
		o := owner{key{cm.Namespace, cm.Controller.Name}, cm.Controller.Kind == setKind}
		label, uid := v1alpha1.LabelContract, ""
		if o.isSet {
			label = v1alpha1.LabelSet
			if set := w.sets[o.key]; set != nil {
				uid = string(set.UID)
			}
		} else if c := w.contracts[o.key]; c != nil && cm.Controller.Kind == contractKind {
			uid = string(c.UID)
		}
		if uid != "" && uid == cm.Controller.UID && cm.Labels[label] == o.name {
			put(w.published, o, cm.Name, cm)
		}
	}
	w.workloads, w.labels = s.Workloads, s.NamespaceLabels
	return w
}

func controls(c *v1alpha1.ToolContract, by *metav1.OwnerReference) bool {
	return by != nil && by.Kind == contractKind && by.APIVersion == v1alpha1.GroupVersion.String() && by.Name == c.Name && by.UID == c.UID
}

func put[K comparable, V any](in map[K]map[string]V, at K, name string, v V) {
	if in[at] == nil {
		in[at] = map[string]V{}
	}
	in[at][name] = v
}

// clone is a world that can be changed without changing this one.
func (w *World) clone() *World {
	out := *w
	out.contracts, out.sets = maps.Clone(w.contracts), maps.Clone(w.sets)
	out.revisions, out.published = map[key]map[string]*v1alpha1.ToolRevision{}, map[owner]map[string]*snapshot.PublishedConfigMap{}
	for k, m := range w.revisions {
		out.revisions[k] = maps.Clone(m)
	}
	for k, m := range w.published {
		out.published[k] = maps.Clone(m)
	}
	out.workloads = slices.Clone(w.workloads)
	return &out
}

// configMap is a ConfigMap of a contract, nil for none.
func (w *World) configMap(of key, name string) *snapshot.PublishedConfigMap {
	return w.published[owner{of, false}][name]
}

// channel is what a contract serves in a line; its Line is empty for nothing.
func channel(c *v1alpha1.ToolContract, line string) v1alpha1.Channel {
	if c != nil {
		for _, ch := range c.Status.Channels {
			if ch.Line == line {
				return ch
			}
		}
	}
	return v1alpha1.Channel{}
}

// renderingOf names the immutable ConfigMap that a channel copies.
func renderingOf(ch v1alpha1.Channel) string {
	return ch.Revision + "-" + publish.ShortDigest(ch.Digest)
}

// files are what a line of a contract serves, nil for nothing.
func (w *World) files(of key, ch v1alpha1.Channel) *snapshot.PublishedConfigMap {
	for _, name := range []string{renderingOf(ch), ch.ConfigMap} {
		if cm := w.configMap(of, name); cm != nil && bundleDigest(cm) == ch.Digest {
			return cm
		}
	}
	return nil
}

// bundleDigest is the digest under which files were published; empty if they are
// not exactly what their index lists.
func bundleDigest(cm *snapshot.PublishedConfigMap) string {
	listed := maps.Clone(cm.Data)
	delete(listed, v1alpha1.FileIndex)
	bundle, tooLarge := publish.Pack(listed)
	if tooLarge != nil || cm.Binary || !maps.Equal(bundle.Files, cm.Data) {
		return ""
	}
	return bundle.Digest
}

// versionOf reads the version from the name of a revision.
func versionOf(contractName, revision string) (v contract.Version, ok bool) {
	text, ok := strings.CutPrefix(revision, contractName+"-v")
	v, err := contract.ParseVersion(text)
	return v, ok && err == nil
}

// renderedVersion reads the version from the name of a rendering.
func renderedVersion(contractName, rendering string) (v contract.Version, ok bool) {
	end := strings.LastIndexByte(rendering, '-')
	if end < 0 {
		return v, false
	}
	return versionOf(contractName, rendering[:end])
}

// permits reports whether a contract lets the sets of a namespace hold it. known
// is false if only labels decide that were not read.
func (w *World) permits(c *v1alpha1.ToolContract, namespace string) (yes, known bool) {
	allowed := c.Spec.AllowedNamespaces
	switch {
	case c.Namespace == namespace, allowed != nil && allowed.From == v1alpha1.NamespacesAll:
		return true, true
	case allowed == nil || allowed.From != v1alpha1.NamespacesSelector:
		return false, true
	}
	selector, err := metav1.LabelSelectorAsSelector(allowed.Selector)
	if err != nil {
		return false, true
	}
	labels, known := w.labels[namespace]
	return known && selector.Matches(k8slabels.Set(labels)), known
}

// consumers name what mounts one of the ConfigMaps of a namespace, as Kind/name.
func (w *World) consumers(namespace string, names ...string) []string {
	out := []string{}
	for _, load := range w.workloads {
		if load.Namespace == namespace && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(load.ConfigMaps, n) }) {
			out = append(out, load.Kind+"/"+load.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Published are the names of the ConfigMaps of a world, by namespace and name, with
// the digest of their data.
func (w *World) Published() map[string]string {
	out := map[string]string{}
	for o, all := range w.published {
		for name, cm := range all {
			out[o.namespace+"/"+name] = publish.DataDigest(cm.Data)
		}
	}
	return out
}

// Revisions are the names of the revisions of a world, by namespace and name, with
// their content digest.
func (w *World) Revisions() map[string]string {
	out := map[string]string{}
	for at, all := range w.revisions {
		for name, r := range all {
			out[at.namespace+"/"+name] = r.Spec.ContentDigest
		}
	}
	return out
}
