// SPDX-License-Identifier: Apache-2.0

package change

import (
	"container/list"
	"sync"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/schema"
)

// Checker compares contents and remembers what the prover said of pairs of
// schemas. Both sides of a comparison are immutable, so an answer never
// changes; a controller that looks at the same contract again need not prove
// it again. A nil Checker compares without memory. It is safe for concurrent
// use.
type Checker struct {
	// Began, if it is set, is called before two schemas are compared that are not
	// remembered, and what it returns with the answer. Nothing depends on it.
	Began func() (ended func(contain.Answer))

	room int // entries that may be added

	mu      sync.Mutex
	entries map[question]*list.Element
	recent  *list.List // of *answer, the last used first
}

// question is a pair of schemas by their exact documents: two spellings of one
// schema are two questions, because an author's order may decide which example
// is found.
type question struct{ a, b string }

type answer struct {
	question question
	results  []contain.Result
	weight   int
}

// NewChecker returns a Checker that remembers about as many answers as it has
// entries, and no more memory than that many usual ones take.
func NewChecker(entries int) *Checker {
	return &Checker{room: entries, entries: map[question]*list.Element{}, recent: list.New()}
}

// Compare judges the step from one content to another, as the function
// [Compare] does.
func (k *Checker) Compare(old, next *contract.Content, newLine contract.Version) Report {
	return compareWith(k, old, next, newLine)
}

// differences is [contain.Differences] with memory. Nobody changes the results.
func (k *Checker) differences(a, b *schema.Schema) []contain.Result {
	if k == nil {
		return contain.Differences(a, b)
	}
	q := question{a.Digest(), b.Digest()}
	if results, ok := k.recall(q); ok {
		return results
	}
	// The lock is not held while it is proved: two askers may prove the same.
	var ended func(contain.Answer)
	if k.Began != nil {
		ended = k.Began()
	}
	results := contain.Differences(a, b)
	if ended != nil {
		ended(overall(results))
	}
	k.remember(answer{q, results, weight(results)})
	return results
}

// overall is one answer for all places of a comparison, as [contain.Contains]
// gives it.
func overall(results []contain.Result) contain.Answer {
	answer := contain.Proven
	for _, r := range results {
		if answer = r.Answer; answer == contain.Refuted {
			break
		}
	}
	return answer
}

func (k *Checker) recall(q question) ([]contain.Result, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	e, ok := k.entries[q]
	if !ok {
		return nil, false
	}
	k.recent.MoveToFront(e)
	return e.Value.(*answer).results, true //nolint:forcetypeassert // the list holds nothing else
}

func (k *Checker) remember(a answer) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, known := k.entries[a.question]; known {
		return
	}
	k.entries[a.question] = k.recent.PushFront(&a)
	k.room -= a.weight
	for k.room < 0 {
		oldest := k.recent.Remove(k.recent.Back()).(*answer) //nolint:forcetypeassert // as above
		delete(k.entries, oldest.question)
		k.room += oldest.weight
	}
}

// usualAnswer is the size of an answer that counts as one entry, in bytes. A
// hostile schema has long names at many places; its answer counts as many.
const usualAnswer = 4 << 10

func weight(results []contain.Result) int {
	bytes := 0
	for _, r := range results {
		bytes += len(r.Pointer) + len(r.Name) + len(r.Reason) + len(r.Detail) + len(r.InA) + len(r.InB)
		for _, v := range r.Values {
			bytes += len(v.JSON())
		}
	}
	return 1 + bytes/usualAnswer
}
