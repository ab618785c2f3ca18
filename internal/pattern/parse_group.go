// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"strings"
	"unicode"
)

// group reads a group; its "(" at start is read.
func (p *parser) group(start int) (node, error) {
	switch {
	case p.accept("?:"):
		p.features.NonCapturing = true
		return p.groupBody(start)
	case p.accept("?<"):
		return p.namedCapture(start)
	case strings.HasPrefix(p.src[p.pos:], "?"):
		return nil, p.unknownGroup(start)
	}
	return p.capture(start)
}

// groupBody reads the content of a group and its ")".
func (p *parser) groupBody(start int) (node, error) {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > MaxGroupDepth {
		return nil, p.costError("its groups are nested more than %d deep; write a flatter pattern", MaxGroupDepth)
	}
	body, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, p.errorAt(start, `the group is not closed; add ")", or write \( for the character`)
	}
	return body, nil
}

// lookStart reads the opening of a look-around assertion, or returns false having read nothing.
func (p *parser) lookStart() (*lookNode, bool) {
	switch {
	case p.accept("(?="):
		return &lookNode{}, true
	case p.accept("(?!"):
		return &lookNode{negative: true}, true
	case p.accept("(?<="):
		return &lookNode{behind: true}, true
	case p.accept("(?<!"):
		return &lookNode{behind: true, negative: true}, true
	}
	return nil, false
}

// look reads the content of a look-around assertion that began at start.
func (p *parser) look(start int, look *lookNode) error {
	p.features.Lookaround = true
	body, err := p.groupBody(start)
	look.body = body
	return err
}

// capture reads the content of a capturing group. Its index is taken first: groups count by their opening parenthesis.
func (p *parser) capture(start int) (node, error) {
	group := &captureNode{index: len(p.captures) + 1}
	p.captures = append(p.captures, group)
	body, err := p.groupBody(start)
	if err != nil {
		return nil, err
	}
	group.body = body
	return group, nil
}

func (p *parser) namedCapture(start int) (node, error) {
	p.features.NamedGroup = true
	name, err := p.groupName(start)
	if err != nil {
		return nil, err
	}
	if _, taken := p.groups[name]; taken {
		// ES2025 allows a name twice in different alternatives; most engines in use do not yet.
		return nil, p.errorAt(start, "the group name %q is used twice; rename one", name)
	}
	p.groups[name] = len(p.captures) + 1
	return p.capture(start)
}

// groupName reads an identifier and its ">".
func (p *parser) groupName(start int) (string, error) {
	var name strings.Builder
	for !p.accept(">") {
		r, ok := p.peek()
		if !ok {
			return "", p.errorAt(start, `the group name is not closed; add ">"`)
		}
		at := p.pos
		p.next()
		if r == '\\' {
			var err error
			if r, err = p.groupNameEscape(at); err != nil {
				return "", err
			}
		}
		if !isIdentifierRune(r, name.Len() == 0) {
			return "", p.errorAt(at, "%q cannot stand here in a group name; use letters, digits and _, and no digit first", string(r))
		}
		name.WriteRune(r)
	}
	if name.Len() == 0 {
		return "", p.errorAt(start, "the group name is empty; write (?:…) for a group without a name")
	}
	return name.String(), nil
}

func (p *parser) groupNameEscape(at int) (rune, error) {
	if !p.accept("u") {
		return 0, p.errorAt(at, `only \u is an escape in a group name`)
	}
	return p.unicodeEscape(at)
}

// isIdentifierRune reports whether r is IdentifierStartChar, or, if not first, IdentifierPartChar. ID_Start and
// ID_Continue are put together as Unicode Standard Annex 31 defines them.
func isIdentifierRune(r rune, first bool) bool {
	if r == '$' || r == '_' {
		return true
	}
	if unicode.In(r, unicode.Pattern_Syntax, unicode.Pattern_White_Space) {
		return false
	}
	if unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) {
		return true
	}
	const zeroWidthNonJoiner, zeroWidthJoiner = 0x200C, 0x200D
	return !first && (r == zeroWidthNonJoiner || r == zeroWidthJoiner ||
		unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue))
}

// unknownGroup explains what to write instead of a group that other engines know.
func (p *parser) unknownGroup(start int) error {
	rest := p.src[p.pos+1:]
	switch {
	case strings.HasPrefix(rest, "#"):
		return p.errorAt(start, "comments (?#…) do not exist here; put the text into $comment")
	case strings.HasPrefix(rest, ">"):
		return p.errorAt(start, "atomic groups (?>…) do not exist here; write (?:…)")
	case strings.HasPrefix(rest, "'"):
		return p.errorAt(start, "groups (?'name'…) do not exist here; write (?<name>…)")
	case strings.HasPrefix(rest, "P"):
		return p.errorAt(start, `groups (?P…) do not exist here; write (?<name>…), and \k<name> for a reference`)
	case rest != "" && strings.ContainsRune("ismxnUuR-^", rune(rest[0])):
		// ES2025 has (?i:…), but neither the providers' engines nor the widespread validators take it.
		return p.errorAt(start, "inline flags such as (?i) are not supported; write both cases, for example [Aa]")
	}
	return p.errorAt(start, `"(?" begins no group that exists here; write (?:…), or \( for the character`)
}
