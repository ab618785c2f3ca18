// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/testkit/golden"
)

// profileFacts are members that change with every review of a profile.
var profileFacts = regexp.MustCompile(`"(profileRevision|profileReviewed)": ("[^"]*"|\d+)`)

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, golden string
		arguments    []string
		code         int
	}{
		{"text", "check.txt", []string{"check", "testdata/contracts.yaml"}, 1},
		{"JSON", "check.json", []string{"check", "testdata/contracts.yaml", "-o", "json"}, 1},
		{"profiles of the command line", "check-profile.json", []string{"check", "--profile", "openai-responses:Preferred", "-o", "json", "testdata/contracts.yaml"}, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run("", test.arguments...)
			golden.Check(t, test.golden, profileFacts.ReplaceAllString(got.out, `"$1": "(of the profile)"`))
			if got.code != test.code {
				t.Errorf("got code %d, want %d", got.code, test.code)
			}
			if want := "note: testdata/contracts.yaml:28: not read: a ConfigMap\n"; got.err != want {
				t.Errorf("got the notes %q", got.err)
			}
			if again := run("", test.arguments...); again != got {
				t.Error("two runs on the same input differ")
			}
		})
	}
}

// contractYAML is a valid contract with some lines changed.
func contractYAML(name string, replace ...string) string {
	return strings.NewReplacer(append(replace, "NAME", name)...).Replace(`---
apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata:
  name: NAME
spec:
  version: 1.0.0
  toolName: get_order
  description:
    summary: Gets an order.
  input:
    schema: {type: object, additionalProperties: false}
  targets:
  - profile: mcp-2025-11-25
`)
}

func results(t *testing.T, output string) []result {
	t.Helper()
	return resultsWith(t, output).Results
}

func resultsWith(t *testing.T, output string) resultList {
	t.Helper()
	var list resultList
	decoder := json.NewDecoder(strings.NewReader(output))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&list); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	return list
}

const schemaLine = "schema: {type: object, additionalProperties: false}"

// asText replaces the schema by a JSON text.
func asText(text string) []string { return []string{schemaLine, "schemaText: |-\n      " + text} }

// asObject replaces the schema by its object form.
func asObject(text string) []string { return []string{schemaLine, "schema: " + text} }

