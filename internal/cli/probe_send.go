// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/probe"
	"github.com/toolcontract/operator/internal/schema"
)

const (
	// maxAttempts is how often one request is sent at most.
	maxAttempts = 3
	// maxWait is the longest pause between two attempts, whatever a server says.
	// The time that one answer may take bounds it as well.
	maxWait = 30 * time.Second
	// maxAnswer is how much of an answer is read, in bytes.
	maxAnswer = 1 << 20
)

// apiClient sends requests to one API.
type apiClient struct {
	// http sends one request and follows no redirect, which would take the key to
	// a place that nobody named.
	http    http.RoundTripper
	timeout time.Duration
	agent   string
	sleep   func(time.Duration)
	say     func(format string, arguments ...any) // to the user, while there is nothing else to see
}

func (p *Program) newClient(timeout time.Duration) *apiClient {
	sleep := p.Sleep
	if sleep == nil {
		sleep = time.Sleep
	}
	return &apiClient{
		http: http.DefaultTransport, timeout: timeout, agent: "toolcontract/" + p.buildVersion(), sleep: sleep, say: p.complain,
	}
}

// send asks until there is an answer that counts, at most [maxAttempts] times.
// hopeless says that the next request would fail in the same way: there is no
// connection, or the key or the model is not taken.
func (c *apiClient) send(r probe.Request, s probe.Surface, key string) (answer probe.Answer, hopeless bool) {
	for attempt := 1; ; attempt++ {
		got, err := c.once(r)
		if err != nil {
			return probe.Answer{Outcome: probe.NotAsked, Error: probe.Scrub("there was no answer: "+err.Error(), key)}, true
		}
		answer = s.Read(got.status, got.body, key)
		switch {
		case got.status == http.StatusUnauthorized, got.status == http.StatusForbidden, got.status == http.StatusNotFound:
			return answer, true
		case got.status >= 300 && got.status < 400:
			answer.Error = probe.Scrub(redirected(got), key)
			return answer, true
		}
		if !answer.MayPass() || answer.Outcome == probe.Taken || attempt == maxAttempts {
			return answer, false
		}
		c.wait(got, attempt)
	}
}

// wait pauses before the next attempt for as long as the server asks, within
// bounds, and says so: a command that is silent looks as if it hung.
func (c *apiClient) wait(got reply, attempt int) {
	wanted := max(got.retryAfter, time.Duration(attempt)*time.Second)
	pause := min(wanted, maxWait, c.timeout)
	longer := ""
	if got.retryAfter > pause {
		longer = "; the server asks for a longer pause, so come back later if this does not help"
	}
	c.say("note: the API answered with status %d: waiting %s before it is asked again (%d of %d)%s", got.status, pause, attempt+1, maxAttempts, longer)
	c.sleep(pause)
}

// redirected says where a redirect leads, without a path or a query: they may
// repeat what was sent.
func redirected(got reply) string {
	where := "without saying where"
	switch {
	case got.location == nil || got.location.Host == "":
	case got.location.Host == got.host:
		where = "to another path of " + finding.Clip(got.host, 128)
	default:
		where = "to " + finding.Clip(got.location.Host, 128)
	}
	return fmt.Sprintf("status %d: the server redirects %s, and redirects are not followed, so that the key goes nowhere else: correct --base-url", got.status, where)
}

// reply is what came back for a request.
type reply struct {
	status int
	body   []byte
	// host is the one that was asked, location where a redirect leads; nil for
	// nowhere.
	host     string
	location *url.URL
	// retryAfter is what the server asks for before the next request, at most a
	// bit more than [maxWait].
	retryAfter time.Duration
}

// once sends a request. The error says what is in the way, and the way out
// where it is known.
func (c *apiClient) once(r probe.Request) (reply, error) {
	ctx, cancel := context.WithTimeout(context.Background(), c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return reply{}, bare(err)
	}
	request.Header.Set("User-Agent", c.agent)
	for _, h := range r.Header {
		request.Header.Set(h[0], h[1])
	}
	response, err := c.http.RoundTrip(request)
	if err != nil {
		return reply{}, c.failure(ctx, err, "without an answer")
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return reply{}, c.failure(ctx, err, "in the middle of its answer")
	}
	location, _ := response.Location() // an address that is none leads nowhere
	return reply{
		status: response.StatusCode, body: body, host: request.URL.Host, location: location,
		retryAfter: retryAfter(response.Header.Get("Retry-After")),
	}, nil
}

// retryAfter reads the seconds of a Retry-After header; none for a date.
func retryAfter(header string) time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(header))
	if err != nil && !errors.Is(err, strconv.ErrRange) || seconds <= 0 {
		return 0
	}
	return time.Duration(min(seconds, int(maxWait/time.Second)+1)) * time.Second
}

// failure says why there is no whole answer. when is how far the server came.
func (c *apiClient) failure(ctx context.Context, err error, when string) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("the server took longer than %s; allow more with --timeout, or check --base-url", c.timeout)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return fmt.Errorf("the server closed the connection %s; check that it is up and that --base-url is the address of the API", when)
	}
	return bare(err)
}

// bare is an error without the request around it.
func bare(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// controlContent is the contract of the tool that nobody refuses.
func controlContent(input *schema.Schema) *contract.Content {
	version, _ := contract.ParseVersion("1.0.0")
	return &contract.Content{
		Version: version, Type: contract.Function, ToolName: "echo",
		Description: contract.Description{Summary: "Returns the text that it is given."},
		Input:       contract.Input{Schema: input},
	}
}
