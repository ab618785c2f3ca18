// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/pattern"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules about the type of a tool.
const (
	// RuleTypeFields: a member belongs to another type, or that of the type is not
	// there.
	RuleTypeFields = "type-fields"
	// RuleExecutionUnsaid: who runs the tool, who holds its credentials or who
	// allows a call is not said, or does not fit the type.
	RuleExecutionUnsaid = "execution-unsaid"
	// RuleGrammar: a grammar or an expression cannot be read.
	RuleGrammar = "grammar-invalid"
	// RuleHostNeeded: something that only a host can do is asked of a tool that
	// the provider calls by itself.
	RuleHostNeeded = "host-needed"
)

// defaultParameter is the member under which a tool finds a free text.
const defaultParameter = "input"

// types reads what only one type of tool has.
func (r *reader) types(api *v1alpha1.ToolContent) {
	kind := r.content.Type
	r.belongs("freeForm", api.FreeForm != nil, kind == contract.TypeFreeForm)
	r.belongs("builtIn", api.BuiltIn != nil, kind == contract.TypeBuiltIn)
	r.belongs("mcp", api.MCP != nil, kind == contract.TypeMCP)
	switch kind {
	case contract.Function:
		r.input(api.Input)
	case contract.TypeFreeForm:
		if api.FreeForm != nil {
			r.freeForm(*api.FreeForm)
		}
	case contract.TypeBuiltIn:
		if api.BuiltIn != nil {
			r.builtIn(*api.BuiltIn)
		}
	case contract.TypeMCP:
		if api.MCP != nil {
			r.mcp(*api.MCP)
		}
		r.input(api.Input)
		r.noHost(api.Input)
	default:
		r.fail(RuleTypeFields, "/spec/type", fmt.Sprintf("there is no type %s", finding.Quote(kind)), "use Function, FreeForm, BuiltIn or MCP")
	}
	if kind == contract.TypeFreeForm || kind == contract.TypeBuiltIn {
		r.belongs("input", !isZeroInput(api.Input), false)
	}
	if kind != contract.Function {
		r.said(kind)
	}
}

func isZeroInput(in v1alpha1.Input) bool {
	return in.Schema == nil && in.SchemaText == "" && len(in.Examples) == 0 && len(in.SessionParameters) == 0 && in.Writer == ""
}

func (r *reader) belongs(member string, is, should bool) {
	switch {
	case is && !should:
		r.fail(RuleTypeFields, "/spec/"+member, fmt.Sprintf("%s does not belong to a tool of type %s", member, finding.Quote(r.content.Type)),
			"remove it, or set the type that it belongs to")
	case should && !is:
		r.fail(RuleTypeFields, "/spec/"+member, fmt.Sprintf("a tool of type %s needs %s", r.content.Type, member), "set "+member)
	}
}

// locations are the places where a tool of a type can run.
var locations = map[string][]string{
	contract.TypeFreeForm: {"Application", "Client"},
	contract.TypeBuiltIn:  {"Provider", "Client"},
	contract.TypeMCP:      {"MCPServer"},
}

// said demands what a reader cannot know of tools that are not plain functions:
// who runs them, with whose credentials, and by whose leave.
func (r *reader) said(kind string) {
	e := r.content.Execution
	switch fitting := locations[kind]; {
	case e.Location == "":
		r.fail(RuleExecutionUnsaid, "/spec/execution/location", "who runs the tool is not said", "set location to "+strings.Join(fitting, " or "))
	case !slices.Contains(fitting, e.Location):
		r.fail(RuleExecutionUnsaid, "/spec/execution/location",
			fmt.Sprintf("a tool of type %s is not run by %s", kind, e.Location), "set location to "+strings.Join(fitting, " or "))
	}
	if e.Credentials == "" {
		r.fail(RuleExecutionUnsaid, "/spec/execution/credentials", "who holds the credentials that the tool needs is not said",
			"name the holder, or write none where the tool needs none")
	}
	if e.Authorization == "" {
		r.fail(RuleExecutionUnsaid, "/spec/execution/authorization", "who decides whether a call is allowed is not said", "name who decides")
	}
}

// noHost refuses what only a host can keep: nobody of the application stands
// between the provider and the server.
func (r *reader) noHost(in v1alpha1.Input) {
	if len(in.SessionParameters) > 0 {
		r.fail(RuleHostNeeded, "/spec/input/sessionParameters", "the provider calls the server by itself, so no host can inject session parameters",
			"use mcp.server.headers, or the type Function and let the application call the server")
	}
	if in.Writer == v1alpha1.WriterDeclared {
		r.fail(RuleHostNeeded, "/spec/input/writer", "the provider calls the server by itself, so no host can reject undeclared members",
			"remove writer, or use the type Function and let the application call the server")
	}
}

// larkStart finds the rule with which Lark begins, with its modifiers and
// priority. See https://lark-parser.readthedocs.io/en/stable/grammar.html.
var larkStart = regexp.MustCompile(`(?m)^[ \t]*[?!]*start[ \t]*(\.-?[0-9]+|\[[^\]]*\])?[ \t]*:`)

