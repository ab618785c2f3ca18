// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// openAPIFormat spells schemas in its own way: what comes back admits the same
// values and need not be the same text.
const openAPIFormat = "gemini-function-declaration-openapi"

// TestRenderingsImportBack renders a tool in every wire format and demands the
// contract's own words back.
func TestRenderingsImportBack(t *testing.T) {
	t.Parallel()
	schemas := map[string]string{
		"no arguments": `{"type":"object","properties":{},"additionalProperties":false}`,
		"scalars":      `{"type":"object","properties":{"z":{"type":"string","description":"d"},"a":{"type":"integer","minimum":1},"m":{"type":"boolean"}},"required":["z","m"]}`,
		"null":         `{"type":"object","properties":{"a":{"type":["string","null"]},"e":{"type":["string","null"],"enum":["x","y",null]},"n":{"type":"null"}}}`,
		"union":        `{"type":"object","properties":{"u":{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"number"}},{"type":"null"}]}}}`,
		"nested":       `{"type":"object","properties":{"l":{"type":"array","minItems":1,"items":{"type":"object","properties":{"type":{"type":"string"},"nullable":{"type":"boolean"},"properties":{"type":"string"}},"required":["type"]}}}}`,
		"only null":    `{"type":"object","properties":{"u":{"anyOf":[{"type":"null"}]}}}`,
	}
	for _, format := range render.Formats() {
		for name, text := range schemas {
			t.Run(format+"/"+name, func(t *testing.T) {
				t.Parallel()
				input := schematest.Value(t, text)
				c := importOne(t, format, render.Tool{Name: "get_x", Title: "Get x", Description: "Gets x.\nUse it.", Input: input})
				if c.Spec.ToolName != "get_x" || c.Spec.Description.Summary != "Gets x.\nUse it." {
					t.Errorf("got %q: %q", c.Spec.ToolName, c.Spec.Description.Summary)
				}
				got := schematest.Value(t, c.Spec.Input.SchemaText)
				if format == openAPIFormat {
					expectSameValues(t, input, got)
					return
				}
				if diff := cmp.Diff(input.JSON(), got.JSON()); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// oneOfEachKind is a target for each wire format and each place of strictness.
func oneOfEachKind() []v1alpha1.Target {
	type kind struct {
		format string
		place  provider.StrictPlace
	}
	seen := map[kind]bool{}
	var out []v1alpha1.Target
	for _, name := range provider.Builtin().Names() {
		p, _ := provider.Builtin().Lookup(name)
		if k := (kind{p.WireFormat, p.Strict.Place}); !seen[k] {
			seen[k] = true
			out = append(out, v1alpha1.Target{Profile: name})
		}
	}
	return out
}

// importOne renders a tool and imports what was written.
func importOne(t *testing.T, format string, tool render.Tool) *v1alpha1.ToolContract {
	t.Helper()
	text, err := render.Render(format, tool)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Version: "1.0.0", Profiles: provider.Builtin(), Targets: oneOfEachKind()}
	contracts, report, _ := Import(text, o)
	if len(contracts) != 1 {
		t.Fatalf("%s gives %q", text, report.Lines())
	}
	return contracts[0]
}

// expectSameValues demands that two schemas admit each other's values.
func expectSameValues(t *testing.T, a, b *schema.Value) {
	t.Helper()
	for _, pair := range [][2]*schema.Value{{a, b}, {b, a}} {
		outer, inner := schematest.Schema(t, pair[0].JSON()), schematest.Schema(t, pair[1].JSON())
		if r := contain.Contains(inner, outer); r.Answer != contain.Proven {
			t.Errorf("%s admits more than %s: %s", pair[1].JSON(), pair[0].JSON(), r.Reason)
		}
	}
}

// TestWhatFormatsCarryComesBack is about everything that is no input schema.
func TestWhatFormatsCarryComesBack(t *testing.T) {
	t.Parallel()
	tool := render.Tool{
		Name: "get_x", Description: "Gets x.", Input: schematest.Value(t, `{"type":"object","properties":{"a":{"type":"number"}}}`),
		Output:   schematest.Value(t, `{"type":"object","properties":{"y":{"type":"string"}}}`),
		Examples: []*schema.Value{schematest.Value(t, `{"a":1.50}`), schematest.Value(t, `{}`)},
		Strict:   render.StrictTrue,
		Hints:    &render.Hints{ReadOnly: true},
		Origin:   &render.Origin{Contract: "get-x", Version: "1.0.0", Digest: "sha256:00"},
	}
	outputs := []string{"gemini-function-declaration", "mcp-tool", "openai-responses"}
	for _, format := range render.Formats() {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			c := importOne(t, format, tool)
			if hasOutput := c.Spec.Output != nil; hasOutput != slices.Contains(outputs, format) {
				t.Errorf("the output schema: %v", hasOutput)
			} else if hasOutput && !schematest.Value(t, c.Spec.Output.SchemaText).Equal(tool.Output) {
				t.Errorf("the output schema is %s", c.Spec.Output.SchemaText)
			}
			var examples []string
			for _, e := range c.Spec.Input.Examples {
				examples = append(examples, schematest.Value(t, e.ValueText).JSON())
			}
			if want := []string{`{"a":1.5}`, `{}`}; format == "anthropic-messages" && !slices.Equal(examples, want) {
				t.Errorf("the examples are %q", examples)
			}
			if isMCP := format == "mcp-tool"; isMCP != (c.Spec.Execution != nil) {
				t.Errorf("the execution is %+v", c.Spec.Execution)
			}
		})
	}
}

// TestStrictComesBack demands that a strict flag reaches the targets of its own
// form and no others, and renders to the same flag.
func TestStrictComesBack(t *testing.T) {
	t.Parallel()
	profiles := provider.Builtin()
	tool := render.Tool{Name: "get_x", Description: "Gets x.", Input: schematest.Value(t, `{"type":"object","properties":{},"additionalProperties":false}`)}
	families := map[string][]string{
		"openai-responses": openAIFormats, "openai-chat-completions": openAIFormats,
		"anthropic-messages": {"anthropic-messages"}, "bedrock-tool-spec": {"bedrock-tool-spec"},
	}
	for format, family := range families {
		for strict, policy := range map[render.Strict]v1alpha1.StrictPolicy{
			render.StrictTrue: v1alpha1.StrictRequired, render.StrictFalse: v1alpha1.StrictDisabled, render.StrictOmitted: "",
		} {
			tool.Strict = strict
			for _, target := range importOne(t, format, tool).Spec.Targets {
				p, _ := profiles.Lookup(target.Profile)
				want := v1alpha1.StrictPolicy("")
				if p.Strict.Place == provider.PerTool && slices.Contains(family, p.WireFormat) {
					want = policy
				}
				if target.Strict != want {
					t.Errorf("%s, %v: the target %s has strict %q, want %q", format, strict, target.Profile, target.Strict, want)
				}
			}
		}
	}
}

// TestCorpusRenderingsImportBack does the same with the schemas of real tools,
// each in one of the formats in turn.
func TestCorpusRenderingsImportBack(t *testing.T) {
	t.Parallel()
	formats := slices.DeleteFunc(render.Formats(), func(f string) bool { return f == openAPIFormat })
	total := 0
	for _, path := range corpus.ToolFiles(t) {
		for tool := range corpus.Lines[corpus.Tool](t, path) {
			input, failed := schema.Parse(tool.InputSchema)
			if failed != nil || input.Kind() != schema.Object || !input.Has("type") || input.Has("$schema") {
				continue
			}
			format := formats[total%len(formats)]
			total++
			c := importOne(t, format, render.Tool{Name: "get_x", Description: "Gets x.", Input: input})
			if got := schematest.Value(t, c.Spec.Input.SchemaText); got.JSON() != input.JSON() {
				t.Errorf("%s: %s: %s came back as %s", path, format, input.JSON(), got.JSON())
			}
		}
	}
	if total < 500 {
		t.Errorf("the corpus has only %d tools that can be rendered", total)
	}
	t.Logf("%d tools", total)
}

// TestCorpusRecordedRequestsImport imports the bodies of requests that live
// APIs took: every function becomes a contract, and only tools of the provider
// are skipped.
func TestCorpusRecordedRequestsImport(t *testing.T) {
	t.Parallel()
	functions, imported, skipped := 0, 0, 0
	for request := range corpus.Lines[json.RawMessage](t, corpus.Path(t, "recorded/provider-requests.jsonl")) {
		var body struct{ Tools []map[string]any }
		if err := json.Unmarshal(request, &body); err != nil {
			t.Fatal(err)
		}
		for _, tool := range body.Tools {
			functions += countFunctions(tool)
		}
		contracts, report, found := Import(request, testOptions)
		if !found {
			t.Errorf("no list of tools in %.200s", request)
		}
		imported += len(contracts)
		skipped += report.Skipped()
		var yaml []byte
		for _, c := range contracts {
			yaml = AppendYAML(yaml, c)
		}
		checkRoundTrip(t, contracts, yaml)
	}
	if imported != functions || functions < 150 {
		t.Errorf("%d of %d functions became a contract", imported, functions)
	}
	t.Logf("%d functions, %d other tools", imported, skipped)
}

// countFunctions counts the functions in one element of a tools array, by the
// documentation of each API.
func countFunctions(tool map[string]any) int {
	switch {
	case tool["functionDeclarations"] != nil:
		return len(tool["functionDeclarations"].([]any))
	case tool["type"] == "namespace":
		return len(tool["tools"].([]any))
	case tool["function"] != nil, tool["type"] == "function", tool["toolSpec"] != nil, tool["input_schema"] != nil:
		return 1
	}
	return 0
}
