// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/toolcontract/operator/internal/metrics"
)

func TestTheMetricsDocumentHasASectionForEachMetric(t *testing.T) {
	t.Parallel()
	text := metricsDocument()
	for _, m := range metrics.All() {
		if !bytes.Contains(text, []byte("\n## "+m.Name+"\n\n")) {
			t.Errorf("there is no section for %s", m.Name)
		}
	}
	if bytes.Contains(text, []byte("%!")) {
		t.Error("a format is wrong")
	}
	path := filepath.Join(t.TempDir(), "metrics.md")
	if err := writeMetrics(path); err != nil {
		t.Fatal(err)
	}
	if written, err := os.ReadFile(path); err != nil || !bytes.Equal(written, text) {
		t.Errorf("what was written differs: %v", err)
	}
}
