// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/toolcontract/operator/internal/schema"
)

var versionLike = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9a-z.-]*[0-9a-z])?$`)

// IsPlain reports whether a text needs no quotes in YAML 1.1 or 1.2: it starts
// with a letter, is no word for a boolean or null, and has no character that
// ends or structures a plain scalar.
func IsPlain(s string) bool {
	if versionLike.MatchString(s) {
		return true
	}
	switch strings.ToLower(s) {
	case "y", "yes", "n", "no", "on", "off", "true", "false", "null":
		return false
	}
	for i, r := range s {
		switch {
		case i == 0 && !unicode.IsLetter(r), !unicode.IsPrint(r), !IsBlockSafe(r):
			return false
		}
	}
	return s != "" && !strings.HasSuffix(s, " ") && !strings.HasSuffix(s, ":") &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #")
}

// IsBlock reports whether a literal block can hold a text: several lines of
// literal characters, and no space at the start, which would be indentation.
func IsBlock(s string) bool {
	if !strings.Contains(s, "\n") || strings.ContainsRune(" \t\n", rune(s[0])) {
		return false
	}
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if strings.TrimSpace(lines[len(lines)-1]) == "" {
		return false // spaces at the end would be taken for layout
	}
	for _, r := range s {
		if r != '\n' && !IsBlockSafe(r) {
			return false
		}
	}
	return true
}

// IsBlockSafe reports whether YAML 1.1 takes a character literally in a block.
// Source: https://yaml.org/spec/1.1, sections 5.1 and 5.4.
func IsBlockSafe(r rune) bool {
	switch r {
	case '\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff':
		return false
	case '\t':
		return true
	}
	return ' ' <= r && r < 0x7f || r >= 0xa0
}

// writer writes values in the form of a document.
type writer struct {
	isJSON, isCompact bool
	eol               string
}

func (d *document) writer() writer {
	return writer{isJSON: d.isJSON, isCompact: d.isJSON && !strings.Contains(d.text, `": `), eol: d.eol}
}

// text writes a text in one line; inFlow says that it stands between brackets.
func (w writer) text(s string, inFlow bool) string {
	switch {
	case w.isJSON:
		return string(schema.NewString(s).AppendJSON(nil))
	case (IsPlain(s) || s != "" && s[0] == '$' && IsPlain(s[1:])) && (!inFlow || !strings.ContainsAny(s, ",[]{}:")):
		return s
	default:
		return strconv.Quote(s) // every escape of Go means the same in YAML
	}
}

// line writes a value in one line.
func (w writer) line(v *schema.Value, inFlow bool) string {
	comma, colon := ", ", ": "
	if w.isCompact {
		comma, colon = ",", ":"
	}
	switch v.Kind() {
	case schema.Object:
		list := make([]string, 0, v.Len())
		for _, m := range v.Members() {
			list = append(list, w.text(m.Name, true)+colon+w.line(m.Value, true))
		}
		return "{" + strings.Join(list, comma) + "}"
	case schema.Array:
		list := make([]string, 0, v.Len())
		for _, item := range v.Items() {
			list = append(list, w.line(item, true))
		}
		return "[" + strings.Join(list, comma) + "]"
	case schema.String:
		return w.text(v.Text(), inFlow)
	default:
		return v.JSON()
	}
}

// isShort reports whether a value is best written in one line: no object in it
// that has members.
func isShort(v *schema.Value) bool {
	switch v.Kind() {
	case schema.Object:
		return v.Len() == 0
	case schema.Array:
		for _, item := range v.Items() {
			if item.Len() > 0 && item.Kind() != schema.String {
				return false
			}
		}
		return len(v.JSON()) <= 80
	default:
		return true
	}
}

// lines writes a value that is not short in lines, whose first one starts at a
// column without its indentation.
func (w writer) lines(v *schema.Value, column int) string {
	indent := w.eol + strings.Repeat(" ", column)
	var list []string
	if v.Kind() == schema.Array {
		for _, item := range v.Items() {
			list = append(list, "- "+w.item(item, column))
		}
		return strings.Join(list, indent)
	}
	for _, m := range v.Members() {
		list = append(list, w.text(m.Name, false)+":"+w.behind(m.Value, column))
	}
	return strings.Join(list, indent)
}

// item writes what stands behind the hyphen at a column.
func (w writer) item(v *schema.Value, column int) string {
	if isShort(v) {
		return w.line(v, false)
	}
	return w.lines(v, column+2)
}

// behind writes what stands behind the colon of a key at a column.
func (w writer) behind(v *schema.Value, column int) string {
	switch {
	case v.Kind() == schema.String && IsBlock(v.Text()):
		return " " + w.block(v.Text(), "", column+2)
	case isShort(v):
		return " " + w.line(v, false)
	}
	if v.Kind() == schema.Object {
		column += 2
	}
	return w.eol + strings.Repeat(" ", column) + w.lines(v, column)
}

// block writes a literal block; header is its first line, empty for the one that
// the text needs: it says what is at the end, no line break, one, or more.
func (w writer) block(s, header string, column int) string {
	body := strings.TrimRight(s, "\n")
	breaks := len(s) - len(body)
	if header == "" {
		header = [...]string{"|-", "|", "|+"}[min(breaks, 2)]
	}
	var b strings.Builder
	b.WriteString(header)
	for line := range strings.SplitSeq(body, "\n") {
		b.WriteString(w.eol)
		if line != "" {
			b.WriteString(strings.Repeat(" ", column) + line)
		}
	}
	b.WriteString(strings.Repeat(w.eol, max(0, breaks-1)))
	return b.String()
}
