// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/publish"
)

// restoreChannels repairs the channels that this run does not write: those of
// other lines and, while a change is refused, the one of this line. The source
// is the immutable ConfigMap that the channel copies; the status remembers
// which one that is.
func (run *contractRun) restoreChannels(ctx context.Context, except string) error {
	for _, channel := range run.contract.Status.Channels {
		if channel.ConfigMap == except {
			continue
		}
		rendering := run.configMaps[channel.Revision+"-"+publish.ShortDigest(channel.Digest)]
		if rendering == nil || ownerOf(rendering, run.contract) != ours {
			continue // nothing to restore from; what stands there stays
		}
		have := run.configMaps[channel.ConfigMap]
		if have != nil && (ownerOf(have, run.contract) != ours || dataDigest(have) == dataDigest(rendering)) {
			continue
		}
		if err := run.restoreChannel(ctx, channel, rendering, have); err != nil {
			return err
		}
	}
	return nil
}

func (run *contractRun) restoreChannel(ctx context.Context, channel v1alpha1.Channel, rendering, have *corev1.ConfigMap) error {
	var source corev1.ConfigMap // with its data, which the cache does not hold
	if err := run.Live.Get(ctx, client.ObjectKeyFromObject(rendering), &source); err != nil {
		return fmt.Errorf("reading ConfigMap %s: %w", rendering.Name, err)
	}
	labels, _ := merge(source.Labels, map[string]string{v1alpha1.LabelRole: v1alpha1.RoleChannel})
	annotations, _ := merge(source.Annotations, map[string]string{v1alpha1.AnnotationRendering: rendering.Name})
	want := &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: run.contract.Namespace, Name: channel.ConfigMap, Labels: labels, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{ownerReference(run.contract)},
		},
		Data: source.Data,
	}
	if have != nil {
		return run.replaceData(ctx, have, want)
	}
	_, _, err := run.create(ctx, want)
	return err
}
