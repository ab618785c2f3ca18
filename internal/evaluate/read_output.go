// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"
	"strconv"
	"sync"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/envelope"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules about what a tool answers.
const (
	RuleRetryAfter   = "retry-after"
	RulePlatformCode = "platform-code"
	RuleTruncation   = "truncation-without-limit"
	RulePagination   = "pagination-place"
	RuleBinding      = "binding-place"
	RuleFreshness    = "freshness-side-effect"
)

// declaredError judges one failure. A code of the platform may be declared, to
// give it a better text; what it means is the platform's.
func (r *reader) declaredError(at string, e v1alpha1.OutputError) {
	if e.RetryAfterMs != nil && e.Recovery != "RetryLater" {
		r.fail(RuleRetryAfter, at+"/retryAfterMs", fmt.Sprintf("%s says when to call again, and its recovery is not RetryLater", finding.Quote(e.Code)),
			"set recovery to RetryLater, or remove retryAfterMs")
	}
	// What a failure means depends on whether the call may be repeated.
	for _, p := range envelope.Failures(&contract.Content{Execution: r.content.Execution}) {
		if p.Code == e.Code && (p.Category != string(e.Category) || p.Recovery != recoveryOf(e)) {
			r.fail(RulePlatformCode, at+"/code",
				fmt.Sprintf("%s is a code of the platform with category %s and recovery %s; hosts would answer it with another meaning", finding.Quote(e.Code), p.Category, p.Recovery),
				"use that category and recovery, or another code")
		}
	}
}

func recoveryOf(e v1alpha1.OutputError) string {
	if e.Recovery == "" {
		return "None"
	}
	return string(e.Recovery)
}

// promises reads what an answer promises beside its schema.
func (r *reader) promises(out v1alpha1.Output) {
	o := &r.content.Output
	if out.Limits != nil {
		o.Limits = contract.OutputLimits{MaxBytes: out.Limits.MaxBytes, MaxDepth: out.Limits.MaxDepth, MaxItems: out.Limits.MaxItems}
	}
	if out.Truncation != v1alpha1.TruncationNever { // absence stands for it
		o.Truncation = string(out.Truncation)
	}
	if o.Truncation != "" && o.Limits == (contract.OutputLimits{}) {
		r.fail(RuleTruncation, "/spec/output/truncation", "answers are cut at the limits, and there are none", "set output.limits, or remove truncation")
	}
	if p := out.Pagination; p != nil {
		o.Pagination = &contract.Pagination{Mode: string(p.Mode), Input: p.Input, Output: p.Output, Items: p.Items, MaxPageSize: p.MaxPageSize}
	}
	if f := out.Freshness; f != nil {
		o.Freshness = &contract.Freshness{MaxAgeSeconds: f.MaxAgeSeconds}
		if f.Cache != "None" { // absence stands for it
			o.Freshness.Cache = string(f.Cache)
		}
		if effect := r.content.Execution.SideEffect; o.Freshness.Cache != "" && effect != "None" {
			r.fail(RuleFreshness, "/spec/output/freshness/cache",
				"a kept answer stands for a call that did not happen, and a call may change something", "set execution.sideEffect to None if it does not, or remove cache")
		}
	}
	if p := out.Provenance; p != nil {
		o.Provenance = &contract.Provenance{Source: p.Source, ProducerRevision: p.ProducerRevision}
		if p.Trust != "UntrustedData" { // absence stands for it
			o.Provenance.Trust = string(p.Trust)
		}
	}
	for _, b := range out.Bindings {
		o.Bindings = append(o.Bindings, contract.OutputBinding{Output: b.Output, Input: b.Input})
	}
}

// places checks that what the output names is there, in calls and in answers.
func (r *reader) places() {
	out := r.content.Output
	if p := out.Pagination; p != nil {
		const at = "/spec/output/pagination"
		if p.Mode == "Cursor" && p.Output == "" {
			r.fail(RulePagination, at+"/output", "a cursor comes out of an answer, and no place is named", "set output to the pointer of the cursor in an answer")
		}
		if r.declaredAt(RulePagination, at+"/input", finding.Input, p.Input) {
			r.pageArgument(at+"/input", p)
		}
		if p.Items != "" && r.declaredAt(RulePagination, at+"/items", finding.Output, p.Items) &&
			!out.Schema.MayBeAt(out.Schema.At(p.Items), schema.Array) {
			r.fail(RulePagination, at+"/items", fmt.Sprintf("%s is no list in the output schema", p.Items), "point to the list of entries")
		}
		if p.Output != "" && r.declaredAt(RulePagination, at+"/output", finding.Output, p.Output) {
			r.sameKind(RulePagination, at, p.Input, p.Output)
		}
	}
	for i, b := range out.Bindings {
		at := finding.Pointer("/spec/output/bindings", strconv.Itoa(i))
		inputThere := r.declaredAt(RuleBinding, at+"/input", finding.Input, b.Input)
		if r.declaredAt(RuleBinding, at+"/output", finding.Output, b.Output) && inputThere {
			r.sameKind(RuleBinding, at, b.Input, b.Output)
		}
	}
}

