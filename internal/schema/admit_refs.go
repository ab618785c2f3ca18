// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// resolve connects every $ref with the node it leads to.
func (a *admission) resolve() {
	for i := range a.nodes {
		ref := a.nodes[i].Value.Get("$ref")
		if ref == nil || ref.kind != String {
			continue
		}
		target, message, fix := a.target(ref.text)
		if message != "" {
			rule := RuleRefUnresolved
			if ref.text != "" && !strings.HasPrefix(ref.text, "#") {
				rule = RuleRefNotLocal
			}
			a.report(finding.Error, rule, a.nodes[i].Pointer, "$ref", message, fix)
			continue
		}
		a.nodes[i].Ref = target
	}
}

// target finds the node of a reference, or says why there is none. Nothing is
// ever opened: only fragments of this document are followed.
func (a *admission) target(ref string) (at int, message, fix string) {
	fragment, local := strings.CutPrefix(ref, "#")
	if ref == "" {
		return 0, "the reference is empty", "write # to refer to the whole schema, or #/$defs/NAME"
	}
	if !local {
		return 0, fmt.Sprintf("the reference %s leaves the document; nothing is ever fetched or opened", finding.Quote(ref)),
			"copy the target into $defs and refer to #/$defs/NAME"
	}
	decoded, err := url.PathUnescape(fragment)
	if err != nil {
		return 0, fmt.Sprintf("the reference %s is not a valid URI fragment", finding.Quote(ref)), "percent-encode it"
	}
	if decoded != "" && !strings.HasPrefix(decoded, "/") {
		if at, ok := a.anchors[decoded]; ok {
			return at, "", ""
		}
		return 0, fmt.Sprintf("no $anchor is named %s", finding.Quote(decoded)), "add the anchor, or refer to #/$defs/NAME"
	}
	if at, ok := a.byPointer[decoded]; ok {
		return at, "", ""
	}
	if finding.Pointer("", finding.Tokens(decoded)...) != decoded {
		return 0, fmt.Sprintf("the reference %s has a ~ that is neither ~0 nor ~1", finding.Quote(ref)), "write ~0 for ~ and ~1 for /"
	}
	if a.root.At(finding.Tokens(decoded)) != nil {
		return 0, fmt.Sprintf("the reference %s leads to a place that is not a schema", finding.Quote(ref)),
			"move the target below $defs"
	}
	return 0, fmt.Sprintf("the reference %s leads nowhere", finding.Quote(ref)), "define the target below $defs"
}

// RefTo writes a pointer as a reference inside the document.
func RefTo(pointer string) string { return "#" + (&url.URL{Fragment: pointer}).EscapedFragment() }

// edges are the nodes that apply when a node applies: to the same instance
// (in place), or to a part of it.
type edges struct {
	inPlace []int
	below   []int
	// What is below, by the parts that it applies to.
	properties  map[string]int // the member of one name
	members     []int          // any member or its name
	prefixItems []int          // the item at the same position
	items       []int          // any item
}

// connect records the edges of every node. Definitions have none: they apply
// where a reference says so.
func (a *admission) connect() {
	a.edges = make([]edges, len(a.nodes))
	for i := range a.nodes {
		n := &a.nodes[i]
		if n.Ref >= 0 {
			a.edges[i].inPlace = append(a.edges[i].inPlace, n.Ref)
		}
		if n.Parent < 0 {
			continue
		}
		switch k, _ := LookupKeyword(n.In); {
		case k.InPlace:
			a.edges[n.Parent].inPlace = append(a.edges[n.Parent].inPlace, i)
		case !k.Annotation:
			a.edges[n.Parent].addBelow(i, n)
		}
	}
}

func (e *edges) addBelow(i int, n *Node) {
	e.below = append(e.below, i)
	switch n.In {
	case "properties":
		if e.properties == nil {
			e.properties = map[string]int{}
		}
		e.properties[n.Token] = i
	case "prefixItems":
		e.prefixItems = append(e.prefixItems, i)
	case "items", "contains", "unevaluatedItems":
		e.items = append(e.items, i)
	default: // patternProperties, propertyNames, additionalProperties, unevaluatedProperties
		e.members = append(e.members, i)
	}
}

