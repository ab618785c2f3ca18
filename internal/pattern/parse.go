// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// parser reads one pattern by the grammar of ECMA-262, section "Patterns", with UnicodeMode and NamedCaptureGroups set.
// The Annex B leniency of web browsers does not apply with the u flag.
type parser struct {
	src        string
	pos        int // byte offset of the next code point
	depth      int // of open groups
	features   Features
	captures   []*captureNode
	groups     map[string]int // group name to index
	references []pendingReference
	properties map[string]bool
}

// pendingReference is a back-reference whose group may still follow in the source.
type pendingReference struct {
	node   *referenceNode
	name   string // of the group; empty for a reference by number
	offset int
}

// parse reads src. The error is a *SyntaxError or a *CostError.
func parse(src string) (*tree, error) {
	p := &parser{src: src, groups: map[string]int{}, properties: map[string]bool{}}
	if len(src) > MaxPatternBytes {
		return nil, p.costError("it has %d bytes, more than %d; split it, or list the allowed values with enum", len(src), MaxPatternBytes)
	}
	if !utf8.ValidString(src) {
		return nil, p.errorAt(invalidUTF8Offset(src), "the pattern is not valid UTF-8")
	}
	root, err := p.disjunction()
	if err != nil {
		return nil, err
	}
	if p.pos < len(src) {
		return nil, p.errorAt(p.pos, `")" closes no group; write \) for the character`)
	}
	if err := p.resolveReferences(); err != nil {
		return nil, err
	}
	p.features.Anchored = startsAnchored(root) && endsAnchored(root)
	return &tree{source: src, root: root, captures: p.captures, features: p.features}, nil
}

func invalidUTF8Offset(s string) int {
	for i, r := range s {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
			return i
		}
	}
	return len(s)
}

func (p *parser) errorAt(offset int, format string, args ...any) error {
	return &SyntaxError{Pattern: p.src, Offset: offset, Reason: fmt.Sprintf(format, args...)}
}

func (p *parser) costError(format string, args ...any) error {
	return &CostError{Pattern: p.src, Reason: fmt.Sprintf(format, args...)}
}

// peek returns the next code point without reading it, and false at the end.
func (p *parser) peek() (rune, bool) {
	if p.pos == len(p.src) {
		return 0, false
	}
	r, _ := utf8.DecodeRuneInString(p.src[p.pos:])
	return r, true
}

// next reads one code point; the caller has peeked at it.
func (p *parser) next() rune {
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += size
	return r
}

// accept reads token if the rest of the source begins with it.
func (p *parser) accept(token string) bool {
	if !strings.HasPrefix(p.src[p.pos:], token) {
		return false
	}
	p.pos += len(token)
	return true
}

// disjunction reads up to the end of the source or an unread ")".
func (p *parser) disjunction() (node, error) {
	var branches []node
	for {
		branch, err := p.alternative()
		if err != nil {
			return nil, err
		}
		branches = append(branches, branch)
		if p.accept("|") {
			continue
		}
		if len(branches) == 1 {
			return branch, nil
		}
		return &alternationNode{branches: branches}, nil
	}
}

