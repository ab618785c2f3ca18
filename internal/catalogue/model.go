// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"iter"

	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/toolset"
)

// Model is what a catalogue shows.
type Model struct {
	// Title heads every page.
	Title string
	// Source says where everything was read, in a sentence without a period.
	Source string
	// Notes say what the catalogue lacks.
	Notes []string
	// Contracts yields the contracts in the order of [Name.Compare], each name once.
	Contracts iter.Seq[*Contract]
	// Sets are in the order of [Name.Compare], each name once.
	Sets []*Set
	// Profiles knows the facts of the profiles that targets name.
	Profiles *provider.Catalog
}

// Contract is one contract with everything that was found about it.
type Contract struct {
	Name
	// Origin is the file and the line, empty for a contract of a cluster.
	Origin string
	// ToolName is as it is written, as far as it can be read.
	ToolName string
	// Content is nil if the contract is not valid; then there are no targets.
	Content *contract.Content
	// Findings are about the contract, whatever the target.
	Findings []finding.Finding
	// Wanted are the profiles of the targets, also of a contract that is not valid.
	Wanted  []string
	Targets []evaluate.Target
	// Lint is what the lint rules say of it, Similar what they say of it beside the
	// others of its namespace.
	Lint    lint.Report
	Similar []finding.Finding
	// Digest is that of the files that are published, empty if nothing can be.
	Digest string
	// Revisions are the versions that are known, the lowest first.
	Revisions []Revision
	// Broken are manifests of this name that are not valid, beside one that is.
	Broken []Broken
	// Conditions are those of the status, for a contract of a cluster.
	Conditions []Condition
	// Channels are what a cluster serves.
	Channels []Channel
}

// Revision is one version of a contract.
type Revision struct {
	Content *contract.Content
	// Origin is the file and the line, or the name of the ToolRevision.
	Origin string
	// Before is the content that it was compared with, nil for the first of a
	// contract; Change is what the comparison found.
	Before *contract.Content
	Change change.Report
}

// Refused reports whether the version does not say what it changes. A pre-release
// promises nothing.
func (r Revision) Refused() bool {
	return r.Before != nil && !r.Content.Version.IsPrerelease() && !r.Change.Sufficient()
}

// Broken is a manifest that is not valid.
type Broken struct {
	Origin, Version string
	Findings        []finding.Finding
}

// Condition is a condition of a status.
type Condition struct{ Type, Status, Reason, Message string }

// Channel is what one line serves.
type Channel struct{ Line, Revision, ConfigMap, Digest string }

// Set is one set with everything that was found about it.
type Set struct {
	Name
	Origin string
	// Findings are about the set, whatever the profile; with an error among them
	// there may be no profiles.
	Findings []finding.Finding
	Lint     lint.Report
	Profiles []SetProfile
}

// SetProfile is a set for one profile.
type SetProfile struct {
	Profile  string
	Models   []string
	Findings []finding.Finding
	// Result is nil if there is none. Its bundle and the findings of its tools are
	// not read: whoever makes the model can drop them.
	Result *toolset.Result
	// TokenBudget is the most tokens that the set allows, zero for no bound.
	TokenBudget int
	// Digest is that of the files, empty if nothing can be published.
	Digest string
}

// Summary counts what a catalogue shows.
type Summary struct {
	// Invalid contracts are not valid, Refused ones have a version that does not
	// say what it changes.
	Contracts, Invalid, Refused, Sets int
	// Results are the pairs of contract and profile, by what came out.
	Results, Strict, OK, Excluded, Failed int
	// Errors and Warnings are findings.
	Errors, Warnings int
	Files, Bytes     int
}
