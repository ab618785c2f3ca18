// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// plan says which objects of a document get another form. It is made for the
// whole document before anything is written, because one decode rule undoes
// everything: it sees a value and not the branch of a union that the value was
// written for.
type plan struct {
	*tree
	nulls nulls
	// referred are the pointers of all targets of references, but for the root
	// and whole definitions.
	referred []string
	// require are optional properties that become required and admit null
	// already; drop are those that get null for being absent.
	require, drop map[property]bool
	// pairs are maps that become arrays of pairs.
	pairs map[int]bool

	// kept are the nodes where a value means something to more than one schema,
	// or to one that turns the meaning round. They keep their form.
	kept []bool
	// objects are the nodes that must stay objects.
	objects []bool
	plain   []truth
	graph   *graph
}

// property is a declared property of a node.
type property struct {
	node int
	name string
}

// maxPlans bounds how often conflicts are taken out of a plan. Each time there
// are fewer; what is left after so many is no plan worth having.
const maxPlans = 16

// newPlan finds what findings of a profile can be met by another form. Beyond
// Narrow nothing is planned that was not allowed.
func newPlan(s *schema.Schema, findings []finding.Finding, most Effect) *plan {
	p := &plan{tree: newTree(s), require: map[property]bool{}, drop: map[property]bool{}, pairs: map[int]bool{}}
	p.nulls = nulls{tree: p.tree, memo: map[int]truth{}}
	for i := range s.Nodes() {
		if ref := s.Nodes()[i].Ref; ref >= 0 && !isDefinition(&s.Nodes()[ref]) {
			p.referred = append(p.referred, s.Nodes()[ref].Pointer)
		}
	}
	slices.Sort(p.referred)
	p.referred = slices.Compact(p.referred)
	p.propose(findings, most)
	if p.size() == 0 {
		return p
	}
	for range maxPlans {
		before := p.size()
		p.keep()
		p.graph = newGraph(p)
		if p.graph.settleConflicts(); p.size() == before {
			return p
		}
	}
	p.forget()
	return p
}

// forget gives the plan up.
func (p *plan) forget() {
	clear(p.require)
	clear(p.drop)
	clear(p.pairs)
	p.graph = nil
}

func (p *plan) size() int { return len(p.require) + len(p.drop) + len(p.pairs) }

func isDefinition(n *schema.Node) bool {
	return n.Parent < 0 || (n.Parent == 0 && (n.In == "$defs" || n.In == "definitions"))
}

// propose takes what the profile refuses as what should change.
func (p *plan) propose(findings []finding.Finding, most Effect) {
	for _, f := range findings {
		if f.Severity != finding.Error {
			continue
		}
		tokens := finding.Tokens(f.Pointer)
		switch {
		case f.Rule == provider.RulePropertyNotRequired && len(tokens) >= 2:
			p.proposeProperty(tokens, most)
		case most < Reshape:
		case f.Keyword == "additionalProperties" || f.Keyword == "patternProperties" || f.Keyword == "propertyNames" ||
			f.Keyword == "minProperties" || f.Keyword == "maxProperties":
			p.proposeMap(tokens[:len(tokens)-1])
		case f.Rule == provider.RuleObjectNotClosed:
			p.proposeMap(tokens)
		}
	}
}

func (p *plan) proposeProperty(tokens []string, most Effect) {
	name := tokens[len(tokens)-1]
	i, ok := p.schema.IndexAt(finding.Pointer("", tokens[:len(tokens)-2]...))
	if !ok || !p.requirable(i) {
		return
	}
	declared, ok := p.at(i, "properties", name)
	if !ok || p.isReferred(p.node(declared).Pointer, "") {
		return
	}
	switch p.nulls.admits(declared) {
	case isTrue:
		p.require[property{i, name}] = true
	case isFalse:
		if most >= Reshape {
			p.drop[property{i, name}] = true
		}
	default: // what cannot be decided stays as it is
	}
}

// requirable reports whether all properties of an object can be there at once,
// and whether leaving null ones out again breaks no count.
func (p *plan) requirable(i int) bool {
	v := p.node(i).Value
	if most := v.Get("maxProperties"); most != nil {
		if n, ok := most.Int(); !ok || n < int64(v.Get("properties").Len()) {
			return false
		}
	}
	if least := v.Get("minProperties"); least != nil {
		if n, ok := least.Int(); !ok || n > int64(v.Get("required").Len()) {
			return false
		}
	}
	return true
}

func (p *plan) proposeMap(tokens []string) {
	i, ok := p.schema.IndexAt(finding.Pointer("", tokens...))
	if ok && readMap(p.node(i).Value) != nil && !p.isReferred(p.node(i).Pointer, "/") {
		p.pairs[i] = true
	}
}

// isReferred reports whether a reference leads to a place, or below it with a
// slash for its ending. What is referred to by pointer cannot move, and cannot
// change for one of its users alone.
func (p *plan) isReferred(pointer, ending string) bool {
	return slices.ContainsFunc(p.referred, func(target string) bool {
		rest, below := strings.CutPrefix(target, pointer)
		return below && strings.HasPrefix(rest, ending) && (rest == "" || rest[0] == '/')
	})
}

