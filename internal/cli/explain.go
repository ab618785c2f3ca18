// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// explanation is the JSON output about one profile: its facts with the verdicts
// by name. Members are only added to it.
type explanation struct {
	profileSummary
	Extends       string                      `json:"extends,omitempty"`
	Sources       []provider.Source           `json:"sources"`
	Strict        provider.StrictSwitch       `json:"strict"`
	Models        []provider.Model            `json:"models"`
	ToolNames     []provider.NameRule         `json:"toolNames"`
	Description   provider.DescriptionRule    `json:"description"`
	PropertyNames []provider.PropertyNameRule `json:"propertyNames"`
	Examples      provider.ExamplesPlace      `json:"examples"`
	OutputSchema  provider.OutputPlace        `json:"outputSchema"`
	Effective     provider.EffectiveByMode    `json:"effective"`
	ToolTypes     provider.ToolTypes          `json:"toolTypes"`
	Request       provider.RequestFacts       `json:"request"`
	Limits        []provider.Limit            `json:"limits"`
	Keywords      map[string]verdictView      `json:"keywords"`
	RootKeywords  map[string]verdictView      `json:"rootKeywords"`
	Shapes        map[string]verdictView      `json:"shapes"`
}

// verdictView is what becomes of a name in each mode.
type verdictView struct {
	Strict   []provider.Case `json:"strict"`
	Standard []provider.Case `json:"standard"`
}

func (p *Program) explain(profile *provider.Profile) explanation {
	e := explanation{
		profileSummary: p.summary(profile), Extends: profile.Extends, Sources: profile.Sources, Strict: profile.Strict,
		Models: orNone(profile.Models), ToolNames: orNone(profile.ToolNames), Description: profile.Description,
		PropertyNames: orNone(profile.PropertyNames), Examples: profile.Examples, OutputSchema: profile.OutputSchema,
		Effective: profile.Effective, ToolTypes: profile.ToolTypes, Request: profile.Request, Limits: orNone(profile.Limits),
		Keywords: map[string]verdictView{}, RootKeywords: map[string]verdictView{}, Shapes: map[string]verdictView{},
	}
	for _, entry := range profile.Entries() {
		view := verdictView{orNone(entry.Strict), orNone(entry.Standard)}
		switch entry.Section {
		case provider.InKeywords:
			e.Keywords[entry.Name] = view
		case provider.InRootKeywords:
			e.RootKeywords[entry.Name] = view
		default:
			e.Shapes[entry.Name] = view
		}
	}
	return e
}

// orNone makes a list that JSON shows as one.
func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// explainer writes the text about one profile.
type explainer struct {
	p       *Program
	profile *provider.Profile
}

func (p *Program) writeExplanation(profile *provider.Profile) {
	e := explainer{p, profile}
	days, _ := p.age(profile)
	e.line("%s: %s (%s %s)", profile.Name, profile.Title, profile.Provider, profile.API)
	e.line("  wire format %s, revision %d, compared with its sources on %s (%s ago)", profile.WireFormat, profile.Revision, profile.Reviewed, plural(days, "day"))
	if profile.Extends != "" {
		e.line("  extends %s", profile.Extends)
	}
	e.strict()
	e.names()
	e.places()
	e.types()
	e.limits()
	for _, section := range []struct {
		in    provider.Section
		title string
	}{
		{provider.InKeywords, "Keywords"},
		{provider.InRootKeywords, "Keywords at the root of a schema, where it differs"},
		{provider.InShapes, "Shapes: what is in no single keyword"},
	} {
		e.section(section.in, section.title)
	}
	e.title("Sources")
	for _, s := range profile.Sources {
		e.line("  %s: %s (%s, %s)", s.Key, s.Title, s.URL, s.Date)
	}
}

func (e explainer) line(format string, arguments ...any) {
	fmt.Fprintln(e.p.out, finding.Printable(fmt.Sprintf(format, arguments...)))
}

func (e explainer) title(text string) {
	fmt.Fprintln(e.p.out)
	e.line("%s", text)
}

// evidence is the confidence, the sources and the note of a fact.
func (e explainer) evidence(indent string, evidence provider.Evidence) {
	e.line("%s%s: %s", indent, evidence.Confidence, strings.Join(evidence.Sources, ", "))
	if evidence.Note != "" {
		e.line("%snote: %s", indent, evidence.Note)
	}
}

