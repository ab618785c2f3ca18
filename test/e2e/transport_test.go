// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"k8s.io/client-go/rest"
)

// roundTripper lets a function stand between the operator and the API server.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// through returns a copy of config whose requests go through between, which
// calls next to send one on.
func through(config *rest.Config, between func(r *http.Request, next http.RoundTripper) (*http.Response, error)) *rest.Config {
	config = rest.CopyConfig(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) { return between(r, next) })
	})
	return config
}

// isWrite reports whether a request changes an object that users see.
func isWrite(r *http.Request) bool {
	return r.Method != http.MethodGet && !strings.Contains(r.URL.Path, "/events") && !strings.Contains(r.URL.Path, "/leases")
}

// crash is a connection that breaks for ever at one write, like a process that
// is killed there. A write that the API server refuses changes nothing and does
// not count: whether a status is computed from a stale cache is left to chance.
type crash struct {
	// at counts from 1; the writes before go through.
	at int
	// delivered says whether that write still reaches the API server. Its answer
	// is lost in any case.
	delivered bool

	mutex  sync.Mutex // one write at a time
	writes atomic.Int64
	dead   atomic.Bool
}

var errCrashed = errors.New("the process is dead")

func (c *crash) between(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	if isWrite(r) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if !c.delivered && c.count() == c.at-1 {
			c.dead.Store(true)
		}
	}
	if c.dead.Load() {
		return nil, errCrashed
	}
	answer, err := next.RoundTrip(r)
	if err != nil || !isWrite(r) || answer.StatusCode >= http.StatusBadRequest {
		return answer, err
	}
	if c.writes.Add(1); c.delivered && c.count() == c.at {
		answer.Body.Close()
		c.dead.Store(true)
		return nil, errCrashed
	}
	return answer, nil
}

// count is how many writes the API server took.
func (c *crash) count() int { return int(c.writes.Load()) }

// recorder notes what was asked for.
type recorder struct {
	mutex    sync.Mutex
	requests []string
}

func (rec *recorder) between(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	rec.mutex.Lock()
	rec.requests = append(rec.requests, r.Method+" "+r.URL.RequestURI())
	rec.mutex.Unlock()
	return next.RoundTrip(r)
}

// all returns the requests so far: method and path with query.
func (rec *recorder) all() []string {
	rec.mutex.Lock()
	defer rec.mutex.Unlock()
	return slices.Clone(rec.requests)
}
