// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	k8slabels "k8s.io/apimachinery/pkg/labels"
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

// indexChildren lets the cache answer by [contractIndex] what [childrenOf]
// selects.
func indexChildren(ctx context.Context, indexer client.FieldIndexer) error {
	byContract := func(child client.Object) []string {
		contract := child.GetLabels()[v1alpha1.LabelContract]
		if contract == "" || child.GetLabels()[v1alpha1.LabelManagedBy] != v1alpha1.ManagedBy {
			return nil
		}
		return []string{contract}
	}
	return errors.Join(
		indexer.IndexField(ctx, &corev1.ConfigMap{}, contractIndex, byContract),
		indexer.IndexField(ctx, &v1alpha1.ToolRevision{}, contractIndex, byContract))
}

// The keys of a cached ConfigMap's data. No file has a name that starts with a
// tilde.
const (
	digestKey   = "~digest"
	deliveryKey = "~delivery"
)

// stripData replaces the data of a ConfigMap by its digest and its [delivery].
// It may see the same object twice and must not digest a digest.
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
