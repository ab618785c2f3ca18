// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// Acknowledgement is a person's word that a finding is acceptable. It is valid
// for one version only, so that it can never silence a later change.
type Acknowledgement struct{ Version, Rule, Path, Reason string }

// RuleUnusedAcknowledgement is the rule of an entry that lowers nothing. Where
// a version is compared with several older ones, an entry is unused only if no
// comparison used it.
const RuleUnusedAcknowledgement = "acknowledgement-unused"

// Acknowledge lowers the findings that a person has accepted for this version:
// those about declared meaning, and those that could not be proved. They need a
// Minor then, or a Patch where the author only wrote down what always was. A
// Refuted finding is never lowered; its counter-example stays true whatever
// anybody says. It returns the entries that lowered something, in their order.
//
// An entry for this version that lowered nothing becomes an Info finding at
// /spec/acknowledge/<its index>. Entries for other versions, and for rules that
// are not this package's, are passed over.
func (r Report) Acknowledge(version contract.Version, acks []Acknowledgement) (Report, []Acknowledgement) {
	findings := slices.Clone(r.Findings)
	used := make([]bool, len(acks))
	for i := range findings {
		f := &findings[i]
		if f.Bump != contract.Major || !f.acknowledgeable() {
			continue
		}
		at := slices.IndexFunc(acks, func(a Acknowledgement) bool { return a.Version == version.String() && a.covers(*f) })
		if at < 0 {
			continue
		}
		used[at] = true
		f.Bump = acknowledged(f.Rule)
		f.Fix = "declare a " + word(f.Bump) + " bump"
		f.Message += " (acknowledged: " + finding.Clip(acks[at].Reason, maxReason) + ")"
	}
	var entries []Acknowledgement
	for i, a := range acks {
		switch {
		case used[i]:
			entries = append(entries, a)
		case a.Version == version.String() && owned[a.Rule]:
			findings = append(findings, r.unused(i, a))
		}
	}
	return newReport(r.Declared, findings), entries
}

func (a Acknowledgement) covers(f Finding) bool { return a.Rule == f.Rule && a.Path == f.Pointer }

// unused says why an entry lowers nothing.
func (r Report) unused(index int, a Acknowledgement) Finding {
	why := "there is no such finding"
	switch at := slices.IndexFunc(r.Findings, a.covers); {
	case at < 0:
	case r.Findings[at].Proof == Refuted:
		why = "the finding has a counter-example, which no word can change"
	case r.Findings[at].Bump < contract.Major:
		why = "the finding needs no more than " + word(r.Findings[at].Bump)
	case !r.Findings[at].acknowledgeable():
		why = "it stands for places that nobody has seen"
	default:
		why = "another entry says the same"
	}
	return Finding{
		Finding: finding.Finding{
			Rule: RuleUnusedAcknowledgement, Side: finding.Contract, Pointer: finding.Pointer("/spec/acknowledge", strconv.Itoa(index)),
			Message: fmt.Sprintf("the acknowledgement of rule %s at path %s lowers nothing in %s: %s; remove it",
				a.Rule, finding.Quote(a.Path), a.Version, why),
		},
		OldPointer: finding.Pointer("/spec/acknowledge", strconv.Itoa(index)),
		Proof:      Declared,
	}
}

// acknowledgeable reports whether a person's word can lower the finding: not
// against a counter-example, and not for places that nobody has seen.
func (f Finding) acknowledgeable() bool {
	return f.Proof != Refuted && !strings.HasSuffix(f.Rule, moreDifferences)
}

// maxReason bounds a reason that is repeated in a message, in bytes.
const maxReason = 120
