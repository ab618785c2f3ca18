// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"strings"

	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// reader brings the keywords of one location into its node. The document has
// been compiled, so every keyword has the JSON type that the meta-schema wants.
type reader struct {
	graph *graph
	node  *node
	at    int

	// conjuncts and alternatives still have to be folded into the node.
	conjuncts []*node
	any, one  [][]*node
}

// keywords reads what is not a subschema.
func (r *reader) keywords() {
	n := r.node
	for _, m := range n.source.Members() {
		switch m.Name {
		case "type":
			r.types()
		case "enum":
			n.restrict(newValueSet(m.Value.Items()))
		case "const":
			n.restrict(newValueSet([]*schema.Value{m.Value}))
		case "minimum", "exclusiveMinimum":
			n.number.raiseLow(bound{at: m.Value.Rat(), open: m.Name == "exclusiveMinimum"})
		case "maximum", "exclusiveMaximum":
			n.number.lowerHigh(bound{at: m.Value.Rat(), open: m.Name == "exclusiveMaximum"})
		case "multipleOf":
			n.number.requireStep(m.Value.Rat())
		case "minLength":
			n.text.min = count(m.Value)
		case "maxLength":
			n.text.max = count(m.Value)
		case "pattern":
			n.text.patterns = append(n.text.patterns, r.graph.schema.Pattern(m.Value.Text()))
		case "format":
			if name, asserted := readFormat(m.Value.Text()); asserted {
				n.text.formats = append(n.text.formats, name)
			}
		case "minItems":
			n.array.min = count(m.Value)
		case "maxItems":
			n.array.max = count(m.Value)
		case "uniqueItems":
			n.array.unique = m.Value.IsTrue()
		case "minProperties":
			n.object.min = count(m.Value)
		case "maxProperties":
			n.object.max = count(m.Value)
		case "required":
			n.object.required = m.Value.Strings()
		case "dependentRequired":
			for _, d := range m.Value.Members() {
				n.object.dependent = append(n.object.dependent, dependentNames{d.Name, d.Value.Strings()})
			}
		default:
			if !holdsSubschemas(m.Name) && asserts(m.Name) {
				n.opaque = m.Name
			}
		}
	}
}

// holdsSubschemas names the keywords that subschemas reads, and those that
// only mean something beside them.
func holdsSubschemas(name string) bool {
	switch name {
	case "$ref", "properties", "patternProperties", "additionalProperties", "propertyNames",
		"dependentSchemas", "unevaluatedProperties", "prefixItems", "items", "contains", "minContains", "maxContains",
		"unevaluatedItems", "allOf", "anyOf", "oneOf", "not", "if", "then", "else":
		return true
	}
	return false
}

func (r *reader) types() {
	var admitted kinds
	integer, number := false, false
	for _, word := range schema.Types(r.node.source) {
		admitted |= kindsByType[word]
		integer = integer || word == "integer"
		number = number || word == "number"
	}
	r.node.kinds &= admitted
	if integer && !number {
		r.node.number.requireStep(unit)
	}
}

// restrict admits only listed values from now on.
func (n *node) restrict(values *valueSet) {
	var admitted kinds
	byKind := map[kinds]*valueSet{kindNumber: {}, kindString: {}, kindArray: {}, kindObject: {}}
	for part := range byKind {
		byKind[part] = values.filter(func(v *schema.Value) bool { return kindOf(v) == part })
	}
	for _, v := range values.list {
		admitted |= kindOf(v)
	}
	n.kinds &= admitted
	n.number.values = n.number.values.intersect(byKind[kindNumber])
	n.text.values = n.text.values.intersect(byKind[kindString])
	n.array.values = n.array.values.intersect(byKind[kindArray])
	n.object.values = n.object.values.intersect(byKind[kindObject])
}

// count reads a count; admission keeps counts below 2^53.
func count(v *schema.Value) int64 {
	n, _ := v.Int()
	return n
}

