// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// textReporter writes for people: a block per contract, in it a block per
// profile, one line per finding, and a summary at the end.
type textReporter struct {
	w         io.Writer
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
	r.printf("%s:%d: %s", j.File, j.Line, headline(j))
	if j.content == nil {
		r.count(resultInvalid, max(1, len(j.wanted)))
		r.printf("  %s", resultInvalid)
	}
	r.findings("    ", j, j.findings)
	for _, t := range j.targets {
		r.target(j, t)
	}
	if all := j.lint.All(); len(all) > 0 {
		r.printf("  Lint: %s, %s%s", plural(j.lint.Count(finding.Error), "error"), plural(j.lint.Count(finding.Warning), "warning"), acknowledged(len(j.lint.Acknowledged)))
		r.findings("    ", j, all)
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
	r.printf("  %s: %s%s", t.Spec.Profile, outcome, strictness(t))
	r.findings("    ", j, t.Findings)
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

func (r *textReporter) findings(indent string, j *judged, findings []finding.Finding) {
	for _, f := range findings {
		r.printf("%sline %d: %s", indent, j.line(f), f)
		if len(f.Patch) > 0 {
			r.printf("%s  patch: %s", indent, patchHint(f.Patch))
		}
	}
	r.errors += finding.Count(findings, finding.Error)
	r.warnings += finding.Count(findings, finding.Warning)
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
		for _, f := range c.similar {
			r.printf("    %s", f)
		}
		r.warnings += finding.Count(c.similar, finding.Warning)
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
