// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// verifyFiles writes what the tests of verify-call and verify-result read: a
// contract, what render makes of it, and the files of one call.
func verifyFiles(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"contract.yaml": `apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: find-order}
spec:
  version: 1.2.0
  toolName: find_order
  description: {summary: Finds an order.}
  input:
    schemaText: |
      {"type":"object","properties":{"id":{"type":"string","pattern":"^ord_"},"note":{"type":"string"}},"required":["id"],"additionalProperties":false}
    sessionParameters: [{name: tenant, source: session.tenant, schema: {type: string}}]
  output:
    schemaText: |
      {"type":"object","properties":{"id":{"type":"string"},"state":{"type":"string","enum":["open","closed"]}},"required":["id","state"],"additionalProperties":false}
    errors: [{code: ORDER_NOT_FOUND, category: NotFound, recovery: AskUser, safeMessage: There is no such order.}]
    bindings: [{output: /id, input: /id}]
    freshness: {maxAgeSeconds: 60}
    provenance: {source: order-service}
  execution: {location: Application, sideEffect: None}
  targets: [{profile: openai-responses, strict: Required, adaptation: Reshape}, {profile: mcp-2025-11-25}]
`,
		"query.yaml": `apiVersion: toolcontract.dev/v1alpha1
kind: ToolContract
metadata: {name: write-query}
spec:
  version: 1.0.0
  type: FreeForm
  toolName: write_query
  description: {summary: Runs a query.}
  freeForm: {parameter: query, syntax: Regex, definition: "SELECT [a-z ]+"}
  execution: {location: Application, credentials: db, authorization: db}
  targets: [{profile: openai-responses}]
`,
		"call.json":     `{"id":"ord_1"}`,
		"strict.json":   `{"id":"ord_1","note":null}`,
		"wrong.json":    `{"id":"7","more":1}`,
		"query.txt":     `SELECT id`,
		"drop.txt":      `DROP orders`,
		"session.json":  `{"session.tenant":"t-1"}`,
		"nobody.json":   `{}`,
		"list.json":     `[]`,
		"data.json":     `{"id":"ord_1","state":"open"}`,
		"other.json":    `{"id":"ord_2","state":"open"}`,
		"leaky.json":    `{"id":"ord_1","state":"open","secret":1}`,
		"envelope.json": `{"schema_version":"tool-model-result-v2","status":"succeeded","data":{"id":"ord_1","state":"open"},"error":null,"execution":{"outcome":"completed","delivery":"fresh","complete":true,"truncated":false},"provenance":{"source_label":"order-service","producer_revision":"1.4.2","resource_revision":null,"observed_at":"2026-12-23T23:59:30Z","trust":"untrusted_data"}}`,
		"failed.json":   `{"schema_version":"tool-model-result-v2","status":"failed","data":null,"error":{"code":"LOST","category":"not_found","recovery":"ask_user","safe_message":"There is no such order.","retry_after_ms":null},"execution":{"outcome":"not_started","delivery":"fresh","complete":false,"truncated":false},"provenance":{"source_label":"order-service","producer_revision":null,"resource_revision":null,"observed_at":null,"trust":"untrusted_data"}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := run("", "render", filepath.Join(dir, "contract.yaml"), "--out", filepath.Join(dir, "rendered")); got.code != 0 {
		t.Fatalf("got %+v", got)
	}
	return dir
}

func TestVerifyCall(t *testing.T) {
	t.Parallel()
	dir := verifyFiles(t)
	folder := "rendered/default/find-order"
	tests := []struct {
		name      string
		arguments string // after the verb; files are below dir
		code      int
		out, err  string // a part of it
	}{
		{"a valid call", "contract.yaml call.json", 0, "find-order 1.2.0 (find_order): valid\n  arguments: {\"id\":\"ord_1\"}\n", ""},
		{"by the folder", folder + " call.json", 0, ": valid", ""},
		{"by contract.json", folder + "/contract.json call.json", 0, ": valid", ""},
		{"as a model wrote it", folder + " strict.json --profile openai-responses", 0, `arguments: {"id":"ord_1"}`, ""},
		{"the same by the manifest", "contract.yaml strict.json --profile openai-responses", 0, `arguments: {"id":"ord_1"}`, ""},
		{"as no model wrote it", folder + " strict.json", 1, "/note: it is null, not string", ""},
		{"with a session", folder + " call.json --session session.json", 0, `the tool gets: {"id":"ord_1","tenant":"t-1"}`, ""},
		{"with a session that lacks a value", folder + " call.json --session nobody.json", 1, `"tenant" (from "session.tenant") cannot be injected`, ""},
		{"a call that is not valid", "contract.yaml wrong.json", 1, "find-order 1.2.0 (find_order): not valid\n  the arguments are not valid: (root): ", ""},
		{"what the model gets for it", "contract.yaml wrong.json", 1, `the model gets: {"schema_version":"tool-model-result-v2","status":"failed","data":null,"error":{"code":"INVALID_ARGUMENTS"`, ""},
		{"a free text", "query.yaml query.txt --profile openai-responses --text", 0, `arguments: {"query":"SELECT id"}`, ""},
		{"a free text that is not valid", "query.yaml drop.txt --profile openai-responses --text", 1, "does not match the pattern", ""},
		{"a text for a function", "contract.yaml query.txt --profile openai-responses --text", 2, "", "takes arguments, not a text"},
		{"a text of no API", "query.yaml query.txt --text", 2, "", "--text needs --profile"},
		{"another profile", folder + " call.json --profile anthropic-messages", 2, "", "it is published for mcp-2025-11-25, openai-responses"},
		{"a profile that there is not", "contract.yaml call.json --profile openai", 2, "", `there is no profile "openai"`},
		{"a profile that cannot take it", "query.yaml query.txt --profile anthropic-messages", 1, "", "anthropic-messages cannot take it"},
		{"a session that is a list", folder + " call.json --session list.json", 2, "", "it is no JSON object with the values of a session"},
		{"arguments that are not there", folder + " none.json", 2, "", "no such file"},
		{"a contract that is not there", "none.yaml call.json", 2, "", "no such file"},
		{"a tool of what is no set", "contract.yaml call.json --tool find_order", 2, "", "--tool is for the folder of a set"},
		{"one file", "contract.yaml", 2, "", "name the contract and the file with the arguments"},
		{"another output", "contract.yaml call.json -o yaml", 2, "", `there is no output format "yaml"`},
		{"standard input twice", "- -", 2, "", "can be read once only"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run("", verifyArguments(dir, "verify-call", test.arguments)...)
			if got.code != test.code || !strings.Contains(got.out, test.out) || !strings.Contains(got.err, test.err) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// verifyArguments puts the files of a command line below a directory.
func verifyArguments(dir, verb, line string) []string {
	out := []string{verb}
	for word := range strings.FieldsSeq(line) {
		if strings.ContainsAny(word, "./") {
			word = filepath.Join(dir, word)
		}
		out = append(out, word)
	}
	return out
}

func TestVerifyResult(t *testing.T) {
	t.Parallel()
	dir := verifyFiles(t)
	folder := "rendered/default/find-order"
	tests := []struct {
		name      string
		arguments string
		code      int
		out, err  string
	}{
		{"bare data", "contract.yaml data.json", 0, "find-order 1.2.0 (find_order): valid\n  the model gets: {\"schema_version\":\"tool-model-result-v2\",\"status\":\"succeeded\",\"data\":{\"id\":\"ord_1\",\"state\":\"open\"}", ""},
		{"bare data of the call", folder + " data.json --arguments call.json", 0, ": valid", ""},
		{"bare data of another call", folder + " other.json --arguments call.json", 1, "this is the answer to another call", ""},
		{"bare data that is not declared", folder + " leaky.json", 1, `the undeclared property "secret" is not allowed`, ""},
		{"what the model gets for it", folder + " leaky.json", 1, `the model gets: {"schema_version":"tool-model-result-v2","status":"failed","data":null,"error":{"code":"RESULT_INVALID"`, ""},
		{"an envelope", folder + "/contract.json envelope.json --arguments call.json", 0, ": valid\n", ""},
		{"an envelope of another call", folder + " envelope.json --arguments wrong.json", 1, "another call", ""},
		{"an envelope with a code of nobody", folder + " failed.json", 1, `/error/code: the tool has no error "LOST"; it has ORDER_NOT_FOUND, `, ""},
		{"a result that is not there", folder + " none.json", 2, "", "no such file"},
		{"arguments that are not there", folder + " data.json --arguments none.json", 2, "", "no such file"},
		{"one file", folder, 2, "", "name the contract and the file with the result"},
		{"another output", folder + " data.json -o yaml", 2, "", `there is no output format "yaml"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := run("", verifyArguments(dir, "verify-result", test.arguments)...)
			if got.code != test.code || !strings.Contains(got.out, test.out) || !strings.Contains(got.err, test.err) {
				t.Errorf("got %+v", got)
			}
		})
	}
	late := strings.ReplaceAll(readText(t, filepath.Join(dir, "envelope.json")), "2026-12-23T23:59:30Z", "2026-12-23T22:00:00Z")
	if got := run(late, "verify-result", filepath.Join(dir, folder), "-"); got.code != 1 || !strings.Contains(got.out, "its data is 2h0m0s old") {
		t.Errorf("got %+v", got)
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestVerifyAsJSON(t *testing.T) {
	t.Parallel()
	dir := verifyFiles(t)
	read := func(line ...string) (v verification) {
		t.Helper()
		got := run("", verifyArguments(dir, line[0], line[1])...)
		if err := json.Unmarshal([]byte(got.out), &v); err != nil {
			t.Fatalf("%v: %+v", err, got)
		}
		if v.Contract != "find-order" || v.Version != "1.2.0" || v.ToolName != "find_order" || v.Valid != (got.code == 0) {
			t.Errorf("got %+v", v)
		}
		return v
	}
	if v := read("verify-call", "contract.yaml call.json --session session.json -o json"); !v.Valid || compact(v.HandlerArguments) != `{"id":"ord_1","tenant":"t-1"}` || v.Envelope != nil {
		t.Errorf("got %+v", v)
	}
	if v := read("verify-call", "contract.yaml wrong.json -o json"); v.Valid || v.Code != "INVALID_ARGUMENTS" || len(v.Problems) != 2 || v.Problems[1].Pointer != "/id" || v.Envelope == nil || v.Arguments != nil {
		t.Errorf("got %+v", v)
	}
	if v := read("verify-call", "contract.yaml call.json --session nobody.json -o json"); v.Code != "SESSION_REQUIRED" || strings.Contains(string(v.Envelope), "tenant") {
		t.Errorf("got %+v", v)
	}
	if v := read("verify-result", "contract.yaml leaky.json -o json"); v.Code != "RESULT_INVALID" || len(v.Problems) != 1 || strings.Contains(string(v.Envelope), "secret") {
		t.Errorf("got %+v", v)
	}
	if v := read("verify-result", "contract.yaml data.json -o json"); !v.Valid || v.Envelope == nil {
		t.Errorf("got %+v", v)
	}
}

func TestVerifyReadsASet(t *testing.T) {
	t.Parallel()
	dir := verifyFiles(t)
	set := "../../pkg/host/testdata/desk"
	call := filepath.Join(dir, "tag.json")
	if err := os.WriteFile(call, []byte(`{"order_ref":"ord_1","note":null,"labels":[{"key":"a","value":"b"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run("", "verify-call", set, call, "--tool", "tag_order", "--profile", "openai-responses"); got.code != 0 || !strings.Contains(got.out, `arguments: {"order_ref":"ord_1","labels":{"a":"b"}}`) {
		t.Errorf("got %+v", got)
	}
	if got := run("", "verify-call", set, call); got.code != 2 || !strings.Contains(got.err, "choose with --tool one of tag_order, write_query, search_docs") {
		t.Errorf("got %+v", got)
	}
	if got := run(`{}`, "verify-result", set, "-", "--tool", "search_docs"); got.code != 2 || !strings.Contains(got.err, "the provider runs this tool") {
		t.Errorf("got %+v", got)
	}
}

func TestVerifyRefusesContractsThatAreNone(t *testing.T) {
	t.Parallel()
	dir := verifyFiles(t)
	broken := strings.ReplaceAll(readText(t, filepath.Join(dir, "contract.yaml")), `"type":"object"`, `"type":"thing"`)
	if got := run(broken, "verify-call", "-", filepath.Join(dir, "call.json")); got.code != 1 || !strings.Contains(got.err, "find-order: it is not valid") {
		t.Errorf("got %+v", got)
	}
	two := readText(t, filepath.Join(dir, "contract.yaml")) + "---\n" + readText(t, filepath.Join(dir, "query.yaml"))
	if got := run(two, "verify-call", "-", filepath.Join(dir, "call.json")); got.code != 2 || !strings.Contains(got.err, "there are 2 ToolContracts in it") {
		t.Errorf("got %+v", got)
	}
	torn := filepath.Join(dir, "rendered/default/find-order")
	if err := os.WriteFile(filepath.Join(torn, "openai-responses.json"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run("", "verify-call", torn, filepath.Join(dir, "call.json")); got.code != 2 || !strings.Contains(got.err, "do not belong together") {
		t.Errorf("got %+v", got)
	}
}