// subschemas reads the keywords that hold schemas.
func (r *reader) subschemas() {
	if ref := r.graph.schema.Nodes()[r.at].Ref; ref >= 0 {
		r.conjuncts = append(r.conjuncts, r.graph.inPlace(ref))
	}
	groups := map[string][]*node{}
	for _, i := range r.graph.children[r.at] {
		child := r.graph.schema.Nodes()[i]
		switch child.In {
		case "allOf":
			r.conjuncts = append(r.conjuncts, r.graph.inPlace(i))
		case "anyOf", "oneOf":
			groups[child.In] = append(groups[child.In], r.graph.inPlace(i))
		case "not":
			r.node.not = append(r.node.not, r.graph.inPlace(i))
		case "if", "then", "else":
			groups[child.In] = []*node{r.graph.inPlace(i)}
		case "dependentSchemas":
			r.node.dependent = append(r.node.dependent, dependentSchema{child.Token, r.graph.inPlace(i)})
		default:
			r.below(child, i)
		}
	}
	if g := groups["anyOf"]; g != nil {
		r.any = append(r.any, g)
	}
	if g := groups["oneOf"]; g != nil {
		r.one = append(r.one, g)
	}
	if test := groups["if"]; test != nil && len(groups["then"])+len(groups["else"]) > 0 {
		r.node.when = append(r.node.when, conditional{test[0], first(groups["then"]), first(groups["else"])})
	} else if test != nil {
		r.node.evaluates = true
		if r.graph.unevaluated {
			r.node.when = append(r.node.when, conditional{test: test[0]})
		}
	}
}

func first(list []*node) *node {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// below reads one subschema that applies to a part of the instance.
func (r *reader) below(child schema.Node, i int) {
	n := r.node
	switch child.In {
	case "properties":
		n.object.properties = append(n.object.properties, property{child.Token, r.graph.below(i), child.Pointer})
	case "patternProperties":
		n.object.patterns = append(n.object.patterns, patternProperty{r.graph.schema.Pattern(child.Token), r.graph.below(i)})
	case "additionalProperties":
		n.object.additional, n.allMembers = r.graph.below(i), true
	case "propertyNames":
		if below := r.graph.below(i); below != nil {
			n.object.names = append(n.object.names, below)
		}
	case "prefixItems":
		n.array.prefix = append(n.array.prefix, r.graph.below(i))
	case "items":
		n.array.rest, n.allItems = r.graph.below(i), true
	case "contains":
		n.evaluates = true
		r.contains(i)
	}
}

// contains reads the keyword with its counts, which mean nothing without it.
func (r *reader) contains(i int) {
	c := containment{node: r.graph.below(i), min: 1, max: unlimited}
	if v := r.node.source.Get("minContains"); v != nil {
		c.min = count(v)
	}
	if v := r.node.source.Get("maxContains"); v != nil {
		c.max = count(v)
	}
	if c.min > 0 || c.max >= 0 || r.graph.unevaluated {
		r.node.array.contains = append(r.node.array.contains, c)
	}
}

// unevaluated reads unevaluatedProperties and unevaluatedItems, after the other
// schemas at the same place were folded into the node. Where that was possible
// with all of them, they mean what additionalProperties and items mean;
// otherwise what they see depends on which of those schemas accept.
func (r *reader) unevaluated() {
	n := r.node
	alone := n.standsAlone() && !n.evaluates
	for _, i := range r.graph.children[r.at] {
		child := r.graph.schema.Nodes()[i]
		switch child.In {
		case "unevaluatedProperties":
			switch {
			case !alone:
				n.opaque = child.In
				n.restMembers, n.openMembers = r.graph.below(i), true
			case !n.allMembers:
				n.object.additional, n.allMembers = r.graph.below(i), true
			}
		case "unevaluatedItems":
			switch {
			case !alone:
				n.opaque = child.In
				n.restItems, n.openItems = r.graph.below(i), true
			case !n.allItems:
				n.array.rest, n.allItems = r.graph.below(i), true
			}
		}
	}
}

func comparePatterns(a, b *pattern.Pattern) int { return strings.Compare(a.String(), b.String()) }

func samePattern(a, b *pattern.Pattern) bool { return a.String() == b.String() }
