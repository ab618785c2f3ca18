// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
)

// The status remembers which versions were issued and which lines are retired,
// longer than any revision lives. A status can be lost: a backup may leave it
// out, a person may wipe it. The channels keep a copy of both in annotations,
// each for its own line, so that a new version costs no further write.

// statusLost reports whether the status has forgotten what was issued. Only then
// the annotations are read: whoever may edit a ConfigMap could write into them.
func (run *contractRun) statusLost() bool { return len(run.contract.Status.Issued) == 0 }

// withMemory adds to a channel that is about to be written what it remembers.
func (run *contractRun) withMemory(channel *corev1.ConfigMap) {
	line := channel.Labels[v1alpha1.LabelLine]
	lines := run.lines()
	lines[line] = v1alpha1.Channel{}
	newest := slices.MaxFunc(slices.Collect(maps.Keys(lines)), evaluate.CompareLines)
	retired := run.retiredLine()
	var entries []string
	for _, issued := range run.issued() {
		of := lineOf(issued.Version)
		_, hasChannel := lines[of]
		isRetired := evaluate.CompareLines(of, retired) <= 0
		if of == line || line == newest && !hasChannel && !isRetired {
			entries = append(entries, issued.Version+"="+strings.TrimPrefix(issued.Digest, digestPrefix))
		}
	}
	channel.Annotations[v1alpha1.AnnotationIssued] = strings.Join(entries, ",")
	if line == newest && retired != "" {
		channel.Annotations[v1alpha1.AnnotationRetiredLine] = retired
	}
}

// digestPrefix begins every digest; annotations leave it out.
const digestPrefix = "sha256:"

// remembered are the issued versions that the channels remember, if the status
// does not.
func (run *contractRun) remembered() []v1alpha1.IssuedVersion {
	if !run.statusLost() {
		return nil
	}
	var out []v1alpha1.IssuedVersion
	for _, name := range run.ownChannels() {
		for entry := range strings.SplitSeq(run.configMaps[name].Annotations[v1alpha1.AnnotationIssued], ",") {
			if version, digest, ok := strings.Cut(entry, "="); ok {
				out = append(out, v1alpha1.IssuedVersion{Version: version, Digest: digestPrefix + digest})
			}
		}
	}
	return out
}

// retiredBefore is the highest line that was retired before this run: what the
// status says or, if it is lost, what the channels remember.
func (run *contractRun) retiredBefore() string {
	retired := run.contract.Status.RetiredLine
	if !run.statusLost() {
		return retired
	}
	for _, name := range run.ownChannels() {
		line, _ := run.channelLine(name)
		noted := run.configMaps[name].Annotations[v1alpha1.AnnotationRetiredLine]
		// A channel can only tell of lines that are older than its own.
		if evaluate.IsLine(noted) && evaluate.CompareLines(noted, line) < 0 && evaluate.CompareLines(noted, retired) > 0 {
			retired = noted
		}
	}
	return retired
}

// ownChannels are the names of this contract's channels, whatever their labels
// say, in a fixed order.
func (run *contractRun) ownChannels() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(run.configMaps)) {
		if _, ok := run.channelLine(name); ok && run.own(name) != nil {
			out = append(out, name)
		}
	}
	return out
}

// channelLine reads the line from the name of a channel; that of a rendering has
// none.
func (run *contractRun) channelLine(configMap string) (line string, ok bool) {
	line, ok = strings.CutPrefix(configMap, run.contract.Name+"-v")
	return line, ok && evaluate.IsLine(line)
}

// issued are the versions that the status lists, the newest first.
func (run *contractRun) issued() []v1alpha1.IssuedVersion {
	kept := withinBound(run.history().Issued, 0, run.retiredLine())
	slices.SortFunc(kept, func(a, b evaluate.Issued) int { return -a.Version.Compare(b.Version) })
	out := make([]v1alpha1.IssuedVersion, len(kept))
	for i, k := range kept {
		out[i] = v1alpha1.IssuedVersion{Version: k.Version.String(), Digest: k.Digest}
	}
	return out
}

// withinBound keeps as many issued versions as the status has room for: the
// highest of each line that is not retired, which later versions are measured
// against, then the newest. The first ones, whose revisions are there, stay in
// any case.
func withinBound(all []evaluate.Issued, first int, retired string) []evaluate.Issued {
	byAge := slices.Clone(all)
	slices.SortFunc(byAge, func(a, b evaluate.Issued) int { return -a.Version.Compare(b.Version) })
	var heads, rest []evaluate.Issued
	seen := map[string]bool{}
	for _, i := range byAge {
		line := i.Version.Line()
		if !seen[line] && !i.Version.IsPrerelease() && evaluate.CompareLines(line, retired) > 0 {
			seen[line] = true
			heads = append(heads, i)
			continue
		}
		rest = append(rest, i)
	}
	kept := slices.Concat(heads, rest)
	kept = kept[:min(maxIssued, len(kept))]
	for _, i := range all[:first] {
		same := func(k evaluate.Issued) bool { return k.Version.Compare(i.Version) == 0 }
		if !slices.ContainsFunc(kept, same) {
			kept = append(kept, i)
		}
	}
	return kept
}

// lineOf is the line of a version text, empty if it is none.
func lineOf(text string) string {
	v, err := contract.ParseVersion(text)
	if err != nil {
		return ""
	}
	return v.Line()
}
