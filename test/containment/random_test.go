// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
)

// The pairs of a test run, and those of a soak. Each pair follows from its own
// number, so that TOOLCONTRACT_SOAK_PAIRS=from-to repeats or resumes any part.
// With TOOLCONTRACT_SOAK_UNKNOWN every pair that is not decided is printed.
const (
	testPairs       = 20_000
	soakPairs       = 1_000_000
	soakVariable    = "TOOLCONTRACT_SOAK_PAIRS"
	unknownVariable = "TOOLCONTRACT_SOAK_UNKNOWN"
	pairInstances   = 60
)

// census counts verdicts.
type census struct {
	sync.Mutex
	pairs, doubtful, missed, wrong int
	sampled, found                 int
	answers                        [3]int
}

func (c *census) add(v verdict) {
	c.Lock()
	defer c.Unlock()
	c.pairs++
	c.answers[v.answer]++
	if v.doubtful {
		c.doubtful++
	}
	if v.missed != nil {
		c.missed++
	}
	if v.sampled {
		c.sampled++
	}
	if v.found {
		c.found++
	}
	if v.wrong != "" {
		c.wrong++
	}
}

// judge asks about the pair of a number.
func (c *census) judge(t *testing.T, g grammar, number uint64, a, b *schema.Schema) {
	t.Helper()
	v := g.try(a, b)
	c.add(v)
	if v.wrong != "" {
		smallA, smallB := g.smallest(a, b, v)
		t.Errorf("pair %d: %s\nA %s\nB %s", number, g.try(smallA, smallB).wrong, smallA.Root().JSON(), smallB.Root().JSON())
	}
	if os.Getenv(unknownVariable) != "" && v.answer == contain.Unknown {
		a, b = g.smallest(a, b, v)
		v = g.try(a, b)
		what := "not refuted here either"
		if v.missed != nil {
			what = "refuted by " + v.missed.JSON()
		}
		t.Logf("pair %d: Unknown, %s: %s\nA %s\nB %s", number, what, contain.Contains(a, b).Reason, a.Root().JSON(), b.Root().JSON())
	}
}

func (c *census) String() string {
	return fmt.Sprintf("%d pairs: Proven %d, Refuted %d (%d of the witnesses in doubt), Unknown %d (%d of them could be refuted), wrong %d; "+
		"without the witness, %d instances refute %d of %d that are Refuted",
		c.pairs, c.answers[contain.Proven], c.answers[contain.Refuted], c.doubtful, c.answers[contain.Unknown], c.missed, c.wrong,
		pairInstances, c.found, c.sampled)
}

func TestNoAnswerAboutRandomPairsIsWrong(t *testing.T) {
	t.Parallel()
	from, to := uint64(0), uint64(testPairs)
	if soaking() {
		to = soakPairs
	}
	if text := os.Getenv(soakVariable); text != "" {
		begins, ends, _ := strings.Cut(text, "-")
		var errFirst, errLast error
		from, errFirst = strconv.ParseUint(begins, 10, 64)
		to, errLast = strconv.ParseUint(ends, 10, 64)
		if errFirst != nil || errLast != nil || from >= to {
			t.Fatalf("%s=%s is not from-to", soakVariable, text)
		}
	}
	var counts census
	begin := time.Now()
	first, last := from/questions, (to+questions-1)/questions
	each(int(last-first), func(i int) {
		seed := first + uint64(i)
		g := newGrammar(seed)
		a, near := g.family()
		for n, b := range near {
			counts.judge(t, g, seed*questions+uint64(2*n), a, b)
			counts.judge(t, g, seed*questions+uint64(2*n)+1, b, a)
		}
		if soaking() && i%1000 == 999 {
			fmt.Fprintf(os.Stderr, "%s to pair %d: %s\n", time.Since(begin).Round(time.Second), (seed+1)*questions, &counts)
		}
	})
	t.Log(&counts)
	if counts.answers[contain.Proven] < counts.pairs/10 || counts.answers[contain.Refuted] < counts.pairs/10 {
		t.Error("the grammar exercises too little")
	}
}
