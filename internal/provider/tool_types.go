// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lark"
	"github.com/toolcontract/operator/internal/schema"
)

// ToolTypes are the types of tools beside functions that the API takes. What is
// absent it does not take, as far as anything was found. How they are written is
// for the wire format.
type ToolTypes struct {
	// None says that the API takes functions alone, in a profile that extends one
	// which takes more.
	None *Evidence `json:"none,omitempty"`
	// FreeForm are tools whose argument is a text; nil for none.
	FreeForm *FreeFormFacts `json:"freeForm,omitempty"`
	// MCP are servers that the API calls by itself; nil for none.
	MCP *MCPFacts `json:"mcp,omitempty"`
	// BuiltIn are the tools that the API brings along.
	BuiltIn []BuiltInFacts `json:"builtIn,omitempty"`
}

// FreeFormFacts say what holds a free text to a form.
type FreeFormFacts struct {
	// Syntaxes are Text, Lark and Regex, as far as the API has them.
	Syntaxes []string `json:"syntaxes"`
	Evidence `json:",inline"`
	// Refuses is what the engine behind the grammars cannot do.
	Refuses *RefusedGrammar `json:"refuses,omitempty"`
}

// RefusedGrammar lists features of grammars and of expressions; see [lark.Names].
type RefusedGrammar struct {
	Features []string `json:"features"`
	// Severity is Error, or Warning where it is not sure that the API is the engine.
	Severity string `json:"severity"`
	Evidence `json:",inline"`
}

// MCPFacts say how a request names an MCP server.
type MCPFacts struct {
	// Connectors: the API keeps servers that are named by an identifier.
	Connectors bool `json:"connectors,omitempty"`
	// Headers: the host may send further headers along.
	Headers bool `json:"headers,omitempty"`
	// Approval: the API asks the application before it calls the server, if a tool
	// wants that. Without it nobody can be asked.
	Approval bool `json:"approval,omitempty"`
	// RequestHeaders are those of the request that switch the feature on, as
	// "name: value".
	RequestHeaders []string `json:"requestHeaders,omitempty"`
	Evidence       `json:",inline"`
}

// BuiltInFacts describe one tool of the API in one or several versions.
type BuiltInFacts struct {
	// Types are the words that a request has for it, newest first, with the date
	// where there is one. All else is equal for them.
	Types []string `json:"types"`
	// Name is the fixed name of the tool; empty if the type is its name.
	Name string `json:"name,omitempty"`
	// Executes is who runs it: Provider, or Client for the application.
	Executes string `json:"executes"`
	// ClientWhen is a JSON Schema: with settings that it admits the application
	// runs the tool, although Executes says Provider.
	ClientWhen JSON `json:"clientWhen,omitzero"`
	// Settings is the JSON Schema of its fields, an object without further ones;
	// absent for none. Fields that hold a secret are left out of it.
	Settings JSON `json:"settings,omitzero"`
	// DeferLoading: the tool can be left out of the prompt until a search finds it.
	DeferLoading bool `json:"deferLoading,omitempty"`
	// RequestHeaders are as in [MCPFacts].
	RequestHeaders []string `json:"requestHeaders,omitempty"`
	Evidence       `json:",inline"`
}

// ToolName is the name that the model calls a version of the tool by.
func (b BuiltInFacts) ToolName(kind string) string {
	if b.Name != "" {
		return b.Name
	}
	return kind
}

// ExecutedBy is who runs the tool with some settings, nil for none.
func (b BuiltInFacts) ExecutedBy(settings *schema.Value) string {
	if b.ClientWhen.value != nil && len(instanceFaults(b.ClientWhen.value, settings)) == 0 {
		return executesClient
	}
	return b.Executes
}

// Conditional reports whether settings decide who runs the tool.
func (b BuiltInFacts) Conditional() bool { return b.ClientWhen.value != nil }

const (
	executesProvider = "Provider"
	executesClient   = "Client"
)

// BuiltIn returns the facts of a tool of the API, by its type.
func (p *Profile) BuiltIn(kind string) (facts BuiltInFacts, ok bool) {
	i := slices.IndexFunc(p.ToolTypes.BuiltIn, func(b BuiltInFacts) bool { return slices.Contains(b.Types, kind) })
	if i < 0 {
		return BuiltInFacts{}, false
	}
	return p.ToolTypes.BuiltIn[i], true
}

// BuiltInTypes are the types of all tools of the API, in the order of the facts.
func (p *Profile) BuiltInTypes() []string {
	var out []string
	for _, b := range p.ToolTypes.BuiltIn {
		out = append(out, b.Types...)
	}
	return out
}

