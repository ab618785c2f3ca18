// SPDX-License-Identifier: Apache-2.0

package contain

import (
	"slices"
	"testing"
	"time"

	"github.com/toolcontract/operator/internal/schema"
	"github.com/toolcontract/operator/internal/testkit/corpus"
)

type schemaPair struct{ a, b *schema.Schema }

// benchmarkPairs are the changed input schemas of real tools, or the pairs of
// the rule table without a corpus. The validators are prepared before, as they
// are where a contract has been checked.
func benchmarkPairs(b *testing.B) []schemaPair {
	b.Helper()
	var pairs []schemaPair
	add := func(old, next []byte) {
		x, okX := admit(withoutDialect(old))
		y, okY := admit(withoutDialect(next))
		if okX && okY && x.Digest() != y.Digest() {
			pairs = append(pairs, schemaPair{x, y})
		}
	}
	if _, ok := corpus.Dir(); !ok {
		for _, r := range rulePairs {
			add([]byte(r.narrow), []byte(r.wide))
		}
		return pairs
	}
	for change := range corpus.Changes(b) {
		if change.Old != nil && change.New != nil {
			add(change.Old.InputSchema, change.New.InputSchema)
		}
	}
	return pairs
}

// withoutDialect drops $schema: what real tools use of draft-07 means the same
// in 2020-12.
func withoutDialect(text []byte) string {
	v, failed := schema.Parse(text)
	if failed != nil || v.Kind() != schema.Object {
		return string(text)
	}
	return v.Without("$schema").JSON()
}

// BenchmarkDecide takes one decision per pair, the attack on proofs left out,
// and reports the median and the 99th percentile over the pairs.
func BenchmarkDecide(b *testing.B) {
	measure(b, benchmarkPairs(b), func(p schemaPair) func() {
		return func() { p.question(b).decide() }
	})
}

// BenchmarkAttack is the attack alone, over the pairs that are Proven.
func BenchmarkAttack(b *testing.B) {
	proven := slices.DeleteFunc(benchmarkPairs(b), func(p schemaPair) bool { return len(p.question(b).decide()) > 0 })
	measure(b, proven, func(p schemaPair) func() {
		q := p.question(b)
		return func() { q.defects() }
	})
}

func (p schemaPair) question(b *testing.B) question {
	b.Helper()
	c, failed := convene(p.a, p.b)
	if failed != nil {
		b.Fatal(failed.Reason)
	}
	return ask(p.a, p.b, c)
}

func measure(b *testing.B, pairs []schemaPair, prepare func(schemaPair) func()) {
	b.Helper()
	var times []time.Duration
	var held int64
	for _, p := range pairs {
		held = max(held, peakHeap(prepare(p)))
	}
	for b.Loop() {
		for _, p := range pairs {
			run := prepare(p)
			start := time.Now()
			run()
			times = append(times, time.Since(start))
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(len(pairs)), "pairs")
	b.ReportMetric(float64(held)/(1<<20), "MiB-heap")
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1000, "µs-median")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1000, "µs-p99")
}
