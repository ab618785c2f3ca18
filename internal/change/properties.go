// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// properties judges the names that a schema declares. To declare one says
// what its value means, which no containment can show.
func (s schemaChange) properties() {
	for _, p := range s.survey.places {
		for _, lost := range s.survey.walker.lost(p) {
			s.lost(lost)
		}
		for _, gained := range s.survey.walker.gained(p) {
			if s.survey.walker.old.open(p.old) && s.survey.walker.new.always(gained.pointer) {
				s.gained(gained)
			}
		}
	}
}

// lost reports a property that is gone. Where the object is open, old calls
// still pass, and the value is silently ignored. A counter-example at the same
// place says more and stays; that the name is free for any value now says less
// and goes.
func (s schemaChange) lost(p named) {
	at := s.oldBase + p.pointer
	if s.known(func(f Finding) bool { return f.OldPointer == at && f.Bump == contract.Major }) {
		return
	}
	s.findings = slices.DeleteFunc(s.findings, func(f Finding) bool { return f.Side == s.side && f.OldPointer == at })
	hint := ""
	if name, ok := s.renames.gone[p.pointer]; ok {
		hint = renamedTo(name)
	}
	s.say(statement{
		rule: s.prefix + "property-removed", pointer: p.pointer, oldPointer: p.pointer, keyword: "properties",
		bump: contract.Major, proof: Declared,
		what: "removal of property " + finding.Quote(p.name), hint: hint, why: "callers that use it are not told",
		other: fmt.Sprintf("keep %s and mark it deprecated", finding.Quote(p.name)),
	})
}

// gained reports a property that is new and admits what its name admitted
// before. Nobody was told of the name, so it is something new that the tool
// can do; in an object that is a map the author had told of it.
func (s schemaChange) gained(p named) {
	at := s.base + p.pointer
	if s.known(func(f Finding) bool { return f.Pointer == at && f.Bump >= contract.Minor }) {
		return
	}
	hint := ""
	if name, ok := s.renames.came[p.pointer]; ok {
		hint = renameOf(name)
	}
	s.say(statement{
		rule: s.prefix + "property-declared", pointer: p.pointer, oldPointer: p.pointer, keyword: "properties",
		bump: contract.Minor, proof: Declared,
		what: "new property " + finding.Quote(p.name), hint: hint, why: "it admits what its name admitted before",
	})
}

func (s schemaChange) known(which func(Finding) bool) bool {
	return slices.ContainsFunc(s.findings, func(f Finding) bool { return f.Side == s.side && which(f) })
}

// always reports whether a property is declared for every value of its place,
// and not for what one alternative admits.
func (a *applied) always(pointer string) bool {
	i, ok := a.schema.IndexAt(pointer)
	for ok && a.schema.Nodes()[i].Parent >= 0 {
		i = a.schema.Nodes()[i].Parent
		switch a.schema.Nodes()[i].In {
		case "allOf":
		case "anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "not":
			return false
		default:
			return true
		}
	}
	return ok
}

// open reports whether nothing is said of names that are not declared.
func (a *applied) open(locations []int) bool {
	return !slices.ContainsFunc(locations, func(i int) bool {
		v := a.schema.Nodes()[i].Value
		return v.Get("patternProperties").Len() > 0 ||
			restricts(v.Get("additionalProperties")) || restricts(v.Get("unevaluatedProperties"))
	})
}

// restricts reports whether a schema says anything.
func restricts(v *schema.Value) bool { return v != nil && !v.IsTrue() && (v.IsFalse() || v.Len() > 0) }
