// SPDX-License-Identifier: Apache-2.0

package sdk

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/xeipuuv/gojsonschema"
)

const sarifModule = "github.com/owenrumney/go-sarif/v3"

// sarifSchema is the schema of SARIF 2.1.0, which the library has in a constant, as
// text and compiled.
func sarifSchema(t *testing.T) (string, *jsonschema.Schema) {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", sarifModule).Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go")
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var literal string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && len(lit.Value) > len(literal) {
			literal = lit.Value
		}
		return true
	})
	text, err := strconv.Unquote(literal)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.UseLoader(jsonschema.SchemeURLLoader{})
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return text, s
}

// TestSARIFOfCheck: what `check -o sarif` writes is SARIF by the official schema,
// asked with two validators, and a program that reads SARIF finds everything.
func TestSARIFOfCheck(t *testing.T) {
	t.Parallel()
	text, schema := sarifSchema(t)
	program := filepath.Join(t.TempDir(), "toolcontract")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./cmd/toolcontract")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for name, test := range map[string]struct {
		input, stdin string
		fewest       int
	}{
		"samples":    {"../../config/samples", "", 1},
		"refused":    {"../../config/samples/refused", "", 3},
		"catalogue":  {"../../test/catalogue", "", 3},
		"no finding": {"../../config/samples/get-order-status.yaml", "", 0},
		"hostile":    {"-", "apiVersion: toolcontract.dev/v1alpha1\nkind: ToolContract\nmetadata: {name: \"\\e[31m\\u202e\"}\nspec: {\"\\0\": [", 1},
		"not YAML":   {"-", "kind: \xff\xfe", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, complaints bytes.Buffer
			check := exec.CommandContext(t.Context(), program, "check", test.input, "-o", "sarif")
			check.Stdin, check.Stdout, check.Stderr = strings.NewReader(test.stdin), &out, &complaints
			if err := check.Run(); err != nil && check.ProcessState.ExitCode() != 1 {
				t.Fatalf("%v: %s", err, complaints.String())
			}
			v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(v); err != nil {
				t.Error(err)
			}
			second, err := gojsonschema.Validate(gojsonschema.NewStringLoader(text), gojsonschema.NewBytesLoader(out.Bytes()))
			if err != nil || !second.Valid() {
				t.Errorf("%v %v", err, second)
			}
			report, err := sarif.FromBytes(out.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if n := len(report.Runs[0].Results); n < test.fewest {
				t.Errorf("there are %d results", n)
			}
			for _, r := range report.Runs[0].Results {
				if r.Locations[0].PhysicalLocation.Region.StartLine == nil || r.PartialFingerprints["toolcontractFinding/v1"] == "" {
					t.Errorf("%s has no place or no fingerprint", *r.RuleID)
				}
			}
		})
	}
	wrong := map[string]any{"version": "2.1.0", "runs": []any{map[string]any{"tool": map[string]any{"driver": map[string]any{}}}}}
	if schema.Validate(wrong) == nil {
		t.Error("the schema takes anything")
	}
}
