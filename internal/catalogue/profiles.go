// SPDX-License-Identifier: Apache-2.0

package catalogue

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/provider"
)

// profileUse is what the catalogue says of a profile.
type profileUse struct {
	byWord map[string][]use
	sets   []link
}

// use is a contract with what came out for the profile.
type use struct {
	row  *row
	cell state
}

func (s *site) profile(name string) *profileUse {
	u := s.profiles[name]
	if u == nil {
		u = &profileUse{byWord: map[string][]use{}}
		s.profiles[name] = u
	}
	return u
}

func (u *profileUse) add(r *row, cell state) {
	u.byWord[cell.Word] = append(u.byWord[cell.Word], use{r, cell})
}

// profilePage is what the page of a profile shows.
type profilePage struct {
	Name, Title string
	Groups      []profileGroup
	Sets        []link
	Facts       []fact
	Keywords    []keywordRow
	Sources     []sourceView
}

type profileGroup struct {
	ID, Text string
	State    state
	Items    []link
}

type fact struct{ Label, Text, Evidence string }

// keywordRow is a keyword with its cases in the two modes.
type keywordRow struct {
	Name, Where string
	Modes       [2][]caseView
}

type caseView struct{ Verdict, Class, When, Text, Evidence string }

type sourceView struct{ Key, Title, Date, URL string }

// profileGroups are the contracts of a profile by what came out.
var profileGroups = []struct{ word, text string }{
	{wordInvalid, "not valid, so the profile was not asked"},
	{wordError, "cannot be taken"},
	{wordExcluded, "cannot be taken, and are left out"},
	{wordOK, "are taken; the host checks every call"},
	{wordStrict, "are taken strictly"},
}

func (s *site) profilePages() {
	for _, name := range slices.Sorted(maps.Keys(s.profiles)) {
		profile, known := s.model.Profiles.Lookup(name)
		if !known {
			continue
		}
		u := s.profiles[name]
		file := pageFile(profilesFolder, slug(name), 1)
		p := profilePage{Name: name, Title: profile.Title, Sets: u.sets, Facts: facts(profile), Keywords: keywords(profile)}
		for _, g := range profileGroups {
			uses := u.byWord[g.word]
			if len(uses) == 0 {
				continue
			}
			group := profileGroup{ID: "g-" + g.word, Text: g.text, State: state{classOf(g.word), g.word, len(uses)}}
			for _, x := range uses {
				group.Items = append(group.Items, link{Href: "../" + x.row.file(), Text: x.row.String(), Note: x.row.version})
			}
			p.Groups = append(p.Groups, group)
		}
		for _, source := range profile.Sources {
			p.Sources = append(p.Sources, sourceView{source.Key, source.Title, source.Date, source.URL})
		}
		s.write("profile", file, "Profile "+name, profilesFile, p)
	}
}

// facts are what a reader asks first.
func facts(p *provider.Profile) []fact {
	out := []fact{
		{"Provider", p.Provider, ""},
		{"API", p.API, ""},
		{"Wire format", p.WireFormat, ""},
		{"Facts", fmt.Sprintf("revision %d, compared with the sources on %s", p.Revision, p.Reviewed), ""},
		{"Strict mode", strictFact(p), evidence(p.Strict.Evidence)},
	}
	for _, n := range p.ToolNames {
		out = append(out, fact{"Tool name", fmt.Sprintf("at most %d characters, of the form %s", n.MaxLength, n.Pattern), evidence(n.Evidence)})
	}
	if n := p.Description.MaxLength; n > 0 {
		out = append(out, fact{"Description", "at most " + plural(n, "character"), evidence(p.Description.Evidence)})
	}
	for _, l := range p.Limits {
		out = append(out, fact{"Limit", limit(l), evidence(l.Evidence)})
	}
	return out
}

func strictFact(p *provider.Profile) string {
	switch p.Strict.Place {
	case provider.PerTool:
		return "asked for on each tool"
	case provider.PerRequest:
		return "asked for by the request: " + p.Strict.RequestSwitch
	case provider.NoStrict:
		return "there is none"
	case provider.Implied:
		return "always on"
	}
	return string(p.Strict.Place)
}

func evidence(e provider.Evidence) string {
	out := strings.ToLower(string(e.Confidence)) + " confidence"
	if len(e.Sources) > 0 {
		out += ", from " + strings.Join(e.Sources, ", ")
	}
	return out
}

// keywords are the table that the profile is.
func keywords(p *provider.Profile) []keywordRow {
	var out []keywordRow
	var section provider.Section
	for _, row := range p.Cells() {
		if len(out) == 0 || out[len(out)-1].Name != row.Name || section != row.Section {
			section = row.Section
			out = append(out, keywordRow{Name: row.Name, Where: map[provider.Section]string{
				provider.InRootKeywords: "at the root", provider.InShapes: "a shape",
			}[row.Section]})
		}
		mode := 0
		if row.Mode == provider.Standard {
			mode = 1
		}
		last := &out[len(out)-1]
		last.Modes[mode] = append(last.Modes[mode], caseView{
			Verdict: string(row.Verdict), Class: verdictClass(row.Verdict), When: row.Condition, Text: cmp.Or(row.Note, row.Warning),
			Evidence: evidence(provider.Evidence{Confidence: row.Confidence, Sources: row.Sources}),
		})
	}
	return out
}

func verdictClass(v provider.Verdict) string { return "v-" + strings.ToLower(string(v)) }
