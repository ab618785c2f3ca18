// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/lockfile"
	"github.com/toolcontract/operator/internal/schema"
)

// lockInput are two contracts and a set of both for two profiles.
func lockInput(replace ...string) string {
	second := contractYAML("submit-refund", "get_order", "submit_refund")
	text := contractYAML("get-order") + second +
		setYAML("desk", `  tools: [{contract: get-order, channel: "1"}, {contract: submit-refund, channel: "1"}]`, "  profiles: [{profile: mcp-2025-11-25}, {profile: openai-responses}]")
	return strings.NewReplacer(replace...).Replace(strings.ReplaceAll(text, "  - profile: mcp-2025-11-25\n", "  - profile: mcp-2025-11-25\n  - profile: openai-responses\n"))
}

// locked writes the lock and what is rendered.
func locked(t *testing.T, input string) (lock, rendered string) {
	t.Helper()
	dir := t.TempDir()
	lock, rendered = filepath.Join(dir, lockfile.FileName), filepath.Join(dir, "rendered")
	if got := run(input, "render", "-", "--out", rendered); got.code != 0 {
		t.Fatalf("got %+v", got)
	}
	if got := run(input, "lock", "-", "--out", lock); got != (outcome{}) {
		t.Fatalf("got %+v", got)
	}
	return lock, rendered
}

func TestLockNamesWhatIsRendered(t *testing.T) {
	t.Parallel()
	path, rendered := locked(t, lockInput())
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lock, err := lockfile.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(lock.Tools) != 2 || len(lock.Sets) != 2 || lock.Tools[0].ToolName != "get_order" || lock.Tools[0].Namespace != "default" {
		t.Fatalf("got %+v", lock)
	}
	digest := func(elements ...string) string {
		data, err := os.ReadFile(filepath.Join(append([]string{rendered, "default"}, elements...)...))
		if err != nil {
			t.Fatal(err)
		}
		return schema.DigestBytes(data)
	}
	for _, tool := range lock.Tools {
		got := map[string]string{"index.json": tool.Digest}
		for profile, d := range tool.Renderings {
			got[profile+".json"] = d
		}
		maps.Copy(got, tool.Files)
		if len(got) != 6 {
			t.Errorf("the lock of %s has %v", tool.Contract, got)
		}
		for name, d := range got {
			if d != digest(tool.Contract, name) {
				t.Errorf("%s of %s has another digest", name, tool.Contract)
			}
		}
	}
	for _, set := range lock.Sets {
		if set.Digest != digest(set.Name+"."+set.Profile, "index.json") || set.Files["tools.json"] != digest(set.Name+"."+set.Profile, "tools.json") || len(set.Files) != 3 {
			t.Errorf("the lock has %+v", set)
		}
		if len(set.Tools) != 2 || set.Tools[1].ContentDigest != lock.Tools[1].ContentDigest {
			t.Errorf("the set %s holds %+v", set.Profile, set.Tools)
		}
	}
	again := run(lockInput(), "lock", "-", "--out", "-")
	text, err := os.ReadFile(path)
	if err != nil || again.out != string(text) || again.code != 0 {
		t.Errorf("two locks differ, or %v", err)
	}
	// What is mounted is the same, but says no namespace of a tool's folder.
	mounted := run("", "lock", "--mounted", rendered, "--out", "-")
	if diff := cmp.Diff(strings.Count(again.out, "sha256:"), strings.Count(mounted.out, "sha256:")); diff != "" || mounted.code != 0 {
		t.Errorf("%s: %+v", diff, mounted)
	}
}

func TestLockOfOneSet(t *testing.T) {
	t.Parallel()
	input := lockInput() + contractYAML("other") + contractYAML("broken", "type: object", "type: objet")
	got := run(input, "lock", "-", "--set", "desk", "--out", "-")
	var lock lockfile.Lock
	if err := json.Unmarshal([]byte(got.out), &lock); err != nil || got.code != 0 {
		t.Fatalf("%v: %+v", err, got)
	}
	if len(lock.Tools) != 2 || len(lock.Sets) != 2 {
		t.Errorf("got %+v", lock)
	}
	if again := run(input, "lock", "-", "--set", "default/desk", "--set", "desk", "--out", "-"); again != got {
		t.Errorf("its full name locks something else: %+v", again)
	}
}