func (e explainer) strict() {
	e.title("Strict mode")
	s := e.profile.Strict
	e.line("  place %s, non-strict is written %s", s.Place, s.NonStrict)
	if s.RequestSwitch != "" {
		e.line("  the request: %s", s.RequestSwitch)
	}
	e.evidence("  ", s.Evidence)
	for _, m := range e.profile.Models {
		word := "not strict"
		if m.Strict {
			word = "strict"
		}
		e.line("  models %s: %s", m.Pattern, word)
		e.evidence("    ", m.Evidence)
	}
}

func (e explainer) names() {
	e.title("Names and description")
	for _, r := range e.profile.ToolNames {
		e.line("  a tool name matches %s and has at most %d characters (%s)", r.Pattern, r.MaxLength, r.Severity)
		if len(r.Reserved) > 0 {
			e.line("  reserved: %s", strings.Join(r.Reserved, ", "))
		}
		e.evidence("    ", r.Evidence)
	}
	for _, r := range e.profile.PropertyNames {
		if r.Pattern != "" {
			e.line("  property names (%s) match %s (%s)", r.Scope, r.Pattern, r.Severity)
		}
		if len(r.Reserved) > 0 {
			e.line("  property names (%s) that are not taken: %s (%s)", r.Scope, strings.Join(r.Reserved, ", "), r.Severity)
		}
		e.evidence("    ", r.Evidence)
	}
	d := e.profile.Description
	for _, rule := range []struct {
		is   bool
		text string
	}{
		{d.Required, "is required"},
		{d.MinLength > 0, fmt.Sprintf("has at least %d characters", d.MinLength)},
		{d.MaxLength > 0, fmt.Sprintf("has at most %d characters", d.MaxLength)},
		{d.WarnAbove > 0, fmt.Sprintf("may be refused above %d characters", d.WarnAbove)},
	} {
		if rule.is {
			e.line("  a description %s", rule.text)
		}
	}
	e.evidence("    ", d.Evidence)
}

func (e explainer) places() {
	e.title("Beside the input schema")
	e.place("examples of arguments", e.profile.Examples.Field, e.profile.Examples.Evidence)
	e.place("the schema of the answer", e.profile.OutputSchema.Field, e.profile.OutputSchema.Evidence)
	for _, m := range []struct {
		mode      provider.Mode
		effective provider.Effective
	}{{provider.Strict, e.profile.Effective.Strict}, {provider.Standard, e.profile.Effective.Standard}} {
		e.line("  in %s mode: open objects %s, patterns %s, enums %s, oneOf %s",
			m.mode, m.effective.OpenObjects, m.effective.Patterns, m.effective.Enums, m.effective.OneOf)
		e.evidence("    ", m.effective.Evidence)
	}
}

func (e explainer) place(what, field string, evidence provider.Evidence) {
	if field == "" {
		e.line("  there is no place for %s", what)
	} else {
		e.line("  %s: in %s", what, field)
	}
	if evidence.Confidence != "" {
		e.evidence("    ", evidence)
	}
}

func (e explainer) limits() {
	e.title("Limits")
	if len(e.profile.Limits) == 0 {
		e.line("  none is known")
	}
	for _, l := range e.profile.Limits {
		mode := "both modes"
		if l.Mode != "" {
			mode = string(l.Mode) + " mode"
		}
		e.line("  %s: at most %d per %s, in %s (%s)", l.Measure, l.Max, strings.ToLower(string(l.Per)), mode, l.Severity)
		e.evidence("    ", l.Evidence)
	}
}

func (e explainer) section(in provider.Section, title string) {
	started := false
	for _, entry := range e.profile.Entries() {
		if entry.Section != in {
			continue
		}
		if !started {
			e.title(title)
			started = true
		}
		e.line("  %s", entry.Name)
		e.cases("strict", entry.Strict)
		e.cases("standard", entry.Standard)
	}
}

func (e explainer) cases(mode string, cases []provider.Case) {
	for _, c := range cases {
		line := fmt.Sprintf("    %-8s %s", mode, c.Verdict)
		if c.When != nil {
			line += " when " + condition(c.When)
		} else if len(cases) > 1 {
			line += " otherwise"
		}
		e.line("%s (%s: %s)", line, c.Confidence, strings.Join(c.Sources, ", "))
		for _, text := range []struct{ name, text string }{{"warning", c.Warning}, {"error", c.Error}, {"note", c.Note}} {
			if text.text != "" {
				e.line("             %s: %s", text.name, text.text)
			}
		}
	}
}

// condition is a condition as the profile file has it.
func condition(w *provider.When) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(w); err != nil { // no type in it can fail
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}
