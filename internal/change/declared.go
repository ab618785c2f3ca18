// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// What absence of the two fields stands for.
const asDeclared = "AsDeclared"

// writer judges who sees to it that calls have declared members only. That a
// host begins to refuse the others breaks whoever sends them; that it lets them
// pass again breaks nobody.
func (c *comparison) writer() {
	was, is := implied(c.old.Input.Writer, asDeclared), implied(c.new.Input.Writer, asDeclared)
	n := statement{
		rule: "input-writer", side: finding.Contract, pointer: inputPointer + "/writer", oldPointer: inputPointer + "/writer",
		bump: contract.Major, proof: Declared, what: "writer " + arrow(c.old.Input.Writer, c.new.Input.Writer),
	}
	switch {
	case c.old.Input.Writer == c.new.Input.Writer:
		return
	case was == is:
		n.bump, n.why = contract.Patch, "both say the same"
	case was == contract.WriterDeclared:
		n.bump, n.why = contract.Minor, "members that are not declared are no longer refused"
	default:
		n.why = "members that the schema does not declare are refused now"
		n.other = "keep writer " + was
		if c.old.Input.Schema != nil {
			c.refused(&n)
		}
	}
	c.say(n)
}

// refused looks for a call that the closed form of the old schema refuses.
func (c *comparison) refused(n *statement) {
	for _, r := range c.checker.differences(c.old.Input.Schema, c.old.Input.Schema.Closed()) {
		if r.Answer == contain.Refuted {
			n.proof = Refuted
			c.exemplify(n, r, fmt.Sprintf("Example accepted by %s, rejected now", c.old.Version))
			return
		}
	}
}

// reader judges what callers see of members that are not declared.
func (c *comparison) reader() {
	const pointer = outputPointer + "/reader"
	was, is := implied(c.old.Output.Reader, asDeclared), implied(c.new.Output.Reader, asDeclared)
	what := "reader " + arrow(c.old.Output.Reader, c.new.Output.Reader)
	switch {
	case c.old.Output.Reader == c.new.Output.Reader:
	case was == is:
		c.declared(contract.Patch, "output-reader", pointer, what, "both say the same")
	case is == contract.ReaderIgnoreUnknown:
		c.declared(contract.Minor, "output-reader", pointer, what, "members that are not declared no longer reach callers")
	default:
		c.declared(contract.Major, "output-reader", pointer, what, "members that were left out reach callers now")
	}
}
