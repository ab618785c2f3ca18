// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// Version is raised when an answer, a pointer or a witness can change. It is
// part of the checker version that revisions record.
const Version = 3

// Answer is what is known about a containment.
type Answer int

// The answers. Only the prover says Proven, only a confirmed witness says
// Refuted; everything else is Unknown.
const (
	Unknown Answer = iota
	Proven
	Refuted
)

var answerNames = [...]string{"Unknown", "Proven", "Refuted"}

// String is the word for the answer.
func (a Answer) String() string { return answerNames[a] }

// Side is one of the two schemas of a question.
type Side string

// The sides. A result about both, or about neither, names none.
const (
	InA Side = "A"
	InB Side = "B"
)

// Result is an answer and what it is about.
type Result struct {
	Answer Answer
	// Witness is an instance that A accepts and B rejects, confirmed with the
	// validators of both. It is set if the answer is Refuted (or Defect is set),
	// unless the smallest one found is longer than [MaxWitness]: the answer stands,
	// but there is nothing to show.
	Witness *schema.Value
	// Pointer is the schema that the answer is about, in B; in A if B has no such
	// place: a property that only A declares.
	Pointer string
	// Keyword is the keyword that refuses, or that no rule could compare. Name is
	// the property, pattern or position that it is about, if it is about one.
	Keyword, Name string
	// InA and InB are the keyword as each side has it, shortened; empty for none.
	InA, InB string
	// Values are listed values (enum, const) that A admits and B refuses.
	Values []*schema.Value
	// OnlyIn says that Name is a property which only this side declares.
	OnlyIn Side
	// Detail says for Unknown why the rule could not decide, if there is more to say.
	Detail string
	// Reason says for Unknown why it could not be proved, for Refuted what B
	// refuses. It names the schemas "first" and "second".
	Reason string
	// Incomplete says that there are more places than are listed; the result is
	// about none of them.
	Incomplete bool
	// Defect says that a proof was found and then disproved by an instance: a rule
	// of this package is wrong. The answer is Unknown, since nothing else that the
	// package says of the pair can be trusted; it should be counted.
	Defect bool
}

// Contains decides whether every instance that A accepts is accepted by B.
// The same pair always has the same answer.
func Contains(a, b *schema.Schema) Result {
	list := Differences(a, b)
	if len(list) == 0 {
		return Result{Answer: Proven}
	}
	for _, r := range list {
		if r.Answer == Refuted {
			return r
		}
	}
	return list[0]
}

// Proves reports whether the containment of A in B has a proof. It looks for no
// counter-example and does not attack the proof, which makes it quick; both
// schemas must be valid.
func Proves(a, b *schema.Schema) bool {
	p := newProver()
	left, right := newGraph(a).root(), newGraph(b).root()
	return p.try(func() bool { return p.alike(left, right) || p.contained(left, right) })
}

// Differences returns the places that stand against the containment of A in B,
// each Refuted or Unknown; none if it is Proven. If there are more than a
// bound, the last result says so.
func Differences(a, b *schema.Schema) []Result {
	if a.Digest() == b.Digest() {
		return nil
	}
	c, failed := convene(a, b)
	if failed != nil {
		return []Result{*failed}
	}
	q := ask(a, b, c)
	if list := q.decide(); len(list) > 0 {
		return list
	}
	return q.defects()
}

// question is one pair of schemas in canonical form.
type question struct {
	*prover
	*court
	left, right *node
}

func ask(a, b *schema.Schema, c *court) question {
	return question{prover: newProver(), court: c, left: newGraph(a).root(), right: newGraph(b).root()}
}

// decide proves the containment or says what stands against it. Two documents
// that differ in annotations only need no rule; most changes of real tools are
// such, and they must be decided whatever their size.
func (q question) decide() []Result {
	if q.alike(q.left, q.right) || q.contained(q.left, q.right) {
		return nil
	}
	return q.results(q.left, q.right, q.court)
}

// defects attacks a proof. What it finds is a fault of this package, so
// nothing is claimed about the pair.
func (q question) defects() []Result {
	witness := q.attack(q.left, q.right, q.court)
	if witness == nil {
		return nil
	}
	r := Result{Answer: Unknown, Defect: true, Reason: "defect: a proof was disproved by " + finding.Clip(witness.JSON(), MaxWitness)}
	if len(witness.JSON()) <= MaxWitness {
		r.Witness = witness
	}
	return []Result{r}
}

// convene prepares both validators. A schema that is none has no instances to
// speak of, so nothing is claimed about it.
func convene(a, b *schema.Schema) (*court, *Result) {
	c := newCourt(nil, nil)
	for _, side := range []struct {
		word   string
		schema *schema.Schema
		into   **schema.Validator
	}{{"first", a, &c.a}, {"second", b, &c.b}} {
		v, findings := side.schema.Compile()
		if len(findings) > 0 {
			f := findings[0]
			return nil, &Result{Pointer: f.Pointer, Keyword: f.Keyword, Reason: fmt.Sprintf("the %s schema is not valid: %s", side.word, f.Message)}
		}
		*side.into = v
	}
	return c, nil
}

