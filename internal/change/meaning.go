// SPDX-License-Identifier: Apache-2.0

package change

import (
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

// annotations judges what a schema declares beyond which values it admits.
// Both sides of a call follow these declarations, and no instance can show
// that one of them moved. A place that only one schema speaks of counts too:
// items that say a unit, where nothing was said of items before.
func (s schemaChange) annotations() {
	texts := placeTexts{schemaChange: s}
	for _, p := range s.survey.places {
		w := s.survey.walker
		for _, keyword := range w.keywords(p) {
			was, is := w.old.carried(p.old, keyword), w.new.carried(p.new, keyword)
			moved := meaningful(keyword) && !was.empty() && !is.empty() && was.equal(is) && w.movedBetween(p, keyword)
			if was.equal(is) && !moved && !s.refersElsewhere(keyword, was) {
				continue
			}
			if was.empty() {
				was.pointer = w.old.pointerAmong(p.old, is.pointer, "")
			}
			if is.empty() {
				is.pointer = w.new.pointerAmong(p.new, was.pointer, "")
			}
			s.annotation(keyword, was, is, &texts)
		}
	}
	if !s.survey.complete {
		s.say(statement{
			rule: s.prefix + "too-large", bump: contract.Major, proof: Unknown,
			what: "the schema has too many places to compare what they declare",
		})
	}
	texts.say()
}

// meaningful reports whether a keyword says what a value means, so that it
// matters which alternative says it.
func meaningful(keyword string) bool {
	switch keyword {
	case "default", "contentEncoding", "contentMediaType", "contentSchema", "x-unit", "x-currency", "x-timezone":
		return true
	}
	return false
}

// refersElsewhere reports whether a value means something else although it
// reads the same: containment does not look into contentSchema, so a reference
// in it counts as changed with anything in the document.
func (s schemaChange) refersElsewhere(keyword string, c carried) bool {
	return keyword == "contentSchema" && slices.ContainsFunc(c.values, refers)
}

func refers(v *schema.Value) bool {
	return v.Has("$ref") || slices.ContainsFunc(v.Items(), refers) ||
		slices.ContainsFunc(v.Members(), func(m schema.Member) bool { return refers(m.Value) })
}

// annotation judges the change of one keyword that admits no fewer and no more values.
func (s schemaChange) annotation(keyword string, was, is carried, texts *placeTexts) {
	n := statement{
		pointer: is.pointer, oldPointer: was.pointer, keyword: keyword, bump: contract.Major, proof: Declared,
		what: keyword + " " + s.values(was, is), other: "keep " + keyword + " as it was",
	}
	if was.equal(is) && keyword != "contentSchema" {
		n.what = keyword + " in another alternative than before"
	}
	switch keyword {
	case "description":
		texts.add(was, is)
		return
	case "examples", "example":
		texts.other(keyword, was, is)
		return
	case "title", "$comment", "$schema", "$id":
		s.heard(heardOf(keyword), is.pointer)
		return
	case "default":
		n.rule = s.prefix + "default"
		n.why = "a call that leaves the value out means something else now"
		if was.empty() {
			n.rule = s.prefix + "default-added"
			n.why = "it is not known what a call that leaves the value out meant before"
			n.other = "leave the default out"
		}
	case "contentEncoding", "contentMediaType", "contentSchema":
		n.rule = s.prefix + "content"
		n.why = "the same text stands for other data now"
	case "readOnly", "writeOnly":
		if flag(was) == flag(is) {
			s.heard(spelledOut, is.pointer)
			return
		}
		n.rule = s.prefix + "access"
		n.why = "another party writes the value"
	case "deprecated":
		if flag(was) == flag(is) {
			s.heard(spelledOut, is.pointer)
			return
		}
		n.rule, n.bump, n.other = s.prefix+"deprecated", contract.Minor, ""
		if !flag(is) {
			n.bump = contract.Patch
		}
	case "x-unit", "x-currency", "x-timezone":
		n.rule = s.prefix + "unit"
		n.why = "the same number or time means something else now"
		if was.empty() {
			n.rule = s.prefix + "unit-added"
			n.why = "it is not known what the value meant before"
			n.other = "leave " + keyword + " out"
		}
	default:
		if _, known := schema.LookupKeyword(keyword); known {
			return // judged by containment, or of no meaning by itself
		}
		if extension(keyword) {
			s.heard(extensions, is.pointer)
			return
		}
		n.rule = s.prefix + "unknown-keyword"
		n.why = "no rule knows what it means"
	}
	s.say(n)
}

func (s schemaChange) values(was, is carried) string {
	if s.hidden {
		return "changed"
	}
	return was.text(is)
}

func flag(c carried) bool { return slices.ContainsFunc(c.values, (*schema.Value).IsTrue) }
