// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// files writes files into a directory of the test and returns their paths.
func files(t *testing.T, texts ...string) []string {
	t.Helper()
	dir := t.TempDir()
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = filepath.Join(dir, fmt.Sprintf("%c.json", 'a'+i))
		if err := os.WriteFile(out[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

func TestContains(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, a, b string
		arguments  []string
		code       int
		out, err   string // parts
	}{
		{"a proof", `{"type":"integer"}`, `{"type":"number"}`, nil, 0, "Proven: every instance that standard input accepts", ""},
		{"a witness", `{"type":"number"}`, `{"type":"integer"}`, nil, 1, " refuses: ", ""},
		{"booleans", `false`, `{"not":{}}`, []string{"-o", "json"}, 0, `"answer": "Proven"`, ""},
		{"JSON", `{"type":"string"}`, `{"type":"string","maxLength":0}`, []string{"-o", "json"}, 1, "\"answer\": \"Refuted\",\n  \"witness\": \"x\",\n  \"pointer\": \"\",", ""},
		{"a named dialect", `{"items":[{"type":"string"}],"additionalItems":false}`, `{"maxItems":1}`, []string{"--dialect", "draft-07"}, 0, "Proven", ""},
		{"a dialect that the schema names", `{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `{"minimum":1}`, nil, 0, "Proven", ""},
		{"a refused conversion", `{"exclusiveMinimum":1}`, `{}`, []string{"--dialect", "draft-04"}, 2, "", "standard input: Error /exclusiveMinimum: exclusiveMinimum is a boolean in draft-04"},
		{"an unknown dialect in the schema", `{"$schema":"https://example.com/s"}`, `{}`, nil, 2, "", `the dialect "https://example.com/s" is unknown`},
		{"no JSON", `{"a":}`, `{}`, nil, 2, "", "standard input: Error /a: the text is not JSON"},
		{"no schema", `[]`, `{}`, nil, 2, "", "it is no JSON Schema"},
		{"not a valid schema", `{"type":"strng"}`, `{}`, nil, 2, "", "Error /type: "},
		{"not admitted", `{"$ref":"#/$defs/a"}`, `{}`, nil, 2, "", "/$ref"},
		{"white space does not count", `{` + strings.Repeat(" ", 100_000) + `}`, `{}`, nil, 0, "Proven", ""},
		{"a text that is too long", `{"title":"` + strings.Repeat("x", 100_000) + `"}`, `{}`, nil, 2, "", "more than the limit"},
		{"an unknown dialect", `{}`, `{}`, []string{"--dialect", "draft-3"}, 2, "", `there is no dialect "draft-3"; write draft-04, draft-06, draft-07, 2019-09, 2020-12`},
		{"an unknown output format", `{}`, `{}`, []string{"-o", "yaml"}, 2, "", "there is no output format"},
		{"pairs beside files", `{}`, `{}`, []string{"--pairs", "x"}, 2, "", "name no others"},
		{"names that drive a terminal are escaped", "{\"properties\":{\"\\u001b[31m\":{\"type\":\"string\"}}}", "{\"properties\":{\"\\u001b[31m\":{\"type\":\"null\"}}}", nil, 1, `\x1b[31m`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := files(t, test.b)[0]
			got := run(test.a, append([]string{"contains", "-", b}, test.arguments...)...)
			if got.code != test.code || !strings.Contains(got.out, test.out) || !strings.Contains(got.err, test.err) || strings.Contains(got.out+got.err, "\x1b") {
				t.Errorf("got %+v", got)
			}
			if test.code == 2 && got.out != "" {
				t.Errorf("what cannot be read has the output %q", got.out)
			}
		})
	}
}

// answers decodes lines of answers without what differs between two runs.
func answers(t *testing.T, output string) []string {
	t.Helper()
	var out []string
	for line := range strings.Lines(output) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &members); err != nil || members["micros"] == nil || members["id"] == nil {
			t.Fatalf("%v: %s", err, line)
		}
		text := fmt.Sprintf("%s %s", members["id"], members["answer"])
		if members["error"] != nil {
			text += " error"
			if members["witness"] != nil || members["pointer"] != nil || members["reason"] == nil {
				t.Errorf("an error with other members than a reason: %s", line)
			}
		}
		if members["witness"] != nil {
			text += " " + string(members["witness"])
		}
		out = append(out, text)
	}
	return out
}

func TestPairs(t *testing.T) {
	t.Parallel()
	long := `{"id":"long","a":{},"b":{"title":"` + strings.Repeat("x", maxPairLine) + `"}}`
	input := strings.Join([]string{
		`{"id":1,"a":{"type":"integer"},"b":{"type":"number"}}`,
		``,
		`  `,
		`{"id":{"x":[1]},"a":{"type":"null"},"b":false}`,
		`{"id":"no b","a":{}}`,
		`{"id":"no a","b":{}}`,
		`{"a":false,"b":{}}`,
		`{"id":"dialect","a":{"items":[{}],"additionalItems":false},"b":{"maxItems":1},"dialect":"draft-06"}`,
		`{"id":"bad dialect","a":{},"b":{},"dialect":"draft-3"}`,
		`{"id":"dialect is no text","dialect":7,"a":{},"b":{}}`,
		`{"id":"schema","a":{"type":"strng"},"b":{}}`,
		`{"id":"null","a":null,"b":{}}`,
		`{"id":"twice","id":1,"a":{},"b":{}}`,
		`not JSON`,
		`[]`,
		`{"id":"cut`,
		long,
		`{"id":"more","a":{},"b":{},"source":"x"}`,
		`{"id":"deep","a":` + strings.Repeat(`{"not":`, 5_000) + `{}` + strings.Repeat(`}`, 5_000) + `,"b":{}}`,
		`{"id":"last","a":{"const":"é\u2028<"},"b":{"type":"null"}}`,
	}, "\n")
	got := run(input, "contains", "--pairs", "-")
	want := []string{
		`1 "Proven"`, `{"x":[1]} "Refuted" null`, `"no b" "Unknown" error`, `"no a" "Unknown" error`, `null "Proven"`, `"dialect" "Proven"`,
		`"bad dialect" "Unknown" error`, `"dialect is no text" "Unknown" error`, `"schema" "Unknown" error`, `"null" "Unknown" error`,
		`"twice" "Unknown" error`, `null "Unknown" error`, `null "Unknown" error`, `null "Unknown" error`, `null "Unknown" error`, `"more" "Proven"`,
		`"deep" "Unknown" error`, "\"last\" \"Refuted\" \"é\u2028<\"",
	}
	if diff := cmp.Diff(want, answers(t, got.out)); diff != "" || got.code != 1 || got.err != "" {
		t.Errorf("got code %d, err %q, and (-want +got)\n%s", got.code, got.err, diff)
	}
	if !strings.Contains(got.out, `"reason":"line 5: it has no member b;`) {
		t.Error("the reason of an error does not say the line")
	}
	good := `{"id":1,"a":{},"b":false}` + "\n"
	if got := run(good, "contains", "--pairs", "-", "-o", "json"); got.code != 0 || len(answers(t, got.out)) != 1 {
		t.Errorf("judged lines have code %d: %s", got.code, got.out)
	}
	if got := run("", "contains", "--pairs", "-"); got.code != 0 || got.out != "" {
		t.Errorf("an empty input gives %+v", got)
	}
	tuple := `{"id":1,"a":{"items":[{}],"additionalItems":false},"b":{"maxItems":1}}`
	if got := run(tuple, "contains", "--pairs", "-", "--dialect", "draft-07"); !strings.Contains(got.out, "Proven") {
		t.Errorf("--dialect is not for lines without one: %s", got.out)
	}
	if got := run("", "contains", "--pairs", "testdata/missing.jsonl"); got.code != 2 || !strings.Contains(got.err, "no such file") {
		t.Errorf("a missing file gives %+v", got)
	}
	if got := run("", "contains", "--pairs", "-", "-o", "text"); got.code != 2 {
		t.Errorf("text for pairs gives %+v", got)
	}
}

// TestPairsKeepTheirOrder has slow pairs among quick ones, and more of them than
// are in work at once.
func TestPairsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	const slow = `{"type":"object","properties":{"a":{"pattern":"^(a|b){0,40}c$"},"b":{"items":{"type":"string","maxLength":9}}}}`
	var input strings.Builder
	const count = 3_000
	for i := range count {
		a, b := `true`, `true`
		if i%100 == 0 {
			a, b = slow, strings.Replace(slow, "40", "39", 1)
		}
		fmt.Fprintf(&input, `{"id":%d,"a":%s,"b":%s}`+"\n", i, a, b)
	}
	got := answers(t, run(input.String(), "contains", "--pairs", "-").out)
	if len(got) != count {
		t.Fatalf("%d answers to %d pairs", len(got), count)
	}
	for i, line := range got {
		if !strings.HasPrefix(line, fmt.Sprintf("%d ", i)) {
			t.Fatalf("answer %d is %s", i, line)
		}
	}
}

// TestPairsAreAnsweredAsTheyCome asks one pair after the other: the answer to the
// first is there before the second is written.
func TestPairsAreAnsweredAsTheyCome(t *testing.T) {
	t.Parallel()
	in, write := io.Pipe()
	read, out := io.Pipe()
	go func() {
		p := Program{In: in, Out: out, Err: io.Discard}
		p.Run([]string{"contains", "--pairs", "-"})
		out.Close()
	}()
	lines := bufio.NewReader(read)
	for i := range 3 {
		fmt.Fprintf(write, "{\"id\":%d,\"a\":{},\"b\":{}}\n", i)
		if line, err := lines.ReadString('\n'); err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,`, i)) {
			t.Fatalf("got %q, %v", line, err)
		}
	}
	write.Close()
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("at the end there is %q, %v", rest, err)
	}
}

// TestPairsEndWhenNobodyReads: an output that cannot be written ends the run,
// whatever is still to come.
func TestPairsEndWhenNobodyReads(t *testing.T) {
	t.Parallel()
	in, write := io.Pipe()
	go func() {
		for {
			if _, err := io.WriteString(write, `{"id":1,"a":{},"b":{}}`+"\n"); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { in.Close() })
	p := Program{In: in, Out: brokenPipe{}, Err: io.Discard}
	if code := p.Run([]string{"contains", "--pairs", "-"}); code != 2 {
		t.Errorf("got code %d", code)
	}
}

// TestPairsOfRealTools judges every tenth step of real tools as a line: the
// answers are those of the form with two files, and no line has an error that
// the schema does not deserve.
func TestPairsOfRealTools(t *testing.T) {
	t.Parallel()
	type step struct {
		Old, New struct{ InputSchema json.RawMessage }
	}
	var input strings.Builder
	count := 0
	for i, path := range corpus.Files(t, "history/*.jsonl") {
		seen := 0
		for s := range corpus.Lines[step](t, path) {
			if seen++; s.Old.InputSchema == nil || s.New.InputSchema == nil || seen%10 != 0 {
				continue
			}
			fmt.Fprintf(&input, `{"id":"%d.%d","a":%s,"b":%s}`+"\n", i, seen, s.Old.InputSchema, s.New.InputSchema)
			count++
		}
	}
	got := run(input.String(), "contains", "--pairs", "-")
	lines := answers(t, got.out)
	if len(lines) != count || count < 50 {
		t.Errorf("%d answers to %d pairs", len(lines), count)
	}
	for _, line := range lines {
		if strings.Contains(line, " error") {
			t.Errorf("%s", line)
		}
	}
	if again := answers(t, run(input.String(), "contains", "--pairs", "-").out); !cmp.Equal(lines, again) {
		t.Error("two runs differ")
	}
}
