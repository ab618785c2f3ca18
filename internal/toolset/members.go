// SPDX-License-Identifier: Apache-2.0

package toolset

import (
	"slices"
	"strings"

	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// requestVersion names the form of request.json.
const requestVersion = "toolcontract.dev/request/v1"

// anthropicFormat is the wire format whose requests list MCP servers beside tools.
const anthropicFormat = "anthropic-messages"

// request is what a request must hold beside the tools.
func (s *set) request(in []*candidate) *schema.Value {
	p := s.Profile
	m := schema.Fields{
		{Name: "schemaVersion", Value: schema.NewString(requestVersion)},
		{Name: "set", Value: schema.NewString(s.Set)},
		{Name: "profile", Value: schema.NewString(p.Name)},
		{Name: "provider", Value: schema.NewString(p.Provider)},
		{Name: "api", Value: schema.NewString(p.API)},
	}
	isStrict := slices.ContainsFunc(in, func(c *candidate) bool { return c.function && c.form.strict })
	if isStrict {
		m.Text("endpoint", p.Request.StrictEndpoint)
	}
	if headers := headersOf(in); len(headers) > 0 {
		m.Add("headers", schema.NewObject(headers...))
	}
	servers := mcpServers(in)
	m.NonEmpty("body", s.body(in, isStrict, servers))
	if credentials := credentialsOf(servers); len(credentials) > 0 {
		m.Add("credentials", schema.NewArray(credentials...))
	}
	if len(p.Request.ToolChoice) > 0 {
		notes := make([]*schema.Value, len(p.Request.ToolChoice))
		for i, text := range p.Request.ToolChoice {
			notes[i] = schema.NewString(text)
		}
		m.Add("toolChoice", schema.NewArray(notes...))
	}
	return m.Object()
}

// body are the members of the request beside tools.
func (s *set) body(in []*candidate, isStrict bool, servers []*schema.Value) *schema.Value {
	body := schema.NewObject()
	set := func(members []provider.RequestMember) {
		for _, member := range members {
			body = withMember(body, strings.Split(member.Path, "."), member.Get())
		}
	}
	if isStrict {
		set(s.Profile.Request.Strict)
	}
	isFunction := func(c *candidate) bool { return c.function }
	isBuiltIn := func(c *candidate) bool { return c.form.entry.Has("builtIn") }
	if slices.ContainsFunc(in, isFunction) && slices.ContainsFunc(in, isBuiltIn) {
		set(s.Profile.Request.BesideBuiltIn)
	}
	if s.Profile.WireFormat == anthropicFormat && len(servers) > 0 {
		list := make([]*schema.Value, len(servers))
		for i, server := range servers {
			var f schema.Fields
			f.Text("type", "url")
			f.Text("url", server.Get("url").Text())
			f.Text("name", server.Get("label").Text())
			list[i] = f.Object()
		}
		body = body.With("mcp_servers", schema.NewArray(list...))
	}
	return body
}

// withMember sets a member of a request below objects.
func withMember(v *schema.Value, path []string, member *schema.Value) *schema.Value {
	if len(path) == 1 {
		return v.With(path[0], member)
	}
	below := v.Get(path[0])
	if below == nil || below.Kind() != schema.Object {
		below = schema.NewObject()
	}
	return v.With(path[0], withMember(below, path[1:], member))
}

// headersOf switch on what the tools need, in the order of the tools. Values of one
// header are joined by commas.
func headersOf(in []*candidate) []schema.Member {
	var texts []string
	for _, c := range in {
		for _, h := range firstTarget(c.form.entry).Get("requestHeaders").Strings() {
			if !slices.Contains(texts, h) {
				texts = append(texts, h)
			}
		}
	}
	var out []schema.Member
	for _, h := range texts {
		name, value, _ := strings.Cut(h, ": ")
		if i := slices.IndexFunc(out, func(m schema.Member) bool { return m.Name == name }); i >= 0 {
			out[i].Value = schema.NewString(out[i].Value.Text() + "," + value)
			continue
		}
		out = append(out, schema.Member{Name: name, Value: schema.NewString(value)})
	}
	return out
}

// mcpServers are the servers that the API calls, one for each label.
func mcpServers(in []*candidate) []*schema.Value {
	var out []*schema.Value
	seen := map[string]bool{}
	for _, c := range in {
		server := c.form.entry.Get("mcp").Get("server")
		label := server.Get("label").Text()
		if server != nil && isServer(c.form.element) && !seen[label] {
			seen[label] = true
			out = append(out, server)
		}
	}
	return out
}

// credentialsOf says which values the host has to put into a request for each
// server, by the names of their sources.
func credentialsOf(servers []*schema.Value) []*schema.Value {
	var out []*schema.Value
	for _, server := range servers {
		if !server.Has("authorization") && !server.Has("headers") {
			continue
		}
		var f schema.Fields
		f.Text("server", server.Get("label").Text())
		f.Text("authorization", server.Get("authorization").Text())
		if headers := server.Get("headers"); headers != nil {
			f.Add("headers", headers)
		}
		out = append(out, f.Object())
	}
	return out
}
