// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/publish"
)

// A line is retired in two steps. The run that publishes what the contract says
// computes which lines are beyond those that are served, and the status says so;
// that write fails if the contract has changed meanwhile. A later run, which
// reads it there, deletes the channels. So no channel is deleted on what a cache
// shows late, and a process that dies in between leaves nothing to guess.

// retiredLine is the highest retired line as the status is to say it. Nothing is
// retired by a change that is refused.
func (run *contractRun) retiredLine() string {
	before := run.retiredBefore()
	if run.evaluation == nil || !run.evaluation.Publishable() {
		return before
	}
	lines := slices.Collect(maps.Keys(run.lines()))
	if version := run.evaluation.Content.Version; !version.IsPrerelease() {
		lines = append(lines, version.Line())
	}
	return evaluate.Retired(lines, evaluate.ServedLines(&run.contract.Spec), before)
}

// retire deletes the channels of lines that are retired, unless something mounts
// them.
func (run *contractRun) retire(ctx context.Context) error {
	for _, name := range run.ownChannels() {
		if !run.leaves(name) {
			continue
		}
		if err := run.deleteExactly(ctx, run.configMaps[name]); err != nil {
			return fmt.Errorf("deleting ConfigMap %s of a retired line: %w", name, err)
		}
		delete(run.configMaps, name)
		run.touched = true
	}
	return nil
}

// leaves reports whether a channel is one that [contractRun.retire] deletes.
func (run *contractRun) leaves(configMap string) bool {
	line, ok := run.channelLine(configMap)
	if !ok || evaluate.CompareLines(line, run.contract.Status.RetiredLine) > 0 || line == lineOf(run.contract.Spec.Version) {
		return false
	}
	consumers, known := run.consumers(configMap)
	return known && len(consumers) == 0
}

// consumers names what mounts a channel, and the sets that follow it. It is not
// known as long as not everything that runs has been seen.
func (run *contractRun) consumers(configMap string) (consumers []string, known bool) {
	if line, ok := run.channelLine(configMap); ok {
		consumers = run.followers.lines[line]
	}
	switch {
	case run.Mounts == nil:
		return consumers, true
	case !run.Mounts.Ready():
		return nil, false
	}
	consumers = append(slices.Clone(consumers), run.Mounts.Consumers(run.contract.Namespace, configMap)...)
	slices.Sort(consumers)
	return consumers, true
}

// pinned are the versions that a set names, and those of which something mounts a
// rendering. While that is not known, all are of which there is a revision: a version that may be mounted
// and cannot be compared with must not stop an author for ever.
func (run *contractRun) pinned() []contract.Version {
	known := run.Mounts == nil || run.Mounts.Ready()
	var out []contract.Version
	for name := range pinsOf(run.Mounts, run.contract, run.configMaps).renderings {
		version, ok := renderedVersion(run.contract.Name, name)
		if ok && (known || frozenContent(run.revisions[publish.RevisionName(run.contract.Name, version)]) != nil) {
			out = append(out, version)
		}
	}
	for _, version := range run.followers.versions {
		revision := run.revisions[publish.RevisionName(run.contract.Name, version)]
		if revision != nil && ownerOf(revision, run.contract) == ours && frozenContent(revision) != nil {
			out = append(out, version)
		}
	}
	return out
}

// pins are the children of a contract that something beside it relies on. They
// are never collected, whatever the limit.
type pins struct {
	// revisions are names of ToolRevisions.
	revisions map[string]bool
	// renderings are names of immutable ConfigMaps.
	renderings map[string]bool
}

// pinsOf are the renderings that something mounts, with their revisions.
func pinsOf(mounts Mounts, c *v1alpha1.ToolContract, configMaps map[string]*corev1.ConfigMap) pins {
	p := pins{revisions: map[string]bool{}, renderings: map[string]bool{}}
	if mounts == nil {
		return p
	}
	ready := mounts.Ready()
	for name, cm := range configMaps {
		version, ok := renderedVersion(c.Name, name)
		if !ok || ownerOf(cm, c) != ours || ready && len(mounts.Consumers(c.Namespace, name)) == 0 {
			continue
		}
		p.renderings[name] = true
		p.revisions[publish.RevisionName(c.Name, version)] = true
	}
	return p
}
