// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/provider"
)

const key = "sk-test-0123456789abcdef"

func surface(t *testing.T, profile string) Surface {
	t.Helper()
	p, ok := provider.Builtin().Lookup(profile)
	if !ok {
		t.Fatalf("there is no profile %s", profile)
	}
	s, err := SurfaceOf(p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRequests(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, profile string
		strict        bool
		url           string
		header        [][2]string
		body          string
	}{
		{
			"Responses", "openai-responses", true, "https://a.example/v1/responses",
			[][2]string{{"Content-Type", "application/json"}, {"Authorization", "Bearer " + key}},
			`{"model":"m","input":"Answer with the word ok.","max_output_tokens":16,"store":false,"tools":[{"name":"a<b>","x":1.0}]}`,
		},
		{
			"Chat Completions", "openai-chat-completions", true, "https://a.example/v1/chat/completions",
			[][2]string{{"Content-Type", "application/json"}, {"Authorization", "Bearer " + key}},
			`{"model":"m","messages":[{"role":"user","content":"Answer with the word ok."}],"max_completion_tokens":16,"tools":[{"name":"a<b>","x":1.0}]}`,
		},
		{
			"Azure", "azure-openai-chat-completions", false, "https://a.example/v1/chat/completions",
			[][2]string{{"Content-Type", "application/json"}, {"api-key", key}},
			`{"model":"m","messages":[{"role":"user","content":"Answer with the word ok."}],"max_completion_tokens":16,"tools":[{"name":"a<b>","x":1.0}]}`,
		},
		{
			"an API that is compatible with Chat Completions", "vllm-xgrammar", true, "https://a.example/v1/chat/completions",
			[][2]string{{"Content-Type", "application/json"}, {"Authorization", "Bearer " + key}},
			`{"model":"m","messages":[{"role":"user","content":"Answer with the word ok."}],"max_tokens":16,"tools":[{"name":"a<b>","x":1.0}]}`,
		},
		{
			"Messages", "anthropic-messages", true, "https://a.example/v1/v1/messages",
			[][2]string{{"Content-Type", "application/json"}, {"x-api-key", key}, {"anthropic-version", "2023-06-01"}},
			`{"model":"m","max_tokens":1,"messages":[{"role":"user","content":"Answer with the word ok."}],"tools":[{"name":"a<b>","x":1.0}]}`,
		},
		{
			"Gemini, strict", "gemini-json-schema", true, "https://a.example/v1/v1beta/models/m:generateContent",
			[][2]string{{"Content-Type", "application/json"}, {"x-goog-api-key", key}},
			`{"contents":[{"role":"user","parts":[{"text":"Answer with the word ok."}]}],"tools":[{"functionDeclarations":[{"name":"a<b>","x":1.0}]}],` +
				`"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED"}},"generationConfig":{"maxOutputTokens":1}}`,
		},
		{
			"Gemini, not strict", "gemini-json-schema", false, "https://a.example/v1/v1beta/models/m:generateContent",
			[][2]string{{"Content-Type", "application/json"}, {"x-goog-api-key", key}},
			`{"contents":[{"role":"user","parts":[{"text":"Answer with the word ok."}]}],"tools":[{"functionDeclarations":[{"name":"a<b>","x":1.0}]}],` +
				`"generationConfig":{"maxOutputTokens":1}}`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := surface(t, test.profile).Request(Ask{
				Address: "https://a.example/v1", Key: key, Model: "m", Tool: []byte("{\"name\":\"a<b>\",\"x\":1.0}\n"), Strict: test.strict,
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(Request{URL: test.url, Header: test.header, Body: []byte(test.body)}, r); diff != "" {
				t.Error(diff)
			}
			if strings.Contains(r.URL+string(r.Body), key) {
				t.Error("the key is outside of the headers")
			}
		})
	}
}

func TestModelsCannotChangeTheAddress(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]string{
		"models/gemini-3-flash": "https://a.example/v1beta/models/gemini-3-flash:generateContent",
		"../../evil?x=1#y":      "https://a.example/v1beta/models/..%2F..%2Fevil%3Fx=1%23y:generateContent",
	} {
		r, err := surface(t, "gemini-json-schema").Request(Ask{Address: "https://a.example", Model: model, Tool: []byte("{}")})
		if err != nil || r.URL != want {
			t.Errorf("got %s, %v", r.URL, err)
		}
		if len(r.Header) != 1 {
			t.Errorf("without a key there are the headers %v", r.Header)
		}
	}
}

func TestSurfaces(t *testing.T) {
	t.Parallel()
	own := map[string][]string{
		"openai-responses": {"OPENAI_API_KEY"}, "openai-chat-completions": {"OPENAI_API_KEY"}, "openai-responses-fine-tuned": {"OPENAI_API_KEY"},
		"azure-openai-responses": {"AZURE_OPENAI_API_KEY"}, "azure-openai-chat-completions": {"AZURE_OPENAI_API_KEY"},
		"anthropic-messages": {"ANTHROPIC_API_KEY"},
		"gemini-json-schema": {"GEMINI_API_KEY", "GOOGLE_API_KEY"}, "gemini-openapi": {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
	}
	for _, name := range provider.Builtin().Names() {
		p, _ := provider.Builtin().Lookup(name)
		s, err := SurfaceOf(p)
		switch {
		case own[name] != nil:
			if err != nil || !slices.Equal(s.Keys, own[name]) {
				t.Errorf("%s: got the keys %v, %v", name, s.Keys, err)
			}
		case p.WireFormat == "openai-chat-completions" && name != "cohere-v2":
			// The key of OpenAI must never go to another provider by itself.
			if err != nil || s.Keys != nil || s.Base != "" {
				t.Errorf("%s: got %+v, %v", name, s, err)
			}
		case err == nil || !strings.Contains(err.Error(), name):
			t.Errorf("%s: got %+v, %v", name, s, err)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	tests := []struct{ base, want, wrong string }{
		{"", "https://api.openai.com/v1", ""},
		{"https://gateway.example/openai/v1/", "https://gateway.example/openai/v1", ""},
		{"http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1", ""},
		{"http://localhost/v1", "http://localhost/v1", ""},
		{"http://[::1]:80", "http://[::1]:80", ""},
		{"http://gateway.example", "", "is not https"},
		{"http://127.0.0.1.evil.example", "", "is not https"},
		{"ftp://localhost", "", "is not https"},
		{"https://user:secret@gateway.example", "", "keys are read from the environment"},
		{"https://gateway.example?key=secret", "", "keys are read from the environment"},
		{"gateway.example", "", "is not one"},
		{"https://\x00", "", "is not one"},
	}
	for _, test := range tests {
		t.Run(test.base, func(t *testing.T) {
			t.Parallel()
			got, err := surface(t, "openai-responses").Address(test.base)
			if got != test.want || (err == nil) != (test.wrong == "") {
				t.Fatalf("got %q, %v", got, err)
			}
			if err != nil && (!strings.Contains(err.Error(), test.wrong) || strings.Contains(err.Error(), "secret")) {
				t.Errorf("got %v", err)
			}
		})
	}
	if _, err := surface(t, "azure-openai-responses").Address(""); err == nil || !strings.Contains(err.Error(), "--base-url") {
		t.Errorf("an API without an address of its own: %v", err)
	}
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	yes := true
	tests := []struct {
		name, profile string
		status        int
		body          string
		want          Answer
	}{
		{
			"Responses takes and says how strict", "openai-responses", 200,
			`{"id":"r","object":"response","status":"incomplete","error":null,"model":"gpt-5-2026-08-07","tools":[{"type":"function","name":"a","strict":true}]}`,
			Answer{Outcome: Taken, Model: "gpt-5-2026-08-07", Strict: &yes},
		},
		{
			"Responses refuses", "openai-responses", 400,
			`{"error":{"message":"Invalid schema for function 'a': In context=('properties', 'b'), 'uniqueItems' is not permitted.","type":"invalid_request_error","param":"tools[0].parameters","code":"invalid_function_parameters"}}`,
			Answer{
				Outcome: Refused, Code: "invalid_function_parameters", Param: "tools[0].parameters",
				Error: "Invalid schema for function 'a': In context=('properties', 'b'), 'uniqueItems' is not permitted.",
			},
		},
		{
			"Responses fails behind a 200", "openai-responses", 200, `{"object":"response","status":"failed","error":{"code":"server_error","message":"The server had an error."}}`,
			Answer{Outcome: NotAsked, Code: "server_error", Error: "The server had an error."},
		},
		{"Chat takes", "openai-chat-completions", 200, `{"object":"chat.completion","model":"m","choices":[{"index":0}]}`, Answer{Outcome: Taken, Model: "m"}},
		{
			"Chat has no tokens left to answer", "openai-chat-completions", 400,
			`{"error":{"message":"Could not finish the message because max_tokens or model output limit was reached.","type":"invalid_request_error","param":null,"code":null}}`,
			Answer{Outcome: Taken, Code: "invalid_request_error", Error: "Could not finish the message because max_tokens or model output limit was reached."},
		},
		{
			"a model that misses the schema has it", "openai-chat-completions", 400,
			`{"error":{"message":"tool call validation failed","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"x"}}`,
			Answer{Outcome: Taken, Code: "tool_use_failed", Error: "tool call validation failed"},
		},
		{
			"Messages takes", "anthropic-messages", 200, `{"id":"m","type":"message","model":"claude-sonnet-5","content":[],"stop_reason":"max_tokens"}`,
			Answer{Outcome: Taken, Model: "claude-sonnet-5"},
		},
		{
			"Messages refuses", "anthropic-messages", 400,
			`{"type":"error","error":{"type":"invalid_request_error","message":"tools.0.custom: For 'integer' type, properties maximum, minimum are not supported"},"request_id":"req_1"}`,
			Answer{Outcome: Refused, Code: "invalid_request_error", Error: "tools.0.custom: For 'integer' type, properties maximum, minimum are not supported"},
		},
		{
			"Gemini takes", "gemini-json-schema", 200, `{"candidates":[{"finishReason":"MAX_TOKENS"}],"modelVersion":"gemini-3-flash"}`,
			Answer{Outcome: Taken, Model: "gemini-3-flash"},
		},
		{"Gemini takes and answers nothing", "gemini-json-schema", 200, `{"usageMetadata":{},"modelVersion":"g"}`, Answer{Outcome: Taken, Model: "g"}},
		{
			"Gemini refuses", "gemini-json-schema", 400,
			`{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"x\": Cannot find field.","status":"INVALID_ARGUMENT"}}`,
			Answer{Outcome: Refused, Code: "INVALID_ARGUMENT", Error: `Invalid JSON payload received. Unknown name "x": Cannot find field.`},
		},
		{"a list of one error", "gemini-json-schema", 400, `[{"error":{"code":400,"message":"m","status":"S"}}]`, Answer{Outcome: Refused, Code: "S", Error: "m"}},
		{"an error that is a text", "vllm-xgrammar", 422, `{"error":"bad tool"}`, Answer{Outcome: Refused, Error: "bad tool"}},
		{"an error in detail", "vllm-xgrammar", 422, `{"detail":"bad tool"}`, Answer{Outcome: Refused, Error: "bad tool"}},
		{"a message by itself", "vllm-xgrammar", 400, `{"object":"error","message":"bad tool","type":"BadRequestError","code":400}`, Answer{Outcome: Refused, Code: "BadRequestError", Error: "bad tool"}},
		{"no text at all", "openai-responses", 400, ``, Answer{Outcome: Refused, Error: "status 400 without a text"}},
		{"a wrong key", "openai-responses", 401, `{"error":{"message":"Incorrect API key provided: sk-test-********cdef.","code":"invalid_api_key"}}`, Answer{Outcome: NotAsked, Code: "invalid_api_key", Error: "Incorrect API key provided: (key)"}},
		{"an unknown model", "anthropic-messages", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`, Answer{Outcome: NotAsked, Code: "not_found_error", Error: "model: x"}},
		{"too many requests", "openai-responses", 429, `{"error":{"message":"Rate limit"}}`, Answer{Outcome: NotAsked, Error: "Rate limit"}},
		{"a redirect", "openai-responses", 302, `<a href="x">`, Answer{Outcome: NotAsked, Error: `<a href="x">`}},
		{"something else that says 200", "openai-responses", 200, `<html>Sign in</html>`, Answer{Outcome: NotAsked, Error: "<html>Sign in</html>"}},
		{"another API that says 200", "anthropic-messages", 200, `{"object":"response"}`, Answer{Outcome: NotAsked, Error: "the answer is not one of this API; is the address right?"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.want.Status = test.status
			if diff := cmp.Diff(test.want, surface(t, test.profile).Read(test.status, []byte(test.body), key)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMayPass(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]bool{200: false, 400: false, 401: false, 429: true, 500: true, 503: true, 529: true} {
		if got := (Answer{Status: status}).MayPass(); got != want {
			t.Errorf("%d: got %v", status, got)
		}
	}
}

func TestScrub(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"the key", "key " + key + " is wrong", "key (key) is wrong"},
		{"the key as an address has it", "at /v1?key=" + url.QueryEscape("a+b/"+key), "at /v1?key=" + url.QueryEscape("a+b/") + "(key)"},
		{"another key of the same kind", "got sk-proj-aBcD1234_-x", "got (key)"},
		{"a key with a part masked", "got abc***xyz and AIzaSyA12345", "got (key) and (key)"},
		{"a header", "Authorization: Bearer abcdefghijklmnop1234", "Authorization: (key)"},
		{"a sentence about bearers", "use bearer authentication", "use bearer authentication"},
		{"several lines", "a\n\tb\x1b[31m", `a b\x1b[31m`},
		{"a word that begins alike", "risk-based task-list", "risk-based task-list"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Scrub(test.text, key); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if long := Scrub(strings.Repeat("x", 10_000), key); len(long) > maxError {
		t.Errorf("a text has %d bytes", len(long))
	}
	if got := Scrub("in a%2Bbcdef%2F1 it is", "a+bcdef/1"); got != "in (key) it is" {
		t.Errorf("a key in its escaped form passes: %q", got)
	}
	if got := Scrub("a none b", "none"); got != "a none b" {
		t.Errorf("a placeholder is taken for a key: %q", got)
	}
}

// evidence is a line about a tool that was taken.
func evidence() Evidence {
	return Evidence{
		Date: "2026-11-30", Provider: "OpenAI", API: "Responses", Model: "gpt-5", Profile: "openai-responses", ProfileRevision: 1,
		Contract: "a", Version: "1.0.0", ToolName: "a", ContentDigest: "sha256:00", Form: Adapted, Strict: "Required", Adaptation: "Narrow",
		RenderingDigest: "sha256:01", StrictSent: true, Outcome: Taken, Status: 200,
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	line, err := evidence().Line()
	if err != nil {
		t.Fatal(err)
	}
	with := func(old, replacement string) string { return strings.Replace(string(line), old, replacement, 1) }
	tests := []struct{ name, text, want string }{
		{"a line comes back", string(line), "1 ok"},
		{"empty lines do not count", "\n\n" + string(line) + "\r\n" + string(line), "3 ok; 5 ok"},
		{"new members are no fault", with("{", `{"new":1,`), "1 ok"},
		{"no JSON", "hello\n" + string(line), "1 it is not a line of evidence: invalid character 'h' looking for beginning of value; 2 ok"},
		{"a list", "[1]", "1 it is not a line of evidence"},
		{"an empty object", "{}", "1 it lacks contentDigest, contract, date, form, model, outcome, profile, renderingDigest, version"},
		{"an outcome that is none", with(`"Taken"`, `"Fine"`), `1 the outcome "Fine" is none`},
		{"a form that is none", with(`"Adapted"`, `"Raw"`), `1 the form "Raw" is none`},
		{"two values", strings.TrimSpace(string(line)) + " {}", "1 there is more than one value in it"},
		{"a huge line", `{"date":"` + strings.Repeat("x", maxEvidenceLine) + `"}`, "1 it has 65547 bytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for at, parsed := range Lines([]byte(test.text)) {
				word := parsed.Wrong
				if word == "" {
					word = "ok"
					if diff := cmp.Diff(evidence(), parsed.Evidence); diff != "" {
						t.Error(diff)
					}
				}
				got = append(got, fmt.Sprint(at, " ", word))
			}
			if text := strings.Join(got, "; "); !strings.HasPrefix(text, test.want) {
				t.Errorf("got %q, want %q", text, test.want)
			}
		})
	}
	if strings.Count(string(line), "\n") != 1 || !json.Valid(line) {
		t.Errorf("it is not one line of JSON: %q", line)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(200, `{"object":"response","tools":[{"type":"function","strict":null}]}`)
	f.Add(400, `[{"error":{"message":{"a":1},"code":[]}}]`)
	f.Add(200, `{"object":"response","model":"gpt `+key+`","tools":[]}`)
	f.Add(500, `{"error":null,"message":7}`)
	p, _ := provider.Builtin().Lookup("openai-responses")
	s, err := SurfaceOf(p)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		a := s.Read(status, []byte(body), key)
		if strings.Contains(a.Code+a.Param+a.Error+a.Model, key) || len(a.Error) > maxError {
			t.Errorf("got %+v", a)
		}
	})
}
