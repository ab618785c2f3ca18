// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// RuleImpliedClosing says: the API closes every object by itself and has no word
// for it.
const RuleImpliedClosing = "drop-implied-closing"

// impliedClosing leaves additionalProperties out where the API refuses it and
// closes objects by itself: false says nothing then, and true is not possible.
func impliedClosing(r *rewriter, i int, v *schema.Value) *schema.Value {
	additional := v.Get("additionalProperties")
	if additional == nil || additional.Kind() != schema.Bool || !r.refuses(i, "additionalProperties") || !r.closesByItself() || r.isConjunct(i) {
		return v
	}
	effect, message := Keep, "additionalProperties false is left out: this API closes every object by itself"
	if additional.IsTrue() {
		effect, message = Narrow, "additionalProperties true is left out: this API closes every object by itself"
		if r.most < Narrow || !r.narrowsIfClosed(i) || v.Get("properties").Len() == 0 {
			return v
		}
	}
	r.record(RuleImpliedClosing, effect, finding.Pointer(r.schema.Nodes()[i].Pointer, "additionalProperties"), message)
	return v.Without("additionalProperties")
}

// closesByItself reports whether undeclared members are never written.
func (r *rewriter) closesByItself() bool {
	return r.effective().OpenObjects == provider.ObjectsClosed
}

// effective is how the API reads a schema in the mode.
func (r *rewriter) effective() provider.Effective {
	if r.mode == provider.Strict {
		return r.profile.Effective.Strict
	}
	return r.profile.Effective.Standard
}

// narrowsIfClosed reports whether closing a node narrows the whole schema.
func (r *rewriter) narrowsIfClosed(i int) bool {
	if r.impliedClosable == nil {
		r.impliedClosable = Closable(r.schema)
	}
	return r.impliedClosable[i]
}

// isConjunct reports whether a node applies together with another one that is
// not below it. Written as one, the two would be closed once and not each for
// itself, so what closes one of them has to stay until then.
func (r *rewriter) isConjunct(i int) bool {
	if r.conjuncts == nil {
		r.conjuncts = make([]bool, len(r.schema.Nodes()))
		var mark func(i int)
		mark = func(i int) {
			if r.conjuncts[i] {
				return
			}
			r.conjuncts[i] = true
			for _, next := range r.schema.AppliesInPlace(i) {
				mark(next)
			}
		}
		for j := range r.schema.Nodes() {
			v := r.schema.Nodes()[j].Value
			if inPlace := r.schema.AppliesInPlace(j); v.Get("allOf").Len() > 1 || (len(inPlace) > 0 && constrainsObjects(v)) {
				mark(j)
			}
		}
	}
	return r.conjuncts[i]
}
