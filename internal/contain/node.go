// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// node is one schema location in canonical form: what it admits of each kind
// of value, and what is left that applies to the same instance. The node
// admits a value if its kind is among kinds, the part for that kind admits it,
// and every entry of the applicators does. A nil *node admits everything.
type node struct {
	graph *graph
	// slot is the index of the location in the document; -1 for a node that
	// exists only in the canonical form.
	slot    int
	pointer string
	source  *schema.Value

	kinds  kinds
	number numbers
	text   texts
	array  arrays
	object objects
	applicators

	// What the node evaluates for unevaluatedProperties and unevaluatedItems
	// beyond the members and positions that its parts name: allMembers and
	// allItems all of them, evaluates some that nothing here tells.
	evaluates, allMembers, allItems bool

	// lost says that something evaluates which the applicators do not show any more.
	lost bool

	// restMembers and restItems are what unevaluatedProperties and
	// unevaluatedItems say, where they could not be written into the parts.
	restMembers, restItems *node
	openMembers, openItems bool

	// opaque names a keyword whose meaning depends on what its neighbours
	// evaluated. Dropping it widens the node, so it may be dropped on the left
	// side of a containment; on the right side only a literally equal node proves.
	opaque string
}

// applicators are the subschemas that apply to the same instance and could not
// be folded into the parts of the node.
type applicators struct {
	all       []*node
	any       [][]*node
	one       [][]*node
	not       []*node
	when      []conditional
	dependent []dependentSchema
}

// conditional is if with then and else; nil branches admit everything.
type conditional struct{ test, then, otherwise *node }

type dependentSchema struct {
	name string
	node *node
}

// texts is what a node says about strings. Lengths count code points.
type texts struct {
	min, max int64 // max is unlimited if negative
	patterns []*pattern.Pattern
	formats  []string
	values   *valueSet
}

// arrays is what a node says about arrays.
type arrays struct {
	min, max int64
	prefix   []*node
	rest     *node
	unique   bool
	contains []containment
	values   *valueSet
}

// containment is one contains keyword with its counts.
type containment struct {
	node     *node
	min, max int64
}

// objects is what a node says about objects. Lists are sorted by name.
type objects struct {
	min, max   int64
	properties []property
	patterns   []patternProperty
	additional *node
	required   []string
	dependent  []dependentNames
	names      []*node // propertyNames
	values     *valueSet
}

// property is a declared member; pointer is where it is declared, which is not
// where its node is if that is a reference.
type property struct {
	name    string
	node    *node
	pointer string
}

type patternProperty struct {
	pattern *pattern.Pattern
	node    *node
}

type dependentNames struct {
	name  string
	needs []string
}

const unlimited = -1

func newNode(g *graph, slot int, pointer string, source *schema.Value) node {
	return node{
		graph: g, slot: slot, pointer: pointer, source: source, kinds: everyKind,
		text:   texts{max: unlimited},
		array:  arrays{max: unlimited},
		object: objects{max: unlimited},
	}
}

// everything is what a nil node stands for, where a node is needed.
var everything = func() *node {
	n := newNode(nil, -1, "", schema.NewBool(true))
	return &n
}()

// A synthetic node has a source too, an empty one: what the author wrote lies
// in the schemas it was folded from.
var noSource = schema.NewObject()

// orEverything returns a node for one that may be nil.
func (n *node) orEverything() *node {
	if n == nil {
		return everything
	}
	return n
}

// never reports whether the canonical form alone shows that nothing is admitted.
func (n *node) never() bool { return n != nil && n.kinds == 0 }

// always reports whether the canonical form alone shows that everything is admitted.
func (n *node) always() bool {
	return n == nil || (n.kinds == everyKind && n.opaque == "" && n.standsAlone() && n.unconstrained())
}

// unconstrained reports whether the parts say nothing beyond the kinds.
func (n *node) unconstrained() bool {
	return n.number.unconstrained() && n.text.unconstrained() && n.array.unconstrained() && n.object.unconstrained()
}

