// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/toolcontract/operator/internal/probe"
)

// day is the day of the tests' clock.
func day() time.Time { return time.Date(2026, 12, 24, 18, 30, 0, 0, time.UTC) }

// keys are the environment of a user who has a key for every API.
func keys(name string) string {
	if strings.HasSuffix(name, "_API_KEY") {
		return apiKey
	}
	return ""
}

// probing is one run of probe with an environment and a clock of its own.
type probing struct {
	stdin string
	env   func(string) string
	slept []time.Duration
}

func (r *probing) run(arguments ...string) outcome {
	var out, err bytes.Buffer
	p := Program{
		Name: "toolcontract", Version: "v0.0.0-test", In: strings.NewReader(r.stdin), Out: &out, Err: &err,
		Now: day, Getenv: r.env, Sleep: func(d time.Duration) { r.slept = append(r.slept, d) },
	}
	if p.Getenv == nil {
		p.Getenv = keys
	}
	code := p.Run(arguments)
	return outcome{code, out.String(), err.String()}
}

// lines reads evidence, and demands that it is nothing else.
func lines(t *testing.T, text string) []probe.Evidence {
	t.Helper()
	var out []probe.Evidence
	for at, parsed := range probe.Lines([]byte(text)) {
		if parsed.Wrong != "" {
			t.Errorf("line %d: %s: %s", at, parsed.Wrong, text)
		}
		out = append(out, parsed.Evidence)
	}
	schema := outputSchemaOf(t, "probe")
	for line := range strings.Lines(text) {
		fits(t, schema, line)
	}
	return out
}

// labels is a contract with a keyword that the strict mode of OpenAI refuses.
func labels(name string) string {
	return contractYAML(name, schemaLine, `schemaText: |-
      {"type": "object", "properties": {"labels": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}}, "required": ["labels"], "additionalProperties": false}`)
}

// TestProbeSendsNoToolThatTheProviderRuns: neither in the profile's form nor as
// it is written, so that nothing is searched and no server called.
func TestProbeSendsNoToolThatTheProviderRuns(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t)
	for _, name := range []string{"web-search-openai", "find-orders", "find-part"} {
		for _, profile := range []string{"openai-responses", "anthropic-messages"} {
			before := len(api.seen())
			r := probing{}
			got := r.run("probe", "../evaluate/testdata/types/"+name+".yaml", "--profile", profile, "--model", "m", "--base-url", api.URL)
			asked := len(api.seen()) > before
			if want := name == "find-part"; asked != want || !want && (got.code != exitNotAsked || !strings.Contains(got.err, "not asked: the provider would run")) {
				t.Errorf("%s at %s: asked %v, %+v", name, profile, asked, got)
			}
		}
	}
}

// TestOnlyAFunctionIsSentAsItWasWritten: a free text has no schema of its author.
func TestOnlyAFunctionIsSentAsItWasWritten(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t)
	for _, profile := range []string{"openai-responses:Preferred", "gemini-json-schema:Disabled"} {
		r := probing{}
		got := r.run("probe", "../evaluate/testdata/types/apply-patch-text.yaml", "--profile", profile, "--model", "m", "--base-url", api.URL, "--as-written")
		if len(api.seen()) > 0 || got.code != exitNotAsked || !strings.Contains(got.err, "cannot be sent as it was written") {
			t.Errorf("%s: %+v", profile, got)
		}
	}
}

