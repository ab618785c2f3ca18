// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"strings"
	"testing"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
)

// exampled has an optional property and a map, which strict mode of OpenAI
// takes in another form only, and an example without the one.
func exampled(target v1alpha1.Target) v1alpha1.ToolContractSpec {
	spec := v1alpha1.ToolContractSpec{ToolContent: v1alpha1.ToolContent{
		Version: "1.0.0", ToolName: "tag_order", Description: v1alpha1.Description{Summary: "Tags an order."},
		Input: v1alpha1.Input{
			SchemaText: `{"type":"object","properties":{"id":{"type":"string"},"note":{"type":"string"},` +
				`"labels":{"type":"object","additionalProperties":{"type":"string"}}},"required":["id","labels"],"additionalProperties":false}`,
			Examples: []v1alpha1.Example{{ValueText: `{"id":"ord_1","labels":{"size":"L"}}`}},
		},
	}}
	spec.Targets = []v1alpha1.Target{target}
	return spec
}

// TestExamplesGoWhereTheTargetSays: into the API's own place, into the
// description, or nowhere, and always in the form of the schema as rendered.
func TestExamplesGoWhereTheTargetSays(t *testing.T) {
	t.Parallel()
	const asWritten, reshaped = `{\"id\":\"ord_1\",\"labels\":{\"size\":\"L\"}}`, `{\"id\":\"ord_1\",\"labels\":[{\"key\":\"size\",\"value\":\"L\"}],\"note\":null}`
	for name, test := range map[string]struct {
		target       v1alpha1.Target
		holds, lacks string
	}{
		"native":                {v1alpha1.Target{Profile: "anthropic-messages"}, `"input_examples":[{"id":"ord_1","labels":{"size":"L"}}]`, "Examples:"},
		"nowhere without place": {v1alpha1.Target{Profile: "openai-responses"}, `"name":"tag_order"`, "ord_1"},
		"description":           {v1alpha1.Target{Profile: "openai-responses", Examples: v1alpha1.ExamplesDescription}, `Tags an order.\nExamples:\n` + asWritten, "input_examples"},
		"description, reshaped": {
			v1alpha1.Target{Profile: "openai-responses", Examples: v1alpha1.ExamplesDescription, Adaptation: v1alpha1.EffectReshape, Strict: v1alpha1.StrictRequired},
			reshaped, asWritten,
		},
		"description instead of place": {v1alpha1.Target{Profile: "anthropic-messages", Examples: v1alpha1.ExamplesDescription}, asWritten, "input_examples"},
		"omitted":                      {v1alpha1.Target{Profile: "anthropic-messages", Examples: v1alpha1.ExamplesOmit}, `"name":"tag_order"`, "ord_1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			spec := exampled(test.target)
			e := evaluate.Contract("tag-order", &spec, evaluate.History{}, provider.Builtin())
			if e.Content == nil || !e.Targets[0].Compatible() {
				t.Fatalf("%v %v", e.Findings, e.Targets)
			}
			got := string(e.Targets[0].Bytes)
			if !strings.Contains(got, test.holds) || strings.Contains(got, test.lacks) {
				t.Errorf("want %s and not %s in\n%s", test.holds, test.lacks, got)
			}
		})
	}
}

// TestTheHostGetsTheDecodeRuleAndTheCounts: what a model writes for a reshaped
// schema, and what the tool adds to the limits of a request, is for the host.
func TestTheHostGetsTheDecodeRuleAndTheCounts(t *testing.T) {
	t.Parallel()
	spec := exampled(v1alpha1.Target{Profile: "openai-responses", Adaptation: v1alpha1.EffectReshape, Strict: v1alpha1.StrictRequired})
	spec.Targets = append(spec.Targets, v1alpha1.Target{Profile: "bedrock-converse-claude"})
	e := evaluate.Contract("tag-order", &spec, evaluate.History{}, provider.Builtin())
	if e.Bundle == nil {
		t.Fatal(e.Blocking())
	}
	host := e.Bundle.Files[v1alpha1.FileContract]
	for _, want := range []string{
		`"decode":{"dropNull":["note"],"properties":{"labels":{"pairs":{}}}}`, `"rule":"map-to-pairs","effect":"Reshape"`,
	} {
		if !strings.Contains(host, want) {
			t.Errorf("contract.json lacks %s:\n%s", want, host)
		}
	}
	spec.Targets = []v1alpha1.Target{{Profile: "anthropic-messages", Strict: v1alpha1.StrictPreferred}}
	spec.Input.SchemaText = strings.Replace(spec.Input.SchemaText, `"labels":{"type":"object","additionalProperties":{"type":"string"}}`, `"labels":{"type":["string","null"]}`, 1)
	spec.Input.Examples = nil
	e = evaluate.Contract("tag-order", &spec, evaluate.History{}, provider.Builtin())
	if host := e.Bundle.Files[v1alpha1.FileContract]; !strings.Contains(host, `"requestCounts":{"optionalProperties":1,"strictTools":1,"unionParameters":1}`) {
		t.Errorf("contract.json lacks the counts:\n%s", host)
	}
}
