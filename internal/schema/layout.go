// SPDX-License-Identifier: Apache-2.0

package schema

import "slices"

// layout says of every node of a document whether members that nobody declares
// can be refused, admitted or left out there with no other consequence. Two
// things stand in the way. Where two schemas that are not in one chain of
// references describe the same part of an instance, neither knows what the other
// declares. And below not, if, contains and overlapping oneOf, admitting less in
// one place admits more, or something else, in another. Both are entangled, and
// so is all below them: such places stay as they are.
type layout struct {
	*Schema
	// referrers are the nodes that apply a node in place.
	referrers [][]int
	alias     []int
	groups    [][]int // of the places that are looked at, see headOf
	closing   view    // what admits fewer members
	dropping  view    // what changes members
	// projecting are the nodes at which undeclared members can be left out, with
	// the names that stay.
	projecting map[int]*mentioned
}

// view is a set of entangled places, and with it of nodes that stand alone.
type view struct {
	entangled []bool
	alone     []int8 // 0 is not yet known, 1 yes, -1 no
}

type layoutKey struct{}

func (s *Schema) layout() *layout {
	return s.Derived(layoutKey{}, func(s *Schema) any { return newLayout(s) }).(*layout)
}

func newLayout(s *Schema) *layout {
	n := len(s.nodes)
	p := &layout{
		Schema: s, referrers: make([][]int, n), alias: make([]int, n), groups: make([][]int, n),
		closing:  view{entangled: make([]bool, n), alone: make([]int8, n)},
		dropping: view{entangled: make([]bool, n), alone: make([]int8, n)},
	}
	for i := range s.nodes {
		for _, next := range s.edges[i].inPlace {
			p.referrers[next] = append(p.referrers[next], i)
		}
		p.alias[i] = s.aliasOf(i)
	}
	p.entangle()
	p.projecting = p.projections()
	return p
}

// isPlace reports whether a node describes a part of the instance by itself,
// beside in place of others.
func (s *Schema) isPlace(i int) bool {
	n := &s.nodes[i]
	k, _ := LookupKeyword(n.In)
	return n.Parent < 0 || !k.InPlace && !k.Annotation && n.In != "propertyNames"
}

// scalarKeywords say nothing of members and items.
var scalarKeywords = []string{
	"$id", "$anchor", "type", "format", "pattern", "minLength", "maxLength",
	"minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
}

// indifferent reports whether a keyword of a node says nothing of members and
// items.
func indifferent(m Member) bool {
	k, known := LookupKeyword(m.Name)
	switch {
	case !known || k.Annotation || slices.Contains(scalarKeywords, m.Name):
		return true
	case m.Name == "const":
		return !isContainer(m.Value)
	case m.Name == "enum":
		return !slices.ContainsFunc(m.Value.items, isContainer)
	default:
		return false
	}
}

func isContainer(v *Value) bool { return v.kind == Object || v.kind == Array }

// aliasOf returns the node that decides about objects in place of node i, which
// says nothing of their members itself: the target of a reference, or the one
// alternative that admits objects. It is -1 where there is none.
func (s *Schema) aliasOf(i int) int {
	applicator := ""
	for _, m := range s.nodes[i].Value.members {
		switch {
		case indifferent(m):
		case applicator == "" && slices.Contains([]string{"$ref", "allOf", "anyOf", "oneOf"}, m.Name):
			applicator = m.Name
		default:
			return -1
		}
	}
	next := s.edges[i].inPlace
	if applicator == "anyOf" || applicator == "oneOf" {
		next = slices.DeleteFunc(slices.Clone(next), func(b int) bool { return !s.mayBe(b, Object) })
	}
	if applicator == "" || len(next) != 1 {
		return -1
	}
	return next[0]
}

// mayBe reports whether a node may admit values of a kind; it errs on the side
// of yes.
func (s *Schema) mayBe(i int, k Kind) bool {
	n := &s.nodes[i]
	if n.Value.kind == Bool {
		return n.Value.bool
	}
	other := func(v *Value) bool { return v.kind != k }
	types, constant, enum := Types(n.Value), n.Value.Get("const"), n.Value.Get("enum")
	switch {
	case types != nil && !slices.Contains(types, k.String()),
		constant != nil && other(constant),
		enum != nil && !slices.ContainsFunc(enum.items, func(v *Value) bool { return !other(v) }):
		return false
	}
	return n.Ref < 0 || s.mayBe(n.Ref, k)
}

// headOf follows references that say nothing themselves.
func (p *layout) headOf(i int) int {
	for p.nodes[i].Ref >= 0 && p.alias[i] >= 0 {
		i = p.alias[i]
	}
	return i
}

