// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
)

type (
	closedKey struct{}
	openedKey struct{}
)

// Closed is the schema that admits, of what s admits, only members that some
// schema which applies at their place declares: the language of a writer that
// writes nothing undeclared. Three kinds of places stay as they are: those that
// say additionalProperties or unevaluatedProperties themselves, those that
// declare no property and no pattern (free-form objects), and those that cannot
// be closed by themselves (see [Schema.Project]).
//
// Every place of s has the same pointer in it.
func (s *Schema) Closed() *Schema {
	return s.Derived(closedKey{}, func(s *Schema) any { return s.layout().rewritten(s.layout().closings()) }).(*Schema)
}

// Opened is the schema that admits, beside what s admits, undeclared members
// wherever s refuses them and leaving them out again is all that it takes: what
// [Schema.Project] makes of a value that Opened admits, s admits. A place with
// minProperties stays closed.
//
// Every place of s has the same pointer in it, but for the keywords that close.
func (s *Schema) Opened() *Schema {
	return s.Derived(openedKey{}, func(s *Schema) any { return s.layout().rewritten(s.layout().openings()) }).(*Schema)
}

// closure is what becomes of one node: keywords that come or go, and whether
// what refers to it has to refer to a copy that stays as it was.
type closure struct {
	add  string
	drop bool
	copy bool
}

const (
	additional  = "additionalProperties"
	unevaluated = "unevaluatedProperties"
)

// closings decides where a document is closed.
func (p *layout) closings() map[int]closure {
	out := map[int]closure{}
	for i := range p.nodes {
		v := p.nodes[i].Value
		alone := p.decides(&p.closing, i)
		if !alone && (!p.isPlace(i) || p.closing.entangled[i] || p.isAlone(&p.closing, i)) {
			continue
		}
		if v.kind != Object || v.Has(additional) || v.Has(unevaluated) || !p.declares(i) {
			continue
		}
		c := closure{add: additional, copy: !alone}
		if slices.ContainsFunc(p.edges[i].inPlace, func(next int) bool { return !p.negates(i, next) }) {
			c.add = unevaluated
		}
		out[i] = c
	}
	return out
}

// declares reports whether a property or a pattern is declared at a place.
func (p *layout) declares(i int) bool {
	group := p.inPlace(i, func(from, next int) bool { return !p.negates(from, next) })
	return slices.ContainsFunc(group, func(n int) bool {
		v := p.nodes[n].Value
		return v.Get("properties").Len() > 0 || v.Get("patternProperties").Len() > 0
	})
}

// negates reports whether a node applies another one as what must not hold. It
// declares nothing then.
func (p *layout) negates(from, next int) bool {
	return p.nodes[next].Parent == from && p.nodes[next].In == "not"
}

// openings decides where a document is opened.
func (p *layout) openings() map[int]closure {
	out := map[int]closure{}
	for i, mentioned := range p.projecting {
		v := p.nodes[i].Value
		if (v.Has(additional) || v.Has(unevaluated)) && p.admitsAll(i, mentioned) {
			out[i] = closure{drop: true}
		}
	}
	return out
}

// admitsAll reports whether a closed node declares, under no condition, all that
// is mentioned at its place, so that opening it admits nothing else of that.
func (p *layout) admitsAll(i int, mentioned *mentioned) bool {
	declaring := []int{i}
	if !p.nodes[i].Value.Has(additional) {
		declaring = p.inPlace(i, func(from, next int) bool {
			return p.nodes[from].Ref == next || p.nodes[next].Parent == from && p.nodes[next].In == "allOf"
		})
	}
	declared := p.mention(declaring, "properties")
	for name := range mentioned.names {
		if !p.has(declared, name) {
			return false
		}
	}
	return !slices.ContainsFunc(mentioned.patterns, func(pattern int) bool {
		return !slices.ContainsFunc(declared.patterns, func(d int) bool { return p.nodes[d].Token == p.nodes[pattern].Token })
	})
}

// rewritten is the document with these changes. What it adds to a document
// within the limits of admission is in proportion to the document.
func (p *layout) rewritten(changes map[int]closure) *Schema {
	if len(changes) == 0 {
		return p.Schema
	}
	w := closer{layout: p, changes: changes, copies: map[int]string{}}
	taken := p.root.Get("$defs")
	var copied []int
	for i := range p.nodes {
		if !changes[i].copy {
			continue
		}
		for n := len(copied) + 1; w.copies[i] == ""; n++ {
			if name := "declared-" + strconv.Itoa(n); !taken.Has(name) && !slices.ContainsFunc(copied, func(c int) bool { return w.copies[c] == name }) {
				w.copies[i] = name
			}
		}
		copied = append(copied, i)
	}
	root := w.node(0)
	if len(copied) > 0 {
		definitions := root.Get("$defs")
		if definitions == nil {
			definitions = NewObject()
		}
		for _, i := range copied {
			definitions = definitions.With(w.copies[i], w.copy(i))
		}
		root = root.With("$defs", definitions)
	}
	rewritten, _ := admitWithin(closedTimes, root, func(source string) *pattern.Pattern { return p.patterns[source] })
	if rewritten == nil { // nothing known comes near the limits; the document stays as it is
		return p.Schema
	}
	return rewritten
}

// closedTimes is how much larger than an admitted document its rewritten form
// may be. Each node gets at most one keyword, and a copy at most one reference
// for each of its parts.
const closedTimes = 4

// closer writes a document with changes.
type closer struct {
	*layout
	changes map[int]closure
	copies  map[int]string // names in $defs of nodes as they were
}

func (w *closer) node(i int) *Value {
	v := w.nodes[i].Value
	if v.kind != Object {
		return v
	}
	members := copyOnWrite[Member]{original: v.members}
	for at, m := range v.members {
		if mapped := MapChildren(m, func(c Child) *Value { return w.node(w.byPointer[c.Pointer(w.nodes[i].Pointer)]) }); mapped != m {
			members.set(at, mapped)
		}
	}
	if members.copied != nil {
		v = NewObject(members.copied...)
	}
	v = w.referring(i, v)
	switch c := w.changes[i]; {
	case c.drop:
		v = v.Without(additional, unevaluated)
	case c.add != "":
		v = v.With(c.add, NewBool(false))
	}
	return v
}

// referring leads a reference to the copy of its target, if there is one.
func (w *closer) referring(i int, v *Value) *Value {
	if ref := w.nodes[i].Ref; ref >= 0 && w.copies[ref] != "" {
		return v.With("$ref", NewString(RefTo(finding.Pointer("", "$defs", w.copies[ref]))))
	}
	return v
}

// copy is a node as it was, over the parts of the node that was changed.
func (w *closer) copy(i int) *Value {
	v := w.nodes[i].Value.Without("$schema", "$id", "$anchor", "$comment", "$defs", "definitions")
	members := slices.Clone(v.members)
	for at, m := range members {
		members[at] = MapChildren(m, func(c Child) *Value {
			if c.Value.kind == Bool {
				return NewBool(c.Value.bool)
			}
			return NewObject(Member{"$ref", NewString(RefTo(c.Pointer(w.nodes[i].Pointer)))})
		})
	}
	return w.referring(i, NewObject(members...))
}
