// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/provider"
)

// page says everything about one profile.
func page(p *provider.Profile) []byte {
	d := pageOf{profile: p}
	d.head()
	d.strict()
	d.names()
	d.places()
	d.limits()
	for _, section := range []struct {
		in          provider.Section
		title, word string
		text        string
	}{
		{provider.InKeywords, "Keywords", "Keyword", "Conditions are tried in order; the first that holds decides."},
		{provider.InRootKeywords, "Keywords at the root", "Keyword", "At the root of a schema these verdicts hold instead."},
		{provider.InShapes, "Shapes", "Shape", "What is in no single keyword: what a schema lacks, or how it is built."},
	} {
		d.verdicts(section.in, section.title, section.word, section.text)
	}
	d.cited()
	return d.Bytes()
}

type pageOf struct {
	markdown
	profile *provider.Profile
}

// from links the sources of a fact; where they lead stands at the end of the
// page.
func (d *pageOf) from(e provider.Evidence) string {
	links := make([]string, len(e.Sources))
	for i, key := range e.Sources {
		links[i] = "[" + label(key) + "]"
	}
	return strings.Join(links, ", ")
}

// label is the key of a source between brackets.
func label(key string) string { return strings.NewReplacer("[", "(", "]", ")").Replace(key) }

// evidence writes the note and the sources of a fact that stands by itself.
func (d *pageOf) evidence(e provider.Evidence) {
	if e.Note != "" {
		d.line("\n%s", sentence(e.Note))
	}
	if e.Confidence != "" {
		d.line("\nConfidence %s: %s.", e.Confidence, d.from(e))
	}
}

func (d *pageOf) head() {
	p := d.profile
	d.WriteString(generated)
	d.line("# %s\n", prose(p.Title))
	tally := p.Tally()
	d.line("- Profile %s of %s: %s, wire format %s", code(p.Name), prose(p.Provider), prose(p.API), code(p.WireFormat))
	if p.Extends != "" {
		d.line("- It extends [%s](%s.md) and says what differs", p.Extends, p.Extends)
	}
	d.line("- Revision %d, compared with its sources on %s", p.Revision, p.Reviewed)
	d.line("- %d verdicts: %d of High, %d of Medium and %d of Low confidence; %d are Unknown", tally.Cells, tally.High, tally.Medium, tally.Low, tally.Unknown)
	d.line("\nHow to read the verdicts and the confidence: [all profiles](README.md).")
}

// strictPlaces say where strictness is asked for.
var strictPlaces = map[provider.StrictPlace]string{
	provider.PerTool:    "Strict mode is asked for on each tool.",
	provider.PerRequest: "Strict mode is a setting of the request and holds for all of its tools.",
	provider.Implied:    "The API is always strict: nothing has to be asked for.",
	provider.NoStrict:   "The API has no strict mode.",
}

func (d *pageOf) strict() {
	p := d.profile
	d.section("Strict mode")
	d.line("%s", strictPlaces[p.Strict.Place])
	if p.Strict.RequestSwitch != "" {
		d.line("The request: %s", sentence(p.Strict.RequestSwitch))
	}
	if p.Strict.AllTools {
		d.line("All tools of a request must be strict, or none.")
	}
	if p.Strict.NonStrict == provider.EmitFalse {
		d.line("A tool that is not strict says so: its flag is written as false.")
	}
	d.evidence(p.Strict.Evidence)
	rows := make([][]string, 0, len(p.Models))
	for _, m := range p.Models {
		word := "no"
		if m.Strict {
			word = "yes"
		}
		rows = append(rows, []string{code(m.Pattern), word, string(m.Confidence), sentence(m.Note), d.from(m.Evidence)})
	}
	if len(rows) > 0 {
		d.line("\nThe first pattern that matches a model decides; a model that none matches is not known and has no strict mode.\n")
	}
	d.table([]string{"Model", "Strict", "Confidence", "Note", "Sources"}, rows)
	if len(p.ModelPrefixes) > 0 {
		d.line("\nBefore a model is looked up, a prefix that says where it runs is left out: %s.", codes(p.ModelPrefixes))
	}
}

func codes(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = code(text)
	}
	return strings.Join(out, ", ")
}

