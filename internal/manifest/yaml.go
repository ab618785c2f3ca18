// SPDX-License-Identifier: Apache-2.0

package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	kubeyaml "sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
)

// yamlToJSON converts one YAML document with the library of kubectl, which
// reads YAML 1.1: an unquoted y is true. Before that it judges the document's
// tree, which keeps what the conversion loses or multiplies: repeated keys,
// aliases, places. The JSON is nil if the document could not be converted;
// repeated keys alone are no reason, so that they hide nothing else. Of a text that
// is not YAML, line says where the library stopped, from 1, or is 0.
func yamlToJSON(text []byte) (json []byte, tree *yaml.Node, findings []finding.Finding, line int) {
	// The libraries panic on some malformed documents.
	defer func() {
		if p := recover(); p != nil {
			json, tree = nil, nil
			findings = append(findings, *failure(RuleYAMLSyntax, "",
				finding.Clip(fmt.Sprintf("the YAML library could not read the document: %v", p), 300), "correct the YAML"))
		}
	}()
	tree, line, failed := parseYAML(text)
	if failed != nil {
		return nil, nil, []finding.Finding{*failed}, line
	}
	if tree == nil {
		return []byte("null"), nil, nil, 0
	}
	if failed := checkAliases(tree); failed != nil {
		return nil, tree, []finding.Finding{*failed}, 0
	}
	g := yamlGuard{}
	g.node(tree, "", 0)
	if g.blocked {
		return nil, tree, g.findings, 0
	}
	json, err := kubeyaml.YAMLToJSON(text)
	if err != nil {
		_, failed := yamlFailure(err)
		return nil, tree, append(g.findings, *failed), 0
	}
	return json, tree, g.findings, 0
}

// parseYAML returns the tree of the one document in text; nil if it is empty.
func parseYAML(text []byte) (tree *yaml.Node, line int, failed *finding.Finding) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, 0, nil
		}
		line, failed = yamlFailure(err)
		return nil, line, failed
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, more.Line, failure(RuleYAMLSyntax, "",
			"there is more text after the end of the document (...); kubectl passes over it in silence",
			"put a line with --- before it")
	}
	return document.Content[0], 0, nil
}

// yamlFailure says why the library stopped. The line that it names counts from the
// start of the document, so it goes into the place and not into the message.
func yamlFailure(err error) (line int, failed *finding.Finding) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	if number, rest, ok := strings.Cut(strings.TrimPrefix(message, "line "), ": "); ok && strings.HasPrefix(message, "line ") {
		if at, err := strconv.Atoi(number); err == nil {
			line, message = at, rest
		}
	}
	if strings.Contains(message, "exceeded max depth") {
		return line, tooDeep("")
	}
	return line, failure(RuleYAMLSyntax, "", "the document is not YAML: "+finding.Clip(message, 200), "correct the YAML")
}

// checkAliases refuses documents whose aliases multiply them ("billion
// laughs") or never end. The size with every alias written out is counted
// with a memo, so the check itself is linear.
func checkAliases(tree *yaml.Node) *finding.Finding {
	const open = -1
	sizes := map[*yaml.Node]int{}
	aliases, cyclic := false, false
	var size func(n *yaml.Node) int
	size = func(n *yaml.Node) int {
		switch known := sizes[n]; known {
		case 0:
		case open:
			cyclic = true
			return MaxDocument + 1
		default:
			return known
		}
		sizes[n] = open
		total := 1 + len(n.Value)
		if n.Kind == yaml.AliasNode {
			aliases = true
			total = size(n.Alias)
		}
		for _, child := range n.Content {
			total = min(total+size(child), MaxDocument+1)
		}
		sizes[n] = total
		return total
	}
	total := size(tree)
	switch {
	case cyclic:
		return failure(RuleYAMLAliases, "", "an alias stands inside of what it refers to and never ends", "write the value out")
	case aliases && total > MaxDocument:
		return failure(RuleYAMLAliases, "",
			fmt.Sprintf("with its aliases written out the document has more than %d bytes", MaxDocument), "write fewer aliases")
	}
	return nil
}

