// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"strings"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// way is one way to write an operation. Comments between the two places of lost
// go with what is removed.
type way struct {
	edits []Edit
	lost  [2]int
}

func one(at, end int, text string) way { return way{edits: []Edit{{at, end - at, text}}} }

// ways lists the ways to write an operation, the best first.
func (d *document) ways(o finding.Operation) ([]way, error) {
	path := finding.Tokens(o.Path)
	var v *schema.Value
	if o.Op == "add" || o.Op == "replace" {
		var err error
		if v, err = valueOf(o); err != nil {
			return nil, err
		}
	}
	if len(path) == 0 {
		return d.replace(d.root, v), nil
	}
	last := len(path) - 1
	parent, err := d.find(path[:last])
	if err != nil {
		return nil, err
	}
	if parent.kind == leaf || parent.kind == alias {
		return nil, errForm
	}
	i := parent.index(path[last])
	switch {
	case o.Op == "move":
		return d.rename(parent, o, path[last])
	case o.Op == "add" && parent.kind == sequence:
		if i < 0 {
			i = len(parent.children)
		}
		return d.insert(parent, i, "", v), nil
	case o.Op == "add" && i < 0:
		return d.insert(parent, len(parent.children), path[last], v), nil
	case i < 0:
		return nil, errForm
	case o.Op == "remove":
		return d.remove(parent, i), nil
	default:
		return d.replace(parent.children[i], v), nil
	}
}

// rename gives a member another name.
func (d *document) rename(parent *node, o finding.Operation, name string) ([]way, error) {
	from := finding.Tokens(o.From)
	source, err := d.find(from)
	if err != nil || parent.kind != mapping || parent.index(name) >= 0 || parent.index(from[len(from)-1]) < 0 ||
		parent.children[parent.index(from[len(from)-1])] != source {
		return nil, errForm
	}
	return []way{one(source.keyStart, source.keyEnd, d.writer().text(name, source.inFlow))}, nil
}

// replace writes another value where one is.
func (d *document) replace(n *node, v *schema.Value) []way {
	w := d.writer()
	var out []way
	if wrapped, ok := d.wrap(n, v); ok {
		out = append(out, wrapped)
	}
	if n.isBlock && v.Kind() == schema.String && IsBlock(v.Text()) {
		line := nextLine(d.text, n.body)
		indent := len(d.text[line:]) - len(strings.TrimLeft(d.text[line:], " "))
		for _, header := range []string{d.text[n.start:endOfLine(d.text, n.body)], ""} {
			out = append(out, one(n.start, n.end, w.block(v.Text(), header, indent)))
		}
	}
	if n.inFlow || n.keyStart < 0 && n.dash < 0 {
		text := w.line(v, n.inFlow)
		if n.start == n.end {
			text = " " + text
		}
		return append(out, one(n.start, n.end, text))
	}
	if n.dash >= 0 {
		return append(out, one(n.start, n.end, w.item(v, n.dash-startOfLine(d.text, n.dash))))
	}
	column := n.keyStart - startOfLine(d.text, n.keyStart)
	keep := endOfLine(d.text, n.colon) // the line of the key stays, with a comment
	isBelow := n.body > keep
	if n.isBlock {
		if c, ok := d.commentIn(n.body, endOfLine(d.text, n.body)); ok {
			end := endOfLine(d.text, n.body)
			value, below := " "+w.line(v, false)+" ", ""
			if !isShort(v) {
				value, below = " ", w.behind(v, column)
			}
			out = append(out, way{edits: []Edit{{n.colon, c - n.colon, value}, {end, n.end - end, below}}})
		}
	}
	switch {
	case !isShort(v) && (!n.flow || strings.Contains(d.text[n.start:n.end], "\n") || len(w.line(v, true)) > 80):
		if isBelow {
			return append(out, one(keep, n.end, w.behind(v, column)))
		}
		text := w.behind(v, column)
		if !strings.HasPrefix(text, w.eol) { // a block behind the colon
			return append(out, one(n.colon, n.end, text))
		}
		end := endOfLine(d.text, n.end)
		return append(out, way{edits: []Edit{{n.colon, n.end - n.colon, ""}, {end, 0, text}}})
	case isBelow:
		return append(out, way{edits: []Edit{{n.colon, 0, " " + w.line(v, false)}, {keep, n.end - keep, ""}}})
	case n.start == n.end:
		return append(out, one(n.colon, n.colon, " "+w.line(v, false)))
	default:
		return append(out, one(n.start, n.end, w.line(v, n.flow)))
	}
}

// commentIn is where the first comment between two places starts.
func (d *document) commentIn(start, end int) (at int, ok bool) {
	for _, c := range d.comments {
		if start <= c.at && c.at < end {
			return c.at, true
		}
	}
	return 0, false
}

