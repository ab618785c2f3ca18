// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/toolcontract/operator/api/v1alpha1"
	"github.com/toolcontract/operator/internal/metrics"
)

// StateMetrics counts what is in the cache when somebody asks. Counters that
// follow events would drift from it; this cannot.
type StateMetrics struct {
	// Cache is read; a kind that it does not hold is not shown.
	Cache client.Reader
	// Elected is closed once this replica is the active one. Before, nothing is
	// shown: the sum over all replicas would be wrong.
	Elected <-chan struct{}
	// Profiles are those in use.
	Profiles *ProfilesInUse
}

// scrapeTimeout bounds a scrape while the cache is still being filled.
const scrapeTimeout = 2 * time.Second

// unknownProfile stands for names that no profile in use has.
const unknownProfile = "(unknown)"

// notObserved is the reason of an object whose current generation was not looked
// at yet.
const notObserved = "NotObserved"

// Describe implements [prometheus.Collector].
func (m StateMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, metric := range []*metrics.Metric{
		&metrics.Contracts, &metrics.ContractTargets, &metrics.LintFindings, &metrics.Revisions, &metrics.ConfigMaps,
		&metrics.Sets, &metrics.SetToolsMissing, &metrics.SetTokenBudget, &metrics.ProviderProfiles,
	} {
		out <- metric.Desc()
	}
}

// Collect implements [prometheus.Collector].
func (m StateMetrics) Collect(out chan<- prometheus.Metric) {
	select {
	case <-m.Elected:
	default:
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	t := tally{}
	var contracts v1alpha1.ToolContractList
	if m.list(ctx, &contracts) {
		for i := range contracts.Items {
			m.contract(t, &contracts.Items[i])
		}
	}
	var revisions v1alpha1.ToolRevisionList
	if m.list(ctx, &revisions) {
		for i := range revisions.Items {
			r := &revisions.Items[i]
			ready, reason := readiness(r.Status.Conditions, r.Status.ObservedGeneration, r.Generation)
			t.add(&metrics.Revisions, 1, r.Namespace, ready, reason)
		}
	}
	var configMaps corev1.ConfigMapList
	if m.list(ctx, &configMaps) {
		for i := range configMaps.Items {
			if role := configMaps.Items[i].Labels[v1alpha1.LabelRole]; slices.Contains(roles, role) {
				t.add(&metrics.ConfigMaps, 1, configMaps.Items[i].Namespace, role)
			}
		}
	}
	var sets v1alpha1.ToolSetList
	if m.list(ctx, &sets) {
		for i := range sets.Items {
			m.set(t, &sets.Items[i])
		}
	}
	var profiles v1alpha1.ProviderProfileList
	if m.list(ctx, &profiles) {
		for i := range profiles.Items {
			p := &profiles.Items[i]
			ready, reason := readiness(p.Status.Conditions, p.Status.ObservedGeneration, p.Generation)
			t.add(&metrics.ProviderProfiles, 1, ready, reason)
		}
	}
	t.show(out)
}

var roles = []string{v1alpha1.RoleRendering, v1alpha1.RoleChannel, v1alpha1.RoleSetRendering, v1alpha1.RoleSet}

// list reads all objects of a kind, unless the cache does not hold the kind, or
// not yet. Nothing that it returns is changed.
func (m StateMetrics) list(ctx context.Context, into client.ObjectList) bool {
	return m.Cache.List(ctx, into, client.UnsafeDisableDeepCopy) == nil
}

func (m StateMetrics) contract(t tally, c *v1alpha1.ToolContract) {
	ready, reason := readiness(c.Status.Conditions, c.Status.ObservedGeneration, c.Generation)
	t.add(&metrics.Contracts, 1, c.Namespace, ready, reason)
	found := map[string]*v1alpha1.TargetStatus{}
	if c.Status.ObservedGeneration == c.Generation {
		for i := range c.Status.Targets {
			found[c.Status.Targets[i].Profile] = &c.Status.Targets[i]
		}
	}
	for i := range c.Spec.Targets {
		profile := c.Spec.Targets[i].Profile
		compatible, strict := string(metav1.ConditionUnknown), string(v1alpha1.OutcomeNone)
		if is := found[profile]; is != nil {
			compatible, strict = string(is.Compatible), string(is.Strict)
		}
		t.add(&metrics.ContractTargets, 1, m.known(profile), compatible, strict)
	}
	if lint := c.Status.Lint; lint != nil {
		for _, n := range []struct {
			severity string
			count    int32
		}{{"Error", lint.Errors}, {"Warning", lint.Warnings}, {"Acknowledged", lint.Acknowledged}} {
			if n.count > 0 {
				t.add(&metrics.LintFindings, float64(n.count), c.Namespace, n.severity)
			}
		}
	}
}

func (m StateMetrics) set(t tally, s *v1alpha1.ToolSet) {
	ready, reason := readiness(s.Status.Conditions, s.Status.ObservedGeneration, s.Generation)
	t.add(&metrics.Sets, 1, s.Namespace, ready, reason)
	for i := range s.Spec.Profiles {
		spec := &s.Spec.Profiles[i]
		is, known := statusOf(s.Status.Profiles, spec.Profile)
		if !known {
			continue
		}
		t.add(&metrics.SetToolsMissing, float64(max(0, is.Wanted-is.Tools)), s.Namespace, m.known(spec.Profile))
		if spec.TokenBudget != nil && *spec.TokenBudget > 0 {
			t.raise(&metrics.SetTokenBudget, float64(is.Tokens)/float64(*spec.TokenBudget), s.Namespace, m.known(spec.Profile))
		}
	}
}

// known bounds the names of profiles to those in use.
func (m StateMetrics) known(profile string) string {
	if catalog := m.Profiles.Catalog(); catalog != nil {
		if _, ok := catalog.Lookup(profile); ok {
			return profile
		}
	}
	return unknownProfile
}

// readiness is what Ready says of the current generation.
func readiness(conditions []metav1.Condition, observed, generation int64) (ready, reason string) {
	c := meta.FindStatusCondition(conditions, v1alpha1.ConditionReady)
	if c == nil || observed != generation {
		return string(metav1.ConditionUnknown), notObserved
	}
	return string(c.Status), c.Reason
}

// tally holds the values of series, by the metric and its label values.
type tally map[*metrics.Metric]map[string]float64

// separator stands in no label value: names and reasons of Kubernetes have none.
const separator = "\x00"

func (t tally) add(metric *metrics.Metric, n float64, labels ...string) {
	t.of(metric)[strings.Join(labels, separator)] += n
}

// raise keeps the highest value.
func (t tally) raise(metric *metrics.Metric, n float64, labels ...string) {
	key := strings.Join(labels, separator)
	t.of(metric)[key] = max(n, t.of(metric)[key])
}

func (t tally) of(metric *metrics.Metric) map[string]float64 {
	if t[metric] == nil {
		t[metric] = map[string]float64{}
	}
	return t[metric]
}

func (t tally) show(out chan<- prometheus.Metric) {
	for metric, series := range t {
		for _, key := range slices.Sorted(maps.Keys(series)) {
			out <- metric.Is(series[key], strings.Split(key, separator)...)
		}
	}
}
