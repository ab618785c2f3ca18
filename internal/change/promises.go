// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
)

// promises judges what an answer promises beside its schema and its failures. A
// bound on answers is judged as the output schema is: a looser one lets through
// what callers never met, a tighter one turns some answers into failures that
// they know.
func (c *comparison) promises() {
	for _, field := range []string{"limits", "truncation", "pagination", "freshness", "provenance", "bindings"} {
		c.ledger.judged("output", field)
	}
	old, next := c.old.Output, c.new.Output
	limits := finding.Pointer(outputPointer, "limits")
	tighter := "answers beyond it fail now"
	if next.Truncation == "Marked" {
		tighter = "answers beyond it are cut now, and say so"
	}
	c.bound("output-limits", limits+"/maxBytes", old.Limits.MaxBytes, next.Limits.MaxBytes, "answers may be larger than before", tighter)
	c.bound("output-limits", limits+"/maxDepth", old.Limits.MaxDepth, next.Limits.MaxDepth, "answers may nest deeper than before", tighter)
	c.bound("output-limits", limits+"/maxItems", old.Limits.MaxItems, next.Limits.MaxItems, "lists may be longer than before", tighter)
	if was, is := implied(old.Truncation, "Never"), implied(next.Truncation, "Never"); was != is {
		why := "callers take every answer as complete"
		if is == "Never" {
			why = "calls that brought a part of the answer fail now"
		}
		c.declared(contract.Major, "output-truncation", finding.Pointer(outputPointer, "truncation"), "truncation "+arrow(was, is), why)
	}
	c.pagination(old.Pagination, next.Pagination)
	c.freshness(old.Freshness, next.Freshness)
	c.provenance(old.Provenance, next.Provenance)
	c.bindings(old.Bindings, next.Bindings)
}

// bound judges a number that answers stay below; nil is no bound.
func (c *comparison) bound(rule, pointer string, old, next *int32, looser, tighter string) {
	was, is := number(old), number(next)
	switch {
	case was == is:
	case next == nil, old != nil && *next > *old:
		c.declared(contract.Major, rule, pointer, lastToken(pointer)+" "+arrow(was, is), looser)
	default:
		c.declared(contract.Minor, rule, pointer, lastToken(pointer)+" "+arrow(was, is), tighter)
	}
}

func number(n *int32) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(int(*n))
}

func lastToken(pointer string) string {
	tokens := finding.Tokens(pointer)
	return tokens[len(tokens)-1]
}

func (c *comparison) pagination(old, next *contract.Pagination) {
	at := finding.Pointer(outputPointer, "pagination")
	switch {
	case old == nil && next == nil:
	case old == nil:
		c.declared(contract.Major, "output-pagination", at, "answers come in pages", "callers take the first page for all there is")
	case next == nil:
		c.declared(contract.Major, "output-pagination", at, "answers come in pages no more", "callers ask for further pages")
	default:
		for _, f := range []struct{ name, was, is string }{
			{"mode", old.Mode, next.Mode}, {"input", old.Input, next.Input}, {"output", old.Output, next.Output}, {"items", old.Items, next.Items},
		} {
			if f.was != f.is {
				c.declared(contract.Major, "output-pagination", finding.Pointer(at, f.name), f.name+" "+arrow(f.was, f.is), "callers page by it")
			}
		}
		c.bound("output-pagination", at+"/maxPageSize", old.MaxPageSize, next.MaxPageSize, "pages may be longer than before", "pages are shorter")
	}
}

// cacheOrder are the words of freshness.cache, each letting more answers be kept.
var cacheOrder = []string{"None", "Session", "Shared"}

func (c *comparison) freshness(old, next *contract.Freshness) {
	at := finding.Pointer(outputPointer, "freshness")
	var was, is contract.Freshness
	if old != nil {
		was = *old
	}
	if next != nil {
		is = *next
	}
	c.bound("output-freshness", at+"/maxAgeSeconds", was.MaxAgeSeconds, is.MaxAgeSeconds, "data may be older than before", "data is fresher")
	before, after := implied(was.Cache, "None"), implied(is.Cache, "None")
	if before != after {
		bump, why := contract.Minor, "fewer answers are kept ones"
		if slices.Index(cacheOrder, after) > slices.Index(cacheOrder, before) {
			bump, why = contract.Major, "a kept answer may stand for a call, or go to somebody else"
		}
		c.declared(bump, "output-freshness", finding.Pointer(at, "cache"), "cache "+arrow(before, after), why)
	}
	if (old == nil) != (next == nil) && before == after && number(was.MaxAgeSeconds) == number(is.MaxAgeSeconds) {
		c.declared(contract.Patch, "output-freshness", at, "freshness said or left out", "both say the same")
	}
}

func (c *comparison) provenance(old, next *contract.Provenance) {
	at := finding.Pointer(outputPointer, "provenance")
	switch {
	case old == nil && next == nil:
		return
	case old == nil:
		c.declared(contract.Minor, "output-provenance", at, "the source of answers is said", "")
		old = &contract.Provenance{Source: next.Source, ProducerRevision: next.ProducerRevision}
	case next == nil:
		c.declared(contract.Major, "output-provenance", at, "the source of answers is not said any more", "callers may rely on it")
		next = &contract.Provenance{Source: old.Source, ProducerRevision: old.ProducerRevision}
	}
	if old.Source != next.Source {
		c.declared(contract.Major, "output-provenance", at+"/source", "source "+arrow(old.Source, next.Source), "the data comes from somewhere else")
	}
	if was, is := old.ProducerRevision, next.ProducerRevision; was != is {
		bump, why := contract.Minor, "another program makes the answers"
		if is == "" {
			bump, why = contract.Major, "any program may make the answers"
		}
		c.declared(bump, "output-provenance", at+"/producerRevision", "producerRevision "+arrow(was, is), why)
	}
	if was, is := implied(old.Trust, "UntrustedData"), implied(next.Trust, "UntrustedData"); was != is {
		c.declared(contract.Major, "output-provenance", at+"/trust", "trust "+arrow(was, is), "a model makes something else of texts in the answer")
	}
}

// bindings judges which fields repeat an argument: a new one promises more.
func (c *comparison) bindings(old, next []contract.OutputBinding) {
	at := finding.Pointer(outputPointer, "bindings")
	before := len(c.findings)
	for i, b := range next {
		if !slices.Contains(old, b) {
			c.declared(contract.Minor, "output-binding", finding.Pointer(at, strconv.Itoa(i)), fmt.Sprintf("%s now equals the argument %s", b.Output, b.Input), "")
		}
	}
	for i, b := range old {
		if !slices.Contains(next, b) {
			c.declared(contract.Major, "output-binding", finding.Pointer(at, strconv.Itoa(i)),
				fmt.Sprintf("%s need not equal the argument %s any more", b.Output, b.Input), "callers may rely on it")
		}
	}
	if len(c.findings) == before && !slices.Equal(old, next) {
		c.declared(contract.Patch, "output-binding", at, "another order of the bindings", "")
	}
}
