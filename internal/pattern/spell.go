// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"fmt"
	"strconv"
	"strings"
)

// Spelling chooses the constructs in which a pattern is written anew.
type Spelling struct {
	// ClassEscapes allows [\s\S] for any character. Other escapes are always written as the characters they stand for.
	ClassEscapes bool
	// NonCapturing writes groups as (?:…) rather than (…).
	NonCapturing bool
	// Whole writes a pattern that stands between ^ and $ and matches the same texts when it is searched for.
	Whole bool
}

// maxSpelledRanges and maxSpelledBytes bound what is written for one class, such as \p{L}, and for the whole pattern.
const (
	maxSpelledRanges = 64
	maxSpelledBytes  = MaxPatternBytes
)

// Spelled returns a pattern that matches the same texts and is written with literals, classes, groups, alternatives,
// greedy quantifiers, ^ and $ only: without \d and its like, named groups, Unicode properties and lazy quantifiers. It
// returns false if that is not possible: for look-around, back-references and \b, and for classes with very many ranges.
func (p *Pattern) Spelled(s Spelling) (string, bool) {
	f := p.tree.features
	if f.Lookaround || f.BackReference || f.WordBoundary {
		return "", false
	}
	w := speller{Spelling: s}
	if s.Whole {
		w.whole(p.tree.root)
	} else {
		w.node(p.tree.root, insideNothing)
	}
	if w.failed || w.out.Len() > maxSpelledBytes {
		return "", false
	}
	return w.out.String(), true
}

// WholeText returns the pattern with as little as possible around its own text, so that it stands between ^ and $ and
// matches the same texts as when it is searched for. It returns false for look-around and back-references.
func (p *Pattern) WholeText(s Spelling) (string, bool) {
	f := p.tree.features
	if f.BackReference || f.Lookaround {
		return "", false
	}
	source, root := p.tree.source, p.tree.root
	_, fromStart, toEnd := betweenAnchors(root)
	if fromStart && toEnd && strings.HasPrefix(source, "^") && strings.HasSuffix(source, "$") {
		return source, true
	}
	if fromStart {
		source = strings.TrimPrefix(source, "^")
	}
	if toEnd {
		source = strings.TrimSuffix(source, "$")
	}
	w := speller{Spelling: s}
	if _, alternatives := root.(*alternationNode); alternatives {
		source = w.opening() + source + ")"
	}
	w.between(fromStart, toEnd, func() { w.out.WriteString(source) })
	return w.out.String(), w.out.Len() <= maxSpelledBytes
}

// speller writes one pattern.
type speller struct {
	Spelling
	out    strings.Builder
	failed bool
}

// surroundings say what an expression stands in, which decides whether it needs a group.
type surroundings int

const (
	insideNothing  surroundings = iota // alternatives may stand here
	insideSequence                     // a quantified atom may stand here
	insideRepeat                       // only an atom may
)

func (w *speller) opening() string {
	if w.NonCapturing {
		return "(?:"
	}
	return "("
}

func (w *speller) group(n node) {
	w.out.WriteString(w.opening())
	w.node(n, insideNothing)
	w.out.WriteByte(')')
}

// whole writes the root between ^ and $.
func (w *speller) whole(root node) {
	items, fromStart, toEnd := betweenAnchors(root)
	w.between(fromStart, toEnd, func() {
		for _, item := range items {
			w.node(item, insideSequence)
		}
	})
}

// between writes ^ and $ around something, and any text where it did not have them.
func (w *speller) between(fromStart, toEnd bool, inner func()) {
	w.out.WriteByte('^')
	if !fromStart {
		w.anything()
	}
	inner()
	if !toEnd {
		w.anything()
	}
	w.out.WriteByte('$')
}

// anything writes what matches every text.
func (w *speller) anything() {
	w.anyCharacter()
	w.out.WriteByte('*')
}

func (w *speller) anyCharacter() {
	if w.ClassEscapes {
		w.out.WriteString(`[\s\S]`)
		return
	}
	w.out.WriteString(w.opening() + `[^\n]|\n)`)
}

func (w *speller) node(n node, inside surroundings) {
	if w.failed = w.failed || w.out.Len() > maxSpelledBytes; w.failed {
		return
	}
	switch n := n.(type) {
	case *emptyNode:
		if inside == insideRepeat {
			w.out.WriteString(w.opening() + ")")
		}
	case *classNode:
		w.class(n.set)
	case *captureNode:
		w.group(n.body)
	case *assertionNode:
		w.out.WriteString(map[assertion]string{textStart: "^", textEnd: "$"}[n.kind])
	case *concatNode:
		if inside == insideRepeat {
			w.group(n)
			return
		}
		for _, item := range n.items {
			w.node(item, insideSequence)
		}
	case *alternationNode:
		if inside != insideNothing {
			w.group(n)
			return
		}
		for i, branch := range n.branches {
			if i > 0 {
				w.out.WriteByte('|')
			}
			w.node(branch, insideSequence)
		}
	case *repeatNode:
		if inside == insideRepeat {
			w.group(n)
			return
		}
		w.node(n.body, insideRepeat)
		w.out.WriteString(quantifier(n.min, n.max))
	default:
		w.failed = true
	}
}

