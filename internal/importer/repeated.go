// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// withoutRepetitions keeps each word of required, of a list of types and of
// dependentRequired once, and reports what it dropped. Providers pass over a
// repeated word, and JSON Schema calls it invalid; it means the same without.
// Source: JSON Schema 2020-12, Validation, sections 6.1.1, 6.5.3 and 6.5.4.
func (t *tool) withoutRepetitions(at string, root *schema.Value) *schema.Value {
	r := repetitions{}
	out := r.node(root, "")
	if len(r.notes) == 0 {
		return root
	}
	for _, note := range clipped(r.notes) {
		t.note("%s: %s", at, note)
	}
	return out
}

type repetitions struct{ notes []string }

func (r *repetitions) node(n *schema.Value, at string) *schema.Value {
	if n.Kind() != schema.Object {
		return n
	}
	var out schema.Fields
	changed := false
	for _, m := range n.Members() {
		before := m.Value
		switch {
		case m.Name == "required" || m.Name == "type":
			m.Value = r.words(m.Value, finding.Pointer(at, m.Name))
		case m.Name == "dependentRequired" && m.Value.Kind() == schema.Object:
			m.Value = r.lists(m.Value, finding.Pointer(at, m.Name))
		default:
			m = schema.MapChildren(m, func(child schema.Child) *schema.Value { return r.node(child.Value, child.Pointer(at)) })
		}
		changed = changed || m.Value != before
		out = append(out, m)
	}
	if !changed {
		return n
	}
	return out.Object()
}

// lists does it for each member of an object.
func (r *repetitions) lists(object *schema.Value, at string) *schema.Value {
	members := slices.Clone(object.Members())
	changed := false
	for i, m := range members {
		members[i].Value = r.words(m.Value, finding.Pointer(at, m.Name))
		changed = changed || members[i].Value != m.Value
	}
	if !changed {
		return object
	}
	return schema.NewObject(members...)
}

// words drops the texts of a list that stood in it before.
func (r *repetitions) words(list *schema.Value, at string) *schema.Value {
	if list.Kind() != schema.Array {
		return list
	}
	var kept []*schema.Value
	seen, noted := map[string]bool{}, map[string]bool{}
	for _, item := range list.Items() {
		word := item.Text()
		isWord := item.Kind() == schema.String
		if !isWord || !seen[word] {
			seen[word] = seen[word] || isWord
			kept = append(kept, item)
			continue
		}
		if !noted[word] {
			noted[word] = true
			r.notes = append(r.notes, finding.Clip(at, 160)+": "+finding.Quote(word)+" stood in it more than once and was kept once")
		}
	}
	if len(kept) == list.Len() {
		return list
	}
	return schema.NewArray(kept...)
}
