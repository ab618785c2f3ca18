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
	// DeferLoading has the model find the tool by a search, where the API has that.
	DeferLoading bool
	// At most one of these is set; a tool without any is a function.
	FreeForm *FreeForm
	BuiltIn  *BuiltIn
	MCP      *MCP
}

// FreeForm is a tool whose argument is a text.
type FreeForm struct {
	Syntax     string // Text, Lark, Regex
	Definition string // empty for Text
}

// BuiltIn is a tool that the API brings along.
type BuiltIn struct {
	Type     string
	Name     string        // the fixed name; empty if the type is the name
	Settings *schema.Value // an object, or nil
}

// MCP is one tool of a server that the API calls.
type MCP struct {
	Label, URL, ConnectorID, Description string
	Tool                                 string
	// Approval: a person must agree to each call.
	Approval bool
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

// format is one wire format. The three last are nil where the format has no
// such tools.
type format struct {
	version                int
	write                  func(Tool) *schema.Value
	freeForm, builtIn, mcp func(Tool) *schema.Value
}

var formats = map[string]format{
	"openai-responses":                    {version: 2, write: openAIResponses, freeForm: openAICustom, builtIn: openAIBuiltIn, mcp: openAIMCP},
	"openai-chat-completions":             {version: 1, write: openAIChatCompletions, freeForm: openAIChatCustom},
	"anthropic-messages":                  {version: 1, write: anthropicMessages, builtIn: anthropicBuiltIn, mcp: anthropicMCP},
	"bedrock-tool-spec":                   {version: 1, write: bedrockToolSpec},
	"gemini-function-declaration":         {version: 2, write: geminiFunctionDeclaration, builtIn: geminiBuiltIn},
	"gemini-function-declaration-openapi": {version: 1, write: geminiOpenAPIDeclaration, builtIn: geminiBuiltIn},
	"mcp-tool":                            {version: 2, write: mcpTool},
}

// writer returns what writes the tool; nil if the format has no such tools.
func (f format) writer(t Tool) func(Tool) *schema.Value {
	switch {
	case t.FreeForm != nil:
		return f.freeForm
	case t.BuiltIn != nil:
		return f.builtIn
	case t.MCP != nil:
		return f.mcp
	}
	return f.write
}

// Formats returns the names of all wire formats, sorted.
func Formats() []string { return slices.Sorted(maps.Keys(formats)) }

// Version returns the renderer version of a wire format, 0 for an unknown one.
func Version(name string) int { return formats[name].version }

// Render writes the tool in a wire format. The error says that there is no
// such format, or that it has no tools of this type.
func Render(name string, tool Tool) ([]byte, error) {
	v, err := Element(name, tool)
	if err != nil {
		return nil, err
	}
	return Line(v), nil
}

// Element is what [Render] writes, as a value.
func Element(name string, tool Tool) (*schema.Value, error) {
	f, ok := formats[name]
	if !ok {
		return nil, fmt.Errorf("rendering tool %s: there is no wire format %q", tool.Name, name)
	}
	write := f.writer(tool)
	if write == nil {
		return nil, fmt.Errorf("rendering tool %s: the wire format %q has no tools of this type", tool.Name, name)
	}
	return write(tool), nil
}

// Line is the form of every published JSON file: compact, with one newline.
func Line(v *schema.Value) []byte { return append(v.AppendJSON(nil), '\n') }

// writeStrict spells strictness where it lives on the tool.
func writeStrict(f *schema.Fields, s Strict) {
	if s != StrictOmitted {
		f.Add("strict", schema.NewBool(s == StrictTrue))
	}
}
