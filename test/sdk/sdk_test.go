// SPDX-License-Identifier: Apache-2.0

package sdk

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"google.golang.org/genai"
)

// decodes shows that a published file has no member that T does not know, and
// survives being decoded and encoded.
func decodes[T any](t *testing.T, published []byte, added ...string) {
	t.Helper()
	var tool T
	if unknown := unknownMembers("", reflect.TypeFor[T](), published); len(unknown) > 0 {
		t.Errorf("%T has no field for %v", tool, unknown)
	}
	decoder := json.NewDecoder(bytes.NewReader(published))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&tool); err != nil {
		t.Fatalf("decoding into %T: %v", tool, err)
	}
	encoded, err := json.Marshal(tool)
	if err != nil {
		t.Fatalf("encoding %T: %v", tool, err)
	}
	sameAfter(t, published, encoded, added...)
}

func TestOpenAIResponses(t *testing.T) {
	t.Parallel()
	each(t, "openai-responses", func(t *testing.T, r rendering) {
		decodes[responses.FunctionToolParam](t, r.bytes)
		var union responses.ToolUnionParam
		if err := json.Unmarshal(r.bytes, &union); err != nil || union.OfFunction == nil {
			t.Fatalf("the union takes it for another tool: %v", err)
		}
	})
}

func TestOpenAIChatCompletions(t *testing.T) {
	t.Parallel()
	each(t, "openai-chat-completions", func(t *testing.T, r rendering) {
		decodes[openai.ChatCompletionFunctionToolParam](t, r.bytes)
		var union openai.ChatCompletionToolUnionParam
		if err := json.Unmarshal(r.bytes, &union); err != nil || union.OfFunction == nil {
			t.Fatalf("the union takes it for another tool: %v", err)
		}
	})
}

func TestAnthropicMessages(t *testing.T) {
	t.Parallel()
	each(t, "anthropic-messages", func(t *testing.T, r rendering) {
		decodes[anthropic.ToolParam](t, r.bytes)
		var union anthropic.ToolUnionParam
		if err := json.Unmarshal(r.bytes, &union); err != nil || union.OfTool == nil {
			t.Fatalf("the union takes it for another tool: %v", err)
		}
		encoded, err := json.Marshal(union)
		if err != nil {
			t.Fatal(err)
		}
		sameAfter(t, r.bytes, encoded)
	})
}

func TestGemini(t *testing.T) {
	t.Parallel()
	each(t, "gemini-function-declaration", func(t *testing.T, r rendering) {
		decodes[genai.FunctionDeclaration](t, r.bytes)
	})
}

func TestGeminiOpenAPI(t *testing.T) {
	t.Parallel()
	each(t, "gemini-function-declaration-openapi", func(t *testing.T, r rendering) {
		decodes[genai.FunctionDeclaration](t, r.bytes)
	})
}

// TestMembersThatATypeDoesNotKnowAreFound plants one at every level: without
// it, a check that finds nothing would prove nothing.
func TestMembersThatATypeDoesNotKnowAreFound(t *testing.T) {
	t.Parallel()
	for planted, got := range map[string][]string{
		"/planted": unknownMembers("", reflect.TypeFor[responses.FunctionToolParam](),
			[]byte(`{"type":"function","name":"a","planted":1}`)),
		"/function/planted": unknownMembers("", reflect.TypeFor[openai.ChatCompletionFunctionToolParam](),
			[]byte(`{"type":"function","function":{"name":"a","planted":1}}`)),
		"/cache_control/planted": unknownMembers("", reflect.TypeFor[anthropic.ToolParam](),
			[]byte(`{"name":"a","input_schema":{"type":"object","x":1},"cache_control":{"planted":1}}`)),
		"/parameters/properties/a/planted": unknownMembers("", reflect.TypeFor[genai.FunctionDeclaration](),
			[]byte(`{"name":"a","parameters":{"type":"OBJECT","properties":{"a":{"planted":1}}}}`)),
	} {
		if len(got) != 1 || got[0] != planted {
			t.Errorf("found %v, want %s", got, planted)
		}
	}
}
