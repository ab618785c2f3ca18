// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"math/big"
	"slices"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of rewriting. They are part of the machine-readable output.
const (
	RuleDropAnnotation = "drop-annotation"
	RuleInlineRef      = "inline-ref"
	RuleWrapRef        = "wrap-ref"
	RuleSingleAllOf    = "merge-single-all-of"
	RuleConstToEnum    = "const-to-enum"
	RuleIntegerBounds  = "integer-bounds"
	RuleOneOfToAnyOf   = "one-of-to-any-of"
	RuleAddProperties  = "add-empty-properties"
	RuleAddRequired    = "add-empty-required"
	RuleAddItems       = "add-any-items"
	RuleCloseObject    = "close-object"
)

// nodeRules rewrite one node after its subschemas were written. Each takes
// the author's node and the value so far.
var nodeRules = []func(r *rewriter, i int, v *schema.Value) *schema.Value{
	dropNeutral,
	constToEnum,
	addEnumType,
	filterEnum,
	integerBounds,
	rangeToEnum,
	wholeNumbers,
	lengthToPattern,
	spellPattern,
	falseItems,
	dropNeverPresent,
	addEveryType,
	addType,
	dropRedundant,
	addProperties,
	addRequired,
	addItems,
	closeObject,
	impliedClosing,
}

// constToEnum writes const as an enum of one value, which means the same.
func constToEnum(r *rewriter, i int, v *schema.Value) *schema.Value {
	value := v.Get("const")
	if value == nil || v.Has("enum") || !r.loses(i, "const") || r.loses(i, "enum") {
		return v
	}
	pointer := r.schema.Nodes()[i].Pointer
	r.record(RuleConstToEnum, Keep, finding.Pointer(pointer, "const"), "const is written as an enum of one value")
	return v.Without("const").With("enum", schema.NewArray(value))
}

// integerBounds writes the exclusive bounds of an integer as inclusive ones,
// where the profile takes, or enforces, only those.
func integerBounds(r *rewriter, i int, v *schema.Value) *schema.Value {
	if types := schema.Types(v); len(types) != 1 || types[0] != "integer" {
		return v
	}
	v = r.inclusive(i, v, "exclusiveMinimum", "minimum", 1)
	return r.inclusive(i, v, "exclusiveMaximum", "maximum", -1)
}

func (r *rewriter) inclusive(i int, v *schema.Value, exclusive, inclusive string, step int64) *schema.Value {
	bound := v.Get(exclusive).Rat()
	if bound == nil || v.Has(inclusive) || !r.holdsBetter(i, inclusive, exclusive) {
		return v
	}
	// The nearest integer strictly inside: floor+1 from below, ceil-1 from above.
	whole := new(big.Int).Div(bound.Num(), bound.Denom()) // rounds down
	if step < 0 && !bound.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	whole.Add(whole, big.NewInt(step))
	number, err := schema.NewNumber(whole.String())
	if err != nil {
		return v
	}
	r.record(RuleIntegerBounds, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, exclusive),
		exclusive+" of an integer is written as "+inclusive+" "+number.Text())
	return v.Without(exclusive).With(inclusive, number)
}

// becomesAnyOf reports whether the oneOf of a node is written as anyOf: the
// profile takes only that, and no value can match two branches.
func (r *rewriter) becomesAnyOf(i int) bool {
	n := &r.schema.Nodes()[i]
	branches := n.Value.Get("oneOf")
	if branches == nil || n.Value.Has("anyOf") || !r.loses(i, "oneOf") || r.loses(i, "anyOf") || r.isReferredBelow(n.Pointer) {
		return false
	}
	if pairwiseDisjoint(branches.Items()) {
		return true
	}
	if r.exclusive == nil {
		r.exclusive = contain.Exclusive(r.schema)
	}
	return r.exclusive(i, "oneOf")
}

// addProperties gives an object schema its empty list of properties, without
// which some APIs take it for malformed.
func addProperties(r *rewriter, i int, v *schema.Value) *schema.Value {
	if !r.profile.NeedsProperties() || v.Has("properties") || !slices.Contains(schema.Types(v), "object") {
		return v
	}
	r.record(RuleAddProperties, Keep, r.schema.Nodes()[i].Pointer, "an empty properties is added")
	return v.With("properties", schema.NewObject())
}