// pageArgument refuses an argument that can never hold what names a page.
func (r *reader) pageArgument(at string, p *contract.Pagination) {
	in, kind, what := r.content.Input.Schema, schema.Number, "a number"
	if p.Mode == "Cursor" {
		kind, what = schema.String, "a text"
	}
	if !in.MayBeAt(in.At(p.Input), kind) {
		r.fail(RulePagination, at, fmt.Sprintf("%s is no argument for %s, and the mode %s needs one", p.Input, what, p.Mode),
			"declare it as "+what+" in the input schema, or use another mode")
	}
}

// declaredAt reports whether the schema of a side declares a place of its
// instances.
func (r *reader) declaredAt(rule, at string, side finding.Side, pointer string) bool {
	s, name, what := r.content.Input.Schema, "input schema", "arguments"
	if side == finding.Output {
		s, name, what = r.content.Output.Schema, "output schema", "answer"
	}
	if s == nil {
		r.fail(rule, at, fmt.Sprintf("%s leads into the %s, and there is no %s", pointer, what, name), "declare the "+name+", or remove this")
		return false
	}
	if len(s.At(pointer)) == 0 {
		r.fail(rule, at, fmt.Sprintf("the %s declares nothing at %s", name, pointer), "write the JSON pointer of a declared place, as /order_ref")
		return false
	}
	return true
}

// sameKind refuses two places that can never hold the same value.
func (r *reader) sameKind(rule, at, input, output string) {
	in, out := r.content.Input.Schema, r.content.Output.Schema
	ins, outs := in.At(input), out.At(output)
	if len(ins) == 0 || len(outs) == 0 {
		return
	}
	for k := schema.Null + 1; k <= schema.Object; k++ {
		if !in.MayBeAt(ins, k) || !out.MayBeAt(outs, k) {
			continue
		}
		if nothingInBoth(in, ins, out, outs) {
			r.fail(rule, at, fmt.Sprintf("%s of an answer and %s of a call can never be equal: no value fits both of their schemas", output, input),
				"declare the same enum, pattern, format and limits in both places")
		}
		return
	}
	r.fail(rule, at, fmt.Sprintf("%s of an answer and %s of a call can never be equal: their types differ", output, input), "declare the same type in both places")
}

// provable is the most places of two schemas for which it is worth a proof that
// two of them have no value in common. There may be a proof for each binding.
const provable = 1000

// nothingInBoth reports whether it is proved that no value but null fits both
// places. Of large schemas nothing is proved: the host finds out.
func nothingInBoth(in *schema.Schema, ins []int, out *schema.Schema, outs []int) bool {
	if len(in.Nodes())+len(out.Nodes()) > provable {
		return false
	}
	both := []*schema.Value{schema.NewObject(schema.Member{Name: "not", Value: schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("null")})})}
	var definitions schema.Fields
	for _, side := range []struct {
		name  string
		s     *schema.Schema
		nodes []int
	}{{"input", in, ins}, {"output", out, outs}} {
		to := finding.Pointer("/$defs", side.name)
		definitions.Add(side.name, side.s.MovedTo(to).Copy())
		for _, i := range side.s.Always(side.nodes) {
			both = append(both, schema.NewObject(schema.Member{Name: "$ref", Value: schema.NewString(schema.RefTo(to + side.s.Nodes()[i].Pointer))}))
		}
	}
	together, _ := schema.Admit(schema.NewObject(
		schema.Member{Name: "allOf", Value: schema.NewArray(both...)},
		schema.Member{Name: "$defs", Value: definitions.Object()},
	))
	return together != nil && contain.Proves(together, noValue())
}

// noValue is the schema that nothing fits.
var noValue = sync.OnceValue(func() *schema.Schema {
	s, _ := schema.Admit(schema.NewBool(false))
	return s
})
