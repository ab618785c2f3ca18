// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// setText is a valid set with some lines changed or added.
func setText(name string, replace ...string) string {
	return strings.NewReplacer(append(replace, "NAME", name)...).Replace(`apiVersion: toolcontract.dev/v1alpha1
kind: ToolSet
metadata:
  name: NAME
spec:
  tools:
  - contract: get-order
    channel: "1"
  selectors:
  - labels: {matchLabels: {area: orders}}
    channel: "0.3"
  profiles:
  - profile: openai-responses
`)
}

// TestSets: sets are read with the care that contracts get.
func TestSets(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"a set", setText("desk"), []string{"line 1: /desk"}},
		{"beside a contract", contractText("a") + "---\n" + setText("desk"), []string{"line 1: /a", "line 15: /desk"}},
		{"in a list", "apiVersion: v1\nkind: List\nitems:\n- " + strings.ReplaceAll(strings.TrimSpace(setText("desk")), "\n", "\n  "), []string{"line 4: /desk"}},
		{"as JSON", `{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolSet","metadata":{"name":"s"},"spec":{"tools":[{"contract":"a","version":"1.0.0"}],"profiles":[{"profile":"p"}]}}`, []string{"line 1: /s"}},
		{"another version of the API", setText("desk", "v1alpha1", "v1"), []string{"line 1: /desk", "Error field-value /apiVersion"}},
		{"a name that is no label", setText("De_sk"), []string{"line 1: /De_sk", "Error field-value /metadata/name"}},
		{"the name of a channel", setText("desk-v1"), []string{"line 1: /desk-v1", "Error field-conflict "}},
		{"an unknown field", setText("desk", "  tools:", "  tool:"), []string{"line 1: /desk", "Error unknown-field /spec/tool"}},
		{"no tools", setText("desk", "  tools:\n  - contract: get-order\n    channel: \"1\"\n", "", "  selectors:\n  - labels: {matchLabels: {area: orders}}\n    channel: \"0.3\"\n", ""), []string{"line 1: /desk", "Error field-conflict /spec"}},
		{"no profiles", setText("desk", "  profiles:\n  - profile: openai-responses\n", ""), []string{"line 1: /desk", "Error field-missing /spec/profiles"}},
		{"a profile twice", setText("desk", "  - profile: openai-responses", "  - profile: openai-responses\n  - profile: openai-responses"), []string{"line 1: /desk", "Error list-duplicate /spec/profiles/1"}},
		{"a channel and a version", setText("desk", `channel: "1"`, `channel: "1", version: 1.0.0`, "  - contract: get-order\n    channel: \"1\"", `  - {contract: get-order, channel: "1", version: 1.0.0}`), []string{"line 1: /desk", "Error field-conflict /spec/tools/0"}},
		{"neither", setText("desk", "    channel: \"1\"\n", ""), []string{"line 1: /desk", "Error field-conflict /spec/tools/0"}},
		{"a channel that YAML makes a number", setText("desk", `channel: "1"`, "channel: 1"), []string{"line 1: /desk", "Error field-type /spec/tools/0/channel"}},
		{"a channel that is none", setText("desk", `channel: "1"`, "channel: latest"), []string{"line 1: /desk", "Error field-value /spec/tools/0/channel"}},
		{"a word that is none", setText("desk", "  profiles:", "  onIncompatible: Ignore\n  profiles:"), []string{"line 1: /desk", "Error field-value /spec/onIncompatible"}},
		{"nulls are dropped, as the server drops them", setText("desk", "  profiles:", "  groups: null\n  profiles:"), []string{"line 1: /desk"}},
		{"a profile of providers is passed over", "apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: p}\nspec: {}\n", []string{"line 1: skipped, a ProviderProfile"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, outlines(test.text)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestASetIsDecoded: what is read is what an API server would store, and findings
// know their lines.
func TestASetIsDecoded(t *testing.T) {
	t.Parallel()
	for d := range (Source{Name: "s.yaml", Data: []byte(setText("desk", "  name: desk", "  name: desk\n  namespace: shop"))}).Documents() {
		if !d.IsSet || d.Set == nil || d.Contract != nil || d.Set.Spec.Tools[0].Contract != "get-order" || d.Set.Spec.Selectors[0].Labels.MatchLabels["area"] != "orders" {
			t.Errorf("got %+v", d)
		}
		if got := d.LineOf("/spec/tools/0/channel"); got != 8 {
			t.Errorf("the channel is on line %d", got)
		}
	}
	for d := range (Source{Name: "s.yaml", Data: []byte(setText("desk", `channel: "1"`, "channel: 1"))}).Documents() {
		if !d.IsSet || d.Set != nil || d.LineOf(d.Findings[0].Pointer) != 8 || d.Findings[0].Fix == "" {
			t.Errorf("got %+v", d)
		}
	}
}