func (p *parser) alternative() (node, error) {
	var items []node
	for {
		if r, ok := p.peek(); !ok || r == '|' || r == ')' {
			return concatenation(items), nil
		}
		item, err := p.term()
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
}

// term reads an assertion, or an atom with its quantifier.
func (p *parser) term() (node, error) {
	start := p.pos
	if assertion := p.assertion(); assertion != nil {
		return p.unrepeated(assertion)
	}
	if look, ok := p.lookStart(); ok {
		if err := p.look(start, look); err != nil {
			return nil, err
		}
		return p.unrepeated(look)
	}
	atom, err := p.atom()
	if err != nil {
		return nil, err
	}
	return p.quantified(atom, start)
}

// assertion reads ^, $, \b or \B, or returns nil having read nothing.
func (p *parser) assertion() node {
	switch {
	case p.accept("^"):
		p.features.StartAnchor = true
		return &assertionNode{kind: textStart}
	case p.accept("$"):
		p.features.EndAnchor = true
		return &assertionNode{kind: textEnd}
	case p.accept(`\b`):
		p.features.WordBoundary = true
		return &assertionNode{kind: wordBoundary}
	case p.accept(`\B`):
		p.features.WordBoundary = true
		return &assertionNode{kind: notWordBoundary}
	}
	return nil
}

// unrepeated refuses a quantifier after an assertion, which only Annex B allows, and only after a look-ahead.
func (p *parser) unrepeated(assertion node) (node, error) {
	if r, ok := p.peek(); ok && strings.ContainsRune("*+?{", r) {
		return nil, p.errorAt(p.pos, "an assertion cannot be repeated; remove the quantifier")
	}
	return assertion, nil
}

func (p *parser) atom() (node, error) {
	start := p.pos
	switch r := p.next(); r {
	case '.':
		return &classNode{set: dotSet}, nil
	case '(':
		return p.group(start)
	case '[':
		return p.class(start)
	case '\\':
		return p.escape(start)
	case '*', '+', '?':
		return nil, p.danglingQuantifier(start, r)
	case '{', '}', ']':
		if strings.HasSuffix(p.src[:start], ":]") {
			return nil, p.errorAt(start, `"]" stands alone: classes such as [:alpha:] do not exist here; write [A-Za-z]`)
		}
		return nil, p.errorAt(start, `"%c" stands alone; write \%c for the character`, r, r)
	default:
		return literal(r), nil
	}
}

func (p *parser) danglingQuantifier(at int, r rune) error {
	if at > 0 && strings.ContainsRune("*+?}", rune(p.src[at-1])) {
		return p.errorAt(at, `a quantifier follows a quantifier; possessive quantifiers do not exist here, write \%c for the character`, r)
	}
	return p.errorAt(at, `nothing to repeat before "%c"; write \%c for the character`, r, r)
}

func literal(r rune) node { return &classNode{set: newRuneSet(runeRange{r, r})} }

// quantified reads the quantifier after an atom that began at start, if there is one.
func (p *parser) quantified(atom node, start int) (node, error) {
	repeat := &repeatNode{body: atom, start: start}
	switch {
	case p.accept("*"):
		repeat.min, repeat.max = 0, unbounded
	case p.accept("+"):
		repeat.min, repeat.max = 1, unbounded
	case p.accept("?"):
		repeat.min, repeat.max = 0, 1
	case strings.HasPrefix(p.src[p.pos:], "{"):
		if err := p.braces(repeat); err != nil {
			return nil, err
		}
	default:
		return atom, nil
	}
	if p.accept("?") {
		p.features.Lazy = true
	}
	repeat.end = p.pos
	return repeat, nil
}

// braces reads {n}, {n,} or {n,m}.
func (p *parser) braces(repeat *repeatNode) error {
	start := p.pos
	p.pos++
	least, ok := p.decimal()
	if !ok {
		if p.accept(",") {
			return p.errorAt(start, `"{," is not a quantifier; write {0, for no lower limit`)
		}
		return p.errorAt(start, `"{" begins no quantifier; write \{ for the character`)
	}
	most := least
	if p.accept(",") {
		if most, ok = p.decimal(); !ok {
			most = unbounded
		}
	}
	if !p.accept("}") {
		return p.errorAt(start, `"{" begins no quantifier; write \{ for the character`)
	}
	if most < least {
		return p.errorAt(start, "the limits of the quantifier are out of order; write {%d,%d}", most, least)
	}
	repeat.min, repeat.max = least, most
	p.features.MaxRepeat = max(p.features.MaxRepeat, least)
	if ok {
		p.features.MaxRepeat = max(p.features.MaxRepeat, most)
	}
	return nil
}

// decimal reads digits and saturates at unbounded. It returns false if there are none.
func (p *parser) decimal() (int, bool) {
	start := p.pos
	value := 0
	for p.pos < len(p.src) && '0' <= p.src[p.pos] && p.src[p.pos] <= '9' {
		value = saturatingAdd(saturatingMul(value, 10), int(p.src[p.pos]-'0'))
		p.pos++
	}
	return value, p.pos > start
}

// resolveReferences gives every back-reference its group, now that all groups are known.
func (p *parser) resolveReferences() error {
	for _, ref := range p.references {
		if ref.name == "" {
			if ref.node.index > len(p.captures) {
				return p.errorAt(ref.offset, `\%d refers to a group that does not exist: the pattern has %s`, ref.node.index, countGroups(len(p.captures)))
			}
			continue
		}
		index, ok := p.groups[ref.name]
		if !ok {
			return p.errorAt(ref.offset, `\k<%s> refers to a group that does not exist; name one (?<%s>…)`, ref.name, ref.name)
		}
		ref.node.index = index
	}
	return nil
}

func countGroups(n int) string {
	switch n {
	case 0:
		return "no capturing group"
	case 1:
		return "1 capturing group"
	}
	return strconv.Itoa(n) + " capturing groups"
}
