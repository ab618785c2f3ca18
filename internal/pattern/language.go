// SPDX-License-Identifier: Apache-2.0

package pattern

import (
	"encoding/binary"
	"slices"
)

// Answer is what is known about the languages of patterns.
type Answer int

// The answers.
const (
	Undecided Answer = iota
	Yes
	No
)

// Bounds on one question. They count steps, never time, so that the same patterns have the same answer everywhere.
const (
	maxProgram = 2 * MaxInstructions // instructions of one pattern
	maxSymbols = 512                 // groups of characters that the patterns tell apart
	maxChoices = 16                  // ways to fail the patterns of one question

	// MaxWithin is the work that one question takes at most, such as [Within] for one pair of patterns; patterns of real
	// tools take some thousands. A million takes about a quarter of a second.
	MaxWithin = 100_000
)

// Within decides whether every text that a matches is matched by b. For No, the text is a shortest one that a matches
// and b does not. It is undecided for back-references and most look-around, and where the answer takes more work than
// there is in the budget, of which it takes what it needs.
func Within(a, b *Pattern, budget *int) (answer Answer, text string) {
	if a.String() == b.String() {
		return Yes, ""
	}
	switch found, text := (Texts{All: []*Pattern{a}, None: []*Pattern{b}, Most: -1}).Find(budget); found {
	case Yes:
		return No, text
	case No:
		return Yes, ""
	default:
		return Undecided, ""
	}
}

// Texts is a set of texts: those that match every pattern of All and no pattern of None, have at least Least and at most
// Most code points, and are not among Except. A negative Most is no limit.
type Texts struct {
	All, None   []*Pattern
	Least, Most int
	Except      []string
}

// Find decides whether there is such a text. For Yes, the text is a shortest one and made of letters and digits as far
// as possible. If it is Undecided there may still be a text, which is only likely to be one; an empty text says nothing
// then. It takes work out of the budget.
func (t Texts) Find(budget *int) (found Answer, text string) {
	if t.Most >= 0 && t.Least > t.Most {
		return No, ""
	}
	w := walk{left: min(MaxWithin, *budget)}
	start := w.left
	defer func() { *budget -= start - max(w.left, 0) }()
	choices, exact := t.choices()
	found = No
	for _, all := range choices {
		lengths := span{t.Least, t.Most}
		var parts []part
		for _, p := range all {
			if p.root == nil {
				lengths = lengths.and(p.lengths)
			} else {
				parts = append(parts, p)
			}
		}
		if lengths.most >= 0 && lengths.least > lengths.most {
			continue
		}
		w.least, w.most = lengths.least, lengths.most
		switch answer, shortest := w.find(parts, t.Except); {
		case answer == Yes && (found != Yes || len(shortest) < len(text)):
			found, text = Yes, shortest
		case answer == Undecided && found == No:
			found = Undecided
		}
	}
	if found == Yes && !exact && !t.has(text) {
		return Undecided, text
	}
	return found, text
}

// has asks the engines, which decide every single text.
func (t Texts) has(text string) bool {
	for _, p := range t.All {
		if matched, err := p.Match(text); err != nil || !matched {
			return false
		}
	}
	for _, p := range t.None {
		if matched, err := p.Match(text); err != nil || matched {
			return false
		}
	}
	return true
}

// choices writes the set as a union of intersections of regular parts. If some pattern has none (exact is false) it is
// left out, which makes the set larger.
func (t Texts) choices() (union [][]part, exact bool) {
	exact = true
	var all []part
	for _, no := range t.None {
		if slices.ContainsFunc(t.All, func(p *Pattern) bool { return p.String() == no.String() }) {
			return nil, true // wanted and unwanted
		}
	}
	for _, p := range t.All {
		parts, ok := p.parts()
		if !ok {
			exact = false
			continue
		}
		all = append(all, parts...)
	}
	union = [][]part{all}
	for _, p := range t.None {
		parts, ok := p.parts()
		var failing []part
		for _, holds := range parts {
			failing = append(failing, holds.failing()...)
		}
		if !ok || len(union)*len(failing) > maxChoices {
			exact = false
			continue
		}
		var more [][]part
		for _, chosen := range union {
			for _, fails := range failing {
				more = append(more, append(slices.Clip(chosen), fails))
			}
		}
		union = more
	}
	return union, exact
}

// walk goes through several patterns at once, each as a deterministic automaton whose states are built when they are
// met. A state of the walk is one of each, how much the text still lacks of its least length, and the place in the tree
// of excepted texts.
type walk struct {
	least, most int
	left        int // work

	scanners []*scanner
	negative []bool
	symbols  []symbol
	except   []exceptNode
	seen     map[string]struct{}
	steps    []walked
}

// walked is a state and the way that led there.
type walked struct {
	states []int
	length int
	except int // noExcept if the text begins no excepted one
	from   int
	symbol int
}

// symbol stands for all characters that no pattern tells apart.
type symbol struct {
	example rune
	word    bool
}

// find looks for a text that satisfies all parts and is none of the excepted ones.
func (w *walk) find(parts []part, except []string) (Answer, string) {
	if w.left <= 0 {
		return Undecided, ""
	}
	w.scanners, w.negative, w.symbols, w.steps = nil, nil, nil, nil
	w.seen = map[string]struct{}{}
	var sets []runeSet
	for _, p := range parts {
		s := newScanner(p.root, &sets)
		if s == nil {
			return Undecided, ""
		}
		w.scanners, w.negative = append(w.scanners, s), append(w.negative, p.negative)
	}
	letters, ok := lettersOf(except)
	if !ok {
		return Undecided, ""
	}
	firstLetter := len(sets)
	for _, r := range letters {
		sets = append(sets, newRuneSet(runeRange{r, r}))
	}
	members, ok := w.divide(sets)
	if !ok {
		return Undecided, ""
	}
	w.exclude(except, letters, firstLetter, members)
	return w.run()
}

