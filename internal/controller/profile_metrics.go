// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// ProfileMetrics shows the profiles in use to whoever scrapes: how long ago
// somebody compared each with its sources, and which facts are in force. Age is
// a metric because it changes by itself; a status would be written every day.
type ProfileMetrics struct {
	// Profiles are those in use; before there are any, nothing is shown.
	Profiles *ProfilesInUse
	// Now is the clock; nil is the real one.
	Now func() time.Time
}

var (
	profileAge = prometheus.NewDesc("toolcontract_profile_age_days",
		"Days since the facts of a provider profile were last compared with their sources.", []string{"profile"}, nil)
	profileInfo = prometheus.NewDesc("toolcontract_profile_info",
		"The revision and digest of the facts that are in force under the name of a provider profile; always 1.",
		[]string{"profile", "revision", "digest"}, nil)
)

// Describe implements [prometheus.Collector].
func (m ProfileMetrics) Describe(out chan<- *prometheus.Desc) {
	out <- profileAge
	out <- profileInfo
}

// Collect implements [prometheus.Collector].
func (m ProfileMetrics) Collect(out chan<- prometheus.Metric) {
	catalog := m.Profiles.Catalog()
	if catalog == nil {
		return // a standby replica
	}
	now := time.Now
	if m.Now != nil {
		now = m.Now
	}
	for _, name := range catalog.Names() {
		profile, _ := catalog.Lookup(name)
		if reviewed, err := time.Parse(time.DateOnly, profile.Reviewed); err == nil {
			days := max(0, int(now().Sub(reviewed)/(24*time.Hour)))
			out <- prometheus.MustNewConstMetric(profileAge, prometheus.GaugeValue, float64(days), name) //nolint:promlinter // reviews are dated by the day
		}
		out <- prometheus.MustNewConstMetric(profileInfo, prometheus.GaugeValue, 1, name, strconv.Itoa(profile.Revision), profile.Digest())
	}
}
