// SPDX-License-Identifier: Apache-2.0

package render

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// tools are the inputs of the golden files: one of each per wire format.
func tools(t *testing.T) map[string]Tool {
	t.Helper()
	full := Tool{
		Name:        "create_refund_draft",
		Title:       "Create refund draft",
		Description: "Creates a refund draft. Does not submit a refund.",
		Input: schematest.Value(t, `{"type":"object","properties":{"order_ref":{"type":"string","description":"Order number."},`+
			`"amount":{"type":"number","exclusiveMinimum":0}},"required":["order_ref"],"additionalProperties":false}`),
		Output:   schematest.Value(t, `{"type":"object","properties":{"draft_id":{"type":"string"}},"required":["draft_id"]}`),
		Examples: []*schema.Value{schematest.Value(t, `{"order_ref":"ord_123","amount":12.50}`), schematest.Value(t, `{"order_ref":"ord_9"}`)},
		Hints:    &Hints{ReadOnly: false, Destructive: false, Idempotent: true, OpenWorld: false},
		Origin:   &Origin{Contract: "create-refund-draft", Version: "1.2.0", Digest: "sha256:" + strings.Repeat("0", 64)},
	}
	strict, notStrict := full, full
	strict.Strict, notStrict.Strict = StrictTrue, StrictFalse
	return map[string]Tool{
		"minimal":      {Name: "ping", Input: schematest.Value(t, `{"type":"object"}`)},
		"full":         full,
		"strict-true":  strict,
		"strict-false": notStrict,
		"chinese": {
			Name:        "create_refund_draft",
			Title:       "创建退款草稿",
			Description: "为用户可访问的订单创建退款草稿。不会提交退款。",
			Input:       schematest.Value(t, `{"type":"object","properties":{"原因":{"type":"string","enum":["重复","损坏"]}},"required":["原因"]}`),
			Examples:    []*schema.Value{schematest.Value(t, `{"原因":"重复"}`)},
		},
		"characters": {
			Name:        "html",
			Description: "a <b> & 'c' \"d\" \\ \u2028 \u2029 \u007f \x01 \n\t 👩‍💻 </script>",
			Input:       schematest.Value(t, `{"type":"object","properties":{"<&>\n":{"const":"</script>&amp;\u0000"}}}`),
		},
	}
}

// special are tools that are no functions. Not every format has each of them.
func special(t *testing.T) map[string]Tool {
	t.Helper()
	text := Tool{Name: "query_orders", Title: "Query", Description: "Runs one query.", FreeForm: &FreeForm{Syntax: "Text"}}
	grammar, expression := text, text
	grammar.FreeForm = &FreeForm{Syntax: "Lark", Definition: "start: \"SELECT \" /[a-z]+/\n"}
	expression.FreeForm = &FreeForm{Syntax: "Regex", Definition: `SELECT [a-z]+`}
	deferred := expression
	deferred.DeferLoading = true
	server := Tool{
		Name: "find_orders", Description: "Finds orders.", Input: schematest.Value(t, `{"type":"object"}`),
		MCP: &MCP{Label: "orders", URL: "https://mcp.example.com/orders", Description: "The orders.", Tool: "find_orders"},
	}
	connector := server
	connector.MCP = &MCP{Label: "orders", ConnectorID: "connector_orders", Tool: "find_orders", Approval: true}
	connector.DeferLoading = true
	hosted := Tool{
		Name: "web_search", Description: "Searches.",
		BuiltIn: &BuiltIn{Type: "web_search_20260318", Name: "web_search", Settings: schematest.Value(t, `{"max_uses":3}`)},
	}
	bare := Tool{Name: "codeExecution", DeferLoading: true, BuiltIn: &BuiltIn{Type: "codeExecution"}}
	return map[string]Tool{
		"free-form-text": text, "free-form-lark": grammar, "free-form-regex": expression, "free-form-deferred": deferred,
		"mcp-url": server, "mcp-connector": connector, "built-in-settings": hosted, "built-in-bare": bare,
	}
}

// taken says which formats have the tools of a type.
var taken = map[string][]string{
	"free-form": {"openai-chat-completions", "openai-responses"},
	"mcp":       {"anthropic-messages", "openai-responses"},
	"built-in":  {"anthropic-messages", "gemini-function-declaration", "gemini-function-declaration-openapi", "openai-responses"},
}

func formatsOf(name string) []string {
	for kind, formats := range taken {
		if strings.HasPrefix(name, kind) {
			return formats
		}
	}
	return nil
}