func TestProbeAsksEachAPI(t *testing.T) {
	t.Parallel()
	yes := true
	tests := []struct {
		profile, base, path string
		header              [2]string
		want                probe.Evidence
	}{
		{
			"openai-responses", "/v1", "/v1/responses",
			[2]string{"Authorization", "Bearer " + apiKey},
			probe.Evidence{Provider: "OpenAI", API: "Responses", AnsweredBy: "gpt-5-2026-08-07", StrictReturned: &yes},
		},
		{
			"openai-chat-completions", "/v1/", "/v1/chat/completions",
			[2]string{"Authorization", "Bearer " + apiKey},
			probe.Evidence{Provider: "OpenAI", API: "Chat Completions", AnsweredBy: "gpt-5-2026-08-07"},
		},
		{
			"anthropic-messages", "", "/v1/messages",
			[2]string{"X-Api-Key", apiKey},
			probe.Evidence{Provider: "Anthropic", API: "Messages", AnsweredBy: "claude-sonnet-4-5-20250929"},
		},
		{
			"gemini-json-schema", "", "/v1beta/models/some-model:generateContent",
			[2]string{"X-Goog-Api-Key", apiKey},
			probe.Evidence{Provider: "Google", API: "Gemini generateContent v1beta", AnsweredBy: "gemini-3-flash"},
		},
	}
	for _, test := range tests {
		t.Run(test.profile, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t)
			r := probing{stdin: contractYAML("a")}
			got := r.run("probe", "-", "--profile", test.profile+":Required", "--model", "some-model", "--base-url", api.URL+test.base)
			rendered := run(contractYAML("a"), "render", "-", "--profile", test.profile+":Required")
			if got.code != 0 || len(api.seen()) != 1 {
				t.Fatalf("got %+v after %d requests", got, len(api.seen()))
			}
			request := api.seen()[0]
			if request.path != test.path || request.header.Get(test.header[0]) != test.header[1] {
				t.Errorf("asked %s with %v", request.path, request.header)
			}
			if !strings.Contains(request.raw, strings.TrimSpace(rendered.out)) {
				t.Errorf("the bytes that render writes are not in %s", request.raw)
			}
			if strings.Contains(request.raw, "tool_choice") || strings.Contains(request.raw, `"ANY"`) {
				t.Errorf("the tool is forced: %s", request.raw)
			}
			want := test.want
			want.Date, want.Model, want.Profile, want.Contract, want.Version, want.ToolName = "2026-12-24", "some-model", test.profile, "a", "1.0.0", "get_order"
			want.Form, want.Strict, want.Adaptation, want.StrictSent, want.Outcome, want.Status = probe.Adapted, "Required", "Narrow", true, probe.Taken, 200
			all := lines(t, got.out)
			ignored := cmpopts.IgnoreFields(probe.Evidence{}, "ProfileRevision", "ProfileDigest", "ContentDigest", "Renderer", "RenderingDigest")
			if diff := cmp.Diff([]probe.Evidence{want}, all, ignored); diff != "" {
				t.Error(diff)
			}
			if e := all[0]; e.ProfileRevision < 1 || e.Renderer < 1 || !strings.HasPrefix(e.ProfileDigest, "sha256:") || !strings.HasPrefix(e.ContentDigest, "sha256:") || !strings.HasPrefix(e.RenderingDigest, "sha256:") {
				t.Errorf("got %+v", e)
			}
			if want := "1 tool taken, 0 refused, 0 not judged\n"; got.err != want {
				t.Errorf("got %q, want %q", got.err, want)
			}
		})
	}
}

