// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
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
