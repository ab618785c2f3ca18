// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/toolset"
)

// setPage is what the page of a set shows.
type setPage struct {
	Name, Namespace, NamespaceHref, Origin string
	States                                 []state
	Findings                               []findingView
	Profiles                               []setProfileView
}

type setProfileView struct {
	Anchor, Profile, Href, Class, Reason string
	Known                                bool
	Tools, Tokens, Size, Models, Digest  string
	Limits                               []string
	Rows                                 []toolRow
	Split                                []string
	Findings                             []findingView
}

// toolRow is a tool of a set.
type toolRow struct {
	Href, Text               string
	State                    state
	Tokens, Bytes            string
	Reason, Pointer, Message string
}

func (n Name) setFile() string { return pageFile(setsFolder, n.slug(), 1) }

// noteSet keeps which contracts a set holds.
func (s *site) noteSet(set *Set) {
	for _, p := range set.Profiles {
		if p.Result == nil {
			continue
		}
		for _, t := range p.Result.Tools {
			key := Name{t.Namespace, t.Contract}
			href := "../" + set.setFile()
			if held := s.inSets[key]; len(held) == 0 || held[len(held)-1].Href != href {
				s.inSets[key] = append(held, link{Href: href, Text: set.String()})
			}
		}
	}
}

// states are what came out for a set as a whole.
func (set *Set) states() []state {
	errors := finding.Count(set.Findings, finding.Error) + set.Lint.Count(finding.Error)
	for _, p := range set.Profiles {
		errors += finding.Count(p.Findings, finding.Error)
	}
	if errors > 0 {
		return []state{{wordError, wordError, errors}}
	}
	return []state{{Class: wordOK, Word: wordOK}}
}

func (s *site) set(set *Set) {
	file := set.setFile()
	about := finding.Sort(append(append([]finding.Finding{}, set.Findings...), set.Lint.All()...))
	p := setPage{
		Name: set.Name.Name, Namespace: set.Namespace, NamespaceHref: "../" + pageFile(namespacesFolder, slug(set.Namespace), 1),
		Origin: set.Origin, States: set.states(), Findings: s.findingViews(file, about),
	}
	where := func(profile string) link { return link{Text: "set " + set.String(), Href: file, Note: profile} }
	s.summary.Sets++
	s.count(about)
	s.noteFindings(where(""), about)
	for _, sp := range set.Profiles {
		s.count(sp.Findings)
		s.noteFindings(where(sp.Profile), sp.Findings)
		s.profile(sp.Profile).sets = append(s.profile(sp.Profile).sets, link{Href: "../" + file, Text: set.String()})
		p.Profiles = append(p.Profiles, s.setProfile(file, sp))
	}
	s.write("set", file, "Set "+set.String(), setsFile, p)
}

func (s *site) setProfile(file string, sp SetProfile) setProfileView {
	v := setProfileView{
		Anchor: profileAnchor(sp.Profile), Profile: sp.Profile, Href: s.profileHref(file, sp.Profile), Models: strings.Join(sp.Models, ", "),
		Digest: sp.Digest, Findings: s.findingViews(file, sp.Findings),
	}
	r := sp.Result
	if r == nil {
		return v
	}
	v.Known, v.Reason, v.Class = true, r.Reason, wordOK
	if finding.HasErrors(sp.Findings) {
		v.Class = wordError
	}
	v.Tools = fmt.Sprintf("%d of %s, %d of them strict", r.Included, plural(len(r.Tools), "tool"), r.Strict)
	v.Tokens = fmt.Sprintf("about %s in every request", thousands(r.Tokens))
	if sp.TokenBudget > 0 {
		v.Tokens += fmt.Sprintf(", %d %% of the budget of %s", r.Tokens*100/sp.TokenBudget, thousands(sp.TokenBudget))
	}
	v.Size = plural(r.Bytes, "byte")
	if profile, known := s.model.Profiles.Lookup(sp.Profile); known {
		v.Limits = requestLimits(profile)
	}
	for _, t := range r.Tools {
		v.Rows = append(v.Rows, s.toolRow(file, t, sp.Profile))
	}
	for i, names := range r.Split {
		v.Split = append(v.Split, fmt.Sprintf("Set %d: %s", i+1, strings.Join(names, ", ")))
	}
	return v
}

func (s *site) toolRow(file string, t toolset.ToolResult, profile string) toolRow {
	row := toolRow{Text: t.Name(), Tokens: thousands(t.Tokens), Bytes: thousands(t.Bytes), Reason: t.Reason, Pointer: t.Pointer, Message: t.Message}
	row.Href = root(file) + pageFile(contractsFolder, Name{t.Namespace, t.Contract}.slug(), 1) + "#" + profileAnchor(profile)
	switch {
	case !t.Included:
		row.State = state{Class: wordExcluded, Word: "left out"}
		row.Tokens, row.Bytes = "–", "–"
	case t.Strict:
		row.State = state{Class: wordStrict, Word: wordStrict}
	default:
		row.State = state{Class: wordOK, Word: wordOK}
	}
	return row
}

// requestLimits are what the API takes in one request.
func requestLimits(p *provider.Profile) []string {
	var out []string
	for _, l := range p.Limits {
		if l.Per == provider.LimitPerRequest {
			out = append(out, limit(l))
		}
	}
	return out
}

func limit(l provider.Limit) string {
	text := fmt.Sprintf("at most %s %s", thousands(l.Max), provider.MeasureWords(l.Measure))
	if l.Per == provider.LimitPerRequest {
		text += " in a request"
	} else {
		text += " in a tool"
	}
	if l.Mode != "" {
		text += ", in " + strings.ToLower(string(l.Mode)) + " mode"
	}
	if l.Severity != string(finding.Error) {
		text += " (an observation)"
	}
	return text
}
