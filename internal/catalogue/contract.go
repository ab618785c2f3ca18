// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/card"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/toolset"
)

// contractPage is what the page of a contract shows.
type contractPage struct {
	Name, Namespace, NamespaceHref string
	Tool, Version, Type, Origin    string
	Summary                        string
	States                         []state
	Sections                       []link
	Invalid                        bool
	Findings                       []findingView
	Wanted                         []link
	*seen
	Digest     string
	Targets    []targetView
	Revisions  []revisionView
	Broken     []brokenView
	Conditions []Condition
	Channels   []Channel
	Sets       []link
}

type brokenView struct {
	Origin, Version string
	Findings        []findingView
}

// contract writes the page of a contract, and keeps what other pages say of it.
func (s *site) contract(c *Contract) {
	file := pageFile(contractsFolder, c.slug(), 1)
	r := s.row(c)
	p := contractPage{
		Name: c.Name.Name, Namespace: c.Namespace, NamespaceHref: "../" + pageFile(namespacesFolder, slug(c.Namespace), 1),
		Tool: c.ToolName, Origin: c.Origin, States: r.states, Version: r.version, Digest: c.Digest,
		Findings: s.findingViews(file, c.about()), Conditions: c.Conditions, Channels: c.Channels, Sets: s.inSets[c.Name],
		Revisions: s.revisions(file, c),
	}
	for _, b := range c.Broken {
		p.Broken = append(p.Broken, brokenView{b.Origin, b.Version, s.findingViews(file, b.Findings)})
	}
	if c.Content == nil {
		p.Invalid = true
		for _, name := range c.Wanted {
			p.Wanted = append(p.Wanted, link{Text: name, Href: s.profileHref(file, name)})
		}
	} else {
		whole := card.Of(card.Source{Namespace: c.Namespace, Contract: c.Name.Name, Content: c.Content, Targets: c.Targets})
		p.seen = seenOf(c, whole)
		p.Type = c.Content.Type
		for i := range c.Targets {
			p.Targets = append(p.Targets, s.target(file, c, whole, i))
		}
	}
	p.Summary = p.summary()
	p.Sections = p.sections()
	s.write("contract", file, c.String(), listFile, p)
	s.note(c, r)
}

// String is the name with its namespace.
func (n Name) String() string { return n.Namespace + "/" + n.Name }

// about are the findings that no target has alone, sorted.
func (c *Contract) about() []finding.Finding {
	out := slices.Clone(c.Findings)
	out = append(out, c.Lint.All()...)
	return finding.Sort(append(out, c.Similar...))
}

// row is what the tables say of a contract.
func (s *site) row(c *Contract) *row {
	r := &row{Name: c.Name, cells: map[string]state{}}
	about := c.about()
	s.summary.Contracts++
	s.count(about)
	r.add(about)
	if c.Content == nil {
		s.summary.Invalid++
		r.mark(state{Class: wordError, Word: wordInvalid})
		for _, name := range c.Wanted {
			r.cells[name] = state{Class: wordError, Word: wordInvalid}
			s.countResult(wordInvalid)
		}
	} else {
		r.version = c.Content.Version.String()
	}
	for _, t := range c.Targets {
		cell := stateOf(t)
		r.cells[t.Spec.Profile] = cell
		s.countResult(cell.Word)
		s.count(t.Findings)
		if cell.Word == wordError {
			r.add(t.Findings)
		}
	}
	if r.errors > 0 && c.Content != nil {
		r.mark(state{wordError, wordError, r.errors})
	}
	for _, rev := range c.Revisions {
		if rev.Refused() {
			s.summary.Refused++
			s.count(rev.refusing())
			r.mark(state{Class: wordError, Word: wordRefused})
			r.why = cmp.Or(r.why, fmt.Sprintf("version %s needs a %s bump", rev.Content.Version, strings.ToLower(rev.Change.Required.String())))
			r.add(rev.refusing())
		}
	}
	for _, b := range c.Broken {
		s.count(b.Findings)
		r.add(b.Findings)
		if c.Content != nil {
			r.mark(state{Class: wordError, Word: "a manifest is invalid"})
		}
	}
	return r
}

// mark adds a state once.
func (r *row) mark(s state) {
	if !slices.Contains(r.states, s) {
		r.states = append(r.states, s)
	}
}

// add counts errors, and keeps the first as the reason why somebody has to look.
func (r *row) add(findings []finding.Finding) {
	errors := finding.Errors(findings)
	r.errors += len(errors)
	if r.why == "" && len(errors) > 0 {
		r.why = finding.Clip(errors[0].Message, 160)
	}
}

func (s *site) count(findings []finding.Finding) {
	s.summary.Errors += finding.Count(findings, finding.Error)
	s.summary.Warnings += finding.Count(findings, finding.Warning)
}

// countResult counts what came out for a contract and a profile.
func (s *site) countResult(word string) {
	s.summary.Results++
	switch word {
	case wordStrict:
		s.summary.Strict++
	case wordOK:
		s.summary.OK++
	case wordExcluded:
		s.summary.Excluded++
	default:
		s.summary.Failed++
	}
}

