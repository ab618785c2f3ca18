// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"strings"
	"unicode"
)

// controlEscapes are the ControlEscape letters.
var controlEscapes = map[rune]rune{'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v'}

// foreignEscapes are escapes of other engines, with what to write here.
var foreignEscapes = map[rune]string{
	'A': "write ^",
	'Z': "write $, which here is only the very end of the text",
	'z': "write $, which here is only the very end of the text",
	'G': "remove it",
	'a': `write \x07`,
	'e': `write \x1b`,
	'h': `write [ \t] or \s`,
	'R': `write (?:\r\n|[\n\r])`,
	'Q': "escape each character",
	'E': "escape each character",
	'X': `write .`,
	'N': `write .`,
}

// escape reads what follows a "\" outside a class, other than \b and \B; the "\" at start is read.
func (p *parser) escape(start int) (node, error) {
	r, ok := p.peek()
	if !ok {
		return nil, p.errorAt(start, `the pattern ends in "\"; write \\ for the character`)
	}
	switch {
	case '1' <= r && r <= '9':
		index, _ := p.decimal()
		return p.reference(index, "", start), nil
	case r == 'k':
		p.pos++
		return p.namedReference(start)
	}
	set, isClass, err := p.classEscape(start)
	if err != nil {
		return nil, err
	}
	if isClass {
		return &classNode{set: set}, nil
	}
	value, err := p.characterEscape(start)
	if err != nil {
		return nil, err
	}
	return literal(value), nil
}

func (p *parser) reference(index int, name string, offset int) node {
	p.features.BackReference = true
	ref := &referenceNode{index: index}
	p.references = append(p.references, pendingReference{node: ref, name: name, offset: offset})
	return ref
}

func (p *parser) namedReference(start int) (node, error) {
	if !p.accept("<") {
		return nil, p.errorAt(start, `\k needs the name of a group; write \k<name>`)
	}
	name, err := p.groupName(start)
	if err != nil {
		return nil, err
	}
	return p.reference(0, name, start), nil
}

// classEscape reads \d \D \s \S \w \W \p{…} \P{…} and returns false, having read nothing, for every other escape.
func (p *parser) classEscape(start int) (set runeSet, isClass bool, err error) {
	r, _ := p.peek()
	switch r {
	case 'd', 'D':
		set = digitSet
	case 's', 'S':
		set = spaceSet
	case 'w', 'W':
		set = wordSet
	case 'p', 'P':
		if set, err = p.property(start); err != nil {
			return nil, false, err
		}
		return complementIf(r == 'P', set), true, nil
	default:
		return nil, false, nil
	}
	p.pos++
	p.features.ClassEscape = true
	return complementIf(unicode.IsUpper(r), set), true, nil
}

func complementIf(negated bool, set runeSet) runeSet {
	if negated {
		return set.complement()
	}
	return set
}

// characterEscape reads an escape that stands for one code point, which may be a lone surrogate.
func (p *parser) characterEscape(start int) (rune, error) {
	r, ok := p.peek()
	if !ok {
		return 0, p.errorAt(start, `the pattern ends in "\"; write \\ for the character`)
	}
	p.next()
	if value, ok := controlEscapes[r]; ok {
		return value, nil
	}
	switch {
	case r == 'c':
		return p.controlLetter(start)
	case r == '0':
		if digit, ok := p.peek(); ok && '0' <= digit && digit <= '9' {
			return 0, p.errorAt(start, `octal escapes do not exist here; write \x00 to \xff`)
		}
		return 0, nil
	case r == 'x':
		value, ok := p.hexDigits(2)
		if !ok {
			return 0, p.errorAt(start, `\x needs two hexadecimal digits`)
		}
		return value, nil
	case r == 'u':
		return p.unicodeEscape(start)
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		return r, nil
	}
	if way, ok := foreignEscapes[r]; ok {
		return 0, p.errorAt(start, `\%c does not exist here; %s`, r, way)
	}
	if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return 0, p.errorAt(start, `\%c does not exist here`, r)
	}
	return 0, p.errorAt(start, `%q needs no escape here and must not have one; write it without "\"`, string(r))
}

func (p *parser) controlLetter(start int) (rune, error) {
	r, ok := p.peek()
	isLetter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	if !ok || !isLetter {
		return 0, p.errorAt(start, `\c needs a letter; write \\c for the two characters`)
	}
	return p.next() % 32, nil
}

// unicodeEscape reads what follows \u: four hexadecimal digits, a surrogate pair of two escapes, or {…}.
func (p *parser) unicodeEscape(start int) (rune, error) {
	if p.accept("{") {
		return p.bracedCodePoint(start)
	}
	lead, ok := p.hexDigits(4)
	if !ok {
		return 0, p.errorAt(start, `\u needs four hexadecimal digits, or braces as in \u{1F600}`)
	}
	if lead < 0xD800 || lead > 0xDBFF {
		return lead, nil
	}
	// A pair is one code point only when both halves are written as \uXXXX.
	afterLead := p.pos
	if p.accept(`\u`) {
		if trail, ok := p.hexDigits(4); ok && 0xDC00 <= trail && trail <= 0xDFFF {
			return (lead-0xD800)<<10 + (trail - 0xDC00) + 0x10000, nil
		}
	}
	p.pos = afterLead
	return lead, nil
}

func (p *parser) bracedCodePoint(start int) (rune, error) {
	value, digits := rune(0), 0
	for !p.accept("}") {
		digit, ok := p.hexDigits(1)
		if !ok {
			return 0, p.errorAt(start, `\u{…} needs hexadecimal digits and a closing brace`)
		}
		digits++
		if value = value<<4 | digit; value > unicode.MaxRune {
			return 0, p.errorAt(start, `\u{…} is beyond the last code point, 10FFFF`)
		}
	}
	if digits == 0 {
		return 0, p.errorAt(start, `\u{} is empty; write hexadecimal digits between the braces`)
	}
	return value, nil
}

// hexDigits reads exactly n hexadecimal digits, or returns false having read nothing.
func (p *parser) hexDigits(n int) (rune, bool) {
	if p.pos+n > len(p.src) {
		return 0, false
	}
	value := rune(0)
	for _, c := range []byte(p.src[p.pos : p.pos+n]) {
		switch {
		case '0' <= c && c <= '9':
			value = value<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			value = value<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			value = value<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	p.pos += n
	return value, true
}
