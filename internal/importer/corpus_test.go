// SPDX-License-Identifier: Apache-2.0

package importer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/toolcontract/operator/internal/schema"
)

// corpus is the folder with tools and schemas of third parties.
func corpus(t *testing.T) string {
	t.Helper()
	return os.Getenv("TOOLCONTRACT_CORPUS")
}

func TestMain(m *testing.M) {
	if os.Getenv("TOOLCONTRACT_CORPUS") == "" {
		fmt.Fprintln(os.Stderr, "importer: corpus tests not run: TOOLCONTRACT_CORPUS is not set")
	}
	os.Exit(m.Run())
}

// TestCorpusTools imports every real tool: it becomes a contract that reads
// back as what it is, or it is reported.
func TestCorpusTools(t *testing.T) {
	t.Parallel()
	dir := corpus(t)
	if dir == "" {
		return
	}
	files, err := filepath.Glob(filepath.Join(dir, "tools", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tools in %s: %v", dir, err)
	}
	npm, err := filepath.Glob(filepath.Join(dir, "tools", "npm", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, path := range slices.Concat(files, npm) {
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
	dir := corpus(t)
	if dir == "" {
		return
	}
	// format asserts nothing in the suite and asserts here.
	different := []string{"format.json"}
	files, err := filepath.Glob(filepath.Join(dir, "schemas", "json-schema-test-suite", "tests", "draft7", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no test suite in %s: %v", dir, err)
	}
	decided := 0
	for _, path := range files {
		if slices.Contains(different, filepath.Base(path)) {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var groups []suiteGroup
		if err := json.Unmarshal(text, &groups); err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			decided += g.check(t, filepath.Base(path))
		}
	}
	if decided < 500 {
		t.Errorf("only %d tests of the suite were decided", decided)
	}
	t.Logf("%d tests decided", decided)
}

type suiteGroup struct {
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"schema"`
	Tests       []struct {
		Description string          `json:"description"`
		Data        json.RawMessage `json:"data"`
		Valid       bool            `json:"valid"`
	} `json:"tests"`
}

// check returns how many tests of the group were decided.
func (g suiteGroup) check(t *testing.T, file string) (decided int) {
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
