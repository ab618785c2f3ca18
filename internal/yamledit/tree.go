// SPDX-License-Identifier: Apache-2.0

package yamledit

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"
	kubeyaml "sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/schema"
)

// document is a text that has been read.
type document struct {
	text   string
	eol    string
	isJSON bool
	value  *schema.Value
	root   *node
	// comments are where they start and what they say, in the order of the text.
	comments []comment
}

type comment struct {
	at   int
	text string
}

type kind int

const (
	leaf kind = iota
	mapping
	sequence
	alias
)

// node is a value and the bytes that it is written with.
type node struct {
	kind kind
	// start and end are the bytes of the value with its anchor and tag; of a value
	// in lines they end with the last line.
	start, end int
	// body is where the value starts behind its anchor and tag.
	body int
	// inFlow says that the value stands between brackets; flow that it has some.
	inFlow, flow bool
	// isBlock says that it is a text in lines, behind | or >.
	isBlock bool
	// key is the name of a member, which is written at keyStart to keyEnd; colon is
	// where the text behind the colon starts. Without a key they are -1.
	key                     string
	keyStart, keyEnd, colon int
	// dash is where the hyphen of an item of a list in lines is; or -1.
	dash     int
	children []*node
}

// place is where an entry of a mapping or list starts.
func (n *node) place() int {
	switch {
	case n.keyStart >= 0:
		return n.keyStart
	case n.dash >= 0:
		return n.dash
	default:
		return n.start
	}
}

func parse(text string) (*document, error) {
	d := &document{text: text, eol: lineEnd(text)}
	if jsontext.Value(text).IsValid() {
		return d, d.readJSON()
	}
	if strings.ContainsAny(strings.ReplaceAll(text, "\r\n", "\n"), "\r\u0085\u2028\u2029") {
		return nil, errors.New("a line of the document ends with a character that few editors take for the end of a line (CR, U+0085, U+2028 or U+2029); end lines with a line feed")
	}
	converted, err := kubeyaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("reading the document: %w", err)
	}
	var failed error
	if d.value, failed = valueIn(converted); failed != nil {
		return nil, failed
	}
	var tree yaml.Node
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		return nil, fmt.Errorf("reading the document: %w", err)
	}
	if len(tree.Content) != 1 {
		return nil, errors.New("the document is empty")
	}
	r := reader{text: text, lines: lineStarts(text)}
	d.root = r.node(tree.Content[0], -1, false)
	if r.err != nil {
		return nil, r.err
	}
	if name, twice := keyTwice(d.root, d.value); twice {
		return nil, fmt.Errorf("the key %q and another key beside it are the same key; keep one of them", name)
	}
	d.comments = commentsOf(text, r.leaves)
	return d, nil
}

// keyTwice finds a mapping that has fewer members as JSON than keys in the text, and
// one of its keys: 0 and "0" are two in YAML and one in JSON, and it is open whose
// value counts.
func keyTwice(n *node, v *schema.Value) (string, bool) {
	if n.kind == mapping && v.Kind() == schema.Object && n.index("<<") < 0 && len(n.children) > v.Len() {
		seen := map[string]bool{}
		for _, c := range n.children {
			if seen[c.key] || v.Get(c.key) == nil {
				return c.key, true
			}
			seen[c.key] = true
		}
		return n.children[0].key, true
	}
	for i, c := range n.children {
		var below *schema.Value
		switch {
		case n.kind == mapping && v.Kind() == schema.Object:
			below = v.Get(c.key)
		case n.kind == sequence && v.Kind() == schema.Array && i < v.Len():
			below = v.Items()[i]
		}
		if below == nil {
			continue
		}
		if name, twice := keyTwice(c, below); twice {
			return name, true
		}
	}
	return "", false
}

func valueIn(json []byte) (*schema.Value, error) {
	v, failed := schema.ParseWithin(json, maxText, maxDepth)
	if failed != nil {
		return nil, fmt.Errorf("reading the document: %s", failed.Message)
	}
	return v, nil
}

