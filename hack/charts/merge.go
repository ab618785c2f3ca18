// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// namespace is where config/default installs the operator. In the chart it is the
// namespace of the release.
const namespace = "toolcontract-system"

// A node of a template has a value in config/default, index 0, and one in each
// variant. Absent where there is none.
type node []any

// absent is the value of what is not there. It equals no value of JSON.
type absentValue struct{}

var absent = absentValue{}

// hooks put values of the chart into a template, by the path of a node: the keys
// of maps, and the names of list elements, joined by "/".
type hooks struct {
	// instead stands in the place of the node. The key is written already if the
	// text begins with a space or a line break.
	instead map[string]string
	// after follows the children of the node, indented as they are.
	after map[string]string
}

// printer writes a template.
type printer struct {
	bytes.Buffer
	hooks
	conditions []string // of the variants
	parents    []int    // of the variants
	// closed is the condition whose block ends where the text ends now, if the text
	// is closedAt bytes long.
	closed   string
	closedAt int
}

// line writes one or more lines, indented.
func (p *printer) line(indent int, text string) {
	for l := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if l != "" {
			p.WriteString(strings.Repeat(" ", indent) + l)
		}
		p.WriteString("\n")
	}
}

const end = "{{- end }}\n"

// when writes what body writes, under the condition that holds in exactly the
// states of the node that are listed. Variants that nothing is known of together
// add up.
func (p *printer) when(n node, is func(any) bool, body func()) {
	condition := p.condition(n, is)
	if condition == "" {
		body()
		return
	}
	if p.closed == condition && p.closedAt == p.Len() {
		p.Truncate(p.Len() - len(end))
	} else {
		p.WriteString("{{- if " + condition + " }}\n")
	}
	body()
	p.WriteString(end)
	p.closed, p.closedAt = condition, p.Len()
}

// condition is "" where the node is so in every state.
func (p *printer) condition(n node, is func(any) bool) string {
	inDefault := is(n[0])
	var differing []int
	for i, value := range n[1:] {
		parent := p.parents[i]
		if is(value) != inDefault && (parent < 0 || is(n[1+parent]) == inDefault) {
			differing = append(differing, i)
		}
	}
	if len(differing) == 0 {
		return ""
	}
	condition := p.conditions[differing[0]]
	if len(differing) > 1 {
		each := make([]string, len(differing))
		for i, d := range differing {
			each[i] = p.conditions[d]
		}
		condition = "(or " + strings.Join(each, " ") + ")"
	}
	if inDefault {
		return "not " + condition
	}
	return condition
}

// alternatives are the different values of a node, that of config/default first.
func (n node) alternatives() []any {
	var out []any
	for _, value := range n {
		if value != absent && !slices.ContainsFunc(out, func(o any) bool { return reflect.DeepEqual(o, value) }) {
			out = append(out, value)
		}
	}
	return out
}

func isThere(value any) bool { return value != absent }

// all reports whether every value that is there is of type T.
func all[T any](n node) bool {
	for _, value := range n {
		if _, ok := value.(T); !ok && value != absent {
			return false
		}
	}
	return true
}

