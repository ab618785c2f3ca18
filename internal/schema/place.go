// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/finding"
)

// At returns the nodes that say something of the place of an instance that a
// JSON pointer leads to, in any schema that may apply there; none if no schema
// declares the place. A member is declared by properties and patternProperties,
// an item by prefixItems and items.
func (s *Schema) At(pointer string) []int {
	nodes := s.applying([]int{0})
	for _, token := range finding.Tokens(pointer) {
		var next []int
		for _, i := range nodes {
			for _, c := range Children(s.nodes[i].Value) {
				if !s.declares(c, token) {
					continue
				}
				if k, ok := s.IndexAt(c.Pointer(s.nodes[i].Pointer)); ok && !slices.Contains(next, k) {
					next = append(next, k)
				}
			}
		}
		nodes = s.applying(next)
	}
	return nodes
}

// declares reports whether a subschema is about the member or item of a token.
func (s *Schema) declares(c Child, token string) bool {
	switch c.Keyword.Name {
	case "properties":
		return c.Token == token
	case "patternProperties":
		p := s.Pattern(c.Token)
		if p == nil {
			return false
		}
		matched, err := p.Match(token)
		return matched && err == nil
	case "prefixItems":
		return c.Token == token
	case "items":
		n, err := strconv.Atoi(token)
		return err == nil && n >= 0 && strconv.Itoa(n) == token
	}
	return false
}

// applying adds every node that applies to the same part of an instance.
func (s *Schema) applying(nodes []int) []int {
	out := slices.Clone(nodes)
	for at := 0; at < len(out); at++ {
		for _, next := range s.edges[out[at]].inPlace {
			if !slices.Contains(out, next) {
				out = append(out, next)
			}
		}
	}
	return out
}

// MayBeAt reports whether the place that nodes of [Schema.At] describe may hold
// values of a kind; it errs on the side of yes. Nodes below an alternative or a
// condition do not exclude anything.
func (s *Schema) MayBeAt(nodes []int, k Kind) bool {
	for _, i := range nodes {
		if s.isBranch(i) {
			continue
		}
		if !s.mayBe(i, k) && (k != Number || !slices.Contains(Types(s.nodes[i].Value), "integer")) {
			return false
		}
	}
	return true
}

// Always are those of the nodes that apply to every instance with the place,
// under no condition.
func (s *Schema) Always(nodes []int) []int {
	return slices.DeleteFunc(slices.Clone(nodes), s.isBranch)
}

// isBranch reports whether a node applies only under a condition, because it or
// what holds it is an alternative.
func (s *Schema) isBranch(i int) bool {
	for ; i >= 0; i = s.nodes[i].Parent {
		switch s.nodes[i].In {
		case "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "$defs", "definitions":
			return true
		}
	}
	return false
}
