// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"strings"
	"testing"
)

func TestStrictDependsOnTheModel(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		profile string
		models  []string
		want    bool
		says    string
	}{
		"no models stand for those of the profile":         {"openai-responses", nil, true, ""},
		"a model by name":                                  {"openai-responses", []string{"gpt-5.4-mini"}, true, ""},
		"a family":                                         {"openai-responses", []string{"gpt-5*"}, true, ""},
		"all of several":                                   {"openai-responses", []string{"gpt-5*", "gpt-4.1-mini"}, true, ""},
		"one of several without":                           {"openai-responses", []string{"gpt-5*", "gpt-3.5-turbo"}, false, `"gpt-3.5-turbo"`},
		"a dated model before its family":                  {"openai-responses", []string{"gpt-4o-2024-05-13"}, false, "gpt-4o-2024-05-13"},
		"a dated model of the family":                      {"openai-responses", []string{"gpt-4o-2024-08-06"}, true, ""},
		"a family with a member without":                   {"openai-responses", []string{"gpt-4o*"}, false, "gpt-4o-2024-05-13"},
		"a prefix that is wider than what is known":        {"openai-responses", []string{"gpt-*"}, false, `"gpt-*"`},
		"a prefix beyond every known model":                {"openai-responses", []string{"gpt-6*"}, false, "it also stands for models that the profile does not know"},
		"an unknown model":                                 {"openai-responses", []string{"gpt-6"}, false, "does not know the model"},
		"a fine-tuned model":                               {"openai-chat-completions", []string{"ft:gpt-4o-mini:acme"}, false, "fine-tuned models take fewer keywords"},
		"a Claude with strict mode":                        {"anthropic-messages", []string{"claude-sonnet-4-5-20250929"}, true, ""},
		"an older one":                                     {"anthropic-messages", []string{"claude-sonnet-4-20250514"}, false, "older than the documented list"},
		"a Claude of another cloud is another API":         {"anthropic-messages", []string{"us.anthropic.claude-sonnet-4-5-v1:0"}, false, "does not know the model"},
		"Gemini from 2.5 on":                               {"gemini-json-schema", []string{"gemini-2.5-flash", "gemini-3*"}, true, ""},
		"but not before":                                   {"gemini-json-schema", []string{"gemini-2.0-flash"}, false, "VALIDATED is used from 2.5 on"},
		"a protocol without strict mode has it for nobody": {"mcp-2025-11-25", nil, false, "has no strict mode"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, f := profile(t, c.profile).StrictFor(c.models)
			if got != c.want {
				t.Fatalf("available: %t, want %t (%v)", got, c.want, f)
			}
			if (f == nil) != c.want {
				t.Fatalf("finding %v", f)
			}
			if f != nil && (!strings.Contains(f.Message, c.says) || f.Fix == "" || f.Pointer != "/spec/targets") {
				t.Errorf("%s does not say %q", f, c.says)
			}
		})
	}
}
