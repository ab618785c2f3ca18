// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// factCase is one schema and everything that a profile has against it, in
// strict mode and without. The schema is that of the property a, unless it is a
// whole document.
type factCase struct {
	schema           string
	strict, standard []string
}

// asProperty makes a document of the schema of one property.
func asProperty(s string) string {
	return `{"type": "object", "properties": {"a": ` + s + `}}`
}

// same is what a profile says of a property in both modes.
func same(schema string, findings ...string) factCase {
	return factCase{asProperty(schema), findings, findings}
}

// whole is what a profile says of a document in both modes.
func whole(schema string, findings ...string) factCase {
	return factCase{schema, findings, findings}
}

// byMode is what a profile says of a property in strict mode and without.
func byMode(schema string, strict, standard []string) factCase {
	return factCase{asProperty(schema), strict, standard}
}

// strictOnly is what a profile says in strict mode of a property that it takes
// without a word otherwise.
func strictOnly(schema string, findings ...string) factCase {
	return byMode(schema, findings, nil)
}

func testFacts(t *testing.T, name string, cases map[string]factCase) {
	t.Helper()
	p := profile(t, name)
	for title, c := range cases {
		t.Run(title, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, c.schema)
			if diff := cmp.Diff(c.strict, short(p.CheckSchema(s, Strict))); diff != "" {
				t.Errorf("strict (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.standard, short(p.CheckSchema(s, Standard))); diff != "" {
				t.Errorf("standard (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFactsOfGeminiOpenAPI(t *testing.T) {
	t.Parallel()
	testFacts(t, "gemini-openapi", map[string]factCase{
		"one type and null":               same(`{"type": ["string", "null"]}`),
		"null first":                      same(`{"type": ["null", "integer"]}`),
		"a branch of null":                same(`{"anyOf": [{"type": "string"}, {"type": "null"}]}`),
		"two types":                       same(`{"type": ["string", "integer"]}`, "Error keyword-rejected /properties/a/type"),
		"two types and null":              same(`{"type": ["string", "integer", "null"]}`, "Error keyword-rejected /properties/a/type"),
		"no type":                         same(`{"description": "x"}`, "Error schema-without-type /properties/a"),
		"any item":                        same(`{"type": "array", "items": {}}`),
		"an item that only describes":     same(`{"type": "array", "items": {"description": "x"}}`, "Error schema-without-type /properties/a/items"),
		"an array without items":          same(`{"type": "array"}`, "Error array-without-items /properties/a"),
		"items of a string":               same(`{"type": "string", "items": {"type": "string"}}`, "Error keyword-rejected /properties/a/items"),
		"words":                           same(`{"type": "string", "enum": ["a", "b"]}`),
		"words and null":                  same(`{"type": ["string", "null"], "enum": ["a", null]}`),
		"numbers in an enum":              same(`{"type": "integer", "enum": [1, 2]}`, "Error keyword-rejected /properties/a/enum"),
		"the empty word":                  same(`{"type": "string", "enum": ["", "b"]}`, "Error keyword-rejected /properties/a/enum"),
		"null alone in an enum":           same(`{"type": "null", "enum": [null]}`, "Error keyword-rejected /properties/a/enum"),
		"const":                           same(`{"type": "string", "const": "a"}`, "Error keyword-rejected /properties/a/const"),
		"oneOf":                           same(`{"oneOf": [{"type": "string"}, {"type": "integer"}]}`, "Error keyword-rejected /properties/a/oneOf"),
		"a map":                           same(`{"type": "object", "additionalProperties": {"type": "string"}}`, "Error object-without-properties /properties/a", "Error object-not-closed /properties/a/additionalProperties"),
		"a closed object":                 same(`{"type": "object", "properties": {"b": {"type": "string"}}, "additionalProperties": false}`, "Error object-not-closed /properties/a/additionalProperties"),
		"an object of nothing":            same(`{"type": "object"}`, "Error object-without-properties /properties/a"),
		"an object that declares nothing": same(`{"type": "object", "properties": {}}`, "Error empty-object /properties/a"),
		"no arguments":                    whole(`{"type": "object"}`),
		"no arguments, said":              whole(`{"type": "object", "properties": {}}`),
		"a choice at the root":            whole(`{"type": "object", "properties": {"a": {"type": "string"}}, "anyOf": [{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}]}`, "Error root-keyword /anyOf"),
		"undeclared names":                whole(`{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}`, "Error required-undeclared /required/0"),
		"date-time":                       strictOnly(`{"type": "string", "format": "date-time"}`, "Warning keyword-not-enforced /properties/a/format"),
		"int32":                           strictOnly(`{"type": "integer", "format": "int32"}`, "Warning keyword-not-enforced /properties/a/format"),
		"int32 of a string":               same(`{"type": "string", "format": "int32"}`, "Error format-rejected /properties/a/format"),
		"email":                           same(`{"type": "string", "format": "email"}`, "Error format-rejected /properties/a/format"),
		"the word of OpenAPI":             same(`{"type": "string", "nullable": true}`, "Error keyword-rejected /properties/a/nullable"),
		"an extension":                    same(`{"type": "string", "x-unit": "m"}`, "Error keyword-rejected /properties/a/x-unit"),
		"examples":                        same(`{"type": "string", "examples": ["a"]}`, "Error keyword-rejected /properties/a/examples"),
		"what goes with its keyword":      same(`{"type": "object", "properties": {"b": {"type": "string"}}, "then": {"required": ["c"], "properties": {"d": {"enum": [1]}}}}`, "Error keyword-rejected /properties/a/then"),
		"a default":                       same(`{"type": "string", "default": "a"}`),
		"a boolean":                       same(`true`, "Error boolean-schema /properties/a"),
		"bounds that include":             same(`{"type": "integer", "minimum": 1, "maximum": 3}`),
		"bounds that exclude":             same(`{"type": "integer", "exclusiveMinimum": 0}`, "Error keyword-rejected /properties/a/exclusiveMinimum"),
		"lengths are not promised":        strictOnly(`{"type": "string", "minLength": 1}`, "Warning keyword-not-enforced /properties/a/minLength"),
		"beside a choice": byMode(`{"anyOf": [{"type": "string"}, {"type": "integer"}], "minLength": 1}`,
			[]string{"Error keyword-unknown /properties/a/anyOf", "Warning keyword-not-enforced /properties/a/minLength"}, []string{"Warning keyword-unknown /properties/a/anyOf"}),
		"text beside a choice": same(`{"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "x"}`),
		"a dialect":            whole(`{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {"a": {"type": "string"}}}`, "Error keyword-rejected /$schema"),
		"a recursion": whole(`{"type": "object", "properties": {"a": {"$ref": "#"}}}`,
			"Error keyword-rejected /properties/a/$ref", "Error recursion /properties/a/$ref"),
	})
}

func TestFactsOfVertex(t *testing.T) {
	t.Parallel()
	testFacts(t, "vertex-gemini", map[string]factCase{
		"lists of types": same(`{"type": ["string", "integer", "null"]}`),
		"a closed map":   same(`{"type": "object", "additionalProperties": {"type": "string"}}`),
		"beside a choice": byMode(`{"anyOf": [{"required": ["b"]}], "type": "object", "properties": {"b": {}}}`,
			[]string{"Error keyword-unknown /properties/a/anyOf", "Error required-without-properties /properties/a/anyOf/0/required"},
			[]string{"Warning keyword-unknown /properties/a/anyOf", "Warning required-without-properties /properties/a/anyOf/0/required"}),
		"text beside a choice": same(`{"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "x"}`),
		"beside a reference":   whole(`{"type": "object", "properties": {"a": {"$ref": "#/$defs/A", "description": "x"}}, "$defs": {"A": {"type": "string"}}}`, "Error ref-siblings /properties/a/$ref"),
		"const": byMode(`{"const": 1, "type": "integer"}`,
			[]string{"Error keyword-unknown /properties/a/const"}, []string{"Warning keyword-unknown /properties/a/const"}),
	})
	for name, want := range map[string]int{"vertex-gemini": 128, "gemini-json-schema": 512, "gemini-openapi": 512} {
		var got []int
		for _, l := range profile(t, name).Limits {
			if l.Measure == "Tools" && l.Per == LimitPerRequest {
				got = append(got, l.Max)
			}
		}
		if diff := cmp.Diff([]int{want}, got); diff != "" {
			t.Errorf("%s, tools of a request (-want +got):\n%s", name, diff)
		}
	}
}

func TestFactsOfMCPRevisions(t *testing.T) {
	t.Parallel()
	const header = `{"type": "object", "properties": `
	noStrict := func(rest ...string) []string { return append([]string{"Error no-strict-mode "}, rest...) }
	mcp := func(schema string, findings ...string) factCase {
		return factCase{schema, noStrict(findings...), findings}
	}
	testFacts(t, "mcp-2026-07-28", map[string]factCase{
		"a mirrored argument":            mcp(header + `{"a": {"type": "string", "x-mcp-header": "Tenant"}}}`),
		"of an object below":             mcp(header + `{"o": {"type": "object", "properties": {"a": {"type": "integer", "x-mcp-header": "Shard-Id"}}}}}`),
		"of the root":                    mcp(`{"type": "object", "x-mcp-header": "A", "properties": {}}`, "Error keyword-rejected /x-mcp-header"),
		"of an element":                  mcp(header+`{"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}}`, "Error keyword-rejected /properties/a/items/x-mcp-header"),
		"of a branch":                    mcp(header+`{"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}}}`, "Error keyword-rejected /properties/a/anyOf/0/x-mcp-header"),
		"of a definition":                mcp(header+`{}, "$defs": {"D": {"type": "string", "x-mcp-header": "A"}}}`, "Error keyword-rejected /$defs/D/x-mcp-header"),
		"of a number":                    mcp(header+`{"a": {"type": "number", "x-mcp-header": "A"}}}`, "Error keyword-rejected /properties/a/x-mcp-header"),
		"of a string or null":            mcp(header+`{"a": {"type": ["string", "null"], "x-mcp-header": "A"}}}`, "Error keyword-rejected /properties/a/x-mcp-header"),
		"without a type":                 mcp(header+`{"a": {"x-mcp-header": "A"}}}`, "Error keyword-rejected /properties/a/x-mcp-header"),
		"the same name in another case":  mcp(header+`{"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}}`, "Error keyword-rejected /properties/a/x-mcp-header", "Error keyword-rejected /properties/b/x-mcp-header"),
		"a name with a space":            mcp(header+`{"a": {"type": "string", "x-mcp-header": "My Tenant"}}}`, "Error keyword-rejected /properties/a/x-mcp-header"),
		"no name":                        mcp(header+`{"a": {"type": "string", "x-mcp-header": ""}}}`, "Error keyword-rejected /properties/a/x-mcp-header"),
		"a line end behind the name":     mcp(header+`{"a": {"type": "string", "x-mcp-header": "A\n"}}}`, "Error keyword-rejected /properties/a/x-mcp-header"),
		"a name that is no text":         mcp(header+`{"a": {"type": "string", "x-mcp-header": true}}}`, "Error keyword-rejected /properties/a/x-mcp-header"),
		"a property of this name":        mcp(header + `{"x-mcp-header": {"type": "array", "items": {}}}}`),
		"a boolean property is legal":    mcp(header+`{"a": true}}`, "Warning client-compatibility /properties/a"),
		"a choice at the root":           mcp(header+`{}, "anyOf": [{}]}`, "Warning client-compatibility /anyOf"),
		"a tool without properties":      mcp(`{"type": "object"}`, "Warning client-compatibility "),
		"an object without them":         mcp(header + `{"a": {"type": "object"}}}`),
		"an array without items":         mcp(header+`{"a": {"type": "array"}}}`, "Warning client-compatibility /properties/a"),
		"a root of another type":         mcp(`{"type": "string"}`, "Error root-not-object /type"),
		"a root of two types":            mcp(`{"type": ["object", "null"], "properties": {}}`, "Error root-not-object /type"),
		"a keyword that says nothing":    mcp(header + `{"a": {"type": "string", "x-anything": 1}}}`),
		"a reference inside":             mcp(header+`{"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}`, "Warning client-compatibility /properties/a/$ref"),
		"a definition without reference": mcp(header + `{}, "$defs": {"A": {"type": "string"}}}`),
	})
	testFacts(t, "mcp-2025-11-25", map[string]factCase{
		"a boolean property is not": mcp(header+`{"a": true}}`, "Error boolean-schema /properties/a"),
		"nobody reads the header":   mcp(header + `{"a": {"type": "number", "x-mcp-header": "A"}}}`),
	})
	testFacts(t, "mcp-2025-06-18", map[string]factCase{
		"a boolean property is not": mcp(header+`{"a": true}}`, "Error boolean-schema /properties/a"),
		"a reference inside":        mcp(header+`{"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}`, "Warning client-compatibility /properties/a/$ref"),
	})
}

// xgrammar and llama.cpp read one keyword of a node: what stands beside it is
// lost, and a constraint that is lost is an error where the schema must hold.
func TestFactsOfVLLM(t *testing.T) {
	t.Parallel()
	dropped := func(keywords ...string) (findings []string) {
		for _, k := range keywords {
			findings = append(findings, "Error keyword-dropped /properties/a/"+k)
		}
		return findings
	}
	testFacts(t, "vllm-xgrammar", map[string]factCase{
		"a choice alone":                strictOnly(`{"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "x"}`),
		"beside a choice":               strictOnly(`{"anyOf": [{"type": "string"}, {"type": "integer"}], "minimum": 1, "minLength": 1}`, dropped("minLength", "minimum")...),
		"a type beside a choice":        strictOnly(`{"type": "object", "properties": {"b": {}}, "anyOf": [{"required": ["b"]}]}`, append(dropped("anyOf"), "Error keyword-dropped /properties/a/properties", "Error keyword-dropped /properties/a/type")...),
		"two choices":                   strictOnly(`{"anyOf": [{"type": "string"}], "oneOf": [{"type": "string"}]}`, dropped("oneOf")...),
		"beside a reference":            {`{"type": "object", "properties": {"a": {"$ref": "#/$defs/A", "maxLength": 3}}, "$defs": {"A": {"type": "string"}}}`, dropped("maxLength"), nil},
		"an escaped reference":          {`{"type": "object", "properties": {"a": {"$ref": "#/$defs/A~1B"}}, "$defs": {"A/B": {"type": "string"}}}`, []string{"Error keyword-rejected /properties/a/$ref"}, nil},
		"an anchor":                     {`{"type": "object", "properties": {"a": {"$ref": "#A"}}, "$defs": {"A": {"$anchor": "A", "type": "string"}}}`, dropped("$ref"), nil},
		"one branch of allOf":           strictOnly(`{"allOf": [{"type": "string"}]}`),
		"two branches of allOf":         strictOnly(`{"allOf": [{"type": "string"}, {"maxLength": 3}]}`, append(dropped("allOf"), "Error keyword-dropped /properties/a/allOf/1/maxLength")...),
		"an enum and its type":          strictOnly(`{"type": "string", "enum": ["a"]}`),
		"an enum and another type":      strictOnly(`{"type": "string", "enum": ["a", 1]}`, dropped("type")...),
		"const and lengths":             strictOnly(`{"const": "a", "maxLength": 3}`, dropped("maxLength")...),
		"a whole pattern":               strictOnly(`{"type": "string", "pattern": "^a+$"}`),
		"a part of a pattern":           strictOnly(`{"type": "string", "pattern": "a"}`, "Warning client-compatibility /properties/a/pattern"),
		"look-ahead":                    strictOnly(`{"type": "string", "pattern": "^(?=a)a$"}`, "Error pattern-feature /properties/a/pattern"),
		"a pattern without a type":      strictOnly(`{"pattern": "^a$"}`, dropped("pattern")...),
		"a pattern and a length":        strictOnly(`{"type": "string", "pattern": "^a+$", "maxLength": 3}`, "Error keyword-rejected /properties/a/maxLength"),
		"a pattern and a format":        strictOnly(`{"type": "string", "pattern": "^a+$", "format": "uuid"}`, dropped("pattern")...),
		"a known format":                strictOnly(`{"type": "string", "format": "email"}`),
		"another format":                strictOnly(`{"type": "string", "format": "idn-email"}`, "Error format-rejected /properties/a/format"),
		"multipleOf":                    strictOnly(`{"type": "integer", "multipleOf": 2}`, "Error keyword-rejected /properties/a/multipleOf"),
		"uniqueItems":                   strictOnly(`{"type": "array", "items": {"type": "string"}, "uniqueItems": true}`, "Error keyword-rejected /properties/a/uniqueItems"),
		"an array of anything":          strictOnly(`{"type": "array"}`),
		"so many of anything":           strictOnly(`{"type": "array", "minItems": 1}`, "Error array-without-items /properties/a"),
		"an object of nothing":          strictOnly(`{"type": "object"}`),
		"an object and a count":         strictOnly(`{"type": "object", "maxProperties": 2}`, "Warning client-compatibility /properties/a"),
		"an object of at least one":     strictOnly(`{"type": "object", "minProperties": 1}`, "Error keyword-rejected /properties/a/minProperties", "Warning client-compatibility /properties/a"),
		"an object of at least none":    strictOnly(`{"type": "object", "minProperties": 0, "additionalProperties": true}`),
		"patterns beside properties":    strictOnly(`{"type": "object", "properties": {"b": {}}, "patternProperties": {"^c$": {}}}`, "Error keyword-rejected /properties/a/patternProperties"),
		"undeclared names":              {`{"type": "object", "properties": {"a": {}}, "required": ["b"]}`, []string{"Error required-undeclared /required/0"}, nil},
		"a member that cannot be":       strictOnly(`false`, "Error boolean-schema /properties/a"),
		"a member that may be anything": strictOnly(`true`),
		"not":                           strictOnly(`{"type": "string", "not": {"const": "a"}}`, dropped("not")...),
	})
	p := profile(t, "vllm-xgrammar")
	if p.Strict.Place != PerTool || p.Strict.NonStrict != EmitFalse {
		t.Errorf("a tool says %s, and without strict %s", p.Strict.Place, p.Strict.NonStrict)
	}
}

func TestFactsOfLlamaCpp(t *testing.T) {
	t.Parallel()
	// There is one grammar; without strict a lost constraint is a warning.
	dropped := func(schema string, keywords ...string) factCase {
		c := factCase{schema: asProperty(schema)}
		for _, k := range keywords {
			c.strict = append(c.strict, "Error keyword-dropped /properties/a/"+k)
			c.standard = append(c.standard, "Warning keyword-dropped /properties/a/"+k)
		}
		return c
	}
	const refused = "Error keyword-rejected /properties/a/"
	const feature = "Error pattern-feature /properties/a/pattern"
	testFacts(t, "llama-cpp", map[string]factCase{
		"a choice alone":           same(`{"anyOf": [{"type": "string"}, {"type": "integer"}], "description": "x"}`),
		"beside a choice":          dropped(`{"anyOf": [{"type": "string"}, {"type": "integer"}], "maxLength": 3, "type": "string"}`, "maxLength", "type"),
		"two choices":              dropped(`{"anyOf": [{"type": "string"}], "oneOf": [{"type": "string"}]}`, "anyOf"),
		"beside const":             dropped(`{"const": "a", "enum": ["a"]}`, "enum"),
		"an enum and another type": dropped(`{"type": "integer", "enum": ["a"]}`, "type"),
		"allOf beside properties":  dropped(`{"type": "object", "properties": {"b": {"type": "string"}}, "allOf": [{"properties": {"c": {"type": "string"}}}]}`, "allOf"),
		"allOf of strings":         same(`{"allOf": [{"type": "string"}]}`, "Error keyword-rejected /properties/a/allOf"),
		"a pattern and a length":   dropped(`{"type": "string", "pattern": "^a+$", "maxLength": 3}`, "maxLength"),
		"a format and a pattern":   dropped(`{"type": "string", "pattern": "^a+$", "format": "uuid"}`, "format"),
		"a known format":           same(`{"type": "string", "format": "date-time"}`),
		"another format":           dropped(`{"type": "string", "format": "email"}`, "format"),
		"a whole pattern":          same(`{"type": "string", "pattern": "^[A-Z]{2}[0-9]+$"}`),
		"a part of a pattern":      same(`{"type": "string", "pattern": "[A-Z]"}`, feature),
		"a class escape":           same(`{"type": "string", "pattern": "^\\d+$"}`, feature),
		"look-ahead":               same(`{"type": "string", "pattern": "^(?=a)a$"}`, feature),
		"a group that is not kept": same(`{"type": "string", "pattern": "^(?:a|b)$"}`, feature),
		"a lazy quantifier":        same(`{"type": "string", "pattern": "^a+?$"}`, feature),
		"an escaped dot":           same(`{"type": "string", "pattern": "^a\\.b$"}`),
		"an escaped slash":         same(`{"type": "string", "pattern": "^a\\/b$"}`, refused+"pattern"),
		"a hyphen in a class":      same(`{"type": "string", "pattern": "^[a\\-b]$"}`, refused+"pattern"),
		"repeated too often":       same(`{"type": "string", "pattern": "^a{0,1999}$"}`, feature),
		"repeated often":           same(`{"type": "string", "pattern": "^a{0,900}$"}`),
		"a length within bounds":   same(`{"type": "string", "maxLength": 1900}`),
		"a length beyond":          same(`{"type": "string", "maxLength": 2000}`, refused+"maxLength"),
		"so many items":            same(`{"type": "array", "items": {"type": "string"}, "maxItems": 5000}`, refused+"maxItems"),
		"a count without items":    dropped(`{"type": "array", "minItems": 1}`, "minItems"),
		"a length without a type":  {asProperty(`{"maxLength": 3}`), []string{"Error schema-without-type /properties/a", "Error keyword-dropped /properties/a/maxLength"}, []string{"Error schema-without-type /properties/a", "Warning keyword-dropped /properties/a/maxLength"}},
		"bounds of an integer":     same(`{"type": "integer", "minimum": 1, "exclusiveMaximum": 9}`),
		"bounds of a number":       dropped(`{"type": "number", "minimum": 1}`, "minimum"),
		"a bound with a fraction":  dropped(`{"type": "integer", "minimum": 1.5}`, "minimum"),
		"two lower bounds":         dropped(`{"type": "integer", "minimum": 1, "exclusiveMinimum": 0}`, "exclusiveMinimum"),
		"multipleOf":               dropped(`{"type": "integer", "multipleOf": 2}`, "multipleOf"),
		"any value":                same(`{}`, "Error schema-without-type /properties/a"),
		"a list of all types":      same(`{"type": ["string", "number", "boolean", "object", "array", "null"]}`),
		"a boolean":                same(`true`, "Error boolean-schema /properties/a"),
		"undeclared names":         whole(`{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]}`, "Error required-undeclared /required/0"),
		"a reference":              whole(`{"type": "object", "properties": {"a": {"$ref": "#/$defs/A"}}, "$defs": {"A": {"type": "string"}}}`),
		"a reference to the root":  whole(`{"type": "object", "properties": {"a": {"$ref": "#"}}}`, "Error keyword-rejected /properties/a/$ref"),
		"a reference with an escape": whole(`{"type": "object", "properties": {"a": {"$ref": "#/$defs/A~1B"}}, "$defs": {"A/B": {"type": "string"}}}`,
			"Error keyword-rejected /properties/a/$ref"),
	})
	if place := profile(t, "llama-cpp").Strict.Place; place != Implied {
		t.Errorf("strictness is asked for in place %s", place)
	}
}

func TestToolNamesOfGoogleMCPAndEngines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ profile, name, want string }{
		{"gemini-openapi", "get_order", "no tool-name"},
		{"gemini-openapi", "1st", "Error tool-name /spec/toolName"},
		{"vertex-gemini", "a.b", "no tool-name"},
		{"vertex-gemini", "a:b", "Error tool-name /spec/toolName"},
		{"mcp-2025-06-18", "get_order", "no tool-name"},
		{"mcp-2025-06-18", "get order", "Warning tool-name /spec/toolName"},
		{"mcp-2026-07-28", "get order", "Error tool-name /spec/toolName"},
		{"mcp-2026-07-28", "get.order", "Warning tool-name /spec/toolName"},
		{"vllm-xgrammar", "get.order", "Warning tool-name /spec/toolName"},
		{"llama-cpp", "get_order", "no tool-name"},
	} {
		if complaint := missing(profile(t, c.profile).CheckTool(c.name, "x"), c.want); complaint != "" {
			t.Errorf("%s, %s: %s", c.profile, c.name, complaint)
		}
	}
}

func TestModelsOfGoogleAndEngines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		profile, model string
		want           bool
	}{
		{"gemini-openapi", "gemini-2.5-flash", true},
		{"gemini-openapi", "gemini-2.0-flash", false},
		{"vertex-gemini", "gemini-3-pro-preview", true},
		{"vertex-gemini", "claude-sonnet-4-5", false},
		{"mcp-2026-07-28", "gpt-5.4", false},
		{"vllm-xgrammar", "Qwen/Qwen3-32B", true},
		{"llama-cpp", "llama-3.3-70b", true},
		{"llama-cpp", "qwen3-coder-30b", false},
		{"llama-cpp", "GLM-4.6", false},
	} {
		if got, f := profile(t, c.profile).StrictFor([]string{c.model}); got != c.want {
			t.Errorf("%s, %s: %t (%v)", c.profile, c.model, got, f)
		}
	}
}

