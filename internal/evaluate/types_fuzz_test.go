// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// FuzzTypes: whatever an author writes into the fields of a type, each profile
// answers with JSON or with an error that has a way out, and always the same.
func FuzzTypes(f *testing.F) {
	f.Add("FreeForm", "query", "Lark", "start: /a/", "web_search", `{"max_uses":1}`, "orders")
	f.Add("FreeForm", "q", "Regex", "(a|b){2}?", "", "", "")
	f.Add("FreeForm", "q", "Text", "", "", "", "")
	f.Add("BuiltIn", "", "", "", "web_search_20260318", `{"allowed_domains":["a"],"blocked_domains":["b"]}`, "")
	f.Add("BuiltIn", "", "", "", "file_search", `{"filters":{"type":"and","filters":[{"type":"or","filters":[]}]}}`, "")
	f.Add("BuiltIn", "", "", "", "shell", `{"environment":{"type":"local"}}`, "")
	f.Add("MCP", "", "", "", "", "", "o\u2028rders")
	f.Fuzz(func(t *testing.T, kind, parameter, syntax, definition, builtIn, settings, label string) {
		api := v1alpha1.ToolContent{
			Version: "1.0.0", Type: v1alpha1.ToolType(kind), ToolName: "web_search", Description: v1alpha1.Description{Summary: "Does it."},
			Execution: &v1alpha1.Execution{Location: "Provider", Credentials: "none", Authorization: "nobody"},
		}
		switch api.Type {
		case v1alpha1.TypeFreeForm:
			api.FreeForm = &v1alpha1.FreeForm{Parameter: parameter, Syntax: v1alpha1.FreeFormSyntax(syntax), Definition: definition, Fallback: v1alpha1.FallbackFunction}
			api.Execution.Location = "Client"
		case v1alpha1.TypeBuiltIn:
			api.BuiltIn = &v1alpha1.BuiltIn{Type: builtIn}
			if json.Valid([]byte(settings)) {
				api.BuiltIn.Settings = &v1alpha1.JSONObject{Raw: []byte(settings)}
			}
		case v1alpha1.TypeMCP:
			api.MCP = &v1alpha1.MCP{Server: v1alpha1.MCPServer{Label: label, URL: "https://mcp.example.com"}, Tool: builtIn}
			api.Input.SchemaText = `{"type":"object"}`
			api.Execution.Location = "MCPServer"
		default:
			return
		}
		content, findings := evaluate.Read(&api)
		if content == nil || finding.HasErrors(findings) {
			return
		}
		for _, name := range builtin.Names() {
			p, _ := builtin.Lookup(name)
			spec := v1alpha1.Target{Profile: name, Adaptation: v1alpha1.EffectWiden, Examples: v1alpha1.ExamplesDescription}
			place := evaluate.Placement{DeferLoading: true}
			first := evaluate.ForProfile("c", content, content.Digest(), spec, p, place)
			again := evaluate.ForProfile("c", content, content.Digest(), spec, p, place)
			if !bytes.Equal(first.Bytes, again.Bytes) || !cmp.Equal(first.Findings, again.Findings) {
				t.Errorf("%s answers in two ways", name)
			}
			if first.Compatible() == finding.HasErrors(first.Findings) {
				t.Errorf("%s: %s %v", name, first.Bytes, first.Findings)
			}
			if first.Compatible() && !json.Valid(first.Bytes) {
				t.Errorf("%s: no JSON: %s", name, first.Bytes)
			}
			for _, e := range finding.Errors(first.Findings) {
				if e.Fix == "" || e.Pointer == "" || e.Message == "" {
					t.Errorf("%s: %#v", name, e)
				}
			}
		}
	})
}