// inPlace returns node i and those that it applies in place, as far as they are
// followed.
func (p *layout) inPlace(i int, follow func(from, next int) bool) []int {
	out := []int{i}
	seen := map[int]bool{i: true}
	for at := 0; at < len(out); at++ {
		for _, next := range p.edges[out[at]].inPlace {
			if !seen[next] && follow(out[at], next) {
				seen[next] = true
				out = append(out, next)
			}
		}
	}
	return out
}

// maxGroups bounds the sizes of all groups together, and maxGroupPatterns the
// patterns of a group that are compared with its names. Beyond them nothing but
// the root is told apart.
const (
	maxGroups        = 1 << 19
	maxGroupPatterns = 16
)

// entangle finds the places that cannot be told apart.
func (p *layout) entangle() {
	turned, conditional := p.conditions()
	closing, dropping := p.belowOf(turned), p.belowOf(conditional)
	left := maxGroups
	for i := range p.nodes {
		head := p.headOf(i)
		if !p.isPlace(i) || p.groups[head] != nil {
			continue
		}
		group := p.inPlace(head, func(int, int) bool { left--; return left > 0 })
		p.groups[head] = group
		if left <= 0 {
			for _, e := range p.edges {
				closing = append(closing, e.below...)
			}
			break
		}
		c := cousins{layout: p, names: map[string][]int{}}
		c.gather(group)
		closing, dropping = append(closing, c.entangled()...), append(dropping, c.fixed...)
	}
	p.spread(p.closing.entangled, closing)
	p.spread(p.dropping.entangled, append(closing, dropping...))
}

// conditions marks the nodes that apply in place where admitting less turns
// into admitting more, below not, if, and a oneOf whose alternatives may overlap;
// and those of which it depends on the value whether they describe it.
func (p *layout) conditions() (turned, conditional []bool) {
	turned, conditional = make([]bool, len(p.nodes)), make([]bool, len(p.nodes))
	for i := range p.nodes {
		switch n := &p.nodes[i]; n.In {
		case "not", "if":
			p.mark(turned, i)
		case "then", "else", "dependentSchemas":
			p.mark(conditional, i)
		case "anyOf", "oneOf":
			if p.overlaps(n.Parent, n.In) {
				p.mark(conditional, i)
				if n.In == "oneOf" {
					p.mark(turned, i)
				}
			}
		}
	}
	return turned, conditional
}

// mark marks a node and those that it applies in place.
func (p *layout) mark(marked []bool, i int) {
	if marked[i] {
		return
	}
	marked[i] = true
	for _, next := range p.edges[i].inPlace {
		p.mark(marked, next)
	}
}

// belowOf returns the places below the nodes that are marked.
func (p *layout) belowOf(marked []bool) (out []int) {
	for i, is := range marked {
		if is {
			out = append(out, p.edges[i].below...)
		}
	}
	return out
}

// overlaps reports whether two alternatives of a node may admit one object, or
// one array.
func (p *layout) overlaps(parent int, keyword string) bool {
	objects, arrays := 0, 0
	for _, b := range p.edges[parent].inPlace {
		if p.nodes[b].In != keyword || p.nodes[b].Parent != parent {
			continue
		}
		if p.mayBe(b, Object) {
			objects++
		}
		if p.mayBe(b, Array) {
			arrays++
		}
	}
	return objects > 1 || arrays > 1
}

// spread marks places and all that is below them.
func (p *layout) spread(entangled []bool, from []int) {
	seen := make([]bool, len(p.nodes))
	stack := slices.Clone(from)
	for _, i := range from {
		entangled[i] = true
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[i] {
			continue
		}
		seen[i] = true
		stack = append(stack, p.edges[i].inPlace...)
		for _, child := range p.edges[i].below {
			entangled[child] = true
			stack = append(stack, child)
		}
	}
}

// isAlone reports whether a node, wherever it applies, is all that describes
// the members there: it is a place, or every way to it is by an alias.
func (p *layout) isAlone(v *view, i int) bool {
	if v.alone[i] == 0 {
		alone := !p.isPlace(i) || !v.entangled[i]
		for _, from := range p.referrers[i] {
			alone = alone && p.alias[from] == i && p.isAlone(v, from)
		}
		v.alone[i] = -1
		if alone {
			v.alone[i] = 1
		}
	}
	return v.alone[i] > 0
}

// decides reports whether a node that stands alone decides about members
// itself, and leaves that to no alias.
func (p *layout) decides(v *view, i int) bool {
	return p.nodes[i].Value.kind == Object && (p.isPlace(i) || len(p.referrers[i]) > 0) &&
		p.isAlone(v, i) && (p.alias[i] < 0 || !p.isAlone(v, p.alias[i]))
}

