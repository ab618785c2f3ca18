// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"cmp"
	"context"
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"
	k8slabels "k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// CacheOptions keep the operator's memory proportional to its own objects: only
// ConfigMaps with our label are watched, and of their data only the digest is
// kept and how it was made. The ConfigMaps of others never enter the process.
func CacheOptions() cache.Options {
	return cache.Options{
		ReaderFailOnMissingInformer: true,
		DefaultTransform:            cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.ConfigMap{}: {
				Label:     k8slabels.SelectorFromSet(k8slabels.Set{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy}),
				Transform: stripData,
			},
		},
	}
}

// contractIndex finds the children of one contract in the cache without looking
// at those of all others.
const contractIndex = "contract"

// childrenOf selects the children of a contract.
func childrenOf(contract string) client.MatchingLabels {
	return client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelContract: contract}
}

// setIndex finds the ConfigMaps of one set in the cache.
const setIndex = "set"

// configMapsOf selects the ConfigMaps of a set.
func configMapsOf(set string) client.MatchingLabels {
	return client.MatchingLabels{v1alpha1.LabelManagedBy: v1alpha1.ManagedBy, v1alpha1.LabelSet: set}
}

// The indexes of sets: by the contracts that they refer to, as namespace/name, and
// by whether they select any by labels.
const (
	referenceIndex = "reference"
	selectsIndex   = "selects"

	selects = "yes"
)

// indexChildren lets the cache answer by [contractIndex] what [childrenOf]
// selects, by [setIndex] what [configMapsOf] does, and which sets a contract concerns.
func indexChildren(ctx context.Context, indexer client.FieldIndexer) error {
	by := func(label string) client.IndexerFunc {
		return func(child client.Object) []string {
			owner := child.GetLabels()[label]
			if owner == "" || child.GetLabels()[v1alpha1.LabelManagedBy] != v1alpha1.ManagedBy {
				return nil
			}
			return []string{owner}
		}
	}
	return errors.Join(
		indexer.IndexField(ctx, &corev1.ConfigMap{}, contractIndex, by(v1alpha1.LabelContract)),
		indexer.IndexField(ctx, &v1alpha1.ToolRevision{}, contractIndex, by(v1alpha1.LabelContract)),
		indexer.IndexField(ctx, &corev1.ConfigMap{}, setIndex, by(v1alpha1.LabelSet)),
		indexer.IndexField(ctx, &v1alpha1.ToolSet{}, referenceIndex, ofSet(references)),
		indexer.IndexField(ctx, &v1alpha1.ToolSet{}, selectsIndex, ofSet(selecting)))
}

// ofSet is an index over sets.
func ofSet(values func(*v1alpha1.ToolSet) []string) client.IndexerFunc {
	return func(object client.Object) []string {
		set, ok := object.(*v1alpha1.ToolSet)
		if !ok {
			return nil
		}
		return values(set)
	}
}

// references are the contracts that a set names, as namespace/name.
func references(set *v1alpha1.ToolSet) []string {
	var out []string
	for i := range set.Spec.Tools {
		out = append(out, contractKey(set, &set.Spec.Tools[i]).String())
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// contractKey is the contract that a reference leads to.
func contractKey(set *v1alpha1.ToolSet, reference *v1alpha1.ToolReference) types.NamespacedName {
	return types.NamespacedName{Namespace: cmp.Or(reference.Namespace, set.Namespace), Name: reference.Contract}
}

func selecting(set *v1alpha1.ToolSet) []string {
	if len(set.Spec.Selectors) == 0 {
		return nil
	}
	return []string{selects}
}

func profilesOf(set *v1alpha1.ToolSet) []string {
	out := make([]string, len(set.Spec.Profiles))
	for i := range set.Spec.Profiles {
		out[i] = set.Spec.Profiles[i].Profile
	}
	return out
}

// The keys of a cached ConfigMap's data. No file has a name that starts with a
// tilde.
const (
	digestKey   = "~digest"
	deliveryKey = "~delivery"
	contentsKey = "~contents"
)

// stripData replaces the data of a ConfigMap by its digest and its [delivery], or
// its [setContents]. It may see the same object twice and must not digest a digest.
func stripData(object any) (any, error) {
	cm, ok := object.(*corev1.ConfigMap)
	if !ok {
		return object, nil
	}
	cm.ManagedFields = nil
	if _, stripped := cm.Data[digestKey]; !stripped {
		digest := publish.DataDigest(cm.Data)
		if len(cm.BinaryData) > 0 {
			digest = "binary" // we never write any: it differs from every expected digest
		}
		kept := map[string]string{digestKey: digest}
		if delivery := cachedDelivery(cm); delivery != "" {
			kept[deliveryKey] = delivery
		}
		if cm.Labels[v1alpha1.LabelSet] != "" {
			kept[contentsKey] = cachedContents(cm)
		}
		cm.Data, cm.BinaryData = kept, nil
	}
	return cm, nil
}

// stripped is a ConfigMap as the cache has it, so that a run digests data once.
func stripped(cm *corev1.ConfigMap) *corev1.ConfigMap {
	if _, done := cm.Data[digestKey]; done {
		return cm
	}
	kept := *cm // stripData replaces fields, and changes nothing they hold
	_, _ = stripData(&kept)
	return &kept
}

// dataDigest returns the digest of a ConfigMap's data, cached or not.
func dataDigest(cm *corev1.ConfigMap) string {
	if digest, stripped := cm.Data[digestKey]; stripped {
		return digest
	}
	return publish.DataDigest(cm.Data)
}
