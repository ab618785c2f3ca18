// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// Request is one POST request.
type Request struct {
	URL string
	// Header holds names and values; the key is in it.
	Header [][2]string
	Body   []byte
}

// Ask is what a request is about.
type Ask struct {
	// Address is what [Surface.Address] returned; Key may be empty for none.
	Address, Key, Model string
	// Tool is the rendering, sent byte for byte.
	Tool []byte
	// Strict asks for strict mode where it is a setting of the request.
	Strict bool
}

const (
	// prompt is a question that needs no tool.
	prompt = "Answer with the word ok."
	// fewTokens bounds the answer. OpenAI refuses less.
	// Source: github.com/earendil-works/pi/issues/6265 (2026-07-02).
	fewTokens = 16
	// anthropicVersion is the version header that the Messages API demands.
	// Source: Anthropic API reference, versioning (2026-08-02).
	anthropicVersion = "2023-06-01"
)

type (
	responsesBody struct {
		Model           string            `json:"model"`
		Input           string            `json:"input"`
		MaxOutputTokens int               `json:"max_output_tokens"`
		Store           bool              `json:"store"`
		Tools           []json.RawMessage `json:"tools"`
	}
	message struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	chatBody struct {
		Model               string            `json:"model"`
		Messages            []message         `json:"messages"`
		MaxCompletionTokens int               `json:"max_completion_tokens,omitempty"`
		MaxTokens           int               `json:"max_tokens,omitempty"`
		Tools               []json.RawMessage `json:"tools"`
	}
	messagesBody struct {
		Model     string            `json:"model"`
		MaxTokens int               `json:"max_tokens"`
		Messages  []message         `json:"messages"`
		Tools     []json.RawMessage `json:"tools"`
	}
	part struct {
		Text string `json:"text"`
	}
	content struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	}
	geminiTool struct {
		FunctionDeclarations []json.RawMessage `json:"functionDeclarations"`
	}
	callingConfig struct {
		Mode string `json:"mode"`
	}
	toolConfig struct {
		FunctionCallingConfig callingConfig `json:"functionCallingConfig"`
	}
	generationConfig struct {
		MaxOutputTokens int `json:"maxOutputTokens"`
	}
	generateBody struct {
		Contents         []content        `json:"contents"`
		Tools            []geminiTool     `json:"tools"`
		ToolConfig       *toolConfig      `json:"toolConfig,omitempty"`
		GenerationConfig generationConfig `json:"generationConfig"`
	}
)

// Request builds the smallest request that makes the API judge the tool: one
// tool, that the model may leave alone, and hardly any answer.
func (s Surface) Request(a Ask) (Request, error) {
	tools := []json.RawMessage{bytes.TrimSpace(a.Tool)}
	say := []message{{Role: "user", Content: prompt}}
	r := Request{Header: [][2]string{{"Content-Type", "application/json"}}}
	if a.Key != "" {
		r.Header = append(r.Header, [2]string{s.header, s.prefix + a.Key})
	}
	var body any
	switch s.protocol {
	case responses:
		r.URL = a.Address + "/responses"
		body = responsesBody{Model: a.Model, Input: prompt, MaxOutputTokens: fewTokens, Tools: tools}
	case chatCompletions:
		r.URL = a.Address + "/chat/completions"
		chat := chatBody{Model: a.Model, Messages: say, Tools: tools}
		if s.tokenLimit == "max_completion_tokens" {
			chat.MaxCompletionTokens = fewTokens
		} else {
			chat.MaxTokens = fewTokens
		}
		body = chat
	case messages:
		r.URL = a.Address + "/v1/messages"
		r.Header = append(r.Header, [2]string{"anthropic-version", anthropicVersion})
		body = messagesBody{Model: a.Model, MaxTokens: 1, Messages: say, Tools: tools}
	case generateContent:
		r.URL = a.Address + "/v1beta/models/" + url.PathEscape(strings.TrimPrefix(a.Model, "models/")) + ":generateContent"
		generate := generateBody{
			Contents:         []content{{Role: "user", Parts: []part{{Text: prompt}}}},
			Tools:            []geminiTool{{FunctionDeclarations: tools}},
			GenerationConfig: generationConfig{MaxOutputTokens: 1},
		}
		if a.Strict { // the mode that holds calls to the schema without forcing one
			generate.ToolConfig = &toolConfig{callingConfig{Mode: "VALIDATED"}}
		}
		body = generate
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // the tool goes out as it is
	if err := encoder.Encode(body); err != nil {
		return Request{}, fmt.Errorf("building request: %w", err)
	}
	r.Body = bytes.TrimSpace(b.Bytes())
	return r, nil
}
