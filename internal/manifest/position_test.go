// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// at is a position in short: line:column, and the line with what stands for the
// place in brackets.
func at(d *Document, p Position) string {
	before, marked, after, cut := d.Around(p)
	if cut {
		before = "…" + before
	}
	return fmt.Sprintf("%d:%d+%d %s[%s]%s", p.Line, p.Column, p.Width, before, marked, after)
}

func lastOf(text string) *Document {
	var last *Document
	for d := range (Source{Name: "test.yaml", Data: []byte(text)}).Documents() {
		last = d
	}
	return last
}

func TestPositionOf(t *testing.T) {
	t.Parallel()
	compact := `{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolContract","metadata":{"name":"a"},"spec":{"toolName":"x","targets":[{"profile":"p"},"q"]}}`
	tests := []struct{ name, text, pointer, want string }{
		{"a field", contractText("a"), "/spec/version", "6:3+7   [version]: 1.0.0"},
		{"a list entry", contractText("a"), "/spec/targets/0", "13:5+7   - [profile]: openai-responses"},
		{"below a list entry", contractText("a"), "/spec/targets/0/profile", "13:5+7   - [profile]: openai-responses"},
		{"a place that is not there", contractText("a"), "/spec/input/schema/properties/x", "11:5+6     [schema]: {type: object}"},
		{"the root", contractText("a"), "", "1:1+10 [apiVersion]: toolcontract.dev/v1alpha1"},
		{"the second document", "---\na: b\n---\n" + contractText("a"), "/spec/version", "9:3+7   [version]: 1.0.0"},
		{"an entry of a list", "kind: List\nitems:\n- " + indent(contractText("a")), "/spec/version", "8:5+7     [version]: 1.0.0"},
		{"behind wide characters", contractText("a", "{type: object}", "{客户: {type: x}}"), "/spec/input/schema/客户/type", "11:19+4     schema: {客户: {[type]: x}}"},
		{"a quoted key", contractText("a", "{type: object}", `{"type": object}`), "/spec/input/schema/type", `11:14+6     schema: {["type"]: object}`},
		{"behind a tab", contractText("a", "{type: object}", "{type:\tobject,\tx: 1}"), "/spec/input/schema/x", "11:28+1     schema: {type:\tobject,\t[x]: 1}"},
		{"with the line ends of Windows", strings.ReplaceAll(contractText("a"), "\n", "\r\n"), "/spec/version", "6:3+7   [version]: 1.0.0"},
		{"behind a mark of the byte order", "\ufeff" + contractText("a"), "/apiVersion", "1:1+10 [apiVersion]: toolcontract.dev/v1alpha1"},
		{"behind a line end that editors do not count", contractText("a", "{type: object}", "{a: \"x\u2028y\"}"), "/spec/targets/0/profile", "13:5+7   - [profile]: openai-responses"},
		{"JSON", "\n" + compact, "/spec/toolName", "2:97+10 " + `{"apiVersion":"toolcontract.dev/v1alpha1","kind":"ToolContract","metadata":{"name":"a"},"spec":{["toolName"]:"x","targets":[{"profile":"p"},"q"]}}`},
		{"an object in a list of JSON", "{\n\"kind\": \"ToolContract\", \"spec\": {\n \"targets\": [\n  {\"profile\": 1}, 2]}}", "/spec/targets/0", "4:3+1   [{]\"profile\": 1}, 2]}}"},
		{"a member of it", "{\n\"kind\": \"ToolContract\", \"spec\": {\n \"targets\": [\n  {\"profile\": 1}, 2]}}", "/spec/targets/0/profile", "4:4+9   {[\"profile\"]: 1}, 2]}}"},
		{"an item of a list of JSON", "{\n\"kind\": \"ToolContract\", \"spec\": {\n \"targets\": [\n  {\"profile\": 1}, 2]}}", "/spec/targets/1", "4:19+1   {\"profile\": 1}, [2]]}}"},
		{"an entry of a JSON list", "{\"kind\": \"List\", \"items\": [\n  {\"kind\": \"Pod\"},\n  {\"kind\": \"ToolContract\"}]}", "/kind", "3:4+6   {[\"kind\"]: \"ToolContract\"}]}"},
		{"broken JSON", "{\"kind\": \"ToolContract\", \"spec\": {\"a\": tru}}\n{\"kind\": \"ToolContract\"", "", "2:1+1 [{]\"kind\": \"ToolContract\""},
		{"broken YAML", "a: b\n---\nx: 1\n- y\n", "", "3:1+4 [x: 1]"},
		{
			"a long line", "{\"kind\": \"ToolContract\", \"x\": \"" + strings.Repeat("长", 300) + "\", \"y\": \"" + strings.Repeat("e", 500) + "\"}", "/y",
			"1:335+3 …" + strings.Repeat("长", 132) + "\", [\"y\"]: \"" + strings.Repeat("e", 397),
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := lastOf(test.text)
			if diff := cmp.Diff(test.want, at(d, d.PositionOf(test.pointer))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPositionInText(t *testing.T) {
	t.Parallel()
	block := contractText("a", "    schema: {type: object}", "    schemaText: |\n      {\"type\": \"object\",\n       \"properties\": {\n         \"a\": {\"enum\": [1,\n           2]}}}")
	tests := []struct{ name, text, pointer, want string }{
		{"the root is the first line of the block", block, "", `12:7+1       [{]"type": "object",`},
		{"a member", block, "/properties/a", `14:10+3          ["a"]: {"enum": [1,`},
		{"an item", block, "/properties/a/enum/1", "15:12+1            [2]]}}}"},
		{"a place that is not there", block, "/properties/a/items/x", `14:10+3          ["a"]: {"enum": [1,`},
		{"with the line ends of Windows", strings.ReplaceAll(block, "\n", "\r\n"), "/properties/a", `14:10+3          ["a"]: {"enum": [1,`},
		{"a text that ends too early", contractText("a", "    schema: {type: object}", "    schemaText: |\n      {\"type\": \"object\",\n       \"properties\": {\"a\": }}"), "/properties/a", `13:23+3        "properties": {["a"]: }}`},
		{"a text on one line is where its field is", contractText("a", "schema: {type: object}", `schemaText: '{"type":"object"}'`), "/type", `11:5+10     [schemaText]: '{"type":"object"}'`},
		{"a text in JSON is where its field is", `{"kind": "ToolContract", "spec": {"input": {"schemaText": "{}"}}}`, "/type", `1:45+12 {"kind": "ToolContract", "spec": {"input": {["schemaText"]: "{}"}}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			d := lastOf(test.text)
			if diff := cmp.Diff(test.want, at(d, d.PositionInText("/spec/input/schemaText", test.pointer))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPositionsGoBackAndForth: the place of one finding does not depend on which
// was asked before.
func TestPositionsGoBackAndForth(t *testing.T) {
	t.Parallel()
	text := contractText("a") + "---\n" + contractText("b")
	pointers := []string{"/spec/targets/0", "/spec/version", "/metadata/name", "/spec/input/schema", ""}
	for i, d := range documents(text) {
		for range 2 {
			for _, pointer := range pointers {
				if got, want := d.PositionOf(pointer), documents(text)[i].PositionOf(pointer); got != want {
					t.Errorf("document %d %s: got %+v, want %+v", i, pointer, got, want)
				}
			}
		}
	}
}

func TestPositionAt(t *testing.T) {
	t.Parallel()
	d := lastOf("a: b\n---\nkind: 订单 x\n")
	text, start := d.Text()
	if p := d.PositionAt(start + strings.Index(string(text), "x")); p.Line != 3 || p.Column != 10 {
		t.Errorf("got %+v", p)
	}
}

func documents(text string) []*Document {
	var out []*Document
	for d := range (Source{Name: "test.yaml", Data: []byte(text)}).Documents() {
		out = append(out, d)
	}
	return out
}

// TestPositionsInALongFile: what is remembered of a long file to find places in it
// quickly says what counting says.
func TestPositionsInALongFile(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("订单: é # "+strings.Repeat("长", 700)+"\n\n", 40) + strings.Repeat("é", 3*step) + "\nx"
	r := ruler{data: []byte(text)}
	for at := 0; at <= len(text); at += 101 {
		for at < len(text) && !utf8.RuneStart(text[at]) {
			at++
		}
		line, column := r.locate(at)
		before := text[:at]
		wantLine := 1 + strings.Count(before, "\n")
		wantColumn := 1 + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
		if line != wantLine || column != wantColumn {
			t.Fatalf("byte %d: got %d:%d, want %d:%d", at, line, column, wantLine, wantColumn)
		}
	}
}
