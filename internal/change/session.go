// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

const sessionPointer = inputPointer + "/sessionParameters"

// sessionParameters judges the values that the host takes from the session. A
// tool may need fewer of them, but sessions of agents that run may lack more; and
// a value that moves between the session and the model moves across the
// boundary of trust. The host refuses every call that carries the name of a
// parameter, so each name is also a question about what calls may carry.
func (c *comparison) sessionParameters() {
	old, next := c.old.Input.SessionParameters, c.new.Input.SessionParameters
	before := len(c.findings) + c.noise.places
	for i, p := range next {
		if at := parameterNamed(old, p.Name); at >= 0 {
			c.sameParameter(at, i)
		} else {
			c.newParameter(i)
		}
	}
	for i, p := range old {
		if parameterNamed(next, p.Name) < 0 {
			c.lostParameter(i)
		}
	}
	if len(c.findings)+c.noise.places == before && !sameParameters(old, next) {
		c.declared(contract.Patch, "session-parameter-order", sessionPointer, "another order or spelling of the session parameters", "")
	}
}

// newParameter judges a parameter that the old contract does not have. It breaks
// the calls that could carry its name, and if it is required the sessions that
// lack it: two findings, since a person may know of the sessions only.
func (c *comparison) newParameter(i int) {
	p := c.new.Input.SessionParameters[i]
	pointer, name := sessionPlace(i), finding.Quote(p.Name)
	calls := c.carrying(c.old.Input, p.Name)
	if calls.Answer != contain.Proven {
		n := statement{
			rule: sessionRules + "injected", side: finding.Contract, pointer: pointer, oldPointer: pointer,
			bump: contract.Major, proof: Unknown,
			what:  "new session parameter " + name + " where calls could carry this name",
			why:   "the host refuses calls that carry it",
			other: "leave the session parameter out",
			later: closeToChange("add"),
		}
		if declares(c.old.Input.Schema, p.Name) {
			n.what, n.later = "parameter "+name+" is injected instead of filled in by the model", ""
		}
		switch {
		case calls.Defect:
			n.rule, n.proof = sessionRules+defectSuffix, Refuted
			n.other = "report the input schema to the project"
		case calls.Answer == contain.Refuted:
			n.proof = Refuted
		default:
			n.what = c.unprovedAbsence(c.old, p.Name, n.what, calls)
		}
		if n.proof == Refuted {
			c.exemplify(&n, calls, fmt.Sprintf("Example accepted by %s, rejected now", c.old.Version))
		}
		c.say(n)
	}
	switch {
	case !p.Optional:
		c.declared(contract.Major, sessionRules+"added", pointer,
			"new required session parameter "+name, "sessions that run may lack it")
	case calls.Answer == contain.Proven:
		c.declared(contract.Minor, sessionRules+"added", pointer,
			"new optional session parameter "+name, "the tool also works without it, and no call could carry its name")
	}
}

// lostParameter judges a parameter that the new contract does not have. The tool
// needs less; but where calls may carry the name now, the model can write what
// it could not write before. That breaks no call, so no example stands against a
// person who knows that the tool does not look at it.
func (c *comparison) lostParameter(i int) {
	p := c.old.Input.SessionParameters[i]
	pointer, name := sessionPlace(i), finding.Quote(p.Name)
	calls := c.carrying(c.new.Input, p.Name)
	if calls.Answer == contain.Proven {
		c.declared(contract.Minor, sessionRules+"removed", pointer, "removal of session parameter "+name, "the tool needs less")
		return
	}
	n := statement{
		rule: sessionRules + "exposed", side: finding.Contract, pointer: pointer, oldPointer: pointer,
		bump: contract.Major, proof: Declared,
		what:  "removal of session parameter " + name + " where calls can carry this name",
		why:   "the model can write now what only the session could say",
		other: "keep the session parameter, optional if the tool works without it",
		later: closeToChange("remove"),
	}
	switch {
	case declares(c.new.Input.Schema, p.Name):
		n.what, n.why, n.later = "parameter "+name+" is filled in by the model instead of injected", "the model decides now what the session decided", ""
	case calls.Answer == contain.Unknown && !calls.Defect:
		n.proof, n.what = Unknown, c.unprovedAbsence(c.new, p.Name, n.what, calls)
	}
	c.say(n)
}

