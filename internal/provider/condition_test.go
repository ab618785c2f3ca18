// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// TestConditions shows each word of the vocabulary true of one schema and false
// of a neighbour. The keyword is that of the property a.
func TestConditions(t *testing.T) {
	t.Parallel()
	cases := []struct{ when, keyword, holds, fails string }{
		{`{has: [pattern]}`, "minLength", `{"minLength":1,"pattern":"a"}`, `{"minLength":1,"format":"date"}`},
		{`{empty: [properties]}`, "required", `{"required":[],"properties":{}}`, `{"required":[],"properties":{"b":{}}}`},
		{`{empty: [properties, items]}`, "required", `{"required":[]}`, `{"required":[],"items":[true]}`},
		{`{lacks: [type, enum]}`, "minLength", `{"minLength":1}`, `{"minLength":1,"enum":["a"]}`},
		{`{valueAbove: 1}`, "minItems", `{"minItems":2}`, `{"minItems":1}`},
		{`{valueAbove: 1.5}`, "minimum", `{"minimum":1.50000000000000000001}`, `{"minimum":1.5}`},
		{`{valueAbove: -1}`, "const", `{"const":0}`, `{"const":"0"}`},
		{`{countAbove: 2}`, "enum", `{"enum":[1,2,3]}`, `{"enum":[1,2]}`},
		{`{countAbove: 0}`, "properties", `{"properties":{"b":{}}}`, `{"properties":{}}`},
		{`{countAbove: 0}`, "const", `{"const":["a"]}`, `{"const":"a"}`},
		{`{memberKinds: ["null"]}`, "enum", `{"enum":["a",null]}`, `{"enum":["a"]}`},
		{`{memberIn: ["", 0]}`, "enum", `{"enum":["a",0.0]}`, `{"enum":["a","0"]}`},
		{`{memberIn: ["null"]}`, "type", `{"type":["string","null"]}`, `{"type":["string","integer"]}`},
		{`{branchHas: [$ref]}`, "anyOf", `{"anyOf":[{"type":"null"},{"$ref":"#"}]}`, `{"anyOf":[{"type":"null"}]}`},
		{`{branchHas: [$ref]}`, "items", `{"items":{"$ref":"#"}}`, `{"items":{"type":"null"}}`},
		{`{branchLacks: [type, $ref]}`, "anyOf", `{"anyOf":[{"type":"null"},{"enum":[1]}]}`, `{"anyOf":[{"type":"null"},{"$ref":"#"}]}`},
		{`{branchLacks: [type]}`, "anyOf", `{"anyOf":[true]}`, `{"anyOf":[]}`},
		{`{branchLacks: [type]}`, "properties", `{"properties":{"b":{}}}`, `{"properties":{"b":{"type":"null"}}}`},
		{`{branchLacks: [type]}`, "additionalProperties", `{"additionalProperties":{}}`, `{"additionalProperties":{"type":"null"}}`},
		{`{patternAnchored: true}`, "pattern", `{"pattern":"^(?:a|b)$"}`, `{"pattern":"^a|b$"}`},
		{`{patternAnchored: false}`, "pattern", `{"pattern":"^a"}`, `{"pattern":"(^a$)"}`},
		{`{patternUses: [StartAnchor]}`, "pattern", `{"pattern":"^a"}`, `{"pattern":"a$"}`},
		{`{patternUses: [EndAnchor]}`, "pattern", `{"pattern":"a$"}`, `{"pattern":"\\$"}`},
		{`{patternUses: [ClassEscape]}`, "pattern", `{"pattern":"[\\W]"}`, `{"pattern":"[w]"}`},
		{`{patternUses: [NonCapturingGroup]}`, "pattern", `{"pattern":"(?:a)"}`, `{"pattern":"(a)"}`},
		{`{patternUses: [NonCapturingGroup, StartAnchor], patternAnchored: true}`, "pattern", `{"pattern":"^a$"}`, `{"pattern":"^a"}`},
	}
	for _, c := range cases {
		t.Run(c.when+" "+c.keyword, func(t *testing.T) {
			t.Parallel()
			var w When
			if err := yaml.UnmarshalStrict([]byte(c.when), &w); err != nil {
				t.Fatal(err)
			}
			for text, want := range map[string]bool{c.holds: true, c.fails: false} {
				s := schematest.Schema(t, `{"properties":{"a":`+text+`}}`)
				at := place{schema: s, node: 1, keyword: c.keyword, value: s.Nodes()[1].Value.Get(c.keyword)}
				if got := w.holds(&at); got != want {
					t.Errorf("%s of %s: %t, want %t", c.when, text, got, want)
				}
			}
		})
	}
}

