// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// note is what a finding says, before it is put into one sentence.
type note struct {
	rule    string
	side    finding.Side
	pointer string
	keyword string
	bump    contract.Bump
	proof   Proof
	// what changed, without place and bump: "maximum 1000 → 100". For Unknown it
	// is what could not be proved.
	what string
	// why it needs that bump, if that is not plain.
	why string
	// example is the sentence about the witness, if there is one.
	example string
	witness *schema.Value
	// other is a way out beside a higher version: "keep maximum 1000".
	other string
}

// say adds a finding in the one form that all messages of a change have: what
// changed, what it needs, and an example. The place and the way out are fields
// of their own, which every surface puts around it.
func (c *comparison) say(n note) {
	f := Finding{
		Finding: finding.Finding{Rule: n.rule, Side: n.side, Pointer: n.pointer, Keyword: n.keyword},
		Bump:    n.bump, Proof: n.proof, Witness: n.witness,
	}
	verb := " needs "
	if n.proof == Unknown {
		verb = "; treated as "
	}
	f.Message = n.what + verb + strings.ToLower(n.bump.String())
	if n.why != "" {
		f.Message += ": " + n.why
	}
	if n.example != "" {
		f.Message += ". " + n.example
	}
	f.Fix = c.wayOut(n, f)
	c.add(f)
}

// wayOut names the version that is enough, and what else would do.
func (c *comparison) wayOut(n note, f Finding) string {
	ways := []string{fmt.Sprintf("set version %s", c.enough(n.bump))}
	if n.bump < contract.Major {
		return ways[0]
	}
	if n.other != "" {
		ways = append(ways, n.other)
	}
	if f.acknowledgeable() {
		ways = append(ways, fmt.Sprintf("acknowledge rule %s at path %s for version %s if you know that no caller breaks",
			n.rule, finding.Quote(n.pointer), c.new.Version))
	}
	return strings.Join(ways, ", or ")
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
	c.say(note{rule: rule, side: finding.Contract, pointer: pointer, bump: b, proof: Declared, what: what, why: why})
}

// arrow is a change of a value; an empty one is none.
func arrow(was, is string) string { return orNone(was) + " → " + orNone(is) }

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
