// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// TestWhichTypesEachProfileTakes: what a profile does not say is not taken.
func TestWhichTypesEachProfileTakes(t *testing.T) {
	t.Parallel()
	freeForm := []string{"openai-chat-completions", "openai-responses", "openai-responses-fine-tuned"}
	servers := []string{"anthropic-messages", "openai-responses", "openai-responses-fine-tuned"}
	own := []string{"anthropic-messages", "gemini-json-schema", "gemini-openapi", "openai-responses", "openai-responses-fine-tuned", "vertex-gemini"}
	for _, name := range Builtin().Names() {
		p := profile(t, name)
		for what, c := range map[string]struct{ got, want bool }{
			"free texts":       {p.ToolTypes.FreeForm != nil, slices.Contains(freeForm, name)},
			"servers":          {p.ToolTypes.MCP != nil, slices.Contains(servers, name)},
			"tools of its own": {len(p.ToolTypes.BuiltIn) > 0, slices.Contains(own, name)},
		} {
			if c.got != c.want {
				t.Errorf("%s takes %s: %v", name, what, c.got)
			}
		}
	}
}

// TestNamesOfOwnToolsAreReserved: where a name can clash with that of a tool of
// the API, the rule on names knows it.
func TestNamesOfOwnToolsAreReserved(t *testing.T) {
	t.Parallel()
	p := profile(t, "anthropic-messages")
	for _, kind := range p.BuiltInTypes() {
		facts, _ := p.BuiltIn(kind)
		if facts.Name != "" && !slices.Contains(p.ToolNames[0].Reserved, facts.Name) {
			t.Errorf("%s is not reserved", facts.Name)
		}
	}
}

// TestSettingsHoldNoSecrets: no tool has a field whose name is that of a secret.
func TestSettingsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range Builtin().Names() {
		p := profile(t, name)
		for _, b := range p.ToolTypes.BuiltIn {
			if b.Settings.value == nil {
				continue
			}
			text := strings.ToLower(b.Settings.value.JSON())
			for _, word := range []string{"secret", "apikey", "api_key", "authorization", "password", "token\"", "headers"} {
				if strings.Contains(text, word) {
					t.Errorf("%s: the settings of %s have %s", name, b.Types[0], word)
				}
			}
		}
	}
}

