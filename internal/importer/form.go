// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/schema"
)

// Families are the words for the wire forms that can be asked for by name.
var Families = []string{"mcp", "openai", "anthropic", "gemini", "bedrock"}

// form is how an API spells a tool.
type form struct {
	// family is the word of [Families], title the name in messages.
	family, title string
	// holder is the member that the tool stands below; empty for none.
	holder string
	// input and output are the members with the schemas; of several the first
	// that is there counts.
	input, output []schemaPlace
	// examples is the member with complete arguments; empty for none.
	examples string
	// mandatory: the API demands an input schema. Elsewhere a tool without one
	// takes no arguments.
	mandatory bool
	// strict: the tool itself says whether it is strict.
	strict bool
	// wireFormats are the formats whose targets the strictness of the tool, or
	// of the request around it, is meant for.
	wireFormats []string
	// silent are the members that say nothing that a contract must know.
	silent []string
}

// schemaPlace is a member that holds a schema.
type schemaPlace struct {
	member string
	// below is the member of that member with the schema itself; empty for none.
	below string
	// openAPI: the schema is in the OpenAPI spelling of the Gemini API.
	openAPI bool
}

var (
	openAIFormats = []string{"openai-responses", "openai-chat-completions"}
	geminiFormats = []string{"gemini-function-declaration", "gemini-function-declaration-openapi"}
)

// The forms. Sources: Model Context Protocol, schema 2026-07-28; openai-openapi
// 2.3.0, FunctionTool, ChatCompletionTool and ChatCompletionFunctions
// (2026-08-21); anthropic-sdk-python, ToolParam (2026-08-07); googleapis,
// generativelanguage v1beta content.proto (2026-08-22); botocore,
// bedrock-runtime service-2.json (2026-08-07).
var (
	mcp = form{
		family: "mcp", title: "MCP", mandatory: true,
		input: []schemaPlace{{member: "inputSchema"}}, output: []schemaPlace{{member: "outputSchema"}},
		silent: []string{"title", "annotations"},
	}
	openAIResponses = form{
		family: "openai", title: "the OpenAI Responses API", strict: true, wireFormats: openAIFormats,
		input: []schemaPlace{{member: "parameters"}}, output: []schemaPlace{{member: "output_schema"}},
		silent: []string{"type"},
	}
	openAIChat = form{
		family: "openai", title: "the OpenAI Chat Completions API", holder: "function", strict: true, wireFormats: openAIFormats,
		input: []schemaPlace{{member: "parameters"}},
	}
	openAIFunctions = form{
		family: "openai", title: "the functions list of the OpenAI Chat Completions API", wireFormats: openAIFormats,
		input: []schemaPlace{{member: "parameters"}},
	}
	anthropic = form{
		family: "anthropic", title: "the Anthropic Messages API", mandatory: true, strict: true,
		wireFormats: []string{"anthropic-messages"},
		input:       []schemaPlace{{member: "input_schema"}}, examples: "input_examples",
		silent: []string{"type"},
	}
	gemini = form{
		family: "gemini", title: "the Gemini API", wireFormats: geminiFormats,
		input:  []schemaPlace{{member: "parametersJsonSchema"}, {member: "parameters_json_schema"}, {member: "parameters", openAPI: true}},
		output: []schemaPlace{{member: "responseJsonSchema"}, {member: "response_json_schema"}, {member: "response", openAPI: true}},
	}
	bedrock = form{
		family: "bedrock", title: "Bedrock Converse", holder: "toolSpec", mandatory: true, strict: true,
		wireFormats: []string{"bedrock-tool-spec"},
		input:       []schemaPlace{{member: "inputSchema", below: "json"}},
	}
	// bedrockSpec is what stands below toolSpec, by itself.
	bedrockSpec = func() form { f := bedrock; f.holder = ""; return f }()
)

