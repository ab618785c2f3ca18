// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of schemas that are true or false.
const (
	RuleTrueToSchema     = "true-to-schema"
	RuleDropBranch       = "drop-boolean-branch"
	RuleDropNeverPresent = "drop-never-present"
	RuleFalseToMaxItems  = "false-to-max-items"
	RuleAnyType          = "add-every-type"
)

// everyType admits every value by its type: an integer is a number.
var everyType = typeValue([]string{"string", "number", "boolean", "object", "array", "null"})

// boolean writes true as a schema that says the same, where the profile does
// not take booleans.
func (r *rewriter) boolean(i int) *schema.Value {
	n := &r.schema.Nodes()[i]
	if !n.Value.IsTrue() || i == 0 || !r.refusesBoolean(i) {
		return n.Value
	}
	for _, v := range []*schema.Value{schema.NewObject(), schema.NewObject(schema.Member{Name: "type", Value: everyType})} {
		if r.isBranchTaken(i, v) {
			r.record(RuleTrueToSchema, Keep, n.Pointer, "true is written as a schema that admits everything")
			return v
		}
	}
	return n.Value
}

// branch is what the branches of one list have in common, but for their position.
type branch struct {
	parent  int
	keyword string
	isTyped bool
}

// isBranchTaken is [rewriter.isTaken] for the schemas that stand for true. It
// remembers the answer for a list: a probe is the same for all its branches, and
// there can be very many.
func (r *rewriter) isBranchTaken(i int, v *schema.Value) bool {
	n := &r.schema.Nodes()[i]
	if k, _ := schema.LookupKeyword(n.In); k.Shape != schema.List {
		return r.isTaken(i, v)
	}
	at := branch{n.Parent, n.In, v.Has("type")}
	taken, known := r.branches[at]
	if !known {
		taken = r.isTaken(i, v)
		if r.branches == nil {
			r.branches = map[branch]bool{}
		}
		r.branches[at] = taken
	}
	return taken
}

// refusesBoolean reports whether the profile takes no boolean in the place of
// node i. Some keywords have a verdict of their own for booleans.
func (r *rewriter) refusesBoolean(i int) bool {
	n := &r.schema.Nodes()[i]
	if n.Value.Kind() != schema.Bool {
		return false
	}
	switch n.In {
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems":
		return false
	}
	return r.profile.JudgeShape(r.schema, i, provider.BooleanSchema, r.mode).Refused(r.mode)
}

// child is the index of a subschema of a node.
func (r *rewriter) child(i int, tokens ...string) int {
	j, ok := r.schema.IndexAt(finding.Pointer(r.schema.Nodes()[i].Pointer, tokens...))
	if !ok {
		return -1
	}
	return j
}

// dropBooleanBranches leaves out branches that decide nothing: false among
// alternatives, and true among those that must all hold.
func dropBooleanBranches(r *rewriter, i int) *structure {
	v := r.schema.Nodes()[i].Value
	for _, c := range []struct {
		keyword string
		isIdle  func(*schema.Value) bool
	}{
		{"anyOf", (*schema.Value).IsFalse}, {"oneOf", (*schema.Value).IsFalse}, {"allOf", (*schema.Value).IsTrue},
	} {
		branches := elementsOf(v.Get(c.keyword))
		at := slices.IndexFunc(branches, c.isIdle)
		if at < 0 || !r.refusesBoolean(r.child(i, c.keyword, strconv.Itoa(at))) {
			continue
		}
		left := slices.DeleteFunc(slices.Clone(branches), c.isIdle)
		out := v.Without(c.keyword)
		switch {
		case len(left) > 0:
			out = v.With(c.keyword, schema.NewArray(left...))
		case c.keyword != "allOf":
			continue // nothing is admitted, and no other word says so
		}
		s := r.restructured(i)
		return s.becomes(r, i, out, RuleDropBranch, c.keyword, "branches of "+c.keyword+" that decide nothing are left out")
	}
	return nil
}