// TestBadInput has what an author, a generator or an attacker can put into a
// file. Each gives a finding with a place and a way out, and no other contract
// suffers from it.
func TestBadInput(t *testing.T) {
	t.Parallel()
	const deep = 10_000
	property := func(schema string) string { return `{"type": "object", "properties": {"a": ` + schema + `}}` }
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret.json")
	if err := os.WriteFile(secret, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text, rule, side, pointer string
	}{
		{"a schema that is none", contractYAML("bad", asText(property(`{"type": "strng"}`))...), "invalid-schema", "Input", "/properties/a/type"},
		{"a schema that is no object", contractYAML("bad", asText("[1]")...), "invalid-schema", "Input", ""},
		{"another dialect", contractYAML("bad", asText(`{"$schema": "http://json-schema.org/draft-07/schema#"}`)...), "unsupported-dialect", "Input", "/$schema"},
		{"a remote reference", contractYAML("bad", asText(property(`{"$ref": "https://example.com/s.json"}`))...), "ref-not-local", "Input", "/properties/a/$ref"},
		{"a reference to a file", contractYAML("bad", asText(property(`{"$ref": "file://`+secret+`"}`))...), "ref-not-local", "Input", "/properties/a/$ref"},
		{"a reference to data", contractYAML("bad", asText(property(`{"$ref": "data:application/json,{}"}`))...), "ref-not-local", "Input", "/properties/a/$ref"},
		{"a reference to itself", contractYAML("bad", asText(`{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}`)...), "ref-cycle", "Input", "/$defs/b/$ref"},
		{"a text over the limit", contractYAML("bad", asText(property(`{"description": "`+strings.Repeat("x", 100_000)+`"}`))...), "field-value", "Contract", "/spec/input/schemaText"},
		{"a text over the limit in bytes only", contractYAML("bad", asText(property(`{"description": "`+strings.Repeat("语", 40_000)+`"}`))...), "text-too-large", "Input", ""},
		{"a content over the limit", contractYAML("bad", append(asText(property(`{"description": "`+strings.Repeat("x", 90_000)+`"}`)), "  targets:", "  output:\n    schemaText: '{\"description\": \""+strings.Repeat("x", 90_000)+"\"}'\n  targets:")...), "spec-too-large", "Contract", "/spec"},
		{"deep nesting in text", contractYAML("bad", asText(strings.Repeat(`{"not":`, deep)+"{}"+strings.Repeat("}", deep))...), "nesting-too-deep", "Input", "/not/not"},
		{"deep nesting in YAML", contractYAML("bad", asObject(strings.Repeat("{not: ", deep-5)+"{}"+strings.Repeat("}", deep-5))...), "nesting-too-deep", "Contract", "/spec/input/schema/not/not"},
		{"nesting in YAML that only the schema forbids", contractYAML("bad", asObject(strings.Repeat("{not: ", 150)+"{}"+strings.Repeat("}", 150))...), "nesting-too-deep", "Input", "/not/not"},
		{"a billion laughs of references", contractYAML("bad", asText(referenceLaughs(30))...), "schema-expansion", "Input", ""},
		{"a duplicate key in text", contractYAML("bad", asText(`{"type": "object", "type": "object"}`)...), "duplicate-key", "Input", "/type"},
		{"a duplicate key in YAML", contractYAML("bad", asObject("{type: object, type: object}")...), "duplicate-key", "Contract", "/spec/input/schema/type"},
		{"a comment in text", contractYAML("bad", asText("{\"type\": \"object\" // why\n      }")...), "json-comment", "Input", ""},
		{"a trailing comma in text", contractYAML("bad", asText(`{"type": "object",}`)...), "json-syntax", "Input", ""},
		{"a null member in object form", contractYAML("bad", asObject("{type: object, properties: {a: {default: null}}}")...), "null-in-object-form", "Input", "/properties/a/default"},
		{"a property y in YAML", contractYAML("bad", asObject("{type: object, properties: {x: {type: number}, y: {type: number}}}")...), "yaml-boolean", "Input", "/properties/true"},
		{"an enum with no in YAML", contractYAML("bad", asObject("{type: object, properties: {a: {type: string, enum: [yes, no, maybe]}}}")...), "yaml-boolean", "Input", "/properties/a/enum/0"},
		{"properties y and on in YAML", contractYAML("bad", asObject("{type: object, properties: {y: {}, on: {}}}")...), "duplicate-key", "Contract", "/spec/input/schema/properties/true"},
		{"a huge exponent in text", contractYAML("bad", asText(property(`{"maximum": 1e1000000000}`))...), "number-range", "Input", "/properties/a/maximum"},
		{"a huge exponent in YAML, which is text there", contractYAML("bad", asObject("{type: object, properties: {a: {maximum: 1e400}}}")...), "invalid-schema", "Input", "/properties/a/maximum"},
		{"a huge count", contractYAML("bad", asText(property(`{"minLength": 36028797018963968}`))...), "count-range", "Input", "/properties/a/minLength"},
		{"not a number", contractYAML("bad", asObject("{type: object, properties: {a: {maximum: .nan}}}")...), "number-range", "Contract", "/spec/input/schema/properties/a/maximum"},
		{"infinity", contractYAML("bad", asObject("{type: object, properties: {a: {maximum: -.Inf}}}")...), "number-range", "Contract", "/spec/input/schema/properties/a/maximum"},
		{"a catastrophic pattern", contractYAML("bad", asText(property(`{"pattern": "^(?=(a+)+$)"}`))...), "pattern-cost", "Input", "/properties/a/pattern"},
		{"a pattern that is none", contractYAML("bad", asText(property(`{"pattern": "("}`))...), "pattern-syntax", "Input", "/properties/a/pattern"},
		{"an example that is not valid", contractYAML("bad", schemaLine, schemaLine+"\n    examples: [{value: {a: 1}}]"), "example-invalid", "Contract", "/spec/input/examples/0/value"},
		{"an example that is not JSON", contractYAML("bad", schemaLine, schemaLine+"\n    examples: [{valueText: '{a'}]"), "json-syntax", "Contract", "/spec/input/examples/0/valueText"},
		{"an unknown profile", contractYAML("bad", "mcp-2025-11-25", "no-such-api"), "unknown-profile", "Contract", "/spec/targets/0/profile"},
		{"a YAML bomb", "---\n" + aliasLaughs(12), "yaml-alias-expansion", "Contract", ""},
		{"broken YAML", "---\na: [\n", "yaml-syntax", "Contract", ""},
		{"a path in place of a name", contractYAML("../../etc/passwd"), "field-value", "Contract", "/metadata/name"},
		{"a name with an escape sequence", contractYAML(`"\e[31mred"`), "field-value", "Contract", "/metadata/name"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run(contractYAML("first")+test.text+contractYAML("last"), "check", "-", "-o", "json")
			all := results(t, got.out)
			if got.code != 1 || len(all) != 3 {
				t.Fatalf("got code %d and %d results; %s", got.code, len(all), got.err)
			}
			if all[0].Result != resultCompatible || all[2].Result != resultCompatible {
				t.Errorf("the contracts around it are %s and %s", all[0].Result, all[2].Result)
			}
			if all[1].Result == resultCompatible {
				t.Error("the bad contract is compatible")
			}
			expectFinding(t, all[1].Findings, test.rule, test.side, test.pointer)
			text := run(test.text, "check", "-")
			if text.code != 1 || strings.ContainsAny(text.out, "\x1b\x07") || len(text.out) > 8000 {
				t.Errorf("got code %d and %d bytes of text", text.code, len(text.out))
			}
			if rendered := run(test.text, "render", "-"); rendered.code != 1 || rendered.out != "" {
				t.Errorf("render has code %d and the output %q", rendered.code, rendered.out)
			}
		})
	}
}

