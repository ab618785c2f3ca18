// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/importer"
	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

const untidy = `# head
kind: ToolContract
apiVersion: toolcontract.dev/v1alpha1
spec:
    targets:
        -   adaptation: Keep   
            profile: openai-responses
    # names
    toolName: get_order
    version: 1.0.0
    input:
        schema: {required: [z], type: object, properties: {z: {type: string}, a: {type: string}}}
    description:
        summary: Gets an order.
metadata:
    labels: {b: c}
    name: get-order
---
kind: ConfigMap
data:
    x:   1
`

const tidy1 = `apiVersion: toolcontract.dev/v1alpha1
# head
kind: ToolContract
metadata:
  name: get-order
  labels: {b: c}
spec:
  version: 1.0.0
  # names
  toolName: get_order
  description:
    summary: Gets an order.
  input:
    schema: {required: [z], type: object, properties: {z: {type: string}, a: {type: string}}}
  targets:
    - profile: openai-responses
      adaptation: Keep
---
kind: ConfigMap
data:
    x:   1
`

func TestFmtCommand(t *testing.T) {
	t.Parallel()
	got := run(untidy, "fmt", "-")
	if diff := cmp.Diff(tidy1, got.out); diff != "" || got.code != 0 {
		t.Errorf("code %d, %s: %s", got.code, got.err, diff)
	}
	if again := run(got.out, "fmt", "-"); again.out != got.out {
		t.Errorf("a second time it becomes %s", again.out)
	}
	file := filepath.Join(t.TempDir(), "a.yaml")
	if err := os.WriteFile(file, []byte(untidy), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		arguments []string
		code      int
		out       string
	}{{[]string{"fmt", "--check", file}, 1, file + "\n"}, {[]string{"fmt", file}, 0, file + "\n"}, {[]string{"fmt", "--check", file}, 0, ""}} {
		if got := run("", step.arguments...); got.code != step.code || got.out != step.out {
			t.Errorf("%v: %+v", step.arguments, got)
		}
	}
	if got := run("kind: ToolContract\napiVersion: toolcontract.dev/v1alpha1\n? a\n: b\n", "fmt", "-"); got.code != 1 || !strings.Contains(got.err, "line 1: ") {
		t.Errorf("got %+v", got)
	}
}

// TestFmtNamesWhatIsNoText: such a file is not taken for one that is laid out.
func TestFmtNamesWhatIsNoText(t *testing.T) {
	t.Parallel()
	text := strings.Replace(untidy, "Gets", "G\xe4ts", 1)
	if got := run(text, "fmt", "-"); got.code != exitFindings || got.out != text || !strings.Contains(got.err, "the file is not UTF-8 text") {
		t.Errorf("got %+v", got)
	}
}

// digests are those of the contracts in a text.
func digests(t *testing.T, text string) []string {
	t.Helper()
	var out []string
	for d := range (manifest.Source{Name: "-", Data: []byte(text)}).Documents() {
		digest := "invalid"
		if content, _ := contentOf(d); content != nil {
			digest = content.Digest()
		}
		out = append(out, digest)
	}
	return out
}

// laidOut formats a text, and demands the same digests and that a second time
// changes nothing.
func laidOut(t *testing.T, name, text string) string {
	t.Helper()
	after, problems := formatted(manifest.Source{Name: name, Data: []byte(text)})
	if len(problems) > 0 {
		t.Fatalf("%s: %v", name, problems)
	}
	if diff := cmp.Diff(digests(t, text), digests(t, string(after))); diff != "" {
		t.Fatalf("%s has another digest: %s", name, diff)
	}
	again, _ := formatted(manifest.Source{Name: name, Data: after})
	if diff := cmp.Diff(string(after), string(again)); diff != "" {
		t.Fatalf("%s: %s", name, diff)
	}
	if comments(text) != comments(string(after)) {
		t.Fatalf("%s: a comment is lost", name)
	}
	return string(after)
}

func TestFmtKeepsDigests(t *testing.T) {
	t.Parallel()
	n := 0
	for _, dir := range []string{"../../config/samples", "../../config/samples/refused", "../../config/samples/types", "../../config/samples/sets", "../../test/catalogue"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%v: nothing in %s", err, dir)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			laidOut(t, file, string(text))
			n++
		}
	}
	if n < 60 {
		t.Errorf("only %d files", n)
	}
}

// TestFmtAndImportAgree: what import writes is laid out already.
func TestFmtAndImportAgree(t *testing.T) {
	t.Parallel()
	n := 0
	for _, path := range corpus.ToolFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		contracts, _, _ := importer.Import(data, importer.Options{Version: "1.0.0", Targets: commonTargets()})
		for _, c := range contracts {
			text := string(importer.AppendYAML(nil, c))
			if got := laidOut(t, c.Name, text); got != text {
				t.Fatal(cmp.Diff(text, got))
			}
			if n++; n > 400 {
				return
			}
		}
	}
}
