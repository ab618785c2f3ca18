// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Profile is a complete, checked set of [Facts] with its verdicts in tables.
// It is immutable and safe for concurrent use; callers must not change the
// facts.
type Profile struct {
	Facts

	chain            int           // how many profiles it extends
	digest           func() string // made when it is first asked for
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
	drops    bool // some keyword may be dropped
}

// entry is the ordered list of outcomes for a keyword or a shape.
type entry struct {
	outcomes []outcome
	// quiet: no outcome is a finding, so that nothing needs to be judged.
	quiet bool
	drops bool // some outcome is Dropped
	// accepts: every outcome is Accepted, and none has anything to say.
	accepts bool
}

// outcome is a [Case] with what it means for the author. An empty severity is
// no finding.
type outcome struct {
	Case
	rule     string
	severity finding.Severity
	repair   repair // what does the fix; nil where that takes judgement
	// The texts of the case.
	apiError, fix, warning template
	// leaves: the API does not read the keyword, or it has to go, so that nothing
	// needs to be said of the schemas that it holds.
	leaves bool
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
func newProfile(f Facts, chain int, found *problems) *Profile {
	p := &Profile{Facts: f, chain: chain}
	p.digest = sync.OnceValue(p.Facts.digest)
	compile := func(pointer, source string) *regexp.Regexp {
		compiled, err := regexp.Compile(source)
		if err != nil { // validation has parsed it
			found.report(RuleProfileValue, pointer, "it does not compile: "+finding.Clip(err.Error(), 100), "correct it")
		}
		return compiled
	}
	for _, r := range f.ToolNames {
		p.toolNames = append(p.toolNames, compile("/toolNames", r.Pattern))
	}
	for _, r := range f.PropertyNames {
		p.propertyNames = append(p.propertyNames, compile("/propertyNames", r.Pattern))
	}
	p.standard = newTable(&p.Facts, Standard)
	p.strict = p.standard
	if f.Strict.Place != NoStrict {
		p.strict = newTable(&p.Facts, Strict)
	}
	return p
}

// ReviewedOn is the day of the last review. How long ago that is, is for those
// to say who have a clock.
func (p *Profile) ReviewedOn() time.Time {
	day, err := time.Parse(time.DateOnly, p.Reviewed)
	if err != nil { // validation has parsed it
		return time.Time{}
	}
	return day
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
		e := newEntry(name, cases, func(c Case) (string, finding.Severity) { return keywordFinding(name, c, mode) })
		t.drops = t.drops || e.drops
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
		e := newEntry(name, cases, func(c Case) (string, finding.Severity) {
			rule, severity := keywordFinding(name, c, mode)
			if c.Verdict == Rejected || c.Verdict == Unknown {
				rule = RuleRootKeyword
			}
			return rule, severity
		})
		t.drops = t.drops || e.drops
		t.root[name] = &e
	}
	shapes := casesByName(f.Shapes, mode)
	for i, s := range shapeRules {
		t.shapes[i] = newEntry(string(s.shape), shapes[string(s.shape)], func(c Case) (string, finding.Severity) {
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

// of returns the list for one mode; nil if it is in another entry.
func (g *Verdicts) of(mode Mode) []Case {
	switch {
	case len(g.Both) > 0:
		return g.Both
	case mode == Strict:
		return g.Strict
	default:
		return g.Standard
	}
}

// casesByName resolves the groups of a file for one mode.
func casesByName(groups []Verdicts, mode Mode) map[string][]Case {
	out := map[string][]Case{}
	for i := range groups {
		g := &groups[i]
		cases := g.of(mode)
		if len(cases) == 0 {
			continue
		}
		for _, name := range g.Names {
			out[name] = cases
		}
	}
	return out
}

func newEntry(name string, cases []Case, judge func(Case) (string, finding.Severity)) entry {
	e := entry{quiet: true, accepts: len(cases) > 0}
	for _, c := range cases {
		rule, severity := judge(c)
		if severity != "" && c.Warning != "" {
			rule = RuleClientCompatibility
		}
		leaves := takesAlong(name, c)
		e.outcomes = append(e.outcomes, outcome{
			Case: c, rule: rule, severity: severity, repair: repairOf(c.Fix, name), leaves: leaves,
			apiError: newTemplate(c.Error), fix: newTemplate(c.Fix), warning: newTemplate(c.Warning),
		})
		e.quiet = e.quiet && severity == "" && !leaves
		e.drops = e.drops || c.Verdict == Dropped
		e.accepts = e.accepts && c.Verdict == Accepted && c.Warning == ""
	}
	return e
}

// takesAlong reports whether what a keyword holds needs no verdict: the API does
// not read it, or it goes with the keyword. Definitions are read from elsewhere,
// and branches of allOf also where the whole is lost.
func takesAlong(name string, c Case) bool {
	k, known := schema.LookupKeyword(name)
	switch {
	case !known || name == "$defs" || name == "definitions":
		return false
	case k.Shape != schema.One && k.Shape != schema.List && k.Shape != schema.Map:
		return false
	case c.Verdict == Dropped:
		return name != "allOf"
	default:
		return c.Verdict == Rejected && strings.HasPrefix(c.Fix, "remove {keyword}")
	}
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
	case name == "$ref" && (c.When.HasSiblings != nil || len(c.When.SiblingsOtherThan) > 0):
		return RuleRefSiblings
	case c.When.isAboutPattern():
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