// results looks for a witness at every gap.
func (p *prover) results(a, b *node, c *court) []Result {
	if len(p.gaps) == 0 {
		p.gap(gap{a: a, b: b, pointer: b.pointer})
	}
	out := make([]Result, 0, len(p.gaps))
	refuted := false
	for _, g := range p.gaps {
		r := Result{
			Pointer: g.pointer, Keyword: g.keyword, Name: g.name, InA: g.inA, InB: g.inB,
			Values: g.values, OnlyIn: g.onlyIn, Detail: g.detail,
		}
		w := p.refute(g, c)
		switch {
		case w == nil:
			r.Reason = unproved + g.describe()
		case len(w.JSON()) > MaxWitness:
			r.Answer = Refuted
			r.Reason = fmt.Sprintf("%s (the smallest example found is longer than %d bytes)", g.describe(), MaxWitness)
		default:
			r.Answer, r.Witness, r.Reason = Refuted, w, g.describe()
		}
		refuted = refuted || r.Answer == Refuted
		out = append(out, r)
	}
	if refuted {
		out = p.closeGaps(out, c)
	} else if out = p.settleWhole(out, a, b, c); out == nil {
		return nil
	}
	if p.more {
		out = append(out, Result{Incomplete: true, Reason: fmt.Sprintf("more than %d places differ", maxGaps)})
	}
	return out
}

// settleWhole decides the whole pair when no gap led to a witness. It returns
// no results if the containment holds after all.
func (p *prover) settleWhole(out []Result, a, b *node, c *court) []Result {
	witness, proven := p.tryAll(a, c)
	if proven {
		return nil
	}
	if witness == nil {
		of := p.refuter().contains(a, b)
		if of.empty {
			return nil
		}
		if of.model != nil && c.confirm(of.model) {
			witness = of.model
		}
	}
	if left := p.closeGaps(out, c); len(left) > 0 {
		out = left
	}
	r := &out[0]
	switch {
	case slices.ContainsFunc(out, func(r Result) bool { return r.Answer == Refuted }):
	case witness == nil:
		p.refuteAnywhere(r, a, b, c)
	case len(witness.JSON()) <= MaxWitness:
		r.Answer, r.Witness, r.Reason = Refuted, witness, strings.TrimPrefix(r.Reason, unproved)
	default:
		r.Answer = Refuted
		r.Reason = fmt.Sprintf("%s (the smallest example found is longer than %d bytes)", strings.TrimPrefix(r.Reason, unproved), MaxWitness)
	}
	return out
}

// tryAll decides a finite left side with the validators.
func (p *prover) tryAll(a *node, c *court) (witness *schema.Value, proven bool) {
	values, finite := a.finite()
	if !finite || len(values) > c.left {
		return nil, false
	}
	c.left -= len(values)
	for _, v := range values {
		inA, errA := c.a.Accepts(v)
		inB, errB := c.b.Accepts(v)
		switch {
		case errA != nil || errB != nil:
			return nil, false
		case inA && !inB:
			return v, false
		}
	}
	return nil, true
}

// closeGaps looks again at the places without a witness, where others have one:
// what holds after all is no difference.
func (p *prover) closeGaps(out []Result, c *court) []Result {
	r := p.refuter()
	left := out[:0]
	for i, g := range p.gaps {
		result := out[i]
		if result.Answer == Unknown && g.b != nil && len(g.same) < maxSame {
			of := r.contains(g.a, g.b)
			for _, way := range g.same {
				switch {
				case !of.empty:
				case way.b == nil:
					of = maybeSome
				default:
					of = r.contains(way.a, way.b)
				}
			}
			if of.empty {
				continue
			}
			if w := r.around(g).model; w != nil && len(w.JSON()) <= MaxWitness && c.confirm(w) {
				result.Answer, result.Witness, result.Reason = Refuted, w, g.describe()
			}
		}
		left = append(left, result)
	}
	return left
}

// refuteAnywhere tries the edges of the whole schemas when no gap led to a
// witness, which happens where alternatives act together.
func (p *prover) refuteAnywhere(r *Result, a, b *node, c *court) {
	if w := p.searchAll(a, b, c); w != nil && len(w.JSON()) <= MaxWitness {
		r.Answer, r.Witness, r.Reason = Refuted, w, strings.TrimPrefix(r.Reason, unproved)
	}
}

// unproved begins the reason of every Unknown that is about two valid schemas.
const unproved = "cannot prove it: "

// describe says what the two schemas have at a gap.
func (g gap) describe() string {
	var text string
	switch {
	case g.keyword == "required":
		text = quote(g.name) + " is required by the second schema only"
	case g.onlyIn == InB:
		text = quote(g.name) + " is declared by the second schema, and undeclared names are open in the first"
	case g.onlyIn == InA:
		text = quote(g.name) + " is declared by the first schema only"
	case len(g.values) > 0:
		text = fmt.Sprintf("%s of the second schema refuses %s", g.keyword, listText(g.values))
	case g.name != "":
		text = fmt.Sprintf("%s %s of the first schema does not fit into the second", g.keyword, quote(g.name))
	case g.inA == "" && g.inB == "":
		text = strings.TrimSpace(g.keyword + " of the second schema may refuse values of the first")
	default:
		text = fmt.Sprintf("%s is %s in the first schema and %s in the second", g.keyword, orNone(g.inA), orNone(g.inB))
	}
	if g.detail != "" {
		text += "; " + g.detail
	}
	return text
}

func orNone(s string) string {
	if s == "" {
		return "absent"
	}
	return s
}
