// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

const (
	// maxGaps bounds the places that one answer tells apart.
	maxGaps = 64
	// maxSame bounds the ways into one place that are tried.
	maxSame = 4
)

// gap is a place where a demand of b has no proof. It remembers how to get
// there, so that an instance can be built around a value that b refuses.
type gap struct {
	a, b     *node
	pointer  string
	keyword  string
	name     string
	inA, inB string
	values   []*schema.Value
	onlyIn   Side
	detail   string
	path     []step
	// leaves are values of a at this place that b may refuse, best first. They
	// are only built when the gap is looked into.
	leaves func() []*schema.Value
	// same are further gaps that say the same of the same place: any of them may
	// lead to a witness.
	same []gap
}

// step is one level of an instance, from the root down.
type step struct {
	a, b  *node
	part  part
	name  string
	index int
}

type part uint8

const (
	memberOf part = iota
	itemOf
	sameInstance
)

// label names the place of every gap below a member that only one side
// declares: what matters is the declaration, not which keyword of it refuses.
type label struct {
	pointer, keyword, name string
	onlyIn                 Side
}

func (p *prover) gap(g gap) {
	if p.quiet > 0 {
		return
	}
	p.noted++
	if len(p.labels) > 0 {
		outer := p.labels[0]
		g.pointer, g.keyword, g.name = outer.pointer, outer.keyword, outer.name
		g.inA, g.inB, g.values, g.onlyIn = "", "", nil, outer.onlyIn
	}
	g.path = slices.Clone(p.path)
	known := slices.IndexFunc(p.gaps, func(h gap) bool {
		return h.pointer == g.pointer && h.keyword == g.keyword && h.name == g.name && h.inB == g.inB
	})
	switch {
	case known >= 0 && len(p.gaps[known].same) < maxSame:
		p.gaps[known].same = append(p.gaps[known].same, g)
	case known >= 0:
	case len(p.gaps) < maxGaps:
		p.gaps = append(p.gaps, g)
	default:
		p.more = true
	}
}

func stay() {}

// enter goes one level down the instance; the result goes back up.
func (p *prover) enter(s step) func() {
	if p.quiet > 0 {
		return stay
	}
	p.path = append(p.path, s)
	return func() { p.path = p.path[:len(p.path)-1] }
}

// name labels every gap until the result is called.
func (p *prover) name(l label) func() {
	if p.quiet > 0 {
		return stay
	}
	p.labels = append(p.labels, l)
	return func() { p.labels = p.labels[:len(p.labels)-1] }
}

// inBranch looks for gaps of one alternative of a.
func (p *prover) inBranch(a, b *node, look func()) {
	defer p.enter(step{a: a, b: b, part: sameInstance})()
	look()
}

// keyword is the first of the keywords that the author wrote here, or the
// first of all where the meaning comes from a schema that applies as well.
func (n *node) keyword(candidates ...string) string {
	if n.source.Kind() == schema.Bool {
		return ""
	}
	for _, k := range candidates {
		if n.source.Has(k) {
			return k
		}
	}
	return candidates[0]
}

// spelled is a keyword as the author wrote it here, or the given text.
func (n *node) spelled(keyword, otherwise string) string {
	if v := n.source.Get(keyword); v != nil {
		return finding.Clip(v.JSON(), maxSpelled)
	}
	return otherwise
}

// maxSpelled bounds what a message repeats of a schema, in bytes.
const maxSpelled = 80

func quote(s string) string { return finding.Quote(s) }

// atLeastText and atMostText write a count for a message; empty if it demands nothing.
func atLeastText(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func atMostText(n int64) string {
	if n < 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

// listText shows the first values of a list.
func listText(list []*schema.Value) string {
	const shown = 3
	words := make([]string, 0, shown+1)
	for _, v := range head(list, shown) {
		words = append(words, finding.Clip(v.JSON(), maxSpelled/2))
	}
	if rest := len(list) - len(words); rest > 0 {
		words = append(words, "and "+strconv.Itoa(rest)+" more")
	}
	return strings.Join(words, ", ")
}

func appendNumber(list []*schema.Value, r *big.Rat) []*schema.Value {
	if r == nil {
		return list
	}
	v, err := schema.NewRat(r)
	if err != nil {
		return list
	}
	return append(list, v)
}
