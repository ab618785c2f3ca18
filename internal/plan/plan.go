// SPDX-License-Identifier: Apache-2.0

package plan

import (
	"encoding/json"

	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/finding"
)

// SchemaVersion names the form of a plan. Members are only added under it.
const SchemaVersion = "toolcontract.dev/plan/v1"

// Plan is what would happen. It has an entry for each contract and set that the
// manifests have or that would change, by namespace and name.
type Plan struct {
	SchemaVersion string     `json:"schemaVersion"`
	Against       Against    `json:"against"`
	Contracts     []Contract `json:"contracts"`
	Sets          []Set      `json:"sets"`
	// NotRead are kinds of objects that could not be read, so that the plan knows
	// nothing of them.
	NotRead []string `json:"notRead,omitempty"`
	Summary Summary  `json:"summary"`
}

// Against says what the manifests are held against.
type Against struct {
	// Kind is Nothing, Git or Cluster.
	Kind string `json:"kind"`
	// Ref is the commit, by its full name.
	Ref string `json:"ref,omitempty"`
}

// Change is what would happen to an object.
type Change string

// The changes.
const (
	New       Change = "New"
	Changed   Change = "Changed"
	Unchanged Change = "Unchanged"
	Removed   Change = "Removed"
	// Refused objects go on serving what they serve.
	Refused Change = "Refused"
)

// Impact is how much of a change it is for agents, None < Patch < Minor < Major < Refused.
type Impact string

// The impacts.
const (
	ImpactNone    Impact = "None"
	ImpactPatch   Impact = "Patch"
	ImpactMinor   Impact = "Minor"
	ImpactMajor   Impact = "Major"
	ImpactRefused Impact = "Refused"
)

var impacts = []Impact{ImpactNone, ImpactPatch, ImpactMinor, ImpactMajor, ImpactRefused}

// AtLeast reports whether an impact is as great as another one.
func (i Impact) AtLeast(other Impact) bool { return rank(i) >= rank(other) }

func rank(i Impact) int {
	for at, known := range impacts {
		if known == i {
			return at
		}
	}
	return 0
}

func (i *Impact) raise(to Impact) {
	if rank(to) > rank(*i) {
		*i = to
	}
}

// Contract is what would happen to a contract.
type Contract struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	ToolName  string `json:"toolName,omitempty"`
	// File and Line are where the manifest is; empty for a contract without one.
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Change Change `json:"change"`
	Impact Impact `json:"impact"`
	// Serving is the version that agents of the line get now, or of the newest line
	// if this one is new; empty for none.
	Serving string `json:"serving,omitempty"`
	Version string `json:"version,omitempty"`
	// Revision is that of the version, if it is accepted.
	Revision *Revision `json:"revision,omitempty"`
	// Bump is there if the content was compared with another version.
	Bump *Bump `json:"bump,omitempty"`
	// Refusals are why nothing new is published.
	Refusals []Refusal `json:"refusals,omitempty"`
	// Lines are those whose bytes or version would change, or that keep what would
	// not be published now; the newest first.
	Lines   []Line   `json:"lines,omitempty"`
	Targets []Target `json:"targets,omitempty"`
	// Sets hold the contract, as namespace/name.
	Sets []string `json:"sets,omitempty"`
	// Workloads mount a ConfigMap of the contract whose bytes would change or go, as
	// Kind/name.
	Workloads []string `json:"workloads,omitempty"`
}

// Revision is a ToolRevision.
type Revision struct {
	Name string `json:"name"`
	// Digest is that of the content.
	Digest string `json:"digest"`
	// New says that it is not there yet.
	New bool `json:"new"`
}

// Bump is what a change of content needs and says.
type Bump struct {
	From     string `json:"from"`
	Required string `json:"required"`
	Declared string `json:"declared"`
	// Findings are the differences, the highest bump first.
	Findings []Difference `json:"findings"`
}

// Difference is one difference between two contents.
type Difference struct {
	Rule    string          `json:"rule"`
	Side    finding.Side    `json:"side"`
	Pointer string          `json:"pointer"`
	Bump    string          `json:"bump"`
	Proof   change.Proof    `json:"proof"`
	Witness json.RawMessage `json:"witness,omitempty"`
	Message string          `json:"message"`
	Fix     string          `json:"fix,omitempty"`
}

// Refusal is a reason of a condition, or of the API server, and what is wrong with
// the way out.
type Refusal struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// Line is what would happen to a line of a contract.
type Line struct {
	Line string `json:"line"`
	// Change is New, Changed, Removed (the line is retired) or Refused (it keeps
	// what would not be published now).
	Change Change `json:"change"`
	// From and To are versions; they are equal if only the bytes change.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	// ConfigMap is the one that agents mount, Rendering the immutable one.
	ConfigMap string `json:"configMap"`
	Rendering string `json:"rendering,omitempty"`
	Message   string `json:"message,omitempty"`
}

