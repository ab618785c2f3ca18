// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/bits"
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

const (
	// maxPool bounds the accepted values that are kept to be changed further.
	maxPool = 48
	// maxExploredDepth is how deep a random value is built.
	maxExploredDepth = 5
	// maxExploredMembers and maxExploredItems bound one random container.
	maxExploredMembers = 12
	maxExploredItems   = 24
	// maxEdged bounds the pairs of nodes whose edges are worked out.
	maxEdged = 256
)

// explorer combines the edges of two schemas by chance, where the directed
// proposals led nowhere: a difference that needs two things at once, such as a
// member that only matters beside another. The chance is seeded by the schemas.
type explorer struct {
	*sampler
	chance prng
	edged  map[pair][]*schema.Value
	pool   []*schema.Value
}

func newExplorer(s *sampler, a, b *node) *explorer {
	e := &explorer{sampler: s, chance: 1, edged: map[pair][]*schema.Value{}}
	if a.graph != nil && b.graph != nil {
		e.chance = seedOf(a.graph.schema, b.graph.schema)
	}
	return e
}

// next proposes a value near the difference of two nodes.
func (e *explorer) next(a, b *node) *schema.Value {
	if len(e.pool) > 0 && !e.chance.oneIn(4) {
		v := pick(&e.chance, e.pool)
		for range 1 + e.chance.below(2) {
			v = e.change(v, a, b, 0)
		}
		return v
	}
	return e.value(a, b, 0)
}

// keep takes an accepted value into the pool.
func (e *explorer) keep(v *schema.Value) {
	if len(e.pool) < maxPool {
		e.pool = append(e.pool, v)
		return
	}
	e.pool[e.chance.below(maxPool)] = v
}

// value proposes a value from the parts of two nodes. Both may be nil.
func (e *explorer) value(a, b *node, depth int) *schema.Value {
	a, b = a.orEverything(), b.orEverything()
	if depth >= maxExploredDepth || e.chance.oneIn(3) {
		return e.edge(a, b)
	}
	if e.chance.oneIn(6) {
		a, b = b, a
	}
	if beside := slices.DeleteFunc(slices.Concat(a.beside(), b.beside()), func(n *node) bool { return n == nil }); len(beside) > 0 && e.chance.oneIn(2) {
		branch := pick(&e.chance, beside)
		v := e.value(branch, pick(&e.chance, beside), depth+1)
		if e.chance.oneIn(2) {
			v = e.merge(v, e.value(a, b, depth+1))
		}
		return e.fill(a, b, v)
	}
	switch e.kind(a, b) {
	case kindObject:
		return e.object(a, b, depth)
	case kindArray:
		return e.array(a, b, depth)
	case kindString:
		return e.text(a, b)
	default:
		return e.edge(a, b)
	}
}

// kind draws a kind of value that a admits, containers more often.
func (e *explorer) kind(a, b *node) kinds {
	k := a.kinds
	if e.chance.oneIn(8) {
		k = b.kinds
	}
	if containers := k & (kindObject | kindArray); containers != 0 && !e.chance.oneIn(4) {
		k = containers
	}
	if k == 0 {
		return kindNull
	}
	for range e.chance.below(bits.OnesCount8(uint8(k))) {
		k &= k - 1
	}
	return k & -k
}

// edge is one of the values around the edges of two nodes.
func (e *explorer) edge(a, b *node) *schema.Value {
	key := pair{a, b}
	list, known := e.edged[key]
	if !known {
		if len(e.edged) < maxEdged {
			list = e.boundary(a, b, 2)
		} else {
			list = e.minimal(a, b)
		}
		e.edged[key] = list
	}
	if len(list) == 0 {
		return schema.NewNull()
	}
	return pick(&e.chance, list)
}

// object draws members: the required ones and some of those that either side
// speaks of.
func (e *explorer) object(a, b *node, depth int) *schema.Value {
	names := slices.Concat(mentionedNames(&a.object, &b.object), e.otherNames(a, b, depth+2))
	oneIn := 1 + e.chance.below(4)
	v := schema.NewObject()
	for _, name := range names {
		if v.Len() < maxExploredMembers && e.chance.oneIn(oneIn) {
			v = v.With(name, e.memberValue(a, b, name, depth))
		}
	}
	if !e.chance.oneIn(8) {
		v = e.fill(a, b, v)
	}
	if short := a.object.min - int64(v.Len()); short > 0 {
		v = e.pad(a, b, v, min(short, maxExploredMembers))
	}
	return v
}

func (e *explorer) memberValue(a, b *node, name string, depth int) *schema.Value {
	inA, inB := append(a.object.surelyAt(name), nil), append(b.object.surelyAt(name), nil)
	return e.value(e.among(inA), e.among(inB), depth+1)
}

// among draws one of several schemas that apply; the last is only a stand-in.
func (e *explorer) among(list []*node) *node { return list[e.chance.below(max(len(list)-1, 1))] }

