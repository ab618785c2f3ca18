// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
)

// typesGuide has a table of what each API takes, and contracts with what becomes
// of them.
const typesGuide = "../../docs/guides/tool-types.md"

// typesTable is the table of the guide.
func typesTable() string {
	var out strings.Builder
	out.WriteString("| profile | FreeForm | BuiltIn | MCP |\n|---|---|---|---|\n")
	for _, name := range builtin.Names() {
		p, _ := builtin.Lookup(name)
		freeForm, builtIn, server := "a function, by `fallback`", "–", "–"
		if f := p.ToolTypes.FreeForm; f != nil {
			freeForm = strings.Join(f.Syntaxes, ", ")
		}
		if n := len(p.BuiltInTypes()); n > 0 {
			builtIn = fmt.Sprintf("%d types", n)
		}
		switch m := p.ToolTypes.MCP; {
		case p.WireFormat == "mcp-tool":
			server = "what a server lists"
		case m != nil && m.Approval:
			server = "an entry of the request; the API asks before a call"
		case m != nil:
			server = "an entry of the request; nobody is asked"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", name, freeForm, builtIn, server)
	}
	return out.String()
}

// TestTheGuideToTypesHolds: its table is what the profiles say, its contracts are
// published, and each rendering that it shows is that of the contract before it.
func TestTheGuideToTypesHolds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(typesGuide)
	if err != nil {
		t.Fatal(err)
	}
	guide := string(text)
	if table := typesTable(); !strings.Contains(guide, table) {
		t.Errorf("the table of the guide is not this one:\n%s", table)
	}
	var e *evaluate.Evaluation
	types, renderings := map[v1alpha1.ToolType]bool{}, 0
	for _, block := range regexp.MustCompile("(?s)(?:`([a-z0-9-]+)`:\n\n)?```(yaml|json)\n(.*?)```").FindAllStringSubmatch(guide, -1) {
		profile, language, content := block[1], block[2], block[3]
		if language == "yaml" {
			var c v1alpha1.ToolContract
			if err := yaml.UnmarshalStrict([]byte(content), &c); err != nil {
				t.Fatalf("%v:\n%s", err, content)
			}
			e = evaluateFirst(&c)
			if !e.Publishable() {
				t.Errorf("%s is not published: %v %v", c.Name, e.Findings, e.Blocking())
			}
			types[c.Spec.Type] = true
			continue
		}
		renderings++
		var want, got any
		if err := json.Unmarshal([]byte(content), &want); err != nil {
			t.Fatalf("%v:\n%s", err, content)
		}
		published := e.Bundle.Files[profile+".json"]
		if err := json.Unmarshal([]byte(published), &got); err != nil {
			t.Fatalf("%s: %v", profile, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-guide +published):\n%s", profile, diff)
		}
	}
	if len(types) != 3 || renderings < 6 {
		t.Errorf("the guide shows %d types and %d renderings", len(types), renderings)
	}
}

// TestTheGuideToTypesKnowsTheFindings: every rule about types has a row, and no
// other.
func TestTheGuideToTypesKnowsTheFindings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(typesGuide)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, rule := range []string{
		provider.RuleTypeUnsupported, provider.RuleGrammarUnsupported, provider.RuleBuiltInSettings, provider.RuleBuiltInName,
		evaluate.RuleTypeFallback, evaluate.RuleGrammarLost, evaluate.RuleNeverStrict, evaluate.RuleServerName,
		evaluate.RuleTypeFields, evaluate.RuleExecutionUnsaid, evaluate.RuleGrammar, evaluate.RuleHostNeeded,
	} {
		want[rule] = true
	}
	got := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\| (?:Error|Warning|Info)").FindAllStringSubmatch(string(text), -1) {
		got[row[1]] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-rules +guide):\n%s", diff)
	}
}
