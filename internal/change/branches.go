// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"

	"github.com/toolcontract/operator/internal/finding"
)

// maxBranches bounds the locations that are looked at to tell which alternative
// says something.
const maxBranches = 4096

// movedBetween reports whether the alternatives of a place say a keyword in
// other branches than before, although the place says the same as a whole: a
// unit that moves from one branch of anyOf to another is another unit for the
// values of both. Where that cannot be told it counts as moved.
func (w *walker) movedBetween(p place, keyword string) bool {
	old, knownOld := w.old.branches(p.start.old, keyword)
	next, knownNew := w.new.branches(p.start.new, keyword)
	return !knownOld || !knownNew || !slices.Equal(old, next)
}

// branches are the ways through alternatives to each location that has a
// keyword, with its value, sorted. References and allOf are no alternatives, so
// that inlining one changes nothing.
func (a *applied) branches(start []int, keyword string) (ways []string, known bool) {
	left := maxBranches
	var visit func(i int, way string)
	visit = func(i int, way string) {
		if left--; left < 0 {
			return
		}
		n := a.schema.Nodes()[i]
		if v := n.Value.Get(keyword); v != nil {
			ways = append(ways, way+" "+v.JSON())
		}
		if n.Ref >= 0 {
			visit(n.Ref, way)
		}
		for _, child := range a.children[i] {
			c := a.schema.Nodes()[child]
			switch {
			case !inPlace(c.In):
			case c.In == "allOf":
				visit(child, way)
			default:
				visit(child, way+finding.Pointer("", c.In, c.Token))
			}
		}
	}
	for _, i := range start {
		visit(i, "")
	}
	slices.Sort(ways)
	return slices.Compact(ways), left >= 0
}
