// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/manifest"
)

// textReporter writes for people: a block per contract, in it a block per
// profile, each finding with the line that it is about, and a summary at the end.
type textReporter struct {
	w io.Writer
	style
	contracts int
	sets      int
	outcomes  map[string]int
	errors    int
	warnings  int
}

func (r *textReporter) printf(format string, arguments ...any) {
	fmt.Fprintln(r.w, finding.Printable(fmt.Sprintf(format, arguments...)))
}

func (r *textReporter) contract(j *judged) {
	if r.contracts++; r.contracts > 1 {
		fmt.Fprintln(r.w)
	}
	r.line(r.paint(bold, fmt.Sprintf("%s:%d: %s", j.File, j.Line, headline(j))))
	if j.content == nil {
		r.count(resultInvalid, max(1, len(j.wanted)))
		r.line("  " + r.paint(red, resultInvalid))
	}
	r.findings(j.Document, j.position, j.findings)
	for _, t := range j.targets {
		r.target(j, t)
	}
	if all := j.lint.All(); len(all) > 0 {
		r.printf("  Lint: %s, %s%s", plural(j.lint.Count(finding.Error), "error"), plural(j.lint.Count(finding.Warning), "warning"), acknowledged(len(j.lint.Acknowledged)))
		r.findings(j.Document, j.position, all)
	}
}

func acknowledged(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d acknowledged", n)
}

// headline names the contract, its version and its tool.
func headline(j *judged) string {
	var b strings.Builder
	b.WriteString(j.identity())
	if j.Contract != nil && j.Contract.Spec.Version != "" {
		b.WriteString(" " + finding.Clip(j.Contract.Spec.Version, 64))
	}
	if j.ToolName != "" {
		fmt.Fprintf(&b, " (%s)", finding.Clip(j.ToolName, 128))
	}
	return b.String()
}

func (r *textReporter) target(j *judged, t evaluate.Target) {
	outcome := j.outcome(t)
	r.count(outcome, 1)
	colour := green
	if outcome != resultCompatible {
		colour = red
	}
	r.line("  " + finding.Printable(t.Spec.Profile) + ": " + r.paint(colour, outcome) + strictness(t))
	r.findings(j.Document, j.position, t.Findings)
	for _, w := range t.Rewrites {
		pointer := finding.Clip(w.Pointer, 256)
		if pointer == "" {
			pointer = "(root)"
		}
		r.printf("    rewritten (%s) %s: %s [%s]", w.Effect, pointer, w.Message, w.Rule)
	}
}

// strictness says what was asked for and what the rendering has.
func strictness(t evaluate.Target) string {
	switch {
	case !t.Compatible():
		return fmt.Sprintf(" (strict: %s)", t.Asked())
	case t.Given:
		return fmt.Sprintf(", strict (%s)", t.Asked())
	default:
		return fmt.Sprintf(", not strict (%s)", t.Asked())
	}
}

// line writes what is painted, and so is printable.
func (r *textReporter) line(text string) { fmt.Fprintln(r.w, text) }

// findings writes each finding, and below it the line that it is about. The line
// is not repeated for the next one about the same place, and what is only worth
// knowing does without.
func (r *textReporter) findings(d *manifest.Document, position func(finding.Finding) manifest.Position, findings []finding.Finding) {
	var shown manifest.Position
	for _, f := range findings {
		at := position(f)
		r.finding(d.File, at, f)
		if at != shown && f.Severity != finding.Info {
			excerpt(r.w, r.style, "    ", d, at, severityColour(f.Severity))
			shown = at
		}
		r.fix(f)
	}
	r.errors += finding.Count(findings, finding.Error)
	r.warnings += finding.Count(findings, finding.Warning)
}

// finding says in one line where and what is wrong.
func (r *textReporter) finding(file string, at manifest.Position, f finding.Finding) {
	r.line("    " + r.paint(faint, fmt.Sprintf("%s:%d:%d:", file, at.Line, at.Column)) + " " + r.severity(f.Severity) + " " +
		finding.Printable(f.Place()+": "+f.Message) + r.paint(faint, " ["+f.Rule+"]"))
}

// fix says the way out.
func (r *textReporter) fix(f finding.Finding) {
	if f.Fix != "" {
		r.printf("      fix: %s", f.Fix)
	}
	if len(f.Patch) > 0 {
		r.printf("      patch: %s", patchHint(f.Patch))
	}
}

const (
	// maxSteps is how many steps of a patch a line names, maxStep how long the
	// value of one may be; -o json has all of them.
	maxSteps = 2
	maxStep  = 60
)

// patchHint says in short what a patch does.
func patchHint(patch []finding.Operation) string {
	var steps []string
	for _, o := range patch[:min(maxSteps, len(patch))] {
		step := o.Op
		if o.From != "" {
			step += " " + finding.Clip(o.From, 160) + " to"
		}
		step += " " + finding.Clip(o.Path, 160)
		if o.Value != nil {
			step += " = " + finding.Clip(string(o.Value), maxStep)
		}
		steps = append(steps, step)
	}
	text := strings.Join(steps, ", ")
	if rest := len(patch) - maxSteps; rest > 0 {
		text += fmt.Sprintf(" and %d more, see -o json", rest)
	}
	return text
}

func (r *textReporter) count(outcome string, n int) {
	if r.outcomes == nil {
		r.outcomes = map[string]int{}
	}
	r.outcomes[outcome] += n
}

func (r *textReporter) end(c closing) {
	if len(c.similar) > 0 {
		fmt.Fprintln(r.w)
		r.printf("Contracts beside each other:")
		for _, l := range c.similar {
			r.finding(l.file, l.at, l.Finding)
			r.fix(l.Finding)
			r.warnings++
		}
	}
	r.evidence(c.evidence)
	if r.contracts+r.sets == 0 {
		return
	}
	fmt.Fprintln(r.w)
	for _, line := range c.ages {
		r.printf("%s", line)
	}
	total := r.outcomes[resultCompatible] + r.outcomes[resultIncompatible] + r.outcomes[resultInvalid]
	counted := plural(r.contracts, "contract")
	if r.sets > 0 {
		counted += ", " + plural(r.sets, "set")
	}
	r.printf("%s, %s: %d compatible, %d incompatible, %d invalid; %s, %s", counted, plural(total, "result"),
		r.outcomes[resultCompatible], r.outcomes[resultIncompatible], r.outcomes[resultInvalid],
		plural(r.errors, "error"), plural(r.warnings, "warning"))
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
