// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// setRun is one reconcile of one set.
type setRun struct {
	*ToolSetReconciler
	*childWriter
	set *v1alpha1.ToolSet
	// from is what everything is read from first: the cache, or the API server.
	from client.Reader
	// profiles is the catalogue in use when the run began.
	profiles *provider.Catalog

	// configMaps are those with the set's label, by name; whose they are is judged
	// where they are used.
	configMaps map[string]*corev1.ConfigMap
	// contracts are those that the members lead to, nil for one that is not there.
	contracts map[types.NamespacedName]*v1alpha1.ToolContract
	members   []*member
	// results are those of the profiles, in the order of the spec.
	results []*profileResult

	// touched says that the run has written ConfigMaps.
	touched bool
}

// gather reads the set's ConfigMaps and everything that its members lead to. Absence in the
// cache says little about what has just been made: the API server is asked.
func (run *setRun) gather(ctx context.Context) error {
	selector := []client.ListOption{client.InNamespace(run.set.Namespace), configMapsOf(run.set.Name)}
	if !run.isLive() {
		selector[1] = client.MatchingFields{setIndex: run.set.Name}
	}
	var configMaps corev1.ConfigMapList
	if err := run.from.List(ctx, &configMaps, selector...); err != nil {
		return fmt.Errorf("listing ConfigMaps: %w", err)
	}
	run.configMaps = make(map[string]*corev1.ConfigMap, len(configMaps.Items))
	for i := range configMaps.Items {
		run.configMaps[configMaps.Items[i].Name] = stripped(&configMaps.Items[i])
	}
	run.contracts = map[types.NamespacedName]*v1alpha1.ToolContract{}
	if err := run.enumerate(ctx); err != nil {
		return err
	}
	for _, m := range run.members {
		if err := run.find(ctx, m); err != nil {
			return fmt.Errorf("looking at ToolContract %s: %w", m.key, err)
		}
	}
	return nil
}

func (run *setRun) isLive() bool { return run.from == run.Live }

// enumerate lists the members: the references in their order, then what each
// selector adds, by name.
func (run *setRun) enumerate(ctx context.Context) error {
	spec := &run.set.Spec
	have := map[types.NamespacedName]bool{}
	for i := range spec.Tools {
		t := &spec.Tools[i]
		m := &member{
			pointer: finding.Pointer("/spec/tools", strconv.Itoa(i)), key: contractKey(run.set, t),
			channel: t.Channel, version: t.Version, deferLoading: t.DeferLoading, group: t.Group,
		}
		m.duplicate, have[m.key] = have[m.key], true
		run.members = append(run.members, m)
	}
	for i := range spec.Selectors {
		s := &spec.Selectors[i]
		selector, err := metav1.LabelSelectorAsSelector(&s.Labels)
		if err != nil {
			continue // the API server takes none that cannot be read
		}
		var contracts v1alpha1.ToolContractList
		if err := run.from.List(ctx, &contracts, client.InNamespace(run.set.Namespace), client.MatchingLabelsSelector{Selector: selector}); err != nil {
			return fmt.Errorf("listing contracts: %w", err)
		}
		slices.SortFunc(contracts.Items, func(a, b v1alpha1.ToolContract) int { return strings.Compare(a.Name, b.Name) })
		for j := range contracts.Items {
			c := &contracts.Items[j]
			key := client.ObjectKeyFromObject(c)
			if have[key] || !c.DeletionTimestamp.IsZero() {
				continue
			}
			have[key], run.contracts[key] = true, c
			run.members = append(run.members, &member{
				pointer: finding.Pointer("/spec/selectors", strconv.Itoa(i)), selected: true, key: key,
				channel: s.Channel, deferLoading: s.DeferLoading, group: s.Group,
			})
		}
	}
	return nil
}

