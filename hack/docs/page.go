// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/lark"
	"github.com/toolcontract/operator/internal/provider"
)

// page says everything about one profile.
func page(p *provider.Profile) []byte {
	d := pageOf{profile: p}
	d.head()
	d.strict()
	d.names()
	d.places()
	d.types()
	d.request()
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

// types says which tools beside functions the API takes.
func (d *pageOf) types() {
	p := d.profile
	t := p.ToolTypes
	d.section("Types of tools")
	if t.None != nil {
		d.line("Functions alone, as far as is known.")
		d.evidence(*t.None)
		return
	}
	if t.FreeForm == nil {
		d.line("FreeForm: no free texts, as far as is known.")
	} else {
		d.line("FreeForm: free texts with the syntax %s.", strings.Join(t.FreeForm.Syntaxes, ", "))
		d.evidence(t.FreeForm.Evidence)
	}
	if t.FreeForm != nil && t.FreeForm.Refuses != nil {
		r := t.FreeForm.Refuses
		features := make([]string, len(r.Features))
		for i, name := range r.Features {
			features[i] = lark.Words(name)
		}
		d.line("\nA definition must not have: %s (otherwise: %s).", prose(strings.Join(features, "; ")), r.Severity)
		d.evidence(r.Evidence)
	}
	d.line("")
	switch {
	case p.WireFormat == "mcp-tool":
		d.line("MCP: a server lists its own tools.")
	case t.MCP == nil:
		d.line("MCP: the API calls no servers, as far as is known.")
	default:
		d.server(t.MCP)
	}
	d.line("")
	if len(t.BuiltIn) == 0 {
		d.line("BuiltIn: the API has no tools of its own, as far as is known.")
		return
	}
	d.line("BuiltIn: the API has tools of its own. A star marks a setting that is required.\n")
	rows := make([][]string, 0, len(t.BuiltIn))
	for _, b := range t.BuiltIn {
		rows = append(rows, []string{
			codes(b.Types), toolName(b), runBy(b), settings(b), codes(b.RequestHeaders), sentence(b.Note), string(b.Confidence), d.from(b.Evidence),
		})
	}
	d.table([]string{"Type", "Name", "Run by", "Settings", "Headers of the request", "Notes", "Confidence", "Sources"}, rows)
}

func (d *pageOf) server(m *provider.MCPFacts) {
	d.line("MCP: the API calls servers by itself.")
	for _, fact := range []struct {
		is   bool
		text string
	}{
		{m.Connectors, "It keeps servers that are named by an identifier."},
		{m.Headers, "The host may send headers along."},
		{m.Approval, "It asks the application before a call, if the tool wants that."},
		{!m.Approval, "It asks nobody before a call."},
		{len(m.RequestHeaders) > 0, "The request needs " + codes(m.RequestHeaders) + "."},
	} {
		if fact.is {
			d.line("%s", fact.text)
		}
	}
	d.evidence(m.Evidence)
}

func toolName(b provider.BuiltInFacts) string {
	if b.Name == "" {
		return "the type"
	}
	return code(b.Name)
}

func runBy(b provider.BuiltInFacts) string {
	if b.Conditional() {
		return b.Executes + ", or Client, by its settings"
	}
	return b.Executes
}

func settings(b provider.BuiltInFacts) string {
	fields := b.Fields()
	lines := make([]string, len(fields))
	for i, f := range fields {
		name := code(f.Name)
		if f.Required {
			name += "*"
		}
		lines[i] = name + ": " + prose(f.Form)
	}
	return strings.Join(lines, "<br>")
}

// request says what a request holds beside its tools.
func (d *pageOf) request() {
	r := d.profile.Request
	d.section("Requests")
	for _, fact := range []struct {
		is   bool
		text string
	}{
		{len(r.Strict) > 0, "With strict tools it needs " + members(r.Strict) + "."},
		{r.StrictEndpoint != "", "With strict tools it goes to " + code(r.StrictEndpoint) + "."},
		{len(r.BesideBuiltIn) > 0, "With functions beside tools of the API it needs " + members(r.BesideBuiltIn) + "."},
		{r.StrictBesideBuiltIn, "The functions are then held to their schemas."},
		{r.DeferLoading, "Tools can be left out of the prompt until a search finds them."},
		{r.DeferLoading && r.DeferAll, "All of them can."},
		{r.DeferLoading && !r.DeferAll, "One tool must stay in it."},
		{len(r.SearchTools) > 0, "The search is one of " + codes(r.SearchTools) + "."},
		{r.Namespaces, "Tools can be put into groups."},
		{r.NamesFold != "", "Readers of names turn " + code(r.NamesFold) + " into an underscore."},
	} {
		if fact.is {
			d.line("%s", fact.text)
		}
	}
	for _, text := range r.ToolChoice {
		d.line("%s", sentence(text))
	}
	if r.Confidence == "" {
		d.line("Nothing is known beside its tools.")
	}
	d.evidence(r.Evidence)
}

func members(list []provider.RequestMember) string {
	out := make([]string, len(list))
	for i, m := range list {
		out[i] = code(m.Path + ": " + m.Get().JSON())
	}
	return strings.Join(out, ", ")
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
