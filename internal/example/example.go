// SPDX-License-Identifier: Apache-2.0

// Package example makes whole contracts of the parts that the documentation of
// the lint rules shows. Its own contracts, one that reads and one that writes in
// each language, are such that no rule finds anything in them.
package example

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/contract"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/lint"
)

//go:embed *.yaml
var files embed.FS

// Complete is the spec of a complete contract, as YAML.
func Complete(language lint.Language, writes bool) (string, error) {
	name := strings.ToLower(string(language))
	if writes {
		name += "-write"
	}
	text, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return "", fmt.Errorf("there is no complete contract: %w", err)
	}
	return string(text), nil
}

// Contents are the contracts of one side of an example, of which a rule about
// several tools has two.
func Contents(e lint.Example, parts string) ([]*contract.Content, error) {
	whole, err := Complete(e.Language, e.Writes)
	if err != nil {
		return nil, err
	}
	var out []*contract.Content
	for part := range strings.SplitSeq(parts, "\n---\n") {
		content, err := merged(whole, part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part, err)
		}
		out = append(out, content)
	}
	return out, nil
}

// Specs are those contracts as the JSON of their specs.
func Specs(e lint.Example, parts string) ([]string, error) {
	whole, err := Complete(e.Language, e.Writes)
	if err != nil {
		return nil, err
	}
	var out []string
	for part := range strings.SplitSeq(parts, "\n---\n") {
		text, err := mergedText(whole, part)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part, err)
		}
		out = append(out, string(text))
	}
	return out, nil
}

// Findings are those of one side of an example.
func Findings(e lint.Example, parts string) ([]finding.Finding, error) {
	contents, err := Contents(e, parts)
	if err != nil {
		return nil, err
	}
	if len(contents) == 1 {
		return lint.Content(contents[0]), nil
	}
	var tools []lint.Tool
	for _, c := range contents {
		tools = append(tools, lint.Tool{Contract: strings.ReplaceAll(c.ToolName, "_", "-"), Content: c})
	}
	return lint.Similar(tools), nil
}

// merged reads a spec into which a part is merged (RFC 7386).
func merged(whole, part string) (*contract.Content, error) {
	text, err := mergedText(whole, part)
	if err != nil {
		return nil, err
	}
	var spec v1alpha1.ToolContent
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&spec); err != nil {
		return nil, fmt.Errorf("it is no contract: %w", err)
	}
	content, findings := evaluate.Read(&spec)
	if content == nil {
		return nil, fmt.Errorf("it is no contract: %s", finding.Summary(findings, 1))
	}
	return content, nil
}

func mergedText(whole, part string) ([]byte, error) {
	var target, patch any
	if err := yaml.Unmarshal([]byte(whole), &target); err != nil {
		return nil, fmt.Errorf("the complete contract: %w", err)
	}
	if err := yaml.Unmarshal([]byte(part), &patch); err != nil {
		return nil, fmt.Errorf("the part: %w", err)
	}
	text, err := json.Marshal(merge(target, patch))
	if err != nil {
		return nil, fmt.Errorf("writing it: %w", err)
	}
	return text, nil
}

func merge(target, patch any) any {
	changes, ok := patch.(map[string]any)
	if !ok {
		return patch
	}
	members, ok := target.(map[string]any)
	if !ok {
		members = map[string]any{}
	}
	for name, value := range changes {
		if value == nil {
			delete(members, name)
		} else {
			members[name] = merge(members[name], value)
		}
	}
	return members
}

// Tool is what a server publishes of a tool.
type Tool struct {
	Name, Title, Description  string
	InputSchema, OutputSchema string // JSON text; the second may be empty
	SideEffect                string // as execution.sideEffect, if it is known
}

// Content is the contract that says as much as the tool; nil if it is none.
func (t Tool) Content() (*contract.Content, []finding.Finding) {
	spec := v1alpha1.ToolContent{
		Version: "1.0.0", ToolName: t.Name, Title: t.Title,
		Description: v1alpha1.Description{Summary: t.Description}, Input: v1alpha1.Input{SchemaText: t.InputSchema},
	}
	if t.OutputSchema != "" {
		spec.Output = &v1alpha1.Output{SchemaText: t.OutputSchema}
	}
	if t.SideEffect != "" {
		spec.Execution = &v1alpha1.Execution{SideEffect: v1alpha1.SideEffect(t.SideEffect)}
	}
	return evaluate.Read(&spec)
}
