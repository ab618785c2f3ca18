// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// schemaChange is the change of one of the two schemas. What was valid must
// stay valid for an input: old ⊆ new. What may come back must have been
// possible for an output: new ⊆ old.
type schemaChange struct {
	*comparison
	side     finding.Side
	old, new *schema.Schema
}

// breaking is the question whose answer No breaks a caller.
func (s schemaChange) breaking() []contain.Result {
	if s.side == finding.Input {
		return contain.Differences(s.old, s.new)
	}
	return contain.Differences(s.new, s.old)
}

// widening is the opposite question: it tells Minor from Patch.
func (s schemaChange) widening() []contain.Result {
	if s.side == finding.Input {
		return contain.Differences(s.new, s.old)
	}
	return contain.Differences(s.old, s.new)
}

// prefix begins the rules of a side.
func (s schemaChange) prefix() string { return strings.ToLower(string(s.side)) + "-" }

// containment compares what the two schemas admit. It returns whether they
// are proven to admit the same.
func (s schemaChange) containment() (same bool) {
	broken := s.breaking()
	for _, r := range broken {
		s.breaks(r)
	}
	widened := s.widening()
	for _, r := range widened {
		if r.Incomplete {
			continue
		}
		sameGap := func(b contain.Result) bool {
			return b.Pointer == r.Pointer && b.Keyword == r.Keyword && b.Name == r.Name
		}
		if !slices.ContainsFunc(broken, sameGap) {
			s.widens(r)
		}
	}
	return len(broken)+len(widened) == 0
}

// moreDifferences ends the rule that stands for the places beyond those listed.
const moreDifferences = "more-differences"

// breaks reports a place where the containment that callers rely on fails.
func (s schemaChange) breaks(r contain.Result) {
	newIsFirst := s.side == finding.Output
	n := note{
		rule: s.prefix() + aspect(r, newIsFirst), side: s.side, pointer: r.Pointer, keyword: r.Keyword,
		bump: contract.Major, what: s.phrase(r, newIsFirst), other: s.keep(r, newIsFirst),
	}
	if r.OnlyIn == contain.InB && added(r, newIsFirst) {
		n.why = "the name could have any value before"
	}
	switch {
	case r.Incomplete:
		n.rule, n.proof = s.prefix()+moreDifferences, Unknown
		n.what, n.other = "there are more differences than are listed", ""
	case r.Defect:
		// The counter-example is real, so nobody can acknowledge it away.
		n.rule, n.proof = s.prefix()+defectSuffix, Refuted
		n.what, n.other = "a wrong proof of the checker, corrected by its own test,", "report the two schemas to the project"
	case r.Answer == contain.Refuted:
		n.proof = Refuted
	default:
		n.proof = Unknown
		n.what = s.unproved(r, n.what)
	}
	if r.Witness != nil && !s.hidden {
		n.witness = r.Witness
		n.example = fmt.Sprintf(s.exampleForm(), s.comparison.old.Version, r.Witness.JSON())
	}
	s.say(n)
}

func (s schemaChange) exampleForm() string {
	if s.side == finding.Input {
		return "Example accepted by %s, rejected now: %s"
	}
	return "Example impossible under %s, possible now: %s"
}

func (s schemaChange) unproved(r contain.Result, what string) string {
	claim := fmt.Sprintf("cannot prove that every value accepted by %s is still accepted", s.comparison.old.Version)
	if s.side == finding.Output {
		claim = fmt.Sprintf("cannot prove that every result was possible under %s", s.comparison.old.Version)
	}
	if r.Detail != "" {
		what += ": " + r.Detail
	}
	return fmt.Sprintf("%s (%s)", claim, what)
}

// widens reports a place where the schema moved without breaking a caller.
func (s schemaChange) widens(r contain.Result) {
	rule := "input-widened"
	if s.side == finding.Output {
		rule = "output-narrowed"
	}
	s.say(note{
		rule: rule, side: s.side, pointer: r.Pointer, keyword: r.Keyword,
		bump: contract.Minor, proof: Proven, what: s.phrase(r, s.side == finding.Input),
	})
}

// aspects name the rules after what changed; several keywords that say one
// thing share a name.
var aspects = map[string]string{
	"": "schema", "type": "type", "enum": "enum", "const": "enum",
	"minimum": "range", "maximum": "range", "exclusiveMinimum": "range", "exclusiveMaximum": "range",
	"multipleOf": "multiple-of", "minLength": "length", "maxLength": "length", "pattern": "pattern", "format": "format",
	"required": "required", "additionalProperties": "additional-properties", "patternProperties": "pattern-properties",
	"propertyNames": "property-names", "minProperties": "property-count", "maxProperties": "property-count",
	"dependentRequired": "dependencies", "dependentSchemas": "dependencies",
	"items": "items", "prefixItems": "items", "minItems": "item-count", "maxItems": "item-count",
	"uniqueItems": "unique-items", "contains": "contains",
	"anyOf": "alternatives", "oneOf": "alternatives", "not": "negation", "if": "condition",
	"unevaluatedProperties": "unevaluated", "unevaluatedItems": "unevaluated",
}

