// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Order gives the names of the members at a path in their order, the index of an
// item being "*"; nothing where the order is the author's.
type Order func(path []string) []string

// Format lays out one YAML document: two spaces of indentation, members in the
// given order, no space at line ends, one line end at the end. A list stays at the
// column of its key where it is there; both forms are common. Values, comments and
// blank lines stay. JSON stays as it is. The
// error says why the text is left alone.
func Format(text []byte, order Order) (formatted []byte, err error) {
	defer func() { // the YAML libraries panic on some malformed documents
		if p := recover(); p != nil {
			formatted, err = nil, fmt.Errorf("formatting the document: %v", p)
		}
	}()
	d, err := parse(string(text))
	if err != nil || d.isJSON {
		return text, err
	}
	before := d
	for _, pass := range []func(*document) string{indented, trimmed} {
		if d, err = d.becomes(pass(d)); err != nil {
			return nil, err
		}
	}
	for {
		next, changed := ordered(d, order)
		if !changed {
			break
		}
		if d, err = d.becomes(next); err != nil {
			return nil, err
		}
	}
	if !before.value.Equal(d.value) {
		return nil, errLayout
	}
	return []byte(d.text), nil
}

var errLayout = errors.New("the document is laid out in a form that is not changed by itself; format it by hand")

// becomes reads the same document in another layout.
func (d *document) becomes(text string) (*document, error) {
	if text == d.text {
		return d, nil
	}
	after, err := parse(text)
	if err != nil || !after.value.Equal(d.value) || !keepsComments(d, after, [2]int{}) {
		return nil, errLayout
	}
	return after, nil
}

// step of an indentation.
const indentation = 2

// line is what is known of a line before it is indented.
type line struct {
	// from and to are the columns of an entry that starts the line.
	isEntry  bool
	from, to int
	// inside says that the line goes on with a value; it moves by shift.
	inside bool
	shift  int
	// gaps are spaces behind hyphens that go.
	gaps []Edit
	// raw says that nothing of the line may change but its indentation.
	raw bool
}

// indenter finds where each line belongs.
type indenter struct {
	d     *document
	start []int // of the lines
	lines []line
}

func indented(d *document) string {
	x := &indenter{d: d, start: lineStarts(d.text)}
	x.lines = make([]line, len(x.start))
	x.value(d.root, 0, 0)
	var b strings.Builder
	for i, start := range x.start {
		end := len(d.text)
		if i+1 < len(x.start) {
			end = x.start[i+1]
		}
		text := d.text[start:end]
		body := strings.TrimLeft(text, " ")
		width := len(text) - len(body)
		l := x.lines[i]
		for _, v := range slices.Backward(l.gaps) {
			at := v.Offset - start - width
			body = body[:at] + body[at+v.Length:]
		}
		if strings.TrimSpace(body) == "" {
			if !l.raw {
				b.WriteString(text)
				continue
			}
			if b.WriteString(text); width > 0 && strings.TrimRight(body, "\r\n") == "" { // spaces in a block count from its indentation
				continue
			}
			continue
		}
		switch {
		case l.isEntry:
			width = l.to
		case l.inside:
			width = max(0, width+l.shift)
		case body[0] == '#':
			width = x.comment(i, width)
		}
		b.WriteString(strings.Repeat(" ", width))
		b.WriteString(body)
	}
	return b.String()
}

// comment is the column of a comment by itself: that of the entry at whose column
// it stands, of the next one first.
func (x *indenter) comment(i, column int) int {
	for k := i + 1; k < len(x.lines); k++ {
		if l := x.lines[k]; l.isEntry {
			if l.from == column {
				return l.to
			}
			break
		}
	}
	shift := 0
	for k := i - 1; k >= 0; k-- {
		l := x.lines[k]
		if !l.isEntry {
			continue
		}
		if l.from == column {
			return l.to
		}
		if l.from < column {
			if shift == 0 {
				shift = l.to - l.from
			}
			break
		}
	}
	return max(0, column+shift)
}

func (x *indenter) lineOf(at int) int {
	i, found := slices.BinarySearch(x.start, at)
	if !found {
		i--
	}
	return i
}

// value places the lines of a value whose entries go to a column; from and to are
// the columns of the entry around it.
func (x *indenter) value(n *node, shift, to int) {
	switch {
	case n.kind != mapping && n.kind != sequence || n.flow:
		x.inside(n, shift, to)
	default:
		for _, c := range n.children {
			x.entry(n, c, to)
		}
	}
}

func (x *indenter) entry(parent, c *node, to int) {
	at := c.place()
	i := x.lineOf(at)
	from := at - x.start[i] // within the line, also where the line starts with a hyphen
	if strings.TrimLeft(x.d.text[x.start[i]:at], " ") == "" {
		x.lines[i] = line{isEntry: true, from: from, to: to}
	}
	if c.dash >= 0 && x.lineOf(c.start) == i && c.start > c.dash+2 {
		x.lines[i].gaps = append(x.lines[i].gaps, Edit{c.dash + 2, c.start - c.dash - 2, ""})
	}
	below := to + indentation
	if c.kind == sequence && !c.flow && parent.kind == mapping && len(c.children) > 0 {
		if dash := c.children[0].dash; dash-startOfLine(x.d.text, dash) == from {
			below = to
		}
	}
	x.value(c, to-from, below)
}

