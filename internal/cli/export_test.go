// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/manifest"
	"github.com/toolcontract/operator/internal/schema"
)

// inputDigests are those of the input schemas in a text, by the name of the tool.
func inputDigests(t *testing.T, sources ...manifest.Source) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, s := range sources {
		for d := range s.Documents() {
			if content, _ := contentOf(d); content != nil && content.Input.Schema != nil {
				out[content.ToolName] = content.Input.Schema.Root().Digest()
			}
		}
	}
	return out
}

// TestExportIsImportBackwards exports all contracts of the catalogue in each form:
// import gives back the same schemas, but for those that a note is about.
func TestExportIsImportBackwards(t *testing.T) {
	t.Parallel()
	var sources []manifest.Source
	for s, err := range manifest.Open([]string{"../../test/catalogue"}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, s)
	}
	want := inputDigests(t, sources...)
	for form, least := range map[string]int{"mcp": 25, "openai-responses": 20, "openai-chat": 20, "anthropic": 25, "gemini": 20, "bedrock": 20} {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			exported := run("", "export", "../../test/catalogue", "--to", form+":Disabled:Keep")
			if exported.code == exitUsage {
				t.Fatal(exported.err)
			}
			imported := run(exported.out, "import", "-")
			got := inputDigests(t, manifest.Source{Name: "-", Data: []byte(imported.out)})
			same, other := 0, 0
			for name, digest := range got {
				switch want[name] {
				case digest:
					same++
				case "": // no function, so there was no schema to come back
				default:
					other++
				}
			}
			if same < least {
				t.Errorf("only %d of %d schemas came back:\n%s", same, len(got), exported.err)
			}
			note := ""
			for line := range strings.Lines(exported.err) {
				if strings.Contains(line, adapted) {
					note = line
				}
			}
			if (other > 0) != (note != "") {
				t.Errorf("%d schemas are others, and the note is %q", other, note)
			}
			t.Logf("%d the same, %d others", same, other)
		})
	}
}

func TestExportCommand(t *testing.T) {
	t.Parallel()
	sample := "../../config/samples/get-order-status.yaml"
	for name, c := range map[string]struct {
		arguments []string
		code      int
		members   []string // of the document
		err       string
	}{
		"an MCP server":       {[]string{sample, "--to", "mcp"}, 0, []string{"tools"}, "note: /spec/output/limits is not carried (get-order-status)"},
		"a request":           {[]string{sample, "--to", "openai-responses"}, 0, []string{"tools"}, "note: /spec/execution is not carried"},
		"Bedrock":             {[]string{sample, "--to", "bedrock"}, 0, []string{"toolConfig"}, "1 tool exported for bedrock-converse-claude, 0 refused"},
		"no provider takes":   {[]string{"../../config/samples/refused/no-strict-provider.yaml", "--to", "openai-responses"}, 1, []string{"tools"}, "openai-responses cannot take it"},
		"one name twice":      {[]string{sample, sample, "--to", "mcp"}, 1, []string{"tools"}, "has a tool of the same name"},
		"no form":             {[]string{sample}, 2, nil, "say with --to which form is wanted"},
		"an unknown form":     {[]string{sample, "--to", "soap"}, 2, nil, `there is no profile "soap"`},
		"nothing":             {[]string{"--to", "mcp"}, 2, nil, "name a file"},
		"not a single object": {[]string{"testdata/missing.yaml", "--to", "mcp"}, 2, []string{"tools"}, "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run("", append([]string{"export"}, c.arguments...)...)
			var document map[string]json.RawMessage
			if got.out != "" {
				if err := json.Unmarshal([]byte(got.out), &document); err != nil {
					t.Fatal(err)
				}
			}
			var members []string
			for name := range document {
				members = append(members, name)
			}
			if got.code != c.code || !strings.Contains(got.err, c.err) || !slices.Equal(members, c.members) {
				t.Errorf("got %+v", got)
			}
		})
	}
	// What is exported is what is rendered.
	rendered, exported := run("", "render", sample, "--profile", "mcp-2025-11-25"), run("", "export", sample, "--to", "mcp")
	list, failed := schema.Parse([]byte(exported.out))
	if failed != nil || list.Get("tools").Items()[0].JSON() != strings.TrimSpace(rendered.out) {
		t.Errorf("rendered %s, exported %s", rendered.out, exported.out)
	}
}