func TestCheckBuiltIn(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		profile, toolName, kind, settings string
		rule, pointer, says               string // empty: it is taken
	}{
		"taken":                   {profile: "openai-responses", toolName: "web_search", kind: "web_search", settings: `{"search_context_size":"low","filters":{"allowed_domains":["a.example"]}}`},
		"taken without settings":  {profile: "openai-responses", toolName: "web_search_2025_08_26", kind: "web_search_2025_08_26"},
		"taken with a fixed name": {profile: "anthropic-messages", toolName: "web_search", kind: "web_search_20250305", settings: `{"max_uses":3}`},
		"taken, an older version": {profile: "anthropic-messages", toolName: "web_fetch", kind: "web_fetch_20250910"},
		"taken, a filter in a filter": {
			profile: "openai-responses", toolName: "file_search", kind: "file_search",
			settings: `{"vector_store_ids":["vs_1"],"filters":{"type":"and","filters":[{"type":"eq","key":"region","value":"eu"}]}}`,
		},
		"taken, members of a toolset": {profile: "anthropic-messages", toolName: "computer_toolset_20260801", kind: "computer_toolset_20260801", settings: `{"configs":{"zoom":{"enabled":false}}}`},
		"no such tool": {
			profile: "openai-responses", toolName: "web_search", kind: "web_search_20260318",
			rule: RuleTypeUnsupported, pointer: "/spec/builtIn/type", says: "has no tool of its own",
		},
		"no tools at all": {
			profile: "mistral-chat", toolName: "web_search", kind: "web_search",
			rule: RuleTypeUnsupported, pointer: "/spec/builtIn/type", says: "as far as is known",
		},
		"another name": {
			profile: "anthropic-messages", toolName: "search_web", kind: "web_search_20260318",
			rule: RuleBuiltInName, pointer: "/spec/toolName", says: "knows web_search_20260318 as web_search",
		},
		"no such setting": {
			profile: "openai-responses", toolName: "web_search", kind: "web_search", settings: `{"filters":{"domains":[]}}`,
			rule: RuleBuiltInSettings, pointer: "/spec/builtIn/settings/filters", says: "domains",
		},
		"a setting of another version": {
			profile: "anthropic-messages", toolName: "web_search", kind: "web_search_20250305", settings: `{"response_inclusion":"full"}`,
			rule: RuleBuiltInSettings, pointer: "/spec/builtIn/settings", says: "response_inclusion",
		},
		"a setting of another type": {
			profile: "anthropic-messages", toolName: "web_search", kind: "web_search_20260318", settings: `{"max_uses":"3"}`,
			rule: RuleBuiltInSettings, pointer: "/spec/builtIn/settings/max_uses", says: "string",
		},
		"two settings that exclude each other": {
			profile: "anthropic-messages", toolName: "web_search", kind: "web_search_20260318", settings: `{"allowed_domains":["a.example"],"blocked_domains":["b.example"]}`,
			rule: RuleBuiltInSettings, pointer: "/spec/builtIn/settings/blocked_domains",
		},
		"a setting that is wanted": {
			profile: "openai-responses", toolName: "file_search", kind: "file_search",
			rule: RuleBuiltInSettings, pointer: "/spec/builtIn/settings", says: "vector_store_ids",
		},
		"settings of a tool without any": {
			profile: "gemini-json-schema", toolName: "codeExecution", kind: "codeExecution", settings: `{"language":"python"}`,
			rule: RuleBuiltInSettings, pointer: "/spec/builtIn/settings", says: "knows no settings",
		},
		"a secret": {
			profile: "vertex-gemini", toolName: "googleMaps", kind: "googleMaps", settings: `{"authConfig":{"apiKey":"x"}}`,
			rule: RuleBuiltInSettings, pointer: "/spec/builtIn/settings", says: "authConfig",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var settings *schema.Value
			if c.settings != "" {
				settings = schematest.Value(t, c.settings)
			}
			got := profile(t, c.profile).CheckBuiltIn(c.toolName, c.kind, settings)
			if c.rule == "" {
				if len(got) > 0 {
					t.Errorf("refused: %v", got)
				}
				return
			}
			if len(got) != 1 {
				t.Fatalf("%d findings: %v", len(got), got)
			}
			f := got[0]
			if f.Rule != c.rule || f.Pointer != c.pointer || f.Severity != finding.Error || f.Fix == "" || !strings.Contains(f.Message, c.says) {
				t.Errorf("%v", f)
			}
		})
	}
}

func TestWhoRunsAToolOfTheAPI(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ profile, kind, settings, want string }{
		{"openai-responses", "web_search", `{}`, "Provider"},
		{"openai-responses", "local_shell", `{}`, "Client"},
		{"openai-responses", "shell", `{"environment":{"type":"local"}}`, "Client"},
		{"openai-responses", "shell", `{"environment":{"type":"container_auto"}}`, "Provider"},
		{"openai-responses", "tool_search", `{}`, "Provider"},
		{"openai-responses", "tool_search", `{"execution":"client"}`, "Client"},
		{"anthropic-messages", "bash_20250124", `{}`, "Client"},
		{"anthropic-messages", "web_fetch_20260318", `{}`, "Provider"},
		{"gemini-json-schema", "computerUse", `{"environment":"ENVIRONMENT_BROWSER"}`, "Client"},
	} {
		facts, ok := profile(t, c.profile).BuiltIn(c.kind)
		if !ok {
			t.Errorf("%s has no %s", c.profile, c.kind)
			continue
		}
		if got := facts.ExecutedBy(schematest.Value(t, c.settings)); got != c.want {
			t.Errorf("%s %s %s is run by %s, want %s", c.profile, c.kind, c.settings, got, c.want)
		}
	}
	facts, _ := profile(t, "openai-responses").BuiltIn("tool_search")
	if got := facts.ExecutedBy(nil); got != "Provider" {
		t.Errorf("without settings it is run by %s", got)
	}
}

