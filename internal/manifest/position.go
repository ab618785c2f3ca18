// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Position is a place in a file.
type Position struct {
	// Line and Column count from 1, the column in characters.
	Line, Column int
	// Width is how many characters of the line stand for the place; at least 1.
	Width int

	at span
}

// PositionAt returns where a byte offset of the file is, as [Document.Text] counts
// them.
func (d *Document) PositionAt(offset int) Position {
	if d.layout == nil {
		return Position{Line: max(1, d.Line), Column: 1, Width: 1}
	}
	offset = min(max(0, offset), len(d.layout.source.data))
	line, column := d.layout.source.locate(offset)
	return Position{Line: line, Column: column, Width: 1, at: span{offset, offset}}
}

// span is a range of bytes of a file.
type span struct{ start, end int }

// maxAround bounds what [Document.Around] returns on each side, in bytes.
const maxAround = 400

// Around returns the line of a position in three parts: what is before it, what
// stands for it, and what follows. Of a long line it is the part around the
// position; cut says that the line starts earlier.
func (d *Document) Around(p Position) (before, marked, after string, cut bool) {
	if d.layout == nil {
		return "", "", "", false
	}
	data := d.layout.source.data
	start := bytes.LastIndexByte(data[max(0, p.at.start-maxAround):p.at.start], '\n') + 1
	if start == 0 && p.at.start > maxAround {
		start, cut = p.at.start-maxAround, true
		for start < p.at.start && !utf8.RuneStart(data[start]) {
			start++
		}
	} else {
		start += max(0, p.at.start-maxAround)
	}
	rest := clipped(data[p.at.end:], maxAround)
	return string(data[start:p.at.start]), string(clipped(data[p.at.start:p.at.end], maxAround)), strings.TrimSuffix(string(firstLine(rest)), "\r"), cut
}

// clipped is the start of a text, at most limit bytes of it, to a whole character.
func clipped(text []byte, limit int) []byte {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

func firstLine(text []byte) []byte {
	if before, _, ok := bytes.Cut(text, []byte{'\n'}); ok {
		return before
	}
	return text
}

// ruler knows the line and the column of each byte of a file.
type ruler struct {
	data []byte
	// marks are the line and the column of every step-th byte; nil until needed.
	marks []mark
}

type mark struct{ line, column int }

// step is how many bytes are looked at, at most, to find a line and a column.
const step = 16 << 10

func (r *ruler) locate(at int) (line, column int) {
	at = min(max(0, at), len(r.data))
	if r.marks == nil {
		r.marks = append(r.marks, mark{1, 1})
		for next := step; next <= len(r.data); next += step {
			r.marks = append(r.marks, r.marks[len(r.marks)-1].behind(r.data[next-step:next]))
		}
	}
	found := r.marks[at/step].behind(r.data[at/step*step : at])
	return found.line, found.column
}

// behind is the mark after a text, which may begin or end inside of a character.
func (m mark) behind(text []byte) mark {
	if lines := bytes.Count(text, newline); lines > 0 {
		m.line, m.column = m.line+lines, 1
		text = text[bytes.LastIndexByte(text, '\n')+1:]
	}
	for _, b := range text {
		if utf8.RuneStart(b) {
			m.column++
		}
	}
	return m
}

// layout finds places in the text of one or more objects: a chunk of a file.
type layout struct {
	source     *ruler
	start, end int
	json       *jsonPlace // of JSON
	// stopped is the line, as YAML counts them, from which on the text is no YAML.
	stopped int
	// lines are where the lines start as YAML counts them, from the start of the
	// text; nil until they are needed.
	lines []int32
	// texts are the embedded JSON texts in which places were looked up.
	texts map[*yaml.Node]*jsonPlace
}

func newLayout(source *ruler, c chunk) *layout {
	l := &layout{source: source, start: c.start, end: c.start + len(c.text)}
	if c.json {
		l.json = wholeText(c.text)
	}
	return l
}

func (l *layout) text() []byte { return l.source.data[l.start:l.end] }

// position is that of a span of the text.
func (l *layout) position(s span) Position {
	text := l.text()
	s.start = min(s.start, len(text))
	s.end = s.start + len(firstLine(text[s.start:min(max(s.start, s.end), len(text))]))
	at := span{l.start + s.start, l.start + s.end}
	line, column := l.source.locate(at.start)
	return Position{Line: line, Column: column, Width: max(1, utf8.RuneCount(text[s.start:s.end])), at: at}
}

// line is the position of a line of YAML, from 1; 0 is the start of the text.
func (l *layout) line(n int) Position {
	if n == 0 {
		return l.position(span{})
	}
	start := l.offset(n, 1)
	text := firstLine(l.text()[start:])
	indent := len(text) - len(bytes.TrimLeft(text, " \t"))
	return l.position(span{start + indent, start + len(bytes.TrimRight(text, " \t\r"))})
}

// inJSON is where tokens lead to in JSON.
func (l *layout) inJSON(tokens []string) Position {
	return l.position(l.json.find(l.text(), tokens).mark)
}

// yaml is the position of a node.
func (l *layout) yaml(n *yaml.Node) Position {
	start := l.offset(n.Line, n.Column)
	return l.position(span{start, start + width(n, l.text()[start:])})
}

// width is how many bytes of a text stand for a node that starts there: those of
// a scalar, or the first key of a mapping.
func width(n *yaml.Node, text []byte) int {
	if n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		n = n.Content[0]
	}
	if n.Kind != yaml.ScalarNode {
		return min(1, len(text))
	}
	for _, quote := range []string{"", `"`, "'"} {
		if written := quote + n.Value + quote; bytes.HasPrefix(text, []byte(written)) {
			return len(written)
		}
	}
	return min(1, len(text))
}

