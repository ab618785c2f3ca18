// SPDX-License-Identifier: Apache-2.0

package render

import (
	"fmt"
	"maps"
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// Tool is what a wire format can say of a tool. Fields that a format has no
// place for are ignored; the host's view of the contract carries them.
type Tool struct {
	Name        string
	Title       string // empty: none
	Description string
	// Input is the schema of the arguments as adapted to the provider.
	Input *schema.Value
	// Output is the schema of the answer, nil for none.
	Output *schema.Value
	// Examples are complete arguments that are valid against Input.
	Examples []*schema.Value
	Strict   Strict
	// Hints are the behaviour annotations, nil for none.
	Hints *Hints
	// Origin says which contract the tool comes from, nil for none.
	Origin *Origin
}

// Origin identifies the contract behind a tool.
type Origin struct {
	// Contract is the name of the contract, Version its version, and Digest the
	// digest of its content.
	Contract, Version, Digest string
}

// Strict is how strictness is written where it lives on the tool.
type Strict uint8

// The spellings of strictness.
const (
	StrictOmitted Strict = iota
	StrictFalse
	StrictTrue
)

// Hints are the behaviour annotations of a tool, all of them explicit:
// omission means the pessimistic default to an MCP client.
type Hints struct {
	ReadOnly, Destructive, Idempotent, OpenWorld bool
}

// format is one wire format.
type format struct {
	version int
	write   func(Tool) *schema.Value
}

var formats = map[string]format{
	"openai-responses":                    {version: 2, write: openAIResponses},
	"openai-chat-completions":             {version: 1, write: openAIChatCompletions},
	"anthropic-messages":                  {version: 1, write: anthropicMessages},
	"bedrock-tool-spec":                   {version: 1, write: bedrockToolSpec},
	"gemini-function-declaration":         {version: 2, write: geminiFunctionDeclaration},
	"gemini-function-declaration-openapi": {version: 1, write: geminiOpenAPIDeclaration},
	"mcp-tool":                            {version: 2, write: mcpTool},
}

// Formats returns the names of all wire formats, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Version returns the renderer version of a wire format, 0 for an unknown one.
func Version(name string) int { return formats[name].version }

// Render writes the tool in a wire format. The error says that there is no
// such format.
func Render(name string, tool Tool) ([]byte, error) {
	f, ok := formats[name]
	if !ok {
		return nil, fmt.Errorf("rendering tool %s: there is no wire format %q", tool.Name, name)
	}
	return Line(f.write(tool)), nil
}

// Line is the form of every published JSON file: compact, with one newline.
func Line(v *schema.Value) []byte { return append(v.AppendJSON(nil), '\n') }

// writeStrict spells strictness where it lives on the tool.
func writeStrict(f *schema.Fields, s Strict) {
	if s != StrictOmitted {
		f.Add("strict", schema.NewBool(s == StrictTrue))
	}
}
