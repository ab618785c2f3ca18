// SPDX-License-Identifier: Apache-2.0

package evaluate_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// fiveTargets are all built-in profiles, as a contract that serves every
// agent would name them.
func fiveTargets() []v1alpha1.Target {
	var out []v1alpha1.Target
	for _, name := range provider.Builtin().Names() {
		out = append(out, v1alpha1.Target{Profile: name, OnIncompatible: v1alpha1.IncompatibleExclude})
	}
	return out
}

// benchSpecs are the real tools if the corpus is there, else the catalogue.
func benchSpecs(b *testing.B) []v1alpha1.ToolContractSpec {
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

func catalogueTools(b *testing.B) []v1alpha1.ToolContractSpec {
	b.Helper()
	paths, err := filepath.Glob("../../test/catalogue/*.yaml")
	if err != nil {
		b.Fatal(err)
	}
	var out []v1alpha1.ToolContractSpec
	for _, path := range paths {
		spec := load(b, strings.TrimPrefix(path, "../../")).Spec
		spec.Targets = fiveTargets()
		out = append(out, spec)
	}
	return out
}

func realTools(b *testing.B) []v1alpha1.ToolContractSpec {
	b.Helper()
	var out []v1alpha1.ToolContractSpec
	for _, path := range corpus.Files(b, "tools/*-mcp*.jsonl", "tools/mcp-*.jsonl", "tools/npm/*.jsonl") {
		for tool := range corpus.Lines[corpus.Tool](b, path) {
			out = append(out, v1alpha1.ToolContractSpec{
				ToolContent: v1alpha1.ToolContent{
					Version: "1.0.0", ToolName: tool.Name, Description: v1alpha1.Description{Summary: tool.Description},
					Input: v1alpha1.Input{SchemaText: string(tool.InputSchema)},
				},
				Targets: fiveTargets(),
			})
		}
	}
	return out
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

// BenchmarkContract measures evaluating and rendering a contract for five
// profiles against one compile of the same schema by the validator library, in
// turns on the same schemas; of each the best time counts, so that a collection
// that happens to fall into one of them is not taken for its work. The target is
// a ratio of at most 3.
func BenchmarkContract(b *testing.B) {
	specs := benchSpecs(b)
	profiles := provider.Builtin()
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