func (e *explorer) array(a, b *node, depth int) *schema.Value {
	lengths := []int64{
		0, 1, 2, 3, a.array.min, a.array.min + 1, a.array.max, b.array.min - 1, b.array.max, b.array.max + 1,
		int64(len(a.array.prefix)), int64(len(b.array.prefix)) + 1,
	}
	length := min(max(pick(&e.chance, lengths), 0), maxExploredItems)
	items := make([]*schema.Value, 0, length)
	for i := range int(length) {
		switch {
		case i > 0 && e.chance.oneIn(4):
			items = append(items, pick(&e.chance, items))
		case e.chance.oneIn(4) && len(a.array.contains)+len(b.array.contains) > 0:
			c := pick(&e.chance, slices.Concat(a.array.contains, b.array.contains))
			items = append(items, e.value(c.node, a.array.item(i), depth+1))
		default:
			items = append(items, e.value(a.array.item(i), b.array.item(i), depth+1))
		}
	}
	return schema.NewArray(items...)
}

// text draws a string by following a pattern, or changes one.
func (e *explorer) text(a, b *node) *schema.Value {
	patterns := slices.Concat(a.text.patterns, b.text.patterns, compiledFormats(formatSources(a.text.formats)))
	if len(patterns) > 0 && !e.chance.oneIn(3) {
		return schema.NewString(pick(&e.chance, patterns).Sample(e.chance.below))
	}
	v := e.edge(a, b)
	if v.Kind() != schema.String {
		return v
	}
	return schema.NewString(e.changeText(v.Text()))
}

func formatSources(names []string) []string {
	var list []string
	for _, name := range names {
		list = append(list, formats[name].matches...)
	}
	return list
}

// strayLetters are characters that patterns often forget.
var strayLetters = []rune("aZ0-_ .@/é\n😀")

func (e *explorer) changeText(s string) string {
	runes := []rune(s)
	if len(runes) > maxPadding {
		return s
	}
	at := e.chance.below(len(runes) + 1)
	switch e.chance.below(3) {
	case 0:
		return string(slices.Insert(runes, at, pick(&e.chance, strayLetters)))
	case 1:
		if at < len(runes) {
			runes[at] = pick(&e.chance, strayLetters)
		}
	default:
		if at < len(runes) {
			runes = slices.Delete(runes, at, at+1)
		}
	}
	return string(runes)
}

// merge puts the members of both objects into one; of other values it keeps
// the first.
func (e *explorer) merge(v, w *schema.Value) *schema.Value {
	if v.Kind() != schema.Object || w.Kind() != schema.Object {
		return v
	}
	for _, m := range w.Members() {
		if !v.Has(m.Name) && v.Len() < maxExploredMembers {
			v = v.With(m.Name, m.Value)
		}
	}
	return v
}

// change changes a value at one place.
func (e *explorer) change(v *schema.Value, a, b *node, depth int) *schema.Value {
	a, b = a.orEverything(), b.orEverything()
	if depth >= maxExploredDepth || e.chance.oneIn(6) {
		return e.value(a, b, depth)
	}
	switch v.Kind() {
	case schema.Object:
		return e.changeObject(v, a, b, depth)
	case schema.Array:
		return e.changeArray(v, a, b, depth)
	case schema.String:
		return e.text(a, b)
	default:
		return e.edge(a, b)
	}
}

func (e *explorer) changeObject(v *schema.Value, a, b *node, depth int) *schema.Value {
	if v.Len() > 0 && !e.chance.oneIn(3) {
		m := pick(&e.chance, v.Members())
		if e.chance.oneIn(4) {
			return v.Without(m.Name)
		}
		inA, inB := append(a.object.surelyAt(m.Name), nil), append(b.object.surelyAt(m.Name), nil)
		return v.With(m.Name, e.change(m.Value, e.among(inA), e.among(inB), depth+1))
	}
	names := slices.Concat(mentionedNames(&a.object, &b.object), e.otherNames(a, b, depth+2))
	for _, branch := range head(slices.Concat(a.beside(), b.beside()), maxBranches) {
		if branch != nil {
			names = append(names, mentionedNames(&branch.object, &branch.object)...)
		}
	}
	if len(names) == 0 {
		return v
	}
	name := pick(&e.chance, names)
	v = v.With(name, e.memberValue(a, b, name, depth))
	if e.chance.oneIn(2) {
		v = e.fill(a, b, v)
	}
	return v
}

func (e *explorer) changeArray(v *schema.Value, a, b *node, depth int) *schema.Value {
	items := slices.Clone(v.Items())
	if len(items) == 0 || e.chance.oneIn(3) {
		if len(items) < maxExploredItems {
			items = append(items, e.value(a.array.item(len(items)), b.array.item(len(items)), depth+1))
		}
		return schema.NewArray(items...)
	}
	i := e.chance.below(len(items))
	switch e.chance.below(4) {
	case 0:
		items = slices.Delete(items, i, i+1)
	case 1:
		items[i] = pick(&e.chance, items)
	default:
		items[i] = e.change(items[i], a.array.item(i), b.array.item(i), depth+1)
	}
	return schema.NewArray(items...)
}