// find follows tokens. What an alias or a merge key brings is not found: it is
// written somewhere else, for other places too.
func (d *document) find(tokens []string) (*node, error) {
	n := d.root
	for _, token := range tokens {
		i := n.index(token)
		if i < 0 {
			return nil, errForm
		}
		n = n.children[i]
	}
	return n, nil
}

// index is that of the child which a token of a pointer means, or -1.
func (n *node) index(token string) int {
	for i, c := range n.children {
		if n.kind == mapping && c.key == token || n.kind == sequence && fmt.Sprint(i) == token {
			return i
		}
	}
	return -1
}

// readJSON builds the nodes of a JSON text.
func (d *document) readJSON() (err error) {
	d.isJSON = true
	if d.value, err = valueIn([]byte(d.text)); err != nil {
		return err
	}
	decoder := jsontext.NewDecoder(strings.NewReader(d.text))
	d.root, err = d.jsonNode(decoder)
	return err
}

func (d *document) jsonNode(decoder *jsontext.Decoder) (*node, error) {
	n := &node{inFlow: true, keyStart: -1, keyEnd: -1, colon: -1, dash: -1}
	n.start = d.nextToken(decoder)
	n.body = n.start
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '{':
		n.kind, n.flow = mapping, true
	case '[':
		n.kind, n.flow = sequence, true
	default:
		n.end = int(decoder.InputOffset())
		return n, nil
	}
	for kind := decoder.PeekKind(); kind != '}' && kind != ']'; kind = decoder.PeekKind() {
		key, keyStart, keyEnd := "", -1, -1
		if n.kind == mapping {
			keyStart = d.nextToken(decoder)
			name, err := decoder.ReadToken()
			if err != nil {
				return nil, err
			}
			key, keyEnd = name.String(), int(decoder.InputOffset())
		}
		c, err := d.jsonNode(decoder)
		if err != nil {
			return nil, err
		}
		if c.key, c.keyStart, c.keyEnd = key, keyStart, keyEnd; keyEnd >= 0 {
			c.colon = keyEnd + strings.IndexByte(d.text[keyEnd:], ':') + 1
		}
		n.children = append(n.children, c)
	}
	_, err = decoder.ReadToken()
	n.end = int(decoder.InputOffset())
	return n, err
}

// nextToken is where the token starts that is read next.
func (d *document) nextToken(decoder *jsontext.Decoder) int {
	at := int(decoder.InputOffset())
	return at + len(d.text[at:]) - len(strings.TrimLeft(d.text[at:], " \t\r\n,:"))
}

// reader builds the nodes of a YAML text. It goes on after an error, so that the
// code needs no checks at every place.
type reader struct {
	text   string
	lines  []int
	leaves [][2]int // what is written in a scalar, in the order of the text
	err    error
}

func (r *reader) fail(n *yaml.Node) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d of the document is written in a form that is not edited by itself; edit it by hand", n.Line)
	}
}

