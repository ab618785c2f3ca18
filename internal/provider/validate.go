// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"reflect"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Bounds on the parts of a profile, which keep a check cheap whatever a
// ProviderProfile says. The embedded files are far below.
const (
	maxText         = 2000  // bytes of a note, an error, a fix
	maxTitle        = 200   // bytes of a name or title
	maxRegexp       = 256   // bytes of a regular expression
	maxInstructions = 2_000 // of a compiled regular expression, about
	maxRules        = 64    // rules of one kind, cases of one list
	maxNames        = 512   // names of a list
	maxPlaceholders = 16    // in one text
)

var (
	profileName     = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	dateForm        = regexp.MustCompile(`^\d{4}-\d{2}(-\d{2})?$`)
	placeholderForm = regexp.MustCompile(`\{[a-zA-Z]+\}`)
	kindNames       = []string{"null", "boolean", "number", "string", "array", "object"}
	// reservedNames are those of files that are published beside the profiles.
	reservedNames = []string{"contract", "manifest", "index", "request", "tools"}
)

// validate reports every fault of a file, so that it can be mended in one go:
// own are the facts as the file gives them, facts those after what it extends.
// Pointers lead into the file. What is missing is reported only of a complete
// file: one with a fault in its form or in what it extends may lack anything.
func validate(found *problems, own, facts *Facts, formats []string, complete bool) {
	v := validation{found: found, own: own, facts: facts, formats: formats, complete: complete, sources: map[string]bool{}}
	for _, s := range facts.Sources {
		v.sources[s.Key] = true
	}
	v.header()
	v.ownSources()
	v.strict()
	v.models()
	v.names()
	v.places()
	v.limits()
	v.toolTypes()
	v.request()
	v.groups("/rootKeywords", own.RootKeywords)
	v.groups("/shapes", own.Shapes)
	v.groups("/keywords", own.Keywords)
	v.shapes()
	v.sameInBothModes()
	if complete {
		v.covered()
	}
}

type validation struct {
	found      *problems
	own, facts *Facts
	formats    []string
	complete   bool
	sources    map[string]bool // keys that may be cited
}

// check reports a value that is not well-formed, unless its form was reported.
func (v *validation) check(ok bool, pointer, fix, format string, args ...any) {
	if !ok && !v.found.covers(pointer) {
		v.found.report(RuleProfileValue, pointer, fmt.Sprintf(format, args...), fix)
	}
}

// need reports a fact that neither the file nor what it extends has.
func (v *validation) need(ok bool, pointer, fix, format string, args ...any) {
	if !ok && v.complete && !v.found.covers(pointer) {
		v.found.report(RuleProfileIncomplete, pointer, fmt.Sprintf(format, args...), fix)
	}
}

// oneOf checks a word of a fixed vocabulary.
func oneOf[T ~string](v *validation, pointer string, got T, words ...T) {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = string(w)
	}
	v.check(slices.Contains(words, got), pointer, "write one of: "+strings.Join(list, ", "), "%s is none of the words that may stand here", finding.Quote(string(got)))
}

func (v *validation) bounded(pointer, text string, most int) {
	v.check(len(text) <= most, pointer, "shorten it", "the text has %d bytes, more than the limit of %d", len(text), most)
}

func (v *validation) few(pointer string, n, most int) {
	v.check(n <= most, pointer, "shorten the list", "the list has %d elements, more than the limit of %d", n, most)
}

func (v *validation) header() {
	f := v.facts
	v.check(profileName.MatchString(f.Name) && len(f.Name) <= 63, "/name", "use lower-case letters, digits and dashes", "the name must match %s and have at most 63 characters", profileName)
	v.check(!slices.Contains(reservedNames, f.Name), "/name", "use another name", "the name is reserved for a file that is published beside the profiles")
	for _, part := range []struct{ pointer, text string }{
		{"/title", f.Title}, {"/provider", f.Provider}, {"/api", f.API}, {"/wireFormat", f.WireFormat},
	} {
		v.need(part.text != "", part.pointer, "write it, or extend a profile that has it", "it is missing")
		v.bounded(part.pointer, part.text, maxTitle)
	}
	if v.formats != nil && f.WireFormat != "" {
		v.check(slices.Contains(v.formats, f.WireFormat), "/wireFormat", "write one of: "+strings.Join(v.formats, ", "), "%s is no wire format", finding.Quote(f.WireFormat))
	}
	v.check(f.Revision > 0, "/revision", "count from 1 and raise it with every change", "the revision must be 1 or more")
	v.check(isDay(f.Reviewed), "/reviewed", "write the day of the last review as YYYY-MM-DD", "%s is not a day", finding.Quote(f.Reviewed))
}