func TestProbeOutcomes(t *testing.T) {
	t.Parallel()
	status := func(code int) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, _ *http.Request, _ int) bool {
			answer(w, code, map[string]any{"error": map[string]any{"message": "the key is " + apiKey, "code": "x"}})
			return true
		}
	}
	tests := []struct {
		name      string
		stdin     string
		arguments []string
		api       func(api *fakeAPI)
		env       func(string) string
		code      int
		outcomes  []probe.Outcome
		requests  int
		slept     []time.Duration
		err       string
	}{
		{
			name: "one tool of two is refused", stdin: labels("a") + contractYAML("b"), arguments: []string{"--as-written", "--profile", "openai-responses:Required"},
			api: func(api *fakeAPI) { api.refuse = refuseUnique(true) },
			// the tool, the tool that nobody refuses, the other tool
			code: 1, outcomes: []probe.Outcome{probe.Refused, probe.Taken}, requests: 3,
			err: "-:2: a: m refuses it: Invalid schema for function 'get_order': In context=('properties', 'labels'), 'uniqueItems' is not permitted.",
		},
		{
			name: "the tool that nobody refuses is sent once", stdin: labels("a") + labels("b"), arguments: []string{"--as-written", "--profile", "openai-responses:Required"},
			api:  func(api *fakeAPI) { api.refuse = refuseUnique(true) },
			code: 1, outcomes: []probe.Outcome{probe.Refused, probe.Refused}, requests: 3, err: "0 tools taken, 2 refused, 0 not judged",
		},
		{
			name: "a model that takes no tools says nothing about one", stdin: contractYAML("a"),
			api:  func(api *fakeAPI) { api.refuse = func(map[string]any, bool) string { return "tools" } },
			code: 3, outcomes: []probe.Outcome{probe.NotAsked}, requests: 2, err: "a tool that nobody refuses is not taken either",
		},
		{
			name: "a wrong key ends the run", stdin: contractYAML("a") + contractYAML("b"), env: func(string) string { return "sk-test-wrong-key-wxyz" },
			code: 3, outcomes: []probe.Outcome{probe.NotAsked, probe.NotAsked}, requests: 1, err: "Incorrect API key provided: (key)",
		},
		{
			name: "an unknown model ends the run", stdin: contractYAML("a") + contractYAML("b"), api: func(api *fakeAPI) { api.before = status(404) },
			code: 3, outcomes: []probe.Outcome{probe.NotAsked, probe.NotAsked}, requests: 1, err: "an earlier request failed in a way that the next one would, too",
		},
		{
			name: "too many requests are waited for", stdin: contractYAML("a"),
			api: func(api *fakeAPI) {
				api.before = func(w http.ResponseWriter, r *http.Request, n int) bool {
					w.Header().Set("Retry-After", "7")
					return n == 1 && status(429)(w, r, n)
				}
			},
			code: 0, outcomes: []probe.Outcome{probe.Taken}, requests: 2, slept: []time.Duration{7 * time.Second},
		},
		{
			name: "a server without mercy is not waited for that long", stdin: contractYAML("a"),
			api: func(api *fakeAPI) {
				api.before = func(w http.ResponseWriter, r *http.Request, n int) bool {
					w.Header().Set("Retry-After", "86400")
					return status(429)(w, r, n)
				}
			},
			code: 3, outcomes: []probe.Outcome{probe.NotAsked}, requests: 3, slept: []time.Duration{maxWait, maxWait},
		},
		{
			name: "a server that fails is asked three times", stdin: contractYAML("a"), api: func(api *fakeAPI) { api.before = status(500) },
			code: 3, outcomes: []probe.Outcome{probe.NotAsked}, requests: 3, slept: []time.Duration{time.Second, 2 * time.Second}, err: "the key is (key)",
		},
		{
			name: "what is not the API says nothing", stdin: contractYAML("a"),
			api: func(api *fakeAPI) {
				api.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
					fmt.Fprint(w, "<html>Sign in</html>")
					return true
				}
			},
			code: 3, outcomes: []probe.Outcome{probe.NotAsked}, requests: 1, err: "Sign in",
		},
		{
			name: "a contract that is not valid is not sent", stdin: contractYAML("bad name") + contractYAML("b"),
			code: 3, outcomes: []probe.Outcome{probe.Taken}, requests: 1, err: "bad name: not asked: it is not valid",
		},
		{
			name: "a contract that the profile refuses is sent as it was written", stdin: labels("a"), arguments: []string{"--profile", "openai-responses:Required:Keep"},
			code: 0, outcomes: []probe.Outcome{probe.Taken}, requests: 1,
		},
		{name: "an input that cannot be read", stdin: contractYAML("a"), arguments: []string{"testdata/missing.yaml"}, code: 2, outcomes: []probe.Outcome{probe.Taken}, requests: 1, err: "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t)
			if test.api != nil {
				test.api(api)
			}
			arguments := []string{"probe", "-", "--model", "m", "--base-url", api.URL + "/v1"}
			if !slices.Contains(test.arguments, "--profile") {
				arguments = append(arguments, "--profile", "openai-responses")
			}
			r := probing{stdin: test.stdin, env: test.env}
			got := r.run(append(arguments, test.arguments...)...)
			var outcomes []probe.Outcome
			for _, e := range lines(t, got.out) {
				outcomes = append(outcomes, e.Outcome)
			}
			if got.code != test.code || !slices.Equal(outcomes, test.outcomes) || !strings.Contains(got.err, test.err) {
				t.Errorf("got %+v", got)
			}
			if len(api.seen()) != test.requests || !slices.Equal(r.slept, test.slept) {
				t.Errorf("%d requests, pauses %v", len(api.seen()), r.slept)
			}
			for _, secret := range []string{apiKey, "wrong-key"} {
				if strings.Contains(got.out+got.err, secret) {
					t.Errorf("the key is in the output: %+v", got)
				}
			}
		})
	}
}

func TestProbeFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	thief := 0
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { thief++ }))
	defer other.Close()
	api := newFakeAPI(t)
	api.before = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Redirect(w, r, other.URL+"/v1/messages", http.StatusTemporaryRedirect)
		return true
	}
	r := probing{stdin: contractYAML("a")}
	got := r.run("probe", "-", "--profile", "anthropic-messages", "--model", "m", "--base-url", api.URL)
	if got.code != 3 || thief != 0 || lines(t, got.out)[0].Status != 307 {
		t.Errorf("got %+v, and the other server was asked %d times", got, thief)
	}
	want := "status 307: the server redirects to " + strings.TrimPrefix(other.URL, "http://") + ", and redirects are not followed, so that the key goes nowhere else: correct --base-url"
	if e := lines(t, got.out)[0]; e.Error != want {
		t.Errorf("got %q, want %q", e.Error, want)
	}
}

func TestProbeSaysWhereARedirectLeads(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, location, want string }{
		{"to the same host", "/login?key=" + apiKey, "the server redirects to another path of 127.0.0.1:"},
		{"to a host with the key in it", "https://" + apiKey + ".example/v1?x=secret-path", "the server redirects to (key).example, and"},
		{"with a user", "https://user:" + apiKey + "@gateway.example/secret-path", "the server redirects to gateway.example, and"},
		{"nowhere", "", "the server redirects without saying where, and"},
		{"to what is no address", "https://%zz", "the server redirects without saying where, and"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t)
			api.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				if test.location != "" {
					w.Header().Set("Location", test.location)
				}
				w.WriteHeader(http.StatusFound)
				return true
			}
			got := (&probing{stdin: contractYAML("a") + contractYAML("b")}).run("probe", "-", "--profile", "anthropic-messages", "--model", "m", "--base-url", api.URL)
			if got.code != 3 || len(api.seen()) != 1 || !strings.Contains(got.err, test.want) || !strings.Contains(got.err, "correct --base-url") {
				t.Errorf("got %+v after %d requests", got, len(api.seen()))
			}
			for _, secret := range []string{apiKey, "secret-path", "/login"} {
				if strings.Contains(got.out+got.err, secret) {
					t.Errorf("%s is in the output: %+v", secret, got)
				}
			}
		})
	}
}