// recognise tells the form of a tool by its members. The last is what a tool
// without a schema is taken for. Where the members leave the API open, family
// decides if it is given.
func recognise(members memberList, family string) *form {
	has := func(names ...string) bool { return members.either(names...) != nil }
	switch {
	case members.get("toolSpec").Kind() == '{':
		return &bedrock
	case members.get("function").Kind() == '{':
		return &openAIChat
	case has("input_schema"):
		return &anthropic
	case has("parametersJsonSchema", "parameters_json_schema", "responseJsonSchema", "response_json_schema"):
		return &gemini
	case isBedrockSpec(members.get("inputSchema")):
		return &bedrockSpec
	case has("inputSchema"):
		return &mcp
	case members.word("type") == "function":
		return &openAIResponses
	case has("parameters") && (family == "gemini" || family != "openai" && isOpenAPI(members.get("parameters"))):
		return &gemini
	case has("parameters"):
		return &openAIFunctions
	}
	return &mcp
}

// isBedrockSpec reports whether an inputSchema holds the schema below json.
func isBedrockSpec(input jsontext.Value) bool {
	if input.Kind() != '{' {
		return false
	}
	members, _ := membersOf(input)
	return len(members) == 1 && members.get("json").Kind() == '{'
}

// isOpenAPI reports whether a schema is in the spelling of the Gemini API: a
// type in capitals, or nullable.
func isOpenAPI(raw jsontext.Value) bool {
	root, failed := schema.Parse(raw)
	return failed == nil && spellsOpenAPI(root)
}

func spellsOpenAPI(n *schema.Value) bool {
	if n.Kind() != schema.Object {
		return false
	}
	if t := n.Get("type"); t != nil && openAPITypes[t.Text()] != "" {
		return true
	}
	if nullable := n.Get("nullable"); nullable != nil && nullable.Kind() == schema.Bool {
		return true
	}
	return slices.ContainsFunc(schema.Children(n), func(c schema.Child) bool { return spellsOpenAPI(c.Value) })
}

// foreign says why an object is no function with a JSON Schema; empty if it may
// be one.
func foreign(members memberList) string {
	kind := members.word("type")
	hasSchema := members.either("input_schema", "inputSchema", "parameters", "parametersJsonSchema", "parameters_json_schema") != nil
	switch {
	case members.get("custom").Kind() == '{', kind == "custom" && !hasSchema:
		return "/type: it is a custom tool, whose input is text or follows a grammar; a contract describes a function with a JSON Schema: " +
			"keep the tool in the request, or make the text a property of an object"
	case kind == "mcp":
		return "/type: it names a server whose tools the provider lists itself: import the tools/list result of that server"
	case kind == "function" || kind == "custom" || kind == "" && members.get("name") != nil || members.get("function").Kind() == '{' || members.get("toolSpec").Kind() == '{':
		return ""
	case kind != "" && (!hasSchema || members.get("name") == nil):
		return providerTool(kind)
	}
	for _, m := range members {
		if kind == "" && providerMembers[m.name] {
			return providerTool(m.name)
		}
	}
	return ""
}

// providerTool says what to do with a tool that the API has by itself.
func providerTool(kind string) string {
	return "it is " + kind + ", a tool of the provider, which has no schema to describe: keep it where the request is built"
}

// providerMembers are the members that make an object without a name one of
// the provider's own tools. Sources: python-genai, types.Tool (2026-08-21);
// botocore, bedrock-runtime (2026-08-07).
var providerMembers = func() map[string]bool {
	out := map[string]bool{}
	for _, name := range []string{
		"googleSearch", "google_search", "googleSearchRetrieval", "google_search_retrieval", "codeExecution", "code_execution",
		"urlContext", "url_context", "fileSearch", "file_search", "googleMaps", "google_maps", "computerUse", "computer_use",
		"retrieval", "enterpriseWebSearch", "enterprise_web_search", "parallelAiSearch", "exaAiSearch", "mcpServers", "mcp_servers",
		"cachePoint", "systemTool",
	} {
		out[name] = true
	}
	return out
}()
