// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// statement is what a finding says, before it is put into one form.
type statement struct {
	rule string
	side finding.Side
	// pointer and oldPointer are the place in the new and the old contract.
	pointer, oldPointer string
	keyword             string
	bump                contract.Bump
	proof               Proof
	// what changed, without place and bump: "maximum 1000 → 100". For Unknown it
	// is what could not be proved.
	what string
	// hint is what it may be beside that: a rename.
	hint string
	// why it needs that bump, if that is not plain.
	why string
	// example is the sentence about the witness, if there is one.
	example string
	witness *schema.Value
	// other is a way out beside a higher version: "keep maximum 1000".
	other string
	// later is how to be spared the next time.
	later string
	// check asks a person to look although the version may suffice; it makes the
	// finding a Warning.
	check string
}

// say adds a finding in the one form that all messages of a change have: what
// changed, what it needs, an example, and what the version declares. The place
// and the way out are fields of their own, which every surface puts around it.
func (c *comparison) say(n statement) {
	f := Finding{
		Finding:    finding.Finding{Rule: n.rule, Side: n.side, Pointer: n.pointer, Keyword: n.keyword},
		OldPointer: n.oldPointer, Bump: n.bump, Proof: n.proof, Witness: n.witness,
	}
	var b strings.Builder
	b.WriteString(n.what)
	if n.hint != "" {
		b.WriteString(" (" + n.hint + ")")
	}
	if n.oldPointer != n.pointer {
		fmt.Fprintf(&b, " (in %s at %s)", c.old.Version, finding.Quote(n.oldPointer))
	}
	verb := " needs "
	if n.proof == Unknown {
		verb = "; treated as "
	}
	b.WriteString(verb + word(n.bump))
	if n.why != "" {
		b.WriteString(": " + n.why)
	}
	if n.example != "" {
		b.WriteString(". " + n.example)
	}
	fmt.Fprintf(&b, ". Declared bump: %s (%s)", word(c.declaredBump), c.new.Version)
	f.Message = b.String()
	f.Fix = c.wayOut(n, f)
	if n.check != "" {
		f.Severity = finding.Warning
	}
	key := fmt.Sprintf("%s %s %q %q %s", f.Rule, f.Side, f.Pointer, f.OldPointer, f.Message)
	if c.said[key] {
		return
	}
	if c.said == nil {
		c.said = map[string]bool{}
	}
	c.said[key] = true
	c.findings = append(c.findings, f)
}

func word(b contract.Bump) string { return strings.ToLower(b.String()) }

// wayOut names the version that is enough, and what else would do. Where the
// version suffices there is only something to look at.
func (c *comparison) wayOut(n statement, f Finding) string {
	if n.bump <= c.declaredBump {
		return n.check
	}
	ways := []string{fmt.Sprintf("set version %s", c.enough(n.bump))}
	if n.other != "" {
		ways = append(ways, n.other)
	}
	if n.bump == contract.Major && f.acknowledgeable() {
		ways = append(ways, fmt.Sprintf("acknowledge rule %s at path %s for version %s if you know that no caller breaks",
			n.rule, finding.Quote(n.pointer), c.new.Version))
	}
	parts := []string{strings.Join(ways, ", or "), n.later, n.check}
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "; ")
}

// enough is the lowest version that declares a bump.
func (c *comparison) enough(b contract.Bump) contract.Version {
	if b == contract.Major {
		return c.newLine
	}
	return c.old.Version.Next(b)
}

// declared adds a finding about a field outside the schemas.
func (c *comparison) declared(b contract.Bump, rule, pointer, what, why string) {
	c.say(statement{
		rule: rule, side: finding.Contract, pointer: pointer, oldPointer: pointer,
		bump: b, proof: Declared, what: what, why: why,
	})
}

// arrow is a change of a value; an empty one is none.
func arrow(was, is string) string { return orNone(was) + " → " + orNone(is) }

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