func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isDate also takes a month.
func isDate(s string) bool { return dateForm.MatchString(s) && (isDay(s) || isDay(s+"-01")) }

func (v *validation) ownSources() {
	v.few("/sources", len(v.own.Sources), maxNames)
	seen := map[string]bool{}
	for i, s := range v.own.Sources {
		at := finding.Pointer("/sources", strconv.Itoa(i))
		v.check(s.Key != "" && len(s.Key) <= maxTitle, at+"/key", "give it a short key that facts can cite", "a source needs a key")
		v.check(!seen[s.Key], at+"/key", "remove one of them", "the source %s is there twice", finding.Quote(s.Key))
		v.check(s.Title != "", at+"/title", "say what it is", "a source needs a title")
		v.check(strings.HasPrefix(s.URL, "https://"), at+"/url", "write where it can be read", "a source needs an https URL")
		v.check(isDate(s.Date), at+"/date", "write YYYY-MM-DD, or YYYY-MM where the day is not known", "a source needs a date")
		v.bounded(at+"/title", s.Title, maxTitle)
		v.bounded(at+"/url", s.URL, maxText)
		seen[s.Key] = true
	}
}

func (v *validation) strict() {
	s := v.own.Strict
	if !isAbsent(s) || v.own.Extends == "" {
		oneOf(v, "/strict/place", s.Place, PerTool, PerRequest, Implied, NoStrict)
		oneOf(v, "/strict/nonStrict", s.NonStrict, EmitFalse, Omit)
		v.check(s.Place != PerRequest || s.RequestSwitch != "", "/strict/requestSwitch", "say what the request must set", "place Request needs requestSwitch")
		isAsked := s.Place == PerTool || s.Place == PerRequest
		v.check(isAsked || s.RequestSwitch == "", "/strict/requestSwitch", "remove it", "requestSwitch belongs to place Request or Tool")
		v.check(s.Place == PerTool || !s.AllTools, "/strict/allTools", "remove it", "allTools belongs to place Tool: elsewhere all tools are alike")
		v.bounded("/strict/requestSwitch", s.RequestSwitch, maxText)
		v.evidence("/strict", s.Evidence)
	}
	v.need(v.facts.Strict.Place == NoStrict || len(v.facts.Models) > 0, "/models", "list the models that have strict mode", "models are needed where there is a strict mode")
}

func (v *validation) models() {
	v.few("/modelPrefixes", len(v.own.ModelPrefixes), maxRules)
	for i, prefix := range v.own.ModelPrefixes {
		ok := prefix != "" && len(prefix) <= maxTitle && !strings.Contains(prefix, "*")
		v.check(ok, finding.Pointer("/modelPrefixes", strconv.Itoa(i)), "write the beginning of an identifier", "the prefix %s must be plain text", finding.Quote(prefix))
	}
	v.few("/models", len(v.own.Models), maxNames)
	for i, m := range v.own.Models {
		at := finding.Pointer("/models", strconv.Itoa(i))
		ok := m.Pattern != "" && len(m.Pattern) <= maxTitle && !strings.Contains(strings.TrimSuffix(m.Pattern, "*"), "*")
		v.check(ok, at+"/pattern", "write an identifier, or a prefix and *", "the pattern %s may have one *, at its end", finding.Quote(m.Pattern))
		v.evidence(at, m.Evidence)
	}
}

// names checks the rules on names of tools and of properties.
func (v *validation) names() {
	v.need(len(v.facts.ToolNames) > 0, "/toolNames", "write the rule, also if it is only a guess", "the rule on names of tools is missing")
	v.few("/toolNames", len(v.own.ToolNames), maxRules)
	for i, r := range v.own.ToolNames {
		at := finding.Pointer("/toolNames", strconv.Itoa(i))
		v.regexp(at+"/pattern", r.Pattern)
		v.check(r.MaxLength > 0, at+"/maxLength", "write the greatest length in characters", "a rule on names needs maxLength")
		v.severity(at, r.Severity)
		v.reserved(at, r.Reserved)
		v.text(at+"/error", r.Error)
		v.evidence(at, r.Evidence)
	}
	v.few("/propertyNames", len(v.own.PropertyNames), maxRules)
	for i, r := range v.own.PropertyNames {
		at := finding.Pointer("/propertyNames", strconv.Itoa(i))
		oneOf(v, at+"/scope", r.Scope, RootProperties, NestedProperties, AllProperties)
		v.check(r.Pattern != "" || len(r.Reserved) > 0, at+"/pattern", "write the pattern, or names that are reserved", "a rule on names of properties needs pattern or reserved")
		v.regexp(at+"/pattern", r.Pattern)
		v.severity(at, r.Severity)
		v.reserved(at, r.Reserved)
		v.text(at+"/error", r.Error)
		v.evidence(at, r.Evidence)
	}
}