func lineStarts(text string) []int {
	out := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

// offset is where a node starts, as the library says.
func (r *reader) offset(n *yaml.Node) int {
	if n.Line < 1 || n.Line > len(r.lines) {
		return len(r.text)
	}
	at := r.lines[n.Line-1]
	for column := n.Column; column > 1 && at < len(r.text); column-- {
		_, size := utf8.DecodeRuneInString(r.text[at:])
		at += size
	}
	return at
}

// node reads a value. Indent is the column of the entry around it, -1 for none.
func (r *reader) node(y *yaml.Node, indent int, inFlow bool) *node {
	n := &node{keyStart: -1, keyEnd: -1, colon: -1, dash: -1, inFlow: inFlow, start: r.offset(y)}
	n.body = r.skipProperties(n.start)
	switch y.Kind {
	case yaml.AliasNode:
		n.kind = alias
		n.end = min(n.start+1+len(y.Value), len(r.text))
		r.leaves = append(r.leaves, [2]int{n.start, n.end})
	case yaml.MappingNode, yaml.SequenceNode:
		n.kind = mapping
		if y.Kind == yaml.SequenceNode {
			n.kind = sequence
		}
		n.flow = n.body < len(r.text) && (r.text[n.body] == '{' || r.text[n.body] == '[') && (y.Style&yaml.FlowStyle != 0 || inFlow)
		r.children(n, y, inFlow || n.flow)
		if n.flow {
			n.end = r.closing(n)
		} else if len(n.children) > 0 {
			n.end = n.children[len(n.children)-1].end
		}
		if n.end <= n.start {
			r.fail(y)
			n.end = n.start // a place in the text: those around it go on from there
		}
	default:
		n.isBlock = y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
		n.end = r.scalarEnd(y, n.body, indent)
	}
	return n
}

func (r *reader) children(n *node, y *yaml.Node, inFlow bool) {
	if n.kind == sequence {
		for _, item := range y.Content {
			dash := -1
			if !inFlow {
				if dash = r.dashBefore(r.offset(item)); dash < 0 {
					r.fail(item)
					return
				}
			}
			c := r.node(item, r.column(max(dash, 0)), inFlow)
			c.dash = dash
			n.children = append(n.children, c)
		}
		return
	}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			r.fail(key)
			return
		}
		start := r.offset(key)
		end := r.scalarEnd(key, r.skipProperties(start), -1)
		colon := end + len(r.text[end:]) - len(strings.TrimLeft(r.text[end:], " \t"))
		if colon >= len(r.text) || r.text[colon] != ':' {
			r.fail(key)
			return
		}
		colon++
		var c *node
		if isEmpty(value) {
			c = &node{start: colon, end: colon, body: colon, dash: -1, inFlow: inFlow}
		} else {
			c = r.node(value, r.column(start), inFlow)
		}
		c.key, c.keyStart, c.keyEnd, c.colon = key.Value, start, end, colon
		n.children = append(n.children, c)
	}
}

// isEmpty reports whether a value is null because nothing is written.
func isEmpty(y *yaml.Node) bool {
	return y.Kind == yaml.ScalarNode && y.Value == "" && y.Style == 0 && y.Anchor == ""
}

// column is how many bytes of the line are before a place.
func (r *reader) column(at int) int { return at - startOfLine(r.text, at) }

func startOfLine(text string, at int) int { return strings.LastIndexByte(text[:at], '\n') + 1 }

// endOfLine is where the line of a place ends, before the line end.
func endOfLine(text string, at int) int {
	i := strings.IndexByte(text[at:], '\n')
	if i < 0 {
		return len(text)
	}
	if i > 0 && text[at+i-1] == '\r' {
		i--
	}
	return at + i
}

// nextLine is where the line behind that of a place starts.
func nextLine(text string, at int) int {
	i := strings.IndexByte(text[at:], '\n')
	if i < 0 {
		return len(text)
	}
	return at + i + 1
}

// dashBefore is the hyphen of the list entry whose value starts at a place, with
// nothing but space and comments between; or -1.
func (r *reader) dashBefore(at int) int {
	for {
		at = len(strings.TrimRight(r.text[:at], " \t\r\n"))
		if at == 0 {
			return -1
		}
		if r.text[at-1] == '-' {
			return at - 1
		}
		start := startOfLine(r.text, at)
		i := strings.IndexByte(r.text[start:at], '#')
		if i < 0 {
			return -1
		}
		at = start + i
	}
}

