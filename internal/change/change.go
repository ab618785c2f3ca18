// SPDX-License-Identifier: Apache-2.0

package change

import (
	"cmp"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// CheckerVersion names the rules that judged a change: the version of the
// containment prover and that of the rules of this package. A revision records
// it; a newer checker never takes back what an older one accepted.
const CheckerVersion = "contain-3/change-3"

// Proof says what a finding rests on.
type Proof string

const (
	// Proven findings follow from a containment that holds.
	Proven Proof = "Proven"
	// Refuted findings have a counter-example. They can never be acknowledged.
	Refuted Proof = "Refuted"
	// Unknown findings assume the worst, because no proof was found.
	Unknown Proof = "Unknown"
	// Declared findings follow from what the author declares, which no schema
	// check can see: a default, a risk, an error code.
	Declared Proof = "Declared"
)

// Finding is one difference between two contents.
type Finding struct {
	// Finding says it to a reader. Its pointer leads into the new contract, or
	// into the old one if only that has the place.
	finding.Finding
	// OldPointer is the same place in the old contract. It is another pointer than
	// that of the finding only if both contracts have the place and it moved.
	OldPointer string
	// Bump is what this finding alone requires.
	Bump contract.Bump
	// Proof is what Bump rests on.
	Proof Proof
	// Witness is the counter-example of a Refuted finding. It is left out if it is
	// longer than people read, or if the data classification forbids examples.
	Witness *schema.Value
}

// Report is what a change requires.
type Report struct {
	// Required is the highest bump of all findings.
	Required contract.Bump
	// Declared is the bump between the two versions.
	Declared contract.Bump
	// Findings are sorted: the highest bump first, then as everywhere.
	Findings []Finding
}

// Sufficient reports whether the new version says what it changes.
func (r Report) Sufficient() bool { return r.Declared >= r.Required }

// Compare judges the step from one content to another. Required is None only
// if the two are equal apart from the version; anything else is at least a
// Patch, and a difference that no rule knows is a Major. The version newLine
// begins a line that is not used yet: it is the way out that a Major names.
func Compare(old, next *contract.Content, newLine contract.Version) Report {
	return compareWith(nil, old, next, newLine)
}

func compareWith(checker *Checker, old, next *contract.Content, newLine contract.Version) Report {
	c := comparison{
		checker: checker, old: old, new: next, newLine: newLine,
		declaredBump: contract.BumpBetween(old.Version, next.Version),
		hidden:       hidesExamples(old) || hidesExamples(next),
		ledger:       newLedger(old, next),
	}
	if !old.SameMeaning(next) {
		c.tool()
		c.types()
		c.input()
		c.output()
		c.promises()
		c.execution()
		c.unjudged()
		c.sayNoise()
	}
	return newReport(c.declaredBump, c.findings)
}

// comparison collects the findings of one step.
type comparison struct {
	checker  *Checker
	old, new *contract.Content
	newLine  contract.Version
	// declaredBump is what the two versions say.
	declaredBump contract.Bump
	// hidden leaves out values that the data classification protects.
	hidden   bool
	ledger   *ledger
	noise    noise
	lexicon  *lexicon
	findings []Finding
	// said are the findings by what they say: what stands in $defs is said once,
	// however many places refer to it.
	said map[string]bool
}

func hidesExamples(c *contract.Content) bool {
	switch c.Execution.DataClassification {
	case "Confidential", "Restricted":
		return true
	}
	return false
}

// newReport sorts findings and decides what blocks: a finding is an Error if
// the declared bump is smaller than what it requires; otherwise nothing is left
// to do.
func newReport(declared contract.Bump, findings []Finding) Report {
	r := Report{Declared: declared, Findings: findings}
	for i := range r.Findings {
		f := &r.Findings[i]
		r.Required = max(r.Required, f.Bump)
		switch {
		case f.Bump > declared:
			f.Severity = finding.Error
		case f.Severity != finding.Warning:
			f.Severity, f.Fix = finding.Info, ""
		}
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Bump, a.Bump), finding.Compare(a.Finding, b.Finding))
	})
	return r
}
