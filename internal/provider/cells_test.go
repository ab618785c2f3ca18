// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"testing"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

func TestEntriesAreComplete(t *testing.T) {
	t.Parallel()
	for _, name := range Builtin().Names() {
		p, _ := Builtin().Lookup(name)
		entries := p.Entries()
		seen := map[Section]map[string]bool{InKeywords: {}, InRootKeywords: {}, InShapes: {}}
		for _, e := range entries {
			if seen[e.Section][e.Name] {
				t.Errorf("%s has two entries %s/%s", name, e.Section, e.Name)
			}
			seen[e.Section][e.Name] = true
			if e.Section != InRootKeywords && (len(e.Strict) == 0 || len(e.Standard) == 0) {
				t.Errorf("%s: the entry %s/%s lacks a mode", name, e.Section, e.Name)
			}
		}
		for i, k := range schema.Keywords() {
			if entries[i].Name != k.Name {
				t.Errorf("%s: entry %d is %s, want %s", name, i, entries[i].Name, k.Name)
			}
		}
		for _, s := range shapeRules {
			if !seen[InShapes][string(s.shape)] {
				t.Errorf("%s has no entry for the shape %s", name, s.shape)
			}
		}
	}
}

func TestOriginOfFindings(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, profile, schema string
		mode                  Mode
		cell                  string
		verdict               Verdict
	}{
		{"a keyword", "openai-responses", `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"},"uniqueItems":true}},"required":["a"],"additionalProperties":false}`, Strict, "/keywords/uniqueItems/strict", Rejected},
		{"a keyword at the root", "openai-responses", `{"type":"object","properties":{},"anyOf":[{"required":["a"]}]}`, Standard, "/rootKeywords/anyOf/standard", Rejected},
		{"an unknown keyword", "openai-responses", `{"type":"object","properties":{"a":{"type":"string","x-b":1}},"required":["a"],"additionalProperties":false}`, Strict, "/keywords/unknown/strict", Rejected},
		{"a shape", "openai-responses", `{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, Strict, "/shapes/OptionalProperty/strict", Rejected},
		{"an open object", "openai-responses", `{"type":"object","properties":{},"required":[]}`, Strict, "/shapes/OpenObject/strict", Rejected},
		{"an object that says that it is open", "openai-responses", `{"type":"object","properties":{},"required":[],"additionalProperties":true}`, Strict, "/keywords/additionalProperties/strict", Rejected},
		{"a verdict that nobody knows", "anthropic-messages", `{"type":"object","properties":{"a":{"type":"object","properties":{},"additionalProperties":false,"maxProperties":2}},"additionalProperties":false}`, Strict, "/keywords/maxProperties/strict", Unknown},
		{"a name of a property", "anthropic-messages", `{"type":"object","properties":{"a b":{"type":"string"}}}`, Standard, "/propertyNames", Rejected},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p, _ := Builtin().Lookup(test.profile)
			s := schematest.Schema(t, test.schema)
			for _, f := range p.CheckSchema(s, test.mode) {
				if got := p.OriginOf(f, s, test.mode); got == (Origin{test.cell, test.verdict}) {
					return
				}
			}
			for _, f := range p.CheckSchema(s, test.mode) {
				t.Errorf("%s comes from %+v", f, p.OriginOf(f, s, test.mode))
			}
		})
	}
}

func TestOriginOfNames(t *testing.T) {
	t.Parallel()
	p, _ := Builtin().Lookup("openai-responses")
	found := p.CheckTool("a.b", "")
	if len(found) == 0 || p.OriginOf(found[0], nil, Standard).Cell != "/toolNames" {
		t.Errorf("got %v", found)
	}
}
