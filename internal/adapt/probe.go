// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// probeDefinition is where every reference in a probe leads.
const probeDefinition = "#/$defs/x"

// judgeAs returns the verdict for a keyword of author's node i as it would be
// with another value: at the same place, but in a document that has nothing
// else. The subschemas of the value keep the names of their keywords only, as
// far as a profile can ask about them.
func (r *rewriter) judgeAs(i int, v *schema.Value, keyword string) provider.Cell {
	probe, pointer := r.probeAt(i, shallow(v, 1))
	admitted, _ := r.schema.AdmitRewritten(probe, r.written(v)...)
	if admitted == nil {
		return provider.Cell{Verdict: provider.Unknown}
	}
	at, _ := admitted.IndexAt(pointer)
	return r.profile.Judge(admitted, at, keyword, r.mode)
}

// judgeShapeAs is like [rewriter.judgeAs] for a shape of the value.
func (r *rewriter) judgeShapeAs(i int, v *schema.Value, shape provider.Shape) provider.Cell {
	probe, pointer := r.probeAt(i, shallow(v, 1))
	admitted, _ := r.schema.AdmitRewritten(probe, r.written(v)...)
	if admitted == nil {
		return provider.Cell{Verdict: provider.Unknown}
	}
	at, _ := admitted.IndexAt(pointer)
	return r.profile.JudgeShape(admitted, at, shape, r.mode)
}

// takesAs reports whether the profile takes a keyword of another value and does
// not lose it.
func (r *rewriter) takesAs(i int, v *schema.Value, keyword string) bool {
	cell := r.judgeAs(i, v, keyword)
	return cell.Verdict != provider.Dropped && !cell.Refused(r.mode)
}

// probeAt puts a value at the place of node i in a document of its own. It
// returns the document and the pointer of the value in it.
func (r *rewriter) probeAt(i int, v *schema.Value) (root *schema.Value, pointer string) {
	for n := &r.schema.Nodes()[i]; n.Parent >= 0; n = &r.schema.Nodes()[n.Parent] {
		switch k, _ := schema.LookupKeyword(n.In); k.Shape {
		case schema.One:
			v, pointer = schema.NewObject(schema.Member{Name: n.In, Value: v}), finding.Pointer("", n.In)+pointer
		case schema.List:
			v, pointer = schema.NewObject(schema.Member{Name: n.In, Value: schema.NewArray(v)}), finding.Pointer("", n.In, "0")+pointer
		default:
			held := schema.NewObject(schema.Member{Name: n.Token, Value: v})
			v, pointer = schema.NewObject(schema.Member{Name: n.In, Value: held}), finding.Pointer("", n.In, n.Token)+pointer
		}
	}
	if v.Kind() != schema.Object {
		return v, pointer
	}
	definitions := v.Get("$defs")
	switch {
	case definitions == nil:
		definitions = schema.NewObject(schema.Member{Name: "x", Value: schema.NewObject()})
	case !definitions.Has("x"):
		definitions = definitions.With("x", schema.NewObject())
	}
	return v.With("$defs", definitions), pointer
}

// shallow keeps subschemas down to a depth and empties those below.
func shallow(v *schema.Value, depth int) *schema.Value {
	if v.Kind() != schema.Object {
		return v
	}
	members := make([]schema.Member, 0, v.Len())
	for _, m := range v.Members() {
		if m.Name == "$ref" {
			m.Value = schema.NewString(probeDefinition)
		}
		members = append(members, schema.MapChildren(m, func(c schema.Child) *schema.Value {
			if depth == 0 || c.Value.Kind() != schema.Object {
				return c.Value
			}
			return shallow(c.Value, depth-1)
		}))
	}
	if depth == 0 {
		for i, m := range members {
			members[i] = withoutSubschemas(m)
		}
	}
	return schema.NewObject(members...)
}

// withoutSubschemas empties what a keyword holds.
func withoutSubschemas(m schema.Member) schema.Member {
	switch k, _ := schema.LookupKeyword(m.Name); k.Shape {
	case schema.One:
		m.Value = schema.NewObject()
	case schema.List:
		m.Value = schema.NewArray(schema.NewObject())
	case schema.Map:
		m.Value = schema.NewObject()
	default:
	}
	return m
}

// losesBeside reports whether a constraint of node i is lost only because a
// certain keyword stands beside it.
func (r *rewriter) losesBeside(i int, keyword string) bool {
	v := r.schema.Nodes()[i].Value
	var alone *schema.Value
	for _, m := range v.Members() {
		if m.Name == keyword || !constrains(m.Name) || !r.loses(i, m.Name) {
			continue
		}
		if alone == nil {
			alone = v.Without(keyword)
		}
		if r.takesAs(i, alone, m.Name) {
			return true
		}
	}
	return false
}

// constrains reports whether a keyword can change which instances are valid.
func constrains(name string) bool {
	switch name {
	case "$id", "$anchor":
		return false
	}
	k, known := schema.LookupKeyword(name)
	return known && !k.Annotation
}