// Target is what would happen to a contract for one profile.
type Target struct {
	Profile string `json:"profile"`
	// Change is New, Changed, Unchanged, Removed or Refused (the provider does not
	// take it).
	Change Change `json:"change"`
	// Before and After are what is served; absent for nothing.
	Before *ServedTarget `json:"before,omitempty"`
	After  *ServedTarget `json:"after,omitempty"`
	// Findings are those of the target that are no mere notes.
	Findings []Note `json:"findings,omitempty"`
}

// Note is a finding.
type Note struct {
	Rule     string           `json:"rule"`
	Severity finding.Severity `json:"severity"`
	Side     finding.Side     `json:"side"`
	Pointer  string           `json:"pointer"`
	Message  string           `json:"message"`
	Fix      string           `json:"fix,omitempty"`
}

// Set is what would happen to a set.
type Set struct {
	Namespace string       `json:"namespace"`
	Name      string       `json:"name"`
	File      string       `json:"file,omitempty"`
	Line      int          `json:"line,omitempty"`
	Change    Change       `json:"change"`
	Impact    Impact       `json:"impact"`
	Refusals  []Refusal    `json:"refusals,omitempty"`
	Profiles  []SetProfile `json:"profiles,omitempty"`
	// Unresolved are the references that lead nowhere, or where they may not.
	Unresolved []Unresolved `json:"unresolved,omitempty"`
}

// Unresolved is a reference without a tool.
type Unresolved struct {
	Pointer  string `json:"pointer"`
	Contract string `json:"contract"`
	Reason   string `json:"reason"`
	// Kept says that the tool stays published as it was.
	Kept    bool   `json:"kept"`
	Message string `json:"message"`
}

// SetProfile is what would happen to a set for one profile.
type SetProfile struct {
	Profile string `json:"profile"`
	Change  Change `json:"change"`
	// ConfigMap is the one that agents mount, Rendering the immutable one with the
	// same bytes, Digest that of both.
	ConfigMap string `json:"configMap"`
	Rendering string `json:"rendering,omitempty"`
	Digest    string `json:"digest,omitempty"`
	// Tools and Tokens are those of every request, before and after.
	Tools  Count `json:"tools"`
	Tokens Count `json:"tokens"`
	// TokenBudget is what the set allows; 0 for no budget.
	TokenBudget int `json:"tokenBudget,omitempty"`
	// Added and Dropped are tools, as namespace/contract.
	Added   []string `json:"added,omitempty"`
	Dropped []string `json:"dropped,omitempty"`
	// Excluded are the tools that cannot be in the request.
	Excluded []Excluded `json:"excluded,omitempty"`
	// Prefix says how much of the list of tools stays, byte for byte from its start:
	// that is what a cache of prompts can use again.
	Prefix    *Prefix  `json:"prefix,omitempty"`
	Message   string   `json:"message,omitempty"`
	Findings  []Note   `json:"findings,omitempty"`
	Workloads []string `json:"workloads,omitempty"`
}

// Count is a number before and after.
type Count struct {
	Before int `json:"before"`
	After  int `json:"after"`
}

// Excluded is a tool that is left out.
type Excluded struct {
	Contract string `json:"contract"`
	Reason   string `json:"reason"`
	Message  string `json:"message"`
}

// Prefix compares two lists of tools from their start.
type Prefix struct {
	// Same says that the lists are equal.
	Same bool `json:"same"`
	// Tools is how many entries at the start are equal, Before and After how many
	// the lists have.
	Tools  int `json:"tools"`
	Before int `json:"before"`
	After  int `json:"after"`
}

// Summary counts the contracts and sets by what would happen.
type Summary struct {
	Contracts Counts `json:"contracts"`
	Sets      Counts `json:"sets"`
	// NewRevisions counts the versions that would be used up.
	NewRevisions int    `json:"newRevisions"`
	Impact       Impact `json:"impact"`
}

// Counts are numbers by [Change].
type Counts struct {
	New       int `json:"new"`
	Changed   int `json:"changed"`
	Unchanged int `json:"unchanged"`
	Removed   int `json:"removed"`
	Refused   int `json:"refused"`
}

func (c *Counts) add(what Change) {
	switch what {
	case New:
		c.New++
	case Changed:
		c.Changed++
	case Unchanged:
		c.Unchanged++
	case Removed:
		c.Removed++
	case Refused:
		c.Refused++
	}
}