// builtInLike are the tools with about the name of a type.
func (p *Profile) builtInLike(kind string) []string {
	var out []string
	for _, other := range p.BuiltInTypes() {
		name, found := p.BuiltIn(other)
		if found && (strings.HasPrefix(kind, name.ToolName(other)) || strings.HasPrefix(other, kind)) {
			out = append(out, other)
		}
	}
	return out
}

// TakesFreeForm reports whether the API takes free texts of a syntax.
func (p *Profile) TakesFreeForm(syntax string) bool {
	f := p.ToolTypes.FreeForm
	return f != nil && slices.Contains(f.Syntaxes, syntax)
}

// maxSettings bounds the schema of the settings of one tool: it is compiled for
// each contract that names the tool.
const maxSettings = 8 << 10

var (
	builtInType   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)
	requestHeader = regexp.MustCompile(`^[a-z0-9-]{1,64}: [A-Za-z0-9._,-]{1,128}$`)
)

func (v *validation) toolTypes() {
	t := v.own.ToolTypes
	if t.None != nil {
		v.check(t.FreeForm == nil && t.MCP == nil && t.BuiltIn == nil, "/toolTypes/none", "remove it, or all the rest", "the API takes other types, and none")
		v.evidence("/toolTypes/none", *t.None)
	}
	if f := t.FreeForm; f != nil {
		v.freeForm("/toolTypes/freeForm", f)
	}
	if m := t.MCP; m != nil {
		v.requestHeaders("/toolTypes/mcp/requestHeaders", m.RequestHeaders)
		v.evidence("/toolTypes/mcp", m.Evidence)
	}
	v.few("/toolTypes/builtIn", len(t.BuiltIn), maxRules)
	seen := map[string]bool{}
	for i, b := range t.BuiltIn {
		at := finding.Pointer("/toolTypes/builtIn", strconv.Itoa(i))
		v.check(len(b.Types) > 0, at+"/types", "write the words of the API", "no type is named")
		v.few(at+"/types", len(b.Types), maxRules)
		for j, kind := range b.Types {
			here := finding.Pointer(at, "types", strconv.Itoa(j))
			v.check(builtInType.MatchString(kind), here, "write the word of the API", "%s is no type of a tool", finding.Quote(kind))
			v.check(!seen[kind], here, "describe each tool once", "%s is there twice", finding.Quote(kind))
			seen[kind] = true
		}
		v.check(b.Name == "" || builtInType.MatchString(b.Name), at+"/name", "write the name that the API gives it, or remove it", "%s is no name of a tool", finding.Quote(b.Name))
		oneOf(v, at+"/executes", b.Executes, executesProvider, executesClient)
		v.requestHeaders(at+"/requestHeaders", b.RequestHeaders)
		v.instanceSchema(at+"/settings", b.Settings.value)
		v.instanceSchema(at+"/clientWhen", b.ClientWhen.value)
		if s := b.Settings.value; s != nil {
			v.check(s.Get("type").Text() == "object" && s.Get("additionalProperties").IsFalse(), at+"/settings",
				"write type: object and additionalProperties: false", "the settings must be an object without further fields")
		}
		v.evidence(at, b.Evidence)
	}
}

func (v *validation) freeForm(at string, f *FreeFormFacts) {
	for i, s := range f.Syntaxes {
		oneOf(v, finding.Pointer(at, "syntaxes", strconv.Itoa(i)), s, "Text", "Lark", "Regex")
	}
	v.check(len(f.Syntaxes) > 0, at+"/syntaxes", "write Text, Lark, Regex as far as the API has them", "no syntax is named")
	v.few(at+"/syntaxes", len(f.Syntaxes), maxRules)
	v.evidence(at, f.Evidence)
	if r := f.Refuses; r != nil {
		v.words(at+"/refuses/features", r.Features, "feature of a grammar", func(name string) bool { return slices.Contains(lark.Names(), name) })
		v.severity(at+"/refuses", r.Severity)
		v.evidence(at+"/refuses", r.Evidence)
	}
}

// instanceSchema checks a JSON Schema that is part of the facts.
func (v *validation) instanceSchema(at string, s *schema.Value) {
	if s == nil {
		return
	}
	v.check(len(s.JSON()) <= maxSettings, at, "shorten it", "the schema has more than %d bytes", maxSettings)
	admitted, findings := schema.Admit(s)
	if admitted != nil {
		_, invalid := admitted.Compile()
		findings = append(findings, invalid...)
	}
	for _, f := range finding.Errors(findings) {
		v.check(false, at+f.Pointer, "write a JSON Schema 2020-12", "%s", f.Message)
	}
}

