// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// meaning judges what a schema declares beyond which values it admits. Both
// sides of a call follow these declarations, and no instance can show that
// one of them moved.
func (s schemaChange) meaning() {
	texts := carriedTexts{}
	complete := walk(s.old, s.new, func(w *walker, p place) {
		s.removedProperties(w, p)
		if len(p.new) == 0 {
			return
		}
		for _, keyword := range keywordsOf(w, p) {
			was, is := w.old.carried(p.old, keyword), w.new.carried(p.new, keyword)
			if was.equal(is) && !s.refersElsewhere(keyword, was) {
				continue
			}
			s.annotation(keyword, was, is, &texts)
		}
	})
	if !complete {
		s.say(note{
			rule: s.prefix() + "too-large", side: s.side, bump: contract.Major, proof: Unknown,
			what: "the schema has too many places to compare what they declare",
		})
	}
	s.text(texts)
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

func keywordsOf(w *walker, p place) []string {
	names := append(w.old.keywords(p.old), w.new.keywords(p.new)...)
	slices.Sort(names)
	return slices.Compact(names)
}

// removedProperties reports properties that are gone. Where the object is
// open, old calls still pass, and the value is silently ignored. A
// counter-example at the same place says more and stays; that the name is free
// for any value now says less and goes.
func (s schemaChange) removedProperties(w *walker, p place) {
	for _, lost := range w.lostProperties(p) {
		known := slices.ContainsFunc(s.findings, func(f Finding) bool {
			return f.Side == s.side && f.Pointer == lost.pointer && f.Bump == contract.Major
		})
		if known {
			continue
		}
		s.drop(func(f Finding) bool { return f.Side == s.side && f.Pointer == lost.pointer })
		s.say(note{
			rule: s.prefix() + "property-removed", side: s.side, pointer: lost.pointer, keyword: "properties",
			bump: contract.Major, proof: Declared,
			what: "removal of property " + finding.Quote(lost.name), why: "callers that use it are not told",
			other: fmt.Sprintf("keep %s and mark it deprecated", finding.Quote(lost.name)),
		})
	}
}

// annotation judges the change of one keyword that admits no fewer and no more values.
func (s schemaChange) annotation(keyword string, was, is carried, texts *carriedTexts) {
	n := note{side: s.side, keyword: keyword, pointer: is.pointer, bump: contract.Major, proof: Declared}
	if is.empty() {
		n.pointer = was.pointer
	}
	n.what = keyword + " " + s.values(was, is)
	n.other = "keep " + keyword + " as it was"
	switch keyword {
	case "title", "description", "examples", "example", "$comment":
		texts.add(keyword, n.pointer)
		return
	case "default":
		n.rule = s.prefix() + "default"
		n.why = "a call that leaves the value out means something else now"
		if was.empty() {
			n.rule = s.prefix() + "default-added"
			n.why = "it is not known what a call that leaves the value out meant before"
			n.other = "leave the default out"
		}
	case "contentEncoding", "contentMediaType", "contentSchema":
		n.rule = s.prefix() + "content"
	case "readOnly", "writeOnly":
		if flag(was) == flag(is) {
			return // spelled out or left out: the same
		}
		n.rule = s.prefix() + "access"
	case "deprecated":
		if flag(was) == flag(is) {
			return
		}
		n.rule, n.bump, n.other = s.prefix()+"deprecated", contract.Minor, ""
		if !flag(is) {
			n.bump = contract.Patch
		}
	case "x-unit", "x-currency", "x-timezone":
		n.rule = s.prefix() + "unit"
	default:
		if _, known := schema.LookupKeyword(keyword); known {
			return // judged by containment, or of no meaning by itself
		}
		n.rule = s.prefix() + "unknown-keyword"
		n.why = "no rule knows what it means"
	}
	s.say(n)
}

func (s schemaChange) values(was, is carried) string {
	if s.hidden {
		return "changed"
	}
	return was.text() + " → " + is.text()
}

func flag(c carried) bool { return slices.ContainsFunc(c.values, (*schema.Value).IsTrue) }

// carriedTexts groups the changes of texts: a generator that rewords
// everything makes one finding.
type carriedTexts struct {
	count    int
	pointer  string
	keywords []string
}

func (t *carriedTexts) add(keyword, pointer string) {
	if t.count == 0 {
		t.pointer = pointer
	}
	t.count++
	if !slices.Contains(t.keywords, keyword) {
		t.keywords = append(t.keywords, keyword)
	}
}

// text reports texts. Only declared fields make meaning Major: half of all real
// edits of a description touch a word that sounds like meaning, and a rule that
// cries wolf is acknowledged by habit.
func (s schemaChange) text(t carriedTexts) {
	if t.count == 0 {
		return
	}
	slices.Sort(t.keywords)
	where := "at one place"
	if t.count > 1 {
		where = fmt.Sprintf("at %d places", t.count)
	}
	s.say(note{
		rule: s.prefix() + "text", side: s.side, pointer: t.pointer, keyword: t.keywords[0],
		bump: contract.Patch, proof: Declared, what: fmt.Sprintf("change of %s %s", joined(t.keywords), where),
	})
}
