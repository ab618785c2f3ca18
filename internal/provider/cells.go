// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"cmp"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Section is a part of a profile that holds verdicts by name.
type Section string

// The sections, by their fields in [Facts].
const (
	InKeywords     Section = "keywords"
	InRootKeywords Section = "rootKeywords"
	InShapes       Section = "shapes"
)

// Entry is what a profile says of one name: the ordered cases of each mode, of
// which the first whose condition holds decides.
type Entry struct {
	Section Section
	// Name is a keyword, [Shape], or "unknown" for all keywords that have no entry.
	Name             string
	Strict, Standard []Case
}

// Entries lists everything that the profile has verdicts for: the keywords of
// the dialect in its order, then other keywords by name, then unknown ones;
// keywords at the root by name; shapes in their order.
func (p *Profile) Entries() []Entry {
	out := slices.Concat(
		entriesOf(InKeywords, p.Keywords, keywordRank),
		entriesOf(InRootKeywords, p.RootKeywords, keywordRank),
		entriesOf(InShapes, p.Shapes, func(name string) int { return shapeIndex(Shape(name)) }),
	)
	return out
}

func entriesOf(section Section, groups []Verdicts, rank func(string) int) []Entry {
	strict, standard := casesByName(groups, Strict), casesByName(groups, Standard)
	var out []Entry
	for name := range standard {
		out = append(out, Entry{section, name, strict[name], standard[name]})
	}
	for name := range strict {
		if _, both := standard[name]; !both {
			out = append(out, Entry{section, name, strict[name], nil})
		}
	}
	slices.SortFunc(out, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(rank(a.Name), rank(b.Name)), strings.Compare(a.Name, b.Name))
	})
	return out
}

// keywordRank puts the keywords of the dialect first and unknown ones last.
func keywordRank(name string) int {
	if i, known := keywordIndex[name]; known {
		return i
	}
	if name == unknownName {
		return unknownKeyword + 1
	}
	return unknownKeyword
}

// Origin is the fact of a profile behind a finding.
type Origin struct {
	// Cell leads to the fact: /keywords/uniqueItems/strict, /models. Entries of
	// several names count as one entry each, as in [Profile.Entries].
	Cell string
	// Verdict is what the profile says there; Rejected for facts that are limits
	// and rules and no verdicts.
	Verdict Verdict
}

// OriginOf finds the fact behind a finding of this package on a schema in a
// mode, or on a name or description. What it cannot find is empty.
func (p *Profile) OriginOf(f finding.Finding, s *schema.Schema, mode Mode) Origin {
	switch f.Rule {
	case RuleToolName, RuleToolNameReserved:
		return Origin{"/toolNames", Rejected}
	case RulePropertyName, RulePropertyNameReserved:
		return Origin{"/propertyNames", Rejected}
	case RuleDescriptionLength, RuleDescriptionMissing:
		return Origin{"/description", Rejected}
	case RuleLimitExceeded:
		return Origin{"/limits", Rejected}
	case RuleNoStrictMode:
		return Origin{"/strict", Rejected}
	case RuleModelWithoutStrict:
		return Origin{"/models", Rejected}
	}
	field := strings.ToLower(string(mode))
	isShape := func(rule string) bool { return f.Rule == rule && (rule != RuleObjectNotClosed || f.Keyword == "") }
	for _, entry := range shapeRules {
		if isShape(entry.rule) {
			return Origin{finding.Pointer("", string(InShapes), string(entry.shape), field), p.strongest(entry.shape, mode)}
		}
	}
	if f.Keyword == "" || s == nil {
		return Origin{}
	}
	parent, ok := s.IndexAt(strings.TrimSuffix(f.Pointer, finding.Pointer("", f.Keyword)))
	if !ok {
		return Origin{}
	}
	section, name := InKeywords, f.Keyword
	if _, atRoot := p.table(mode).root[name]; atRoot && parent == 0 {
		section = InRootKeywords
	} else if _, named := p.table(mode).named[name]; !named && keywordRank(name) == unknownKeyword {
		name = unknownName
	}
	return Origin{
		Cell:    finding.Pointer("", string(section), name, field),
		Verdict: p.Judge(s, parent, f.Keyword, mode).Verdict,
	}
}

// strongest is Rejected if a case of a shape refuses, else Unknown if one is
// that, else what its last case says.
func (p *Profile) strongest(shape Shape, mode Mode) Verdict {
	outcomes := p.table(mode).shapes[shapeIndex(shape)].outcomes
	for _, v := range []Verdict{Rejected, Unknown} {
		if slices.ContainsFunc(outcomes, func(o outcome) bool { return o.Verdict == v }) {
			return v
		}
	}
	return outcomes[len(outcomes)-1].Verdict
}
