// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/toolset"
)

// set writes a block for a set, in it a line for each profile.
func (r *textReporter) set(js *judgedSet) {
	if r.contracts+r.sets > 0 {
		fmt.Fprintln(r.w)
	}
	r.sets++
	r.line(r.paint(bold, fmt.Sprintf("%s:%d: set %s", js.File, js.Line, js.identity())))
	if js.Set == nil || finding.HasErrors(js.Findings) {
		r.line("  " + r.paint(red, resultInvalid))
	}
	r.findings(js.Document, js.position, js.findings)
	if all := js.lint.All(); len(all) > 0 {
		r.printf("  Lint: %s, %s%s", plural(js.lint.Count(finding.Error), "error"), plural(js.lint.Count(finding.Warning), "warning"), acknowledged(len(js.lint.Acknowledged)))
		r.findings(js.Document, js.position, all)
	}
	for _, p := range js.profiles {
		if p.result == nil {
			r.printf("  %s: %s", p.spec.Profile, resultInvalid)
		} else {
			r.printf("  %s: %s of %s, %d strict, about %d tokens, %d bytes (%s)", p.spec.Profile,
				fmt.Sprint(p.result.Included), plural(len(p.result.Tools), "tool"), p.result.Strict, p.result.Tokens, p.result.Bytes, p.result.Reason)
		}
		r.findings(js.Document, js.position, p.findings)
	}
}

// position is where a finding is in the file.
func (js *judgedSet) position(f finding.Finding) manifest.Position { return js.PositionOf(f.Pointer) }

// setResult is one set for one profile; profile is empty if the set is too broken
// to say its profiles.
type setResult struct {
	File      string        `json:"file"`
	Namespace string        `json:"namespace"`
	Name      string        `json:"name"`
	Profile   string        `json:"profile"`
	Reason    string        `json:"reason"`
	Tools     []setToolView `json:"tools"`
	Strict    int           `json:"strict"`
	Tokens    int           `json:"tokens"`
	Bytes     int           `json:"bytes"`
	Digest    string        `json:"digest"`
	Split     [][]string    `json:"split,omitempty"`
	// Lint is about tools that a model could take for each other, and about the
	// words of groups, whatever the profile.
	Lint     []findingView `json:"lint"`
	Findings []findingView `json:"findings"`
}

// setToolView is what becomes of one tool of a set.
type setToolView struct {
	Namespace string `json:"namespace"`
	Contract  string `json:"contract"`
	Included  bool   `json:"included"`
	Strict    bool   `json:"strict"`
	Demoted   bool   `json:"demoted"`
	Reason    string `json:"reason"`
	Pointer   string `json:"pointer"`
	Message   string `json:"message"`
	Bytes     int    `json:"bytes"`
	Tokens    int    `json:"tokens"`
}

func (r *jsonReporter) set(js *judgedSet) {
	base := setResult{File: js.File, Namespace: js.Namespace, Name: js.Name, Reason: resultInvalid, Tools: []setToolView{}, Lint: findingViews(js.position, js.lint.All())}
	if len(js.profiles) == 0 {
		base.Findings = findingViews(js.position, js.findings)
		r.rest.Sets = append(r.rest.Sets, base)
		return
	}
	for _, p := range js.profiles {
		out := base
		out.Profile = p.spec.Profile
		out.Findings = findingViews(js.position, finding.Sort(append(append([]finding.Finding{}, js.findings...), p.findings...)))
		if p.result != nil {
			out.fill(p.result)
		}
		r.rest.Sets = append(r.rest.Sets, out)
	}
}

func (s *setResult) fill(r *toolset.Result) {
	s.Reason, s.Strict, s.Tokens, s.Bytes, s.Split = r.Reason, r.Strict, r.Tokens, r.Bytes, r.Split
	if r.Bundle != nil {
		s.Digest = r.Bundle.Digest
	}
	for _, t := range r.Tools {
		s.Tools = append(s.Tools, setToolView{
			t.Namespace, t.Contract, t.Included, t.Strict, t.Demoted, t.Reason, t.Pointer, t.Message, t.Bytes, t.Tokens,
		})
	}
}
