// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
)

// TestWhatIsSaidOfAnswersAndTypesIsHeldToTheRest: what names another place of the
// contract, or belongs to another type, is refused with the place and the way out.
func TestWhatIsSaidOfAnswersAndTypesIsHeldToTheRest(t *testing.T) {
	t.Parallel()
	const input = `
input: {schema: {type: object, properties: {id: {type: string}, count: {type: integer}, cursor: {type: [string, "null"]}, deep: {type: object, properties: {x: {type: number}}}}}}`
	const output = `
  schema: {type: object, properties: {id: {type: string}, count: {type: number}, next: {type: string}, flag: {type: boolean}, list: {type: array, items: {type: object, properties: {id: {type: string}}}}}}`
	const who = `
execution: {location: Application, credentials: none, authorization: shop}`
	for name, test := range map[string]struct {
		spec, rule, pointer string // no rule: accepted
	}{
		"a binding":                                {input + "\noutput:" + output + "\n  bindings: [{output: /id, input: /id}, {output: /list/0/id, input: /id}, {output: /count, input: /count}]", "", ""},
		"a binding to nothing in the answer":       {input + "\noutput:" + output + "\n  bindings: [{output: /nope, input: /id}]", evaluate.RuleBinding, "/spec/output/bindings/0/output"},
		"a binding to nothing in the call":         {input + "\noutput:" + output + "\n  bindings: [{output: /id, input: /deep/y}]", evaluate.RuleBinding, "/spec/output/bindings/0/input"},
		"a binding of two types":                   {input + "\noutput:" + output + "\n  bindings: [{output: /flag, input: /id}]", evaluate.RuleBinding, "/spec/output/bindings/0"},
		"a binding without an output schema":       {input + "\noutput: {bindings: [{output: /id, input: /id}]}", evaluate.RuleBinding, "/spec/output/bindings/0/output"},
		"pages":                                    {input + "\noutput:" + output + "\n  pagination: {mode: Cursor, input: /cursor, output: /next, items: /list}", "", ""},
		"pages by an argument that is not there":   {input + "\noutput:" + output + "\n  pagination: {mode: Page, input: /page}", evaluate.RulePagination, "/spec/output/pagination/input"},
		"a cursor that comes from nowhere":         {input + "\noutput:" + output + "\n  pagination: {mode: Cursor, input: /cursor}", evaluate.RulePagination, "/spec/output/pagination/output"},
		"a cursor of another type":                 {input + "\noutput:" + output + "\n  pagination: {mode: Cursor, input: /cursor, output: /flag}", evaluate.RulePagination, "/spec/output/pagination"},
		"entries that are no list":                 {input + "\noutput:" + output + "\n  pagination: {mode: Cursor, input: /cursor, output: /next, items: /id}", evaluate.RulePagination, "/spec/output/pagination/items"},
		"a cursor that is a number":                {input + "\noutput:" + output + "\n  pagination: {mode: Cursor, input: /count, output: /count}", evaluate.RulePagination, "/spec/output/pagination/input"},
		"pages by a text":                          {input + "\noutput:" + output + "\n  pagination: {mode: Page, input: /id}", evaluate.RulePagination, "/spec/output/pagination/input"},
		"pages by a number":                        {input + "\noutput:" + output + "\n  pagination: {mode: Offset, input: /count, items: /list}", "", ""},
		"a binding of values that never meet":      {"\ninput: {schema: {type: object, properties: {id: {enum: [a, b]}}}}\noutput: {schema: {type: object, properties: {id: {enum: [c, null]}}}, bindings: [{output: /id, input: /id}]}", evaluate.RuleBinding, "/spec/output/bindings/0"},
		"a binding of values that meet once":       {"\ninput: {schema: {type: object, properties: {id: {enum: [a, b]}}}}\noutput: {schema: {type: object, properties: {id: {enum: [b, c]}}}, bindings: [{output: /id, input: /id}]}", "", ""},
		"a binding of two references":              {"\ninput: {schema: {type: object, properties: {id: {$ref: '#/$defs/id'}}, $defs: {id: {type: string, maxLength: 3}}}}\noutput: {schema: {type: object, properties: {id: {$ref: '#/$defs/id'}}, $defs: {id: {type: string, minLength: 4}}}, bindings: [{output: /id, input: /id}]}", evaluate.RuleBinding, "/spec/output/bindings/0"},
		"cuts at no limit":                         {input + "\noutput: {truncation: Marked}", evaluate.RuleTruncation, "/spec/output/truncation"},
		"cuts at a limit":                          {input + "\noutput: {truncation: Marked, limits: {maxItems: 5}}", "", ""},
		"a kept answer of a read":                  {input + "\noutput: {freshness: {cache: Shared}}\nexecution: {sideEffect: None}", "", ""},
		"a kept answer of a write":                 {input + "\noutput: {freshness: {cache: Shared}}\nexecution: {sideEffect: Reversible}", evaluate.RuleFreshness, "/spec/output/freshness/cache"},
		"a wait without a retry":                   {input + "\noutput: {errors: [{code: A, category: Timeout, retryAfterMs: 5}]}", evaluate.RuleRetryAfter, "/spec/output/errors/0/retryAfterMs"},
		"a code of the platform as the platform's": {input + "\noutput: {errors: [{code: RATE_LIMITED, category: RateLimited, recovery: RetryLater}]}", "", ""},
		"a code of the platform as something else": {input + "\noutput: {errors: [{code: RATE_LIMITED, category: Internal}]}", evaluate.RulePlatformCode, "/spec/output/errors/0/code"},

		"a text":                              {"\ntype: FreeForm\nfreeForm: {examples: [any]}" + who, "", ""},
		"a text with an expression":           {"\ntype: FreeForm\nfreeForm: {syntax: Regex, definition: '[a-z]+', examples: [abc]}" + who, "", ""},
		"a text that does not match":          {"\ntype: FreeForm\nfreeForm: {syntax: Regex, definition: '[a-z]+', examples: [ABC]}" + who, evaluate.RuleExampleInvalid, "/spec/freeForm/examples/0"},
		"an expression that leaves its group": {"\ntype: FreeForm\nfreeForm: {syntax: Regex, definition: 'a)|(?:b'}" + who, evaluate.RuleGrammar, "/spec/freeForm/definition"},
		"an expression that costs too much":   {"\ntype: FreeForm\nfreeForm: {syntax: Regex, definition: '((?=a)a+)+b'}" + who, evaluate.RuleGrammar, "/spec/freeForm/definition"},
		"an expression that cannot be read":   {"\ntype: FreeForm\nfreeForm: {syntax: Regex, definition: '('}" + who, evaluate.RuleGrammar, "/spec/freeForm/definition"},
		"a grammar":                           {"\ntype: FreeForm\nfreeForm: {syntax: Lark, definition: \"WORD: /a+/\\n?start.2 : WORD\"}" + who, "", ""},
		"a grammar without a start":           {"\ntype: FreeForm\nfreeForm: {syntax: Lark, definition: \"// start: a\\nrestart: /a/\"}" + who, evaluate.RuleGrammar, "/spec/freeForm/definition"},
		"a syntax without a definition":       {"\ntype: FreeForm\nfreeForm: {syntax: Lark}" + who, evaluate.RuleGrammar, "/spec/freeForm/definition"},
		"a text with an input":                {input + "\ntype: FreeForm\nfreeForm: {}" + who, evaluate.RuleTypeFields, "/spec/input"},
		"a text that nobody says who runs":    {"\ntype: FreeForm\nfreeForm: {}\nexecution: {credentials: none, authorization: shop}", evaluate.RuleExecutionUnsaid, "/spec/execution/location"},
		"a text that a provider runs":         {"\ntype: FreeForm\nfreeForm: {}\nexecution: {location: Provider, credentials: none, authorization: shop}", evaluate.RuleExecutionUnsaid, "/spec/execution/location"},
		"a function with a server":            {input + "\nmcp: {server: {label: a, url: 'https://a.example'}}", evaluate.RuleTypeFields, "/spec/mcp"},
		"a type without its fields":           {"\ntype: BuiltIn" + strings.Replace(who, "Application", "Provider", 1), evaluate.RuleTypeFields, "/spec/builtIn"},
		"a key of a tool without arguments":   {"\ntype: BuiltIn\nbuiltIn: {type: web_search}\nexecution: {location: Provider, credentials: none, authorization: p, idempotency: {mode: Key, keyParameter: k}}", evaluate.RuleKeyParameter, "/spec/execution/idempotency/keyParameter"},
		"session parameters of a server":      {strings.Replace(input, "{schema", "{sessionParameters: [{name: t, source: session.t, schema: {type: string}}], schema", 1) + "\ntype: MCP\nmcp: {server: {label: a, url: 'https://a.example'}}" + strings.Replace(who, "Application", "MCPServer", 1), evaluate.RuleHostNeeded, "/spec/input/sessionParameters"},
		"a writer of a server":                {strings.Replace(input, "{schema", "{writer: Declared, schema", 1) + "\ntype: MCP\nmcp: {server: {label: a, url: 'https://a.example'}}" + strings.Replace(who, "Application", "MCPServer", 1), evaluate.RuleHostNeeded, "/spec/input/writer"},
		"a reader of a server":                {input + "\noutput: {schema: {type: object}, reader: IgnoreUnknown}\ntype: MCP\nmcp: {server: {label: a, url: 'https://a.example'}}" + strings.Replace(who, "Application", "MCPServer", 1), evaluate.RuleHostNeeded, "/spec/output/reader"},
		"a reader of a search":                {"\noutput: {schema: {type: object}, reader: IgnoreUnknown}\ntype: BuiltIn\nbuiltIn: {type: web_search}" + strings.Replace(who, "Application", "Provider", 1), evaluate.RuleHostNeeded, "/spec/output/reader"},
		"a reader of an editor":               {"\noutput: {schema: {type: object}, reader: IgnoreUnknown}\ntype: BuiltIn\nbuiltIn: {type: text_editor}" + strings.Replace(who, "Application", "Client", 1), "", ""},
		"a server by two ways":                {input + "\ntype: MCP\nmcp: {server: {label: a, url: 'https://a.example', connectorID: c}}" + strings.Replace(who, "Application", "MCPServer", 1), evaluate.RuleTypeFields, "/spec/mcp/server"},
		"the token as a header":               {input + "\ntype: MCP\nmcp: {server: {label: a, url: 'https://a.example', headers: [{name: Authorization, source: a.b}]}}" + strings.Replace(who, "Application", "MCPServer", 1), evaluate.RuleTypeFields, "/spec/mcp/server/headers/0/name"},
		"a header in two cases":               {input + "\ntype: MCP\nmcp: {server: {label: a, url: 'https://a.example', headers: [{name: X-A, source: a.b}, {name: x-a, source: a.b}]}}" + strings.Replace(who, "Application", "MCPServer", 1), evaluate.RuleTypeFields, "/spec/mcp/server/headers/1/name"},
		"settings with null":                  {"\ntype: BuiltIn\nbuiltIn: {type: web_search, settings: {a: null}}" + strings.Replace(who, "Application", "Provider", 1), "null-in-object-form", "/spec/builtIn/settings/a"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var api v1alpha1.ToolContent
			text := "version: 1.0.0\ntoolName: a_tool\ndescription: {summary: Does it.}" + test.spec
			if err := yaml.UnmarshalStrict([]byte(text), &api); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			content, findings := evaluate.Read(&api)
			errors := finding.Errors(findings)
			if test.rule == "" {
				if content == nil || len(errors) > 0 {
					t.Errorf("refused: %v", errors)
				}
				return
			}
			if content != nil || len(errors) == 0 || errors[0].Rule != test.rule || errors[0].Pointer != test.pointer || errors[0].Fix == "" {
				t.Errorf("got %v, want %s at %s", errors, test.rule, test.pointer)
			}
			if reason := evaluate.Reason(findings); reason == v1alpha1.ReasonValid || reason == v1alpha1.ReasonInvalidSchema {
				t.Errorf("the reason is %s", reason)
			}
		})
	}
}