func (d *pageOf) names() {
	p := d.profile
	d.section("Names and description")
	var rows [][]string
	add := func(what, rule, severity, apiError string, e provider.Evidence) {
		says := sentence(e.Note)
		if apiError != "" {
			says = strings.TrimSpace("Error: " + code(apiError) + "<br>" + says)
		}
		rows = append(rows, []string{what, rule, severity, strings.TrimSuffix(says, "<br>"), string(e.Confidence), d.from(e)})
	}
	for _, r := range p.ToolNames {
		rule := fmt.Sprintf("%s, at most %d characters", code(r.Pattern), r.MaxLength)
		if len(r.Reserved) > 0 {
			rule += "; not " + codes(r.Reserved)
		}
		add("name of a tool", rule, r.Severity, r.Error, r.Evidence)
	}
	for _, r := range p.PropertyNames {
		var rules []string
		if r.Pattern != "" {
			rules = append(rules, code(r.Pattern))
		}
		if len(r.Reserved) > 0 {
			rules = append(rules, "not "+codes(r.Reserved))
		}
		what := map[provider.PropertyScope]string{
			provider.RootProperties: "name of a property of the root", provider.NestedProperties: "name of a property below the root",
			provider.AllProperties: "name of a property",
		}[r.Scope]
		add(what, strings.Join(rules, "; "), r.Severity, r.Error, r.Evidence)
	}
	add("description of a tool", descriptionRule(p.Description), "", p.Description.Error, p.Description.Evidence)
	d.table([]string{"What", "Rule", "Otherwise", "Notes", "Confidence", "Sources"}, rows)
}

func descriptionRule(r provider.DescriptionRule) string {
	var rules []string
	if r.Required {
		rules = append(rules, "required")
	}
	if r.MinLength > 0 {
		rules = append(rules, fmt.Sprintf("at least %d characters", r.MinLength))
	}
	if r.MaxLength > 0 {
		rules = append(rules, fmt.Sprintf("at most %d characters", r.MaxLength))
	}
	if r.WarnAbove > 0 {
		rules = append(rules, fmt.Sprintf("more than %d characters have been refused", r.WarnAbove))
	}
	if len(rules) == 0 {
		return "no limit is known"
	}
	return strings.Join(rules, ", ")
}

// places says what stands beside the input schema and what holds of it.
func (d *pageOf) places() {
	p := d.profile
	d.section("Examples, answers, and what holds of a schema")
	if p.Examples.Field == "" {
		d.line("There is no place for examples of arguments.")
	} else {
		d.line("Examples of arguments stand in %s.", code(p.Examples.Field))
	}
	d.evidence(p.Examples.Evidence)
	d.line("")
	if p.OutputSchema.Field == "" {
		d.line("There is no place for the schema of the answer.")
	} else {
		d.line("The schema of the answer stands in %s.", code(p.OutputSchema.Field))
	}
	if p.OutputSchema.RootMustBeObject {
		d.line("Its root must be of type object.")
	}
	d.evidence(p.OutputSchema.Evidence)
	d.line("")
	var rows [][]string
	for _, m := range d.modes() {
		e := p.Effective.Standard
		if m.mode == provider.Strict {
			e = p.Effective.Strict
		}
		rows = append(rows, []string{
			m.title, effectiveWords[string(e.OpenObjects)], effectiveWords[string(e.Patterns)+"Pattern"], effectiveWords[string(e.Enums)+"Enum"],
			effectiveWords[string(e.OneOf)+"OneOf"], sentence(e.Note), string(e.Confidence), d.from(e.Evidence),
		})
	}
	d.table([]string{"Mode", "Open objects", "Patterns", "Enum members", "oneOf", "Note", "Confidence", "Sources"}, rows)
}

var effectiveWords = map[string]string{
	string(provider.ObjectsKept):                 "stay open",
	string(provider.ObjectsClosed):               "are closed",
	string(provider.PatternsSearch) + "Pattern":  "match anywhere in the text",
	string(provider.PatternsWhole) + "Pattern":   "match the whole text",
	string(provider.PatternsUnknown) + "Pattern": "nobody says",
	string(provider.EnumsExact) + "Enum":         "as written",
	string(provider.EnumsAnyCase) + "Enum":       "in any case",
	string(provider.OneOfExact) + "OneOf":        "exactly one branch",
	string(provider.OneOfAsAnyOf) + "OneOf":      "as anyOf",
}

// modeTitle is a column of a table of verdicts.
type modeTitle struct {
	mode  provider.Mode
	title string
}

// modes are those that differ: an API that has one mode has one column.
func (d *pageOf) modes() []modeTitle {
	switch d.profile.Strict.Place {
	case provider.NoStrict:
		return []modeTitle{{provider.Standard, "Verdict"}}
	case provider.Implied:
		return []modeTitle{{provider.Strict, "Verdict"}}
	default:
		return []modeTitle{{provider.Strict, "Strict"}, {provider.Standard, "Standard"}}
	}
}

