// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// odd is an API that reads schemas as none should.
func odd(t *testing.T, effective string, dropped ...string) *Profile {
	t.Helper()
	changes := []string{
		"  standard:\n    openObjects: Kept\n    patterns: Search\n    enums: Exact\n    oneOf: Exact\n", "  standard:\n" + effective,
	}
	if len(dropped) > 0 {
		text := ""
		for _, d := range dropped {
			name, when, _ := strings.Cut(d, " ")
			text += "- names: [" + name + "]\n  standard:\n"
			if when != "" {
				text += "  - {when: " + when + ", verdict: Dropped, confidence: High, sources: [mcp-schema]}\n  - {verdict: Accepted, confidence: High, sources: [mcp-schema]}\n"
				continue
			}
			text += "  - {verdict: Dropped, confidence: High, sources: [mcp-schema]}\n"
		}
		c, broken := Builtin().With(map[string][]byte{"odd": []byte(
			"name: odd\nextends: mcp-2025-11-25\ntitle: Odd API\nrevision: 1\nreviewed: \"2026-11-30\"\neffective:\n  standard:\n" + effective +
				"    confidence: High\n    sources: [mcp-specification]\nkeywords:\n" + text)}, allFormats)
		if len(broken) > 0 {
			t.Fatal(broken)
		}
		p, _ := c.Lookup("odd")
		return p
	}
	return gateway(t, changes...)
}

const (
	asSent = "    openObjects: Kept\n    patterns: Search\n    enums: Exact\n    oneOf: Exact\n"
	asOdd  = "    openObjects: Closed\n    patterns: WholeText\n    enums: AnyCase\n    oneOf: AsAnyOf\n"
)

