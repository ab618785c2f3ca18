// SPDX-License-Identifier: Apache-2.0

package adapt

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/jsonpatch"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestAPatchIsForTheAuthorsDocumentOrForNone(t *testing.T) {
	t.Parallel()
	adapted := schematest.Value(t, `{"type":"object","properties":{"a":{"type":"string","x":1},"b":{"type":"null"}},"required":["a"],"$defs":{"A":{"items":{}}}}`)
	author := schematest.Value(t, `{"type":"object","properties":{"a":{"type":"string","x":1},"b":{"type":"string"}},"required":["b"],"definitions":{"A":{"items":{}}}}`)
	lead := func(pointer string) string {
		return originsOf([]place{{author: "/definitions", out: "/$defs"}})(pointer)
	}
	one := func(op, from, path string) []finding.Operation {
		return []finding.Operation{{Op: op, From: from, Path: path}}
	}
	cases := map[string]struct{ patch, want []finding.Operation }{
		"what is the same":               {one("remove", "", "/properties/a/x"), one("remove", "", "/properties/a/x")},
		"what is elsewhere":              {one("replace", "", "/$defs/A/items"), one("replace", "", "/definitions/A/items")},
		"a new member":                   {one("add", "", "/$defs/A/type"), one("add", "", "/definitions/A/type")},
		"a new member beside other ones": {one("add", "", "/additionalProperties"), one("add", "", "/additionalProperties")},
		"what has changed":               {one("replace", "", "/properties/b/type"), nil},
		"what was added":                 {one("remove", "", "/properties/b/y"), nil},
		"a member that is there already": {one("add", "", "/definitions"), nil},
		"an element of another list":     {one("add", "", "/required/-"), nil},
		"a move":                         {one("move", "/$defs/A", "/$defs/B"), one("move", "/definitions/A", "/definitions/B")},
		"a move of what is not there":    {one("move", "/x", "/y"), nil},
		"no part of what cannot be done": {append(one("remove", "", "/properties/a/x"), one("add", "", "/required/-")...), nil},
		"nothing":                        {nil, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, authorPatch(c.patch, adapted, author, lead)); diff != "" {
				t.Errorf("patch (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAPatchOutlivesOtherRewrites: that something else was rewritten does not take
// the mechanical fix from a finding.
func TestAPatchOutlivesOtherRewrites(t *testing.T) {
	t.Parallel()
	p, _ := provider.Builtin().Lookup("openai-responses")
	const rest = `"type":"object","properties":{"a":{"type":"string","minLength":1},"b":{"type":"string","enum":["x"]}},"required":["a"]`
	patches := func(text string, findings []finding.Finding) map[string][]finding.Operation {
		out := map[string][]finding.Operation{}
		for _, f := range findings {
			if f.Keyword != "minLength" {
				out[f.Rule+" "+f.Pointer] = f.Patch
				if len(f.Patch) == 0 {
					t.Errorf("%s: %s has no patch", text, f)
				}
			}
		}
		return out
	}
	check := func(text string) map[string][]finding.Operation {
		s, _ := schema.Admit(schematest.Value(t, text))
		r := Schema(s, p, provider.Strict, Keep)
		if len(r.Rewrites) == 0 {
			t.Errorf("%s: nothing was rewritten", text)
		}
		return patches(text, r.Findings)
	}
	s, _ := schema.Admit(schematest.Value(t, "{"+rest+"}"))
	plain := patches(rest, p.CheckSchema(s, provider.Strict))
	if len(plain) < 2 {
		t.Fatalf("got %v", plain)
	}
	for _, text := range []string{"{" + rest + "}", "{" + rest + `,"examples":[{"a":"y"}],"title":"T"}`} {
		if diff := cmp.Diff(plain, check(text)); diff != "" {
			t.Errorf("%s (-as written +rewritten):\n%s", text, diff)
		}
	}
}

// The patches of a result can be applied to what the author wrote, and that is
// still a schema.
func TestPatchesOfResultsFitRealTools(t *testing.T) {
	t.Parallel()
	patches := 0
	for _, file := range corpus.Files(t, "tools/*.jsonl", "tools/npm/*.jsonl") {
		n := 0
		for tool := range corpus.Lines[corpus.Tool](t, file) {
			s, _ := schema.Admit(schematest.Value(t, string(tool.InputSchema)).Without("$schema"))
			if s == nil {
				continue
			}
			if n++; n > 15 { // of one server: their tools are alike
				break
			}
			for _, name := range provider.Builtin().Names() {
				p, _ := provider.Builtin().Lookup(name)
				for _, most := range []Effect{Keep, Narrow, Reshape} {
					for _, f := range Schema(s, p, provider.Strict, most).Findings {
						if len(f.Patch) == 0 {
							continue
						}
						patches++
						root, err := jsonpatch.Apply(s.Root(), f.Patch)
						if err != nil {
							t.Fatalf("%s, %s, %s: %s: %v", tool.Name, name, most, f, err)
						}
						if patched, _ := schema.Admit(root); patched == nil {
							t.Errorf("%s, %s, %s: %s: %+v makes no schema", tool.Name, name, most, f, f.Patch)
						}
					}
				}
			}
		}
	}
	if patches == 0 {
		t.Error("no patch was tried")
	}
	t.Logf("%d patches", patches)
}