// wrap makes a mapping in lines the first branch of a list, where the new value
// is a member with such a list: its lines stay, further to the right.
func (d *document) wrap(n *node, v *schema.Value) (way, bool) {
	if n.kind != mapping || n.flow || n.keyStart < 0 || v.Kind() != schema.Object || v.Len() != 1 {
		return way{}, false
	}
	member := v.Members()[0]
	if member.Value.Kind() != schema.Array || member.Value.Len() < 2 {
		return way{}, false
	}
	w := d.writer()
	first := n.children[0].keyStart
	start := startOfLine(d.text, first)
	if strings.TrimLeft(d.text[start:first], " ") != "" {
		return way{}, false
	}
	column := first - start
	indent := strings.Repeat(" ", column)
	var b strings.Builder
	b.WriteString(indent + w.text(member.Name, false) + ":" + w.eol)
	for i, line := range linesOf(d.text[start:n.end]) {
		switch {
		case i == 0:
			b.WriteString(indent + "- " + line[column:])
		case strings.TrimSpace(line) == "":
			b.WriteString(line)
		default:
			b.WriteString("  " + line)
		}
	}
	var rest strings.Builder
	for _, item := range member.Value.Items()[1:] {
		rest.WriteString(w.eol + indent + "- " + w.item(item, column))
	}
	end := endOfLine(d.text, n.end)
	return way{edits: []Edit{{start, n.end - start, b.String()}, {end, 0, rest.String()}}}, true
}

// insert writes an entry before the child i, or behind all.
func (d *document) insert(parent *node, i int, key string, v *schema.Value) []way {
	w := d.writer()
	if parent.flow {
		return d.insertInFlow(parent, i, key, v)
	}
	if len(parent.children) == 0 {
		return nil
	}
	first := parent.children[0]
	column := first.place() - startOfLine(d.text, first.place())
	indent := strings.Repeat(" ", column)
	entry := "- " + w.item(v, column)
	if parent.kind == mapping {
		entry = w.text(key, false) + ":" + w.behind(v, column)
	}
	if i < len(parent.children) {
		at := parent.children[i].place()
		return []way{one(at, at, entry+w.eol+indent)}
	}
	end := endOfLine(d.text, parent.end)
	out := []way{one(end, end, w.eol+indent+entry)}
	if parent.kind == mapping { // behind a text that keeps its last lines there is no place
		out = append(out, one(first.place(), first.place(), entry+w.eol+indent))
	}
	return out
}

func (d *document) insertInFlow(parent *node, i int, key string, v *schema.Value) []way {
	w := d.writer()
	entry, comma := w.line(v, true), ", "
	colon := ": "
	if w.isCompact {
		comma, colon = ",", ":"
	}
	if parent.kind == mapping {
		entry = w.text(key, true) + colon + entry
	}
	if len(parent.children) == 0 {
		return []way{one(parent.body+1, parent.end-1, entry)}
	}
	at := parent.children[min(i, len(parent.children)-1)]
	start := startOfLine(d.text, at.place())
	if before := d.text[start:at.place()]; strings.TrimSpace(before) == "" && start > parent.body {
		comma = "," + w.eol + before
	}
	if i < len(parent.children) {
		return []way{one(at.place(), at.place(), entry+comma)}
	}
	out := []way{one(at.end, at.end, comma+entry)}
	rest := d.text[at.end:parent.end]
	if trimmed := strings.TrimLeft(rest, " \t\r\n"); strings.HasPrefix(trimmed, ",") {
		behind := at.end + len(rest) - len(trimmed) + 1
		out = append(out, one(behind, behind, strings.TrimPrefix(comma, ",")+entry))
	}
	return out
}

// remove takes an entry out.
func (d *document) remove(parent *node, i int) []way {
	n := parent.children[i]
	if len(parent.children) == 1 {
		empty := schema.NewObject()
		if parent.kind == sequence {
			empty = schema.NewArray()
		}
		if parent.flow {
			out := one(parent.body+1, parent.end-1, "")
			out.lost = [2]int{n.place(), n.end}
			return []way{out}
		}
		out := d.replace(parent, empty)
		for k := range out {
			out[k].lost = [2]int{parent.start, endOfLine(d.text, parent.end)}
		}
		return out
	}
	if parent.flow {
		if i+1 < len(parent.children) {
			return d.cut(n.place(), parent.children[i+1].place())
		}
		return d.cut(parent.children[i-1].end, n.end)
	}
	start := startOfLine(d.text, n.place())
	if strings.TrimLeft(d.text[start:n.place()], " ") == "" {
		return d.cut(start, nextLine(d.text, max(n.end, n.place())))
	}
	if i+1 < len(parent.children) {
		return d.cut(n.place(), parent.children[i+1].place())
	}
	return nil
}

func (d *document) cut(start, end int) []way {
	out := one(start, end, "")
	out.lost = [2]int{start, end}
	return []way{out}
}
