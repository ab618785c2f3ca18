// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// overview compares all profiles.
func overview(profiles []*provider.Profile) []byte {
	var m markdown
	m.WriteString(generated)
	m.line(`# What provider APIs do with JSON Schema

One page for each profile says what its API does with every keyword of JSON Schema 2020-12, with sources and their dates. The
same is in [verdicts.json](verdicts.json) for machines. Where sources conflict, the safe side is taken and the conflict is kept
as a note. A verdict that is wrong or out of date: please change the profile below internal/provider/profiles, with a source.
`)
	m.table([]string{"Verdict", "Meaning"}, [][]string{
		{"E, Enforced", "what the model writes obeys it"},
		{"A, Accepted", "it is taken and shown to the model, and not enforced"},
		{"R, Rejected", "the whole request fails"},
		{"D, Dropped", "it is removed or ignored without a word"},
		{"?, Unknown", "there is no public evidence; the page says what was searched. It counts as Rejected in strict mode"},
	})
	m.line("")
	m.table([]string{"Confidence", "Meaning"}, [][]string{
		{"High", "official text, or a recorded live answer"},
		{"Medium", "the behaviour of official SDKs, or several independent reports"},
		{"Low", "one report, or inference"},
	})
	m.section("Profiles")
	rows := make([][]string, 0, len(profiles))
	for _, p := range profiles {
		t := p.Tally()
		rows = append(rows, []string{
			fmt.Sprintf("[%s](%s.md)", p.Name, p.Name), prose(p.Title), strictWords[p.Strict.Place], p.Reviewed,
			fmt.Sprint(t.Cells), fmt.Sprint(t.High), fmt.Sprint(t.Medium), fmt.Sprint(t.Low), fmt.Sprint(t.Unknown),
		})
	}
	m.table([]string{"Profile", "API", "Strict mode", "Reviewed", "Verdicts", "High", "Medium", "Low", "Unknown"}, rows)
	comparison(&m, profiles)
	m.line("%s", verdictsFormat)
	return m.Bytes()
}

var strictWords = map[provider.StrictPlace]string{
	provider.PerTool: "per tool", provider.PerRequest: "per request", provider.Implied: "always", provider.NoStrict: "none",
}

// comparison is the one table over all profiles.
func comparison(m *markdown, profiles []*provider.Profile) {
	m.section("Comparison")
	m.line("Strict mode before the stroke, standard mode behind it; one letter where an API has one mode. A star says that the verdict\n" +
		"depends on a condition and is that of the general case. Rows that begin with \"root\" are keywords at the root of a schema.\n")
	heading := []string{""}
	cells := make([]map[string]string, len(profiles))
	for i, p := range profiles {
		heading = append(heading, fmt.Sprintf("[%s](%s.md)", p.Name, p.Name))
		cells[i] = letters(p)
	}
	var rows [][]string
	for _, r := range comparedRows(profiles) {
		row := []string{r.title}
		for i := range profiles {
			row = append(row, cells[i][r.key])
		}
		rows = append(rows, row)
	}
	m.table(heading, rows)
}

type comparedRow struct{ key, title string }

// comparedRows are the keywords of the dialect, those that profiles treat
// otherwise at the root, and the shapes.
func comparedRows(profiles []*provider.Profile) []comparedRow {
	var out []comparedRow
	for _, k := range schema.Keywords() {
		out = append(out, comparedRow{keyOf(provider.InKeywords, k.Name), code(k.Name)})
	}
	out = append(out, comparedRow{keyOf(provider.InKeywords, "unknown"), "all others"})
	var shapes, rootNames []string
	for _, p := range profiles {
		for _, e := range p.Entries() {
			switch {
			case e.Section == provider.InShapes && !slices.Contains(shapes, e.Name):
				shapes = append(shapes, e.Name)
			case e.Section == provider.InRootKeywords && !slices.Contains(rootNames, e.Name):
				rootNames = append(rootNames, e.Name)
			}
		}
	}
	slices.Sort(rootNames)
	for _, name := range rootNames {
		out = append(out, comparedRow{keyOf(provider.InRootKeywords, name), "root " + nameOf(provider.InRootKeywords, name)})
	}
	for _, name := range shapes {
		out = append(out, comparedRow{keyOf(provider.InShapes, name), name})
	}
	return out
}

func keyOf(section provider.Section, name string) string { return string(section) + " " + name }

var letterOf = map[provider.Verdict]string{
	provider.Enforced: "E", provider.Accepted: "A", provider.Rejected: "R", provider.Dropped: "D", provider.Unknown: "?",
}

// letters gives each entry of a profile its cell.
func letters(p *provider.Profile) map[string]string {
	letter := func(cases []provider.Case) string {
		if len(cases) == 0 {
			return ""
		}
		last := cases[len(cases)-1]
		depends := slices.ContainsFunc(cases, func(c provider.Case) bool { return c.Verdict != last.Verdict })
		if depends {
			return letterOf[last.Verdict] + `\*`
		}
		return letterOf[last.Verdict]
	}
	out := map[string]string{}
	for _, e := range p.Entries() {
		strict, standard := letter(e.Strict), letter(e.Standard)
		text := strict + "/" + standard
		switch p.Strict.Place {
		case provider.NoStrict:
			text = standard
		case provider.Implied:
			text = strict
		default:
		}
		out[keyOf(e.Section, e.Name)] = strings.Trim(text, "/")
	}
	return out
}
