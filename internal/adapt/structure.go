// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// structure is what the author's node becomes by a rule that moves subschemas
// to other places. They are moved as they are: the rules have to look at the
// result again.
type structure struct {
	*intersection
	value *schema.Value
	done  Rewrite
}

// structureRules are tried in this order, one for a node in each pass.
var structureRules = []func(r *rewriter, i int) *structure{
	mergeConjuncts,
	dropBooleanBranches,
	listNames,
	joinAlternatives,
	pushSiblings,
	splitTypes,
}

// restructure applies the first rule that has something to do at a node.
func (r *rewriter) restructure(i int, at place) (*schema.Value, bool) {
	n := &r.schema.Nodes()[i]
	for _, rule := range structureRules {
		s := rule(r, i)
		if s == nil {
			continue
		}
		if (i == 0 && r.defs.changes) || r.isReferredBelow(n.Pointer) {
			r.unfinished = true // perhaps once the definitions are as they should be
			return nil, false
		}
		if r.expansion += countNodes(s.value, schema.MaxExpansion); r.expansion > schema.MaxExpansion {
			return nil, false
		}
		out := at.below(n.Pointer)
		r.move(n.Pointer, out)
		r.trace(s.intersection, s.value, out, n.Pointer)
		r.rewrites = append(r.rewrites, s.done)
		r.unfinished, r.shares = true, true
		return r.rewriteReferences(s.value), true
	}
	return nil, false
}

// restructured makes a structure of a node; its own keywords are traced.
func (r *rewriter) restructured(i int) *structure {
	x := newIntersection(r.schema)
	x.recursive = r.reachesItself
	x.trace(r.schema.Nodes()[i].Value)
	return &structure{intersection: x}
}

// becomes completes a structure with the keyword that asked for it.
func (s *structure) becomes(r *rewriter, i int, v *schema.Value, rule, keyword, message string) *structure {
	if v == nil || v.Kind() != schema.Object {
		return nil
	}
	s.value = v
	s.done = Rewrite{Rule: rule, Effect: Keep, Pointer: finding.Pointer(r.schema.Nodes()[i].Pointer, keyword), Message: message}
	return s
}

// elementsOf returns the elements of an array; none for nil.
func elementsOf(v *schema.Value) []*schema.Value {
	if v == nil {
		return nil
	}
	return v.Items()
}

// fieldsOf returns the keywords of a node that satisfy a condition.
func fieldsOf(v *schema.Value, keep func(name string) bool) schema.Fields {
	return slices.DeleteFunc(slices.Clone(schema.Fields(v.Members())), func(m schema.Member) bool { return !keep(m.Name) })
}

// isTaken reports whether the profile has nothing against a value at the place
// of node i, apart from what is below the subschemas of the value.
func (r *rewriter) isTaken(i int, v *schema.Value) bool {
	probe, pointer := r.probeAt(i, shallow(v, 1))
	admitted, _ := r.schema.AdmitRewritten(probe, r.written(v)...)
	if admitted == nil {
		return false
	}
	at, _ := admitted.IndexAt(pointer)
	n := &admitted.Nodes()[at]
	return !slices.ContainsFunc(r.profile.Faults(admitted, r.mode), func(f finding.Finding) bool {
		if f.Severity != finding.Error || f.Rule == provider.RulePropertyNotRequired {
			return false // the second is about the object around it
		}
		// What is said of the node or one of its keywords, and not of a subschema.
		_, isBelow := admitted.Node(f.Pointer)
		return within(f.Pointer, n.Pointer) && (f.Pointer == n.Pointer || !isBelow || len(finding.Tokens(f.Pointer)) == len(finding.Tokens(n.Pointer))+1)
	})
}
