// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/toolcontract/operator/api/v1alpha1"
)

// lag holds back what the watch on one resource has to tell, like a cache that
// has fallen behind the others.
type lag struct {
	resource string

	mutex sync.RWMutex // held for writing while the watch is held back
}

func (l *lag) between(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	answer, err := next.RoundTrip(r)
	if err == nil && strings.HasSuffix(r.URL.Path, "/"+l.resource) && r.URL.Query().Get("watch") == "true" {
		answer.Body = laggingBody{answer.Body, l}
	}
	return answer, err
}

type laggingBody struct {
	io.ReadCloser
	*lag
}

func (b laggingBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.mutex.RLock()
	defer b.mutex.RUnlock()
	return n, err
}

// TestALaggingCacheCostsNothing publishes versions while the operator's cache of
// one kind is behind. What the operator has just made is not taken for something
// that nobody needs, and is not made twice.
func TestALaggingCacheCostsNothing(t *testing.T) {
	t.Parallel()
	for _, resource := range []string{"toolrevisions", "configmaps"} {
		t.Run(resource, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			behind := &lag{resource: resource}
			w.startOperatorWith(through(managerConfig(t), behind.between))
			w.publish(limited(described("find-order", "1.0.0", "Says 1.0.0."), 0))
			w.eventually(w.complete)
			before := len(w.writes())

			behind.mutex.Lock()
			catchUp := sync.OnceFunc(behind.mutex.Unlock)
			defer catchUp()
			w.publish(limited(described("find-order", "1.0.1", "Says 1.0.1."), 0))
			// No channel protects what a pre-release needs.
			w.publish(limited(described("find-order", "1.1.0-rc.1", "Says 1.1.0."), 0))
			w.publish(tool(beacon, "1.0.0", inputFirst)) // meanwhile the operator has had its turn with all of it
			catchUp()

			w.eventually(w.complete)
			want := []string{"1.0.0", "1.0.1", "1.1.0-rc.1"}
			w.keeps(want, want)
			var made []string
			for _, write := range w.writes()[before:] {
				if write.Code < http.StatusBadRequest && write.Verb == "create" {
					made = append(made, write.Name)
				}
				if write.Verb == "delete" {
					t.Errorf("%s was deleted", write.Name)
				}
			}
			if again := duplicates(made); len(again) > 0 {
				t.Errorf("created twice: %v", again)
			}
		})
	}
}

// TestAFrozenInformerHarmsNothing holds one of the operator's watches back for five
// seconds while its contract is edited all the time. Nothing is deleted or made
// twice, and no channel is moved back to what the author has left.
func TestAFrozenInformerHarmsNothing(t *testing.T) {
	t.Parallel()
	const edits, pause = 20, 250 * time.Millisecond
	for _, resource := range []string{"toolcontracts", "toolrevisions", "configmaps"} {
		t.Run(resource, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			behind := &lag{resource: resource}
			w.startOperatorWith(through(managerConfig(t), behind.between))
			contract := func(patch int) *v1alpha1.ToolContract {
				version := fmt.Sprintf("1.0.%d", patch)
				return limited(described("find-order", version, "Says "+version+"."), edits)
			}
			w.publish(contract(0))
			w.publish(tool("find-order", "2.0.0", inputBroken))
			w.publish(contract(1))
			seen := w.watching()

			behind.mutex.Lock()
			catchUp := sync.OnceFunc(behind.mutex.Unlock)
			defer catchUp()
			for patch := 2; patch < edits+2; patch++ {
				w.put(contract(patch))
				time.Sleep(pause)
			}
			catchUp()

			w.eventually(func() error { return w.said("find-order", v1alpha1.ReasonPublished) })
			w.eventually(func() error { return w.serves("find-order-v1", fmt.Sprintf("1.0.%d", edits+1)) })
			w.eventually(w.complete)
			seen.check()
			if served := seen.servedBy("find-order-v1"); !slices.IsSortedFunc(served, compareText) {
				t.Errorf("the channel was moved back: %v", served)
			}
			if served := seen.servedBy("find-order-v2"); len(served) > 1 {
				t.Errorf("the channel of another line was moved: %v", served)
			}
			var made []string
			for _, write := range w.writes() {
				if write.Code < http.StatusBadRequest && write.Verb == "create" {
					made = append(made, write.Name)
				}
				if write.Verb == "delete" {
					t.Errorf("%s was deleted", write.Name)
				}
			}
			if again := duplicates(made); len(again) > 0 {
				t.Errorf("created twice: %v", again)
			}
		})
	}
}

// duplicates are the names that are there more than once.
func duplicates(names []string) []string {
	var out []string
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			out = append(out, name)
		}
	}
	return out
}
