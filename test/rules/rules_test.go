// SPDX-License-Identifier: Apache-2.0

// Package rules runs promtool over the alerts and the dashboard of
// config/prometheus. It is a module of its own because it needs promtool, which
// `make test-rules` builds.
package rules

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	// toolVariable names promtool.
	toolVariable = "TOOLCONTRACT_PROMTOOL"
	prometheus   = "../../config/prometheus"
)

// promtool runs promtool in a directory.
func promtool(t *testing.T, dir string, arguments ...string) {
	t.Helper()
	path := os.Getenv(toolVariable)
	if path == "" {
		t.Fatalf("%s is not set: run `make test-rules`", toolVariable)
	}
	cmd := exec.CommandContext(t.Context(), path, arguments...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool %s: %v\n%s", strings.Join(arguments, " "), err, out)
	}
}

// groups writes spec of the PrometheusRule as a file of rules: what is indented
// below it.
func groups(t *testing.T, dir string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(prometheus, "rules", "rules.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, spec, found := strings.Cut(string(text), "\nspec:\n")
	if !found {
		t.Fatal("rules.yaml has no spec")
	}
	write(t, filepath.Join(dir, "rules.yaml"), strings.ReplaceAll("\n"+spec, "\n  ", "\n"))
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	groups(t, dir)
	promtool(t, dir, "check", "rules", "--lint=all", "--lint-fatal", "rules.yaml")
	tests, err := filepath.Glob(filepath.Join(prometheus, "tests", "*.yaml"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("there are no tests: %v", err)
	}
	var all strings.Builder
	for _, path := range tests {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		write(t, filepath.Join(dir, filepath.Base(path)), string(text))
		promtool(t, dir, "test", "rules", filepath.Base(path))
	}
	rules, err := os.ReadFile(filepath.Join(dir, "rules.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(string(rules), "\n") {
		alert, ok := strings.CutPrefix(strings.TrimSpace(line), "- alert: ")
		if !ok {
			continue
		}
		if !strings.Contains(all.String(), "  - {alertname: "+alert+",") || !strings.Contains(all.String(), "  - alertname: "+alert+"\n") {
			t.Errorf("%s needs a test in which it fires and one in which it does not", alert)
		}
	}
}

// TestDashboardQueriesParse hands each query of the dashboard to promtool, as a
// recording rule.
func TestDashboardQueriesParse(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(prometheus, "dashboard.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil {
		t.Fatal(err)
	}
	var rules strings.Builder
	rules.WriteString("groups:\n- name: dashboard\n  rules:\n")
	queries := 0
	for _, p := range dashboard.Panels {
		for _, target := range p.Targets {
			queries++
			// Grafana fills in the variables before it asks.
			expr := strings.NewReplacer("$__rate_interval", "5m", "$namespace", "shop").Replace(target.Expr)
			fmt.Fprintf(&rules, "  - record: q%d\n    expr: %q\n", queries, expr)
		}
	}
	if queries < 10 {
		t.Errorf("the dashboard has only %d queries", queries)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "dashboard.yaml"), rules.String())
	promtool(t, dir, "check", "rules", "dashboard.yaml")
}
