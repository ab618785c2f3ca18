// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/schema"
)

// FuzzFiles reads hostile profile files: whatever they hold, they are refused
// with places or make a profile that can be asked.
func FuzzFiles(f *testing.F) {
	raw, err := embedded.ReadFile("profiles/mcp-2025-11-25.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(strings.Replace(string(raw), "name: mcp-2025-11-25", "name: base", 1))
	f.Add(string(child("base", "mcp-2025-11-25", "Rejected")))
	f.Add(`{"name":"base","extends":"openai-responses","revision":1,"reviewed":"2026-01-01","keywords":[{"names":["x"],"both":[{"when":{"valueIn":[null,1e3]}}]}]}`)
	f.Add("name: base\nkeywords: [{names: [a], both: [{when: {valueMatches: '(a{9}){9}'}}]}]\n")
	f.Add("a: &a [*a]\n<<: *a\n? [b]\n: c\n--- d")
	s, _ := schema.Admit(schema.NewObject(schema.Member{Name: "type", Value: schema.NewString("object")}))
	f.Fuzz(func(t *testing.T, text string) {
		files := map[string][]byte{"base": []byte(text)}
		catalog, broken := Builtin().With(files, []string{"mcp-tool", "openai-responses"})
		if _, again := Builtin().With(files, []string{"mcp-tool", "openai-responses"}); !cmp.Equal(broken, again) {
			t.Fatal(cmp.Diff(broken, again))
		}
		if _, _, found := FromManifest([]byte(text)); len(found) > maxProblems {
			t.Errorf("%d findings on a manifest", len(found))
		}
		for _, b := range broken["base"] {
			if b.Message == "" || b.Fix == "" || len(b.Pointer) > maxFilePointer {
				t.Errorf("%#v", b)
			}
		}
		p, ok := catalog.Lookup("base")
		if ok != (len(broken["base"]) == 0) {
			t.Fatalf("taken: %t, with %v", ok, broken["base"])
		}
		if !ok {
			return
		}
		for _, mode := range modes {
			p.CheckSchema(s, mode)
			p.EffectiveSchema(s, mode)
		}
		if p.Digest() == "" || len(p.Cells()) == 0 {
			t.Error("a profile that was taken says nothing")
		}
	})
}

// FuzzEffectiveSchema writes the effective schema of hostile documents: it can
// always be admitted again.
func FuzzEffectiveSchema(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"oneOf":[{"enum":["x"]},{"$ref":"#/properties/a/oneOf/0"}],"anyOf":[{}],"allOf":[{"not":{}}]}}}`)
	f.Add(`{"oneOf":[{"oneOf":[{"const":"É"}]}],"properties":{"b":{"$ref":"#/oneOf/0/oneOf/0"}},"pattern":"a|b"}`)
	f.Fuzz(func(t *testing.T, text string) {
		root, failed := schema.Parse([]byte(text))
		if failed != nil {
			return
		}
		s, _ := schema.Admit(root)
		if s == nil {
			return
		}
		for _, name := range []string{"llama-cpp", "vllm-xgrammar", "anthropic-messages", "moonshot-chat", "xai-chat"} {
			for _, mode := range modes {
				effective, _ := profile(t, name).EffectiveSchema(s, mode)
				if again, findings := schema.Admit(effective); again == nil {
					t.Errorf("%s, %s: %s\n%v", name, mode, effective.JSON(), findings)
				}
			}
		}
	})
}
