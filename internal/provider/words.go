// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// String says the condition in words that follow a name: "beside $ref", "with
// the value false". It is empty for a nil condition.
func (w *When) String() string {
	if w == nil {
		return ""
	}
	var parts phrases
	parts.truth(w.AtRoot, "at the root", "below the root")
	parts.list(w.HeldBy, "directly in %s", " or ")
	parts.list(w.Has, "beside %s", " or ")
	parts.list(w.Lacks, "without %s", " and without ")
	parts.list(w.Empty, "where %s", " and ", " is missing or empty")
	parts.truth(w.HasSiblings, "beside another keyword", "alone")
	parts.list(w.SiblingsOtherThan, "beside a keyword other than %s", " and ")
	parts.list(w.TypeHas, "where the type may be %s", " or ")
	parts.list(w.TypeOtherThan, "where the type may be other than %s", " and ")
	parts.list(w.ReachedOtherThan, "below a keyword other than %s", " and ")
	if w.ValueIs != nil {
		parts.add("with the value %s", shown(*w.ValueIs))
	}
	if len(w.ValueIn) > 0 {
		parts.add("with a value of %s", join(w.ValueIn, shown, ", "))
	}
	parts.list(w.ValueKinds, "with a value of type %s", " or ")
	parts.list(w.MemberKinds, "with a member of type %s", " or ")
	if len(w.MemberIn) > 0 {
		parts.add("with the member %s", join(w.MemberIn, shown, " or "))
	}
	if w.ValueAbove != nil {
		parts.add("above %s", shown(*w.ValueAbove))
	}
	if w.CountAbove != nil {
		parts.add("with more than %d members", *w.CountAbove)
	}
	parts.list(w.BranchHas, "with a branch that has %s", " or ")
	parts.list(w.BranchLacks, "with a branch that has no %s", " and no ")
	if w.ValueMatches != nil {
		parts.add("with a value that matches %s", w.ValueMatches.compiled)
	}
	parts.truth(w.ValueRepeated, "with a value that stands elsewhere too", "with a value that stands nowhere else")
	parts.truth(w.TypeExcludesMember, "where it excludes a member of enum or const", "where it admits every member of enum and const")
	parts.truth(w.URIReference, "with a value that is a URI reference", "with a value that is no URI reference")
	if len(w.RefOutside) > 0 {
		parts.add("that leads elsewhere than to %s", join(w.RefOutside, definition, " or "))
	}
	parts.truth(w.CycleWithoutOptionalProperty, "where the cycle passes through no optional property", "where the cycle passes through an optional property")
	parts.list(w.PatternUses, "with %s in the pattern", " or ")
	if w.PatternRepeatAbove != nil {
		parts.add("with more than %d repetitions in the pattern", *w.PatternRepeatAbove)
	}
	parts.truth(w.PatternAnchored, "with a pattern between ^ and $", "with a pattern that is not between ^ and $")
	return strings.Join(parts, ", ")
}

// phrases are the parts of a condition that all hold together.
type phrases []string

func (p *phrases) add(format string, arguments ...any) {
	*p = append(*p, fmt.Sprintf(format, arguments...))
}

// list adds names, joined by a word, and what follows them.
func (p *phrases) list(names []string, format, word string, after ...string) {
	if len(names) == 0 {
		return
	}
	shownNames := make([]string, len(names))
	for i, name := range names {
		shownNames[i] = wordOf(name)
	}
	p.add(format+strings.Join(after, ""), strings.Join(shownNames, word))
}

func (p *phrases) truth(is *bool, yes, no string) {
	switch {
	case is == nil:
	case *is:
		p.add("%s", yes)
	default:
		p.add("%s", no)
	}
}

// featureWords name pattern features as a reader would.
var featureWords = map[string]string{
	"Lookaround":        "look-around",
	"BackReference":     "a back-reference",
	"WordBoundary":      `\b or \B`,
	"StartAnchor":       "^",
	"EndAnchor":         "$",
	"NamedGroup":        "a named group",
	"NonCapturingGroup": "(?:…)",
	"ClassEscape":       `\d, \w or \s`,
	"UnicodeProperty":   `\p{…}`,
	"Lazy":              "a lazy quantifier",
}

func wordOf(name string) string {
	if word, ok := featureWords[name]; ok {
		return word
	}
	return name
}

// definition is a target of references as it is written.
func definition(name string) string {
	if name == "root" {
		return "#"
	}
	return "#/" + name + "/…"
}

func join[T any](list []T, word func(T) string, between string) string {
	words := make([]string, len(list))
	for i, item := range list {
		words[i] = word(item)
	}
	return strings.Join(words, between)
}

// shown is a JSON value in a sentence: quoted where control characters or spaces
// at an end would not show.
func shown(j JSON) string {
	text := finding.Clip(j.value.JSON(), maxValue)
	if finding.Printable(text) != text {
		return strconv.Quote(text)
	}
	return text
}
