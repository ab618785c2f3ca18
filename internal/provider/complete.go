// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Complete returns all facts of the profile, those that it inherits included,
// in a form that stands for itself: nothing is extended, and each keyword and
// shape has one entry. Read back, it makes a profile with the same digest.
func (p *Profile) Complete() Facts {
	f := p.Facts
	f.Extends = ""
	f.RootKeywords, f.Shapes, f.Keywords = resolved(f.RootKeywords), resolved(f.Shapes), resolved(f.Keywords)
	return f
}

// resolved gives each name the list that counts, in each mode, and groups names
// with equal lists.
func resolved(groups []Verdicts) []Verdicts {
	strict, standard := casesByName(groups, Strict), casesByName(groups, Standard)
	named := maps.Clone(strict)
	maps.Copy(named, standard)
	byLists := map[string]*Verdicts{}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		inStrict, inStandard := asJSON(strict[name]), asJSON(standard[name])
		lists := inStrict + " " + inStandard
		group := byLists[lists]
		if group == nil {
			group = &Verdicts{Strict: strict[name], Standard: standard[name]}
			if inStrict == inStandard {
				group = &Verdicts{Both: strict[name]}
			}
			byLists[lists] = group
		}
		group.Names = append(group.Names, name)
	}
	out := make([]Verdicts, 0, len(byLists))
	for _, group := range byLists {
		out = append(out, *group)
	}
	slices.SortFunc(out, func(a, b Verdicts) int { return strings.Compare(a.Names[0], b.Names[0]) })
	return out
}

func asJSON(cases []Case) string {
	text, err := json.Marshal(cases)
	if err != nil { // no type in it can fail
		return ""
	}
	return string(text)
}