func (v *validation) requestHeaders(at string, headers []string) {
	v.few(at, len(headers), maxRules)
	for i, h := range headers {
		v.check(requestHeader.MatchString(h), finding.Pointer(at, strconv.Itoa(i)), `write "name: value", the name in lower case`, "%s is no header", finding.Quote(h))
	}
}

// instanceFaults holds an object, nil for an empty one, to a schema of the facts.
func instanceFaults(s, object *schema.Value) []finding.Finding {
	if object == nil {
		object = schema.NewObject()
	}
	admitted, refused := schema.Admit(s)
	if admitted == nil {
		return finding.Errors(refused)
	}
	validator, invalid := admitted.Compile()
	if validator == nil {
		return invalid
	}
	return validator.Validate(object)
}

// CheckBuiltIn returns what the API has against a contract for one of its own
// tools: the type, the name and the settings, nil for none. Pointers lead into
// the manifest.
func (p *Profile) CheckBuiltIn(toolName, kind string, settings *schema.Value) []finding.Finding {
	facts, ok := p.BuiltIn(kind)
	if !ok {
		fix := "leave the target out"
		if alike := p.builtInLike(kind); len(alike) > 0 {
			fix = "leave the target out; it has " + strings.Join(alike, ", ") + ", which wants a contract of its own"
		}
		return []finding.Finding{typeFault(RuleTypeUnsupported, "/spec/builtIn/type",
			fmt.Sprintf("the %s has no tool of its own called %s, as far as is known", p.Title, finding.Quote(kind)), fix)}
	}
	var out []finding.Finding
	if name := facts.ToolName(kind); toolName != name {
		out = append(out, typeFault(RuleBuiltInName, namePointer,
			fmt.Sprintf("the model knows %s as %s, and the contract calls it %s", kind, name, finding.Quote(toolName)), "set toolName to "+name))
	}
	const at = "/spec/builtIn/settings"
	if facts.Settings.value == nil {
		if settings.Len() > 0 {
			out = append(out, typeFault(RuleBuiltInSettings, at, fmt.Sprintf("the %s knows no settings of %s", p.Title, kind), "remove them"))
		}
		return out
	}
	for _, f := range instanceFaults(facts.Settings.value, settings) {
		out = append(out, typeFault(RuleBuiltInSettings, at+f.Pointer,
			fmt.Sprintf("the %s does not take these settings of %s: %s", p.Title, kind, f.Message), "correct it: the page of the profile lists the settings"))
	}
	return out
}

// CheckFreeForm returns what the API has against a free text of a syntax with
// its definition, empty for Text. Pointers lead into the manifest.
func (p *Profile) CheckFreeForm(syntax, definition string) []finding.Finding {
	if !p.TakesFreeForm(syntax) {
		return []finding.Finding{typeFault(RuleTypeUnsupported, "/spec/type",
			fmt.Sprintf("the %s takes no free text with the syntax %s, as far as is known", p.Title, finding.Quote(syntax)),
			"set freeForm.fallback: Function, so that it gets a function with one text parameter, or leave the target out")}
	}
	refuses := p.ToolTypes.FreeForm.Refuses
	if refuses == nil {
		return nil
	}
	var out []finding.Finding
	for _, used := range grammarFeatures(syntax, definition) {
		if !slices.Contains(refuses.Features, used.Name) {
			continue
		}
		place := ""
		if used.Line > 0 {
			place = fmt.Sprintf(" in line %d", used.Line)
		}
		out = append(out, finding.Finding{
			Rule: RuleGrammarUnsupported, Severity: finding.Severity(refuses.Severity), Side: finding.Contract, Pointer: "/spec/freeForm/definition",
			Message: fmt.Sprintf("the definition has %s%s, which the engine behind the %s refuses", lark.Words(used.Name), place, p.Title),
			Fix:     "write it without",
		})
	}
	return out
}

// grammarFeatures are those of a definition; those of an expression stand in no
// line.
func grammarFeatures(syntax, definition string) []lark.Feature {
	if syntax == "Lark" {
		return lark.Features(definition)
	}
	var out []lark.Feature
	for _, name := range lark.InExpression(definition) {
		out = append(out, lark.Feature{Name: name})
	}
	return out
}

func typeFault(rule, pointer, message, fix string) finding.Finding {
	return finding.Finding{Rule: rule, Severity: finding.Error, Side: finding.Contract, Pointer: pointer, Message: message, Fix: fix}
}