// cousins are the nodes below one group, by the parts that they describe.
type cousins struct {
	*layout
	names    map[string][]int
	order    []string
	patterns []int
	rest     []int // additionalProperties and unevaluatedProperties
	items    []int
	holders  int // nodes of the group that describe items
	contains bool
	// fixed must not change, for a keyword compares them as a whole.
	fixed []int
}

func (c *cousins) gather(group []int) {
	unique, listed := false, false
	for _, n := range group {
		v := c.nodes[n].Value
		unique = unique || v.Get("uniqueItems") != nil
		listed = listed || hasContainers(v)
		had := len(c.items)
		for _, child := range c.edges[n].below {
			c.add(child)
		}
		if len(c.items) > had {
			c.holders++
		}
	}
	if unique {
		c.fixed = append(c.fixed, c.items...)
	}
	if listed {
		c.fixed = append(c.fixed, c.all()...)
	}
}

// hasContainers reports whether a node lists objects or arrays.
func hasContainers(v *Value) bool {
	return slices.ContainsFunc(v.members, func(m Member) bool {
		return (m.Name == "const" || m.Name == "enum") && !indifferent(m)
	})
}

func (c *cousins) add(child int) {
	switch n := &c.nodes[child]; n.In {
	case "properties":
		if c.names[n.Token] == nil {
			c.order = append(c.order, n.Token)
		}
		c.names[n.Token] = append(c.names[n.Token], child)
	case "patternProperties":
		c.patterns = append(c.patterns, child)
	case "unevaluatedProperties":
		c.fixed = append(c.fixed, child)
		fallthrough
	case "additionalProperties":
		if !n.Value.IsFalse() {
			c.rest = append(c.rest, child)
		}
	case "propertyNames":
	case "unevaluatedItems":
		c.fixed = append(c.fixed, child)
		fallthrough
	default: // prefixItems, items, contains
		c.contains = c.contains || n.In == "contains"
		c.items = append(c.items, child)
	}
}

func (c *cousins) all() []int {
	out := slices.Concat(c.patterns, c.rest, c.items)
	for _, name := range c.order {
		out = append(out, c.names[name]...)
	}
	return out
}

// entangled returns those that describe a part together with another one that
// says something of it.
func (c *cousins) entangled() (out []int) {
	if len(c.patterns) > maxGroupPatterns {
		return c.all()
	}
	for _, name := range c.order {
		together := slices.Clone(c.names[name])
		for _, p := range c.patterns {
			if c.matches(p, name) {
				together = append(together, p)
			}
		}
		for _, r := range c.rest {
			if !c.covers(c.nodes[r].Parent, name) {
				together = append(together, r)
			}
		}
		out = append(out, c.touching(together)...)
	}
	out = append(out, c.touching(c.patterns)...)
	for _, r := range c.rest {
		together := []int{r}
		for _, other := range slices.Concat(c.rest, c.patterns) {
			if other != r && (c.nodes[other].Parent != c.nodes[r].Parent || c.nodes[r].In == "unevaluatedProperties") {
				together = append(together, other)
			}
		}
		out = append(out, c.touching(together)...)
	}
	if c.contains || c.holders > 1 {
		out = append(out, c.items...)
	}
	return out
}

// covers reports whether a node declares a name by itself.
func (c *cousins) covers(node int, name string) bool {
	if _, ok := c.edges[node].properties[name]; ok {
		return true
	}
	return slices.ContainsFunc(c.patterns, func(p int) bool { return c.nodes[p].Parent == node && c.matches(p, name) })
}

// matches reports whether a node of patternProperties may apply to a name.
func (p *layout) matches(node int, name string) bool {
	compiled := p.patterns[p.nodes[node].Token]
	if compiled == nil {
		return true
	}
	ok, err := compiled.Match(name)
	return ok || err != nil
}

// touching returns those nodes of a list beside which another one says
// something of the same part.
func (c *cousins) touching(list []int) (out []int) {
	if len(list) < 2 {
		return nil
	}
	saying := slices.DeleteFunc(slices.Clone(list), c.saysNothing)
	for _, i := range list {
		if len(saying) > 1 || len(saying) == 1 && saying[0] != i {
			out = append(out, i)
		}
	}
	return out
}

// saysNothing reports whether a node leaves members and items to others.
func (c *cousins) saysNothing(i int) bool {
	n := &c.nodes[i]
	if n.Value.kind == Bool {
		return n.In != "additionalProperties" && n.In != "unevaluatedProperties"
	}
	return !slices.ContainsFunc(n.Value.members, func(m Member) bool { return !indifferent(m) })
}
