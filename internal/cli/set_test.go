// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/lockfile"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/golden"
	"github.com/toolcontract/operator/pkg/host"
)

// allProfiles is the list of all profiles, which grows.
var allProfiles = regexp.MustCompile(`use one of anthropic-messages(, [a-z0-9-]+)+`)

func TestCheckSets(t *testing.T) {
	t.Parallel()
	got := run("", "check", "testdata/sets.yaml")
	at := strings.Index(got.out, "testdata/sets.yaml:81: set desk\n")
	if got.code != 1 || got.err != "" || at < 0 {
		t.Fatalf("got %+v", got)
	}
	sets, _, _ := strings.Cut(got.out[at:], "\n\n5 contracts, 2 sets, 7 results: ")
	golden.Check(t, "check-set.txt", allProfiles.ReplaceAllString(sets, "use one of (all)")+"\n")

	got = run("", "check", "testdata/sets.yaml", "-o", "json")
	list := resultsWith(t, got.out)
	text, err := json.MarshalIndent(list.Sets, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "check-set.json", allProfiles.ReplaceAllString(string(text), "use one of (all)")+"\n")
	if again := run("", "check", "testdata/sets.yaml", "-o", "json"); again != got || got.code != 1 {
		t.Errorf("two runs differ, or the code is %d", got.code)
	}
}

// setYAML is a set with some lines changed.
func setYAML(name string, lines ...string) string {
	return "---\napiVersion: toolcontract.dev/v1alpha1\nkind: ToolSet\nmetadata:\n  name: " + name + "\nspec:\n" + strings.Join(lines, "\n") + "\n"
}

const mcpProfile = "  profiles: [{profile: mcp-2025-11-25}]"

// findingsOf are the findings of the only set, as "Severity rule pointer".
func findingsOf(t *testing.T, got outcome) []string {
	t.Helper()
	var out []string
	for _, s := range resultsWith(t, got.out).Sets {
		for _, f := range s.Findings {
			out = append(out, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, f.Pointer))
		}
	}
	return out
}

