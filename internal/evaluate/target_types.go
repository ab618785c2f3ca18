// SPDX-License-Identifier: Apache-2.0

package evaluate

import (
	"fmt"
	"strings"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/render"
	"github.com/toolcontract/operator/internal/schema"
)

// Rules about types of tools at a target. What an API takes at all is for
// [provider.Profile.CheckFreeForm] and [provider.Profile.CheckBuiltIn].
const (
	// RuleTypeFallback: a free text becomes a function with one parameter.
	RuleTypeFallback = "tool-type-fallback"
	// RuleGrammarLost: nothing holds the model to the grammar.
	RuleGrammarLost = "grammar-lost"
	// RuleNeverStrict: a request holds no schema for tools of this type.
	RuleNeverStrict = "type-never-strict"
	// RuleServerName: the model knows the tool by another name than the contract.
	RuleServerName = "server-tool-name"
)

// isFunction reports whether the tool is rendered as a function: a free text is
// where the API has no such tools and the contract allows the fallback; a tool of
// an MCP server is where a server lists its own tools.
func isFunction(c *contract.Content, p *provider.Profile) bool {
	switch {
	case c.BuiltIn != nil:
		return false
	case c.MCP != nil:
		return p.WireFormat == mcpFormat
	case c.FreeForm != nil:
		return c.FreeForm.Fallback && !p.TakesFreeForm(c.FreeForm.Syntax)
	}
	return true
}

// mcpFormat is what a server lists of its own tools.
const mcpFormat = "mcp-tool"

// functionName is the name of the tool as a function. A server lists it as it
// calls it itself.
func functionName(c *contract.Content) string {
	if c.MCP != nil {
		return c.MCP.Tool
	}
	return c.ToolName
}

// special renders a tool that is no function at this target.
func (t *Target) special(content *contract.Content, place Placement) {
	tool := render.Tool{Name: content.ToolName, Description: content.Description.Text()}
	switch {
	case content.FreeForm != nil:
		tool.DeferLoading = place.DeferLoading
		t.freeForm(content, &tool)
	case content.BuiltIn != nil:
		t.builtIn(content, &tool, place)
	case content.MCP != nil:
		tool.DeferLoading = place.DeferLoading
		t.mcp(content, &tool)
	}
	if finding.HasErrors(t.Findings) {
		return
	}
	t.neverStrict(content.Type)
	if t.Asked() != v1alpha1.StrictRequired {
		t.render(tool)
		t.Counts = requestCounts(t.Profile, noArguments, false)
	}
}

// noArguments is what tools count whose arguments no schema describes.
var noArguments = func() *schema.Schema {
	s, _ := schema.Admit(schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("object")}))
	return s
}()

// neverStrict says that the tool is not strict, which is an error only if it has
// to be.
func (t *Target) neverStrict(kind string) {
	f := finding.Finding{
		Rule: RuleNeverStrict, Severity: finding.Info, Side: finding.Contract, Pointer: finding.Pointer("/spec/targets", t.Spec.Profile, "strict"),
		Message: fmt.Sprintf("a tool of type %s is not strict at the %s: the request holds no schema of its arguments", kind, t.Profile.Title),
	}
	switch t.Asked() {
	case v1alpha1.StrictDisabled:
		return
	case v1alpha1.StrictPreferred:
	case v1alpha1.StrictRequired:
		f.Severity, f.Message, f.Fix = finding.Error, f.Message+", and strict is Required", "set strict to Preferred or Disabled"
	}
	t.Findings = append(t.Findings, f)
}

func (t *Target) refuse(rule, pointer, message, fix string) {
	t.Findings = append(t.Findings, finding.Finding{
		Rule: rule, Severity: finding.Error, Side: finding.Contract, Pointer: pointer, Message: message, Fix: fix,
	})
}

func (t *Target) freeForm(content *contract.Content, tool *render.Tool) {
	f := content.FreeForm
	t.Findings = append(t.Findings, t.Profile.CheckFreeForm(f.Syntax, f.Definition)...)
	if t.Spec.Examples == v1alpha1.ExamplesDescription {
		tool.Description = withTexts(tool.Description, f.Examples)
	}
	t.Findings = append(t.Findings, t.Profile.CheckTool(content.ToolName, tool.Description)...)
	tool.FreeForm = &render.FreeForm{Syntax: f.Syntax, Definition: f.Definition}
}

// withTexts says complete texts at the end of the description.
func withTexts(description string, examples []string) string {
	var text strings.Builder
	text.WriteString(description)
	for _, example := range examples {
		text.WriteString("\nExample:\n" + example)
	}
	return text.String()
}