// addRequired gives an object without properties its empty list of required
// names, where the API insists on one.
func addRequired(r *rewriter, i int, v *schema.Value) *schema.Value {
	if !r.profile.NeedsRequired(r.mode) || v.Has("required") || v.Get("properties").Len() > 0 || !slices.Contains(schema.Types(v), "object") {
		return v
	}
	r.record(RuleAddRequired, Keep, r.schema.Nodes()[i].Pointer, "an empty required is added")
	return v.With("required", schema.NewArray())
}

// addItems says of an array without items that any item is allowed, where the
// API insists on a word. Strict modes want a type there, and beside
// unevaluatedItems it would not mean the same.
func addItems(r *rewriter, i int, v *schema.Value) *schema.Value {
	if r.mode == provider.Strict || !r.profile.NeedsItems(r.mode) || v.Has("items") || r.unevaluatedItems ||
		!slices.Contains(schema.Types(v), "array") {
		return v
	}
	r.record(RuleAddItems, Keep, r.schema.Nodes()[i].Pointer, "items is added, empty: any item is allowed")
	return v.With("items", schema.NewObject())
}

// closeObject forbids undeclared properties where the profile demands it.
func closeObject(r *rewriter, i int, v *schema.Value) *schema.Value {
	if r.closable == nil || !r.closable[i] || !isOpen(v) || !r.staysUseful(i, v) {
		return v
	}
	r.record(RuleCloseObject, Narrow, r.schema.Nodes()[i].Pointer,
		"undeclared properties are no longer admitted: additionalProperties is false")
	return v.With("additionalProperties", schema.NewBool(false))
}

// isOpen reports whether a node is an object that admits any undeclared
// property with any value.
func isOpen(v *schema.Value) bool {
	additional := v.Get("additionalProperties")
	return slices.Contains(schema.Types(v), "object") && (additional == nil || additional.IsTrue()) &&
		!v.Has("patternProperties") && !v.Has("unevaluatedProperties")
}

// staysUseful reports whether an open object still admits what it is for once
// it is closed. What requires an undeclared property would admit nothing, and
// what declares none only the empty object: that is right for a tool without
// arguments, and for no other schema.
func (r *rewriter) staysUseful(i int, v *schema.Value) bool {
	properties := v.Get("properties")
	for _, name := range v.Get("required").Strings() {
		if !properties.Has(name) {
			return false
		}
	}
	hasNoArguments := r.schema.Nodes()[i].Parent < 0 && !v.Has("additionalProperties") && len(r.schema.AppliesInPlace(i)) == 0
	return properties.Len() > 0 || hasNoArguments
}

// singleAllOf writes the one branch of an allOf in place of the node, where
// everything beside it only annotates.
func (r *rewriter) singleAllOf(i int, at place) (*schema.Value, bool) {
	n := &r.schema.Nodes()[i]
	branches := n.Value.Get("allOf")
	if len(elementsOf(branches)) != 1 || !r.refuses(i, "allOf") || !r.onlyAnnotatesBeside(n.Value, "allOf") || !branches.Items()[0].IsSchema() || r.isReferredInto(i, "allOf") {
		return nil, false
	}
	inner := r.schema.Index(branches.Items()[0])
	if only := r.schema.Nodes()[inner]; only.Ref >= 0 && only.Value.Len() == 1 && n.Value.Len() > 1 && r.canWriteOut(only.Ref) {
		inner = only.Ref // as pydantic writes a reference with a description
	}
	undo := r.checkpoint()
	branch := r.writeOut(inner, at.below(n.Pointer))
	if branch.Kind() != schema.Object || (branch.Has("$ref") && n.Value.Len() > 1) {
		undo()
		return nil, false
	}
	r.record(RuleSingleAllOf, Keep, finding.Pointer(n.Pointer, "allOf"), "the only branch of allOf takes its place")
	return r.overlay(i, at, branch), true
}
