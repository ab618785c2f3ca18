// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"sync"
	"unicode"

	"github.com/toolcontract/operator/internal/schema"
)

// outline is what every profile asks of a document. It is made once for each
// document and shared, since one is judged by many profiles.
type outline struct {
	nodes []nodeOutline

	counts func() Counts
	// closing are the references that close cycles: all, and those of cycles
	// without a property that may be absent.
	closing, closingMandatory func() []int

	repeated sync.Map // keyword to map[string]int: how often a folded text stands in it
}

// nodeOutline is one node.
type nodeOutline struct {
	types
	// keywords are the positions of its keywords in the tables of profiles, in
	// document order; -1 for those that 2020-12 does not know.
	keywords []int16
	// optional are the positions in properties that required does not name;
	// undeclared those in required that properties does not declare.
	optional, undeclared []int
}

type outlineKey struct{}

func outlineOf(s *schema.Schema) *outline {
	return s.Derived(outlineKey{}, func(s *schema.Schema) any { return newOutline(s) }).(*outline)
}

func newOutline(s *schema.Schema) *outline {
	nodes := s.Nodes()
	o := &outline{nodes: make([]nodeOutline, len(nodes))}
	o.counts = sync.OnceValue(func() Counts { return measure(s) })
	o.closing = sync.OnceValue(func() []int { return closingReferences(s, false) })
	o.closingMandatory = sync.OnceValue(func() []int { return closingReferences(s, true) })
	members := 0
	for i := range nodes {
		members += len(nodes[i].Value.Members())
	}
	keywords := make([]int16, 0, members)
	for i := range nodes {
		v, n := nodes[i].Value, &o.nodes[i]
		if v.Kind() != schema.Object {
			continue
		}
		first := len(keywords)
		for _, m := range v.Members() {
			position := int16(-1)
			if k, known := keywordIndex[m.Name]; known {
				position = int16(k) //nolint:gosec // there are some sixty
			}
			keywords = append(keywords, position)
		}
		n.keywords = keywords[first:len(keywords):len(keywords)]
		if n.types = typesOf(v); n.object {
			n.properties(v.Get("properties"), v.Get("required"))
		}
	}
	return o
}

// properties compares what an object declares with what it requires.
func (n *nodeOutline) properties(properties, required *schema.Value) {
	if properties != nil {
		names := requiredNames(required)
		for i, p := range properties.Members() {
			if !names.has(p.Name) {
				n.optional = append(n.optional, i)
			}
		}
	}
	if required != nil {
		for i, item := range required.Items() {
			if item.Kind() == schema.String && !properties.Has(item.Text()) {
				n.undeclared = append(n.undeclared, i)
			}
		}
	}
}

// repetitions returns how many nodes have a keyword with this text, upper and
// lower case aside.
func repetitions(s *schema.Schema, keyword, text string) int {
	o := outlineOf(s)
	counts, ok := o.repeated.Load(keyword)
	if !ok {
		made := map[string]int{}
		for i := range s.Nodes() {
			if v := s.Nodes()[i].Value.Get(keyword); v != nil && v.Kind() == schema.String {
				made[folded(v.Text())]++
			}
		}
		counts, _ = o.repeated.LoadOrStore(keyword, made)
	}
	return counts.(map[string]int)[folded(text)]
}

// folded is the same for texts that differ in upper and lower case only.
func folded(text string) string {
	out := []rune(text)
	for i, r := range out {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		out[i] = least
	}
	return string(out)
}