func TestProbeWaitsWithinBoundsAndSaysSo(t *testing.T) {
	t.Parallel()
	longer := "; the server asks for a longer pause"
	tests := []struct {
		name, retryAfter, timeout string
		slept                     []time.Duration
		err                       string
	}{
		{"no longer than the timeout", "100000", "3s", []time.Duration{3 * time.Second, 3 * time.Second}, "status 503: waiting 3s before it is asked again (2 of 3)" + longer},
		{"no longer than is sane", "100000", "10m", []time.Duration{maxWait, maxWait}, "waiting 30s before it is asked again (3 of 3)" + longer},
		{"more seconds than a duration holds", "9999999999999", "10m", []time.Duration{maxWait, maxWait}, "waiting 30s"},
		{"more seconds than a number holds", strings.Repeat("9", 40), "10m", []time.Duration{maxWait, maxWait}, "waiting 30s"},
		{"as long as the server asks", "7", "60s", []time.Duration{7 * time.Second, 7 * time.Second}, "waiting 7s before it is asked again (2 of 3)\n"},
		{"a negative number asks for nothing", "-7", "60s", []time.Duration{time.Second, 2 * time.Second}, "waiting 1s before it is asked again (2 of 3)\n"},
		{"without a word of the server", "", "1500ms", []time.Duration{time.Second, 1500 * time.Millisecond}, "waiting 1.5s before it is asked again (3 of 3)\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t)
			api.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				w.Header().Set("Retry-After", test.retryAfter)
				w.WriteHeader(http.StatusServiceUnavailable)
				return true
			}
			r := probing{stdin: contractYAML("a")}
			got := r.run("probe", "-", "--profile", "anthropic-messages", "--model", "m", "--base-url", api.URL, "--timeout", test.timeout)
			if got.code != 3 || !slices.Equal(r.slept, test.slept) || !strings.Contains(got.err, test.err) {
				t.Errorf("got %+v with pauses %v", got, r.slept)
			}
		})
	}
}

func TestProbeOfAServerThatHangsUp(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, says, want string }{
		{"at once", "", "there was no answer: the server closed the connection without an answer; check that it is up and that --base-url is the address of the API"},
		{"in the middle", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "the server closed the connection in the middle of its answer"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t)
			api.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
				connection, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return false
				}
				_, _ = connection.Write([]byte(test.says)) // the client sees less, and the test fails
				connection.Close()
				return true
			}
			got := (&probing{stdin: contractYAML("a")}).run("probe", "-", "--profile", "anthropic-messages", "--model", "m", "--base-url", api.URL)
			if got.code != 3 || !strings.Contains(got.err, test.want) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestProbeTrimsTheKey(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t)
	r := probing{stdin: contractYAML("a"), env: func(name string) string { return keys(name) + "\r\n" }}
	if got := r.run("probe", "-", "--profile", "anthropic-messages", "--model", "m", "--base-url", api.URL); got.code != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestProbeWithoutConnection(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	r := probing{stdin: contractYAML("a") + contractYAML("b")}
	got := r.run("probe", "-", "--profile", "anthropic-messages", "--model", "m", "--base-url", closed.URL)
	all := lines(t, got.out)
	if got.code != 3 || len(all) != 2 || all[0].Status != 0 || !strings.Contains(all[0].Error, "there was no answer") || !strings.Contains(all[1].Error, "an earlier request failed") {
		t.Errorf("got %+v", got)
	}
	slow := newFakeAPI(t)
	slow.before = func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		<-r.Context().Done()
		return true
	}
	got = (&probing{stdin: contractYAML("a")}).run("probe", "-", "--profile", "anthropic-messages", "--model", "m", "--base-url", slow.URL, "--timeout", "20ms")
	if got.code != 3 || !strings.Contains(got.err, "the server took longer than 20ms; allow more with --timeout") {
		t.Errorf("got %+v", got)
	}
}

func TestProbeSendsWhatTheAuthorWrote(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, profile string
		strict        bool
	}{
		{"strict where it is asked for", "openai-responses:Required", true},
		{"not strict where it only may be", "openai-responses:Preferred", false},
		{"never where it must not be", "openai-responses:Disabled", false},
		{"strict in the request", "gemini-json-schema:Required", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t)
			base := api.URL
			if strings.HasPrefix(test.profile, "openai") {
				base += "/v1"
			}
			got := (&probing{stdin: labels("a")}).run("probe", "-", "--as-written", "--profile", test.profile, "--model", "m", "--base-url", base)
			all := lines(t, got.out)
			if got.code != 0 || len(all) != 1 || all[0].Form != probe.AsWritten || all[0].StrictSent != test.strict {
				t.Fatalf("got %+v", got)
			}
			request := api.seen()[0]
			asked := strings.Contains(request.raw, `"strict":true`) || strings.Contains(request.raw, `"mode":"VALIDATED"`)
			if asked != test.strict || !strings.Contains(request.raw, "uniqueItems") {
				t.Errorf("sent %s", request.raw)
			}
		})
	}
}

