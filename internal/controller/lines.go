// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/publish"
)

// lines says what each line serves. A channel that is whole speaks for itself;
// for one that is damaged or missing the status remembers, unless the line is
// retired: then a missing channel is meant to be. The status alone would not do:
// a process may die after it has moved a channel and before it has said so, and
// its successor must not move the channel back.
func (run *contractRun) lines() map[string]v1alpha1.Channel {
	lines := map[string]v1alpha1.Channel{}
	retired := run.retiredBefore()
	for _, channel := range run.contract.Status.Channels {
		version, ok := versionOf(run.contract.Name, channel.Revision)
		gone := evaluate.CompareLines(channel.Line, retired) <= 0 && run.own(channel.ConfigMap) == nil
		if ok && version.Line() == channel.Line && !gone {
			lines[channel.Line] = channel
		}
	}
	for _, cm := range run.configMaps {
		if channel := run.wholeChannel(cm); channel != nil {
			channel.Retired, channel.Consumers = lines[channel.Line].Retired, lines[channel.Line].Consumers
			lines[channel.Line] = *channel
		}
	}
	return lines
}

// wholeChannel reads a channel that copies a rendering of ours. Everything it
// returns follows from names and bytes, because labels and annotations can be
// edited; it is nil for any other ConfigMap.
func (run *contractRun) wholeChannel(cm *corev1.ConfigMap) *v1alpha1.Channel {
	rendering := run.own(cm.Annotations[v1alpha1.AnnotationRendering])
	if rendering == nil || run.own(cm.Name) != cm || dataDigest(rendering) != dataDigest(cm) {
		return nil
	}
	channel := v1alpha1.Channel{
		ConfigMap: cm.Name,
		Revision:  rendering.Annotations[v1alpha1.AnnotationRevision],
		Digest:    rendering.Annotations[v1alpha1.AnnotationDigest],
	}
	version, ok := versionOf(run.contract.Name, channel.Revision)
	if !ok || renderingOf(channel) != rendering.Name || publish.ChannelName(run.contract.Name, version.Line()) != cm.Name {
		return nil
	}
	channel.Line = version.Line()
	return &channel
}

// own returns the ConfigMap of a name if it is this contract's, else nil.
func (run *contractRun) own(name string) *corev1.ConfigMap {
	if cm := run.configMaps[name]; cm != nil && ownerOf(cm, run.contract) == ours {
		return cm
	}
	return nil
}

// renderingOf names the immutable ConfigMap that a channel copies.
func renderingOf(channel v1alpha1.Channel) string {
	return channel.Revision + "-" + publish.ShortDigest(channel.Digest)
}

// versionOf reads the version from the name of a revision.
func versionOf(contractName, revision string) (version contract.Version, ok bool) {
	text, ok := strings.CutPrefix(revision, contractName+"-v")
	version, err := contract.ParseVersion(text)
	return version, ok && err == nil
}

// renderedVersion reads the version from the name of a rendering; a channel's
// name has none.
func renderedVersion(contractName, rendering string) (version contract.Version, ok bool) {
	end := strings.LastIndexByte(rendering, '-')
	if end < 0 {
		return contract.Version{}, false
	}
	return versionOf(contractName, rendering[:end])
}