func (v *validation) reserved(at string, names []string) {
	v.few(at+"/reserved", len(names), maxNames)
	for i, name := range names {
		v.bounded(finding.Pointer(at, "reserved", strconv.Itoa(i)), name, maxTitle)
	}
}

func (v *validation) regexp(pointer, source string) {
	why := unfitExpression(source)
	v.check(why == "", pointer, "correct it, or write a smaller one", "%s", why)
}

// unfitExpression says what is wrong with an RE2 expression, or nothing. It
// compiles nothing: a short expression can be a large program.
func unfitExpression(source string) string {
	if len(source) > maxRegexp {
		return fmt.Sprintf("the expression has %d bytes, more than the limit of %d", len(source), maxRegexp)
	}
	parsed, err := syntax.Parse(source, syntax.Perl)
	if err != nil {
		return "the expression does not compile: " + finding.Clip(err.Error(), 100)
	}
	if programSize(parsed) > maxInstructions {
		return "the expression is too large: its repetitions come to more than " + itoa(maxInstructions) + " steps"
	}
	return ""
}

// programSize is about the number of instructions of a compiled expression.
// Parsing has refused nested repetitions beyond a thousand.
func programSize(e *syntax.Regexp) int {
	size := 1
	if e.Op == syntax.OpLiteral {
		size = len(e.Rune)
	}
	for _, sub := range e.Sub {
		size += programSize(sub)
	}
	if e.Op == syntax.OpRepeat {
		size *= max(e.Min, e.Max, 1)
	}
	return min(size, maxInstructions+1)
}

// places checks what is said of descriptions, examples, answers and of what the
// API makes of a schema.
func (v *validation) places() {
	if d := v.own.Description; !isAbsent(d) || v.own.Extends == "" {
		v.text("/description/error", d.Error)
		v.evidence("/description", d.Evidence)
	}
	if e := v.own.Examples; !isAbsent(e) {
		v.bounded("/examples/field", e.Field, maxTitle)
		v.evidence("/examples", e.Evidence)
	}
	if o := v.own.OutputSchema; !isAbsent(o) {
		v.bounded("/outputSchema/field", o.Field, maxTitle)
		v.text("/outputSchema/error", o.Error)
		v.evidence("/outputSchema", o.Evidence)
	}
	v.effective("/effective/strict", v.own.Effective.Strict)
	v.effective("/effective/standard", v.own.Effective.Standard)
}

func (v *validation) effective(at string, e Effective) {
	if isAbsent(e) && v.own.Extends != "" {
		return
	}
	oneOf(v, at+"/openObjects", e.OpenObjects, ObjectsKept, ObjectsClosed, ObjectsClosedIfDeclared)
	oneOf(v, at+"/patterns", e.Patterns, PatternsSearch, PatternsWhole, PatternsUnknown)
	oneOf(v, at+"/enums", e.Enums, EnumsExact, EnumsAnyCase)
	oneOf(v, at+"/oneOf", e.OneOf, OneOfExact, OneOfAsAnyOf)
	v.evidence(at, e.Evidence)
}

func (v *validation) limits() {
	v.few("/limits", len(v.own.Limits), maxRules)
	for i, l := range v.own.Limits {
		at := finding.Pointer("/limits", strconv.Itoa(i))
		names := make([]string, len(measures))
		for j, m := range measures {
			names[j] = m.name
		}
		oneOf(v, at+"/measure", l.Measure, names...)
		v.check(l.Max > 0, at+"/max", "write the greatest number that the API takes", "a limit must be 1 or more")
		if l.Mode != "" {
			oneOf(v, at+"/mode", l.Mode, modes[:]...)
		}
		oneOf(v, at+"/per", l.Per, LimitPerTool, LimitPerRequest)
		v.severity(at, l.Severity)
		v.text(at+"/error", l.Error)
		v.evidence(at, l.Evidence)
	}
}

func (v *validation) severity(at, s string) {
	oneOf(v, at+"/severity", s, string(finding.Error), string(finding.Warning))
}

func (v *validation) evidence(at string, e Evidence) {
	oneOf(v, at+"/confidence", e.Confidence, High, Medium, Low)
	v.bounded(at+"/note", e.Note, maxText)
	v.cited(at, e.Sources)
}

