// SPDX-License-Identifier: Apache-2.0

package lint

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// Report is what lint says of a contract.
type Report struct {
	// Findings are those that stand, in their order.
	Findings []finding.Finding
	// Acknowledged are those that a person has accepted. They are Info, and their
	// message ends with the person's reason.
	Acknowledged []finding.Finding
}

// Judge is [Content] after [Acknowledge].
func Judge(c *contract.Content, acks []Acknowledgement) Report {
	open, accepted := Acknowledge(Content(c), acks)
	return Report{Findings: open, Acknowledged: accepted}
}

// Count is the number of findings of a severity that stand.
func (r Report) Count(severity finding.Severity) int { return finding.Count(r.Findings, severity) }

// All are the findings that stand and those that are accepted, in their order.
func (r Report) All() []finding.Finding {
	return finding.Sort(slices.Concat(r.Findings, r.Acknowledged))
}

// Acknowledgement is a person's word that a finding is acceptable. Only entries
// without a version are about lint; the others belong to changes.
type Acknowledgement struct{ Version, Rule, Path, Reason string }

// RuleUnusedAcknowledgement is the rule of an entry that accepts nothing. It has
// the name that changes use for theirs.
const RuleUnusedAcknowledgement = "acknowledgement-unused"

// Acknowledge divides findings into those that stand and those that a person has
// accepted. An entry without a version that accepts nothing becomes an Info at
// /spec/acknowledge/<its index> among those that stand. One for a rule about
// several tools is passed over: whether it accepts something shows only beside
// the other tools.
func Acknowledge(findings []finding.Finding, acks []Acknowledgement) (open, accepted []finding.Finding) {
	used := make([]bool, len(acks))
	for _, f := range findings {
		at := slices.IndexFunc(acks, func(a Acknowledgement) bool { return a.covers(f) })
		if at < 0 {
			open = append(open, f)
			continue
		}
		used[at] = true
		f.Severity = finding.Info
		f.Message += " (acknowledged: " + finding.Clip(acks[at].Reason, maxReason) + ")"
		accepted = append(accepted, f)
	}
	for i, a := range acks {
		if a.Version == "" && !used[i] && !seenElsewhere(a.Rule) && !cut(findings, a.Rule) {
			open = append(open, a.unused(i, acks[:i]))
		}
	}
	return finding.Sort(open), finding.Sort(accepted)
}

func (a Acknowledgement) covers(f finding.Finding) bool {
	return a.Version == "" && a.Rule == f.Rule && a.Path == f.Pointer
}

// seenElsewhere reports whether a rule is about several tools.
func seenElsewhere(rule string) bool {
	return slices.ContainsFunc(similarRules, func(r Rule) bool { return r.ID == rule })
}

// cut reports whether there may be more findings of a rule than are listed.
func cut(findings []finding.Finding, rule string) bool {
	n := 0
	for _, f := range findings {
		if f.Rule == rule {
			n++
		}
	}
	return n >= maxPerRule
}

// unused says why an entry accepts nothing.
func (a Acknowledgement) unused(index int, before []Acknowledgement) finding.Finding {
	why := "there is no such finding"
	if slices.ContainsFunc(before, func(b Acknowledgement) bool { return b.Version == "" && b.Rule == a.Rule && b.Path == a.Path }) {
		why = "another entry says the same"
	} else if _, known := Lookup(a.Rule); !known {
		why = "lint has no such rule; an entry about a change names its version"
	}
	return finding.Finding{
		Rule: RuleUnusedAcknowledgement, Severity: finding.Info, Side: finding.Contract,
		Pointer: finding.Pointer("/spec/acknowledge", strconv.Itoa(index)),
		Message: fmt.Sprintf("the acknowledgement of rule %s at path %s accepts nothing: %s", finding.Quote(a.Rule), finding.Quote(a.Path), why),
		Fix:     "remove it, or give it the rule and the path of a finding",
	}
}

// maxReason bounds a reason that is repeated in a message, in bytes.
const maxReason = 120
