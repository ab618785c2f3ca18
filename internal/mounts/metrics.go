// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"unique"

	"github.com/prometheus/client_golang/prometheus"
)

var (
	readyMetric = prometheus.NewDesc("toolcontract_mounts_ready",
		"1 if all objects of a resource that may mount published ConfigMaps are seen, else 0. "+
			"While one of them is 0 nothing is deleted that may be mounted.", []string{"resource"}, nil)
	consumersMetric = prometheus.NewDesc("toolcontract_mounts_consumers",
		"Workloads and single pods that mount published ConfigMaps, as far as they are seen.", nil, nil)
)

// Describe implements [prometheus.Collector].
func (t *Tracker) Describe(out chan<- *prometheus.Desc) {
	out <- readyMetric
	out <- consumersMetric
}

// Collect implements [prometheus.Collector]. A standby replica tracks nothing
// and shows nothing.
func (t *Tracker) Collect(out chan<- prometheus.Metric) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.started {
		return
	}
	for _, v := range t.views {
		ready := 0.0
		if v.ready() {
			ready = 1
		}
		out <- prometheus.MustNewConstMetric(readyMetric, prometheus.GaugeValue, ready, v.resource)
	}
	type placed struct {
		namespace unique.Handle[string]
		consumer
	}
	all := map[placed]bool{}
	for cm, consumers := range t.index {
		for c := range consumers {
			all[placed{cm.namespace, t.resolve(cm.namespace, c)}] = true
		}
	}
	out <- prometheus.MustNewConstMetric(consumersMetric, prometheus.GaugeValue, float64(len(all)))
}
