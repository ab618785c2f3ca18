// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/contracts"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// five are the surfaces that a contract for most agents would name.
var five = []string{"openai-responses", "openai-chat-completions", "anthropic-messages", "gemini-json-schema", "mcp-2025-11-25"}

// targets are those profiles with the default policies.
func targets(profiles []string) []v1alpha1.Target {
	var out []v1alpha1.Target
	for _, name := range profiles {
		out = append(out, v1alpha1.Target{Profile: name, OnIncompatible: v1alpha1.IncompatibleExclude})
	}
	return out
}

// benchSpecs are the real tools if the corpus is there, else the catalogue.
func benchSpecs(b testing.TB) []v1alpha1.ToolContractSpec {
	b.Helper()
	specs := realTools
	if _, ok := corpus.Dir(); !ok {
		b.Logf("%s is not set: measuring the catalogue instead of real tools", corpus.Variable)
		specs = catalogueTools
	}
	return slices.DeleteFunc(specs(b), func(spec v1alpha1.ToolContractSpec) bool {
		content, _ := evaluate.Read(&spec.ToolContent)
		return content == nil || spec.Input.SchemaText == ""
	})
}

func catalogueTools(b testing.TB) []v1alpha1.ToolContractSpec {
	var out []v1alpha1.ToolContractSpec
	for _, c := range contracts.All(b) {
		out = append(out, c.Spec)
	}
	return out
}

// realTools are the published tools of real servers.
func realTools(t testing.TB) []v1alpha1.ToolContractSpec {
	t.Helper()
	var out []v1alpha1.ToolContractSpec
	for _, path := range corpus.Files(t, "tools/*-mcp*.jsonl", "tools/mcp-*.jsonl", "tools/npm/*.jsonl") {
		for tool := range corpus.Lines[corpus.Tool](t, path) {
			out = append(out, contractOf(tool))
		}
	}
	return out
}

// contractOf is the contract of a published tool, without targets.
func contractOf(tool corpus.Tool) v1alpha1.ToolContractSpec {
	return v1alpha1.ToolContractSpec{ToolContent: v1alpha1.ToolContent{
		Version: "1.0.0", ToolName: tool.Name, Description: v1alpha1.Description{Summary: tool.Description},
		Input: v1alpha1.Input{SchemaText: string(tool.InputSchema)},
	}}
}

// compileOnce is the yardstick: what one use of the validator library costs.
func compileOnce(text string) error {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema:///document", document); err != nil {
		return err
	}
	_, err = c.Compile("schema:///document")
	return err
}

// BenchmarkContract measures evaluating and rendering a contract against one
// compile of the same schema by the validator library, in turns on the same
// schemas; of each the best time counts, so that a collection that happens to
// fall into one of them is not taken for its work. The targets are a ratio of at
// most 3 for five profiles and of 10 for all built-in ones.
func BenchmarkContract(b *testing.B) {
	specs := benchSpecs(b)
	b.Run("five", func(b *testing.B) { againstCompile(b, specs, five) })
	b.Run("all", func(b *testing.B) { againstCompile(b, specs, provider.Builtin().Names()) })
	b.Run("largest", func(b *testing.B) {
		largest := slices.MaxFunc(specs, func(a, b v1alpha1.ToolContractSpec) int {
			return len(a.Input.SchemaText) - len(b.Input.SchemaText)
		})
		b.ReportMetric(float64(len(largest.Input.SchemaText)), "bytes")
		againstCompile(b, []v1alpha1.ToolContractSpec{largest}, provider.Builtin().Names())
	})
}

// BenchmarkContractBySize shows how the time grows with the schema: one with
// twice the properties should take twice as long, up to the size limit.
func BenchmarkContractBySize(b *testing.B) {
	for _, properties := range []int{50, 100, 200, 400, 800} {
		var text strings.Builder
		for i := range properties {
			fmt.Fprintf(&text, `,"property_%d":{"type":"string","description":"The value number %d of a wide tool.","minLength":1}`, i, i)
		}
		spec := contractOf(corpus.Tool{Name: "wide", Description: "A wide tool."})
		spec.Input.SchemaText = `{"type":"object","properties":{` + text.String()[1:] + `}}`
		b.Run(fmt.Sprint(properties), func(b *testing.B) {
			againstCompile(b, []v1alpha1.ToolContractSpec{spec}, provider.Builtin().Names())
		})
	}
}

func againstCompile(b *testing.B, specs []v1alpha1.ToolContractSpec, names []string) {
	b.Helper()
	profiles := provider.Builtin()
	specs = slices.Clone(specs)
	for i := range specs {
		specs[i].Targets = targets(names)
	}
	compiled, evaluated := make([]time.Duration, len(specs)), make([]time.Duration, len(specs))
	for b.Loop() {
		for i := range specs {
			start := time.Now()
			if err := compileOnce(specs[i].Input.SchemaText); err != nil {
				b.Fatalf("%s: %v", specs[i].ToolName, err)
			}
			best(&compiled[i], time.Since(start))
			start = time.Now()
			evaluate.Contract("bench", &specs[i], evaluate.History{}, profiles)
			best(&evaluated[i], time.Since(start))
		}
	}
	ratios := make([]float64, len(specs))
	var ours, theirs time.Duration
	for i := range specs {
		ours, theirs = ours+evaluated[i], theirs+compiled[i]
		ratios[i] = float64(evaluated[i]) / float64(compiled[i])
	}
	slices.Sort(ratios)
	b.ReportMetric(float64(len(ratios)), "contracts")
	b.ReportMetric(float64(len(names)), "profiles")
	b.ReportMetric(float64(ours.Nanoseconds())/float64(len(ratios)), "ns/contract")
	b.ReportMetric(float64(theirs.Nanoseconds())/float64(len(ratios)), "ns/compile")
	b.ReportMetric(float64(ours)/float64(theirs), "x-compile")
	b.ReportMetric(ratios[len(ratios)/2], "x-compile-median")
	b.ReportMetric(ratios[len(ratios)*99/100], "x-compile-p99")
}

func best(shortest *time.Duration, took time.Duration) {
	if *shortest == 0 || took < *shortest {
		*shortest = took
	}
}
