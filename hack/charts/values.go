// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
)

// value is one value of a chart.
type value struct {
	// path is its place, with dots.
	path string
	// initial is what it is unless the user says otherwise.
	initial any
	// schema is what JSON Schema draft-07 says of it, without the description.
	schema map[string]any
	text   string
}

var (
	isText    = map[string]any{"type": "string"}
	isSwitch  = map[string]any{"type": "boolean"}
	isObject  = map[string]any{"type": "object"}
	isObjects = map[string]any{"type": "array", "items": map[string]any{"type": "object"}}
	isTexts   = map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	isTextMap = map[string]any{"type": "object", "additionalProperties": map[string]any{"type": "string"}}
)

// group is a value that holds others.
type group struct {
	names   []string
	members map[string]any // *group or value
}

// grouped makes a tree of values, in their order.
func grouped(values []value) *group {
	root := &group{members: map[string]any{}}
	for _, v := range values {
		at := root
		names := strings.Split(v.path, ".")
		for _, name := range names[:len(names)-1] {
			next, ok := at.members[name].(*group)
			if !ok {
				next = &group{members: map[string]any{}}
				at.names, at.members[name] = append(at.names, name), next
			}
			at = next
		}
		last := names[len(names)-1]
		at.names, at.members[last] = append(at.names, last), v
	}
	return root
}

// valuesFile is values.yaml.
func valuesFile(values []value) []byte {
	var out strings.Builder
	out.WriteString(generated)
	grouped(values).write(&out, "")
	return []byte(out.String())
}

func (g *group) write(out *strings.Builder, indent string) {
	for _, name := range g.names {
		if indent == "" {
			out.WriteString("\n")
		}
		switch member := g.members[name].(type) {
		case *group:
			fmt.Fprintf(out, "%s%s:\n", indent, name)
			member.write(out, indent+"  ")
		case value:
			for _, line := range wrapped(member.text, 90) {
				fmt.Fprintf(out, "%s# %s\n", indent, line)
			}
			out.WriteString(indented(len(indent), marshal(map[string]any{name: member.initial})))
		}
	}
}

// wrapped breaks text into lines.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

// schemaFile is values.schema.json. A value that the chart does not know is a
// mistake, except "global", which Helm gives to every chart.
func schemaFile(values []value) ([]byte, error) {
	schema := grouped(values).schema()
	schema["$schema"] = "http://json-schema.org/draft-07/schema#"
	schema["properties"].(map[string]any)["global"] = map[string]any{"type": "object", "description": "Values of a chart that holds this one. They are not used."}
	text, err := json.MarshalIndent(schema, "", "  ")
	return append(text, '\n'), err
}

func (g *group) schema() map[string]any {
	properties := map[string]any{}
	for _, name := range g.names {
		switch member := g.members[name].(type) {
		case *group:
			properties[name] = member.schema()
		case value:
			one := map[string]any{"description": member.text}
			maps.Copy(one, member.schema)
			properties[name] = one
		}
	}
	return map[string]any{"type": "object", "additionalProperties": false, "properties": properties}
}

// valuesTable is the table of a README.
func valuesTable(values []value) (string, error) {
	var out strings.Builder
	out.WriteString("| value | default | what it does |\n|---|---|---|\n")
	for _, v := range values {
		initial, err := json.Marshal(v.initial)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "| `%s` | `%s` | %s |\n", v.path, initial, v.text)
	}
	return out.String(), nil
}
