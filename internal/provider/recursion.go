// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// recursion judges references that lead back to a schema that contains them.
func (c *checker) recursion() {
	if !c.schema.Recursive() || c.quiet(Recursion) {
		return
	}
	outcomes := c.table.shapes[shapeIndex(Recursion)].outcomes
	reported := map[int]bool{}
	for i := range outcomes {
		o := &outcomes[i]
		for _, at := range c.closing(o.When != nil) {
			if reported[at] {
				continue
			}
			reported[at] = true
			if o.severity == "" {
				continue
			}
			about := c.about(at)
			about.shape, about.keyword = Recursion, "$ref"
			about.pointer = finding.Pointer(about.pointer, "$ref")
			c.report(o, about)
		}
	}
}

// closing are the references that close cycles; see [closingReferences].
func (c *checker) closing(mandatory bool) []int {
	if mandatory {
		return c.outline.closingMandatory()
	}
	return c.outline.closing()
}

// closingReferences finds, for every cycle that a depth-first walk meets, the
// node whose $ref closes it. With mandatory, steps through properties that may
// be absent are left out, so that only cycles without such an exit remain.
// Sharing nodes costs nothing: each is walked once.
func closingReferences(s *schema.Schema, mandatory bool) []int {
	const (
		unseen = iota
		open
		done
	)
	var found []int
	state := make([]uint8, len(s.Nodes()))
	type frame struct {
		node int
		next []int
	}
	for start := range s.Nodes() {
		if state[start] != unseen {
			continue
		}
		state[start] = open
		stack := []frame{{start, steps(s, start, mandatory)}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.next) == 0 {
				state[top.node] = done
				stack = stack[:len(stack)-1]
				continue
			}
			next := top.next[0]
			top.next = top.next[1:]
			switch state[next] {
			case unseen:
				state[next] = open
				stack = append(stack, frame{next, steps(s, next, mandatory)})
			case open:
				// Containment alone has no cycle, so a reference is on the way
				// from next to here; the nearest one closes it.
				for i, target := len(stack)-1, next; i >= 0; i, target = i-1, stack[i].node {
					if s.Nodes()[stack[i].node].Ref == target {
						found = append(found, stack[i].node)
						break
					}
				}
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// steps are the nodes that apply when a node applies.
func steps(s *schema.Schema, i int, mandatory bool) []int {
	next := s.Applies(i)
	if !mandatory {
		return next
	}
	return slices.DeleteFunc(next, func(j int) bool {
		n := &s.Nodes()[j]
		return n.In == "properties" && n.Parent == i && !requiredNames(s.Nodes()[i].Value.Get("required")).has(n.Token)
	})
}
