// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/schema"
)

// runAt runs the program on a day.
func runAt(now time.Time, stdin string, arguments ...string) outcome {
	var out, err bytes.Buffer
	p := Program{Name: "toolcontract", Version: "v0.0.0-test", In: strings.NewReader(stdin), Out: &out, Err: &err, Now: func() time.Time { return now }}
	code := p.Run(arguments)
	return outcome{code, out.String(), err.String()}
}

func TestProfilesAreListed(t *testing.T) {
	t.Parallel()
	now := time.Date(2027, 3, 1, 23, 59, 0, 0, time.UTC)
	text, asJSON := runAt(now, "", "profiles"), runAt(now, "", "profiles", "-o", "json")
	var list profileList
	if err := json.Unmarshal([]byte(asJSON.out), &list); err != nil || asJSON.code != 0 || text.code != 0 {
		t.Fatalf("codes %d and %d, %v", text.code, asJSON.code, err)
	}
	names := provider.Builtin().Names()
	rows := strings.Split(strings.TrimSpace(text.out), "\n")
	if len(list.Profiles) != len(names) || len(rows) != len(names)+1 {
		t.Fatalf("there are %d profiles, %d in JSON, %d rows", len(names), len(list.Profiles), len(rows))
	}
	for i, s := range list.Profiles {
		if s.Name != names[i] || s.Digest == "" || s.Renderer < 1 || s.Revision < 1 {
			t.Errorf("got %+v", s)
		}
		reviewed, err := time.Parse(time.DateOnly, s.Reviewed)
		if want := int(now.Truncate(24*time.Hour).Sub(reviewed).Hours() / 24); err != nil || s.AgeDays != want {
			t.Errorf("%s has the age %d, want %d", s.Name, s.AgeDays, want)
		}
		if row := rows[i+1]; !strings.HasPrefix(row, s.Name+" ") || !strings.HasSuffix(row, s.Reviewed+"  "+plural(s.AgeDays, "day")) {
			t.Errorf("got the row %q", row)
		}
	}
}

func TestEveryProfileIsExplained(t *testing.T) {
	t.Parallel()
	for _, name := range provider.Builtin().Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, _ := provider.Builtin().Lookup(name)
			text, asJSON := run("", "profiles", name), run("", "profiles", name, "-o", "json")
			var e explanation
			decoder := json.NewDecoder(strings.NewReader(asJSON.out))
			decoder.DisallowUnknownFields()
			if err := decoder.Decode(&e); err != nil || asJSON.code != 0 || text.code != 0 {
				t.Fatalf("codes %d and %d, %v", text.code, asJSON.code, err)
			}
			for _, k := range schema.Keywords() {
				if view := e.Keywords[k.Name]; len(view.Strict) == 0 || len(view.Standard) == 0 {
					t.Errorf("JSON has no verdict on %s", k.Name)
				}
				if !strings.Contains(text.out, "\n  "+k.Name+"\n    strict   ") {
					t.Errorf("the text has no verdict on %s", k.Name)
				}
			}
			for _, s := range p.Sources {
				if !strings.Contains(text.out, "  "+s.Key+": ") {
					t.Errorf("the text does not have the source %s", s.Key)
				}
			}
			if got, want := len(e.ToolTypes.BuiltIn), len(p.ToolTypes.BuiltIn); got != want {
				t.Errorf("JSON has %d tools of the API, want %d", got, want)
			}
			for _, kind := range p.BuiltInTypes() {
				if !strings.Contains(text.out, " "+kind) {
					t.Errorf("the text does not have the tool %s", kind)
				}
			}
			if takes := p.ToolTypes.MCP != nil; takes != strings.Contains(text.out, "calls servers by itself") {
				t.Errorf("the text says wrongly whether servers are called: %v", !takes)
			}
			for _, entry := range p.Entries() {
				for _, c := range entry.Strict {
					if c.When != nil && !strings.Contains(text.out, condition(c.When)) {
						t.Errorf("the text does not have the condition %s", condition(c.When))
					}
				}
			}
			if strings.Contains(text.out, `\u003c`) || strings.Contains(asJSON.out, `\u003c`) {
				t.Error("characters are escaped for HTML")
			}
		})
	}
}

