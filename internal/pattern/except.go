// SPDX-License-Identifier: Apache-2.0

package pattern

// maxExcept bounds the characters of the excepted texts that are told apart.
const maxExcept = 256

// exceptNode is a node of the tree of all excepted texts.
type exceptNode struct {
	next map[int]int // by symbol
	end  bool
}

// noExcept is the place of a text that begins no excepted one.
const noExcept = -1

// lettersOf are the characters of some texts, each once.
func lettersOf(texts []string) (letters []rune, ok bool) {
	known := map[rune]bool{}
	for _, text := range texts {
		for _, r := range text {
			if !known[r] {
				known[r] = true
				letters = append(letters, r)
			}
		}
		if len(letters) > maxExcept {
			return nil, false
		}
	}
	return letters, true
}

// exclude builds the tree over the symbols; the sets of the letters begin at firstLetter.
func (w *walk) exclude(texts []string, letters []rune, firstLetter int, members [][]bool) {
	symbolOf := make(map[rune]int, len(letters))
	for i, r := range letters {
		for s := range members {
			if members[s][firstLetter+i] {
				symbolOf[r] = s
			}
		}
	}
	w.except = []exceptNode{{next: map[int]int{}}}
	for _, text := range texts {
		at := 0
		for _, r := range text {
			next, ok := w.except[at].next[symbolOf[r]]
			if !ok {
				next = len(w.except)
				w.except = append(w.except, exceptNode{next: map[int]int{}})
				w.except[at].next[symbolOf[r]] = next
			}
			at = next
		}
		w.except[at].end = true
	}
}

func (w *walk) excepted(at int) bool { return at != noExcept && w.except[at].end }

func (w *walk) exceptAfter(at, symbol int) int {
	if at != noExcept {
		if next, ok := w.except[at].next[symbol]; ok {
			return next
		}
	}
	return noExcept
}