// closeToChange is how to be spared a Major the next time.
func closeToChange(verb string) string {
	return "to " + verb + " session parameters in a minor version, close the object (additionalProperties: false) in the new line, " +
		"or set input.writer to Declared where the host refuses what is not declared"
}

func (c *comparison) unprovedAbsence(of *contract.Content, name, what string, calls contain.Result) string {
	if calls.Detail != "" && !c.hidden {
		what += ": " + calls.Detail
	}
	return fmt.Sprintf("cannot prove that no call accepted by %s carries %s (%s)", of.Version, finding.Quote(name), what)
}

// carrying asks whether no call that an input accepts has a member of this name:
// Proven if none has, Refuted with a call that has it.
func (c *comparison) carrying(in contract.Input, name string) contain.Result {
	calls := orAnything(in.Schema)
	if in.Writer == contract.WriterDeclared {
		calls = calls.Closed()
	}
	// A call that is no object carries nothing, so this is not {"not": {"required": …}}.
	absent := schema.NewObject(schema.Member{Name: name, Value: schema.NewBool(false)})
	without, _ := schema.Admit(schema.NewObject(schema.Member{Name: "properties", Value: absent}))
	if without == nil { // a name beyond the limits of a schema
		return contain.Result{}
	}
	found := contain.Result{Answer: contain.Proven}
	for _, r := range c.checker.differences(calls, without) {
		if r.Answer == contain.Refuted || r.Defect {
			return r
		}
		found = r
	}
	return found
}

func sessionPlace(i int) string { return finding.Pointer(sessionPointer, strconv.Itoa(i)) }

func parameterNamed(list []contract.SessionParameter, name string) int {
	return slices.IndexFunc(list, func(p contract.SessionParameter) bool { return p.Name == name })
}

// declares reports whether a call may have a member of this name that the
// schema declares.
func declares(s *schema.Schema, name string) bool {
	if s == nil {
		return false
	}
	a := newApplied(s)
	_, to := a.steps(a.closure([]int{0}))
	at := to[step{"properties", name}]
	return len(at) > 0 && !a.refuses(at)
}

// sameParameter judges a parameter that both contracts have. The values that
// sessions hold must fit the new schema.
func (c *comparison) sameParameter(at, i int) {
	was, is := c.old.Input.SessionParameters[at], c.new.Input.SessionParameters[i]
	pointer := sessionPlace(i)
	name := finding.Quote(is.Name)
	if was.Source != is.Source {
		c.declared(contract.Major, "session-parameter-source", pointer+"/source",
			"source of "+name+" "+arrow(was.Source, is.Source), "the same parameter carries other data")
	}
	switch {
	case was.Optional == is.Optional:
	case is.Optional:
		c.declared(contract.Minor, "session-parameter-optional", pointer+"/optional",
			"session parameter "+name+" is optional", "the tool also works without it")
	default:
		c.declared(contract.Major, "session-parameter-optional", pointer+"/optional",
			"session parameter "+name+" is required", "sessions that run may lack it")
	}
	// Without a schema the host may inject anything.
	old, next := orAnything(was.Schema), orAnything(is.Schema)
	c.schema(schemaChange{
		comparison: c, prefix: sessionRules, side: finding.Contract,
		base: pointer + "/schema", oldBase: sessionPlace(at) + "/schema",
		old: old, new: next, breaking: asked{old, next}, harmless: asked{next, old},
	})
}

func orAnything(s *schema.Schema) *schema.Schema {
	if s == nil {
		return anything
	}
	return s
}

// anything is the schema that says nothing.
var anything, _ = schema.Admit(schema.NewBool(true))

func sameParameters(a, b []contract.SessionParameter) bool {
	return slices.EqualFunc(a, b, func(p, q contract.SessionParameter) bool {
		return p.Name == q.Name && p.Source == q.Source && p.Optional == q.Optional &&
			orAnything(p.Schema).Root().JSON() == orAnything(q.Schema).Root().JSON() && (p.Schema == nil) == (q.Schema == nil)
	})
}