func TestReferencesAmongTheInputs(t *testing.T) {
	t.Parallel()
	contract := contractYAML("get-order")
	inShop := strings.Replace(contract, "name: get-order", "name: get-order\n  namespace: shop", 1)
	allowed := func(text string) string { return inShop + "  allowedNamespaces: " + text + "\n" }
	tests := []struct {
		name, input string
		arguments   []string
		want        []string
		tools       int
	}{
		{"in the namespace of the set", contract + setYAML("s", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile), nil, nil, 1},
		{"a namespace that is the default", contract + setYAML("s", `  tools: [{contract: get-order, namespace: default, channel: "1"}]`, mcpProfile), nil, nil, 1},
		{"a namespace of the command line", inShop + setYAML("s", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile), []string{"-n", "shop"}, nil, 1},
		{"by label", strings.Replace(contract, "name: get-order", "name: get-order\n  labels: {a: b}", 1) + setYAML("s", `  selectors: [{labels: {matchLabels: {a: b}}, channel: "1"}]`, mcpProfile), nil, nil, 1},
		{"by another label", contract + setYAML("s", `  selectors: [{labels: {matchLabels: {a: b}}, channel: "1"}]`, mcpProfile), nil, nil, 0},
		{"by label in another namespace", strings.Replace(inShop, "name: get-order", "name: get-order\n  labels: {a: b}", 1) + setYAML("s", `  selectors: [{labels: {matchLabels: {a: b}}, channel: "1"}]`, mcpProfile), nil, nil, 0},
		{"a selector that is none", contract + setYAML("s", `  selectors: [{labels: {matchExpressions: [{key: a, operator: Like}]}, channel: "1"}]`, mcpProfile), nil, []string{"Error selector-invalid /spec/selectors/0/labels"}, 0},
		{"twice", contract + setYAML("s", `  tools: [{contract: get-order, channel: "1"}, {contract: get-order, version: 1.0.0}]`, mcpProfile), nil, []string{"Warning duplicate-reference /spec/tools/1"}, 1},
		{"not there", setYAML("s", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile), nil, []string{"Info reference-elsewhere /spec/tools/0"}, 0},
		{"another line", contract + setYAML("s", `  tools: [{contract: get-order, channel: "2"}]`, mcpProfile), nil, []string{"Info reference-elsewhere /spec/tools/0"}, 0},
		{"another version", contract + setYAML("s", `  tools: [{contract: get-order, version: 1.0.1}]`, mcpProfile), nil, []string{"Info reference-elsewhere /spec/tools/0"}, 0},
		{"a pre-release by its version", strings.Replace(contract, "1.0.0", "1.0.0-rc.1", 1) + setYAML("s", "  tools: [{contract: get-order, version: 1.0.0-rc.1}]", mcpProfile), nil, nil, 1},
		{"a pre-release on a channel", strings.Replace(contract, "1.0.0", "1.0.0-rc.1", 1) + setYAML("s", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile), nil, []string{"Info reference-elsewhere /spec/tools/0"}, 0},
		{"the higher of two versions", contract + strings.Replace(contract, "1.0.0", "1.10.0", 1) + strings.Replace(contract, "1.0.0", "1.9.0", 1) + setYAML("s", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile), nil, nil, 1},
		{"an invalid contract", strings.Replace(contract, "type: object", "type: objet", 1) + setYAML("s", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile), nil, []string{"Info reference-elsewhere /spec/tools/0"}, 0},
		{"another namespace", inShop + setYAML("s", `  tools: [{contract: get-order, namespace: shop, channel: "1"}]`, mcpProfile), nil, []string{"Error reference-not-permitted /spec/tools/0"}, 0},
		{"another namespace that may", allowed("{from: All}") + setYAML("s", `  tools: [{contract: get-order, namespace: shop, channel: "1"}]`, mcpProfile), nil, nil, 1},
		{"another namespace that may by its labels", allowed("{from: Selector, selector: {matchLabels: {a: b}}}") + setYAML("s", `  tools: [{contract: get-order, namespace: shop, channel: "1"}]`, mcpProfile), nil, []string{"Info reference-namespace /spec/tools/0"}, 1},
		{"a blocked set", contract + setYAML("s", `  tools: [{contract: get-order, channel: "1"}]`, "  profiles: [{profile: gemini-json-schema}]", "  onIncompatible: Block"), nil, []string{"Error tool-excluded /spec/tools/0"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run(test.input, append([]string{"check", "-", "-o", "json"}, test.arguments...)...)
			if diff := cmp.Diff(test.want, findingsOf(t, got)); diff != "" {
				t.Errorf("%s\n%+v", diff, got)
			}
			tools := 0
			for _, tool := range resultsWith(t, got.out).Sets[0].Tools {
				if tool.Included {
					tools++
				}
			}
			if tools != test.tools {
				t.Errorf("the set holds %d tools, want %d", tools, test.tools)
			}
		})
	}
}

// TestASplitIsProposed has more tools than one request may hold: the limit and
// how to split are said.
func TestASplitIsProposed(t *testing.T) {
	t.Parallel()
	var input, refs strings.Builder
	for i := range 140 {
		name := fmt.Sprintf("tool-%03d", i)
		input.WriteString(contractYAML(name, "get_order", fmt.Sprintf("tool_%03d", i), "mcp-2025-11-25", "openai-chat-completions"))
		fmt.Fprintf(&refs, "  - {contract: %s, channel: \"1\"}\n", name)
	}
	set := setYAML("many", "  tools:", strings.TrimRight(refs.String(), "\n"), "  profiles: [{profile: openai-chat-completions}]")
	got := run(input.String()+set, "check", "-")
	if !strings.Contains(got.out, "128 of 140 tools") || !strings.Contains(got.out, "fix: split it into 2 sets: (1) default/tool-000 ") {
		t.Errorf("got %s", got.out[max(0, len(got.out)-3000):])
	}
}

