// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"iter"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
)

// MaxValidationCost bounds the work of one validation, in applications of a
// schema node to a value: about a microsecond each, and a few hundred bytes
// where the value fails. The library keeps no memo, so a small recursive schema
// can take exponential work on a small instance; counting that work with a
// memo is quick.
const MaxValidationCost = 250_000

// How much of other work costs as much as one application. The library walks
// the elements of a container, parses both sides to compare two numbers, and
// compares all pairs of a list that must be unique when their hashes agree,
// which a hostile list can arrange.
const (
	automatonSteps = 64
	textBytes      = 1024
	elements       = 16
	textsCompared  = 64
	pairsCompared  = 16
	// patternFormat is the cost of format: regex, which compiles its value.
	patternFormat = 5_000
)

// checkCost returns a finding if validating the instance takes too much work.
func (s *Schema) checkCost(instance *Value) *finding.Finding {
	if s.cost(instance) <= MaxValidationCost {
		return nil
	}
	return failure(RuleValidationCost, "",
		fmt.Sprintf("validating the value would apply more than %d schema nodes", MaxValidationCost),
		"make the value smaller, or reduce alternatives that repeat at every level of the schema")
}

// cost is the work of validating the instance, at most one above the limit.
func (s *Schema) cost(instance *Value) int {
	c := coster{Schema: s, memo: map[application]int{}, sizes: map[*Value]int{}}
	return c.cost(application{0, instance})
}

// application is one schema node applied to one value.
type application struct {
	node  int
	value *Value
}

type coster struct {
	*Schema
	memo  map[application]int
	sizes map[*Value]int
}

// cost counts what one application leads to, itself included, and stops just
// above the limit. Whatever it does itself is part of the count, so the count
// bounds its own work as well.
func (c *coster) cost(a application) int {
	if len(c.edges[a.node].inPlace) == 0 && a.value.Len() == 0 {
		return c.own(a) // most values are scalars: not worth a memo
	}
	if known, ok := c.memo[a]; ok {
		return known
	}
	total := c.own(a)
	for next := range c.next(a) {
		if total > MaxValidationCost {
			break
		}
		total += c.cost(next)
	}
	total = min(total, MaxValidationCost+1) // sums of sums would overflow
	c.memo[a] = total
	return total
}

// next yields what is applied when a is. It errs on the side of more: whether
// a condition holds or a pattern matches a name is not looked at.
func (c *coster) next(a application) iter.Seq[application] {
	return func(yield func(application) bool) {
		for _, node := range c.edges[a.node].inPlace {
			if !yield(application{node, a.value}) {
				return
			}
		}
		_ = c.toItems(a, yield) && c.toMembers(a, yield)
	}
}

// toItems yields what is applied to the items of an array, and reports
// whether there is more to ask for.
func (c *coster) toItems(a application, yield func(application) bool) bool {
	e := &c.edges[a.node]
	for i, item := range a.value.items {
		if i < len(e.prefixItems) && !yield(application{e.prefixItems[i], item}) {
			return false
		}
		for _, node := range e.items {
			if !yield(application{node, item}) {
				return false
			}
		}
	}
	return true
}

// toMembers does the same for the members of an object and their names.
func (c *coster) toMembers(a application, yield func(application) bool) bool {
	e := &c.edges[a.node]
	for _, m := range a.value.members {
		property, declared := e.properties[m.Name]
		if declared && !yield(application{property, m.Value}) {
			return false
		}
		for _, node := range e.members {
			part := m.Value
			switch in := c.nodes[node].In; {
			case in == "propertyNames":
				part = NewString(m.Name)
			case in == "additionalProperties" && declared:
				continue
			}
			if !yield(application{node, part}) {
				return false
			}
		}
	}
	return true
}

// own is the work of one application without those that it leads to.
func (c *coster) own(a application) int {
	node, v := c.nodes[a.node].Value, a.value
	work := 1 + v.Len()/elements + len(v.text)/textBytes
	if constant := node.Get("const"); constant != nil {
		work += c.comparing(v, constant)
	}
	if enum := node.Get("enum"); enum != nil {
		work += c.comparing(v, enum.items...)
	}
	switch v.kind {
	case String:
		if p := node.Get("pattern"); p != nil {
			work += c.matching(p.text, 1, len(v.text))
		}
		if format := node.Get("format"); format != nil && format.text == "regex" {
			work += patternFormat
		}
	case Array:
		if node.Get("uniqueItems") != nil {
			work += len(v.items) * c.size(v) / pairsCompared
		}
	case Object:
		if patterns := node.Get("patternProperties"); patterns.Len() > 0 && v.Len() > 0 {
			names := 0
			for _, m := range v.members {
				names += len(m.Name)
			}
			for _, p := range patterns.members {
				work += c.matching(p.Name, v.Len(), names)
			}
		}
	default: // other kinds have no expensive keyword
	}
	return min(work, MaxValidationCost+1)
}

// comparing is the work of comparing a value with others.
func (c *coster) comparing(v *Value, others ...*Value) int {
	texts, values := 0, 0
	for _, other := range others {
		switch {
		case other.kind != v.kind || v.kind == String || v.kind == Bool || v.kind == Null:
			texts++
		default:
			values += min(c.size(v), c.size(other))
		}
	}
	return values + texts/textsCompared
}

// matching is the work of matching texts against a pattern.
func (c *coster) matching(source string, texts, bytes int) int {
	p := c.patterns[source]
	if p == nil {
		return 0 // of the wrong type, which the meta-schema refuses
	}
	if !p.Regular() {
		bytes = min(bytes, texts*pattern.MaxBacktrackInput) // longer ones get no answer
	}
	return texts + p.Cost()*bytes/automatonSteps
}

// size counts the values in a value, itself included.
func (c *coster) size(v *Value) int {
	if v.Len() == 0 {
		return 1
	}
	if known, ok := c.sizes[v]; ok {
		return known
	}
	n := 1
	for _, item := range v.items {
		n += c.size(item)
	}
	for _, m := range v.members {
		n += c.size(m.Value)
	}
	c.sizes[v] = n
	return n
}
