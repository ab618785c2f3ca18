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

// containment compares what the two schemas admit.
func (s schemaChange) containment() {
	broken := s.checker.differences(s.breaking.a, s.breaking.b)
	for _, r := range broken {
		if !s.saidByNewProperty(r, broken) {
			s.breaks(r, broken)
		}
	}
	for _, r := range s.checker.differences(s.harmless.a, s.harmless.b) {
		sameGap := func(b contain.Result) bool {
			return b.Pointer == r.Pointer && b.Keyword == r.Keyword && b.Name == r.Name &&
				slices.EqualFunc(b.Values, r.Values, (*schema.Value).Equal)
		}
		if !r.Incomplete && !slices.ContainsFunc(broken, sameGap) {
			s.widens(r)
		}
	}
}

// saidByNewProperty reports whether a required name is that of a property that
// is new and breaks callers by itself: one finding says both.
func (s schemaChange) saidByNewProperty(r contain.Result, broken []contain.Result) bool {
	return r.Keyword == "required" && r.Answer == contain.Refuted && !s.newIsA() &&
		slices.ContainsFunc(broken, func(b contain.Result) bool { return s.requires(b, r) })
}

// requires reports whether a result is about a new property that another result
// says is required.
func (s schemaChange) requires(property, required contain.Result) bool {
	return property.OnlyIn == contain.InB && property.Answer == contain.Refuted && added(property, s.newIsA()) &&
		required.Keyword == "required" && required.OnlyIn == "" && required.Name == property.Name &&
		property.Pointer == finding.Pointer(required.Pointer, "properties", required.Name)
}

// moreDifferences ends the rule that stands for the places beyond those listed.
const moreDifferences = "more-differences"

// breaks reports a place where the containment that callers rely on fails.
func (s schemaChange) breaks(r contain.Result, all []contain.Result) {
	r = s.shown(r)
	n := statement{
		rule: s.prefix + aspect(r, s.newIsA()), keyword: r.Keyword, bump: contract.Major,
		what: s.phrase(r, s.newIsA()), hint: s.hint(r, s.newIsA()), other: s.keep(r, s.newIsA()),
	}
	if r.OnlyIn != "" && added(r, s.newIsA()) {
		n.why, n.later = s.newName(r)
		if !s.newIsA() && slices.ContainsFunc(all, func(q contain.Result) bool { return s.requires(r, q) }) {
			n.what = "new required property " + finding.Quote(r.Name) + " in an open object"
			n.why, n.later = "calls that leave it out are refused", ""
		}
	}
	switch {
	case r.Incomplete:
		n.rule, n.proof = s.prefix+moreDifferences, Unknown
		n.what, n.other = "there are more differences than are listed", ""
	case r.Defect:
		// The counter-example is real, so nobody can acknowledge it away.
		n.rule, n.proof = s.prefix+defectSuffix, Refuted
		n.what, n.other = "a wrong proof of the checker, corrected by its own test,", "report the two schemas to the project"
	case r.Answer == contain.Refuted:
		n.proof = Refuted
	default:
		n.proof = Unknown
		n.what = s.unproved(r, n.what)
	}
	if n.proof == Refuted {
		s.exemplify(&n, r, s.exampleForm())
	}
	s.sayAt(inNew(r, s.newIsA()), r.Pointer, n)
}

// inNew reports whether the pointer of a result leads into the new schema. It
// leads into B, except for what only A has.
func inNew(r contain.Result, newIsA bool) bool { return (r.OnlyIn == contain.InA) == newIsA }

// exemplify adds the counter-example, or says why it is not shown.
func (c *comparison) exemplify(n *statement, r contain.Result, form string) {
	switch {
	case c.hidden:
		n.example = "The example is left out because of the data classification"
	case r.Witness == nil:
		n.example = fmt.Sprintf("The smallest example found is longer than %d bytes and left out", contain.MaxWitness)
	default:
		n.witness = r.Witness
		n.example = form + ": " + r.Witness.JSON()
	}
}

func (s schemaChange) exampleForm() string {
	if s.newIsA() {
		return fmt.Sprintf("Example impossible under %s, possible now", s.comparison.old.Version)
	}
	return fmt.Sprintf("Example accepted by %s, rejected now", s.comparison.old.Version)
}

func (s schemaChange) unproved(r contain.Result, what string) string {
	claim := fmt.Sprintf("cannot prove that every value accepted by %s is still accepted", s.comparison.old.Version)
	if s.newIsA() {
		claim = fmt.Sprintf("cannot prove that every result was possible under %s", s.comparison.old.Version)
	}
	if r.Detail != "" {
		what += ": " + r.Detail
	}
	return fmt.Sprintf("%s (%s)", claim, what)
}

// newName says why a property breaks that is new where names were open or
// closed, and what spares the author the next time.
func (s schemaChange) newName(r contain.Result) (why, later string) {
	switch {
	case s.prefix == sessionRules:
	case s.newIsA():
		later = "to add properties in a minor version, open the object in the new line, " +
			"or set output.reader to IgnoreUnknown where the host leaves out what is not declared"
	case r.OnlyIn == contain.InB:
		why = "the name could have any value before"
		later = "to add properties in a minor version, close the object (additionalProperties: false) in the new line, " +
			"or set input.writer to Declared where the host refuses what is not declared"
	}
	return why, later
}

// widens reports a place where the schema moved without breaking a caller.
func (s schemaChange) widens(r contain.Result) {
	r = s.shown(r)
	n := statement{
		rule: harmless(s.prefix), keyword: r.Keyword, bump: contract.Minor, proof: Proven,
		what: s.phrase(r, !s.newIsA()), hint: s.hint(r, !s.newIsA()),
	}
	if r.OnlyIn != "" && added(r, !s.newIsA()) {
		n.what = "new property " + finding.Quote(r.Name)
	}
	s.sayAt(inNew(r, !s.newIsA()), r.Pointer, n)
}

// hint says what a difference looks like beside what it is.
func (s schemaChange) hint(r contain.Result, newIsA bool) string {
	switch {
	case r.OnlyIn != "" && added(r, newIsA):
		if name, ok := s.renames.came[r.Pointer]; ok {
			return renameOf(name)
		}
	case r.OnlyIn != "":
		if name, ok := s.renames.gone[r.Pointer]; ok {
			return renamedTo(name)
		}
	case len(r.Values) > 0 && !s.hidden:
		pair, ok := s.renames.values[s.survey.placeAt(inNew(r, newIsA), r.Pointer)]
		switch {
		case !ok:
		case slices.ContainsFunc(r.Values, pair[0].Equal):
			return renamedTo(pair[1].Text())
		case slices.ContainsFunc(r.Values, pair[1].Equal):
			return renameOf(pair[0].Text())
		}
	}
	return ""
}

// defectSuffix ends the rule of a difference that the prover missed.
const defectSuffix = "checker-defect"

// IsDefect reports whether a finding says that the prover was wrong: it had
// proven a containment that a counter-example disproves.
func IsDefect(f Finding) bool { return strings.HasSuffix(f.Rule, defectSuffix) }
