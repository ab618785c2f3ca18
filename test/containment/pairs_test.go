// SPDX-License-Identifier: Apache-2.0

package containment

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/naive"
)

// admit reads a schema; ok is false if it is refused or not valid.
func admit(v *schema.Value) (s *schema.Schema, ok bool) {
	s, _ = schema.Admit(v)
	if s == nil {
		return nil, false
	}
	_, findings := s.Compile()
	return s, len(findings) == 0
}

// confirm judges a witness with the second validator; empty if A accepts and B
// rejects it.
func confirm(a, b *schema.Schema, witness *schema.Value) (wrong, doubt string) {
	for _, side := range []struct {
		word   string
		schema *schema.Schema
		want   bool
	}{{"first", a, true}, {"second", b, false}} {
		valid, why := naive.New(side.schema).Accepts(witness)
		if why != "" {
			doubt = why
			continue
		}
		if valid != side.want {
			return fmt.Sprintf("the second validator says %t of witness %s and the %s schema", valid, witness.JSON(), side.word), ""
		}
	}
	return "", doubt
}

// question is one direction of a pair whose answer is known.
type question struct {
	name string
	a, b *schema.Schema
	// holds says that A is contained in B.
	holds bool
}

// failure says what is wrong with an answer; empty for none. Unknown is wrong.
func (q question) failure() string {
	r := contain.Contains(q.a, q.b)
	switch {
	case r.Defect:
		return r.Reason
	case r.Answer == contain.Unknown:
		return "Unknown: " + r.Reason
	case (r.Answer == contain.Proven) != q.holds:
		text := ""
		if r.Witness != nil {
			text = " by " + r.Witness.JSON()
		}
		return fmt.Sprintf("%s%s, which is wrong", r.Answer, text)
	case r.Answer == contain.Refuted && r.Witness == nil:
		return "Refuted without a witness"
	case r.Answer == contain.Refuted:
		wrong, doubt := confirm(q.a, q.b, r.Witness)
		if doubt != "" {
			return "the second validator cannot judge " + r.Witness.JSON() + ": " + doubt
		}
		return wrong
	}
	return ""
}

// exceptions is a table of questions that are not answered as they should be,
// each with its reason. One that is answered fails the test as well.
type exceptions map[string]string

// check answers all questions on all cores.
func (known exceptions) check(t *testing.T, questions []question) {
	t.Helper()
	failures := make([]string, len(questions))
	each(len(questions), func(i int) { failures[i] = questions[i].failure() })
	met := maps.Clone(known)
	wrong := 0
	for i, q := range questions {
		if failures[i] == "" {
			continue
		}
		wrong++
		if _, listed := known[q.name]; !listed {
			t.Errorf("%s: %s\nA %s\nB %s", q.name, failures[i], q.a.Root().JSON(), q.b.Root().JSON())
		}
		delete(met, q.name)
	}
	for _, name := range slices.Sorted(maps.Keys(met)) {
		t.Errorf("%s is answered now (or is no question any more): take it from the table", name)
	}
	t.Logf("%d questions, %d answered as they should be", len(questions), len(questions)-wrong)
}

// each calls f for every number below n, on all cores.
func each(n int, f func(int)) {
	var group sync.WaitGroup
	work := make(chan int)
	for range workers() {
		group.Go(func() {
			for i := range work {
				f(i)
			}
		})
	}
	for i := range n {
		work <- i
	}
	close(work)
	group.Wait()
}
