// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"unique"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/toolcontract/operator/internal/metrics"
)

// Describe implements [prometheus.Collector].
func (t *Tracker) Describe(out chan<- *prometheus.Desc) {
	out <- metrics.MountsReady.Desc()
	out <- metrics.MountsConsumers.Desc()
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
		out <- metrics.MountsReady.Is(ready, v.resource)
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
	out <- metrics.MountsConsumers.Is(float64(len(all)))
}