func TestEffectiveSchemas(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		effective    string
		dropped      []string
		schema, want string   // "" for the same value
		losses       []string // pointers
	}{
		"nothing differs": {asSent, nil, `{"type":"object","properties":{"a":{"pattern":"a","enum":["A"],"oneOf":[{},{}]}}}`, "", nil},
		"nothing applies": {asOdd, nil, `{"type":"string"}`, "", nil},
		"a constraint is dropped, an annotation too": {
			asSent,
			[]string{"minLength", "title"},
			`{"type":"object","title":"T","properties":{"title":{"minLength":1,"maxLength":2}}}`, `{"type":"object","properties":{"title":{"maxLength":2}}}`,
			[]string{"/properties/title/minLength"},
		},
		"what is dropped in some places": {
			asSent,
			[]string{"type {has: [enum]}"},
			`{"type":"object","properties":{"a":{"type":"string","enum":["a",null]}}}`, `{"type":"object","properties":{"a":{"enum":["a",null]}}}`,
			[]string{"/properties/a/type"},
		},
		"definitions stay, a reference into what is dropped goes": {
			asSent,
			[]string{"not", "$defs"},
			`{"$defs":{"A":{"not":{"type":"null"}}},"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/A/not"}}}`,
			`{"$defs":{"A":{}},"properties":{"a":{"$ref":"#/$defs/A"},"b":{}}}`,
			[]string{"/$defs/A/not", "/properties/b/$ref"},
		},
		"objects are closed": {
			"    openObjects: Closed\n    patterns: Search\n    enums: Exact\n    oneOf: Exact\n", nil,
			`{"type":["object","null"],"properties":{"a":{"additionalProperties":true,"properties":{}},"b":{"anyOf":[{"type":"object"}]},"c":{"type":"array"}}}`,
			`{"type":["object","null"],"properties":{"a":{"additionalProperties":true,"properties":{}},"b":{"anyOf":[{"type":"object","additionalProperties":false}]},"c":{"type":"array"}},"additionalProperties":false}`,
			nil,
		},
		"patterns are whole": {
			"    openObjects: Kept\n    patterns: WholeText\n    enums: Exact\n    oneOf: Exact\n", nil,
			`{"properties":{"a":{"pattern":"a|b"},"b":{"pattern":"^a$"},"c":{"pattern":"^a|b$"}}}`,
			`{"properties":{"a":{"pattern":"^(?:a|b)$"},"b":{"pattern":"^a$"},"c":{"pattern":"^(?:^a|b$)$"}}}`, nil,
		},
		"members match in any case": {
			"    openObjects: Kept\n    patterns: Search\n    enums: AnyCase\n    oneOf: Exact\n", nil,
			`{"properties":{"a":{"type":"string","enum":["a.1","é","2",3]},"b":{"enum":["1"]},"c":{"const":"x","anyOf":[{}]}}}`,
			`{"properties":{"a":{"type":"string","anyOf":[{"enum":["a.1","é","2",3]},{"type":"string","pattern":"^(?:[aA]\\.1|[éÉ])$"}]},"b":{"enum":["1"]},` +
				`"c":{"anyOf":[{}],"allOf":[{"anyOf":[{"const":"x"},{"type":"string","pattern":"^(?:[xX])$"}]}]}}}`,
			[]string{"/properties/a/enum", "/properties/c/const"},
		},
		"oneOf is anyOf, and references follow": {
			"    openObjects: Kept\n    patterns: Search\n    enums: Exact\n    oneOf: AsAnyOf\n", nil,
			`{"properties":{"a/b %":{"oneOf":[{"type":"null"},{"oneOf":[{"type":"string"}]}]},"c":{"$ref":"#/properties/a~1b%20%25/oneOf/1/oneOf/0"},"d":{"$ref":"#/properties/c"}}}`,
			`{"properties":{"a/b %":{"anyOf":[{"type":"null"},{"anyOf":[{"type":"string"}]}]},"c":{"$ref":"#/properties/a~1b%20%25/anyOf/1/anyOf/0"},"d":{"$ref":"#/properties/c"}}}`,
			[]string{"/properties/a~1b %/oneOf"},
		},
		"oneOf beside anyOf, allOf and an enum": {
			asOdd, nil,
			`{"properties":{"a":{"allOf":[{}],"anyOf":[{}],"oneOf":[{"type":"null"}],"enum":["x"]},"b":{"$ref":"#/properties/a/oneOf/0"}}}`,
			`{"properties":{"a":{"allOf":[{},{"anyOf":[{"type":"null"}]},{"anyOf":[{"enum":["x"]},{"type":"string","pattern":"^(?:[xX])$"}]}],"anyOf":[{}]},` +
				`"b":{"$ref":"#/properties/a/allOf/1/anyOf/0"}},"additionalProperties":false}`,
			[]string{"/properties/a/enum"},
		},
		"oneOf beside an enum": {
			"    openObjects: Kept\n    patterns: Search\n    enums: AnyCase\n    oneOf: AsAnyOf\n", nil,
			`{"properties":{"a":{"oneOf":[{"type":"null"}],"enum":["x"]},"b":{"$ref":"#/properties/a/oneOf/0"}}}`,
			`{"properties":{"a":{"anyOf":[{"type":"null"}],"allOf":[{"anyOf":[{"enum":["x"]},{"type":"string","pattern":"^(?:[xX])$"}]}]},"b":{"$ref":"#/properties/a/anyOf/0"}}}`,
			[]string{"/properties/a/enum"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := schematest.Schema(t, c.schema)
			root, losses := odd(t, c.effective, c.dropped...).EffectiveSchema(s, Standard)
			if c.want == "" {
				if root != s.Root() || len(losses) > 0 {
					t.Errorf("got %s, losses %v", root.JSON(), losses)
				}
				return
			}
			if !root.Equal(schematest.Value(t, c.want)) {
				t.Errorf("got  %s\nwant %s", root.JSON(), c.want)
			}
			if a, _ := schema.Admit(root); a == nil {
				t.Error("it is no schema any more")
			}
			var places []string
			for _, l := range losses {
				places = append(places, l.Pointer)
				if l.Keyword == "" || !strings.Contains(l.Message, "API") && !strings.Contains(l.Message, "Protocol") {
					t.Errorf("%+v", l)
				}
			}
			if diff := cmp.Diff(c.losses, places); diff != "" {
				t.Errorf("losses (-want +got):\n%s", diff)
			}
		})
	}
}

