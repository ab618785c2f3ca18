// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
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

// TestCorpusDraft7 rewrites the schemas of the official test suite for
// draft-07 and demands that the 2020-12 validator decides every test as the
// suite says. What admission refuses (remote references and the like) does not
// count; files about what the dialects really do differently are left out.
func TestCorpusDraft7(t *testing.T) {
	t.Parallel()
	// format asserts nothing in the suite and asserts here.
	different := []string{"format.json"}
	decided := 0
	for file, groups := range corpus.Suite(t, "draft7") {
		if strings.HasPrefix(file, "optional/") || slices.Contains(different, file) {
			continue
		}
		for _, g := range groups {
			decided += checkGroup(t, file, g)
		}
	}
	if decided < 500 {
		t.Errorf("only %d tests of the suite were decided", decided)
	}
	t.Logf("%d tests decided", decided)
}

// checkGroup returns how many tests of a group were decided.
func checkGroup(t *testing.T, file string, g corpus.SuiteGroup) (decided int) {
	t.Helper()
	root, failed := schema.Parse(g.Schema)
	if failed != nil || root.Kind() != schema.Object {
		return 0
	}
	declared := root.With("$schema", schema.NewString("http://json-schema.org/draft-07/schema#"))
	admitted, _ := schema.Admit(toLatest(declared).root)
	if admitted == nil {
		return 0
	}
	validator, _ := admitted.Compile()
	if validator == nil {
		return 0
	}
	for _, test := range g.Tests {
		instance, failed := schema.Parse(test.Data)
		if failed != nil {
			continue
		}
		valid, err := validator.Accepts(instance)
		if err != nil {
			continue
		}
		decided++
		if valid != test.Valid {
			t.Errorf("%s: %s: %s: got valid %v; rewritten: %s", file, g.Description, test.Description, valid, admitted.Root().JSON())
		}
	}
	return decided
}
