// SPDX-License-Identifier: Apache-2.0

package adapt_test

import (
	"testing"

	"github.com/toolcontract/operator/internal/adapt"
	"github.com/toolcontract/operator/internal/provider"
	"github.com/toolcontract/operator/internal/testkit/schematest"
)

// BenchmarkSchema adapts a schema of the usual shape to every profile.
func BenchmarkSchema(b *testing.B) {
	author := schematest.Schema(b, `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{`+
		`"query":{"type":"string","description":"What to look for"},"limit":{"type":"integer","description":"How many","default":10},`+
		`"labels":{"type":"array","items":{"type":"string"}},"state":{"type":"string","enum":["open","closed"]},`+
		`"author":{"type":"object","properties":{"name":{"type":"string"},"id":{"type":"integer"}},"required":["name"]}},"required":["query"]}`)
	names := provider.Builtin().Names()
	b.ReportMetric(float64(len(names)), "profiles")
	for b.Loop() {
		for _, name := range names {
			p, _ := provider.Builtin().Lookup(name)
			adapt.Schema(author, p, provider.Strict, adapt.Narrow)
		}
	}
}
