// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"unicode/utf8"

	"github.com/toolcontract/operator/internal/schema"
)

// answer is what the canonical form knows about one value. It never guesses:
// unevaluated keywords are left to the validator, so they answer maybe.
type answer uint8

const (
	no answer = iota
	maybe
	yes
)

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// judge decides single values against nodes. Its budget counts applications
// of a node; when it is used up, every answer is maybe.
type judge struct{ budget int }

// admits decides one value. A node that admits everything may be nil.
func (j *judge) admits(n *node, v *schema.Value) answer {
	if n == nil {
		return yes
	}
	if j.budget--; j.budget < 0 {
		return maybe
	}
	if n.kinds&kindOf(v) == 0 {
		return no
	}
	result := yes
	if n.opaque != "" {
		result = maybe
	}
	return min(result, j.admitsPart(n, v), j.admitsInPlace(n, v))
}

func (j *judge) admitsPart(n *node, v *schema.Value) answer {
	switch v.Kind() {
	case schema.Number:
		return answerOf(n.number.admits(v))
	case schema.String:
		if n.text.values != nil && !n.text.values.has(v) {
			return no
		}
		return n.text.admits(v.Text())
	case schema.Array:
		return j.admitsArray(&n.array, v)
	case schema.Object:
		return j.admitsObject(&n.object, v)
	default:
		return yes
	}
}

// admits decides a string by length, patterns and formats.
func (t *texts) admits(s string) answer {
	length := int64(utf8.RuneCountInString(s))
	if length < t.min || !within(length, t.max) {
		return no
	}
	result := yes
	for _, name := range t.formats {
		if result = min(result, hasFormat(s, name)); result == no {
			return no
		}
	}
	for _, p := range t.patterns {
		matched, err := p.Match(s)
		switch {
		case err != nil:
			result = maybe
		case !matched:
			return no
		}
	}
	return result
}

func (j *judge) admitsArray(a *arrays, v *schema.Value) answer {
	length := int64(v.Len())
	if length < a.min || !within(length, a.max) || (a.values != nil && !a.values.has(v)) {
		return no
	}
	if a.unique && len(newValueSet(v.Items()).list) != v.Len() {
		return no
	}
	result := yes
	for i, item := range v.Items() {
		result = min(result, j.admits(a.item(i), item))
	}
	for _, c := range a.contains {
		result = min(result, j.admitsContains(c, v))
	}
	return result
}

func (j *judge) admitsContains(c containment, v *schema.Value) answer {
	var matches tally
	for _, item := range v.Items() {
		matches.add(j.admits(c.node, item))
	}
	switch {
	case matches.possibly < c.min || !within(matches.surely, c.max):
		return no
	case matches.surely >= c.min && within(matches.possibly, c.max):
		return yes
	}
	return maybe
}

// tally counts answers: those that are yes, and those that could be.
type tally struct{ surely, possibly int64 }

func (t *tally) add(a answer) {
	if a == yes {
		t.surely++
	}
	if a != no {
		t.possibly++
	}
}

func (j *judge) admitsObject(o *objects, v *schema.Value) answer {
	length := int64(v.Len())
	if length < o.min || !within(length, o.max) || (o.values != nil && !o.values.has(v)) || !hasAll(v, o.required) {
		return no
	}
	for _, d := range o.dependent {
		if v.Has(d.name) && !hasAll(v, d.needs) {
			return no
		}
	}
	result := yes
	for _, m := range v.Members() {
		schemas, known := o.at(m.Name)
		if !known {
			result = min(result, maybe)
		}
		for _, n := range schemas {
			result = min(result, j.admits(n, m.Value))
		}
		for _, n := range o.names {
			result = min(result, j.admits(n, schema.NewString(m.Name)))
		}
	}
	return result
}

func hasAll(v *schema.Value, names []string) bool {
	for _, name := range names {
		if !v.Has(name) {
			return false
		}
	}
	return true
}

func (j *judge) admitsInPlace(n *node, v *schema.Value) answer {
	result := yes
	for _, c := range n.all {
		result = min(result, j.admits(c, v))
	}
	for _, branches := range n.any {
		best := no
		for _, b := range branches {
			best = max(best, j.admits(b, v))
		}
		result = min(result, best)
	}
	for _, branches := range n.one {
		result = min(result, j.admitsOne(branches, v))
	}
	for _, c := range n.not {
		result = min(result, yes-j.admits(c, v))
	}
	for _, c := range n.when {
		result = min(result, j.admitsConditional(c, v))
	}
	for _, d := range n.dependent {
		if v.Has(d.name) {
			result = min(result, j.admits(d.node, v))
		}
	}
	return result
}

func (j *judge) admitsOne(branches []*node, v *schema.Value) answer {
	var matches tally
	for _, b := range branches {
		matches.add(j.admits(b, v))
	}
	switch {
	case matches.surely > 1 || matches.possibly == 0:
		return no
	case matches.surely == 1 && matches.possibly == 1:
		return yes
	}
	return maybe
}

func (j *judge) admitsConditional(c conditional, v *schema.Value) answer {
	switch j.admits(c.test, v) {
	case yes:
		return j.admits(c.then, v)
	case no:
		return j.admits(c.otherwise, v)
	default:
		then, otherwise := j.admits(c.then, v), j.admits(c.otherwise, v)
		if then == otherwise {
			return then
		}
		return maybe
	}
}
