// SPDX-License-Identifier: Apache-2.0

package change

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

func TestACheckerSaysTheSameAsItsFirstTime(t *testing.T) {
	t.Parallel()
	k := NewChecker(16)
	pairs := everyPair(t)[:40]
	for range 3 {
		for _, p := range pairs {
			want := compare(p.old, p.new)
			got := k.Compare(p.old, p.new, p.old.Version.Next(contract.Major))
			if diff := cmp.Diff(want, got, cmp.Comparer((*schema.Value).Equal)); diff != "" {
				t.Fatalf("%s (-without +with memory):\n%s", p.name, diff)
			}
		}
	}
}

func TestACheckerProvesAPairOnce(t *testing.T) {
	t.Parallel()
	k := NewChecker(8)
	old, next := onSide(t, finding.Input, `{"type":"integer"}`, `{"type":"number"}`)
	first := k.differences(next.Input.Schema, old.Input.Schema)
	// The same documents, admitted again.
	again := k.differences(schemaOf(t, `{"type":"number"}`), schemaOf(t, `{"type":"integer"}`))
	if len(first) != 1 || &first[0] != &again[0] {
		t.Error("the pair was proved twice")
	}
	other := k.differences(schemaOf(t, `{"type":["number"]}`), schemaOf(t, `{"type":"integer"}`))
	if len(other) != 1 || &first[0] == &other[0] {
		t.Error("another spelling is another question")
	}
}

func TestACheckerForgetsWhatWasNotUsedForLong(t *testing.T) {
	t.Parallel()
	k := NewChecker(2)
	number := func(n int) *schema.Schema { return schemaOf(t, fmt.Sprintf(`{"type":"integer","maximum":%d}`, n)) }
	wide := schemaOf(t, `{"type":"integer"}`)
	ask := func(n int) { k.differences(wide, number(n)) }
	known := func(n int) bool { return k.entries[question{wide.Digest(), number(n).Digest()}] != nil }
	ask(1)
	ask(2)
	ask(1)
	ask(3)
	if !known(1) || known(2) || !known(3) || k.recent.Len() != 2 || len(k.entries) != 2 {
		t.Errorf("1 %v, 2 %v, 3 %v, %d entries", known(1), known(2), known(3), len(k.entries))
	}
}

func TestALongAnswerCountsAsMany(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 10*usualAnswer)
	if w := weight([]contain.Result{{Pointer: long}}); w != 11 {
		t.Errorf("weight %d", w)
	}
	k := NewChecker(4)
	k.remember(answer{question{"a", "b"}, nil, 1})
	k.remember(answer{question{"c", "d"}, nil, 11})
	if len(k.entries) != 0 || k.recent.Len() != 0 || k.room != 4 {
		t.Errorf("%d entries, room for %d: what does not fit leaves nothing behind", len(k.entries), k.room)
	}
}

func TestACheckerIsSafeForManyAtOnce(t *testing.T) {
	t.Parallel()
	k := NewChecker(3)
	pairs := everyPair(t)[:12]
	want := make([]Report, len(pairs))
	for i, p := range pairs {
		want[i] = compare(p.old, p.new)
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for i, p := range pairs {
				got := k.Compare(p.old, p.new, p.old.Version.Next(contract.Major))
				if diff := cmp.Diff(want[i], got, cmp.Comparer((*schema.Value).Equal)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", p.name, diff)
				}
			}
		})
	}
	wait.Wait()
}
