// SPDX-License-Identifier: Apache-2.0

package pattern

// classAtom is one member of a class: a single code point, or the set of an escape such as \d.
type classAtom struct {
	set    runeSet
	isSet  bool
	value  rune // if not isSet
	offset int
}

func (a classAtom) ranges() []runeRange {
	if a.isSet {
		return a.set
	}
	return []runeRange{{a.value, a.value}}
}

// class reads a character class; its "[" at start is read. [] matches nothing and [^] everything.
func (p *parser) class(start int) (node, error) {
	negated := p.accept("^")
	var ranges []runeRange
	for !p.accept("]") {
		low, err := p.classAtom(start)
		if err != nil {
			return nil, err
		}
		if !p.acceptRangeDash() {
			ranges = append(ranges, low.ranges()...)
			continue
		}
		high, err := p.classAtom(start)
		if err != nil {
			return nil, err
		}
		if low.isSet || high.isSet {
			return nil, p.errorAt(low.offset, `an escape such as \d cannot begin or end a range; write \- for the character "-"`)
		}
		if low.value > high.value {
			return nil, p.errorAt(low.offset, `the range is out of order; swap its ends, or write \- for the character "-"`)
		}
		ranges = append(ranges, runeRange{low.value, high.value})
	}
	return &classNode{set: complementIf(negated, newRuneSet(ranges...))}, nil
}

// acceptRangeDash reads a "-" unless it is the last character of the class, where it stands for itself.
func (p *parser) acceptRangeDash() bool {
	rest := p.src[p.pos:]
	if len(rest) < 2 || rest[0] != '-' || rest[1] == ']' {
		return false
	}
	p.pos++
	return true
}

func (p *parser) classAtom(start int) (classAtom, error) {
	at := p.pos
	r, ok := p.peek()
	if !ok {
		return classAtom{}, p.errorAt(start, `the class is not closed; add "]", or write \[ for the character`)
	}
	p.next()
	if r != '\\' {
		return classAtom{value: r, offset: at}, nil
	}
	if p.accept("b") {
		return classAtom{value: '\b', offset: at}, nil
	}
	if p.accept("-") {
		return classAtom{value: '-', offset: at}, nil
	}
	set, isSet, err := p.classEscape(at)
	if err != nil {
		return classAtom{}, err
	}
	if isSet {
		return classAtom{set: set, isSet: true, offset: at}, nil
	}
	value, err := p.characterEscape(at)
	return classAtom{value: value, offset: at}, err
}
