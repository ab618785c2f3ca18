// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"sync"
	"testing"
)

func TestDerivedIsMadeOncePerKeyAndDocument(t *testing.T) {
	t.Parallel()
	type a struct{}
	type b struct{}
	s, other := admitted(t, `{"type":"object"}`), admitted(t, `{"type":"object"}`)
	made := 0
	count := func(*Schema) any { made++; return made }
	for range 3 {
		if got := s.Derived(a{}, count); got != 1 {
			t.Errorf("got %v, want what was made first", got)
		}
	}
	if got := s.Derived(b{}, count); got != 2 {
		t.Errorf("another key: got %v", got)
	}
	if got := other.Derived(a{}, count); got != 3 {
		t.Errorf("another document: got %v", got)
	}
}

func TestReadersAtTheSameTimeGetOneValue(t *testing.T) {
	t.Parallel()
	type key struct{}
	s := admitted(t, `{"type":"object"}`)
	values := make([]any, 8)
	var wg sync.WaitGroup
	for i := range values {
		wg.Go(func() { values[i] = s.Derived(key{}, func(*Schema) any { return new(int) }) })
	}
	wg.Wait()
	for _, v := range values {
		if v != values[0] {
			t.Error("two readers got different values")
		}
	}
}