// offset is where a line and a column of YAML are in the text.
func (l *layout) offset(line, column int) int {
	text := l.text()
	if l.lines == nil {
		l.lines = yamlLines(text)
	}
	if line < 1 || line > len(l.lines) {
		return len(text)
	}
	at := int(l.lines[line-1])
	for ; column > 1 && at < len(text); column-- {
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// yamlLines are the offsets at which lines start. YAML breaks lines also at the
// Unicode line ends, which editors do not count.
func yamlLines(text []byte) []int32 {
	out := []int32{0}
	for i := range text {
		next := 0
		switch c := text[i]; {
		case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		case c == '\n', c == '\r':
			next = i + 1
		case c == 0xc2 && i+1 < len(text) && text[i+1] == 0x85:
			next = i + 2
		case c == 0xe2 && i+2 < len(text) && text[i+1] == 0x80 && (text[i+2] == 0xa8 || text[i+2] == 0xa9):
			next = i + 3
		}
		if next > 0 {
			out = append(out, int32(next))
		}
	}
	return out
}

// inBlock is where tokens lead to in the JSON text of a literal block.
func (l *layout) inBlock(n *yaml.Node, tokens []string) Position {
	value := []byte(n.Value)
	place := l.texts[n]
	if place == nil {
		if l.texts == nil {
			l.texts = map[*yaml.Node]*jsonPlace{}
		}
		place = wholeText(value)
		l.texts[n] = place
	}
	mark := place.find(value, tokens).mark
	lineStart := bytes.LastIndexByte(value[:mark.start], '\n') + 1
	line := n.Line + 1 + bytes.Count(value[:mark.start], newline)
	start := l.offset(line, 1)
	text := l.text()[start:]
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	// The block may keep spaces of its own beyond its indentation.
	indent -= len(value[lineStart:]) - len(bytes.TrimLeft(value[lineStart:], " "))
	start += max(0, indent) + mark.start - lineStart
	return l.position(span{start, start + mark.end - mark.start})
}