func TestAgesOfProfilesAreSaidAndAreNoFindings(t *testing.T) {
	t.Parallel()
	reviewed := func() time.Time {
		p, _ := provider.Builtin().Lookup("mcp-2025-11-25")
		day, err := time.Parse(time.DateOnly, p.Reviewed)
		if err != nil {
			t.Fatal(err)
		}
		return day
	}()
	young, old := reviewed.AddDate(0, 0, 90), reviewed.AddDate(0, 0, 91)
	line := "profile mcp-2025-11-25 was last compared with its sources 91 days ago, on " + reviewed.Format(time.DateOnly) + "\n"
	if got := runAt(young, contractYAML("a"), "check", "-"); got.code != 0 || strings.Contains(got.out, "compared") {
		t.Errorf("got %+v", got)
	}
	got := runAt(old, contractYAML("a")+contractYAML("b"), "check", "-")
	if got.code != 0 || strings.Count(got.out, line) != 1 || strings.Contains(got.out, "openai") {
		t.Errorf("got %+v", got)
	}
	if a, b := runAt(young, contractYAML("a"), "check", "-", "-o", "json"), runAt(old, contractYAML("a"), "check", "-", "-o", "json"); a != b {
		t.Errorf("the day changes the results: %s, %s", a.out, b.out)
	} else if r := results(t, a.out)[0]; r.Reviewed != reviewed.Format(time.DateOnly) || r.Revision < 1 {
		t.Errorf("got %+v", r)
	}
}

// gateway is a profile file of a gateway that takes shorter names.
const gateway = `name: gateway
extends: openai-chat-completions
title: Our gateway
provider: Example
api: Chat Completions
wireFormat: openai-chat-completions
revision: 1
reviewed: "2026-11-01"
sources:
- {key: runbook, title: Runbook, url: "https://wiki.example.com/gateway", date: "2026-11-01"}
toolNames:
- {pattern: "^[a-z_]+$", maxLength: 8, severity: Error, confidence: High, sources: [runbook]}
`

// asManifest is the same facts as an object of a cluster.
func asManifest(file string) string {
	lines := strings.Split(strings.TrimSpace(file), "\n")
	return "apiVersion: toolcontract.dev/v1alpha1\nkind: ProviderProfile\nmetadata:\n  name: " + strings.TrimPrefix(lines[0], "name: ") +
		"\nspec:\n  " + strings.Join(lines[1:], "\n  ") + "\n"
}

func profileDir(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestProfilesOfADirectory(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"a profile file":      {"gateway.yaml": gateway, "README.md": "not a profile"},
		"a manifest":          {"anything.yml": asManifest(gateway)},
		"both, for two names": {"gateway.yaml": gateway, "other.yaml": asManifest(strings.ReplaceAll(gateway, "name: gateway", "name: other"))},
		"a file of the other": {"gateway.yaml": "name: gateway\nextends: base\ntitle: Our gateway\nrevision: 1\nreviewed: \"2026-11-01\"\n", "base.yaml": strings.ReplaceAll(gateway, "name: gateway", "name: base")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := profileDir(t, files)
			if got := run("", "profiles", "--profile-dir", dir); got.code != 0 || !strings.Contains(got.out, "\ngateway ") || !strings.Contains(got.out, "\nopenai-responses ") {
				t.Errorf("the list is %+v", got)
			}
			got := run(contractYAML("a"), "check", "-", "--profile-dir", dir, "--profile", "gateway", "-o", "json")
			if got.code != 1 {
				t.Fatalf("got %+v", got)
			}
			expectFinding(t, results(t, got.out)[0].Findings, "tool-name", "Contract", "/spec/toolName")
			fitting := contractYAML("a", "get_order", "get", "mcp-2025-11-25", "gateway")
			if got := run(fitting, "check", "-", "--profile-dir", dir); got.code != 0 {
				t.Errorf("the contract's own target gives %+v", got)
			}
			if got := run(fitting, "render", "-", "--profile-dir", dir); got.code != 0 || !strings.Contains(got.out, `"function"`) {
				t.Errorf("render gives %+v", got)
			}
			api := newFakeAPI(t)
			probed := (&probing{stdin: fitting}).run("probe", "-", "--profile-dir", dir, "--profile", "gateway", "--model", "gpt-5", "--base-url", api.URL+"/v1", "--key-env", "GATEWAY_API_KEY")
			if probed.code != 0 || lines(t, probed.out)[0].Profile != "gateway" {
				t.Errorf("probe gives %+v", probed)
			}
		})
	}
}

