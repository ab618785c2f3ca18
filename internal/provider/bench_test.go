// SPDX-License-Identifier: Apache-2.0

package provider

import (
	"fmt"
	"strings"
	"testing"

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
		if _, err := loadEmbedded(); err != nil {
			b.Fatal(err)
		}
	}
}
