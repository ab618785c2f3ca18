// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// The words for the result of a contract for a profile.
const (
	resultCompatible   = "Compatible"
	resultIncompatible = "Incompatible"
	// resultInvalid: the contract itself is wrong, so no profile was asked.
	resultInvalid = "Invalid"
)

// resultList is the JSON output of check. Members are only added to it.
type resultList struct {
	Results []result `json:"results"`
	// Sets are there if sets were among the inputs.
	Sets []setResult `json:"sets,omitempty"`
	// Similar are lint findings about contracts of one namespace beside each other;
	// each message begins with the name of a contract.
	Similar []findingView `json:"similar,omitempty"`
	// Evidence is there if --evidence was given.
	Evidence []evidenceView `json:"evidence,omitempty"`
}

// result is one contract for one profile; profile is empty if a contract is
// too broken to say its targets.
type result struct {
	File      string `json:"file"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	ToolName  string `json:"toolName"`
	Profile   string `json:"profile"`
	// Revision of the profile and the day on which it was compared with its
	// sources; 0 and empty where no profile was asked.
	Revision int    `json:"profileRevision"`
	Reviewed string `json:"profileReviewed"`

	Strict   strictResult  `json:"strict"`
	Result   string        `json:"result"`
	Findings []findingView `json:"findings"`
	// Lint is about the contract and the same for all of its profiles. Findings
	// that are acknowledged are Info and say so.
	Lint     []findingView `json:"lint"`
	Rewrites []rewriteView `json:"rewrites"`
}

type strictResult struct {
	Asked v1alpha1.StrictPolicy `json:"asked"`
	Given bool                  `json:"given"`
}

// findingView is a finding. Pointer leads into what Side names: the manifest
// (Contract), or the author's Input or Output schema.
type findingView struct {
	Rule     string           `json:"rule"`
	Severity finding.Severity `json:"severity"`
	Side     finding.Side     `json:"side"`
	Pointer  string           `json:"pointer"`
	Keyword  string           `json:"keyword"`
	Message  string           `json:"message"`
	Fix      string           `json:"fix"`
	// Patch does what Fix says to the document that Pointer leads into, where no
	// judgement is needed. It is made for that document as it is.
	Patch []finding.Operation `json:"patch,omitempty"`
}

type rewriteView struct {
	Rule    string `json:"rule"`
	Effect  string `json:"effect"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
}

type jsonReporter struct {
	w    io.Writer
	list resultList
}

func (r *jsonReporter) contract(j *judged) { r.list.Results = append(r.list.Results, j.results()...) }

func (r *jsonReporter) end(c closing) {
	r.list.Evidence = c.evidence
	if len(c.similar) > 0 {
		r.list.Similar = findingViews(c.similar)
	}
	if r.list.Results == nil {
		r.list.Results = []result{}
	}
	encoder := json.NewEncoder(r.w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(r.list) //nolint:errchkjson // it holds texts only; the writer is buffered and reports its error when flushed
}

// results are one per target: of an invalid contract each has its findings,
// and there is one without a profile if no target is known.
func (j *judged) results() []result {
	base := result{
		File: j.File, Namespace: j.Namespace, Name: j.Name, ToolName: j.ToolName, Result: resultInvalid,
		Strict: strictResult{Asked: v1alpha1.StrictPreferred}, Findings: findingViews(j.findings),
		Lint: findingViews(j.lint.All()), Rewrites: []rewriteView{},
	}
	if len(j.targets) > 0 {
		out := make([]result, len(j.targets))
		for i, t := range j.targets {
			out[i] = base.target(j, t)
		}
		return out
	}
	if len(j.wanted) == 0 {
		return []result{base}
	}
	out := make([]result, len(j.wanted))
	for i, w := range j.wanted {
		out[i] = base
		out[i].Profile, out[i].Strict.Asked = w.Profile, evaluate.Target{Spec: w}.Asked()
	}
	return out
}

func (base result) target(j *judged, t evaluate.Target) result {
	base.Profile, base.Result = t.Spec.Profile, j.outcome(t)
	if t.Profile != nil {
		base.Revision, base.Reviewed = t.Profile.Revision, t.Profile.Reviewed
	}
	base.Strict = strictResult{Asked: t.Asked(), Given: t.Given}
	base.Findings = findingViews(finding.Sort(slices.Concat(j.findings, t.Findings)))
	base.Rewrites = make([]rewriteView, len(t.Rewrites))
	for i, r := range t.Rewrites {
		base.Rewrites[i] = rewriteView{r.Rule, r.Effect.String(), r.Pointer, r.Message}
	}
	return base
}

// outcome is the word for a target's result.
func (j *judged) outcome(t evaluate.Target) string {
	switch {
	case j.invalid():
		return resultInvalid
	case t.Compatible():
		return resultCompatible
	default:
		return resultIncompatible
	}
}

func findingViews(findings []finding.Finding) []findingView {
	out := make([]findingView, len(findings))
	for i, f := range findings {
		side := f.Side
		if side == "" {
			side = finding.Contract
		}
		out[i] = findingView{f.Rule, f.Severity, side, f.Pointer, f.Keyword, f.Message, f.Fix, f.Patch}
	}
	return out
}
