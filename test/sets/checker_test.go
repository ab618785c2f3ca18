// SPDX-License-Identifier: Apache-2.0

package sets

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/toolcontract/operator/internal/provider"
)

// function is a function tool as a test reads it from a request, whatever the
// API calls its parts.
type function struct {
	name   string
	schema any
	strict bool
}

// functionsOf reads the functions of a request by the shape of the JSON alone.
func functionsOf(tools string) (functions []function, entries int, err error) {
	var list []map[string]any
	if err := json.Unmarshal([]byte(tools), &list); err != nil {
		return nil, 0, err
	}
	var walk func(e map[string]any)
	walk = func(e map[string]any) {
		for _, holder := range []string{"function", "toolSpec"} {
			if inner, ok := e[holder].(map[string]any); ok {
				if strict, ok := e["strict"].(bool); ok {
					inner["strict"] = strict
				}
				walk(inner)
				return
			}
		}
		if inner, ok := e["functionDeclarations"].([]any); ok {
			for _, f := range inner {
				walk(f.(map[string]any))
			}
			return
		}
		if inner, ok := e["tools"].([]any); ok && e["type"] == "namespace" {
			for _, f := range inner {
				walk(f.(map[string]any))
			}
			return
		}
		entries++
		f := function{}
		f.name, _ = e["name"].(string)
		f.strict, _ = e["strict"].(bool)
		for _, field := range []string{"parameters", "input_schema", "inputSchema", "parametersJsonSchema"} {
			if schema, ok := e[field]; ok {
				f.schema = schema
				if holder, ok := schema.(map[string]any); ok && len(holder) == 1 && holder["json"] != nil {
					f.schema = holder["json"]
				}
			}
		}
		functions = append(functions, f)
	}
	for _, e := range list {
		walk(e)
	}
	return functions, entries, nil
}

// counts are the sizes of schemas, counted here without the code under test.
type counts struct{ properties, optional, unions, tools, strict, maxItems int }

func (c *counts) add(f function) {
	c.tools++
	if f.strict {
		c.strict++
	}
	c.schema(f.schema)
}

// schema walks a schema: what is below properties and $defs are schemas by name,
// what is in a list may be one.
func (c *counts) schema(v any) {
	s, ok := v.(map[string]any)
	if !ok {
		return
	}
	required, _ := s["required"].([]any)
	if properties, ok := s["properties"].(map[string]any); ok {
		for name, p := range properties {
			c.properties++
			if !slices.Contains(required, any(name)) {
				c.optional++
			}
			c.schema(p)
		}
	}
	_, list := s["type"].([]any)
	_, anyOf := s["anyOf"].([]any)
	if list || anyOf {
		c.unions++
	}
	if n, ok := s["maxItems"].(float64); ok {
		c.maxItems += int(n)
	}
	for _, keyword := range []string{"$defs", "definitions", "patternProperties", "dependentSchemas"} {
		if defs, ok := s[keyword].(map[string]any); ok {
			for _, d := range defs {
				c.schema(d)
			}
		}
	}
	for _, keyword := range []string{"items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames", "unevaluatedProperties", "unevaluatedItems"} {
		c.schema(s[keyword])
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		branches, _ := s[keyword].([]any)
		for _, b := range branches {
			c.schema(b)
		}
	}
}

// requestFile is what a test reads of request.json.
type requestFile struct {
	Endpoint string `json:"endpoint"`
	Body     struct {
		StrictTools bool `json:"strict_tools"`
		ToolConfig  struct {
			FunctionCallingConfig struct {
				Mode string `json:"mode"`
			} `json:"functionCallingConfig"`
		} `json:"toolConfig"`
		ParallelToolCalls *bool `json:"parallel_tool_calls"`
	} `json:"body"`
}

// isStrict reports whether the request is strict as a whole.
func (r requestFile) isStrict() bool {
	return r.Body.StrictTools || r.Body.ToolConfig.FunctionCallingConfig.Mode == "VALIDATED"
}

// maxFiles is what the API server takes in one ConfigMap, less some for metadata.
const maxFiles = 900 << 10

// obeys says why the API would refuse a request; empty for nothing. It counts in
// the published bytes, with the limits of the profile and nothing else of it but
// where strictness is said.
func obeys(p *provider.Profile, files map[string]string, want int) string {
	functions, entries, err := functionsOf(files["tools.json"])
	if err != nil {
		return err.Error()
	}
	var request requestFile
	if err := json.Unmarshal([]byte(files["request.json"]), &request); err != nil {
		return err.Error()
	}
	if entries != want {
		return fmt.Sprintf("%d functions are published, and the result says %d", entries, want)
	}
	seen := map[string]bool{}
	var all, strict counts
	for _, f := range functions {
		if seen[f.name] || f.name == "" {
			return "a tool without a name, or two that are called " + f.name
		}
		seen[f.name] = true
		all.add(f)
		if f.strict || request.isStrict() {
			strict.add(f)
		}
	}
	strict.strict = strict.tools
	if p.Strict.AllTools && all.strict != 0 && all.strict != all.tools {
		return fmt.Sprintf("%d of %d tools are strict, and the API takes all or none", all.strict, all.tools)
	}
	if p.Strict.AllTools && (request.Endpoint != "") != (all.strict > 0) {
		return "the endpoint is that of the other mode"
	}
	if p.Strict.Place != provider.PerRequest && request.isStrict() {
		return "the request is strict, and the API has no such member"
	}
	total := 0
	for name, data := range files {
		total += len(name) + len(data)
	}
	if total > maxFiles {
		return fmt.Sprintf("the files have %d bytes", total)
	}
	for _, l := range p.Limits {
		if l.Per != provider.LimitPerRequest || l.Severity != "Error" {
			continue
		}
		c := all
		if l.Mode == provider.Strict {
			c = strict
		}
		n := map[string]int{
			"Tools": c.tools, "StrictTools": c.strict, "Properties": c.properties, "OptionalProperties": c.optional,
			"UnionParameters": c.unions, "MaxItemsSum": c.maxItems,
		}
		have, known := n[l.Measure]
		if !known {
			return "no count for " + l.Measure
		}
		if have > l.Max {
			return fmt.Sprintf("%d %s, limit %d", have, l.Measure, l.Max)
		}
	}
	return ""
}