// added reports whether a property that one side declares came with the new
// schema. newIsFirst says that A of the question was the new schema.
func added(r contain.Result, newIsFirst bool) bool { return (r.OnlyIn == contain.InA) == newIsFirst }

// aspect names the rule of a result, without the side.
func aspect(r contain.Result, newIsFirst bool) string {
	switch {
	case r.OnlyIn != "" && added(r, newIsFirst):
		return "property-added"
	case r.OnlyIn != "":
		return "property-removed"
	}
	if name, ok := aspects[r.Keyword]; ok {
		return name
	}
	return "schema"
}

// phrase says what changed, from old to new. newIsFirst says that A of the
// question was the new schema.
func (s schemaChange) phrase(r contain.Result, newIsFirst bool) string {
	was, is := oldToNew(r, newIsFirst)
	switch {
	case r.OnlyIn != "":
		return propertyPhrase(r, newIsFirst)
	case r.Keyword == "required" && newIsFirst:
		return "no longer requiring " + finding.Quote(r.Name)
	case r.Keyword == "required":
		return "requiring " + finding.Quote(r.Name)
	case aspects[r.Keyword] == "enum":
		return s.enumPhrase(r, newIsFirst)
	case len(r.Values) > 0:
		return fmt.Sprintf("%s %s for %s", r.Keyword, arrow(was, is), s.list(r.Values))
	case was == "" && is == "":
		return strings.TrimSpace("change of " + orSchema(r.Keyword) + " " + quoted(r.Name))
	default:
		return orSchema(r.Keyword) + " " + arrow(was, is)
	}
}

func oldToNew(r contain.Result, newIsFirst bool) (was, is string) {
	if newIsFirst {
		return r.InB, r.InA
	}
	return r.InA, r.InB
}

func propertyPhrase(r contain.Result, newIsFirst bool) string {
	switch {
	case !added(r, newIsFirst):
		return "removal of property " + finding.Quote(r.Name)
	case r.OnlyIn == contain.InB:
		return "new property " + finding.Quote(r.Name) + " in an open object"
	default:
		return "new property " + finding.Quote(r.Name) + " in a closed object"
	}
}

// enumPhrase names listed values, unless the classification hides them.
func (s schemaChange) enumPhrase(r contain.Result, newIsFirst bool) string {
	switch {
	case len(r.Values) > 0 && newIsFirst:
		return "new " + r.Keyword + " value " + s.list(r.Values)
	case len(r.Values) > 0:
		return "removal of " + r.Keyword + " value " + s.list(r.Values)
	case newIsFirst:
		return "values beyond the list of " + r.Keyword
	default:
		return "restriction to the list of " + r.Keyword
	}
}

func (s schemaChange) list(values []*schema.Value) string {
	if s.hidden {
		return fmt.Sprintf("%d listed values", len(values))
	}
	const shown = 3
	words := make([]string, 0, shown)
	for _, v := range values[:min(shown, len(values))] {
		words = append(words, finding.Clip(v.JSON(), maxShown))
	}
	text := strings.Join(words, ", ")
	if rest := len(values) - len(words); rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}

// maxShown bounds one value inside a message, in bytes.
const maxShown = 60

// keep is the way out that changes the schema instead of the version.
func (s schemaChange) keep(r contain.Result, newIsFirst bool) string {
	name := finding.Quote(r.Name)
	was, is := oldToNew(r, newIsFirst)
	switch {
	case r.OnlyIn != "" && !added(r, newIsFirst):
		return fmt.Sprintf("keep %s and mark it deprecated", name)
	case r.OnlyIn == contain.InB:
		return fmt.Sprintf("leave %s out; close the object (additionalProperties: false) in the new line, and later properties are minor", name)
	case r.OnlyIn == contain.InA:
		return fmt.Sprintf("leave %s out; open the object in the new line, and later properties are minor", name)
	case r.Keyword == "required" && newIsFirst:
		return fmt.Sprintf("keep %s required", name)
	case r.Keyword == "required":
		return fmt.Sprintf("leave %s optional", name)
	case len(r.Values) > 0 && newIsFirst:
		return "leave out " + s.list(r.Values)
	case len(r.Values) > 0:
		return "keep " + s.list(r.Values)
	case was == "" && is != "", was == anyType:
		return "leave " + r.Keyword + " out"
	case was != "":
		return "keep " + r.Keyword + " " + was
	default:
		return "keep " + orSchema(r.Keyword) + " as it was"
	}
}

// anyType is what a result says of a schema without type.
const anyType = "any type"

func orSchema(keyword string) string {
	if keyword == "" {
		return "the schema"
	}
	return keyword
}

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return finding.Quote(name)
}

// defectSuffix ends the rule of a difference that the prover missed.
const defectSuffix = "checker-defect"

// IsDefect reports whether a finding says that the prover was wrong: it had
// proven a containment that a counter-example disproves.
func IsDefect(f Finding) bool { return strings.HasSuffix(f.Rule, defectSuffix) }