func (v *validation) cited(at string, sources []string) {
	v.check(len(sources) > 0, at+"/sources", "name the key of an entry of sources; for Unknown, of what was searched", "a fact needs a source")
	v.few(at+"/sources", len(sources), maxRules)
	for i, key := range sources {
		// What a broken parent declares is not known.
		v.check(v.sources[key] || !v.complete && v.own.Extends != "", finding.Pointer(at, "sources", strconv.Itoa(i)),
			"add it to sources, or correct the key", "the source %s is not declared", finding.Quote(key))
	}
}

// groups checks lists of verdicts, as a file gives them.
func (v *validation) groups(at string, groups []Verdicts) {
	type entryKey struct {
		name string
		mode Mode
	}
	seen := map[entryKey]bool{}
	for i, g := range groups {
		group := finding.Pointer(at, strconv.Itoa(i))
		v.check(len(g.Names) > 0, group+"/names", "name the keywords or shapes that it is about", "the entry has no names")
		v.few(group+"/names", len(g.Names), maxNames)
		v.check((len(g.Both) > 0) != (len(g.Strict)+len(g.Standard) > 0), group,
			"write both, or strict and standard", "the entry needs either both, or strict and standard")
		for _, mode := range modes {
			if len(g.of(mode)) == 0 {
				continue
			}
			for j, name := range g.Names {
				key := entryKey{name, mode}
				v.check(!seen[key], finding.Pointer(group, "names", strconv.Itoa(j)), "remove it from one of them",
					"%s has two entries in %s", finding.Quote(name), mode)
				seen[key] = true
			}
		}
		v.cases(group+"/both", g.Both)
		v.cases(group+"/strict", g.Strict)
		v.cases(group+"/standard", g.Standard)
	}
}

func (v *validation) cases(list string, cases []Case) {
	v.few(list, len(cases), maxRules)
	for i, c := range cases {
		at := finding.Pointer(list, strconv.Itoa(i))
		isLast := i == len(cases)-1
		v.check(c.When == nil || !isLast, at+"/when", "add a case without a condition behind it", "the last case must have no condition")
		v.check(c.When != nil || isLast, at, "add when, or remove the cases behind it", "a case without a condition must be the last")
		oneOf(v, at+"/verdict", c.Verdict, Enforced, Accepted, Rejected, Dropped, Unknown)
		v.check((c.Verdict != Rejected && c.Verdict != Unknown) || c.Fix != "", at+"/fix", "say what the author should write instead", "what is Rejected or Unknown needs a fix")
		v.check(c.Verdict != Unknown || c.Note != "", at+"/note", "say what was found", "what is Unknown needs a note on what was found")
		v.check(c.Warning == "" || c.Fix != "", at+"/fix", "say what the author should write instead", "a warning needs a fix")
		v.evidence(at, Evidence{Confidence: c.Confidence, Sources: c.Sources, Note: c.Note})
		v.text(at+"/error", c.Error)
		v.text(at+"/fix", c.Fix)
		v.text(at+"/warning", c.Warning)
		if c.When != nil {
			v.condition(at+"/when", c.When)
		}
	}
}

// text checks that every placeholder is one that gets filled.
func (v *validation) text(pointer, s string) {
	v.bounded(pointer, s, maxText)
	found := placeholderForm.FindAllString(s, maxPlaceholders+1)
	v.check(len(found) <= maxPlaceholders, pointer, "shorten the text", "the text has more than %d placeholders", maxPlaceholders)
	for _, p := range found {
		v.check(slices.Contains(placeholders, p), pointer, "write one of: "+strings.Join(placeholders, " "), "%s is no placeholder", p)
	}
}