func TestCheckFreeForm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		profile, syntax, definition string
		want                        []string
	}{
		"text":       {"openai-responses", "Text", "", nil},
		"grammar":    {"openai-chat-completions", "Lark", "start: /[a-z]+/\n%import common.WS\n%ignore WS", nil},
		"expression": {"openai-responses", "Regex", `[a-z]+(-[0-9]{2,4})?`, nil},
		"what the engine refuses in a grammar": {
			"openai-responses", "Lark", "start: list{A}\nA.2: /a+?(?=b)/\n%import .other.B",
			[]string{"Warning a template in line 1", "Warning look-around in line 2", "Warning a lazy quantifier in line 2", "Warning a priority of a terminal in line 2", "Warning an import that is not %import common in line 3"},
		},
		"what it refuses in an expression": {"openai-chat-completions", "Regex", `(a)(?!b)\1c*?`, []string{"Warning look-around", "Warning a lazy quantifier", "Warning a back-reference"}},
		"no such syntax":                   {"openai-responses", "Ebnf", "x", []string{`Error the syntax "Ebnf"`}},
		"no free texts":                    {"anthropic-messages", "Text", "", []string{`Error the syntax "Text", as far as is known`}},
		"none that is known":               {"azure-openai-responses", "Lark", "start: A", []string{`Error the syntax "Lark", as far as is known`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := profile(t, c.profile).CheckFreeForm(c.syntax, c.definition)
			slices.SortFunc(got, func(a, b finding.Finding) int { return strings.Compare(a.Message, b.Message) })
			want := slices.Clone(c.want)
			if len(got) != len(want) {
				t.Fatalf("%d findings, want %d: %v", len(got), len(want), got)
			}
			for _, text := range want {
				severity, says, _ := strings.Cut(text, " ")
				pointer := "/spec/freeForm/definition"
				if severity == "Error" {
					pointer = "/spec/type"
				}
				if !slices.ContainsFunc(got, func(f finding.Finding) bool {
					return string(f.Severity) == severity && strings.Contains(f.Message, says) && f.Pointer == pointer && f.Fix != ""
				}) {
					t.Errorf("nothing says %q at %s: %v", text, pointer, got)
				}
			}
		})
	}
}

// withToolTypes is a gateway with tool types of its own.
func withToolTypes(t testing.TB, types string) (*Profile, []finding.Finding) {
	t.Helper()
	file := fmt.Appendf(child("gateway", "openai-responses", "Rejected"), "toolTypes:\n%s\n", types)
	after, broken := Builtin().With(map[string][]byte{"gateway": file}, allFormats)
	if len(broken) > 0 {
		return nil, broken["gateway"]
	}
	p, _ := after.Lookup("gateway")
	return p, nil
}

const evidenced = "confidence: High, sources: [handbook]"

func TestWrongToolTypesAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ types, pointer, says string }{
		"none and one":               {"  none: {" + evidenced + "}\n  mcp: {" + evidenced + "}", "/toolTypes/none", "and none"},
		"a syntax that is none":      {"  freeForm: {syntaxes: [Text, Ebnf], " + evidenced + "}", "/toolTypes/freeForm/syntaxes/1", `"Ebnf" is none`},
		"no syntax":                  {"  freeForm: {syntaxes: [], " + evidenced + "}", "/toolTypes/freeForm/syntaxes", "no syntax is named"},
		"no source":                  {"  freeForm: {syntaxes: [Text], confidence: High, sources: []}", "/toolTypes/freeForm/sources", "needs a source"},
		"a feature that is none":     {"  freeForm: {syntaxes: [Lark], " + evidenced + ", refuses: {features: [Magic], severity: Error, " + evidenced + "}}", "/toolTypes/freeForm/refuses/features/0", `"Magic" is no feature`},
		"a severity that is none":    {"  freeForm: {syntaxes: [Lark], " + evidenced + ", refuses: {features: [Lazy], severity: Info, " + evidenced + "}}", "/toolTypes/freeForm/refuses/severity", `"Info" is none`},
		"a header that is none":      {"  mcp: {requestHeaders: [\"X-Beta mcp\"], " + evidenced + "}", "/toolTypes/mcp/requestHeaders/0", "is no header"},
		"no type":                    {"  builtIn: [{types: [], executes: Client, " + evidenced + "}]", "/toolTypes/builtIn/0/types", "no type is named"},
		"a type that is none":        {"  builtIn: [{types: [a b], executes: Client, " + evidenced + "}]", "/toolTypes/builtIn/0/types/0", "is no type"},
		"a type twice":               {"  builtIn: [{types: [a], executes: Client, " + evidenced + "}, {types: [b, a], executes: Client, " + evidenced + "}]", "/toolTypes/builtIn/1/types/1", "there twice"},
		"a name that is none":        {"  builtIn: [{types: [a], name: \"a b\", executes: Client, " + evidenced + "}]", "/toolTypes/builtIn/0/name", "is no name"},
		"somebody else runs it":      {"  builtIn: [{types: [a], executes: Nobody, " + evidenced + "}]", "/toolTypes/builtIn/0/executes", `"Nobody" is none`},
		"settings that are open":     {"  builtIn: [{types: [a], executes: Client, settings: {type: object}, " + evidenced + "}]", "/toolTypes/builtIn/0/settings", "without further fields"},
		"settings of no object":      {"  builtIn: [{types: [a], executes: Client, settings: {additionalProperties: false}, " + evidenced + "}]", "/toolTypes/builtIn/0/settings", "must be an object"},
		"settings of no schema":      {"  builtIn: [{types: [a], executes: Client, settings: {type: object, additionalProperties: false, properties: {b: {type: texts}}}, " + evidenced + "}]", "/toolTypes/builtIn/0/settings/properties/b/type", ""},
		"a condition of no schema":   {"  builtIn: [{types: [a], executes: Provider, clientWhen: {type: texts}, " + evidenced + "}]", "/toolTypes/builtIn/0/clientWhen/type", ""},
		"settings that are too long": {"  builtIn: [{types: [a], executes: Client, settings: {type: object, additionalProperties: false, description: " + strings.Repeat("x", maxSettings) + "}, " + evidenced + "}]", "/toolTypes/builtIn/0/settings", "more than"},
		"a field that is none":       {"  builtIn: [{types: [a], executes: Client, secret: true, " + evidenced + "}]", "/toolTypes/builtIn/0/secret", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, found := withToolTypes(t, c.types)
			if p != nil {
				t.Fatal("it is taken")
			}
			if !slices.ContainsFunc(found, func(f finding.Finding) bool {
				return f.Pointer == c.pointer && strings.Contains(f.Message, c.says) && f.Fix != ""
			}) {
				t.Errorf("nothing at %s says %q: %v", c.pointer, c.says, found)
			}
		})
	}
}

