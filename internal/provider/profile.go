// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"regexp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Profile is a complete, checked set of [Facts] with its verdicts in tables.
// It is immutable and safe for concurrent use; callers must not change the
// facts.
type Profile struct {
	Facts

	strict, standard *table
	toolNames        []*regexp.Regexp
	propertyNames    []*regexp.Regexp
}

// table is what a profile says in one mode, ready for lookup.
type table struct {
	keywords []entry // by keywordIndex; the last is for unknown keywords
	named    map[string]*entry
	root     map[string]*entry
	shapes   [len(shapeRules)]entry
	limits   []Limit
}

// entry is the ordered list of outcomes for a keyword or a shape.
type entry struct {
	outcomes []outcome
	// quiet: no outcome is a finding, so that nothing needs to be judged.
	quiet bool
}

// outcome is a [Case] with what it means for the author. An empty severity is
// no finding.
type outcome struct {
	Case
	rule     string
	severity finding.Severity
}

// keywordIndex numbers the keywords of the dialect; unknownKeyword follows them.
var (
	keywordIndex = func() map[string]int {
		index := map[string]int{}
		for i, k := range schema.Keywords() {
			index[k.Name] = i
		}
		return index
	}()
	unknownKeyword = len(keywordIndex)
)

// unknownName stands for unknown keywords in a profile file.
const unknownName = "unknown"

// newProfile builds the tables of checked facts.
func newProfile(f Facts) (*Profile, error) {
	p := &Profile{Facts: f}
	for _, r := range f.ToolNames {
		compiled, err := regexp.Compile(r.Pattern)
		if err != nil {
			return nil, fmt.Errorf("compiling toolNames pattern: %w", err)
		}
		p.toolNames = append(p.toolNames, compiled)
	}
	for _, r := range f.PropertyNames {
		compiled, err := regexp.Compile(r.Pattern)
		if err != nil {
			return nil, fmt.Errorf("compiling propertyNames pattern: %w", err)
		}
		p.propertyNames = append(p.propertyNames, compiled)
	}
	p.standard = newTable(&p.Facts, Standard)
	p.strict = p.standard
	if f.Strict.Place != NoStrict {
		p.strict = newTable(&p.Facts, Strict)
	}
	return p, nil
}

func (p *Profile) table(mode Mode) *table {
	if mode == Strict {
		return p.strict
	}
	return p.standard
}

func newTable(f *Facts, mode Mode) *table {
	t := &table{
		keywords: make([]entry, unknownKeyword+1),
		named:    map[string]*entry{},
		root:     map[string]*entry{},
	}
	for name, cases := range casesByName(f.Keywords, mode) {
		e := newEntry(cases, func(c Case) (string, finding.Severity) { return keywordFinding(name, c, mode) })
		switch i, known := keywordIndex[name]; {
		case known:
			t.keywords[i] = e
		case name == unknownName:
			t.keywords[unknownKeyword] = e
		default:
			t.named[name] = &e
		}
	}
	for name, cases := range casesByName(f.RootKeywords, mode) {
		e := newEntry(cases, func(c Case) (string, finding.Severity) {
			_, severity := keywordFinding(name, c, mode)
			return RuleRootKeyword, severity
		})
		t.root[name] = &e
	}
	shapes := casesByName(f.Shapes, mode)
	for i, s := range shapeRules {
		t.shapes[i] = newEntry(shapes[string(s.shape)], func(c Case) (string, finding.Severity) {
			return s.rule, shapeSeverity(c, mode)
		})
	}
	for _, l := range f.Limits {
		if l.Mode == "" || l.Mode == mode {
			t.limits = append(t.limits, l)
		}
	}
	return t
}

// casesByName resolves the groups of a file for one mode.
func casesByName(groups []Verdicts, mode Mode) map[string][]Case {
	out := map[string][]Case{}
	for _, g := range groups {
		cases := g.Both
		switch {
		case len(cases) > 0:
		case mode == Strict:
			cases = g.Strict
		default:
			cases = g.Standard
		}
		if len(cases) == 0 {
			continue
		}
		for _, name := range g.Names {
			out[name] = cases
		}
	}
	return out
}

func newEntry(cases []Case, judge func(Case) (string, finding.Severity)) entry {
	e := entry{quiet: true}
	for _, c := range cases {
		rule, severity := judge(c)
		if severity != "" && c.Warning != "" {
			rule = RuleClientCompatibility
		}
		e.outcomes = append(e.outcomes, outcome{Case: c, rule: rule, severity: severity})
		e.quiet = e.quiet && severity == ""
	}
	return e
}

// keywordFinding says what a verdict on a keyword means for the author.
func keywordFinding(name string, c Case, mode Mode) (rule string, severity finding.Severity) {
	switch {
	case c.Warning != "":
		return RuleClientCompatibility, finding.Warning
	case c.Verdict == Rejected:
		return refusalRule(name, c, RuleKeywordRejected), finding.Error
	case c.Verdict == Unknown && mode == Strict:
		return refusalRule(name, c, RuleKeywordUnknown), finding.Error
	case c.Verdict == Unknown:
		return refusalRule(name, c, RuleKeywordUnknown), finding.Warning
	case c.Verdict == Dropped && constrains(name) && mode == Strict:
		return RuleKeywordDropped, finding.Error
	case c.Verdict == Dropped && constrains(name):
		return RuleKeywordDropped, finding.Warning
	case c.Verdict == Accepted && constrains(name) && mode == Strict:
		return RuleKeywordNotEnforced, finding.Warning
	default:
		return "", ""
	}
}

// refusalRule names the rule of a refused keyword where it has one of its own.
func refusalRule(name string, c Case, otherwise string) string {
	switch {
	case name == "format":
		return RuleFormatRejected
	case name == "additionalProperties":
		return RuleObjectNotClosed
	case c.When == nil:
		return otherwise
	case c.When.HasSiblings != nil || len(c.When.SiblingsOtherThan) > 0:
		return RuleRefSiblings
	case len(c.When.PatternUses) > 0 || c.When.PatternRepeatAbove != nil:
		return RulePatternFeature
	default:
		return otherwise
	}
}

// shapeSeverity is like [keywordFinding]; a shape is refused, or it is not.
func shapeSeverity(c Case, mode Mode) finding.Severity {
	switch {
	case c.Warning != "":
		return finding.Warning
	case c.Refused(mode):
		return finding.Error
	case c.Verdict == Unknown:
		return finding.Warning
	default:
		return ""
	}
}

// constrains reports whether a keyword changes which instances are valid.
// Identifiers do not, and neither do annotations and unknown keywords.
func constrains(name string) bool {
	switch name {
	case "$id", "$anchor", "$dynamicAnchor", "$vocabulary":
		return false
	}
	k, known := schema.LookupKeyword(name)
	return known && !k.Annotation
}
