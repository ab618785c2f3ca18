// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/change"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/publish"
	"github.com/toolcontract/operator/internal/schema"
)

// everyField are contents that hold every field of the API between them.
var everyField = map[string]string{
	"a function": `
version: 1.2.3
type: Function
toolName: every_field
title: A title
description: {summary: S one., useWhen: U two., doNotUseWhen: D three., returns: R four., sideEffects: E five., failures: F six.}
input:
  schema: {type: object, properties: {a: {type: string}, cursor: {type: string}, key: {type: string}}, required: [a]}
  examples: [{value: {a: example-one}}, {valueText: '{"a":"example-two"}'}]
  writer: Declared
  sessionParameters:
  - {name: p_one, source: session.one, optional: true, schema: {type: string, title: injected-one}}
  - {name: p_two, source: session.two, schemaText: '{"type":"string","title":"injected-two"}'}
output:
  schema: {type: object, properties: {a: {type: string}, next: {type: string}, list: {type: array}, other: {type: array}}}
  errors: [{code: GONE, category: NotFound, recovery: RetryLater, safeMessage: gone away, retryAfterMs: 1234}]
  limits: {maxBytes: 5001, maxDepth: 51, maxItems: 5003}
  truncation: Marked
  pagination: {mode: Cursor, input: /cursor, output: /next, items: /list, maxPageSize: 77}
  freshness: {maxAgeSeconds: 88, cache: Shared}
  provenance: {source: the-source, producerRevision: rev-7, trust: TrustedControl}
  bindings: [{output: /a, input: /a}]
  reader: IgnoreUnknown
execution:
  location: Application
  credentials: holder
  authorization: decider
  sideEffect: None
  reach: Open
  risk: High
  timeoutSeconds: 99
  retry: {maxAttempts: 3, backoffSeconds: 44}
  approval: Required
  idempotency: {mode: Key, keyParameter: key}
  dataClassification: Internal
`,
	"texts": `
version: 1.2.3
toolName: every_field
description: {summary: S one.}
input: {schemaText: '{"type":"object","title":"input-text"}'}
output: {schemaText: '{"type":"object","title":"output-text"}'}
`,
	"a free text": `
version: 1.2.3
type: FreeForm
toolName: every_field
description: {summary: S one.}
freeForm: {parameter: sql, description: A query., syntax: Regex, definition: "[a-z]+", maxLength: 321, fallback: Function, examples: [abc]}
execution: {location: Client, credentials: none, authorization: decider}
`,
	"a tool of the provider": `
version: 1.2.3
type: BuiltIn
toolName: web_search
description: {summary: S one.}
builtIn: {type: web_search, settings: {search_context_size: low}}
execution: {location: Provider, credentials: none, authorization: decider}
`,
	"a tool of a server": `
version: 1.2.3
type: MCP
toolName: every_field
description: {summary: S one.}
input: {schema: {type: object}}
mcp:
  tool: server_tool
  server: {label: orders, url: "https://mcp.example.com", description: A server., authorization: vault.token, headers: [{name: X-Tenant, source: session.tenant}]}
execution: {location: MCPServer, credentials: none, authorization: decider}
`,
	"a server that the provider keeps": `
version: 1.2.3
type: MCP
toolName: every_field
description: {summary: S one.}
input: {schema: {type: object}}
mcp: {server: {label: orders, connectorID: connector_orders}}
execution: {location: MCPServer, credentials: none, authorization: decider}
`,
}

// leaves are the JSON paths of all fields of a type that hold no further fields;
// the index of a list is left out.
func leaves(t reflect.Type, path string, out map[string]bool) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		leaves(t.Elem(), path, out)
	case reflect.Struct:
		if t == reflect.TypeFor[v1alpha1.JSONObject]() {
			out[path] = true
			return
		}
		for f := range t.Fields() {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			leaves(f.Type, path+"/"+name, out)
		}
	default:
		out[path] = true
	}
}