func (d *pageOf) limits() {
	d.section("Limits")
	if len(d.profile.Limits) == 0 {
		d.line("No limit is known.")
		return
	}
	rows := make([][]string, 0, len(d.profile.Limits))
	for _, l := range d.profile.Limits {
		note := sentence(l.Note)
		if l.Error != "" {
			note = strings.TrimSuffix("Error: "+code(l.Error)+"<br>"+note, "<br>")
		}
		rows = append(rows, []string{
			provider.MeasureWords(l.Measure), fmt.Sprint(l.Max), strings.ToLower(string(l.Per)), cmp.Or(strings.ToLower(string(l.Mode)), "both"), l.Severity, note,
			string(l.Confidence), d.from(l.Evidence),
		})
	}
	d.table([]string{"At most", "Number", "Per", "Mode", "Otherwise", "Notes", "Confidence", "Sources"}, rows)
}

// verdicts writes the table of one section, and below it what the table has no
// room for.
func (d *pageOf) verdicts(section provider.Section, title, word, text string) {
	cells := map[string]map[provider.Mode][]provider.Row{}
	var names []string
	for _, row := range d.profile.Cells() {
		if row.Section != section {
			continue
		}
		if cells[row.Name] == nil {
			cells[row.Name] = map[provider.Mode][]provider.Row{}
			names = append(names, row.Name)
		}
		cells[row.Name][row.Mode] = append(cells[row.Name][row.Mode], row)
	}
	if len(names) == 0 {
		return
	}
	d.section(title)
	d.line("%s\n", text)
	modes := d.modes()
	heading := []string{word}
	for _, m := range modes {
		heading = append(heading, m.title)
	}
	rows := make([][]string, 0, len(names))
	for _, name := range names {
		row := []string{nameOf(section, name)}
		for _, m := range modes {
			row = append(row, d.cell(cells[name][m.mode]))
		}
		rows = append(rows, row)
	}
	d.table(heading, rows)
	d.remarks(section, names, cells)
}

// nameOf writes the name of a keyword or shape.
func nameOf(section provider.Section, name string) string {
	switch {
	case section == provider.InShapes:
		return name
	case name == "unknown":
		return "all others"
	default:
		return code(name)
	}
}

// cell is a list of cases: what holds, on what condition, how sure it is and who
// says so.
func (d *pageOf) cell(cases []provider.Row) string {
	lines := make([]string, len(cases))
	for i, c := range cases {
		condition := ""
		switch {
		case c.Condition != "":
			condition = prose(c.Condition) + ": "
		case len(cases) > 1:
			condition = "otherwise: "
		}
		verdict := "**" + string(c.Verdict) + "**"
		if c.Warning != "" {
			verdict += " with a warning"
		}
		lines[i] = fmt.Sprintf("%s%s (%s: %s)", condition, verdict, c.Confidence, d.from(provider.Evidence{Sources: c.Sources}))
	}
	return strings.Join(lines, "<br>")
}

// remarks are notes, conflicts between sources, and errors of the API.
func (d *pageOf) remarks(section provider.Section, names []string, cells map[string]map[provider.Mode][]provider.Row) {
	var all remarks
	for _, name := range names {
		for _, m := range d.modes() {
			for _, c := range cells[name][m.mode] {
				all.add(nameOf(section, name), remarksOf(c)...)
			}
		}
	}
	if len(all) == 0 {
		return
	}
	d.line("")
	for _, r := range all {
		d.line("- %s: %s", strings.Join(r.of, ", "), r.text)
	}
}

// remarks are texts with the names that they are about, each text once.
type remarks []struct {
	text string
	of   []string
}

func (r *remarks) add(name string, texts ...string) {
	for _, text := range texts {
		i := 0
		for i < len(*r) && (*r)[i].text != text {
			i++
		}
		if i == len(*r) {
			*r = append(*r, struct {
				text string
				of   []string
			}{text: text})
		}
		if of := &(*r)[i].of; !slices.Contains(*of, name) {
			*of = append(*of, name)
		}
	}
}

func remarksOf(c provider.Row) []string {
	var out []string
	if c.Note != "" {
		out = append(out, sentence(c.Note))
	}
	if c.Warning != "" {
		out = append(out, sentence("warning: "+c.Warning))
	}
	if c.Error != "" {
		out = append(out, "The API says: "+code(c.Error))
	}
	return out
}

// cited lists the sources.
func (d *pageOf) cited() {
	d.section("Sources")
	for _, s := range d.profile.Sources {
		d.line("- [%s]: %s, %s", label(s.Key), prose(s.Title), s.Date)
	}
	d.line("")
	for _, s := range d.profile.Sources {
		d.line("[%s]: %s", label(s.Key), s.URL)
	}
}
