// SPDX-License-Identifier: Apache-2.0

package change

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// onlyReadDifferently reports whether the schemas of two tools differ in
// nothing but annotations, the order of lists and members, and $schema. It
// shares no code with what it judges.
func onlyReadDifferently(t *testing.T, step historyStep) bool {
	t.Helper()
	same := true
	for _, pair := range [][2]json.RawMessage{
		{step.Old.InputSchema, step.New.InputSchema}, {step.Old.OutputSchema, step.New.OutputSchema},
	} {
		old, next := plainJSON(t, pair[0]), plainJSON(t, pair[1])
		same = same && reflect.DeepEqual(normal(old), normal(next))
	}
	return same
}

func plainJSON(t *testing.T, text json.RawMessage) any {
	t.Helper()
	var v any
	if len(text) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// normal is a schema without annotations and with its sets in order.
func normal(v any) any {
	node, ok := v.(map[string]any)
	if !ok {
		return v
	}
	out := map[string]any{}
	for keyword, value := range node {
		switch keyword {
		case "$schema", "$comment", "title", "description", "examples":
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas":
			schemas := map[string]any{}
			for name, s := range value.(map[string]any) { //nolint:forcetypeassert // a panic is a failed test
				schemas[name] = normal(s)
			}
			out[keyword] = schemas
		case "items", "additionalProperties", "not", "contains", "propertyNames", "if", "then", "else":
			out[keyword] = normal(value)
		case "anyOf", "oneOf", "allOf", "prefixItems":
			var list []any
			for _, s := range value.([]any) { //nolint:forcetypeassert // as above
				list = append(list, normal(s))
			}
			out[keyword] = list
		case "required", "enum", "type":
			list, isList := value.([]any)
			if !isList {
				list = []any{value}
			}
			list = slices.Clone(list)
			slices.SortFunc(list, func(a, b any) int { return strings.Compare(asText(a), asText(b)) })
			out[keyword] = list
		default:
			out[keyword] = value
		}
	}
	return out
}

func asText(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
