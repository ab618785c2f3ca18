// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"math/big"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of numbers.
const (
	RuleRangeToEnum  = "range-to-enum"
	RuleWholeNumbers = "multiples-to-integer"
)

// maxListed is the longest range of integers that is written as an enum.
const maxListed = 64

// rangeToEnum lists the integers of a short range, where the profile does not
// take its bounds.
func rangeToEnum(r *rewriter, i int, v *schema.Value) *schema.Value {
	author := r.schema.Nodes()[i].Value
	if types := schema.Types(v); len(types) != 1 || types[0] != "integer" || v.Has("enum") || v.Has("const") {
		return v
	}
	lost := ""
	for _, m := range author.Members() {
		if typesAreNumbers(m.Name) && v.Has(m.Name) && r.loses(i, m.Name) {
			lost = m.Name
		}
	}
	if lost == "" {
		return v
	}
	members := listRange(author)
	if len(members) == 0 {
		return v
	}
	out := v.Without("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf").With("enum", schema.NewArray(members...))
	if !r.takesAs(i, out, "enum") {
		return v
	}
	r.record(RuleRangeToEnum, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, lost), "the integers of the range are listed")
	return out
}

func typesAreNumbers(keyword string) bool {
	types := typesOf(keyword)
	return len(types) > 0 && types[0] == "number"
}

// listRange lists the integers that the bounds and the step of a node admit;
// nothing if there are none or too many.
func listRange(v *schema.Value) []*schema.Value {
	low, high := v.Get("minimum").Rat(), v.Get("maximum").Rat()
	if open := v.Get("exclusiveMinimum").Rat(); open != nil && (low == nil || open.Cmp(low) >= 0) {
		low = new(big.Rat).SetInt(new(big.Int).Add(floor(open), big.NewInt(1)))
	}
	if open := v.Get("exclusiveMaximum").Rat(); open != nil && (high == nil || open.Cmp(high) <= 0) {
		high = new(big.Rat).SetInt(new(big.Int).Sub(ceiling(open), big.NewInt(1)))
	}
	if low == nil || high == nil {
		return nil
	}
	first, last := ceiling(low), floor(high)
	if count := new(big.Int).Sub(last, first); count.Sign() < 0 || count.Cmp(big.NewInt(maxListed)) >= 0 {
		return nil
	}
	step := v.Get("multipleOf").Rat()
	if step != nil && step.Sign() <= 0 {
		return nil // it is no schema
	}
	var out []*schema.Value
	for n := new(big.Int).Set(first); n.Cmp(last) <= 0; n.Add(n, big.NewInt(1)) {
		if step != nil && !new(big.Rat).Quo(new(big.Rat).SetInt(n), step).IsInt() {
			continue
		}
		number, err := schema.NewNumber(n.String())
		if err != nil {
			return nil
		}
		out = append(out, number)
	}
	return out
}

func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) } // Div rounds down here

func ceiling(r *big.Rat) *big.Int {
	whole := floor(r)
	if !r.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	return whole
}

// wholeNumbers writes multiples of one as the type integer, where the profile
// does not take multipleOf.
func wholeNumbers(r *rewriter, i int, v *schema.Value) *schema.Value {
	step := v.Get("multipleOf").Rat()
	if step == nil || step.Cmp(big.NewRat(1, 1)) != 0 || !r.loses(i, "multipleOf") {
		return v
	}
	types := schema.Types(v)
	written := make([]string, 0, len(types))
	for _, t := range types {
		if t == "number" {
			t = "integer"
		}
		written = append(written, t)
	}
	if written = distinctTypes(written); len(written) == 0 {
		return v
	}
	out := v.Without("multipleOf").With("type", typeValue(written))
	if !r.takesAs(i, out, "type") {
		return v
	}
	r.record(RuleWholeNumbers, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, "multipleOf"), "multipleOf 1 is written as the type integer")
	return out
}
