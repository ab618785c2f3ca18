// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/toolcontract/operator/internal/finding"
)

// maxNamedColumns is how many profiles stand above their columns with their names;
// more of them have a number, and the names follow.
const maxNamedColumns = 4

// writeStatus writes a state for people: the matrix, sets, profiles, and a summary.
func (p *Program) writeStatus(v *statusView, wide bool) {
	profiles := v.profilesOf()
	p.writeMatrix(v, profiles, wide)
	p.writeSets(v, wide)
	var rows [][]string
	for _, s := range v.Profiles {
		rows = append(rows, append([]string{s.Name, fmt.Sprint(s.Revision)}, s.columns(s.Reason, wide)...))
	}
	p.writeTable(append([]string{"PROVIDERPROFILE", "REVISION"}, readyColumns(wide)...), rows)
	fmt.Fprintln(p.out, v.summaryLine())
}

func (p *Program) writeMatrix(v *statusView, profiles []string, wide bool) {
	header := []string{"CONTRACT", "SERVED"}
	for i, name := range profiles {
		if len(profiles) > maxNamedColumns {
			name = fmt.Sprint(i + 1)
		}
		header = append(header, name)
	}
	var rows [][]string
	for _, c := range v.Contracts {
		row := []string{c.Namespace + "/" + c.Name, c.served()}
		for _, name := range profiles {
			row = append(row, c.cell(name))
		}
		rows = append(rows, append(row, c.columns(cmp.Or(c.Summary, c.Reason), wide)...))
	}
	p.writeTable(append(header, readyColumns(wide)...), rows)
	if len(profiles) > maxNamedColumns && len(rows) > 0 {
		for i, name := range profiles {
			fmt.Fprintf(p.out, "%3d  %s\n", i+1, finding.Printable(name))
		}
		fmt.Fprintln(p.out)
	}
}

func (p *Program) writeSets(v *statusView, wide bool) {
	header := append([]string{"SET", "PROFILE", "TOOLS", "STRICT", "TOKENS"}, readyColumns(wide)...)
	if wide {
		header = append(header, "CONFIGMAP", "MOUNTED BY")
	}
	var rows [][]string
	for _, s := range v.Sets {
		for _, sp := range s.Profiles {
			tokens := fmt.Sprint(sp.Tokens)
			if sp.TokenBudget > 0 {
				tokens = fmt.Sprintf("%d of %d", sp.Tokens, sp.TokenBudget)
			}
			row := []string{s.Namespace + "/" + s.Name, sp.Profile, fmt.Sprintf("%d of %d", sp.Tools, sp.Wanted), fmt.Sprint(sp.Strict), tokens}
			row = append(row, s.columns(s.Reason, wide)...)
			if wide {
				row = append(row, cmp.Or(sp.Rendering, "-"), cmp.Or(strings.Join(sp.Consumers, " "), "-"))
			}
			rows = append(rows, row)
		}
	}
	p.writeTable(header, rows)
}

// columns are what every table says of readiness.
func (r readiness) columns(summary string, wide bool) []string {
	out := []string{r.Ready, cmp.Or(summary, "-")}
	if wide {
		out = append(out, cmp.Or(r.Message, "-"))
	}
	return out
}

func readyColumns(wide bool) []string {
	if wide {
		return []string{"READY", "STATUS", "MESSAGE"}
	}
	return []string{"READY", "STATUS"}
}

// served are the versions, the newest line first; those of retired lines are in
// parentheses.
func (c contractStatus) served() string {
	var parts []string
	for _, l := range c.Lines {
		if l.Retired {
			parts = append(parts, "("+l.Version+")")
			continue
		}
		parts = append(parts, l.Version)
	}
	return cmp.Or(strings.Join(parts, " "), "-")
}

// writeTable aligns columns, and writes nothing without rows.
func (p *Program) writeTable(header []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	width := make([]int, len(header))
	all := append([][]string{header}, rows...)
	for _, row := range all {
		for i := range row {
			row[i] = finding.Printable(row[i])
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	for at, row := range all {
		var line strings.Builder
		for i, text := range row {
			cell := text
			switch {
			case at == 0:
				cell = p.style.paint(bold, text)
			case text == string(metav1.ConditionFalse) || text == "!":
				cell = p.style.paint(red, text)
			case text == string(metav1.ConditionUnknown) || text == "?" || text == "x":
				cell = p.style.paint(yellow, text)
			}
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", width[i]-utf8.RuneCountInString(text)+2))
			}
		}
		fmt.Fprintln(p.out, line.String())
	}
	fmt.Fprintln(p.out)
}

func (v *statusView) summaryLine() string {
	part := func(word string, c readyCount) string {
		total := c.Ready + c.NotReady
		switch {
		case total == 0:
			return "no " + word + "s"
		case c.NotReady == 0:
			return plural(total, word) + " ready"
		}
		return fmt.Sprintf("%s: %d ready, %d not", plural(total, word), c.Ready, c.NotReady)
	}
	parts := []string{part("contract", v.Summary.Contracts), part("set", v.Summary.Sets)}
	if len(v.Profiles) > 0 {
		parts = append(parts, part("ProviderProfile", v.Summary.Profiles))
	}
	if n := len(v.NotRead); n > 0 {
		parts = append(parts, plural(n, "kind")+" not read")
	}
	return strings.Join(parts, "; ")
}

// writeStatusChanges writes a line for each object that is new, changed or gone.
func (p *Program) writeStatusChanges(v, last *statusView) {
	before := map[string]string{}
	if last != nil {
		for _, l := range last.objectLines() {
			before[l[0]] = l[1]
		}
	}
	for _, l := range v.objectLines() {
		if was, there := before[l[0]]; !there || was != l[1] {
			fmt.Fprintln(p.out, finding.Printable(l[0]+" "+l[1]))
		}
		delete(before, l[0])
	}
	if last == nil {
		return
	}
	for _, l := range last.objectLines() {
		if _, gone := before[l[0]]; gone {
			fmt.Fprintln(p.out, finding.Printable(l[0]+" is gone"))
		}
	}
}

// objectLines are the objects with what is to be said of each.
func (v *statusView) objectLines() (out [][2]string) {
	for _, c := range v.Contracts {
		cells := make([]string, len(c.Targets))
		for i, t := range c.Targets {
			cells[i] = t.Profile + "=" + c.cell(t.Profile)
		}
		out = append(out, [2]string{"contract " + c.Namespace + "/" + c.Name, fmt.Sprintf("Ready=%s %s; wants %s, serves %s; %s", c.Ready, cmp.Or(c.Summary, c.Reason), c.Version, c.served(), strings.Join(cells, " "))})
	}
	for _, s := range v.Sets {
		rows := make([]string, len(s.Profiles))
		for i, sp := range s.Profiles {
			rows[i] = fmt.Sprintf("%s %d of %d tools, %d tokens", sp.Profile, sp.Tools, sp.Wanted, sp.Tokens)
		}
		out = append(out, [2]string{"set " + s.Namespace + "/" + s.Name, fmt.Sprintf("Ready=%s %s; %s", s.Ready, s.Reason, strings.Join(rows, ", "))})
	}
	for _, s := range v.Profiles {
		out = append(out, [2]string{"profile " + s.Name, fmt.Sprintf("Ready=%s %s; revision %d", s.Ready, s.Reason, s.Revision)})
	}
	return out
}
