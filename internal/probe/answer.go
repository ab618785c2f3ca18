// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
)

// Outcome is what an API did with a request that holds one tool.
type Outcome string

// The outcomes.
const (
	// Taken: the API took the tool.
	Taken Outcome = "Taken"
	// Refused: the API refused the request. That is about the tool if a request
	// with another tool is taken.
	Refused Outcome = "Refused"
	// NotAsked: nothing was learned about the tool.
	NotAsked Outcome = "NotAsked"
)

// Answer is what an API said.
type Answer struct {
	Outcome Outcome
	Status  int
	// Code and Param are the machine-readable parts of an error, Error its text.
	Code, Param, Error string
	// Strict is the strictness of the tool as the API returned it, if it did.
	Strict *bool
	// Model is the model that answered, if the API said so.
	Model string
}

// MayPass reports whether it makes sense to ask again.
func (a Answer) MayPass() bool {
	return a.Status == http.StatusTooManyRequests || a.Status >= http.StatusInternalServerError
}

// maxError bounds an error text, in bytes.
const maxError = 400

// success is what the answers of the APIs have in common or apart.
type success struct {
	Object     string          `json:"object"`
	Type       string          `json:"type"`
	Model      string          `json:"model"`
	Version    string          `json:"modelVersion"`
	Status     string          `json:"status"`
	Choices    json.RawMessage `json:"choices"`
	Candidates json.RawMessage `json:"candidates"`
	Feedback   json.RawMessage `json:"promptFeedback"`
	Usage      json.RawMessage `json:"usageMetadata"`
	Tools      []struct {
		Type   string `json:"type"`
		Strict *bool  `json:"strict"`
	} `json:"tools"`
}

// Read reads an answer. The key is scrubbed from its texts.
func (s Surface) Read(status int, body []byte, key string) Answer {
	a := Answer{Status: status}
	fault := readFault(body)
	a.Code, a.Param, a.Error = Scrub(fault.code, key), Scrub(fault.param, key), Scrub(fault.text, key)
	switch {
	case status >= 200 && status < 300:
		s.readSuccess(&a, body, key)
	case fault.isAboutTheAnswer():
		a.Outcome = Taken
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		a.Outcome = Refused
	default:
		a.Outcome = NotAsked
	}
	if a.Outcome != Taken && a.Error == "" {
		a.Error = fmt.Sprintf("status %d without a text", status)
	}
	return a
}

// readSuccess makes sure that what said 200 is the API and not something in
// front of it.
func (s Surface) readSuccess(a *Answer, body []byte, key string) {
	var ok success
	err := json.Unmarshal(body, &ok)
	is := false
	switch s.protocol {
	case responses:
		is = ok.Object == "response" && ok.Status != "failed"
	case chatCompletions:
		is = len(ok.Choices) > 0
	case messages:
		is = ok.Type == "message"
	case generateContent:
		is = len(ok.Candidates) > 0 || len(ok.Feedback) > 0 || len(ok.Usage) > 0
	}
	if err != nil || !is {
		a.Outcome = NotAsked
		if a.Error == "" {
			a.Error = "the answer is not one of this API; is the address right?"
		}
		return
	}
	a.Outcome = Taken
	a.Model = finding.Clip(Scrub(ok.Model+ok.Version, key), 128)
	if s.protocol == responses && len(ok.Tools) == 1 && ok.Tools[0].Type == "function" {
		a.Strict = ok.Tools[0].Strict
	}
}

// fault is an error in any of the shapes that the APIs have.
type fault struct{ code, param, text string }

// isAboutTheAnswer recognises errors on what the model wrote: the tool was taken
// before. OpenAI says the first where a reasoning model needs more tokens than
// it got, Groq the second where the model missed the schema.
func (f fault) isAboutTheAnswer() bool {
	return strings.Contains(f.text, "model output limit was reached") || f.code == "tool_use_failed"
}

// readFault finds the error in an answer: an object below error (OpenAI,
// Anthropic, Gemini), or that in a list of one (streams of Gemini), or a text
// below error, message or detail (compatible APIs); else the text itself.
func readFault(body []byte) fault {
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) == 1 {
		body = list[0]
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil {
		return fault{text: string(body)}
	}
	inner := outer
	if object := map[string]json.RawMessage{}; json.Unmarshal(outer["error"], &object) == nil && len(object) > 0 {
		inner = object
	}
	f := fault{param: word(inner["param"])}
	for _, name := range []string{"message", "error", "detail"} {
		if f.text == "" {
			f.text = word(inner[name])
		}
	}
	for _, name := range []string{"code", "status", "type"} {
		if f.code == "" && f.text != "" {
			f.code = word(inner[name])
		}
	}
	return f
}

func word(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// keyLike are texts that look like keys, whole or with a part masked, as APIs
// repeat them in errors.
var keyLike = regexp.MustCompile(`\b(sk|pk|gsk|xai|rk)-[A-Za-z0-9_*.-]{4,}|\bAIza[A-Za-z0-9_*-]{4,}|[A-Za-z0-9_-]*\*{3,}[A-Za-z0-9_-]*|(?i:bearer)\s+\S{16,}`)

// minKey is the least length of a key that is looked for in texts: what is
// shorter is a placeholder for a server that wants none.
const minKey = 6

// Scrub makes a text of a server fit to print: one line, clipped, and without
// the key or anything that looks like one.
func Scrub(text, key string) string {
	if len(key) >= minKey {
		for _, spelled := range []string{key, url.QueryEscape(key), url.PathEscape(key)} {
			text = strings.ReplaceAll(text, spelled, "(key)")
		}
	}
	text = keyLike.ReplaceAllString(text, "(key)")
	return finding.Clip(finding.Printable(strings.Join(strings.Fields(text), " ")), maxError)
}