// visit calls f for every scalar of a value and for the embedded objects, with
// the path without indices and a function that copies the document with another
// value in its place, or without it for nil.
func visit(document any, f func(path string, value any, with func(any) any)) {
	var walk func(v any, path string, rebuild func(any) any)
	known := map[string]bool{}
	leaves(reflect.TypeFor[v1alpha1.ToolContent](), "", known)
	walk = func(v any, path string, rebuild func(any) any) {
		if known[path] {
			f(path, v, rebuild)
			return
		}
		switch v := v.(type) {
		case map[string]any:
			for name, inner := range v {
				walk(inner, path+"/"+name, func(next any) any {
					out := maps.Clone(v)
					if out[name] = next; next == nil {
						delete(out, name)
					}
					return rebuild(out)
				})
			}
		case []any:
			for i, inner := range v {
				walk(inner, path, func(next any) any {
					out := slices.Clone(v)
					if out[i] = next; next == nil {
						out = slices.Delete(out, i, i+1)
					}
					return rebuild(out)
				})
			}
		}
	}
	walk(document, "", func(next any) any { return next })
}

func contentOf(t *testing.T, document any) (*contract.Content, []finding.Finding) {
	t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	var api v1alpha1.ToolContent
	if err := json.Unmarshal(text, &api); err != nil {
		t.Fatal(err)
	}
	return evaluate.Read(&api)
}

// others are values that a field may have instead, where it may not have any.
var others = map[string]any{
	"/version":                            "1.2.4",
	"/type":                               nil, // the other fields of the type would be wrong
	"/output/errors/category":             "Conflict",
	"/output/errors/recovery":             nil, // the wait needs this one
	"/output/truncation":                  nil, // the other word is absence
	"/output/pagination/mode":             nil, // the argument is a text
	"/output/pagination/input":            "/key",
	"/output/pagination/output":           "/a",
	"/output/pagination/items":            "/other",
	"/output/freshness/cache":             "Session",
	"/output/provenance/trust":            nil, // the other word is absence
	"/output/bindings/output":             "/next",
	"/output/bindings/input":              "/cursor",
	"/output/reader":                      nil, // the other word is absence
	"/input/writer":                       nil, // the other word is absence
	"/input/schemaText":                   `{"type":"object","title":"another"}`,
	"/input/examples/value":               map[string]any{"a": "another"},
	"/input/examples/valueText":           `{"a":"another"}`,
	"/input/sessionParameters/schemaText": `{"type":"string","title":"another"}`,
	"/input/sessionParameters/optional":   nil, // false is absence
	"/output/schemaText":                  `{"type":"object","title":"another"}`,
	"/execution/location":                 map[string]any{"Application": "Client", "Client": "Application", "Provider": "Client"},
	"/execution/sideEffect":               nil, // a kept answer needs this one
	"/execution/reach":                    "Closed",
	"/execution/risk":                     "Low",
	"/execution/approval":                 "None",
	"/execution/idempotency/mode":         nil, // the key needs this one
	"/execution/idempotency/keyParameter": "cursor",
	"/execution/dataClassification":       "Public",
	"/freeForm/syntax":                    nil, // the definition is an expression
	"/freeForm/fallback":                  "None",
	"/freeForm/examples":                  []any{"another"},
	"/freeForm/definition":                "[a-z]*",
	"/mcp/server/url":                     "https://other.example.com",
}

// changed is another value of a field; false where the field may have no other.
func changed(path string, value any) (any, bool) {
	if other, known := others[path]; known {
		if byValue, is := other.(map[string]any); is && value != nil {
			if word, isWord := value.(string); isWord {
				other = byValue[word]
			}
		}
		return other, other != nil
	}
	switch v := value.(type) {
	case string:
		return v + "x", true
	case float64:
		return v + 1, true
	case map[string]any:
		out := maps.Clone(v)
		out["title"] = "another"
		return out, true
	}
	return nil, false
}

// TestEveryChangeOfAFieldIsJudged: another value of any field is another content,
// which a rule judges.
func TestEveryChangeOfAFieldIsJudged(t *testing.T) {
	t.Parallel()
	judged := map[string]bool{}
	for name, text := range everyField {
		var document any
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		full, findings := contentOf(t, document)
		if full == nil {
			t.Fatalf("%s: %v", name, findings)
		}
		visit(document, func(path string, value any, with func(any) any) {
			other, possible := changed(path, value)
			if !possible {
				return
			}
			judged[path] = true
			next, findings := contentOf(t, with(other))
			if next == nil {
				t.Errorf("%s: %s cannot be %v: %v", name, path, other, findings)
				return
			}
			if next.Digest() == full.Digest() {
				t.Errorf("%s: %s is not in the digest", name, path)
			}
			if path == "/version" {
				if !full.SameMeaning(next) {
					t.Error("the version is a change of meaning")
				}
				return
			}
			next.Version = full.Version.Next(contract.Major)
			report := change.Compare(full, next, next.Version)
			if report.Required == contract.None {
				t.Errorf("%s: another %s is no change", name, path)
			}
			for _, f := range report.Findings {
				if f.Rule == "unknown-field" {
					t.Errorf("%s: no rule judges %s", name, f.Pointer)
				}
			}
		})
	}
	all := map[string]bool{}
	leaves(reflect.TypeFor[v1alpha1.ToolContent](), "", all)
	for path := range all {
		if other, known := others[path]; !judged[path] && (!known || other != nil) {
			t.Errorf("%s was never changed", path)
		}
	}
}

