// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/dialect"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/yamledit"
)

// anyInput is the schema of a tool that declares none although its API demands
// one: an object of arguments is passed to every tool. noInput is that of a
// tool without arguments.
const (
	anyInput = `{"type":"object"}`
	noInput  = `{"type":"object","properties":{},"additionalProperties":false}`
)

// inputSchema returns the text of the input schema.
func (t *tool) inputSchema() (string, error) {
	place, raw := t.find(t.form.input)
	t.input = place
	switch {
	case raw != nil:
	case t.form.mandatory:
		t.input = t.form.input[0] // what is there, if anything, is null
		t.note("%s: it has no schema, which %s demands; the contract admits any arguments: write the schema", t.pointer(t.input.member), t.form.title)
		raw = jsontext.Value(anyInput)
	default:
		t.note("%s: it has no schema, which means for %s that it takes no arguments; the contract says so", t.pointer(t.form.input[0].member), t.form.title)
		raw = jsontext.Value(noInput)
	}
	at := t.pointer(t.form.input[0].member)
	if place.member != "" {
		at = t.pointer(place.tokens()...)
	}
	return t.schemaText(at, raw, place, true)
}

// tokens are the members that lead to the schema.
func (p schemaPlace) tokens() []string {
	if p.below == "" {
		return []string{p.member}
	}
	return []string{p.member, p.below}
}

// schemaText makes the text of an embedded schema, found at a pointer: in
// 2020-12, the author's own text as far as nothing had to be rewritten. The
// schema of an input is made one of an object: every call fulfils that.
func (t *tool) schemaText(at string, raw jsontext.Value, place schemaPlace, isInput bool) (string, error) {
	if raw.Kind() != '{' {
		return "", fmt.Errorf("%s: it is not an object; write a JSON Schema of type object", at)
	}
	root, failed := schema.Parse(raw)
	if failed != nil {
		return "", fmt.Errorf("%s: %s: %s; %s", at, failed.Place(), failed.Message, failed.Fix)
	}
	rewritten := t.modernise(at, root)
	if place.openAPI {
		rewritten = t.openAPI(at, root)
	}
	rewritten = t.withoutRepetitions(at, rewritten)
	if isInput && !rewritten.Has("type") {
		t.note("%s: it has no type; type: object was added, which every call fulfils", at)
		rewritten = schema.NewObject(append([]schema.Member{{Name: "type", Value: schema.NewString("object")}}, rewritten.Members()...)...)
	}
	if t.options.CloseObjects {
		rewritten = t.closeObjects(at, rewritten)
	}
	text := raw
	if rewritten != root {
		text = jsontext.Value(rewritten.JSON())
	}
	return escapeForBlock(string(layOut(text))) + "\n", nil
}

// openAPI rewrites a schema of the Gemini API into JSON Schema and reports it.
func (t *tool) openAPI(at string, root *schema.Value) *schema.Value {
	c := fromOpenAPI{}
	rewritten := c.node(root, "")
	if rewritten.JSON() == root.JSON() {
		rewritten = root
	} else {
		t.note("%s: it was rewritten from the OpenAPI spelling of the Gemini API into JSON Schema", at)
	}
	for _, note := range clipped(c.notes) {
		t.note("%s: %s", at, note)
	}
	return rewritten
}

// modernise converts a schema of an older dialect and reports what it did. What
// has no exact conversion stays as it is, for check to refuse.
func (t *tool) modernise(at string, root *schema.Value) *schema.Value {
	from := dialect.Of(root)
	converted, findings := dialect.Convert(root, "")
	switch {
	case !dialect.Known(from):
		t.note("%s: the dialect %s is unknown and stays as it is; check will refuse it", at, finding.Quote(from))
		return root
	case converted == nil:
		t.note("%s: it stays in %s, which check will refuse, because it has no exact conversion to 2020-12", at, from)
		converted = root
	case converted == root:
		return root
	case len(findings) == 0:
		t.note("%s: the $schema of %s was removed; every keyword in use means the same in 2020-12", at, from)
	default:
		t.note("%s: it was rewritten from %s to 2020-12", at, from)
	}
	var notes []string
	for _, f := range findings {
		note := f.Place() + ": " + f.Message
		if f.Fix != "" {
			note += "; " + f.Fix
		}
		notes = append(notes, note)
	}
	for _, note := range clipped(notes) {
		t.note("%s: %s", at, note)
	}
	return converted
}

// clipped bounds a list of changes, and each of them.
func clipped(changes []string) []string {
	const most = 16
	var out []string
	for _, change := range changes[:min(most, len(changes))] {
		out = append(out, finding.Clip(change, 300))
	}
	if rest := len(changes) - most; rest > 0 {
		out = append(out, fmt.Sprintf("and %d more changes", rest))
	}
	return out
}

// escapeForBlock writes characters that YAML does not take literally, or reads
// as line breaks, as JSON escapes. In JSON they occur inside strings only.
func escapeForBlock(json string) string {
	var b strings.Builder
	for _, r := range json {
		if r == '\n' || yamledit.IsBlockSafe(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\u%04x`, r) // all of them are below U+10000
	}
	return b.String()
}