// mapSchema is an object that is nothing but a map.
type mapSchema struct {
	// value is the schema of the values, held by the keyword of this name and,
	// for patternProperties, by this pattern.
	value            *schema.Value
	keyword, pattern string
}

// readMap recognizes a map whose values have a type of their own; nil for
// everything else. A map of anything has no form that a strict API takes.
func readMap(v *schema.Value) *mapSchema {
	types := schema.Types(v)
	if !slices.Contains(types, "object") || slices.ContainsFunc(types, func(t string) bool { return t != "object" && t != "null" }) {
		return nil
	}
	if v.Get("properties").Len() > 0 || v.Get("required").Len() > 0 {
		return nil
	}
	if names := schema.Types(v.Get("propertyNames")); names != nil && !slices.Contains(names, "string") {
		return nil // no name at all is admitted
	}
	for _, m := range v.Members() {
		if k, known := schema.LookupKeyword(m.Name); known && !k.Annotation && !slices.Contains(mapKeywords, m.Name) {
			return nil
		}
	}
	additional, patterns := v.Get("additionalProperties"), v.Get("patternProperties")
	var m *mapSchema
	switch {
	case patterns.Len() == 0:
		m = &mapSchema{value: additional, keyword: "additionalProperties"}
	case len(membersOf(patterns)) == 1 && !v.Has("propertyNames") && (additional == nil || additional.Kind() == schema.Bool):
		only := patterns.Members()[0]
		m = &mapSchema{value: only.Value, keyword: "patternProperties", pattern: only.Name}
	default:
		return nil
	}
	if m.value == nil || m.value.Kind() != schema.Object || !saysType(m.value) {
		return nil
	}
	return m
}

// valueOf is the node that holds the values of a map.
func (t *tree) valueOf(i int, m *mapSchema) int {
	at, _ := t.at(i, m.keyword, m.pattern)
	return at
}

var mapKeywords = []string{
	"type", "properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties", "maxProperties",
}

// saysType reports whether a schema says itself what its values are.
func saysType(v *schema.Value) bool {
	return slices.ContainsFunc([]string{"type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"}, v.Has)
}

// keep marks what keeps its form, and takes it out of the plan.
func (p *plan) keep() {
	p.kept = make([]bool, len(p.schema.Nodes()))
	p.objects = make([]bool, len(p.schema.Nodes()))
	p.plain = make([]truth, len(p.schema.Nodes()))
	p.stayObjects(0)
	for i := range p.schema.Nodes() {
		if p.node(i).Value.Kind() != schema.Object {
			continue
		}
		if !p.isPlain(i) {
			for _, next := range p.schema.Applies(i) {
				p.keepBelow(next)
			}
		} else if p.node(i).Value.Has("type") {
			for _, next := range p.schema.AppliesInPlace(i) {
				p.stayObjects(next)
			}
		}
	}
	for i := range p.pairs {
		if p.kept[i] || p.objects[i] {
			delete(p.pairs, i)
		}
	}
	for _, list := range []map[property]bool{p.require, p.drop} {
		for at := range list {
			if p.kept[at.node] || !p.isPlain(at.node) {
				delete(list, at)
			}
		}
	}
}

func (p *plan) keepBelow(i int) {
	if p.kept[i] {
		return
	}
	p.kept[i] = true
	for _, next := range p.schema.Applies(i) {
		p.keepBelow(next)
	}
}

func (p *plan) stayObjects(i int) {
	if p.objects[i] {
		return
	}
	p.objects[i] = true
	for _, next := range p.schema.AppliesInPlace(i) {
		p.stayObjects(next)
	}
}

// isPlain reports whether each part of a value is a matter of one schema alone
// below a node: nothing in it counts, compares, negates or looks at a part a
// second time. Then the parts can change their form one by one.
func (p *plan) isPlain(i int) bool {
	if p.plain[i] == undecided {
		p.plain[i] = truthOf(p.judgePlain(i))
	}
	return p.plain[i] == isTrue
}

func (p *plan) judgePlain(i int) bool {
	v := p.node(i).Value
	inPlace, structure := 0, false
	for _, m := range v.Members() {
		switch m.Name {
		case "type", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
			"multipleOf", "$id", "$anchor":
		case "enum":
			if slices.ContainsFunc(m.Value.Items(), isContainer) {
				return false
			}
		case "const":
			if isContainer(m.Value) {
				return false
			}
		case "properties", "required", "additionalProperties", "minProperties", "maxProperties", "items", "minItems", "maxItems":
			structure = true
		case "patternProperties", "propertyNames":
			if !p.pairs[i] {
				return false
			}
		case "anyOf", "$ref":
			inPlace++
		case "oneOf":
			if inPlace++; !pairwiseDisjoint(m.Value.Items()) {
				return false
			}
		default:
			if k, known := schema.LookupKeyword(m.Name); known && !k.Annotation {
				return false
			}
		}
	}
	return inPlace == 0 || (inPlace == 1 && !structure)
}

func isContainer(v *schema.Value) bool { return v.Kind() == schema.Array || v.Kind() == schema.Object }
