// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"
	"strings"
	"unicode"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// renames are pairs of names of one place that look like one thing renamed.
// They are hints for people and decide nothing: a schema cannot tell a rename
// from a removal and an addition.
type renames struct {
	// properties lead from the pointer of a property to the other name.
	gone, came map[string]string
	// values lead from a place to an old and a new listed value.
	values map[int][2]*schema.Value
}

// named is a thing that has a name, and what it is apart from that.
type named struct{ name, pointer, body string }

// renamed pairs what is gone with what came: by equal bodies if that leaves no
// choice or the names are alike, and, where only one is gone and only one came,
// by alike names alone.
func renamed(gone, came []named) map[int]int {
	pairs := map[int]int{}
	if len(gone)*len(came) > maxPairs {
		return pairs
	}
	taken := make([]bool, len(came))
	for i, g := range gone {
		var equal []int
		for j, c := range came {
			if !taken[j] && c.body == g.body {
				equal = append(equal, j)
			}
		}
		best := -1
		switch twins := count(gone, g.body); {
		case len(equal) == 1 && twins == 1:
			best = equal[0]
		default:
			at := slices.IndexFunc(equal, func(j int) bool { return alike(g.name, came[j].name) })
			if at >= 0 {
				best = equal[at]
			}
		}
		if best < 0 && len(gone) == 1 && len(came) == 1 && alike(g.name, came[0].name) {
			best = 0
		}
		if best >= 0 {
			pairs[i], taken[best] = best, true
		}
	}
	return pairs
}

// maxPairs bounds the pairs of names that are compared.
const maxPairs = 4096

func count(list []named, body string) int {
	n := 0
	for _, e := range list {
		if e.body == body {
			n++
		}
	}
	return n
}

// alike reports whether two names look like versions of one: the same letters,
// few different ones, or one continues the other.
func alike(a, b string) bool {
	x, y := plain(a), plain(b)
	if len(x) > maxAlike || len(y) > maxAlike || len(x) == 0 || len(y) == 0 {
		return false
	}
	shorter, longer := x, y
	if len(shorter) > len(longer) {
		shorter, longer = longer, shorter
	}
	if len(shorter) >= 3 && (strings.HasPrefix(string(longer), string(shorter)) || strings.HasSuffix(string(longer), string(shorter))) {
		return true
	}
	return 3*distance(x, y) <= len(longer)
}

// maxAlike bounds the names that are compared letter by letter.
const maxAlike = 64

func plain(name string) []rune {
	var out []rune
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, unicode.ToLower(r))
		}
	}
	return out
}

// distance is the number of letters to insert, delete or replace.
func distance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j := range b {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// findRenames looks at every place that both schemas have.
func (v *survey) findRenames() renames {
	r := renames{gone: map[string]string{}, came: map[string]string{}, values: map[int][2]*schema.Value{}}
	for n, p := range v.places {
		if len(p.old) == 0 || len(p.new) == 0 {
			continue
		}
		gone, came := v.walker.lost(p), v.walker.gained(p)
		for i, j := range renamed(gone, came) {
			r.gone[gone[i].pointer], r.came[came[j].pointer] = came[j].name, gone[i].name
		}
		if was, is, ok := v.walker.renamedValue(p); ok {
			r.values[n] = [2]*schema.Value{was, is}
		}
	}
	return r
}

// renamedValue is the one listed text that is gone and the one that came, if
// they are alike.
func (w *walker) renamedValue(p place) (was, is *schema.Value, ok bool) {
	before, after := w.old.listed(p.old), w.new.listed(p.new)
	gone := slices.DeleteFunc(slices.Clone(before), func(v *schema.Value) bool { return slices.ContainsFunc(after, v.Equal) })
	came := slices.DeleteFunc(slices.Clone(after), func(v *schema.Value) bool { return slices.ContainsFunc(before, v.Equal) })
	if len(gone) != 1 || len(came) != 1 || gone[0].Kind() != schema.String || came[0].Kind() != schema.String {
		return nil, nil, false
	}
	return gone[0], came[0], alike(gone[0].Text(), came[0].Text())
}

// listed are the values that some locations list. A place with many of them has no
// single value that was renamed, and comparing all with all would be slow.
func (a *applied) listed(locations []int) []*schema.Value {
	var out []*schema.Value
	for _, i := range locations {
		v := a.schema.Nodes()[i].Value
		if list := v.Get("enum"); list != nil {
			out = append(out, list.Items()...)
		}
		if c := v.Get("const"); c != nil {
			out = append(out, c)
		}
		if len(out) > maxListed {
			return nil
		}
	}
	return out
}

const maxListed = 256

func renamedTo(name string) string { return "looks like a rename to " + finding.Quote(name) }

func renameOf(name string) string { return "looks like a rename of " + finding.Quote(name) }
