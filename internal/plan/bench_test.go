// SPDX-License-Identifier: Apache-2.0

package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/toolcontract/operator/internal/evaluate"
	"github.com/toolcontract/operator/internal/plan"
	"github.com/toolcontract/operator/internal/provider"
)

// BenchmarkPlan plans a minor change of every contract of a world, against judging
// the same contracts once. A change is judged as it was and as it would be and the
// two are compared, so a ratio of three is what there is to do.
func BenchmarkPlan(b *testing.B) {
	profiles := []string{"openai-responses", "anthropic-messages", "gemini-json-schema"}
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var was, would []plan.Manifest
			for i := range n {
				name := fmt.Sprintf("tool-%d", i)
				was = append(was, tool(name, "1.0.0", first, profiles...))
				would = append(would, tool(name, "1.1.0", added, profiles...))
			}
			o := plan.Options{Profiles: provider.Builtin(), Whole: true}
			_, before := plan.Make(plan.Empty(), all(was...), o)
			var planned, judged time.Duration
			for b.Loop() {
				start := time.Now()
				p, _ := plan.Make(before, all(would...), o)
				planned += time.Since(start)
				if p.Summary.Impact != plan.ImpactMinor {
					b.Fatalf("the impact is %s", p.Summary.Impact)
				}
				start = time.Now()
				for i := range would {
					evaluate.Contract("bench", &would[i].Contract.Spec, evaluate.History{}, o.Profiles)
				}
				judged += time.Since(start)
			}
			b.ReportMetric(float64(planned)/float64(judged), "x-judged")
			b.ReportMetric(float64(planned.Microseconds())/float64(b.N*n), "µs/contract")
		})
	}
}
