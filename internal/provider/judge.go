// SPDX-License-Identifier: Apache-2.0

package provider

import "github.com/toolcontract/operator/internal/schema"

// Judge returns the verdict for a keyword that stands in a node, given by its
// index in s.Nodes(). It is about the keyword alone: what a node lacks, and
// recursion, are shapes. For a keyword that is not in the node the answer is
// about a null value, and meaningful only where no condition looks at values.
func (p *Profile) Judge(s *schema.Schema, node int, keyword string, mode Mode) Cell {
	at := place{schema: s, node: node, keyword: keyword, value: s.Nodes()[node].Value.Get(keyword)}
	if o := p.table(mode).keyword(&at); o != nil {
		return o.Cell
	}
	return Cell{Verdict: Unknown, Confidence: Low}
}

// JudgeShape returns the verdict for a shape that a node has. Whether it has the
// shape is for the caller to know.
func (p *Profile) JudgeShape(s *schema.Schema, node int, shape Shape, mode Mode) Cell {
	at := place{schema: s, node: node}
	if v := s.Nodes()[node].Value; v.Kind() == schema.Bool {
		at.value = v
	}
	if o := p.table(mode).shapes[shapeIndex(shape)].match(&at); o != nil {
		return o.Cell
	}
	return Cell{Verdict: Unknown, Confidence: Low}
}

// NeedsClosed reports whether an object must forbid undeclared members.
func (p *Profile) NeedsClosed(mode Mode) bool { return p.refuses(OpenObject, mode) }

// NeedsAllRequired reports whether every declared property must be required.
func (p *Profile) NeedsAllRequired(mode Mode) bool { return p.refuses(OptionalProperty, mode) }

// NeedsRequired reports whether an object must have required, even if it is
// empty.
func (p *Profile) NeedsRequired(mode Mode) bool { return p.refuses(MissingRequired, mode) }

// NeedsProperties reports whether an object must have properties, even if it is
// empty, in either mode and at least at the root.
func (p *Profile) NeedsProperties() bool {
	return p.refuses(ObjectWithoutProperties, Strict) || p.refuses(ObjectWithoutProperties, Standard)
}

// NeedsItems reports whether an array must have items, even if any item is
// allowed.
func (p *Profile) NeedsItems(mode Mode) bool { return p.refuses(ArrayWithoutItems, mode) }

// refuses reports whether a shape is refused anywhere in a mode.
func (p *Profile) refuses(shape Shape, mode Mode) bool {
	for _, o := range p.table(mode).shapes[shapeIndex(shape)].outcomes {
		if o.Refused(mode) {
			return true
		}
	}
	return false
}

// keyword finds what holds for a keyword at a place.
func (t *table) keyword(at *place) *outcome { return t.entry(at.keyword, at.at().Parent < 0).match(at) }

// entry finds the list for a keyword. At the root what the file says of the
// root comes first; what it says there of unknown keywords comes after what it
// says of this one.
func (t *table) entry(keyword string, atRoot bool) *entry {
	if atRoot && len(t.root) > 0 {
		if e, ok := t.root[keyword]; ok {
			return e
		}
	}
	if i, known := keywordIndex[keyword]; known {
		return &t.keywords[i]
	}
	if e, named := t.named[keyword]; named {
		return e
	}
	if atRoot {
		if e, ok := t.root[unknownName]; ok {
			return e
		}
	}
	return &t.keywords[unknownKeyword]
}

// match returns the first outcome whose condition holds.
func (e *entry) match(at *place) *outcome {
	for i := range e.outcomes {
		if e.outcomes[i].When.holds(at) {
			return &e.outcomes[i]
		}
	}
	return nil
}
