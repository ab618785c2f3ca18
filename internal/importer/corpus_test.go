// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"os"
	"testing"

	"github.com/toolcontract/operator/internal/testkit/corpus"
)

// TestCorpusTools imports every real tool: it becomes a contract that reads
// back as what it is, or it is reported.
func TestCorpusTools(t *testing.T) {
	t.Parallel()
	total := 0
	for _, path := range corpus.ToolFiles(t) {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s := source{data: data, report: &Report{}}
		s.read()
		contracts, report, _ := Import(data, testOptions)
		if got := len(contracts) + report.Skipped(); got != len(s.tools) {
			t.Errorf("%s: %d of %d tools became a contract or were reported", path, got, len(s.tools))
		}
		total += len(s.tools)
		var yaml []byte
		for _, c := range contracts {
			yaml = AppendYAML(yaml, c)
		}
		checkRoundTrip(t, contracts, yaml)
	}
	if total < 100 {
		t.Errorf("the corpus has only %d tools", total)
	}
}
