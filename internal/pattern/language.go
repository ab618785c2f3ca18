// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"encoding/binary"
	"slices"
)

// Answer is what is known about the languages of two patterns.
type Answer int

// The answers.
const (
	Undecided Answer = iota
	Yes
	No
)

// Bounds on one comparison. They count steps, never time, so that the same patterns have the same answer everywhere.
const (
	maxProgram = 4_096 // instructions of one pattern
	maxSymbols = 512   // groups of characters that the patterns tell apart

	// MaxWithin is the work that [Within] takes at most for one pair of patterns; patterns of real tools take some
	// thousands. A million takes about a quarter of a second.
	MaxWithin = 100_000
)

// Within decides whether every text that a matches is matched by b. For No, the text is one that a matches and b does
// not. It is undecided for look-around and back-references, and where the answer takes more work than there is in the
// budget, of which it takes what it needs.
func Within(a, b *Pattern, budget *int) (answer Answer, text string) {
	if a.String() == b.String() {
		return Yes, ""
	}
	c := comparison{left: min(MaxWithin, *budget)}
	start := c.left
	defer func() { *budget -= start - max(c.left, 0) }()
	if c.left <= 0 || !c.prepare(a, b) {
		return Undecided, ""
	}
	return c.run()
}

// comparison walks through two patterns at once, each as a deterministic automaton whose states are built when they are
// met. A state of the walk is one of each.
type comparison struct {
	a, b    *scanner
	symbols []symbol
	left    int // work

	seen  map[[2]int]int
	pairs []walked
}

// walked is a pair of states and the way that led there.
type walked struct {
	states [2]int
	from   int
	symbol int
}

// symbol stands for all characters that neither pattern tells apart.
type symbol struct {
	example rune
	word    bool
}

func (c *comparison) prepare(a, b *Pattern) bool {
	if !a.Regular() || !b.Regular() {
		return false
	}
	var sets []runeSet
	c.a, c.b = newScanner(a, &sets), newScanner(b, &sets)
	if c.a == nil || c.b == nil {
		return false
	}
	return c.divide(sets)
}