func TestGoldenBytesOfOtherTypes(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		for name, tool := range special(t) {
			got, err := Render(format, tool)
			if has := slices.Contains(formatsOf(name), format); has != (err == nil) {
				t.Errorf("%s/%s: %s %v", format, name, got, err)
				continue
			}
			if err != nil {
				if !strings.Contains(err.Error(), "no tools of this type") || !strings.Contains(err.Error(), tool.Name) {
					t.Errorf("%s/%s: %v", format, name, err)
				}
				continue
			}
			golden.Check(t, format+"/"+name+".json", got)
		}
	}
}

func TestADeferredToolSaysSoWhereTheFormatHasThat(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		tool := tools(t)["full"]
		plain, err := Render(format, tool)
		if err != nil {
			t.Fatal(err)
		}
		tool.DeferLoading = true
		deferred, err := Render(format, tool)
		if err != nil {
			t.Fatal(err)
		}
		want := string(plain)
		if format == "anthropic-messages" || format == "openai-responses" {
			want = strings.TrimSuffix(want, "}\n") + `,"defer_loading":true}` + "\n"
		}
		if diff := cmp.Diff(want, string(deferred)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

func TestGoldenBytes(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		for name, tool := range tools(t) {
			t.Run(format+"/"+name, func(t *testing.T) {
				t.Parallel()
				got, err := Render(format, tool)
				if err != nil {
					t.Fatal(err)
				}
				golden.Check(t, format+"/"+name+".json", got)
			})
		}
	}
}

func TestNoFileOfTestdataIsLeftOver(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	want := len(Formats()) * len(tools(t))
	for name := range special(t) {
		want += len(formatsOf(name))
	}
	if len(files) != want {
		t.Errorf("there are %d golden files, want %d", len(files), want)
	}
}

func TestPublishedFilesAreOneLineOfJSONThatModelsCanRead(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		for name, tool := range tools(t) {
			got, err := Render(format, tool)
			if err != nil {
				t.Fatal(err)
			}
			if !json.Valid(got) {
				t.Errorf("%s/%s is not JSON: %s", format, name, got)
			}
			if bytes.IndexByte(got, '\n') != len(got)-1 {
				t.Errorf("%s/%s does not end in its only line end: %q", format, name, got)
			}
			if text := strings.ToLower(string(got)); strings.Contains(text, `\u003c`) || strings.Contains(text, `\u0026`) {
				t.Errorf("%s/%s escapes characters for HTML: %s", format, name, got)
			}
		}
	}
}

func TestStrictnessIsWrittenOnlyWhereItLivesOnTheTool(t *testing.T) {
	t.Parallel()
	onTheTool := []string{"anthropic-messages", "bedrock-tool-spec", "openai-chat-completions", "openai-responses"}
	for _, format := range Formats() {
		for name, spelled := range map[string]string{"full": "", "strict-true": `"strict":true`, "strict-false": `"strict":false`} {
			got, err := Render(format, tools(t)[name])
			if err != nil {
				t.Fatal(err)
			}
			want := spelled != "" && slices.Contains(onTheTool, format)
			if bytes.Contains(got, []byte(`"strict"`)) != want || !bytes.Contains(got, []byte(spelled)) && want {
				t.Errorf("%s/%s: %s", format, name, got)
			}
		}
	}
}

func TestRenderIsAFunctionOfItsInput(t *testing.T) {
	t.Parallel()
	for _, format := range Formats() {
		first, err := Render(format, tools(t)["full"])
		if err != nil {
			t.Fatal(err)
		}
		for range 200 {
			again, err := Render(format, tools(t)["full"])
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, again) {
				t.Fatalf("%s: %s is not %s", format, again, first)
			}
		}
	}
}

func TestAnUnknownFormatIsAnError(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"", "openai", "OPENAI-RESPONSES"} {
		got, err := Render(format, Tool{Name: "ping", Input: schema.NewBool(true)})
		if err == nil {
			t.Errorf("%q gives %s", format, got)
			continue
		}
		if !strings.Contains(err.Error(), "ping") {
			t.Errorf("the error does not name the tool: %v", err)
		}
		if Version(format) != 0 {
			t.Errorf("%q has the version %d", format, Version(format))
		}
	}
}

func TestFormatsAreNamedAndVersioned(t *testing.T) {
	t.Parallel()
	want := []string{
		"anthropic-messages", "bedrock-tool-spec", "gemini-function-declaration", "gemini-function-declaration-openapi",
		"mcp-tool", "openai-chat-completions", "openai-responses",
	}
	if diff := cmp.Diff(want, Formats()); diff != "" {
		t.Error(diff)
	}
	for _, format := range Formats() {
		if Version(format) < 1 {
			t.Errorf("%s has no version", format)
		}
	}
}
