// SPDX-License-Identifier: Apache-2.0

package localplane

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"k8s.io/client-go/rest"
)

// client sends the few requests that tell whether a plane is ready. A typed
// client would be one more thing to be compiled and would hide no complexity.
type client struct {
	http *http.Client
	host string
}

// adminClient returns a client that acts as [AdminUser].
func (p *Plane) adminClient() (*client, error) {
	config := p.RESTConfig()
	httpClient, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return &client{http: httpClient, host: config.Host}, nil
}

// get returns nil when a GET of path succeeds.
func (c *client) get(ctx context.Context, path string) error {
	_, err := c.send(ctx, http.MethodGet, path, "")
	return err
}

// send makes one request with a JSON body and returns the HTTP status; a status
// of 400 or more is an error.
func (c *client) send(ctx context.Context, method, path, body string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.host+path, strings.NewReader(body))
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", method, path, err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := c.http.Do(request)
	if err != nil {
		return 0, err // the method and the address are in it
	}
	defer response.Body.Close()
	if response.StatusCode < http.StatusBadRequest {
		return response.StatusCode, nil
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, tailBytes))
	if err != nil {
		return response.StatusCode, fmt.Errorf("%s %s: reading the answer: %w", method, path, err)
	}
	return response.StatusCode, fmt.Errorf("%s %s: %s: %s", method, path, response.Status, answer)
}
