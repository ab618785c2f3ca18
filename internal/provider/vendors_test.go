// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// vendorCase is a rule of a vendor that speaks the OpenAI shape: what is found
// in a schema, all of it. No finding is a schema that the API takes and holds.
type vendorCase struct {
	name, schema string
	mode         Mode
	want         []string // "severity rule pointer"
}

// oneProperty is a closed object that requires everything, as most strict modes want
// it, with its property a.
func oneProperty(a string) string { return strictObject(`"a":`+a, "a") }

var vendorCases = map[string][]vendorCase{
	"mistral-chat": {
		{"lengths are in doubt in strict", oneProperty(`{"type":"string","minLength":1}`), Strict, []string{"Error keyword-unknown /properties/a/minLength"}},
		{"and pass without", oneProperty(`{"type":"string","minLength":1}`), Standard, nil},
		{"bounds of numbers are enforced", oneProperty(`{"type":"integer","minimum":1,"multipleOf":2}`), Strict, nil},
		{"open objects, optional properties and references pass", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"x"}},"$defs":{"A":{"type":"object"}}}`, Strict, nil},
		{"what the compiler does not implement is refused", oneProperty(`{"type":"array","items":{"type":"string"},"uniqueItems":true}`), Strict, []string{"Error keyword-rejected /properties/a/uniqueItems"}},
		{"oneOf only where it means anyOf", oneProperty(`{"oneOf":[{"type":"string"},{"type":"null"}]}`), Strict, []string{"Error keyword-unknown /properties/a/oneOf"}},
		{"allOf is intersected", oneProperty(`{"allOf":[{"type":"string"},{"enum":["a"]}]}`), Strict, nil},
		{"a format outside the list is refused", oneProperty(`{"type":"string","format":"json-pointer"}`), Strict, []string{"Error format-rejected /properties/a/format"}},
		{"two patterns of names may overlap", oneProperty(`{"type":"object","patternProperties":{"^a":{},"^b":{}}}`), Strict, []string{"Error keyword-unknown /properties/a/patternProperties"}},
		{"one may not", oneProperty(`{"type":"object","patternProperties":{"^a":{}}}`), Strict, nil},
		{"a number of members counts for maps alone", oneProperty(`{"type":"object","properties":{"b":{}},"minProperties":1}`), Strict, []string{"Error keyword-unknown /properties/a/minProperties"}},
		{"of a map it is enforced", oneProperty(`{"type":"object","minProperties":1}`), Strict, nil},
		{"what draft-07 knows must be well-formed for it", `{"type":"object","additionalItems":"none","dependencies":{"a":["b"]}}`, Standard, []string{"Error keyword-rejected /additionalItems"}},
		{"$schema was refused by the grammar compiler", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`, Strict, []string{"Error keyword-rejected /$schema"}},
		{"and is in doubt without strict", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`, Standard, []string{"Warning keyword-unknown /$schema"}},
		{"nobody checks the type of the root", `{"properties":{}}`, Standard, []string{"Warning root-not-object "}},
	},
	"cohere-v2": {
		{"an object requires something", `{"type":"object","properties":{"a":{"type":"string"}}}`, Strict, []string{"Error no-required-property "}},
		{"a nested one too", oneProperty(`{"type":"object","properties":{"b":{"type":"string"}}}`), Strict, []string{"Error no-required-property /properties/a"}},
		{"one is enough", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]}`, Strict, nil},
		{"without strict_tools nothing is", `{"type":"object","properties":{"a":{"type":"string","minLength":1}}}`, Standard, nil},
		{"a tool without parameters is in doubt", `{"type":"object","properties":{}}`, Strict, []string{"Error root-keyword /properties"}},
		{"a map within is", oneProperty(`{"type":"object","additionalProperties":{"type":"string"}}`), Strict, []string{"Error object-without-properties /properties/a"}},
		{"composition within a map is not enforced", `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":{"type":"object","properties":{"b":{"type":"string"}},"required":["b"]}}`, Strict, []string{"Warning keyword-not-enforced /additionalProperties"}},
		{"ranges are refused", oneProperty(`{"type":"integer","minimum":1,"exclusiveMaximum":5}`), Strict, []string{"Error keyword-rejected /properties/a/exclusiveMaximum", "Error keyword-rejected /properties/a/minimum"}},
		{"arrays need no items", oneProperty(`{"type":"array"}`), Strict, nil},
		{"lengths of arrays are refused", oneProperty(`{"type":"array","maxItems":2}`), Strict, []string{"Error keyword-rejected /properties/a/maxItems"}},
		{"anchors are refused", oneProperty(`{"type":"string","pattern":"^[A-Z]{3}$"}`), Strict, []string{"Error pattern-feature /properties/a/pattern"}},
		{"a pattern without them is enforced", oneProperty(`{"type":"string","pattern":"[A-Z]{3}"}`), Strict, nil},
		{"four formats", oneProperty(`{"type":"string","format":"date-time"}`), Strict, nil},
		{"no others", oneProperty(`{"type":"string","format":"email"}`), Strict, []string{"Error format-rejected /properties/a/format"}},
		{"a scalar const", oneProperty(`{"type":"string","const":"x"}`), Strict, nil},
		{"no const of an object", oneProperty(`{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"const":{"b":"x"}}`), Strict, []string{"Error keyword-unknown /properties/a/const"}},
		{"anyOf passes, oneOf does not", oneProperty(`{"anyOf":[{"type":"string"},{"type":"null"}],"oneOf":[{"type":"string"},{"type":"null"}]}`), Strict, []string{"Error keyword-rejected /properties/a/oneOf"}},
		{"fields of a request", `{"type":"object","properties":{` + manyProperties(201) + `},"required":["p00"]}`, Strict, []string{"Error limit-exceeded "}},
		{"without strict_tools there is no such limit", `{"type":"object","properties":{` + manyProperties(201) + `},"required":["p00"]}`, Standard, nil},
	},
	"xai-chat": {
		{"optional properties of an open root", `{"type":"object","properties":{"a":{"type":"string"}}}`, Strict, nil},
		{"a closed object is enforced", oneProperty(`{"type":"string"}`), Strict, nil},
		{"a map is enforced", oneProperty(`{"type":"object","additionalProperties":{"type":"string"}}`), Strict, nil},
		{"a free-form object is closed unseen", oneProperty(`{"type":"object"}`), Standard, []string{"Warning client-compatibility /properties/a"}},
		{"unless it says otherwise", oneProperty(`{"type":"object","additionalProperties":true}`), Standard, nil},
		{"a tool without parameters may be closed", `{"type":"object"}`, Standard, nil},
		{"lengths up to a bound", oneProperty(`{"type":"string","maxLength":2048}`), Strict, nil},
		{"beyond it the model decides", oneProperty(`{"type":"string","maxLength":2049}`), Strict, []string{"Warning keyword-not-enforced /properties/a/maxLength"}},
		{"so for arrays", oneProperty(`{"type":"array","items":{"type":"string"},"minItems":256,"maxItems":257}`), Strict, []string{"Warning keyword-not-enforced /properties/a/maxItems"}},
		{"and for objects", oneProperty(`{"type":"object","additionalProperties":true,"minProperties":64,"maxProperties":65}`), Strict, []string{"Warning keyword-not-enforced /properties/a/maxProperties"}},
		{"numbers have none", oneProperty(`{"type":"integer","maximum":900719925474099200}`), Strict, nil},
		{"one branch of allOf is enforced", oneProperty(`{"allOf":[{"type":"string"}]}`), Strict, nil},
		{"several are not", oneProperty(`{"allOf":[{"type":"string"},{"enum":["a"]}]}`), Strict, []string{"Warning keyword-not-enforced /properties/a/allOf"}},
		{"not is not", oneProperty(`{"type":"string","not":{"enum":["a"]}}`), Strict, []string{"Warning keyword-not-enforced /properties/a/not"}},
		{"nor an unlisted format", oneProperty(`{"type":"string","format":"hostname"}`), Strict, []string{"Warning keyword-not-enforced /properties/a/format"}},
		{"oneOf is read as anyOf", oneProperty(`{"oneOf":[{"type":"string"},{"type":"null"}]}`), Strict, []string{"Warning one-of-as-any-of /properties/a/oneOf"}},
		{"look-around is refused without asking for strict", oneProperty(`{"type":"string","pattern":"^(?!x).*$"}`), Standard, []string{"Error pattern-feature /properties/a/pattern"}},
		{"groups and classes pass", oneProperty(`{"type":"string","pattern":"^(?:\\d{4}|\\w+)$"}`), Strict, nil},
		{"null is no enum member", oneProperty(`{"type":["string","null"],"enum":["a",null]}`), Standard, []string{"Error keyword-rejected /properties/a/enum"}},
		{"a type list with null is", oneProperty(`{"type":["string","null"]}`), Strict, nil},
		{"no property is true", `{"type":"object","properties":{"a":true}}`, Standard, []string{"Error boolean-schema /properties/a"}},
		{"counting contains is refused", oneProperty(`{"type":"array","items":{"type":"string"},"minContains":1}`), Standard, []string{"Error keyword-rejected /properties/a/minContains"}},
		{"tuples are prefixItems", oneProperty(`{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"string"}}`), Strict, nil},
		{"recursion is refused", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, Standard, []string{"Error recursion /properties/a/$ref"}},
		{"a union of objects may be the root", `{"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"type":"object","properties":{"b":{"type":"string"}}}]}`, Strict, nil},
		{"a union of something else may not", `{"type":"object","properties":{"a":{"type":"string"}},"oneOf":[{"required":["a"]},{"type":"object","properties":{"b":{"type":"string"}}}]}`, Standard, []string{"Error root-keyword /oneOf"}},
		{"nor may an array", `{"type":"array","items":{"type":"string"}}`, Standard, []string{"Error root-not-object /type"}},
		{"what no list names warns where nobody asks for strict", oneProperty(`{"type":"integer","multipleOf":2}`), Standard, []string{"Warning keyword-unknown /properties/a/multipleOf"}},
		{"and counts as refused where somebody does", oneProperty(`{"type":"integer","multipleOf":2}`), Strict, []string{"Error keyword-unknown /properties/a/multipleOf"}},
		{"a parameter called properties was taken for the keyword", strictObject(`"properties":{"type":"string"}`, "properties"), Standard, []string{"Warning property-name-reserved /properties/properties"}},
	},
	"deepseek-chat": {
		{"there is no strict mode", `{"type":"object","properties":{}}`, Strict, []string{"Error no-strict-mode "}},
		{"the empty schema is refused", `{}`, Standard, []string{"Error root-not-object "}},
		{"an empty object is taken", `{"type":"object","properties":{}}`, Standard, nil},
		{"below the root nothing is looked at", `{"type":"object","properties":{"a":{"anyOf":[{"minimum":1},{"format":"uri"}]},"b":{"type":"array"}}}`, Standard, nil},
		{"beside the type of the root nothing is known", `{"type":"object","properties":{"a":{}},"anyOf":[{"required":["a"]}]}`, Standard, []string{"Warning root-keyword /anyOf"}},
	},
	"deepseek-beta": {
		{"what is not strict is as on the other endpoint", `{"type":"object","properties":{"a":{"anyOf":[{"minimum":1},{"format":"uri"}]}}}`, Standard, nil},
		{"everything closed and required", `{"type":"object","properties":{"a":{"type":"string"}}}`, Strict, []string{"Error object-not-closed ", "Error property-not-required /properties/a"}},
		{"bounds and patterns are enforced", strictObject(`"a":{"type":"integer","minimum":1,"multipleOf":2},"b":{"type":"string","pattern":"^a+$"}`, "a", "b"), Strict, nil},
		{"lengths are refused", oneProperty(`{"type":"string","maxLength":3}`), Strict, []string{"Error keyword-rejected /properties/a/maxLength"}},
		{"so are those of arrays", oneProperty(`{"type":"array","items":{"type":"string"},"minItems":1}`), Strict, []string{"Error keyword-rejected /properties/a/minItems"}},
		{"a list of scalar types", oneProperty(`{"type":["string","null"]}`), Strict, nil},
		{"no list with object or array", oneProperty(`{"type":["array","null"],"items":{"type":"string"}}`), Strict, []string{"Error keyword-rejected /properties/a/type"}},
		{"every branch needs a type", oneProperty(`{"anyOf":[{"enum":["a"]},{"type":"null"}]}`), Strict, []string{"Error keyword-rejected /properties/a/anyOf", "Error schema-without-type /properties/a/anyOf/0"}},
		{"a reference is none", `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}},"required":["a"],"additionalProperties":false,"$defs":{"A":{"type":"string"}}}`, Strict, []string{"Error keyword-rejected /properties/a/anyOf"}},
		{"an array says what it holds", oneProperty(`{"type":"array"}`), Strict, []string{"Error array-without-items /properties/a"}},
		{"an object declares something", oneProperty(`{"type":"object","properties":{},"additionalProperties":false}`), Strict, []string{"Error empty-object /properties/a"}},
		{"of the root that is in doubt", `{"type":"object","properties":{},"additionalProperties":false}`, Strict, []string{"Error root-keyword /properties"}},
		{"a map is refused", oneProperty(`{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":{"type":"string"}}`), Strict, []string{"Error object-not-closed /properties/a/additionalProperties"}},
		{"five formats", oneProperty(`{"type":"string","format":"email"}`), Strict, nil},
		{"no others", oneProperty(`{"type":"string","format":"uri"}`), Strict, []string{"Error format-rejected /properties/a/format"}},
		{"const of numbers", oneProperty(`{"type":"integer","const":1}`), Strict, nil},
		{"of nothing else", oneProperty(`{"type":"string","const":"x"}`), Strict, []string{"Error keyword-unknown /properties/a/const"}},
		{"default of numbers", oneProperty(`{"type":"integer","default":1}`), Strict, nil},
		{"of nothing else either", oneProperty(`{"type":"string","default":"x"}`), Strict, []string{"Error keyword-unknown /properties/a/default"}},
		{"recursion through a property", `{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#"}}},"required":["a"],"additionalProperties":false}`, Strict, nil},
	},
	"groq-chat": {
		{"required needs properties", `{"type":"object","required":["a"]}`, Standard, []string{"Error required-undeclared /required/0"}},
		{"also if both are empty", `{"type":"object","properties":{},"required":[]}`, Standard, []string{"Error keyword-rejected /required"}},
		{"also below the root", `{"type":"object","properties":{"a":{"type":"object","required":[]}}}`, Standard, []string{"Error required-without-properties /properties/a/required"}},
		{"a tool without parameters has none", `{"type":"object","properties":{}}`, Standard, nil},
		{"an empty required beside properties passes", `{"type":"object","properties":{"a":{"type":"string"}},"required":[]}`, Standard, nil},
		{"without strict everything that a validator knows holds", oneProperty(`{"type":"array","items":{"oneOf":[{"type":"string","minLength":1},{"not":{"type":"null"}}]},"uniqueItems":true}`), Standard, nil},
		{"strict wants everything closed and required", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}}}}}`, Strict, []string{
			"Error object-not-closed ", "Error property-not-required /properties/a", "Error object-not-closed /properties/a", "Error property-not-required /properties/a/properties/b",
		}},
		{"null stands for what is absent", oneProperty(`{"type":["string","null"]}`), Strict, nil},
		{"references and recursion", `{"type":"object","properties":{"a":{"type":"array","items":{"$ref":"#"}}},"required":["a"],"additionalProperties":false}`, Strict, nil},
		{"lengths of arrays were refused", oneProperty(`{"type":"array","items":{"type":"string"},"maxItems":2}`), Strict, []string{"Error keyword-rejected /properties/a/maxItems"}},
		{"bounds are in doubt", oneProperty(`{"type":"integer","minimum":1}`), Strict, []string{"Error keyword-unknown /properties/a/minimum"}},
		{"so is const", oneProperty(`{"type":"string","const":"x"}`), Strict, []string{"Error keyword-unknown /properties/a/const"}},
		{"an enum is not", oneProperty(`{"type":"string","enum":["x"]}`), Strict, nil},
	},
	"moonshot-chat": {
		{"open, optional, empty", `{"type":"object","properties":{"a":{"type":"object"},"b":{"type":"array"}}}`, Strict, nil},
		{"bounds of MFJS are enforced", oneProperty(`{"type":"string","minLength":1,"maxLength":5}`), Strict, nil},
		{"what it lacks is removed", oneProperty(`{"type":"string","format":"uri"}`), Strict, []string{"Error keyword-dropped /properties/a/format"}},
		{"which warns without strict", oneProperty(`{"type":"string","format":"uri"}`), Standard, []string{"Warning keyword-dropped /properties/a/format"}},
		{"annotations are removed silently", oneProperty(`{"type":"string","examples":["a"],"deprecated":true}`), Strict, nil},
		{"a pattern is kept and not enforced", oneProperty(`{"type":"string","pattern":"^a$"}`), Strict, []string{"Warning keyword-not-enforced /properties/a/pattern"}},
		{"const is removed", oneProperty(`{"type":"string","const":"x"}`), Strict, []string{"Error keyword-dropped /properties/a/const"}},
		{"no type beside anyOf", oneProperty(`{"type":"string","anyOf":[{"type":"string","minLength":1},{"type":"null"}]}`), Standard, []string{"Error keyword-rejected /properties/a/anyOf"}},
		{"annotations may stand there", oneProperty(`{"description":"x","default":null,"anyOf":[{"type":"string"},{"type":"null"}]}`), Strict, nil},
		{"constraints may not", oneProperty(`{"minLength":1,"anyOf":[{"type":"string"},{"type":"null"}]}`), Strict, []string{"Error keyword-rejected /properties/a/anyOf"}},
		{"no union at the root", `{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]}]}`, Standard, []string{"Error root-keyword /anyOf"}},
		{"a list of types stands alone", oneProperty(`{"type":["string","null"],"description":"x"}`), Strict, nil},
		{"or loses everything", oneProperty(`{"type":["string","null"],"minLength":1}`), Strict, []string{"Error keyword-rejected /properties/a/type"}},
		{"an enum may stand beside one type and null", oneProperty(`{"type":["string","null"],"enum":["a",null]}`), Strict, nil},
		{"not beside two", oneProperty(`{"type":["string","integer","null"],"enum":["a",1,null]}`), Standard, []string{"Error keyword-rejected /properties/a/type"}},
		{"an enum needs a type", oneProperty(`{"enum":["a"]}`), Standard, []string{"Error schema-without-type /properties/a"}},
		{"without an enum the rules contradict the validator", oneProperty(`{"description":"anything"}`), Standard, []string{"Warning schema-without-type /properties/a"}},
		{"a map of anything is written so", `{"type":"object","properties":{},"additionalProperties":{}}`, Strict, nil},
		{"no boolean in place of a schema", oneProperty(`{"type":"array","items":true}`), Standard, []string{"Error boolean-schema /properties/a/items"}},
		{"required names what is declared", strictObject(`"a":{"type":"string"}`, "a", "b"), Standard, []string{"Error required-undeclared /required/1"}},
		{"an empty required needs nothing", `{"type":"object","required":[]}`, Standard, nil},
		{"references into definitions are refused", `{"type":"object","properties":{"a":{"$ref":"#/definitions/A"}},"definitions":{"A":{"type":"string"}}}`, Standard, []string{"Error keyword-rejected /definitions", "Error keyword-rejected /properties/a/$ref"}},
		{"references stand alone", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"x"}},"$defs":{"A":{"type":"string"}}}`, Standard, []string{"Error ref-siblings /properties/a/$ref"}},
		{"recursion that can end", `{"type":"object","properties":{"a":{"$ref":"#"}}}`, Strict, nil},
		{"recursion that cannot", `{"type":"object","properties":{"a":{"$ref":"#"}},"required":["a"]}`, Standard, []string{"Error recursion /properties/a/$ref"}},
		{"names of keywords", strictObject(`"required":{"type":"string"},"type":{"type":"string"}`, "required", "type"), Standard, []string{"Error property-name-reserved /properties/required"}},
		{"levels", nested(31), Standard, []string{"Error limit-exceeded "}},
	},
}

