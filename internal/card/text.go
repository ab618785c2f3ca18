// SPDX-License-Identifier: Apache-2.0

package card

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Text is the card for people, in lines of at most 100 columns.
func (c *Card) Text() string {
	var p page
	name := c.Contract
	if c.Namespace != "" {
		name = c.Namespace + "/" + name
	}
	p.heading(fmt.Sprintf("%s: contract %s %s, type %s", c.ToolName, name, c.Version, c.Type))
	p.line(0, "content "+c.ContentDigest)
	p.blank()
	if c.Profile != nil {
		p.heading(fmt.Sprintf("SEEN BY THE MODEL, as %s is sent (%s)", c.Profile.Name, c.Profile.Title))
	} else {
		p.heading("SEEN BY THE MODEL, as the contract says it (each API gets its own form: --profile NAME)")
	}
	p.model(c)
	p.blank()
	p.targets(c)
	p.blank()
	p.heading("NOT SEEN BY THE MODEL")
	p.host(c)
	return p.String()
}

// page writes lines. What the author wrote is escaped, and longer texts of the
// author stand behind a bar.
type page struct{ strings.Builder }

func (p *page) blank() { p.WriteByte('\n') }

// line writes a text, with the lines after the first one deeper.
func (p *page) line(indent int, text string) {
	first := strings.Repeat(" ", indent)
	rest := first + "    "
	for i, part := range wrap(Visible(text), pageWidth-indent-4) {
		if i == 0 {
			p.WriteString(strings.TrimRight(first+part, " ") + "\n")
		} else {
			p.WriteString(rest + part + "\n")
		}
	}
}

// heading begins at the left margin, where nothing else does.
func (p *page) heading(text string) {
	for i, part := range wrap(Visible(text), pageWidth-2) {
		if i > 0 {
			p.WriteString("  ")
		}
		p.WriteString(part + "\n")
	}
}

// labelWidth is the columns of a label.
const labelWidth = 17

// labelled writes a text beside its label.
func (p *page) labelled(label, text string) {
	for i, part := range wrap(Visible(text), pageWidth-2-labelWidth) {
		if i > 0 {
			label = ""
		}
		p.WriteString(strings.TrimRight(fmt.Sprintf("  %-*s%s", labelWidth, label, part), " ") + "\n")
	}
}

// quoted writes a text of the author behind a bar. A sign shows where the text
// itself ends a line.
func (p *page) quoted(indent int, text string) {
	bar := strings.Repeat(" ", indent) + "│ "
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		line = Visible(line)
		if i < len(lines)-1 {
			line += "⏎"
		}
		for _, part := range wrap(line, pageWidth-indent-2) {
			p.WriteString(bar + part + "\n")
		}
	}
}

func (p *page) model(c *Card) {
	m := &c.Model
	p.labelled("Name", m.Name)
	if m.Title != "" {
		p.labelled("Title", c.reached("title"))
		p.quoted(4, m.Title)
	}
	p.labelled("Kind", m.Kind)
	switch {
	case m.Description == "":
		p.labelled("Description", "none is sent")
	case c.Profile == nil && c.Type != "Function" && c.Type != "FreeForm":
		p.labelled("Description", "as the contract says it; most APIs show the model their own")
		p.quoted(4, m.Description)
	default:
		p.labelled("Description", "")
		p.quoted(4, m.Description)
	}
	p.members(map[bool]string{true: "Also sent", false: "Form"}[c.Profile != nil], m.Members)
	p.schema("Parameters", m.Parameters)
	if len(m.Examples) > 0 {
		p.labelled("Examples", c.reached("examples"))
		for _, e := range m.Examples {
			p.quoted(4, string(e))
		}
	}
	p.schema("Answer", m.Answer)
}

// reached says which APIs get a part of a contract in a place of its own.
func (c *Card) reached(part string) string {
	if c.Profile != nil {
		return ""
	}
	var names []string
	for _, t := range c.Targets {
		if slices.Contains(t.Sent, part) {
			names = append(names, t.Profile)
		}
	}
	if len(names) == 0 {
		return "in a place of its own sent to none of the targets"
	}
	return "in a place of its own sent to " + strings.Join(names, ", ")
}

func (p *page) members(label string, members []Member) {
	for i, m := range members {
		if i == 0 {
			p.labelled(label, "")
		}
		p.line(4, fmt.Sprintf("%s = %s", m.Name, m.Value))
	}
}

