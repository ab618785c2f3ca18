// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

var (
	dateForm        = regexp.MustCompile(`^\d{4}-\d{2}(-\d{2})?$`)
	dayForm         = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)
	placeholderForm = regexp.MustCompile(`\{[a-zA-Z]+\}`)
	kindNames       = []string{"null", "boolean", "number", "string", "array", "object"}
)

// validate checks that facts are complete and consistent. It returns every
// fault, so that a file can be mended in one go.
func validate(f Facts) error {
	v := validation{sources: map[string]bool{}}
	v.header(f)
	v.parts(f)
	v.groups("rootKeywords", f.RootKeywords)
	v.groups("shapes", f.Shapes)
	v.groups("keywords", f.Keywords)
	v.complete(f)
	return errors.Join(v.faults...)
}

type validation struct {
	sources map[string]bool
	faults  []error
}

func (v *validation) check(ok bool, format string, args ...any) {
	if !ok {
		v.faults = append(v.faults, fmt.Errorf(format, args...))
	}
}

func (v *validation) header(f Facts) {
	v.check(f.Title != "" && f.Provider != "" && f.API != "" && f.WireFormat != "", "title, provider, api and wireFormat are needed")
	v.check(f.Revision > 0 && f.Revision <= math.MaxInt32, "revision must be between 1 and 2147483647")
	v.check(dayForm.MatchString(f.Reviewed), "reviewed must be a day, YYYY-MM-DD")
	for _, s := range f.Sources {
		v.check(!v.sources[s.Key], "source %q is there twice", s.Key)
		v.check(s.Key != "" && s.Title != "", "source %q needs a key and a title", s.Key)
		v.check(strings.HasPrefix(s.URL, "https://"), "source %q needs an https url", s.Key)
		v.check(dateForm.MatchString(s.Date), "source %q needs a date", s.Key)
		v.sources[s.Key] = true
	}
}

// parts checks everything that is not a verdict.
func (v *validation) parts(f Facts) {
	v.check(slices.Contains([]StrictPlace{PerTool, PerRequest, NoStrict}, f.Strict.Place), "strict.place %q is none", f.Strict.Place)
	v.check(slices.Contains([]NonStrictSpelling{EmitFalse, Omit}, f.Strict.NonStrict), "strict.nonStrict %q is none", f.Strict.NonStrict)
	v.check((f.Strict.Place == PerRequest) == (f.Strict.RequestSwitch != ""), "strict.requestSwitch belongs to place Request and only there")
	v.evidence("strict", f.Strict.Evidence)
	v.check(f.Strict.Place == NoStrict || len(f.Models) > 0, "models are needed where there is a strict mode")
	for _, m := range f.Models {
		v.check(m.Pattern != "" && !strings.Contains(strings.TrimSuffix(m.Pattern, "*"), "*"), "model pattern %q may have one *, at its end", m.Pattern)
		v.evidence("model "+m.Pattern, m.Evidence)
	}
	v.check(len(f.ToolNames) > 0, "toolNames are needed")
	for _, r := range f.ToolNames {
		v.check(r.MaxLength > 0, "toolNames need maxLength")
		v.severity("toolNames", r.Severity)
		v.evidence("toolNames", r.Evidence)
	}
	v.evidence("description", f.Description.Evidence)
	for _, r := range f.PropertyNames {
		v.check(slices.Contains([]PropertyScope{RootProperties, NestedProperties, AllProperties}, r.Scope), "propertyNames scope %q is none", r.Scope)
		v.severity("propertyNames", r.Severity)
		v.evidence("propertyNames", r.Evidence)
	}
	if f.Examples.Field != "" {
		v.evidence("examples", f.Examples.Evidence)
	}
	if f.OutputSchema.Field != "" {
		v.evidence("outputSchema", f.OutputSchema.Evidence)
	}
	v.effective("strict", f.Effective.Strict)
	v.effective("standard", f.Effective.Standard)
	for _, l := range f.Limits {
		v.limit(l)
	}
}

func (v *validation) effective(mode string, e Effective) {
	v.check(slices.Contains([]OpenObjects{ObjectsKept, ObjectsClosed}, e.OpenObjects), "effective.%s.openObjects %q is none", mode, e.OpenObjects)
	v.check(slices.Contains([]PatternAnchoring{PatternsSearch, PatternsWhole, PatternsUnknown}, e.Patterns), "effective.%s.patterns %q is none", mode, e.Patterns)
	v.check(slices.Contains([]EnumCasing{EnumsExact, EnumsAnyCase}, e.Enums), "effective.%s.enums %q is none", mode, e.Enums)
	v.check(slices.Contains([]OneOfMeaning{OneOfExact, OneOfAsAnyOf}, e.OneOf), "effective.%s.oneOf %q is none", mode, e.OneOf)
	v.evidence("effective."+mode, e.Evidence)
}