// children writes the members of maps.
func (p *printer) children(path string, indent int, n node) {
	keys := map[string]bool{}
	for _, value := range n {
		if m, ok := value.(map[string]any); ok {
			for key := range m {
				keys[key] = true
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		child := make(node, len(n))
		for i, value := range n {
			child[i] = absent
			m, _ := value.(map[string]any)
			if v, ok := m[key]; ok {
				child[i] = v
			}
		}
		// What is absent only because its parent is has no say.
		p.member(join(path, key), indent, key, child.where(n))
	}
	if text, ok := p.after[path]; ok {
		p.line(indent, text)
	}
}

// where makes the node follow config/default, or the first state with a parent,
// wherever the parent is absent: the parent's own condition decides there.
func (n node) where(parent node) node {
	first := slices.IndexFunc(parent, isThere)
	for i := range n {
		if parent[i] == absent {
			n[i] = n[first]
		}
	}
	return n
}

// member writes one member of a map, with the conditions it needs.
func (p *printer) member(path string, indent int, key string, n node) {
	if text, ok := p.instead[path]; ok {
		p.when(n, isThere, func() { p.line(indent, text) })
		return
	}
	head := scalar(key) + ":"
	switch {
	case all[map[string]any](n):
		p.when(n, isThere, func() {
			if n.isEmpty() && p.after[path] == "" {
				p.line(indent, head+" {}")
				return
			}
			p.line(indent, head)
			p.children(path, indent+2, n)
		})
	case all[[]any](n):
		p.when(n, isThere, func() {
			if n.isEmpty() && p.after[path] == "" {
				p.line(indent, head+" []")
				return
			}
			p.line(indent, head)
			p.elements(path, indent, n)
		})
	default:
		for _, alternative := range n.alternatives() {
			p.when(n, func(v any) bool { return reflect.DeepEqual(v, alternative) }, func() { p.value(indent, key, alternative) })
		}
	}
}

// isEmpty reports whether no value has children.
func (n node) isEmpty() bool {
	for _, value := range n {
		switch v := value.(type) {
		case map[string]any:
			if len(v) > 0 {
				return false
			}
		case []any:
			if len(v) > 0 {
				return false
			}
		}
	}
	return true
}

// elements writes the elements of lists. Elements with the same name, or equal
// ones, are the same element.
func (p *printer) elements(path string, indent int, n node) {
	var order []string
	byID := map[string]node{}
	for i, value := range n {
		list, _ := value.([]any)
		at := 0 // after the last element that was met
		for _, element := range list {
			id := identity(element)
			known := slices.Index(order, id)
			if known < 0 {
				order = slices.Insert(order, at, id)
				known = at
				byID[id] = slices.Repeat(node{absent}, len(n))
			}
			byID[id][i] = element
			at = known + 1
		}
	}
	for _, id := range order {
		p.element(join(path, id), indent, byID[id].where(n))
	}
	if text, ok := p.after[path]; ok {
		p.line(indent, text)
	}
}

// identity is the name of a list element, or its JSON where it has none.
func identity(element any) string {
	if m, ok := element.(map[string]any); ok {
		if name, ok := m["name"].(string); ok {
			return name
		}
	}
	text, err := json.Marshal(element)
	if err != nil {
		panic(fmt.Sprintf("what came from YAML is not JSON: %v", err)) //nolint:forbidigo // cannot be
	}
	return string(text)
}

func (p *printer) element(path string, indent int, n node) {
	p.when(n, isThere, func() {
		values := n.alternatives()
		if _, isMap := values[0].(map[string]any); !isMap || len(values) == 1 && !p.hasHook(path) {
			for _, value := range values {
				p.WriteString(indented(indent, template("- "+strings.ReplaceAll(strings.TrimSuffix(marshal(value), "\n"), "\n", "\n  "))))
			}
			return
		}
		p.line(indent, "-")
		p.children(path, indent+2, n)
	})
}

func (p *printer) hasHook(path string) bool {
	for _, m := range []map[string]string{p.instead, p.after} {
		for at := range m {
			if strings.HasPrefix(at, path+"/") {
				return true
			}
		}
	}
	return false
}

// value writes a member that has no conditions inside.
func (p *printer) value(indent int, key string, value any) {
	p.WriteString(indented(indent, template(marshal(map[string]any{key: value}))))
}

func indented(indent int, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			out.WriteString(strings.Repeat(" ", indent))
		}
		out.WriteString(line)
	}
	if !strings.HasSuffix(text, "\n") {
		out.WriteString("\n")
	}
	return out.String()
}

// template makes text mean itself in a template, and the namespace that of the
// release.
func template(text string) string {
	text = strings.ReplaceAll(text, "{{", `{{ "{{" }}`)
	return strings.ReplaceAll(text, namespace, "{{ .Release.Namespace }}")
}

func scalar(value any) string { return strings.TrimSuffix(marshal(value), "\n") }

func marshal(value any) string {
	text, err := yaml.Marshal(value)
	if err != nil {
		panic(fmt.Sprintf("what came from YAML is not YAML: %v", err)) //nolint:forbidigo // cannot be
	}
	return string(text)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "/" + key
}
