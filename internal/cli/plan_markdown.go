// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/plan"
)

// maxMarkdown keeps a plan inside what GitHub takes as a comment, which is 65,536
// characters.
const maxMarkdown = 48 << 10

// writePlanMarkdown writes a plan for a comment on a pull request: a table, and the
// details folded.
func (p *Program) writePlanMarkdown(made *plan.Plan) {
	var b strings.Builder
	fmt.Fprintf(&b, "### Tool contracts: impact %s\n\n%s\n", made.Summary.Impact, code(planSummary(made)))
	var rows, details []string
	add := func(row []string, title string, lines []string) {
		rows = append(rows, "| "+strings.Join(row, " | ")+" |\n")
		if len(lines) > 0 {
			var d strings.Builder
			fmt.Fprintf(&d, "\n<details><summary>%s</summary>\n\n", code(title))
			for _, l := range lines {
				indent := len(l) - len(strings.TrimLeft(l, " "))
				fmt.Fprintf(&d, "%s- %s\n", strings.Repeat(" ", indent), code(strings.TrimLeft(l, " ")))
			}
			d.WriteString("\n</details>\n")
			details = append(details, d.String())
		}
	}
	for i := range made.Contracts {
		c := &made.Contracts[i]
		if c.Change == plan.Unchanged && len(c.Lines) == 0 {
			continue
		}
		bump := "–"
		if c.Bump != nil {
			bump = code(c.Bump.Required + " needed, " + c.Bump.Declared + " declared")
		}
		add([]string{mark(c.Change), code(c.Namespace + "/" + c.Name), code(cmp.Or(c.Serving, "–") + " → " + cmp.Or(map[bool]string{true: "gone"}[c.Change == plan.Removed], c.Version, "–")), bump, string(c.Impact)},
			contractTitle(c), contractLines(c))
	}
	for i := range made.Sets {
		s := &made.Sets[i]
		if s.Change == plan.Unchanged && len(s.Unresolved) == 0 {
			continue
		}
		add([]string{mark(s.Change), code("set " + s.Namespace + "/" + s.Name), code(tokensText(s)), "–", string(s.Impact)}, setTitle(s), setLines(s))
	}
	if len(rows) > 0 {
		b.WriteString("\n| | object | version or tokens | bump | impact |\n|---|---|---|---|---|\n")
	}
	left := 0
	for _, part := range append(rows, details...) {
		if b.Len()+len(part) > maxMarkdown {
			left++
			continue
		}
		b.WriteString(part)
	}
	for _, denied := range made.NotRead {
		fmt.Fprintf(&b, "\nNot read: %s\n", code(denied))
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%d parts are left out, because a comment has room for so much only; `-o json` has all.\n", left)
	}
	fmt.Fprint(p.out, b.String())
}

func tokensText(s *plan.Set) string {
	parts := make([]string, len(s.Profiles))
	for i, sp := range s.Profiles {
		parts[i] = sp.Profile + " " + countText(sp.Tokens, "token")
	}
	return strings.Join(parts, ", ")
}

// mark is the change in a word that is seen.
func mark(c plan.Change) string {
	if c == plan.Refused || c == plan.Removed {
		return "**" + string(c) + "**"
	}
	return string(c)
}

// code is a text that means nothing to Markdown or HTML, and names nobody: inside
// code a site makes no links and no mentions of it.
func code(text string) string {
	var b strings.Builder
	for _, r := range finding.Printable(text) {
		if strings.ContainsRune("\\`*_{}[]()|~<>&\"'", r) {
			fmt.Fprintf(&b, "&#%d;", r)
			continue
		}
		b.WriteRune(r)
	}
	return "<code>" + b.String() + "</code>"
}