// TestRenderedSets: the folder is that of the operator, so a host loads it, and
// says the name that the operator gives it.
func TestRenderedSets(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	input := contractYAML("get-order") + setYAML("desk", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile)
	got := run(input, "render", "-", "--out", out, "--print-name", "-n", "shop")
	if got.code != 0 || got.err != "" {
		t.Fatalf("got %+v", got)
	}
	set, err := host.LoadSetDir(filepath.Join(out, "shop", "desk.mcp-2025-11-25"))
	if err != nil {
		t.Fatal(err)
	}
	tool, ok := set.Tool("get_order")
	if !ok || tool.Namespace() != "shop" || set.Profile() != "mcp-2025-11-25" {
		t.Errorf("the set holds %+v", set.All())
	}
	name := "desk.mcp-2025-11-25-" + strings.TrimPrefix(set.Digest(), "sha256:")[:8] + "\n"
	if !strings.HasSuffix(got.out, name) || !strings.HasPrefix(got.out, "get-order-v1.0.0-") {
		t.Errorf("the names are %q, want %q", got.out, name)
	}
}

func TestSetsThatAreNotRendered(t *testing.T) {
	t.Parallel()
	set := setYAML("desk", `  tools: [{contract: get-order, channel: "1"}]`, mcpProfile)
	for name, test := range map[string]struct {
		input, want string
		arguments   []string
		code        int
		written     bool
	}{
		"without a directory":       {contractYAML("get-order") + set, "add --out DIR", nil, 2, false},
		"nothing of it is there":    {set, "only the cluster can tell", []string{"--out"}, 1, false},
		"a part of it is not there": {contractYAML("other") + strings.Replace(set, "tools: [", `tools: [{contract: other, channel: "1"}, `, 1), "only the cluster can tell", []string{"--out"}, 1, true},
		"a tool is left out":        {contractYAML("a") + contractYAML("b") + setYAML("desk", `  tools: [{contract: a, channel: "1"}, {contract: b, channel: "1"}]`, mcpProfile), "DuplicateToolName", []string{"--out"}, 1, true},
		"an unknown profile":        {contractYAML("get-order") + strings.Replace(set, "mcp-2025-11-25", "mcp", 1), "there is no profile", []string{"--out"}, 1, false},
		"a set that is not valid":   {contractYAML("get-order") + strings.Replace(set, "channel", "chanel", 1), "there is no such field", []string{"--out"}, 1, false},
		"the same set twice":        {contractYAML("get-order") + set + set, "a set of this name was already written from -:16", []string{"--out"}, 1, true},
		"a namespace that is none":  {contractYAML("get-order") + set, "--namespace \"../x\"", []string{"-n", "../x", "--out"}, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := t.TempDir()
			arguments := append([]string{"render", "-"}, test.arguments...)
			if len(test.arguments) > 0 {
				arguments = append(arguments, out)
			}
			got := run(test.input, arguments...)
			if got.code != test.code || !strings.Contains(got.err, test.want) {
				t.Errorf("got %+v", got)
			}
			_, err := os.Stat(filepath.Join(out, "default", "desk.mcp-2025-11-25", "tools.json"))
			if (err == nil) != test.written {
				t.Errorf("written: %v", err)
			}
		})
	}
}

// TestTheSampleSet is the set that the documentation shows, for every profile of it.
func TestTheSampleSet(t *testing.T) {
	t.Parallel()
	got := run("", "check", "../../config/samples/sets", "../../config/samples/get-order-status.yaml", "../../config/samples/list-open-orders.yaml",
		"../../config/samples/create-refund-draft.yaml", "../../config/samples/submit-refund.yaml", "../../config/samples/get-inventory.yaml",
		"../../config/samples/reserve-inventory.yaml", "-o", "json")
	for _, s := range resultsWith(t, got.out).Sets {
		if _, known := provider.Builtin().Lookup(s.Profile); !known || s.Reason != "Published" || len(s.Tools) < 5 {
			t.Errorf("%s for %s: %s, %d tools, %+v", s.Name, s.Profile, s.Reason, len(s.Tools), s.Findings)
		}
	}
	if got.code != 0 {
		t.Errorf("got the code %d and %s", got.code, got.err)
	}
}

// TestTheSampleSetIsLocked runs the command that the evaluations of the samples
// name: what is refused beside the set does not matter to it.
func TestTheSampleSetIsLocked(t *testing.T) {
	t.Parallel()
	got := run("", "lock", "../../config/samples", "--set", "shop-assistant", "--out", "-")
	lock, err := lockfile.Read(strings.NewReader(got.out))
	if err != nil || got.code != 0 || len(lock.Sets) != 2 || len(lock.Tools) != 6 {
		t.Errorf("got %v, code %d, %s", err, got.code, got.err)
	}
}
