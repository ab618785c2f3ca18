// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// Rules of types and alternatives.
const (
	RuleTypesToAnyOf  = "types-to-any-of"
	RuleAnyOfToTypes  = "any-of-to-types"
	RulePushIntoAnyOf = "push-into-alternatives"
)

// splitTypes writes a node of several types as an anyOf with a branch for each,
// where the profile takes no list of types, or no enum of several types. What
// constrains one type goes into its branch; annotations, and what looks at the
// whole value, stay.
func splitTypes(r *rewriter, i int) *structure {
	v := r.schema.Nodes()[i].Value
	if i == 0 || v.Has("anyOf") || hasUnevaluated(v) {
		return nil
	}
	keyword := "type"
	types := distinctTypes(schema.Types(v))
	if len(types) < 2 || !r.loses(i, "type") {
		keyword = "enum"
		if types = listedTypes(v); len(types) < 2 || !r.loses(i, "enum") {
			return nil
		}
	}
	s := r.restructured(i)
	branches := make([]*schema.Value, 0, len(types))
	for _, t := range types {
		if branch := branchOfType(v, types, t); branch != nil {
			s.origin[branch] = s.origin[v]
			branches = append(branches, branch)
		}
	}
	f := fieldsOf(v, func(name string) bool {
		return name != "type" && name != "enum" && name != "const" && (!constrains(name) || typesOf(name) == nil)
	})
	switch len(branches) {
	case 0:
		return nil
	case 1:
		for _, m := range branches[0].Members() {
			f = append(f, m)
		}
	default:
		f.Add("anyOf", schema.NewArray(branches...))
	}
	out := f.Object()
	if out.Has("anyOf") && !r.takesAs(i, out, "anyOf") && !r.takesAs(i, schema.NewObject(schema.Member{Name: "anyOf", Value: out.Get("anyOf")}), "anyOf") {
		return nil
	}
	message := "the list of types is written as anyOf with a branch for each"
	if keyword == "enum" {
		message = "the enum is written as anyOf with a branch for each type of its members"
	}
	return s.becomes(r, i, out, RuleTypesToAnyOf, keyword, message)
}

func hasUnevaluated(v *schema.Value) bool {
	return v.Has("unevaluatedProperties") || v.Has("unevaluatedItems")
}

// distinctTypes drops what another type covers: an integer is a number.
func distinctTypes(types []string) []string {
	var out []string
	for _, t := range types {
		if !slices.Contains(out, t) && (t != "integer" || !slices.Contains(types, "number")) {
			out = append(out, t)
		}
	}
	return out
}