// divide groups all characters by the sets that they are in, and lets both scanners know which group is in which set.
func (c *comparison) divide(sets []runeSet) bool {
	sets = append(sets, wordSet)
	starts := []rune{0, surrogateLo, surrogateHi + 1}
	for _, set := range sets {
		for _, r := range set {
			starts = append(starts, r.lo, r.hi+1)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	if c.left -= len(starts) * len(sets) / 8; c.left < 0 {
		return false
	}
	known := map[string]int{}
	members := make([][]bool, 0, 16) // by symbol, then by set
	at := make([]int, len(sets))     // the range of each set that starts is at
	for _, lo := range starts {
		if (surrogateLo <= lo && lo <= surrogateHi) || lo > maxRune {
			continue
		}
		in := make([]bool, len(sets))
		key := make([]byte, len(sets))
		for i, set := range sets {
			for at[i] < len(set) && set[at[i]].hi < lo {
				at[i]++
			}
			if in[i] = at[i] < len(set) && set[at[i]].lo <= lo; in[i] {
				key[i] = 1
			}
		}
		i, ok := known[string(key)]
		if !ok {
			i = len(c.symbols)
			known[string(key)] = i
			c.symbols = append(c.symbols, symbol{example: lo, word: in[len(sets)-1]})
			members = append(members, in)
		}
		if readable(lo) && !readable(c.symbols[i].example) {
			c.symbols[i].example = lo
		}
	}
	c.a.members, c.b.members = members, members
	return len(c.symbols) <= maxSymbols
}

const maxRune = 0x10FFFF

func readable(r rune) bool { return '!' <= r && r <= '~' }

// run walks breadth-first, so that the text it finds is the shortest.
func (c *comparison) run() (Answer, string) {
	c.seen = map[[2]int]int{}
	c.visit([2]int{c.a.start(), c.b.start()}, -1, 0)
	for i := 0; i < len(c.pairs); i++ { //nolint:intrange // the list grows
		states := c.pairs[i].states
		if c.a.accepts(states[0], &c.left) && !c.b.accepts(states[1], &c.left) && c.left >= 0 {
			return No, c.textTo(i)
		}
		for s := range c.symbols {
			next := [2]int{c.a.next(states[0], s, c.symbols[s].word, &c.left), c.b.next(states[1], s, c.symbols[s].word, &c.left)}
			if c.left < 0 {
				return Undecided, ""
			}
			if next[1] == matched {
				continue // whatever follows, b matches
			}
			c.visit(next, i, s)
		}
	}
	if c.left < 0 {
		return Undecided, ""
	}
	return Yes, ""
}

func (c *comparison) visit(states [2]int, from, symbol int) {
	if _, known := c.seen[states]; known {
		return
	}
	c.seen[states] = len(c.pairs)
	c.pairs = append(c.pairs, walked{states, from, symbol})
}

func (c *comparison) textTo(i int) string {
	var reversed []rune
	for ; c.pairs[i].from >= 0; i = c.pairs[i].from {
		reversed = append(reversed, c.symbols[c.pairs[i].symbol].example)
	}
	slices.Reverse(reversed)
	return string(reversed)
}

// operation is what an instruction does.
type operation uint8

const (
	opCharacter operation = iota // read one of a set, go on
	opSplit                      // go on at both
	opAssert                     // go on if the assertion holds here
	opMatch
)

type instruction struct {
	op        operation
	set       int // of opCharacter
	assertion assertion
	next      int
	other     int // of opSplit
}

// matched is the state in which a match was found: it matches whatever follows.
const matched = 0

// before is what was read last, which assertions look at.
type before uint8

const (
	beforeStart before = iota
	beforeOther
	beforeWord
)

// scanner is one pattern as a deterministic automaton that looks for it in a text.
type scanner struct {
	program []instruction
	first   int
	members [][]bool

	states []scanState
	byKey  map[string]int
	mark   []int // by instruction: the closure it was last seen in
	marks  int
}

// scanState is the places in the program before assertions were judged, which
// needs the character that follows.
type scanState struct {
	places []int
	before before
	next   []int // by symbol; -1 for not known yet
	accept int8  // 0 for not known yet
}

// newScanner compiles a pattern and adds its sets of characters to the list; nil if it is too large.
func newScanner(p *Pattern, sets *[]runeSet) *scanner {
	s := &scanner{byKey: map[string]int{}}
	b := builder{sets: sets}
	b.emit(instruction{op: opMatch})
	first, ok := b.compile(p.tree.root, 0)
	if !ok {
		return nil
	}
	s.program, s.first = b.program, first
	s.mark = make([]int, len(s.program))
	s.states = []scanState{{}} // matched
	return s
}

// builder compiles a tree backwards: each node is given where to go on.
type builder struct {
	program []instruction
	sets    *[]runeSet
}

func (b *builder) emit(i instruction) int {
	b.program = append(b.program, i)
	return len(b.program) - 1
}

func (b *builder) compile(n node, next int) (first int, ok bool) {
	if len(b.program) > maxProgram {
		return 0, false
	}
	switch n := n.(type) {
	case *emptyNode:
		return next, true
	case *classNode:
		*b.sets = append(*b.sets, n.set)
		return b.emit(instruction{op: opCharacter, set: len(*b.sets) - 1, next: next}), true
	case *assertionNode:
		return b.emit(instruction{op: opAssert, assertion: n.kind, next: next}), true
	case *captureNode:
		return b.compile(n.body, next)
	case *concatNode:
		for _, item := range slices.Backward(n.items) {
			if next, ok = b.compile(item, next); !ok {
				return 0, false
			}
		}
		return next, true
	case *alternationNode:
		first, ok = b.compile(n.branches[len(n.branches)-1], next)
		for _, branch := range slices.Backward(n.branches[:len(n.branches)-1]) {
			at, fits := b.compile(branch, next)
			if ok = ok && fits; !ok {
				return 0, false
			}
			first = b.emit(instruction{op: opSplit, next: at, other: first})
		}
		return first, ok
	case *repeatNode:
		return b.repeat(n, next)
	}
	return 0, false
}

func (b *builder) repeat(n *repeatNode, next int) (first int, ok bool) {
	if n.max == unbounded {
		loop := b.emit(instruction{op: opSplit, other: next})
		body, fits := b.compile(n.body, loop)
		if !fits {
			return 0, false
		}
		b.program[loop].next = body
		first = loop
	} else {
		first = next
		for range n.max - n.min {
			body, fits := b.compile(n.body, first)
			if !fits {
				return 0, false
			}
			first = b.emit(instruction{op: opSplit, next: body, other: next})
		}
	}
	for range n.min {
		size := len(b.program)
		if first, ok = b.compile(n.body, first); !ok {
			return 0, false
		}
		if len(b.program) == size {
			break // the body is empty
		}
	}
	return first, true
}

func (s *scanner) start() int { return s.state([]int{s.first}, beforeStart) }

// state finds or makes the state for places, which are sorted.
func (s *scanner) state(places []int, at before) int {
	key := make([]byte, 0, 1+4*len(places))
	key = append(key, byte(at))
	for _, p := range places {
		key = binary.LittleEndian.AppendUint32(key, uint32(p)) //nolint:gosec // at most maxProgram
	}
	if i, known := s.byKey[string(key)]; known {
		return i
	}
	s.byKey[string(key)] = len(s.states)
	s.states = append(s.states, scanState{places: places, before: at})
	return len(s.states) - 1
}

// accepts reports whether the text may end in this state.
func (s *scanner) accepts(i int, work *int) bool {
	if i == matched {
		return true
	}
	if s.states[i].accept == 0 {
		s.states[i].accept = -1
		if _, found := s.closure(i, atEnd, work); found {
			s.states[i].accept = 1
		}
	}
	return s.states[i].accept > 0
}

// next is the state after one more character.
func (s *scanner) next(i, symbol int, word bool, work *int) int {
	if i == matched {
		return matched
	}
	if s.states[i].next == nil {
		s.states[i].next = slices.Repeat([]int{-1}, len(s.members))
	}
	if known := s.states[i].next[symbol]; known >= 0 {
		*work--
		return known
	}
	at, after := beforeOther, beforeNotWord
	if word {
		at, after = beforeWord, beforeWordCharacter
	}
	next := matched
	if closed, found := s.closure(i, after, work); !found {
		places := []int{s.first} // a match may begin at the next character
		for _, p := range closed {
			if in := s.program[p]; in.op == opCharacter && s.members[symbol][in.set] {
				places = append(places, in.next)
			}
		}
		slices.Sort(places)
		next = s.state(slices.Compact(places), at)
	}
	s.states[i].next[symbol] = next
	return next
}

// after is what follows, which assertions look at.
type after uint8

const (
	atEnd after = iota
	beforeNotWord
	beforeWordCharacter
)

// closure follows what reads nothing. It reports whether that leads to a match.
func (s *scanner) closure(i int, next after, work *int) (places []int, found bool) {
	s.marks++
	stack := slices.Clone(s.states[i].places)
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.mark[p] == s.marks {
			continue
		}
		s.mark[p] = s.marks
		if *work--; *work < 0 {
			return nil, false
		}
		switch in := s.program[p]; in.op {
		case opMatch:
			return nil, true
		case opCharacter:
			places = append(places, p)
		case opSplit:
			stack = append(stack, in.next, in.other)
		case opAssert:
			if holds(in.assertion, s.states[i].before, next) {
				stack = append(stack, in.next)
			}
		}
	}
	return places, false
}

func holds(a assertion, last before, next after) bool {
	boundary := (last == beforeWord) != (next == beforeWordCharacter)
	switch a {
	case textStart:
		return last == beforeStart
	case textEnd:
		return next == atEnd
	case wordBoundary:
		return boundary
	default:
		return !boundary
	}
}