func (v *validation) limit(l Limit) {
	v.check(measureIndex(l.Measure) >= 0, "limit measure %q is none", l.Measure)
	v.check(l.Max > 0, "limit %s needs max", l.Measure)
	v.check(l.Mode == "" || slices.Contains(modes[:], l.Mode), "limit %s: mode %q is none", l.Measure, l.Mode)
	v.check(l.Per == LimitPerTool || l.Per == LimitPerRequest, "limit %s: per %q is none", l.Measure, l.Per)
	v.severity("limit "+l.Measure, l.Severity)
	v.text("limit "+l.Measure, l.Error)
	v.evidence("limit "+l.Measure, l.Evidence)
}

func (v *validation) severity(where, s string) {
	v.check(s == string(finding.Error) || s == string(finding.Warning), "%s: severity %q must be Error or Warning", where, s)
}

func (v *validation) evidence(where string, e Evidence) {
	v.check(slices.Contains([]Confidence{High, Medium, Low}, e.Confidence), "%s: confidence %q is none", where, e.Confidence)
	v.check(len(e.Sources) > 0, "%s: no source", where)
	for _, key := range e.Sources {
		v.check(v.sources[key], "%s: source %q is not declared", where, key)
	}
}

func (v *validation) groups(where string, groups []Verdicts) {
	for _, g := range groups {
		for _, cases := range [][]Case{g.Both, g.Strict, g.Standard} {
			v.cases(where+" "+g.Names[0], cases)
		}
	}
}

func (v *validation) cases(where string, cases []Case) {
	for i, c := range cases {
		isLast := i == len(cases)-1
		v.check((c.When == nil) == isLast, "%s: the last case has no condition, and every other has one", where)
		v.check(slices.Contains([]Verdict{Enforced, Accepted, Rejected, Dropped, Unknown}, c.Verdict), "%s: verdict %q is none", where, c.Verdict)
		v.check((c.Verdict != Rejected && c.Verdict != Unknown) || c.Fix != "", "%s: what is Rejected or Unknown needs a fix", where)
		v.check(c.Verdict != Unknown || c.Note != "", "%s: what is Unknown needs a note on what was found", where)
		v.check(c.Warning == "" || c.Fix != "", "%s: a warning needs a fix", where)
		v.evidence(where, Evidence{Confidence: c.Confidence, Sources: c.Sources})
		for _, text := range []string{c.Error, c.Fix, c.Warning} {
			v.text(where, text)
		}
		if c.When != nil {
			v.condition(where, c.When)
		}
	}
}

// text checks that every placeholder is one that gets filled.
func (v *validation) text(where, s string) {
	for _, p := range placeholderForm.FindAllString(s, -1) {
		v.check(slices.Contains(placeholders, p), "%s: %s is no placeholder", where, p)
	}
}

func (v *validation) condition(where string, w *When) {
	for _, kinds := range [][]string{w.ValueKinds, w.MemberKinds} {
		for _, k := range kinds {
			v.check(slices.Contains(kindNames, k), "%s: %q is no JSON type", where, k)
		}
	}
	for _, names := range [][]string{w.HeldBy, w.Has, w.Lacks, w.BranchHas, w.RefOutside} {
		for _, name := range names {
			_, known := schema.LookupKeyword(name)
			v.check(known || name == "root", "%s: %q is no keyword", where, name)
		}
	}
	for _, name := range w.PatternUses {
		v.check(patternFeatures[name] != nil, "%s: %q is no pattern feature", where, name)
	}
}

// complete checks that every keyword and shape has a verdict in every mode.
func (v *validation) complete(f Facts) {
	for _, mode := range modes {
		keywords := casesByName(f.Keywords, mode)
		for _, k := range schema.Keywords() {
			v.check(len(keywords[k.Name]) > 0, "keyword %s has no verdict in %s", k.Name, mode)
		}
		v.check(len(keywords[unknownName]) > 0, "unknown keywords have no verdict in %s", mode)
		shapes := casesByName(f.Shapes, mode)
		for _, s := range shapeRules {
			v.check(len(shapes[string(s.shape)]) > 0, "shape %s has no verdict in %s", s.shape, mode)
		}
		for name, cases := range shapes {
			v.check(shapeIndex(Shape(name)) >= 0, "shape %s is none", name)
			for _, c := range cases {
				v.check(c.Verdict != Dropped, "shape %s cannot be Dropped", name)
			}
		}
		v.recursion(shapes[string(Recursion)])
	}
}

// recursion has one condition of its own, because it is judged for the whole
// document and not at a node.
func (v *validation) recursion(cases []Case) {
	for _, c := range cases {
		if c.When == nil {
			continue
		}
		only := *c.When
		isCycle := only.CycleWithoutOptionalProperty != nil && *only.CycleWithoutOptionalProperty
		only.CycleWithoutOptionalProperty = nil
		v.check(isCycle && reflect.ValueOf(only).IsZero(), "shape %s takes the condition cycleWithoutOptionalProperty: true alone", Recursion)
	}
}