func TestAProfileOfADirectoryTakesThePlaceOfABuiltInOne(t *testing.T) {
	t.Parallel()
	dir := profileDir(t, map[string]string{"openai-responses.yaml": strings.NewReplacer(
		"name: gateway", "name: openai-responses", "extends: openai-chat-completions", "extends: openai-responses",
		"wireFormat: openai-chat-completions", "wireFormat: openai-responses").Replace(gateway)})
	got := run(contractYAML("a"), "check", "-", "--profile-dir", dir, "--profile", "openai-responses", "-o", "json")
	expectFinding(t, results(t, got.out)[0].Findings, "tool-name", "Contract", "/spec/toolName")
}

func TestAPipeIsNoProfile(t *testing.T) {
	t.Parallel()
	dir := profileDir(t, map[string]string{"gateway.yaml": gateway})
	if err := syscall.Mkfifo(filepath.Join(dir, "x.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run("", "profiles", "--profile-dir", dir) // opening it would wait for a writer
	if got.code != 2 || !strings.Contains(got.err, "x.yaml: it is not a regular file") {
		t.Errorf("got %+v", got)
	}
}

func TestBrokenProfilesOfADirectory(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files map[string]string
		err   []string
	}{
		{
			"every problem of every file",
			map[string]string{
				"a.yaml": strings.NewReplacer("name: gateway", "name: a", "revision: 1", "revision: 0", "maxLength: 8", "maxLength: eight").Replace(gateway),
				"b.yaml": "name: b\nextends: nowhere\n",
			},
			[]string{"a.yaml: Error /revision: ", "a.yaml: Error /toolNames/0/maxLength: ", "b.yaml: Error /extends: "},
		},
		{"a manifest has its own pointers", map[string]string{"x.yaml": asManifest(strings.Replace(gateway, "revision: 1", "revision: 0", 1))}, []string{"x.yaml: Error /spec/revision: "}},
		{"a manifest that is none", map[string]string{"x.yaml": "kind: ProviderProfile\n"}, []string{"x.yaml: Error "}},
		{"a name that is not the file's", map[string]string{"other.yaml": gateway}, []string{"other.yaml: Error /name: "}},
		{"a wire format that is none", map[string]string{"gateway.yaml": strings.Replace(gateway, "wireFormat: openai-chat-completions", "wireFormat: morse", 1)}, []string{"gateway.yaml: Error /wireFormat: "}},
		{"one profile twice", map[string]string{"gateway.yaml": gateway, "x.yaml": asManifest(gateway)}, []string{`x.yaml: the profile "gateway" is also in `}},
		{"no YAML", map[string]string{"gateway.yaml": "a: ["}, []string{"gateway.yaml: Error (root): "}},
		{"nothing", map[string]string{"README.md": "x"}, []string{"there is no *.yaml, *.yml or *.json in it"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := profileDir(t, test.files)
			for _, command := range [][]string{{"profiles"}, {"check", "-"}, {"render", "-"}, {"probe", "-", "--profile", "openai-responses", "--model", "m"}} {
				got := run(contractYAML("a"), append(command, "--profile-dir", dir)...)
				if got.code != 2 || got.out != "" {
					t.Errorf("%s: got %+v", command[0], got)
				}
				for _, want := range test.err {
					if !strings.Contains(got.err, want) {
						t.Errorf("%s: there is no %q in %s", command[0], want, got.err)
					}
				}
			}
		})
	}
	for target, want := range map[string]string{
		os.DevNull: "x.yaml: it is not a regular file, nor a link to one, and is not opened", "nowhere": "x.yaml: reading profile: stat ",
	} {
		dir := t.TempDir()
		if err := os.Symlink(target, filepath.Join(dir, "x.yaml")); err != nil {
			t.Fatal(err)
		}
		if got := run("", "profiles", "--profile-dir", dir); got.code != 2 || !strings.Contains(got.err, want) {
			t.Errorf("a link to %s: got %+v", target, got)
		}
	}
	if got := run("", "profiles", "--profile-dir", "testdata/missing"); got.code != 2 || !strings.Contains(got.err, "no such file") {
		t.Errorf("got %+v", got)
	}
}