// schema writes what a value can be. A label longer than others has a line of
// its own.
func (p *page) schema(label string, fields []Field) {
	for i, f := range fields {
		text := f.summary()
		switch {
		case i == 0 && len(label) >= labelWidth:
			p.line(4, label)
			p.line(8, text)
		case i == 0:
			p.labelled(label, text)
		default:
			p.line(4, f.Path+": "+text)
		}
		if f.Title != "" {
			p.quoted(8, f.Title)
		}
		if f.Description != "" {
			p.quoted(8, f.Description)
		}
		for _, e := range f.Examples {
			p.line(8, "for example "+string(e))
		}
		for _, k := range f.Keywords {
			p.line(8, fmt.Sprintf("%s: %s", k.Name, k.Value))
		}
	}
}

// summary is the one line about a field.
func (f *Field) summary() string {
	var parts []string
	add := func(text string) {
		if text != "" {
			parts = append(parts, text)
		}
	}
	add(f.Type)
	add(f.Presence)
	switch len(f.Values) {
	case 0:
	case 1:
		add("always " + string(f.Values[0]))
	default:
		values := make([]string, len(f.Values))
		for i, v := range f.Values {
			values[i] = string(v)
		}
		add("one of " + strings.Join(values, ", "))
	}
	for _, b := range f.Bounds {
		add(b)
	}
	if f.Default != nil {
		add(string(f.Default) + " if left out")
	}
	return strings.Join(parts, "; ")
}

func (p *page) targets(c *Card) {
	p.heading("HOW IT IS SENT")
	if len(c.Targets) == 0 {
		p.line(2, "no target")
	}
	for _, t := range c.Targets {
		p.line(2, t.Profile+": "+strictWord(t)+"; "+t.Strict)
		for _, change := range t.Changes {
			p.line(6, fmt.Sprintf("changed (%s: %s) %s: %s", change.Effect, change.Meaning, cmp.Or(change.Pointer, "(root)"), change.Message))
		}
		for _, f := range t.Findings {
			p.line(6, f.line)
		}
	}
}

func strictWord(t Target) string {
	switch {
	case !t.Compatible:
		return "incompatible"
	case t.Given:
		return fmt.Sprintf("strict (asked: %s)", t.Asked)
	}
	return fmt.Sprintf("not strict (asked: %s)", t.Asked)
}

func (p *page) host(c *Card) {
	h := &c.Host
	p.statements(h.Execution)
	for i, s := range h.SessionParameters {
		if i == 0 {
			p.labelled("Injected", "the host adds these to the arguments, from the session of the caller")
		}
		text := s.Name + " from " + s.Source
		if s.Optional {
			text += ", where the session has it"
		} else {
			text += "; without it there is no call"
		}
		p.schema(text, s.Schema)
	}
	p.blank()
	p.heading("THE ANSWER, which a model sees after a call")
	p.labelled("Made by", map[bool]string{
		true: "the host, which holds it to what follows", false: "the provider or its server: no host can hold it to anything",
	}[h.Answers])
	if len(h.Answer) == 0 {
		p.labelled("Data", "none is declared")
	} else if c.Profile == nil {
		p.labelled("Its schema", c.reached("answer"))
	}
	p.schema("Data", h.Answer)
	p.statements(h.Output)
	p.errors(h.Errors)
}

func (p *page) statements(list []Statement) {
	for _, s := range list {
		text := s.Meaning
		if s.Value != "" && !strings.Contains(s.Meaning, s.Value) {
			text = s.Value + ": " + s.Meaning
		}
		p.labelled(s.Label, text)
	}
}

func (p *page) errors(list []Error) {
	declared, platform := 0, 0
	for _, e := range list {
		if e.Platform {
			platform++
			continue
		}
		if declared++; declared == 1 {
			p.labelled("Errors", "what the tool says; a model gets code, category, text, and what to do")
		}
		p.line(4, fmt.Sprintf("%s (%s): %s", e.Code, e.Category, e.Do))
		p.quoted(8, e.SafeMessage)
	}
	if declared == 0 {
		p.labelled("Errors", "none are declared")
	}
	if platform > 0 {
		p.labelled("Of the host", "what a host says in place of the tool, for every tool")
	}
	for _, e := range list {
		if e.Platform {
			p.line(4, fmt.Sprintf("%s (%s): %s", e.Code, e.Category, e.Do))
		}
	}
}