func TestWhatTheOpenAPISpellingCannotSayIsNotSent(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t)
	wide := contractYAML("a", asText(`{"type": "object", "properties": {"b": {"anyOf": [{"type": ["string", "integer", "null"]}, {"properties": {}}, true]}}}`)...)
	narrow := contractYAML("b", asText(`{"type": "object", "properties": {"b": {"anyOf": [{"type": ["string", "null"]}, {"properties": {}}, true, {"type": "null"}]}}}`)...)
	got := (&probing{stdin: wide + narrow}).run("probe", "-", "--as-written", "--profile", "gemini-openapi", "--model", "m", "--base-url", api.URL)
	if got.code != 3 || len(lines(t, got.out)) != 1 || !strings.Contains(got.err, "a: not asked: the OpenAPI spelling has no lists of several types") {
		t.Errorf("got %+v", got)
	}
	if seen := api.seen(); len(seen) != 1 || !strings.Contains(seen[0].raw, `{"type":"STRING","nullable":true}`) {
		t.Errorf("sent %+v", seen)
	}
}

func TestProbeUsage(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	tests := []struct {
		name      string
		arguments []string
		env       func(string) string
		err       string
	}{
		{"no profile", []string{"--model", "m"}, nil, "name the profile of the API with --profile"},
		{"no model", []string{"--profile", "openai-responses"}, nil, "name the model to ask with --model"},
		{"no time", []string{"--profile", "openai-responses", "--model", "m", "--timeout", "0s"}, nil, "must be more than nothing"},
		{"an unknown profile", []string{"--profile", "x", "--model", "m"}, nil, `there is no profile "x"`},
		{"an API that cannot be asked", []string{"--profile", "mcp-2025-11-25", "--model", "m"}, nil, "mcp-2025-11-25 (Model Context Protocol 2025-11-25) cannot be asked from here"},
		{"no key", []string{"--profile", "gemini-json-schema", "--model", "m"}, none, "the environment has no GEMINI_API_KEY or GOOGLE_API_KEY, the key for Gemini API"},
		{"no key under the given name", []string{"--profile", "openai-responses", "--model", "m", "--key-env", "MY_KEY"}, none, "the environment has no MY_KEY"},
		{
			"a key with a line break in it",
			[]string{"--profile", "gemini-json-schema", "--model", "m"},
			func(name string) string { return map[string]string{"GOOGLE_API_KEY": "ab\n" + apiKey}[name] }, "the environment variable GOOGLE_API_KEY holds a line break",
		},
		{"a key in place of its name", []string{"--profile", "openai-responses", "--model", "m", "--key-env", apiKey}, nil, "takes the name of an environment variable"},
		{"a key in the address", []string{"--profile", "openai-responses", "--model", "m", "--base-url", "https://" + apiKey + "@gateway.example"}, nil, "keys are read from the environment"},
		{"a key in an address that is none", []string{"--profile", "openai-responses", "--model", "m", "--base-url", "https://" + apiKey + "@\x00"}, nil, "the address is not one"},
		{"no address", []string{"--profile", "azure-openai-responses", "--model", "m"}, nil, "give one with --base-url"},
		{"an address in the clear", []string{"--profile", "openai-responses", "--model", "m", "--base-url", "http://gateway.example"}, nil, "would be sent to it in the clear"},
		{"a compatible API without a name for its key", []string{"--profile", "vllm-xgrammar", "--model", "m", "--base-url", "https://gateway.example/v1"}, nil, "name the environment variable with the key for vLLM with XGrammar with --key-env"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := probing{stdin: contractYAML("a"), env: test.env}
			got := r.run(append([]string{"probe", "-"}, test.arguments...)...)
			if got.code != 2 || got.out != "" || !strings.Contains(got.err, test.err) || strings.Contains(got.err, apiKey) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestAServerOnThisMachineNeedsNoKey(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t)
	api.before = func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if r.Header.Get("Authorization") != "" {
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		answer(w, http.StatusOK, map[string]any{"object": "chat.completion", "choices": []any{map[string]any{"index": 0}}})
		return true
	}
	got := (&probing{stdin: contractYAML("a")}).run("probe", "-", "--profile", "vllm-xgrammar", "--model", "m", "--base-url", api.URL+"/v1")
	if got.code != 0 {
		t.Errorf("got %+v", got)
	}
	if seen := api.seen(); len(seen) != 1 || seen[0].path != "/v1/chat/completions" {
		t.Errorf("asked %+v", seen)
	}
}

// TestEvidence probes a local server and holds what it answered against the
// profiles.
func TestEvidence(t *testing.T) {
	t.Parallel()
	no := false
	tests := []struct {
		name, stdin, profile, model string
		written                     bool
		api                         func(api *fakeAPI)
		change                      [2]string // of the contract, before it is checked
		kind                        probe.Kind
		cells                       []string
		message                     string
		code                        int
	}{
		{name: "the API agrees", stdin: contractYAML("a"), profile: "openai-responses:Required", model: "gpt-5", kind: probe.Agrees},
		{
			name: "the API agrees that a keyword is refused", stdin: labels("a"), profile: "openai-responses:Required", model: "gpt-5", written: true,
			api: func(api *fakeAPI) { api.refuse = refuseUnique(true) }, kind: probe.Agrees,
		},
		{
			name: "the API takes what the profile refuses", stdin: labels("a"), profile: "openai-responses:Required", model: "gpt-5", written: true,
			kind: probe.Contradicts, cells: []string{"/keywords/uniqueItems/strict"}, message: "the API takes what the profile refuses in Strict mode", code: 1,
		},
		{
			name: "the API refuses what the profile takes", stdin: labels("a"), profile: "openai-chat-completions:Disabled", model: "gpt-5",
			api:  func(api *fakeAPI) { api.refuse = refuseUnique(false) },
			kind: probe.Contradicts, cells: []string{"/keywords/uniqueItems/standard"}, message: "the API refuses what the profile takes in Standard mode", code: 1,
		},
		{
			name: "the API makes a tool less strict", stdin: contractYAML("a"), profile: "openai-responses:Required", model: "gpt-5",
			api:  func(api *fakeAPI) { api.strict = &no },
			kind: probe.Contradicts, cells: []string{"/strict"}, message: "strict: true was sent and the API says that the tool has strict: false", code: 1,
		},
		{
			name: "a model that the profile does not know", stdin: contractYAML("a"), profile: "openai-responses:Required", model: "new-model",
			kind: probe.Settles, cells: []string{"/models"}, message: "the profile does not know the model",
		},
		{
			name: "the API was not asked", stdin: contractYAML("a"), profile: "openai-responses", model: "gpt-5",
			api: func(api *fakeAPI) {
				api.before = func(w http.ResponseWriter, _ *http.Request, _ int) bool {
					w.WriteHeader(http.StatusForbidden)
					return true
				}
			},
			kind: probe.Silent, message: "the API was not asked: status 403 without a text",
		},
		{
			name: "other content", stdin: contractYAML("a"), profile: "openai-responses", model: "gpt-5", change: [2]string{"Gets an order.", "Gets one order."},
			kind: probe.Stale, message: "ignored: it is about other content of version 1.0.0",
		},
		{
			name: "another version", stdin: contractYAML("a"), profile: "openai-responses", model: "gpt-5", change: [2]string{"1.0.0", "1.1.0"},
			kind: probe.Stale, message: "ignored: it is about version 1.0.0 and the contract has 1.1.0",
		},
		{
			name: "another contract", stdin: contractYAML("a"), profile: "openai-responses", model: "gpt-5", change: [2]string{"name: a", "name: b"},
			kind: probe.Stale, message: "ignored: no contract of this name is in the inputs",
		},
		{
			name: "a contract that is not valid any more", stdin: contractYAML("a"), profile: "openai-responses", model: "gpt-5", change: [2]string{"type: object", "type: objekt"},
			kind: probe.Stale, message: "ignored: the contract is not valid", code: 1,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			api := newFakeAPI(t)
			if test.api != nil {
				test.api(api)
			}
			arguments := []string{"probe", "-", "--profile", test.profile, "--model", test.model, "--base-url", api.URL + "/v1"}
			if test.written {
				arguments = append(arguments, "--as-written")
			}
			probed := (&probing{stdin: test.stdin}).run(arguments...)
			path := evidenceFile(t, probed.out)
			checked := test.stdin
			if test.change[0] != "" {
				checked = strings.Replace(checked, test.change[0], test.change[1], 1)
			}
			got := run(checked, "check", "-", "--evidence", path, "-o", "json")
			all := resultsWith(t, got.out).Evidence
			if got.code != test.code || len(all) != 1 {
				t.Fatalf("got code %d and %s; probed %+v", got.code, got.out, probed)
			}
			e := all[0]
			if e.Kind != test.kind || !slices.Equal(e.Cells, orNone(test.cells)) || !strings.Contains(e.Message, test.message) || e.Line != 1 || e.File != path {
				t.Errorf("got %+v", e)
			}
			text := run(checked, "check", "-", "--evidence", path)
			if shown := strings.Contains(text.out, e.Message); text.code != test.code || shown != (test.kind != probe.Agrees) || !strings.Contains(text.out, "1 line of evidence: ") {
				t.Errorf("the text is %s", text.out)
			}
		})
	}
}

func evidenceFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "evidence.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStaleEvidence(t *testing.T) {
	t.Parallel()
	api := newFakeAPI(t)
	probed := (&probing{stdin: contractYAML("a")}).run("probe", "-", "--profile", "openai-responses:Required", "--model", "gpt-5", "--base-url", api.URL+"/v1")
	e := lines(t, probed.out)[0]
	tests := []struct {
		name         string
		change       func(*probe.Evidence)
		message, err string
		code         int
	}{
		{"another revision of the profile", func(e *probe.Evidence) { e.ProfileRevision++ }, "it is about revision ", "", 0},
		{"other facts of the profile", func(e *probe.Evidence) { e.ProfileDigest = "sha256:00" }, "it is about other facts of the profile", "", 0},
		{"a profile that is not there", func(e *probe.Evidence) { e.Profile = "gone" }, `there is no profile "gone"`, "", 0},
		{"other bytes", func(e *probe.Evidence) { e.RenderingDigest = "sha256:00" }, "what would be sent now has other bytes", "", 0},
		{"a line that is none", func(e *probe.Evidence) { *e = probe.Evidence{} }, "", ":1: it lacks contentDigest, ", 2},
		{"a line that drives a terminal", func(e *probe.Evidence) { e.Contract = "\x1b[31m" }, "no contract of this name", "", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			changed := e
			test.change(&changed)
			line, err := changed.Line()
			if err != nil {
				t.Fatal(err)
			}
			got := run(contractYAML("a"), "check", "-", "--evidence", evidenceFile(t, string(line)))
			if got.code != test.code || !strings.Contains(got.out, test.message) || !strings.Contains(got.err, test.err) || strings.Contains(got.out, "\x1b") {
				t.Errorf("got %+v", got)
			}
		})
	}
	if got := run(contractYAML("a"), "check", "-", "--evidence", "testdata/missing.jsonl"); got.code != 2 || !strings.Contains(got.err, "reading evidence: open testdata/missing.jsonl: no such file") {
		t.Errorf("got %+v", got)
	}
}

func TestNoEvidence(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"an empty file": "", "empty lines": "\n \n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := evidenceFile(t, text)
			got := run(contractYAML("a"), "check", "-", "--evidence", path)
			if want := path + ": there is no evidence in it; write evidence with toolcontract probe\n"; got.code != 2 || got.err != want {
				t.Errorf("got %+v", got)
			}
		})
	}
}