// find looks for what a member leads to.
func (run *setRun) find(ctx context.Context, m *member) error {
	f := &m.found
	if run.Namespace != "" && m.key.Namespace != run.Namespace {
		f.unseen = true
		return nil
	}
	var err error
	if f.contract, err = run.contractAt(ctx, m.key); err != nil || f.contract == nil {
		return err
	}
	if f.permitted, err = permits(f.contract, run.set.Namespace, run.labelsOfNamespace(ctx)); err != nil || !f.permitted {
		return err
	}
	if f.revision = revisionOf(m, f.contract); f.revision == "" {
		return nil
	}
	revision := &v1alpha1.ToolRevision{}
	usable := func() bool { return ownerOf(revision, f.contract) == ours }
	if err := run.read(ctx, m.key.Namespace, f.revision, revision, usable); err != nil || !usable() {
		return err
	}
	named, ok := versionOf(f.contract.Name, revision.Name)
	if !ok || named.String() != revision.Spec.Content.Version {
		return nil
	}
	if f.content = frozenContent(revision); f.content == nil {
		return nil
	}
	f.targets, err = run.targets(ctx, m)
	return err
}

// contractAt reads a contract, nil if there is none or it is being deleted.
func (run *setRun) contractAt(ctx context.Context, key types.NamespacedName) (*v1alpha1.ToolContract, error) {
	if c, known := run.contracts[key]; known {
		return c, nil
	}
	c := &v1alpha1.ToolContract{}
	err := client.IgnoreNotFound(run.from.Get(ctx, key, c))
	if err != nil {
		return nil, err
	}
	if c.UID == "" || !c.DeletionTimestamp.IsZero() {
		c = nil
	}
	run.contracts[key] = c
	return c, nil
}

// labelsOfNamespace reads the labels of the set's own namespace.
func (run *setRun) labelsOfNamespace(ctx context.Context) func() (map[string]string, error) {
	return func() (map[string]string, error) {
		namespace := namespaceMetadata()
		err := run.read(ctx, "", run.set.Namespace, namespace, func() bool { return namespace.UID != "" })
		return namespace.Labels, err
	}
}

// namespaceMetadata is where the metadata of a Namespace goes. Nothing else of a
// Namespace is ever read.
func namespaceMetadata() *metav1.PartialObjectMetadata {
	namespace := &metav1.PartialObjectMetadata{}
	namespace.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	return namespace
}

// read reads an object from the cache or, if the cache has none that is good, from
// the API server. The object is empty if there is none.
func (run *setRun) read(ctx context.Context, namespace, name string, object client.Object, good func() bool) error {
	key := client.ObjectKey{Namespace: namespace, Name: name}
	err := client.IgnoreNotFound(run.from.Get(ctx, key, object))
	if err != nil || good() || run.isLive() {
		return err
	}
	kind := object.GetObjectKind().GroupVersionKind()
	reflect.ValueOf(object).Elem().SetZero() // decoding adds to what is there
	object.GetObjectKind().SetGroupVersionKind(kind)
	return client.IgnoreNotFound(run.Live.Get(ctx, key, object))
}

// targets are those that the revision of a member is published for. Of what a
// line serves the ConfigMaps say it; of another version its own rendering does or,
// if there is none, the contract.
func (run *setRun) targets(ctx context.Context, m *member) ([]v1alpha1.Target, error) {
	c, digest := m.found.contract, m.found.content.Digest()
	channel := channelOf(c, m.found.content.Version.Line())
	if channel.Revision != m.found.revision {
		return run.targetsOfVersion(ctx, m)
	}
	for _, name := range []string{renderingOf(channel), channel.ConfigMap} {
		cm := &corev1.ConfigMap{}
		serves := func() bool {
			made := deliveryOf(cm)
			return ownerOf(cm, c) == ours && cm.Annotations[v1alpha1.AnnotationDigest] == channel.Digest && len(made.Targets) > 0 && made.ContentDigest == digest
		}
		if err := run.read(ctx, c.Namespace, name, cm, serves); err != nil {
			return nil, err
		}
		if serves() {
			return deliveryOf(cm).Targets, nil
		}
	}
	return nil, nil
}

