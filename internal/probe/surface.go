// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// Surface says how an API is asked.
type Surface struct {
	// Base is the address of the API; empty where each customer has an own one.
	Base string
	// Keys are the environment variables that may hold the key, the first that is
	// set counts. Empty where no variable is known: the user must name one.
	Keys []string

	protocol protocol
	// header carries the key, after prefix.
	header, prefix string
	// tokenLimit is the member that bounds the answer of Chat Completions.
	tokenLimit string
}

// protocol is the form of requests and answers.
type protocol uint8

const (
	responses protocol = iota
	chatCompletions
	messages
	generateContent
)

var protocols = map[string]protocol{
	"openai-responses":                    responses,
	"openai-chat-completions":             chatCompletions,
	"anthropic-messages":                  messages,
	"gemini-function-declaration":         generateContent,
	"gemini-function-declaration-openapi": generateContent,
}

// known are the APIs with an address, a header or a variable of their own, by
// provider. Sources: OpenAI, Anthropic and Gemini API references (2026-08-23);
// Microsoft Learn, Azure OpenAI v1 API (2026-08-24).
var known = map[string]struct {
	Surface
	protocols []protocol
}{
	"OpenAI": {Surface{
		Base: "https://api.openai.com/v1", Keys: []string{"OPENAI_API_KEY"},
		header: "Authorization", prefix: "Bearer ", tokenLimit: "max_completion_tokens",
	}, []protocol{responses, chatCompletions}},
	"Microsoft": {Surface{
		Keys: []string{"AZURE_OPENAI_API_KEY"}, header: "api-key", tokenLimit: "max_completion_tokens",
	}, []protocol{responses, chatCompletions}},
	"Anthropic": {Surface{
		Base: "https://api.anthropic.com", Keys: []string{"ANTHROPIC_API_KEY"}, header: "x-api-key",
	}, []protocol{messages}},
	"Google": {Surface{
		Base: "https://generativelanguage.googleapis.com", Keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, header: "x-goog-api-key",
	}, []protocol{generateContent}},
}

// compatible is an API that is asked as those of OpenAI are. Its key is not that
// of OpenAI, and must not be guessed.
var compatible = Surface{header: "Authorization", prefix: "Bearer ", tokenLimit: "max_tokens"}

// apart are providers whose tools have the form of OpenAI and whose requests
// have not. Source: Cohere API reference, v2/chat (2026-08).
var apart = []string{"Cohere"}

// SurfaceOf says how the API of a profile is asked. The error says that it
// cannot be: Bedrock and Vertex AI want signed requests.
func SurfaceOf(p *provider.Profile) (Surface, error) {
	protocol, isKnown := protocols[p.WireFormat]
	s := known[p.Provider]
	switch {
	case isKnown && slices.Contains(s.protocols, protocol) && !strings.Contains(p.API, "Vertex"):
	case isKnown && (protocol == responses || protocol == chatCompletions) && !slices.Contains(apart, p.Provider):
		s.Surface = compatible
	default:
		return Surface{}, fmt.Errorf("%s (%s) cannot be asked from here; those that can are OpenAI Responses and Chat Completions with what is compatible with them, "+
			"Anthropic Messages and Gemini generateContent", p.Name, p.Title)
	}
	s.protocol = protocol
	return s.Surface, nil
}

// Address checks where the requests go: base, or the surface's own address if
// base is empty. A key is sent there, so it must be https, or this machine.
func (s Surface) Address(base string) (string, error) {
	if base == "" {
		base = s.Base
	}
	if base == "" {
		return "", errors.New("the API has no address of its own: give one with --base-url")
	}
	u, err := url.Parse(base)
	switch {
	case err != nil || u.Host == "":
		return "", errors.New("the address is not one: write https://host/path")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", errors.New("the address may have a host and a path and nothing else: keys are read from the environment")
	case u.Scheme != "https" && (u.Scheme != "http" || !IsLocal(base)):
		return "", fmt.Errorf("the address %s is not https, and a key would be sent to it in the clear", finding.Quote(u.Scheme+"://"+u.Host))
	}
	return strings.TrimSuffix(base, "/"), nil
}

// IsLocal reports whether an address is on this machine.
func IsLocal(base string) bool {
	u, err := url.Parse(base)
	return err == nil && slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname())
}
