// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// truth is an answer that may be missing.
type truth uint8

const (
	undecided truth = iota
	isFalse
	isTrue
)

func truthOf(b bool) truth {
	if b {
		return isTrue
	}
	return isFalse
}

// and is the conjunction: one no decides it.
func (t truth) and(u truth) truth {
	switch {
	case t == isFalse || u == isFalse:
		return isFalse
	case t == isTrue && u == isTrue:
		return isTrue
	default:
		return undecided
	}
}

func (t truth) not() truth {
	switch t {
	case isTrue:
		return isFalse
	case isFalse:
		return isTrue
	default:
		return undecided
	}
}

// nulls answers whether the nodes of a schema admit null, each once.
type nulls struct {
	*tree
	memo map[int]truth
}

// admits decides by the keywords that look at null. Schemas in place have no
// circle, so it ends; the chain of them is bounded at admission.
func (n *nulls) admits(i int) truth {
	if known, ok := n.memo[i]; ok {
		return known
	}
	answer := n.judge(i)
	n.memo[i] = answer
	return answer
}

func (n *nulls) judge(i int) truth {
	v := n.node(i).Value
	if v.Kind() == schema.Bool {
		return truthOf(v.IsTrue())
	}
	answer := isTrue
	if types := schema.Types(v); types != nil {
		answer = truthOf(slices.Contains(types, "null"))
	}
	if values := constants(v); values != nil {
		answer = answer.and(truthOf(slices.ContainsFunc(values, isNullValue)))
	}
	if ref := n.node(i).Ref; ref >= 0 {
		answer = answer.and(n.admits(ref))
	}
	for _, branch := range n.under(i, "allOf") {
		answer = answer.and(n.admits(branch))
	}
	if v.Has("anyOf") {
		answer = answer.and(n.any(n.under(i, "anyOf")))
	}
	if v.Has("oneOf") {
		answer = answer.and(n.one(n.under(i, "oneOf")))
	}
	for _, negated := range n.under(i, "not") {
		answer = answer.and(n.admits(negated).not())
	}
	if v.Has("if") && (v.Has("then") || v.Has("else")) {
		answer = answer.and(undecided)
	}
	return answer
}

func (n *nulls) any(branches []int) truth {
	answer := isFalse
	for _, b := range branches {
		answer = answer.not().and(n.admits(b).not()).not()
	}
	return answer
}

func (n *nulls) one(branches []int) truth {
	matches := 0
	for _, b := range branches {
		switch n.admits(b) {
		case undecided:
			return undecided
		case isTrue:
			matches++
		default:
		}
	}
	return truthOf(matches == 1)
}

func isNullValue(v *schema.Value) bool { return v.Kind() == schema.Null }

// nullType is the schema that admits null alone.
func nullType() *schema.Value {
	return schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("null")})
}

// nullable spells a schema that admits what v does, and null: by the type list
// where the type decides and the API takes lists, by a branch of anyOf
// otherwise.
func nullable(v *schema.Value, takesList func(types *schema.Value) bool) *schema.Value {
	if v.Kind() == schema.Bool { // false; true admits null already
		return nullType()
	}
	if list := withNull(v); list != nil && takesList(list.Get("type")) {
		return list
	}
	if branches := v.Get("anyOf"); branches != nil && onlyAnnotates(v, "anyOf") {
		items := append(slices.Clone(branches.Items()), nullType())
		return v.With("anyOf", schema.NewArray(items...))
	}
	// What a reader wants first stays in front of the alternatives.
	var outer, inner schema.Fields
	for _, m := range v.Members() {
		if m.Name == "title" || m.Name == "description" {
			outer = append(outer, m)
		} else {
			inner = append(inner, m)
		}
	}
	outer.Add("anyOf", schema.NewArray(inner.Object(), nullType()))
	return outer.Object()
}

// decidesAboutNull are the keywords beside type that may refuse null; with one
// of them null in the type list is not enough.
var decidesAboutNull = []string{"$ref", "const", "allOf", "anyOf", "oneOf", "not", "if"}

// withNull adds null to the type list and to enum; nil where that does not
// make it admit null.
func withNull(v *schema.Value) *schema.Value {
	types := v.Get("type")
	if types == nil || slices.ContainsFunc(decidesAboutNull, v.Has) {
		return nil
	}
	words := types.Items()
	if types.Kind() == schema.String {
		words = []*schema.Value{types}
	}
	if !slices.ContainsFunc(words, func(w *schema.Value) bool { return w.Text() == "null" }) {
		v = v.With("type", schema.NewArray(append(slices.Clone(words), schema.NewString("null"))...))
	}
	if enum := v.Get("enum"); enum != nil && !slices.ContainsFunc(enum.Items(), isNullValue) {
		v = v.With("enum", schema.NewArray(append(slices.Clone(enum.Items()), schema.NewNull())...))
	}
	return v
}

// onlyAnnotates reports whether every keyword but one constrains nothing.
func onlyAnnotates(v *schema.Value, keyword string) bool {
	return !slices.ContainsFunc(v.Members(), func(m schema.Member) bool {
		k, known := schema.LookupKeyword(m.Name)
		return m.Name != keyword && known && !k.Annotation
	})
}
