// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/toolcontract/operator/internal/schema"
)

const (
	// maxPretty is the most bytes that a schema may have on several lines; a
	// larger one is written on one, so that layout never breaks a size limit.
	maxPretty = 48 << 10
	// maxLine is the longest list of plain values that stays on one line.
	maxLine = 100
)

// layOut formats a JSON text that is known to be well formed, one member per
// line. Strings and numbers keep the author's spelling.
func layOut(text jsontext.Value) []byte {
	if pretty := appendPretty(nil, text, 0); len(pretty) <= maxPretty {
		return pretty
	}
	compact := text.Clone()
	if err := compact.Compact(); err != nil {
		return text
	}
	return compact
}

func appendPretty(dst []byte, v jsontext.Value, indent int) []byte {
	switch v.Kind() {
	case '{':
		members, _ := membersOf(v)
		if len(members) == 0 {
			return append(dst, "{}"...)
		}
		dst = append(dst, '{')
		for i, m := range members {
			dst = appendBreak(dst, i > 0, indent+2)
			dst = append(schema.AppendString(dst, m.name), ": "...)
			dst = appendPretty(dst, m.value, indent+2)
		}
		return append(appendBreak(dst, false, indent), '}')
	case '[':
		items := elements(v)
		if len(items) == 0 {
			return append(dst, "[]"...)
		}
		if line, ok := onOneLine(items); ok {
			return append(dst, line...)
		}
		dst = append(dst, '[')
		for i, item := range items {
			dst = appendBreak(dst, i > 0, indent+2)
			dst = appendPretty(dst, item, indent+2)
		}
		return append(appendBreak(dst, false, indent), ']')
	default:
		return append(dst, v...)
	}
}

func appendBreak(dst []byte, comma bool, indent int) []byte {
	if comma {
		dst = append(dst, ',')
	}
	return append(append(dst, '\n'), strings.Repeat(" ", indent)...)
}

// onOneLine writes a short list of plain values as people do.
func onOneLine(items []jsontext.Value) (string, bool) {
	length := 0
	for _, item := range items {
		length += len(item) + len(", ")
	}
	isContainer := func(v jsontext.Value) bool { return v.Kind() == '{' || v.Kind() == '[' }
	if length > maxLine || slices.ContainsFunc(items, isContainer) {
		return "", false
	}
	texts := make([]string, len(items))
	for i, item := range items {
		texts[i] = string(item)
	}
	return "[" + strings.Join(texts, ", ") + "]", true
}
