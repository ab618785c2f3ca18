// SPDX-License-Identifier: Apache-2.0

package finding

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity says what a finding does to the contract.
type Severity string

const (
	// Error blocks what the finding is about: the contract, a target or a version.
	Error Severity = "Error"
	// Warning does not block, but somebody should look.
	Warning Severity = "Warning"
	// Info is worth knowing.
	Info Severity = "Info"
)

// Side is the part of a contract that a pointer leads into.
type Side string

const (
	// Contract pointers lead into the manifest: /spec/toolName.
	Contract Side = "Contract"
	// Input pointers lead into the author's input schema: /properties/order_ref/minLength.
	Input Side = "Input"
	// Output pointers lead into the author's output schema.
	Output Side = "Output"
)

// Finding is one machine-readable result. Two findings with equal fields are
// the same finding; nothing in it depends on time, order or the machine.
type Finding struct {
	// Rule is the stable identifier of the rule that speaks, in kebab-case.
	Rule     string
	Severity Severity
	// Side says what Pointer leads into; empty means Contract.
	Side Side
	// Pointer is an RFC 6901 JSON pointer into what the author wrote, never
	// into a rewritten form. Empty is the root.
	Pointer string
	// Keyword is the JSON Schema keyword that the finding is about, if any.
	Keyword string
	// Message says what is wrong, in one sentence without a final period.
	Message string
	// Fix says the way out in the imperative; empty only for Info.
	Fix string
	// Patch does what Fix says to the document that Pointer leads into, where no
	// judgement is needed. It is made for the document as it was judged: apply
	// the patch of one finding, then judge again, since another patch may be
	// about the same place.
	Patch []Operation
}

// String is the one-line text form: severity, place, message, way out, rule.
func (f Finding) String() string {
	text := f.Place() + ": " + Printable(f.Message)
	if f.Fix != "" {
		text += ". Fix: " + Printable(f.Fix)
	}
	return fmt.Sprintf("%s %s [%s]", f.Severity, text, f.Rule)
}

// Place names the side and the pointer as a reader would: "input schema
// /properties/id", "output schema (root)", "/spec/toolName".
func (f Finding) Place() string {
	pointer := Clip(Printable(f.Pointer), maxPointer)
	if pointer == "" {
		pointer = "(root)"
	}
	switch f.Side {
	case Input:
		return "input schema " + pointer
	case Output:
		return "output schema " + pointer
	default:
		return pointer
	}
}

// Compare orders findings for every surface: errors first, then by side,
// pointer, rule and the rest. Only equal findings compare equal, so that the
// order in which rules spoke never shows.
func Compare(a, b Finding) int {
	return cmp.Or(
		cmp.Compare(rank(a.Severity), rank(b.Severity)),
		cmp.Compare(a.Side, b.Side),
		cmp.Compare(a.Pointer, b.Pointer),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Keyword, b.Keyword),
		cmp.Compare(a.Fix, b.Fix),
		slices.CompareFunc(a.Patch, b.Patch, compareOperations),
	)
}

// Sort orders findings in place by [Compare] and drops exact repetitions.
func Sort(findings []Finding) []Finding {
	slices.SortStableFunc(findings, Compare)
	return slices.CompactFunc(findings, func(a, b Finding) bool { return Compare(a, b) == 0 })
}

// Count returns the number of findings of one severity.
func Count(findings []Finding, severity Severity) int {
	n := 0
	for _, f := range findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}

// Errors returns the findings that block, in their order.
func Errors(findings []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(findings), func(f Finding) bool { return f.Severity != Error })
}

// HasErrors reports whether any finding blocks.
func HasErrors(findings []Finding) bool {
	return slices.ContainsFunc(findings, func(f Finding) bool { return f.Severity == Error })
}

// On returns the findings with their side set, for packages that know only
// schemas and not which part of a contract a schema is.
func On(side Side, findings []Finding) []Finding {
	out := slices.Clone(findings)
	for i := range out {
		out[i].Side = side
	}
	return out
}

func rank(s Severity) int {
	switch s {
	case Error:
		return 0
	case Warning:
		return 1
	default:
		return 2
	}
}