// divide groups all characters by the sets that they are in, and lets the scanners know which group is in which set.
func (w *walk) divide(sets []runeSet) (members [][]bool, ok bool) {
	sets = append(sets, wordSet)
	starts := []rune{0, surrogateLo, surrogateHi + 1, maxRune + 1}
	for _, set := range sets {
		for _, r := range set {
			starts = append(starts, r.lo, r.hi+1)
		}
	}
	slices.Sort(starts)
	starts = slices.Compact(starts)
	if w.left -= len(starts) * len(sets) / 8; w.left < 0 {
		return nil, false
	}
	known := map[string]int{}
	members = make([][]bool, 0, 16) // by symbol, then by set
	at := make([]int, len(sets))    // the range of each set that starts is at
	for i, lo := range starts[:len(starts)-1] {
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
		example := mostReadable(lo, starts[i+1]-1)
		s, ok := known[string(key)]
		if !ok {
			s = len(w.symbols)
			known[string(key)] = s
			w.symbols = append(w.symbols, symbol{example: example, word: in[len(sets)-1]})
			members = append(members, in)
		}
		if unreadable(example) < unreadable(w.symbols[s].example) {
			w.symbols[s].example = example
		}
	}
	return w.order(members), len(w.symbols) <= maxSymbols
}

// order puts the readable symbols first, so that of all shortest texts the walk meets a readable one first.
func (w *walk) order(members [][]bool) [][]bool {
	order := make([]int, len(w.symbols))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return unreadable(w.symbols[i].example) - unreadable(w.symbols[j].example)
	})
	symbols, sorted := make([]symbol, len(order)), make([][]bool, len(order))
	for to, from := range order {
		symbols[to], sorted[to] = w.symbols[from], members[from]
	}
	w.symbols = symbols
	for _, s := range w.scanners {
		s.members = sorted
	}
	return sorted
}

const maxRune = 0x10FFFF

// readableRanges are characters in the order in which an example should use them.
var readableRanges = []runeRange{{'x', 'x'}, {'a', 'z'}, {'0', '9'}, {'A', 'Z'}, {'-', '.'}, {'!', '~'}, {' ', ' '}, {0xC0, 0x17F}, {0x370, 0x1FFF}, {0x3041, 0xD7FF}}

// unreadable is how little a character suits an example.
func unreadable(r rune) int {
	for i, readable := range readableRanges {
		if readable.lo <= r && r <= readable.hi {
			return i
		}
	}
	return len(readableRanges)
}

// mostReadable is the best example of the characters from lo to hi.
func mostReadable(lo, hi rune) rune {
	for _, r := range readableRanges {
		if first := max(lo, r.lo); first <= min(hi, r.hi) {
			return first
		}
	}
	return lo
}

// run walks breadth-first, so that the text it finds is the shortest. A state is visited once, at its least length:
// whatever can still follow a longer text can follow a shorter one.
func (w *walk) run() (Answer, string) {
	first := make([]int, len(w.scanners))
	for i, s := range w.scanners {
		first[i] = s.start()
	}
	w.visit(walked{states: first, from: -1})
	for i := 0; i < len(w.steps); i++ { //nolint:intrange // the list grows
		at := w.steps[i]
		if w.left < 0 {
			return Undecided, ""
		}
		if at.length >= w.least && !w.excepted(at.except) && w.accepts(at.states) && w.left >= 0 {
			return Yes, w.textTo(i)
		}
		if w.most >= 0 && at.length >= w.most {
			continue
		}
		for s := range w.symbols {
			w.left--
			w.step(at, i, s)
		}
	}
	if w.left < 0 {
		return Undecided, ""
	}
	return No, ""
}

func (w *walk) accepts(states []int) bool {
	for i, s := range w.scanners {
		if s.accepts(states[i], &w.left) == w.negative[i] {
			return false
		}
	}
	return true
}

// step reads one more character, unless no text that begins so can be in the set.
func (w *walk) step(at walked, from, symbol int) {
	next := make([]int, len(at.states))
	for i, s := range w.scanners {
		next[i] = s.next(at.states[i], symbol, w.symbols[symbol].word, &w.left)
		if hopeless := map[bool]int{false: neverMatches, true: matched}[w.negative[i]]; next[i] == hopeless {
			return
		}
	}
	w.visit(walked{next, at.length + 1, w.exceptAfter(at.except, symbol), from, symbol})
}

func (w *walk) visit(at walked) {
	if w.left < 0 {
		return
	}
	key := make([]byte, 0, 4*(2+len(at.states)))
	key = binary.LittleEndian.AppendUint32(key, uint32(min(at.length, max(w.least, 0)))) //nolint:gosec // a length that was walked
	key = binary.LittleEndian.AppendUint32(key, uint32(at.except+1))                     //nolint:gosec // an index
	for _, s := range at.states {
		key = binary.LittleEndian.AppendUint32(key, uint32(s)) //nolint:gosec // at most the work
	}
	if _, known := w.seen[string(key)]; known {
		return
	}
	w.seen[string(key)] = struct{}{}
	w.steps = append(w.steps, at)
}

func (w *walk) textTo(i int) string {
	var reversed []rune
	for ; w.steps[i].from >= 0; i = w.steps[i].from {
		reversed = append(reversed, w.symbols[w.steps[i].symbol].example)
	}
	slices.Reverse(reversed)
	return string(reversed)
}