// sayNothing are fields that say no more than their absence.
var sayNothing = []string{"/type"}

// TestNoFieldOfTheAPIIsForgotten: every field of the content is in the digest and
// in contract.json, and its change is judged by a rule of its own.
func TestNoFieldOfTheAPIIsForgotten(t *testing.T) {
	t.Parallel()
	missing := map[string]bool{}
	leaves(reflect.TypeFor[v1alpha1.ToolContent](), "", missing)
	for name, text := range everyField {
		var document any
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		full, findings := contentOf(t, document)
		if full == nil {
			t.Fatalf("%s: %v", name, findings)
		}
		view := string(publish.HostView("every", full, full.Digest(), nil))
		visit(document, func(path string, value any, with func(any) any) {
			delete(missing, path)
			if !strings.Contains(view, inView(t, value)) {
				t.Errorf("%s: contract.json does not hold %s: %v", name, path, value)
			}
			less, _ := contentOf(t, with(nil))
			if less == nil || slices.Contains(sayNothing, path) && full.Type == contract.Function {
				return // a content without it is refused, or is the same
			}
			if less.Digest() == full.Digest() {
				t.Errorf("%s: %s is not in the digest", name, path)
			}
			next := *full
			next.Version = full.Version.Next(contract.Major)
			report := change.Compare(less, &next, full.Version.Next(contract.Major))
			if len(report.Findings) == 0 || report.Required == contract.None {
				t.Errorf("%s: adding %s is no change", name, path)
			}
			for _, f := range report.Findings {
				if f.Rule == "unknown-field" {
					t.Errorf("%s: no rule judges %s", name, f.Pointer)
				}
			}
		})
	}
	for path := range missing {
		t.Errorf("no content of this test has %s", path)
	}
}

// inView is how a value stands in contract.json.
func inView(t *testing.T, value any) string {
	t.Helper()
	switch v := value.(type) {
	case string:
		if strings.HasPrefix(v, "{") { // JSON text
			parsed, failed := schema.Parse([]byte(v))
			if failed != nil {
				t.Fatal(failed)
			}
			return schema.Canonical(parsed).JSON()
		}
		return string(schema.AppendString(nil, v))
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	case []any: // of texts
		parts := make([]string, len(v))
		for i, item := range v {
			parts[i] = inView(t, item)
		}
		return strings.Join(parts, ",")
	case map[string]any:
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		parsed, failed := schema.FromObject(text)
		if failed != nil {
			t.Fatal(failed)
		}
		return schema.Canonical(parsed).JSON()
	}
	return fmt.Sprint(value)
}

// TestTheDigestOfAnEarlierContentStays: a field that the API gets later changes no
// digest of a content without it.
func TestTheDigestOfAnEarlierContentStays(t *testing.T) {
	t.Parallel()
	content, findings := contentOf(t, map[string]any{
		"version": "1.0.0", "toolName": "get_order", "description": map[string]any{"summary": "Reads an order."},
		"input":     map[string]any{"schemaText": `{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}`},
		"output":    map[string]any{"errors": []any{map[string]any{"code": "GONE", "category": "NotFound"}}},
		"execution": map[string]any{"sideEffect": "None"},
	})
	if content == nil {
		t.Fatal(findings)
	}
	const canonical = `{"version":"1.0.0","toolName":"get_order","description":{"summary":"Reads an order."},` +
		`"input":{"schema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}},` +
		`"output":{"errors":[{"code":"GONE","category":"NotFound"}]},"execution":{"sideEffect":"None"}}`
	if got := content.Canonical().JSON(); got != canonical {
		t.Errorf("the canonical form is %s", got)
	}
}
