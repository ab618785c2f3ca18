// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// shrink takes from a pair whatever it can while the pair keeps a property, so
// that a failure can be read. The work is bounded.
func shrink(a, b *schema.Schema, keeps func(a, b *schema.Schema) bool) (smallA, smallB *schema.Schema) {
	left := 3000
	for progress := true; progress; {
		progress = false
		for _, step := range steps(a.Root(), b.Root()) {
			if left--; left < 0 {
				return a, b
			}
			nextA, okA := admit(step.a)
			nextB, okB := admit(step.b)
			if okA && okB && keeps(nextA, nextB) {
				a, b, progress = nextA, nextB, true
				break
			}
		}
	}
	return a, b
}

type step struct{ a, b *schema.Value }

// steps are smaller forms of a pair, those that take most away first: the same
// child of both, less of both in the same place, less of one.
func steps(a, b *schema.Value) []step {
	var out []step
	less := lessOf(a, 0)
	for _, edit := range less {
		if without, ok := edit(b); ok {
			smaller, _ := edit(a)
			out = append(out, step{smaller, without})
		}
	}
	for _, edit := range less {
		smaller, _ := edit(a)
		out = append(out, step{smaller, b})
	}
	for _, edit := range lessOf(b, 0) {
		smaller, _ := edit(b)
		out = append(out, step{a, smaller})
	}
	return out
}

// edit takes something away; ok is false where there is no such thing.
type edit func(*schema.Value) (smaller *schema.Value, ok bool)

// lessOf lists the ways to take something from a value: a member or an item, or
// something from one of them.
func lessOf(v *schema.Value, depth int) []edit {
	var here, inside []edit
	at := func(get func(*schema.Value) *schema.Value, put func(v, child *schema.Value) *schema.Value, child *schema.Value) {
		for _, e := range lessOf(child, depth+1) {
			inside = append(inside, func(w *schema.Value) (*schema.Value, bool) {
				old := get(w)
				if old == nil {
					return nil, false
				}
				smaller, ok := e(old)
				if !ok {
					return nil, false
				}
				return put(w, smaller), true
			})
		}
	}
	for _, m := range v.Members() {
		here = append(here, func(w *schema.Value) (*schema.Value, bool) { return w.Without(m.Name), w.Has(m.Name) })
		if m.Value.Kind() == schema.Object && m.Value.Len() > 0 && depth < 12 {
			here = append(here, func(w *schema.Value) (*schema.Value, bool) { // the child in place of its parent
				child := w.Get(m.Name)
				if child == nil || child.Kind() != schema.Object {
					return nil, false
				}
				if defs := w.Get("$defs"); defs != nil && !child.Has("$defs") {
					child = child.With("$defs", defs)
				}
				return child, true
			})
		}
		at(func(w *schema.Value) *schema.Value { return w.Get(m.Name) },
			func(w, child *schema.Value) *schema.Value { return w.With(m.Name, child) }, m.Value)
	}
	for i, item := range v.Items() {
		take := func(w *schema.Value) *schema.Value {
			if i < len(w.Items()) {
				return w.Items()[i]
			}
			return nil
		}
		here = append(here, func(w *schema.Value) (*schema.Value, bool) {
			if i >= len(w.Items()) {
				return nil, false
			}
			return schema.NewArray(slices.Delete(slices.Clone(w.Items()), i, i+1)...), true
		})
		at(take, func(w, child *schema.Value) *schema.Value {
			items := slices.Clone(w.Items())
			items[i] = child
			return schema.NewArray(items...)
		}, item)
	}
	return append(here, inside...)
}

// smallest shrinks a pair while it fails in the same way.
func (g grammar) smallest(a, b *schema.Schema, v verdict) (smallA, smallB *schema.Schema) {
	return shrink(a, b, func(a, b *schema.Schema) bool {
		now := g.try(a, b)
		return now.answer == v.answer && (now.wrong != "") == (v.wrong != "") && (now.missed != nil) == (v.missed != nil)
	})
}

func TestShrinkKeepsTheProperty(t *testing.T) {
	t.Parallel()
	a := schematest.Schema(t, `{"type":"object","properties":{"a":{"type":"string","maxLength":3,"title":"x"},"b":{"type":"integer"}},"required":["b"]}`)
	b := schematest.Schema(t, `{"type":"object","properties":{"a":{"type":"string","maxLength":2,"title":"y"},"b":{"type":"integer"}},"required":["b"]}`)
	smallA, smallB := shrink(a, b, func(a, b *schema.Schema) bool { return contain.Contains(a, b).Answer == contain.Refuted })
	if len(smallA.Root().JSON()) > 40 || len(smallB.Root().JSON()) > 40 {
		t.Errorf("not small: %s %s", smallA.Root().JSON(), smallB.Root().JSON())
	}
}
