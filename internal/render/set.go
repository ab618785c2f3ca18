// SPDX-License-Identifier: Apache-2.0

package render

import (
	"slices"

	"github.com/toolcontract/operator/internal/schema"
)

// Group is a namespace of tools.
type Group struct{ Name, Description string }

// SetTool is one tool of a request.
type SetTool struct {
	// Element is what [Render] wrote.
	Element *schema.Value
	// Group names its group; empty for none.
	Group string
}

// Tools writes the value of tools in a request. Tools of a group stand together
// where the first of them does, if the API has groups (grouped). Tools of one MCP
// server become one entry.
func Tools(format string, tools []SetTool, groups []Group, grouped bool) *schema.Value {
	tools = mergeServers(tools)
	switch {
	case format == "gemini-function-declaration" || format == "gemini-function-declaration-openapi":
		return geminiTools(tools)
	case grouped:
		return namespaces(tools, groups)
	}
	return schema.NewArray(elements(tools)...)
}

func elements(tools []SetTool) []*schema.Value {
	out := make([]*schema.Value, len(tools))
	for i, t := range tools {
		out[i] = t.Element
	}
	return out
}

const declarations = "functionDeclarations"

// geminiTools puts all functions into one entry; every other tool is an entry by
// itself.
func geminiTools(tools []SetTool) *schema.Value {
	var functions, others []*schema.Value
	for _, t := range tools {
		if t.Element.Has("name") {
			functions = append(functions, t.Element)
		} else {
			others = append(others, t.Element)
		}
	}
	var out []*schema.Value
	if len(functions) > 0 {
		out = append(out, schema.NewObject(schema.Member{Name: declarations, Value: schema.NewArray(functions...)}))
	}
	return schema.NewArray(append(out, others...)...)
}

const typeNamespace = "namespace"

// namespaces puts the tools of a group together. Only functions and custom tools
// can be in one.
// Source: openai-openapi, NamespaceTool (2026-08-21).
func namespaces(tools []SetTool, groups []Group) *schema.Value {
	members := map[string][]*schema.Value{}
	for _, t := range tools {
		if inNamespace(t.Element) {
			members[t.Group] = append(members[t.Group], t.Element)
		}
	}
	var out []*schema.Value
	for _, t := range tools {
		i := slices.IndexFunc(groups, func(g Group) bool { return g.Name == t.Group })
		switch {
		case i < 0 || !inNamespace(t.Element):
			out = append(out, t.Element)
		case members[t.Group] != nil:
			var m schema.Fields
			m.Text("type", typeNamespace)
			m.Text("name", groups[i].Name)
			m.Text("description", groups[i].Description)
			m.Add("tools", schema.NewArray(members[t.Group]...))
			out = append(out, m.Object())
			members[t.Group] = nil
		}
	}
	return schema.NewArray(out...)
}

func inNamespace(element *schema.Value) bool {
	kind := element.Get("type").Text()
	return kind == "function" || kind == "custom"
}

// The entries for MCP servers, of OpenAI and of Anthropic.
const (
	typeMCP        = "mcp"
	typeMCPToolset = "mcp_toolset"
)

// ServerLabel is the label of the MCP server that an entry is for; empty for an
// entry that is for none.
func ServerLabel(element *schema.Value) string {
	switch element.Get("type").Text() {
	case typeMCP:
		return element.Get("server_label").Text()
	case typeMCPToolset:
		return element.Get("mcp_server_name").Text()
	}
	return ""
}

// mergeServers makes one entry of the entries for one MCP server: an API may
// refuse two of one label.
func mergeServers(tools []SetTool) []SetTool {
	var out []SetTool
	of := map[string][]*schema.Value{}
	for _, t := range tools {
		label := ServerLabel(t.Element)
		if label == "" || of[label] == nil {
			out = append(out, t)
		}
		if label != "" {
			of[label] = append(of[label], t.Element)
		}
	}
	for i := range out {
		if entries := of[ServerLabel(out[i].Element)]; len(entries) > 1 {
			out[i].Element = mergeServer(entries)
		}
	}
	return out
}

func mergeServer(entries []*schema.Value) *schema.Value {
	out := entries[0]
	if out.Has("configs") {
		var configs schema.Fields
		for _, e := range entries {
			configs = append(configs, e.Get("configs").Members()...)
		}
		return out.With("configs", configs.Object())
	}
	var names []*schema.Value
	asked := map[string][]*schema.Value{} // by always and never
	for _, e := range entries {
		names = append(names, e.Get("allowed_tools").Items()...)
		approval := e.Get("require_approval").Text()
		asked[approval] = append(asked[approval], e.Get("allowed_tools").Items()...)
	}
	out = out.With("allowed_tools", schema.NewArray(names...))
	if len(asked) > 1 {
		var approval schema.Fields
		for _, word := range []string{approvalAlways, approvalNever} {
			approval.Add(word, schema.NewObject(schema.Member{Name: "tool_names", Value: schema.NewArray(asked[word]...)}))
		}
		out = out.With("require_approval", approval.Object())
	}
	return out
}

// What an entry of OpenAI says of approval.
const (
	approvalAlways = "always"
	approvalNever  = "never"
)

