// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

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
// is killed there.
type crash struct {
	// at counts from 1; the writes before go through.
	at int
	// delivered says whether that write still reaches the API server. Its answer
	// is lost in any case.
	delivered bool

	mutex  sync.Mutex
	writes int
	dead   bool
	// over is set when nothing of the process is under way any more.
	over bool
}

func newCrash(at int, delivered bool) *crash {
	return &crash{at: at, delivered: delivered}
}

var errCrashed = errors.New("the process is dead")

func (c *crash) between(r *http.Request, next http.RoundTripper) (*http.Response, error) {
	fatal, dead := c.step(r)
	switch {
	case fatal:
		defer c.end()
		if c.delivered {
			if answer, err := next.RoundTrip(r); err == nil {
				_, _ = io.Copy(io.Discard, answer.Body)
				answer.Body.Close()
			}
		}
		return nil, errCrashed
	case dead:
		return nil, errCrashed
	default:
		return next.RoundTrip(r)
	}
}

// step counts a request and says whether it is the one to die at, or comes
// after it.
func (c *crash) step(r *http.Request) (fatal, dead bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.dead {
		return false, true
	}
	if isWrite(r) {
		c.writes++
		c.dead = c.writes == c.at
	}
	return c.dead, false
}

func (c *crash) end() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.over = true
}

// happened reports whether the connection has broken.
func (c *crash) happened() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.over
}

// count is how many writes there were.
func (c *crash) count() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.writes
}

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
