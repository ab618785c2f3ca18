// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// authorPatch makes a patch of the adapted document one of the author's, given
// where its places came from. It is nil if one of them is not the same there:
// then the patch would do something else, or nothing.
func authorPatch(patch []finding.Operation, adapted, author *schema.Value, lead func(pointer string) string) []finding.Operation {
	var out []finding.Operation
	for _, o := range patch {
		if o.From != "" {
			from := lead(o.From)
			if !sameAt(adapted, author, o.From, from) {
				return nil
			}
			o.From = from
		}
		path := lead(o.Path)
		if !counterpart(adapted, author, o, path) {
			return nil
		}
		o.Path = path
		out = append(out, o)
	}
	return out
}

// counterpart reports whether an operation finds at a place of the author's
// document what it was made for.
func counterpart(adapted, author *schema.Value, o finding.Operation, path string) bool {
	if o.Op == "remove" || o.Op == "replace" {
		return sameAt(adapted, author, o.Path, path)
	}
	was, is := finding.Tokens(o.Path), finding.Tokens(path)
	if len(was) == 0 || len(is) == 0 || was[len(was)-1] != is[len(is)-1] {
		return false
	}
	name := is[len(is)-1]
	before, now := adapted.At(was[:len(was)-1]), author.At(is[:len(is)-1])
	switch {
	case before == nil || now == nil || before.Kind() != now.Kind():
		return false
	case now.Kind() == schema.Array: // elements stand where they stand
		return before.Equal(now)
	default:
		return before.Has(name) == now.Has(name)
	}
}

func sameAt(adapted, author *schema.Value, was, is string) bool {
	v := author.At(finding.Tokens(is))
	return v != nil && v.Equal(adapted.At(finding.Tokens(was)))
}