// skipProperties passes over an anchor and a tag.
func (r *reader) skipProperties(at int) int {
	for at < len(r.text) && (r.text[at] == '&' || r.text[at] == '!') {
		for at < len(r.text) && !isSpace(r.text[at]) {
			at++
		}
		for at < len(r.text) && isSpace(r.text[at]) {
			at++
		}
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// scalarEnd is where a scalar ends whose text starts at a place.
func (r *reader) scalarEnd(y *yaml.Node, at, indent int) int {
	var end int
	switch {
	case y.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		end = r.blockEnd(at, indent)
		r.leaves = append(r.leaves, [2]int{min(nextLine(r.text, at), end), end})
		return end
	case y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		end = quotedEnd(r.text, at)
	default:
		end = plainEnd(r.text, at, y.Value)
	}
	if end < at {
		r.fail(y)
		end = at
	}
	r.leaves = append(r.leaves, [2]int{at, end})
	return end
}

// blockEnd is where the last line with text of a block scalar ends.
func (r *reader) blockEnd(at, indent int) int {
	end := endOfLine(r.text, at)
	least := 0
	for _, c := range r.text[at:end] {
		if '1' <= c && c <= '9' {
			least = max(indent, 0) + int(c-'0')
		}
		if c == '#' {
			break
		}
	}
	for line := nextLine(r.text, at); line < len(r.text); line = nextLine(r.text, line) {
		text := r.text[line:endOfLine(r.text, line)]
		width := len(text) - len(strings.TrimLeft(text, " "))
		if width == len(text) {
			continue
		}
		if least == 0 {
			if width <= indent {
				break
			}
			least = width
		}
		if width < least {
			break
		}
		end = line + len(text)
	}
	return end
}

// quotedEnd is the place behind the closing quote, or -1.
func quotedEnd(text string, at int) int {
	if at >= len(text) {
		return -1
	}
	quote := text[at]
	for i := at + 1; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case text[i] != quote:
		case quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		default:
			return i + 1
		}
	}
	return -1
}

// plainEnd is where a plain scalar ends: it has no escapes, only its white space
// may be another one in the text. It is -1 if the text is something else.
func plainEnd(text string, at int, value string) int {
	for i := 0; i < len(value); {
		switch {
		case isSpace(value[i]):
			i++
		case at < len(text) && isSpace(text[at]):
			at++
		case at < len(text) && text[at] == value[i]:
			at, i = at+1, i+1
		default:
			return -1
		}
	}
	return at
}

// closing is the place behind the bracket that closes a collection.
func (r *reader) closing(n *node) int {
	at := n.body + 1
	if len(n.children) > 0 {
		at = n.children[len(n.children)-1].end
	}
	for at < len(r.text) {
		switch c := r.text[at]; {
		case c == '#':
			at = endOfLine(r.text, at)
		case c == ']' || c == '}':
			return at + 1
		case c == ',' || isSpace(c):
			at++
		default:
			return -1
		}
	}
	return -1
}

// commentsOf finds the comments: a # behind space that is in no scalar.
func commentsOf(text string, leaves [][2]int) []comment {
	var out []comment
	at := 0
	gap := func(end int) {
		for at < end {
			i := strings.IndexByte(text[at:end], '#')
			if i < 0 {
				break
			}
			if at += i; at == 0 || isSpace(text[at-1]) {
				stop := endOfLine(text, at)
				out = append(out, comment{at, strings.TrimRight(text[at:stop], " \t\r")})
				at = stop
			} else {
				at++
			}
		}
		at = max(at, end)
	}
	for _, l := range leaves {
		gap(l[0])
		at = max(at, l[1])
	}
	gap(len(text))
	return out
}

// keepsComments reports whether a text has the comments of another one; those in
// the range that was removed may be there or not.
func keepsComments(before, after *document, lost [2]int) bool {
	count, spare := map[string]int{}, map[string]int{}
	for _, c := range before.comments {
		count[c.text]++
		if lost[0] <= c.at && c.at < lost[1] {
			spare[c.text]++
		}
	}
	for _, c := range after.comments {
		count[c.text]--
	}
	for text, n := range count {
		if n < 0 || n > spare[text] {
			return false
		}
	}
	return true
}
