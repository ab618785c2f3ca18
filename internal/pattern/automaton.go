// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"fmt"
	"regexp"
	"strings"
)

// A regular pattern is translated to the syntax of Go's regexp with every class spelled out, so that no rule of RE2 that
// differs from ECMA-262 (\s, the dot, case folding, the end of the text) can come into play.

const (
	// maxNativeRepeat is the greatest product of nested repetition counts that Go's regexp accepts. Greater counts are
	// written as several repetitions.
	maxNativeRepeat = 1000

	// maxTranslation bounds the translated source in bytes. Only patterns that name large classes many times reach it.
	maxTranslation = 256 << 10
)

// compileAutomaton builds the linear-time engine for a tree without look-around and back-references, and returns its size
// in instructions.
func compileAutomaton(t *tree) (*regexp.Regexp, int, error) {
	part := translate(t.root)
	size := saturatingAdd(part.size, 2) // the match and the fail instruction
	if size > MaxInstructions {
		return nil, 0, &CostError{Pattern: t.source, Reason: fmt.Sprintf(
			"its automaton would have about %s instructions, more than %d; lower the counts in {…}, or bound the length with maxLength", countInstructions(size), MaxInstructions)}
	}
	if part.tooLong {
		return nil, 0, &CostError{Pattern: t.source, Reason: "it repeats large character classes too often; use fewer Unicode properties or lower counts in {…}"}
	}
	re, err := regexp.Compile(part.source)
	if err != nil {
		return nil, 0, &CostError{Pattern: t.source, Reason: "the automaton library refuses it: " + quote(err.Error())}
	}
	return re, size, nil
}

func countInstructions(size int) string {
	if size == unbounded {
		return "more than 2 billion"
	}
	return fmt.Sprint(size)
}

// translation is a part of a pattern in the syntax of Go's regexp.
type translation struct {
	source string

	// tooLong says that source was given up, because it or the automaton is beyond its limit. The rest stays right.
	tooLong bool

	// product is the greatest product of nested repetition counts in source, by the rule of Go's regexp: the larger count
	// of each {n,m}, and 1 for ? * +.
	product int

	// size is how many instructions source compiles to at most. It saturates at unbounded.
	size int
}

// translate writes n as Go regexp source.
func translate(n node) translation {
	switch n := n.(type) {
	case *classNode:
		return translation{source: classSource(n.set), product: 1, size: 1}
	case *assertionNode:
		return translation{source: assertionSource[n.kind], product: 1, size: 1}
	case *captureNode:
		return translate(n.body)
	case *concatNode:
		return sequence(translateAll(n.items)...)
	case *alternationNode:
		return choice(translateAll(n.branches))
	case *repeatNode:
		return repetition(translate(n.body), n.min, n.max)
	}
	return translation{source: "(?:)", product: 1, size: 1}
}

var assertionSource = map[assertion]string{textStart: `\A`, textEnd: `\z`, wordBoundary: `\b`, notWordBoundary: `\B`}

func translateAll(nodes []node) []translation {
	parts := make([]translation, len(nodes))
	for i, n := range nodes {
		parts[i] = translate(n)
	}
	return parts
}

// sequence matches the parts one after the other.
func sequence(parts ...translation) translation {
	return join(parts, "", 0)
}

// choice matches one of the parts. Each branch but one costs an instruction.
func choice(parts []translation) translation {
	whole := join(parts, "|", 1)
	whole.source = "(?:" + whole.source + ")"
	return whole
}

func join(parts []translation, separator string, separatorSize int) translation {
	whole := translation{product: 1}
	length := 0
	for i, part := range parts {
		if i > 0 {
			whole.size = saturatingAdd(whole.size, separatorSize)
		}
		whole.size = saturatingAdd(whole.size, part.size)
		whole.product = max(whole.product, part.product)
		whole.tooLong = whole.tooLong || part.tooLong
		length += len(part.source) + len(separator)
	}
	if whole.tooLong = whole.tooLong || whole.size > MaxInstructions || length > maxTranslation; whole.tooLong {
		return whole
	}
	var b strings.Builder
	for i, part := range parts {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(part.source)
	}
	whole.source = b.String()
	return whole
}

// repetition matches body least to most times.
func repetition(body translation, least, most int) translation {
	// Give up before writing a count that only the size limit would stop.
	size := saturatingMul(body.size, max(least, 1))
	if most != unbounded {
		size = max(size, saturatingMul(body.size, most))
	}
	if size > MaxInstructions || body.tooLong {
		return translation{tooLong: true, product: body.product, size: size}
	}

	body.source = "(?:" + body.source + ")"
	parts := required(body, least)
	switch {
	case most == unbounded:
		parts = append(parts, translation{source: body.source + "*", product: body.product, size: body.size + 2})
	case most > least:
		parts = append(parts, optional(body, most-least))
	}
	if len(parts) == 0 {
		return translate(&emptyNode{})
	}
	return sequence(parts...)
}

// counted is body{least,most}; the product must not exceed maxNativeRepeat.
func counted(body translation, least, most int) translation {
	return translation{
		source:  fmt.Sprintf("%s{%d,%d}", body.source, least, most),
		product: body.product * most,
		size:    body.size*least + (body.size+1)*(most-least),
	}
}

// required is body exactly count times, in pieces that Go's regexp takes.
func required(body translation, count int) []translation {
	var parts []translation
	for piece := max(maxNativeRepeat/body.product, 1); count > 0; count -= piece {
		n := min(count, piece)
		parts = append(parts, counted(body, n, n))
	}
	return parts
}

// optional is body up to count times. A count that is too large becomes up to so many blocks of a fixed number, one
// inside the other, and a rest: few states of that automaton are alive at once, while pieces in a row, such as
// a{0,1000}a{0,1000}, would keep hundreds alive at every character.
func optional(body translation, count int) translation {
	if body.product*count <= maxNativeRepeat {
		return counted(body, 0, count)
	}
	inBlock := max(maxNativeRepeat/2/body.product, 1)
	blocks := (count - inBlock + 1) / inBlock
	rest := count - blocks*inBlock // at least inBlock-1, so that no number is left out
	block := counted(body, inBlock, inBlock)

	var nested translation
	for range blocks {
		if nested = sequence(block, nested); nested.tooLong {
			return nested
		}
		nested.source = "(?:" + nested.source + ")?"
		nested.size++
	}
	if rest == 0 {
		return nested
	}
	return sequence(nested, counted(body, 0, rest))
}

// classSource writes a set as a class of code points.
func classSource(set runeSet) string {
	if len(set) == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	var b strings.Builder
	b.WriteByte('[')
	for _, r := range set {
		writeClassRune(&b, r.lo)
		if r.lo < r.hi {
			b.WriteByte('-')
			writeClassRune(&b, r.hi)
		}
	}
	b.WriteByte(']')
	return b.String()
}

func writeClassRune(b *strings.Builder, r rune) {
	if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		b.WriteRune(r)
		return
	}
	fmt.Fprintf(b, `\x{%X}`, r)
}
