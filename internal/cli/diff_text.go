// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// writeDiff writes for people: a block per tool, in it the findings by bump, and
// a summary at the end.
func (p *Program) writeDiff(d *differ) {
	line := func(format string, arguments ...any) {
		fmt.Fprintln(p.out, finding.Printable(fmt.Sprintf(format, arguments...)))
	}
	required, insufficient := map[contract.Bump]int{}, 0
	for i, r := range d.results {
		if i > 0 {
			fmt.Fprintln(p.out)
		}
		required[r.required]++
		if r.sufficient != nil && !*r.sufficient {
			insufficient++
		}
		line("%s", r.title)
		last := contract.Bump(-1)
		for _, f := range r.findings { // the highest bump first
			if f.Bump != last {
				line("  %s", f.Bump)
				last = f.Bump
			}
			line("    %s", diffLine(f))
		}
		line("  %s", r.verdict())
	}
	if !d.list {
		return
	}
	if len(d.results) > 0 {
		fmt.Fprintln(p.out)
	}
	verdict := fmt.Sprintf("%d not sufficient", insufficient)
	if d.bare && d.declared == nil {
		verdict = "nothing is declared"
	}
	line("%s: %d need Major, %d Minor, %d Patch, %d nothing; %s", plural(len(d.results), "tool"),
		required[contract.Major], required[contract.Minor], required[contract.Patch], required[contract.None], verdict)
}

// diffLine is a finding in one line: where, what, what it needs, an example, and
// the way out.
func diffLine(f change.Finding) string {
	place := f.Place()
	if f.Side == finding.Input || f.Side == finding.Output {
		_, pointer, _ := strings.Cut(place, "schema ")
		place = strings.ToUpper(string(f.Side)) + " " + pointer
	}
	text := place + ": " + f.Message
	if f.Fix != "" {
		text += ". Fix: " + f.Fix
	}
	return fmt.Sprintf("%s [%s]", text, f.Rule)
}

// verdict sums a tool up.
func (r diffResult) verdict() string {
	needs := "the change needs " + r.required.String()
	if r.required == contract.None {
		needs = "nothing changed that needs a version"
	}
	switch {
	case r.declared == nil && r.sufficient == nil:
		return needs + "; nothing is declared"
	case r.declared == nil && *r.sufficient:
		return needs
	case r.declared == nil:
		return needs + ", and nothing can declare it"
	case *r.sufficient:
		return fmt.Sprintf("%s, declared is %s: sufficient", needs, r.declared)
	default:
		return fmt.Sprintf("%s, declared is %s: NOT sufficient", needs, r.declared)
	}
}
