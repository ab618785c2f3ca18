// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/schema"
)

// emptyInput is the schema of a tool that declares none: MCP passes an object
// of arguments to every tool.
const emptyInput = `{"type":"object"}`

// inputSchema returns the text of the input schema, with what MCP demands of
// it: arguments are always an object, so saying so admits the same calls.
func (t *tool) inputSchema() (string, error) {
	raw := t.members.get("inputSchema")
	if raw == nil || raw.Kind() == 'n' {
		t.note("it has no inputSchema, which MCP demands; the contract admits any arguments: write the schema")
		raw = jsontext.Value(emptyInput)
	}
	return t.schemaText("inputSchema", raw)
}

// schemaText makes the text of an embedded schema: in 2020-12, the author's
// own text as far as nothing had to be rewritten.
func (t *tool) schemaText(member string, raw jsontext.Value) (string, error) {
	if raw.Kind() != '{' {
		return "", errors.New("it is not an object")
	}
	root, failed := schema.Parse(raw)
	if failed != nil {
		return "", fmt.Errorf("%s: %s", failed.Place(), failed.Message)
	}
	rewritten := t.modernise(member, root)
	if member == "inputSchema" && !rewritten.Has("type") {
		t.note("inputSchema has no type; type: object was added, which MCP demands and every call fulfils")
		rewritten = schema.NewObject(append([]schema.Member{{Name: "type", Value: schema.NewString("object")}}, rewritten.Members()...)...)
	}
	if t.options.CloseObjects {
		rewritten = t.closeObjects(member, rewritten)
	}
	text := raw
	if rewritten != root {
		text = jsontext.Value(rewritten.JSON())
	}
	return escapeForBlock(string(layOut(text))) + "\n", nil
}

// modernise rewrites a schema of an older dialect and reports what it did.
func (t *tool) modernise(member string, root *schema.Value) *schema.Value {
	c := toLatest(root)
	if c == nil {
		return root
	}
	for _, note := range c.notes() {
		t.note("%s: %s", member, note)
	}
	return c.root
}

// escapeForBlock writes characters that YAML does not take literally, or reads
// as line breaks, as JSON escapes. In JSON they occur inside strings only.
func escapeForBlock(json string) string {
	var b strings.Builder
	for _, r := range json {
		if r == '\n' || isBlockSafe(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\u%04x`, r) // all of them are below U+10000
	}
	return b.String()
}

// isBlockSafe reports whether YAML 1.1 takes a character literally in a block.
// Source: https://yaml.org/spec/1.1, sections 5.1 and 5.4.
func isBlockSafe(r rune) bool {
	switch r {
	case '\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff':
		return false
	case '\t':
		return true
	}
	return ' ' <= r && r < 0x7f || r >= 0xa0
}