// freeForm reads the one text. The tool gets it as the one member of an object,
// so that it has an input schema like any other tool.
func (r *reader) freeForm(f v1alpha1.FreeForm) {
	out := &contract.FreeForm{
		Parameter: cmp.Or(f.Parameter, defaultParameter), Description: f.Description, Syntax: string(cmp.Or(f.Syntax, v1alpha1.SyntaxText)),
		Definition: f.Definition, MaxLength: f.MaxLength, Fallback: f.Fallback == v1alpha1.FallbackFunction, Examples: f.Examples,
	}
	r.content.FreeForm = out
	switch {
	case out.Syntax == string(v1alpha1.SyntaxText) && f.Definition != "":
		r.fail(RuleGrammar, "/spec/freeForm/definition", "there is a definition, and the syntax Text has none", "set syntax to Lark or Regex, or remove definition")
	case out.Syntax != string(v1alpha1.SyntaxText) && f.Definition == "":
		r.fail(RuleGrammar, "/spec/freeForm/definition", fmt.Sprintf("the syntax %s needs a definition", finding.Quote(out.Syntax)), "set definition")
	case !slices.Contains([]string{"Text", "Lark", "Regex"}, out.Syntax):
		r.fail(RuleGrammar, "/spec/freeForm/syntax", fmt.Sprintf("there is no syntax %s", finding.Quote(out.Syntax)), "use Text, Lark or Regex")
	case out.Syntax == string(v1alpha1.SyntaxLark) && !larkStart.MatchString(f.Definition):
		r.fail(RuleGrammar, "/spec/freeForm/definition", "the grammar has no rule start, with which every text begins", "name the first rule start, as in start: word+")
	}
	text := schema.Fields{{Name: "type", Value: schema.NewString("string")}}
	text.Text("description", f.Description)
	if f.MaxLength != nil {
		text.Int("maxLength", f.MaxLength)
	}
	if out.Syntax == string(v1alpha1.SyntaxRegex) && f.Definition != "" {
		// By itself as well: what closes a group that it did not open would leave
		// that of the anchors.
		_, err := pattern.Compile(f.Definition)
		whole := "^(?:" + f.Definition + ")$"
		if err == nil {
			_, err = pattern.Compile(whole)
		}
		if err != nil {
			r.fail(RuleGrammar, "/spec/freeForm/definition", "the expression cannot be read: "+finding.Clip(err.Error(), 200),
				"correct it; it is read as ECMA-262 with the flag u")
			return
		}
		text.Text("pattern", whole)
	}
	root := schema.NewObject(
		schema.Member{Name: "type", Value: schema.NewString("object")},
		schema.Member{Name: "properties", Value: schema.NewObject(schema.Member{Name: out.Parameter, Value: text.Object()})},
		schema.Member{Name: "required", Value: schema.NewArray(schema.NewString(out.Parameter))},
		schema.Member{Name: "additionalProperties", Value: schema.NewBool(false)},
	)
	admitted, findings := schema.Admit(root)
	for _, f := range finding.Errors(findings) {
		r.fail(RuleGrammar, "/spec/freeForm", f.Message, f.Fix)
	}
	r.content.Input.Schema = admitted
	if admitted == nil {
		return
	}
	for i, example := range f.Examples {
		value := schema.NewObject(schema.Member{Name: out.Parameter, Value: schema.NewString(example)})
		r.content.Input.Examples = append(r.content.Input.Examples, value)
		r.textExample(finding.Pointer("/spec/freeForm/examples", strconv.Itoa(i)), value)
	}
}

func (r *reader) textExample(at string, value *schema.Value) {
	validator, invalid := r.content.Input.Schema.Compile()
	if len(invalid) > 0 {
		return
	}
	for _, f := range validator.Validate(value) {
		r.fail(RuleExampleInvalid, at, "the example is not valid: "+f.Message, "correct the example or the definition")
	}
}

func (r *reader) builtIn(b v1alpha1.BuiltIn) {
	out := &contract.BuiltIn{Type: b.Type}
	if b.Settings != nil {
		value, failed := schema.FromObject(b.Settings.Raw)
		if failed != nil {
			failed.Side, failed.Pointer = finding.Contract, "/spec/builtIn/settings"+failed.Pointer
			r.findings = append(r.findings, *failed)
			return
		}
		if value.Kind() != schema.Object {
			r.fail(RuleTypeFields, "/spec/builtIn/settings", "the settings are no object", "write the fields of the tool as an object")
			return
		}
		if value.Len() > 0 {
			out.Settings = value
		}
	}
	r.content.BuiltIn = out
}

func (r *reader) mcp(m v1alpha1.MCP) {
	s := m.Server
	out := &contract.MCP{
		Label: s.Label, URL: s.URL, ConnectorID: s.ConnectorID, Description: s.Description, Authorization: s.Authorization,
		Tool: cmp.Or(m.Tool, r.content.ToolName),
	}
	if (s.URL == "") == (s.ConnectorID == "") {
		r.fail(RuleTypeFields, "/spec/mcp/server", "exactly one of url and connectorID says how the provider reaches the server", "set one of them")
	}
	seen := map[string]bool{}
	for i, h := range s.Headers {
		name := strings.ToLower(h.Name)
		at := finding.Pointer("/spec/mcp/server/headers", strconv.Itoa(i), "name")
		switch {
		case seen[name]:
			r.fail(RuleTypeFields, at, fmt.Sprintf("the header %s is named twice; the case of letters makes no difference", finding.Quote(h.Name)), "name each header once")
		case name == "authorization":
			r.fail(RuleTypeFields, at, "the header Authorization has a field of its own", "set mcp.server.authorization to the source of the token")
		}
		seen[name] = true
		out.Headers = append(out.Headers, contract.MCPHeader{Name: h.Name, Source: h.Source})
	}
	r.content.MCP = out
}