// dropNeverPresent leaves out properties whose schema is false, where the
// object is closed: undeclared, they are refused as well.
func dropNeverPresent(r *rewriter, i int, v *schema.Value) *schema.Value {
	properties := v.Get("properties")
	additional := v.Get("additionalProperties")
	if properties.Len() == 0 || additional == nil || !additional.IsFalse() || v.Has("patternProperties") {
		return v
	}
	kept := make([]schema.Member, 0, properties.Len())
	for _, p := range properties.Members() {
		if p.Value.IsFalse() && !slices.Contains(v.Get("required").Strings(), p.Name) {
			if j := r.child(i, "properties", p.Name); j >= 0 && r.refusesBoolean(j) && !r.isReferred(j) {
				r.record(RuleDropNeverPresent, Keep, r.schema.Nodes()[j].Pointer, "the property can never be present and is left out; the object is closed")
				continue
			}
		}
		kept = append(kept, p)
	}
	if len(kept) == properties.Len() {
		return v
	}
	return v.With("properties", schema.NewObject(kept...))
}

// isReferred reports whether a reference leads to a node.
func (r *rewriter) isReferred(i int) bool {
	_, found := slices.BinarySearch(r.referred, r.schema.Nodes()[i].Pointer)
	return found
}

// falseItems writes items false as the greatest number of items.
func falseItems(r *rewriter, i int, v *schema.Value) *schema.Value {
	items := v.Get("items")
	if items == nil || !items.IsFalse() || r.unevaluated || r.isReferredInto(i, "items") {
		return v
	}
	if j := r.child(i, "items"); j < 0 || !r.refusesBoolean(j) {
		return v
	}
	out := v.Without("items")
	most := int64(v.Get("prefixItems").Len())
	if n, ok := v.Get("maxItems").Int(); !ok || n > most {
		out = out.With("maxItems", schema.NewInt(most))
	}
	if !r.takesAs(i, out, "maxItems") || r.judgeShapeAs(i, out, provider.ArrayWithoutItems).Refused(r.mode) {
		return v
	}
	r.record(RuleFalseToMaxItems, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, "items"), "items false is written as maxItems "+strconv.Itoa(int(most)))
	return out
}

// addEveryType lists all types where a schema that admits several has none and
// the profile wants one.
func addEveryType(r *rewriter, i int, v *schema.Value) *schema.Value {
	if i == 0 || v.Has("type") || v.Has("enum") || v.Has("const") || hasInPlace(v) || !r.lacksType(i) {
		return v
	}
	out := schema.NewObject(append([]schema.Member{{Name: "type", Value: everyType}}, v.Members()...)...)
	if !r.isTaken(i, out) {
		return v
	}
	r.record(RuleAnyType, Keep, r.schema.Nodes()[i].Pointer, "every type is listed, because this API wants a type")
	return out
}

// lacksType reports whether the profile wants a type at a node that has none,
// by itself or as a branch of its parent.
func (r *rewriter) lacksType(i int) bool {
	n := &r.schema.Nodes()[i]
	if n.Value.Kind() != schema.Object || n.Value.Has("type") || hasInPlace(n.Value) {
		return false
	}
	if n.Parent == 0 && isAlternative(n.In) && r.loses(0, n.In) {
		return false // the root may have no alternatives at all
	}
	if r.profile.JudgeShape(r.schema, i, provider.UntypedSchema, r.mode).Refused(r.mode) {
		return true
	}
	if !isAlternative(n.In) {
		return false
	}
	// The answer is the same for all branches, and there can be very many.
	at := alternatives{n.Parent, n.In}
	lacks, known := r.lackingTypes[at]
	if !known {
		lacks = r.loses(n.Parent, n.In) && r.takesTypedBranches(n.Parent, n.In)
		if r.lackingTypes == nil {
			r.lackingTypes = map[alternatives]bool{}
		}
		r.lackingTypes[at] = lacks
	}
	return lacks
}

// alternatives are a keyword of a node that holds branches.
type alternatives struct {
	node    int
	keyword string
}

func isAlternative(keyword string) bool {
	return keyword == "anyOf" || keyword == "oneOf" || keyword == "allOf"
}

// takesTypedBranches reports whether the profile would take alternatives if
// each of them had a type.
func (r *rewriter) takesTypedBranches(i int, keyword string) bool {
	v := r.schema.Nodes()[i].Value
	branches := slices.Clone(v.Get(keyword).Items())
	for j, branch := range branches {
		if branch.Kind() == schema.Object && !branch.Has("type") {
			branches[j] = branch.With("type", schema.NewString("string"))
		}
	}
	return r.takesAs(i, v.With(keyword, schema.NewArray(branches...)), keyword)
}
