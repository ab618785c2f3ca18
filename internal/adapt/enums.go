// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of listed values.
const (
	RuleEnumType   = "add-enum-type"
	RuleFilterEnum = "filter-enum"
)

// addEnumType says the type of listed values where the profile wants it said.
func addEnumType(r *rewriter, i int, v *schema.Value) *schema.Value {
	if v.Has("type") || !r.lacksType(i) {
		return v
	}
	listed := v
	if c := v.Get("const"); c != nil {
		listed = schema.NewObject(schema.Member{Name: "enum", Value: schema.NewArray(c)})
	}
	types := listedTypes(listed)
	if len(types) == 0 {
		return v
	}
	out := schema.NewObject(append([]schema.Member{{Name: "type", Value: typeValue(types)}}, v.Members()...)...)
	r.record(RuleEnumType, Keep, r.schema.Nodes()[i].Pointer, "the type of the listed values is written beside them")
	r.unfinished = r.unfinished || len(types) > 1
	return out
}

// filterEnum lists only the values that the keywords beside an enum admit, and
// leaves out those of the keywords that the profile does not take.
func filterEnum(r *rewriter, i int, v *schema.Value) *schema.Value {
	enum := v.Get("enum")
	author := r.schema.Nodes()[i].Value
	if enum == nil || author.Get("enum") != enum || r.unevaluated {
		return v
	}
	var lost []string
	for _, m := range author.Members() {
		if m.Name != "enum" && constrains(m.Name) && m.Name != "$ref" && v.Get(m.Name) != nil && r.loses(i, m.Name) {
			if r.isReferredInto(i, m.Name) {
				return v
			}
			lost = append(lost, m.Name)
		}
	}
	if len(lost) == 0 {
		return v
	}
	left := r.admittedBeside(i, enum)
	if len(left) == 0 {
		return v
	}
	out := v
	if len(left) < enum.Len() {
		out = out.With("enum", schema.NewArray(left...))
	}
	for _, name := range lost {
		if !r.takesAs(i, out, name) {
			out = out.Without(name)
		}
		r.record(RuleFilterEnum, Keep, finding.Pointer(r.schema.Nodes()[i].Pointer, name), "the enum lists just the values that "+name+" admits")
	}
	return out
}

// standalone is a form of author's node i as a document of its own, with the
// definitions that it refers to; nil if it refers to other places. Only the root
// may do that: every pointer into it stays right.
func (r *rewriter) standalone(i int, v *schema.Value) *schema.Schema {
	if i != 0 && !r.refersToDefinitionsOnly(v) {
		return nil
	}
	if v.Kind() == schema.Object && refersToDefinitions(v) {
		for _, keyword := range []string{"$defs", "definitions"} {
			if held := r.schema.Root().Get(keyword); held != nil && !v.Has(keyword) {
				v = v.With(keyword, held)
			}
		}
	}
	s, _ := r.schema.AdmitRewritten(v)
	return s
}

// maxJudging bounds the work on listed values in one pass, in the units of
// [schema.MaxValidationCost].
const maxJudging = 100_000

// admittedBeside returns the members of an enum that the keywords beside it
// admit; nil if that cannot be decided within bounds. The enum itself is mostly
// not asked: to look for every member in the whole list would be quadratic.
func (r *rewriter) admittedBeside(i int, enum *schema.Value) []*schema.Value {
	if r.judging < enum.Len() {
		return nil
	}
	others := []string{"enum", "const"}
	if i == 0 && slices.ContainsFunc(r.schema.Nodes(), func(n schema.Node) bool { return n.Ref == 0 }) {
		others = nil // what refers to the root means all of it
	}
	validator := r.validator(i, others...)
	if validator == nil {
		return nil
	}
	constant := r.schema.Nodes()[i].Value.Get("const")
	var left []*schema.Value
	for _, member := range enum.Items() {
		if r.judging -= validator.Cost(member); r.judging < 0 {
			return nil
		}
		accepted, err := validator.Accepts(member)
		if err != nil {
			return nil
		}
		if accepted && (constant == nil || constant.Equal(member)) {
			left = append(left, member)
		}
	}
	return left
}

// validator judges values as author's node i does without some of its keywords.
func (r *rewriter) validator(i int, but ...string) *schema.Validator {
	s := r.standalone(i, withoutIdentity(r.schema.Nodes()[i].Value.Without(but...)))
	if s == nil {
		return nil
	}
	validator, _ := s.Compile()
	return validator
}

// refersToDefinitions reports whether a reference is in a schema.
func refersToDefinitions(v *schema.Value) bool {
	return v.Has("$ref") || slices.ContainsFunc(schema.Children(v), func(c schema.Child) bool { return refersToDefinitions(c.Value) })
}

// refersToDefinitionsOnly reports whether all references that can be reached
// from a schema lead into the definitions of the root. Those go with it; every
// other pointer would lead to another place, or to none.
func (r *rewriter) refersToDefinitionsOnly(v *schema.Value) bool {
	seen := map[string]bool{}
	var visit func(below *schema.Value) bool
	visit = func(below *schema.Value) bool {
		if below.Kind() != schema.Object {
			return true
		}
		if ref := refOf(below); below.Has("$ref") && !seen[ref] {
			seen[ref] = true
			target, ok := r.targetOf(ref)
			if !ok {
				return false
			}
			n := &r.schema.Nodes()[target]
			tokens := finding.Tokens(n.Pointer)
			// What has definitions of its own under the same keyword hides those of the root.
			if len(tokens) < 2 || (tokens[0] != "$defs" && tokens[0] != "definitions") || v.Has(tokens[0]) || !visit(n.Value) {
				return false
			}
		}
		return !slices.ContainsFunc(schema.Children(below), func(c schema.Child) bool { return !visit(c.Value) })
	}
	return visit(v)
}
