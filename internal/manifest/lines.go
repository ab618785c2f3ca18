// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.yaml.in/yaml/v3"

	"github.com/toolcontract/operator/internal/finding"
)

// LineOf returns the line of the file that a pointer into the object leads to,
// or that of the deepest place on the way that is there. In JSON only the
// start of the document is known.
func (d *Document) LineOf(pointer string) int {
	if d.tree == nil {
		return d.Line
	}
	_, line := find(d.tree, finding.Tokens(d.at+pointer))
	return d.Line - 1 + line
}

// LineInText returns the line of the file that a pointer into an embedded JSON
// text leads to; at is the pointer of the text in the object. Only a literal
// block has the lines of its text.
func (d *Document) LineInText(at, pointer string) int {
	if d.tree == nil {
		return d.Line
	}
	node, line := find(d.tree, finding.Tokens(d.at+at))
	if node.Kind != yaml.ScalarNode || node.Style&yaml.LiteralStyle == 0 {
		return d.Line - 1 + line
	}
	return d.Line + node.Line + lineInJSON([]byte(node.Value), pointer)
}

// find follows tokens as far as they lead.
func find(n *yaml.Node, tokens []string) (deepest *yaml.Node, line int) {
	line = n.Line
	for _, token := range tokens {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		next, at := child(n, token)
		if next == nil {
			break
		}
		n, line = next, at
	}
	return n, line
}

func child(n *yaml.Node, token string) (value *yaml.Node, line int) {
	switch n.Kind {
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if name, ok := keyName(n.Content[i]); ok && name == token {
				return n.Content[i+1], n.Content[i].Line
			}
		}
	default: // nothing is below a scalar
	}
	return nil, 0
}

// scalarAt returns the text at the end of a path of keys, or nothing.
func scalarAt(tree *yaml.Node, path ...string) string {
	for _, name := range path {
		next, _ := child(tree, name)
		if next == nil {
			return ""
		}
		tree = next
	}
	return tree.Value
}

// lineInJSON counts the line breaks before the value that a pointer leads to,
// or before the deepest place on the way. It reads as far as the text is JSON.
func lineInJSON(text []byte, pointer string) int {
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	best, offset := 0, 0
	for best < len(pointer) {
		if _, err := decoder.ReadToken(); err != nil {
			break
		}
		at := string(decoder.StackPointer())
		if len(at) > best && (at == pointer || strings.HasPrefix(pointer, at+"/")) {
			best, offset = len(at), int(decoder.InputOffset())
		}
	}
	return bytes.Count(text[:offset], newline)
}
