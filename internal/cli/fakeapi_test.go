// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// apiKey is the key that the local server takes.
const apiKey = "sk-test-0123456789abcdef"

// fakeAPI is a local server that answers as the APIs document it: with their
// paths, headers and errors. It refuses tools that hold certain keywords.
type fakeAPI struct {
	*httptest.Server
	// refuse says why a tool is refused, with the keyword; empty if it is taken.
	refuse func(tool map[string]any, strict bool) string
	// before answers in place of the API; false lets the API answer.
	before func(w http.ResponseWriter, r *http.Request, n int) bool
	// strict is the strictness that Responses says a tool has; nil for what was sent.
	strict *bool

	mu       sync.Mutex
	requests []apiRequest
}

type apiRequest struct {
	path   string
	header http.Header
	body   map[string]json.RawMessage
	raw    string
}

func newFakeAPI(t *testing.T) *fakeAPI {
	t.Helper()
	api := &fakeAPI{refuse: func(map[string]any, bool) string { return "" }}
	api.Server = httptest.NewServer(api)
	t.Cleanup(api.Close)
	return api
}

// seen are the requests so far.
func (api *fakeAPI) seen() []apiRequest {
	api.mu.Lock()
	defer api.mu.Unlock()
	return api.requests
}

func (api *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	request := apiRequest{path: r.URL.Path, header: r.Header, raw: string(raw)}
	_ = json.Unmarshal(raw, &request.body) // a body that is none has no tools, and is refused
	api.mu.Lock()
	api.requests = append(api.requests, request)
	n := len(api.requests)
	api.mu.Unlock()
	if api.before != nil && api.before(w, r, n) {
		return
	}
	switch {
	case r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json":
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.URL.Path == "/v1/responses":
		api.openAI(w, request, r.Header.Get("Authorization") == "Bearer "+apiKey, "tools[0].parameters")
	case r.URL.Path == "/v1/chat/completions":
		api.openAI(w, request, r.Header.Get("Authorization") == "Bearer "+apiKey || r.Header.Get("api-key") == apiKey, "tools[0].function.parameters")
	case r.URL.Path == "/v1/messages":
		api.anthropic(w, request)
	case strings.HasPrefix(r.URL.Path, "/v1beta/models/") && strings.HasSuffix(r.URL.Path, ":generateContent"):
		api.gemini(w, request)
	default:
		answer(w, http.StatusNotFound, map[string]any{"error": map[string]any{"message": "Invalid URL (POST " + r.URL.Path + ")", "type": "invalid_request_error"}})
	}
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(marshal(body)) // the client sees a cut answer, and its test fails
}

func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		return []byte(err.Error())
	}
	return text
}

// only is the one tool of a request.
func only(list json.RawMessage) map[string]any {
	var tools []map[string]any
	if json.Unmarshal(list, &tools) != nil || len(tools) != 1 {
		return nil
	}
	return tools[0]
}

func (api *fakeAPI) openAI(w http.ResponseWriter, r apiRequest, authorized bool, param string) {
	if !authorized {
		answer(w, http.StatusUnauthorized, map[string]any{"error": map[string]any{
			"message": "Incorrect API key provided: sk-test-************wxyz. You can find your API key at https://platform.openai.com.",
			"type":    "invalid_request_error", "param": nil, "code": "invalid_api_key",
		}})
		return
	}
	tool := only(r.body["tools"])
	function, isChat := tool["function"].(map[string]any)
	if !isChat {
		function = tool
	}
	strict, _ := function["strict"].(bool)
	if why := api.refuse(function, strict); tool == nil || why != "" {
		answer(w, http.StatusBadRequest, map[string]any{"error": map[string]any{
			"message": fmt.Sprintf("Invalid schema for function '%v': In context=('properties', 'labels'), '%s' is not permitted.", function["name"], why),
			"type":    "invalid_request_error", "param": param, "code": "invalid_function_parameters",
		}})
		return
	}
	if isChat {
		answer(w, http.StatusOK, map[string]any{
			"id": "chatcmpl-1", "object": "chat.completion", "model": "gpt-5-2026-08-07",
			"choices": []any{map[string]any{"index": 0, "finish_reason": "length", "message": map[string]any{"role": "assistant", "content": ""}}},
		})
		return
	}
	if api.strict != nil {
		strict = *api.strict
	}
	tool["strict"] = strict
	answer(w, http.StatusOK, map[string]any{
		"id": "resp_1", "object": "response", "status": "incomplete", "error": nil, "model": "gpt-5-2026-08-07", "output": []any{}, "tools": []any{tool},
	})
}

func (api *fakeAPI) anthropic(w http.ResponseWriter, r apiRequest) {
	fail := func(status int, kind, message string) {
		answer(w, status, map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}, "request_id": "req_1"})
	}
	tool := only(r.body["tools"])
	strict, _ := tool["strict"].(bool)
	why := api.refuse(tool, strict)
	switch {
	case r.header.Get("X-Api-Key") != apiKey:
		fail(http.StatusUnauthorized, "authentication_error", "invalid x-api-key")
	case r.header.Get("Anthropic-Version") != "2023-06-01":
		fail(http.StatusBadRequest, "invalid_request_error", "anthropic-version: header is required")
	case tool == nil || why != "":
		fail(http.StatusBadRequest, "invalid_request_error", fmt.Sprintf("tools.0.custom: For 'array' type, property '%s' is not supported", why))
	default:
		answer(w, http.StatusOK, map[string]any{
			"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5-20250929", "content": []any{}, "stop_reason": "max_tokens",
		})
	}
}

func (api *fakeAPI) gemini(w http.ResponseWriter, r apiRequest) {
	fail := func(status int, code, message string) {
		answer(w, status, map[string]any{"error": map[string]any{"code": status, "message": message, "status": code}})
	}
	wrapper := only(r.body["tools"])
	tool := only(marshal(wrapper["functionDeclarations"]))
	why := api.refuse(tool, r.body["toolConfig"] != nil)
	switch {
	case r.header.Get("X-Goog-Api-Key") != apiKey:
		fail(http.StatusBadRequest, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.")
	case tool == nil || why != "":
		fail(http.StatusBadRequest, "INVALID_ARGUMENT",
			fmt.Sprintf("Invalid JSON payload received. Unknown name %q at 'tools[0].function_declarations[0].parameters': Cannot find field.", why))
	default:
		answer(w, http.StatusOK, map[string]any{
			"candidates": []any{map[string]any{"finishReason": "MAX_TOKENS"}}, "usageMetadata": map[string]any{}, "modelVersion": "gemini-3-flash",
		})
	}
}

// refuseUnique refuses tools that use uniqueItems.
func refuseUnique(onlyStrict bool) func(map[string]any, bool) string {
	return func(tool map[string]any, strict bool) string {
		if strings.Contains(string(marshal(tool)), `"uniqueItems":`) && (strict || !onlyStrict) {
			return "uniqueItems"
		}
		return ""
	}
}
