// SPDX-License-Identifier: Apache-2.0

package change

import (
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

const (
	inputPointer  = "/spec/input"
	outputPointer = "/spec/output"
)

// input judges what callers write.
func (c *comparison) input() {
	c.ledger.judged("input", "examples")
	if !sameValues(c.old.Input.Examples, c.new.Input.Examples) {
		c.declared(contract.Patch, "input-examples", inputPointer+"/examples", "change of the examples", "")
	}
	c.ledger.judged("input", "schema")
	c.ledger.judged("input", "writer")
	old, next := c.old.Input, c.new.Input
	switch {
	case old.Schema == nil && next.Schema == nil:
	case old.Schema == nil:
		c.declared(contract.Major, "input-schema-added", inputPointer, "new input schema", "calls were not restricted before")
	case next.Schema == nil:
		c.declared(contract.Major, "input-schema-removed", inputPointer, "removal of the input schema", "what it promised is gone")
	default:
		c.schema(inputChange(c, old, next))
	}
	c.writer()
	c.ledger.judged("input", "sessionParameters")
	c.sessionParameters()
}

// output judges what callers read. Declaring the output for the first time
// promises more.
func (c *comparison) output() {
	c.ledger.judged("output", "errors")
	c.errors()
	c.ledger.judged("output", "schema")
	c.ledger.judged("output", "reader")
	old, next := c.old.Output, c.new.Output
	switch {
	case old.Schema == nil && next.Schema == nil:
	case old.Schema == nil:
		c.declared(contract.Minor, "output-schema-added", outputPointer, "new output schema", "")
	case next.Schema == nil:
		c.declared(contract.Major, "output-schema-removed", outputPointer, "removal of the output schema", "what it promised is gone")
	default:
		c.schema(outputChange(c, old, next))
	}
	c.reader()
}

// schemaChange is the change of one schema of the contract.
type schemaChange struct {
	*comparison
	// prefix begins the rules; side and the bases say what the pointers lead into.
	prefix        string
	side          finding.Side
	base, oldBase string
	// old and new are the schemas as they are written.
	old, new *schema.Schema
	// breaking is the question whose answer No breaks a caller, harmless the
	// opposite one, which tells Minor from Patch.
	breaking, harmless asked
	survey             *survey
	renames            renames
}

// asked is one question to the prover: is a contained in b?
type asked struct{ a, b *schema.Schema }

// newIsA says that the new schema is the first of the question that breaks.
func (s schemaChange) newIsA() bool { return s.prefix == outputRules }

// inputChange asks whether what was valid stays valid: old ⊆ new.
func inputChange(c *comparison, old, next contract.Input) schemaChange {
	s := schemaChange{
		comparison: c, prefix: inputRules, side: finding.Input, old: old.Schema, new: next.Schema,
		breaking: asked{old.Schema, next.Schema}, harmless: asked{next.Schema, old.Schema},
	}
	// What is written is only what is declared, if the host sees to it. That it
	// began or ceased to do so is judged by itself, so the schemas are compared as
	// if both were written so.
	if old.Writer == contract.WriterDeclared || next.Writer == contract.WriterDeclared {
		s.breaking.a, s.harmless = old.Schema.Closed(), asked{next.Schema.Closed(), old.Schema.Closed()}
	}
	if next.Writer == contract.WriterDeclared {
		s.breaking.b = next.Schema.Closed()
	}
	return s
}

// outputChange asks whether what may come back was possible: new ⊆ old.
func outputChange(c *comparison, old, next contract.Output) schemaChange {
	s := schemaChange{
		comparison: c, prefix: outputRules, side: finding.Output, old: old.Schema, new: next.Schema,
		breaking: asked{next.Schema, old.Schema}, harmless: asked{old.Schema, next.Schema},
	}
	// Who ignores what is not declared can read more than the old schema says.
	if old.Reader == contract.ReaderIgnoreUnknown {
		s.breaking.b, s.harmless.a = old.Schema.Opened(), old.Schema.Opened()
		if next.Reader == contract.ReaderIgnoreUnknown {
			s.harmless.b = next.Schema.Opened()
		}
	}
	return s
}

// schema judges one change of a schema by all families of rules.
func (c *comparison) schema(s schemaChange) {
	if s.old.Root().JSON() == s.new.Root().JSON() {
		return
	}
	before, noiseBefore := len(c.findings), c.noise.places
	s.survey = newSurvey(s.old, s.new)
	s.renames = s.survey.findRenames()
	s.containment()
	s.properties()
	s.annotations()
	s.spelling()
	if len(c.findings) == before && c.noise.places == noiseBefore {
		s.heard(otherSpelling, "")
	}
}

// say adds a finding about a place of the schema.
func (s schemaChange) say(n statement) {
	n.side = s.side
	n.pointer, n.oldPointer = s.base+n.pointer, s.oldBase+n.oldPointer
	s.comparison.say(n)
}

// sayAt adds a finding about a place that is known by its pointer in one of the
// two schemas.
func (s schemaChange) sayAt(inNew bool, pointer string, n statement) {
	n.pointer, n.oldPointer = s.survey.pointers(inNew, pointer, n.keyword)
	s.say(n)
}

func sameValues(a, b []*schema.Value) bool {
	return schema.NewArray(a...).JSON() == schema.NewArray(b...).JSON()
}
