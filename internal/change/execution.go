// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

const executionPointer = "/spec/execution"

// executionRule judges one field whose values are words. Absent is the empty
// string; implied is the word that absence stands for, if it stands for one.
type executionRule struct {
	field   string
	rule    string
	implied string
	of      func(contract.Execution) string
	judge   func(was, is string) (contract.Bump, string)
}

// executionRules are the fields that hosts and agents act on. Most changes are
// Major in both directions: one takes a promise away, the other takes away a
// protection or says that the effect no longer happens.
var executionRules = []executionRule{
	{"location", "location", "", func(e contract.Execution) string { return e.Location }, always("another party runs the tool")},
	{"credentials", "credentials", "", func(e contract.Execution) string { return e.Credentials }, always("another party holds the credentials")},
	{"authorization", "authorization", "", func(e contract.Execution) string { return e.Authorization }, always("another party decides whether a call is allowed")},
	{"sideEffect", "side-effect", "", func(e contract.Execution) string { return e.SideEffect }, always("a call changes something else than before")},
	{"reach", "reach", "", func(e contract.Execution) string { return e.Reach }, always("a call reaches another part of the world")},
	{"risk", "risk", "", func(e contract.Execution) string { return e.Risk }, risk},
	{"timeoutSeconds", "timeout", "", timeoutOf, timeout},
	{"approval", "approval", "None", func(e contract.Execution) string { return e.Approval }, approval},
	{"dataClassification", "data-classification", "", func(e contract.Execution) string { return e.DataClassification }, classification},
}

func (c *comparison) execution() {
	was, is := c.old.Execution, c.new.Execution
	for _, r := range executionRules {
		c.ledger.judged("execution", r.field)
		c.executionField(r, r.of(was), r.of(is))
	}
	c.ledger.judged("execution", "retry", "maxAttempts")
	c.ledger.judged("execution", "retry", "backoffSeconds")
	c.retry(was, is)
	c.ledger.judged("execution", "idempotency", "mode")
	c.ledger.judged("execution", "idempotency", "keyParameter")
	c.idempotency(was, is)
}

func (c *comparison) executionField(r executionRule, was, is string) {
	pointer := finding.Pointer(executionPointer, r.field)
	switch {
	case was == is:
	case implied(was, r.implied) == implied(is, r.implied):
		c.declared(contract.Patch, r.rule, pointer, r.field+" "+arrow(was, is), "both say the same")
	default:
		n := statement{rule: r.rule, side: finding.Contract, pointer: pointer, oldPointer: pointer, proof: Declared, what: r.field + " " + arrow(was, is)}
		n.bump, n.why = r.judge(was, is)
		if n.bump == contract.Major {
			n.other = "keep " + r.field + " " + orNone(was)
		}
		if r.field == "approval" && is != "Required" {
			n.check = "see that calls may run without a person's consent"
		}
		c.say(n)
	}
}

func implied(word, by string) string {
	if word == "" {
		return by
	}
	return word
}

func always(why string) func(was, is string) (contract.Bump, string) {
	return func(string, string) (contract.Bump, string) { return contract.Major, why }
}

func risk(was, is string) (contract.Bump, string) {
	order := []string{"Low", "Medium", "High", "Critical"}
	if slices.Index(order, is) > slices.Index(order, was) {
		return contract.Major, "callers without an approval path for it stop working"
	}
	return contract.Major, "approval that was asked for before may silently be skipped"
}

func classification(was, is string) (contract.Bump, string) {
	order := []string{"Public", "Internal", "Confidential", "Restricted"}
	if slices.Index(order, is) > slices.Index(order, was) {
		return contract.Major, "callers without the clearance are refused"
	}
	return contract.Major, "data may flow further than before"
}

// approval that falls away breaks nobody; that control is weakened is shown as
// a Warning instead of being hidden in a version number.
func approval(_, is string) (contract.Bump, string) {
	if is == "Required" {
		return contract.Major, "callers that run unattended block"
	}
	return contract.Minor, "a person is no longer asked"
}

func timeoutOf(e contract.Execution) string {
	if e.TimeoutSeconds == nil {
		return ""
	}
	return strconv.Itoa(int(*e.TimeoutSeconds))
}

func timeout(was, is string) (contract.Bump, string) {
	before, errBefore := strconv.Atoi(was)
	after, errAfter := strconv.Atoi(is)
	if errBefore == nil && errAfter == nil && after > before {
		return contract.Minor, "calls may take longer"
	}
	return contract.Major, "calls that succeeded may be cut off"
}

// retry judges repetition. More of it is harmless only where repeating a call
// does not repeat its effect.
func (c *comparison) retry(was, is contract.Execution) {
	pointer := finding.Pointer(executionPointer, "retry")
	before, after := attempts(was), attempts(is)
	harmless := repeatable(was) && repeatable(is)
	switch {
	case after > before && !harmless:
		c.declared(contract.Major, "retry", pointer,
			fmt.Sprintf("attempts %d → %d", before, after), "a repeated call repeats its effect")
	case after > before:
		c.declared(contract.Patch, "retry", pointer, fmt.Sprintf("attempts %d → %d", before, after), "")
	case after < before:
		c.declared(contract.Minor, "retry", pointer, fmt.Sprintf("attempts %d → %d", before, after), "more failures become visible")
	case (was.Retry == nil) != (is.Retry == nil), backoff(was) != backoff(is):
		c.declared(contract.Patch, "retry", pointer, "change of the wait between attempts", "")
	}
}

// attempts is the number of calls; a contract without retry promises one.
func attempts(e contract.Execution) int32 {
	if e.Retry == nil {
		return 1
	}
	return e.Retry.MaxAttempts
}

func backoff(e contract.Execution) string {
	if e.Retry == nil || e.Retry.BackoffSeconds == nil {
		return ""
	}
	return strconv.Itoa(int(*e.Retry.BackoffSeconds))
}

func repeatable(e contract.Execution) bool {
	return e.IdempotencyMode == "Idempotent" || e.IdempotencyMode == "Key" || e.SideEffect == "None"
}

// idempotency judges what a repeated call does. None < Key < Idempotent: each
// promises more and asks less of the caller, except that a key is a demand.
func (c *comparison) idempotency(was, is contract.Execution) {
	pointer := finding.Pointer(executionPointer, "idempotency")
	before, after := implied(was.IdempotencyMode, "None"), implied(is.IdempotencyMode, "None")
	switch {
	case before == after && was.IdempotencyKey != is.IdempotencyKey:
		c.declared(contract.Major, "idempotency", finding.Pointer(pointer, "keyParameter"),
			"key parameter "+arrow(was.IdempotencyKey, is.IdempotencyKey), "calls with the old key repeat their effect")
	case before == after && was.IdempotencyMode != is.IdempotencyMode:
		c.declared(contract.Patch, "idempotency", pointer, "mode "+arrow(was.IdempotencyMode, is.IdempotencyMode), "both say the same")
	case before == after:
	case after == "Idempotent":
		c.declared(contract.Minor, "idempotency", pointer, "mode "+arrow(before, after), "a stronger promise")
	case after == "Key":
		c.declared(contract.Major, "idempotency", pointer, "mode "+arrow(before, after), "callers must send a key now")
	default:
		c.declared(contract.Major, "idempotency", pointer, "mode "+arrow(before, after), "a repeated call repeats its effect")
	}
}
