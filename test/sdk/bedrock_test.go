// SPDX-License-Identifier: Apache-2.0

package sdk

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithydocument "github.com/aws/smithy-go/document"
)

// toolSpec is the published form: the SDK's own type is not one of JSON.
type toolSpec struct {
	ToolSpec struct {
		Name        string  `json:"name"`
		Description *string `json:"description"`
		InputSchema struct {
			JSON any `json:"json"`
		} `json:"inputSchema"`
		Strict *bool `json:"strict"`
	} `json:"toolSpec"`
}

// TestBedrockConverse sends each published tool through the real client and
// compares the body of the request with what is published.
func TestBedrockConverse(t *testing.T) {
	t.Parallel()
	specification := reflect.TypeFor[types.ToolSpecification]()
	for _, field := range []string{"Name", "Description", "InputSchema", "Strict"} {
		if _, ok := specification.FieldByName(field); !ok {
			t.Fatalf("the SDK's ToolSpecification has no field %s", field)
		}
	}
	each(t, "bedrock-tool-spec", func(t *testing.T, r rendering) {
		if unknown := unknownMembers("", reflect.TypeFor[toolSpec](), r.bytes); len(unknown) > 0 {
			t.Errorf("ToolSpecification has no field for %v", unknown)
		}
		decoder := json.NewDecoder(bytes.NewReader(r.bytes))
		decoder.UseNumber()
		var published toolSpec
		if err := decoder.Decode(&published); err != nil {
			t.Fatal(err)
		}
		sent := converse(t, types.ToolSpecification{
			Name:        aws.String(published.ToolSpec.Name),
			Description: published.ToolSpec.Description,
			InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(documentOf(published.ToolSpec.InputSchema.JSON))},
			Strict:      published.ToolSpec.Strict,
		})
		sameAfter(t, r.bytes, sent)
	})
}

// documentOf replaces numbers by the SDK's own type: it would send others as
// text.
func documentOf(v any) any {
	switch v := v.(type) {
	case json.Number:
		return smithydocument.Number(v)
	case []any:
		for i := range v {
			v[i] = documentOf(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = documentOf(v[name])
		}
	}
	return v
}

// converse returns the tool in the body of the request that the client makes.
func converse(t *testing.T, tool types.ToolSpecification) []byte {
	t.Helper()
	var sent []byte
	client := bedrockruntime.New(bedrockruntime.Options{
		Region: "us-east-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "none"}, nil
		}),
		HTTPClient: doer(func(r *http.Request) (*http.Response, error) {
			body, err := io.ReadAll(r.Body)
			sent = body
			return &http.Response{
				StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
				Body: io.NopCloser(strings.NewReader(`{"output":{"message":{"role":"assistant","content":[]}},"stopReason":"end_turn"}`)),
			}, err
		}),
	})
	_, err := client.Converse(t.Context(), &bedrockruntime.ConverseInput{
		ModelId: aws.String("anthropic.claude-sonnet-4-5"),
		Messages: []types.Message{{
			Role: types.ConversationRoleUser, Content: []types.ContentBlock{&types.ContentBlockMemberText{Value: "hello"}},
		}},
		ToolConfig: &types.ToolConfiguration{Tools: []types.Tool{&types.ToolMemberToolSpec{Value: tool}}},
	})
	if err != nil {
		t.Fatalf("the client refuses the tool: %v", err)
	}
	var body struct {
		ToolConfig struct {
			Tools []json.RawMessage `json:"tools"`
		} `json:"toolConfig"`
	}
	if err := json.Unmarshal(sent, &body); err != nil || len(body.ToolConfig.Tools) != 1 {
		t.Fatalf("the body holds no tool (%v): %s", err, sent)
	}
	return body.ToolConfig.Tools[0]
}

// doer answers requests without a network.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }
