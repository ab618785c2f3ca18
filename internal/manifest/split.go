// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/finding"
)

// chunk is one document of a stream, still as text.
type chunk struct {
	text  []byte
	start int // where it starts, in bytes
	line  int // the same, from 1
	json  bool
	// notJSON says why a text that starts like JSON is read as YAML. When it is
	// not YAML either, this is the better explanation.
	notJSON []finding.Finding
	// failed is set for what cannot be read at all.
	failed []finding.Finding
}

// split cuts a stream as kubectl does: a text that starts with a brace is a
// sequence of JSON values, from the first one that is not JSON on it is YAML,
// and YAML documents are separated by lines that start with three hyphens.
// Unlike kubectl it goes on behind a broken value if another one follows. Data is
// without the mark of the byte order.
func split(data []byte) []chunk {
	line, size := 1, len(data)
	var out []chunk
	for {
		body := bytes.TrimLeft(data, " \t\r\n")
		if len(body) == 0 {
			return out
		}
		if body[0] != '{' {
			return append(out, splitYAML(data, size-len(data), line, nil)...)
		}
		line += bytes.Count(data[:len(data)-len(body)], newline)
		start := size - len(body)
		value := body[:jsonLength(body)]
		rest := bytes.TrimLeft(body[len(value):], " \t\r\n")
		switch {
		case isJSON(value):
			out = append(out, chunk{text: value, start: start, line: line, json: true})
		case len(rest) > 0 && rest[0] == '{':
			out = append(out, chunk{text: value, start: start, line: line, json: true, failed: checkJSON(value)})
		default:
			return append(out, splitYAML(body, start, line, checkJSON(value))...)
		}
		line += bytes.Count(value, newline)
		data = body[len(value):]
	}
}

var newline = []byte("\n")

// isJSON leaves repeated names to a later check, which knows the place.
func isJSON(text []byte) bool {
	return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true))
}

// jsonLength measures what data starts with up to the bracket that closes the
// first one, however deep; without such a bracket it is all of data.
func jsonLength(data []byte) int {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(data)
}

// splitYAML cuts at separator lines. Only white space and a comment may follow
// the hyphens; kubectl refuses anything else. The data starts at base in the file.
func splitYAML(data []byte, base, line int, notJSON []finding.Finding) []chunk {
	var out []chunk
	start, startLine := 0, line
	end := func(at int) {
		if !isBlankYAML(data[start:at]) {
			out = append(out, chunk{text: data[start:at], start: base + start, line: startLine, notJSON: notJSON})
		}
		notJSON = nil // it is about the first document only
	}
	for at := 0; at < len(data); line++ {
		next := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		if rest, ok := bytes.CutPrefix(data[at:next], []byte("---")); ok {
			end(at)
			start, startLine = next, line+1
			if rest = bytes.TrimSpace(rest); len(rest) > 0 && rest[0] != '#' {
				out = append(out, chunk{text: data[at:next], start: base + at, line: line, failed: []finding.Finding{*failure(RuleYAMLSyntax, "",
					fmt.Sprintf("the separator line goes on with %s; kubectl takes only a comment there", finding.Quote(string(rest))),
					"start the document on the next line")}})
			}
		}
		at = next
	}
	end(len(data))
	return out
}

// isBlankYAML reports whether a text holds nothing but comments and white space.
func isBlankYAML(text []byte) bool {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return false
		}
	}
	return true
}
