// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// recordedCall is a request that a live API answered, in wire form.
type recordedCall struct {
	Host, Path, Model, File string
	Status                  int
	Tools                   []recordedTool
	ToolConfig              struct{ FunctionCallingConfig struct{ Mode string } }
}

// recordedTool is one member of a tools array, in the shape of any API. Tools
// of the provider itself have no schema and are left out.
type recordedTool struct {
	Type string
	recordedFunction
	InputSchema          json.RawMessage `json:"input_schema"`
	Function             *recordedFunction
	FunctionDeclarations []struct {
		Name, Description    string
		Parameters           json.RawMessage
		ParametersJSONSchema json.RawMessage `json:"parametersJsonSchema"`
		ParametersSnakeCase  json.RawMessage `json:"parameters_json_schema"`
	}
	ToolSpec *struct {
		Name, Description string
		Strict            *bool
		InputSchema       struct{ JSON json.RawMessage }
	}
}

type recordedFunction struct {
	Name, Description string
	Strict            *bool
	Parameters        json.RawMessage
}

// offered is one tool of a recorded call in the terms of this package.
type offered struct {
	profile, name, description string
	mode                       Mode
	schema                     json.RawMessage
}

// recordedProfiles names the profile for the calls to a host: by API, if the
// host has several.
var recordedProfiles = map[string]string{
	"api.openai.com responses":                     "openai-responses",
	"api.openai.com completions":                   "openai-chat-completions",
	"api.anthropic.com messages":                   "anthropic-messages",
	"bedrock anthropic":                            "bedrock-converse-claude",
	"bedrock amazon":                               "bedrock-converse-nova",
	"aiplatform.googleapis.com json":               "vertex-gemini",
	"generativelanguage.googleapis.com parameters": "gemini-openapi",
	"api.mistral.ai completions":                   "mistral-chat",
	"api.cohere.com chat":                          "cohere-v2",
	"api.groq.com completions":                     "groq-chat",
	"generativelanguage.googleapis.com json":       "gemini-json-schema",
}

// recordedWithoutProfile are calls that no profile is about, with the reason.
var recordedWithoutProfile = map[string]string{
	"ACCOUNT.snowflakecomputing.com completions":    "a gateway of its own; no profile",
	"openrouter.ai completions":                     "a gateway that translates for many providers; no profile",
	"router.huggingface.co completions":             "a gateway to many hosts; no profile",
	"generativelanguage.googleapis.com completions": "the Gemini API in the shape of OpenAI, which translates; no profile",
	"api.deepseek.com responses":                    "the Responses API of DeepSeek; the profiles are about its Chat Completions",
	"bedrock meta":                                  "another family on Bedrock, with rules of its own; no profile",
	"bedrock mistral":                               "another family on Bedrock, with rules of its own; no profile",
	"bedrock moonshot":                              "another family on Bedrock, with rules of its own; no profile",
}

// api says which host and API, or which family of models, a call went to.
func (c recordedCall) api() string {
	if strings.HasPrefix(c.Host, "bedrock-runtime.") {
		model := strings.TrimPrefix(c.Model, "us.")
		family, _, _ := strings.Cut(model, ".")
		return "bedrock " + family
	}
	return c.Host + " " + c.Path[strings.LastIndexByte(c.Path, '/')+1:]
}

// isGemini reports whether the tools are function declarations, whose schemas
// stand in one of two fields with a profile each.
func (c recordedCall) isGemini() bool { return strings.Contains(c.Path, "enerateContent") }

