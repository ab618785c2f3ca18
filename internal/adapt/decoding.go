// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"strconv"

	"github.com/toolcontract/operator/internal/decode"
	"github.com/toolcontract/operator/internal/finding"
)

// decoding writes the rule that undoes the plan; nil if there is nothing to
// undo.
func (g *graph) decoding() *decode.Rule {
	if len(g.states) == 0 {
		return nil
	}
	w := ruleWriter{graph: g, needed: g.needed(), uses: make([]int, len(g.states)), names: map[int]string{}, taken: map[string]bool{}}
	if !w.needed[0] {
		return nil
	}
	w.count()
	w.nameShared()
	root := w.part(0)
	if len(w.names) > 0 {
		root.Definitions = make(map[string]*decode.Rule, len(w.names))
		for s, name := range w.names {
			root.Definitions[name] = w.rule(s)
		}
	}
	return root
}

// needed marks the states where something is to be undone, there or below.
func (g *graph) needed() []bool {
	needed := make([]bool, len(g.states))
	users := make([][]int, len(g.states))
	for i, s := range g.states {
		for _, next := range s.next() {
			users[next] = append(users[next], i)
		}
	}
	var mark func(i int)
	mark = func(i int) {
		if needed[i] {
			return
		}
		needed[i] = true
		for _, user := range users[i] {
			mark(user)
		}
	}
	for i, s := range g.states {
		if len(s.drop) > 0 || s.pairs {
			mark(i)
		}
	}
	return needed
}

// next lists the states below.
func (s *state) next() []int {
	var out []int
	for _, m := range s.members {
		out = append(out, m.state)
	}
	out = append(out, s.values, s.items, s.entry)
	below := out[:0]
	for _, i := range out {
		if i != noState {
			below = append(below, i)
		}
	}
	return below
}

// ruleWriter writes states as rules. A state that is used more than once gets
// a definition, so that a rule is not larger than its schema.
type ruleWriter struct {
	*graph
	needed []bool
	uses   []int
	names  map[int]string
	taken  map[string]bool
}

// count counts the uses of every state that can be reached.
func (w *ruleWriter) count() {
	var visit func(i int)
	visit = func(i int) {
		if w.uses[i]++; w.uses[i] > 1 {
			return
		}
		for _, next := range w.states[i].next() {
			if w.needed[next] {
				visit(next)
			}
		}
	}
	visit(0)
}

func (w *ruleWriter) nameShared() {
	for i, uses := range w.uses {
		if uses > 1 {
			w.names[i] = w.name(i)
		}
	}
}

// name is that of the definition that a place was written for, where it is one
// and no other has it.
func (w *ruleWriter) name(i int) string {
	name := "rule"
	tokens := finding.Tokens(w.node(w.states[i].leaves[0]).Pointer)
	if len(tokens) == 2 && tokens[1] != "" && (tokens[0] == "$defs" || tokens[0] == "definitions") {
		name = tokens[1]
	}
	free := name
	for n := 2; w.taken[free]; n++ {
		free = name + strconv.Itoa(n)
	}
	w.taken[free] = true
	return free
}

// part is the rule for a place where it is used; nil if there is nothing to
// undo.
func (w *ruleWriter) part(i int) *decode.Rule {
	switch {
	case i == noState || !w.needed[i]:
		return nil
	case w.names[i] != "":
		return &decode.Rule{Ref: w.names[i]}
	default:
		return w.rule(i)
	}
}

func (w *ruleWriter) rule(i int) *decode.Rule {
	s := w.states[i]
	r := &decode.Rule{DropNull: s.drop, Values: w.part(s.values), Items: w.part(s.items)}
	if s.pairs {
		if r.Pairs = w.part(s.entry); r.Pairs == nil {
			r.Pairs = &decode.Rule{}
		}
	}
	for _, m := range s.members {
		below := w.part(m.state)
		if below == nil && r.Values == nil {
			continue
		}
		if below == nil { // a declared member is none of the others
			below = &decode.Rule{}
		}
		if r.Properties == nil {
			r.Properties = map[string]*decode.Rule{}
		}
		r.Properties[m.name] = below
	}
	return r
}