func (v *validation) condition(at string, w *When) {
	v.check(!reflect.ValueOf(*w).IsZero(), at, "remove it, or say when", "an empty condition always holds")
	isKind := func(k string) bool { return slices.Contains(kindNames, k) }
	v.words(at+"/valueKinds", w.ValueKinds, "JSON type", isKind)
	v.words(at+"/memberKinds", w.MemberKinds, "JSON type", isKind)
	isType := func(name string) bool { return name == "integer" || isKind(name) }
	v.words(at+"/typeHas", w.TypeHas, "type", isType)
	v.words(at+"/typeOtherThan", w.TypeOtherThan, "type", isType)
	isKeyword := func(name string) bool {
		_, known := schema.LookupKeyword(name)
		return known
	}
	v.words(at+"/heldBy", w.HeldBy, "keyword", isKeyword)
	v.words(at+"/has", w.Has, "keyword", isKeyword)
	v.words(at+"/lacks", w.Lacks, "keyword", isKeyword)
	v.words(at+"/empty", w.Empty, "keyword", isKeyword)
	v.words(at+"/reachedOtherThan", w.ReachedOtherThan, "keyword", isKeyword)
	v.words(at+"/branchHas", w.BranchHas, "keyword", isKeyword)
	v.words(at+"/branchLacks", w.BranchLacks, "keyword", isKeyword)
	v.words(at+"/refOutside", w.RefOutside, "keyword", func(name string) bool { return name == "root" || isKeyword(name) })
	v.words(at+"/patternUses", w.PatternUses, "pattern feature", func(name string) bool { return patternFeatures[name] != nil })
	v.few(at+"/siblingsOtherThan", len(w.SiblingsOtherThan), maxRules)
	v.few(at+"/valueIn", len(w.ValueIn), maxRules)
	v.few(at+"/memberIn", len(w.MemberIn), maxRules)
	v.check(w.ValueAbove == nil || w.ValueAbove.value.Kind() == schema.Number, at+"/valueAbove", "write a number", "valueAbove must be a number")
}

// words checks a list of words of a vocabulary.
func (v *validation) words(at string, words []string, what string, isOne func(string) bool) {
	v.few(at, len(words), maxRules)
	for i, w := range words {
		v.check(isOne(w), finding.Pointer(at, strconv.Itoa(i)), "correct the word", "%s is no %s", finding.Quote(w), what)
	}
}

// shapes checks what holds for shapes and not for keywords.
func (v *validation) shapes() {
	for i, g := range v.own.Shapes {
		group := finding.Pointer("/shapes", strconv.Itoa(i))
		for j, name := range g.Names {
			v.check(shapeIndex(Shape(name)) >= 0, finding.Pointer(group, "names", strconv.Itoa(j)), "correct the name", "%s is no shape", finding.Quote(name))
		}
		isRecursion := slices.Contains(g.Names, string(Recursion))
		for _, list := range []struct {
			name  string
			cases []Case
		}{{"both", g.Both}, {"strict", g.Strict}, {"standard", g.Standard}} {
			for j, c := range list.cases {
				at := finding.Pointer(group, list.name, strconv.Itoa(j))
				v.check(c.Verdict != Dropped, at+"/verdict", "write another verdict", "a shape cannot be Dropped")
				v.check(!isRecursion || isRecursionCondition(c.When), at+"/when", "write when: {cycleWithoutOptionalProperty: true}",
					"the shape %s takes the condition cycleWithoutOptionalProperty: true alone", Recursion)
			}
		}
	}
}

// isRecursionCondition: recursion is judged for the whole document and not at a
// node, so it has one condition of its own.
func isRecursionCondition(w *When) bool {
	if w == nil {
		return true
	}
	only := *w
	isCycle := only.CycleWithoutOptionalProperty != nil && *only.CycleWithoutOptionalProperty
	only.CycleWithoutOptionalProperty = nil
	return isCycle && reflect.ValueOf(only).IsZero()
}

// sameInBothModes checks an API that knows no other mode than strict.
func (v *validation) sameInBothModes() {
	if v.facts.Strict.Place != Implied {
		return
	}
	for _, list := range []struct {
		at     string
		groups []Verdicts
	}{{"/rootKeywords", v.facts.RootKeywords}, {"/shapes", v.facts.Shapes}, {"/keywords", v.facts.Keywords}} {
		same := reflect.DeepEqual(casesByName(list.groups, Strict), casesByName(list.groups, Standard))
		v.check(same, list.at, "write both", "strict.place Implied has the same verdicts in both modes")
	}
}

// covered checks that every keyword and shape has a verdict in every mode.
func (v *validation) covered() {
	const fix = "add it to an entry; a verdict that nobody could tell is Unknown, with what was searched"
	missing := func(section, what string, mode Mode) {
		v.found.report(RuleProfileIncomplete, section, fmt.Sprintf("%s in %s", what, mode), fix)
	}
	for _, mode := range modes {
		keywords := casesByName(v.facts.Keywords, mode)
		for _, k := range schema.Keywords() {
			if len(keywords[k.Name]) == 0 {
				missing("/keywords", "keyword "+k.Name+" has no verdict", mode)
			}
		}
		if len(keywords[unknownName]) == 0 {
			missing("/keywords", "unknown keywords have no verdict", mode)
		}
		shapes := casesByName(v.facts.Shapes, mode)
		for _, s := range shapeRules {
			if len(shapes[string(s.shape)]) == 0 {
				missing("/shapes", "shape "+string(s.shape)+" has no verdict", mode)
			}
		}
	}
}