func quantifier(least, most int) string {
	switch {
	case least == 0 && most == unbounded:
		return "*"
	case least == 1 && most == unbounded:
		return "+"
	case least == 0 && most == 1:
		return "?"
	case most == unbounded:
		return fmt.Sprintf("{%d,}", least)
	case least == most:
		return fmt.Sprintf("{%d}", least)
	default:
		return fmt.Sprintf("{%d,%d}", least, most)
	}
}

// class writes a set of characters: a single one as itself, all as such, and a set that has the last code point by what
// it lacks, which is what people write.
func (w *speller) class(set runeSet) {
	rest := set.complement()
	switch {
	case len(rest) == 0:
		w.anyCharacter()
		return
	case len(set) == 1 && set[0].lo == set[0].hi:
		w.out.WriteString(escaped(set[0].lo, `^$\.*+?()[]{}|`))
		return
	}
	w.out.WriteByte('[')
	if len(set) > 0 && rest[len(rest)-1].hi < set[len(set)-1].hi {
		w.out.WriteByte('^')
		set = rest
	}
	if len(set) == 0 || len(set) > maxSpelledRanges {
		w.failed = true // nothing but ECMA-262 knows the empty class
		return
	}
	for _, r := range set {
		const special = `\]^[-`
		w.out.WriteString(escaped(r.lo, special))
		if r.hi > r.lo {
			if r.hi > r.lo+1 {
				w.out.WriteByte('-')
			}
			w.out.WriteString(escaped(r.hi, special))
		}
	}
	w.out.WriteByte(']')
}

var spelledControls = map[rune]string{'\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\v': `\v`}

// escaped writes a character: with a backslash if it is special where it stands.
func escaped(r rune, special string) string {
	if control, ok := spelledControls[r]; ok {
		return control
	}
	switch {
	case r < ' ' || (0x7F <= r && r <= 0x9F):
		return `\x` + strings.ToUpper(strconv.FormatInt(int64(r)+0x100, 16)[1:])
	case strings.ContainsRune(special, r):
		return `\` + string(r)
	default:
		return string(r)
	}
}

// OfLength returns a pattern that every text matches whose number of characters is between the two (no upper limit if
// most is negative), and no other.
func OfLength(least, most int, s Spelling) string {
	if most < 0 {
		most = unbounded
	}
	w := speller{Spelling: s}
	w.out.WriteByte('^')
	w.node(&repeatNode{body: &classNode{set: runeSet(nil).complement()}, min: least, max: most}, insideSequence)
	w.out.WriteByte('$')
	return w.out.String()
}

// WithLength returns a pattern that matches the texts of p whose number of characters is between the two (no upper limit if
// most is negative). It returns false unless p stands between ^ and $ and repeats exactly one single character, beside parts of
// a fixed length, so that a length is a count of that repetition.
func (p *Pattern) WithLength(least, most int, s Spelling) (string, bool) {
	f := p.tree.features
	items, fromStart, toEnd := betweenAnchors(p.tree.root)
	if f.Lookaround || f.BackReference || f.WordBoundary || !fromStart || !toEnd {
		return "", false
	}
	variable, fixed := -1, 0
	for i, item := range items {
		low, high := sizeOf(item)
		if low == high && high != unbounded {
			fixed += low
			continue
		}
		if variable >= 0 {
			return "", false
		}
		variable = i
	}
	if variable < 0 {
		return "", false // dropping the length is all there could be to do
	}
	repeat, ok := items[variable].(*repeatNode)
	if !ok {
		return "", false
	}
	if _, single := singleCharacters(repeat.body); !single {
		return "", false
	}
	counted := &repeatNode{body: repeat.body, min: max(repeat.min, least-fixed), max: repeat.max}
	if most >= 0 {
		counted.max = min(repeat.max, most-fixed)
	}
	if counted.max < counted.min {
		return "", false
	}
	w := speller{Spelling: s}
	w.out.WriteByte('^')
	for i, item := range items {
		if i == variable {
			item = counted
		}
		w.node(item, insideSequence)
	}
	w.out.WriteByte('$')
	if w.failed || w.out.Len() > maxSpelledBytes {
		return "", false
	}
	return w.out.String(), true
}