// gateway is the MCP profile under another name, with some text replaced.
func gateway(t *testing.T, changes ...string) *Profile {
	t.Helper()
	text := mcpText(t)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("the base file does not hold %q", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	c, err := load(map[string][]byte{"base": []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := c.Lookup("base")
	return p
}

// Shapes that no embedded profile of today may refuse are refused here.
func TestShapesOfObjects(t *testing.T) {
	t.Parallel()
	refuse := func(names, when string) string {
		cases := "  - {verdict: Rejected, confidence: High, sources: [mcp-schema], fix: change it}\n"
		if when != "" {
			cases = "  - {when: " + when + ", verdict: Accepted, confidence: High, sources: [mcp-schema]}\n" + cases
		}
		return fmt.Sprintf("- names: [%s]\n  both:\n%s- names: [OpenObject, ", names, cases)
	}
	cases := map[string]struct {
		shape, when, schema string
		want                []string
	}{
		"an empty object below the root": {
			"EmptyObject", "", `{"type":"object","properties":{"a":{"type":"object","properties":{}},"b":{"type":"object"},"c":{"properties":{"d":{}}}}}`,
			[]string{"Error empty-object /properties/a"},
		},
		"the root may be empty": {"EmptyObject", "", `{"type":"object","properties":{}}`, nil},
		"nothing is required": {
			"NoRequiredProperty", "", `{"type":"object","properties":{"a":{"properties":{"b":{}},"required":[]}},"required":["a"]}`,
			[]string{"Error no-required-property /properties/a"},
		},
		"an object that declares nothing cannot require": {"NoRequiredProperty", "", `{"type":"object","properties":{}}`, nil},
		"required in a branch without properties": {
			"RequiredWithoutProperties", "", `{"type":"object","properties":{"a":{"anyOf":[{"required":["b"]},{"required":["c"],"properties":{"c":{}}}]}}}`,
			[]string{"Error required-without-properties /properties/a/anyOf/0/required"},
		},
		"required in an object without properties": {
			"RequiredWithoutProperties", "", `{"type":"object","properties":{"a":{"type":"object","required":[]}}}`,
			[]string{"Error required-without-properties /properties/a/required"},
		},
		"a condition is about the value of required": {
			"RequiredWithoutProperties", "{valueIs: []}", `{"type":"object","properties":{"a":{"type":"object","required":[]},"b":{"type":"object","required":["c"]}}}`,
			[]string{"Error required-without-properties /properties/b/required"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := gateway(t, "EmptyObject, NoRequiredProperty, RequiredWithoutProperties, Recursion", remaining(c.shape), "- names: [OpenObject, ", refuse(c.shape, c.when))
			if diff := cmp.Diff(c.want, short(p.CheckSchema(schematest.Schema(t, c.schema), Standard))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// remaining lists the shapes of a group but one.
func remaining(without string) string {
	names := strings.ReplaceAll("EmptyObject, NoRequiredProperty, RequiredWithoutProperties, Recursion", without+", ", "")
	return names
}

// Where a finding says property by property what is missing, the shape that
// says it of the whole object is silent.
func TestAnObjectIsNotRefusedTwice(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		strictObject(`"a":{"type":"object","properties":{"b":{"type":"string"}},"required":[],"additionalProperties":false}`, "a"): {
			"Error property-not-required /properties/a/properties/b",
		},
		strictObject(`"a":{"type":"object","required":["b"],"additionalProperties":false}`, "a"): {
			"Error object-without-properties /properties/a", "Error required-undeclared /properties/a/required/0",
		},
	} {
		if diff := cmp.Diff(want, short(profile(t, "openai-responses").CheckSchema(schematest.Schema(t, text), Strict))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// What a file says of unknown keywords at the root holds for those that it does
// not name.
func TestUnknownKeywordsAtTheRoot(t *testing.T) {
	t.Parallel()
	p := gateway(t,
		"rootKeywords:\n", "rootKeywords:\n- names: [unknown, title]\n  both:\n  - {verdict: Rejected, confidence: High, sources: [mcp-schema], fix: remove it}\n",
		"- names: [$schema]\n", "- names: [x-known]\n  both:\n  - {verdict: Accepted, confidence: High, sources: [mcp-schema]}\n- names: [$schema]\n")
	s := schematest.Schema(t, `{"type":"object","title":"T","x-new":1,"x-known":1,"description":"d","properties":{"a":{"title":"t","x-new":1}}}`)
	want := []string{"Error root-keyword /title", "Error root-keyword /x-new"}
	if diff := cmp.Diff(want, short(p.CheckSchema(s, Standard))); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if got := p.Judge(s, 0, "x-new", Standard).Verdict; got != Rejected {
		t.Errorf("at the root: %s", got)
	}
	if got := p.Judge(s, 1, "x-new", Standard).Verdict; got != Accepted {
		t.Errorf("below the root: %s", got)
	}
}

func TestReservedPropertyNames(t *testing.T) {
	t.Parallel()
	for rule, want := range map[string][]string{
		`{scope: All, reserved: [anyOf, $ref], severity: Error, confidence: High, sources: [mcp-schema]}`: {
			"Error property-name-reserved /properties/$ref", "Error property-name-reserved /properties/a/properties/anyOf",
		},
		`{scope: Nested, pattern: "^[a-z]+$", reserved: [a], severity: Warning, confidence: High, sources: [mcp-schema]}`: {
			"Warning property-name /properties/a/properties/anyOf",
		},
	} {
		p := gateway(t, "\ntoolNames:\n", "\npropertyNames:\n- "+rule+"\ntoolNames:\n")
		s := schematest.Schema(t, `{"type":"object","properties":{"$ref":{},"a":{"properties":{"anyOf":{}}}}}`)
		got := p.CheckSchema(s, Standard)
		if diff := cmp.Diff(want, short(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rule, diff)
		}
		for _, f := range got {
			if f.Fix == "" || f.Message == "" {
				t.Errorf("%v", f)
			}
		}
	}
}
