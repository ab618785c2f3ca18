// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/toolset"
)

// Bounds of the lists in a set's status.
const (
	maxUnresolved  = 8
	maxSetFindings = 5
	maxSplit       = 8
	maxSplitNames  = 5
)

// status computes the status of the set after a run.
func (run *setRun) status(err error) v1alpha1.ToolSetStatus {
	old := run.set.Status
	status := v1alpha1.ToolSetStatus{
		ObservedGeneration: run.set.Generation,
		ToolsReady:         run.toolsReady(),
	}
	verdicts := run.verdicts(err)
	status.Conditions = withVerdicts(old.Conditions, verdicts, run.set.Generation)
	unresolved := run.unresolved()
	for _, m := range unresolved[:min(maxUnresolved, len(unresolved))] {
		status.Unresolved = append(status.Unresolved, v1alpha1.UnresolvedTool{
			Pointer: m.pointer, Contract: m.key.String(), Reason: m.verdict.reason,
			Message: finding.Clip(m.verdict.message, 300), Kept: run.isKept(m),
		})
	}
	status.Summary = verdicts[0].Reason
	if len(unresolved) > 0 {
		status.Summary += fmt.Sprintf("; unresolved: %d", len(unresolved))
	}
	for _, r := range run.results {
		before, _ := statusOf(old.Profiles, r.spec.Profile)
		status.Profiles = append(status.Profiles, run.profileStatus(r, before))
	}
	return fitSet(status)
}

// toolsReady counts the members that are published for every profile.
func (run *setRun) toolsReady() string {
	ready := 0
	for i, m := range run.members {
		everywhere := !slices.ContainsFunc(run.results, func(r *profileResult) bool { return !r.holds(i, m.key) })
		if everywhere {
			ready++
		}
	}
	return fmt.Sprintf("%d/%d", ready, len(run.members))
}

// holds reports whether a member is published for a profile after the run.
func (r *profileResult) holds(place int, key types.NamespacedName) bool {
	if r.bundle == nil || r.failure != nil || r.bundle != r.result {
		_, served := r.last.find(key)
		return served
	}
	at := slices.Index(r.of, place)
	return at >= 0 && r.result.Tools[at].Included
}

// profileStatus is the result for one profile. What is served speaks for itself;
// its measures are those of the run that published it.
func (run *setRun) profileStatus(r *profileResult, before v1alpha1.SetProfileStatus) v1alpha1.SetProfileStatus {
	s := v1alpha1.SetProfileStatus{
		Profile: r.spec.Profile, Tools: bounded(r.published()), Wanted: bounded(len(run.members)),
		Strict: before.Strict, Tokens: before.Tokens, Bytes: before.Bytes,
	}
	if last := run.lastPublished(r.spec.Profile); last != nil {
		s.ConfigMap, s.Digest = publish.SetName(run.set.Name, r.spec.Profile), last.digest
		s.Rendering = publish.SetRenderingName(run.set.Name, r.spec.Profile, last.digest)
	}
	if r.bundle != nil && r.failure == nil {
		s.Strict, s.Tokens, s.Bytes = bounded(r.bundle.Strict), bounded(r.bundle.Tokens), bounded(r.bundle.Bytes)
	}
	s.Consumers = before.Consumers
	if consumers, known := run.consumers(r.spec.Profile); known { // otherwise those of before stand
		s.Consumers = consumers[:min(maxConsumers, len(consumers))]
	}
	if r.result == nil {
		return s
	}
	for _, t := range r.result.Tools {
		switch {
		case !t.Included && len(s.Excluded) < maxSetFindings:
			s.Excluded = append(s.Excluded, run.toolFinding(t))
		case t.Included && t.Demoted && len(s.Demoted) < maxSetFindings:
			s.Demoted = append(s.Demoted, run.toolFinding(t))
		}
	}
	for _, part := range r.result.Split[:min(maxSplit, len(r.result.Split))] {
		s.Split = append(s.Split, splitText(part))
	}
	return s
}

// splitText names the tools of one part of a split.
func splitText(contracts []string) string {
	shown := contracts[:min(maxSplitNames, len(contracts))]
	text := strings.Join(shown, ", ")
	if more := len(contracts) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return finding.Clip(text, 512)
}

func (run *setRun) toolFinding(t toolset.ToolResult) v1alpha1.SetToolFinding {
	name := t.Contract
	if t.Namespace != run.set.Namespace {
		name = t.Name()
	}
	return v1alpha1.SetToolFinding{
		Contract: name, Reason: t.Reason,
		Pointer: finding.Clip(finding.Printable(t.Pointer), 256), Message: finding.Clip(t.Message, 300),
	}
}

// consumers names what mounts a ConfigMap of a profile. It is not known as long
// as not everything that runs has been seen.
func (run *setRun) consumers(profile string) (consumers []string, known bool) {
	switch {
	case run.Mounts == nil:
		return nil, true
	case !run.Mounts.Ready():
		return nil, false
	}
	for _, cm := range run.ownConfigMaps() {
		if cm.Labels[v1alpha1.LabelProfile] == profile {
			consumers = append(consumers, run.Mounts.Consumers(run.set.Namespace, cm.Name)...)
		}
	}
	slices.Sort(consumers)
	return slices.Compact(consumers), true
}

func bounded(n int) int32 {
	return int32(min(n, math.MaxInt32)) //nolint:gosec // bounded right here
}

// fitSet shortens a status until it is below its bound, the least useful part
// first. What remains at the end has a fixed size.
func fitSet(status v1alpha1.ToolSetStatus) v1alpha1.ToolSetStatus {
	fits := func() bool {
		text, err := json.Marshal(status)
		return err != nil || len(text) <= maxStatus
	}
	for keep := maxSplit - 1; keep >= 0 && !fits(); keep-- {
		for i := range status.Profiles {
			p := &status.Profiles[i]
			p.Split = p.Split[:min(keep, len(p.Split))]
			p.Demoted = p.Demoted[:min(keep, len(p.Demoted))]
			p.Consumers = p.Consumers[:min(keep, len(p.Consumers))]
			p.Excluded = p.Excluded[:min(max(1, keep), len(p.Excluded))]
		}
	}
	for keep := maxUnresolved - 1; keep > 0 && !fits(); keep-- {
		status.Unresolved = status.Unresolved[:min(keep, len(status.Unresolved))]
	}
	for i := range status.Profiles {
		if !fits() {
			status.Profiles[i].Excluded = nil
		}
	}
	for limit := maxMessage / 2; limit >= 128 && !fits(); limit /= 2 {
		for i := range status.Conditions {
			status.Conditions[i].Message = finding.Clip(status.Conditions[i].Message, limit)
		}
	}
	if !fits() {
		status.Unresolved = nil
	}
	return status
}
