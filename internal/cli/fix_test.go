// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/example"
	"github.com/toolcontract/operator/internal/lint"
)

// fixable is a contract with one thing that can be fixed safely, in a text and in
// YAML, and one that cannot.
const fixable = `# A contract.
apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: get-order}  # short
spec:
    version: 1.0.0
    toolName: get_order
    description:
        summary: 'Gets an order.'
    input:
        schema:
            type: object   # always
            properties:
                # The order.
                order_id: {type: string}
            required: [order_id]
    output:
        schema: {type: object, properties: {state: {type: string, example: sent}}}
    targets:
        - profile: openai-responses
          strict: required
          adaptation: Keep
        - profile: gemini-json-schema
          strict: Disabled
`

func TestFixCommand(t *testing.T) {
	t.Parallel()
	safe := strings.NewReplacer("example: sent", "examples: [sent]", "strict: required", "strict: Required").Replace(fixable)
	all := strings.Replace(safe, "            required: [order_id]\n", "            required: [order_id]\n            additionalProperties: false\n", 1)
	for name, c := range map[string]struct {
		stdin     string
		arguments []string
		code      int
		out, err  string
	}{
		"what keeps the meaning":   {fixable, nil, 1, safe, "2 fixes, 1 file changed; the others need a person"},
		"what changes it":          {fixable, []string{"--unsafe"}, 0, all, "3 fixes, 1 file changed\n"},
		"one rule":                 {fixable, []string{"--rule", "example-keyword", "--rule", "field-value"}, 0, safe, "2 fixes"},
		"nothing is left":          {all, []string{"--unsafe"}, 0, all, "0 fixes, 0 files changed\n"},
		"a rule that says nothing": {fixable, []string{"--rule", "nothing"}, 0, fixable, "0 fixes"},
		"Windows and a mark":       {"\ufeff" + strings.ReplaceAll(fixable, "\n", "\r\n"), []string{"--unsafe"}, 0, "\ufeff" + strings.ReplaceAll(all, "\n", "\r\n"), "3 fixes"},
		"between others": {
			"kind: Secret\n--- # next\n" + fixable + "---\na: [\n", []string{"--unsafe"}, 0, "kind: Secret\n--- # next\n" + all + "---\na: [\n", "3 fixes",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(c.stdin, append([]string{"fix", "-"}, c.arguments...)...)
			if got.code != c.code || !strings.Contains(got.err, c.err) {
				t.Errorf("code %d: %s", got.code, got.err)
			}
			if diff := cmp.Diff(c.out, got.out); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestFixWritesFiles: a dry run changes nothing and shows all, the file behind a
// link is written and keeps its permissions.
func TestFixWritesFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file, link := filepath.Join(dir, "real"), filepath.Join(dir, "link.yaml")
	if err := os.WriteFile(file, []byte(fixable), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	dry := run("", "fix", "--unsafe", "--dry-run", link)
	if dry.code != 1 || !strings.Contains(dry.out, "-          strict: required\n+          strict: Required\n") || !strings.Contains(dry.out, "+            additionalProperties: false\n") {
		t.Errorf("got %+v", dry)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != fixable {
		t.Fatalf("%v: the dry run has changed the file", err)
	}
	if got := run("", "fix", "--unsafe", link); got.code != 0 || !strings.Contains(got.out, "Fixed "+link+": ToolContract get-order input schema (root)") {
		t.Errorf("got %+v", got)
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v: %v", err, info)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("%v: the link is one no more", err)
	}
	if checked := run("", "check", link); checked.code != 0 {
		t.Errorf("what is fixed has errors: %s", checked.out)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".toolcontract-*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

// TestReadOnlyFilesStay: neither fix nor fmt replaces a file that may not be written.
func TestReadOnlyFilesStay(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte(fixable), 0o444); err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"fix", "fmt"} {
		if got := run("", verb, file); got.code != exitUsage || !strings.Contains(got.err, "is read-only; make it writable first") {
			t.Errorf("%s: %+v", verb, got)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != fixable {
		t.Errorf("%v: the file has changed", err)
	}
}

// TestFixTwiceIsFixOnce goes over every contract of the repository, in YAML and with
// all that it does not know how to fix.
func TestFixTwiceIsFixOnce(t *testing.T) {
	t.Parallel()
	fixed := 0
	for _, dir := range []string{"../../config/samples", "../../test/catalogue", "testdata"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		refused, _ := filepath.Glob(filepath.Join(dir, "refused", "*.yaml"))
		older, _ := filepath.Glob(filepath.Join(dir, "refused", "versions", "*.yaml"))
		if files = append(append(files, refused...), older...); err != nil || len(files) == 0 {
			t.Fatalf("%v: no contracts in %s", err, dir)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, flag := range []string{"--color=never", "--unsafe"} {
				once := run(string(text), "fix", "-", flag)
				if once.out != string(text) {
					fixed++
				}
				twice := run(once.out, "fix", "-", flag)
				if diff := cmp.Diff(once.out, twice.out); diff != "" {
					t.Errorf("%s %s: %s", file, flag, diff)
				}
				if comments(string(text)) != comments(once.out) {
					t.Errorf("%s %s: a comment is lost", file, flag)
				}
			}
		}
	}
	if fixed < 6 {
		t.Errorf("only %d texts had something to fix", fixed)
	}
}

// TestFixTwiceIsFixOnceForLint goes over what each lint rule finds, laid out as an
// author would.
func TestFixTwiceIsFixOnceForLint(t *testing.T) {
	t.Parallel()
	n, fixed := 0, 0
	for _, r := range lint.Rules() {
		for _, e := range r.Examples {
			specs, err := example.Specs(e, e.Bad)
			if err != nil {
				t.Fatalf("%s: %v", r.ID, err)
			}
			for _, spec := range specs {
				manifest := `{"apiVersion": "toolcontract.dev/v1alpha1", "kind": "ToolContract", "metadata": {"name": "bad"}, "spec": {"targets": [{"profile": "openai-responses", "strict": "Required", "adaptation": "Keep"}, {"profile": "gemini-json-schema", "strict": "Disabled"}],` + spec[1:] + "}"
				asYAML, err := yaml.JSONToYAML([]byte(manifest))
				if err != nil {
					t.Fatal(err)
				}
				for _, text := range []string{manifest, string(asYAML)} {
					n++
					once := run(text, "fix", "-", "--unsafe")
					if once.code == exitUsage || once.out == "" {
						t.Fatalf("%s: %+v", r.ID, once)
					}
					if once.out != text {
						fixed++
					}
					twice := run(once.out, "fix", "-", "--unsafe")
					if diff := cmp.Diff(once.out, twice.out); diff != "" {
						t.Errorf("%s in %s: %s", r.ID, e.Language, diff)
					}
				}
			}
		}
	}
	t.Logf("%d texts, %d fixed", n, fixed)
	if n < 100 || fixed < 2 {
		t.Errorf("only %d texts, %d of them with something to fix", n, fixed)
	}
}

// comments counts the lines that are comments.
func comments(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			n++
		}
	}
	return n
}
