// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/finding"
	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// typicalTool has three properties, as the median real tool has.
const typicalTool = `{
	"type": "object",
	"properties": {
		"owner": {"type": "string", "description": "Account that owns the repository"},
		"repo": {"type": "string", "description": "Name of the repository"},
		"state": {"type": "string", "enum": ["open", "closed", "all"], "description": "Which issues to list"}
	},
	"required": ["owner", "repo", "state"],
	"additionalProperties": false
}`

func BenchmarkCheckSchema(b *testing.B) {
	inputs := map[string]string{
		"typical":          typicalTool,
		"typical, refused": strings.NewReplacer(`"additionalProperties": false`, `"additionalProperties": true`, `"enum"`, `"uniqueItems": true, "enum"`).Replace(typicalTool),
		"1000 properties":  `{"type":"object","properties":{` + wide(1000) + `}}`,
		"2000 properties":  `{"type":"object","properties":{` + wide(2000) + `}}`,
	}
	for _, input := range []string{"typical", "typical, refused", "1000 properties", "2000 properties"} {
		s := schematest.Schema(b, inputs[input])
		for _, name := range []string{"openai-responses", "anthropic-messages", "gemini-json-schema"} {
			p := profile(b, name)
			for _, mode := range modes {
				b.Run(fmt.Sprintf("%s/%s/%s", input, name, mode), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						p.CheckSchema(s, mode)
					}
				})
			}
		}
	}
}

// BenchmarkCheck is the check of real tools, or of one typical tool where
// there is no corpus, against all profiles, in the mode that each would be asked for
// first. One operation is all tools against all profiles.
func BenchmarkCheck(b *testing.B) {
	schemas := benchSchemas(b)
	names := Builtin().Names()
	run := func(names []string, check func(*Profile, *schema.Schema, Mode) []finding.Finding) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			checks := 0
			for b.Loop() {
				for _, s := range schemas {
					for _, name := range names {
						p, _ := Builtin().Lookup(name)
						mode := Strict
						if p.Strict.Place == NoStrict {
							mode = Standard
						}
						check(p, s, mode)
						checks++
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(checks), "ns/check")
		}
	}
	b.Run("all", run(names, (*Profile).CheckSchema))
	b.Run("all, faults only", run(names, (*Profile).Faults))
	for _, name := range names {
		b.Run(name, run([]string{name}, (*Profile).CheckSchema))
	}
}

// benchSchemas are some hundred tools of several servers.
func benchSchemas(b *testing.B) []*schema.Schema {
	b.Helper()
	if _, ok := corpus.Dir(); !ok {
		return []*schema.Schema{schematest.Schema(b, typicalTool)}
	}
	var out []*schema.Schema
	for _, file := range corpus.Files(b, "tools/*-mcp*.jsonl", "tools/npm/*.jsonl") {
		n := 0
		for tool := range corpus.Lines[corpus.Tool](b, file) {
			if s := admittedReal(b, tool.InputSchema); s != nil && n < 10 {
				out = append(out, s)
				n++
			}
		}
	}
	return out
}

// wide lists required properties of two keywords each.
func wide(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(`"p%04d":{"type":"string","description":"x"}`, i)
	}
	return strings.Join(parts, ",")
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if err := loadEmbedded(); err != nil {
			b.Fatal(err)
		}
	}
}
