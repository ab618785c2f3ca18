// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// RequestFacts say what a request holds beside its tools.
type RequestFacts struct {
	// Strict are the members that a request needs for its tools to be strict.
	Strict []RequestMember `json:"strict,omitempty"`
	// StrictEndpoint is the base URL that it must be sent to; empty for any.
	StrictEndpoint string `json:"strictEndpoint,omitempty"`
	// DeferLoading: the API can leave a tool out of the prompt until a search finds
	// it; DeferAll: it takes a request in which every tool is so.
	DeferLoading bool `json:"deferLoading,omitempty"`
	DeferAll     bool `json:"deferAll,omitempty"`
	// SearchTools are the types of the API's own tools that find deferred tools; a
	// request that defers tools needs one of them. Empty if none is needed.
	SearchTools []string `json:"searchTools,omitempty"`
	// Namespaces: tools can be put into groups with a name and a description.
	Namespaces bool `json:"namespaces,omitempty"`
	// BesideBuiltIn are the members that a request needs for functions beside tools
	// of the API; StrictBesideBuiltIn: the functions are then held to their schemas.
	BesideBuiltIn       []RequestMember `json:"besideBuiltIn,omitempty"`
	StrictBesideBuiltIn bool            `json:"strictBesideBuiltIn,omitempty"`
	// NamesFold are the characters that readers of tool names turn into an
	// underscore: two names that differ in them alone are one there.
	NamesFold string `json:"namesFold,omitempty"`
	// ToolChoice are restrictions on tool_choice that its users must know.
	ToolChoice []string `json:"toolChoice,omitempty"`
	Evidence   `json:",inline"`
}

// RequestMember is one member of a request.
type RequestMember struct {
	// Path leads to it, with dots: toolConfig.functionCallingConfig.mode.
	Path string `json:"path"`
	// Value is what stands there.
	Value JSON `json:"value"`
}

// Get returns the value.
func (m RequestMember) Get() *schema.Value { return m.Value.value }

// Folded returns a tool name as its readers see it.
func (r RequestFacts) Folded(name string) string {
	if r.NamesFold == "" {
		return name
	}
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune(r.NamesFold, c) {
			return '_'
		}
		return c
	}, name)
}

var foldedCharacters = regexp.MustCompile(`^[-.:/]*$`)

var memberPath = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*){0,7}$`)

func (v *validation) request() {
	r := v.own.Request
	if isAbsent(r) {
		return
	}
	v.requestMembers("/request/strict", r.Strict)
	v.requestMembers("/request/besideBuiltIn", r.BesideBuiltIn)
	v.few("/request/searchTools", len(r.SearchTools), maxRules)
	for i, kind := range r.SearchTools {
		v.check(builtInType.MatchString(kind), fmt.Sprintf("/request/searchTools/%d", i), "write the word of the API", "%s is no type of a tool", finding.Quote(kind))
	}
	v.check(foldedCharacters.MatchString(r.NamesFold), "/request/namesFold", "write punctuation that names may have", "%s are no such characters", finding.Quote(r.NamesFold))
	v.check(r.StrictEndpoint == "" || strings.HasPrefix(r.StrictEndpoint, "https://"), "/request/strictEndpoint", "write an https URL", "%s is no https URL", finding.Quote(r.StrictEndpoint))
	v.bounded("/request/strictEndpoint", r.StrictEndpoint, maxTitle)
	v.few("/request/toolChoice", len(r.ToolChoice), maxRules)
	for i, text := range r.ToolChoice {
		v.bounded(fmt.Sprintf("/request/toolChoice/%d", i), text, maxText)
	}
	v.evidence("/request", r.Evidence)
}

func (v *validation) requestMembers(at string, members []RequestMember) {
	v.few(at, len(members), maxRules)
	for i, m := range members {
		at := fmt.Sprintf("%s/%d", at, i)
		v.check(memberPath.MatchString(m.Path), at+"/path", "write the names of the members with dots between them", "%s is no path", finding.Quote(m.Path))
		v.check(m.Value.value != nil, at+"/value", "write the value", "there is no value")
	}
}