// fallback prepares a free text for a function and returns its description. An
// expression is in the schema, and what becomes of it is for the adaptation. No
// schema can say a grammar, so the description does.
func (t *Target) fallback(f *contract.FreeForm, description string) string {
	t.Findings = append(t.Findings, finding.Finding{
		Rule: RuleTypeFallback, Severity: finding.Info, Side: finding.Contract, Pointer: "/spec/freeForm/fallback",
		Message: fmt.Sprintf("the %s takes no free text with the syntax %s; it gets a function with the one parameter %s", t.Profile.Title, f.Syntax, f.Parameter),
	})
	if f.Syntax != string(v1alpha1.SyntaxLark) {
		return description
	}
	t.Findings = append(t.Findings, finding.Finding{
		Rule: RuleGrammarLost, Severity: finding.Warning, Side: finding.Contract, Pointer: "/spec/freeForm/definition",
		Message: fmt.Sprintf("the %s cannot hold a model to the grammar; the description shows it, and the model may stray from it", t.Profile.Title),
		Fix:     "let the application parse the text before it runs it",
	})
	return fmt.Sprintf("%s\n%s is a text of this Lark grammar:\n%s", description, f.Parameter, strings.TrimSpace(f.Definition))
}

// inFreeForm makes a finding on the schema of a free text lead to what the author
// wrote: the schema is ours.
func inFreeForm(f finding.Finding, parameter string) finding.Finding {
	below, ok := strings.CutPrefix(f.Pointer, finding.Pointer("/properties", parameter))
	f.Side, f.Patch, f.Pointer = finding.Contract, nil, "/spec/freeForm"
	if !ok {
		return f
	}
	switch below {
	case "/maxLength", "/description":
		f.Pointer += below
	case "/pattern":
		f.Pointer += "/definition"
	default:
		f.Pointer += "/parameter"
	}
	return f
}

func (t *Target) builtIn(content *contract.Content, tool *render.Tool, place Placement) {
	b := content.BuiltIn
	t.Findings = append(t.Findings, t.Profile.CheckBuiltIn(content.ToolName, b.Type, b.Settings)...)
	facts, ok := t.Profile.BuiltIn(b.Type)
	if !ok {
		return
	}
	runs := facts.ExecutedBy(b.Settings)
	if where := content.Execution.Location; where != runs {
		t.refuse(RuleExecutionUnsaid, "/spec/execution/location",
			fmt.Sprintf("%s with these settings is run by the %s, and the contract says %s", b.Type, runs, finding.Quote(where)), "set location to "+runs)
	}
	if runs == "Provider" && content.Execution.Approval == "Required" {
		t.refuse(RuleHostNeeded, "/spec/execution/approval",
			fmt.Sprintf("the %s runs %s without asking anybody", t.Profile.Title, b.Type), "set approval to None, or offer a tool of the application instead")
	}
	tool.DeferLoading = place.DeferLoading && facts.DeferLoading
	t.headers = facts.RequestHeaders
	tool.BuiltIn = &render.BuiltIn{Type: b.Type, Name: facts.Name, Settings: b.Settings}
}

func (t *Target) mcp(content *contract.Content, tool *render.Tool) {
	m, facts := content.MCP, t.Profile.ToolTypes.MCP
	if facts == nil {
		t.refuse(provider.RuleTypeUnsupported, "/spec/type",
			fmt.Sprintf("the %s calls no MCP servers, as far as is known", t.Profile.Title),
			"use the type Function and let the application call the server, or leave the target out")
		return
	}
	if m.ConnectorID != "" && !facts.Connectors {
		t.refuse(provider.RuleTypeUnsupported, "/spec/mcp/server/connectorID",
			fmt.Sprintf("the %s keeps no servers of its own", t.Profile.Title), "set url, or leave the target out")
	}
	if len(m.Headers) > 0 && !facts.Headers {
		t.refuse(provider.RuleTypeUnsupported, "/spec/mcp/server/headers",
			fmt.Sprintf("the %s sends a server no headers beside the token", t.Profile.Title), "use authorization, or leave the target out")
	}
	approval := content.Execution.Approval == "Required"
	if approval && !facts.Approval {
		t.refuse(RuleHostNeeded, "/spec/execution/approval",
			fmt.Sprintf("the %s calls the server without asking anybody", t.Profile.Title),
			"use the type Function, so that the host can ask, or leave the target out")
	}
	if m.Tool != content.ToolName {
		t.Findings = append(t.Findings, finding.Finding{
			Rule: RuleServerName, Severity: finding.Warning, Side: finding.Contract, Pointer: "/spec/mcp/tool",
			Message: fmt.Sprintf("the model knows the tool as %s, as its server does, and not as %s", finding.Quote(m.Tool), content.ToolName),
			Fix:     "give the contract the name that the server has for the tool",
		})
	}
	t.headers = facts.RequestHeaders
	tool.MCP = &render.MCP{Label: m.Label, URL: m.URL, ConnectorID: m.ConnectorID, Description: m.Description, Tool: m.Tool, Approval: approval}
}
