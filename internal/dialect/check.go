// SPDX-License-Identifier: Apache-2.0

package dialect

import (
	"maps"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// check judges what concerns the document as a whole.
func (c *conversion) check() {
	var integer, contains, unevaluated, anchored, recursive string
	for _, at := range slices.Sorted(maps.Keys(c.moved)) {
		n := c.document.At(finding.Tokens(at))
		has := func(name string) bool { return n.Has(name) && !c.isDropped(n, name) }
		note := func(found *string, yes bool) {
			if yes && *found == "" {
				*found = orRoot(at)
			}
		}
		note(&integer, has("type") && slices.Contains(schema.Types(n), "integer"))
		note(&contains, has("contains"))
		note(&unevaluated, has("unevaluatedItems") && !n.Get("unevaluatedItems").IsTrue())
		note(&anchored, at != "" && has("$recursiveAnchor") && n.Get("$recursiveAnchor").IsTrue())
		note(&recursive, has("$recursiveRef"))
	}
	if c.from == draft4 && integer != "" {
		c.findings = append(c.findings, finding.Finding{
			Rule: RuleInteger, Severity: finding.Info, Pointer: pointerOf(integer), Keyword: "type",
			Message: "draft-04 refuses 1.0 as an integer; numbers are compared by value here, so it is the integer 1, as in all later dialects",
		})
	}
	if unevaluated != "" && contains != "" {
		c.refuse(pointerOf(unevaluated), "unevaluatedItems",
			"in 2020-12 contains counts for unevaluatedItems, in 2019-09 it does not, and the schema has both (contains at "+contains+")",
			"write the schema in 2020-12")
	}
	if recursive != "" && anchored != "" {
		c.refuse(pointerOf(anchored), "$recursiveAnchor",
			"what $recursiveRef (at "+recursive+") leads to depends on how the schema is reached", "use $ref with a pointer, without $recursiveAnchor")
	}
}

const root = "(root)"

func orRoot(at string) string {
	if at == "" {
		return root
	}
	return at
}

func pointerOf(at string) string { return strings.TrimPrefix(at, root) }

// recursive writes a $recursiveRef as the $ref that it is without an anchor to
// move it: the root of its document.
func (c *conversion) recursive(out *schema.Fields, n *schema.Value, m schema.Member, from string) {
	switch {
	case m.Value.Text() != "#":
		c.refuse(from, m.Name, "$recursiveRef is always #", "write \"#\", or use $ref")
	case n.Has("$ref"):
		c.refuse(from, m.Name, "$recursiveRef stands beside $ref, and one node of 2020-12 has one reference", "move one of them into allOf")
	default:
		c.did(from, m.Name, "$recursiveRef became $ref")
		out.Add("$ref", schema.NewString(c.reference("#", from, m.Name)))
	}
}
