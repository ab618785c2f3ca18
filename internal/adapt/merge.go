// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules of writing several schemas as one.
const (
	RuleMergeAllOf       = "merge-all-of"
	RuleMergeAlternative = "merge-single-alternative"
	RuleUnevaluated      = "unevaluated-to-undeclared"
)

// mergeConjuncts writes a node, the target of its reference and the branches of
// its allOf as one schema, where the profile does not take them apart.
func mergeConjuncts(r *rewriter, i int) *structure {
	n := &r.schema.Nodes()[i]
	asked := r.asksToMerge(i)
	if asked.Rule == "" {
		return nil
	}
	x := newIntersection(r.schema)
	x.recursive = func(target int) bool { return i > 0 && r.reachesItself(target) }
	merged, ok := x.single(n.Value)
	if !ok || merged == n.Value || merged.Kind() != schema.Object {
		return nil
	}
	return &structure{intersection: x, value: merged, done: asked}
}

// asksToMerge returns the rewrite that the profile's verdicts ask for; without
// a rule for none.
func (r *rewriter) asksToMerge(i int) Rewrite {
	n := &r.schema.Nodes()[i]
	v := n.Value
	asked := func(rule, keyword, message string) Rewrite {
		return Rewrite{rule, Keep, finding.Pointer(n.Pointer, keyword), message}
	}
	switch {
	case v.Has("allOf") && (r.loses(i, "allOf") || r.losesBeside(i, "allOf")):
		return asked(RuleMergeAllOf, "allOf", "the branches of allOf are written as one schema")
	case n.Ref >= 0 && i == 0 && r.profile.JudgeShape(r.schema, 0, provider.NonObjectRoot, r.mode).Refused(r.mode):
		return asked(RuleInlineRef, "$ref", "the target is written out, because this API takes no reference at the root")
	case n.Ref >= 0 && i > 0 && !r.onlyAnnotatesBeside(v, "$ref") && (r.loses(i, "$ref") || r.losesBeside(i, "$ref")):
		return asked(RuleInlineRef, "$ref", "the target is written out together with the keywords beside the reference, which this API does not take there")
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if v.Get(keyword).Len() == 1 && (r.loses(i, keyword) || r.losesBeside(i, keyword)) {
			return asked(RuleMergeAlternative, keyword, "the only branch of "+keyword+" is written with the keywords beside it")
		}
	}
	for _, keyword := range []string{"unevaluatedProperties", "unevaluatedItems"} {
		if v.Has(keyword) && r.loses(i, keyword) {
			return asked(RuleUnevaluated, keyword, keyword+" is written as what it means here, where nothing else is evaluated")
		}
	}
	return Rewrite{}
}

// isReferredBelow reports whether a reference leads to a place below, other
// than a definition of the document. What is referred to by pointer cannot move.
func (r *rewriter) isReferredBelow(pointer string) bool {
	i, _ := slices.BinarySearch(r.referred, pointer+"/")
	return i < len(r.referred) && strings.HasPrefix(r.referred[i], pointer+"/")
}

// isReferredInto reports whether a reference leads to what a keyword of a node
// holds: the keyword cannot go then.
func (r *rewriter) isReferredInto(i int, keyword string) bool {
	at := finding.Pointer(r.schema.Nodes()[i].Pointer, keyword)
	_, exactly := slices.BinarySearch(r.referred, at)
	return exactly || r.isReferredBelow(at)
}

// referredPlaces are the places that references lead to, but for the root and
// for whole definitions.
func referredPlaces(s *schema.Schema) []string {
	var out []string
	for i := range s.Nodes() {
		if ref := s.Nodes()[i].Ref; ref >= 0 && !isDefinition(&s.Nodes()[ref]) {
			out = append(out, s.Nodes()[ref].Pointer)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// trace records where the parts of an intersection came from. author is where
// the node itself did.
func (r *rewriter) trace(x *intersection, v *schema.Value, out, author string) {
	if v.Kind() != schema.Object {
		return
	}
	for _, m := range v.Members() {
		from := x.origin[m.Value]
		if from == "" {
			from = author
		}
		r.places = append(r.places, place{from, finding.Pointer(out, m.Name)})
		schema.MapChildren(m, func(c schema.Child) *schema.Value {
			pointer := c.Pointer(out)
			if i := r.schema.Index(c.Value); r.schema.Nodes()[i].Value == c.Value {
				r.places = append(r.places, place{r.schema.Nodes()[i].Pointer, pointer})
				return c.Value
			}
			from := x.origin[c.Value]
			if from == "" {
				from = author
			}
			r.places = append(r.places, place{from, pointer})
			r.trace(x, c.Value, pointer, from)
			return c.Value
		})
	}
}

// rewriteReferences gives the references in a value that was not written by
// rules the text that they have in the adapted schema.
func (r *rewriter) rewriteReferences(v *schema.Value) *schema.Value {
	if !r.defs.changes {
		return v
	}
	return mapNodes(v, func(node *schema.Value) *schema.Value {
		ref := node.Get("$ref")
		if ref == nil || ref.Kind() != schema.String {
			return node
		}
		if text := r.textOf(ref.Text()); text != ref.Text() {
			return node.With("$ref", schema.NewString(text))
		}
		return node
	})
}

// mapNodes rebuilds a schema bottom-up. What does not change is shared.
func mapNodes(v *schema.Value, f func(*schema.Value) *schema.Value) *schema.Value {
	if v.Kind() != schema.Object {
		return f(v)
	}
	members := v.Members()
	changed := false
	for i, m := range members {
		mapped := schema.MapChildren(m, func(c schema.Child) *schema.Value { return mapNodes(c.Value, f) })
		if mapped == m {
			continue
		}
		if !changed {
			members, changed = slices.Clone(members), true
		}
		members[i] = mapped
	}
	if changed {
		v = schema.NewObject(members...)
	}
	return f(v)
}

// unshared gives every place of a schema a value of its own, so that a place
// can be found by its value.
func unshared(root *schema.Value) *schema.Value {
	seen := map[*schema.Value]bool{}
	return mapNodes(root, func(v *schema.Value) *schema.Value {
		if !seen[v] {
			seen[v] = true
			return v
		}
		if v.Kind() == schema.Bool {
			return schema.NewBool(v.IsTrue())
		}
		return schema.NewObject(v.Members()...)
	})
}

// countNodes counts the schemas in a value, up to a number.
func countNodes(v *schema.Value, most int) int {
	count := 1
	for _, c := range schema.Children(v) {
		if count > most {
			break
		}
		count += countNodes(c.Value, most-count)
	}
	return count
}