// yamlGuard finds what the conversion to JSON loses or refuses without a place.
type yamlGuard struct {
	findings []finding.Finding
	blocked  bool // the conversion would fail, without saying where
}

// report keeps the first findings: aliases can repeat one without end.
func (g *yamlGuard) report(f *finding.Finding) {
	if len(g.findings) < maxReported {
		g.findings = append(g.findings, *f)
	}
}

func (g *yamlGuard) block(f *finding.Finding) {
	g.report(f)
	g.blocked = true
}

func (g *yamlGuard) node(n *yaml.Node, pointer string, depth int) {
	switch {
	case depth > MaxDepth:
		g.block(tooDeep(pointer))
	case n.Kind == yaml.AliasNode:
		g.node(n.Alias, pointer, depth)
	case n.Kind == yaml.ScalarNode:
		g.scalar(n, pointer)
	case n.Kind == yaml.SequenceNode:
		for i, item := range n.Content {
			g.node(item, finding.Pointer(pointer, strconv.Itoa(i)), depth+1)
		}
	case n.Kind == yaml.MappingNode:
		g.mapping(n, pointer, depth)
	}
}

func (g *yamlGuard) mapping(n *yaml.Node, pointer string, depth int) {
	seen := make(map[string]*yaml.Node, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if isMerge(key) {
			g.node(value, pointer, depth)
			continue
		}
		name, ok := keyName(key)
		if !ok {
			g.block(failure(RuleYAMLKey, pointer,
				fmt.Sprintf("line %d: the key is not text, and JSON has no other keys", key.Line), "quote the key"))
			continue
		}
		at := finding.Pointer(pointer, name)
		if first := seen[name]; first != nil {
			g.report(duplicateKey(at, fmt.Sprintf("%s on line %d and %s on line %d are the same key %s",
				finding.Quote(first.Value), first.Line, finding.Quote(key.Value), key.Line, finding.Quote(name))))
		}
		seen[name] = key
		g.node(value, at, depth+1)
	}
}

func isMerge(key *yaml.Node) bool { return key.Kind == yaml.ScalarNode && key.ShortTag() == "!!merge" }

// keyName is the name that a key has in JSON. Plain keys are resolved by the
// library that converts them: y, 0x10 and true are not the names they look like.
func keyName(key *yaml.Node) (name string, ok bool) {
	if key.Kind == yaml.AliasNode {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		return "", false
	}
	if key.Style != 0 || !mayResolve(key.Value) {
		return key.Value, true
	}
	json, err := kubeyaml.YAMLToJSON([]byte(key.Value))
	if err != nil || bytes.Equal(json, []byte("null")) {
		return "", false
	}
	if json[0] == '"' {
		return key.Value, true
	}
	return string(json), true
}

// mayResolve reports whether YAML 1.1 may read a plain scalar as something
// else than text: booleans, null, numbers.
func mayResolve(plain string) bool {
	switch strings.ToLower(plain) {
	case "", "~", "null", "y", "yes", "n", "no", "on", "off", "true", "false":
		return true
	}
	return strings.ContainsRune("+-.0123456789", rune(plain[0]))
}

// scalar judges numbers, which JSON cannot write or an API server rounds.
func (g *yamlGuard) scalar(n *yaml.Node, pointer string) {
	if n.Style != 0 || !mayResolve(n.Value) {
		return
	}
	switch strings.ToLower(strings.TrimLeft(n.Value, "+-")) {
	case ".nan", ".inf":
		g.block(failure(schema.RuleNumberRange, pointer,
			fmt.Sprintf("line %d: %s is a number that JSON does not have", n.Line, n.Value), "write a finite number, or quote the text"))
		return
	}
	if isJSONNumber(n.Value) {
		if f := checkNumber(n.Value, pointer); f != nil && f.Severity == finding.Warning {
			g.report(f) // out of range, YAML reads it as text: the schema's own check speaks
		}
	}
}

func isJSONNumber(text string) bool {
	return text[0] != '+' && text[0] != '.' && isJSON([]byte(text))
}