// note keeps what the pages about several contracts say of this one.
func (s *site) note(c *Contract, r *row) {
	s.rows = append(s.rows, r)
	place := func(profile string) link {
		return link{Text: c.String(), Href: r.file(), Note: profile}
	}
	s.noteFindings(place(""), c.about())
	for _, b := range c.Broken {
		s.noteFindings(place(b.Origin), b.Findings)
	}
	for _, rev := range c.Revisions {
		s.noteFindings(place("version "+rev.Content.Version.String()), rev.refusing())
	}
	for _, t := range c.Targets {
		s.noteFindings(place(t.Spec.Profile), t.Findings)
	}
	for name, cell := range r.cells {
		s.profile(name).add(r, cell)
	}
}

// sections are the parts of the page, for those who look for one.
func (p *contractPage) sections() []link {
	var out []link
	add := func(there bool, id, text, note string) {
		if there {
			out = append(out, link{Href: "#" + id, Text: text, Note: note})
		}
	}
	add(p.Invalid, "invalid", "Findings", fmt.Sprint(len(p.Findings)))
	add(!p.Invalid, "model", "What the model sees", "")
	add(!p.Invalid, "host", "Never shown to a model", "")
	add(!p.Invalid, "answer", "The answer", "")
	add(!p.Invalid, "providers", "What each provider gets", fmt.Sprint(len(p.Targets)))
	add(!p.Invalid, "findings", "Findings", fmt.Sprint(len(p.Findings)))
	add(len(p.Revisions) > 0, "revisions", "Revisions", fmt.Sprint(len(p.Revisions)))
	add(len(p.Broken) > 0, "broken", "Broken manifests", fmt.Sprint(len(p.Broken)))
	add(len(p.Conditions) > 0, "cluster", "In the cluster", "")
	add(!p.Invalid, "sets", "Sets", fmt.Sprint(len(p.Sets)))
	return out
}

// summary says in a sentence what came out.
func (p *contractPage) summary() string {
	if p.Invalid {
		return "It is not valid, so no provider is asked: " + plural(countErrors(p.Findings), "error") + "."
	}
	counts := map[string]int{}
	for _, t := range p.Targets {
		counts[t.State.Word]++
	}
	taken := counts[wordStrict] + counts[wordOK]
	out := fmt.Sprintf("%d of %s take it, %d of them strictly", taken, plural(len(p.Targets), "provider profile"), counts[wordStrict])
	if n := counts[wordExcluded]; n > 0 {
		out += fmt.Sprintf("; %s left out", is(n))
	}
	if n := counts[wordError]; n > 0 {
		out += fmt.Sprintf("; %s in the way of publication", is(n))
	}
	return out + "."
}

func is(n int) string {
	if n == 1 {
		return "1 is"
	}
	return fmt.Sprint(n) + " are"
}

func countErrors(findings []findingView) int {
	n := 0
	for _, f := range findings {
		if f.Severity == string(finding.Error) {
			n++
		}
	}
	return n
}

// targetView is a provider on the page of a contract.
type targetView struct {
	Profile, Href, Anchor, Title, Asked, Given, Strict, Models, Digest, Size, File string
	State                                                                          state
	Tokens                                                                         int
	Rewrites                                                                       []card.Change
	Findings                                                                       []findingView
	// Parameters are those that the API gets, if they are others.
	Parameters    fieldTable
	Pretty, Bytes string
	Hidden        string
}

// maxPretty bounds the JSON that is shown over several lines; the exact bytes are
// shown whatever their size.
const maxPretty = 48 << 10

func (s *site) target(file string, c *Contract, whole *card.Card, at int) targetView {
	t, told := c.Targets[at], whole.Targets[at]
	v := targetView{
		Profile: t.Spec.Profile, Href: s.profileHref(file, t.Spec.Profile), Anchor: profileAnchor(t.Spec.Profile), Title: told.Title,
		Asked: told.Asked, Strict: told.Strict, Models: strings.Join(t.Spec.Models, ", "), State: stateOf(t),
		Rewrites: told.Changes, Findings: s.findingViews(file, t.Findings), File: t.Spec.Profile + ".json",
	}
	v.Given = map[bool]string{true: "given", false: "not given"}[t.Given]
	if !t.Compatible() {
		return v
	}
	v.Bytes, v.Digest = string(t.Bytes), digestOf(t.Bytes)
	v.Tokens = toolset.Tokens(v.Bytes)
	v.Size = fmt.Sprintf("%s, about %s", plural(len(t.Bytes), "byte"), plural(v.Tokens, "token"))
	if n := hiddenIn(v.Bytes); n > 0 {
		v.Hidden = fmt.Sprintf("%s here as an escape; the file has the character itself.", map[bool]string{true: "1 character stands", false: thousands(n) + " characters stand"}[n == 1])
	}
	if len(t.Bytes) <= maxPretty {
		v.Pretty = pretty(t.Element)
	}
	sent := card.Of(card.Source{Namespace: c.Namespace, Contract: c.Name.Name, Content: c.Content, Targets: c.Targets[at : at+1], Rendered: true})
	if fields := fieldsOf(sent.Model.Parameters); !sameFields(fields, fieldsOf(whole.Model.Parameters)) {
		v.Parameters = fieldTable{ID: v.Anchor + "-parameters", Caption: "The parameters that " + v.Profile + " gets", Fields: fields}
	}
	return v
}