// targetsOfVersion are those of a version that no channel serves.
func (run *setRun) targetsOfVersion(ctx context.Context, m *member) ([]v1alpha1.Target, error) {
	c := m.found.contract
	selector := []client.ListOption{client.InNamespace(c.Namespace), childrenOf(c.Name)}
	if !run.isLive() {
		selector[1] = client.MatchingFields{contractIndex: c.Name}
	}
	var configMaps corev1.ConfigMapList
	if err := run.from.List(ctx, &configMaps, selector...); err != nil {
		return nil, fmt.Errorf("listing ConfigMaps: %w", err)
	}
	var made []*corev1.ConfigMap
	for i := range configMaps.Items {
		cm := &configMaps.Items[i]
		d := deliveryOf(cm)
		if ownerOf(cm, c) == ours && strings.HasPrefix(cm.Name, m.found.revision+"-") && d.ContentDigest == m.found.content.Digest() && len(d.Targets) > 0 {
			made = append(made, cm)
		}
	}
	if len(made) == 0 {
		// Nobody has judged what the contract says now unless it is served.
		if c.Status.ObservedGeneration == c.Generation && meta.IsStatusConditionTrue(c.Status.Conditions, v1alpha1.ConditionReady) {
			return c.Spec.Targets, nil
		}
		return nil, nil
	}
	newest := slices.MaxFunc(made, func(a, b *corev1.ConfigMap) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp.Time), cmp.Compare(a.Name, b.Name))
	})
	return deliveryOf(newest).Targets, nil
}

// own returns the ConfigMap of a name if it is this set's, else nil.
func (run *setRun) own(name string) *corev1.ConfigMap {
	if cm := run.configMaps[name]; cm != nil && run.judge(cm) == ours {
		return cm
	}
	return nil
}

// ownConfigMaps are the set's, by name.
func (run *setRun) ownConfigMaps() []*corev1.ConfigMap {
	var out []*corev1.ConfigMap
	for _, name := range slices.Sorted(maps.Keys(run.configMaps)) {
		if cm := run.own(name); cm != nil {
			out = append(out, cm)
		}
	}
	return out
}

// child, judge, remember and nameConflict make the run a [childOwner].
func (run *setRun) child(name string) *corev1.ConfigMap { return run.configMaps[name] }

func (run *setRun) judge(object metav1.Object) ownership { return setOwnerOf(object, run.set) }

func (run *setRun) remember(child client.Object) {
	if cm, ok := child.(*corev1.ConfigMap); ok {
		known := run.configMaps[cm.Name]
		run.touched = run.touched || known == nil || known.ResourceVersion != cm.ResourceVersion
		run.configMaps[cm.Name] = stripped(cm)
	}
}

func (run *setRun) nameConflict(existing metav1.Object) error {
	why, fix := "is not this set's", "delete or rename it, or rename the set"
	if owner := metav1.GetControllerOf(existing); owner != nil && owner.UID == run.set.UID {
		why = fmt.Sprintf("has lost the label %s or %s of this set", v1alpha1.LabelManagedBy, v1alpha1.LabelSet)
		fix = "restore the labels, or delete it and let the operator write it again"
	}
	return &stalledError{
		condition: v1alpha1.ConditionToolsPublished, reason: v1alpha1.ReasonNameConflict, recheck: true,
		message: fmt.Sprintf("the ConfigMap %s exists and %s; it is left untouched and looked at again every %s. Fix: %s",
			existing.GetName(), why, cmp.Or(run.Recheck, recheckDelay), fix),
	}
}

// behind has the run done once more on what the API server says.
func (run *setRun) behind() error {
	return apierrors.NewConflict(v1alpha1.GroupVersion.WithResource("toolsets").GroupResource(), run.set.Name, errBehind)
}
