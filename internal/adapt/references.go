// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// reference handles a node with $ref that the profile does not take as it is.
// Beside annotations, and where no reference is taken at all, the target is
// written out, with the node's own annotations in front of the target's. Beside
// constraints both are written as one schema. For recursion the reference moves
// into an anyOf of its own, which means the same.
func (r *rewriter) reference(i int, at place) (*schema.Value, bool) {
	n := &r.schema.Nodes()[i]
	if n.Ref < 0 || n.Parent < 0 || !r.refusesReference(i) {
		return nil, false
	}
	if r.onlyAnnotatesBeside(n.Value, "$ref") && r.canWriteOut(n.Ref) {
		if v := r.inline(i, at); v != nil {
			return v, true
		}
	}
	if v, merged := r.restructure(i, at); merged {
		return v, true
	}
	if n.Value.Len() == 1 || n.Value.Has("anyOf") || r.refuses(i, "anyOf") {
		return nil, false
	}
	var f schema.Fields
	for _, m := range n.Value.Members() {
		written := r.member(i, at, m)
		if m.Name == "$ref" {
			r.move(n.Pointer, finding.Pointer(at.below(n.Pointer), "anyOf", "0"))
			written = schema.Member{Name: "anyOf", Value: schema.NewArray(schema.NewObject(written))}
		}
		if written.Value != nil {
			f = append(f, written)
		}
	}
	r.record(RuleWrapRef, Keep, finding.Pointer(n.Pointer, "$ref"),
		"the reference moves into an anyOf of its own, because this API takes no keyword beside $ref")
	return f.Object(), true
}

// refusesReference reports whether the profile does not take a reference, and
// would not take it either as the plan for definitions writes it.
func (r *rewriter) refusesReference(i int) bool {
	if !r.loses(i, "$ref") && !r.losesBeside(i, "$ref") {
		return false
	}
	return !r.defs.respelled[r.schema.Nodes()[i].Ref] || r.schema.Nodes()[i].Value.Len() > 1
}

// inline writes the target of a reference in its place; nil if it cannot.
func (r *rewriter) inline(i int, at place) *schema.Value {
	n := &r.schema.Nodes()[i]
	undo := r.checkpoint()
	target := r.writeOut(n.Ref, at.below(n.Pointer))
	if target.Kind() != schema.Object { // true and false have no room for annotations
		undo()
		return nil
	}
	why := "the target is written out, because this API takes no keyword beside $ref"
	if n.Value.Len() == 1 {
		why = "the target is written out, because this API takes no such reference"
	}
	r.record(RuleInlineRef, Keep, finding.Pointer(n.Pointer, "$ref"), why)
	r.unfinished = r.unfinished || r.loses(0, r.defs.keyword) // then the definitions have to go
	return r.overlay(i, at, target)
}

// canWriteOut reports whether writing a node out in another place ends.
func (r *rewriter) canWriteOut(i int) bool { return !r.inlining[i] && !r.reachesItself(i) }

// writeOut writes a node to another place than its own.
func (r *rewriter) writeOut(i int, out string) *schema.Value {
	r.inlining[i] = true
	defer delete(r.inlining, i)
	r.shares = true
	return r.content(i, r.move(r.schema.Nodes()[i].Pointer, out))
}

// overlay puts the annotations of node i over a schema written in its place.
func (r *rewriter) overlay(i int, at place, target *schema.Value) *schema.Value {
	n := &r.schema.Nodes()[i]
	for _, m := range n.Value.Members() {
		if m.Name == "$ref" || m.Name == "allOf" {
			continue
		}
		if written := r.member(i, at, m); written.Value != nil {
			r.move(finding.Pointer(n.Pointer, m.Name), finding.Pointer(at.below(n.Pointer), m.Name))
			target = target.With(m.Name, written.Value)
		}
	}
	return target
}

// onlyAnnotatesBeside reports whether every keyword but one only annotates.
func (r *rewriter) onlyAnnotatesBeside(v *schema.Value, keyword string) bool {
	for _, m := range v.Members() {
		if m.Name == keyword {
			continue
		}
		if k, known := schema.LookupKeyword(m.Name); !known || !k.Annotation || m.Name == "$defs" || m.Name == "definitions" {
			return false
		}
	}
	return true
}

// reachesItself reports whether a node can be reached from itself, so that
// writing it out would never end.
func (r *rewriter) reachesItself(start int) bool {
	if !r.schema.Recursive() {
		return false
	}
	seen := map[int]bool{}
	var visit func(i int) bool
	visit = func(i int) bool {
		for _, next := range r.schema.Applies(i) {
			if next == start {
				return true
			}
			if !seen[next] {
				seen[next] = true
				if visit(next) {
					return true
				}
			}
		}
		return false
	}
	return visit(start)
}