// checkChains follows the nodes that apply to the same value. It refuses
// references that come back to where they started: evaluating them never ends,
// and the validator library answers wrongly under not, anyOf and if. And it
// refuses chains beyond MaxChain.
func (a *admission) checkChains() {
	const open = -1
	length := make([]int, len(a.nodes)) // of the longest chain that starts here; 0 is unseen
	// Iterative depth-first search: the chain of references can be as long as
	// the document has nodes.
	type frame struct{ node, next int }
	for start := range a.nodes {
		if length[start] != 0 {
			continue
		}
		stack := []frame{{node: start}}
		length[start] = open
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			inPlace := a.edges[top.node].inPlace
			if top.next == len(inPlace) {
				longest := 0
				for _, next := range inPlace {
					longest = max(longest, length[next])
				}
				length[top.node] = longest + 1
				stack = stack[:len(stack)-1]
				continue
			}
			next := inPlace[top.next]
			top.next++
			switch length[next] {
			case 0:
				length[next] = open
				stack = append(stack, frame{node: next})
			case open:
				cycle := make([]int, 0, len(stack))
				for _, f := range stack {
					cycle = append(cycle, f.node)
				}
				a.reportCycle(cycle[slices.Index(cycle, next):])
				return
			}
		}
		if length[start] > a.times*MaxChain {
			a.report(finding.Error, RuleExpansion, a.nodes[start].Pointer, "",
				fmt.Sprintf("a chain of %d references and alternatives applies to one value, more than the limit of %d", length[start], MaxChain),
				"let references lead to their target directly")
			return
		}
	}
}

// reportCycle names the last reference of a cycle: without a reference there
// is none, and cutting it opens the cycle.
func (a *admission) reportCycle(cycle []int) {
	for i, at := range slices.Backward(cycle) {
		next := cycle[(i+1)%len(cycle)]
		if a.nodes[at].Ref != next {
			continue
		}
		a.report(finding.Error, RuleRefCycle, a.nodes[at].Pointer, "$ref",
			fmt.Sprintf("the reference comes back to %s at the same place of the instance and never ends", placeName(a.nodes[next].Pointer)),
			"let the cycle pass through properties or items, or remove it")
		return
	}
}

func placeName(pointer string) string {
	if pointer == "" {
		return "the root"
	}
	return finding.Clip(pointer, 120)
}

// checkExpansion counts the nodes of the document with references written
// out, each recursion once, and refuses those that explode. Recursion depth is
// bounded by the number of nodes, which the text limit bounds.
func (a *admission) checkExpansion() {
	const open = -1
	memo := make([]int, len(a.nodes))
	var count func(i int) int
	count = func(i int) int {
		switch memo[i] {
		case 0:
		case open:
			a.recursive = true
			return 1
		default:
			return memo[i]
		}
		memo[i] = open
		total := 1
		for _, next := range a.edges[i].inPlace {
			// Saturate: the sum of a doubling chain overflows any integer.
			total = min(total+count(next), a.times*MaxExpansion+1)
		}
		for _, next := range a.edges[i].below {
			total = min(total+count(next), a.times*MaxExpansion+1)
		}
		memo[i] = total
		return total
	}
	for i := range a.nodes {
		a.expansion = max(a.expansion, count(i))
	}
	if a.expansion > a.times*MaxExpansion {
		a.report(finding.Error, RuleExpansion, "", "",
			fmt.Sprintf("with its references written out the schema has more than %d nodes", MaxExpansion),
			"reduce the references that lead to further references")
	}
}

// Applies returns the nodes that apply when node i applies, to the same
// instance or to a part of it.
func (s *Schema) Applies(i int) []int {
	return append(slices.Clone(s.edges[i].inPlace), s.edges[i].below...)
}

// AppliesInPlace returns those of [Schema.Applies] that apply to the same
// instance.
func (s *Schema) AppliesInPlace(i int) []int { return slices.Clone(s.edges[i].inPlace) }
