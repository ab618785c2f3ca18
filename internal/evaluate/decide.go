// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// Decision says whether a version is accepted and why.
type Decision struct {
	Accepted bool
	// Reason is the reason of the VersionAccepted condition.
	Reason string
	// Message explains it in one paragraph, with the way out if it is refused.
	Message string
	// Findings are the differences to the version that decided, which is Over, and
	// Required and Declared the bumps between the two. All are zero if nothing was
	// compared.
	Findings           []change.Finding
	Over               contract.Version
	Required, Declared contract.Bump
	// Used are the acknowledgements that acceptance rests on.
	Used []v1alpha1.Acknowledgement
}

// Decide judges a version in this order; the first that applies decides:
//
//  1. of a line that is retired, or older than the lines that are served:
//     VersionNotHigher, whatever was issued;
//  2. issued before with this content: accepted (re-apply, rollback);
//  3. issued before with other content: RevisionConflict;
//  4. not higher than every version issued in its line: VersionNotHigher;
//  5. a pre-release: accepted, it moves no channel and promises nothing;
//  6. the first version of its line: accepted, whatever its number;
//  7. the bump declared against the highest issued, the served and every mounted
//     version of the line must suffice for the change against each of them.
func Decide(content *contract.Content, history History, acks []v1alpha1.Acknowledgement) Decision {
	version, line := content.Version, content.Version.Line()
	if refusal, retired := history.retired(version); retired {
		return refusal
	}
	if digest, issued := history.find(version); issued {
		if digest == content.Digest() {
			return Decision{
				Accepted: true, Reason: v1alpha1.ReasonAccepted,
				Message: fmt.Sprintf("%s is issued with this content", version),
			}
		}
		return refused(v1alpha1.ReasonRevisionConflict,
			fmt.Sprintf("/spec/version: %s was already issued with other content%s, and agents may run it",
				version, differing(history, content)),
			fmt.Sprintf("restore the content of %s, or set a higher version", version))
	}
	if highest, found := history.highest(line, false); found && version.Compare(highest) <= 0 {
		return refused(v1alpha1.ReasonVersionNotHigher,
			fmt.Sprintf("/spec/version: %s is not higher than %s, the highest version issued in line %s", version, highest, line),
			fmt.Sprintf("set a version above %s, or the exact content of an issued version to roll back", highest))
	}
	accepted := Decision{Accepted: true, Reason: v1alpha1.ReasonAccepted}
	if version.IsPrerelease() {
		accepted.Message = fmt.Sprintf("%s is a pre-release; it moves no channel", version)
		return accepted
	}
	old := history.predecessors(line)
	if len(old) == 0 {
		accepted.Message = fmt.Sprintf("%s is the first version of line %s", version, line)
		return accepted
	}
	return accepted.compare(content, old, history, acks)
}

// compare applies step 7 to each predecessor; the first that refuses decides.
func (d Decision) compare(content *contract.Content, old []contract.Version, history History, acks []v1alpha1.Acknowledgement) Decision {
	entries := acknowledgements(acks)
	used := map[change.Acknowledgement]bool{}
	newLine := history.newLine(content.Version)
	for _, predecessor := range old {
		before := history.content(predecessor)
		if before == nil {
			return refused(v1alpha1.ReasonMajorBumpRequired,
				fmt.Sprintf("/spec/version: the revision of %s is gone, so the change to %s cannot be judged", predecessor, content.Version),
				fmt.Sprintf("set version %s", newLine))
		}
		report, matched := history.Checker.Compare(before, content, newLine).Acknowledge(content.Version, entries)
		for _, m := range matched {
			used[m] = true
		}
		declared := contract.BumpBetween(predecessor, content.Version)
		if declared < report.Required {
			report.Findings, _ = unusedEntries(report.Findings, entries, used)
			return insufficient(predecessor, content.Version, declared, report)
		}
		if d.Message == "" {
			d.Findings, d.Over, d.Required, d.Declared = report.Findings, predecessor, report.Required, declared
			d.Message = fmt.Sprintf("%s is a %s bump over %s and the change needs %s", content.Version, declared, predecessor, report.Required)
		}
	}
	for i, entry := range entries {
		if used[entry] {
			d.Used = append(d.Used, acks[i])
		}
	}
	var unused []finding.Finding
	if d.Findings, unused = unusedEntries(d.Findings, entries, used); len(unused) > 0 {
		d.Message += "; " + finding.Summary(unused, maxDifferences)
	}
	return d
}

// unusedEntries picks the findings about acknowledgements that lowered nothing. An
// entry that another comparison used is not one of them, and its finding is
// dropped.
func unusedEntries(findings []change.Finding, entries []change.Acknowledgement, used map[change.Acknowledgement]bool) (kept []change.Finding, unused []finding.Finding) {
	for _, f := range findings {
		if f.Rule == change.RuleUnusedAcknowledgement {
			tokens := finding.Tokens(f.Pointer)
			if i, err := strconv.Atoi(tokens[len(tokens)-1]); err == nil && i < len(entries) && used[entries[i]] {
				continue
			}
			unused = append(unused, f.Finding)
		}
		kept = append(kept, f)
	}
	return kept, unused
}

// differing names the first places where a content differs from the one that has
// its version, as far as that one is known.
func differing(history History, next *contract.Content) string {
	old := history.content(next.Version)
	if old == nil {
		return ""
	}
	var places []string
	for _, f := range history.Checker.Compare(old, next, next.Version.Next(contract.Major)).Findings {
		if place := f.Place(); !slices.Contains(places, place) && len(places) < maxDifferences {
			places = append(places, place)
		}
	}
	return " (it differs at " + strings.Join(places, ", ") + ")"
}

// maxDifferences is how many differences a message carries.
const maxDifferences = 3

// insufficient refuses a bump, with the differences that need more.
func insufficient(from, to contract.Version, declared contract.Bump, report change.Report) Decision {
	var needing []finding.Finding
	for _, f := range report.Findings {
		if f.Bump > declared {
			needing = append(needing, f.Finding)
		}
	}
	reason := map[contract.Bump]string{
		contract.Major: v1alpha1.ReasonMajorBumpRequired,
		contract.Minor: v1alpha1.ReasonMinorBumpRequired,
		contract.Patch: v1alpha1.ReasonPatchBumpRequired,
	}[report.Required]
	// Each difference names its own way out, so there is none for the whole.
	return Decision{
		Reason:   reason,
		Findings: report.Findings, Over: from, Required: report.Required, Declared: declared,
		Message: fmt.Sprintf("/spec/version: %s is a %s bump over %s, but the change needs %s: %s",
			to, declared, from, report.Required, finding.Summary(needing, maxDifferences)),
	}
}

func refused(reason, message, fix string) Decision {
	return Decision{Reason: reason, Message: message + ". Fix: " + fix}
}

func acknowledgements(acks []v1alpha1.Acknowledgement) []change.Acknowledgement {
	out := make([]change.Acknowledgement, len(acks))
	for i, a := range acks {
		out[i] = change.Acknowledgement{Version: a.Version, Rule: a.Rule, Path: a.Path, Reason: a.Reason}
	}
	return out
}
