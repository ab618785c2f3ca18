// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
)

// maxLists is how deep what holds tools may be nested: an envelope, a request,
// a namespace, and some air.
const maxLists = 8

// value takes the tools out of one value of the stream.
func (s *source) value(v jsontext.Value) {
	if v.Kind() != '[' {
		s.object(v, item{})
		return
	}
	s.list = true
	s.each(v, item{})
}

// each takes the tools of a list; like says what all of them have in common.
func (s *source) each(list jsontext.Value, like item) {
	for _, element := range elements(list) {
		s.object(element, like)
	}
}

// object takes a tool, or the tools of what holds some: a tools/list result
// with or without its JSON-RPC envelope, the body of a request, a namespace, a
// list of function declarations.
func (s *source) object(v jsontext.Value, like item) {
	switch like.depth++; {
	case v.Kind() != '{':
		s.skip("it is not a JSON object")
		return
	case like.depth > maxLists:
		s.skip("lists of tools are nested too deeply in it; import the innermost list")
		return
	}
	members, _ := membersOf(v)
	declarations := members.either("functionDeclarations", "function_declarations")
	switch result := members.get("result"); {
	case declarations.Kind() == '[':
		s.declarations(members, declarations, like)
	case members.word("type") == "namespace" && members.get("tools").Kind() == '[':
		s.namespace(members, like)
	case members.holdsTools():
		s.lists(members, like)
	case result.Kind() == '{':
		s.object(result, like)
	case members.get("jsonrpc") != nil:
		s.skip("the JSON-RPC message carries no tools")
	default:
		s.seen++
		like.raw, like.number = v, s.seen
		s.tools = append(s.tools, like)
	}
}

// toolConfigs are the spellings of the member that holds the tools of Bedrock,
// and the calling mode of Gemini; callingConfigs are those of that mode.
var (
	toolConfigs    = []string{"toolConfig", "tool_config"}
	callingConfigs = []string{"functionCallingConfig", "function_calling_config"}
)

// holdsTools reports whether an object is no tool but has a list of them.
func (m memberList) holdsTools() bool {
	config, _ := membersOf(m.either(toolConfigs...))
	return m.get("tools").Kind() == '[' || m.get("functions").Kind() == '[' || config.get("tools").Kind() == '['
}

// lists takes the tools of a tools/list result or of the body of a request.
func (s *source) lists(members memberList, like item) {
	s.list = true
	config, _ := membersOf(members.either(toolConfigs...))
	like.request = requestFlag(members, config)
	for _, list := range []jsontext.Value{members.get("tools"), config.get("tools")} {
		if list.Kind() == '[' {
			s.each(list, like)
		}
	}
	if functions := members.get("functions"); functions.Kind() == '[' {
		like.form = &openAIFunctions
		s.each(functions, like)
	}
	if members.get("nextCursor").Kind() == '"' {
		s.report.note("the list", "has another page (nextCursor), which is not in the input")
	}
	s.rest(members, config)
}

// envelope are the members of a list or a request that say nothing about a
// tool, or that are reported elsewhere.
var envelope = []string{"tools", "functions", "toolConfig", "tool_config", "strict_tools", "nextCursor", "jsonrpc", "id", "resultType", "ttlMs", "cacheScope"}

// maxRest is how many members of a request a line names.
const maxRest = 8

// rest reports what else is in the body of a request.
func (s *source) rest(members, config memberList) {
	var names []string
	for _, m := range members {
		if !slices.Contains(envelope, m.name) && m.value.Kind() != 'n' {
			names = append(names, finding.Pointer("", finding.Clip(m.name, 64)))
		}
	}
	for _, m := range config {
		switch {
		case m.name == "tools" || m.value.Kind() == 'n':
		case slices.Contains(callingConfigs, m.name):
			names = append(names, callingRest(m.name, m.value)...)
		default:
			names = append(names, finding.Pointer("/toolConfig", finding.Clip(m.name, 64)))
		}
	}
	if len(names) == 0 {
		return
	}
	text := strings.Join(names[:min(maxRest, len(names))], ", ")
	if more := len(names) - maxRest; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	s.report.note(fmt.Sprintf("line %d", s.at), text+": not carried over; only the tools of a request are, so keep the rest where the request is built")
}

// callingRest names what a calling mode of Gemini has beside the mode itself,
// which becomes the strictness of a target.
func callingRest(name string, config jsontext.Value) []string {
	var out []string
	members, _ := membersOf(config)
	for _, m := range members {
		if m.name != "mode" && m.value.Kind() != 'n' {
			out = append(out, finding.Pointer("/toolConfig", name, finding.Clip(m.name, 64)))
		}
	}
	return out
}

// requestFlag is the strictness that a request asks for all its tools: the
// calling mode of Gemini, or the switch of Cohere.
func requestFlag(members, config memberList) *strictFlag {
	calling, _ := membersOf(config.either(callingConfigs...))
	switch mode := calling.word("mode"); mode {
	case "VALIDATED", "ANY":
		return &strictFlag{at: "/toolConfig/functionCallingConfig/mode", value: true, said: mode, place: provider.PerRequest}
	}
	if members.get("strict_tools").Kind() == 't' {
		return &strictFlag{at: "/strict_tools", value: true, said: "true", place: provider.PerRequest}
	}
	return nil
}

// declarations takes the functions of a Gemini tool. What stands beside them
// are tools that the API runs itself.
func (s *source) declarations(members memberList, declarations jsontext.Value, like item) {
	s.list = true
	like.form = &gemini
	s.each(declarations, like)
	for _, m := range members {
		switch m.name {
		case "functionDeclarations", "function_declarations":
		default:
			s.report.skip(finding.Clip(m.name, 128), providerTool(m.name))
		}
	}
}

// namespace takes the tools of a namespace of the OpenAI Responses API.
func (s *source) namespace(members memberList, like item) {
	s.list = true
	label := s.place()
	if name := members.word("name"); name != "" {
		label = finding.Clip(name, 128)
	}
	s.report.note(label,
		"/type: the namespace is not carried over; its tools became contracts of their own, so group them where the request is built")
	s.each(members.get("tools"), like)
}

// skip says why what stands in the place of a tool is none.
func (s *source) skip(text string) {
	s.report.skip(s.place(), text)
	s.seen++
}

// place names what comes next.
func (s *source) place() string { return fmt.Sprintf("tool %d", s.seen+1) }
