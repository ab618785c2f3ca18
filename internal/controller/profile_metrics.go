// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/toolcontract/operator/internal/metrics"
)

// ProfileMetrics shows the profiles in use to whoever scrapes: when somebody last
// compared each with its sources, and which facts are in force.
type ProfileMetrics struct {
	// Profiles are those in use; before there are any, nothing is shown.
	Profiles *ProfilesInUse
}

// Describe implements [prometheus.Collector].
func (m ProfileMetrics) Describe(out chan<- *prometheus.Desc) {
	out <- metrics.ProfileReviewed.Desc()
	out <- metrics.ProfileInfo.Desc()
}

// Collect implements [prometheus.Collector].
func (m ProfileMetrics) Collect(out chan<- prometheus.Metric) {
	catalog := m.Profiles.Catalog()
	if catalog == nil {
		return // a standby replica
	}
	for _, name := range catalog.Names() {
		profile, _ := catalog.Lookup(name)
		if reviewed, err := time.Parse(time.DateOnly, profile.Reviewed); err == nil {
			out <- metrics.ProfileReviewed.Is(float64(reviewed.Unix()), name)
		}
		out <- metrics.ProfileInfo.Is(1, name, strconv.Itoa(profile.Revision), profile.Digest())
	}
}