// standsAlone reports whether no other schema looks at the same instance.
func (a *applicators) standsAlone() bool {
	return len(a.all)+len(a.any)+len(a.one)+len(a.not)+len(a.when)+len(a.dependent) == 0
}

func (t *texts) unconstrained() bool {
	return t.min == 0 && t.max < 0 && len(t.patterns)+len(t.formats) == 0 && t.values == nil
}

func (a *arrays) unconstrained() bool {
	return a.min == 0 && a.max < 0 && len(a.prefix)+len(a.contains) == 0 && a.rest == nil && !a.unique && a.values == nil
}

func (o *objects) unconstrained() bool {
	return o.min == 0 && o.max < 0 && !o.shapesMembers() &&
		len(o.required)+len(o.dependent)+len(o.names) == 0 && o.values == nil
}

// shapesMembers reports whether the keywords that look at each other are used:
// which members additionalProperties sees depends on the other two.
func (o *objects) shapesMembers() bool {
	return len(o.properties)+len(o.patterns) > 0 || o.additional != nil
}

// shortest is the least length of a text, also by its patterns.
func (t *texts) shortest() int64 {
	least := t.min
	for _, p := range t.patterns {
		least = max(least, int64(p.Lengths().Least))
	}
	return least
}

// longest is the greatest length of a text, also by its patterns; unlimited if
// negative.
func (t *texts) longest() int64 {
	most := t.max
	for _, p := range t.patterns {
		most = atMost(most, int64(p.Lengths().Most))
	}
	return most
}

// item returns the schema of a position of an array.
func (a *arrays) item(i int) *node {
	if i < len(a.prefix) {
		return a.prefix[i]
	}
	return a.rest
}

// longest is the largest number of items, unlimited if negative.
func (a *arrays) longest() int64 {
	longest := a.max
	for i, n := range a.prefix {
		if n.never() {
			return atMost(longest, int64(i))
		}
	}
	if a.rest.never() {
		return atMost(longest, int64(len(a.prefix)))
	}
	return longest
}

// most is the largest number of members, unlimited if negative.
func (o *objects) most() int64 {
	if !o.additional.never() || len(o.patterns) > 0 {
		return o.max
	}
	possible := int64(0)
	for _, p := range o.properties {
		if !p.node.never() {
			possible++
		}
	}
	return atMost(o.max, possible)
}

// fewest is the smallest number of members.
func (o *objects) fewest() int64 { return max(o.min, int64(len(o.required))) }

// property finds a declared property by its exact name.
func (o *objects) property(name string) (property, bool) {
	i, ok := slices.BinarySearchFunc(o.properties, name, func(p property, name string) int {
		switch {
		case p.name < name:
			return -1
		case p.name > name:
			return 1
		}
		return 0
	})
	if !ok {
		return property{}, false
	}
	return o.properties[i], true
}

// requires reports whether a name is required.
func (o *objects) requires(name string) bool {
	_, ok := slices.BinarySearch(o.required, name)
	return ok
}

// at returns every schema that applies to a member of this name. When a
// pattern cannot answer, known is false and the list may lack some.
func (o *objects) at(name string) (list []*node, known bool) {
	known = true
	matched := false
	if p, ok := o.property(name); ok {
		matched = true
		list = append(list, p.node)
	}
	for _, p := range o.patterns {
		ok, err := p.pattern.Match(name)
		if err != nil {
			known = false
			continue
		}
		if ok {
			matched = true
			list = append(list, p.node)
		}
	}
	if !matched && known && o.additional != nil {
		list = append(list, o.additional)
	}
	return list, known
}

// surelyAt returns schemas that apply to a member of this name, perhaps not all.
func (o *objects) surelyAt(name string) []*node {
	list, _ := o.at(name)
	return list
}

func atMost(a, b int64) int64 {
	switch {
	case a < 0:
		return b
	case b < 0:
		return a
	}
	return min(a, b)
}

// within reports whether a limit a is at least as tight as a limit b.
func within(a, b int64) bool { return b < 0 || (a >= 0 && a <= b) }
