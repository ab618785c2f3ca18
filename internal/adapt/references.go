// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// movesDefinitions decides once for the document whether definitions becomes
// $defs: the profile does not take the old name and no $defs stands beside it.
func (r *rewriter) movesDefinitions() bool {
	root := r.schema.Root()
	return root.Has("definitions") && !root.Has("$defs") && r.refuses(0, "definitions")
}

// refText is the reference as written in the adapted schema: by pointer where
// anchors are not taken, and following definitions to $defs.
func (r *rewriter) refText(i int, ref string) string {
	target := r.schema.Nodes()[r.schema.Nodes()[i].Ref].Pointer
	if !strings.HasPrefix(ref, "#/") && ref != "#" && r.refuses(r.schema.Nodes()[i].Ref, "$anchor") {
		ref = "#" + target
	}
	if rest, ok := strings.CutPrefix(ref, "#/definitions/"); ok && r.moveDefs {
		return "#/$defs/" + rest
	}
	return ref
}

// reference handles a node with $ref that has other keywords beside it, where
// the profile does not take that. Beside annotations the target is written
// out, with the node's own annotations in front of the target's; beside
// constraints, and for recursion, the reference moves into an anyOf of its own,
// which means the same.
func (r *rewriter) reference(i int, at place) (*schema.Value, bool) {
	n := &r.schema.Nodes()[i]
	if n.Ref < 0 || n.Value.Len() == 1 || !r.refuses(i, "$ref") {
		return nil, false
	}
	if r.onlyAnnotatesBeside(n.Value, "$ref") && r.canWriteOut(n.Ref) {
		if v := r.inline(i, at); v != nil {
			return v, true
		}
	}
	if n.Value.Has("anyOf") || r.refuses(i, "anyOf") {
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

// inline writes the target of a reference in its place; nil if it cannot.
func (r *rewriter) inline(i int, at place) *schema.Value {
	n := &r.schema.Nodes()[i]
	undo := r.checkpoint()
	target := r.writeOut(n.Ref, at.below(n.Pointer))
	if target.Kind() != schema.Object { // true and false have no room for annotations
		undo()
		return nil
	}
	r.record(RuleInlineRef, Keep, finding.Pointer(n.Pointer, "$ref"),
		"the target is written out, because this API takes no keyword beside $ref")
	return r.overlay(i, at, target)
}

// canWriteOut reports whether writing a node out in another place ends.
func (r *rewriter) canWriteOut(i int) bool { return !r.inlining[i] && !r.reachesItself(i) }

// writeOut writes a node to another place than its own.
func (r *rewriter) writeOut(i int, out string) *schema.Value {
	r.inlining[i] = true
	defer delete(r.inlining, i)
	return r.node(i, r.move(r.schema.Nodes()[i].Pointer, out))
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