// Part is one tool of a request, taken apart again.
type Part struct {
	// Name is the name of a function or a free-form tool. For a tool of the API
	// (BuiltIn) it is its type; for a tool of an MCP server Server is the label, and
	// Name that of the tool.
	Name, Server string
	BuiltIn      bool
	// Group is the name of the group that it stands in; empty for none.
	Group   string
	Element *schema.Value
}

// Place is where a tool stands in a request. No two tools have one.
type Place struct {
	Server, Name string
	BuiltIn      bool
}

// Place is where the part stands.
func (p Part) Place() Place { return Place{p.Server, p.Name, p.BuiltIn} }

// PlacesOf are the places where a tool can stand that manifest.json describes. A
// tool of a server stands there by its name at the server or, where the request is
// that of the server itself, as any other.
func PlacesOf(entry *schema.Value) []Place {
	if b := entry.Get("builtIn"); b != nil {
		return []Place{{Name: b.Get("type").Text(), BuiltIn: true}}
	}
	if m := entry.Get("mcp"); m != nil {
		name := m.Get("tool").Text()
		return []Place{{Server: m.Get("server").Get("label").Text(), Name: name}, {Name: name}}
	}
	return []Place{{Name: entry.Get("toolName").Text()}}
}

// PlaceOf is where the entry of one tool stands.
func PlaceOf(element *schema.Value) Place {
	if parts := Parts(schema.NewArray(element)); len(parts) == 1 {
		return parts[0].Place()
	}
	return Place{}
}

// Parts takes the value of tools apart into what [Tools] was given, in the order
// of the request.
func Parts(tools *schema.Value) []Part {
	var out []Part
	for _, e := range tools.Items() {
		switch {
		case e.Kind() != schema.Object:
		case e.Has(declarations):
			for _, f := range e.Get(declarations).Items() {
				out = append(out, Part{Name: f.Get("name").Text(), Element: f})
			}
		case e.Get("type").Text() == typeNamespace:
			for _, member := range e.Get("tools").Items() {
				p := partOf(member)
				p.Group = e.Get("name").Text()
				out = append(out, p)
			}
		case ServerLabel(e) != "":
			out = append(out, serverParts(e)...)
		default:
			out = append(out, partOf(e))
		}
	}
	return out
}

// Groups are the namespaces of a request.
func Groups(tools *schema.Value) []Group {
	var out []Group
	for _, e := range tools.Items() {
		if e.Get("type").Text() == typeNamespace {
			out = append(out, Group{e.Get("name").Text(), e.Get("description").Text()})
		}
	}
	return out
}

func serverParts(e *schema.Value) []Part {
	var out []Part
	if e.Get("type").Text() == typeMCPToolset {
		for _, m := range e.Get("configs").Members() {
			out = append(out, Part{Name: m.Name, Server: ServerLabel(e), Element: e.With("configs", schema.NewObject(m))})
		}
		return out
	}
	approval := e.Get("require_approval")
	always := map[string]bool{}
	for _, name := range approval.Get(approvalAlways).Get("tool_names").Items() {
		always[name.Text()] = true
	}
	for _, name := range e.Get("allowed_tools").Items() {
		one := e.With("allowed_tools", schema.NewArray(name))
		if approval != nil && approval.Kind() == schema.Object {
			word := approvalNever
			if always[name.Text()] {
				word = approvalAlways
			}
			one = one.With("require_approval", schema.NewString(word))
		}
		out = append(out, Part{Name: name.Text(), Server: ServerLabel(e), Element: one})
	}
	return out
}

// partOf is a function or custom tool by its name, or else a tool of the API: it
// has a type of its own, or is an object of one member.
func partOf(e *schema.Value) Part {
	kind := e.Get("type").Text()
	if kind == "" || inNamespace(e) {
		for _, holder := range []*schema.Value{e, e.Get("function"), e.Get("custom"), e.Get("toolSpec")} {
			if name := holder.Get("name"); name != nil {
				return Part{Name: name.Text(), Element: e}
			}
		}
		if e.Kind() == schema.Object && e.Len() == 1 {
			kind = e.Members()[0].Name
		}
	}
	return Part{Name: kind, BuiltIn: true, Element: e}
}

const deferLoading = "defer_loading"

// IsDeferred reports whether the entry of one tool leaves it out of the prompt
// until a search finds it.
func IsDeferred(element *schema.Value) bool {
	if configs := element.Get("configs"); ServerLabel(element) != "" && configs != nil {
		for _, m := range configs.Members() {
			return m.Value.Get(deferLoading).IsTrue()
		}
	}
	return element.Get(deferLoading).IsTrue()
}

// Loaded is the entry of one tool that is in the prompt from the start.
func Loaded(element *schema.Value) *schema.Value {
	configs := element.Get("configs")
	if ServerLabel(element) == "" || configs == nil {
		return element.Without(deferLoading)
	}
	var out schema.Fields
	for _, m := range configs.Members() {
		out.Add(m.Name, m.Value.Without(deferLoading))
	}
	return element.With("configs", out.Object())
}

// DefersServer reports whether an entry defers all tools of its server together.
func DefersServer(element *schema.Value) bool { return element.Get("type").Text() == typeMCP }