// TestToolTypesReplaceThoseOfTheParent: a gateway takes what it says and no more,
// and every fact is part of the digest.
func TestToolTypesReplaceThoseOfTheParent(t *testing.T) {
	t.Parallel()
	const tools = "  builtIn: [{types: [look_up], name: look, executes: Provider, settings: {type: object, additionalProperties: false, properties: {a: {}, b: {}}}, " + evidenced + "}]"
	p, found := withToolTypes(t, tools)
	if p == nil {
		t.Fatal(found)
	}
	if p.ToolTypes.FreeForm != nil || p.ToolTypes.MCP != nil {
		t.Error("it has types of its parent")
	}
	if diff := cmp.Diff([]string{"look_up"}, p.BuiltInTypes()); diff != "" {
		t.Error(diff)
	}
	digests := map[string]string{"as it is": p.Digest()}
	for name, types := range map[string]string{
		"another type":     strings.Replace(tools, "[look_up]", "[look_up_2]", 1),
		"another name":     strings.Replace(tools, "name: look", "name: see", 1),
		"another runs it":  strings.Replace(tools, "executes: Provider", "executes: Client", 1),
		"another setting":  strings.Replace(tools, "{a: {}", "{c: {}", 1),
		"it is deferrable": strings.Replace(tools, "executes", "deferLoading: true, executes", 1),
		"a header":         strings.Replace(tools, "executes", "requestHeaders: [\"beta: look\"], executes", 1),
		"a condition":      strings.Replace(tools, "executes", "clientWhen: {required: [a]}, executes", 1),
		"servers":          tools + "\n  mcp: {" + evidenced + "}",
		"asking servers":   tools + "\n  mcp: {approval: true, " + evidenced + "}",
		"free texts":       tools + "\n  freeForm: {syntaxes: [Text], " + evidenced + "}",
	} {
		other, found := withToolTypes(t, types)
		if other == nil {
			t.Fatalf("%s: %v", name, found)
		}
		digests[name] = other.Digest()
	}
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if before, twice := seen[digests[name]]; twice {
			t.Errorf("%s and %s have one digest", before, name)
		}
		seen[digests[name]] = name
	}
	if none, found := withToolTypes(t, "  none: {"+evidenced+"}"); none == nil || none.ToolTypes.FreeForm != nil || len(none.BuiltInTypes()) > 0 {
		t.Errorf("none is some: %v", found)
	}
	other, _ := withToolTypes(t, strings.Replace(tools, "{a: {}, b: {}}", "{b: {}, a: {}}", 1))
	if other.Digest() != p.Digest() {
		t.Error("the order of the settings is part of the digest")
	}
}

// TestToolTypesSurviveJSON: the facts go through the API server and the output of
// the command.
func TestToolTypesSurviveJSON(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openai-responses", "anthropic-messages", "vertex-gemini"} {
		before := profile(t, name).ToolTypes
		text, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		var after ToolTypes
		if err := json.Unmarshal(text, &after); err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(after)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), string(again)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestFieldsForPeople(t *testing.T) {
	t.Parallel()
	facts, _ := profile(t, "openai-responses").BuiltIn("file_search")
	want := []Setting{
		{"filters", "object with key, type, value or object with filters, type", false},
		{"max_num_results", "integer", false},
		{"ranking_options", "object with hybrid_search, ranker, score_threshold", false},
		{"vector_store_ids", "list of string", true},
	}
	if diff := cmp.Diff(want, facts.Fields()); diff != "" {
		t.Error(diff)
	}
	p, found := withToolTypes(t, "  builtIn: [{types: [a], executes: Client, settings: {type: object, additionalProperties: false, properties: "+
		"{any: {}, one: {const: 1}, two: {type: [string, number]}, loop: {$ref: \"#/$defs/loop\"}, ref: {$ref: \"#/$defs/none\"}, all: true}, $defs: {loop: {type: array, items: {$ref: \"#/$defs/loop\"}}, none: {type: array}}}, "+evidenced+"}]")
	if p == nil {
		t.Fatal(found)
	}
	facts, _ = p.BuiltIn("a")
	forms := map[string]string{}
	for _, f := range facts.Fields() {
		forms[f.Name] = f.Form
	}
	if diff := cmp.Diff(map[string]string{"any": "any", "one": "1", "two": "string or number", "loop": "list of list of any", "ref": "array", "all": "any"}, forms); diff != "" {
		t.Error(diff)
	}
}
