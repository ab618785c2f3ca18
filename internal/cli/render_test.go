// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/publish"
)

// tree is every file below a directory with its content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func names(files map[string]string) []string {
	out := []string{}
	for name := range files {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func TestRenderToStandardOutput(t *testing.T) {
	t.Parallel()
	want := `{"name":"get_order","description":"Gets an order.","inputSchema":{"type":"object","additionalProperties":false},` +
		`"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true},` +
		`"_meta":{"toolcontract.dev/contract":"a","toolcontract.dev/version":"1.0.0",` +
		`"toolcontract.dev/digest":"sha256:b40ad6572a1235ec3486d946c1ef1bd435b346458abd9864cfe6d4945c32c544"}}` + "\n"
	tests := []struct {
		name      string
		text      string
		arguments []string
	}{
		{"the only target of the contract", contractYAML("a"), nil},
		{"one profile of the command line", contractYAML("a", "mcp-2025-11-25", "openai-responses"), []string{"--profile", "mcp-2025-11-25:Disabled"}},
		{"one that is a target of several", contractYAML("a", "  - profile: mcp", "  - profile: openai-responses\n  - profile: mcp"), []string{"--profile", "mcp-2025-11-25"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run(test.text, append([]string{"render", "-"}, test.arguments...)...)
			if diff := cmp.Diff(outcome{out: want}, got, cmp.AllowUnexported(outcome{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRenderOfMoreNeedsADirectory(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		arguments  []string
	}{
		{"two contracts", contractYAML("a") + contractYAML("b"), nil},
		{"two targets", contractYAML("a", "  - profile: mcp", "  - profile: openai-responses\n  - profile: mcp"), nil},
		{"two profiles of the command line", contractYAML("a"), []string{"--profile", "openai-responses", "--profile", "mcp-2025-11-25"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run(test.text, append([]string{"render", "-"}, test.arguments...)...)
			if got.code != 2 || got.out != "" || !strings.Contains(got.err, "add --out DIR") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestRenderToADirectory(t *testing.T) {
	t.Parallel()
	exclude := "profile: mcp-2025-11-25\n  - profile: openai-responses\n    strict: Required\n    onIncompatible: Exclude"
	block := strings.Replace(exclude, "Exclude", "Block", 1)
	mapped := strings.Replace(schemaLine, "additionalProperties: false", "additionalProperties: {type: string}", 1)
	tests := []struct {
		name      string
		text      string
		arguments []string
		code      int
		files     []string
		err       string
	}{
		{"all targets with the host's view", contractYAML("a", "metadata:", "metadata:\n  namespace: shop") + contractYAML("b"), nil, 0, []string{
			"default/b/audit.schema.json", "default/b/contract.json", "default/b/index.json", "default/b/mcp-2025-11-25.json", "default/b/result.schema.json",
			"shop/a/audit.schema.json", "shop/a/contract.json", "shop/a/index.json", "shop/a/mcp-2025-11-25.json", "shop/a/result.schema.json",
		}, ""},
		{"profiles of the command line stand for themselves", contractYAML("a"), []string{"--profile", "openai-responses", "--profile", "anthropic-messages"}, 0, []string{
			"default/a/anthropic-messages.json", "default/a/openai-responses.json",
		}, ""},
		{
			"nothing is left where every target is excluded", contractYAML("a", schemaLine, mapped, "profile: mcp-2025-11-25", strings.TrimPrefix(exclude, "profile: mcp-2025-11-25\n  - ")), nil, 1,
			[]string{},
			"-:2: a: nothing is written, because every target in /spec/targets is left out: correct the schema",
		},
		{"an excluded target is left out", contractYAML("a", schemaLine, mapped, "profile: mcp-2025-11-25", exclude), nil, 1, []string{
			"default/a/audit.schema.json", "default/a/contract.json", "default/a/index.json", "default/a/mcp-2025-11-25.json", "default/a/result.schema.json",
		}, "-:2: a: openai-responses cannot take it and is left out (onIncompatible: Exclude)"},
		{"a blocking target keeps the contract back, and no other one", contractYAML("a", schemaLine, mapped, "profile: mcp-2025-11-25", block) + contractYAML("b"), nil, 1, []string{
			"default/b/audit.schema.json", "default/b/contract.json", "default/b/index.json", "default/b/mcp-2025-11-25.json", "default/b/result.schema.json",
		}, "openai-responses cannot take it and blocks the others"},
		{"a refused profile keeps no other one back", contractYAML("a", schemaLine, mapped), []string{"--profile", "openai-responses:Required", "--profile", "mcp-2025-11-25"}, 1, []string{
			"default/a/mcp-2025-11-25.json",
		}, "openai-responses cannot take it\n  line 12: Error input schema /additionalProperties"},
		{"an invalid contract is refused", contractYAML("../a") + contractYAML("b"), nil, 1, []string{
			"default/b/audit.schema.json", "default/b/contract.json", "default/b/index.json", "default/b/mcp-2025-11-25.json", "default/b/result.schema.json",
		}, "it is not valid"},
		{"a second contract of the same name is refused", contractYAML("a") + contractYAML("a", "1.0.0", "2.0.0"), nil, 1, []string{
			"default/a/audit.schema.json", "default/a/contract.json", "default/a/index.json", "default/a/mcp-2025-11-25.json", "default/a/result.schema.json",
		}, "a contract of this name was already written from -:2"},
		{"an unreadable input hides nothing", contractYAML("a"), []string{"testdata/missing.yaml"}, 2, []string{
			"default/a/audit.schema.json", "default/a/contract.json", "default/a/index.json", "default/a/mcp-2025-11-25.json", "default/a/result.schema.json",
		}, "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "out")
			got := run(test.text, append([]string{"render", "-", "--out", dir}, test.arguments...)...)
			if got.code != test.code || got.out != "" || !strings.Contains(got.err, test.err) {
				t.Errorf("got %+v", got)
			}
			if diff := cmp.Diff(test.files, names(tree(t, filepath.Dir(dir))), cmp.Transformer("below", func(files []string) []string {
				out := make([]string, len(files))
				for i, f := range files {
					out[i] = strings.TrimPrefix(f, "out/")
				}
				return out
			})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRenderedFilesAgree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	stale := filepath.Join(dir, "default", "a", "gone-api.json")
	if err := os.MkdirAll(filepath.Dir(stale), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stale, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := run(contractYAML("a"), "render", "-", "--out", dir, "--print-name")
	files := tree(t, filepath.Join(dir, "default", "a"))
	index := files["index.json"]
	sum := sha256.Sum256([]byte(index))
	if want := "a-v1.0.0-" + hex.EncodeToString(sum[:])[:8] + "\n"; got.out != want {
		t.Errorf("got the name %q, want %q", got.out, want)
	}
	for _, name := range []string{"contract.json", "mcp-2025-11-25.json"} {
		sum := sha256.Sum256([]byte(files[name]))
		if !strings.Contains(index, hex.EncodeToString(sum[:])) {
			t.Errorf("the index has no digest of %s: %s", name, index)
		}
	}
	if want := "note: " + stale + " is in the directory and no part of what was rendered\n"; got.err != want {
		t.Errorf("got %q, want %q", got.err, want)
	}
	if again := run(contractYAML("a"), "render", "-", "--print-name"); again.out != got.out || again.code != 0 {
		t.Errorf("a second run has the name %q", again.out)
	}
}

func TestPrintNameIsOneLinePerContract(t *testing.T) {
	t.Parallel()
	got := run(contractYAML("b")+contractYAML("bad name")+contractYAML("a", "1.0.0", "2.0.0-rc.1"), "render", "-", "--print-name")
	lines := strings.Split(got.out, "\n")
	if got.code != 1 || len(lines) != 3 || !strings.HasPrefix(lines[0], "b-v1.0.0-") || !strings.HasPrefix(lines[1], "a-v2.0.0-rc.1-") {
		t.Errorf("got %+v", got)
	}
}

func TestRenderIntoAFileIsAnError(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(contractYAML("a"), "render", "-", "--out", file); got.code != 2 || !strings.Contains(got.err, "writing renderings: ") {
		t.Errorf("got %+v", got)
	}
}

// TestABundleOverTheLimitIsRefused makes the finding itself: the schemas of a
// contract within its own limits are too small for a ConfigMap to overflow
// with the profiles there are.
func TestABundleOverTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	var out, complaints bytes.Buffer
	p := &Program{Err: &complaints, profiles: provider.Builtin(), out: bufio.NewWriter(&out)}
	for d := range (manifest.Source{Name: "a.yaml", Data: []byte(contractYAML("a"))}).Documents() {
		j := p.judge(d, nil)
		j.findings = append(j.findings, tooLarge(&publish.TooLargeError{Bytes: 1 << 20, Largest: []string{"contract.json (1048000)"}}))
		if r := j.results()[0]; r.Result != resultInvalid || r.Findings[0].Rule != "bundle-too-large" {
			t.Errorf("check says %+v", r)
		}
		job := &renderJob{p: p}
		job.contract(j)
		if job.code != exitFindings || out.Len() != 0 || !strings.Contains(complaints.String(), "the largest are contract.json (1048000)") {
			t.Errorf("render has code %d, output %q and says %s", job.code, out.String(), complaints.String())
		}
	}
}