// listedTypes are the types of the listed values that the node's own type
// admits, in their order.
func listedTypes(v *schema.Value) []string {
	declared := schema.Types(v)
	var types []string
	whole := true
	for _, member := range elementsOf(v.Get("enum")) {
		if declared != nil && !isOfTypes(declared, member) {
			continue
		}
		t := member.Kind().String()
		if t == "number" {
			whole = whole && member.IsInteger()
		}
		if !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	if at := slices.Index(types, "number"); at >= 0 && whole {
		types[at] = "integer"
	}
	return types
}

// branchOfType is what a node says of one of its types; nil if it admits no
// value of it.
func branchOfType(v *schema.Value, types []string, t string) *schema.Value {
	f := schema.Fields{{Name: "type", Value: schema.NewString(t)}}
	for _, m := range v.Members() {
		switch m.Name {
		case "enum", "const":
			listed := m.Value.Items()
			if m.Name == "const" {
				listed = []*schema.Value{m.Value}
			}
			list := slices.DeleteFunc(slices.Clone(listed), func(member *schema.Value) bool { return !isOfType(t, member) })
			switch {
			case len(list) == 0:
				return nil
			case t == "null", hasBothBooleans(list): // the type says it all
			case m.Name == "const":
				f = append(f, m)
			case len(list) == len(listed):
				f.Add("enum", m.Value)
			default:
				f.Add("enum", schema.NewArray(list...))
			}
		default:
			about := typesOf(m.Name)
			if m.Name == "format" && slices.Contains(types, "string") {
				about = stringTypes
			}
			if constrains(m.Name) && slices.Contains(about, t) {
				f = append(f, m)
			}
		}
	}
	return f.Object()
}

// hasBothBooleans reports whether true and false are listed. One value may be
// listed twice.
func hasBothBooleans(list []*schema.Value) bool {
	return slices.ContainsFunc(list, (*schema.Value).IsTrue) && slices.ContainsFunc(list, (*schema.Value).IsFalse)
}

// pushSiblings writes what stands beside an anyOf or oneOf into its branches,
// where the profile does not take it beside them or loses it there.
func pushSiblings(r *rewriter, i int) *structure {
	v := r.schema.Nodes()[i].Value
	if i == 0 || hasUnevaluated(v) {
		return nil // unevaluated keywords look at what stands beside them
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		branches := v.Get(keyword)
		if branches.Len() < 2 || v.Len() == 1 {
			continue
		}
		if !r.loses(i, keyword) && !r.losesBeside(i, keyword) {
			continue
		}
		s := r.restructured(i)
		for _, annotations := range []bool{false, true} {
			out := s.pushed(v, keyword, annotations)
			if out != nil && !out.Equal(v) && (!out.Has(keyword) || r.takesAs(i, out, keyword)) {
				return s.becomes(r, i, out, RulePushIntoAnyOf, keyword, "the keywords beside "+keyword+" are written into its branches, because this API does not take them beside it")
			}
		}
	}
	return nil
}

// pushed intersects every branch with the constraints beside them; with
// annotations, these move as well.
func (s *structure) pushed(v *schema.Value, keyword string, annotations bool) *schema.Value {
	stays := fieldsOf(v, func(name string) bool { return name != keyword && !constrains(name) && !annotations })
	beside := fieldsOf(v, func(name string) bool {
		return name != keyword && (constrains(name) || (annotations && !slices.Contains(identity, name)))
	})
	goes := beside.Object()
	s.origin[goes] = s.origin[v]
	branches := make([]*schema.Value, 0, v.Get(keyword).Len())
	for _, branch := range v.Get(keyword).Items() {
		beside := besideBranch(goes, branch)
		s.origin[beside] = s.origin[v]
		both, ok := s.of(beside, branch)
		if !ok {
			return nil
		}
		if !both.IsFalse() {
			branches = append(branches, both)
		}
	}
	switch len(branches) {
	case 0:
		return nil
	case 1:
		both, ok := s.of(stays.Object(), branches[0])
		if !ok || both.Kind() != schema.Object {
			return nil
		}
		return both
	}
	stays.Add(keyword, schema.NewArray(branches...))
	return stays.Object()
}

// besideBranch is what stands beside a branch and goes into it: the text of
// both, and no annotation that speaks of other types.
func besideBranch(goes, branch *schema.Value) *schema.Value {
	f := fieldsOf(goes, func(name string) bool { return constrains(name) || !isNull(branch) })
	types := schema.Types(branch)
	f = slices.DeleteFunc(f, func(m schema.Member) bool {
		return types != nil && ((m.Name == "default" && !isOfTypes(types, m.Value)) ||
			(m.Name == "examples" && !slices.ContainsFunc(m.Value.Items(), func(v *schema.Value) bool { return isOfTypes(types, v) })))
	})
	for j, m := range f {
		if own := branch.Get("description"); own != nil && m.Name == "description" {
			f[j].Value = schema.NewString(sentences(m.Value.Text(), own.Text()))
		}
	}
	return f.Object()
}

// isNull reports whether a schema admits null and nothing else.
func isNull(v *schema.Value) bool {
	types := schema.Types(v)
	return len(types) == 1 && types[0] == "null"
}

// joinAlternatives writes an anyOf whose branches are of different types as one
// node with a list of types, where the profile takes only that.
func joinAlternatives(r *rewriter, i int) *structure {
	v := r.schema.Nodes()[i].Value
	if i == 0 || v.Get("anyOf").Len() < 2 || hasUnevaluated(v) || !r.loses(i, "anyOf") {
		return nil
	}
	s := r.restructured(i)
	branches := v.Get("anyOf").Items()
	if len(fieldsOf(v, func(name string) bool { return name != "anyOf" && constrains(name) })) > 0 {
		apart := s.pushed(v, "anyOf", false)
		// Where one branch is left, what comes out is that branch, and an anyOf in it
		// is its own.
		if apart.Get("anyOf").Len() < 2 || !onlyAnnotates(apart, "anyOf") {
			return nil
		}
		branches = apart.Get("anyOf").Items()
	}
	f := fieldsOf(v, func(name string) bool { return !constrains(name) })
	joined := join(branches)
	if joined == nil {
		return nil
	}
	for _, m := range joined {
		f = withAnnotation(f, m)
	}
	for _, branch := range branches {
		s.trace(branch)
	}
	out := f.Object()
	if !r.isTaken(i, out) {
		return nil
	}
	return s.becomes(r, i, out, RuleAnyOfToTypes, "anyOf", "the branches of anyOf are written as one schema with a list of types")
}

// join writes schemas of different types as one; nil if a keyword of one of
// them would speak of the others.
func join(branches []*schema.Value) schema.Fields {
	var types []string
	var listed []*schema.Value
	var f schema.Fields
	lists := 0
	for _, branch := range branches {
		own := schema.Types(branch)
		if own == nil || slices.ContainsFunc(own, func(t string) bool { return overlaps(types, t) }) {
			return nil
		}
		types = append(types, own...)
		for _, m := range branch.Members() {
			switch {
			case m.Name == "type", m.Name == "enum", m.Name == "const":
			case m.Name == "format" && !slices.Contains(own, "string") && admitStrings(branches):
				return nil // beside strings it speaks of them
			case constrains(m.Name) && !slices.ContainsFunc(typesOf(m.Name), func(t string) bool { return slices.Contains(own, t) }):
				return nil // it looks at every type
			case constrains(m.Name) && slices.ContainsFunc(f, func(known schema.Member) bool { return known.Name == m.Name }):
				return nil
			default:
				f = withAnnotation(f, m)
			}
		}
		switch {
		case branch.Has("enum"), branch.Has("const"):
			listed = append(listed, admittedOf(branch, own)...)
			lists++
		case isNull(branch):
			listed = append(listed, schema.NewNull())
			lists++
		case len(own) == 1 && own[0] == "boolean":
			listed = append(listed, schema.NewBool(true), schema.NewBool(false))
			lists++
		}
	}
	out := schema.Fields{{Name: "type", Value: typeValue(types)}}
	if hasLists(branches) {
		if lists < len(branches) || len(listed) == 0 {
			return nil
		}
		out.Add("enum", schema.NewArray(listed...))
	}
	return append(out, f...)
}

// admitStrings reports whether one of several schemas names the type string.
func admitStrings(branches []*schema.Value) bool {
	return slices.ContainsFunc(branches, func(b *schema.Value) bool { return slices.Contains(schema.Types(b), "string") })
}

// admittedOf are the listed values that a schema of some types admits: of an
// enum beside a const, what both list.
func admittedOf(v *schema.Value, types []string) []*schema.Value {
	enum, constant := v.Get("enum"), v.Get("const")
	listed := elementsOf(enum)
	if enum == nil {
		listed = []*schema.Value{constant}
	}
	return slices.DeleteFunc(slices.Clone(listed), func(member *schema.Value) bool {
		return !isOfTypes(types, member) || (constant != nil && !constant.Equal(member))
	})
}

// withAnnotation adds a keyword that is not there yet; to a description, the
// other text.
func withAnnotation(f schema.Fields, m schema.Member) schema.Fields {
	at := slices.IndexFunc(f, func(known schema.Member) bool { return known.Name == m.Name })
	switch {
	case at < 0:
		return append(f, m)
	case m.Name == "description" && f[at].Value.Text() != m.Value.Text():
		f[at].Value = schema.NewString(sentences(f[at].Value.Text(), m.Value.Text()))
	}
	return f
}

func hasLists(branches []*schema.Value) bool {
	return slices.ContainsFunc(branches, func(b *schema.Value) bool { return b.Has("enum") || b.Has("const") })
}

// overlaps reports whether a type has values of one of the others.
func overlaps(types []string, t string) bool {
	return slices.ContainsFunc(types, func(other string) bool { return other == t || (isNumeric(other) && isNumeric(t)) })
}
