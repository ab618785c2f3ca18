// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// Acknowledgement is a person's word that a finding is acceptable. It is valid
// for one version only, so that it can never silence a later change.
type Acknowledgement struct{ Version, Rule, Path, Reason string }

// Acknowledge lowers the findings that a person has accepted for this version
// to Minor: those about declared meaning, and those that could not be proved.
// A Refuted finding is never lowered; its counter-example stays true whatever
// anybody says. It returns the entries that lowered something, in their order.
func (r Report) Acknowledge(version contract.Version, acks []Acknowledgement) (Report, []Acknowledgement) {
	findings := slices.Clone(r.Findings)
	used := make([]bool, len(acks))
	for i := range findings {
		f := &findings[i]
		if f.Bump != contract.Major || !f.acknowledgeable() {
			continue
		}
		at := slices.IndexFunc(acks, func(a Acknowledgement) bool {
			return a.Version == version.String() && a.Rule == f.Rule && a.Path == f.Pointer
		})
		if at < 0 {
			continue
		}
		used[at] = true
		f.Bump = contract.Minor
		f.Message += " (acknowledged: " + finding.Clip(acks[at].Reason, maxReason) + ")"
	}
	var entries []Acknowledgement
	for i, a := range acks {
		if used[i] {
			entries = append(entries, a)
		}
	}
	return newReport(r.Declared, findings), entries
}

// acknowledgeable reports whether a person's word can lower the finding: not
// against a counter-example, and not for places that nobody has seen.
func (f Finding) acknowledgeable() bool {
	return f.Proof != Refuted && !strings.HasSuffix(f.Rule, moreDifferences)
}

// maxReason bounds a reason that is repeated in a message, in bytes.
const maxReason = 120