// expectFinding demands an error of a rule at a place; every finding must be
// complete. A pointer that is cut for its length may go on.
func expectFinding(t *testing.T, findings []findingView, rule, side, pointer string) {
	t.Helper()
	found := false
	for _, f := range findings {
		if f.Message == "" || (f.Fix == "" && f.Severity != "Info") {
			t.Errorf("incomplete finding: %+v", f)
		}
		at := f.Pointer == pointer || f.Rule == "nesting-too-deep" && strings.HasPrefix(f.Pointer, pointer)
		found = found || f.Severity == "Error" && f.Rule == rule && string(f.Side) == side && at
	}
	if !found {
		t.Errorf("no error %s at %s %q; there is %.600v", rule, side, pointer, findings)
	}
}

// referenceLaughs is a chain of definitions that each refer to the next twice.
func referenceLaughs(levels int) string {
	var b strings.Builder
	b.WriteString(`{"$ref": "#/$defs/l0", "$defs": {`)
	for i := range levels {
		fmt.Fprintf(&b, `"l%d": {"properties": {"a": {"$ref": "#/$defs/l%d"}, "b": {"$ref": "#/$defs/l%d"}}}, `, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"l%d": {}}}`, levels)
	return b.String()
}

// aliasLaughs is a chain of lists that each have ten aliases of the one before.
func aliasLaughs(levels int) string {
	var b strings.Builder
	b.WriteString("l0: &l0 a\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "l%d: &l%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 10), ", "))
	}
	return b.String()
}

func TestInputsThatAreNoText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"a.yaml": contractYAML("good"), "b.yaml": "\x7fELF\x02\x01\x01\x00\x00\x00", "c.yaml": "kind: \xff\xfe", "d.yaml": "", "e.json": "{",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outlineOf := func(arguments ...string) (outline []string, got outcome) {
		got = run("", append([]string{"check", "-o", "json"}, arguments...)...)
		for _, r := range results(t, got.out) {
			line := filepath.Base(r.File) + " " + r.Result
			for _, f := range r.Findings {
				line += " " + f.Rule
			}
			outline = append(outline, line)
		}
		return outline, got
	}
	var named []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		named = append(named, filepath.Join(dir, name))
	}
	outline, got := outlineOf(named...)
	want := []string{"a.yaml Compatible client-compatibility", "b.yaml Invalid yaml-syntax", "c.yaml Invalid text-encoding", "e.json Invalid json-syntax"}
	if diff := cmp.Diff(want, outline); diff != "" || got.code != 1 {
		t.Errorf("code %d: %s", got.code, diff)
	}
	// In a directory, what cannot be read and has none of our words is somebody else's.
	outline, got = outlineOf(dir)
	want = []string{"a.yaml Compatible client-compatibility", "c.yaml Invalid text-encoding"}
	if diff := cmp.Diff(want, outline); diff != "" || strings.Count(got.err, "not about ours") != 2 {
		t.Errorf("%s: %s", got.err, diff)
	}
}

// TestADirectoryMayBeARepository: of what belongs to others only the first are
// named, and a contract that is broken is an error as ever.
func TestADirectoryMayBeARepository(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files := map[string]string{
		"broken.yaml": "apiVersion: toolcontract.dev/v1alpha1\n kind: x", "typo.yaml": "apiVersion: toolcontracts/v1\nkind: ToolContract\n",
		"good.yaml": contractYAML("good"), "profile.yaml": "apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata: {name: p}\n",
		"chart/templates/a.yaml": "{{ if .Values.a }}\na: 1\n---\n{{ end }}\n", "z.yaml": "kind: Service", "node_modules/x/package.json": "{", ".git/x.yaml": "{{", "..2026/good.yaml": contractYAML("good"),
	}
	for i := range 20 {
		files[fmt.Sprintf("other-%02d.yaml", i)] = "kind: Deployment"
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := run("", "check", dir, "-o", "json")
	var outline []string
	for _, r := range results(t, got.out) {
		outline = append(outline, filepath.Base(r.File)+" "+r.Result)
	}
	if diff := cmp.Diff([]string{"broken.yaml Invalid", "good.yaml Compatible", "typo.yaml Invalid"}, outline); diff != "" {
		t.Error(diff)
	}
	lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(got.err, dir+"/", "")), "\n")
	if diff := cmp.Diff([]string{
		"note: chart/templates/a.yaml:1: not read: not readable as Kubernetes objects, and not about ours",
		"note: chart/templates/a.yaml:4: not read: not readable as Kubernetes objects, and not about ours",
		"note: other-00.yaml:1: not read: a Deployment",
		"note: profile.yaml:1: not read: a ProviderProfile",
		"note: and 20 more documents of other kinds",
	}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestAnUnreadableInputHidesNothing(t *testing.T) {
	t.Parallel()
	got := run(contractYAML("good"), "check", "testdata/missing.yaml", "-", "-o", "json")
	if all := results(t, got.out); got.code != 2 || len(all) != 1 || all[0].Result != resultCompatible {
		t.Errorf("got code %d and %s", got.code, got.out)
	}
}

func TestTheOwnTargetFillsInWhatTheFlagLeavesOpen(t *testing.T) {
	t.Parallel()
	text := contractYAML("own", "profile: mcp-2025-11-25", "profile: openai-responses\n    strict: Disabled\n    adaptation: Keep")
	tests := []struct{ flag, asked string }{
		{"openai-responses", "Disabled"},
		{"openai-responses:Required", "Required"},
		{"anthropic-messages", "Preferred"},
	}
	for _, test := range tests {
		t.Run(test.flag, func(t *testing.T) {
			t.Parallel()
			got := run(text, "check", "-", "-o", "json", "--profile", test.flag)
			if asked := results(t, got.out)[0].Strict.Asked; string(asked) != test.asked {
				t.Errorf("asked is %s, want %s", asked, test.asked)
			}
		})
	}
}

func TestPointersToTargetsOfTheCommandLineLeadToTheContract(t *testing.T) {
	t.Parallel()
	text := contractYAML("own", "  - profile: mcp-2025-11-25", "  - profile: openai-responses\n  - profile: mcp-2025-11-25")
	tests := []struct{ name, text, pointer string }{
		{"to its own target of that profile", text, "/spec/targets/1/strict"},
		{"to the list if it has none", contractYAML("own", "mcp-2025-11-25", "openai-responses"), "/spec/targets"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run(test.text, "check", "-", "-o", "json", "--profile", "mcp-2025-11-25:Required")
			r := results(t, got.out)[0]
			expectFinding(t, r.Findings, "no-strict-mode", "Contract", test.pointer)
		})
	}
}

func TestMechanicalFixesArePatches(t *testing.T) {
	t.Parallel()
	text := contractYAML("a", append(asText(`{"type": "object", "properties": {"b": {"type": ["string", "null"]}}, "required": []}`),
		"mcp-2025-11-25", "openai-responses\n    strict: Required\n    adaptation: Keep")...)
	got := run(text, "check", "-", "-o", "json")
	patches := map[string]string{}
	for _, f := range results(t, got.out)[0].Findings {
		for _, o := range f.Patch {
			patches[f.Rule] += o.Op + " " + o.Path + " " + string(o.Value)
		}
	}
	want := map[string]string{"object-not-closed": "add /additionalProperties false", "property-not-required": `add /required/- "b"`}
	if diff := cmp.Diff(want, patches); diff != "" {
		t.Error(diff)
	}
	shown := run(text, "check", "-")
	for _, line := range []string{"patch: add /additionalProperties = false\n", "patch: add /required/- = \"b\"\n"} {
		if !strings.Contains(shown.out, line) {
			t.Errorf("the text has no %q: %s", line, shown.out)
		}
	}
}

func TestPatchHint(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	tests := []struct {
		name  string
		patch []finding.Operation
		want  string
	}{
		{"a value", []finding.Operation{{Op: "add", Path: "/a", Value: []byte("1")}}, "add /a = 1"},
		{"no value", []finding.Operation{{Op: "remove", Path: "/a"}}, "remove /a"},
		{"a move", []finding.Operation{{Op: "move", From: "/a", Path: "/b"}}, "move /a to /b"},
		{"more", []finding.Operation{{Op: "remove", Path: "/a"}, {Op: "remove", Path: "/b"}, {Op: "remove", Path: "/c"}}, "remove /a, remove /b and 1 more, see -o json"},
		{"a long value", []finding.Operation{{Op: "add", Path: "/a", Value: []byte(long)}}, "add /a = " + long[:57] + "…"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := patchHint(test.patch); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
