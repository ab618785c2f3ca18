// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// RuleAddType says: a node gets the only type that its keywords speak of.
const RuleAddType = "add-type"

// addType gives a node the type that its keywords speak of, where the profile
// wants one. Values of other types were admitted before. The root is always an
// object: these are the arguments of a call.
func addType(r *rewriter, i int, v *schema.Value) *schema.Value {
	if i == 0 {
		return r.addRootType(v)
	}
	if v.Has("type") || v.Has("enum") || v.Has("const") || !r.lacksType(i) {
		return v
	}
	t := impliedType(v)
	effect, message := Narrow, "the type "+t+" is added, of which the keywords here speak; other types are no longer admitted"
	if r.typeAbove(i) == t && !r.isReferred(i) {
		effect, message = Keep, "the type "+t+" is added; the schema around it has it already"
	}
	if t == "" || (effect == Narrow && (r.most < Narrow || !r.narrows(i))) {
		return v
	}
	r.record(RuleAddType, effect, r.schema.Nodes()[i].Pointer, message)
	return schema.NewObject(append([]schema.Member{{Name: "type", Value: schema.NewString(t)}}, v.Members()...)...)
}

func (r *rewriter) addRootType(v *schema.Value) *schema.Value {
	types := schema.Types(v)
	if r.most < Narrow || v.Has("$ref") || v.Has("enum") || v.Has("const") || !r.mayBeObject(0, maxLooked) || (types != nil && !slices.Contains(types, "object")) || (len(types) == 1 && v.Get("type").Kind() == schema.String) ||
		!r.profile.JudgeShape(r.schema, 0, provider.NonObjectRoot, r.mode).Refused(r.mode) {
		return v
	}
	r.record(RuleAddType, Narrow, "", "the type object is written at the root: arguments are always an object")
	if types != nil {
		return v.With("type", schema.NewString("object"))
	}
	return schema.NewObject(append([]schema.Member{{Name: "type", Value: schema.NewString("object")}}, v.Members()...)...)
}

// typeAbove is the only type of the value that a branch looks at, by the node
// that holds the branch. A reference to the branch looks at other values.
func (r *rewriter) typeAbove(i int) string {
	n := &r.schema.Nodes()[i]
	switch n.In {
	case "anyOf", "oneOf", "allOf":
		if types := schema.Types(r.schema.Nodes()[n.Parent].Value); len(types) == 1 {
			return types[0]
		}
	default:
	}
	return ""
}

// maxLooked bounds how many schemas at one place are looked into.
const maxLooked = 8

// mayBeObject reports whether nothing in sight keeps a node from admitting an
// object.
func (r *rewriter) mayBeObject(i, depth int) bool {
	v := r.schema.Nodes()[i].Value
	types := schema.Types(v)
	switch {
	case depth == 0:
		return true
	case v.IsFalse(), types != nil && !slices.Contains(types, "object"):
		return false
	}
	if listed := constants(v); listed != nil && !slices.ContainsFunc(listed, func(c *schema.Value) bool { return c.Kind() == schema.Object }) {
		return false
	}
	alternatives := map[string]bool{}
	for _, next := range r.schema.AppliesInPlace(i) {
		possible := r.mayBeObject(next, depth-1)
		switch in := r.schema.Nodes()[next].In; {
		case r.schema.Nodes()[i].Ref == next || in == "allOf":
			if !possible {
				return false
			}
		case in == "anyOf" || in == "oneOf":
			alternatives[in] = alternatives[in] || possible
		}
	}
	for _, possible := range alternatives {
		if !possible {
			return false
		}
	}
	return true
}

// impliedType is the one type that the keywords of a node are about; empty if
// they are about several or none.
func impliedType(v *schema.Value) string {
	found := ""
	for _, m := range v.Members() {
		about := typesOf(m.Name)
		if about == nil || !constrains(m.Name) {
			continue
		}
		t := about[0]
		if m.Name == "format" {
			t = "string"
		}
		if found != "" && found != t {
			return ""
		}
		found = t
	}
	return found
}

// narrows reports whether fewer values of a node mean fewer values of the whole
// schema: nothing above it negates, counts or compares.
func (r *rewriter) narrows(i int) bool {
	if r.monotone == nil {
		r.monotone = monotone(r.schema, nil)
	}
	return r.monotone[i]
}

// monotone marks the nodes that are reached only by keywords under which fewer
// values below are fewer values above. The oneOf of some nodes counts as anyOf.
func monotone(s *schema.Schema, joined map[int]bool) []bool {
	out := make([]bool, len(s.Nodes()))
	for i := range out {
		out[i] = true
	}
	var exclude func(i int)
	exclude = func(i int) {
		if !out[i] {
			return
		}
		out[i] = false
		for _, next := range s.Applies(i) {
			exclude(next)
		}
	}
	for i := range s.Nodes() {
		switch n := &s.Nodes()[i]; n.In {
		case "oneOf":
			if !joined[n.Parent] {
				exclude(i)
			}
		case "not", "if", "contains":
			exclude(i)
		default:
		}
	}
	return out
}
