// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
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
	// Line and Column are where it is in the file, from 1, in characters.
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Keyword string `json:"keyword"`
	Message string `json:"message"`
	Fix     string `json:"fix"`
	// File is there if the finding is not inside of the result of one file.
	File string `json:"file,omitempty"`
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

// jsonReporter writes a [resultList], each result as soon as it is there: the results
// of thousands of contracts would fill the memory.
type jsonReporter struct {
	results jsonList
	rest    resultList
}

func newJSONReporter(w io.Writer) *jsonReporter {
	fmt.Fprint(w, "{\n  \"results\": [")
	return &jsonReporter{results: jsonList{w: w, indent: "    "}}
}

func (r *jsonReporter) contract(j *judged) {
	for _, one := range j.results() {
		r.results.add(one)
	}
}

func (r *jsonReporter) end(c closing) {
	r.rest.Evidence = c.evidence
	for _, l := range c.similar {
		view := findingViews(func(finding.Finding) manifest.Position { return l.at }, []finding.Finding{l.Finding})[0]
		view.File = l.file
		r.rest.Similar = append(r.rest.Similar, view)
	}
	r.results.end()
	for _, member := range []struct {
		name  string
		value any
		there bool
	}{
		{"sets", r.rest.Sets, len(r.rest.Sets) > 0},
		{"similar", r.rest.Similar, len(r.rest.Similar) > 0},
		{"evidence", r.rest.Evidence, len(r.rest.Evidence) > 0},
	} {
		if member.there {
			fmt.Fprintf(r.results.w, ",\n  %q: %s", member.name, indented(member.value, "  "))
		}
	}
	fmt.Fprint(r.results.w, "\n}\n")
}

// jsonList writes a list item by item.
type jsonList struct {
	w      io.Writer
	indent string // of an item
	n      int
}

func (l *jsonList) add(item any) {
	if l.n++; l.n > 1 {
		fmt.Fprint(l.w, ",")
	}
	fmt.Fprintf(l.w, "\n%s%s", l.indent, indented(item, l.indent))
}

func (l *jsonList) end() {
	if l.n > 0 {
		fmt.Fprint(l.w, "\n"+strings.TrimPrefix(l.indent, "  "))
	}
	fmt.Fprint(l.w, "]")
}

// indented is a value as JSON whose further lines start with an indentation.
func indented(v any, indent string) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent(indent, "  ")
	_ = encoder.Encode(v) //nolint:errchkjson // it holds texts only
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// results are one per target: of an invalid contract each has its findings,
// and there is one without a profile if no target is known.
func (j *judged) results() []result {
	base := result{
		File: j.File, Namespace: j.Namespace, Name: j.Name, ToolName: j.ToolName, Result: resultInvalid,
		Strict: strictResult{Asked: v1alpha1.StrictPreferred}, Findings: findingViews(j.position, j.findings),
		Lint: findingViews(j.position, j.lint.All()), Rewrites: []rewriteView{},
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
	base.Findings = findingViews(j.position, finding.Sort(slices.Concat(j.findings, t.Findings)))
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

func findingViews(position func(finding.Finding) manifest.Position, findings []finding.Finding) []findingView {
	out := make([]findingView, len(findings))
	for i, f := range findings {
		side := f.Side
		if side == "" {
			side = finding.Contract
		}
		at := position(f)
		out[i] = findingView{
			Rule: f.Rule, Severity: f.Severity, Side: side, Pointer: f.Pointer, Line: at.Line, Column: at.Column,
			Keyword: f.Keyword, Message: f.Message, Fix: f.Fix, Patch: f.Patch,
		}
	}
	return out
}
