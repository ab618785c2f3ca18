// SPDX-License-Identifier: Apache-2.0

package metrics

import "github.com/prometheus/client_golang/prometheus"

// Type is what a metric does over time.
type Type string

// The types, in the words of Prometheus.
const (
	Gauge     Type = "gauge"
	Counter   Type = "counter"
	Histogram Type = "histogram"
)

// Metric is the definition of one metric.
type Metric struct {
	// Name follows the conventions of Prometheus: it ends in the unit, and that of
	// a counter in _total.
	Name string
	Type Type
	// Help says in sentences what the value is.
	Help   string
	Labels []Label
	// Buckets are the upper bounds of a histogram.
	Buckets []float64
}

// Label is one label of a metric, and what its values are.
type Label struct{ Name, Values string }

// LabelNames are the names of the labels, in their order.
func (m *Metric) LabelNames() []string {
	out := make([]string, len(m.Labels))
	for i := range m.Labels {
		out[i] = m.Labels[i].Name
	}
	return out
}

// Desc describes a metric whose values are made when somebody asks.
func (m *Metric) Desc() *prometheus.Desc {
	return prometheus.NewDesc(m.Name, m.Help, m.LabelNames(), nil)
}

// Is is a value of a gauge, made when somebody asks. There are as many label
// values as labels, in their order.
func (m *Metric) Is(value float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(m.Desc(), prometheus.GaugeValue, value, labels...)
}

// NewCounter makes the counter.
func (m *Metric) NewCounter() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: m.Name, Help: m.Help}, m.LabelNames())
}

// NewGauge makes the gauge.
func (m *Metric) NewGauge() *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: m.Name, Help: m.Help}, m.LabelNames())
}

// NewHistogram makes the histogram.
func (m *Metric) NewHistogram() *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: m.Name, Help: m.Help, Buckets: m.Buckets}, m.LabelNames())
}
