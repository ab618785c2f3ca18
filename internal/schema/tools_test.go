// SPDX-License-Identifier: Apache-2.0

package schema

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// toolsRefused says why published tools are refused, by file; those of all
// other files are not. The benchmarks use types of other languages.
var toolsRefused = map[string][]string{
	"acebench-zh.jsonl":            {RuleInvalidSchema, RulePatternSyntax},
	"bfcl-nonstandard-types.jsonl": {RuleInvalidSchema},
}

// The tools that people publish are the schemas that matter.
func TestPublishedToolsAreAdmittedAndCompile(t *testing.T) {
	t.Parallel()
	compiling, refused := 0, map[string]int{}
	for path, schemas := range publishedSchemas(t) {
		allowed := toolsRefused[filepath.Base(path)]
		if filepath.Base(filepath.Dir(path)) == "npm" {
			allowed = []string{RuleDialect} // many servers declare draft-07
		}
		for _, raw := range schemas {
			rule, message := judge(t, raw)
			switch {
			case rule == "":
				compiling++
			case !slices.Contains(allowed, rule):
				t.Errorf("%s: %s: %.300s", filepath.Base(path), message, raw)
			default:
				refused[rule]++
			}
		}
	}
	t.Logf("%d schemas compile; refused: %v", compiling, refused)
	if compiling < 3_000 {
		t.Errorf("only %d schemas compile; is the corpus all there?", compiling)
	}
}

// publishedSchemas reads the schemas of all tools, by file.
func publishedSchemas(t *testing.T) map[string][]json.RawMessage {
	t.Helper()
	out := map[string][]json.RawMessage{}
	for _, path := range corpus.ToolFiles(t) {
		for tool := range corpus.Lines[corpus.Tool](t, path) {
			for _, raw := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
				if len(raw) > 0 && string(raw) != "null" {
					out[path] = append(out[path], raw)
				}
			}
		}
	}
	return out
}

// judge reads, admits and compiles a schema, and names what refuses it.
func judge(t testing.TB, raw []byte) (rule, message string) {
	t.Helper()
	v, failed := Parse(raw)
	if failed != nil {
		return failed.Rule, failed.String()
	}
	s, findings := Admit(v)
	checkTexts(t, findings)
	if s == nil {
		return findings[0].Rule, findings[0].String()
	}
	validator, findings := s.Compile()
	checkTexts(t, findings)
	if validator == nil {
		return findings[0].Rule, findings[0].String()
	}
	return "", ""
}