// What is really held, beyond the verdicts.
func TestEffectsOfGoogleMCPAndEngines(t *testing.T) {
	t.Parallel()
	type effect struct {
		Objects  OpenObjects
		Patterns PatternAnchoring
		OneOf    OneOfMeaning
	}
	plain := effect{ObjectsKept, PatternsSearch, OneOfExact}
	grammar := effect{ObjectsClosedIfDeclared, PatternsWhole, OneOfAsAnyOf}
	for name, want := range map[string][2]effect{
		"gemini-openapi":     {{ObjectsClosed, PatternsUnknown, OneOfExact}, {ObjectsClosed, PatternsSearch, OneOfExact}},
		"gemini-json-schema": {{ObjectsKept, PatternsUnknown, OneOfAsAnyOf}, plain},
		"vertex-gemini":      {{ObjectsKept, PatternsUnknown, OneOfAsAnyOf}, plain},
		"mcp-2025-06-18":     {plain, plain},
		"mcp-2026-07-28":     {plain, plain},
		"vllm-xgrammar":      {grammar, plain},
		"llama-cpp":          {grammar, grammar},
	} {
		p := profile(t, name)
		of := func(e Effective) effect { return effect{e.OpenObjects, e.Patterns, e.OneOf} }
		if diff := cmp.Diff(want, [2]effect{of(p.Effective.Strict), of(p.Effective.Standard)}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOutputSchemasOfGoogleAndMCP(t *testing.T) {
	t.Parallel()
	const array = `{"type": "array", "items": {"type": "string"}}`
	for name, c := range map[string]struct {
		profile, schema string
		want            []string
	}{
		"any root from 2026-07-28 on":           {"mcp-2026-07-28", array, nil},
		"and a choice":                          {"mcp-2026-07-28", `{"anyOf": [{"type": "string"}, {"type": "null"}]}`, nil},
		"an object before":                      {"mcp-2025-06-18", array, []string{"Error root-not-object /type"}},
		"nothing in the message":                {"gemini-openapi", `{"const": 1}`, nil},
		"Gemini takes any root":                 {"gemini-json-schema", array, nil},
		"and what it does with it costs no one": {"gemini-json-schema", `{"type": "array", "items": {"type": "string", "minLength": 1, "multipleOf": 2}}`, nil},
		"what is not known is left out":         {"gemini-json-schema", `{"type": "object", "properties": {"a": {"const": 1}}}`, []string{"Error keyword-unknown /properties/a/const"}},
		"what is refused is": {
			"vertex-gemini", `{"type": "object", "properties": {"a": {"$ref": "#/$defs/A", "description": "x"}}, "$defs": {"A": {"type": "string"}}}`,
			[]string{"Error ref-siblings /properties/a/$ref"},
		},
		"and a cycle without an end": {
			"gemini-json-schema", `{"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]}`,
			[]string{"Error recursion /properties/a/$ref"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, short(profile(t, c.profile).CheckOutput(schematest.Schema(t, c.schema)))); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// A grammar closes an object that declares members and leaves one open that
// says nothing about them; what stands beside a choice is gone.
func TestEffectiveSchemasOfEngines(t *testing.T) {
	t.Parallel()
	const sent = `{"type":"object","properties":{"o":{"type":"object"},"a":{"minimum":1,"anyOf":[{"type":"string"},{"type":"integer"}]},"p":{"type":"string","pattern":"^a$"}}}`
	const held = `{"type":"object","properties":{"o":{"type":"object"},"a":{"anyOf":[{"type":"string"},{"type":"integer"}]},"p":{"type":"string","pattern":"^a$"}},"additionalProperties":false}`
	for name, wants := range map[string]map[Mode]string{
		"vllm-xgrammar":      {Strict: held, Standard: sent},
		"llama-cpp":          {Strict: held, Standard: held},
		"gemini-json-schema": {Strict: sent, Standard: sent},
	} {
		for mode, want := range wants {
			got, losses := profile(t, name).EffectiveSchema(schematest.Schema(t, sent), mode)
			if diff := cmp.Diff(want, got.JSON()); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", name, mode, diff)
			}
			if want == held && (len(losses) != 1 || losses[0].Pointer != "/properties/a/minimum") {
				t.Errorf("%s, %s: losses %v", name, mode, losses)
			}
		}
	}
}
