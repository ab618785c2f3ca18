// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"encoding/binary"
	"slices"
)

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

// The states that no further character changes.
const (
	matched      = 0 // a match was found: whatever follows, the text matches
	neverMatches = 1 // no match has begun, and none can begin any more
)

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
	// restarts says that a match may begin behind the start of the text.
	restarts bool
	members  [][]bool

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
	closed [3]closed // by what follows
	next   []int     // by symbol; -1 for not known yet
	accept int8      // 0 for not known yet
}

// closed is where a state leads without reading anything.
type closed struct {
	known, found bool
	places       []int
}

// newScanner compiles a tree and adds its sets of characters to the list; nil if it is too large.
func newScanner(root node, sets *[]runeSet) *scanner {
	s := &scanner{byKey: map[string]int{}}
	b := builder{sets: sets}
	b.emit(instruction{op: opMatch})
	first, ok := b.compile(root, 0)
	if !ok {
		return nil
	}
	s.program, s.first = b.program, first
	s.mark = make([]int, len(s.program))
	s.states = []scanState{matched: {}, neverMatches: {}}
	s.restarts = s.canRestart()
	return s
}

// canRestart reports whether a match may begin after some character.
func (s *scanner) canRestart() bool {
	for _, last := range []before{beforeOther, beforeWord} {
		for _, next := range []after{atEnd, beforeNotWord, beforeWordCharacter} {
			work := len(s.program) * 4
			if places, found := s.closure([]int{s.first}, last, next, &work); found || len(places) > 0 {
				return true
			}
		}
	}
	return false
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
	if len(places) == 0 {
		return neverMatches
	}
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
	if i <= neverMatches {
		return i == matched
	}
	if s.states[i].accept == 0 {
		s.states[i].accept = -1
		if _, found := s.closedAt(i, atEnd, work); found {
			s.states[i].accept = 1
		}
	}
	return s.states[i].accept > 0
}

// next is the state after one more character.
func (s *scanner) next(i, symbol int, word bool, work *int) int {
	if i <= neverMatches {
		return i
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
	if closed, found := s.closedAt(i, after, work); !found {
		var places []int
		if s.restarts {
			places = append(places, s.first)
		}
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

// closedAt is the closure of a state.
func (s *scanner) closedAt(i int, next after, work *int) (places []int, found bool) {
	known := s.states[i].closed[next]
	if !known.known {
		places, found := s.closure(s.states[i].places, s.states[i].before, next, work)
		known = closed{known: *work >= 0, found: found, places: places}
		s.states[i].closed[next] = known
	}
	*work -= len(known.places)
	return known.places, known.found
}

// closure follows what reads nothing. It reports whether that leads to a match.
func (s *scanner) closure(from []int, last before, next after, work *int) (places []int, found bool) {
	s.marks++
	stack := slices.Clone(from)
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
			if holds(in.assertion, last, next) {
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
