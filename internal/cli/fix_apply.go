// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/yamledit"
)

// maxTrials bounds how often the contracts of one document are judged.
const maxTrials = 1000

// fixer fixes texts.
type fixer struct {
	p      *Program
	rules  []string
	unsafe bool
}

var byteOrderMark = []byte("\ufeff")

// source fixes the documents of a file, each by itself.
func (x fixer) source(source manifest.Source) fixedFile {
	out := fixedFile{File: source.Name, Fixes: []fixView{}}
	data, hasMark := bytes.CutPrefix(source.Data, byteOrderMark)
	if hasMark {
		out.after = slices.Clone(byteOrderMark)
	}
	at := 0
	for d := range source.Documents() {
		text, start := d.Text()
		if d.Contract == nil || start < at || len(text) == 0 { // what is behind is another object of the same list
			continue
		}
		fixed, views := x.document(source.Name, text)
		out.after = append(append(out.after, data[at:start]...), fixed...)
		out.Fixes = append(out.Fixes, views...)
		at = start + len(text)
	}
	out.after = append(out.after, data[at:]...)
	return out
}

// candidate is a finding with a fix.
type fixCandidate struct {
	finding.Finding
	of      *judged
	profile string
	// unsafe says why the fix is not safe; empty for a safe one.
	unsafe string
}

func (c fixCandidate) view(state, reason string) fixView {
	side := c.Side
	if side == "" {
		side = finding.Contract
	}
	return fixView{
		State: state, Object: "ToolContract " + c.of.identity(), Rule: c.Rule, Side: side, Pointer: c.Pointer, Profile: c.profile, Fix: c.Fix, Reason: reason,
	}
}

// document fixes the contracts of one text until no fix makes it better.
func (x fixer) document(name string, text []byte) (fixed []byte, views []fixView) {
	state := x.judge(name, text)
	for trials := 0; ; {
		better, open := false, []fixView(nil)
		for _, c := range x.candidates(state) {
			if trials++; trials > maxTrials {
				open = append(open, c.view(fixManual, fmt.Sprintf("more than %d fixes were tried; run the command again", maxTrials)))
				break
			}
			if c.unsafe != "" && !x.unsafe && len(x.rules) == 0 {
				open = append(open, c.view(fixUnsafe, c.unsafe))
				continue
			}
			edits, err := c.of.edits(c.Finding)
			if err != nil {
				open = append(open, c.view(fixManual, err.Error()))
				continue
			}
			edited := yamledit.Apply(text, edits)
			if after := x.judge(name, edited); slices.Compare(after.score, state.score) < 0 {
				text, state, better = edited, after, true
				views = append(views, c.view(fixMade, ""))
				break
			}
			open = append(open, c.view(fixUndone, "with it there are not fewer findings; the finding needs more than this"))
		}
		if !better {
			return text, append(views, open...)
		}
	}
}

// fixState is what check says of a text.
type fixState struct {
	contracts []*judged
	// score counts the errors of the contracts themselves, which hide what there is
	// to say of targets, then all errors, then warnings.
	score []int
}

func (x fixer) judge(name string, text []byte) fixState {
	out := fixState{score: []int{0, 0, 0}}
	for d := range (manifest.Source{Name: name, Data: text}).Documents() {
		if d.Skipped != "" || d.IsSet {
			continue
		}
		j := x.p.judge(d, nil)
		if j.content != nil {
			j.lint = evaluate.Lint(j.content, j.Contract.Spec.Acknowledge)
		} else {
			out.score[0]++
		}
		out.score[0] += finding.Count(j.findings, finding.Error)
		count := func(findings []finding.Finding) {
			out.score[1] += finding.Count(findings, finding.Error)
			out.score[2] += finding.Count(findings, finding.Warning)
		}
		count(j.findings)
		count(j.lint.Findings)
		for _, t := range j.targets {
			count(t.Findings)
		}
		out.contracts = append(out.contracts, j)
	}
	return out
}

// candidates are the findings with a fix, each fix once, the safe ones first: a
// place may have both.
func (x fixer) candidates(state fixState) []fixCandidate {
	var out []fixCandidate
	for _, j := range state.contracts {
		if j.Contract == nil {
			continue
		}
		seen := map[string]bool{}
		add := func(profile string, findings []finding.Finding) {
			for _, f := range findings {
				key := fmt.Sprint(f.Side, f.Patch)
				if len(f.Patch) == 0 || f.Severity == finding.Info || seen[key] || len(x.rules) > 0 && !slices.Contains(x.rules, f.Rule) {
					continue
				}
				seen[key] = true
				c := fixCandidate{Finding: f, of: j, profile: profile}
				c.unsafe = c.whyUnsafe()
				out = append(out, c)
			}
		}
		add("", j.findings)
		for _, t := range j.targets {
			add(t.Spec.Profile, t.Findings)
		}
		add("", j.lint.Findings)
	}
	slices.SortStableFunc(out, func(a, b fixCandidate) int { return min(len(a.unsafe), 1) - min(len(b.unsafe), 1) })
	return out
}

func (c fixCandidate) whyUnsafe() string {
	if c.Side != finding.Input && c.Side != finding.Output {
		if c.Severity == finding.Error {
			return "" // the manifest is refused as it is
		}
		return "it changes more than the form of the manifest"
	}
	if takesAway(c.Patch) {
		return "it takes something away that a model may read"
	}
	if !keepsMeaning(c) {
		return "it is not proved that the tool admits the same afterwards"
	}
	return ""
}

// takesAway reports whether a patch does nothing but remove words that say
// nothing about what is admitted.
func takesAway(patch []finding.Operation) bool {
	removed := false
	for _, o := range patch {
		if o.Op != "remove" {
			return false
		}
		tokens := finding.Tokens(o.Path)
		k, known := schema.LookupKeyword(tokens[len(tokens)-1])
		removed = removed || !known || k.Annotation
	}
	return removed
}

// keepsMeaning proves that the schema of a finding admits the same before and
// after its fix.
func keepsMeaning(c fixCandidate) bool {
	if c.of.Contract == nil {
		return false
	}
	in := c.of.Contract.Spec.Input
	raw, text := in.Schema, in.SchemaText
	if out := c.of.Contract.Spec.Output; c.Side == finding.Output {
		if out == nil {
			return false
		}
		raw, text = out.Schema, out.SchemaText
	}
	before := []byte(text)
	if raw != nil {
		before = raw.Raw
	}
	root, failed := schema.Parse(before)
	if failed != nil {
		return false
	}
	patched, err := yamledit.Patch(root, c.Patch)
	if err != nil {
		return false
	}
	a, failed := readSchema(before, "")
	if failed != nil {
		return false
	}
	b, failed := readSchema(patched.AppendJSON(nil), "")
	return failed == nil && contain.Proves(a, b) && contain.Proves(b, a)
}