// A value that is shared between two places is judged in each.
func TestEffectiveSchemasOfSharedValues(t *testing.T) {
	t.Parallel()
	shared := schematest.Value(t, `{"oneOf":[{"type":"string"}]}`)
	properties := schema.NewObject(schema.Member{Name: "a", Value: shared}, schema.Member{Name: "b", Value: shared},
		schema.Member{Name: "c", Value: schematest.Value(t, `{"$ref":"#/properties/a/oneOf/0"}`)})
	s, findings := schema.Admit(schema.NewObject(schema.Member{Name: "properties", Value: properties}))
	if s == nil {
		t.Fatal(findings)
	}
	root, _ := odd(t, "    openObjects: Kept\n    patterns: Search\n    enums: Exact\n    oneOf: AsAnyOf\n").EffectiveSchema(s, Standard)
	want := `{"properties":{"a":{"anyOf":[{"type":"string"}]},"b":{"anyOf":[{"type":"string"}]},"c":{"$ref":"#/properties/a/anyOf/0"}}}`
	if root.JSON() != want {
		t.Errorf("got %s", root.JSON())
	}
}

func TestACaseIsThatOfOneCharacter(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"aZ9": "[aA][Zz]9", "k": "[k\u212aK]", "a-b": "[aA]-[bB]", "x/y": `[xX]\/[yY]`, "ß": "[ßẞ]", "": "",
		`^$\.*+?()[]{}|`: `\^\$\\\.\*\+\?\(\)\[\]\{\}\|`,
	} {
		if got, _ := caseless(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// The effective schema of a real tool can be admitted and compiled like any
// other. Where there is no loss it admits nothing that was not sent.
func TestEffectiveSchemasOfRealTools(t *testing.T) {
	t.Parallel()
	changed, lossy, proven := 0, 0, 0
	for _, file := range corpus.Files(t, "tools/*.jsonl", "tools/npm/*.jsonl") {
		n := 0
		for tool := range corpus.Lines[corpus.Tool](t, file) {
			s := admittedReal(t, tool.InputSchema)
			if s == nil {
				continue
			}
			if n++; n > 8 { // of one server: their tools are alike
				break
			}
			if _, findings := s.Compile(); findings != nil {
				continue
			}
			for _, name := range Builtin().Names() {
				for _, mode := range modes {
					root, losses := profile(t, name).EffectiveSchema(s, mode)
					if len(losses) > 0 {
						lossy++
					}
					if root == s.Root() {
						continue
					}
					changed++
					where := fmt.Sprintf("%s of %s, %s %s", tool.Name, file, name, mode)
					effective, findings := schema.Admit(root)
					if effective == nil {
						t.Fatalf("%s: %v", where, findings)
					}
					if _, findings := effective.Compile(); findings != nil {
						t.Fatalf("%s: %v", where, findings)
					}
					if len(losses) > 0 || n > 5 {
						continue
					}
					switch r := contain.Contains(effective, s); r.Answer {
					case contain.Refuted:
						t.Errorf("%s admits %s, and no loss says so: %s", where, r.Witness.JSON(), r.Reason)
					case contain.Proven:
						proven++
					default:
					}
				}
			}
		}
	}
	if changed == 0 || lossy == 0 || proven == 0 {
		t.Errorf("%d changed, %d with losses", changed, lossy)
	}
	t.Logf("%d effective schemas differ, %d admit more, %d are proven to admit less", changed, lossy, proven)
}
