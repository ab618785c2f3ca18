// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/toolcontract/operator/internal/finding"
)

// LineOf returns the line of the file that a pointer into the object leads to,
// as [Document.PositionOf] does.
func (d *Document) LineOf(pointer string) int { return d.PositionOf(pointer).Line }

// PositionOf returns where a pointer into the object leads to: the name of a
// member, or the item of a list. Of a pointer that leads nowhere it is the
// deepest place on the way that is there.
func (d *Document) PositionOf(pointer string) Position {
	tokens := finding.Tokens(d.at + pointer)
	switch {
	case d.tree != nil:
		_, mark := find(d.tree, tokens)
		return d.layout.yaml(mark)
	case d.layout == nil:
		return Position{Line: max(1, d.Line), Column: 1, Width: 1}
	case d.layout.json != nil:
		return d.layout.inJSON(tokens)
	default:
		return d.layout.line(d.layout.stopped)
	}
}

// PositionInText returns where a pointer into an embedded JSON text leads to; at
// is the pointer of the text in the object. Only a literal block has the lines
// of its text; of another text it is where the text is.
func (d *Document) PositionInText(at, pointer string) Position {
	if d.tree == nil {
		return d.PositionOf(at)
	}
	node, mark := find(d.tree, finding.Tokens(d.at+at))
	if node.Kind != yaml.ScalarNode || node.Style&yaml.LiteralStyle == 0 {
		return d.layout.yaml(mark)
	}
	return d.layout.inBlock(node, finding.Tokens(pointer))
}

// find follows tokens as far as they lead. The mark is what stands for the value
// in the text: its key, or itself in a list.
func find(n *yaml.Node, tokens []string) (deepest, mark *yaml.Node) {
	mark = n
	for _, token := range tokens {
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		next, at := child(n, token)
		if next == nil {
			break
		}
		n, mark = next, at
	}
	return n, mark
}

func child(n *yaml.Node, token string) (value, mark *yaml.Node) {
	switch n.Kind {
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(token); err == nil && i >= 0 && i < len(n.Content) {
			return n.Content[i], n.Content[i]
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if name, ok := keyName(n.Content[i]); ok && name == token {
				return n.Content[i+1], n.Content[i]
			}
		}
	default: // nothing is below a scalar
	}
	return nil, nil
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
