// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	ctrlmetrics "sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/toolcontract/operator/internal/contain"
	"github.com/toolcontract/operator/internal/metrics"
)

// What the controllers count; package metrics says what each means. What can be
// counted in the cache is not counted here, see [StateMetrics].
var (
	publishDuration = metrics.PublishDuration.NewHistogram()
	publishedBytes  = metrics.PublishedBytes.NewHistogram()
	proverDuration  = metrics.ProverDuration.NewHistogram()
	writes          = metrics.Writes.NewCounter()
	driftRepaired   = metrics.DriftRepaired.NewCounter()
	refusals        = metrics.Refusals.NewCounter()
	retentionErrors = metrics.RetentionErrors.NewCounter()
	checkerDefects  = metrics.CheckerDefects.NewCounter()
)

// What was restored, as [metrics.DriftRepaired] has it.
const (
	driftMissing  = "Missing"
	driftData     = "Data"
	driftMetadata = "Metadata"
)

func init() {
	ctrlmetrics.Registry.MustRegister(counters()...)
	// Without labels there is one series each, which is 0 from the start: an alert
	// on an increase would miss the first one otherwise.
	retentionErrors.WithLabelValues()
	checkerDefects.WithLabelValues()
	for _, drift := range []string{driftMissing, driftData, driftMetadata} {
		driftRepaired.WithLabelValues(configMapKind, drift)
	}
	driftRepaired.WithLabelValues(revisionKind, driftMissing)
}

func counters() []prometheus.Collector {
	return []prometheus.Collector{
		publishDuration, publishedBytes, proverDuration, writes, driftRepaired, refusals, retentionErrors, checkerDefects,
	}
}

// proverBegan times one comparison of two schemas.
func proverBegan() func(contain.Answer) {
	began := time.Now()
	return func(answer contain.Answer) {
		proverDuration.WithLabelValues(answer.String()).Observe(time.Since(began).Seconds())
	}
}
