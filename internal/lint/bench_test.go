// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/example"
	"github.com/toolcontract/operator/internal/lint"
)

// BenchmarkContentBySize shows that the time grows with the schema and no faster.
func BenchmarkContentBySize(b *testing.B) {
	for _, n := range []int{100, 200, 400, 800} {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, `,"property_%d":{"type":"string","description":"The value number %d of a wide tool."}`, i, i)
		}
		content, findings := example.Tool{
			Name: "wide", Description: "A wide tool.", InputSchema: `{"type":"object","properties":{` + text.String()[1:] + `}}`,
		}.Content()
		if content == nil {
			b.Fatal(findings)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				lint.Content(content)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/property")
		})
	}
}
