// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

const errorsPointer = "/spec/output/errors"

// errors judges the declared failures. A set of codes is an enum of the
// output: callers branch on it.
func (c *comparison) errors() {
	before := len(c.findings)
	gone, came := namedErrors(c.old, c.new), namedErrors(c.new, c.old)
	to, of := map[string]string{}, map[string]string{}
	for i, j := range renamed(gone, came) {
		to[gone[i].name], of[came[j].name] = came[j].name, gone[i].name
	}
	for i, e := range c.new.Output.Errors {
		pointer := finding.Pointer(errorsPointer, strconv.Itoa(i))
		if was, ok := errorNamed(c.old, e.Code); ok {
			c.sameError(pointer, was, e)
		} else {
			c.newError(pointer, e, of[e.Code])
		}
	}
	for i, e := range c.old.Output.Errors {
		if _, ok := errorNamed(c.new, e.Code); ok {
			continue
		}
		pointer := finding.Pointer(errorsPointer, strconv.Itoa(i))
		n := statement{
			rule: "error-removed", side: finding.Contract, pointer: pointer, oldPointer: pointer, bump: contract.Major, proof: Declared,
			what: "removal of error code " + e.Code, why: "unless its condition cannot occur any more, it hides behind another code now",
			other: "keep " + e.Code,
		}
		if name := to[e.Code]; name != "" {
			n.hint = renamedTo(name)
		}
		c.say(n)
	}
	if len(c.findings) == before && !slices.EqualFunc(c.old.Output.Errors, c.new.Output.Errors, sameErrorText) {
		c.declared(contract.Patch, "error-order", errorsPointer, "another order or spelling of the error codes", "")
	}
}

// namedErrors are the codes that only one content declares.
func namedErrors(c, other *contract.Content) []named {
	var out []named
	for _, e := range c.Output.Errors {
		if _, ok := errorNamed(other, e.Code); !ok {
			out = append(out, named{name: e.Code, body: e.Category + " " + recovery(e)})
		}
	}
	return out
}

func errorNamed(c *contract.Content, code string) (contract.OutputError, bool) {
	i := slices.IndexFunc(c.Output.Errors, func(e contract.OutputError) bool { return e.Code == code })
	if i < 0 {
		return contract.OutputError{}, false
	}
	return c.Output.Errors[i], true
}

// newError is Minor if callers already know what to do: an old code has the
// same category and asks for the same reaction.
func (c *comparison) newError(pointer string, e contract.OutputError, renamedFrom string) {
	n := statement{
		rule: "error-added", side: finding.Contract, pointer: pointer, oldPointer: pointer, bump: contract.Minor, proof: Declared,
		what: "new error code " + e.Code, why: fmt.Sprintf("callers know %s with recovery %s", e.Category, recovery(e)),
	}
	if renamedFrom != "" {
		n.hint = renameOf(renamedFrom)
	}
	familiar := slices.ContainsFunc(c.old.Output.Errors, func(old contract.OutputError) bool {
		return old.Category == e.Category && recovery(old) == recovery(e)
	})
	if !familiar {
		n.bump, n.other = contract.Major, "give it the category and recovery of a code that "+c.old.Version.String()+" declares"
		n.why = fmt.Sprintf("no code of category %s with recovery %s was declared before", e.Category, recovery(e))
	}
	c.say(n)
}

func (c *comparison) sameError(pointer string, was, is contract.OutputError) {
	if was.Category != is.Category {
		c.declared(contract.Major, "error-category", finding.Pointer(pointer, "category"),
			fmt.Sprintf("category of %s %s", is.Code, arrow(was.Category, is.Category)), "callers branch on it")
	}
	if recovery(was) != recovery(is) {
		bump := contract.Major
		if recovery(is) == "RetryLater" && repeatable(c.new.Execution) {
			bump = contract.Minor // what failed for good may be tried again now
		}
		c.declared(bump, "error-recovery", finding.Pointer(pointer, "recovery"),
			fmt.Sprintf("recovery of %s %s", is.Code, arrow(recovery(was), recovery(is))), "callers act on it")
	}
	if was, is := number(was.RetryAfterMs), number(is.RetryAfterMs); was != is {
		c.declared(contract.Patch, "error-retry", finding.Pointer(pointer, "retryAfterMs"),
			"retryAfterMs "+arrow(was, is), "callers wait as long as an answer says")
	}
	if was.SafeMessage != is.SafeMessage {
		c.declared(contract.Patch, "error-text", finding.Pointer(pointer, "safeMessage"),
			"change of the message of "+is.Code, "")
	}
}

// sameErrorText compares by value, as == does not where there are pointers.
func sameErrorText(a, b contract.OutputError) bool {
	return a.Code == b.Code && a.Category == b.Category && a.Recovery == b.Recovery && a.SafeMessage == b.SafeMessage && number(a.RetryAfterMs) == number(b.RetryAfterMs)
}

// recovery is what the caller can do; None is the default of the API.
func recovery(e contract.OutputError) string {
	if e.Recovery == "" {
		return "None"
	}
	return e.Recovery
}
