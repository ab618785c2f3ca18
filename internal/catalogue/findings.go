// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

// findingView is a finding as a page shows it.
type findingView struct {
	Severity, Class, Place, Message, Fix, Rule, Href string
}

func (s *site) findingViews(page string, findings []finding.Finding) []findingView {
	out := make([]findingView, len(findings))
	for i, f := range findings {
		out[i] = findingView{string(f.Severity), severityClass(f.Severity), f.Place(), f.Message, f.Fix, f.Rule, root(page) + ruleFile(f.Rule)}
	}
	return out
}

func severityClass(s finding.Severity) string {
	switch s {
	case finding.Error:
		return "error"
	case finding.Warning:
		return "warning"
	case finding.Info:
	}
	return "info"
}

func ruleFile(rule string) string { return pageFile(rulesFolder, slug(rule), 1) }

// ruleUse is what a rule found in the catalogue.
type ruleUse struct {
	errors, warnings, infos int
	example                 string
	groups                  []ruleGroup
	shown                   int
}

// ruleGroup is what it found in one object, for one profile or for all.
type ruleGroup struct {
	link
	findings []finding.Finding
	total    int
}

// The page of a rule shows so many findings in full, and so many of one object;
// the rest is counted beside links. A rule may speak of every contract.
const (
	maxShown      = 200
	maxShownOfOne = 5
)

func (s *site) noteFindings(where link, findings []finding.Finding) {
	byRule := map[string][]finding.Finding{}
	for _, f := range findings {
		byRule[f.Rule] = append(byRule[f.Rule], f)
	}
	for rule, found := range byRule { // each rule has its own list
		use := s.rules[rule]
		if use == nil {
			use = &ruleUse{}
			s.rules[rule] = use
		}
		use.errors += finding.Count(found, finding.Error)
		use.warnings += finding.Count(found, finding.Warning)
		use.infos += finding.Count(found, finding.Info)
		use.example = cmp.Or(use.example, finding.Clip(found[0].Message, 200))
		keep := min(len(found), maxShownOfOne, max(0, maxShown-use.shown))
		use.shown += keep
		use.groups = append(use.groups, ruleGroup{where, slices.Clone(found[:keep]), len(found)})
	}
}

// rulePage is what the page of a rule shows.
type rulePage struct {
	Rule, Lead        string
	Summary, Why, Fix string
	Groups            []ruleGroupView
	Others            []link
}

type ruleGroupView struct {
	ID, Href, Text, Note, More string
	Findings                   []findingView
}

func (s *site) rulePages() {
	for _, rule := range slices.Sorted(maps.Keys(s.rules)) {
		use := s.rules[rule]
		file := ruleFile(rule)
		p := rulePage{Rule: rule, Lead: fmt.Sprintf("%s, %s and %s.", plural(use.errors, "error"), plural(use.warnings, "warning"), plural(use.infos, "info"))}
		if r, known := lint.Lookup(rule); known {
			p.Summary, p.Why, p.Fix = r.Summary, r.Why, r.Fix
		}
		for i, g := range use.groups {
			if len(g.findings) == 0 {
				p.Others = append(p.Others, link{Href: root(file) + g.Href, Text: g.Text, Note: plural(g.total, "finding")})
				continue
			}
			view := ruleGroupView{ID: "o-" + strconv.Itoa(i+1), Href: root(file) + g.Href, Text: g.Text, Note: g.Note}
			view.Findings = s.findingViews(file, g.findings)
			for k := range view.Findings {
				view.Findings[k].Rule = "" // the page is about it
			}
			if more := g.total - len(g.findings); more > 0 {
				view.More = fmt.Sprintf("and %s", plural(more, "more finding"))
			}
			p.Groups = append(p.Groups, view)
		}
		p.Others = compactLinks(p.Others)
		s.write("rule", file, rule, findingsFile, p)
	}
}

// compactLinks makes one link of those that lead to one page.
func compactLinks(links []link) []link {
	return slices.CompactFunc(links, func(a, b link) bool { return a.Href == b.Href })
}

// findingsPage lists the rules that have something to say.
type findingsPage struct {
	Lead  string
	Rules []ruleRow
}

type ruleRow struct {
	Rule, Href, Example     string
	Errors, Warnings, Infos string
}

func (s *site) findingsIndex() {
	p := findingsPage{Lead: fmt.Sprintf("%s and %s, by the rule that found them. Each rule has a page with every place.",
		plural(s.summary.Errors, "error"), plural(s.summary.Warnings, "warning"))}
	names := slices.SortedFunc(maps.Keys(s.rules), func(a, b string) int {
		x, y := s.rules[a], s.rules[b]
		return cmp.Or(cmp.Compare(y.errors, x.errors), cmp.Compare(y.warnings, x.warnings), cmp.Compare(y.infos, x.infos), cmp.Compare(a, b))
	})
	for _, name := range names {
		use := s.rules[name]
		p.Rules = append(p.Rules, ruleRow{name, ruleFile(name), use.example, number(use.errors), number(use.warnings), number(use.infos)})
	}
	if len(names) == 0 {
		p.Lead = "There are none."
	}
	s.write("findings", findingsFile, "Findings", findingsFile, p)
}

// number is a count in a table, where zero is not worth reading.
func number(n int) string {
	if n == 0 {
		return "–"
	}
	return thousands(n)
}