func (c recordedCall) offers() []offered {
	modeOf := func(strict *bool) Mode {
		if strict != nil && *strict {
			return Strict
		}
		return Standard // an omitted flag tries strict at most, and falls back
	}
	var out []offered
	add := func(api, name, description string, mode Mode, schema json.RawMessage) {
		if len(schema) > 0 {
			out = append(out, offered{api, name, description, mode, schema})
		}
	}
	for _, t := range c.Tools {
		switch {
		case c.isGemini():
			mode := Standard
			if m := c.ToolConfig.FunctionCallingConfig.Mode; m == "VALIDATED" || m == "ANY" {
				mode = Strict
			}
			for _, d := range t.FunctionDeclarations {
				add(c.Host+" json", d.Name, d.Description, mode, slices.Concat(d.ParametersJSONSchema, d.ParametersSnakeCase))
				add(c.Host+" parameters", d.Name, d.Description, mode, fromOpenAPI(d.Parameters))
			}
		case t.ToolSpec != nil:
			add(c.api(), t.ToolSpec.Name, t.ToolSpec.Description, modeOf(t.ToolSpec.Strict), t.ToolSpec.InputSchema.JSON)
		case t.Function != nil:
			add(c.api(), t.Function.Name, t.Function.Description, modeOf(t.Function.Strict), t.Function.Parameters)
		case t.InputSchema != nil:
			add(c.api(), t.Name, t.Description, modeOf(t.Strict), t.InputSchema)
		case t.Type == "function":
			add(c.api(), t.Name, t.Description, modeOf(t.Strict), t.Parameters)
		}
	}
	return out
}

// fromOpenAPI writes the names of types as JSON Schema does. The message spells
// them in capitals, which is the work of the renderer.
func fromOpenAPI(raw json.RawMessage) json.RawMessage {
	return openAPIType.ReplaceAllFunc(raw, bytes.ToLower)
}

var openAPIType = regexp.MustCompile(`"type": ?"[A-Z]+"`)

// What a live API answered with 200 is never refused by its profile in that
// mode, and a model that took the flag has strict mode. There are no
// exceptions; one would need its reason here.
func TestRecordedToolsAreNotRefused(t *testing.T) {
	t.Parallel()
	counts, left := map[string]int{}, map[string]int{}
	for c := range corpus.Lines[recordedCall](t, corpus.Path(t, "recorded/provider-requests.jsonl")) {
		if c.Status != 200 {
			continue
		}
		for _, o := range c.offers() {
			name, ok := recordedProfiles[o.profile]
			if !ok {
				left[o.profile]++
				continue
			}
			counts[fmt.Sprintf("%s %s", name, o.mode)]++
			p := profile(t, name)
			findings := append(p.CheckTool(o.name, o.description), p.CheckSchema(schematest.Schema(t, string(o.schema)), o.mode)...)
			for _, f := range findings {
				if f.Severity == finding.Error {
					t.Errorf("%s, %s, %s, %s: %s", c.File, o.name, name, o.mode, f)
				}
			}
			if o.mode == Strict && p.Strict.Place == PerTool {
				c.checkModel(t, p)
			}
		}
	}
	for api, n := range left {
		if recordedWithoutProfile[api] == "" {
			t.Errorf("%d tools of %s were judged by no profile", n, api)
		}
	}
	for api := range recordedWithoutProfile {
		if left[api] == 0 {
			t.Errorf("nothing was recorded for %s", api)
		}
	}
	for _, name := range []string{
		"openai-responses Strict", "openai-chat-completions Strict", "anthropic-messages Strict", "bedrock-converse-claude Strict", "gemini-json-schema Strict",
	} {
		if counts[name] == 0 {
			t.Errorf("no recorded tool for %s", name)
		}
	}
	for _, name := range recordedProfiles {
		if counts[name+" Strict"]+counts[name+" Standard"] == 0 {
			t.Errorf("no recorded tool for %s", name)
		}
	}
	t.Log(counts, left)
}

// checkModel checks that the model of a strict call has strict mode.
func (c recordedCall) checkModel(t *testing.T, p *Profile) {
	t.Helper()
	model, err := url.PathUnescape(c.Model)
	if err != nil {
		t.Fatal(err)
	}
	if available, f := p.StrictFor([]string{model}); !available {
		t.Errorf("%s, %s: %s", c.File, p.Name, f)
	}
}