// inside places the lines that a value goes on with.
func (x *indenter) inside(n *node, shift, to int) {
	first, last := x.lineOf(n.body), x.lineOf(max(n.body, n.end-1))
	if n.isBlock {
		least := -1
		for i := first + 1; i <= last; i++ {
			text := x.d.text[x.start[i]:endOfLine(x.d.text, x.start[i])]
			if width := len(text) - len(strings.TrimLeft(text, " ")); width < len(text) {
				least = width
				break
			}
		}
		if header := x.d.text[n.body:endOfLine(x.d.text, n.body)]; least >= 0 && !strings.ContainsAny(strings.Split(header, "#")[0], "123456789") {
			shift = to - least
		}
	}
	for i := first + 1; i <= last; i++ {
		x.lines[i] = line{inside: true, shift: shift, raw: true}
	}
}

// trimmed removes space at line ends, where it is in no value, and ends the text
// with one line end.
func trimmed(d *document) string {
	x := &indenter{d: d, start: lineStarts(d.text)}
	x.lines = make([]line, len(x.start))
	var mark func(n *node)
	mark = func(n *node) {
		if n.kind == leaf {
			last := x.lineOf(max(n.body, n.end-1))
			for i := x.lineOf(n.body); i < last; i++ {
				x.lines[i].raw = true
			}
			if n.isBlock {
				x.lines[last].raw = true
			}
		}
		for _, c := range n.children {
			mark(c)
		}
	}
	mark(d.root)
	var b strings.Builder
	for i, start := range x.start {
		end := endOfLine(d.text, start)
		text := d.text[start:end]
		if !x.lines[i].raw {
			text = strings.TrimRight(text, " \t")
		}
		b.WriteString(text)
		if i+1 < len(x.start) {
			b.WriteString(d.eol)
		}
	}
	out := b.String()
	if !endsInBlock(d.root) {
		out = strings.TrimRight(out, "\r\n")
	}
	if !strings.HasSuffix(out, "\n") {
		out += d.eol
	}
	return out
}

// endsInBlock reports whether the last value is a text in lines, which may keep
// the empty lines at its end.
func endsInBlock(n *node) bool {
	for len(n.children) > 0 && !n.flow {
		n = n.children[len(n.children)-1]
	}
	return n.isBlock
}

// ordered puts the members of one mapping in order that are not.
func ordered(d *document, order Order) (text string, changed bool) {
	var visit func(n *node, path []string) bool
	visit = func(n *node, path []string) bool {
		if n.kind == mapping && !n.flow {
			if text, changed = d.sorted(n, order(path)); changed {
				return true
			}
		}
		for _, c := range n.children {
			name := "*"
			if n.kind == mapping {
				name = c.key
			}
			if visit(c, append(slices.Clip(path), name)) {
				return true
			}
		}
		return false
	}
	visit(d.root, nil)
	return text, changed
}

// sorted is the text with the members of a mapping in an order. Each takes the
// comments along that stand above it.
func (d *document) sorted(n *node, names []string) (string, bool) {
	rank := func(c *node) int {
		if i := slices.Index(names, c.key); i >= 0 {
			return i
		}
		return len(names)
	}
	if len(names) == 0 || slices.IsSortedFunc(n.children, func(a, b *node) int { return rank(a) - rank(b) }) {
		return "", false
	}
	type part struct {
		rank int
		text string
	}
	first := n.children[0].keyStart
	column := first - startOfLine(d.text, first)
	parts := make([]part, len(n.children))
	starts := make([]int, len(n.children)+1)
	for i, c := range n.children {
		starts[i] = first
		if i > 0 {
			starts[i] = d.withComments(c.keyStart, column)
		}
	}
	if strings.TrimLeft(d.text[first-column:first], " ") == "" {
		starts[0] = d.withComments(first, column)
	}
	last := n.children[len(n.children)-1]
	end := nextLine(d.text, max(n.end, last.keyEnd))
	for endsInBlock(last) && end < len(d.text) && strings.TrimSpace(d.text[end:endOfLine(d.text, end)]) == "" {
		end = nextLine(d.text, end) // it may keep the empty lines
	}
	starts[len(n.children)] = end
	indent := d.text[starts[0]:first]
	for i, c := range n.children {
		parts[i] = part{rank(c), strings.TrimLeft(d.text[starts[i]:starts[i+1]], " ")}
		if !strings.HasSuffix(parts[i].text, "\n") {
			parts[i].text += d.eol
		}
	}
	slices.SortStableFunc(parts, func(a, b part) int { return a.rank - b.rank })
	var b strings.Builder
	b.WriteString(d.text[:starts[0]])
	for i, p := range parts {
		switch {
		case i > 0:
			b.WriteString(strings.Repeat(" ", column))
		case starts[0] < first || indent != "":
			b.WriteString(strings.Repeat(" ", column))
		}
		b.WriteString(p.text)
	}
	b.WriteString(d.text[starts[len(n.children)]:])
	return b.String(), true
}

// withComments is where the comments start that stand above an entry, at its
// column; else where its line starts.
func (d *document) withComments(at, column int) int {
	start := startOfLine(d.text, at)
	for start > 0 {
		above := startOfLine(d.text, start-1)
		text := d.text[above:start]
		if len(text)-len(strings.TrimLeft(text, " ")) != column || text[column] != '#' {
			return start
		}
		start = above
	}
	return start
}