// TestWhatIsNotLocked: a lock of a part would be taken for one of all.
func TestWhatIsNotLocked(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		input, want string
		arguments   []string
		code        int
	}{
		"an invalid contract":      {contractYAML("a", "type: object", "type: objet"), "it is not valid", []string{"-"}, 1},
		"an incompatible contract": {contractYAML("a", "mcp-2025-11-25", "openai-responses\n    strict: Required", "additionalProperties: false", "additionalProperties: {}"), "cannot take it and blocks the others", []string{"-"}, 1},
		"only excluded targets":    {contractYAML("a", "mcp-2025-11-25", "openai-responses\n    strict: Required\n    onIncompatible: Exclude", "additionalProperties: false", "additionalProperties: {}"), "every target in /spec/targets is left out", []string{"-"}, 1},
		"two versions":             {contractYAML("a") + contractYAML("a", "1.0.0", "1.1.0"), "default/a is among the inputs twice", []string{"-"}, 1},
		"a reference to elsewhere": {setYAML("s", `  tools: [{contract: a, channel: "1"}]`, mcpProfile), "only the cluster can tell", []string{"-"}, 1},
		"a set that is not valid":  {setYAML("s", `  tools: [{contract: a}]`, mcpProfile), "set exactly one of channel and version", []string{"-"}, 1},
		"a tool that is left out":  {contractYAML("a") + contractYAML("b") + setYAML("s", `  tools: [{contract: a, channel: "1"}, {contract: b, channel: "1"}]`, mcpProfile), "DuplicateToolName", []string{"-"}, 1},
		"an unknown set":           {lockInput(), `there is no ToolSet "dosk"`, []string{"-", "--set", "dosk"}, 2},
		"nothing":                  {"", "name a file", nil, 2},
		"manifests and mounts":     {lockInput(), "leave manifests and --set out", []string{"-", "--mounted", "."}, 2},
		"nothing mounted":          {"", "no published folder is there", []string{"--mounted", "testdata"}, 2},
		"no such directory":        {"", "no such file", []string{"--mounted", "testdata/missing"}, 2},
		"a place that cannot be":   {lockInput(), "writing the lock: ", []string{"-", "--out", "testdata/missing/lock.json"}, 2},
		"a namespace that is none": {lockInput(), "--namespace", []string{"-", "-n", "A"}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arguments := append([]string{"lock"}, test.arguments...)
			if !strings.Contains(strings.Join(arguments, " "), "--out") {
				arguments = append(arguments, "--out", "-")
			}
			if got := run(test.input, arguments...); got.code != test.code || got.out != "" || !strings.Contains(got.err, test.want) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestVerify(t *testing.T) {
	t.Parallel()
	write := func(t *testing.T, elements ...string) {
		t.Helper()
		path := filepath.Join(elements[:len(elements)-1]...)
		if err := os.WriteFile(path, []byte(elements[len(elements)-1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const version = "1.0.0"
	for name, test := range map[string]struct {
		// change does something to what is rendered.
		change func(t *testing.T, rendered string)
		dir    string // below what is rendered
		part   bool
		want   []string // lines, up to the digests
		code   int
	}{
		"the same":           {nil, "", false, []string{"2 tools, 2 sets: 0 differences"}, 0},
		"a folder of a tool": {nil, "default/get-order", false, []string{"1 tool, 0 sets: 0 differences"}, 0},
		"a folder of a set":  {nil, "default/desk.openai-responses", false, []string{"0 tools, 1 set: 0 differences"}, 0},
		"a file that was changed": {func(t *testing.T, dir string) {
			t.Helper()
			write(t, dir, "default", "get-order", "openai-responses.json", "{}\n")
		}, "", false, []string{
			"default/get-order/openai-responses.json: it has the digest [other-bytes]", "2 tools, 2 sets: 1 difference",
		}, 1},
		"a file of others": {func(t *testing.T, dir string) {
			t.Helper()
			write(t, dir, "default", "get-order", "x\x1b[2J.json", "{}")
		}, "", false, []string{
			`default/get-order/x\x1b[2J.json: index.json does not name it: it was put there by somebody else [extra]`, "2 tools, 2 sets: 1 difference",
		}, 1},
		"another version": {func(t *testing.T, dir string) {
			t.Helper()
			if got := run(lockInput(version, "1.1.0"), "render", "-", "--out", dir); got.code != 0 {
				t.Fatal(got)
			}
		}, "", false, []string{
			"default/desk.mcp-2025-11-25: default/get-order is there in version 1.1.0, and 1.0.0 is locked [other-version]",
			"default/desk.mcp-2025-11-25: default/submit-refund is there in version 1.1.0, and 1.0.0 is locked [other-version]",
			"default/desk.openai-responses: default/get-order is there in version 1.1.0, and 1.0.0 is locked [other-version]",
			"default/desk.openai-responses: default/submit-refund is there in version 1.1.0, and 1.0.0 is locked [other-version]",
			"default/get-order: default/get-order is there in version 1.1.0, and 1.0.0 is locked [other-version]",
			"default/submit-refund: default/submit-refund is there in version 1.1.0, and 1.0.0 is locked [other-version]",
			"2 tools, 2 sets: 6 differences",
		}, 1},
		"other bytes": {func(t *testing.T, dir string) {
			t.Helper()
			if got := run(lockInput("  - profile: openai-responses", "  - profile: openai-responses\n    strict: Disabled"), "render", "-", "--out", dir); got.code != 0 {
				t.Fatal(got)
			}
		}, "default/get-order", false, []string{
			"openai-responses.json: the content of the tools is the same and the bytes are not: they are [other-bytes]",
			"contract.json: the content of the tools is the same and the bytes are not: they are [other-bytes]", "1 tool, 0 sets: 2 differences",
		}, 1},
		"a set that is missing": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.RemoveAll(filepath.Join(dir, "default", "desk.openai-responses")); err != nil {
				t.Fatal(err)
			}
		}, "", false, []string{"default/desk.openai-responses: the set is locked for openai-responses, and is not there [missing]", "2 tools, 1 set: 1 difference"}, 1},
		"a part": {func(t *testing.T, dir string) {
			t.Helper()
			if err := os.RemoveAll(filepath.Join(dir, "default", "desk.openai-responses")); err != nil {
				t.Fatal(err)
			}
		}, "", true, []string{"2 tools, 1 set: 0 differences"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lock, rendered := locked(t, lockInput())
			if test.change != nil {
				test.change(t, rendered)
			}
			arguments := []string{"verify", filepath.Join(rendered, test.dir), "--lock", lock}
			if test.part {
				arguments = append(arguments, "--part")
			}
			got := run("", arguments...)
			var out []string
			for line := range strings.Lines(strings.TrimSuffix(got.out, "\n")) {
				line = strings.TrimSuffix(line, "\n")
				if at := strings.Index(line, " sha256:"); at > 0 {
					line = line[:at] + line[strings.LastIndex(line, " ["):]
				}
				out = append(out, line)
			}
			if diff := cmp.Diff(test.want, out); diff != "" || got.code != test.code || got.err != "" {
				t.Errorf("%s%+v", diff, got)
			}
			asJSON := run("", append(arguments, "-o", "json")...)
			var list verified
			if err := json.Unmarshal([]byte(asJSON.out), &list); err != nil || len(list.Differences) != len(test.want)-1 || asJSON.code != test.code {
				t.Errorf("%v: %+v", err, asJSON)
			}
			fits(t, outputSchemaOf(t, "verify"), asJSON.out)
		})
	}
}

// TestVerifyWithoutALock holds folders to themselves: also that a host can load
// them, which no digest says.
func TestVerifyWithoutALock(t *testing.T) {
	t.Parallel()
	_, rendered := locked(t, lockInput())
	if got := run("", "verify", rendered); got.code != 0 || got.out != "2 tools, 2 sets: 0 differences\n" {
		t.Errorf("got %+v", got)
	}
	dir := t.TempDir()
	contract := `{"contract":"a","version":"1.0.0","targets":[]}`
	index := `{"files":{"contract.json":"` + schema.DigestBytes([]byte(contract)) + `"}}`
	for name, text := range map[string]string{"contract.json": contract, "index.json": index} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := run("", "verify", dir); got.code != 1 || !strings.HasPrefix(got.out, ".: no host can load it: loading tool: contract.json has the form ") {
		t.Errorf("got %+v", got)
	}
}

func TestVerifyUsage(t *testing.T) {
	t.Parallel()
	lock, rendered := locked(t, lockInput())
	if err := os.WriteFile(lock, []byte(`{"schemaVersion":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, arguments := range map[string][]string{
		"name one directory":            {},
		"no such file or directory":     {"testdata/missing"},
		"no published folder is there":  {"testdata"},
		`there is no output format "x"`: {rendered, "-o", "x"},
		"--part is about a lock":        {rendered, "--part"},
		`its schemaVersion is "x"`:      {rendered, "--lock", lock},
		"reading the lock: open":        {rendered, "--lock", "testdata/missing"},
	} {
		if got := run("", append([]string{"verify"}, arguments...)...); got.code != 2 || !strings.Contains(got.err, want) || got.out != "" {
			t.Errorf("%v: got %+v", arguments, got)
		}
	}
}
