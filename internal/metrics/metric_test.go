// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/toolcontract/operator/internal/metrics"
)

// gauges shows one value of each gauge, as the collectors do.
type gauges struct{}

func (gauges) Describe(out chan<- *prometheus.Desc) {
	for _, m := range metrics.All() {
		if m.Type == metrics.Gauge {
			out <- m.Desc()
		}
	}
}

func (gauges) Collect(out chan<- prometheus.Metric) {
	for _, m := range metrics.All() {
		if m.Type == metrics.Gauge {
			out <- m.Is(1, m.LabelNames()...)
		}
	}
}

// TestDefinitionsFollowTheConventions registers everything once, with one series
// each, and asks the linter of Prometheus.
func TestDefinitionsFollowTheConventions(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(gauges{})
	for _, m := range metrics.All() {
		switch m.Type {
		case metrics.Counter:
			counter := m.NewCounter()
			counter.WithLabelValues(m.LabelNames()...).Inc()
			registry.MustRegister(counter)
		case metrics.Histogram:
			histogram := m.NewHistogram()
			histogram.WithLabelValues(m.LabelNames()...).Observe(1)
			registry.MustRegister(histogram)
		case metrics.Gauge:
		default:
			t.Errorf("%s: the type %q is none", m.Name, m.Type)
		}
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(families), len(metrics.All()); got != want {
		t.Errorf("%d families, want %d", got, want)
	}
	problems, err := promlint.NewWithMetricFamilies(families).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// Each definition says what a reader of the reference needs.
func TestDefinitionsAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, m := range metrics.All() {
		if seen[m.Name] || !strings.HasPrefix(m.Name, "toolcontract_") {
			t.Errorf("%s: a name twice, or without the prefix of the project", m.Name)
		}
		seen[m.Name] = true
		if !strings.HasSuffix(m.Help, ".") {
			t.Errorf("%s: the help is no sentence: %q", m.Name, m.Help)
		}
		if (len(m.Buckets) > 0) != (m.Type == metrics.Histogram) || !slices.IsSorted(m.Buckets) {
			t.Errorf("%s: a %s with the buckets %v", m.Name, m.Type, m.Buckets)
		}
		for _, l := range m.Labels {
			if l.Name == "" || l.Values == "" {
				t.Errorf("%s: the label %q has the values %q", m.Name, l.Name, l.Values)
			}
			if slices.Contains([]string{"contract", "set", "revision_name", "name", "tool"}, l.Name) {
				t.Errorf("%s: the label %s has as many values as there are objects", m.Name, l.Name)
			}
		}
	}
}
