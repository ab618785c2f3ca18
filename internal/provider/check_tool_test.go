// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
)

func TestNamesAndDescriptions(t *testing.T) {
	t.Parallel()
	const described = "Creates a refund draft."
	cases := map[string]struct {
		profile, name, description string
		want                       []string
	}{
		"a portable name passes at OpenAI":     {"openai-responses", "create_refund_draft", described, nil},
		"a dot is refused by OpenAI":           {"openai-responses", "calendar.create", described, []string{"Error tool-name /spec/toolName"}},
		"and by Anthropic":                     {"anthropic-messages", "calendar.create", described, []string{"Error tool-name /spec/toolName"}},
		"and taken by Gemini":                  {"gemini-json-schema", "calendar.create", described, nil},
		"and blocks a client of MCP":           {"mcp-2025-11-25", "calendar.create", described, []string{"Warning tool-name /spec/toolName"}},
		"a digit may not lead at Gemini":       {"gemini-json-schema", "1st_tool", described, []string{"Error tool-name /spec/toolName"}},
		"64 characters pass":                   {"openai-chat-completions", strings.Repeat("a", 64), described, nil},
		"65 do not":                            {"openai-chat-completions", strings.Repeat("a", 65), described, []string{"Error tool-name /spec/toolName"}},
		"a name may break both rules":          {"anthropic-messages", strings.Repeat("é", 65), described, []string{"Error tool-name /spec/toolName", "Error tool-name /spec/toolName"}},
		"MCP takes 128, its clients 64":        {"mcp-2025-11-25", strings.Repeat("a", 128), described, []string{"Warning tool-name /spec/toolName"}},
		"129 are too many for MCP":             {"mcp-2025-11-25", strings.Repeat("a", 129), described, []string{"Error tool-name /spec/toolName", "Warning tool-name /spec/toolName"}},
		"a name of Anthropic's own tools":      {"anthropic-messages", "web_search", described, []string{"Info tool-name-reserved /spec/toolName"}},
		"is free elsewhere":                    {"openai-responses", "web_search", described, nil},
		"a description of 1024 passes":         {"openai-responses", "a", strings.Repeat("é", 1024), nil},
		"one more was refused":                 {"openai-responses", "a", strings.Repeat("é", 1025), []string{"Warning description-length /spec/description"}},
		"Anthropic names no length":            {"anthropic-messages", "a", strings.Repeat("é", 5000), nil},
		"Gemini documents one as required":     {"gemini-json-schema", "a", "", []string{"Warning description-missing /spec/description"}},
		"OpenAI takes a tool without":          {"openai-responses", "a", "", nil},
		"the empty name is refused everywhere": {"mcp-2025-11-25", "", described, []string{"Error tool-name /spec/toolName", "Warning tool-name /spec/toolName"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := profile(t, c.profile).CheckTool(c.name, c.description)
			if diff := cmp.Diff(c.want, short(got)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			for _, f := range got {
				if f.Side != finding.Contract || f.Message == "" || f.Fix == "" {
					t.Errorf("incomplete: %#v", f)
				}
			}
		})
	}
}

// A hard maximum is an error, and below it there may be a warning.
func TestHardMaximumOfADescription(t *testing.T) {
	t.Parallel()
	p := Profile{Facts: Facts{Title: "Gateway", Description: DescriptionRule{MaxLength: 3, WarnAbove: 2}}}
	for text, want := range map[string][]string{
		"ab":   nil,
		"abc":  {"Warning description-length /spec/description"},
		"abcd": {"Error description-length /spec/description"},
	} {
		if diff := cmp.Diff(want, short(p.CheckTool("", text))); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}
