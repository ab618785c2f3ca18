// SPDX-License-Identifier: Apache-2.0

package metrics_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/toolcontract/operator/internal/metrics"
)

const prometheusDir = "../../config/prometheus"

// foreign are the metrics of libraries that alerts and dashboard use, with their
// labels.
var foreign = map[string][]string{
	"controller_runtime_reconcile_errors_total": {"controller"},
	"workqueue_depth":               {"name", "controller"},
	"process_resident_memory_bytes": nil,
}

// added are the labels that Prometheus adds to what it scrapes.
var added = []string{"instance", "job", "pod", "namespace", "service"}

var (
	selector   = regexp.MustCompile(`\b([a-z]+_[a-z_]+)\b(?:\{([^}]*)\})?`)
	matcher    = regexp.MustCompile(`([a-z_]+)\s*(?:=~|!~|!=|=)\s*"`)
	grouping   = regexp.MustCompile(`\b(?:by|on)\s*\(([^)]*)\)`)
	stringText = regexp.MustCompile(`"[^"]*"`)
)

// functions of PromQL have names like metrics.
var functions = []string{"histogram_quantile", "label_values"}

// checkQuery holds the names and labels of a query against the definitions.
func checkQuery(t *testing.T, where, query string) {
	t.Helper()
	labels := slices.Clone(added)
	found := 0
	for _, match := range selector.FindAllStringSubmatch(query, -1) {
		name := match[1]
		if slices.Contains(functions, name) || !strings.Contains(stringText.ReplaceAllString(query, `""`), name) {
			continue
		}
		known, ok := labelsOf(name)
		if !ok {
			t.Errorf("%s: there is no metric %s: %s", where, name, query)
			continue
		}
		found++
		for _, m := range matcher.FindAllStringSubmatch(match[2], -1) {
			if !slices.Contains(known, m[1]) {
				t.Errorf("%s: %s has no label %s", where, name, m[1])
			}
		}
		labels = append(labels, known...)
	}
	if found == 0 {
		t.Errorf("%s: %q asks for no metric", where, query)
	}
	for _, match := range grouping.FindAllStringSubmatch(query, -1) {
		for label := range strings.SplitSeq(match[1], ",") {
			if label = strings.TrimSpace(label); !slices.Contains(labels, label) {
				t.Errorf("%s: no metric of %q has the label %s", where, query, label)
			}
		}
	}
}

// labelsOf are the labels of a series, with that of the buckets of a histogram.
func labelsOf(series string) ([]string, bool) {
	if labels, ok := foreign[series]; ok {
		return labels, true
	}
	for _, m := range metrics.All() {
		suffix, ok := strings.CutPrefix(series, m.Name)
		switch {
		case !ok:
		case m.Type != metrics.Histogram && suffix == "":
			return m.LabelNames(), true
		case m.Type == metrics.Histogram && suffix == "_bucket":
			return append(m.LabelNames(), "le"), true
		case m.Type == metrics.Histogram && (suffix == "_count" || suffix == "_sum"):
			return m.LabelNames(), true
		}
	}
	return nil, false
}

// TestAlerts: each asks for metrics that there are, tells a person what it is
// about, and leads to a section of the guide.
func TestAlerts(t *testing.T) {
	t.Parallel()
	var rule struct {
		Spec struct {
			Groups []struct {
				Rules []struct {
					Alert, Expr, For    string
					Labels, Annotations map[string]string
				}
			}
		}
	}
	read(t, filepath.Join(prometheusDir, "rules", "rules.yaml"), &rule)
	guide, err := os.ReadFile("../../docs/guides/observe.md")
	if err != nil {
		t.Fatal(err)
	}
	alerts := 0
	for _, group := range rule.Spec.Groups {
		for _, r := range group.Rules {
			alerts++
			checkQuery(t, r.Alert, r.Expr)
			if !slices.Contains([]string{"critical", "warning", "info"}, r.Labels["severity"]) {
				t.Errorf("%s has the severity %q", r.Alert, r.Labels["severity"])
			}
			if r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
				t.Errorf("%s does not say what it is about", r.Alert)
			}
			want := "https://github.com/toolcontract/operator/blob/main/docs/guides/observe.md#" + strings.ToLower(r.Alert)
			if r.Annotations["runbook_url"] != want || !strings.Contains(string(guide), "\n### "+r.Alert+"\n") {
				t.Errorf("%s leads to %s, and the guide has to have a section of its name", r.Alert, r.Annotations["runbook_url"])
			}
		}
	}
	if sections := strings.Count(string(guide), "\n### Tool"); alerts == 0 || sections != alerts {
		t.Errorf("%d alerts, and %d sections about alerts", alerts, sections)
	}
}

func TestDashboard(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(prometheusDir, "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Templating struct {
			List []struct{ Type, Query string }
		}
		Panels []struct {
			ID      int
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, v := range dashboard.Templating.List {
		if v.Type == "query" {
			checkQuery(t, "variable", v.Query)
		}
	}
	ids := map[int]bool{}
	for _, p := range dashboard.Panels {
		if ids[p.ID] || len(p.Targets) == 0 {
			t.Errorf("%s: an id twice, or no query", p.Title)
		}
		ids[p.ID] = true
		for _, target := range p.Targets {
			checkQuery(t, p.Title, target.Expr)
		}
	}
}

// TestServiceMonitor: it finds the port of the Service, and keeps the labels.
func TestServiceMonitor(t *testing.T) {
	t.Parallel()
	var service struct {
		Metadata struct{ Labels map[string]string }
		Spec     struct{ Ports []struct{ Name string } }
	}
	read(t, "../../config/manager/metrics_service.yaml", &service)
	var monitor struct {
		Spec struct {
			Selector  struct{ MatchLabels map[string]string }
			Endpoints []struct {
				Port, Scheme string
				HonorLabels  bool
			}
		}
	}
	read(t, filepath.Join(prometheusDir, "monitor", "service_monitor.yaml"), &monitor)
	for key, value := range monitor.Spec.Selector.MatchLabels {
		if service.Metadata.Labels[key] != value {
			t.Errorf("the Service has no label %s=%s", key, value)
		}
	}
	e := monitor.Spec.Endpoints
	if len(e) != 1 || e[0].Port != service.Spec.Ports[0].Name || e[0].Scheme != "https" || !e[0].HonorLabels {
		t.Errorf("the endpoints are %+v, and the Service has the port %s", e, service.Spec.Ports[0].Name)
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}