// nested is an object of so many levels.
func nested(levels int) string {
	return strings.Repeat(`{"type":"object","properties":{"a":`, levels-1) + `{"type":"string"}` + strings.Repeat(`}}`, levels-1)
}

func TestVendorRules(t *testing.T) {
	t.Parallel()
	for name, cases := range vendorCases {
		for _, c := range cases {
			t.Run(name+" "+string(c.mode)+" "+c.name, func(t *testing.T) {
				t.Parallel()
				got := short(profile(t, name).CheckSchema(schematest.Schema(t, c.schema), c.mode))
				slices.Sort(got)
				want := slices.Sorted(slices.Values(c.want))
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", c.schema, diff)
				}
			})
		}
	}
}

// What is written into a request, and what has to be asked for besides.
func TestVendorStrictness(t *testing.T) {
	t.Parallel()
	type facts struct {
		Place      StrictPlace
		NonStrict  NonStrictSpelling
		AllTools   bool
		HasRequest bool
	}
	want := map[string]facts{
		"mistral-chat":  {PerTool, Omit, false, false},
		"cohere-v2":     {PerRequest, Omit, false, true},
		"xai-chat":      {Implied, Omit, false, false},
		"deepseek-chat": {NoStrict, Omit, false, false},
		"deepseek-beta": {PerTool, Omit, true, true},
		"groq-chat":     {PerTool, Omit, false, false},
		"moonshot-chat": {PerTool, EmitFalse, false, false},
	}
	for name, w := range want {
		p := profile(t, name)
		got := facts{p.Strict.Place, p.Strict.NonStrict, p.Strict.AllTools, p.Strict.RequestSwitch != ""}
		if diff := cmp.Diff(w, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if p.WireFormat != "openai-chat-completions" || p.Examples.Field != "" || p.OutputSchema.Field != "" {
			t.Errorf("%s: rendered as %s with examples %q and output %q", name, p.WireFormat, p.Examples.Field, p.OutputSchema.Field)
		}
	}
}

func TestVendorModels(t *testing.T) {
	t.Parallel()
	cases := []struct {
		profile, model string
		strict         bool
	}{
		{"mistral-chat", "mistral-large-latest", true},
		{"mistral-chat", "open-mistral-nemo", false},
		{"cohere-v2", "command-a-03-2025", true},
		{"cohere-v2", "command-r-08-2024", true},
		{"cohere-v2", "command-r-03-2024", false},
		{"cohere-v2", "command-r-plus*", false},
		{"xai-chat", "grok-4.6", true},
		{"xai-chat", "grok*", true},
		{"xai-chat", "another", false},
		{"deepseek-chat", "deepseek-v4-flash", false},
		{"deepseek-beta", "deepseek-v4-flash", true},
		{"groq-chat", "openai/gpt-oss-120b", true},
		{"groq-chat", "openai/gpt-oss*", false},
		{"groq-chat", "llama-3.3-70b-versatile", false},
		{"moonshot-chat", "kimi-k2.6", true},
		{"moonshot-chat", "moonshot-v1-8k", false},
	}
	for _, c := range cases {
		available, f := profile(t, c.profile).StrictFor([]string{c.model})
		if available != c.strict || available != (f == nil) {
			t.Errorf("%s, %s: %t, %v", c.profile, c.model, available, f)
		}
	}
}

func TestVendorToolNames(t *testing.T) {
	t.Parallel()
	cases := []struct {
		profile, name string
		taken         bool
	}{
		{"mistral-chat", "get-pods_1", true},
		{"mistral-chat", "get.pods", false},
		{"cohere-v2", "get_pods", true},
		{"xai-chat", "get pods", false},
		{"deepseek-beta", strings.Repeat("a", 65), false},
		{"groq-chat", strings.Repeat("a", 64), true},
		{"moonshot-chat", "21st_magic", false},
		{"moonshot-chat", "go", false},
		{"moonshot-chat", "run", true},
	}
	for _, c := range cases {
		findings := profile(t, c.profile).CheckTool(c.name, "Does something.")
		if finding.HasErrors(findings) == c.taken {
			t.Errorf("%s, %q: %v", c.profile, c.name, findings)
		}
	}
}

// An API that is always strict has one list per keyword, and its messages do
// not speak of a mode that nobody can leave.
func TestImpliedStrictnessHasOneMode(t *testing.T) {
	t.Parallel()
	raw, err := embedded.ReadFile("profiles/xai-chat.yaml")
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		from, to string
		pointer  string
	}{
		"a verdict for strict alone": {"- names: [title, description]\n  both:", "- names: [title, description]\n  strict:", "/keywords"},
		"a shape for strict alone":   {"- names: [OptionalProperty, NoRequiredProperty]\n  both:", "- names: [OptionalProperty, NoRequiredProperty]\n  strict:", "/shapes"},
		"a switch":                   {"  nonStrict: Omit\n", "  nonStrict: Omit\n  requestSwitch: mode\n", "/strict/requestSwitch"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(string(raw), c.from) {
				t.Fatalf("the file does not hold %q", c.from)
			}
			l := loader{files: map[string][]byte{"xai-chat": []byte(strings.Replace(string(raw), c.from, c.to, 1))}}
			_, found := l.load()
			if !slices.ContainsFunc(found["xai-chat"], func(f finding.Finding) bool { return f.Pointer == c.pointer }) {
				t.Errorf("nothing at %s: %v", c.pointer, found["xai-chat"])
			}
		})
	}
	for _, f := range profile(t, "xai-chat").CheckSchema(schematest.Schema(t, `{"type":"object","properties":{"a":true}}`), Strict) {
		if strings.Contains(f.Message, "strict mode") {
			t.Errorf("the message speaks of a mode: %s", f)
		}
	}
}
